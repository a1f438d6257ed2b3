"""From a message to plies in the log: one path for the real thing and the dry run.

`submit` and `check` differ in who judges and in whether anything is written. What is played counts
from `save` on: whatever fails before leaves everything as it was.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Final

from pbem.core import CHANCE, Pattern, Seat, Usage
from pbem.desk import authorship, press
from pbem.desk.answer import Answer, NotPlayed, Verdict
from pbem.desk.append import Now, append_ply, play_chance
from pbem.desk.authorship import Writer
from pbem.desk.authorship.domainkeys import Dns
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.duplicates import mail_digest, source_digest
from pbem.desk.file import Desk, desk_path
from pbem.desk.judging import Case, Judged, judge, machine, moderators_word
from pbem.desk.plans.model import Proposal, Waiting
from pbem.desk.plans.run import filed, not_played, play_waiting, put_aside, with_rest
from pbem.desk.withdraw import only_withdraws, taken, told_of, withdrawn
from pbem.files.clock import now as today
from pbem.intake import Submission, plan, requests
from pbem.log.match import Match
from pbem.log.seal import Keyring
from pbem.play import judge as play
from pbem.play import patience
from pbem.play.judge import Choice, Step
from pbem.sentence import say


def submit(
    path: str,
    message: Submission,
    here: Circumstances,
    *,
    seat: str | None = None,
    dns: Dns | None = None,
) -> Answer:
    """Judge a message and, if it is accepted, append what follows. Raises Problem.

    `seat` is the moderator's word on whose message it is; `dns` who is asked for DKIM keys.
    """
    if seat is None and message.unchecked:  # before the lock: others need not wait for the net
        message = authorship.checked(message, Desk.read(path), dns)
    with bench(path, here, plays=False) as at_work:
        before, desk = at_work.before, at_work.desk
        if answer := machine(before, message):
            return answer
        if seat is not None:
            writer = moderators_word(before, seat)
        else:
            writer = authorship.writer(before, message, desk)
        if only_withdraws(message):
            case = Case(before, message, writer)
            return withdrawn(case, at_work, _ON_WORD if _on_word(case, desk) else "")
        judged = judge(before, message, writer, desk, here.clock())
        if isinstance(judged, Answer):
            _ask(judged, at_work)
            return judged
        told = _ON_WORD if _on_word(judged.case, desk) else ""
        if judged.played is None:
            if judged.ruling:
                at_work.enter(judged.ruling, told, judged.seat)
                at_work.draw()
            said = judged.case.said
            at_work.now = press.entered(at_work.now, judged.seat, said, here.clock, told)
            return judged.case.answered(Verdict.ACCEPTED, at_work.now)
        answer, at_work.waits = play_on(judged, desk, at_work.waits, here.clock)
        at_work.now = answer.after
        return answer


def _ask(answer: Answer, at_work: Bench) -> None:
    """Keep what a seat is asked by the answer to its message; it is asked nothing else then."""
    if answer.seat is None or answer.verdict not in (Verdict.REFUSED, Verdict.WITHDRAWN):
        return
    texts = [line.text for line in answer.said.orders]
    danish = any(requests.in_danish(text) or requests.thanks(text) for text in texts)
    asked = None
    if answer.proposal:
        asked = Proposal(answer.seat, answer.proposal, at_work.now.log.chain, danish=danish)
    if at_work.waits.asked(answer.seat) != asked:
        at_work.waits = at_work.waits.asking(answer.seat, asked)


@patience.one_judgement()
def check(path: str, message: Submission, *, seat: str | None, keyring: Keyring) -> Answer:
    """Judge a message as far as the keys at hand let one know. Nothing is written or drawn.

    Where the desk file is at hand, the verdict on who wrote it is the one of `submit`. Raises
    Problem.
    """
    desk = Desk.read(path) if os.access(desk_path(path), os.R_OK) else None
    now = Match.read(path, keyring)
    if answer := machine(now, message):
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
    veiled = not sure and any(len(plan.alternatives(line.text)) > 1 for line in message.orders)
    after = now if veiled else now._replace(state=played.state)
    return replace(
        judged.case.answered(Verdict.LEGAL if sure else Verdict.POSSIBLE, after),
        steps=() if veiled else played.steps,
        waits=tuple(each._replace(number=n) for n, each in enumerate(judged.plans, 1)),
        not_played=(
            *judged.bad,
            *(() if veiled else _passed(judged.seat, played)),
            *(
                NotPlayed(judged.seat, pattern.said, say("It can't be judged yet"))
                for pattern in (() if veiled else played.unplayed)
            ),
        ),
    )


def _assumed(now: Match, message: Submission, keyring: Keyring) -> Writer:
    """Whoever checks an order at home is taken for its writer. Raises Usage."""
    if keyring.seats:
        return Writer(keyring.seats)
    if message.seat is not None:
        return Writer((now.require_seat(message.seat),))
    if len(now.awaited) == 1 or now.outcome:
        return Writer((now.awaited or now.setup.seats)[:1])
    raise Usage(
        "this text does not say whose move it is; say --from {awaited:any}", awaited=now.awaited
    )


_ON_WORD: Final = "on the moderator's word"


def _on_word(case: Case, desk: Desk) -> bool:
    """Does the moderator's word stand in for the proof that the players were promised?"""
    return case.writer.how == "word" and desk.policy != "from" and case.seat != CHANCE


