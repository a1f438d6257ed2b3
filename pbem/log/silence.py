"""What a seat's silence brings, by the settings of the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pbem.core import Refused, Seat
from pbem.log import clock
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.play.judge import Step


def default_step(match: Match, seat: Seat, silence: str) -> Step | None:
    """The move that is played for the seat; None: the moderator is asked."""
    return next((step for step in _steps(match, seat, silence) if step.sure), None)


def has_no_default(match: Match, seat: Seat, silence: str) -> bool:
    """Is it plain, from this much knowledge of the match, that the moderator will be asked?"""
    return silence != clock.SUBSTITUTE and next(_steps(match, seat, silence), None) is None


def _steps(match: Match, seat: Seat, silence: str) -> Iterator[Step]:
    """What silence may bring, in order: each move that is legal as far as the match is known."""
    if silence == clock.DEFAULT:
        asked = [decision for decision in match.pending if decision.seat == seat]
        if asked and asked[0].default is not None:
            with suppress(Refused):  # a game from outside may name what its rules forbid
                yield play.judge(match.game, match.state, seat, asked[0].default)
    for text in clock.moves_of(silence):
        try:
            move = play.resolve(match.game, match.state, seat, match.game.parse(text))
            yield play.judge(match.game, match.state, seat, move)
        except Refused:
            continue  # to the next that is legal
