"""The route: ocean cards laid in sailing order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

from pbem.rules.kanaloa_piatnik.board import Colour, Ocean


class Route(NamedTuple):
    """Ocean cards in sailing order, their names, and what is on each field.

    `names` are those of the fields, like `M07 red`.
    """

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
    """The route with one more card at its end."""
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


def start_field(route: Route) -> int:
    """The index of the start field."""
    return route.start.index(True)
