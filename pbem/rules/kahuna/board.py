"""The board of Kahuna and its cards, and what may stand in a field of a log."""

from __future__ import annotations

from typing import Final

from pbem.core import CHANCE, Domain, Seat, one_of
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

AN_ISLAND: Final = one_of("an island", ISLANDS)
A_LINE: Final = one_of("a line between two islands", LINES)
TWO_ISLANDS: Final = Domain("two islands", lambda v: isinstance(v, str), 11, (*LINES, "ALOA-COCO"))
_PAIRS: Final = tuple((a, b) for a in ISLANDS for b in ISLANDS if a <= b)
TWO_CARDS: Final = Domain("two islands", lambda v: tuple(v) in _PAIRS, 18, _PAIRS)
_FLAGS: Final = ((False, False), (False, True), (True, False), (True, True))
TWO_FLAGS: Final = Domain("true or false, twice", lambda v: tuple(v) in _FLAGS, 13, _FLAGS)
A_SEAT: Final = one_of("white or black", SEATS)
A_PLACE: Final = one_of("white, black or display", (*SEATS, DISPLAY))
A_RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("K-"), 8)
