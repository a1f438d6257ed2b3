"""What comes of a move in Kanaloa (Piatnik): the facts it brings about, and what each changes.

A seat is its number; rule ids refer to games/kanaloa-piatnik/rules.yaml. What a move brings
about is told in the state that the facts told so far have led to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache
from typing import Any

from pbem.core import HIDDEN, Event, Move, Outcome, Seat
from pbem.rules.kanaloa_piatnik.facts import (
    ALL_SEATS,
    BONUS,
    FEWEST_OCEAN_CARDS,
    HAND,
    MASK,
    OCEAN_CARDS,
    OCTOPUS,
    ONE,
    TRICKS,
    Announce,
    Announced,
    Deal,
    Dealt,
    Dolphin,
    Drop,
    Dropped,
    Ended,
    Held,
    Laid,
    Lapped,
    Lay,
    Moved,
    NothingRemoved,
    Offered,
    Play,
    Played,
    RemovalDue,
    Remove,
    Removed,
    Righted,
    RoundBegan,
    Sail,
    Sea,
    State,
    Stay,
    Stayed,
    Tally,
    TrickBegan,
    TrickWon,
    held,
    longer,
    size,
)
from pbem.rules.kanaloa_piatnik.rules import left_out
from pbem.rules.kanaloa_piatnik.sea import (
    dolphin_helps,
    free_cards,
    lapped,
    moved,
    start_field,
    trump,
    without,
)
from pbem.rules.kanaloa_piatnik.trick import winner

# Facts are values: the common ones are made once.
_dealt, _played, _moved = cache(Dealt), cache(Played), cache(Moved)
_trick_won, _trick_began = cache(TrickWon), cache(TrickBegan)

Telling = Iterator[Event]

# ----------------------------------------------------------------------- from move to facts


def effects(s: State, seat: Seat, move: Move) -> Iterable[Event]:
    """See `pbem.core.Game.effects`."""
    return _EFFECTS[type(move)](s, seat, move)


def _drop(s: State, seat: Seat, m: Drop) -> Telling:
    yield Dropped(m.card)


def _lay(s: State, seat: Seat, m: Lay) -> Telling:
    yield Laid(m.card, m.turned)
    if len(s.sea.route.cards) + 1 + len(s.sea.removed) == OCEAN_CARDS:
        yield RoundBegan(1, s.rules.seats[s.rules.starter])


def _deal(s: State, seat: Seat, m: Deal) -> tuple[Event, ...]:
    dealt, start, me = _dealt(m.to, m.card), s.tally.start, _me(s)
    if s.rules.announce or _after(s, me) != start or held(s, me) < HAND - 1:
        return (dealt,)
    return (dealt, _lead(s, start))


def _announce(s: State, seat: Seat, m: Announce) -> Telling:
    s = yield from _tell(s, Announced(seat, m.tilts, m.known_to))
    if None in s.tally.announced:
        return
    if not s.rules.announce_open:
        for n in _clockwise(s):
            yield Announced(s.rules.seats[n], s.tally.announced[n], ALL_SEATS)  # type: ignore[arg-type]
    yield _lead(s, s.tally.start)


def _play(s: State, seat: Seat, m: Play) -> Iterable[Event]:
    played = _played(seat, m.card)
    if m.card != OCTOPUS and len(s.table) + 1 < len(s.hands):
        return (played,)
    return _play_last_or_octopus(s, seat, played)


def _play_last_or_octopus(s: State, seat: Seat, played: Played) -> Telling:
    s = yield from _tell(s, played)
    if played.card == OCTOPUS:
        if free_cards(s.sea):
            yield RemovalDue(seat, "octopus")
            return
        yield NothingRemoved(seat, "P-A10" if _few(s) else "P-39")
    yield from _next_card(s)


def _remove(s: State, seat: Seat, m: Remove) -> Telling:
    at_round_end = s.asked == "removal"
    s = yield from _tell(s, Removed(seat, m.card))
    yield from _after_removal(s) if at_round_end else _next_card(s)


def _sail(s: State, seat: Seat, m: Sail) -> Telling:
    if s.asked == "bonus":
        s = yield from _tell(s, Righted(seat))
        yield from _voyage(s, _me(s), BONUS)
    else:
        yield from _voyage(s, _me(s), 1)


def _dolphin(s: State, seat: Seat, m: Dolphin) -> Telling:
    return _voyage(s, _me(s), 1)


def _stay(s: State, seat: Seat, m: Stay) -> Telling:
    if s.asked == "bonus":
        s = yield from _tell(s, Righted(seat))
    yield Stayed(seat, s.asked)
    yield from _at_rest(s, _me(s))


_EFFECTS: dict[type[Move], Callable[[State, Seat, Any], Iterable[Event]]] = {
    Drop: _drop,
    Lay: _lay,
    Deal: _deal,
    Announce: _announce,
    Play: _play,
    Remove: _remove,
    Sail: _sail,
    Dolphin: _dolphin,
    Stay: _stay,
}

# ------------------------------------------------------------------- what follows on what


def _tell(s: State, event: Event) -> Generator[Event, None, State]:
    """Tell a fact, and give the state in which the telling goes on."""
    yield event
    return evolve(s, event)


def _next_card(s: State) -> Telling:
    """The next seat plays; or all have, and the best card takes the trick [P-24, P-26]."""
    if len(s.table) < len(s.hands):
        return
    place = winner(s.table, trump(s.sea))
    me = (s.tally.lead + place) % len(s.hands)
    seat = s.rules.seats[me]
    s = yield from _tell(s, _trick_won(seat, s.table[place]))
    failure = s.rules.announce_failure
    if s.tally.announced[me] is True and failure != "no_bonus":  # [P-47, P-A23]
        s = yield from _tell(s, Righted(seat) if failure == "from_next_trick" else Held(seat))
        yield from _at_rest(s, me)
    elif s.rules.may_decline_move:
        yield Offered(seat, "move")
    else:
        yield from _voyage(s, me, 1)


def _voyage(s: State, me: int, fields: int) -> Telling:
    """A boat sails; past the last boat it wins at once [P-42, P-A28]; with a dolphin it may
    sail on [P-41, P-A15]."""
    seat = s.rules.seats[me]
    for _ in range(fields):
        sea = moved(s.sea, me)
        to = sea.boats[me]
        names = sea.route.names
        s = yield from _tell(s, _moved(seat, to, names[to % len(names)]))
        behind = lapped(sea, me)
        if behind is not None:
            yield Lapped(seat, s.rules.seats[behind])
            yield Ended(seat, "P-42")
            return
    if not dolphin_helps(s.sea, me):
        yield from _at_rest(s, me)
    elif s.rules.dolphin_asks:
        yield Offered(seat, "dolphin")
    else:
        yield from _voyage(s, me, 1)


def _at_rest(s: State, me: int) -> Telling:
    """A boat has moved, or does not: after a kept announcement the next such boat follows, after
    a trick the next trick or the end of the round [P-20]."""
    if not s.tally.tricks[me]:
        yield from _bonuses(s)
    elif sum(s.tally.tricks) < TRICKS:
        yield _lead(s, s.tally.lead)
    else:
        for n in _clockwise(s):
            if s.tally.announced[n] is True and s.tally.tricks[n]:  # [P-47]
                s = yield from _tell(s, Righted(s.rules.seats[n]))
        yield from _bonuses(s) if s.rules.announce_before_removal else _removal(s)


def _removal(s: State) -> Telling:
    """The end of a round, for the winner of its last trick [P-21, P-22, P-A12]."""
    seat = s.rules.seats[s.tally.lead]
    if free_cards(s.sea):
        yield RemovalDue(seat, "round")
    else:
        yield NothingRemoved(seat, "P-22")
        yield from _after_removal(s)


def _after_removal(s: State) -> Telling:
    yield from _new_round(s) if s.rules.announce_before_removal else _bonuses(s)


def _bonuses(s: State) -> Telling:
    """Who has kept his announcement may sail three fields, one after the other [P-46, P-A25]."""
    for n in _clockwise(s):
        if s.tally.announced[n] is True:
            yield Offered(s.rules.seats[n], "bonus")
            return
    yield from _removal(s) if s.rules.announce_before_removal else _new_round(s)


def _new_round(s: State) -> Telling:
    """The winner of the last trick starts [P-23]."""
    yield RoundBegan(s.tally.round + 1, s.rules.seats[s.tally.lead])


def _lead(s: State, seat: int) -> Event:
    return _trick_began(s.rules.seats[seat], trump(s.sea))


def _me(s: State) -> int:
    """The number of the seat that is asked, or dealt to."""
    return s.rules.seats.index(s.turn)


def _after(s: State, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % len(s.hands)


def _clockwise(s: State) -> list[int]:
    """All seats from the start player of the round."""
    n, start = len(s.hands), s.tally.start
    return [(start + k) % n for k in range(n)]


def _few(s: State) -> bool:
    return len(s.sea.route.cards) <= FEWEST_OCEAN_CARDS


def outcome(s: State) -> Outcome | None:
    """See `pbem.core.Game.outcome`. The scores are the fields sailed."""
    end = s.tally.ended
    if end is None:
        return None
    return Outcome((end.winner,), end.why, dict(zip(s.rules.seats, s.sea.boats, strict=True)))


# ---------------------------------------------------------------------- from facts to state


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _with(by_seat: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The tuple with a new value for a seat."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _on_dropped(s: State, e: Dropped) -> State:
    removed = (*s.sea.removed, e.card)
    asked = "drop" if len(removed) < left_out(len(s.hands)) else "lay"
    return s._replace(sea=s.sea._replace(removed=removed), asked=asked)


def _on_laid(s: State, e: Laid) -> State:
    card = s.rules.ocean[e.card]
    route = longer(s.sea.route, card.turned() if e.turned else card)
    boats = s.sea.boats or (start_field(route),) * len(s.hands)
    return s._replace(sea=Sea(route, boats, s.sea.removed))


def _on_round_began(s: State, e: RoundBegan) -> State:
    start = s.rules.seats.index(e.start)
    nothing = (0,) * len(s.hands)
    tally = Tally(e.round, start, start, nothing, (None,) * len(s.hands))
    return State(s.rules, tally, s.sea, "deal", e.start, nothing)


def _on_dealt(s: State, e: Dealt) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, _ = s
    me = rules.seats.index(turn)
    if e.card == HIDDEN:
        hidden = _with(hidden or (0,) * len(hands), me, (hidden[me] if hidden else 0) + 1)
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


def _on_announced(s: State, e: Announced) -> State:
    me = s.rules.seats.index(e.seat)
    announced = _with(s.tally.announced, me, e.tilts)
    silent = (n for n in _clockwise(s) if announced[n] is None)
    turn = s.rules.seats[next(silent, s.tally.start)]
    return s._replace(tally=s.tally._replace(announced=announced), turn=turn)


def _on_trick_began(s: State, e: TrickBegan) -> State:
    rules, tally, sea, _, _, hands, hidden, out, _ = s
    return State(rules, tally, sea, "card", e.seat, hands, hidden, out)


def _on_played(s: State, e: Played) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, table = s
    me = rules.seats.index(turn)
    one = ONE[e.card]
    if hands[me] & MASK[e.card]:
        hands = (*hands[:me], hands[me] - one, *hands[me + 1 :])
    elif hidden and hidden[me]:  # one of the hidden cards: from now on it is known
        left = _with(hidden, me, hidden[me] - 1)
        hidden, out = left if any(left) else (), out + one
    following = rules.seats[(me + 1) % len(hands)]
    return State(rules, tally, sea, asked, following, hands, hidden, out, (*table, e.card))


def _on_removal_due(s: State, e: RemovalDue) -> State:
    asked = "octopus" if e.after == "octopus" else "removal"
    return s._replace(asked=asked, turn=e.seat)


def _on_removed(s: State, e: Removed) -> State:
    sea = without(s.sea, e.card)
    if s.asked == "octopus":
        return s._replace(sea=sea, asked="card", turn=s.rules.seats[_after(s, _me(s))])
    return s._replace(sea=sea)


def _on_trick_won(s: State, e: TrickWon) -> State:
    rules, tally, sea, asked, _, hands, hidden, out, _ = s
    me = rules.seats.index(e.seat)
    tricks = _with(tally.tricks, me, tally.tricks[me] + 1)
    tally = Tally(tally.round, tally.start, me, tricks, tally.announced)
    return State(rules, tally, sea, asked, e.seat, hands, hidden, out)


def _on_offered(s: State, e: Offered) -> State:
    return s._replace(asked=e.offer, turn=e.seat)


def _on_moved(s: State, e: Moved) -> State:
    rules, tally, sea, asked, turn, hands, hidden, out, table = s
    sea = Sea(sea.route, _with(sea.boats, rules.seats.index(e.seat), e.to), sea.removed)
    return State(rules, tally, sea, asked, turn, hands, hidden, out, table)


def _on_righted(s: State, e: Righted) -> State:
    announced = _with(s.tally.announced, s.rules.seats.index(e.seat), False)
    return s._replace(tally=s.tally._replace(announced=announced))


def _on_ended(s: State, e: Ended) -> State:
    return s._replace(tally=s.tally._replace(ended=e), asked="")


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    Dropped: _on_dropped,
    Laid: _on_laid,
    RoundBegan: _on_round_began,
    Dealt: _on_dealt,
    Announced: _on_announced,
    TrickBegan: _on_trick_began,
    Played: _on_played,
    RemovalDue: _on_removal_due,
    Removed: _on_removed,
    TrickWon: _on_trick_won,
    Offered: _on_offered,
    Moved: _on_moved,
    Righted: _on_righted,
    Ended: _on_ended,
}
