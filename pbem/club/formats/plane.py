"""Rounds of tables at which nobody meets twice, from the lines of an affine plane."""

from __future__ import annotations


def plane(people: int, size: int, tables: int) -> list[list[list[int]]]:
    """The rounds that an affine plane gives, nobody meeting twice; [] if none fits. The people are
    `size` groups of one for each table; those missing are of the last."""
    prime = tables > 1 and all(tables % n for n in range(2, tables))
    if not (prime or tables == 4) or size > tables:
        return []
    groups = [[*range(people)][n : n + tables] for n in range(0, people, tables)]
    found = [
        [
            [
                group[y]
                for n, group in enumerate(groups)
                if (y := _line(slope, n, b, tables)) < len(group)
            ]
            for b in range(tables)
        ]
        for slope in range(tables)
    ]
    return [*found, groups] if size == tables and len(groups[-1]) >= size - 1 else found


def _line(slope: int, x: int, start: int, order: int) -> int:
    """slope · x + start in the field of so many elements, a prime or four."""
    if order != 4:
        return (slope * x + start) % order
    return (slope and x and (1, 2, 3)[(slope + x - 2) % 3]) ^ start
