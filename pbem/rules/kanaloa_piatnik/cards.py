"""Cards in one place, as an integer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.rules.kanaloa_piatnik.board import (
    CARDS,
    COLOUR,
    COLOURS,
    COPIES,
    KANALOA,
    OCTOPUS,
    TIKIS,
    Card,
    Colour,
)

# Cards in one place are an integer: bit n stands for the n-th Tiki, and above those bits stand
# two digits of two bits each, the numbers of Kanaloas and of octopuses. So places can be added.
ONE: Final[dict[Card, int]] = {card: 1 << n for n, card in enumerate(TIKIS)} | {
    KANALOA: 1 << len(TIKIS),
    OCTOPUS: 1 << len(TIKIS) + 2,
}
ALL: Final[dict[Card, int]] = {card: COPIES[card] * one for card, one in ONE.items()}
MASK: Final[dict[Card, int]] = {**ONE, KANALOA: 3 * ONE[KANALOA], OCTOPUS: 3 * ONE[OCTOPUS]}
SUIT: Final[dict[Colour, int]] = {
    colour: sum(ONE[card] for card in TIKIS if COLOUR[card] == colour) for colour in COLOURS
}
_TIKI: Final = ONE[KANALOA] - 1
_EACH_TIKI: Final = tuple((card, ONE[card]) for card in TIKIS)
_SPECIALS: Final = [octopuses + kanaloas for octopuses in range(4) for kanaloas in range(4)]


def size(cards: int) -> int:
    """How many cards these are."""
    return (cards & _TIKI).bit_count() + _SPECIALS[cards >> len(TIKIS)]


def together(cards: Iterable[Card]) -> int:
    """These cards in one place."""
    return sum(ONE[card] for card in cards)


def copies(cards: int, card: Card) -> int:
    """How often this card is among them."""
    return (cards & MASK[card]) // ONE[card]


def names(cards: int) -> list[Card]:
    """The cards by colour and value, Kanaloas and octopuses last."""
    found = [card for card, one in _EACH_TIKI if cards & one]
    if cards >= ONE[KANALOA]:
        found += [card for card in CARDS[len(TIKIS) :] for _ in range(copies(cards, card))]
    return found
