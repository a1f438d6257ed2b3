"""What a log consists of, a header and entries, and how they are written and chained."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, MOVER, NAME, NUMBER, SEAT, Domain, Seat, one_of
from pbem.files import yamlio
from pbem.log import seal
from pbem.log.ruling import HASH, LINE, TIME, called, matching
from pbem.log.rulings import Press, Ruled
from pbem.log.seal import MODERATOR, canonical
from pbem.log.timing import CLOCK

FORMATS: Final = ("pbem-log/1", "pbem-log/2")
"""The second is for headers with any of the keys in `IN_2`, the first for those with none."""


def _is_seats(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(SEAT.accepts(s) and s not in (CHANCE, MODERATOR, MOVER) for s in value)
        and all(map(LINE.accepts, value.values()))
    )


def _is_entropy(value: Any) -> bool:
    match value:
        case {"from": "seats", "promises": promises, "words": words, **rest}:
            return not rest and TIME.accepts(promises) and TIME.accepts(words)
        case {"from": "public", "value": named, **rest}:
            return not rest and LINE.accepts(named)
    return False


def _is_position(value: Any) -> bool:
    match value:
        case {"view": dict() as view, **rest} if view:
            drawn = rest.pop("drawn", {})
            return not rest and all(
                isinstance(by_seat, dict) and all(map(NUMBER.accepts, by_seat.values()))
                for by_seat in (drawn.values() if isinstance(drawn, dict) else [None])
            )
    return False


HEADER: Final[Mapping[str, Domain]] = {
    "match": matching("a name without blanks", r"\w[\w.-]{0,39}"),
    "game": NAME,
    "package": matching("a package, like pbem-chess", r"[A-Za-z0-9]([\w.-]{0,98}[A-Za-z0-9])?"),
    "version": matching("a version, like 1.10", r"[A-Za-z0-9][A-Za-z0-9.!+-]{0,40}"),
    "ruleset": NAME,
    "options": Domain("options and their values", lambda v: isinstance(v, dict)),
    "board": Domain("the data of a board", lambda v: isinstance(v, dict)),
    "seats": Domain("seats and who sits there, like {white: Ana, black: Ben}", _is_seats),
    "dealer": one_of("sealed, asked or scripted", ["sealed", "asked", "scripted"]),
    "entropy": Domain(
        "{from: seats, promises: TIME, words: TIME} or {from: public, value: LINE}", _is_entropy
    ),
    "clock": CLOCK,
    "forced": one_of("public", ["public"]),
    "press": one_of("none, private or grey", ["none", "private", "grey"]),
    "position": Domain("a position, like {view: …, drawn: …}", _is_position),
    "language": matching("languages, like de or de,en", r"[a-z]{2,3}(,[a-z]{2,3}){0,9}"),
    "event": LINE,
    "created": TIME,
    "commit": HASH,
}
"""What a header holds after its format, in the order in which it is written."""
IN_2: Final = tuple("entropy clock forced press language event position package version".split())
"""What of it only format 2 has; at least one of them must be there."""
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
            for key in HEADER
            if (value := values[key]) is not None
        }
        return {"format": FORMATS[any(key in written for key in IN_2)], **written}

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
