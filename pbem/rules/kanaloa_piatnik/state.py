"""The state of Kanaloa (Piatnik). A seat is its number, cards in one place are an integer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.core import Seat
from pbem.rules.kanaloa_piatnik import cards
from pbem.rules.kanaloa_piatnik.board import TRICKS, Card, Ocean
from pbem.rules.kanaloa_piatnik.events import Ended
from pbem.rules.kanaloa_piatnik.route import Route

Stage = Literal[
    "drop",
    "lay",
    "deal",
    "announce",
    "card",
    "octopus",
    "move",
    "dolphin",
    "removal",
    "bonus",
    "over",
]
"""What is asked for; `decisions.FOLLOWS` tells which stage may follow which."""


class Sea(NamedTuple):
    """The route and the boats on it.

    A boat's position counts fields from the first of the route, laps included [P-A30]. There are
    no boats before the start field has been laid.
    """

    route: Route = Route()
    boats: tuple[int, ...] = ()
    removed: tuple[str, ...] = ()


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
    """What changes once a trick or less often. Seats are numbers, tuples go by seat.

    `lead` leads this trick or will lead the next; it took the last one. `announced` is None before
    the seat has spoken, True while its boat is tilted, and may be HIDDEN.
    """

    round: int
    start: int
    lead: int
    tricks: tuple[int, ...]
    announced: tuple[bool | str | None, ...]
    ended: Ended | None = None
    taken: tuple[tuple[int, Card], ...] = ()
    """The cards of the last trick and whose they were, until one is played to the next."""


class State(NamedTuple):
    """A position. Tuples go by seat, cards in one place are an integer."""

    rules: Rules
    tally: Tally
    sea: Sea
    asked: Stage
    turn: Seat
    """The seat that is asked, or dealt to."""
    hands: tuple[int, ...]
    """The known cards of each hand."""
    hidden: tuple[int, ...] = ()
    """How many cards of each hand are HIDDEN; () if none are."""
    out: int = 0
    """All cards known to have been dealt this round, in hand or played."""
    table: tuple[Card, ...] = ()
    """The cards of the trick, the lead first."""


def held(s: State, seat: int) -> int:
    """How many cards a seat holds."""
    return cards.size(s.hands[seat]) + (s.hidden[seat] if s.hidden else 0)


def clockwise(s: State) -> list[int]:
    """All seats from the start player of the round."""
    n, start = len(s.hands), s.tally.start
    return [(start + k) % n for k in range(n)]


def trick(tally: Tally) -> int:
    """The number of the trick in progress, or of the next one."""
    return min(sum(tally.tricks) + 1, TRICKS)
