"""Where pawns and the volcano stand on the picture of a map, so that nothing hides anything."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

ISLAND: Final = 40, 52
"""Half an island's width and height."""
WIDTH: Final = 720
SMALL, _SMALLEST = 75, 60
"""The size in percent of what has little room."""
_TILES: Final = 34, 48
"""Half the room that an island's letter and offerings take."""
_FISH: Final = 22, 22
_VOLCANO: Final = 22, 21
_ANGLES: Final = 24

Box = tuple[int, int, int, int]
"""Its middle, and half its width and height."""
Geography = tuple[tuple[tuple[str, tuple[int, int]], ...], tuple[str, ...]]
"""The places of the islands, and the currents, each of which may carry a fish."""


class Cells(NamedTuple):
    """Room for some pawns: beside each other, and in two rows if many."""

    columns: int
    rows: int
    wide: int
    high: int
    size: int

    def around(self, at: tuple[int, int], count: int) -> Iterator[tuple[int, int]]:
        """The middles of so many cells around a point."""
        x, y = at
        for n in range(count):
            down, across = divmod(n, self.columns)
            yield (
                x + (2 * across - self.columns + 1) * self.wide // 2,
                y + (2 * down - self.rows + 1) * self.high // 2,
            )


def cells(count: int, lying: bool) -> Cells:
    """Room for so many pawns; one that is lying needs more."""
    rows = 1 if count < 4 else 2
    size = 100 if count < 3 else SMALL if count < 5 else _SMALLEST
    wide = (48 if lying else 40) * size // 100
    return Cells(-(-count // rows), rows, wide, 52 * size // 100, size)


# The same at many moments of a match, and in many matches.
@lru_cache(maxsize=512)
def beside(
    island: str,
    pawns: Cells,
    geography: tuple[tuple[str, tuple[int, int]], ...],
    currents: tuple[str, ...],
    taken: tuple[Box, ...],
) -> Box:
    """The room at an island's shore that is farthest from all else."""
    half = pawns.columns * pawns.wide // 2, pawns.rows * pawns.high // 2
    places = dict(geography)
    others = [(*at, *ISLAND) for other, at in geography if other != island]
    return _freest(_shore(places, island, half), [*others, *_fish(places, currents), *taken])


@lru_cache(maxsize=64)
def volcano(
    site: str, geography: tuple[tuple[str, tuple[int, int]], ...], currents: tuple[str, ...]
) -> Box:
    """The room for a volcano on an island, or on the sea between some."""
    places = dict(geography)
    fish = _fish(places, currents)
    if len(site) == 1:
        others = [(*at, *ISLAND) for other, at in geography if other != site]
        return _freest(_shore(places, site, _VOLCANO), [*others, *fish])
    around = [places[island] for island in site if island in places]
    x = sum(x for x, _ in around) // len(around)
    y = sum(y for _, y in around) // len(around)
    steps = range(-48, 49, 8)
    sea = [(x + across, y + down, *_VOLCANO) for down in steps for across in steps]
    return _freest(sea, [*((*at, *ISLAND) for at in places.values()), *fish])


def _fish(places: dict[str, tuple[int, int]], currents: Iterable[str]) -> list[Box]:
    ways = [current.split("-") for current in currents]
    return [
        ((places[a][0] + places[b][0]) // 2, (places[a][1] + places[b][1]) // 2, *_FISH)
        for a, b in ways
        if a in places and b in places
    ]


def _shore(places: dict[str, tuple[int, int]], island: str, half: tuple[int, int]) -> list[Box]:
    """The rooms of a size all around an island that lie on the board, clear of what lies on it."""
    (x, y), (wide, high) = places[island], half
    foot = max(y for _, y in places.values()) + ISLAND[1] + 60
    rooms = []
    for n in range(_ANGLES):
        angle = math.tau * n / _ANGLES
        across = (ISLAND[0] + wide + 4) * math.cos(angle)
        down = (ISLAND[1] + high + 4) * math.sin(angle)
        off = max(
            1, min((_TILES[0] + wide) / (abs(across) or 1), (_TILES[1] + high) / (abs(down) or 1))
        )
        rooms.append((x + round(across * off), y + round(down * off), wide, high))
    return [
        (x, y, wide, high)
        for x, y, wide, high in rooms
        if wide + 4 <= x <= WIDTH - wide - 4 and high + 4 <= y <= foot - high
    ]


def _freest(rooms: Iterable[Box], taken: list[Box]) -> Box:
    return max(rooms, key=lambda room: min(_gap(room, other) for other in taken))


def _gap(one: Box, other: Box) -> int:
    """How far two boxes are apart, across or down; less than 0 if they overlap."""
    x, y, wide, high = one
    other_x, other_y, other_wide, other_high = other
    return max(abs(x - other_x) - wide - other_wide, abs(y - other_y) - high - other_high)