def play_on(judged: Judged, desk: Desk, waiting: Waiting, clock: Now) -> tuple[Answer, Waiting]:
    """Enter the judged plies, let chance speak, try what lay beyond the horizon, and then whatever
    waits.

    Gives the answer and what waits then; nothing is written.
    """
    case, seat, order = judged.case, judged.seat, judged.played
    assert order is not None
    on_word = _on_word(case, desk)
    now = press.entered(case.now, seat, case.said, clock, _ON_WORD if on_word else "")
    steps: list[Step] = []
    told, passed = tuple[NotPlayed, ...](), tuple[NotPlayed, ...]()
    left: tuple[Pattern | Choice, ...] = ()
    while order.steps:
        passed += _passed(seat, order)
        for step in order.steps:
            proven = case.writer.proven
            source = source_digest(desk, now.log, seat, case.said, proven=proven, on_word=on_word)
            now = append_ply(now, desk, step, clock, source)
            steps.append(step)
        now, left = play_chance(now, desk, clock), order.unplayed
        if not left or seat not in now.asked:
            break
        verdict = play.adjudicate(now.game, now.state, seat, left)
        if isinstance(verdict, play.Rejected):
            # The first part stands: what it revealed cannot be undone.
            told, left = not_played(seat, (p.said for p in left), verdict.reason), ()
            break
        order = verdict
    waiting, more = _waiting_then(judged, now, waiting, desk, clock(), bool(steps))
    if steps:
        waiting = with_rest(waiting, seat, tuple(each.said for each in left), on_word)
    ran = play_waiting(now, waiting, desk, clock)
    if judged.plans and not steps:
        log, proven = ran.now.log, case.writer.proven
        digest = mail_digest(desk, log, seat, case.said, proven=proven)
        ran.waiting = ran.waiting.read(digest)
    verdict_now = Verdict.ACCEPTED
    if ran.now.log.chain == case.now.log.chain:
        only = judged.withdrawn and not judged.plans
        verdict_now = Verdict.WITHDRAWN if only else Verdict.WAITING
    answer = replace(
        case.answered(verdict_now, ran.now),
        steps=tuple(steps),
        not_played=(*judged.bad, *passed, *told, *more, *ran.not_played),
        waits=ran.waiting.plans,
        played=ran.played,
        more=ran.more,
    )
    return answer, ran.waiting


def _passed(seat: Seat, played: play.Accepted[Any]) -> tuple[NotPlayed, ...]:
    """The alternatives that came first and could not be played."""
    return tuple(NotPlayed(seat, said, say("{why}", why=why), True) for said, why in played.passed)


def _waiting_then(
    judged: Judged, now: Match, waiting: Waiting, desk: Desk, at: str, moved: bool
) -> tuple[Waiting, tuple[NotPlayed, ...]]:
    """What waits once a message has been read, and what it takes back or puts aside."""
    seat, told = judged.seat, tuple[NotPlayed, ...]()
    for number in judged.withdrawn:
        gone = taken(waiting, [seat], number)
        waiting = waiting.without(*gone)
        told += told_of(gone)
    waiting = waiting.asking(seat)
    if moved:  # a new order takes the place of what was left of the last one
        rest = [each for each in waiting.of(seat) if not each.number]
        waiting, more = put_aside(now, waiting, rest, say("Your newer order takes its place"))
        told += more
    plans = [each._replace(on_word=_on_word(judged.case, desk)) for each in judged.plans]
    waiting, more = filed(now, waiting.forgotten(seat), seat, plans, at)
    return waiting, (*told, *more)
