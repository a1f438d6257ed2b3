"""The cards of Kanaloa (Piatnik), and the ocean cards as they lie in a route."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final, NamedTuple

Card = str
Colour = str

# ------------------------------------------------------------------------ the cards [P-1, P-5]

COLOURS: Final[tuple[Colour, ...]] = ("blue", "red", "green", "turquoise")
HIGHEST: Final = 12
KANALOA: Final = "kanaloa"
OCTOPUS: Final = "octopus"
TIKIS: Final[tuple[Card, ...]] = tuple(f"{c} {n}" for c in COLOURS for n in range(1, HIGHEST + 1))
CARDS: Final[tuple[Card, ...]] = (*TIKIS, KANALOA, OCTOPUS)
COPIES: Final[dict[Card, int]] = {**dict.fromkeys(TIKIS, 1), KANALOA: 3, OCTOPUS: 2}
HAND: Final = 8
TRICKS: Final = 8
OCEAN_CARDS: Final = 12
FEWEST_OCEAN_CARDS: Final = 3
BONUS: Final = 3
"""The fields that a kept announcement is worth [P-46]."""

COLOUR: Final[dict[Card, Colour]] = {card: card.split()[0] for card in TIKIS}
VALUE: Final[dict[Card, int]] = {card: int(card.split()[1]) for card in TIKIS}

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
_BITS: Final = len(TIKIS)


def size(cards: int) -> int:
    """How many cards these are."""
    return (cards & _TIKI).bit_count() + (cards >> _BITS & 3) + (cards >> _BITS + 2)


def together(cards: Iterable[Card]) -> int:
    """These cards in one place."""
    return sum(ONE[card] for card in cards)


def copies(cards: int, card: Card) -> int:
    """How often this card is among them."""
    return (cards & MASK[card]) // ONE[card]


def names(cards: int) -> list[Card]:
    """The cards by colour and value, Kanaloas and octopuses last."""
    return [card for card in CARDS for _ in range(copies(cards, card))]


# --------------------------------------------------------------------------- the sea [P-2…P-4]


class Ocean(NamedTuple):
    """An ocean card as it lies: its two fields in sailing order."""

    card: str
    fields: tuple[Colour, Colour]
    dolphins: tuple[bool, bool] = (False, False)
    start: tuple[bool, bool] = (False, False)

    def turned(self) -> Ocean:
        """The card the other way round."""
        return Ocean(self.card, self.fields[::-1], self.dolphins[::-1], self.start[::-1])


class Route(NamedTuple):
    """Ocean cards in sailing order, how they are called, and what is on each field; `names` of
    fields are like `M07 red`."""

    cards: tuple[Ocean, ...] = ()
    called: tuple[str, ...] = ()
    colours: tuple[Colour, ...] = ()
    dolphins: tuple[bool, ...] = ()
    start: tuple[bool, ...] = ()
    names: tuple[str, ...] = ()


def laid(cards: Iterable[Ocean]) -> Route:
    """The route these cards make."""
    return reduce(longer, cards, Route())


def longer(route: Route, c: Ocean) -> Route:
    """The route with one card more at its end."""
    first, second = c.fields
    return Route(
        (*route.cards, c),
        (*route.called, c.card),
        (*route.colours, first, second),
        (*route.dolphins, *c.dolphins),
        (*route.start, *c.start),
        (*route.names, f"{c.card} {first}", f"{c.card} {second}"),
    )


def shorter(route: Route, card: str) -> Route:
    """The route without a card, the gap closed."""
    n = route.called.index(card)
    cards, called, colours, dolphins, start, names = route
    return Route(
        cards[:n] + cards[n + 1 :],
        called[:n] + called[n + 1 :],
        colours[: 2 * n] + colours[2 * n + 2 :],
        dolphins[: 2 * n] + dolphins[2 * n + 2 :],
        start[: 2 * n] + start[2 * n + 2 :],
        names[: 2 * n] + names[2 * n + 2 :],
    )
