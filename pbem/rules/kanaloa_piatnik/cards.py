"""Cards in one place, as an integer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.rules.kanaloa_piatnik import board

# Cards in one place are an integer: bit n stands for the n-th Tiki, and above those bits stand
# two digits of two bits each, the numbers of Kanaloas and of octopuses. So places can be added.
ONE: Final[dict[board.Card, int]] = {card: 1 << n for n, card in enumerate(board.TIKIS)} | {
    board.KANALOA: 1 << len(board.TIKIS),
    board.OCTOPUS: 1 << len(board.TIKIS) + 2,
}
ALL: Final[dict[board.Card, int]] = {card: board.COPIES[card] * one for card, one in ONE.items()}
MASK: Final[dict[board.Card, int]] = {
    **ONE,
    board.KANALOA: 3 * ONE[board.KANALOA],
    board.OCTOPUS: 3 * ONE[board.OCTOPUS],
}
SUIT: Final[dict[board.Colour, int]] = {
    colour: sum(ONE[card] for card in board.TIKIS if board.COLOUR[card] == colour)
    for colour in board.COLOURS
}
_TIKI: Final = ONE[board.KANALOA] - 1
_EACH_TIKI: Final = tuple((card, ONE[card]) for card in board.TIKIS)
_SPECIALS: Final = [octopuses + kanaloas for octopuses in range(4) for kanaloas in range(4)]


def size(cards: int) -> int:
    """How many cards these are."""
    return (cards & _TIKI).bit_count() + _SPECIALS[cards >> len(board.TIKIS)]


def together(cards: Iterable[board.Card]) -> int:
    """These cards in one place."""
    return sum(ONE[card] for card in cards)


def copies(cards: int, card: board.Card) -> int:
    """How often this card is among them."""
    return (cards & MASK[card]) // ONE[card]


def names(cards: int) -> list[board.Card]:
    """The cards by colour and value, Kanaloas and octopuses last."""
    found = [card for card, one in _EACH_TIKI if cards & one]
    if cards >= ONE[board.KANALOA]:
        found += [
            card for card in board.CARDS[len(board.TIKIS) :] for _ in range(copies(cards, card))
        ]
    return found
