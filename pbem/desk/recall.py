"""What came of a message that was accepted before, told once more: for answers that a crash, or a
power cut, has kept from being written."""

from __future__ import annotations

from dataclasses import replace

from pbem.desk.answer import Answer, NotPlayed, Verdict
from pbem.desk.append import Now
from pbem.desk.case import Case
from pbem.desk.duplicates import is_from_plan, plans_came, plies_of
from pbem.desk.file import Desk
from pbem.desk.judging import rule
from pbem.desk.plans.model import Waiting
from pbem.desk.plans.run import AtWork, waiting_now
from pbem.desk.submit import play_on
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.sentence import say


def recall(duplicate: Answer, desk: Desk, clock: Now) -> Answer | None:
    """The answer that was due when this message was accepted; None if it never was, or from
    another writer.

    The match is wound back to where it stood and the message played again: draws are repeatable,
    so the same follows. What stands in the log counts; nothing is written.
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
    if isinstance(judged, Answer) or judged.played is None:  # by a rule mended since, say
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
    if start == end:  # it has brought plans that wait, and the log is as it was
        over = (each for each in answer.waits if each.seat == seat and each.over)
        gone = tuple(NotPlayed(seat, each.text, say("{why}", why=each.why)) for each in over)
        answer = replace(answer, verdict=Verdict.WAITING, not_played=gone)
    return replace(answer, after=after, writer=writer)


def _follows(now: Match, desk: Desk, nth: int) -> bool:
    """Did this entry come about by itself: a draw, or something that had waited?"""
    entry = now.log.entries[nth]
    return isinstance(entry, Ply) and (not entry.source or is_from_plan(now.log, desk, entry))
