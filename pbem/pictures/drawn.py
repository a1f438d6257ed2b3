"""A picture that a game has drawn itself, as SVG: only its shapes, paths and text are kept.

It comes from a stranger's package and goes into posts, mails and pages: what could run, load or
point to anything is left out, element by element and attribute by attribute.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from pbem.core import Game
from pbem.pictures.element import printable
from pbem.problem import Faulty
from pbem.sentence import Sentence, say
from pbem.shapes import Scene, Shape

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

LONGEST: Final = 1_000_000
"""How many characters a picture may have."""

DEEPEST: Final = 30
"""What is nested deeper is left out."""

_SHAPES: Final = frozenset(
    "g path rect circle ellipse line polyline polygon text tspan svg".split()
)
_LOOKS: Final = frozenset(
    "d points x y x1 y1 x2 y2 dx dy cx cy r rx ry width height transform rotate "
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap "
    "stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit paint-order opacity "
    "font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing "
    "textLength lengthAdjust visibility".split()
)
_VALUE: Final = re.compile(r"[\w\s.,#%()+-]*")
"""What may stand in an attribute: numbers, names, colours, paths, but no reference, and nothing to
be escaped."""


def scene(game: Game[Any], view: Any) -> Scene:
    """The board as the game has drawn it, with nothing but shapes, paths and text: each child of
    the picture a shape of its own, so that those that stay as they are come once in a page. One
    with an `id`, `isle-a1`, is clicked for the moves that its `data-moves` names.

    Raises Faulty for what is no picture at all.
    """
    text = game.svg(view)
    if len(text) > LONGEST or "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise _faulty(game, "svg gives more than a picture: it is too long, or declares entities")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise _faulty(game, "svg gives what is no XML: {error!s}", error=error) from error
    box = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", root.get("viewBox", ""))]
    if _name(root) != "svg" or len(box) != 4 or not (0 < box[2] < 10_000 and 0 < box[3] < 10_000):
        raise _faulty(game, 'svg gives no <svg viewBox="0 0 WIDTH HEIGHT"> of a usable size')
    left, top, width, height = box
    whole = (0, 0, round(width), round(height))
    told = " ".join(" ".join(each.itertext()) for each in root if _name(each) in _TOLD).split()
    says = say("{told}", told=" ".join(told)) if told else None
    shapes = [Shape("board", "drawn", whole, "", "", says=says)]
    known = Counter[str]()
    for child in root:
        if part := "".join(_kept(child)):
            moved = f'<g transform="translate({-left:g} {-top:g})">{part}</g>'
            own = _ID.fullmatch(child.get("id", ""))
            id = f"own-{own[0]}" if own else f"part-{sha256(part.encode()).hexdigest()[:10]}"
            known[id] += not own
            shapes.append(
                Shape(
                    id if known[id] < 2 else f"{id}-{known[id]}",
                    "drawn",
                    whole,
                    "",
                    moved if left or top else part,
                    says=_says(child) if own else None,
                    told=says is not None,
                    moves=_moves(child) if own else (),
                    name=own[1] or own[0] if own else "",
                )
            )
    return Scene(round(width), round(height), tuple(shapes))


_TOLD: Final = ("title", "desc")
_ID: Final = re.compile(r"(?:[a-z]{1,20}-)?([\w.+-]{1,40})")
_MOVES: Final = "data-moves"
_MOST_MOVES: Final = 40


def _says(element: Element) -> Sentence | None:
    """What the title of an element says it is."""
    told = " ".join("".join(each.itertext()) for each in element if _name(each) in _TOLD)
    return say("{told}", told=" ".join(told.split())) if told.strip() else None


def _moves(element: Element) -> tuple[str, ...]:
    """The moves that an element stands for, as it says."""
    said = (each.strip() for each in element.get(_MOVES, "").split(";"))
    return tuple(each for each in said if each and each.isprintable())[:_MOST_MOVES]


def _faulty(game: Game[Any], pattern: str, **values: Any) -> Faulty:
    from pbem.play.guest import package_of

    why = say(pattern, **values)
    package = package_of(game.NAME)
    return Faulty("{package} is at fault: {why}", game.DATA, package=package, why=why)


def _name(element: Element) -> str:
    """The name of an element, without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _kept(element: Element, depth: int = 0) -> Iterator[str]:
    """An element written out with what may be kept of it; nothing, if it may not be kept itself."""
    name = _name(element)
    if name not in _SHAPES or depth > DEEPEST:
        return
    looks = "".join(
        f' {key}="{value}"'
        for key, value in element.attrib.items()
        if key in _LOOKS and _VALUE.fullmatch(value) and "url" not in value.lower()
    )
    yield f"<{name}{looks}>"
    if name in ("text", "tspan"):
        yield printable(element.text or "")
    for child in element:
        yield from _kept(child, depth + 1)
        if name in ("text", "tspan"):
            yield printable(child.tail or "")
    yield f"</{name}>"
