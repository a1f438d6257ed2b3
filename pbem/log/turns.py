"""Whose turn it is, since when, and which days of it count: a log gone through entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.core import NOBODY, Decision, Seat
from pbem.log.entries import Ply
from pbem.log.entropy.contributions import PassOver, Promise, Value, Words
from pbem.log.format import Log
from pbem.log.ruling import ENDED, NEVER, PLAY
from pbem.log.rulings import Default, Restore, Ruled, Substitute, Takeback
from pbem.log.timing import Away, Back, Clock, Extend, Late, Pause, Resume, days_away
from pbem.play import judge

if TYPE_CHECKING:
    from datetime import date

    from pbem.log.clock import Settings
    from pbem.log.match import Match

Asked = tuple[tuple[Seat, Seat | None], ...] | None
"""The seats that are asked, each with the seat whose turn it interrupts, if it does. None: only
chance or the house is asked."""


def decisions(now: Match) -> Iterator[tuple[Decision, ...]]:
    """Who must choose before the first ply that stands, and after each of these."""
    state = now.first
    yield now.game.pending(state)
    for _, events in now.plies:
        state = judge.advance(now.game, state, events)
        yield now.game.pending(state)


def asked(now: Match) -> Iterator[Asked]:
    """Who is asked before the first ply that stands, and after each of these."""
    return map(who, decisions(now))


def since(now: Match, answers: Iterable[Asked] | None = None) -> str:
    """When the seat that has been asked the longest was asked; if none is, the last entry's time.

    This needs no clock. `answers` are those of `asked`, if the caller has them already.
    """
    history = TurnHistory(now.log, asked(now) if answers is None else answers)
    found = (turn.since for turn in history.turns.values() if turn.awaited)
    return min(found, default=history.at)


def who(pending: Iterable[Decision]) -> Asked:
    """The seats that these decisions wait for."""
    decisions = tuple(pending)
    seats = tuple(
        (each.seat, each.during) for each in decisions if each.awaited and each.seat not in NOBODY
    )
    return seats if seats or not decisions else None


class Turn:
    """The turn of a seat, from the entry that asks it until it is asked no longer."""

    def __init__(self, seat: Seat, at: str, ply: int, during: Seat | None, began: str = "") -> None:
        self.seat, self.ply, self.during = seat, ply, during
        self.since = began or at
        self.asked_at = [at]
        """When it was asked, and again: after an interruption, a pause, a new clock, a default."""
        self.stretches: list[tuple[str, str]] = [(self.since, "")]
        """From when until when it was asked; "" means still."""
        self.extra = 0
        self.noticed = ""
        self.acted = ""
        self.silent = False
        """Was its last move played for it?"""

    @property
    def awaited(self) -> bool:
        """Is it asked now, and not interrupted?"""
        return not self.stretches[-1][1]

    def last_asked(self, moment: str) -> str:
        """When it had last been asked, as of a moment."""
        return max((each for each in self.asked_at if each <= moment), default=self.asked_at[0])

    def suspend(self, at: str) -> None:
        """From now on no day counts."""
        if self.awaited:
            self.stretches[-1] = (self.stretches[-1][0], at)

    def go_on(self, at: str, *, again: bool) -> None:
        """Days count again; `again` if it is also asked anew."""
        if not self.awaited:
            self.stretches.append((at, ""))
            if again:
                self.asked_at.append(at)


class TurnHistory:
    """A log gone through once: whose turn it is at its end, and all that bears on it."""

    def __init__(self, log: Log, asked: Iterable[Asked]) -> None:
        log = log.in_time()
        self.turns: dict[Seat, Turn] = {}
        self.pauses: list[tuple[str, bool]] = []
        self.absences: dict[Seat, list[tuple[str, Away | Back]]] = {}
        self.settings: list[tuple[str, Settings]] = []
        self.spent: dict[Seat, int] = {}
        self.windows: dict[Seat, str] = {}
        """Since when the turn of a seat has been interrupted, by one seat or several in a row."""
        self.ended, self.taken = False, list[bool]()
        """Has a ruling ended the match, and had one before each takeback?"""
        self.at, self.ply, self.mover = log.header.created, 0, ""
        self.asked_at = log.header.created
        """When the last ply was entered, or a ruling last had all turns begin anew."""
        self.typed = log.header.dealer == "asked"
        if log.header.clock:
            self._set(log.header.clock)
        answers = iter(asked)
        self.asked: Asked = next(answers)
        self._settle(self.asked)
        standing = {ply.nth for ply in log.live}
        silent = ""
        for entry in log.entries:
            self.at = entry.at
            if not isinstance(entry, Ply):
                self._rule(entry)
                silent = entry.ruling.seat if isinstance(entry.ruling, Default) else ""
                continue
            if entry.nth in standing:
                self.ply = entry.number
                self._play(entry.seat, next(answers), defaulted=entry.seat == silent)
            silent = ""

    def _set(self, plain: Mapping[str, Any]) -> None:
        from pbem.log.clock import Settings

        self.settings.append((self.at, Settings.of(plain)))

    def _play(self, seat: Seat, asked: Asked, *, defaulted: bool) -> None:
        self.asked, self.asked_at = asked, self.at
        self.mover = self.mover if seat in NOBODY else seat
        if seat in self.turns:
            self.turns[seat].silent = defaulted
            self.turns[seat].acted = self.turns[seat].acted if defaulted else self.at
        self._settle(asked, again=seat not in NOBODY or self.typed)
        if defaulted and (turn := self.turns.get(seat)):
            turn.asked_at.append(self.at)
            if turn.noticed:  # what was played for it is as good as a notice
                turn.noticed = self.at

    def _settle(self, asked: Asked, *, again: bool = True) -> None:
        """Begin, interrupt, resume and end turns, now that these are asked."""
        if asked is None:  # while cards are dealt no turn ends, and no day counts
            for turn in self.turns.values():
                turn.suspend(self.at)
            return
        seats = dict(asked)
        if self.mover in seats.keys() & self.turns.keys() and any(
            seat not in self.turns and not during for seat, during in seats.items()
        ):  # others are asked anew, so its last ply has answered what it was asked
            self._end(self.mover)
        interrupted = {during for during in seats.values() if during} - seats.keys()
        for seat in [seat for seat in self.turns if seat not in seats]:
            if seat in interrupted:
                self.turns[seat].suspend(self.at)
            else:
                self._end(seat)
        self.windows = {seat: self.windows.get(seat, self.at) for seat in interrupted}
        for seat, during in seats.items():
            if seat in self.turns:
                self.turns[seat].go_on(self.at, again=again)
            else:
                began = self.windows.get(during or "", "")
                self.turns[seat] = Turn(seat, self.at, self.ply, during, began)

    def _end(self, seat: Seat) -> None:
        turn = self.turns.pop(seat)
        if turn.acted and self.settings and self.settings[-1][1].bank:
            spent = self._spent(turn)
            if spent:
                self.spent[seat] = self.spent.get(seat, 0) + spent

    def _afresh(self) -> None:
        """Begin the turns of all who are asked anew."""
        self.asked_at = self.at
        for seat in list(self.turns):
            self._end(seat)
        self.windows = {}
        self._settle(self.asked)

    def _rule(self, entry: Ruled) -> None:
        ruling = entry.ruling
        match ruling:
            case Promise() | Words() | PassOver() | Value():
                self._afresh()  # only now is anybody asked
            case Substitute(seat=seat):
                self.spent.pop(seat, None)
                self.absences.pop(seat, None)
                turn = self.turns.pop(seat, None)
                if turn and turn.awaited:
                    self.turns[seat] = Turn(seat, self.at, self.ply, turn.during)
            case Away(seat=seat) | Back(seat=seat):
                self.absences.setdefault(seat, []).append((self.at, ruling))
            case Pause() | Resume():
                self.pauses.append((self.at, isinstance(ruling, Pause)))
                self._put_again()
            case Clock(settings=settings):
                if not self.settings:  # no day has been counted yet
                    self._afresh()
                self._set(settings)
                self._put_again()
            case Late(seat=seat) if seat in self.turns:
                self.turns[seat].noticed = self.at
            case Extend(seats=seats, days=days):
                for seat in seats:
                    if seat in self.turns:
                        self.turns[seat].extra += days
        leads_to = ruling.leads_to
        if isinstance(ruling, Takeback):
            self.taken.append(self.ended)
        elif isinstance(ruling, Restore):
            leads_to = ENDED if self.taken.pop() else PLAY
        if leads_to == ENDED:
            for seat in list(self.turns):
                self._end(seat)
        elif leads_to == PLAY:
            self._afresh()
        self.ended = leads_to == ENDED or (self.ended and leads_to != PLAY)

    def _put_again(self) -> None:
        for turn in self.turns.values():
            turn.asked_at.append(self.at)

    @property
    def paused(self) -> bool:
        """Does the clock stand still at the end of the log?"""
        return bool(self.pauses) and self.pauses[-1][1]

    # ------------------------------------------------------------------------- ticks

    def _ticks(self, after: str) -> Iterator[tuple[str, date, Settings]]:
        """The ticks on dates after that of a moment, each with its date and the settings then."""
        from datetime import timedelta

        from pbem.log.clock import day_of, tick

        a_day, last, passed = timedelta(days=1), "", None
        ends = [begins for begins, _ in self.settings[1:]]
        for (begins, now), end in zip(self.settings, (*ends, ""), strict=True):
            if end and end <= after:
                continue
            day = day_of(after, now.zone) + a_day
            if begins > after:
                day = max(day, day_of(begins, now.zone))
            if passed is not None:
                day = max(day, passed + a_day)
            while (moment := tick(day, now.at, now.zone)) < (end or NEVER):
                if moment >= begins and moment > last and now.is_open(day):
                    there = day_of(moment, now.zone)
                    if there == day or tick(there, now.at, now.zone) != moment:
                        last, passed = moment, day
                        yield moment, day, now
                    # Else this date never was in the zone: whether the next is open decides.
                day += a_day

    def fires(self) -> str:
        """The first tick after `asked_at`, where what waits is played at ticks only; "" where it
        is played at once, or the clock stands still."""
        from datetime import timedelta

        from pbem.log.clock import AT_TICK, day_of, tick

        now = self.settings[-1][1]
        if now.plans != AT_TICK or self.paused:
            return ""
        day = day_of(self.asked_at, now.zone)
        while not now.is_open(day) or (moment := tick(day, now.at, now.zone)) <= self.asked_at:
            day += timedelta(days=1)
        return moment

    def _counted(self, turn: Turn) -> Iterator[tuple[str, date, Settings]]:
        """The ticks that count for a turn."""
        end = turn.stretches[-1][1] or NEVER
        if self.paused:
            end = min(end, self.pauses[-1][0])
        absences = self.absences.get(turn.seat, ())
        for moment, day, settings in self._ticks(turn.since):
            if moment >= end:
                return
            if not any(begin <= moment < (stop or NEVER) for begin, stop in turn.stretches):
                continue
            if self.pauses and _paused(self.pauses, moment):
                continue
            known = days_away(each for logged, each in absences if logged <= moment)
            if day.toordinal() not in known:
                yield moment, day, settings

    def run(self, turn: Turn, spare: int) -> tuple[list[tuple[str, date]], int]:
        """The ticks that count, as far as they matter, and the index of the deadline among them;
        -1 if there is none."""
        from pbem.log.clock import day_of

        hits: list[tuple[str, date]] = []
        due = -1
        for moment, day, settings in self._counted(turn):
            hits.append((moment, day))
            if due < 0:
                days = settings.interrupt if turn.during else settings.turn
                # Nobody's time is over on the date on which they were asked.
                asked_on = day_of(turn.last_asked(moment), settings.zone)
                if len(hits) >= days + turn.extra and day > asked_on:
                    due = len(hits) - 1
            if due >= 0 and len(hits) > due + spare:
                break
        return hits, due

    def left(self, seat: Seat) -> int:
        """How many days a seat has left to spare."""
        return max(0, self.settings[-1][1].bank - self.spent.get(seat, 0))

    def _spent(self, turn: Turn) -> int:
        """How many of its spare days a turn took."""
        from pbem.log.clock import day_of

        zone = self.settings[-1][1].zone
        lasted = day_of(turn.acted, zone) - day_of(turn.since, zone)
        days = min(now.interrupt if turn.during else now.turn for _, now in self.settings)
        if lasted.days + 1 < days:
            return 0  # most turns are quick, and their ticks need no look
        hits, due = self.run(turn, self.left(turn.seat) - 1)
        if due < 0:
            return 0
        return sum(moment < turn.acted for moment, _ in hits[due:][: self.left(turn.seat)])

    def lapse(self, turn: Turn) -> str:
        """When the days of grace are over; "" for never."""
        from pbem.log.clock import day_of

        count = 0
        for moment, day, settings in self._counted(turn):
            if moment > turn.noticed and day > day_of(turn.noticed, settings.zone):
                count += 1
                asked_on = day_of(turn.last_asked(moment), settings.zone)
                if count >= settings.grace and day > asked_on:
                    return moment
        return ""


def _paused(pauses: list[tuple[str, bool]], moment: str) -> bool:
    """Did the clock stand still at a moment?"""
    return next((pause for logged, pause in reversed(pauses) if logged <= moment), False)
