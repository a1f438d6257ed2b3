"""The choices of Kanaloa (Bambus)."""

from __future__ import annotations

from typing import Final

from pbem.core import SEAT, Move, Seat, defined, fact, many, record
from pbem.rules.kanaloa_bambus import board
from pbem.rules.kanaloa_bambus.chart import Island, Way
from pbem.rules.kanaloa_bambus.tiles import God, Tile


@record
class Deal(Move):
    """Chance: this tile comes to an island, or this gods card to a seat."""

    what: str = fact(board.DRAWN)
    to: str = fact(board.OWED)


@record
class LayNeutral(Move):
    """Two players: lay a neutral fish, coloured side up."""

    fish: Way = fact(board.WAY)


@record
class LayFish(Move):
    """Lay a fish of your own."""

    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class PlacePawn(Move):
    """Place the first pawn."""

    island: Island = fact(board.ISLAND)


@record
class Withdraw(Move):
    """Without Lono's support: take one of two pawns off."""

    place: str = fact(board.PLACE)


@record
class Swap(Move):
    """Lono: exchange an offering of one island with one of a neighbouring one."""

    first: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)
    second: Island = fact(board.ISLAND)
    other: Tile = fact(board.TILE)


@record
class Sail(Move):
    """Move a pawn along a fish."""

    tail: Island = fact(board.ISLAND)
    head: Island = fact(board.ISLAND)


@record
class Sacrifice(Move):
    """Give offerings to a god."""

    god: God = fact(board.TEMPLE)
    tiles: tuple[Tile, ...] = fact(many(board.TILE, 99))


@record
class Free(Move):
    """Blocked: turn a fish that leaves the island to its white side."""

    fish: Way = fact(board.WAY)


@record
class Call(Move):
    """Blocked: call the Dolphin for the pawn on an island."""

    island: Island = fact(board.ISLAND)


@record
class Land(Move):
    """Leave the Dolphin for an island."""

    island: Island = fact(board.ISLAND)


@record
class Rob(Move):
    """Ku: take an offering from a player just met."""

    victim: Seat = fact(SEAT)
    tile: Tile = fact(board.TILE)


@record
class Take(Move):
    """Take one of the island's offerings."""

    tile: Tile = fact(board.TILE)


@record
class Give(Move):
    """Give one of the island's offerings to the Dolphin."""

    tile: Tile = fact(board.TILE)


@record
class Flip(Move):
    """Kanaloa: turn a fish over."""

    fish: Way = fact(board.WAY)


@record
class Reverse(Move):
    """Kanaloa: turn a fish round."""

    fish: Way = fact(board.WAY)


@record
class Forbid(Move):
    """Kanaloa's protection: this fish is not turned."""


@record
class Allow(Move):
    """Kanaloa's protection: let it be turned."""


@record
class Second(Move):
    """Lono: place the second pawn."""

    island: Island = fact(board.ISLAND)


@record
class PlaceVolcano(Move):
    """Put the volcano on an island; with two players, on a sea space."""

    site: str = fact(board.SITE)


@record
class Decline(Move):
    """Do nothing, where that is allowed."""


MOVES: Final[tuple[type[Move], ...]] = defined(Move, globals())
