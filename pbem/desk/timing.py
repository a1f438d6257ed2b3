"""What the moderator rules about time. No ruling here moves the position.

Each function appends a ruling to the log at `path` and returns the match before and after it.
All raise Problem: Usage in a match without a clock, NotNow where the ruling cannot be given as the
match stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from pbem import authorship
from pbem.core import Game, NotNow, Seat, Unreadable, Usage
from pbem.desk.answer import Answer
from pbem.desk.append import Now, Rehearse
from pbem.desk.bench import Bench, Ruled
from pbem.desk.bench import bench as on_bench
from pbem.desk.judging import Case, may_withdraw
from pbem.intake import Request, Submission
from pbem.intake.absence import absence
from pbem.log import deadlines, turns
from pbem.log.match import Match
from pbem.log.ruling import Ruling
from pbem.log.seal import MODERATOR
from pbem.log.timing import Away, Back, Clock, Extend, Pause, Resume, TimeRuling, days_away, is_date
from pbem.sentence import Counted, Sentence, say

NO_CLOCK: Final = (
    "this match has no clock, so there is nothing to rule about time; `pbem new --turn DAYS` "
    "begins a match that has one"
)


@contextmanager
def _bench(
    path: str, kind: type[Ruling], clock: Now, rehearse: Rehearse, wait: float
) -> Iterator[Bench]:
    """The match, locked, if it has a clock."""
    with on_bench(path, kind, clock, wait, rehearse) as bench:
        if bench.now.log.header.clock is None:
            raise Usage(NO_CLOCK, path)
        yield bench


def _enter(bench: Bench, ruling: TimeRuling, reason: str, by: Seat = MODERATOR) -> None:
    """Append a ruling that can be given now. Raises NotNow."""
    if wrong := ruling.mistimed(bench.now.log.so_far()):
        raise NotNow("{wrong}", bench.now.log.path, wrong=wrong[0])
    bench.enter(ruling, reason, by)


def extend(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    days: int,
    seat: Seat | None = None,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Give a seat days more for the turn it is at, or all seats that are at one."""
    with _bench(path, Extend, clock, rehearse, wait) as bench:
        now = bench.now
        running = tuple(turns.Course(now.log, turns.asked(now)).turns)
        seats = running if seat is None else (now.require_seat(seat),)
        if not seats or not set(seats) <= set(running):
            raise NotNow(
                "{seat:seat} has nothing to decide now; days can be given to {running:seats}"
                if running and seat
                else "nobody has anything to decide now, so nobody can get days more",
                path,
                seat=seat,
                running=running,
            )
        _enter(bench, Extend(seats, days), reason)
    return bench.before, bench.now


def pause(
    path: str, clock: Now, rehearse: Rehearse, *, reason: str = "", wait: float = 10.0
) -> Ruled:
    """Stop the clock."""
    with _bench(path, Pause, clock, rehearse, wait) as bench:
        _enter(bench, Pause(), reason)
    return bench.before, bench.now


def resume(
    path: str, clock: Now, rehearse: Rehearse, *, reason: str = "", wait: float = 10.0
) -> Ruled:
    """Let the clock go on."""
    with _bench(path, Resume, clock, rehearse, wait) as bench:
        _enter(bench, Resume(), reason)
    return bench.before, bench.now


