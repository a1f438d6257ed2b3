"""The facts of Kahuna."""

from __future__ import annotations

from typing import Final

from pbem.core import NUMBER, Event, Seat, defined, fact, maybe, record
from pbem.rules.kahuna import board


@record
class _OfSeat(Event):
    """What a seat does, or what happens to it."""

    seat: Seat = fact(board.A_SEAT)


@record
class Dealt(Event):
    """A card came to a hand, face down, or to the display, face up."""

    to: str = fact(board.A_PLACE)
    card: board.Card = fact(board.AN_ISLAND, secret="to")


@record
class Spent(_OfSeat):
    """A card was played, face up: in variant 2 an open copy rather than a hidden one."""

    card: board.Card = fact(board.AN_ISLAND)


@record
class SpentHidden(_OfSeat):
    """A hidden card was played, although a copy of it lies open (variant 2)."""

    card: board.Card = fact(board.AN_ISLAND)


@record
class Built(_OfSeat):
    """A bridge was put on a line."""

    line: board.Line = fact(board.A_LINE)


@record
class Won(_OfSeat):
    """A seat has a new majority on an island."""

    island: board.Island = fact(board.AN_ISLAND)


@record
class Swept(_OfSeat):
    """A bridge of `seat` went because the other seat won an island."""

    line: board.Line = fact(board.A_LINE)
    island: board.Island = fact(board.AN_ISLAND)


@record
class Cut(_OfSeat):
    """A bridge of `seat` was removed with two cards."""

    line: board.Line = fact(board.A_LINE)


@record
class Lost(_OfSeat):
    """A seat no longer has the majority on an island."""

    island: board.Island = fact(board.AN_ISLAND)


@record
class Tucked(_OfSeat):
    """A card went face down under the discard pile."""

    card: board.Card = fact(board.AN_ISLAND, secret="seat")


@record
class TuckedOpen(_OfSeat):
    """A card that lay open (variant 2) went under the discard pile: everybody saw which."""

    card: board.Card = fact(board.AN_ISLAND)


@record
class Took(_OfSeat):
    """A face-up card was taken."""

    card: board.Card = fact(board.AN_ISLAND)


@record
class Drew(_OfSeat):
    """The top card of the draw pile is owed to a seat."""


@record
class Passed(_OfSeat):
    """A seat declined to draw."""


@record
class HandicapDone(_OfSeat):
    """A seat has placed all the handicap bridges that it wants to."""


@record
class TurnPassed(Event):
    """The turn goes to the other seat."""

    to: Seat = fact(board.A_SEAT)


@record
class Scored(Event):
    """A round was scored: islands of each seat, and who got how many points for them."""

    round: int = fact(NUMBER)
    white: int = fact(NUMBER)
    black: int = fact(NUMBER)
    seat: Seat | None = fact(maybe(board.A_SEAT))
    points: int = fact(NUMBER)


@record
class Reshuffled(Event):
    """The whole discard pile became the draw pile of a new round."""

    round: int = fact(NUMBER)
    deck: int = fact(NUMBER)


@record
class LastTurns(_OfSeat):
    """For the third time nothing is left to draw: each seat has one more turn."""


@record
class Ended(Event):
    """The match is over."""

    winner: Seat | None = fact(maybe(board.A_SEAT))
    why: str = fact(board.A_RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())

OPENS: Final[tuple[type[Event], ...]] = (TuckedOpen,)
"""What opens a hidden choice: everybody sees which open card is put away."""
