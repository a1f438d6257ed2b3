"""A scene as SVG: the same scene gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from html import escape
from typing import Final

from pbem.report.pictures import palette
from pbem.report.pictures.figures import FIGURES
from pbem.sentence import NO_NAMES, Names, Sentence
from pbem.shapes import Scene, Shape


def paint(
    scene: Scene,
    *,
    title: str,
    names: Names = NO_NAMES,
    theme: str = "light",
    size: int | None = None,
    changed: Collection[str] = (),
) -> str:
    """The scene as an SVG document.

    `title` names it for screen readers, `names` are the players', `size` is its width in pixels
    (else it takes what room there is), `changed` are the ids of shapes to be marked as new.
    """
    box = f"0 0 {scene.width} {scene.height}"
    high = round(size * scene.height / scene.width) if size else None
    room = f' width="{size}" height="{high}"' if size else ""
    says = (shape.says for shape in scene.shapes if not shape.told)
    told = " ".join(_words(sentence, names) for sentence in says if sentence)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{room} role="img" '
        'aria-labelledby="title desc">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="desc">{_text(told)}</desc>',
        f"<style>{palette.style(theme, _looks(scene, changed))}</style>",
        figures(scene.shapes),
        *(group(shape, names, new=shape.id in changed) for shape in scene.shapes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _looks(scene: Scene, changed: Collection[str]) -> frozenset[str]:
    words = {word for shape in scene.shapes for word in (shape.form, *shape.look.split())}
    return frozenset(words | {"new"} if changed else words)


def figures(shapes: Iterable[Shape]) -> str:
    """The figures that these shapes use, to be drawn where they stand; "" if they use none."""
    names = {shape.look.split()[0] for shape in shapes if shape.form == "figure"}
    drawn = "".join(f'<g id="{name}">{FIGURES[name]}</g>' for name in sorted(names))
    return f"<defs>{drawn}</defs>" if drawn else ""


def group(shape: Shape, names: Names, *, new: bool = False, halo: bool = False) -> str:
    """One shape, drawn. With `halo` its mark is there, to be shown once it is `new`."""
    look = f"{shape.form} {shape.look}" if shape.form == "text" else shape.look
    look += " new" if new else ""
    drawn = "".join(_FORMS[shape.form](shape, new or halo))
    x, y = middle(shape)
    label = _label(shape, x, y, _words(shape.label, names), _words(shape.note, names))
    return f'<g id="{escape(shape.id)}" class="{escape(look)}">{drawn}{label}</g>'


def _label(shape: Shape, x: int, y: int, label: str, note: str) -> str:
    if not label:
        return ""
    if shape.form == "text":
        label = fitting(label, *shape.place[2:])
        at = _cells(x, label) if shape.look == "mono" else x
        blanks = ' xml:space="preserve"' if "  " in label or label != label.strip() else ""
        return f'<text x="{at}" y="{y}"{blanks}>{_text(label)}</text>'
    first = y + (9 if not note else -3)
    below = f'<text class="note" x="{x}" y="{y + 21}">{_text(note)}</text>' if note else ""
    return f'<text x="{x}" y="{first}">{_text(label)}</text>{below}'


def _cells(x: int, label: str) -> str:
    """Where each letter goes: one below another, whatever the font."""
    return " ".join(str(x + CELL // 2 + CELL * n) for n in range(len(label)))


CELL: Final = 16
"""The width of a letter of ASCII."""


def fitting(text: str, room: int | None = None) -> str:
    """The text, or as much of it as the room holds."""
    if room is None or width(text) <= room:
        return text
    return next(
        short for n in range(len(text), -1, -1) if width(short := f"{text[:n].rstrip()}…") <= room
    )


def width(text: str) -> int:
    """About how wide a text is in bold letters, rather too much than too little."""
    return sum(_WIDTHS.get(char, 26 if char > "\u1100" else 17) for char in text)


_WIDTHS: Final = (
    dict.fromkeys("iIjlJ .,:;'!|()-", 9)
    | dict.fromkeys("rtfscz/", 13)
    | dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 19)
    | dict.fromkeys("mwMW@%", 26)
)


def _words(said: str | Sentence | None, names: Names) -> str:
    return said.text(names) if isinstance(said, Sentence) else said or ""


def _text(said: str) -> str:
    """Text that XML can hold and nobody can misuse: no markup, nothing that is not printable."""
    return escape("".join(char if char.isprintable() else " " for char in said), quote=False)


def middle(shape: Shape) -> tuple[int, int]:
    """Where a shape's label goes."""
    place = shape.place
    match shape.form:
        case "box":
            return place[0] + place[2] // 2, place[1] + place[3] // 2
        case "line":
            return (place[0] + place[2]) // 2, (place[1] + place[3]) // 2
        case "polygon":
            return sum(place[::2]) * 2 // len(place), sum(place[1::2]) * 2 // len(place)
    return place[0], place[1]


