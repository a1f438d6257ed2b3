"""How good the schedules of events are, and how long they take to draw: how often two people meet
again at tables, and the largest difference between how often one sat in two seats. And how well the
order of a simulated club of 24 or 25 tells who is strong: rank correlation with the truth after so
many matches each, by chance in the draw and the play.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/events.py [SEED]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations
from statistics import correlation, fmean
from typing import Final

from pbem.club.formats import FORMATS
from pbem.club.formats.counting import Season, TableResult, places, points, ranked
from pbem.club.formats.kind import Rounds

MOST_SECONDS: Final = 10
BUDGETS: Final = {
    # people, rounds, size: meetings again, and difference between seats, at most
    (16, 5, 4): (0, 1),
    (13, 4, 4): (0, 2),
    (18, 4, 4): (0, 2),
    (24, 5, 4): (0, 1),
    (32, 5, 4): (0, 1),
    (20, 5, 4): (0, 1),
    (15, 5, 3): (0, 1),
    (15, 7, 3): (6, 1),
    (25, 4, 5): (0, 1),
    (25, 6, 5): (0, 1),
    (30, 4, 5): (0, 1),
    (12, 3, 4): (6, 1),
}


def repeated(rounds: Rounds) -> int:
    """How often two people meet who have met before."""
    pairs = [frozenset(pair) for each in rounds for t in each for pair in combinations(t, 2)]
    return len(pairs) - len({*pairs})


def spread(rounds: Rounds, size: int) -> int:
    """The largest difference between how often one person sat in two seats."""
    sat = Counter((who, n) for each in rounds for table in each for n, who in enumerate(table))
    counts = [[sat[who, seat] for seat in range(size)] for who in {who for who, _ in sat}]
    return max(max(each) - min(each) for each in counts)


ORDERS: Final = {
    # at a table, luck (1: little; 3: a card game), matches each: correlation, measured by others
    **{(2, 3, n): rho for n, rho in ((8, 0.46), (16, 0.57), (32, 0.72))},
    **{(4, 1, n): rho for n, rho in ((8, 0.85), (16, 0.92), (32, 0.95))},
    **{(4, 3, n): rho for n, rho in ((8, 0.55), (16, 0.68), (32, 0.79))},
    **{(5, 3, n): rho for n, rho in ((8, 0.57), (16, 0.69), (32, 0.80))},
}
RUNS: Final = 150


def correlated(size: int, luck: int, matches: int, dice: random.Random) -> float:
    """How well the order of a simulated event agrees with who is strong, from -1 to 1."""
    everybody = 25 if size == 5 else 24
    strength = {f"P{n:02}": dice.gauss(0, 1) for n in range(everybody)}
    results = []
    for _ in range(matches):
        people = dice.sample([*strength], everybody)
        for table in (people[n : n + size] for n in range(0, everybody, size)):
            order = sorted(table, key=lambda who: -strength[who] - dice.gauss(0, luck))
            at = {who: Fraction(n) for n, who in enumerate(order, 1)}
            results.append(TableResult(at, dict.fromkeys(table, Fraction())))
    count = points if size == 2 else places
    ranks = ranked(count(Season(dict.fromkeys(strength, matches), results, size)))
    stand = {who: rank + (len(equal) - 1) / 2 for rank, equal in ranks for who in equal}
    truth = {who: n for n, who in enumerate(sorted(strength, key=lambda w: -strength[w]))}
    return correlation([stand[who] for who in strength], [truth[who] for who in strength])


def main() -> None:
    seed = f"{int(sys.argv[1]) if len(sys.argv) > 1 else 1:016x}"
    missed = False
    for (people, rounds, size), (again, uneven) in BUDGETS.items():
        start = time.perf_counter()
        names = [f"P{n:02}" for n in range(people)]
        made = FORMATS["tables"].schedule(names, size, rounds, seed)
        took = time.perf_counter() - start
        figures = repeated(made), spread(made, size)
        good = figures[0] <= again and figures[1] <= uneven and took <= MOST_SECONDS
        missed = missed or not good
        print(
            f"{people:3} x {rounds}, tables of {size}: {figures[0]} meet again (at most {again}), "
            f"seats differ by {figures[1]} ({uneven}), {took:.1f} s{'' if good else '  MISSED'}"
        )
    for (size, luck, matches), measured in ORDERS.items():
        dice = random.Random(seed)
        rho = fmean(correlated(size, luck, matches, dice) for _ in range(RUNS))
        good = rho > measured - 0.05
        missed = missed or not good
        print(
            f"{size} at a table, luck {luck}, {matches:2} matches each: correlation {rho:.2f} "
            f"({measured:.2f}){'' if good else '  MISSED'}"
        )
    sys.exit(missed)


if __name__ == "__main__":
    main()
