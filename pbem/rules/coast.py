"""The coast of an island on a picture: how far its shore is from its middle, all around."""

from __future__ import annotations

import math
from functools import cache

Coast = tuple[int, ...]
"""How far out the shore is, in percent, in directions clockwise from the east."""
Half = tuple[int, int]
"""Half the width and height of an island whose coast is at 100 percent."""


def reach(coast: Coast, half: Half, angle: float) -> float:
    """How far the shore is from the middle in this direction."""
    at = angle % math.tau * len(coast) / math.tau
    n, part = int(at), at % 1
    percent = coast[n % len(coast)] * (1 - part) + coast[(n + 1) % len(coast)] * part
    return percent / 100 / math.hypot(math.cos(angle) / half[0], math.sin(angle) / half[1])


@cache
def outline(x: int, y: int, coast: Coast, half: Half) -> tuple[int, ...]:
    """The corners of the island around its middle, for a polygon that looks like a coast."""
    points = []
    for n in range(len(coast)):
        angle = math.tau * n / len(coast)
        far = reach(coast, half, angle)
        points += [x + round(far * math.cos(angle)), y + round(far * math.sin(angle))]
    return tuple(points)
