"""Many positions of one board: every state of a shape drawn once, and which are to be seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.report.pictures import svg
from pbem.report.pictures.change import differing
from pbem.sentence import NO_NAMES, Names
from pbem.shapes import Scene, Shape, middle

Frame = frozenset[int]
"""A position: the numbers of the cels to be seen."""


class Cel(NamedTuple):
    """A shape as it is at some moment, drawn, and what it says."""

    shape: Shape
    drawn: str
    says: str


class Marks(NamedTuple):
    """What has changed, by places of cels: what came; what moved, its arrow, and how far back it
    was; what went, how far aside, where its cross is, and the cel above it, -1 if there is none."""

    came: list[int]
    moved: list[tuple[int, str, int, int]]
    went: list[tuple[int, ...]]


class Film:
    """The positions added so far. Every one of them is its cels laid upon each other, from the
    first to the last, on as large a ground as the largest needs."""

    def __init__(self, names: Names = NO_NAMES) -> None:
        self.width = self.height = 0
        self._players = names
        self._cels: list[Cel] = []
        self._of: dict[str, list[int]] = {}
        self._order: list[int] = []
        self._place: dict[int, int] = {}

    def add(self, scene: Scene) -> Frame:
        """Take a position in. What was drawn before at the same height is used again."""
        self.width, self.height = max(self.width, scene.width), max(self.height, scene.height)
        place, seen = -1, []
        for shape in map(self._plain, scene.shapes):
            number = self._known(shape, place)
            if number is None:
                number = self._draw(shape, place + 1)
            seen.append(number)
            place = self._place[number]
        return frozenset(seen)

    def _plain(self, shape: Shape) -> Shape:
        """A text without the room it has, where it needs no more: so it is drawn but once."""
        if shape.form != "text" or len(shape.place) < 3:
            return shape
        x, y, room = shape.place
        fits = svg.width(svg.words(shape.label, self._players)) <= room
        return shape._replace(place=(x, y)) if fits else shape

    def _known(self, shape: Shape, below: int) -> int | None:
        """The lowest cel that looks so, of those above a place."""
        found, lowest = None, len(self._cels)
        for number in self._of.get(shape.id, ()):
            if (
                below < (place := self._place[number]) < lowest
                and self._cels[number].shape == shape
            ):
                found, lowest = number, place
        return found

    def _draw(self, shape: Shape, place: int) -> int:
        number = len(self._cels)
        drawn = svg.group(shape, self._players)
        says = shape.says.text(self._players) if shape.says and not shape.told else ""
        self._cels.append(Cel(shape, drawn, says))
        self._of.setdefault(shape.id, []).append(number)
        self._order.insert(place, number)
        for nth in range(place, number + 1):
            self._place[self._order[nth]] = nth
        return number

    @property
    def cels(self) -> list[Cel]:
        """All cels, from back to front."""
        return [self._cels[number] for number in self._order]

    def places(self, numbers: Iterable[int]) -> list[int]:
        """Where cels are in `cels`, sorted. Valid until the next position is added."""
        return sorted(self._place[number] for number in numbers)

    def scene(self, frame: Frame) -> Scene:
        """A position as it was taken in."""
        shapes = (self._cels[self._order[place]].shape for place in self.places(frame))
        return Scene(self.width, self.height, tuple(shapes))

    def marks(self, before: Frame, after: Frame) -> Marks:
        """What has changed from one position to another. Valid until the next one is added."""
        change = differing(self.scene(before), self.scene(after))
        lay, lies = (
            {self._cels[number].shape.id: self._place[number] for number in frame}
            for frame in (before, after)
        )
        cels = self.cels
        return Marks(
            sorted(lies[name] for name in change.came),
            [
                (lies[name], svg.arrow((x, y), (to_x, to_y)), x - to_x, y - to_y)
                for name, (x, y) in change.moved
                for to_x, to_y in [middle(cels[lies[name]].shape)]
            ],
            [
                (lay[went.shape.id], *went.aside, *middle(went.shape), lies.get(went.below, -1))
                for went in change.went
            ],
        )
