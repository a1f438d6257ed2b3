"""Who is owed a letter: those with news that nobody else may see. The post tells the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.core import CHANCE, Event, Seat
from pbem.log import private_press, sealing
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.log.rulings import Default, Press, Ruled
from pbem.play import judge as play
from pbem.report import waiting
from pbem.sentence import Counted, Sentence, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk


def owed(before: Match, after: Match, desks: Sequence[Desk]) -> dict[Seat, Sentence]:
    """The seats with news that nobody else may see, and what it is; `desks` are the desk file
    before and after."""
    from pbem.desk.plans.run import waiting_now

    then, now = (
        waiting_now(match, desk).plans for match, desk in zip((before, after), desks, strict=True)
    )
    found = {}
    for seat in after.setup.seats:
        if why := _seen(after, seat, len(before.log.entries)):
            found[seat] = why
        elif waiting.shown(then, seat) != waiting.shown(now, seat):
            found[seat] = say("what waits for them has changed")
    return found


def _seen(now: Match, seat: Seat, known: int) -> Sentence | None:
    """What only this seat can see of the entries after the first `known`; None for nothing."""
    theirs, drawn, more = now.seen_by(seat), 0, False
    for (ply, own), (_, open_to_all) in zip(theirs.plies, now.seen_by(None).plies, strict=True):
        if ply.nth < known or own == open_to_all:
            continue
        if ply.seat == CHANCE:
            drawn += 1
        else:
            more = more or not _foreseen(theirs, seat, ply, own)
    if drawn:
        return say(_DRAWN, n=drawn)
    for entry in theirs.log.entries[known:]:
        if isinstance(entry, Ruled) and isinstance(entry.ruling, Press):
            words = private_press.opened(theirs.log, theirs.keyring, entry)
            if words and words.by != seat:
                return say("somebody wrote to them")
    return say("something happened that only they can see") if more else None


_DRAWN: Final = Counted("a card was drawn", "{n} cards were drawn")


def _foreseen(theirs: Match, seat: Seat, ply: Ply, events: tuple[Event, ...]) -> bool:
    """Did a seat choose this itself, knowing what would follow?"""
    before = theirs.log.entries[ply.nth - 1] if ply.nth else None
    if ply.seat != seat or (isinstance(before, Ruled) and isinstance(before.ruling, Default)):
        return False
    game, state = theirs.game, theirs.first
    for other, theirs_then in theirs.plies:
        if other.number < ply.number:
            state = play.advance(game, state, theirs_then)
    move = sealing.whole_move(ply, theirs.keyring, theirs.log)
    return move is not None and events == tuple(game.effects(state, seat, game.parse(move).move))
