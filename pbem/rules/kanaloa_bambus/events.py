"""What can happen in Kanaloa (Bambus)."""

from __future__ import annotations

from typing import Final

from pbem.core import NUMBER, SEAT, Event, Seat, defined, fact, many, maybe, record
from pbem.rules.kanaloa_bambus import board
from pbem.rules.kanaloa_bambus.chart import Island, Way
from pbem.rules.kanaloa_bambus.tiles import God, Tile


@record
class TileLaid(Event):
    """An offering came to an island."""

    island: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)


@record
class CardDealt(Event):
    """A gods card was dealt at the start."""

    seat: Seat = fact(SEAT)
    god: God = fact(board.GOD)


@record
class FishLaid(Event):
    """A fish was laid: a neutral one if `of` is None."""

    of: Seat | None = fact(maybe(SEAT))
    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class PawnPlaced(Event):
    """A seat placed its first pawn."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)


@record
class TurnPassed(Event):
    """A turn ended, its player's pawns recovered, and the next began."""

    to: Seat = fact(SEAT)


@record
class TurnLost(Event):
    """All pawns of the seat on the map are stunned: its turn does not take place."""

    seat: Seat = fact(SEAT)


@record
class Withdrew(Event):
    """A pawn was taken off for want of Lono's support."""

    seat: Seat = fact(SEAT)
    place: str = fact(board.PLACE)


@record
class Swapped(Event):
    """Lono exchanged two offerings: `tile` was on `first`, `other` on `second`."""

    seat: Seat = fact(SEAT)
    first: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)
    second: Island = fact(board.ISLAND)
    other: Tile = fact(board.TILE)


@record
class Sailed(Event):
    """A pawn moved along a fish."""

    seat: Seat = fact(SEAT)
    tail: Island = fact(board.ISLAND)
    head: Island = fact(board.ISLAND)


@record
class TurnedOver(Event):
    """The fish a pawn has passed now shows this side."""

    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class Robbed(Event):
    """Ku took an offering from a player just met."""

    seat: Seat = fact(SEAT)
    victim: Seat = fact(SEAT)
    tile: Tile = fact(board.TILE)


@record
class Spared(Event):
    """Ku's holder robbed nobody, though it was possible."""

    seat: Seat = fact(SEAT)


@record
class Took(Event):
    """A player took an offering; the island is owed another."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)


@record
class Sacrificed(Event):
    """Offerings left the game for points in a temple, which now has this height."""

    seat: Seat = fact(SEAT)
    god: God = fact(board.TEMPLE)
    tiles: tuple[Tile, ...] = fact(many(board.TILE, 99))
    points: int = fact(NUMBER)
    height: int = fact(NUMBER)


@record
class CardPassed(Event):
    """A gods card or protection card changed hands, because of these two heights."""

    god: God = fact(board.GOD)
    card: str = fact(board.CARD)
    to: Seat | None = fact(maybe(SEAT))
    by: Seat | None = fact(maybe(SEAT))
    height: int = fact(NUMBER)
    other: int = fact(NUMBER)
    why: str = fact(board.RULE)


@record
class Freed(Event):
    """A blocked player turned a fish to its white side."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(board.WAY)


@record
class Called(Event):
    """A pawn went onto the Dolphin."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)


@record
class Landed(Event):
    """A pawn left the Dolphin."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)


@record
class Gave(Event):
    """The Dolphin got an offering; the island is owed another."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)


@record
class VolcanoDrawn(Event):
    """A volcano came out of the bag, the n-th so far."""

    number: int = fact(NUMBER)


@record
class BagFilled(Event):
    """The bag was empty; the tiles set aside went in."""

    tiles: int = fact(NUMBER)


@record
class Erupted(Event):
    """The volcano erupts: once the island has its offering, it is this seat's turn."""

    seat: Seat = fact(SEAT)


@record
class VolcanoPlaced(Event):
    """The volcano stands on an island or a sea space."""

    seat: Seat = fact(SEAT)
    site: str = fact(board.SITE)


@record
class Stunned(Event):
    """The pawns of a seat on an island lose a turn."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)


@record
class VolcanoLifted(Event):
    """The volcano is gone from its site."""

    site: str = fact(board.SITE)


@record
class Announced(Event):
    """Kanaloa wants to turn a fish; the protected player may object."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(board.WAY)
    how: str = fact(board.HOW)


@record
class Forbade(Event):
    """The protected player objected: the fish stays."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(board.WAY)


@record
class Flipped(Event):
    """Kanaloa turned a fish over; it now shows this side."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class Reversed(Event):
    """Kanaloa turned a fish round; `fish` is how it lay before."""

    seat: Seat = fact(SEAT)
    fish: Way = fact(board.WAY)


@record
class SecondPlaced(Event):
    """A second pawn came into play, by the gods card or the protection card."""

    seat: Seat = fact(SEAT)
    island: Island = fact(board.ISLAND)
    card: str = fact(board.CARD)


@record
class Declined(Event):
    """A player did nothing more at the end of a turn."""

    seat: Seat = fact(SEAT)


@record
class Scored(Event):
    """The end: a player's temple of Kane, the score, and what did not score."""

    seat: Seat = fact(SEAT)
    kane: int = fact(NUMBER)
    score: int = fact(NUMBER)
    rest: int = fact(NUMBER)


@record
class Ended(Event):
    """The match is over."""

    winners: tuple[Seat, ...] = fact(many(SEAT, 4))
    why: str = fact(board.RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())
