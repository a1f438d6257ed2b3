"""What a log consists of, a header and entries, and how they are written and chained."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import HIDDEN, Seat
from pbem.files import yamlio
from pbem.log import seal
from pbem.log.ruling import called
from pbem.log.rulings import Press, Ruled
from pbem.log.seal import canonical

FORMATS: Final = ("pbem-log/1", "pbem-log/2")
"""The second is for headers with any of the keys in `_IN_2`, the first for those with none."""
_KEYS: Final = tuple(
    "match game package version ruleset options board seats dealer "
    "entropy clock forced press position language event created commit".split()
)
"""The keys of a header after its format, in the order in which they are written."""
_IN_2: Final = frozenset("entropy clock forced package press position language event".split())
SCHEMA_LINE: Final = "# yaml-language-server: $schema=./log.schema.json\n"

HASHED: Final = "hmac"
ON_WORD: Final = "word"
"""What the source of a ply begins with: the second if the players were promised a proof of who
wrote a message, but the moderator's word stood in for it."""

Plain = dict[str, Any]

PRESS: Final = called(Press)


class Header(NamedTuple):
    """What stands above the entries. `options` holds only what was given, `board` the data of a
    board that is not the game's own, `entropy` how what goes into the draws is gathered, `clock`
    how time is counted. `forced`: `public` if what everybody sees to be forced is played by
    itself. `package` and `version` are those that brought the game, None for the house's own.
    `press`: what the players may say to each other, None for only what all may read. `language`:
    the languages it is posted in, like `de,en`; None for English. `event`: that of the club to
    which the match belongs. `position` is what the match
    began from, if not from a fresh table: its `view`, with what a seat holds sealed for that seat,
    and how many cards of it were `drawn`, by key and seat."""

    match: str
    game: str
    ruleset: str
    seats: Mapping[Seat, str]
    dealer: str
    created: str
    commit: str
    options: Mapping[str, Any] = MappingProxyType({})
    board: Mapping[str, Any] | None = None
    entropy: Mapping[str, str] | None = None
    clock: Mapping[str, Any] | None = None
    forced: str | None = None
    package: str | None = None
    version: str | None = None
    press: str | None = None
    position: Mapping[str, Any] | None = None
    language: str | None = None
    event: str | None = None

    def plain(self) -> Plain:
        """The header as it is written, without `log`."""
        values = {**self._asdict(), "options": self.options or None}
        written = {
            key: dict(value) if isinstance(value, Mapping) else value
            for key in _KEYS
            if (value := values[key]) is not None
        }
        return {"format": FORMATS[any(key in written for key in _IN_2)], **written}

    @property
    def chain(self) -> str:
        """What the first entry is chained to."""
        return hashed(canonical(self.plain()))

    @property
    def public_chain(self) -> str:
        """The same, over what everybody can read."""
        return hashed(canonical(_unsealed(self.plain()))) if self.position else self.chain

    def text(self) -> str:
        """The text of a log without entries."""
        return f"{SCHEMA_LINE}{yamlio.emit(self.plain())}log:\n"


class Ply(NamedTuple):
    """One accepted move. `events` are plain, with sealed values; `nth` counts entries from 0.

    `public_chain` is chained like `chain`, but over what everybody can read: nothing sealed
    enters it.
    """

    number: int
    seat: Seat
    move: str
    whole: str
    events: tuple[Plain, ...]
    at: str
    source: str
    chain: str
    public_chain: str
    nth: int

    @property
    def on_word(self) -> bool:
        """Did the moderator's word stand in for the proof that the players were promised?"""
        return self.source.startswith(f"{ON_WORD}:")


Entry = Ply | Ruled


def moves_position(entry: Entry) -> bool:
    """Does it change what a position fingerprint is taken from?"""
    return isinstance(entry, Ply) or entry.ruling.moves_position


# -------------------------------------------------------------------- chained and written


def hashed(text: str) -> str:
    """`sha256:` and the hash of a text."""
    return seal.sha256(text.encode())


def unchained(entry: Plain) -> str:
    """The canonical JSON of an entry without its chain: what the chain is taken over."""
    return canonical({key: entry[key] for key in entry if key != "chain"})


def public(entry: Plain) -> Plain:
    """What everybody can read of an entry: no seals, no hash of a message, no chain."""
    shown = {key: entry[key] for key in entry if key != "chain"}
    if "ply" in entry:
        shown |= {key: HIDDEN for key in ("whole", "source") if key in entry}
        if isinstance(entry.get("events"), list):
            shown["events"] = _unsealed(entry["events"])
    elif entry.get("ruling") == PRESS:
        shown["parts"] = HIDDEN
    return shown


def _unsealed(value: Any) -> Any:
    """A plain value with `?` in place of all that is sealed."""
    if isinstance(value, dict):
        return {key: _unsealed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_unsealed(each) for each in value]
    return HIDDEN if seal.is_sealed(value) else value


def entry_text(previous: str, entry: Plain) -> tuple[str, str]:
    """The text of an entry that follows the chain `previous`, and its own chain.

    Raises Problem for text with control characters.
    """
    chain = hashed(previous + unchained(entry))
    return yamlio.emit([{**entry, "chain": chain}]), chain
