"""How long each seat has: what follows from whose turn it is and the calendar, and nothing else;
and what its silence brings.

None of it is stored. A tick is judged by the log as it stood at that tick, so no entry changes
what has passed; only days that the moderator gives reach back. docs/time.md has every case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import pairwise

from pbem.core import Refused, Seat
from pbem.log import turns
from pbem.log.clock import DEFAULT, SUBSTITUTE, day_of, moves_of, spoken, tick, written, zone
from pbem.log.entropy.contributions import Promise
from pbem.log.entropy.gathering import STAGES, WORDS
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.ruling import NEVER, is_time
from pbem.log.rulings import Ruled
from pbem.log.timetable import Absence, Deadline, Timetable
from pbem.log.timing import Clock
from pbem.log.turns import Turn, Turns
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.problem import Usage
from pbem.sentence import Sentence, say


def of(match: Replay, running: Turns | None = None) -> Timetable | None:
    """The timetable of a match; None where it has no clock. `running` is whose turn it is, if the
    caller knows already."""
    if not match.log.clock:
        return None
    times = timetable(match.log, running or turns.of(match))
    if times.silence == SUBSTITUTE:
        return times
    deadlines = (  # of who is late, whether it is plain that their silence brings nothing
        each._replace(asks=not any(_steps(match, each.seat, times.silence)))
        if each.noticed
        else each
        for each in times.deadlines
    )
    return times._replace(deadlines=tuple(deadlines))


def timetable(log: Log, running: Turns) -> Timetable:
    """What a log with a clock says about time; `running` is whose turn it is at its end."""
    assert log.clock is not None
    first, log = log.clock, log.in_time()
    times = [log.header.created, *(entry.at for entry in log.entries)]
    trouble = _muddled(times)
    try:
        if not trouble and log.header.entropy and log.so_far().gathered.stage:
            return _gathering(log, times[-1])  # nobody can move before the cards are dealt
        if not trouble:
            for each in (first, *(ruling.settings for ruling in log.rulings(Clock))):
                zone(each["zone"])
            return _running(log, running)
    except Usage as problem:
        trouble = problem.sentence
    except OverflowError:
        trouble = say("time is at its end: the calendar has no later days")
    return Timetable(times[-1], first["zone"], trouble=trouble)


def _muddled(times: Sequence[str]) -> Sentence | None:
    """Why nobody can tell how the time passed; None if it is plain."""
    if not all(map(is_time, times)):
        return say("this log has times that no calendar knows")
    for before, after in pairwise(times):
        if after < before:
            return say(
                "{after} stands after {before} in this log: time runs back",
                after=after,
                before=before,
            )
    return None


def too_early(log: Log, running: Turns, seat: Seat, at: str) -> Sentence | None:
    """Why it is too early to play for a silent seat at a moment; None if it is not.

    It never is for a vacant seat, or in a turn whose last move was played for the seat.
    """
    if not log.clock:
        return None
    times = timetable(log, running)
    theirs = next((each for each in times.deadlines if each.seat == seat and not each.words), None)
    if theirs is None or running.running[seat].silent:
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


def days_past(match: Replay, seat: Seat, at: str, least: int = 0) -> int:
    """How many days more, at `least` so many, a seat needs for its deadline, with the days it has
    to spare, to lie after a moment; if no day counts for the seat, the least."""
    running = turns.of(match)
    times = of(match, running)
    theirs = [each for each in times.deadlines if each.seat == seat] if times else []
    if times is None or times.paused or not any(each.late_from for each in theirs):
        return least
    turn, spare, needs = running.running[seat], running.spare(seat), least
    while True:
        ticks, due = turn._replace(extra=turn.extra + needs).run(spare)
        if ticks[due + spare].at > at:
            return needs
        needs += 1


def _gathering(log: Log, at: str) -> Timetable:
    """When words for the draws are due, and from whom: the header names the time."""
    so_far = log.so_far()
    gathered, clock = so_far.gathered, so_far.timing.clock
    sent = [e.at for e in log.entries if isinstance(e, Ruled) and isinstance(e.ruling, Promise)]
    since = sent[-1] if sent and gathered.stage == WORDS else log.header.created
    deadlines: list[Deadline] = []
    for seat in gathered.missing if so_far.stage in STAGES else ():
        due = gathered.due
        remind = written(datetime.fromisoformat(due) - timedelta(days=clock.remind))
        soon = remind if clock.remind and since < remind else ""
        deadlines.append(Deadline(seat, 0, since, soon, due, "", "", "", 0, 0, True, True))
    return Timetable(at, clock.zone, clock.silence, so_far.timing.paused, tuple(deadlines))


def _running(log: Log, running: Turns) -> Timetable:
    """The timetable of the seats asked at the end of a log; vacant ones have no deadline."""
    clock, vacant = running.timing.clock, log.so_far().vacant
    return Timetable(
        running.last,
        clock.zone,
        clock.silence,
        running.timing.paused,
        tuple(_deadline(running, turn) for turn in running.awaited if turn.seat not in vacant),
        tuple(_absences(running)),
        fires=running.fires,
    )


def _deadline(running: Turns, turn: Turn) -> Deadline:
    seat, spare, clock = turn.seat, running.spare(turn.seat), running.timing.clock
    ticks, due = turn.run(spare)
    late, remind = due + spare, due - clock.remind
    late_from = ticks[late].at if due >= 0 and late < len(ticks) else ""
    # A notice is void if days given since have moved the deadline it was about.
    noticed = turn.noticed if late_from and turn.noticed > late_from else ""
    return Deadline(
        seat,
        turn.ply,
        turn.since,
        ticks[remind].at if clock.remind and remind >= 0 else "",
        ticks[due].at if due >= 0 else "",
        late_from,
        noticed,
        turn.lapse() if noticed else "",
        spare,
        clock.grace,
    )


def _absences(running: Turns) -> Iterator[Absence]:
    """The absences that are not over, those of a seat joined so that each day is there once."""
    zone = running.timing.clock.zone
    today = day_of(running.last, zone).toordinal()
    for seat, days in running.timing.away.items():
        lasts = sorted(day for day in days if day + 1 not in days)
        for first, last in zip(sorted(d for d in days if d - 1 not in days), lasts, strict=True):
            if last >= today:
                one, other = (date.fromordinal(day).isoformat() for day in (first, last))
                yield Absence(seat, one, other, _midnight(first, zone), _midnight(last + 1, zone))


def _midnight(day: int, zone: str) -> str:
    """When a date, by its ordinal, begins in a zone; NEVER beyond the calendar, as an absence in
    the year 9999 must not stop a clock today."""
    try:
        return tick(date.fromordinal(day), "00:00", zone)
    except (OverflowError, ValueError):
        return NEVER


# ------------------------------------------------------------------- what silence brings


def default_step(match: Replay, seat: Seat, silence: str) -> Step | None:
    """The move that is played for the seat; None: the moderator is asked."""
    return next((step for step in _steps(match, seat, silence) if step.sure), None)


def _steps(match: Replay, seat: Seat, silence: str) -> Iterator[Step]:
    """What silence may bring, in order: each move that is legal as far as the match is known."""
    if silence == DEFAULT:
        asked = [decision for decision in match.pending if decision.seat == seat]
        if asked and asked[0].default is not None:
            with suppress(Refused):  # a game from outside may name what its rules forbid
                yield play.judge(match.game, match.state, seat, asked[0].default)
    for text in moves_of(silence):
        try:
            move = play.resolve(match.game, match.state, seat, match.game.parse(text))
            yield play.judge(match.game, match.state, seat, move)
        except Refused:
            continue  # to the next that is legal
