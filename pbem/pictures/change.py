"""What has changed on a board: the one definition for pictures, pages and mails."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Final, NamedTuple

from pbem.shapes import Scene, Shape, middle

Point = tuple[int, int]
Room = tuple[int, ...]
"""What a thing takes up: left, top, width, height."""

_GROUND: Final = 200
"""How wide a box is, at least, that others lie on."""
_BROAD: Final = 28
"""How far aside the ghost of a bridge lies from the one that stands in its place."""


class Went(NamedTuple):
    """A thing that is gone, as it was, how far aside its ghost lies, and the id of what lies above
    the ghost, if anything does."""

    shape: Shape
    aside: Point = (0, 0)
    below: str = ""

    def crossed(self) -> Point:
        """Where its cross lies: on the upper right corner of a card, so that you can read which
        card it was and whose."""
        if self.shape.form != "box":
            return middle(self.shape)
        x, y, wide, _ = self.shape.place
        return x + wide - 3, y + 3


class Difference(NamedTuple):
    """The ids of what came or looks different; the ids of what moved, with the point it left; and
    what went."""

    came: frozenset[str] = frozenset()
    moved: tuple[tuple[str, Point], ...] = ()
    went: tuple[Went, ...] = ()


UNCHANGED: Final = Difference()


def differing(before: Scene, after: Scene) -> Difference:
    """What differs between two scenes, among the shapes that tell something.

    What says the same has not changed, whichever slot it lies in now. Of the rest, what is of the
    same kin has moved or looks different; what has no such match came or went.
    """
    return changed(before.shapes, after.shapes, Ground(before))


class Ground:
    """A scene that others are compared with: what these need to know of it is found out once."""

    def __init__(self, scene: Scene) -> None:
        self.shapes = scene.shapes
        self.lies = {shape.id: nth for nth, shape in enumerate(scene.shapes)}
        self.rooms = [(shape.id, _room(shape)) for shape in scene.shapes if _is_thing(shape)]
        self._grounds = [
            (min(across), min(down), max(across), max(down))
            for shape in self.shapes
            if shape.form in ("box", "polygon")
            for across, down in [_corners(shape)]
        ]
        self._aside: dict[tuple[str, frozenset[Room]], Point | None] = {}

    def aside(self, shape: Shape, lies: frozenset[Room]) -> Point | None:
        """How far aside a card's ghost lies; None where there is no room for it, and what has come
        in its place is all that is marked. Cards close up when one of them goes, so it lies where
        its row has most room now, or at an end of it. `lies` is the room that things and ghosts
        take up now."""
        if (shape.id, lies) not in self._aside:
            x, y, wide, high = shape.place
            covered, _, _, left, top = min(
                (_covered((a, b, wide, high), lies), nth, abs(a - x) + abs(b - y), a, b)
                for nth, places in enumerate(self._places(shape))
                for a, b in places
            )
            fits = covered < wide * high // 8
            self._aside[shape.id, lies] = (left - x, top - y) if fits else None
        return self._aside[shape.id, lies]

    def _places(self, shape: Shape) -> tuple[Iterable[Point], ...]:
        """Where a card's ghost may lie on the ground the card lay on: in its row, its own place
        included, and at its ends."""
        x, y, *size = shape.place
        alike = (s for s in self.shapes if s.form == "box" and s.says and _kind(s) == _kind(shape))
        places = sorted({s.place[:2] for s in alike if [*s.place[2:]] == size})
        row = [(left, top) for left, top in places if left == x or top == y]
        across = [left for left, top in row if top == y]
        step = min((b - a for a, b in pairwise(across)), default=size[0] + 7)
        ends = [(left, y) for left in (across[-1] + step, across[0] - step)]
        return row, [end for end in ends if self._on_one_ground(shape.place, end)]

    def _on_one_ground(self, card: Room, place: Point) -> bool:
        """Is a place beside a card still on what the card lies on?"""
        x, y, wide, high = card

        def holds(ground: Room, at: Point) -> bool:
            left, top, right, foot = ground
            across = left <= at[0] and at[0] + wide <= right
            return across and top <= at[1] and at[1] + high <= foot

        grounds = [each for each in self._grounds if each[2] - each[0] > 2 * wide]
        under = [each for each in grounds if holds(each, (x, y))]
        return not under or holds(min(under, key=lambda g: (g[2] - g[0]) * (g[3] - g[1])), place)


def changed(was: Iterable[Shape], now: Iterable[Shape], ground: Ground) -> Difference:
    """How another scene differs from this ground, if only shapes of `was` may be gone from it, and
    only shapes of `now` may have come."""
    was, now = tuple(was), tuple(now)
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
    return Difference(frozenset(came), tuple(moved), tuple(_went(gone, was, now, ground)))


def _tells(shape: Shape) -> bool:
    return shape.says is not None and shape.form not in ("text", "drawn")


def _alike(one: Shape | None, other: Shape) -> bool:
    return one is not None and (one.form, *one[3:7]) == (other.form, *other[3:7])


def _kind(shape: Shape) -> str:
    return shape.id.partition("-")[0]


def _kin(shape: Shape) -> str:
    return shape.kin or shape.id


def _went(
    gone: Sequence[Shape], was: Sequence[Shape], now: Sequence[Shape], ground: Ground
) -> Iterator[Went]:
    """What is gone, with where its ghost lies."""
    if not gone:
        return
    replaced, there = {shape.id for shape in was}, {shape.id for shape in now}
    lies = frozenset(
        [room for name, room in ground.rooms if name not in replaced]
        + [_room(shape) for shape in now if _is_thing(shape)]
    )
    for shape in gone:
        above = islice(ground.shapes, ground.lies[shape.id], None)
        below = next((e.id for e in above if e.id in there or e.id not in replaced), "")
        aside = 0, 0
        if shape.form == "box":
            room = ground.aside(shape, lies)
            if room is None:
                continue
            aside, (left, top, wide, high) = room, shape.place
            lies |= {(left + aside[0], top + aside[1], wide, high)}
        elif shape.form == "line" and shape.id in there:
            aside = _beside(*shape.place)
        yield Went(shape, aside, below)


def _is_thing(shape: Shape) -> bool:
    """Is this nothing to be lain upon? A figure or disc that tells nothing is an ornament."""
    if shape.form == "box":
        return shape.place[2] < _GROUND
    told = bool(shape.says or shape.label)
    return bool(shape.label) if shape.form == "text" else told and shape.form in ("figure", "disc")


def _corners(shape: Shape) -> tuple[Sequence[int], Sequence[int]]:
    """How far a box or polygon goes, across and down."""
    if shape.form == "polygon":
        return shape.place[::2], shape.place[1::2]
    x, y, wide, high = shape.place
    return (x, x + wide), (y, y + high)


def _room(shape: Shape) -> Room:
    if shape.form == "box":
        return shape.place
    x, y = middle(shape)
    if shape.form == "text":
        wide = 11 * len(str(shape.label))
        return x - wide * ("end" in shape.look), y - 18, wide, 20
    return x - 18, y - 18, 36, 36


def _beside(x: int, y: int, to_x: int, to_y: int) -> Point:
    """How far to shift a line so that it lies beside its own place."""
    far = _BROAD / (math.hypot(to_x - x, to_y - y) or 1)
    return round((to_y - y) * far), round((x - to_x) * far)


def _covered(ghost: Room, lies: Iterable[Room]) -> int:
    """How much of a ghost things cover."""
    left, top, wide, high = ghost
    right, foot, covered = left + wide, top + high, 0
    for x, y, across, down in lies:  # most lie elsewhere
        if x < right and left < x + across and y < foot and top < y + down:
            across, down = min(right, x + across) - max(left, x), min(foot, y + down) - max(top, y)
            covered += across * down
    return covered
