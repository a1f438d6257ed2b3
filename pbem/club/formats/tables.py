"""Tables of three, four or five over rounds: nobody meets twice where that is possible.

Where the number of tables is a prime, or four, and no table is larger, the lines of an affine plane
are tables at which nobody meets twice; what they do not give is annealed: two people change places
if that is no worse or, ever more rarely, if it is (Metropolis, with whole numbers only).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import permutations
from typing import Final

from pbem.club.formats.counting import places
from pbem.club.formats.kind import Format
from pbem.club.formats.seating import divided, lots, seated, shuffled
from pbem.log.chance import below
from pbem.sentence import say

ALGORITHM: Final = "tables/1"
STEPS: Final = 2000
MOST_STEPS: Final = 400_000
"""How often, for each place in the schedule, two people are tried in each other's; and in all."""
HOT: Final = 4
COLD: Final = 44
"""One of so many changes for the worse by one is made at the beginning, and at the end."""
Tables = list[list[int]]


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """So many rounds; people are numbered in an order by lot. Whoever sits where is as even as it
    can be made, table by table, afterwards."""
    stream = lots(seed, ALGORITHM)
    order = shuffled(sorted(people), stream)
    sizes = divided(len(order), size)
    found = _plane(len(order), size, len(sizes))[:rounds]
    while len(found) < rounds:
        left = iter(shuffled(range(len(order)), stream))
        found.append([[next(left) for _ in range(each)] for each in sizes])
    found = _mixed(found, len(order), stream) if len(sizes) > 1 else found
    placed = iter(seated([table for each in found for table in each], size))
    return [[[order[n] for n in next(placed)] for _ in each] for each in found]


def _plane(people: int, size: int, tables: int) -> list[list[list[int]]]:
    """The rounds that an affine plane gives, nobody meeting twice; [] if none fits. The people are
    `size` groups of one for each table; those missing are of the last."""
    prime = tables > 1 and all(tables % n for n in range(2, tables))
    if not (prime or tables == 4) or size > tables:
        return []
    groups = [[*range(people)][n : n + tables] for n in range(0, people, tables)]

    def table(slope: int, start: int) -> list[int]:
        line = ((group, _line(slope, n, start, tables)) for n, group in enumerate(groups))
        return [group[y] for group, y in line if y < len(group)]

    found = [[table(slope, b) for b in range(tables)] for slope in range(tables)]
    return [*found, groups] if size == tables and len(groups[-1]) >= size - 1 else found


def _line(slope: int, x: int, start: int, order: int) -> int:
    """slope · x + start in the field of so many elements, a prime or four."""
    if order != 4:
        return (slope * x + start) % order
    return (slope and x and (1, 2, 3)[(slope + x - 2) % 3]) ^ start


def _mixed(rounds: list[Tables], people: int, stream: Iterator[int]) -> list[Tables]:
    """Rounds in which as few as can be found meet again."""
    met = [[0] * people for _ in range(people)]
    for each in rounds:
        for table in each:
            for one, other in permutations(table, 2):
                met[one][other] += 1
    least = cost = sum(n - 1 for row in met for n in row if n > 1) // 2
    best = deepcopy(rounds)
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


FORMAT: Final = Format(
    *(say("Tables"), ALGORITHM, schedule, places, range(3, 6), 20), at_once=False, size=4, rounds=3
)
