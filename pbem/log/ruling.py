"""What every ruling is: its fields, its conditions, its sentence; and what may stand in them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from pbem.core import Domain, Record, Seat, word
from pbem.log import gathering
from pbem.sentence import Sentence

if TYPE_CHECKING:
    from pbem.log.timing import Timing

# ------------------------------------------------------------------- what may stand in a field


def matching(says: str, pattern: str) -> Domain:
    """A text that a regular expression matches; it is compiled when it is first used."""
    return Domain(says, lambda v: isinstance(v, str) and bool(re.fullmatch(pattern, v, re.DOTALL)))


def list_of(says: str, accepts: Callable[[Any], bool]) -> Domain:
    """A list of any length."""
    return Domain(says, lambda v: isinstance(v, tuple | list) and all(map(accepts, v)))


TEXT: Final = Domain("a text", lambda v: isinstance(v, str) and 0 < len(v) <= 20_000)
LINE: Final = Domain(
    "a line of text", lambda v: TEXT.accepts(v) and len(v) <= 500 and "\n" not in v
)
TIME: Final = matching('a time like "2026-11-21T03:40:00Z"', r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
HASH: Final = matching("sha256: and 64 hexadecimal digits", r"sha256:[0-9a-f]{64}")
SECRET: Final = matching("64 hexadecimal digits", r"[0-9a-f]{64}")


Stage = str
"""How far a match has come; see `stages`."""

ENDED: Final[Stage] = "ended"
PLAY: Final[Stage] = "play"
REVEALED: Final[Stage] = "revealed"
SILENCE: Final[Stage] = "silence"

Objection = tuple[Sentence, str]
"""What is wrong with an entry, and at which of its keys."""


class Totals(Protocol):
    """What the entries before a ruling add up to; see `stages.SoFar`."""

    header: Any
    live: list[int]
    epochs: dict[Seat, int]
    texts: list[str]
    gathered: gathering.Gathering
    timing: Timing
    silent: Seat
    vacant: set[Seat]


class Ruling(Record):
    """What belongs to one kind of ruling.

    `moves_position`: does the match stand elsewhere after it? `leads_to`: the stage that begins
    with it; None: the same goes on. `from_seat`: may it be the word of the seat it names, or of
    any seat if it names none? If not it is the moderator's alone.
    """

    __slots__ = ()
    moves_position: ClassVar[bool] = True
    leads_to: ClassVar[Stage | None] = None
    from_seat: ClassVar[bool] = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        """What is wrong with this as the next ruling, whatever the stage."""
        return None

    def counts(self, so_far: Totals) -> None:
        """Add to what the entries add up to."""

    def beyond(self, so_far: Totals, by: Seat) -> Objection | None:
        """Why this cannot be the word of the seat `by`, where it could be the moderator's."""
        return None

    @abstractmethod
    def sentence(self, by: Seat) -> Sentence:
        """What happened, for the chronicle."""


def called(kind: Any) -> str:
    """What a kind of ruling is called in logs."""
    return word(kind)
