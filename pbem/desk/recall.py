"""What came of a message that was accepted before, told once more: for answers that a crash, or a
power cut, has kept from being written."""

from __future__ import annotations

from dataclasses import replace

from pbem.desk.answer import Answer, Verdict
from pbem.desk.append import Now
from pbem.desk.current import first_entries
from pbem.desk.duplicates import is_from_plan, plies_of
from pbem.desk.file import Desk
from pbem.desk.judging import Case, Judged, rule
from pbem.desk.plans import Waiting
from pbem.desk.submit import play_on
from pbem.desk.waiting import waiting_now
from pbem.log.format import Ply
from pbem.log.match import Match


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
    if not plies:
        return None
    end = plies[-1].nth + 1
    while end < len(now.log.entries) and _follows(now, desk, end):
        end += 1
    before, after = (
        Match.of(first_entries(now.log, count), now.keyring) for count in (plies[0].nth, end)
    )
    judged = rule(Case(before, said, replace(writer, seats=(plies[0].seat,))))
    if not isinstance(judged, Judged):  # as a rule mended since then would have it
        return Answer(
            verdict=Verdict.ACCEPTED,
            before=before,
            after=after,
            said=said,
            writer=writer,
            seat=plies[0].seat,
        )
    nothing = Waiting(before.log.chain)
    answer, _ = play_on(judged._replace(plans=(), withdrawn=()), desk, nothing, clock)
    if after.log.chain == now.log.chain:
        answer = replace(answer, waits=waiting_now(now, desk).plans)
    return replace(answer, after=after, writer=writer)


def _follows(now: Match, desk: Desk, nth: int) -> bool:
    """Did this entry come about by itself: a draw, or something that had waited?"""
    entry = now.log.entries[nth]
    return isinstance(entry, Ply) and (not entry.source or is_from_plan(now.log, desk, entry))
