"""What comes of a move in Kanaloa (Piatnik): the facts it brings about.

A seat is its number; rule ids refer to games/kanaloa_piatnik/rules.yaml. Each fact is told in the
state that the facts before it have led to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.core import Event, Move, Outcome, Seat
from pbem.rules.kanaloa_piatnik import board, events, moves, race
from pbem.rules.kanaloa_piatnik.evolve import evolve
from pbem.rules.kanaloa_piatnik.state import State, clockwise, held
from pbem.rules.kanaloa_piatnik.trick import winner

# Facts are values: the common ones are made once.
_dealt, _played, _moved = cache(events.Dealt), cache(events.Played), cache(events.Moved)
_trick_won, _trick_began = cache(events.TrickWon), cache(events.TrickBegan)

Telling = Iterator[Event]

# ----------------------------------------------------------------------- from move to facts


def effects(s: State, seat: Seat, move: Move) -> Iterable[Event]:
    """See `pbem.core.Game.effects`."""
    return _EFFECTS[type(move)](s, seat, move)


def _drop(s: State, seat: Seat, m: moves.Drop) -> Telling:
    yield events.Dropped(m.card)


def _lay(s: State, seat: Seat, m: moves.Lay) -> Telling:
    yield events.Laid(m.card, m.turned)
    if len(s.sea.route.cards) + 1 + len(s.sea.removed) == board.OCEAN_CARDS:
        yield events.RoundBegan(1, s.rules.seats[s.rules.starter])


def _deal(s: State, seat: Seat, m: moves.Deal) -> tuple[Event, ...]:
    dealt, start = _dealt(m.to, m.card), s.tally.start
    if s.rules.announce or _after(s, me := _me(s)) != start or held(s, me) < board.HAND - 1:
        return (dealt,)
    return (dealt, _lead(s, start))


def _announce(s: State, seat: Seat, m: moves.Announce) -> Telling:
    s = yield from _tell(s, events.Announced(seat, m.tilts, m.known_to))
    if None in s.tally.announced:
        return
    if not s.rules.announce_open:
        for n in clockwise(s):
            yield events.Announced(s.rules.seats[n], s.tally.announced[n], board.ALL_SEATS)  # type: ignore[arg-type]
    yield _lead(s, s.tally.start)


def _play(s: State, seat: Seat, m: moves.Play) -> Iterable[Event]:
    played = _played(seat, m.card)
    if m.card != board.OCTOPUS and len(s.table) + 1 < len(s.hands):
        return (played,)
    return _play_last_or_octopus(s, seat, played)


def _play_last_or_octopus(s: State, seat: Seat, played: events.Played) -> Telling:
    s = yield from _tell(s, played)
    if played.card == board.OCTOPUS:
        if race.free_cards(s.sea):
            yield events.RemovalDue(seat, "octopus")
            return
        yield events.NothingRemoved(seat, "P-A10" if _few(s) else "P-39")
    yield from _next_card(s)


def _remove(s: State, seat: Seat, m: moves.Remove) -> Telling:
    at_round_end = s.asked == "removal"
    s = yield from _tell(s, events.Removed(seat, m.card))
    yield from _after_removal(s) if at_round_end else _next_card(s)


def _sail(s: State, seat: Seat, m: moves.Sail) -> Telling:
    if s.asked == "bonus":
        s = yield from _tell(s, events.Righted(seat))
        yield from _voyage(s, _me(s), board.BONUS)
    else:
        yield from _voyage(s, _me(s), 1)


def _stay(s: State, seat: Seat, m: moves.Stay) -> Telling:
    if s.asked == "bonus":
        s = yield from _tell(s, events.Righted(seat))
    yield events.Stayed(seat, s.asked)
    yield from _at_rest(s, _me(s))


_EFFECTS: dict[type[Move], Callable[[State, Seat, Any], Iterable[Event]]] = {
    moves.Drop: _drop,
    moves.Lay: _lay,
    moves.Deal: _deal,
    moves.Announce: _announce,
    moves.Play: _play,
    moves.Remove: _remove,
    moves.Sail: _sail,
    moves.Dolphin: lambda s, seat, m: _voyage(s, _me(s), 1),
    moves.Stay: _stay,
}

# ------------------------------------------------------------------- what follows on what


def _tell(s: State, event: Event) -> Generator[Event, None, State]:
    """Tell a fact, and return the state in which the telling goes on."""
    yield event
    return evolve(s, event)


def _next_card(s: State) -> Telling:
    """The next seat plays; or all have played, and the best card takes the trick [P-24, P-26]."""
    if len(s.table) < len(s.hands):
        return
    place = winner(s.table, race.trump(s.sea))
    me = (s.tally.lead + place) % len(s.hands)
    seat = s.rules.seats[me]
    s = yield from _tell(s, _trick_won(seat, s.table[place]))
    failure = s.rules.announce_failure
    if s.tally.announced[me] is True and failure != "no_bonus":  # [P-47, P-A23]
        s = yield from _tell(
            s, events.Righted(seat) if failure == "from_next_trick" else events.Held(seat)
        )
        yield from _at_rest(s, me)
    elif s.rules.may_decline_move:
        yield events.Offered(seat, "move")
    else:
        yield from _voyage(s, me, 1)


def _voyage(s: State, me: int, fields: int) -> Telling:
    """A boat sails: once past the last boat it wins; from a dolphin it may sail on.

    [P-41, P-42, P-A15, P-A28]
    """
    seat = s.rules.seats[me]
    for _ in range(fields):
        sea = race.moved(s.sea, me)
        to = sea.boats[me]
        names = sea.route.names
        s = yield from _tell(s, _moved(seat, to, names[to % len(names)]))
        behind = race.lapped(sea, me)
        if behind is not None:
            yield events.Lapped(seat, s.rules.seats[behind])
            yield events.Ended(seat, "P-42")
            return
    if not race.dolphin_helps(s.sea, me):
        yield from _at_rest(s, me)
    elif s.rules.dolphin_asks:
        yield events.Offered(seat, "dolphin")
    else:
        yield from _voyage(s, me, 1)


def _at_rest(s: State, me: int) -> Telling:
    """What follows when a boat has moved, or does not move.

    After a kept announcement it is the next announcer's turn; after a trick comes the next trick
    or the end of the round [P-20].
    """
    if not s.tally.tricks[me]:
        yield from _bonuses(s)
    elif sum(s.tally.tricks) < board.TRICKS:
        yield _lead(s, s.tally.lead)
    else:
        for n in clockwise(s):
            if s.tally.announced[n] is True and s.tally.tricks[n]:  # [P-47]
                s = yield from _tell(s, events.Righted(s.rules.seats[n]))
        yield from _bonuses(s) if s.rules.announce_before_removal else _removal(s)


def _removal(s: State) -> Telling:
    """The end of a round, for the winner of its last trick [P-21, P-22, P-A12]."""
    seat = s.rules.seats[s.tally.lead]
    if race.free_cards(s.sea):
        yield events.RemovalDue(seat, "round")
    else:
        yield events.NothingRemoved(seat, "P-22")
        yield from _after_removal(s)


def _after_removal(s: State) -> Telling:
    yield from _new_round(s) if s.rules.announce_before_removal else _bonuses(s)


def _bonuses(s: State) -> Telling:
    """A kept announcement earns three fields, one announcer after the other [P-46, P-A25]."""
    for n in clockwise(s):
        if s.tally.announced[n] is True:
            yield events.Offered(s.rules.seats[n], "bonus")
            return
    yield from _removal(s) if s.rules.announce_before_removal else _new_round(s)


def _new_round(s: State) -> Telling:
    """The winner of the last trick starts [P-23]."""
    yield events.RoundBegan(s.tally.round + 1, s.rules.seats[s.tally.lead])


def _lead(s: State, seat: int) -> Event:
    return _trick_began(s.rules.seats[seat], race.trump(s.sea))


def _me(s: State) -> int:
    """The number of the seat that is asked, or dealt to."""
    return s.rules.seats.index(s.turn)


def _after(s: State, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % len(s.hands)


def _few(s: State) -> bool:
    return len(s.sea.route.cards) <= board.FEWEST_OCEAN_CARDS


def outcome(s: State) -> Outcome | None:
    """See `pbem.core.Game.outcome`. The scores are the fields sailed."""
    end = s.tally.ended
    if end is None:
        return None
    return Outcome((end.winner,), end.why, dict(zip(s.rules.seats, s.sea.boats, strict=True)))


def standing(s: State) -> Mapping[Seat, float]:
    """See `pbem.core.Game.standing`: the fields sailed."""
    return dict(zip(s.rules.seats, s.sea.boats or (0,) * len(s.rules.seats), strict=True))
