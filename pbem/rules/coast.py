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


ROUND: Coast = (104, 96, 101, 107, 97, 105, 96, 102)
"""That of an island never quite round."""
Island = tuple[int, int, Coast]
"""An island's middle and its coast."""


def between(one: Island, other: Island, half: Half, beach: int) -> tuple[int, int, int, int]:
    """The line from one island to another, from where it is so far within the shore of each."""
    (x, y, coast), (to_x, to_y, far_coast) = one, other
    angle = math.atan2(to_y - y, to_x - x)
    across, down = math.cos(angle), math.sin(angle)
    here = reach(coast, half, angle) - beach
    there = reach(far_coast, half, angle + math.pi) - beach
    ends = x + here * across, y + here * down, to_x - there * across, to_y - there * down
    begin_x, begin_y, end_x, end_y = map(round, ends)
    return begin_x, begin_y, end_x, end_y


@cache
def outline(x: int, y: int, coast: Coast, half: Half) -> tuple[int, ...]:
    """The corners of the island around its middle, for a polygon that looks like a coast."""
    points = []
    for n in range(len(coast)):
        angle = math.tau * n / len(coast)
        far = reach(coast, half, angle)
        points += [x + round(far * math.cos(angle)), y + round(far * math.sin(angle))]
    return tuple(points)
