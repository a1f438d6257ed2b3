"""The route of Kanaloa in ASCII: a loop of ocean cards, sailed clockwise, and the boats on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any, Final

from pbem.rules.canvas import Mark, Point, paint
from pbem.sentence import say

COLUMNS: Final = 72
NARROW: Final = 40
FIELD: Final = 5
"""Columns of a field: a colour and its signs, or up to five boats."""
CARD: Final = 2 * FIELD + 1
LEFT: Final = 2
ROWS: Final = 9
KEY: Final = (
    say("B blue, R red, G green, T turquoise,"),
    say("* start, + dolphin, > ahead, < last"),
)
AROUND: Final = say("After the last card comes the first.")
NOT_LAID: Final = say("The route is not laid yet.")


def draw(view: Mapping[str, Any]) -> list[str]:
    """The loop, the upper half from left to right and the lower half back, and the signs on it.

    Boats are the numbers of their seats; templates/kanaloa-piatnik/board.j2 has the names.
    """
    if not view["route"]:
        return [NOT_LAID.text()]
    key = " ".join(map(str, KEY))
    return [*paint(_marks(view), COLUMNS, ROWS), *wrap(key, COLUMNS)]


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """One card per line, in sailing order, with its two fields and the boats on them:
    `M01  B* <123     R >4`."""
    if not view["route"]:
        return [NOT_LAID.text()]
    lines = []
    for n, card in enumerate(view["route"]):
        fields = (f"{_field(card, side)} {_on_it(view, 2 * n + side)}" for side in (0, 1))
        lines.append(f"{card['card']:5}{'  '.join(field.ljust(11) for field in fields)}".rstrip())
    key = (line for told in (AROUND, *KEY) for line in wrap(told.text(), NARROW))
    return [*lines, "", *key]


def _field(card: Mapping[str, Any], side: int) -> str:
    """A field's colour and its signs, like `B*`."""
    signs = "*" * card["start"][side] + "+" * card["dolphin"][side]
    return f"{card['fields'][side][0].upper()}{signs}"


def _marks(view: Mapping[str, Any]) -> Iterator[Mark]:
    route = view["route"]
    across = (len(route) + 1) // 2
    for n, card in enumerate(route):
        upper = n < across
        x = LEFT + CARD * (n if upper else len(route) - 1 - n + len(route) % 2)
        yield from _card(card, Point(x, 0 if upper else 5))
        for side in (0, 1):
            at = Point(x + 1 + FIELD * (side if upper else 1 - side), 1 if upper else 6)
            yield Mark(Point(at.x + 1, at.y), _field(card, side))
            yield Mark(Point(at.x, at.y + 1), _on_it(view, 2 * n + side).center(FIELD))
    right = LEFT + CARD * across + 1
    for y in (2, 4, 6):
        yield Mark(Point(0, y), "^")
        yield Mark(Point(right, y), "v")
    yield Mark(Point(LEFT + 2, 4), say("clockwise").text())


def _card(card: Mapping[str, Any], at: Point) -> Iterator[Mark]:
    """The frame of a card, with its name at the top."""
    edge = "+" + "-" * (CARD - 1) + "+"
    yield Mark(at, f"+-{card['card']}".ljust(CARD, "-") + "+")
    for y in (1, 2):
        yield Mark(Point(at.x, at.y + y), "|")
        yield Mark(Point(at.x + CARD, at.y + y), "|")
    yield Mark(Point(at.x, at.y + 3), edge)


def _on_it(view: Mapping[str, Any], field: int) -> str:
    """The boats on a field, like `>4` or `<123`."""
    seats, length = view["seats"], 2 * len(view["route"])
    here = [seat for seat, boat in view["boats"].items() if boat % length == field]
    sign = ">" if view["leader"] in here else ""
    if view["leader"] and here and set(here) <= set(view["last"]):
        sign = "<"
    return sign + "".join(str(seats.index(seat) + 1) for seat in here)
