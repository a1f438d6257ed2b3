"""Many positions of one board: each state of a shape drawn once, and which of them to show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import lt
from typing import Final, NamedTuple

from pbem.pictures import svg
from pbem.pictures.change import Ground, changed
from pbem.sentence import NO_NAMES, Names
from pbem.shapes import Scene, Shape, middle

Frame = frozenset[int]
"""A position: the numbers of the cels to be seen."""


_HELD: Final = 20_000
"""How many shapes are remembered; in a game that makes them all anew, none ever comes again."""


class Cel(NamedTuple):
    """A shape as it is at some moment, drawn, and what it says."""

    shape: Shape
    drawn: str
    says: str


class Marks(NamedTuple):
    """What has changed, by places of cels: what came; what moved, its arrow, and the way back to
    its old place; what went, how far aside, where its cross is, and the cel above it, or -1."""

    came: list[int]
    moved: list[tuple[int, str, int, int]]
    went: list[tuple[int, ...]]


class Film:
    """The positions added so far. Each is its cels laid upon each other, from the first to the
    last, on a ground as large as the largest position needs."""

    def __init__(self, names: Names = NO_NAMES) -> None:
        self.width = self.height = 0
        self.brought = 0  # characters of what games have drawn themselves
        self._ring: tuple[int, int] | None = None
        self._players = names
        self._cels: list[Cel] = []
        self._met: dict[int, int] = {}
        self._held: list[Shape] = []
        self._called: dict[str, list[tuple[Shape, int]]] = {}
        self._alike: list[list[int]] = []
        self._lowest: list[int] = []
        self._frames: dict[tuple[int, ...], Frame] = {}
        self._order: list[int] = []
        self._laid: list[Shape] = []
        self._place: list[int] = []
        self._ground: tuple[Frame, Ground, dict[str, int]] | None = None

    def add(self, scene: Scene) -> Frame:
        """Add a position. What was drawn before at the same height is used again, and a scene like
        another is the same position."""
        self.width, self.height = max(self.width, scene.width), max(self.height, scene.height)
        self._ring = scene.ring
        # Many scenes share the very same shapes: comparing all that these say once more would take
        # longer than all else.
        met = map(self._met.get, map(id, scene.shapes))
        looks = tuple(
            [
                self._look(shape) if look is None else look
                for shape, look in zip(scene.shapes, met, strict=True)
            ]
        )
        frame = self._frames.get(looks)
        if frame is None:
            frame = self._frames[looks] = frozenset(self._laid_out(looks, scene.shapes))
        return frame

    def _laid_out(self, looks: Sequence[int], shapes: Iterable[Shape]) -> Iterable[int]:
        """The cels of a position, each the lowest one above the cel before it."""
        lowest = [*map(self._lowest.__getitem__, looks)]
        if -1 not in lowest:  # all have been drawn
            places = [*map(self._place.__getitem__, lowest)]
            if all(map(lt, places, places[1:])):
                return lowest
        return self._one_by_one(looks, shapes)

    def _one_by_one(self, looks: Iterable[int], shapes: Iterable[Shape]) -> Iterator[int]:
        above = -1
        for look, shape in zip(looks, shapes, strict=True):
            for number in self._alike[look]:  # from back to front
                if self._place[number] > above:
                    break
            else:
                number = self._draw(self._plain(shape), above + 1)
                self._alike[look].append(number)
                self._lowest[look] = self._alike[look][0]
            yield number
            above = self._place[number]

    def _look(self, shape: Shape) -> int:
        """The number of what a shape looks like."""
        plain, called = self._plain(shape), self._called.setdefault(shape.id, [])
        look = next((look for other, look in called if other == plain), len(self._alike))
        if look == len(self._alike):
            called.append((plain, look))
            self._alike.append([])
            self._lowest.append(-1)
        if len(self._held) < _HELD:
            self._held.append(shape)  # or else a new shape might get the same id()
            self._met[id(shape)] = look
        return look

    def _plain(self, shape: Shape) -> Shape:
        """A text that fits into its room, without that room: so it is drawn only once."""
        if shape.form != "text" or len(shape.place) < 3:
            return shape
        x, y, room = shape.place
        fits = svg.width(svg.words(shape.label, self._players)) <= room
        return shape._replace(place=(x, y)) if fits else shape

    def _draw(self, shape: Shape, place: int) -> int:
        number = len(self._cels)
        drawn = svg.group(shape, self._players)
        self.brought += len(drawn) if shape.form == "drawn" else 0
        says = shape.says.text(self._players) if shape.says and not shape.told else ""
        self._cels.append(Cel(shape, drawn, says))
        self._order.insert(place, number)
        self._laid.insert(place, shape)
        self._place.append(place)
        self._ground = None
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
        """A position, on the ground that all positions share."""
        shapes = map(self._laid.__getitem__, self.places(frame))
        return Scene(self.width, self.height, tuple(shapes), self._ring)

    def marks(self, before: Frame, after: Frame) -> Marks:
        """What has changed from one position to another. Valid until the next one is added."""
        came, went = self.places(after - before), self.places(before - after)
        gone, new = ([self._laid[place] for place in places] for places in (went, came))
        ground, lay = self._ground_of(before)
        change = changed(gone, new, ground)
        lies = {self._laid[place].id: place for place in came}
        return Marks(
            sorted(lies[name] for name in change.came),
            [
                (lies[name], self._arrow((x, y), (to_x, to_y)), x - to_x, y - to_y)
                for name, (x, y) in change.moved
                for to_x, to_y in [middle(self._laid[lies[name]])]
            ],
            [
                (
                    lay[each.shape.id],
                    *each.aside,
                    *each.crossed(),
                    lies.get(each.below, lay.get(each.below, -1)),
                )
                for each in change.went
            ],
        )

    def _arrow(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        return str(svg.arrow(start, end, self._ring)) if self._ring else ""

    def _ground_of(self, frame: Frame) -> tuple[Ground, dict[str, int]]:
        """A position as the ground of comparisons, and where the cels of its shapes are. It is
        kept, since many are compared with the same one."""
        if self._ground is None or self._ground[0] != frame:
            scene = self.scene(frame)
            ids = (shape.id for shape in scene.shapes)
            lay = dict(zip(ids, self.places(frame), strict=True))
            self._ground = frame, Ground(scene), lay
        return self._ground[1:]
