"""Where islands lie on the picture of a map, and pawns and the volcano stand, so that nothing hides
anything else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

ISLAND: Final = 57, 45
"""Half an island's width and height."""
WIDTH: Final = 720
SMALL, _SMALLEST = 75, 56
"""The size in percent of what has little room."""
_TILES: Final = 50, 42
"""Half the room that an island's letter and offerings take."""
_FISH: Final = 17, 17
_SWIMMER: Final = 42, 25
"""How long a fish is, and how broad."""
_LAND: Final = 104, 70
"""What the letter and the offerings of an island take up, with a margin."""
_STEPS: Final = 20
_PAWN: Final = 22
_VOLCANO: Final = 22, 21
_ANGLES: Final = 24
_RINGS: Final = 4, 12, 20, 30, 40, 50, 60, 75, 90
"""How far off the shore room is looked for, nearest first."""
_FAR: Final = 3

Box = tuple[int, int, int, int]
"""Its middle, and half its width and height."""


class Geography(NamedTuple):
    """The islands and their middles, and the currents, each of which may carry a fish."""

    islands: tuple[tuple[str, tuple[int, int]], ...]
    currents: tuple[str, ...]


class Cells(NamedTuple):
    """Room for some pawns: abreast, or in rows if there are many."""

    columns: int
    rows: int
    wide: int
    high: int
    size: int

    def around(self, at: tuple[int, int], count: int) -> Iterator[tuple[int, int]]:
        """The middles of this many cells around a point."""
        x, y = at
        for n in range(count):
            down, across = divmod(n, self.columns)
            yield (
                x + (2 * across - self.columns + 1) * self.wide // 2,
                y + (2 * down - self.rows + 1) * self.high // 2,
            )


def cells(lying: Sequence[bool], rows: int = 0) -> Cells:
    """Room for pawns; any that are lying need more of it. If the number of `rows` is given, they
    are as small as can be."""
    count = len(lying)
    size = 100 if count < 3 else SMALL if count < 5 else _SMALLEST
    size, rows = (_SMALLEST, rows) if rows else (size, 1 if count < 4 else 2)
    wide = (50 if any(lying) else 40) * size // 100
    return Cells(-(-count // rows), rows, wide, 52 * size // 100, size)


# The same at many moments of a match, and in many matches: worked out once.
@lru_cache(maxsize=64)
def spaced(geography: Geography) -> Mapping[str, tuple[int, int]]:
    """The islands, pushed apart within their frame until fish have room between them, or nearly."""
    at = {island: [*map(float, place)] for island, place in geography.islands}
    frame = [(min(axis), max(axis)) for axis in zip(*at.values(), strict=True)]
    pairs = [current.split("-") for current in geography.currents]
    for one, other in [pair for pair in pairs if at.keys() >= {*pair}] * _STEPS:
        way = [b - a for a, b in zip(at[one], at[other], strict=True)]
        along, aside = (abs(part) / math.hypot(*way) for part in way)
        (wide, high), (length, breadth) = _LAND, _SWIMMER
        lack, axis = min(
            (wide + length * along + breadth * aside - abs(way[0]), 0),
            (high + length * aside + breadth * along - abs(way[1]), 1),
        )
        push = math.copysign(max(lack, 0) / 2, way[axis])
        for island, by in ((one, -push), (other, push)):
            least, most = frame[axis]
            at[island][axis] = min(max(at[island][axis] + by, least), most)
    return {island: (round(x), round(y)) for island, (x, y) in at.items()}


@lru_cache(maxsize=512)
def beside(
    island: str, lying: tuple[bool, ...], geography: Geography, taken: tuple[Box, ...]
) -> tuple[Cells, Box]:
    """How pawns stand at an island's shore, and the room there that is far enough from all else:
    they stand abreast, or in more rows if there is no other way."""
    fixed = [*_fixed(geography, island), *taken]
    grids = [cells(lying), *(cells(lying, rows) for rows in range(1, len(lying) + 1))]
    best, far = (grids[0], (0, 0, 0, 0)), -WIDTH
    for grid in grids:
        half = grid.columns * grid.wide // 2, grid.rows * grid.high // 2
        for room in _shore(island, half, geography):
            gap = min(_gap(room, other) for other in fixed)
            if gap > far:
                best, far = (grid, room), gap
            if gap >= _FAR:
                return best
    return best


@lru_cache(maxsize=64)
def volcano(site: str, geography: Geography) -> Box:
    """The room for a volcano on an island, or on the sea between several."""
    if len(site) == 1:
        return _freest(_shore(site, _VOLCANO, geography, _RINGS[:2]), _fixed(geography, site))
    around = [at for island, at in geography.islands if island in site]
    x = sum(x for x, _ in around) // len(around)
    y = sum(y for _, y in around) // len(around)
    steps = range(-48, 49, 8)
    sea = [(x + across, y + down, *_VOLCANO) for down in steps for across in steps]
    return _freest(sea, _fixed(geography))


def _fixed(geography: Geography, but: str = "") -> list[Box]:
    """What never moves: the islands, except for one, and the places where fish may be."""
    places = dict(geography.islands)
    ways = [current.split("-") for current in geography.currents]
    fish = [
        ((places[a][0] + places[b][0]) // 2, (places[a][1] + places[b][1]) // 2, *_FISH)
        for a, b in ways
        if a in places and b in places
    ]
    return [*((*at, *_TILES) for island, at in geography.islands if island != but), *fish]


def _shore(
    island: str, half: tuple[int, int], geography: Geography, rings: Sequence[int] = _RINGS
) -> list[Box]:
    """All rooms of a size around an island, on the board and clear of what lies on the island."""
    places = dict(geography.islands)
    (x, y), (wide, high) = places[island], half
    foot = max(y for _, y in places.values()) + ISLAND[1] + 60
    rooms = []
    for out, n in product(rings, range(_ANGLES)):
        angle = math.tau * n / _ANGLES
        across = (ISLAND[0] + wide + out) * math.cos(angle)
        down = (ISLAND[1] + high + out) * math.sin(angle)
        off = max(
            1, min((_TILES[0] + wide) / (abs(across) or 1), (_TILES[1] + high) / (abs(down) or 1))
        )
        rooms.append((x + round(across * off), y + round(down * off), wide, high))
    return [
        (x, y, wide, high)
        for x, y, wide, high in rooms
        if max(wide, _PAWN) + 4 <= x <= WIDTH - max(wide, _PAWN) - 4
        and high + 4 <= y <= foot - high
    ]


def _freest(rooms: Iterable[Box], taken: list[Box]) -> Box:
    return max(rooms, key=lambda room: min(_gap(room, other) for other in taken))


def _gap(one: Box, other: Box) -> int:
    """How far apart two boxes are, across or down; less than 0 if they overlap."""
    x, y, wide, high = one
    other_x, other_y, other_wide, other_high = other
    return max(abs(x - other_x) - wide - other_wide, abs(y - other_y) - high - other_high)
