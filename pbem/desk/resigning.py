"""A seat given up by its own word: asked back once, and only the answer to that counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from pbem import authorship
from pbem.core import Seat
from pbem.desk.answer import Answer
from pbem.desk.append import Now, save
from pbem.desk.file import Desk, desk_path, read_both
from pbem.desk.judging import Case, may_withdraw
from pbem.desk.rulings import resigning
from pbem.desk.waiting import play_waiting, put_aside, waiting_now
from pbem.files import store
from pbem.intake import Request, Submission
from pbem.log import rulings
from pbem.log.match import Match
from pbem.log.rulings import Resign
from pbem.sentence import say


class State(StrEnum):
    """What came of it. Only the first two have changed the log, now or before."""

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


def resign_by(
    path: str,
    message: Submission,
    request: Request,
    clock: Now,
    *,
    wait: float = 10.0,
    opened: Callable[[str], tuple[Match, Desk]] = read_both,
) -> GivenUp | Answer:
    """Give up the seat of whoever wrote this, if it names the position the match is at.

    An Answer turns the message away. Whoever has resigned is told so again. Raises Problem.
    """
    with store.lock(path, wait, desk_path(path)):
        now, desk = opened(path)
        case = Case(now, message, authorship.writer(now, message, desk.register))
        if objection := may_withdraw(case):
            return objection
        seat = case.seat
        assert seat is not None
        if now.ending and now.ending.ruling == Resign(seat):
            return GivenUp(State.RESIGNED, seat, now)
        if seat in now.vacant:
            return GivenUp(State.VACATED, seat, now)
        if now.outcome is not None:
            return GivenUp(State.OVER, seat, now)
        ply, fingerprint = request.position or (None, None)
        if ply is None or fingerprint is None:
            return GivenUp(State.ASKED, seat, now)
        if not now.position.fits(ply, fingerprint):
            return GivenUp(State.OUTDATED, seat, now)
        ruling = resigning(now, seat)
        at = now.log.moment(clock())
        after = Match.of(now.log.extend(rulings.entry(ruling, at, by=seat)), now.keyring)
        over, waiting = isinstance(ruling, Resign), waiting_now(now, desk)
        own, why = waiting.of(seat), say("{seat:seat} has resigned", seat=seat)
        waiting, _ = put_aside(after, waiting, own, why)
        ran = play_waiting(after, waiting, desk, clock)  # plans of others end with the match
        after = ran.now
        save(now, after, desk, replace(desk, waits=(ran.waiting,)))
        return GivenUp(State.RESIGNED if over else State.VACATED, seat, after)
