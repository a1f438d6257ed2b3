"""The board, the choices and the facts of Kahuna."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.core import (
    CHANCE,
    HIDDEN,
    MOVER,
    NUMBER,
    Domain,
    Event,
    Move,
    Seat,
    fact,
    maybe,
    one_of,
    record,
)
from pbem.files import data

Card = str
Island = str
Line = str

DATA: Final = data.game_folder("kahuna")
_BOARD: Final = data.game_file(DATA, "board")

# ------------------------------------------------------------------------- the board [K-2]

SEATS: Final[tuple[Seat, Seat]] = ("white", "black")
SEAT: Final = {"white": 0, "black": 1, CHANCE: 2}
ISLANDS: Final[tuple[Island, ...]] = tuple(sorted(i["name"] for i in _BOARD["islands"]))
LINES: Final[tuple[Line, ...]] = tuple(sorted(line["line"] for line in _BOARD["lines"]))
ENDS: Final[dict[Line, tuple[Island, Island]]] = {
    line: (line.split("-")[0], line.split("-")[1]) for line in LINES
}
COPIES: Final[int] = _BOARD["cards_per_island"]
BRIDGES: Final[int] = _BOARD["bridges"]
CARDS: Final = COPIES * len(ISLANDS)
HAND_LIMIT: Final = 5
DISPLAY: Final = "display"

# Sets of lines are integers: bit n stands for the n-th line in alphabetical order.
BIT: Final[dict[Line, int]] = {line: 1 << n for n, line in enumerate(LINES)}
EVERY_LINE: Final = (1 << len(LINES)) - 1
AT: Final[dict[Island, int]] = {
    island: sum(BIT[line] for line in LINES if island in ENDS[line]) for island in ISLANDS
}
MAJORITY: Final[dict[Island, int]] = {island: AT[island].bit_count() // 2 + 1 for island in ISLANDS}


def lines_in(bridges: int) -> list[Line]:
    """The lines of a set, alphabetically."""
    return [line for line in LINES if bridges & BIT[line]]


def controls(bridges: int, island: Island) -> bool:
    """Do these bridges lie on more than half of the island's lines? [K-17]"""
    return (bridges & AT[island]).bit_count() >= MAJORITY[island]


# ------------------------------------------------------------------- what a log may contain

_ISLAND: Final = one_of("an island", ISLANDS)
_LINE: Final = one_of("a line between two islands", LINES)
_ANY_LINE: Final = Domain("two islands", lambda v: isinstance(v, str), 11, (*LINES, "ALOA-COCO"))
_PAIRS: Final = tuple((a, b) for a in ISLANDS for b in ISLANDS if a <= b)
_PAIR: Final = Domain("two islands", lambda v: tuple(v) in _PAIRS, 18, _PAIRS)
_SEAT: Final = one_of("white or black", SEATS)
_PLACE: Final = one_of("white, black or display", (*SEATS, DISPLAY))
_RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("K-"), 8)

# --------------------------------------------------------------------------------- choices


@record
class Place(Move):
    """Spend one card to put a bridge on a line."""

    line: Line = fact(_ANY_LINE)
    card: Card = fact(_ISLAND)


@record
class Remove(Move):
    """Spend two cards, in alphabetical order, to take an opposing bridge off a line."""

    line: Line = fact(_ANY_LINE)
    cards: tuple[Card, Card] = fact(_PAIR)


@record
class Free(Move):
    """Variant 1: put a bridge on the line just cleared, without a card."""

    line: Line = fact(_ANY_LINE)


@record
class Discard(Move):
    """Put one card face down under the discard pile."""

    card: Card = fact(_ISLAND, secret=MOVER)


@record
class Take(Move):
    """End the turn with a face-up card."""

    card: Card = fact(_ISLAND)


@record
class Draw(Move):
    """End the turn with the top card of the draw pile."""


@record
class Pass(Move):
    """End the turn without a card."""


@record
class Handicap(Move):
    """Put one of the bridges agreed on before the first turn."""

    line: Line = fact(_ANY_LINE)


@record
class Enough(Move):
    """Put no more of the bridges agreed on."""


@record
class Deal(Move):
    """Chance: this card comes, to the place it is owed to."""

    card: Card = fact(_ISLAND, secret="to")
    to: str = fact(_PLACE)


MOVES: Final[tuple[type[Move], ...]] = (
    Place,
    Remove,
    Free,
    Discard,
    Take,
    Draw,
    Pass,
    Handicap,
    Enough,
    Deal,
)

# ----------------------------------------------------------------------------------- facts


@record
class Dealt(Event):
    """A card came to a hand, face down, or to the display, face up."""

    to: str = fact(_PLACE)
    card: Card = fact(_ISLAND, secret="to")


