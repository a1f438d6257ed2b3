"""Many positions of one board: every state of a shape drawn once, and which are to be seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.pictures import svg
from pbem.pictures.change import changed
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
        self._ring: tuple[int, int] | None = None
        self._players = names
        self._cels: list[Cel] = []
        self._of: dict[str, list[list[int]]] = {}
        self._drawn: dict[int, tuple[Shape, list[int]]] = {}
        self._order: list[int] = []
        self._laid: list[Shape] = []
        self._place: list[int] = []

    def add(self, scene: Scene) -> Frame:
        """Take a position in. What was drawn before at the same height is used again."""
        self.width, self.height = max(self.width, scene.width), max(self.height, scene.height)
        self._ring = scene.ring
        place, seen = -1, []
        for shape in scene.shapes:
            # Many a scene has shapes that are another's own: to compare all that they say once more
            # takes longer than all else.
            _, alike = self._drawn.get(id(shape)) or (shape, self._alike(shape))
            number, lowest = -1, len(self._cels)
            for each in alike:
                if place < self._place[each] < lowest:
                    number, lowest = each, self._place[each]
            if number < 0:
                number, lowest = self._draw(self._plain(shape), place + 1), place + 1
                alike.append(number)
                self._drawn[id(shape)] = shape, alike
            seen.append(number)
            place = lowest
        return frozenset(seen)

    def _alike(self, shape: Shape) -> list[int]:
        """All cels that look so, from the one that was drawn first."""
        plain, called = self._plain(shape), self._of.setdefault(shape.id, [])
        for alike in called:
            if self._cels[alike[0]].shape == plain:
                return alike
        called.append([])
        return called[-1]

    def _plain(self, shape: Shape) -> Shape:
        """A text without the room it has, where it needs no more: so it is drawn but once."""
        if shape.form != "text" or len(shape.place) < 3:
            return shape
        x, y, room = shape.place
        fits = svg.width(svg.words(shape.label, self._players)) <= room
        return shape._replace(place=(x, y)) if fits else shape

    def _draw(self, shape: Shape, place: int) -> int:
        number = len(self._cels)
        drawn = svg.group(shape, self._players)
        says = shape.says.text(self._players) if shape.says and not shape.told else ""
        self._cels.append(Cel(shape, drawn, says))
        self._order.insert(place, number)
        self._laid.insert(place, shape)
        self._place.append(place)
        for nth in range(place, number + 1):
            self._place[self._order[nth]] = nth
        return number

    @property
    def cels(self) -> list[Cel]:
        """All cels, from back to front."""
        return [self._cels[number] for number in self._order]

    @property
    def shapes(self) -> list[Shape]:
        """What all cels show, by their numbers."""
        return [cel.shape for cel in self._cels]

    def places(self, numbers: Iterable[int]) -> list[int]:
        """Where cels are in `cels`, sorted. Valid until the next position is added."""
        return sorted(map(self._place.__getitem__, numbers))

    def scene(self, frame: Frame) -> Scene:
        """A position as it was taken in."""
        shapes = map(self._laid.__getitem__, self.places(frame))
        return Scene(self.width, self.height, tuple(shapes), self._ring)

    def marks(self, before: Frame, after: Frame) -> Marks:
        """What has changed from one position to another. Valid until the next one is added."""
        came, went = self.places(after - before), self.places(before - after)
        gone, new = ([self._laid[place] for place in places] for places in (went, came))
        change = changed(gone, new, self.scene(before), self.scene(after))
        lies = {self._laid[place].id: place for place in (*self.places(before & after), *came)}
        lay = {self._laid[place].id: place for place in went}
        return Marks(
            sorted(lies[name] for name in change.came),
            [
                (lies[name], svg.arrow((x, y), (to_x, to_y), self._ring), x - to_x, y - to_y)
                for name, (x, y) in change.moved
                for to_x, to_y in [middle(self._laid[lies[name]])]
            ],
            [
                (lay[each.shape.id], *each.aside, *each.crossed(), lies.get(each.below, -1))
                for each in change.went
            ],
        )
