"""What has changed on a board: the one definition for pictures, pages and mails."""

from __future__ import annotations

from collections.abc import Mapping
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
    was, now = _told(before), _told(after)
    gone = [shape for name, shape in was.items() if not _alike(now.get(name), shape)]
    new = [shape for name, shape in now.items() if not _alike(was.get(name), shape)]
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
    below = _covered(before, after)
    went = tuple(Went(each, _aside(each, was, after), below[each.id]) for each in gone)
    return Difference(frozenset(came), tuple(moved), went)


def _told(scene: Scene) -> dict[str, Shape]:
    return {
        shape.id: shape
        for shape in scene.shapes
        if shape.says and shape.form not in ("text", "drawn")
    }


def _alike(one: Shape | None, other: Shape) -> bool:
    return one is not None and (one.form, *one[3:7]) == (other.form, *other[3:7])


def _kind(shape: Shape) -> str:
    return shape.id.partition("-")[0]


def _kin(shape: Shape) -> str:
    return shape.kin or shape.id


def _covered(before: Scene, after: Scene) -> dict[str, str]:
    """For each shape of a scene the first one from there on that a later scene has, too."""
    ids, found, over = {shape.id for shape in after.shapes}, {}, ""
    for shape in reversed(before.shapes):
        over = shape.id if shape.id in ids else over
        found[shape.id] = over
    return found


def _aside(shape: Shape, was: Mapping[str, Shape], after: Scene) -> Point:
    """Cards close up when one of them goes: its ghost lies where its row has room now, or at an
    end of it."""
    if shape.form != "box":
        return 0, 0
    x, y, wide, high = shape.place[:4]
    row = {
        s.place[:2]
        for s in was.values()
        if _kind(s) == _kind(shape) and s.place[2:4] == (wide, high)
    }
    across = sorted(left for left, top in row if top == y)
    step = min((b - a for a, b in pairwise(across)), default=wide + 7)
    lying = [s.place for s in after.shapes if s.form == "box" and s.place[2] < 2 * wide]
    free = [
        (left - x, top - y)
        for left, top in [*sorted(row), (across[-1] + step, y), (across[0] - step, y)]
        if (left == x or top == y)
        and 0 <= left <= after.width - wide
        and not any(-wide < a - left < wide and -high < b - top < high for a, b, *_ in lying)
    ]
    return min(free, key=lambda far: abs(far[0]) + abs(far[1]), default=_PEEK)