@record
class Spent(Event):
    """A card was played, face up."""

    seat: Seat = fact(_SEAT)
    card: Card = fact(_ISLAND)


@record
class Built(Event):
    """A bridge was put on a line."""

    seat: Seat = fact(_SEAT)
    line: Line = fact(_LINE)


@record
class Won(Event):
    """A seat has a new majority on an island."""

    seat: Seat = fact(_SEAT)
    island: Island = fact(_ISLAND)


@record
class Swept(Event):
    """A bridge of `seat` went because the other seat won an island."""

    seat: Seat = fact(_SEAT)
    line: Line = fact(_LINE)
    island: Island = fact(_ISLAND)


@record
class Cut(Event):
    """A bridge of `seat` was removed with two cards."""

    seat: Seat = fact(_SEAT)
    line: Line = fact(_LINE)


@record
class Lost(Event):
    """A seat no longer has the majority on an island."""

    seat: Seat = fact(_SEAT)
    island: Island = fact(_ISLAND)


@record
class Tucked(Event):
    """A card went face down under the discard pile."""

    seat: Seat = fact(_SEAT)
    card: Card = fact(_ISLAND, secret="seat")


@record
class TuckedOpen(Event):
    """A card that lay open (variant 2) went under the discard pile: everybody saw which."""

    seat: Seat = fact(_SEAT)
    card: Card = fact(_ISLAND)


@record
class Took(Event):
    """A face-up card was taken."""

    seat: Seat = fact(_SEAT)
    card: Card = fact(_ISLAND)


@record
class Drew(Event):
    """The top card of the draw pile is owed to a seat."""

    seat: Seat = fact(_SEAT)


@record
class Passed(Event):
    """A seat declined to draw."""

    seat: Seat = fact(_SEAT)


@record
class HandicapDone(Event):
    """A seat has put all the bridges agreed on that it wants."""

    seat: Seat = fact(_SEAT)


@record
class TurnPassed(Event):
    """The turn goes to the other seat."""

    to: Seat = fact(_SEAT)


@record
class Scored(Event):
    """A round was scored: islands of each seat, and who got how many points for them."""

    round: int = fact(NUMBER)
    white: int = fact(NUMBER)
    black: int = fact(NUMBER)
    seat: Seat | None = fact(maybe(_SEAT))
    points: int = fact(NUMBER)


@record
class Reshuffled(Event):
    """The whole discard pile became the draw pile of a new round."""

    round: int = fact(NUMBER)
    deck: int = fact(NUMBER)


@record
class LastTurns(Event):
    """Nothing is left to draw for the third time: each seat has one more turn."""

    seat: Seat = fact(_SEAT)


@record
class Ended(Event):
    """The match is over."""

    winner: Seat | None = fact(maybe(_SEAT))
    why: str = fact(_RULE)


EVENTS: Final[tuple[type[Event], ...]] = (
    Dealt,
    Spent,
    Built,
    Won,
    Swept,
    Cut,
    Lost,
    Tucked,
    TuckedOpen,
    Took,
    Drew,
    Passed,
    HandicapDone,
    TurnPassed,
    Scored,
    Reshuffled,
    LastTurns,
    Ended,
)

# ------------------------------------------------------------------------------- the state


class Rules(NamedTuple):
    """What the ruleset and the options settle."""

    starter: int
    discard: str
    must_draw: bool
    variant1: bool
    variant2: bool
    token_limit: int | None
    premature_at_round_start: bool


class Tally(NamedTuple):
    """What changes once a round. `armed`: may this seat lose for want of bridges? [K-A13]"""

    round: int = 1
    score: tuple[int, int] = (0, 0)
    final_turns: int = 0
    armed: tuple[bool, bool] = (False, False)
    ended: Ended | None = None


class State(NamedTuple):
    """A position. Pairs are (white, black); hands are sorted; zones may hold HIDDEN cards."""

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


def located(s: State) -> tuple[Card, ...]:
    """Every card whose place is known or at least occupied."""
    hands, laid, under = s.hands, s.open, s.tucked
    return hands[0] + hands[1] + laid[0] + laid[1] + s.display + s.discard + under[0] + under[1]


def unseen(s: State) -> dict[Card, int]:
    """How many cards of each name may still come, as far as this state knows."""
    global _counted
    last, left = _counted
    if last is not s:
        left = dict.fromkeys(ISLANDS, COPIES)
        left[HIDDEN] = 0
        for card in located(s):
            left[card] -= 1
        _counted = (s, left)
    return left


# One position is asked about every card in turn, so the count of the last one is kept.
_counted: tuple[State | None, dict[Card, int]] = (None, {})
