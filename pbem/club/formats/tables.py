"""Tables of three, four or five over rounds: nobody meets twice where that is possible.

Where the number of tables is a prime, or four, and no table is larger, the lines of an affine plane
are tables at which nobody meets twice; what they do not give is annealed: two people change places
if that is no worse or, ever more rarely, if it is (Metropolis, with whole numbers only).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import combinations, permutations
from typing import Final

from pbem.club.formats.plane import plane
from pbem.club.formats.seating import lots, seated, shuffled
from pbem.log.chance import below

ALGORITHM: Final = "tables/1"
STEPS: Final = 2000
MOST_STEPS: Final = 400_000
"""How often, for each place in the schedule, two people are tried in each other's; and in all."""
HOT: Final = 4
COLD: Final = 44
"""One of so many changes for the worse by one is made at the beginning, and at the end."""
Tables = list[list[int]]


def divided(people: int, size: int) -> list[int]:
    """How many sit at each table, the full ones first; [] if there is no way to have all at tables
    of this size, or of one less."""
    tables = -(-people // size)
    full = people - tables * (size - 1)
    return [size] * full + [size - 1] * (tables - full) if people and full >= 0 else []


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """So many rounds; people are numbered in an order by lot. Whoever sits where is as even as it
    can be made, table by table, afterwards."""
    stream = lots(seed, ALGORITHM)
    order = shuffled(sorted(people), stream)
    sizes = divided(len(order), size)
    found = plane(len(order), size, len(sizes))[:rounds]
    while len(found) < rounds:
        left = iter(shuffled(range(len(order)), stream))
        found.append([[next(left) for _ in range(each)] for each in sizes])
    found = _mixed(found, len(order), stream) if len(sizes) > 1 else found
    placed = iter(seated([table for each in found for table in each], size))
    return [[[order[n] for n in next(placed)] for _ in each] for each in found]


def repeated(rounds: Sequence[Sequence[Sequence[object]]]) -> int:
    """How often two people meet who have met before."""
    pairs = [frozenset(pair) for each in rounds for t in each for pair in combinations(t, 2)]
    return len(pairs) - len({*pairs})


def _mixed(rounds: list[Tables], people: int, stream: Iterator[int]) -> list[Tables]:
    """Rounds in which as few as can be found meet again."""
    met = [[0] * people for _ in range(people)]
    for each in rounds:
        for table in each:
            for one, other in permutations(table, 2):
                met[one][other] += 1
    cost = repeated(rounds)
    least, best = cost, deepcopy(rounds)
    at = [(n, place) for n, table in enumerate(rounds[0]) for place in range(len(table))]
    steps = min(STEPS * people * len(rounds), MOST_STEPS)
    for step in range(steps):
        if not least:
            break
        number, last = divmod(below(stream, len(rounds) * people * people), people)
        nth, other = divmod(number, people)
        (first, i), (second, j) = at[other], at[last]
        if first == second:
            continue
        a, b = rounds[nth][first], rounds[nth][second]
        worse = _change(met, a, i, b[j]) + _change(met, b, j, a[i])
        rare = HOT + (COLD - HOT) * step // steps
        if worse > 0 and any(below(stream, rare) for _ in range(worse)):
            continue
        _take(met, a, i, b[j])
        _take(met, b, j, a[i])
        a[i], b[j] = b[j], a[i]
        cost += worse
        if cost < least:
            least, best = cost, deepcopy(rounds)
    return best


def _change(met: list[list[int]], table: list[int], place: int, comes: int) -> int:
    """What it costs if somebody comes to a table in the place of whoever sits there."""
    goes, new = met[table[place]], met[comes]
    return sum([(new[n] > 0) - (goes[n] > 1) for n in table if n != table[place]])


def _take(met: list[list[int]], table: list[int], place: int, comes: int) -> None:
    goes = table[place]
    for n in table:
        if n != goes:
            met[goes][n] -= 1
            met[n][goes] -= 1
            met[comes][n] += 1
            met[n][comes] += 1
