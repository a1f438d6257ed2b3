"""A board as plain shapes: what is to be seen, and where. The house paints them."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Literal, NamedTuple

from pbem.sentence import Sentence

Form = Literal["line", "lines", "arc", "box", "disc", "blob", "polygon", "figure", "text", "drawn"]


class Shape(NamedTuple):
    """One thing to be seen.

    `id` is its notation (`line-ALOA-BARI`, `island-ALOA`), unique in its scene. `place` is read by
    `form`: line (x, y, x, y), lines (the same for each), arc (x, y, radius, and in degrees
    clockwise where it begins, from the top, and how far it goes; and for a part of a ring the
    radius of its inner edge), box (left, top, width, height),
    disc (x, y, radius), blob (x, y, half its width, half its height), polygon (x, y, x, y, …),
    figure (x, y, degrees clockwise; and its size in percent, if not 100), text (x, y: where it
    starts; and how much room there is), drawn (as a box, for a picture a game has drawn itself: its
    `label` is SVG, found harmless). `look` holds words of the palette, the most general first:
    `bridge white`; a figure's first word is its name among the house's figures; on other forms lie
    the figures that their look names. `label` stands in its middle, `note` below that. `says` tells
    in a sentence what it is; None where there is nothing to tell. `told`: another shape tells this
    too, so a description of the whole leaves it out. `kin` says which thing it is, where its `id`
    says only where it lies: a pawn of red, a card in a row.

    `moves` are those it stands for, whole, in canonical notation, to be clicked or tapped: `take
    BARI`. A `*` stands for any words, or for any part of a word: `BARI-*`. A move that only one
    seat can make with it begins with that seat: `white: BARI-*`. `name` is what players call it,
    where its id without the kind does not say that: `A:kane3`.

    Two scenes are compared by what their shapes say: shapes that say the same are the same thing,
    wherever they lie. See `pbem.pictures.change`.
    """

    id: str
    form: Form
    place: tuple[int, ...]
    look: str
    label: str | Sentence = ""
    note: str | Sentence = ""
    says: Sentence | None = None
    told: bool = False
    kin: str = ""
    moves: tuple[str, ...] = ()
    name: str = ""

    @property
    def called(self) -> str:
        """What players call it."""
        return self.name or self.id.partition("-")[2]

    def stands_for(self, move: str, seat: str) -> bool:
        """Is this a move, in canonical notation, that a seat makes with this shape?"""
        return any(fits(each, move, seat) for each in self.moves)


class Scene(NamedTuple):
    """A board: its size in units (text is about 24 high), and its shapes from back to front. Text
    stays readable at half that size. `ring` is the middle of a ring along which things move,
    clockwise."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    ring: tuple[int, int] | None = None


def fits(pattern: str, move: str, seat: str) -> bool:
    """Is a move of this seat meant by one of those a shape stands for?"""
    reading = _reading(pattern)
    return bool(reading.fullmatch(f"{move} ") or reading.fullmatch(f"{seat}: {move} "))


@cache
def _reading(pattern: str) -> re.Pattern[str]:
    words = (
        r"(?:\S+ )*" if word == "*" else re.escape(word).replace(r"\*", r"\S*") + " "
        for word in pattern.split()
    )
    return re.compile("".join(words))


def middle(shape: Shape) -> tuple[int, int]:
    """Where a shape's label goes, and an arrow begins."""
    place = shape.place
    match shape.form:
        case "arc":
            x, y, far, begin, turn, *inner = place
            return around(x, y, (far + (*inner, far)[0]) / 2, begin + turn / 2)
        case "box":
            return place[0] + place[2] // 2, place[1] + place[3] // 2
        case "line":
            return (place[0] + place[2]) // 2, (place[1] + place[3]) // 2
        case "polygon":
            return sum(place[::2]) * 2 // len(place), sum(place[1::2]) * 2 // len(place)
    return place[0], place[1]


def around(x: int, y: int, far: float, degrees: float) -> tuple[int, int]:
    """The point so far from a middle, in degrees clockwise from the top."""
    angle = math.radians(degrees)
    return x + round(far * math.sin(angle)), y - round(far * math.cos(angle))
