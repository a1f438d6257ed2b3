"""What a seat decides for itself by a message: to resign, to be away, to be back.

Who wrote the message is settled under the lock; what it decides enters the log as that seat's word.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pbem import authorship
from pbem.core import NotNow, Seat
from pbem.desk import rulings
from pbem.desk.answer import Answer
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.judging import Case, may_withdraw
from pbem.intake import Request, Submission
from pbem.intake.absence import absence
from pbem.log import deadlines
from pbem.log.match import Match
from pbem.log.rulings import Resign
from pbem.log.timing import Away, Back, days_away
from pbem.sentence import Counted, Sentence, say


class State(StrEnum):
    """What came of a wish to resign. Only the first two have changed the log, now or before."""

    RESIGNED = "resigned"
    VACATED = "vacated"
    ASKED = "asked back"
    OUTDATED = "outdated"
    OVER = "over"


class GivenUp(NamedTuple):
    """What came of a wish to resign: whose it was, and the match as it stands then."""

    state: State
    seat: Seat
    now: Match


def resign(
    path: str, message: Submission, request: Request, here: Circumstances
) -> GivenUp | Answer:
    """Give up the seat of whoever wrote this, if it names the position the match is at.

    An Answer turns the message away. Whoever has resigned is told so again. Raises Problem.
    """
    with bench(path, here) as at_work:
        seat = _speaker(at_work, message)
        if isinstance(seat, Answer):
            return seat
        now, (ply, fingerprint) = at_work.now, request.position or (None, None)
        if now.ending and now.ending.ruling == Resign(seat):
            state = State.RESIGNED
        elif seat in now.vacant:
            state = State.VACATED
        elif now.outcome is not None:
            state = State.OVER
        elif ply is None or fingerprint is None:
            state = State.ASKED
        elif not now.position.fits(ply, fingerprint):
            state = State.OUTDATED
        else:
            rulings.resign(at_work, seat, by=seat)
            state = State.RESIGNED if at_work.now.ending else State.VACATED
    return GivenUp(state, seat, at_work.now)


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
    path: str, message: Submission, request: Request, here: Circumstances
) -> Announcement | Answer:
    """Enter when the writer of a message is away, or back, as their own word.

    What stands in the log is not entered again. An Answer turns the message away. Raises Problem;
    Unreadable where there are no such dates.
    """
    with bench(path, here) as at_work:
        at_work.require_open_to(Away)
        seat = _speaker(at_work, message)
        if isinstance(seat, Answer):
            return seat
        if seat in at_work.now.vacant:
            raise NotNow("{seat:seat} has resigned, and the seat is vacant", path, seat=seat)
        today = at_work.today
        said = absence(request.said, today)
        assert said is not None
        so_far = at_work.now.log.so_far()
        known = days_away(so_far.timing.absences.get(seat, ()))
        ruling: Away | Back
        if said.last:
            rulings.require_to_come(said.last, today, path)
            ruling = Away(seat, said.first, said.last)
            news = ruling.mistimed(so_far) or not ruling.days <= known
        else:
            ruling = Back(seat, said.first)
            news = not known or days_away((*so_far.timing.absences[seat], ruling)) != known
        if news:
            at_work.enter(ruling, by=seat)
        timing = at_work.now.log.so_far().timing
        left = max(0, timing.clock.absences - timing.days_away(seat))
    return Announcement(seat, said.first, said.last, left, at_work.now)


def _speaker(at_work: Bench, message: Submission) -> Seat | Answer:
    """The seat that speaks in a message; an Answer turns it away."""
    now = at_work.now
    case = Case(now, message, authorship.writer(now, message, at_work.desk.register))
    if objection := may_withdraw(case):
        return objection
    assert case.seat is not None
    return case.seat
