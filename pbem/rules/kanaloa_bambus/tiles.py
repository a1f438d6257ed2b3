"""The gods, the offerings, and what is in the bag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, groupby, product
from typing import Any, Final, NamedTuple

from pbem.rules.kanaloa_bambus.chart import COUNTS

God = str
Tile = str

GODS: Final[tuple[God, ...]] = ("kanaloa", "ku", "pele", "lono")
"""The gods that have cards [B-4]."""
KANALOA, KU, PELE, LONO = range(4)
KANE: Final = 4
TEMPLES: Final[tuple[God, ...]] = (*GODS, "kane")
GOD: Final[dict[God, int]] = {god: n for n, god in enumerate(TEMPLES)}
VOLCANO: Final = "volcano"

LETTERS: Final[dict[God, str]] = {"ku": "U", "kanaloa": "K", "lono": "L", "pele": "P", "kane": "*"}
"""How boards show the gods, on tiles for two in this order: `KU4` would be taken for Ku."""

_SYMBOLS: Final = (*TEMPLES, *("/".join(pair) for pair in combinations(sorted(GODS), 2)))
TILES: Final[dict[Tile, tuple[int, int]]] = {
    f"{symbols}{value}": (sum(1 << GOD[god] for god in symbols.split("/")), value)
    for symbols in _SYMBOLS
    for value in range(1, 10)
}
"""Every possible offering: the set of gods it shows (bit n: the n-th of TEMPLES), its value."""

_KANE: Final = 1 << KANE


def code(tile: Tile) -> str:
    """How boards show an offering: `LP4` is for Lono or Pele, `UK2` for Ku or Kanaloa."""
    gods, value = tile[:-1].split("/"), tile[-1]
    return "".join(letter for god, letter in LETTERS.items() if god in gods) + value


@lru_cache(maxsize=200_000)
def offering(tiles: tuple[Tile, ...]) -> tuple[int, int]:
    """The set of gods to whom these tiles may be sacrificed together, and their points.

    At least one tile shows the god, the others show it or Kane [B-40]; a tile with two symbols
    counts for either [B-41].
    """
    shown, every, points = 0, (1 << len(TEMPLES)) - 1, 0
    for tile in tiles:
        gods, value = TILES[tile]
        shown |= gods
        if gods != _KANE:
            every &= gods
        points += value
    return shown & every, points


def offerings_of(hand: tuple[Tile, ...]) -> Iterator[tuple[int, tuple[Tile, ...]]]:
    """Every sacrifice a hand allows, one by one: (god, tiles), each multiset of tiles once."""
    for god in range(len(TEMPLES)):
        fitting = tuple(tile for tile in hand if TILES[tile][0] & (1 << god | _KANE))
        for tiles in _multisets(fitting):
            if tiles and offering(tiles)[0] >> god & 1:
                yield god, tiles


def _multisets(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Every distinct selection of some sorted tiles, the empty one included, one by one."""
    runs = (tuple(alike) for _, alike in groupby(tiles))
    chosen = product(*([run[:n] for n in range(len(run), -1, -1)] for run in runs))
    return (tuple(chain.from_iterable(each)) for each in chosen)


@lru_cache(maxsize=100_000)
def lacks(hand: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> Tile | None:
    """A tile that the hand has fewer of than `tiles`; None if there is none."""
    return next((tile for tile in tiles if tiles.count(tile) > hand.count(tile)), None)


class Box(NamedTuple):
    """The tiles of one match [B-5, B-102].

    `kinds` are the different offerings in alphabetical order, `copies` how many there are of
    each, `aside` how many tiles are set aside, and the game ends with the `last` volcano.
    `left_out` offerings stay in the box, nobody knows which.
    """

    kinds: tuple[Tile, ...]
    number: Mapping[Tile, int]
    copies: tuple[int, ...]
    last: int
    left_out: int
    aside: int = 7


def box(tiles: Mapping[str, Any], players: int, offerings: str) -> Box:
    """The tiles for this many players."""
    randomly = players == 2 and offerings == "random"
    alike = 2 if players == 2 and not randomly else 3
    found = {entry["tile"]: entry["kinds"] for entry in tiles["offerings"]}
    kinds = tuple(sorted(found))
    return Box(
        kinds,
        {tile: n for n, tile in enumerate(kinds)},
        tuple(found[tile] * alike for tile in kinds),
        tiles["volcanoes"][COUNTS[players]],
        sum(found.values()) if randomly else 0,
    )
