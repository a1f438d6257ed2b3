"""What a seat decides for itself by a message: to resign, to be away, to be back.

Who wrote the message is settled under the lock; what it decides enters the log as that seat's word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core import Seat
from pbem.desk import authorship, give
from pbem.desk.answer import Answer, Case, Verdict
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.current import written_by
from pbem.desk.duplicates import mail_digest
from pbem.desk.judging import objection_to
from pbem.desk.plans.model import GIVE_UP, Proposal
from pbem.intake import Request, Submission
from pbem.intake.absence import absence
from pbem.log import deadlines
from pbem.log.match import Match
from pbem.log.ruling import Totals
from pbem.log.rulings import Resign
from pbem.log.timing import Away, Back, days_away
from pbem.sentence import Counted, Sentence, dated, say


def resign(path: str, message: Submission, request: Request, here: Circumstances) -> Answer:
    """Give up the seat of whoever wrote this, if they were asked at this very position whether they
    mean it, and now say so again and nothing else.

    RESIGNED or VACATED: it is in the log, from now or from before. ASKED: the writer is asked, or
    told why there is nothing to resign. Any other Answer turns the message away. Raises Problem.
    """
    with bench(path, here) as at_work:
        case = _speaking(at_work, message)
        if isinstance(case, Answer):
            return case
        now, desk, seat = at_work.now, at_work.desk, case.seat
        if now.ending and now.ending.ruling == Resign(seat):
            return case.answered(Verdict.RESIGNED, now, _RESIGNED)
        if seat in now.vacant:
            return case.answered(Verdict.VACATED, now, _VACATED)
        if now.outcome is not None:
            over = say("The match is over, so there is nothing to resign.")
            return case.answered(Verdict.ASKED, now, over)
        if request.position and not now.position.fits(*request.position):
            return case.answered(Verdict.ASKED, now, _OUTDATED)
        besides, asked = tuple(line.text for line in message.outside), at_work.waits.asked(seat)
        digest = mail_digest(desk, now.log, seat, message, proven=case.writer.proven)
        meant = asked and asked.readings == GIVE_UP and asked.mail != digest and asked.given
        if asked and (written := written_by(now.log, message)) and written < asked.at:
            meant = ""  # nobody had been asked yet
        if besides or not (meant and now.log.when(meant).position == now.position):
            again = Proposal(seat, GIVE_UP, now.log.chain, digest, at=here.clock())
            at_work.waits = at_work.waits.asking(seat, again)
            return case.answered(Verdict.ASKED, now, _asked_back(now, besides))
        at_work.waits = at_work.waits.asking(seat)
        give.resign(at_work, seat, by=seat)
        over_now = at_work.now.ending
    verdict = Verdict.RESIGNED if over_now else Verdict.VACATED
    return case.answered(verdict, at_work.now, _RESIGNED if over_now else _VACATED)


def _asked_back(now: Match, besides: Sequence[str]) -> Sentence:
    if len(now.setup.seats) < 3:
        what = say("the match {match} ends and your opponent wins", match=now.name)
    else:
        what = say(
            "you leave your seat in the match {match}, and the others play on", match=now.name
        )
    if besides:
        return say(
            'You have not resigned. Your mail also says "{besides}". If you do resign, {what}. '
            "To give up, answer with the word resign alone on a line, and nothing else.",
            besides=besides[0][:80],
            what=what,
        )
    return say(
        "You have not resigned yet. If you do, {what}. To give up, answer with the word resign "
        "alone on a line, and nothing else.",
        what=what,
    )


_RESIGNED: Final = say("You have resigned, and the match is over.")
_VACATED: Final = say(
    "You have resigned. The match goes on without you, and the moderator decides who plays for "
    "your seat."
)
_OUTDATED: Final = say(
    "You have not resigned: the match has gone on since, or that was never its position. If you "
    "still want to give up, write `resign` alone."
)


def announce(path: str, message: Submission, request: Request, here: Circumstances) -> Answer:
    """Enter that the writer of a message is away (ABSENT) or back (PRESENT), on their own word.

    What the log already says is not entered again. ASKED tells the writer what keeps it from being
    entered. Any other Answer turns the message away. Raises Problem, and Unreadable for dates that
    do not exist.
    """
    with bench(path, here) as at_work:
        case = _speaking(at_work, message)
        if isinstance(case, Answer):
            return case
        seat, now = case.seat, at_work.now
        if now.outcome is not None or seat in now.vacant:
            return case.answered(Verdict.ASKED, now, _NO_DAYS if now.outcome else _VACATED)
        at_work.require_open_to(Away)
        today = at_work.today
        said = absence(request.said, today)
        assert said is not None
        if said.last:
            give.require_to_come(said.last, today, path)
        ruling = Away(seat, said.first, said.last) if said.last else Back(seat, said.first)
        so_far = at_work.now.log.so_far()
        before = so_far.timing.absences.get(seat, ())
        changes = days_away((*before, ruling)) != days_away(before)
        if why := _not_given(ruling, so_far):
            return case.answered(Verdict.ASKED, now, why)
        if changes or ruling.objection(so_far, so_far.at):
            at_work.enter(ruling, by=seat)
    now = at_work.now
    zone = at_work.desk.zones.get(seat, "")
    if not said.last:
        sentence = say(
            "You are back: from {first} on your days count again.", first=dated(said.first)
        )
        return case.answered(Verdict.PRESENT, now, _until(now, seat, zone, sentence))
    timing = now.log.so_far().timing
    sentence = say(
        Counted(
            "You are away from {first} to {last}, both included: these days do not count "
            "for you. You can announce {n} day more.",
            "You are away from {first} to {last}, both included: these days do not count "
            "for you. You can announce {n} days more.",
        ),
        n=max(0, timing.clock.absences - timing.days_away(seat)),
        first=dated(said.first),
        last=dated(said.last),
    )
    return case.answered(Verdict.ABSENT, now, _until(now, seat, zone, sentence))


def _not_given(ruling: Away | Back, so_far: Totals) -> Sentence | None:
    """Why a seat cannot announce that it is away or back, for its player; None if it can."""
    if isinstance(ruling, Back):
        return None if so_far.timing.absences.get(ruling.seat) else _NOT_AWAY
    values = ruling.beyond(so_far)
    return say(_TOO_LONG, **values) if values else None


_NO_DAYS: Final = say("The match is over, and no days count in it.")
_NOT_AWAY: Final = say("Nothing was entered: you have announced no absence.")
_TOO_LONG: Final = Counted(
    "Nothing was entered: you can announce {absences} days of absence, and {n} is left; this takes "
    "{days}. Beyond that the moderator decides.",
    "Nothing was entered: you can announce {absences} days of absence, and {n} are left; this "
    "takes {days}. Beyond that the moderator decides.",
)


def _until(now: Match, seat: Seat, zone: str, sentence: Sentence) -> Sentence:
    """A sentence and, if the seat has a deadline, that deadline in this zone, or the match's."""
    times = deadlines.of(now)
    for each in times.deadlines if times and not times.paused else ():
        if times and each.seat == seat:
            until = each.sentence(zone or times.zone, times.silence)
            return say("{told} {until}", told=sentence, until=until)
    return sentence


def _speaking(at_work: Bench, message: Submission) -> Case | Answer:
    """The case of a message whose writer may speak for a seat; else the Answer to turn it away."""
    now = at_work.now
    case = Case(now, message, authorship.writer(now, message, at_work.desk))
    return objection_to(case) or case
