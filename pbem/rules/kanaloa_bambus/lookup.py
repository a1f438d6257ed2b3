"""What a move names: it is there, or a Violation says by which rule it is not."""

from __future__ import annotations

from pbem.core import Violation
from pbem.rules.kanaloa_bambus.chart import Island, Way
from pbem.rules.kanaloa_bambus.state import State, shut
from pbem.rules.kanaloa_bambus.tiles import Tile


def island(s: State, name: Island) -> int:
    """The number of an island in play."""
    number = s.world.chart.number.get(name)
    if number is None:
        raise Violation("B-2", "{island} is no island in play", island=name)
    return number


def enterable(s: State, name: Island) -> int:
    """The number of an island that the volcano leaves open."""
    number = island(s, name)
    if shut(s) >> number & 1:
        if s.world.players == 2:
            raise Violation(
                "B-97", "Nobody may enter {island}: it is at the volcano's sea space", island=name
            )
        raise Violation("B-70", "Nobody may enter {island}: the volcano stands there", island=name)
    return number


def current(s: State, way: Way) -> tuple[int, bool]:
    """The current in play that a way runs along, and whether it runs forward."""
    found = s.world.chart.current.get(way)
    if found is None:
        tail, _, head = way.partition("-")
        raise Violation("B-2", "No current in play joins {tail} and {head}", tail=tail, head=head)
    return found


def fish(s: State, way: Way) -> int:
    """The current of a fish that lies as the move says."""
    number, ahead = s.world.chart.current.get(way) or current(s, way)
    if s.forward >> number & 1 != ahead:
        lies = s.world.chart.way(number, s.forward)
        raise Violation(
            "B-25", "The fish there points the other way: {lies}, from tail to head", lies=lies
        )
    return number


def owner(s: State, number: int) -> int:
    """Whose the fish on a current is; the number after the last seat means a neutral one."""
    return next(n for n, fish in enumerate(s.fish) if fish >> number & 1)


def no_such_offering(s: State, number: int, tile: Tile, rule: str) -> Violation:
    """The violation of the rule that asks for an offering the island does not have."""
    name, there = s.world.chart.islands[number], s.tiles[number]
    if not there:
        return Violation(rule, "{island} has no offerings", island=name)
    return Violation(
        rule, "{island} has {there:all}, not {tile}", island=name, there=there, tile=tile
    )


def away_from_sea_space(s: State, number: int, pattern: str, /) -> None:
    """With two players, may a fish there be freed or turned? Raises Violation if not [B-A11]."""
    if s.volcano and s.world.players == 2 and s.world.rules.sea_space_touching:
        a, b = s.world.chart.ends[number]
        if shut(s) & (1 << a | 1 << b):
            way = s.world.chart.way(number, s.forward)
            raise Violation("B-A11", pattern, fish=way, site=s.volcano.site)
