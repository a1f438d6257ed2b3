"""Held moves taken back: by the moderator, or by a message of whoever sent them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem import authorship
from pbem.authorship import Dns
from pbem.core import Seat
from pbem.desk.answer import Answer, NotPlayed, Verdict
from pbem.desk.file import Desk, Held, desk_path, read_both
from pbem.desk.judging import Case, may_withdraw
from pbem.files import store
from pbem.intake import Submission
from pbem.log.match import Match
from pbem.sentence import say


def withdraw(
    path: str,
    seat: Seat,
    *,
    wait: float = 10.0,
    opened: Callable[[str], tuple[Match, Desk]] = read_both,
) -> tuple[Match, tuple[str, ...]]:
    """Take back what is held for a seat, on the moderator's word: the match, and the moves that
    wait no more. Raises Problem, Usage for a seat that is none."""
    with store.lock(path, wait, desk_path(path)):
        now, desk = opened(path)
        taken = _take_back(now, desk, [now.require_seat(seat)])
        return now, tuple(move for each in taken for move in each.moves)


def withdraw_by(
    path: str,
    message: Submission,
    *,
    wait: float = 10.0,
    dns: Dns | None = None,
    opened: Callable[[str], tuple[Match, Desk]] = read_both,
) -> Answer:
    """Take back what is held for the writer of a message, who must be known as the match asks.

    The moves are in the answer's `not_played`. Raises Problem.
    """
    if message.raw:  # before the lock: others need not wait for the net
        message = authorship.checked(message, Desk.read(path).register, dns)
    with store.lock(path, wait, desk_path(path)):
        now, desk = opened(path)
        case = Case(now, message, authorship.writer(now, message, desk.register))
        if objection := may_withdraw(case):
            return objection
        taken = _take_back(now, desk, case.writer.seats)
        kept = tuple(each for each in desk.waiting(now.log) if each not in taken)
        moves = (
            NotPlayed(each.seat, move, say("It was taken back"))
            for each in taken
            for move in each.moves
        )
        return replace(case.turned_away(Verdict.WITHDRAWN), not_played=tuple(moves), held=kept)


def _take_back(now: Match, desk: Desk, seats: Sequence[Seat]) -> tuple[Held, ...]:
    """Remove what is held for these seats from the desk file."""
    taken = tuple(each for each in desk.waiting(now.log) if each.seat in seats)
    if taken:
        kept = replace(desk, held=tuple(each for each in desk.held if each.seat not in seats))
        store.replace(desk.path, kept.text().encode(), 0o600)
    return taken
