"""What can happen in Kanaloa (Bambus)."""

from __future__ import annotations

from typing import Final

from pbem.core import NUMBER, SEAT, Event, Seat, defined, fact, many, maybe, record
from pbem.rules.kanaloa_bambus import board
from pbem.rules.kanaloa_bambus.chart import Island, Way
from pbem.rules.kanaloa_bambus.tiles import God, Tile


@record
class _OfSeat(Event):
    """What a seat does, or what happens to it."""

    seat: Seat = fact(SEAT)


@record
class TileLaid(Event):
    """An offering came to an island."""

    island: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)


@record
class CardDealt(_OfSeat):
    """A gods card was dealt at the start."""

    god: God = fact(board.GOD)


@record
class FishLaid(Event):
    """A fish was laid: a neutral one if `of` is None."""

    of: Seat | None = fact(maybe(SEAT))
    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class PawnPlaced(_OfSeat):
    """A seat placed its first pawn."""

    island: Island = fact(board.ISLAND)


@record
class TurnPassed(Event):
    """A turn ended, its player's pawns recovered, and the next began."""

    to: Seat = fact(SEAT)


@record
class TurnLost(_OfSeat):
    """All pawns of the seat on the map are stunned: its turn does not take place."""


@record
class Withdrew(_OfSeat):
    """A pawn was taken off for want of Lono's support."""

    place: str = fact(board.PLACE)


@record
class Swapped(_OfSeat):
    """Lono exchanged two offerings: `tile` was on `first`, `other` on `second`."""

    first: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)
    second: Island = fact(board.ISLAND)
    other: Tile = fact(board.TILE)


@record
class Sailed(_OfSeat):
    """A pawn moved along a fish."""

    tail: Island = fact(board.ISLAND)
    head: Island = fact(board.ISLAND)


@record
class TurnedOver(Event):
    """The fish a pawn has passed now shows this side."""

    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class Robbed(_OfSeat):
    """Ku took an offering from a player just met."""

    victim: Seat = fact(SEAT)
    tile: Tile = fact(board.TILE)


@record
class Spared(_OfSeat):
    """Ku's holder robbed nobody, though it was possible."""


@record
class Took(_OfSeat):
    """A player took an offering; the island is owed another."""

    island: Island = fact(board.ISLAND)
    tile: Tile = fact(board.TILE)


@record
class Sacrificed(_OfSeat):
    """Offerings left the game for points in a temple, which now has this height."""

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
class Freed(_OfSeat):
    """A blocked player turned a fish to its white side."""

    fish: Way = fact(board.WAY)


@record
class Called(_OfSeat):
    """A pawn went onto the Dolphin."""

    island: Island = fact(board.ISLAND)


@record
class Landed(_OfSeat):
    """A pawn left the Dolphin."""

    island: Island = fact(board.ISLAND)


@record
class Gave(_OfSeat):
    """The Dolphin got an offering; the island is owed another."""

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
class Erupted(_OfSeat):
    """The volcano erupts: once the island has its offering, it is this seat's turn."""


@record
class VolcanoPlaced(_OfSeat):
    """The volcano stands on an island or a sea space."""

    site: str = fact(board.SITE)


@record
class Stunned(_OfSeat):
    """The pawns of a seat on an island lose a turn."""

    island: Island = fact(board.ISLAND)


@record
class VolcanoLifted(Event):
    """The volcano is gone from its site."""

    site: str = fact(board.SITE)


@record
class Announced(_OfSeat):
    """Kanaloa wants to turn a fish; the protected player may object."""

    fish: Way = fact(board.WAY)
    how: str = fact(board.HOW)


@record
class Forbade(_OfSeat):
    """The protected player objected: the fish stays."""

    fish: Way = fact(board.WAY)


@record
class Flipped(_OfSeat):
    """Kanaloa turned a fish over; it now shows this side."""

    fish: Way = fact(board.WAY)
    up: str = fact(board.SIDE)


@record
class Reversed(_OfSeat):
    """Kanaloa turned a fish round; `fish` is how it lay before."""

    fish: Way = fact(board.WAY)


@record
class SecondPlaced(_OfSeat):
    """A second pawn came into play, by the gods card or the protection card."""

    island: Island = fact(board.ISLAND)
    card: str = fact(board.CARD)


@record
class Declined(_OfSeat):
    """A player did nothing more at the end of a turn."""


@record
class Scored(_OfSeat):
    """The end: a player's temple of Kane, the score, and what did not score."""

    kane: int = fact(NUMBER)
    score: int = fact(NUMBER)
    rest: int = fact(NUMBER)


@record
class Ended(Event):
    """The match is over."""

    winners: tuple[Seat, ...] = fact(many(SEAT, 4))
    why: str = fact(board.RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())
