"""The log: read, asked, and extended.

The format is described in docs/log-format.md. Reading judges no move; it makes sure that the
file is whole, in order, and as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

from pbem.core import Position, Seat
from pbem.files import cache, yamlio
from pbem.files.languages import ENGLISH
from pbem.log import rulings
from pbem.log.chained import ChainReader, lengthened
from pbem.log.entries import Entry, Header, Plain, Ply, moves_position
from pbem.log.reader import LogReader
from pbem.log.ruling import ENDED, NEVER, PLAY, Ruling
from pbem.log.rulings import RULINGS, Rename, Restore, Ruled, Substitute, Takeback
from pbem.log.stages import SoFar
from pbem.log.timing import Clock, Redate
from pbem.problem import BadFile, Problem, Usage
from pbem.sentence import Sentence, say

R = TypeVar("R", bound=Ruling)


class _Log(NamedTuple):
    path: str
    text: str
    header: Header
    entries: tuple[Entry, ...]


class Log(_Log):
    """A log and the text it was read from."""

    @property
    def languages(self) -> tuple[str, ...]:
        """In which languages the match is posted, one below the other."""
        return tuple((self.header.language or ENGLISH).split(","))

    @staticmethod
    def read(path: str) -> Log:
        """The log in a file. Raises Problem with the line and a way out."""
        return Log.parse(yamlio.read_text(path), path)

    @staticmethod
    def parse(text: str, path: str, *, remember: bool = True) -> Log:
        """The log a text holds. Raises Problem with the line and a way out.

        A text that was found whole before is not checked again. Without `remember` it is, and
        nothing is cached: for callers that read many logs and keep what they make of them.
        """
        check = partial(_checked, text, path)
        read = partial(_restored, text, path)
        return cache.cached("entries", text, check, read) if remember else read(check())

    def extend(self, entry: Plain) -> Log:
        """The log with one more entry, given as it is to be written, without `chain`.

        Nothing reaches the disk: the new log's text begins with the old one's, and the rest is
        what to append. Raises Problem if `read` would not take the entry, NotNow if it
        cannot follow what stands there.
        """
        joined, item = lengthened(self.text, self.path, self.chain, entry)
        so_far = self.so_far()
        try:
            reader = LogReader(joined, self.path)
            added = reader.entry(
                item, len(self.entries), so_far, self.chain, self.public_chain, new=True
            )
        except Problem as problem:
            # Without a line: the file does not hold this entry.
            raise problem.at(self.path) from problem
        longer = Log(self.path, joined, self.header, (*self.entries, added))
        if isinstance(added, Ply):  # the entries before it need no second look
            vars(longer).update(_so_far=so_far.after(added), ending=self.ending)
        return longer

    def first(self, count: int) -> Log:
        """The log as it stood after this many entries."""
        return self._replace(entries=self.entries[:count])

    def ended_with(self, chain: str) -> int | None:
        """How many entries there were when it ended with this chain; None if it never did."""
        if chain == self.header.chain:
            return 0
        return next((n for n, entry in enumerate(self.entries, 1) if entry.chain == chain), None)

    def when(self, chain: str) -> Log:
        """The log as it stood when it ended with this chain; without entries if it never did."""
        return self.first(self.ended_with(chain) or 0)

    def until(self, ply: int) -> Log:
        """The log as it stood after a ply (0: before the first). Raises Usage."""
        numbers = [0, *(entry.number for entry in self.entries if isinstance(entry, Ply))]
        counting = {entry.nth for entry in self.counting()}
        if ply not in numbers:
            raise Usage(
                "{match} has no ply {ply}, only 1 to {last}",
                match=self.header.match,
                ply=ply,
                last=numbers[-1],
            )
        count = next(
            (e.nth for e in self.plies if e.number > ply and e.nth in counting), len(self.entries)
        )
        return self.first(count)

    @property
    def plies(self) -> Iterator[Ply]:
        """All plies, struck ones included."""
        return (entry for entry in self.entries if isinstance(entry, Ply))

    def counting(self) -> Iterator[Entry]:
        """The entries that count, latest first: without takebacks that were restored, what
        restored them, and what was drawn in between."""
        restored = 0
        for entry in reversed(self.entries):
            if isinstance(entry, Ply):
                if not restored:
                    yield entry
            elif isinstance(entry.ruling, Restore):
                restored += 1
            elif restored and isinstance(entry.ruling, Takeback):
                restored -= 1
            else:
                yield entry

    @cached_property
    def ending(self) -> Ruled | None:
        """The ruling that ended the match, if one did."""
        for entry in self.counting():
            # A takeback takes back an ending before it, too.
            if isinstance(entry, Ruled) and entry.ruling.leads_to in (ENDED, PLAY):
                return entry if entry.ruling.leads_to == ENDED else None
        return None

    @property
    def live(self) -> tuple[Ply, ...]:
        """The plies that stand: those no takeback has struck."""
        standing = frozenset(self.so_far().live)
        return tuple(ply for ply in self.plies if ply.number in standing)

    @property
    def last(self) -> int:
        """The number of the last ply, whether it stands or not."""
        return self.so_far().last

    @property
    def position(self) -> Position:
        """The last ply's number and the position fingerprint.

        The fingerprint is taken from what everybody can read, so that matches that differ only in
        hidden cards have the same posts; an entry that only says something (a note) keeps it.
        """
        number, chain = 0, None
        for entry in self.counting():
            if chain is None and moves_position(entry):
                chain = entry.public_chain
            if isinstance(entry, Ply):
                number = entry.number
                break
        return Position(number, _fingerprint(chain or self.header.public_chain))

    @property
    def positions(self) -> list[Position]:
        """Every position the match has been at, rulings included, the latest first."""
        number, found = 0, [Position(0, _fingerprint(self.header.public_chain))]
        for entry in self.entries:
            if isinstance(entry, Ply):
                number = entry.number
            if moves_position(entry):
                found.append(Position(number, _fingerprint(entry.public_chain)))
        return found[::-1]

    def so_far(self) -> SoFar:
        """What the entries add up to; all callers share it, so nobody may add to it."""
        return self._so_far

    @cached_property
    def _so_far(self) -> SoFar:
        so_far = SoFar(self.header)
        for entry in self.entries:
            so_far.add(entry)
        return so_far

    def entropy(self, before_ply: int) -> list[str]:
        """The texts that go into the draw of a ply, in order."""
        if before_ply > self.last:
            return self.so_far().entropy
        nth = next((ply.nth for ply in self.plies if ply.number == before_ply), None)
        return (self if nth is None else self.first(nth)).so_far().entropy

    @property
    def names(self) -> dict[Seat, str]:
        return {**self.so_far().names}

    def as_called(self) -> Log:
        """The log with everybody under the name they are shown by, from the first entry on: for
        telling who sat where. Its chains no longer hold."""
        renamed = {(each.seat, each.epoch): each.name for each in self.rulings(Rename)}
        if not renamed:
            return self
        first = {seat: renamed.get((seat, 0), name) for seat, name in self.header.seats.items()}
        entries = list(self.entries)
        for entry in self.entries:
            if isinstance(entry, Ruled) and isinstance(comes := entry.ruling, Substitute):
                name = renamed.get((comes.seat, comes.epoch), comes.name)
                ruling = Substitute(comes.seat, name, comes.epoch)
                entries[entry.nth] = entry._replace(ruling=ruling)
        return self._replace(header=self.header._replace(seats=first), entries=tuple(entries))

    @property
    def epochs(self) -> dict[Seat, int]:
        """How often each seat has changed hands: what is sealed now is sealed at this epoch."""
        return {**self.so_far().epochs}

    def require_seat(self, seat: Seat, *others: Seat) -> Seat:
        """The seat, if the match has it or it is one of these others; else raises Usage."""
        seats = *self.header.seats, *others
        if seat not in seats:
            raise Usage(
                "{match} has no seat {seat!r}, only {seats:all}",
                match=self.header.match,
                seat=seat,
                seats=seats,
            )
        return seat

    def rulings(self, kind: type[R]) -> Iterator[R]:
        """The rulings of a kind, in order."""
        return (
            entry.ruling
            for entry in self.entries
            if isinstance(entry, Ruled) and isinstance(entry.ruling, kind)
        )

    @property
    def clock(self) -> Mapping[str, Any] | None:
        """The settings that the clock began with; None in a match without a clock."""
        return self.header.clock or next((each.settings for each in self.rulings(Clock)), None)

    def in_time(self) -> Log:
        """The log with the times that count: no entry before a `redate` is later than it."""
        if not any(self.rulings(Redate)):
            return self
        latest, found = NEVER, list[Entry]()
        for entry in reversed(self.entries):
            if isinstance(entry, Ruled) and isinstance(entry.ruling, Redate):
                latest = min(latest, entry.at)
            found.append(entry._replace(at=min(latest, entry.at)))
        header = self.header._replace(created=min(latest, self.header.created))
        return self._replace(header=header, entries=tuple(found[::-1]))

    def moment(self, said: str) -> str:
        """The time for the next entry: the one given, but never before the last entry."""
        return max(said, self.entries[-1].at if self.entries else self.header.created)

    @property
    def chain(self) -> str:
        """What the next entry is chained to."""
        return self.entries[-1].chain if self.entries else self.header.chain

    @property
    def public_chain(self) -> str:
        """The chain over what everybody can read, up to here."""
        return self.entries[-1].public_chain if self.entries else self.header.public_chain

    def problem(
        self, pattern: str, /, *where: str | int, kind: type[Problem] = BadFile, **values: Any
    ) -> Problem:
        """A problem placed at a value of this log."""
        return kind(pattern, self.path, *yamlio.place(self.text, where), **values)


def _checked(text: str, path: str) -> tuple[Plain, list[list[Any]]]:
    """The fields of the header and of each entry, if the log is whole. Raises Problem."""
    try:
        header, entries = LogReader(text, path).log()
        plain = header.plain()
        del plain["format"]
        return plain, [_to_cache(entry) for entry in entries]
    except Problem as problem:
        cut = ChainReader(text, path).cut_short(problem)
        if cut is problem:
            raise
        raise cut from problem


def _to_cache(entry: Entry) -> list[Any]:
    if isinstance(entry, Ply):
        return list(entry)
    return [entry.kind, rulings.plain(entry.ruling), *entry[1:]]


def _restored(text: str, path: str, found: tuple[Plain, list[list[Any]]]) -> Log:
    """The log, from what `_checked` made of its text."""
    header, entries = found
    return Log(path, text, Header(**header), tuple(map(_cached_entry, entries)))


def _cached_entry(fields: list[Any]) -> Entry:
    if isinstance(fields[0], str):
        kind, data, *rest = fields
        return Ruled(rulings.made(RULINGS[kind], data), *rest)
    number, seat, move, whole, events, *rest = fields
    return Ply(number, seat, move, whole, tuple(events), *rest)


def _fingerprint(public_chain: str) -> str:
    return public_chain.removeprefix("sha256:")[:4]


def dated_ahead(log: str, last: str, hour: str) -> Sentence:
    """What to say about a log whose last entry lies in the future."""
    return say(
        "the last entry lies in the future: it is of {last}, and it is only {hour} now; nothing is "
        "judged until then, unless `pbem rule {log:typed} redate` sets that right",
        log=log,
        last=last,
        hour=hour,
    )
