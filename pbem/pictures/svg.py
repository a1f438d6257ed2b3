"""A scene as SVG: the same scene gives the same bytes."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from pbem.pictures import palette
from pbem.pictures.change import UNCHANGED, Difference, Went
from pbem.pictures.element import Element
from pbem.pictures.figures import FIGURES, PLATES
from pbem.problem import Usage
from pbem.rules.coast import ROUND, outline
from pbem.sentence import NO_NAMES, Names, Sentence, together
from pbem.shapes import Scene, Shape, around, middle


def paint(
    scene: Scene,
    *,
    title: str,
    names: Names = NO_NAMES,
    theme: str = "light",
    size: int | None = None,
    change: Difference = UNCHANGED,
    marks: Collection[str] = (),
    arrows: Iterable[tuple[str, str]] = (),
) -> str:
    """The scene as an SVG document.

    `title` names it for screen readers, `names` are the players', `size` is its width in pixels
    (else it takes what room there is). What `change` holds is marked, `marks` are the ids of shapes
    that somebody points at, `arrows` lead from one place to another. Raises Usage for a mark or an
    end of an arrow that is not there.
    """
    box = f"0 0 {scene.width} {scene.height}"
    high = round(size * scene.height / scene.width) if size else None
    room = f' width="{size}" height="{high}"' if size else ""
    says = together(shape.says for shape in scene.shapes if shape.says and not shape.told)
    # A name is in many sentences: a very long one would make the picture several times as large.
    called = {seat: brief(name) for seat, name in names.items()}
    told = " ".join(sentence.text(called) for sentence in says)
    drawn = [*marked(scene, names, change, marks, shared=True), *_arrows(scene, arrows)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{room} role="img" '
        'aria-labelledby="title desc">',
        Element("title", {"id": "title"}, (title,)),
        Element("desc", {"id": "desc"}, (told,)),
        *_clothes(drawn, theme),
        *drawn,
        "</svg>",
    ]
    return "\n".join(map(str, parts)) + "\n"


def _clothes(drawn: Sequence[Element], theme: str) -> tuple[Element, Element]:
    """The style rules and the figures that these groups need."""
    needed = _figures(each for group in drawn for each in _used(group))
    looks = [_looks(each) for each in (*drawn, *needed)]
    return (
        Element("style", {}, (palette.style(theme, *looks),)),
        Element("defs", {}, tuple(needed)),
    )


_CALLED: Final = 28
"""How many bytes of a name a description has: 28 letters of English, 9 of Chinese."""


def brief(name: str) -> str:
    """A name, or as much of it as is told again and again."""
    kept = name.encode()[:_CALLED].decode(errors="ignore")
    return name if kept == name else f"{kept.rstrip()}…"


def beside(
    size: tuple[int, int], left: tuple[Scene, Difference], right: Scene, *, names: Names, theme: str
) -> str:
    """Two scenes as one picture of this size, each as high as it: the left one, with its changes
    marked, and the right one."""
    (scene, change), (wide, high) = left, size
    drawn = [*marked(scene, names, change, shared=True)]
    lines = [_group(shape, names, shape.id) for shape in right.shapes]
    across = high * scene.width // scene.height
    box = f"0 0 {scene.width} {scene.height}"
    scaled = f"translate({across} 0)scale({high / right.height:g})"
    ground = Element("rect", {"class": "panel", "width": wide, "height": high})
    inside = (
        *_clothes([ground, *drawn, *lines], theme),
        ground,
        Element("svg", {"width": across, "height": high, "viewBox": box}, tuple(drawn)),
        Element("g", {"transform": scaled}, tuple(lines)),
    )
    whole = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {wide} {high}"}
    return str(Element("svg", whole, inside))


def _looks(drawn: Element) -> frozenset[str]:
    return frozenset(" ".join(str(each.about.get("class", "")) for each in drawn.walk()).split())


def marked(
    scene: Scene,
    names: Names,
    change: Difference,
    marks: Collection[str] = (),
    *,
    shared: bool = False,
) -> Iterator[Element]:
    """The groups of a scene, with each ghost before the shape that lies upon it now; `shared` where
    the style reaches into figures."""
    moved, ids = dict(change.moved), {shape.id for shape in scene.shapes}
    _require(marks, ids)
    asked = any(shape.look.endswith("asked") for shape in scene.shapes)
    ghosts: dict[str, list[Went]] = {}
    for went in change.went:
        ghosts.setdefault(went.below if went.below in ids else "", []).append(went)
    for shape in scene.shapes:
        yield from (_ghost(went, names) for went in ghosts.get(shape.id, ()))
        if shape.form == "text" and not shape.label:
            continue  # it only says something
        mark = "came" if shape.id in change.came else "moved" if shape.id in moved else ""
        mark = f"{mark} marked".strip() if shape.id in marks else mark
        under = list[Element]()
        if scene.ring and shape.id in moved:  # elsewhere its line is marked, and tells the way
            under.append(arrow(moved[shape.id], middle(shape), scene.ring))
        if mark:
            # On a page, whose style does not reach into figures, each has its own halo; so has
            # what is pointed at, in another colour.
            halo = _halo(shape, shared=shared and shape.id not in marks)
            # Beside what is asked, what was played last stands back.
            past = {"opacity": ".4"} if asked and shape.id not in marks else {}
            under += [each.having(**past) for each in halo]
        yield _group(shape, names, shape.id, mark, under)
    yield from (_ghost(went, names) for went in ghosts.get("", ()))


def _arrows(scene: Scene, arrows: Iterable[tuple[str, str]]) -> Iterator[Element]:
    for start, end in arrows:
        _require((start, end), places(scene))
        yield pointing(scene, start, end)


def places(scene: Scene) -> dict[str, tuple[int, int]]:
    """Where arrows may lead: each shape by its id and by its notation."""
    at: dict[str, tuple[int, int]] = {}
    for shape in scene.shapes:
        if shape.form != "text":
            at[shape.id] = at.setdefault(shape.id.partition("-")[2], middle(shape))
    return at


def pointing(scene: Scene, start: str, end: str) -> Element:
    """An arrow from one place to another, drawn."""
    at, name = places(scene), escape(f"arrow-{start}-{end}")
    return Element("g", {"id": name, "class": "arrow"}, (arrow(at[start], at[end]),))


def _require(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise Usage("nothing on this board is called {name!r:.60}", name=name)


def arrow(
    start: tuple[int, int], end: tuple[int, int], ring: tuple[int, int] | None = None
) -> Element:
    """An arrow that leads from near one point to near another, clockwise around the middle of a
    ring, inside what stands on it, or else in a bow up and over what lies between them."""
    one, other = complex(*start), complex(*end)
    side, middle, far = 1, complex(*(ring or start)), 34.0
    if not ring:  # the middle of the circle that the bow is a part of
        length = abs(other - one) or 1.0
        deep, side = min(36, length / 5), 1 if start < end else -1
        off = length * length / 8 / deep - deep / 2
        middle, far = (one + other) / 2 + side * off * 1j * (other - one) / length, 0.0
    far = abs(other - middle) - far
    turn = side * cmath.phase((other - middle) / (one - middle)) % math.tau
    length = turn * far
    last = length - (min(20.0, length / 6) if ring else min(48.0, length / 2))

    def at(way: float, aside: int = 0) -> str:
        angle = cmath.phase(one - middle) + side * way / far
        point = middle + cmath.rect(far + aside, angle)
        return f"{round(point.real)} {round(point.imag)}"

    flags = f"0 {int(turn > math.pi)} {int(side > 0)}"
    way = f"M{at(min(24.0, length / 5))}A{far:.0f} {far:.0f} {flags} {at(last - 20)}"
    lines = (Element("path", {"class": part, "d": way}) for part in ("casing", "core"))
    tip = Element("polygon", {"points": f"{at(last - 20, 14)} {at(last)} {at(last - 20, -14)}"})
    return Element("g", {"class": "trail"}, (*lines, tip))


def figures(drawn: Iterable[str] | None = None) -> str:
    """The definitions that these groups, written, need: figures, and the light on land; all of
    them, for a page of many boards."""
    used = [f"{rim}{name}" for name in FIGURES for rim in ("", "pale-")]
    if drawn is not None:
        used = re.findall('<use[^>]* href="#([a-z-]+)"', "".join(drawn))
    return str(Element("defs", {}, tuple(_figures(used))))


def _figures(used: Iterable[str]) -> list[Element]:
    found, left = {}, set(used)
    while left:
        name = left.pop()
        found[name] = _named(name)
        left.update(set(_used(found[name])) - found.keys())
    return [*_LIGHT, *(found[name] for name in sorted(found))]


def _used(drawn: Element) -> Iterator[str]:
    return (str(each.about["href"])[1:] for each in drawn.walk() if "href" in each.about)


def _named(name: str) -> Element:
    kind, _, of = name.rpartition("-")
    here = Element("use", {"href": f"#{of}"})
    if kind == "halo":
        looks = {"class": of} if of in PLATES else {}
        return Element("g", {"id": name, **looks}, tuple(_edges(here)))
    if kind == "pale":
        rim = Element("use", {**here.about, "stroke": "currentColor", "stroke-width": 9})
        return Element("g", {"id": name}, (rim, here))
    return FIGURES[name].having(id=name)


_STOPS: Final[tuple[dict[str, str | int], ...]] = (
    {"class": "high"},
    {"class": "land", "offset": ".55"},
    {"class": "low", "offset": 1},
)
_LIGHT: Final = (
    Element(
        "radialGradient",
        {"id": "light", "cx": ".38", "cy": ".3", "r": ".8"},
        tuple(Element("stop", about) for about in _STOPS),
    ),
    Element(
        "pattern",
        {"id": "swell", "width": 96, "height": 72, "patternUnits": "userSpaceOnUse"},
        (
            Element(
                "path",
                {"class": "swell", "d": "M0 18q24-9 48 0t48 0M-48 54q24-9 48 0t48 0 48 0 48 0"},
            ),
        ),
    ),
)


def art(shape: Shape) -> list[str]:
    """The names of the figures that a shape is drawn with."""
    looks = shape.look.split()
    if shape.form == "figure":
        return [looks[0], f"pale-{looks[0]}"] if "pale" in looks else looks[:1]
    return [] if shape.form == "text" else [word for word in looks if word in FIGURES]


def afar(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """What these shapes look like on a board as small as a stamp: no words, emblems and ornaments;
    larger pieces, and fish as dots."""
    for shape in shapes:
        looks, place = shape.look.split(), shape.place
        if shape.form == "text" or shape.id.startswith("legend-") or not _FINE.isdisjoint(looks):
            continue
        if shape.form in ("box", "disc"):
            looks = [word for word in looks if word not in FIGURES]
        elif looks[0] == "fish":
            shape, looks = shape._replace(form="disc", place=(*place[:2], 13)), looks[1:]
        elif shape.form == "figure":
            size = (*place[3:], 100)[0] * 3 // 2
            shape = shape._replace(place=(*place[:2], (*place[2:], 0)[0], size))
        label = shape.label if shape.form == "drawn" else ""
        yield shape._replace(look=" ".join(looks), label=label, note="")


_FINE: Final = frozenset("tile slip grand pips pit peaks palms dolphin wave sign".split())
"""The looks of what cannot be made out there."""


def group(shape: Shape, names: Names, *, nameless: bool = False) -> str:
    """One shape, drawn; `nameless` where there are other boards beside it."""
    return str(_group(shape, names, "" if nameless else shape.id))


def _halo(shape: Shape, *, shared: bool = False) -> list[Element]:
    """The halo behind the first element of a shape: that element twice, for a broad style. Where
    the style reaches into figures, all of a kind share theirs."""
    first = next(_FORMS[shape.form](shape), None)
    if first is None:
        return []
    about = {name: value for name, value in first.about.items() if name != "class"}
    if "href" in about:
        of = str(about["href"]).replace("#pale-", "#")
        about["href"] = of.replace("#", "#halo-") if shared else of
        if shared:
            return [Element("use", about)]
    return [*_edges(first._replace(about=about))]


def _edges(form: Element) -> Iterator[Element]:
    for look in ("halo edge", "halo"):
        yield form.having(**{"class": look})


def _ghost(went: Went, names: Names) -> Element:
    """What is gone, as it was, with a cross upon it."""
    x, y = went.crossed()
    across, down = went.aside
    drawn = _group(went.shape, names, f"went-{went.shape.id}", "went")
    at = {"transform": f"translate({across} {down})"} if across or down else {}
    cross = Element("use", {"class": "cross", "href": "#cross", "x": x, "y": y})
    return drawn._replace(about={**drawn.about, **at}, inside=(*drawn.inside, cross))


CROSS: Final = '<use class="cross" href="#cross"/>'
"""What lies upon a ghost."""


def _group(
    shape: Shape, names: Names, name: str, mark: str = "", under: Iterable[Element] = ()
) -> Element:
    upon = [] if shape.form == "figure" else art(shape)
    looks = [
        *(["text"] if shape.form == "text" else []),
        *(
            word
            for word in shape.look.split()
            if word in palette.LOOKS and (word in PLATES or word not in upon)
        ),
        *([mark] if mark else []),
    ]
    form = _halo(shape) if "asked" in looks else _FORMS[shape.form](shape)
    x, y = middle(shape)
    label = _label(shape, x, y, words(shape.label, names), words(shape.note, names))
    about = {"id": escape(name)} if name else {}
    about["class"] = escape(" ".join(looks))
    return Element("g", about, (*under, *form, *label))


def _label(shape: Shape, x: int, y: int, label: str, note: str) -> Iterator[Element]:
    if not label or shape.form == "drawn":
        return
    if shape.form == "text":
        # Letters that are not bold take less room than `width` reckons with.
        part = 100 if "strong" in shape.look else 85
        label = fitting(label, *(room * 100 // part for room in shape.place[2:]))
        # Each letter has an x of its own: so rows line up, whatever the font.
        cells = " ".join(str(x + CELL // 2 + CELL * n) for n in range(len(label)))
        at = cells if shape.look == "mono" else x
        blanks = "  " in label or label != label.strip()
        about = {"x": at, "y": y, **({"xml:space": "preserve"} if blanks else {})}
        yield Element("text", about, (label,))
        return
    first = y + (9 if not note else -3)
    narrow: dict[str, str | int] = {}
    if shape.form == "box" and art(shape):
        first, room = shape.place[1] + shape.place[3] - 11, shape.place[2] - 14
        if width(label) > room:
            # Whatever typeface there is, a card's name keeps to the card.
            narrow = {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    elif shape.form == "polygon":
        x, first = (x - 40, y - 20) if art(shape) else (x, y + 8)
    yield Element("text", {"x": x, "y": first, **narrow}, (label,))
    if note:
        yield Element("text", {"class": "note", "x": x, "y": y + 23}, (note,))


CELL: Final = 16
"""The width of a letter of ASCII."""


def fitting(text: str, room: int | None = None) -> str:
    """The text, or as much of it as the room holds, "" where it holds nothing."""
    if room is None or width(text) <= room:
        return text
    shorter = (f"{text[:n].rstrip()}…" for n in range(len(text), -1, -1))
    return next((short for short in shorter if width(short) <= room), "")


def width(text: str) -> int:
    """About how wide a text is in bold letters, too wide rather than too narrow."""
    return sum(_WIDTHS.get(char, 26 if char > "\u1100" else 17) for char in text)


_WIDTHS: Final = (
    dict.fromkeys("iIjlJ .,:;'!|()-", 9)
    | dict.fromkeys("rtfscz/", 13)
    | dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 19)
    | dict.fromkeys("mwMW@%", 26)
)


def words(said: str | Sentence | None, names: Names) -> str:
    """What is said, with the players' names."""
    return said.text(names) if isinstance(said, Sentence) else said or ""


