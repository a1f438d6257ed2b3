"""What every ruling has: fields, conditions, a sentence; and what may stand in the fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from pbem.core import NUMBER, Domain, Record, Seat, word
from pbem.log.entropy import gathering
from pbem.log.entropy.gathering import PROMISES, VALUE, WORDS
from pbem.sentence import Sentence, say

# ------------------------------------------------------------------- what may stand in a field


def matching(says: str, pattern: str) -> Domain:
    """A text that matches a regular expression, which is compiled when it is first used."""
    return Domain(says, lambda v: isinstance(v, str) and bool(re.fullmatch(pattern, v, re.DOTALL)))


def list_of(says: str, accepts: Callable[[Any], bool]) -> Domain:
    """A list of any length."""
    return Domain(says, lambda v: isinstance(v, tuple | list) and all(map(accepts, v)))


TEXT: Final = Domain("a text", lambda v: isinstance(v, str) and 0 < len(v) <= 20_000)
LINE: Final = Domain(
    "a line of text", lambda v: TEXT.accepts(v) and len(v) <= 500 and "\n" not in v
)
TIME: Final = matching('a time like "2026-11-21T03:40:00Z"', r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
MOST_DAYS: Final = 365
"""The most days that a setting of a clock or an absence may have."""


def days(fewest: int) -> Domain:
    """A number of days, this many or more."""
    return Domain(
        say("a number of days, {fewest} to {most}", fewest=fewest, most=MOST_DAYS),
        lambda v: NUMBER.accepts(v) and fewest <= v <= MOST_DAYS,
    )


DAYS: Final = days(1)


def is_date(value: Any) -> bool:
    """Is this a date, like 2026-12-24?"""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return False
    from datetime import date

    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_time(said: str) -> bool:
    """Is this time of a log one that exists?"""
    from datetime import datetime

    try:
        datetime.fromisoformat(said)
    except ValueError:
        return False
    return True


DATE: Final = Domain('a date like "2026-12-24"', is_date)
HASH: Final = matching("sha256: and 64 hexadecimal digits", r"sha256:[0-9a-f]{64}")
SECRET: Final = matching("64 hexadecimal digits", r"[0-9a-f]{64}")


NEVER: Final = "~"
"""Later than any time."""

Stage = str
"""How far a match has come; see `stages`."""

ENDED: Final[Stage] = "ended"
PLAY: Final[Stage] = "play"
REVEALED: Final[Stage] = "revealed"
SILENCE: Final[Stage] = "silence"
UNDER_WAY: Final[tuple[Stage, ...]] = (PLAY, PROMISES, WORDS, VALUE)
"""The stages of a match that goes on, including those before its first draw."""

Objection = tuple[Sentence, str]
"""What is wrong with an entry, and at which of its keys."""


def misfit(
    data: Mapping[str, Any], domains: Mapping[str, Domain], optional: Collection[str] = ()
) -> Objection | None:
    """The first unknown or missing key of a record, or value that does not fit; None: there is
    none. What is missing has no place: its key is ""."""
    for key, value in data.items():
        if key not in domains:
            known = ", ".join(domains)
            return say("unknown key {key!r}; known here are {known}", key=key, known=known), key
        if not domains[key].accepts(value):
            shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:57]}…"
            says = domains[key].says
            return say("{key} is {shown}; expected {says}", key=key, shown=shown, says=says), key
    missing = [key for key in domains if key not in data and key not in optional]
    return (say("missing: {missing:all}", missing=missing), "") if missing else None


class Totals:
    """What the entries before a ruling add up to; see `stages.SoFar`."""

    timing: Any

    def __init__(self, header: Any) -> None:
        self.header = header
        self.last = 0
        self.live: list[int] = []
        self.taken: list[tuple[list[int], Stage]] = []
        """For each takeback since a seat last moved: the plies that stood before, and the stage."""
        self.epochs: dict[Seat, int] = dict.fromkeys(header.seats, 0)
        self.at: str = header.created
        self.names: dict[Seat, str] = dict(header.seats)
        self.texts: list[tuple[str, str]] = []
        """The texts added to the draws, each after the name of whoever sat there then."""
        self.gathered = gathering.Gathering(header.entropy, header.seats)
        self.silent: Seat = ""
        self.vacant: set[Seat] = set()
        self.led_to: Stage = PLAY


class Asks(NamedTuple):
    """What the command line asks of whoever gives a ruling, begins a match or sets something:
    `--name TAKES`; without `takes` it is a flag, and so is `--no-name` if it can be `either`.
    `needed` says that it cannot be left out, `many` that it can be given several times, `field`
    which field of a ruling it fills, if that has another name than `slot` makes of it, and `letter`
    what else it is called, like o for `-o`."""

    name: str
    takes: str
    help: str
    needed: bool = False
    many: bool = False
    field: str = ""
    letter: str = ""
    either: bool = False

    @property
    def slot(self) -> str:
        """The field of the ruling that it fills."""
        return self.field or self.name.replace("-", "_")


class Ruling(Record):
    """What belongs to one kind of ruling.

    `says`: what happened, for the chronicle, with its fields in the blanks. `stages`: the stages of
    a match in which it may stand; `earlier`: those in which earlier versions wrote it.
    `bears_on_draws`: does what chance draws next depend on whether or how the moderator gives it?
    `leads_to`: the stage that begins with it; None: the same goes on. `moves_position`: does the
    match stand elsewhere after it? `needs_clock`: is it only for matches with a clock? `from_seat`:
    may it come from the seat that it names, or from any seat if it names none? If not, only the
    moderator gives it. `options`: what `pbem rule` asks of the moderator who gives it; None: it is
    not given there by this name. `owes_reason`: must the moderator say why?
    """

    __slots__ = ()
    says: ClassVar[Sentence]
    stages: ClassVar[tuple[Stage, ...]] = UNDER_WAY
    earlier: ClassVar[tuple[Stage, ...]] = ()
    bears_on_draws: ClassVar[bool] = False
    leads_to: ClassVar[Stage | None] = None
    moves_position: ClassVar[bool] = True
    needs_clock: ClassVar[bool] = False
    from_seat: ClassVar[bool] = False
    options: ClassVar[tuple[Asks, ...] | None] = None
    owes_reason: ClassVar[bool] = True

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        """What is wrong with this as the next ruling, whatever the stage."""
        return None

    def counts(self, so_far: Totals) -> None:
        """Count this ruling into what the entries add up to."""

    def objection_from(self, so_far: Totals, by: Seat) -> Objection | None:
        """Why the seat `by` cannot give this, although the moderator could; None if it can."""
        return None

    def sentence(self, by: Seat) -> Sentence:
        """What happened, where `by` gave it."""
        fields = {slot.name: getattr(self, slot.name) for slot in self.FIELDS}
        return self.says._replace(values=fields)


def called(kind: Any) -> str:
    """What a kind of ruling is called in logs."""
    return word(kind)
