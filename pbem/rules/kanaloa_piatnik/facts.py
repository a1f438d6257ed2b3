"""The sea, the choices, the facts and the state of Kanaloa (Piatnik)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from pbem.core import FLAG, NAME, NUMBER, SEAT, Domain, Event, Move, Seat, fact, one_of, record
from pbem.files import data
from pbem.rules.kanaloa_piatnik.cards import (
    CARDS,
    COLOURS,
    OCEAN_CARDS,
    Card,
    Colour,
    Ocean,
    Route,
    size,
)

DATA: Final = data.game_folder("kanaloa-piatnik")


class Sea(NamedTuple):
    """The route and the boats on it. A boat's position counts fields from the first of the
    route, laps included [P-A30]; no boats: the start field is not laid yet."""

    route: Route = Route()
    boats: tuple[int, ...] = ()
    removed: tuple[str, ...] = ()


# ------------------------------------------------------------------- what a log may contain

ALL_SEATS: Final = "ALL"
"""For whom an open announcement is meant: no seat has this name, so nobody is kept from it."""

_CARD: Final = one_of("a card", CARDS)
_COLOUR: Final = one_of("a colour", COLOURS)
_OFFER: Final = one_of("dolphin, move or bonus", ("dolphin", "move", "bonus"))
_AFTER: Final = one_of("octopus or round", ("octopus", "round"))
_RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("P-"), 8)
_FLAG: Final = Domain("true or false", FLAG.accepts, 5, (False, True))
_OCEAN: Final = Domain(
    "an ocean card", NAME.accepts, 8, tuple(f"M{n:02}" for n in range(1, OCEAN_CARDS + 1))
)
"""A board file may have others."""

# --------------------------------------------------------------------------------- choices


@record
class Play(Move):
    """Play a card to the trick."""

    card: Card = fact(_CARD)


@record
class Remove(Move):
    """Take a free ocean card out of the route."""

    card: str = fact(_OCEAN)


@record
class Dolphin(Move):
    """Sail on with a dolphin's help."""


@record
class Sail(Move):
    """Move as offered: for a trick, or three fields for a kept announcement."""


@record
class Stay(Move):
    """Do not move as offered."""


@record
class Announce(Move):
    """Say whether you will take no trick; `known_to` is who may know it for now."""

    tilts: bool = fact(_FLAG, secret="known_to")
    known_to: str = fact(SEAT)


@record
class Drop(Move):
    """Chance: this ocean card is left out."""

    card: str = fact(_OCEAN)


@record
class Lay(Move):
    """Chance: this ocean card comes next, as printed or turned."""

    card: str = fact(_OCEAN)
    turned: bool = fact(_FLAG)


@record
class Deal(Move):
    """Chance: this card comes, to the seat it is owed to."""

    card: Card = fact(_CARD, secret="to")
    to: Seat = fact(SEAT)


MOVES: Final[tuple[type[Move], ...]] = (
    Play,
    Remove,
    Dolphin,
    Sail,
    Stay,
    Announce,
    Drop,
    Lay,
    Deal,
)

# ----------------------------------------------------------------------------------- facts


@record
class Dropped(Event):
    """An ocean card was left out at set-up."""

    card: str = fact(_OCEAN)


@record
class Laid(Event):
    """An ocean card was laid at the end of the route."""

    card: str = fact(_OCEAN)
    turned: bool = fact(_FLAG)


@record
class RoundBegan(Event):
    """All cards were shuffled; eight are owed to each seat."""

    round: int = fact(NUMBER)
    start: Seat = fact(SEAT)


@record
class Dealt(Event):
    """A card came to a hand."""

    to: Seat = fact(SEAT)
    card: Card = fact(_CARD, secret="to")


@record
class Announced(Event):
    """A seat said whether it will take no trick; `known_to` a seat, only that seat knows yet."""

    seat: Seat = fact(SEAT)
    tilts: bool = fact(_FLAG, secret="known_to")
    known_to: str = fact(SEAT)


@record
class TrickBegan(Event):
    """A seat leads to a trick, with this trump."""

    seat: Seat = fact(SEAT)
    trump: Colour = fact(_COLOUR)


