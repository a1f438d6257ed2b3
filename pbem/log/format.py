"""The log file: its entries, the text they are written as, and the checks on the way in.

The format is described in docs/log-format.md. Reading judges no move; it makes sure that the
file is whole, in order, and as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from pbem.core import (
    CHANCE,
    HIDDEN,
    MOVER,
    NAME,
    NUMBER,
    SEAT,
    BadFile,
    Domain,
    NotNow,
    Position,
    Problem,
    Seat,
    Usage,
    one_of,
)
from pbem.files import cache, yamlio
from pbem.log import rulings, seal
from pbem.log.ruling import HASH, LINE, TEXT, TIME, Objection, Ruling, list_of, matching
from pbem.log.rulings import RULINGS, Ruled, Substitute, Takeback
from pbem.log.seal import MODERATOR, canonical
from pbem.log.stages import SoFar
from pbem.log.timing import CLOCK
from pbem.sentence import Counted

FORMATS: Final = ("pbem-log/1", "pbem-log/2")
"""2 says in its header how what goes into the draws is gathered, how time is counted, or that what
everybody sees to be forced is played by itself; 1 says none of these."""
SCHEMA_LINE: Final = "# yaml-language-server: $schema=./log.schema.json\n"

Plain = dict[str, Any]
R = TypeVar("R", bound=Ruling)


class Header(NamedTuple):
    """What stands above the entries. `options` holds only what was given, `board` the data of a
    board that is not the game's own, `entropy` how what goes into the draws is gathered, `clock`
    how time is counted. `forced`: `public` if what everybody sees to be forced is played by
    itself."""

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

    def plain(self) -> Plain:
        """As it is written, without `log`."""
        options = {"options": dict(self.options)} if self.options else {}
        board = {"board": dict(self.board)} if self.board is not None else {}
        return {
            "format": FORMATS[bool(self.entropy or self.clock or self.forced)],
            "match": self.match,
            "game": self.game,
            "ruleset": self.ruleset,
            **options,
            **board,
            "seats": dict(self.seats),
            "dealer": self.dealer,
            **({"entropy": dict(self.entropy)} if self.entropy else {}),
            **({"clock": dict(self.clock)} if self.clock else {}),
            **({"forced": self.forced} if self.forced else {}),
            "created": self.created,
            "commit": self.commit,
        }

    @property
    def chain(self) -> str:
        """What the first entry is chained to."""
        return _hash(canonical(self.plain()))

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


Entry = Ply | Ruled


class Log(NamedTuple):
    """A log and the text it was read from."""

    path: str
    text: str
    header: Header
    entries: tuple[Entry, ...]

    @staticmethod
    def read(path: str) -> Log:
        """The log in a file. Raises Problem with the line and a way out."""
        return Log.parse(yamlio.read_text(path), path)

    @staticmethod
    def parse(text: str, path: str, *, remember: bool = True) -> Log:
        """The log a text holds. Raises Problem with the line and a way out.

        A text that was found whole before is not gone through again. Without `remember` it is,
        and nothing is kept: for whoever looks at many logs and keeps what comes of them.
        """
        check = partial(_checked, text, path)
        read = partial(_restored, text, path)
        return cache.cached("entries", text, check, read) if remember else read(check())

    def extend(self, entry: Plain) -> Log:
        """The log with one more entry, given as it is to be written, without `chain`.

        Nothing reaches the disk: the new log's text begins with the old one's, so what is to be
        appended is the rest. Raises Problem if `read` would not take the entry, NotNow if it
        cannot follow what stands there.
        """
        text, _ = entry_text(self.chain, entry)
        joined = self.text + ("" if self.text.endswith("\n") else "\n") + text
        so_far = self.so_far()
        try:
            [item] = yamlio.parse(text, self.path)
            reader = _Reader(joined, self.path)
            added = reader.entry(
                item, len(self.entries), so_far, self.chain, self.public_chain, new=True
            )
        except Problem as problem:
            # Without a line: there is none in the file as it stands.
            raise problem.at(self.path) from problem
        return Log(self.path, joined, self.header, (*self.entries, added))

    def until(self, ply: int) -> Log:
        """The log as it stood after a ply (0: before the first). Raises Usage."""
        numbers = [0, *(entry.number for entry in self.entries if isinstance(entry, Ply))]
        if ply not in numbers:
            raise Usage(
                "{match} has no ply {ply}, only 1 to {last}",
                match=self.header.match,
                ply=ply,
                last=numbers[-1],
            )
        count = next(
            (e.nth for e in self.entries if isinstance(e, Ply) and e.number > ply),
            len(self.entries),
        )
        return self._replace(entries=self.entries[:count])

    @property
    def live(self) -> tuple[Ply, ...]:
        """The plies that stand: those no takeback has struck."""
        struck = {n for takeback in self.rulings(Takeback) for n in takeback.strikes}
        return tuple(e for e in self.entries if isinstance(e, Ply) and e.number not in struck)

    @property
    def position(self) -> Position:
        """The last ply's number and the position fingerprint.

        The fingerprint is taken from what everybody can read, so that posts about matches that
        differ in hidden cards only are the same; what only tells (a note) leaves it as it is.
        """
        number, chain = 0, None
        for entry in reversed(self.entries):
            if chain is None and _moves_position(entry):
                chain = entry.public_chain
            if isinstance(entry, Ply):
                number = entry.number
                break
        return Position(number, _fingerprint(chain or self.header.chain))

    @property
    def positions(self) -> list[Position]:
        """Every position the match has been at, rulings included, the latest first."""
        number, found = 0, [Position(0, _fingerprint(self.header.chain))]
        for entry in self.entries:
            if isinstance(entry, Ply):
                number = entry.number
            if _moves_position(entry):
                found.append(Position(number, _fingerprint(entry.public_chain)))
        return found[::-1]

    def so_far(self, before_ply: int | None = None) -> SoFar:
        """What the entries add up to: all of them, or those before a ply."""
        so_far = SoFar(self.header)
        for entry in self.entries:
            if isinstance(entry, Ply) and entry.number == before_ply:
                break
            add(so_far, entry)
        return so_far

    def entropy(self, before_ply: int) -> list[str]:
        """The texts that go into the draw of a ply, in order."""
        return self.so_far(before_ply).entropy

    @property
    def names(self) -> dict[Seat, str]:
        """Who sits where now."""
        found = dict(self.header.seats)
        for substitute in self.rulings(Substitute):
            found[substitute.seat] = substitute.name
        return found

    @property
    def epochs(self) -> dict[Seat, int]:
        """How often each seat has changed hands: what is sealed now is sealed at this epoch."""
        found = dict.fromkeys(self.header.seats, 0)
        for substitute in self.rulings(Substitute):
            found[substitute.seat] = substitute.epoch
        return found

    def rulings(self, kind: type[R]) -> Iterator[R]:
        """The rulings of a kind, in order."""
        return (
            entry.ruling
            for entry in self.entries
            if isinstance(entry, Ruled) and isinstance(entry.ruling, kind)
        )

    def moment(self, said: str) -> str:
        """When the next entry is entered: the time said, but never before the last entry."""
        return max(said, self.entries[-1].at if self.entries else self.header.created)

    @property
    def chain(self) -> str:
        """What the next entry is chained to."""
        return self.entries[-1].chain if self.entries else self.header.chain

    @property
    def public_chain(self) -> str:
        """What everybody can read, chained, up to here."""
        return self.entries[-1].public_chain if self.entries else self.header.chain

    def problem(
        self,
        pattern: str | Counted,
        /,
        *where: str | int,
        kind: type[Problem] = BadFile,
        **values: Any,
    ) -> Problem:
        """A problem placed at a value of this log."""
        return kind(pattern, self.path, *yamlio.place(self.text, where), **values)


# ------------------------------------------------------------------- what may stand where


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


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1


_SEALED = Domain("a sealed text", lambda v: TEXT.accepts(v) and seal.is_sealed(v))
_SEATS = Domain("seats and who sits there, like {white: Ana, black: Ben}", _is_seats)
_OPTIONS = Domain("options and their values", lambda v: isinstance(v, dict))
_BOARD = Domain("the data of a board", lambda v: isinstance(v, dict))

_HEADER = {
    "format": TEXT,
    "match": matching("a name without blanks", r"\w[\w.-]{0,39}"),
    "game": NAME,
    "ruleset": NAME,
    "options": _OPTIONS,
    "board": _BOARD,
    "seats": _SEATS,
    "dealer": one_of("sealed, asked or scripted", ["sealed", "asked", "scripted"]),
    "created": TIME,
    "commit": HASH,
    "log": Domain("a list of entries", lambda v: v is None or isinstance(v, list)),
}
_ENTROPY = Domain(
    "{from: seats, promises: TIME, words: TIME} or {from: public, value: LINE}", _is_entropy
)
_IN_2 = {"entropy": _ENTROPY, "clock": CLOCK, "forced": one_of("public", ["public"])}
"""What may stand in the header of format 2 besides; one of them must."""
_PLY = {
    "ply": NUMBER,
    "seat": SEAT,
    "move": LINE,
    "whole": _SEALED,
    "events": list_of("a list of events", _is_event),
    "at": TIME,
    "source": LINE,
    "chain": HASH,
}
_RULING = {"ruling": TEXT, "by": SEAT, "reason": TEXT, "at": TIME, "chain": HASH}
_OPTIONAL = {"options", "board", "whole", "source", "reason", *_IN_2}


# --------------------------------------------------------------------------------- reading


def _checked(text: str, path: str) -> tuple[Plain, list[list[Any]]]:
    """The header's and the entries' fields of a log that is whole. Raises Problem."""
    try:
        log = _Reader(text, path).log()
        header = log.header.plain()
        del header["format"]
        return header, [_to_cache(entry) for entry in log.entries]
    except Problem as problem:
        start = _cut_entry(text)
        if start and problem.line >= start:
            raise BadFile(
                "the last entry is not complete: the file was cut short here, or the entry was "
                "written by hand; remove it or restore a copy ({message})",
                path,
                start,
                message=problem.sentence,
            ) from problem
        raise


def _to_cache(entry: Entry) -> list[Any]:
    if isinstance(entry, Ply):
        return list(entry)
    return [entry.kind, rulings.plain(entry.ruling), *entry[1:]]


def _restored(text: str, path: str, found: tuple[Plain, list[list[Any]]]) -> Log:
    """The log, from what `_checked` makes of its text."""
    header, entries = found
    return Log(path, text, Header(**header), tuple(map(_cached_entry, entries)))


def _cached_entry(fields: list[Any]) -> Entry:
    if isinstance(fields[0], str):
        kind, data, *rest = fields
        return Ruled(rulings.made(RULINGS[kind], data), *rest)
    number, seat, move, whole, events, *rest = fields
    return Ply(number, seat, move, whole, tuple(events), *rest)


def _moves_position(entry: Entry) -> bool:
    return isinstance(entry, Ply) or entry.ruling.moves_position


def _fingerprint(public_chain: str) -> str:
    return public_chain.removeprefix("sha256:")[:4]


def _cut_entry(text: str) -> int:
    """The line where a last entry without its chain starts, or 0."""
    start = text.rfind("\n- ")
    if start < text.find("\nlog:") or re.search(r"\bchain: \"?sha256:[0-9a-f]{64}\b", text[start:]):
        return 0
    return text.count("\n", 0, start) + 2


def add(so_far: SoFar, entry: Entry) -> None:
    """Count one more entry in."""
    if isinstance(entry, Ply):
        so_far.add_ply(entry.number, entry.at)
    else:
        so_far.add(entry.ruling, entry.at)


def untimely_now(so_far: SoFar, entry: Entry) -> Objection | None:
    """Why an entry cannot stand here now, if it cannot."""
    if isinstance(entry, Ply):
        return so_far.untimely(entry.seat, entry.at)
    return so_far.untimely(entry.ruling, entry.at, entry.by)


class _Reader(NamedTuple):
    text: str
    path: str

    def refuse(self, pattern: str, /, *where: str | int, **values: Any) -> NoReturn:
        raise BadFile(pattern, self.path, *yamlio.place(self.text, where), **values)

    def log(self) -> Log:
        data = yamlio.parse(self.text, self.path)
        header = self.header(data)
        so_far, entries = SoFar(header), list[Entry]()
        chain = mark = header.chain
        for index, item in enumerate(data["log"] or ()):
            entry = self.entry(item, index, so_far, chain, mark)
            add(so_far, entry)
            entries.append(entry)
            chain, mark = entry.chain, entry.public_chain
        start = self.text.find("\nlog:")
        if data["log"] == [] or self.text.count("\n- ", start) != len(entries):
            self.refuse(
                "entries must stand at the left margin, each after '- '; write 'log:' and "
                "nothing behind it where there are none",
                "log",
            )
        return Log(self.path, self.text, header, tuple(entries))

    def header(self, data: Any) -> Header:
        if not isinstance(data, dict) or not isinstance(data.get("format"), str):
            self.refuse("not a match log; expected 'format: {format}'", format=FORMATS[0])
        if data["format"] not in FORMATS:
            newer = re.fullmatch(r"pbem-log/\d+", data["format"])
            self.refuse(
                "{said!r}: written by a newer pbem; update yours (this one reads {known:all})"
                if newer
                else "{said!r}: not a match log (this pbem reads {known:all})",
                "format",
                said=data["format"],
                known=FORMATS,
            )
        self.fields(data, _HEADER if data["format"] == FORMATS[0] else {**_HEADER, **_IN_2})
        if data["format"] != FORMATS[0] and not any(key in data for key in _IN_2):
            self.refuse("missing: {keys:any}", keys=tuple(_IN_2))
        if "clock" in data:
            self.clock(data["clock"])
        if next(reversed(data)) != "log":
            self.refuse("'log' must be the last key: entries are added at the end", "log")
        return Header(**{key: data[key] for key in data if key not in ("format", "log")})

    def clock(self, settings: Plain) -> None:
        from pbem.log import clock  # a match without one does without it

        if wrong := clock.objection(settings):
            self.refuse("{wrong}", "clock", *filter(None, wrong[1:]), wrong=wrong[0])

    def entry(
        self, item: Any, index: int, so_far: SoFar, chain: str, mark: str, *, new: bool = False
    ) -> Entry:
        where = ("log", index)
        if not isinstance(item, dict) or ("ply" in item) == ("ruling" in item):
            self.refuse("not an entry; expected one that starts with 'ply:' or 'ruling:'", *where)
        text = _unchained(item)
        mark = _hash(mark + canonical(_public(item)))
        entry = self.ply(item, index, mark) if "ply" in item else self.ruling(item, index, mark)
        if new and (untimely := untimely_now(so_far, entry)):
            raise NotNow("{untimely}", untimely=untimely[0])
        objection = (
            so_far.objection_to_ply(entry.number, entry.seat)
            if isinstance(entry, Ply)
            else so_far.objection(entry.ruling, entry.by, entry.at)
        )
        if objection:
            self.refuse("{objection}", *where, objection[1], objection=objection[0])
        if entry.chain != _hash(chain + text):
            called = f"ply {entry.number}" if isinstance(entry, Ply) else f"this {entry.kind}"
            edited = "the header or this entry" if index == 0 else "this entry"
            self.refuse(
                "the chain breaks at {called}: {edited} was edited after it was written, or "
                "one before it is missing; restore it from a copy (a change of mind is a new "
                "ruling, not an edit)",
                *where,
                called=called,
                edited=edited,
            )
        return entry

    def ply(self, item: Plain, index: int, mark: str) -> Ply:
        self.fields(item, _PLY, "log", index)
        return Ply(
            item["ply"],
            item["seat"],
            item["move"],
            item.get("whole", ""),
            tuple(item["events"]),
            item["at"],
            item.get("source", ""),
            item["chain"],
            mark,
            index,
        )

    def ruling(self, item: Plain, index: int, mark: str) -> Ruled:
        kind = item["ruling"]
        if not isinstance(kind, str) or kind not in RULINGS:
            self.refuse(
                "{kind!r} is not a ruling; known are {known}",
                "log",
                index,
                "ruling",
                kind=kind,
                known=", ".join(RULINGS),
            )
        self.fields(item, {**_RULING, **rulings.fields(RULINGS[kind])}, "log", index)
        return Ruled(
            rulings.made(RULINGS[kind], item),
            item["by"],
            item.get("reason", ""),
            item["at"],
            item["chain"],
            mark,
            index,
        )

    def fields(self, data: Plain, domains: Mapping[str, Domain], *where: str | int) -> None:
        """Refuses unknown and missing keys and values that do not fit."""
        for key, value in data.items():
            if key not in domains:
                known = ", ".join(domains)
                self.refuse(
                    "unknown key {key!r}; known here are {known}", *where, key, key=key, known=known
                )
            if not domains[key].accepts(value):
                shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:57]}…"
                self.refuse(
                    "{key} is {shown}; expected {says}",
                    *where,
                    key,
                    key=key,
                    shown=shown,
                    says=domains[key].says,
                )
        missing = [key for key in domains if key not in data and key not in _OPTIONAL]
        if missing:
            self.refuse("missing: {missing:all}", *where, missing=missing)


def _hash(text: str) -> str:
    return seal.sha256(text.encode())


def _unchained(entry: Plain) -> str:
    return canonical({key: entry[key] for key in entry if key != "chain"})


def _public(entry: Plain) -> Plain:
    """What everybody can read of an entry: no seals, no hash of a message, no chain."""
    shown = {key: entry[key] for key in entry if key != "chain"}
    if "ply" in entry:
        shown |= {key: HIDDEN for key in ("whole", "source") if key in entry}
        if isinstance(entry.get("events"), list):
            shown["events"] = [_public_event(event) for event in entry["events"]]
    return shown


def _public_event(event: Any) -> Any:
    """An event with `?` for each field that is sealed; what is no event stays what it is."""
    if not isinstance(event, dict):
        return event
    return {
        word: {key: HIDDEN if seal.is_sealed(value) else value for key, value in fields.items()}
        if isinstance(fields, dict)
        else fields
        for word, fields in event.items()
    }


# --------------------------------------------------------------------------------- writing


def entry_text(previous: str, entry: Plain) -> tuple[str, str]:
    """The text of an entry that follows the chain `previous`, and its own chain.

    Raises Problem for text with control characters.
    """
    chain = _hash(previous + _unchained(entry))
    return yamlio.emit([{**entry, "chain": chain}]), chain
