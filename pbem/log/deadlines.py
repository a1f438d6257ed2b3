"""How long each seat has: what follows from the log of a match, and from nothing else.

None of it is stored. A tick is judged by the log as it stood at that tick, so no entry changes
what has passed; only days that the moderator gives reach back. docs/time.md has every case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from pbem.core import Seat
from pbem.log.clock import Settings, day_of, spoken, tick, written, zone
from pbem.log.entropy.contributions import Promise
from pbem.log.entropy.gathering import STAGES, WORDS
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.ruling import NEVER, is_time
from pbem.log.rulings import Ruled
from pbem.log.silence import has_no_default
from pbem.log.timetable import Absence, Deadline, Timetable
from pbem.log.timing import days_away
from pbem.log.turns import Asked, Turn, TurnHistory, asked
from pbem.problem import Usage
from pbem.sentence import Sentence, say


def of(now: Match, answers: Iterable[Asked] | None = None) -> Timetable | None:
    """The timetable of a match; None where it has no clock. `answers` are those of `asked`, if
    the caller has them already."""
    if not now.log.clock:
        return None
    times = timetable(now.log, asked(now) if answers is None else answers)
    if not any(each.noticed for each in times.deadlines):
        return times
    return replace(
        times,
        deadlines=tuple(
            replace(each, asks=bool(each.noticed) and has_no_default(now, each.seat, times.silence))
            for each in times.deadlines
        ),
    )


def timetable(log: Log, asked: Iterable[Asked]) -> Timetable:
    """What a log with a clock says about time, except for what silence brings.

    `asked` tells who is asked before the first ply that stands and after each of them.
    """
    assert log.clock is not None
    settings, log = Settings.of(log.clock), log.in_time()
    times = [log.header.created, *(entry.at for entry in log.entries)]
    if not all(map(is_time, times)):
        trouble = say("this log has times that no calendar knows")
        return Timetable(times[-1], settings.zone, trouble=trouble)
    for before, after in pairwise(times):
        if after < before:
            trouble = say(
                "{after} stands after {before} in this log: time runs back",
                after=after,
                before=before,
            )
            return Timetable(times[-1], settings.zone, trouble=trouble)
    if log.header.entropy and log.so_far().gathered.stage:
        return _gathering(log, times[-1])  # nobody can move before the cards are dealt
    try:
        history = TurnHistory(log, asked)
        for _, each in history.settings:
            zone(each.zone)
        return _found(history, log.so_far().vacant)
    except Usage as problem:
        return Timetable(times[-1], settings.zone, trouble=problem.sentence)
    except OverflowError:
        trouble = say("time is at its end: the calendar has no later days")
        return Timetable(times[-1], settings.zone, trouble=trouble)


def too_early(log: Log, asked: Iterable[Asked], seat: Seat, at: str) -> Sentence | None:
    """Why it is too early to play for a silent seat at a moment; None if it is not.

    It never is for a vacant seat, or in a turn whose last move was played for the seat.
    """
    if not log.clock:
        return None
    answers = tuple(asked)
    times = timetable(log, answers)
    theirs = next((each for each in times.deadlines if each.seat == seat and not each.words), None)
    if theirs is None or TurnHistory(log, answers).turns[seat].silent:
        return None
    match times.state(theirs, at):
        case "lapsed":
            return None
        case "paused":
            return say("the clock is paused, and nobody's time is over")
        case "late":
            return say("the days of grace of {seat:seat} are not over", seat=seat)
        case "owed":
            return say("{seat:seat} has had no notice of being late", seat=seat)
    if not theirs.late_from:
        return say("no day counts for {seat:seat} now", seat=seat)
    until = spoken(theirs.late_from, times.zone)
    return say("{seat:seat} has time until {until}", seat=seat, until=until)


def _found(history: TurnHistory, vacant: Set[Seat]) -> Timetable:
    """The timetable of the seats asked at the end of a log; vacant ones have no deadline."""
    now = history.settings[-1][1]
    return Timetable(
        history.at,
        now.zone,
        now.silence,
        history.paused,
        tuple(
            _deadline(history, turn)
            for turn in history.turns.values()
            if turn.awaited and turn.seat not in vacant
        ),
        tuple(a for seat in history.absences for a in _absences(history, seat, now.zone)),
        fires=history.fires(),
    )


def _gathering(log: Log, at: str) -> Timetable:
    """When words for the draws are due, and from whom: the header names the time."""
    so_far = log.so_far()
    gathered, now = so_far.gathered, so_far.timing.settings
    assert now is not None
    sent = [e.at for e in log.entries if isinstance(e, Ruled) and isinstance(e.ruling, Promise)]
    since = sent[-1] if sent and gathered.stage == WORDS else log.header.created
    deadlines: list[Deadline] = []
    for seat in gathered.missing if so_far.stage in STAGES else ():
        due = gathered.due
        remind = written(datetime.fromisoformat(due) - timedelta(days=now.remind))
        soon = remind if now.remind and since < remind else ""
        deadlines.append(Deadline(seat, 0, since, soon, due, "", "", "", 0, 0, True, True))
    return Timetable(at, now.zone, now.silence, so_far.timing.paused, tuple(deadlines))


def _deadline(history: TurnHistory, turn: Turn) -> Deadline:
    spare, now = history.left(turn.seat), history.settings[-1][1]
    hits, due = history.run(turn, spare)
    late = due + spare
    late_from = hits[late][0] if due >= 0 and late < len(hits) else ""
    # A notice is void if days given since have moved the deadline it was about.
    noticed = turn.noticed if late_from and turn.noticed > late_from else ""
    remind = due - now.remind
    return Deadline(
        turn.seat,
        turn.ply,
        turn.since,
        hits[remind][0] if now.remind and remind >= 0 else "",
        hits[due][0] if due >= 0 else "",
        late_from,
        noticed,
        history.lapse(turn) if noticed else "",
        spare,
        now.grace,
    )


def _absences(history: TurnHistory, seat: Seat, zone: str) -> Iterator[Absence]:
    """The absences of a seat that are not over, joined so that each day is there once."""
    days = days_away(each for _, each in history.absences[seat])
    today = day_of(history.at, zone).toordinal()
    for first in sorted(day for day in days if day - 1 not in days):
        last = first
        while last + 1 in days:
            last += 1
        if last >= today:
            one, other = date.fromordinal(first), date.fromordinal(last)
            begins, ends = _midnight(first, zone), _midnight(last + 1, zone)
            yield Absence(seat, one.isoformat(), other.isoformat(), begins, ends)


def _midnight(day: int, zone: str) -> str:
    """When a date, by its ordinal, begins in a zone; NEVER beyond the calendar, as an absence in
    the year 9999 must not stop a clock today."""
    try:
        return tick(date.fromordinal(day), "00:00", zone)
    except (OverflowError, ValueError):
        return NEVER
