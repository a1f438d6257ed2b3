"""Tables of three, four or five over rounds: nobody meets twice where that is possible.

The lot says who is who, and nothing else: whatever the seed, as many meet again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final

from pbem.club.formats.counting import places
from pbem.club.formats.kind import Format
from pbem.club.formats.rings import Tables, turned
from pbem.club.formats.seating import divided, lots, seated, shuffled
from pbem.sentence import say

ALGORITHM: Final = "tables/2"
EXCHANGES: Final = 1_000_000
"""About so many exchanges are tried where somebody has to meet again."""


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """So many rounds; people are numbered in an order by lot. Whoever sits where is as even as it
    can be made, table by table, afterwards."""
    order = shuffled(sorted(people), lots(seed, ALGORITHM))
    sizes = divided(len(order), size)
    found = turned(len(order), len(sizes), rounds)
    if len(found) < rounds:
        found = _filled_up(found, sizes, rounds)
    placed = iter(seated([table for each in found for table in each], size))
    return [[[order[n] for n in next(placed)] for _ in each] for each in found]


def _filled_up(known: Sequence[Tables], sizes: Sequence[int], rounds: int) -> list[Tables]:
    """More rounds, in which as few as can be found meet again: of the known ones all or, if that is
    better in the end, only the first are kept."""
    stream, starts = lots("", ALGORITHM), 1 + EXCHANGES // (sum(sizes) * rounds) ** 2
    found = list[tuple[int, list[Tables]]]()
    for kept in range(len(known), -1, -1):
        made, met, again = list[Tables](), [0] * sum(sizes), 0
        for each in [*known[:kept], *[None] * (rounds - kept)]:
            cost, tables = (0, each) if each else min(_tried(sizes, met, starts, stream))
            again += cost
            made.append(tables)
            for table in tables:
                for who in table:
                    met[who] |= _mask(table) & ~(1 << who)
        found.append((again, made))
        if not again:
            break
    return min(found, key=lambda each: each[0])[1]


def _tried(
    sizes: Sequence[int], met: Sequence[int], starts: int, stream: Iterator[int]
) -> Iterator[tuple[int, Tables]]:
    """Rounds, from one group after the other and from orders by lot, in each of which two people
    are exchanged as long as that makes it better; with how often two meet again in it."""
    everybody = range(sum(sizes))
    for nth in range(starts):
        left = iter(shuffled(everybody, stream) if nth else everybody)
        yield _exchanged([[next(left) for _ in range(each)] for each in sizes], met)


def _exchanged(tables: Tables, met: Sequence[int]) -> tuple[int, Tables]:
    """How many have met before at the best tables that exchanges lead to, and these tables."""
    masks, better = [_mask(each) for each in tables], True
    while better:
        better = False
        for one, other in combinations(range(len(tables)), 2):
            for i, j in product(range(len(tables[one])), range(len(tables[other]))):
                a, b = tables[one][i], tables[other][j]
                here, there = masks[one] & ~(1 << a), masks[other] & ~(1 << b)
                before = (met[a] & here).bit_count() + (met[b] & there).bit_count()
                if (met[b] & here).bit_count() + (met[a] & there).bit_count() < before:
                    tables[one][i], tables[other][j] = b, a
                    masks[one], masks[other], better = here | 1 << b, there | 1 << a, True
    pairs = zip(tables, masks, strict=True)
    again = sum((met[who] & mask).bit_count() for each, mask in pairs for who in each)
    return again // 2, tables


def _mask(table: Sequence[int]) -> int:
    return sum(1 << who for who in table)


FORMAT: Final = Format(
    *(say("Tables"), ALGORITHM, schedule, places, range(3, 6), 20), at_once=False, size=4, rounds=3
)
