"""The map of Kahuna in ASCII: who owns which bridge and which island, at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from textwrap import wrap
from typing import Any, Final

from pbem.files import data
from pbem.rules.canvas import Mark, Point, middle, paint, straight
from pbem.rules.kahuna.board import AT, DATA, ENDS, ISLANDS, Island, Line

NARROW: Final = 40
PATH: Final = {None: ".", "white": "o", "black": "#"}
"""The character a line is drawn with, by the owner of its bridge."""


def draw(view: Mapping[str, Any]) -> list[str]:
    """The map: islands as `[ALOA W]` (its controller) or `[ALOA 3]` (its number of lines), lines
    with the character of their owner and their two-letter code, in capitals once bridged."""
    return [*_drawn(tuple(view["bridges"].items()), tuple(view["control"].items()))]


@lru_cache(maxsize=32)  # a post, and each letter that goes with it, show the same map
def _drawn(
    bridges: tuple[tuple[Line, str], ...], control: tuple[tuple[Island, str], ...]
) -> tuple[str, ...]:
    board = data.game_file(DATA, "board")
    marks = _marks(board, dict(bridges), dict(control))
    return tuple(paint(marks, board["columns"], board["rows"]))


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """One island per row, with the islands it is joined to, each after the character of the
    line's owner: `[ALOA W] oBARI .DUDA #HUNA`."""
    lines = []
    for island in ISLANDS:
        ways = []
        for line, ends in ENDS.items():
            if island in ends:
                [other] = (end for end in ends if end != island)
                ways.append(f"{PATH[view['bridges'].get(line)]}{other}")
        box = _box(island, view["control"])
        ways.sort(key=lambda way: way[1:])
        lines += wrap(" ".join(ways), NARROW, initial_indent=f"{box} ", subsequent_indent=" " * 9)
    return lines


def _marks(
    board: Mapping[str, Any], bridges: Mapping[Line, str], control: Mapping[Island, str]
) -> Iterator[Mark]:
    at = {island["name"]: Point(*island["ascii"]) for island in board["islands"]}
    # Bridges cover free lines where the two meet, codes cover both, islands cover everything.
    for line in sorted(ENDS, key=bridges.__contains__):
        owner = bridges.get(line)
        one, other = ENDS[line]
        yield from straight(at[one], at[other], PATH[owner], dense=owner is not None)
    for line in board["lines"]:
        code = line["code"].upper() if line["line"] in bridges else line["code"]
        yield Mark(middle(*(at[island] for island in ENDS[line["line"]])), code)
    for island, (x, y) in at.items():
        box = _box(island, control)
        yield Mark(Point(x - len(box) // 2, y), box)


def _box(island: Island, control: Mapping[Island, str]) -> str:
    owner = control.get(island)
    return f"[{island} {owner[0].upper() if owner else AT[island].bit_count()}]"
