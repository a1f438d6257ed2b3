"""The facts of Kanaloa (Piatnik): a class for each kind of event."""

from __future__ import annotations

from typing import Final, Literal

from pbem.core import FLAG, NAME, NUMBER, SEAT, Event, Seat, defined, fact, record
from pbem.rules.kanaloa_piatnik import board
from pbem.rules.kanaloa_piatnik.board import Card, Colour

Offer = Literal["dolphin", "move", "bonus"]


@record
class Dropped(Event):
    """An ocean card was left out at set-up."""

    card: str = fact(board.AN_OCEAN_CARD)


@record
class Laid(Event):
    """An ocean card was laid at the end of the route."""

    card: str = fact(board.AN_OCEAN_CARD)
    turned: bool = fact(FLAG)


@record
class RoundBegan(Event):
    """All cards were shuffled, and a seat is start player."""

    round: int = fact(NUMBER)
    start: Seat = fact(SEAT)


@record
class Dealt(Event):
    """A card came to a hand."""

    to: Seat = fact(SEAT)
    card: Card = fact(board.A_CARD, secret="to")


@record
class Announced(Event):
    """A seat said whether it will take no trick.

    If `known_to` is a seat, nobody else knows it yet.
    """

    seat: Seat = fact(SEAT)
    tilts: bool = fact(FLAG, secret="known_to")
    known_to: str = fact(SEAT)


@record
class TrickBegan(Event):
    """A seat leads to a trick, with this trump."""

    seat: Seat = fact(SEAT)
    trump: Colour = fact(board.A_COLOUR)


@record
class Played(Event):
    """A card was played."""

    seat: Seat = fact(SEAT)
    card: Card = fact(board.A_CARD)


@record
class RemovalDue(Event):
    """A seat must remove a free ocean card: for its octopus, or at the end of the round."""

    seat: Seat = fact(SEAT)
    after: str = fact(board.AN_OCCASION)


@record
class Removed(Event):
    """An ocean card was taken out of the route."""

    seat: Seat = fact(SEAT)
    card: str = fact(board.AN_OCEAN_CARD)


@record
class NothingRemoved(Event):
    """No ocean card can be removed: none is free, or only three are left."""

    seat: Seat = fact(SEAT)
    why: str = fact(board.A_RULE)


@record
class TrickWon(Event):
    """A seat took the trick with this card."""

    seat: Seat = fact(SEAT)
    card: Card = fact(board.A_CARD)


@record
class Held(Event):
    """A boat did not move for the trick, because its player had announced no trick."""

    seat: Seat = fact(SEAT)


@record
class Offered(Event):
    """A seat may move: for its trick, with a dolphin, or three fields for an announcement."""

    seat: Seat = fact(SEAT)
    offer: Offer = fact(board.AN_OFFER)


@record
class Stayed(Event):
    """A seat declined to move."""

    seat: Seat = fact(SEAT)
    offer: str = fact(board.AN_OFFER)


@record
class Moved(Event):
    """A boat moved to a position; `field` is the ocean card and colour there."""

    seat: Seat = fact(SEAT)
    to: int = fact(NUMBER)
    field: str = fact(NAME)


@record
class Righted(Event):
    """A tilted boat was set upright."""

    seat: Seat = fact(SEAT)


@record
class Lapped(Event):
    """A boat sailed past the last boat."""

    seat: Seat = fact(SEAT)
    last: Seat = fact(SEAT)


@record
class Ended(Event):
    """The match is over."""

    winner: Seat = fact(SEAT)
    why: str = fact(board.A_RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())

OPENS: Final[tuple[type[Event], ...]] = (Announced,)
"""What opens hidden choices: after the last announcement, all are told."""
