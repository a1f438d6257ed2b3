"""Rounds of tables at which nobody meets twice, by little arithmetic.

As many groups as sit at a table, each of one person for each table, turn like rings around the
tables. Two people meet twice only if their groups are turned against each other by the same in two
rounds: so what is searched for is how far each group is turned in each round, a few numbers in
place of a schedule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Tables = list[list[int]]
"""The people at each table of a round, by number."""
TRIES: Final = 100_000
"""So many turns are tried to find those of some rounds, before one round less is looked for."""


def turned(people: int, tables: int, rounds: int) -> list[Tables]:
    """As many rounds of so many people as are found, one at least."""
    groups = -(-people // tables)
    fewer = (_turns(tables, groups, n) for n in range(min(rounds, tables), 0, -1))
    return [_round(each, tables, people) for each in next(filter(None, fewer))]


def _turns(tables: int, groups: int, rounds: int) -> list[list[int]] | None:
    """How far each group is turned in each round, no two against each other by the same in two
    rounds; None if that is not found. It is filled in group by group, of each round by round: the
    first is not turned, the second by one more in each round, and each of the others as the one
    before and the number of the round more, if that can be: of a prime number of tables that gives
    the lines of a plane."""
    less = [[_less(one, other, tables) for other in range(tables)] for one in range(tables)]
    found, taken = [[0] * groups for _ in range(rounds)], set[tuple[int, int, int]]()
    tries = iter(range(TRIES))

    def filled(cell: int) -> bool:
        group, nth = divmod(cell, rounds)
        if group == groups:
            return True
        turns, first = found[nth], found[nth][group - 1] + nth if group else 0
        for n, _ in zip(range(tables if group > 1 else 1), tries, strict=False):
            turns[group] = (first + n) % tables
            against = {(group, each, less[turns[group]][turns[each]]) for each in range(group)}
            if taken.isdisjoint(against):
                taken.update(against)
                if filled(cell + 1):
                    return True
                taken.difference_update(against)
        return False

    return found if filled(0) else None


def _less(one: int, other: int, number: int) -> int:
    """The difference of two of so many numbers, digit by digit: a digit for each prime factor."""
    found, unit, factor = 0, 1, 2
    while unit < number:
        while number // unit % factor:
            factor += 1
        found += (one // unit - other // unit) % factor * unit
        unit *= factor
    return found


def _round(turns: Sequence[int], tables: int, people: int) -> Tables:
    """The round in which groups are turned so far; those missing are of the last group."""

    def table(number: int) -> list[int]:
        line = (_less(number, turn, tables) for turn in turns)
        return [group * tables + each for group, each in enumerate(line)]

    return [[who for who in table(n) if who < people] for n in range(tables)]
