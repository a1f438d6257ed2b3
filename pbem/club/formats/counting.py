"""What counts in an event: figures of each person, in fractions, and the order they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple


class TableResult(NamedTuple):
    """How a table ended: everybody's place (ties share theirs), and their score relative to the
    mean of the table."""

    places: Mapping[str, Fraction]
    scores: Mapping[str, Fraction]


class Season(NamedTuple):
    """What there is to count: at how many tables each is who is counted; the results of those of
    which anything came; and how many sit at a full table."""

    tables: Mapping[str, int]
    results: Sequence[TableResult]
    size: int

    def total(self, one: Callable[[TableResult, str], Fraction | int]) -> dict[str, Fraction]:
        """The sum of a figure for everybody, over the tables they were at."""
        return {
            who: sum((Fraction(one(r, who)) for r in self.results if who in r.places), Fraction())
            for who in self.tables
        }

    def figures(self, **by: Mapping[str, Fraction]) -> dict[str, Figures]:
        """The figures of everybody, the one that decides first first."""
        return {who: {name: of[who] for name, of in by.items()} for who in self.tables}


Figures = Mapping[str, Fraction]
Counts = Callable[[Season], Mapping[str, Figures]]
"""The figures of each person, the one that decides first first; see `key`."""


def key(figures: Figures) -> tuple[Fraction, ...]:
    """What people are ordered by, the least first: of places few are best, of all else many."""
    return tuple(value if name == "places" else -value for name, value in figures.items())


def gained(result: TableResult, who: str) -> Fraction:
    """Two points for a win, one for a draw."""
    return 2 * (2 - result.places[who])


def points(season: Season) -> dict[str, Figures]:
    """For two: points, Sonneborn-Berger, points from those with whom these are shared, wins."""
    total = season.total(gained)

    def won_from(result: TableResult, who: str) -> Fraction:
        others = (total.get(each, Fraction()) for each in result.places if each != who)
        return gained(result, who) * sum(others, Fraction()) / 2

    berger = season.total(won_from)

    def direct(result: TableResult, who: str) -> Fraction | int:
        equal = {(total.get(each), berger.get(each)) for each in result.places}
        return gained(result, who) if len(equal) == 1 else 0

    met, wins = season.total(direct), season.total(won)
    return season.figures(points=total, sonneborn_berger=berger, direct=met, wins=wins)


def won(result: TableResult, who: str) -> bool:
    """Is somebody first, and alone?"""
    return result.places[who] == 1


def places(season: Season) -> dict[str, Figures]:
    """For more: the sum of places, a table of which nothing came counting as the middle; first
    places; points relative to the tables' means."""
    middle = Fraction(season.size + 1, 2)
    more = season.total(lambda result, who: result.places[who] - middle)
    total = {who: more[who] + middle * tables for who, tables in season.tables.items()}
    relative = season.total(lambda result, who: result.scores[who])
    return season.figures(places=total, firsts=season.total(won), relative=relative)


def ranked(figures: Mapping[str, Figures]) -> list[tuple[int, list[str]]]:
    """Ranks and who shares each, the first first."""
    order = sorted(figures, key=lambda who: (key(figures[who]), who))
    found, rank = list[tuple[int, list[str]]](), 1
    for _, group in groupby(order, key=lambda who: key(figures[who])):
        equal = [*group]
        found.append((rank, equal))
        rank += len(equal)
    return found
