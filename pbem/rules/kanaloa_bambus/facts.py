"""What can happen in Kanaloa (Bambus)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.core import NUMBER, SEAT, Event, Seat, fact, many, maybe
from pbem.rules.kanaloa_bambus.chart import Island, Way
from pbem.rules.kanaloa_bambus.tiles import God, Tile
from pbem.rules.kanaloa_bambus.words import (
    CARD,
    GODS_NAME,
    HOW,
    ISLAND,
    PLACE,
    RULE,
    SIDE,
    SITE,
    TEMPLE,
    TILE,
    WAY,
)


@dataclass(frozen=True, slots=True)
class TileLaid(Event):
    """An offering came to an island."""

    island: Island = fact(ISLAND)
    tile: Tile = fact(TILE)


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A gods card was dealt at the start."""

    seat: Seat = fact(SEAT)
    god: God = fact(GODS_NAME)


@dataclass(frozen=True, slots=True)
class FishLaid(Event):
    """A fish was laid; `of` nobody: a neutral one."""

    of: Seat | None = fact(maybe(SEAT))
    fish: Way = fact(WAY)
    up: str = fact(SIDE)


@dataclass(frozen=True, slots=True)
class PawnPlaced(Event):
    """A seat placed its first pawn."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """A turn ended, its player's pawns recovered, and the next began."""

    to: Seat = fact(SEAT)


@dataclass(frozen=True, slots=True)
class TurnLost(Event):
    """All pawns of the seat on the map are stunned: its turn does not take place."""

    seat: Seat = fact(SEAT)


@dataclass(frozen=True, slots=True)
class Withdrew(Event):
    """A pawn was taken off for want of Lono's support."""

    seat: Seat = fact(SEAT)
    place: str = fact(PLACE)


@dataclass(frozen=True, slots=True)
class Swapped(Event):
    """Lono exchanged two offerings: `tile` was on `first`, `other` on `second`."""

    seat: Seat = fact(SEAT)
    first: Island = fact(ISLAND)
    tile: Tile = fact(TILE)
    second: Island = fact(ISLAND)
    other: Tile = fact(TILE)


@dataclass(frozen=True, slots=True)
class Sailed(Event):
    """A pawn moved along a fish."""

    seat: Seat = fact(SEAT)
    tail: Island = fact(ISLAND)
    head: Island = fact(ISLAND)


@dataclass(frozen=True, slots=True)
class TurnedOver(Event):
    """The fish a pawn has passed now shows this side."""

    fish: Way = fact(WAY)
    up: str = fact(SIDE)


@dataclass(frozen=True, slots=True)
class Robbed(Event):
    """Ku took an offering from a player just met."""

    seat: Seat = fact(SEAT)
    victim: Seat = fact(SEAT)
    tile: Tile = fact(TILE)


@dataclass(frozen=True, slots=True)
class Spared(Event):
    """Ku robbed nobody though he could."""

    seat: Seat = fact(SEAT)


@dataclass(frozen=True, slots=True)
class Took(Event):
    """A player took an offering; the island is owed another."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)
    tile: Tile = fact(TILE)


@dataclass(frozen=True, slots=True)
class Sacrificed(Event):
    """Offerings left the game for points in a temple, which is now so high."""

    seat: Seat = fact(SEAT)
    god: God = fact(TEMPLE)
    tiles: tuple[Tile, ...] = fact(many(TILE, 99))
    points: int = fact(NUMBER)
    height: int = fact(NUMBER)


@dataclass(frozen=True, slots=True)
class CardPassed(Event):
    """A gods card or protection card changed hands, because of these two heights."""

    god: God = fact(GODS_NAME)
    card: str = fact(CARD)
    to: Seat | None = fact(maybe(SEAT))
    by: Seat | None = fact(maybe(SEAT))
    height: int = fact(NUMBER)
    other: int = fact(NUMBER)
    why: str = fact(RULE)


@dataclass(frozen=True, slots=True)
class Freed(Event):
    """A blocked player turned a fish to its white side."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(WAY)


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A pawn went on the Dolphin."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)


@dataclass(frozen=True, slots=True)
class Landed(Event):
    """A pawn left the Dolphin."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)


@dataclass(frozen=True, slots=True)
class Gave(Event):
    """The Dolphin got an offering; the island is owed another."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)
    tile: Tile = fact(TILE)


@dataclass(frozen=True, slots=True)
class VolcanoDrawn(Event):
    """A volcano came out of the bag: the n-th."""

    number: int = fact(NUMBER)


@dataclass(frozen=True, slots=True)
class BagFilled(Event):
    """The bag was empty; the tiles set aside went in."""

    tiles: int = fact(NUMBER)


@dataclass(frozen=True, slots=True)
class Erupted(Event):
    """The volcano erupts: once the island has its offering it is this seat's turn."""

    seat: Seat = fact(SEAT)


@dataclass(frozen=True, slots=True)
class VolcanoPlaced(Event):
    """The volcano stands on an island or a sea space."""

    seat: Seat = fact(SEAT)
    site: str = fact(SITE)


@dataclass(frozen=True, slots=True)
class Stunned(Event):
    """The pawns of a seat on an island lose a turn."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)


@dataclass(frozen=True, slots=True)
class VolcanoLifted(Event):
    """The volcano is gone from its site."""

    site: str = fact(SITE)


@dataclass(frozen=True, slots=True)
class Announced(Event):
    """Kanaloa wants to turn a fish; the protected player may object."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(WAY)
    how: str = fact(HOW)


@dataclass(frozen=True, slots=True)
class Forbade(Event):
    """The protected player objected: the fish stays."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(WAY)


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    """Kanaloa turned a fish over; it now shows this side."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(WAY)
    up: str = fact(SIDE)


@dataclass(frozen=True, slots=True)
class Reversed(Event):
    """Kanaloa turned a fish round; this is how it lay."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(WAY)


@dataclass(frozen=True, slots=True)
class SecondPlaced(Event):
    """A second pawn came into play, by the gods card or the protection card."""

    seat: Seat = fact(SEAT)
    island: Island = fact(ISLAND)
    card: str = fact(CARD)


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A player did nothing more at the end of his turn."""

    seat: Seat = fact(SEAT)


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The end: a player's temple of Kane, his score, and what did not score."""

    seat: Seat = fact(SEAT)
    kane: int = fact(NUMBER)
    score: int = fact(NUMBER)
    rest: int = fact(NUMBER)


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over."""

    winners: tuple[Seat, ...] = fact(many(SEAT, 4))
    why: str = fact(RULE)


EVENTS: Final[tuple[type[Event], ...]] = (
    TileLaid, CardDealt, FishLaid, PawnPlaced, TurnPassed, TurnLost, Withdrew, Swapped, Sailed,
    TurnedOver, Robbed, Spared, Took, Sacrificed, CardPassed, Freed, Called, Landed, Gave,
    VolcanoDrawn, BagFilled, Erupted, VolcanoPlaced, Stunned, VolcanoLifted, Announced, Forbade,
    Flipped, Reversed, SecondPlaced, Declined, Scored, Ended,
)  # fmt: skip
