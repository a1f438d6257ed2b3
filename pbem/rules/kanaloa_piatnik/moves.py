"""The choices of Kanaloa (Piatnik): a class for each kind of move."""

from __future__ import annotations

from typing import Final

from pbem.core import FLAG, SEAT, Move, Seat, defined, fact, record
from pbem.rules.kanaloa_piatnik import board
from pbem.rules.kanaloa_piatnik.board import Card


@record
class Play(Move):
    """Play a card to the trick."""

    card: Card = fact(board.A_CARD)


@record
class Remove(Move):
    """Take a free ocean card out of the route."""

    card: str = fact(board.AN_OCEAN_CARD)


@record
class Dolphin(Move):
    """Sail on with a dolphin's help."""


@record
class Sail(Move):
    """Move for a trick where that may be declined, or three fields for a kept announcement."""


@record
class Stay(Move):
    """Decline to move."""


@record
class Announce(Move):
    """Say whether you will take no trick; `known_to` is who may know it for now."""

    tilts: bool = fact(FLAG, secret="known_to")
    known_to: str = fact(SEAT)


@record
class Drop(Move):
    """Chance: this ocean card is left out."""

    card: str = fact(board.AN_OCEAN_CARD)


@record
class Lay(Move):
    """Chance: this ocean card comes next, as printed or turned."""

    card: str = fact(board.AN_OCEAN_CARD)
    turned: bool = fact(FLAG)


@record
class Deal(Move):
    """Chance: this card comes to this seat."""

    card: Card = fact(board.A_CARD, secret="to")
    to: Seat = fact(SEAT)


MOVES: Final[tuple[type[Move], ...]] = defined(Move, globals())
