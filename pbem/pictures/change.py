"""What has changed on a board: the one definition for pictures, pages and mails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.shapes import Scene, Shape, middle

Point = tuple[int, int]

_PEEK: Final = (-9, -12)
"""So far aside the ghost of a card lies where another has taken its place."""


class Went(NamedTuple):
    """A thing that is gone, as it was, how far aside its ghost lies, and the id of what that lies
    below, if anything."""

    shape: Shape
    aside: Point = (0, 0)
    below: str = ""


class Difference(NamedTuple):
    """The ids of what came or looks different, of what lies elsewhere with the point it left, and
    what went."""

    came: frozenset[str] = frozenset()
    moved: tuple[tuple[str, Point], ...] = ()
    went: tuple[Went, ...] = ()


UNCHANGED: Final = Difference()


def differing(before: Scene, after: Scene) -> Difference:
    """What differs between two scenes, of what tells something.

    Whatever says the same has not changed, whichever slot it lies in now. Of the rest, what is of
    the same kin has moved or looks different; what has no such match came or went.
    """
    return changed(before.shapes, after.shapes, before, after)


def changed(was: Iterable[Shape], now: Iterable[Shape], before: Scene, after: Scene) -> Difference:
    """What differs between two scenes, where it is known which of their shapes may differ."""
    told, tells = ({shape.id: shape for shape in each if _tells(shape)} for each in (was, now))
    gone = [shape for name, shape in told.items() if not _alike(tells.get(name), shape)]
    new = [shape for name, shape in tells.items() if not _alike(told.get(name), shape)]
    for shape in [*new]:
        for other in gone:
            if _alike(other, shape) and _kind(other) == _kind(shape):
                gone.remove(other)
                new.remove(shape)
                break
    came, moved = set(), []
    for shape in new:
        same = next((each for each in gone if _kin(each) == _kin(shape)), None)
        if same:
            gone.remove(same)
        if same and middle(same) != middle(shape):
            moved.append((shape.id, middle(same)))
        else:
            came.add(shape.id)
    return Difference(frozenset(came), tuple(moved), _went(gone, before, after))


def _tells(shape: Shape) -> bool:
    return shape.says is not None and shape.form not in ("text", "drawn")


def _alike(one: Shape | None, other: Shape) -> bool:
    return one is not None and (one.form, *one[3:7]) == (other.form, *other[3:7])


def _kind(shape: Shape) -> str:
    return shape.id.partition("-")[0]


def _kin(shape: Shape) -> str:
    return shape.kin or shape.id


def _went(gone: Sequence[Shape], before: Scene, after: Scene) -> tuple[Went, ...]:
    """What is gone, with where its ghost lies."""
    if not gone:
        return ()
    ids = {shape.id for shape in after.shapes}
    lay = [shape for shape in before.shapes if shape.form == "box" and shape.says]
    lies = [shape.place for shape in after.shapes if shape.form == "box"]
    found = []
    for shape in gone:
        above = before.shapes[before.shapes.index(shape) :]
        below = next((each.id for each in above if each.id in ids), "")
        aside = _aside(shape, lay, lies, after.width) if shape.form == "box" else (0, 0)
        found.append(Went(shape, aside, below))
    return tuple(found)


def _aside(shape: Shape, lay: list[Shape], lies: list[tuple[int, ...]], width: int) -> Point:
    """Cards close up when one of them goes: its ghost lies where its row has room now, or at an
    end of it. `lay` are the cards there were, `lies` the places of those there are."""
    x, y, wide, high = shape.place[:4]
    row = {
        each.place[:2]
        for each in lay
        if each.place[2:4] == (wide, high) and _kind(each) == _kind(shape)
    }
    across = sorted(left for left, top in row if top == y)
    step = min((b - a for a, b in pairwise(across)), default=wide + 7)
    free = [
        (left - x, top - y)
        for left, top in [*sorted(row), (across[-1] + step, y), (across[0] - step, y)]
        if (left == x or top == y)
        and 0 <= left <= width - wide
        and not any(
            -wide < place[0] - left < wide and -high < place[1] - top < high
            for place in lies
            if place[2] < 2 * wide
        )
    ]
    return min(free, key=lambda far: abs(far[0]) + abs(far[1]), default=_PEEK)
