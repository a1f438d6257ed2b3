"""Everybody meets everybody: all at once, each seat equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from pbem.club.formats.counting import points
from pbem.club.formats.kind import Format
from pbem.club.formats.seating import lots, seated, shuffled
from pbem.sentence import say

ALGORITHM: Final = "pool/1"


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """All pairs; in a second round the same, seats turned."""
    order = shuffled(sorted(people), lots(seed, ALGORITHM))
    first = seated([*combinations(order, size)], size)
    return [first, [each[::-1] for each in first]][:rounds]


FORMAT: Final = Format(say("Pool"), ALGORITHM, schedule, points, most_rounds=2)
