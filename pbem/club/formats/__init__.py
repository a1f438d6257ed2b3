"""What an event can be played in: for each format, who meets whom when, and what counts.

A format is a file of its own here, and a line in `FORMATS`. Whoever has the people, the seed and
the algorithm can work a schedule out again: only whole numbers go into it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.club.formats import ladder, league, pool, tables
from pbem.club.formats.counting import Counts, places, points
from pbem.sentence import Sentence, say

Rounds = Sequence[Sequence[Sequence[str]]]
"""A schedule: rounds, of tables, of people in seat order."""


class Format(NamedTuple):
    """What it is called; who meets whom: the `schedule` of people, table size, rounds and seed, by
    this `algorithm`; what `counts`; how many can sit at a table, and how many rounds there are at
    most; whether all tables begin `at_once` or each when its people are done with the rounds
    before; and when it ends: with its last match or, in seasons of so many days, never: the order
    of one is the list that the next is drawn from, and a schedule is one of divisions, not of
    rounds. If nothing else is said, so many of a `size` sit at a table, over so many `rounds`."""

    title: Sentence
    algorithm: str
    schedule: Callable[[Sequence[str], int, int, str], Rounds]
    counts: Counts
    sizes: range = range(2, 3)
    most_rounds: int = 1
    at_once: bool = True
    season: int | None = None
    size: int = 2
    rounds: int = 1


FORMATS: Final[Mapping[str, Format]] = {
    "pool": Format(say("Pool"), pool.ALGORITHM, pool.schedule, points, most_rounds=2),
    "league": Format(say("League"), league.ALGORITHM, league.schedule, points, season=90),
    "tables": Format(
        *(say("Tables"), tables.ALGORITHM, tables.schedule, places, range(3, 6), 20),
        at_once=False,
        size=4,
        rounds=3,
    ),
    "ladder": Format(say("Ladder"), ladder.ALGORITHM, ladder.schedule, ladder.climbed, season=30),
}
"""Every format, by its name."""
