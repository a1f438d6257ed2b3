"""A picture that a game has drawn itself, as SVG: only its shapes, paths and text are kept.

It comes from a stranger's package and goes into posts, mails and pages: what could run, load or
point to anything is left out, element by element and attribute by attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Final

from pbem.core import Game
from pbem.problem import Faulty
from pbem.sentence import say
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
    """The board as the game has drawn it, with nothing but shapes, paths and text.

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
    inner = "".join(part for child in root for part in _kept(child))
    moved = f'<g transform="translate({-left:g} {-top:g})">{inner}</g>' if left or top else inner
    told = " ".join("".join(each.itertext()) for each in root if _name(each) in ("title", "desc"))
    board = Shape(
        "board",
        "drawn",
        (0, 0, round(width), round(height)),
        "",
        moved,
        says=say("{told}", told=" ".join(told.split())) if told.strip() else None,
    )
    return Scene(round(width), round(height), (board,))


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
        yield _text(element.text)
    for child in element:
        yield from _kept(child, depth + 1)
        if name in ("text", "tspan"):
            yield _text(child.tail)
    yield f"</{name}>"


def _text(said: str | None) -> str:
    return escape("".join(char if char.isprintable() else " " for char in said or ""), quote=False)
