"""What a letter says about plans that wait, and the standing answers it offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pbem.core import HIDDEN, Decision, Seat, Violation
from pbem.log.match import Replay
from pbem.log.turns import decisions
from pbem.play import judge as play
from pbem.sentence import Sentence, of_data, of_kept, say

if TYPE_CHECKING:
    from pbem.desk.plans.model import Plan

ALIKE = 3
"""How often a question must be answered alike before a letter offers a standing answer."""


def shown(plans: Iterable[Plan], seat: Seat | None) -> tuple[tuple[int, Sentence], ...]:
    """What waits for a seat, each with its number, and as its owner is told about it: the rest of
    its order, numbered 0, then its plans."""
    own = sorted((plan for plan in plans if plan.seat == seat), key=lambda plan: plan.number)
    return tuple((plan.number, _told(plan)) for plan in own)


def _told(plan: Plan) -> Sentence:
    # Older files have only in English words why a plan was not played.
    why = of_kept(plan.said) if plan.said else of_data(plan.why) if plan.why else None
    if plan.over:
        return say("{text} (no longer: {why})", text=plan.text, why=why or "")
    if why:
        return say("{text} (waits on; last time: {why})", text=plan.text, why=why)
    return say("{text}", text=plan.text)


def offers(theirs: Replay, seat: Seat, plans: Iterable[Plan] = ()) -> tuple[str, ...]:
    """The standing answers that would answer a seat's questions as it has answered them lately.

    Only questions count that silence would answer, too, or that interrupt another's turn.
    """
    heads = [plan.text.split(":")[0].split() for plan in plans if plan.seat == seat]
    answered = {head[1] for head in heads if len(head) > 1 and head[0] == "always"}
    found = []
    for decision in theirs.pending:
        if decision.seat != seat or decision.kind in answered:
            continue
        if decision.default is None and decision.during is None:
            continue
        last = _last_answers(theirs, decision)
        if len(last) == ALIKE and len(set(last)) == 1 and _playable(theirs, seat, last[0]):
            found.append(f"always {decision.kind}: {last[0]}")
    return tuple(found)


def _last_answers(theirs: Replay, decision: Decision) -> list[str]:
    """The last answers of a seat to a kind of question, the newest first."""
    seat = decision.seat
    own = [ply.move for ply, _ in theirs.plies if ply.seat == seat]
    if len(own) < ALIKE or max(own.count(move) for move in set(own)) < ALIKE:
        return []  # no move was played that often: the match need not be replayed
    found = [
        ply.move
        for (ply, _), asked in zip(theirs.plies, decisions(theirs), strict=False)
        if ply.seat == seat and next((e.kind for e in asked if e.seat == seat), "") == decision.kind
    ]
    return [move for move in found[: -ALIKE - 1 : -1] if HIDDEN not in move]


def _playable(theirs: Replay, seat: Seat, move: str) -> bool:
    try:
        game = theirs.game
        play.judge(game, theirs.state, seat, game.parse(move).move)
    except Violation:
        return False
    return True
