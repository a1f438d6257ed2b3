"""How good the schedules of events are, and how long they take to draw: how often two people meet
again at tables, and the largest difference between how often one sat in two seats.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/events.py [SEED]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Final

from pbem.club.formats import FORMATS, Rounds
from pbem.club.formats.tables import repeated

MOST_SECONDS: Final = 10
BUDGETS: Final = {
    # people, rounds, size: meetings again, and difference between seats, at most
    (16, 5, 4): (0, 1),
    (13, 4, 4): (0, 2),
    (18, 4, 4): (0, 2),
    (24, 5, 4): (1, 1),
    (32, 5, 4): (0, 1),
    (20, 5, 4): (0, 1),
    (15, 5, 3): (0, 1),
    (15, 7, 3): (8, 1),
    (25, 4, 5): (0, 1),
    (25, 6, 5): (0, 1),
    (30, 4, 5): (1, 1),
    (12, 3, 4): (6, 1),
}


def spread(rounds: Rounds, size: int) -> int:
    """The largest difference between how often one person sat in two seats."""
    sat = Counter((who, n) for each in rounds for table in each for n, who in enumerate(table))
    counts = [[sat[who, seat] for seat in range(size)] for who in {who for who, _ in sat}]
    return max(max(each) - min(each) for each in counts)


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
    sys.exit(missed)


if __name__ == "__main__":
    main()
