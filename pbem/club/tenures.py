"""What the log of a match says about who played it: read from the log, and kept nowhere else.

A turn is what a seat plays between two plies of others, and a turn is missed once a notice says so
(C-20, C-21): whoever has the log can count both without knowing the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.club.event import Handle
from pbem.core import NOBODY, Seat
from pbem.log import deadlines
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.rulings import Default, End, Rename, Resign, Ruled, Substitute, Vacate
from pbem.log.seal import MODERATOR
from pbem.log.timing import Clock, Extend, Late


class Tenure(NamedTuple):
    """Somebody's time on a seat; `until` is "" while they sit there. It is not `kept` if they gave
    the seat up, or somebody else was seated, while the match went on."""

    seat: Seat
    handle: Handle
    since: str
    until: str
    kept: bool


class TurnTaken(NamedTuple):
    """A turn for which somebody had a deadline: when it was played or, if missed, its notice."""

    handle: Handle
    at: str
    missed: bool


class MatchRecord(NamedTuple):
    """All that a club needs to know of a match. `silent`: since when the silence of a seat has run
    its course and nothing is played for it; `left`: since when a seat is given up; `acted`: when
    somebody last did something there; `ended`: when it was over; `scores`: what each seat had then,
    as fractions, if there is a score."""

    match: str
    game: str
    over: bool
    winners: tuple[Handle, ...]
    tenures: tuple[Tenure, ...]
    turns: tuple[TurnTaken, ...]
    silent: Mapping[Seat, str]
    left: Mapping[Seat, str]
    acted: Mapping[Handle, str]
    ended: str = ""
    scores: Mapping[Seat, str] = {}

    @staticmethod
    def of(match: Replay) -> MatchRecord:
        """The record of a match, as everybody can read it. Raises Problem."""
        history, outcome = _History(match.log), match.outcome
        names, seeks = history.holders, match.log.so_far().timing.seeks
        times = deadlines.of(match) if outcome is None else None
        silent = {
            each.seat: each.lapse
            for each in (times.deadlines if times and not times.paused else ())
            if each.noticed and each.lapse and (each.asks or seeks) and not each.words
        }
        return MatchRecord(
            match.log.header.match,
            match.log.header.game,
            outcome is not None,
            tuple(names[seat] for seat in outcome.winners) if outcome else (),
            tuple(history.all_tenures(match.vacant)),
            tuple(history.all_turns()),
            silent,
            {seat: history.vacated[seat] for seat in sorted(match.vacant)},
            history.acted,
            _end(match) if outcome else "",
            {seat: str(Fraction(n)) for seat, n in outcome.scores.items()} if outcome else {},
        )

    @staticmethod
    def kept(plain: list[Any]) -> MatchRecord:
        """The record that the index has kept."""
        record = MatchRecord(*plain)
        return record._replace(
            winners=tuple(record.winners),
            tenures=tuple(Tenure(*each) for each in record.tenures),
            turns=tuple(TurnTaken(*each) for each in record.turns),
        )


def _end(match: Replay) -> str:
    """When a match was over: by a ruling or, if that did not end it, with its last ply."""
    ending = match.ending
    by_ruling = ending is not None and isinstance(ending.ruling, Resign | End)
    return ending.at if ending and by_ruling else match.log.live[-1].at


class _History:
    """A log gone through once."""

    def __init__(self, log: Log) -> None:
        log = log.in_time()
        self.holders = dict(log.header.seats)
        self.since = dict.fromkeys(self.holders, log.header.created)
        self.shown: dict[Seat, str] = {}
        self.vacated: dict[Seat, str] = {}
        self.late: dict[Seat, str] = {}
        self.acted: dict[Handle, str] = {}
        self.tenures: list[Tenure] = []
        self.turns: list[TurnTaken] = []
        self.turn: TurnTaken | None = None
        self.timed, self.mover, self.silent = log.header.clock is not None, "", ""
        standing = {ply.nth for ply in log.live}
        for entry in log.entries:
            if isinstance(entry, Ruled):
                self._ruled(entry)
            elif entry.nth in standing and entry.seat not in NOBODY:
                self._played(entry)

    def _played(self, ply: Ply) -> None:
        seat, handle = ply.seat, self.holders[ply.seat]
        if seat != self.mover:
            self._ended()
            self.mover = seat
            self.turn = TurnTaken(handle, ply.at, missed=False) if self.timed else None
        defaulted, self.silent = seat == self.silent, ""
        if self.timed and defaulted:
            self.late.setdefault(seat, ply.at)
        self._missing(seat)
        if not defaulted:
            self.acted[handle] = ply.at

    def _ended(self) -> None:
        self.turns += [self.turn] if self.turn else []
        self.mover, self.turn = "", None

    def _ruled(self, entry: Ruled) -> None:
        if entry.by != MODERATOR:
            self.acted[self.holders[entry.by]] = entry.at
        match entry.ruling:
            case Clock():
                self.timed = True
            case Late(seat=seat):
                self.late.setdefault(seat, entry.at)
            case Extend(seats=seats, days=days) if days > 0:  # C-22
                for seat in seats:
                    self.late.pop(seat, None)
            case Default(seat=seat):
                self.silent = seat
            case Vacate(seat=seat):
                self.vacated[seat] = entry.at
            case Rename(seat=seat, name=name):
                self.shown[seat] = name
            case Substitute(seat=seat, name=name) if name not in (
                self.holders[seat],
                self.shown.get(seat),  # a new key for a player who is called something else now
            ):
                self._missing(seat)
                if seat == self.mover:
                    self._ended()
                last = self.vacated.pop(seat, entry.at)
                held = self.holders[seat], self.since[seat]
                self.tenures.append(Tenure(seat, *held, last, kept=False))
                self.holders[seat], self.since[seat] = name, entry.at

    def _missing(self, seat: Seat) -> None:
        """A turn that had a notice: the one that is going on, or one without a ply."""
        if notice := self.late.pop(seat, ""):
            missed = TurnTaken(self.holders[seat], notice, missed=True)
            if seat == self.mover:
                self.turn = missed
            else:
                self.turns.append(missed)

    def all_tenures(self, vacant: frozenset[Seat]) -> Iterator[Tenure]:
        yield from self.tenures
        for seat, handle in self.holders.items():
            until = self.vacated[seat] if seat in vacant else ""
            yield Tenure(seat, handle, self.since[seat], until, kept=seat not in vacant)

    def all_turns(self) -> list[TurnTaken]:
        for seat in self.holders:
            self._missing(seat)
        self._ended()
        return sorted(self.turns, key=lambda each: each.at)
