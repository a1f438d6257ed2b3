"""Who sits where at the tables of a schedule, so that everybody has each seat equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.log.chance import below, words


def lots(seed: str, algorithm: str) -> Iterator[int]:
    """The numbers that an algorithm draws from a seed (docs/sealing-and-drawing.md)."""
    return words(seed.encode(), algorithm)


def shuffled(people: Sequence[Any], stream: Iterator[int]) -> list[Any]:
    """People in an order by lot, each order equally likely."""
    found = list(people)
    for last in range(len(found) - 1, 0, -1):
        other = below(stream, last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def divided(people: int, size: int) -> list[int]:
    """How many sit at each table, the full ones first; [] if there is no way to have all at tables
    of this size, or of one less."""
    tables = -(-people // size)
    full = people - tables * (size - 1)
    return [size] * full + [size - 1] * (tables - full) if people and full >= 0 else []


def seated(tables: Sequence[Sequence[Any]], size: int) -> list[list[Any]]:
    """The same tables, everybody at each in the order of seats.

    Tables and people are the two sides of a graph, and a seat is the colour of an edge. A person
    who comes to more than `size` tables counts as several, with at most `size` tables each; then
    `size` colours are enough (Kőnig), and nobody has a seat twice before they had each once, as
    long as all tables are full.
    """
    at: dict[Any, dict[int, Any]] = {}
    visits = Counter[Any]()
    for number, people in enumerate(tables):
        for person in people:
            one, other = ("table", number), ("person", person, visits[person] // size)
            visits[person] += 1
            free = [
                next(seat for seat in range(size) if seat not in at.setdefault(each, {}))
                for each in (one, other)
            ]
            _freed(at, other, *free)
            at[one][free[0]], at[other][free[0]] = other, one
    return [
        [at["table", number][seat][1] for seat in sorted(at["table", number])]
        for number in range(len(tables))
    ]


def _freed(at: dict[Any, dict[int, Any]], start: Any, seat: int, other: int) -> None:
    """Change two seats along the path that begins with `seat`, so that this is free there."""
    path, wanted = [start], seat
    while (end := at[path[-1]].get(wanted)) is not None:
        path.append(end)
        wanted = other if wanted == seat else seat
    for each in path:
        mine = at[each]
        here, there = mine.pop(seat, None), mine.pop(other, None)
        mine |= {key: end for key, end in ((other, here), (seat, there)) if end is not None}