@record
class Played(Event):
    """A card was played."""

    seat: Seat = fact(SEAT)
    card: Card = fact(_CARD)


@record
class RemovalDue(Event):
    """A seat is to remove a free ocean card: after its octopus, or at the end of the round."""

    seat: Seat = fact(SEAT)
    after: str = fact(_AFTER)


@record
class Removed(Event):
    """An ocean card was taken out of the route."""

    seat: Seat = fact(SEAT)
    card: str = fact(_OCEAN)


@record
class NothingRemoved(Event):
    """No ocean card can be removed: none is free, or only three are left."""

    seat: Seat = fact(SEAT)
    why: str = fact(_RULE)


@record
class TrickWon(Event):
    """A seat took the trick with this card."""

    seat: Seat = fact(SEAT)
    card: Card = fact(_CARD)


@record
class Held(Event):
    """A boat does not move for the trick, because it was announced to take none."""

    seat: Seat = fact(SEAT)


@record
class Offered(Event):
    """A seat may move: for its trick, with a dolphin, or three fields."""

    seat: Seat = fact(SEAT)
    offer: str = fact(_OFFER)


@record
class Stayed(Event):
    """A seat declined to move."""

    seat: Seat = fact(SEAT)
    offer: str = fact(_OFFER)


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
    """A boat sailed past a last boat."""

    seat: Seat = fact(SEAT)
    last: Seat = fact(SEAT)


@record
class Ended(Event):
    """The match is over."""

    winner: Seat = fact(SEAT)
    why: str = fact(_RULE)


EVENTS: Final[tuple[type[Event], ...]] = (
    Dropped,
    Laid,
    RoundBegan,
    Dealt,
    Announced,
    TrickBegan,
    Played,
    RemovalDue,
    Removed,
    NothingRemoved,
    TrickWon,
    Held,
    Offered,
    Stayed,
    Moved,
    Righted,
    Lapped,
    Ended,
)

# ------------------------------------------------------------------------------- the state


class Rules(NamedTuple):
    """What the seats, the ocean cards, the ruleset and the options settle."""

    seats: tuple[Seat, ...]
    ocean: Mapping[str, Ocean]
    starter: int
    route: tuple[Ocean, ...] | None
    kanaloa_follows: bool
    """The first Tiki after a Kanaloa that was led has to be followed."""
    octopus_follows: bool
    """The first Tiki after an octopus that was led has to be followed."""
    dolphin_asks: bool
    may_decline_move: bool
    announce: bool
    announce_open: bool
    announce_failure: str
    announce_before_removal: bool


class Tally(NamedTuple):
    """What changes once a trick or more seldom. Seats are numbers, tuples go by seat.

    `lead` leads, or is to lead, the trick; it took the last one. `announced` is None before
    the seat has spoken, True while its boat is tilted, and may be HIDDEN.
    """

    round: int
    start: int
    lead: int
    tricks: tuple[int, ...]
    announced: tuple[bool | str | None, ...]
    ended: Ended | None = None


class State(NamedTuple):
    """A position. Tuples go by seat, cards in one place are an integer."""

    rules: Rules
    tally: Tally
    sea: Sea
    asked: str
    """What is asked for now: drop, lay, deal, announce, card, octopus, removal, dolphin, move,
    bonus; or nothing any more."""
    turn: Seat
    """Who is asked, or is dealt to."""
    hands: tuple[int, ...]
    """The known cards of each hand."""
    hidden: tuple[int, ...] = ()
    """How many cards of each hand are HIDDEN; () where none is."""
    out: int = 0
    """All cards known to have been dealt this round, in hand or played."""
    table: tuple[Card, ...] = ()
    """The cards of the trick, the lead first."""


def held(s: State, seat: int) -> int:
    """How many cards a seat holds."""
    return size(s.hands[seat]) + (s.hidden[seat] if s.hidden else 0)


def clockwise(s: State) -> list[int]:
    """All seats from the start player of the round."""
    n, start = len(s.hands), s.tally.start
    return [(start + k) % n for k in range(n)]
