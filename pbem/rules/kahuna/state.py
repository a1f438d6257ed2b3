"""A position of Kahuna."""

from __future__ import annotations

from typing import NamedTuple

from pbem.core import HIDDEN, Seat
from pbem.rules.kahuna import events
from pbem.rules.kahuna.board import COPIES, ISLANDS, SEATS, Card, Line


class Rules(NamedTuple):
    """What the ruleset and the options settle."""

    starter: int
    discard: str
    must_draw: bool
    variant1: bool
    variant2: bool
    token_limit: int | None
    premature_at_round_start: bool
    premature_for: str


class Tally(NamedTuple):
    """What changes once a round. `bridged`: has this seat had a bridge in the first round or, later
    on, since the end of the first round? [K-A12, K-A13]"""

    round: int = 1
    score: tuple[int, int] = (0, 0)
    final_turns: int = 0
    bridged: tuple[bool, bool] = (False, False)
    ended: events.Ended | None = None


class State(NamedTuple):
    """A position. Pairs are (white, black); hands and what was played are sorted; zones may hold
    HIDDEN cards."""

    rules: Rules
    turn: int
    handicap: tuple[int, int]
    owed: tuple[str, ...]
    deck: int
    tally: Tally = Tally()
    bridges: tuple[int, int] = (0, 0)
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    open: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    display: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    tucked: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    drawing: bool = False
    """The card owed ends a turn."""
    done: str = ""
    """What the mover has done this turn: played, discarded or nothing yet."""
    passed: bool = False
    """The last turn ended without a draw."""
    cleared: Line | None = None
    """Variant 1: a free bridge may be put here now."""


def scored(s: State, seat: Seat | None, points: int) -> tuple[int, int]:
    """The score after a seat has got these points."""
    white, black = s.tally.score
    return white + points * (seat == SEATS[0]), black + points * (seat == SEATS[1])


def located(s: State) -> tuple[Card, ...]:
    """All cards outside the draw pile, HIDDEN ones included."""
    hands, laid, under = s.hands, s.open, s.tucked
    return hands[0] + hands[1] + laid[0] + laid[1] + s.display + s.discard + under[0] + under[1]


def unseen(s: State) -> dict[Card, int]:
    """How many cards of each name may still come, as far as this state knows."""
    global _counted
    last, left = _counted
    if last is not s:
        left = _PRINTED.copy()
        for card in located(s):
            left[card] -= 1
        _counted = (s, left)
    return left


_PRINTED = {**dict.fromkeys(ISLANDS, COPIES), HIDDEN: 0}

# A position is asked about one card after another, so the count of the latest one is kept.
_counted: tuple[State | None, dict[Card, int]] = (None, {})