def away(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    seat: Seat,
    first: str,
    last: str,
    by: Seat = MODERATOR,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Enter that a seat is away, from the first of these dates to the last, which are included.

    As its own word (`by`) it can be away only as long as the clock allows.
    """
    _require_dates(first, last)
    with _bench(path, Away, clock, rehearse, wait) as bench:
        bench.now.require_seat(seat)
        _require_to_come(last, _today(bench), path)
        _enter(bench, Away(seat, first, last), reason, by)
    return bench.before, bench.now


def back(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    seat: Seat,
    first: str = "",
    by: Seat = MODERATOR,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Enter that a seat is there again, from a date on, or from today."""
    _require_dates(*filter(None, [first]))
    with _bench(path, Back, clock, rehearse, wait) as bench:
        bench.now.require_seat(seat)
        _enter(bench, Back(seat, first or _today(bench)), reason, by)
    return bench.before, bench.now


class Announcement(NamedTuple):
    """What a seat has announced: to be away from the first date to the last, or, without `last`,
    to be back from the first on; how many days it can announce yet; the match as it stands then."""

    seat: Seat
    first: str
    last: str
    left: int
    now: Match

    def sentence(self, zone: str = "") -> Sentence:
        """What was understood and, if the seat is asked, until when it has time, in this zone or
        the match's."""
        if not self.last:
            told = say("You are back: from {first} on your days count again.", first=self.first)
        else:
            told = say(
                Counted(
                    "You are away from {first} to {last}, both included: these days do not count "
                    "for you. You can announce {n} day more.",
                    "You are away from {first} to {last}, both included: these days do not count "
                    "for you. You can announce {n} days more.",
                ),
                n=self.left,
                first=self.first,
                last=self.last,
            )
        times = deadlines.of(self.now)
        for each in times.deadlines if times and not times.paused else ():
            if times and each.seat == self.seat:
                until = each.sentence(zone or times.zone, times.silence)
                return say("{told} {until}", told=told, until=until)
        return told


def announce(
    path: str,
    message: Submission,
    request: Request,
    clock: Now,
    rehearse: Rehearse,
    *,
    wait: float = 10.0,
) -> Announcement | Answer:
    """Enter when the writer of a message is away, or back, as their own word.

    What stands in the log is not entered again. An Answer turns the message away. Raises Problem;
    Unreadable where there are no such dates.
    """
    with _bench(path, Away, clock, rehearse, wait) as bench:
        writer = authorship.writer(bench.now, message, bench.desk.register)
        case = Case(bench.now, message, writer)
        if objection := may_withdraw(case):
            return objection
        seat, today = case.seat, _today(bench)
        assert seat is not None
        if seat in bench.now.vacant:
            raise NotNow("{seat:seat} has resigned, and the seat is vacant", path, seat=seat)
        said = absence(request.said, today)
        assert said is not None
        timing = bench.now.log.so_far().timing
        known = days_away(timing.absences.get(seat, ()))
        ruling: Away | Back
        if said.last:
            _require_to_come(said.last, today, path)
            ruling = Away(seat, said.first, said.last)
            news = ruling.mistimed(bench.now.log.so_far()) or not ruling.days <= known
        else:
            ruling = Back(seat, said.first)
            news = not known or days_away((*timing.absences[seat], ruling)) != known
        if news:
            _enter(bench, ruling, "", seat)
        timing = bench.now.log.so_far().timing
        assert timing.settings is not None
        left = max(0, timing.settings.absences - timing.days_away(seat))
    return Announcement(seat, said.first, said.last, left, bench.now)


def _require_to_come(last: str, today: str, path: str) -> None:
    """Raises Usage for an absence that is over."""
    if last < today:
        raise Usage(
            "an absence until {last} is over: today is {today} in this match, and no day that has "
            "passed can be given back",
            path,
            last=last,
            today=today,
        )


def set_clock(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    chosen: Mapping[str, Any],
    yes: bool = False,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Change settings of the clock from here on. What shortens a turn that is under way is refused
    without `yes`."""
    with _bench(path, Clock, clock, rehearse, wait) as bench:
        now = bench.now
        before = now.log.so_far().timing.settings
        assert before is not None
        _enter(bench, Clock(settings(now.game, chosen, before.plain())), reason)
        if not yes:
            _require_no_shorter(now, bench.now)
    return bench.before, bench.now


def _require_no_shorter(before: Match, after: Match) -> None:
    """Raises NotNow, saying whose turn is shortened, if any is."""
    from pbem.log.clock import spoken

    was, now = deadlines.of(before), deadlines.of(after)
    if was is None or now is None or was.paused:
        return
    for old in was.deadlines:
        for new in now.deadlines:
            both = ((old.due, new.due), (old.late_from, new.late_from))
            sooner = [(then, due) for then, due in both if due and due < (then or turns.NEVER)]
            if new.seat == old.seat and sooner:
                then, due = sooner[0]
                raise NotNow(
                    "this shortens the turn of {seat:seat}, from {then} to {due}. To do it "
                    "all the same, add --yes",
                    before.log.path,
                    seat=new.seat,
                    then=spoken(then, was.zone),
                    due=spoken(due, now.zone),
                )


def settings(
    game: Game[Any], chosen: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The settings of a clock, as they are written: those chosen, else those before, else the
    usual ones. Raises Usage for what cannot be."""
    from pbem.log import clock

    if before is None:
        for needed in ("turn", "zone"):
            if needed not in chosen:
                raise Usage(
                    "a clock needs --{needed}; write it like --turn 3 --zone Europe/Berlin",
                    needed=needed,
                )
    usual = clock.Settings(zone="", at="20:00", turn=1).plain()
    found = {**usual, **(before or {}), **chosen}
    if wrong := clock.objection(found):
        raise Usage("{wrong}", wrong=wrong[0])
    clock.zone(found["zone"])
    for text in clock.moves_of(found["silence"]):
        try:
            game.parse(text)
        except Unreadable as refusal:
            raise Usage(
                "--silence {text!r} is no move of this game: {refusal}", text=text, refusal=refusal
            ) from refusal
    return found


def closed(text: str) -> list[str]:
    """`sat,sun,2026-12-24` as the settings have it; `none` is nothing."""
    return [] if text == "none" else [each.strip().lower() for each in text.split(",")]


def _today(bench: Bench) -> str:
    from pbem.log.clock import day_of

    timing = bench.now.log.so_far().timing
    assert timing.settings is not None
    return day_of(bench.now.log.moment(bench.clock()), timing.settings.zone).isoformat()


def _require_dates(*dates: str) -> None:
    for each in dates:
        if not is_date(each):
            raise Usage("{each!r} is no date; write it like 2026-12-20", each=each)
