"""Divisions in which everybody meets everybody, season after season; some go up, some down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

from pbem.club.formats.seating import lots, seated, shuffled

ALGORITHM: Final = "league/1"
MOST: Final = 11
"""So many are in a division at most, and five at least unless all are one division."""
MOVES: Final = 2
"""So many go up from a division, and as many down into it."""


def cut(people: Sequence[str]) -> list[Sequence[str]]:
    """The divisions of a list, the first first: as few as can hold all, as even as can be."""
    number = -(-len(people) // MOST)
    ends = [0, *(-(-len(people) * n // number) for n in range(1, number + 1))]
    return [people[start:end] for start, end in pairwise(ends)]


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """All pairs of each division of a list, division by division."""
    stream = lots(seed, ALGORITHM)
    mixed = [shuffled(each, stream) for each in cut(people)]
    return [seated([*combinations(each, size)], size) for each in mixed]


def promoted(divisions: Sequence[Sequence[str]]) -> list[str]:
    """The list of the next season, from divisions in the order of their ranks: of any two, the last
    of the upper change places with the first of the lower (E-41)."""
    found = [[*each] for each in divisions]
    for upper, lower in pairwise(found):
        n = min(MOVES, len(upper) // 2, len(lower) // 2)
        stay = len(upper) - n
        upper[stay:], lower[:n] = lower[:n], upper[stay:]
    return [who for each in found for who in each]
