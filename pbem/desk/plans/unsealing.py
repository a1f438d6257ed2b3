"""Moves that stay sealed until they are opened with those of others, and what was opened."""

from __future__ import annotations

from typing import NamedTuple

from pbem.core import HIDDEN, MOVER, Event, Move, Seat, slots
from pbem.log import sealing, turns
from pbem.log.match import Match


class Unsealing(NamedTuple):
    """The entry that opened what was sealed, and the moves it opened, each with its seat."""

    nth: int
    moves: tuple[tuple[Seat, str], ...]


def opened(now: Match) -> Unsealing | None:
    """What was last opened of what had been sealed; None before anything was. Only what the events
    of the opening tell counts: what they leave out stays unknown to all."""
    kinds = opens(now)
    at = [n for n, (_, events) in enumerate(now.plies) if any(isinstance(e, kinds) for e in events)]
    if not at:
        return None
    first = at[-2] + 1 if len(at) > 1 else 0
    ply, events = now.plies[at[-1]]
    shown = [
        {getattr(e, slot.name) for slot in slots(type(e))} for e in events if isinstance(e, kinds)
    ]
    moves = list[tuple[Seat, str]]()
    for sent, _ in now.plies[first : at[-1] + 1]:
        text = sealing.whole_move(sent, now.keyring, now.log) if sent.whole else None
        if text is None:
            continue
        move = now.game.parse(text).move
        values = {getattr(move, each.name) for each in slots(type(move)) if each.secret == MOVER}
        if any({sent.seat, *values} <= each for each in shown):
            moves.append((sent.seat, text))
    return Unsealing(ply.nth, tuple(moves))


def sealed(now: Match) -> set[str]:
    """What everybody sees of moves that stay sealed: nobody's plan waits for them."""
    shut = stay_sealed(now)
    return {now.game.notate(kind(*(HIDDEN for _ in slots(kind)))) for kind in shut}


def stay_sealed(now: Match) -> set[type[Move]]:
    """The classes of move of which all stays sealed until it is opened with those of others."""
    shut = {
        kind
        for kind in now.game.MOVES
        if slots(kind) and all(slot.secret == MOVER for slot in slots(kind))
    }
    if not shut:
        return shut
    return {
        kind
        for asked in turns.decisions(now)
        for kind in shut
        if len({each.seat for each in asked if kind in each.accepts}) > 1
    }


def opens(now: Match) -> tuple[type[Event], ...]:
    """The kinds of event that open what was sealed."""
    return getattr(now.game, "OPENS", ())