def _line(shape: Shape, new: bool) -> Iterator[str]:
    x, y, to_x, to_y = shape.place
    ends = f'x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"'
    for part in ("casing", "core", "stripe") if "bridge" in shape.look else ("core",):
        yield f'<line class="{part}" {ends}/>'
    if new:
        across, down = _beside(x, y, to_x, to_y, 15)
        for sign in (1, -1):
            ax, ay = across * sign, down * sign
            yield (
                f'<line class="halo" x1="{x + ax}" y1="{y + ay}" x2="{to_x + ax}" '
                f'y2="{to_y + ay}"/>'
            )


def _beside(x: int, y: int, to_x: int, to_y: int, far: int) -> tuple[int, int]:
    length = math.hypot(to_x - x, to_y - y) or 1
    return round((to_y - y) * far / length), round((x - to_x) * far / length)


def _box(shape: Shape, new: bool) -> Iterator[str]:
    x, y, width, height = shape.place
    round_ = 0 if width > 600 else 8
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round_}"/>'
    if new:
        yield (
            f'<rect class="halo" x="{x - 3}" y="{y - 3}" width="{width + 6}" '
            f'height="{height + 6}" rx="10"/>'
        )


def _disc(shape: Shape, new: bool) -> Iterator[str]:
    x, y, radius = shape.place
    yield f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
    if new:
        yield f'<circle class="halo" cx="{x}" cy="{y}" r="{radius + 6}"/>'


def _blob(shape: Shape, new: bool) -> Iterator[str]:
    """A shore: a closed curve around a middle, never quite round, always the same there."""
    x, y, wide, high = shape.place
    yield f'<path d="{_shore(x, y, wide, high)}"/>'
    if new:
        yield f'<path class="halo" d="{_shore(x, y, wide + 8, high + 8)}"/>'


_SHORE: Final = 12


def _shore(x: int, y: int, wide: int, high: int) -> str:
    points = []
    for n in range(_SHORE):
        angle = 2 * math.pi * n / _SHORE
        far = 1 + 0.09 * math.sin(x * 0.7 + n * 2.1) + 0.06 * math.cos(y * 0.9 + n * 4.7)
        points.append((x + wide * far * math.cos(angle), y + high * far * math.sin(angle)))
    path: list[str] = []
    for n, (px, py) in enumerate(points):
        qx, qy = points[(n + 1) % _SHORE]
        mx, my = round((px + qx) / 2), round((py + qy) / 2)
        path.append(f"Q{round(px)} {round(py)} {mx} {my}" if path else f"M{mx} {my}")
    (px, py), (qx, qy) = points[0], points[1]
    path.append(f"Q{round(px)} {round(py)} {round((px + qx) / 2)} {round((py + qy) / 2)}Z")
    return "".join(path)


def _lines(shape: Shape, new: bool) -> Iterator[str]:
    ends = zip(*(iter(shape.place),) * 4, strict=True)
    yield f'<path d="{"".join(f"M{x} {y}L{to_x} {to_y}" for x, y, to_x, to_y in ends)}"/>'


def _polygon(shape: Shape, new: bool) -> Iterator[str]:
    points = " ".join(map(str, shape.place))
    yield f'<polygon points="{points}"/>'
    if new:
        yield f'<polygon class="halo" points="{points}"/>'


def _figure(shape: Shape, new: bool) -> Iterator[str]:
    x, y, degrees, size = (*shape.place, 100)[:4]
    turned = f"rotate({degrees})" if degrees else ""
    scaled = f"scale({size / 100:g})" if size != 100 else ""
    at = f'x="{x}" y="{y}"'
    if turned or scaled:
        at = f'transform="translate({x} {y}){turned}{scaled}"'
    use = f'href="#{shape.look.split()[0]}" {at}'
    if new:
        yield f'<use class="glow" {use}/>'
    if "pale" in shape.look:
        yield f'<use class="rim" {use}/>'
    yield f"<use {use}/>"


def _nothing(shape: Shape, new: bool) -> Iterator[str]:
    return iter(())


_FORMS: Final[Mapping[str, Callable[[Shape, bool], Iterator[str]]]] = {
    "line": _line,
    "lines": _lines,
    "box": _box,
    "disc": _disc,
    "blob": _blob,
    "polygon": _polygon,
    "figure": _figure,
    "text": _nothing,
}
