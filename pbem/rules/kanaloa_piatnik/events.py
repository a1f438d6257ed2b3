"""The facts of Kanaloa (Piatnik): a class for each kind of event."""

from __future__ import annotations

from typing import Final, Literal

from pbem.core import FLAG, NAME, NUMBER, SEAT, Event, Seat, defined, fact, record
from pbem.rules.kanaloa_piatnik import board
from pbem.rules.kanaloa_piatnik.board import Card, Colour

Offer = Literal["dolphin", "move", "bonus"]


@record
class _OfSeat(Event):
    """What a seat does, or what happens to it."""

    seat: Seat = fact(SEAT)


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
class Announced(_OfSeat):
    """A seat said whether it will take no trick.

    If `known_to` is a seat, nobody else knows it yet.
    """

    tilts: bool = fact(FLAG, secret="known_to")
    known_to: str = fact(SEAT)


@record
class TrickBegan(_OfSeat):
    """A seat leads to a trick, with this trump."""

    trump: Colour = fact(board.A_COLOUR)


@record
class Played(_OfSeat):
    """A card was played."""

    card: Card = fact(board.A_CARD)


@record
class RemovalDue(_OfSeat):
    """A seat must remove a free ocean card: for its octopus, or at the end of the round."""

    after: str = fact(board.AN_OCCASION)


@record
class Removed(_OfSeat):
    """An ocean card was taken out of the route."""

    card: str = fact(board.AN_OCEAN_CARD)


@record
class NothingRemoved(_OfSeat):
    """No ocean card can be removed: none is free, or only three are left."""

    why: str = fact(board.A_RULE)


@record
class TrickWon(_OfSeat):
    """A seat took the trick with this card."""

    card: Card = fact(board.A_CARD)


@record
class Held(_OfSeat):
    """A boat did not move for the trick, because its player had announced no trick."""


@record
class Offered(_OfSeat):
    """A seat may move: for its trick, with a dolphin, or three fields for an announcement."""

    offer: Offer = fact(board.AN_OFFER)


@record
class Stayed(_OfSeat):
    """A seat declined to move."""

    offer: str = fact(board.AN_OFFER)


@record
class Moved(_OfSeat):
    """A boat moved to a position; `field` is the ocean card and colour there."""

    to: int = fact(NUMBER)
    field: str = fact(NAME)


@record
class Righted(_OfSeat):
    """A tilted boat was set upright."""


@record
class Lapped(_OfSeat):
    """A boat sailed past the last boat."""

    last: Seat = fact(SEAT)


@record
class Ended(Event):
    """The match is over."""

    winner: Seat = fact(SEAT)
    why: str = fact(board.A_RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())

OPENS: Final[tuple[type[Event], ...]] = (Announced,)
"""What opens hidden choices: after the last announcement, all are told."""
