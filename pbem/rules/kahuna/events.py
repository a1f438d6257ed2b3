"""The facts of Kahuna."""

from __future__ import annotations

from typing import Final

from pbem.core import NUMBER, Event, Seat, defined, fact, maybe, record
from pbem.rules.kahuna import board


@record
class Dealt(Event):
    """A card came to a hand, face down, or to the display, face up."""

    to: str = fact(board.A_PLACE)
    card: board.Card = fact(board.AN_ISLAND, secret="to")


@record
class Spent(Event):
    """A card was played, face up: in variant 2 an open copy rather than a hidden one."""

    seat: Seat = fact(board.A_SEAT)
    card: board.Card = fact(board.AN_ISLAND)


@record
class SpentHidden(Event):
    """A hidden card was played, although a copy of it lies open (variant 2)."""

    seat: Seat = fact(board.A_SEAT)
    card: board.Card = fact(board.AN_ISLAND)


@record
class Built(Event):
    """A bridge was put on a line."""

    seat: Seat = fact(board.A_SEAT)
    line: board.Line = fact(board.A_LINE)


@record
class Won(Event):
    """A seat has a new majority on an island."""

    seat: Seat = fact(board.A_SEAT)
    island: board.Island = fact(board.AN_ISLAND)


@record
class Swept(Event):
    """A bridge of `seat` went because the other seat won an island."""

    seat: Seat = fact(board.A_SEAT)
    line: board.Line = fact(board.A_LINE)
    island: board.Island = fact(board.AN_ISLAND)


@record
class Cut(Event):
    """A bridge of `seat` was removed with two cards."""

    seat: Seat = fact(board.A_SEAT)
    line: board.Line = fact(board.A_LINE)


@record
class Lost(Event):
    """A seat no longer has the majority on an island."""

    seat: Seat = fact(board.A_SEAT)
    island: board.Island = fact(board.AN_ISLAND)


@record
class Tucked(Event):
    """A card went face down under the discard pile."""

    seat: Seat = fact(board.A_SEAT)
    card: board.Card = fact(board.AN_ISLAND, secret="seat")


@record
class TuckedOpen(Event):
    """A card that lay open (variant 2) went under the discard pile: everybody saw which."""

    seat: Seat = fact(board.A_SEAT)
    card: board.Card = fact(board.AN_ISLAND)


@record
class Took(Event):
    """A face-up card was taken."""

    seat: Seat = fact(board.A_SEAT)
    card: board.Card = fact(board.AN_ISLAND)


@record
class Drew(Event):
    """The top card of the draw pile is owed to a seat."""

    seat: Seat = fact(board.A_SEAT)


@record
class Passed(Event):
    """A seat declined to draw."""

    seat: Seat = fact(board.A_SEAT)


@record
class HandicapDone(Event):
    """A seat has placed all the handicap bridges that it wants to."""

    seat: Seat = fact(board.A_SEAT)


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
class LastTurns(Event):
    """For the third time nothing is left to draw: each seat has one more turn."""

    seat: Seat = fact(board.A_SEAT)


@record
class Ended(Event):
    """The match is over."""

    winner: Seat | None = fact(maybe(board.A_SEAT))
    why: str = fact(board.A_RULE)


EVENTS: Final[tuple[type[Event], ...]] = defined(Event, globals())

OPENS: Final[tuple[type[Event], ...]] = (TuckedOpen,)
"""What opens a hidden choice: everybody sees which open card is put away."""
