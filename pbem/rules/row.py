"""A player's row below the board, as far as it is the same in all games: colours, whose turn it is,
who won, and what somebody holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core import HIDDEN, Seat
from pbem.rules.zones import with_ids
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Shape


@cache
def hues(seats: tuple[Seat, ...], colours: tuple[str, ...]) -> Mapping[Seat, str]:
    """A colour for each seat: the one it is named after, else the first that is left."""
    named = {seat.casefold(): seat for seat in reversed(seats)}
    own = {named[colour]: colour for colour in colours if colour in named}
    left = (colour for colour in colours if colour not in named)
    return {seat: own[seat] if seat in own else next(left) for seat in seats}


def nearest(view: Mapping[str, Any], seats: Sequence[Seat]) -> Sequence[Seat]:
    """The seats in the order of their rows, from the board down: the reader of the picture comes
    last, nearest to themselves, after the others in order of play."""
    last = seats.index(view["reader"]) + 1 if view.get("reader") in seats else 0
    return (*seats[last:], *seats[:last])


def player(
    view: Mapping[str, Any],
    seat: Seat,
    back: tuple[int, int, int, int],
    disc: Shape,
    name: tuple[int, ...],
) -> Iterator[Shape]:
    """A seat's row, with its disc and its player's name, and a background during its turn."""
    ended = view.get("ended")
    turn = view["turn"] == seat and not ended
    if turn:
        yield Shape(f"turn-{seat}", "box", back, "turn")
    yield disc
    says = say("It's the turn of {seat:seat}.", seat=seat) if turn else None
    if ended:
        says = _result(seat, ended["winners"])
    yield Shape(f"name-{seat}", "text", name, "strong", say("{seat:seat}", seat=seat), says=says)


def _result(seat: Seat, winners: Sequence[Seat]) -> Sentence | None:
    if not winners:
        return say("The match is drawn for {seat:seat}.", seat=seat)
    return say("{seat:seat} wins the match.", seat=seat) if seat in winners else None


def standing(view: Mapping[str, Any], seat: Seat, so_far: Sentence) -> Sentence:
    """How a player stands, whether it is their turn, and how the match ended for them."""
    ended = view.get("ended")
    if not ended and view["turn"] == seat:
        return say("to move, {standing}", standing=so_far)
    if not ended:
        return so_far
    if not ended["winners"]:
        return say("{standing}, drawn", standing=so_far)
    if seat in ended["winners"]:
        return say("{standing}, wins", standing=so_far)
    return so_far


def holds(seat: Seat, card: str) -> Sentence:
    """What is said of a single card in a hand."""
    if card == HIDDEN:
        return say("{seat:seat} holds a hidden card.", seat=seat)
    return say("{seat:seat} holds {card}.", seat=seat, card=card)


def held(cards: Iterable[str]) -> list[str | Sentence]:
    """The cards of a hand for a sentence: those that are known, and how many are not."""
    hand = list(cards)
    known: list[str | Sentence] = [card for card in hand if card != HIDDEN]
    hidden = len(hand) - len(known)
    if hidden:
        known.append(say(Counted("{n} hidden card", "{n} hidden cards"), n=hidden))
    return known


def from_the_right(cards: Iterable[str], right: int, step: int) -> Iterator[tuple[str, str, int]]:
    """Cards, their names in ids, and where each begins: the last one ends at `right`, so the fewer
    there are, the more room is left for the player's name."""
    hand = list(with_ids(cards))
    for n, (card, name) in enumerate(hand):
        yield card, name, right - step * (len(hand) - n)