def _line(shape: Shape) -> Iterator[Element]:
    ends = dict(zip(("x1", "y1", "x2", "y2"), shape.place, strict=True))
    for part in ("casing", "core", "stripe") if "bridge" in shape.look else ("core",):
        yield Element("line", {"class": part, **ends})


def _use(name: str, x: int, y: int, degrees: int = 0, size: int = 100) -> Element:
    turned = f"rotate({degrees})" if degrees else ""
    scaled = f"scale({f'{size / 100:g}'.lstrip('0')})" if size != 100 else ""
    at: dict[str, str | int] = {"x": x, "y": y}
    if turned or scaled:
        at = {"transform": f"translate({x} {y}){turned}{scaled}"}
    return Element("use", {"href": f"#{name}", **at})


def _box(shape: Shape) -> Iterator[Element]:
    """A box and, in a row above its label, the figures it has upon it."""
    x, y, width, height = shape.place
    at = {"x": x, "y": y, "width": width, "height": height}
    drawn = art(shape)
    if drawn and drawn[0] in PLATES:
        yield _use(drawn.pop(0), x, y)
    else:
        yield Element("rect", at if shape.look in ("sea", "panel") else {**at, "rx": 8})
    if shape.look == "sea":
        yield Element("rect", {**at, "fill": "url(#swell)"})
    size = 170 if height > 100 else 100
    label = (52 if size > 100 else 34 if height > 60 else 33) if shape.label else 0
    middle_x, middle_y = x + width // 2, y + (height - label + 4) // 2
    for n, name in enumerate(drawn):
        aside = (2 * n + 1 - len(drawn)) * width * 2 // 9
        yield _use(name, middle_x + aside, middle_y, 0, size)


