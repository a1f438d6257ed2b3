"""What each fact changes in Kanaloa (Piatnik).

A seat is its number; rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import HIDDEN, Event
from pbem.rules.kanaloa_piatnik import events, race
from pbem.rules.kanaloa_piatnik.board import HAND, left_out
from pbem.rules.kanaloa_piatnik.cards import MASK, ONE, size
from pbem.rules.kanaloa_piatnik.route import longer, start_field
from pbem.rules.kanaloa_piatnik.state import Sea, Stage, State, Tally, clockwise
from pbem.rules.zones import put


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _on_dropped(s: State, e: events.Dropped) -> State:
    removed = (*s.sea.removed, e.card)
    asked: Stage = "drop" if len(removed) < left_out(len(s.hands)) else "lay"
    return s._replace(sea=s.sea._replace(removed=removed), asked=asked)


def _on_laid(s: State, e: events.Laid) -> State:
    card = s.rules.ocean[e.card]
    route = longer(s.sea.route, card.turned() if e.turned else card)
    boats = s.sea.boats or (start_field(route),) * len(s.hands)
    return s._replace(sea=Sea(route, boats, s.sea.removed))


def _on_round_began(s: State, e: events.RoundBegan) -> State:
    start = s.rules.seats.index(e.start)
    nothing = (0,) * len(s.hands)
    tally = Tally(e.round, start, start, nothing, (None,) * len(s.hands))
    return State(s.rules, tally, s.sea, "deal", e.start, nothing)


def _on_dealt(s: State, e: events.Dealt) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, _ = s
    me = rules.seats.index(turn)
    if e.card == HIDDEN:
        hidden = put(hidden or (0,) * len(hands), me, (hidden[me] if hidden else 0) + 1)
    else:
        one = ONE[e.card]
        hands = (*hands[:me], hands[me] + one, *hands[me + 1 :])
        out += one
    if size(hands[me]) + (hidden[me] if hidden else 0) == HAND:
        following = (me + 1) % len(hands)
        turn = rules.seats[following]
        if following == tally.start and rules.announce:
            asked = "announce"
    return State(rules, tally, sea, asked, turn, hands, hidden, out)


def _on_announced(s: State, e: events.Announced) -> State:
    me = s.rules.seats.index(e.seat)
    announced = put(s.tally.announced, me, e.tilts)
    silent = (n for n in clockwise(s) if announced[n] is None)
    turn = s.rules.seats[next(silent, s.tally.start)]
    return s._replace(tally=s.tally._replace(announced=announced), turn=turn)


def _on_trick_began(s: State, e: events.TrickBegan) -> State:
    rules, tally, sea, _, _, hands, hidden, out, _ = s
    return State(rules, tally, sea, "card", e.seat, hands, hidden, out)


def _on_played(s: State, e: events.Played) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, table = s
    me = rules.seats.index(turn)
    one = ONE[e.card]
    if hands[me] & MASK[e.card]:
        hands = (*hands[:me], hands[me] - one, *hands[me + 1 :])
    elif hidden and hidden[me]:  # one of the hidden cards: from now on it is known
        left = put(hidden, me, hidden[me] - 1)
        hidden, out = left if any(left) else (), out + one
    following = rules.seats[(me + 1) % len(hands)]
    tally = tally._replace(taken=()) if tally.taken else tally
    return State(rules, tally, sea, asked, following, hands, hidden, out, (*table, e.card))


def _on_removal_due(s: State, e: events.RemovalDue) -> State:
    return s._replace(asked="octopus" if e.after == "octopus" else "removal", turn=e.seat)


def _on_removed(s: State, e: events.Removed) -> State:
    sea = race.without(s.sea, e.card)
    if s.asked == "octopus":
        following = s.rules.seats[(s.tally.lead + len(s.table)) % len(s.hands)]
        return s._replace(sea=sea, asked="card", turn=following)
    return s._replace(sea=sea)


def _on_trick_won(s: State, e: events.TrickWon) -> State:
    rules, tally, sea, asked, _, hands, hidden, out, table = s
    me = rules.seats.index(e.seat)
    tricks = put(tally.tricks, me, tally.tricks[me] + 1)
    taken = tuple(((tally.lead + n) % len(hands), card) for n, card in enumerate(table))
    tally = Tally(tally.round, tally.start, me, tricks, tally.announced, taken=taken)
    return State(rules, tally, sea, asked, e.seat, hands, hidden, out)


def _on_moved(s: State, e: events.Moved) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, table = s
    sea = Sea(sea.route, put(sea.boats, rules.seats.index(e.seat), e.to), sea.removed)
    return State(rules, tally, sea, asked, turn, hands, hidden, out, table)


def _on_righted(s: State, e: events.Righted) -> State:
    announced = put(s.tally.announced, s.rules.seats.index(e.seat), False)
    return s._replace(tally=s.tally._replace(announced=announced))


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    events.Dropped: _on_dropped,
    events.Laid: _on_laid,
    events.RoundBegan: _on_round_began,
    events.Dealt: _on_dealt,
    events.Announced: _on_announced,
    events.TrickBegan: _on_trick_began,
    events.Played: _on_played,
    events.RemovalDue: _on_removal_due,
    events.Removed: _on_removed,
    events.TrickWon: _on_trick_won,
    events.Offered: lambda s, e: s._replace(asked=e.offer, turn=e.seat),
    events.Moved: _on_moved,
    events.Righted: _on_righted,
    events.Ended: lambda s, e: s._replace(tally=s.tally._replace(ended=e), asked="over"),
}
