"""Divisions in which everybody meets everybody, season after season; some go up, some down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

from pbem.club.formats.counting import points
from pbem.club.formats.kind import Divisions, Format, as_they_stand
from pbem.club.formats.seating import lots, seated, shuffled
from pbem.sentence import say

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


def promoted(divisions: Divisions) -> list[str]:
    """The list of the next season, from divisions in the order of their ranks: of any two, the last
    of the upper change places with the first of the lower (E-41)."""
    found = [[*each] for each in divisions]
    for upper, lower in pairwise(found):
        n = min(MOVES, len(upper) // 2, len(lower) // 2)
        stay = len(upper) - n
        upper[stay:], lower[:n] = lower[:n], upper[stay:]
    return as_they_stand(found)


FORMAT: Final = Format(say("League"), ALGORITHM, schedule, points, season=90, follows=promoted)
