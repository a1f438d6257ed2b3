"""The map: islands, currents, and where a fish may lie.

Sets are integers. A set of islands has bit n for the n-th island in play in alphabetical order, a
set of currents bit n for the n-th current. A current has a first and a second end, in alphabetical
order; fish that head for the second end are the set `forward`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, NamedTuple

Island = str
Way = str
"""A current with a direction: `A-E` leads from A to E."""

COUNTS = {2: "two_players", 3: "three_players", 4: "four_players"}
"""What a number of players is called in the data."""
NEUTRAL_FISH = 2
"""How many currents carry neutral fish, with two players [B-100]."""

WIDTH: Final = 720
"""How wide the drawn board is."""
ISLAND: Final = 64, 55
"""Half the width and height of an island there."""


class Chart(NamedTuple):
    """What is in play of a map. Made once for a match: the same chart is always the same object."""

    islands: tuple[Island, ...]
    number: Mapping[Island, int]
    ends: tuple[tuple[int, int], ...]
    ways: tuple[tuple[Way, Way], ...]
    """Of each current, its way back and its way forward."""
    current: Mapping[Way, tuple[int, bool]]
    """Of each way, its current and whether it runs forward."""
    at: tuple[int, ...]
    """Of each island, the currents there."""
    first: tuple[int, ...]
    """Of each island, the currents whose first end it is."""
    every: int
    seas: Mapping[str, int]
    """With two players, the sea spaces for the volcano and their islands [B-96]."""
    neutral_pairs: frozenset[int]
    """With two players, the pairs of currents for neutral fish [B-100]."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def fish_leaving(self, island: int, laid: int, forward: int) -> int:
        """The fish whose tail is at an island."""
        first = self.first[island]
        return laid & (first & forward | self.at[island] & ~first & ~forward)

    def head(self, current: int, forward: int) -> int:
        """The island a fish heads for."""
        return self.ends[current][forward >> current & 1]

    def way(self, current: int, forward: int) -> Way:
        """A fish as it lies, from tail to head."""
        return self.ways[current][forward >> current & 1]

    def neighbours(self, island: int) -> int:
        """The islands joined to an island by a current."""
        joined = 0
        for current in bits(self.at[island]):
            one, other = self.ends[current]
            joined |= 1 << (other if one == island else one)
        return joined

    def names(self, islands: int) -> list[Island]:
        """The islands of a set."""
        return [self.islands[n] for n in bits(islands)]


def bits(some: int) -> Iterator[int]:
    """The members of a set, in order."""
    while some:
        lowest = some & -some
        yield lowest.bit_length() - 1
        some ^= lowest


def in_play(board: Mapping[str, Any], players: int) -> list[Island]:
    """The islands in play, alphabetically [B-93, B-99]."""
    out = {4: (), 3: ("wreck",), 2: ("wreck", "canoe")}[players]
    return sorted(island["id"] for island in board["islands"] if island["kind"] not in out)


def chart(board: Mapping[str, Any], players: int) -> Chart:
    """The part of a map that this many players use."""
    islands = tuple(in_play(board, players))
    number = {island: n for n, island in enumerate(islands)}
    joined = sorted(tuple(sorted(way.split("-"))) for way in board["currents"])
    pairs = [(a, b) for a, b in joined if a in number and b in number]
    ends = tuple((number[a], number[b]) for a, b in pairs)
    ways = tuple((f"{b}-{a}", f"{a}-{b}") for a, b in pairs)
    here = [[0, 0] for _ in islands]
    for n, (a, b) in enumerate(ends):
        here[a][0] |= 1 << n
        here[b][1] |= 1 << n
    seas = {}
    for space in board["sea_spaces"] if players == 2 else ():
        around = sum(1 << number[island] for island in space if island in number)
        if around.bit_count() >= 2:
            seas["".join(sorted(space))] = around
    return Chart(
        islands,
        number,
        ends,
        ways,
        {way: (n, bool(k)) for n, both in enumerate(ways) for k, way in enumerate(both)},
        tuple(first | second for first, second in here),
        tuple(first for first, _ in here),
        (1 << len(ends)) - 1,
        dict(sorted(seas.items())),
        _neutral_pairs(ends, [first | second for first, second in here])
        if players == 2
        else frozenset(),
    )


