"""What a seat decides for itself by a message: to resign, to be away, to be back.

Who wrote the message is settled under the lock; what it decides enters the log as that seat's word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pbem.core import Seat
from pbem.desk import authorship, give
from pbem.desk.answer import Answer, Verdict
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.current import written_by
from pbem.desk.duplicates import mail_digest
from pbem.desk.judging import objection_to
from pbem.desk.plans.model import GIVE_UP, Plan, Yes
from pbem.desk.reading import Reading
from pbem.intake import Request, Submission
from pbem.intake.absence import AwayDates, absence
from pbem.log import deadlines
from pbem.log.match import Replay
from pbem.log.rulings import Resign
from pbem.log.timing import Away, Back
from pbem.sentence import Sentence, dated, say


def resign(path: str, message: Submission, request: Request, here: Circumstances) -> Answer:
    """Give up the seat of whoever wrote this, if they were asked at this very position whether they
    mean it, and now say so again and nothing else. Whoever holds several seats names one, or means
    the one they were asked about.

    RESIGNED or VACATED: it is in the log, from now or from before. ASKED: the writer is asked, or
    told why there is nothing to resign. Any other Answer turns the message away. Raises Problem.
    """
    with bench(path, here) as at_work:
        reading = _speaking(at_work, message)
        if isinstance(reading, Answer):
            return reading
        match, desk, held = at_work.match, at_work.desk, _held(at_work.match, reading)
        asked = {
            each.seat: each
            for each in at_work.waits.kept
            if each.yes and each.orders == GIVE_UP
            if match.log.when(each.given).position == match.position
        }
        meant_by_it = [seat for seat in held if len(held) == 1 or seat in asked]
        if len(meant_by_it) == 1:
            reading = replace(reading, message=message._replace(seat=meant_by_it[0]))
        seat = reading.seat
        if match.ending and match.ending.ruling == Resign(seat):
            return reading.answered(Verdict.RESIGNED, match, _of_seat(reading, seat, _RESIGNED))
        if not held:
            return reading.answered(Verdict.VACATED, match, _vacated(match, reading))
        if match.outcome is not None:
            over = say("The match is over, so there is nothing to resign.")
            return reading.answered(Verdict.ASKED, match, over)
        if len(meant_by_it) != 1:
            which = say(_WHICH, seats=held, first=held[0])
            return reading.answered(Verdict.ASKED, match, which)
        if request.position and not match.position.fits(*request.position):
            return reading.answered(Verdict.ASKED, match, _OUTDATED)
        besides, question = tuple(line.text for line in message.outside), asked.get(seat)
        digest = mail_digest(desk, match.log, seat, message, proven=reading.writer.proven)
        meant = question and question.yes != Yes(digest)
        if question and (written := written_by(match.log, message)) and written < question.at:
            meant = False  # nobody had been asked yet
        if besides or not meant:
            given, at = match.log.chain, here.clock()
            again = Plan(seat, GIVE_UP, given=given, at=at, yes=Yes(digest))
            at_work.waits = at_work.waits.asking(seat, again)
            return reading.answered(Verdict.ASKED, match, _asked_back(match, reading, besides))
        at_work.waits = at_work.waits.asking(seat)
        give.resign(at_work, seat, by=seat)
    match = at_work.match
    if match.ending:
        return reading.answered(Verdict.RESIGNED, match, _of_seat(reading, seat, _RESIGNED))
    return reading.answered(Verdict.VACATED, match, _vacated(match, reading))


def _asked_back(match: Replay, reading: Reading, besides: Sequence[str]) -> Sentence:
    if len(match.setup.seats) < 3:
        what = say("the match {match} ends and your opponent wins", match=match.name)
    elif others := _others(match, reading):
        what = say(
            "you leave this seat in the match {match}, and still play {others:all}",
            match=match.name,
            others=others,
        )
    else:
        what = say(
            "you leave your seat in the match {match}, and the others play on", match=match.name
        )
    not_yet = say("You have not resigned yet.")
    if besides:
        said = besides[0][:80]
        not_yet = say('You have not resigned. Your mail also says "{besides}".', besides=said)
    asked = say(
        "{not_yet} If you do, {what}. To give up, answer with the word resign alone on a line, and "
        "nothing else.",
        not_yet=not_yet,
        what=what,
    )
    return _of_seat(reading, reading.seat, asked)


def _vacated(match: Replay, reading: Reading) -> Sentence:
    others, seeks = _others(match, reading), match.log.so_far().timing.seeks
    told = say(
        "{resigned} {then}",
        resigned=say(_PLAYS_ON, others=others) if others else _GOES_ON,
        then=_SOUGHT if seeks else _DECIDES,
    )
    return _of_seat(reading, reading.seat, told)


def _held(match: Replay, reading: Reading) -> tuple[Seat, ...]:
    """The seats a message may be about that nobody has given up: the one it names, or all of its
    writer's."""
    said, own = reading.message.seat, reading.writer.seats
    return tuple(seat for seat in own if said in (None, seat) and seat not in match.vacant)


