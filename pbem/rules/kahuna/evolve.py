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
from pbem.rules.zones import without


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _pair(pair: tuple[Any, Any], me: int, value: Any) -> tuple[Any, Any]:
    """The pair with a new value for `me`."""
    return (pair[0], value) if me else (value, pair[1])


def _with(zone: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """A zone with one more card, sorted: whichever came first, the position is the same."""
    return tuple(sorted((*zone, card)))


def _on_dealt(s: State, e: events.Dealt) -> State:
    if e.to == DISPLAY:
        return s._replace(owed=s.owed[1:], deck=s.deck - 1, display=(*s.display, e.card))
    me = SEAT[e.to]
    hands = _pair(s.hands, me, _with(s.hands[me], e.card))
    return s._replace(owed=s.owed[1:], deck=s.deck - 1, hands=hands)


def _on_spent(s: State, e: events.Spent) -> State:
    me, discard = SEAT[e.seat], _with(s.discard, e.card)
    if e.card in s.open[me]:  # an open copy before a hidden one of the same name [K-46]
        laid = _pair(s.open, me, without(s.open[me], e.card))
        return s._replace(open=laid, discard=discard, done="played", cleared=None)
    hands = _pair(s.hands, me, without(s.hands[me], e.card))
    return s._replace(hands=hands, discard=discard, done="played", cleared=None)


def _on_spent_hidden(s: State, e: events.SpentHidden) -> State:
    me = SEAT[e.seat]
    hands = _pair(s.hands, me, without(s.hands[me], e.card))
    return s._replace(hands=hands, discard=_with(s.discard, e.card), done="played", cleared=None)


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


def _on_tucked(s: State, e: events.Tucked) -> State:
    me = SEAT[e.seat]
    hands = _pair(s.hands, me, without(s.hands[me], e.card))
    return _under_the_pile(s._replace(hands=hands), me, e.card)


def _on_tucked_open(s: State, e: events.TuckedOpen) -> State:
    me = SEAT[e.seat]
    laid = _pair(s.open, me, without(s.open[me], e.card))
    return _under_the_pile(s._replace(open=laid), me, e.card)


def _under_the_pile(s: State, me: int, card: Card) -> State:
    tucked = _pair(s.tucked, me, _with(s.tucked[me], card))
    return s._replace(tucked=tucked, done="discarded", cleared=None)


def _on_took(s: State, e: events.Took) -> State:
    me = SEAT[e.seat]
    display, owed = without(s.display, e.card), (DISPLAY,) if s.deck else ()
    if s.rules.variant2:  # it lies open in front of the player [K-45]
        laid = _pair(s.open, me, (*s.open[me], e.card))
        return s._replace(open=laid, display=display, owed=owed, drawing=True, passed=False)
    hands = _pair(s.hands, me, _with(s.hands[me], e.card))
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
    events.SpentHidden: _on_spent_hidden,
    events.Built: _on_built,
    events.Swept: _on_swept,
    events.Cut: _on_cut,
    events.Tucked: _on_tucked,
    events.TuckedOpen: _on_tucked_open,
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
