"""What a format of events is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbem.club.formats.counting import Counts
from pbem.sentence import Sentence

Rounds = Sequence[Sequence[Sequence[str]]]
"""A schedule: rounds, of tables, of people in seat order."""
Divisions = Sequence[Sequence[str]]
"""People in the order of their ranks, division by division."""


def as_they_stand(divisions: Divisions) -> list[str]:
    """The list of the next season, if nobody changes places."""
    return [who for each in divisions for who in each]


class Format(NamedTuple):
    """What it is called; who meets whom: the `schedule` of people, table size, rounds and seed, by
    this `algorithm`; what `counts`; how many can sit at a table, and how many rounds there are at
    most; whether all tables begin `at_once` or each when its people are done with the rounds
    before; and when it ends: with its last match or, in seasons of so many days, never: the order
    of one gives the list that the next is drawn from, as it `follows`, and a schedule is one of
    divisions, not of rounds. If nothing else is said, so many of a `size` sit at a table, over so
    many `rounds`."""

    title: Sentence
    algorithm: str
    schedule: Callable[[Sequence[str], int, int, str], Rounds]
    counts: Counts
    sizes: range = range(2, 3)
    most_rounds: int = 1
    at_once: bool = True
    season: int | None = None
    follows: Callable[[Divisions], list[str]] = as_they_stand
    size: int = 2
    rounds: int = 1