def _others(match: Replay, reading: Reading) -> list[Seat]:
    """What else the writer plays."""
    return [each for each in reading.writer.seats if each not in (reading.seat, *match.vacant)]


def _of_seat(reading: Reading, seat: Seat, told: Sentence) -> Sentence:
    """What is told of a seat; it is named if its player has several."""
    return say("{seat}: {told}", seat=seat, told=told) if len(reading.writer.seats) > 1 else told


_RESIGNED: Final = say("You have resigned, and the match is over.")
_GOES_ON: Final = say("You have resigned. The match goes on without you.")
_PLAYS_ON: Final = "You have resigned this seat. You still play {others:all}."
_SOUGHT: Final = say("A substitute is sought for your seat.")
_DECIDES: Final = say("The moderator decides who plays for your seat.")
_WHICH: Final = (
    "You have not resigned. You play {seats:all}. Say which seat you give up, in a block like "
    "this:\n\n[move]\nseat: {first}\nresign\n[/move]"
)
_OUTDATED: Final = say(
    "You have not resigned: the match has gone on since, or that was never its position. If you "
    "still want to give up, write `resign` alone."
)


def announce(
    path: str, message: Submission, request: Request, here: Circumstances, zones: Mapping[Seat, str]
) -> Answer:
    """Enter that the writer of a message is away (ABSENT) or back (PRESENT), on their own word, for
    the seat that it names or all that they hold; deadlines are told in their `zones`.

    What the log already says is not entered again. ASKED tells the writer what keeps it from being
    entered. Any other Answer turns the message away. Raises Problem, and Unreadable for dates that
    do not exist.
    """
    with bench(path, here) as at_work:
        reading = _speaking(at_work, message)
        if isinstance(reading, Answer):
            return reading
        match, held = at_work.match, _held(at_work.match, reading)
        if match.outcome is not None:
            return reading.answered(Verdict.ASKED, match, _NO_DAYS)
        if not held:
            return reading.answered(Verdict.ASKED, match, _vacated(match, reading))
        at_work.require_open_to(Away)
        today = at_work.today
        said = absence(request.said, today)
        assert said is not None
        if said.last:
            give.require_to_come(said.last, today, path)
        else:
            held = tuple(seat for seat in held if seat in match.log.so_far().timing.away)
        kept_out = dict[Seat, Sentence]()
        for seat in held:
            ruling = Away(seat, said.first, said.last) if said.last else Back(seat, said.first)
            so_far = at_work.match.log.so_far()
            before = so_far.timing.days(seat)
            changes = ruling.leaves(before) != before
            if isinstance(ruling, Away) and (values := ruling.beyond(so_far)):
                kept_out[seat] = say(_TOO_LONG, **values)
            elif changes or ruling.objection(so_far, so_far.at):
                at_work.enter(ruling, by=seat)
    told = [
        _of_seat(reading, seat, kept_out.get(seat) or _entered(at_work.match, seat, said, zones))
        for seat in held
    ]
    if len(kept_out) == len(held):
        verdict = Verdict.ASKED
    else:
        verdict = Verdict.ABSENT if said.last else Verdict.PRESENT
    return reading.answered(verdict, at_work.match, say("{lines:lines}", lines=told or [_NOT_AWAY]))


def _entered(match: Replay, seat: Seat, said: AwayDates, zones: Mapping[Seat, str]) -> Sentence:
    zone = zones.get(seat, "")
    if not said.last:
        sentence = say(
            "You are back: from {first} on your days count again.", first=dated(said.first)
        )
        return _until(match, seat, zone, sentence)
    timing = match.log.so_far().timing
    sentence = say(
        "You are away from {first} to {last}, both included: these days do not count for you. You "
        "can announce {n} [day|days] more.",
        n=max(0, timing.clock.absences - len(timing.days(seat))),
        first=dated(said.first),
        last=dated(said.last),
    )
    return _until(match, seat, zone, sentence)


_NO_DAYS: Final = say("The match is over, and no days count in it.")
_NOT_AWAY: Final = say("Nothing was entered: you have announced no absence.")
_TOO_LONG: Final = (
    "Nothing was entered: you can announce {absences} days of absence, and {n} [is|are] left; this "
    "takes {days}. Beyond that the moderator decides."
)


def _until(match: Replay, seat: Seat, zone: str, sentence: Sentence) -> Sentence:
    """A sentence and, if the seat has a deadline, that deadline in this zone, or the match's."""
    times = deadlines.of(match)
    for each in times.deadlines if times and not times.paused else ():
        if times and each.seat == seat:
            until = each.sentence(zone or times.zone, times.silence)
            return say("{told} {until}", told=sentence, until=until)
    return sentence


def _speaking(at_work: Bench, message: Submission) -> Reading | Answer:
    """A message whose writer may speak for a seat; else the Answer to turn it away."""
    match = at_work.match
    reading = Reading.of(match, message, authorship.writer(match, message, at_work.desk))
    return objection_to(reading) or reading
