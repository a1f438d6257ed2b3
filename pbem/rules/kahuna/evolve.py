"""What each fact of Kahuna changes.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` indexes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import Event
from pbem.rules.kahuna import events
from pbem.rules.kahuna.board import BIT, DISPLAY, SEAT, Card
from pbem.rules.kahuna.state import State, scored
from pbem.rules.zones import added, without


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _pair(pair: tuple[Any, Any], me: int, value: Any) -> tuple[Any, Any]:
    """The pair with a new value for `me`."""
    return (pair[0], value) if me else (value, pair[1])


def _on_dealt(s: State, e: events.Dealt) -> State:
    if e.to == DISPLAY:
        return s._replace(owed=s.owed[1:], deck=s.deck - 1, display=(*s.display, e.card))
    me = SEAT[e.to]
    hands = _pair(s.hands, me, added(s.hands[me], e.card))
    return s._replace(owed=s.owed[1:], deck=s.deck - 1, hands=hands)


def _left(s: State, zone: str, seat: str, card: Card) -> State:
    """The position after a card has left a zone of a seat: its `hands`, or `open`."""
    me, pair = SEAT[seat], getattr(s, zone)
    left: dict[str, Any] = {zone: _pair(pair, me, without(pair[me], card))}
    return s._replace(**left)


def _on_spent(s: State, e: events.Spent) -> State:
    """An open copy before a hidden one of the same name [K-46]."""
    return _spent(s, e, "open" if e.card in s.open[SEAT[e.seat]] else "hands")


def _spent(s: State, e: events.Spent | events.SpentHidden, zone: str) -> State:
    s = _left(s, zone, e.seat, e.card)
    return s._replace(discard=added(s.discard, e.card), done="played", cleared=None)


def _on_built(s: State, e: events.Built) -> State:
    me = SEAT[e.seat]
    bridges = _pair(s.bridges, me, s.bridges[me] | BIT[e.line])
    s = s._replace(bridges=bridges, cleared=None)
    if s.handicap[me]:
        s = s._replace(handicap=_pair(s.handicap, me, s.handicap[me] - 1))
    if not s.tally.bridged[me]:
        s = s._replace(tally=s.tally._replace(bridged=_pair(s.tally.bridged, me, True)))
    return s


def _on_swept(s: State, e: events.Swept) -> State:
    me = SEAT[e.seat]
    return s._replace(bridges=_pair(s.bridges, me, s.bridges[me] & ~BIT[e.line]))


def _on_cut(s: State, e: events.Cut) -> State:
    me = SEAT[e.seat]
    bridges = _pair(s.bridges, me, s.bridges[me] & ~BIT[e.line])
    return s._replace(bridges=bridges, cleared=e.line if s.rules.variant1 else None)


def _tucked(s: State, e: events.Tucked | events.TuckedOpen, zone: str) -> State:
    me, s = SEAT[e.seat], _left(s, zone, e.seat, e.card)
    tucked = _pair(s.tucked, me, added(s.tucked[me], e.card))
    return s._replace(tucked=tucked, done="discarded", cleared=None)


def _on_took(s: State, e: events.Took) -> State:
    me = SEAT[e.seat]
    display, owed = without(s.display, e.card), (DISPLAY,) if s.deck else ()
    if s.rules.variant2:  # it lies open in front of the player [K-45]
        laid = _pair(s.open, me, (*s.open[me], e.card))
        return s._replace(open=laid, display=display, owed=owed, drawing=True, passed=False)
    hands = _pair(s.hands, me, added(s.hands[me], e.card))
    return s._replace(hands=hands, display=display, owed=owed, drawing=True, passed=False)


def _on_turn_passed(s: State, e: events.TurnPassed) -> State:
    if s.tally.final_turns:
        s = s._replace(tally=s.tally._replace(final_turns=1))
    return s._replace(turn=SEAT[e.to], drawing=False, done="", cleared=None)


def _on_scored(s: State, e: events.Scored) -> State:
    return s._replace(tally=s.tally._replace(score=scored(s, e.seat, e.points)))


def _on_reshuffled(s: State, e: events.Reshuffled) -> State:
    tally = s.tally._replace(round=e.round)
    if e.round == 2:
        tally = tally._replace(bridged=(s.bridges[0] > 0, s.bridges[1] > 0))
    owed = (DISPLAY,) * 3
    return s._replace(tally=tally, deck=e.deck, owed=owed, discard=(), tucked=((), ()))


def _on_last_turns(s: State, e: events.LastTurns) -> State:
    tally = s.tally._replace(final_turns=2)
    return s._replace(turn=SEAT[e.seat], tally=tally, drawing=False, done="", cleared=None)


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    events.Dealt: _on_dealt,
    events.Spent: _on_spent,
    events.SpentHidden: lambda s, e: _spent(s, e, "hands"),
    events.Built: _on_built,
    events.Swept: _on_swept,
    events.Cut: _on_cut,
    events.Tucked: lambda s, e: _tucked(s, e, "hands"),
    events.TuckedOpen: lambda s, e: _tucked(s, e, "open"),
    events.Took: _on_took,
    events.Drew: lambda s, e: s._replace(owed=(e.seat,), drawing=True, passed=False),
    events.Passed: lambda s, e: s._replace(passed=True),
    events.HandicapDone: lambda s, e: s._replace(handicap=_pair(s.handicap, SEAT[e.seat], 0)),
    events.TurnPassed: _on_turn_passed,
    events.Scored: _on_scored,
    events.Reshuffled: _on_reshuffled,
    events.LastTurns: _on_last_turns,
    events.Ended: lambda s, e: s._replace(tally=s.tally._replace(ended=e), owed=(), drawing=False),
}
