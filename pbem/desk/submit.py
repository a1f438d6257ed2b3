"""From a message to plies in the log: one path for the real thing and the dry run.

`submit` and `check` differ in how much the judge knows and in whether anything is written. A move
counts once `save` has written it: whatever fails before that leaves everything as it was.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from pbem.core import CHANCE, Pattern, Seat
from pbem.desk import authorship, press
from pbem.desk.answer import Answer, Case, NotPlayed, Verdict
from pbem.desk.append import Now
from pbem.desk.authorship import Writer
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.duplicates import (
    brought_plans,
    is_from_plan,
    mail_digest,
    plans_came,
    plies_of,
    source_digest,
)
from pbem.desk.file import Desk, desk_path
from pbem.desk.judging import Judged, judge, machine, moderators_word, objection_to, rule
from pbem.desk.plans.model import Proposal, Waiting
from pbem.desk.plans.run import AtWork, not_played, waiting_now
from pbem.files.timestamp import now as today
from pbem.intake import Submission, asking, plan
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.log.seal import Keyring
from pbem.play import judge as play
from pbem.play import patience
from pbem.play.judge import Choice, Step
from pbem.problem import Usage
from pbem.sentence import say


def submit(
    path: str, message: Submission, here: Circumstances, *, seat: str | None = None
) -> Answer:
    """Judge a message and, if it is accepted, append what follows. Raises Problem.

    `seat` is the moderator's word on whose message it is.
    """
    if seat is None and message.unchecked:  # before the lock: others need not wait for the net
        message = authorship.checked(message, Desk.read(path))
    with bench(path, here, plays=False) as at_work:
        before, desk = at_work.before, at_work.desk
        if answer := machine(before, message, word=seat is not None):
            return answer
        if seat is not None:
            writer = moderators_word(before, seat)
        else:
            writer = authorship.writer(before, message, desk)
        if only_withdraws(message):
            case = Case(before, message, writer)
            return _withdrawn(case, at_work, _on_word(case, desk))
        judged = judge(before, message, writer, desk, here.clock())
        if isinstance(judged, Answer):
            _ask(judged, at_work)
            return judged
        if judged.played is not None:
            return play_on(judged, at_work)
        case, reason = judged.case, _on_word(judged.case, desk)
        if judged.ruling:
            at_work.enter(judged.ruling, reason, case.seat)
            at_work.draw()
        at_work.now = press.entered(at_work.now, case.seat, case.said, here.clock, reason)
        return case.answered(Verdict.ACCEPTED, at_work.now)


def _ask(answer: Answer, at_work: Bench) -> None:
    """Keep what the answer to a message asks its seat, in place of what it was asked before."""
    closing = (Verdict.REFUSED, Verdict.WITHDRAWN, Verdict.STALE)
    talk = answer.verdict == Verdict.PASSED_ON and not leaves_open(answer.said)
    if answer.seat is None or not (talk or answer.verdict in closing):
        return
    texts = [line.text for line in answer.said.orders]
    danish = any(asking.in_danish(text) or asking.thanks(text) for text in texts)
    asked = None
    if answer.proposal:
        asked = Proposal(answer.seat, answer.proposal, at_work.now.log.chain, danish=danish)
    if at_work.waits.asked(answer.seat) != asked:
        at_work.waits = at_work.waits.asking(answer.seat, asked)


def leaves_open(message: Submission) -> bool:
    """Does a message only speak to others, or ask to be shown something? Then what its seat was
    asked stays open."""
    verbs = {each.verb for each in message.requests}
    alone = not (message.orders or message.outside)
    return alone and bool(verbs) and verbs <= {*asking.ASIDE}


def let_go(path: str, seats: Collection[Seat], here: Circumstances) -> None:
    """Drop what these seats were asked: their player has written something else since. Raises
    Problem."""
    with bench(path, here, plays=False) as at_work:
        for seat in seats:
            at_work.waits = at_work.waits.asking(seat)


@patience.one_judgement()
def check(path: str, message: Submission, *, seat: str | None, keyring: Keyring) -> Answer:
    """Judge a message as far as the keys at hand let one know. Nothing is written or drawn.

    If the desk file is at hand, who wrote the message is judged as in `submit`. Raises Problem.
    """
    desk = Desk.read(path) if os.access(desk_path(path), os.R_OK) else None
    now = Match.read(path, keyring)
    if answer := machine(now, message, word=seat is not None):
        return answer
    if seat is not None:
        writer = moderators_word(now, seat)
    elif desk is not None and authorship.says_whose(message):
        message = authorship.checked(message, desk)
        writer = authorship.writer(now, message, desk)
    else:
        writer = _assumed(now, message, keyring)
    judged = judge(now, message, writer, desk, today())
    if isinstance(judged, Answer):
        return judged
    if (played := judged.played) is None:
        return judged.case.answered(Verdict.LEGAL, now)
    sure = all(step.sure for step in played.steps)
    # Which of several alternatives would be played may rest on what the seat cannot know.
    if not sure and any(len(plan.alternatives(line.text)) > 1 for line in message.orders):
        played = play.Accepted((), now.state, ())
    after, own = now._replace(state=played.state), judged.case.seat
    return replace(
        judged.case.answered(Verdict.LEGAL if sure else Verdict.POSSIBLE, after),
        steps=played.steps,
        waits=tuple(each._replace(number=n) for n, each in enumerate(judged.plans, 1)),
        not_played=(
            *judged.bad,
            *_passed(own, played),
            *(NotPlayed(own, each.said, say("It can't be judged yet")) for each in played.unplayed),
        ),
    )


def _assumed(now: Match, message: Submission, keyring: Keyring) -> Writer:
    """The writer of an order that is checked at home: whoever checks it. Raises Usage."""
    if keyring.seats:
        return Writer(keyring.seats)
    if message.seat is not None:
        return Writer((now.require_seat(message.seat),))
    if len(now.awaited) == 1 or now.outcome:
        return Writer((now.awaited or now.setup.seats)[:1])
    raise Usage(
        "this text does not say whose move it is; say --from {awaited:any}", awaited=now.awaited
    )


def _on_word(case: Case, desk: Desk) -> str:
    """Why a message counts without the proof that players were promised; "" if it needs no why."""
    lacks = case.writer.how == "word" and desk.policy != "from" and case.seat != CHANCE
    return "on the moderator's word" if lacks else ""


def play_on(judged: Judged, at_work: AtWork) -> Answer:
    """Enter the judged plies, draw, try what lay beyond the horizon, and then play what waits. No
    file is written."""
    case, seat, order = judged.case, judged.case.seat, judged.played
    assert order is not None
    on_word = _on_word(case, at_work.desk)
    at_work.now = press.entered(at_work.now, seat, case.said, at_work.clock, on_word)
    at_work.not_played += judged.bad
    steps: list[Step] = []
    left: tuple[Pattern | Choice, ...] = ()
    while order.steps:
        at_work.not_played += _passed(seat, order)
        for step in order.steps:
            source = source_digest(
                at_work.desk,
                at_work.now.log,
                seat,
                case.said,
                proven=case.writer.proven,
                on_word=bool(on_word),
            )
            at_work.append(step, source)
            steps.append(step)
        at_work.draw()
        left = order.unplayed
        if not left or seat not in at_work.now.asked:
            break
        verdict = play.adjudicate(at_work.now.game, at_work.now.state, seat, left)
        if isinstance(verdict, play.Rejected):
            # The first part stands: what it revealed cannot be undone.
            at_work.not_played += not_played(seat, (p.said for p in left), verdict.reason)
            left = ()
            break
        order = verdict
    _set_down(judged, at_work, moved=bool(steps))
    if steps:
        at_work.keep_rest(seat, tuple(each.said for each in left), bool(on_word))
    at_work.play_waiting()
    now = at_work.now
    if judged.plans and not steps:
        digest = mail_digest(at_work.desk, now.log, seat, case.said, proven=case.writer.proven)
        at_work.waits = at_work.waits.read(digest)
    verdict_now = Verdict.ACCEPTED
    if now.log.chain == case.now.log.chain:
        only = judged.withdrawn and not judged.plans
        verdict_now = Verdict.WITHDRAWN if only else Verdict.WAITING
    return replace(
        case.answered(verdict_now, now),
        steps=tuple(steps),
        not_played=at_work.not_played,
        waits=at_work.waits.plans,
        played=at_work.played,
        more=at_work.more,
    )


def _passed(seat: Seat, played: play.Accepted[Any]) -> tuple[NotPlayed, ...]:
    """The alternatives that were passed over, as they could not be played."""
    return tuple(NotPlayed(seat, said, say("{why}", why=why), True) for said, why in played.passed)


def _set_down(judged: Judged, at_work: AtWork, *, moved: bool) -> None:
    """Take back or put aside what waits no longer after a message, and file its new plans."""
    seat, on_word = judged.case.seat, bool(_on_word(judged.case, at_work.desk))
    at_work.take_back(at_work.waits.numbered([seat], judged.withdrawn))
    at_work.waits = at_work.waits.asking(seat)
    if moved:  # a new order takes the place of what was left of the last one
        at_work.put_aside(at_work.waits.rest(seat), say("Your newer order takes its place"))
    at_work.waits = at_work.waits.forgotten(seat)
    at_work.file(seat, [each._replace(on_word=on_word) for each in judged.plans])


# ---------------------------------------------------------------- what waits is taken back


def only_withdraws(message: Submission) -> bool:
    """Does a message take back plans, or ask for their list, and nothing else?"""
    said = [line.text for line in message.orders]
    return bool(said) and all(
        plan.withdrawn(text) is not None or plan.asks_for_list(text) for text in said
    )


def withdraw(
    path: str, seat: Seat, here: Circumstances, number: int = 0
) -> tuple[Match, tuple[str, ...]]:
    """Take back what waits for a seat, or its plan of this number, on the moderator's word. Gives
    the match, and the moves that wait no more. Raises Problem: Usage if there is no such seat."""
    with bench(path, here) as at_work:
        gone = at_work.waits.numbered([at_work.now.require_seat(seat)], [number])
        at_work.take_back(gone)
        return at_work.now, tuple(move for each in gone for move in each.moves)


def _withdrawn(case: Case, at_work: Bench, reason: str) -> Answer:
    """The answer to a message that only takes back plans, or asks for their list. What it says to
    others is entered, with this reason."""
    if objection := objection_to(case):
        return objection
    why, troubles = press.unfit(case.now, case.said)
    if why:
        return case.refused(why, troubles=troubles)
    now, desk, waiting, own = case.now, at_work.desk, at_work.waits, case.writer.seats
    seats = [seat for seat in own if case.said.seat in (None, seat)] or own
    numbers = [
        number for line in case.said.orders if (number := plan.withdrawn(line.text)) is not None
    ]
    again = brought_plans(now, desk, case.said, case.writer)
    for number in () if again else numbers:
        if number and not waiting.numbered(seats, [number]):
            why = say("No plan of yours has the number {number}; `plans` lists them", number=number)
            return case.refused(why)
    losing = [seat for seat in seats if waiting.numbered([seat], numbers)]
    if len(losing) > 1 and not again:
        why = say(
            "You play {seats:all}, and this would take back plans of each. Say for which one it "
            "is, with a line like `seat: {first}` in the fence",
            seats=losing,
            first=losing[0],
        )
        return case.refused(why)
    digest = mail_digest(desk, now.log, seats[0], case.said, proven=case.writer.proven)
    at_work.now = press.entered(now, case.seat, case.said, at_work.clock, reason)
    if gone := waiting.numbered(seats, () if again else numbers):
        at_work.take_back(gone)
        at_work.waits = at_work.waits.read(digest)
    for seat in seats if numbers else ():
        at_work.waits = at_work.waits.asking(seat)
    kept = tuple(each for each in waiting.plans if each not in gone)
    verdict = Verdict.WITHDRAWN if numbers else Verdict.WAITING
    answer = case.answered(verdict, at_work.now)
    return replace(answer, not_played=at_work.not_played, waits=kept)


# ---------------------------------------------------------------- what was accepted before


def recall(duplicate: Answer, desk: Desk, clock: Now) -> Answer | None:
    """The answer that was due when this message was accepted; None if it never was, or came from
    somebody else.

    The match is wound back to where it stood and the message played again; draws are repeatable,
    so the same follows. The result is the match as the log has it; nothing is written.
    """
    now, said, writer = duplicate.before, duplicate.said, duplicate.writer
    if writer is None:
        return None
    plies = plies_of(now.log, desk, said, writer)
    if plies:
        seat, start, end = plies[0].seat, plies[0].nth, plies[-1].nth + 1
        before = Match.of(now.log.first(start), now.keyring)
    elif came := plans_came(now, desk, said, writer):
        seat, before = came
        start = end = len(before.log.entries)
    else:
        return None
    while end < len(now.log.entries) and _follows(now, desk, end):
        end += 1
    after = Match.of(now.log.first(end), now.keyring)
    case = Case(before, said, writer._replace(seats=(seat,)))
    judged = rule(case)
    if isinstance(judged, Answer) or judged.played is None:  # say, a rule has been mended since
        verdict = Verdict.ACCEPTED if end > start else Verdict.WAITING
        return replace(case.answered(verdict, after), writer=writer)
    # What waited then is kept until the log has grown again.
    then = next(
        (each for each in desk.waits if each.after == before.log.chain != now.log.chain), None
    )
    if then is None:
        judged = judged._replace(plans=(), withdrawn=())
    as_then = (lambda: now.log.entries[start].at) if start < len(now.log.entries) else clock
    answer = play_on(judged, AtWork(before, then or Waiting(before.log.chain), desk, as_then))
    if after.log.chain == now.log.chain:
        answer = replace(answer, waits=waiting_now(now, desk).plans)
    if start == end:  # it brought nothing but plans, and the log did not grow
        over = (each for each in answer.waits if each.seat == seat and each.over)
        gone = tuple(NotPlayed(seat, each.text, say("{why}", why=each.why)) for each in over)
        answer = replace(answer, verdict=Verdict.WAITING, not_played=gone)
    return replace(answer, after=after, writer=writer)


def _follows(now: Match, desk: Desk, nth: int) -> bool:
    """Did this entry come about by itself: a draw, or something that had waited?"""
    entry = now.log.entries[nth]
    return isinstance(entry, Ply) and (not entry.source or is_from_plan(now.log, desk, entry))
