"""The map of Kahuna in ASCII: who owns which bridge and which island, at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from pbem import data
from pbem.rules.canvas import Mark, Point, middle, paint, straight
from pbem.rules.kahuna.facts import AT, DATA, ENDS, Island, Line

COLUMNS: Final = 72
ROWS: Final = 24
PATH: Final = {None: ".", "white": "o", "black": "#"}
"""The character a line is drawn with, by the owner of its bridge."""


def draw(view: Mapping[str, Any]) -> list[str]:
    """The map: islands as `[ALOA W]` (its controller) or `[ALOA 3]` (its number of lines), lines
    with the character of their owner and their two-letter code, in capitals once bridged."""
    return paint(_marks(view["bridges"], view["control"]), COLUMNS, ROWS)


def _marks(bridges: Mapping[Line, str], control: Mapping[Island, str]) -> Iterator[Mark]:
    at = _islands()
    # Bridges cover free lines where the two meet, codes cover both, islands cover everything.
    for line in sorted(ENDS, key=bridges.__contains__):
        owner = bridges.get(line)
        start, end = (at[island] for island in ENDS[line])
        yield from straight(start, end, PATH[owner], dense=owner is not None)
    for line, (one, other) in ENDS.items():
        code = (one[0] + other[0]).lower()
        yield Mark(middle(at[one], at[other]), code.upper() if line in bridges else code)
    for island, (x, y) in at.items():
        owner = control.get(island)
        sign = owner[0].upper() if owner else AT[island].bit_count()
        box = f"[{island} {sign}]"
        yield Mark(Point(x - len(box) // 2, y), box)


@cache
def _islands() -> dict[Island, Point]:
    """Where the islands' centres lie on the map."""
    return {i["name"]: Point(*i["ascii"]) for i in data.game_file(DATA, "board")["islands"]}
