"""A small canvas of characters for the boards of all games."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Point(NamedTuple):
    """A place on the canvas: column and row, from 0 at the top left."""

    x: int
    y: int


class Mark(NamedTuple):
    """A text on the canvas, and the place of its first character."""

    at: Point
    text: str


def paint(marks: Iterable[Mark], columns: int, rows: int) -> list[str]:
    """The canvas as lines without trailing spaces; later marks cover earlier ones.

    Raises ValueError for a mark that does not fit on the canvas.
    """
    canvas = [[" "] * columns for _ in range(rows)]
    for (x, y), text in marks:
        if not (0 <= y < rows and 0 <= x <= columns - len(text)):
            raise ValueError(f"{text!r} at {x},{y} does not fit on {columns} by {rows} characters")
        canvas[y][x : x + len(text)] = text
    return ["".join(row).rstrip() for row in canvas]


@lru_cache(maxsize=512)
def straight(start: Point, end: Point, char: str, *, dense: bool = True) -> tuple[Mark, ...]:
    """A straight line between two points; unless `dense`, it skips every other column."""
    across, down = end.x - start.x, end.y - start.y
    steps = max(abs(down), abs(across) if dense else abs(across) // 2)
    shares = (n / max(steps, 1) for n in range(steps + 1))
    return tuple(
        Mark(Point(round(start.x + across * share), round(start.y + down * share)), char)
        for share in shares
    )


def middle(start: Point, end: Point) -> Point:
    """The point half way between two points."""
    return Point((start.x + end.x) // 2, (start.y + end.y) // 2)