def plan(board: Mapping[str, Any]) -> dict[str, Any]:
    """What of a map is needed to draw it."""
    drawn = {
        key: {island["id"]: island[key] for island in board["islands"] if key in island}
        for key in ("svg", "two")
    }
    return {
        "columns": board["columns"],
        "rows": board["rows"],
        "islands": {island["id"]: island["ascii"] for island in board["islands"]},
        "currents": board["currents"],
        **{key: places for key, places in drawn.items() if places},
    }


def _neutral_pairs(ends: Sequence[tuple[int, int]], at: Sequence[int]) -> frozenset[int]:
    """The pairs of currents without which every island keeps three or four; if none, all pairs."""
    pairs = [1 << a | 1 << b for a, b in combinations(range(len(ends)), NEUTRAL_FISH)]
    ideal = [p for p in pairs if all(3 <= (there & ~p).bit_count() <= 4 for there in at)]
    return frozenset(ideal or pairs)


# ---------------------------------------------------------------------------- reachability


def _reached(onward: Sequence[int], start: int) -> int:
    """The islands that can be reached from an island; `onward[i]` are one step from i."""
    reached = fresh = 1 << start
    while fresh:
        lowest = fresh & -fresh
        fresh ^= lowest
        found = onward[lowest.bit_length() - 1] & ~reached
        reached |= found
        fresh |= found
    return reached


def _onward(chart: Chart, laid: int, forward: int) -> list[int]:
    """Where one can sail from each island; empty currents can be sailed both ways."""
    onward = [0] * len(chart.islands)
    for n, (a, b) in enumerate(chart.ends):
        if not laid >> n & 1 or forward >> n & 1:
            onward[a] |= 1 << b
        if not laid >> n & 1 or not forward >> n & 1:
            onward[b] |= 1 << a
    return onward


def connected(chart: Chart, laid: int, forward: int) -> bool:
    """Can every island be reached from every other? [B-15]"""
    everywhere = (1 << len(chart.islands)) - 1
    if _reached(_onward(chart, laid, forward), 0) != everywhere:
        return False
    return _reached(_onward(chart, laid, laid & ~forward), 0) == everywhere


@lru_cache(maxsize=50_000)
def layable(chart: Chart, laid: int, forward: int) -> tuple[int, int]:
    """The empty currents on which a fish may head back, and those on which forward [B-16, B-A45].

    As if the empty currents could be sailed both ways, all islands must still reach each other.
    A fish only takes away the way against it, so another way must lead from its head to its tail.
    """
    if not connected(chart, laid, forward):
        return 0, 0
    onward = _onward(chart, laid, forward)
    back = ahead = 0
    for n in bits(chart.every & ~laid):
        a, b = chart.ends[n]
        onward[b] ^= 1 << a
        ahead |= (_reached(onward, b) >> a & 1) << n
        onward[b] ^= 1 << a
        onward[a] ^= 1 << b
        back |= (_reached(onward, a) >> b & 1) << n
        onward[a] ^= 1 << b
    return back, ahead


@lru_cache(maxsize=50_000)
def reversible(chart: Chart, laid: int, forward: int) -> int:
    """The fish that can be turned round so that all islands still reach each other [B-A17].

    If they do so now, another way must lead from the fish's tail to its head.
    """
    if not connected(chart, laid, forward):
        return sum(1 << n for n in bits(laid) if connected(chart, laid, forward ^ 1 << n))
    onward = _onward(chart, laid, forward)
    turnable = 0
    for n in bits(laid):
        tail, head = chart.ends[n] if forward >> n & 1 else chart.ends[n][::-1]
        onward[tail] ^= 1 << head
        turnable |= (_reached(onward, tail) >> head & 1) << n
        onward[tail] ^= 1 << head
    return turnable