def _disc(shape: Shape) -> Iterator[Element]:
    x, y, radius = shape.place
    yield Element("circle", {"cx": x, "cy": y, "r": radius})
    for name in art(shape):
        yield _use(name, x, y)


def _blob(shape: Shape) -> Iterator[Element]:
    """A shore: a closed curve around a middle, never quite round."""
    x, y, *half = shape.place
    corners = iter(outline(x, y, ROUND, (half[0], half[1])))
    yield Element("path", {"d": _curve([*zip(corners, corners, strict=True)])})


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A closed curve that follows an outline but has no corners: it runs through the middle of each
    side, where each piece mirrors the one before."""
    # Even numbers have middles without fractions.
    ends = [(2 * round(x / 2), 2 * round(y / 2)) for x, y in points]
    sides = list(zip(ends, [*ends[1:], ends[0]], strict=True))
    middles = [((x + to_x) // 2, (y + to_y) // 2) for (x, y), (to_x, to_y) in sides]
    (x, y), (corner_x, corner_y) = middles[-1], ends[0]
    first, *others = (f"{a - x} {b - y}" for (x, y), (a, b) in pairwise([(x, y), *middles]))
    path = f"M{x} {y}q{corner_x - x} {corner_y - y} {first}t{' '.join(others)}z"
    return path.replace(" -", "-")


def _arc(shape: Shape) -> Iterator[Element]:
    """A way clockwise around a circle, or a part of a ring."""
    x, y, far, begin, turn, *inner = shape.place

    def way(far: int, parts: int, step: int = 1) -> str:
        turns = [begin + turn * part / parts for part in range(parts + 1)][::step]
        first, *others = (f"{a} {b}" for a, b in (around(x, y, far, each) for each in turns))
        return first + "".join(f"A{far} {far} 0 0 {int(step > 0)} {end}" for end in others)

    if inner:
        yield Element("path", {"d": f"M{way(far, 1)}L{way(inner[0], 1, -1)}z"})
    else:  # in two halves: a whole circle would end where it begins, and be nothing
        yield Element("path", {"class": "core", "d": f"M{way(far, 2)}"})


def _lines(shape: Shape) -> Iterator[Element]:
    path, was_x, was_y = "", 0, 0
    for x, y, to_x, to_y in zip(*(iter(shape.place),) * 4, strict=True):
        ways = (f"{way} {down}" for way, down in ((f"M{x}", y), (f"m{x - was_x}", y - was_y)))
        way = min((each.replace(" -", "-") for each in ways), key=len)
        way = "" if path and (x, y) == (was_x, was_y) else way
        path += f"{way}h0" if (x, y) == (to_x, to_y) else f"{way}l{to_x - x} {to_y - y}"
        was_x, was_y = to_x, to_y
    path = path.replace(" -", "-")
    for part in ("casing", "core") if shape.look.startswith(("pips", "pit")) else ("core",):
        yield Element("path", {"class": part, "d": path})


def _polygon(shape: Shape) -> Iterator[Element]:
    corners = list(zip(shape.place[::2], shape.place[1::2], strict=True))
    if "coast" in shape.look:
        yield Element("path", {"d": _curve(corners)})
    else:
        yield Element("polygon", {"points": " ".join(map(str, shape.place))})
    x, y = middle(shape)
    if upon := art(shape):
        yield _use(upon[0], x, y)
    elif "island" in shape.look:
        land = [(x + (a - x) * 0.84, y + (b - y) * 0.8) for a, b in corners]
        yield Element("path", {"fill": "url(#light)", "stroke": "none", "d": _curve(land)})


def _figure(shape: Shape) -> Iterator[Element]:
    yield _use(art(shape)[-1], *shape.place)


_FORMS: Final[Mapping[str, Callable[[Shape], Iterator[Element]]]] = {
    "line": _line,
    "lines": _lines,
    "arc": _arc,
    "box": _box,
    "disc": _disc,
    "blob": _blob,
    "polygon": _polygon,
    "figure": _figure,
    "text": lambda shape: iter(()),
    "drawn": lambda shape: iter([Element("", {}, (str(shape.label),))]),
}
