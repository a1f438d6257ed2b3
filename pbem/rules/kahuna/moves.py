"""The choices of Kahuna, and the deals of chance.

In variant 2 a player may hold two copies of a card, one open and one hidden. The open one is
meant, unless a move says `hidden` [K-A24].
"""

from __future__ import annotations

from typing import Final

from pbem.core import FLAG, MOVER, Move, defined, fact, record
from pbem.rules.kahuna import board


@record
class Place(Move):
    """Spend one card to put a bridge on a line."""

    line: board.Line = fact(board.TWO_ISLANDS)
    card: board.Card = fact(board.AN_ISLAND)
    hidden: bool = fact(FLAG)


@record
class Remove(Move):
    """Spend two cards, in alphabetical order, to take an opposing bridge off a line."""

    line: board.Line = fact(board.TWO_ISLANDS)
    cards: tuple[board.Card, board.Card] = fact(board.TWO_CARDS)
    hidden: tuple[bool, bool] = fact(board.TWO_FLAGS)


@record
class Free(Move):
    """Variant 1: put a bridge on the line just cleared, without a card."""

    line: board.Line = fact(board.TWO_ISLANDS)


@record
class Discard(Move):
    """Put one card face down under the discard pile."""

    card: board.Card = fact(board.AN_ISLAND, secret=MOVER)
    hidden: bool = fact(FLAG, secret=MOVER)


@record
class Take(Move):
    """End the turn with a face-up card."""

    card: board.Card = fact(board.AN_ISLAND)


@record
class Draw(Move):
    """End the turn with the top card of the draw pile."""


@record
class Pass(Move):
    """End the turn without a card."""


@record
class Handicap(Move):
    """Place one of the handicap bridges, before the first turn."""

    line: board.Line = fact(board.TWO_ISLANDS)


@record
class Enough(Move):
    """Place no more handicap bridges."""


@record
class Deal(Move):
    """Chance: this card goes to the place it is owed to."""

    card: board.Card = fact(board.AN_ISLAND, secret="to")
    to: str = fact(board.A_PLACE)


MOVES: Final[tuple[type[Move], ...]] = defined(Move, globals())
