"""What is legal in Kanaloa (Piatnik).

Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core import HIDDEN, Move, Seat, Violation
from pbem.rules.kanaloa_piatnik import moves
from pbem.rules.kanaloa_piatnik.board import ALL_SEATS, COLOUR_SAYS, COPIES, Card, start_card
from pbem.rules.kanaloa_piatnik.cards import ALL, MASK, copies
from pbem.rules.kanaloa_piatnik.decisions import ANSWERS
from pbem.rules.kanaloa_piatnik.moves import Deal
from pbem.rules.kanaloa_piatnik.state import Stage, State
from pbem.rules.kanaloa_piatnik.trick import barred, to_follow

_DEALT_OUT = {**ALL, HIDDEN: 0}
"""All copies of each card; HIDDEN has none, so it never counts as left to be dealt."""


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    if type(move) is Deal and s.asked == "deal":  # asked far more often than anything else
        every = _DEALT_OUT[move.card]
        if s.out & every == every:
            raise _no_such_card(move)
        if move.to != s.turn:
            raise Violation(
                "P-A34",
                "The next card is for {turn:seat}, not for {to:seat}",
                turn=s.turn,
                to=move.to,
            )
        return not s.hidden
    kind = type(move)
    if kind not in ANSWERS[s.asked]:
        raise _out_of_phase(s, kind)
    return _CHECKS[kind](s, seat, move)


# ------------------------------------------------------------------------ the hand, the trick


def _no_such_card(m: Deal) -> Violation:
    if m.card == HIDDEN:
        return Violation("P-A34", "The card that is dealt must be named")
    return Violation("P-12", "No {card} is left to be dealt this round", card=m.card)


def _check_announce(s: State, seat: Seat, m: moves.Announce) -> bool:
    if s.rules.announce_open and m.known_to != ALL_SEATS:
        raise Violation("P-A26", "In this match announcements are made openly, one after another")
    if not s.rules.announce_open and m.known_to != seat:
        raise Violation("P-A26", "In this match everybody decides secretly and at the same time")
    return True


def _check_play(s: State, seat: Seat, m: moves.Play) -> bool:
    me, mask = s.rules.seats.index(s.turn), MASK[m.card]
    hand = s.hands[me]
    if not hand & mask and not _hides(s, me, m.card):
        raise Violation("P-15", "You don't hold {card}", card=m.card)
    colour = to_follow(s.rules, s.table) if s.table else None
    if colour and mask & barred(hand, colour):
        raise Violation(
            "P-27",
            "You hold {colour}, the colour to follow, so you can't play {card}",
            colour=COLOUR_SAYS[colour],
            card=m.card,
        )
    return not s.hidden or not s.hidden[me]


def _hides(s: State, me: int, card: Card) -> bool:
    """May this card be among the hidden ones of the hand?"""
    return bool(s.hidden and s.hidden[me]) and copies(s.out, card) < COPIES[card]


# ----------------------------------------------------------------------------- the ocean cards


def _check_drop(s: State, seat: Seat, m: moves.Drop) -> bool:
    _require_unused(s, m.card)
    if m.card == start_card(s.rules.ocean):
        raise Violation("P-9", "{card} has the start field and can't be left out", card=m.card)
    return True


def _check_lay(s: State, seat: Seat, m: moves.Lay) -> bool:
    _require_unused(s, m.card)
    if not s.sea.route.cards and m.card != (first := start_card(s.rules.ocean)):
        raise Violation(
            "P-A3",
            "{first} has the start field and is laid first, before {card}",
            first=first,
            card=m.card,
        )
    return True


def _require_unused(s: State, card: str) -> None:
    if card in s.sea.removed:
        raise Violation("P-8", "{card} has already been left out", card=card)
    if card in s.sea.route.called:
        raise Violation("P-7", "{card} has already been laid", card=card)
    if card not in s.rules.ocean:
        raise Violation("P-1", "There is no ocean card {card}", card=card)


def _check_remove(s: State, seat: Seat, m: moves.Remove) -> bool:
    boats, called, length = s.sea.boats, s.sea.route.called, len(s.sea.route.colours)
    if m.card not in called:
        raise Violation(
            "P-37", "{card} isn't in the route; {cards:all} are", card=m.card, cards=called
        )
    if m.card in [called[boat % length // 2] for boat in boats]:
        on_it = [
            s.rules.seats[n] for n, boat in enumerate(boats) if called[boat % length // 2] == m.card
        ]
        raise Violation(
            "P-38",
            "{card} isn't free: the [boat|boats] of {seats:seats} [is|are] on it",
            n=len(on_it),
            card=m.card,
            seats=on_it,
        )
    return True


def _check_nothing(s: State, seat: Seat, m: Move) -> bool:
    return True


_CHECKS: dict[type[Move], Callable[[State, Seat, Any], bool]] = {
    moves.Play: _check_play,
    moves.Remove: _check_remove,
    moves.Sail: _check_nothing,
    moves.Stay: _check_nothing,
    moves.Dolphin: _check_nothing,
    moves.Announce: _check_announce,
    moves.Drop: _check_drop,
    moves.Lay: _check_lay,
}

# ------------------------------------------------------- what is due first, and what is not due

_FIRST: Mapping[Stage, tuple[str, str]] = {
    "drop": ("P-8", "Ocean cards must be left out first"),
    "lay": ("P-7", "The ocean cards must be laid first"),
    "deal": ("P-12", "The cards must be dealt first"),
    "announce": ("P-45", "You must first say whether you announce that you will take no trick"),
    "octopus": ("P-37", "Your octopus must first remove a free ocean card"),
    "move": ("P-16", "You took the trick and must first move your boat or decline"),
    "dolphin": ("P-41", "You must first take the dolphin's help or decline it"),
    "removal": ("P-21", "You took the last trick and must first remove a free ocean card"),
    "bonus": ("P-46", "You must first sail the three fields or decline them"),
    "over": ("P-42", "The match is over"),
}
"""What a seat must do before anything else, and by which rule."""

_NO_ANSWER: Mapping[type[Move], tuple[str, str]] = {
    moves.Remove: ("P-37", "You remove an ocean card for an octopus, or for the last trick"),
    moves.Dolphin: ("P-41", "A dolphin helps only a boat that has just moved to it, alone there"),
    moves.Sail: ("P-16", "Your boat moves only when you take a trick"),
    moves.Stay: ("P-16", "Your boat moves only when you take a trick"),
    moves.Announce: ("P-45", "Announcements are made before the first trick of a round"),
    moves.Drop: ("P-A2", "Chance leaves ocean cards out, before the first round"),
    moves.Lay: ("P-A3", "Chance lays the ocean cards, before the first round"),
    moves.Deal: ("P-A34", "Chance deals the cards, before the first trick of a round"),
}
"""Why a move of another kind is no answer when a card is to be played."""


_NOT_PLAYED: Mapping[type[Move], tuple[str, str]] = {
    moves.Stay: ("P-A13", "In this match the winner of a trick must move"),
    moves.Announce: ("P-44", "This match is played without announcements"),
}
"""Why a move is never an answer in a match without the option for it."""


def _out_of_phase(s: State, kind: type[Move]) -> Violation:
    """The rule that matters for a move of a kind that is not asked for."""
    if s.asked != "card":
        return Violation(*_FIRST[s.asked])
    played = {moves.Announce: s.rules.announce, moves.Stay: s.rules.may_decline_move}
    return Violation(*(_NO_ANSWER if played.get(kind, True) else _NOT_PLAYED)[kind])
