"""From a message to plies in the log: one path for the real thing and the dry run.

`submit` and `check` differ in how much the judge knows and in whether anything is written. A move
counts once `save` has written it: whatever fails before that leaves everything as it was.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from pbem.core import CHANCE, Pattern, Seat
from pbem.desk import authorship, press
from pbem.desk.answer import Answer, Enters, NotPlayed, Verdict
from pbem.desk.append import Now
from pbem.desk.authorship import Writer
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.duplicates import is_from_plan, mail_digest, plans_came, plies_of, source_digest
from pbem.desk.file import Desk, desk_path
from pbem.desk.judging import judge, judge_again, machine, moderators_word
from pbem.desk.plans.model import Plan, Waiting, Yes
from pbem.desk.plans.run import AtWork, not_played, waiting_now
from pbem.desk.reading import SHORT, Reading
from pbem.files.timestamp import now as today
from pbem.intake import Submission, asking, plan
from pbem.intake.caveats import caveat
from pbem.intake.words import tokens
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.play import judge as play
from pbem.play import patience
from pbem.play.judge import Choice, Step
from pbem.problem import Usage
from pbem.sentence import say


def submit(
    path: str,
    message: Submission,
    here: Circumstances,
    *,
    seat: str | None = None,
    known: Reading | None = None,
) -> Answer:
    """Judge a message and, if it is accepted, append what follows. Raises Problem.

    `seat` is the moderator's word on whose message it is; what is `known` of it already is not
    found out again while the match stands as it did.
    """
    if seat is None and message.unchecked:  # before the lock: others need not wait for the net
        message = authorship.checked(message, Desk.read(path))
    with bench(path, here, known, plays=False) as at_work:
        before, desk = at_work.before, at_work.desk
        if answer := machine(before, message, word=seat is not None):
            return answer
        if (reading := at_work.known) is None:
            if seat is not None:
                writer = moderators_word(before, seat)
            else:
                writer = authorship.writer(before, message, desk)
            reading = Reading.of(before, message, writer, desk, here.clock())
        answer = judge(reading)
        _ask(answer, at_work)
        if (enters := answer.enters) is None:
            return answer
        if enters.played is not None:
            return play_on(answer, enters, at_work)
        reason = _on_word(answer, desk)
        if enters.ruling:
            at_work.enter(enters.ruling, reason, answer.seat)
            at_work.draw()
        at_work.match = press.entered(
            at_work.match, answer.seat, answer.submission, here.clock, reason
        )
        if enters.seats:
            return _take_back(answer, enters, at_work)
        return replace(answer, verdict=Verdict.ACCEPTED, after=at_work.match)


def _ask(answer: Answer, at_work: Bench) -> None:
    """Keep what the answer to a message asks its seat, in place of what it was asked before: that
    is over once it has ordered or taken back anything, or has been told why not; and by talk."""
    enters, turned_away = answer.enters or Enters(), answer.verdict in _TURNED_AWAY
    before = at_work.waits.asked(answer.seat)
    talk = answer.verdict == Verdict.PASSED_ON and not leaves_open(answer.submission, before)
    if not answer.seat or not (talk or turned_away or enters.played or enters.withdrawn):
        return
    texts = [line.text for line in answer.submission.orders]
    danish = any(asking.in_danish(text) or asking.thanks(text) for text in texts)
    asked = None
    if answer.proposal:
        chain = at_work.match.log.chain
        yes = Yes(danish=danish, doubted=answer.doubted)
        asked = Plan(answer.seat, answer.proposal, given=chain, yes=yes)
    for seat in enters.seats or (answer.seat,):
        at_work.waits = at_work.waits.asking(seat, asked)


_TURNED_AWAY: Final = (Verdict.REFUSED, Verdict.WITHDRAWN, Verdict.STALE)
"""The verdicts on messages that answer what their seat was asked, and change nothing."""


def leaves_open(message: Submission, asked: Plan | None) -> bool:
    """Does a message only speak to others, or ask to be shown something? Then what its seat was
    asked stays open; so does a choice by number, beside a few words that can take nothing back:
    "the small one"."""
    new = (*message.orders, *message.outside)
    if new and asked and len(asked.orders) > 1 and not message.requests:
        few = sum(len(tokens(line.text)) for line in new) <= SHORT
        return few and not any(caveat(line.text) for line in new)
    asks = message.requests and not new
    return bool(asks) and all(each.row.leaves_open for each in message.requests)


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
    match = Replay.read(path, keyring)
    if answer := machine(match, message, word=seat is not None):
        return answer
    if seat is not None:
        writer = moderators_word(match, seat)
    elif desk is not None and authorship.says_whose(message):
        message = authorship.checked(message, desk)
        writer = authorship.writer(match, message, desk)
    else:
        writer = _assumed(match, message, keyring)
    answer = judge(Reading.of(match, message, writer, desk, today()))
    if (enters := answer.enters) is None or (played := enters.played) is None:
        return answer
    sure = all(step.sure for step in played.steps)
    # Which of several alternatives would be played may rest on what the seat cannot know.
    if not sure and any(len(plan.alternatives(line.text)) > 1 for line in message.orders):
        played = play.Accepted((), match.state, ())
    own = answer.seat
    return replace(
        answer,
        verdict=Verdict.LEGAL if sure else Verdict.POSSIBLE,
        after=match._replace(state=played.state),
        steps=played.steps,
        waits=tuple(each._replace(number=n) for n, each in enumerate(enters.plans, 1)),
        not_played=(
            *enters.bad,
            *_passed(own, played),
            *(NotPlayed(own, each.said, say("It can't be judged yet")) for each in played.unplayed),
        ),
    )


def _assumed(match: Replay, message: Submission, keyring: Keyring) -> Writer:
    """The writer of an order that is checked at home: whoever checks it. Raises Usage."""
    if keyring.seats:
        return Writer(keyring.seats)
    if message.seat is not None:
        return Writer((match.require_seat(message.seat),))
    if len(match.awaited) == 1 or match.outcome:
        return Writer((match.awaited or match.setup.seats)[:1])
    raise Usage(
        "this text does not say whose move it is; say --from {awaited:any}", awaited=match.awaited
    )


def _on_word(answer: Answer, desk: Desk) -> str:
    """Why a message counts without the proof that players were promised; "" if it needs no why."""
    lacks = answer.writer.how == "word" and desk.policy != "from" and answer.seat != CHANCE
    return "on the moderator's word" if lacks else ""


def play_on(answer: Answer, enters: Enters, at_work: AtWork) -> Answer:
    """Enter the plies of a LEGAL message, draw, try what lay beyond the horizon, and then play what
    waits. No file is written."""
    seat, writer, order = answer.seat, answer.writer, enters.played
    assert order is not None
    on_word = _on_word(answer, at_work.desk)
    at_work.match = press.entered(at_work.match, seat, answer.submission, at_work.clock, on_word)
    at_work.not_played += enters.bad
    steps, left = list[Step](), tuple[Pattern | Choice, ...]()
    while order.steps:
        at_work.not_played += _passed(seat, order)
        for step in order.steps:
            source = source_digest(
                at_work.desk,
                at_work.match.log,
                seat,
                answer.submission,
                proven=writer.proven,
                on_word=bool(on_word),
            )
            at_work.append(step, source)
            steps.append(step)
        at_work.draw()
        left = order.unplayed
        if not left or seat not in at_work.match.asked:
            break
        verdict = play.adjudicate(at_work.match.game, at_work.match.state, seat, left)
        if isinstance(verdict, play.Rejected):
            # The first part stands: what it revealed cannot be undone.
            at_work.not_played += not_played(seat, (p.said for p in left), verdict.reason)
            left = ()
            break
        order = verdict
    _set_down(seat, enters, at_work, moved=bool(steps), on_word=bool(on_word))
    if steps:
        at_work.keep_rest(seat, tuple(each.said for each in left), bool(on_word))
    at_work.play_waiting()
    match = at_work.match
    if enters.plans and not steps:
        digest = mail_digest(at_work.desk, match.log, seat, answer.submission, proven=writer.proven)
        at_work.waits = at_work.waits.read(digest)
    came = Verdict.ACCEPTED
    if match.log.chain == answer.before.log.chain:
        only = enters.withdrawn and not enters.plans
        came = Verdict.WITHDRAWN if only else Verdict.WAITING
    return replace(
        answer,
        verdict=came,
        after=match,
        steps=tuple(steps),
        not_played=at_work.not_played,
        waits=at_work.waits.plans,
        played=at_work.played,
        more=at_work.more,
    )


def _passed(seat: Seat, played: play.Accepted[Any]) -> tuple[NotPlayed, ...]:
    """The alternatives that were passed over, as they could not be played."""
    return tuple(NotPlayed(seat, said, say("{why}", why=why), True) for said, why in played.passed)


def _set_down(seat: Seat, enters: Enters, at_work: AtWork, *, moved: bool, on_word: bool) -> None:
    """Take back or put aside what waits no longer after a message, and file its new plans."""
    at_work.take_back(at_work.waits.numbered([seat], enters.withdrawn))
    if moved:  # a new order takes the place of what was left of the last one
        at_work.put_aside(at_work.waits.rest(seat), say("Your newer order takes its place"))
    at_work.waits = at_work.waits.forgotten(seat)
    at_work.file(seat, [each._replace(on_word=on_word) for each in enters.plans])


# ---------------------------------------------------------------- what waits is taken back


def withdraw(
    path: str, seat: Seat, here: Circumstances, number: int = 0
) -> tuple[Replay, tuple[str, ...]]:
    """Take back what waits for a seat, or its plan of this number, on the moderator's word. Gives
    the match, and the moves that wait no more. Raises Problem: Usage if there is no such seat."""
    with bench(path, here) as at_work:
        gone = at_work.waits.numbered([at_work.match.require_seat(seat)], [number])
        at_work.take_back(gone)
        return at_work.match, tuple(move for each in gone for move in each.moves)


def _take_back(answer: Answer, enters: Enters, at_work: Bench) -> Answer:
    """Take back what a message takes back that holds nothing else; `now` has what it says."""
    if gone := enters.gone:
        desk, log, proven = at_work.desk, at_work.before.log, answer.writer.proven
        digest = mail_digest(desk, log, enters.seats[0], answer.submission, proven=proven)
        at_work.take_back(gone)
        at_work.waits = at_work.waits.read(digest)
    return replace(
        answer,
        verdict=Verdict.WITHDRAWN if enters.withdrawn else Verdict.WAITING,
        after=at_work.match,
        not_played=at_work.not_played,
        waits=tuple(each for each in answer.waits if each not in gone),
    )


# ---------------------------------------------------------------- what was accepted before


def recall(duplicate: Answer, desk: Desk, clock: Now) -> Answer | None:
    """The answer that was due when this message was accepted; None if it never was, or came from
    somebody else.

    The match is wound back to where it stood and the message played again; draws are repeatable,
    so the same follows. The result is the match as the log has it; nothing is written.
    """
    match, said, writer = duplicate.before, duplicate.submission, duplicate.writer
    plies = plies_of(match.log, desk, said, writer)
    if plies:
        seat, start, end = plies[0].seat, plies[0].nth, plies[-1].nth + 1
        before = Replay.of(match.log.first(start), match.keyring)
    elif came := plans_came(match, desk, said, writer):
        seat, before = came
        start = end = len(before.log.entries)
    else:
        return None
    while end < len(match.log.entries) and _follows(match, desk, end):
        end += 1
    after = Replay.of(match.log.first(end), match.keyring)
    reading = Reading.of(before, said, writer._replace(seats=(seat,)))
    judged = judge_again(reading)
    if (enters := judged.enters) is None or enters.played is None:  # a rule was mended since
        verdict = Verdict.ACCEPTED if end > start else Verdict.WAITING
        return replace(reading.answered(verdict, after), writer=writer)
    # What waited then is kept until the log has grown again.
    then = next(
        (each for each in desk.waits if each.after == before.log.chain != match.log.chain), None
    )
    if then is None:
        enters = enters._replace(plans=(), withdrawn=())
    as_then = (lambda: match.log.entries[start].at) if start < len(match.log.entries) else clock
    at_work = AtWork(before, then or Waiting(before.log.chain), desk, as_then)
    answer = play_on(judged, enters, at_work)
    if after.log.chain == match.log.chain:
        answer = replace(answer, waits=waiting_now(match, desk).plans)
    if start == end:  # it brought nothing but plans, and the log did not grow
        over = (each for each in answer.waits if each.seat == seat and each.over)
        gone = tuple(NotPlayed(seat, each.text, say("{why}", why=each.why)) for each in over)
        answer = replace(answer, verdict=Verdict.WAITING, not_played=gone)
    return replace(answer, after=after, writer=writer)


def _follows(match: Replay, desk: Desk, nth: int) -> bool:
    """Did this entry come about by itself: a draw, or something that had waited?"""
    entry = match.log.entries[nth]
    return isinstance(entry, Ply) and (not entry.source or is_from_plan(match.log, desk, entry))
