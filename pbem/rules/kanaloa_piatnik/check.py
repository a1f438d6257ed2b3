"""What is legal in Kanaloa (Piatnik). A seat is its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import Move, Seat, Violation
from pbem.rules.kanaloa_piatnik import moves
from pbem.rules.kanaloa_piatnik.board import ALL_SEATS, COPIES, Card, start_card
from pbem.rules.kanaloa_piatnik.cards import ALL, MASK, copies
from pbem.rules.kanaloa_piatnik.state import State
from pbem.rules.kanaloa_piatnik.trick import barred, to_follow


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    if type(move) is moves.Deal:  # asked far more often than anything else
        every = ALL[move.card]
        if s.out & every == every:
            raise Violation("P-12", "{card} has been dealt in this round", card=move.card)
        if move.to != s.turn:
            raise Violation(
                "P-A34", "the next card is owed to {turn}, not {to}", turn=s.turn, to=move.to
            )
        return not s.hidden
    return _CHECKS[type(move)](s, seat, move)


def _check_play(s: State, seat: Seat, m: moves.Play) -> bool:
    me, mask = s.rules.seats.index(s.turn), MASK[m.card]
    hand = s.hands[me]
    if not hand & mask and not _hides(s, me, m.card):
        raise Violation("P-15", "{seat:seat} holds no {card}", seat=seat, card=m.card)
    if s.table and mask & barred(hand, colour := to_follow(s.rules, s.table)):
        raise Violation(
            "P-27",
            "{colour} was led and {seat:seat} holds {colour}, so no {card}",
            colour=colour,
            seat=seat,
            card=m.card,
        )
    return not s.hidden or not s.hidden[me]


def _hides(s: State, me: int, card: Card) -> bool:
    """May this card be among the hidden ones of the hand?"""
    return bool(s.hidden and s.hidden[me]) and copies(s.out, card) < COPIES[card]


def _check_remove(s: State, seat: Seat, m: moves.Remove) -> bool:
    boats, called, length = s.sea.boats, s.sea.route.called, len(s.sea.route.colours)
    if m.card not in called:
        raise Violation("P-37", "there is no ocean card {card} in the route", card=m.card)
    if m.card in [called[boat % length // 2] for boat in boats]:
        on_it = [
            s.rules.seats[n] for n, boat in enumerate(boats) if called[boat % length // 2] == m.card
        ]
        raise Violation("P-38", "{card} is not free: {on_it:all} on it", card=m.card, on_it=on_it)
    return True


def _check_nothing(s: State, seat: Seat, m: Move) -> bool:
    return True


def _check_announce(s: State, seat: Seat, m: moves.Announce) -> bool:
    known_to = ALL_SEATS if s.rules.announce_open else seat
    if m.known_to != known_to:
        how = "openly" if s.rules.announce_open else "secretly, all at the same time"
        raise Violation("P-A26", "in this match is announced {how}", how=how)
    return True


def _check_drop(s: State, seat: Seat, m: moves.Drop) -> bool:
    _require_unused(s, m.card)
    if m.card == start_card(s.rules.ocean):
        raise Violation("P-9", "{card} has the start field and is not left out", card=m.card)
    return True


def _check_lay(s: State, seat: Seat, m: moves.Lay) -> bool:
    _require_unused(s, m.card)
    if not s.sea.route.cards and m.card != (first := start_card(s.rules.ocean)):
        raise Violation(
            "P-A3",
            "{first} has the start field and is laid first, not {card}",
            first=first,
            card=m.card,
        )
    return True


def _require_unused(s: State, card: str) -> None:
    sea = s.sea
    if card in sea.removed:
        raise Violation("P-8", "{card} has been left out", card=card)
    if card in sea.route.called:
        raise Violation("P-7", "{card} has been laid", card=card)
    if card not in s.rules.ocean:
        raise Violation("P-1", "there is no ocean card {card}", card=card)


_CHECKS: dict[type[Move], Callable[[State, Seat, Any], bool]] = {
    moves.Play: _check_play,
    moves.Remove: _check_remove,
    moves.Dolphin: _check_nothing,
    moves.Sail: _check_nothing,
    moves.Stay: _check_nothing,
    moves.Announce: _check_announce,
    moves.Drop: _check_drop,
    moves.Lay: _check_lay,
}
