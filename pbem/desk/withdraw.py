"""What waits is taken back: by the moderator, or by a message of whoever sent it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.core import Seat
from pbem.desk import press
from pbem.desk.answer import Answer, NotPlayed, Verdict
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.duplicates import brought_plans, mail_digest
from pbem.desk.judging import Case, may_withdraw
from pbem.desk.plans.model import Plan, Waiting
from pbem.intake import Submission, plan
from pbem.log.match import Match
from pbem.sentence import say


def only_withdraws(message: Submission) -> bool:
    """Does a message take back plans, or ask for their list, and nothing else?"""
    said = [line.text for line in message.orders]
    return bool(said) and all(
        plan.withdrawn(text) is not None or plan.asks_for_list(text) for text in said
    )


def withdraw(
    path: str, seat: Seat, here: Circumstances, number: int = 0
) -> tuple[Match, tuple[str, ...]]:
    """Take back what waits for a seat, or its plan of this number, on the moderator's word: the
    match, and what waits no more. Raises Problem, Usage if there is no such seat."""
    with bench(path, here) as at_work:
        gone = _take_back(at_work, [at_work.now.require_seat(seat)], [number])
        return at_work.now, tuple(move for each in gone for move in each.moves)


def withdrawn(case: Case, at_work: Bench, reason: str = "") -> Answer:
    """The answer to a message that only takes back. What it says to all is entered, with why that
    may be."""
    if objection := may_withdraw(case):
        return objection
    if why := press.unfit(case.now, case.said):
        return case.turned_away(Verdict.REFUSED, why)
    now, desk, waiting, own = case.now, at_work.desk, at_work.waits, case.writer.seats
    seats = [seat for seat in own if case.said.seat in (None, seat)] or own
    numbers = [
        number for line in case.said.orders if (number := plan.withdrawn(line.text)) is not None
    ]
    again = brought_plans(now, desk, case.said, case.writer)
    for number in () if again else numbers:
        if number and not taken(waiting, seats, number):
            why = say("No plan of yours has the number {number}; `plans` lists them", number=number)
            return case.turned_away(Verdict.REFUSED, why)
    losing = [seat for seat in seats if any(taken(waiting, [seat], each) for each in numbers)]
    if len(losing) > 1 and not again:
        why = say(
            "You play {seats:all}, and this would take back plans of each. Say for which one it "
            "is, with a line like `seat: {first}` in the fence",
            seats=losing,
            first=losing[0],
        )
        return case.turned_away(Verdict.REFUSED, why)
    digest = mail_digest(desk, now.log, seats[0], case.said, proven=case.writer.proven)
    at_work.now = press.entered(now, case.seat, case.said, at_work.clock, reason)
    gone = _take_back(at_work, seats, () if again else numbers, digest)
    kept = tuple(each for each in waiting.plans if each not in gone)
    verdict = Verdict.WITHDRAWN if numbers else Verdict.WAITING
    return replace(case.answered(verdict, at_work.now), not_played=told_of(gone), waits=kept)


def taken(waiting: Waiting, seats: Sequence[Seat], number: int) -> tuple[Plan, ...]:
    """The plans that seats take back with a number, all of them with 0."""
    own = (each for each in waiting.plans if each.seat in seats)
    return tuple(each for each in own if number in (0, each.number))


def told_of(gone: Iterable[Plan]) -> tuple[NotPlayed, ...]:
    """What is said of plans that were taken back."""
    why = say("It was taken back")
    return tuple(
        NotPlayed(each.seat, move, why) for each in gone if not each.over for move in each.moves
    )


def _take_back(
    at_work: Bench, seats: Sequence[Seat], numbers: Iterable[int], digest: str = ""
) -> tuple[Plan, ...]:
    """Remove these plans of seats; the desk file keeps what asked for it."""
    gone = tuple(each for number in numbers for each in taken(at_work.waits, seats, number))
    if gone:
        at_work.waits = at_work.waits.without(*gone).read(digest)
    return gone
