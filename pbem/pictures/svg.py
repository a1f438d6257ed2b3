"""A scene as SVG: the same scene gives the same bytes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from pbem.pictures import palette
from pbem.pictures.change import UNCHANGED, Difference, Went
from pbem.pictures.figures import FIGURES, PLATES
from pbem.problem import Usage
from pbem.sentence import NO_NAMES, Names, Sentence, together
from pbem.shapes import Scene, Shape, middle


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
    called = {seat: _brief(name) for seat, name in names.items()}
    told = " ".join(sentence.text(called) for sentence in says)
    drawn = [*map(_shared, marked(scene, names, change, marks)), *_arrows(scene, arrows)]
    needed = _figures(drawn)
    looks = map(_looks, (*drawn, *needed))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{room} role="img" '
        'aria-labelledby="title desc">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="desc">{_text(told)}</desc>',
        f"<style>{palette.style(theme, *looks)}</style>",
        f"<defs>{''.join(needed)}</defs>",
        *drawn,
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


_CALLED: Final = 28
"""How many bytes of a name a description has: 28 letters of English, 9 of Chinese."""


def _brief(name: str) -> str:
    kept = name.encode()[:_CALLED].decode(errors="ignore")
    return name if kept == name else f"{kept.rstrip()}…"


CARD: Final = 1200, 630
"""The size of the picture that links are shown with."""


def card(board: str, title: str, names: Iterable[tuple[str, str]], theme: str = "light") -> str:
    """The picture that links are shown with: a board painted as SVG, beside its title and names
    with what they have."""
    colours = palette.THEMES[theme]
    body = board.partition("<title")[2]
    box = re.search(r'viewBox="([^"]*)"', board)
    assert box, "every picture has one"
    written = [(700, 170, 46, "start", title)]
    for n, (name, has) in enumerate(names):
        written.append((700, 270 + 62 * n, 42, "start", fitting(name, 300)))
        written.append((1150, 270 + 62 * n, 42, "end", has))
    lines = "".join(
        f'<text x="{x}" y="{y}" style="font-size:{high}px;text-anchor:{end}">{_text(said)}</text>'
        for x, y, high, end, said in written
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">'
        f'<rect width="1200" height="630" fill="{colours["panel"]}"/>'
        f'<svg x="24" y="20" width="640" height="590" viewBox="{box[1]}"><title{body.rstrip()}'
        f'<g font-weight="bold">{lines}</g></svg>'
    )


def _looks(group: str) -> frozenset[str]:
    return frozenset(" ".join(re.findall(' class="([^"]*)"', group)).split())


def marked(
    scene: Scene, names: Names, change: Difference, marks: Collection[str] = ()
) -> Iterator[str]:
    """The groups of a scene, with each ghost before the shape that lies upon it now."""
    moved, ids = dict(change.moved), {shape.id for shape in scene.shapes}
    _require(marks, ids)
    ghosts: dict[str, list[Went]] = {}
    for went in change.went:
        ghosts.setdefault(went.below if went.below in ids else "", []).append(went)
    for shape in scene.shapes:
        yield from (ghost(went, names) for went in ghosts.get(shape.id, ()))
        mark = "came" if shape.id in change.came else "moved" if shape.id in moved else ""
        mark = f"{mark} marked".strip() if shape.id in marks else mark
        way = arrow(moved[shape.id], middle(shape), scene.ring) if shape.id in moved else ""
        yield changed(shape, names, mark, way) if mark else group(shape, names)
    yield from (ghost(went, names) for went in ghosts.get("", ()))


def _arrows(scene: Scene, arrows: Iterable[tuple[str, str]]) -> Iterator[str]:
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


def pointing(scene: Scene, start: str, end: str) -> str:
    """An arrow from one place to another, drawn."""
    at, name = places(scene), escape(f"arrow-{start}-{end}")
    return f'<g id="{name}" class="arrow">{arrow(at[start], at[end])}</g>'


def _require(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise Usage("nothing on this board is called {name!r:.60}", name=name)


def arrow(start: tuple[int, int], end: tuple[int, int], ring: tuple[int, int] | None = None) -> str:
    """An arrow that leads from near one point to near another, straight or clockwise around the
    middle of a ring. It begins thin, so that it hides little of what it leads across."""
    along, length = _way(start, end, ring)
    near, far = min(24.0, length / 5), length - min(20.0, length / 6)
    tail, *tip = (
        along(at, aside)
        for at, aside in ((near, 0), (far - 20, 4), (far - 20, 14), (far, 0), (far - 20, -14))
    )
    back = along(far - 20, -4)
    if not ring:
        ends = (along(near, 1.5), *tip, back, along(near, -1.5))
        points = " ".join(f"{x},{y}" for x, y in ends)
        return f'<polygon class="trail" points="{points}"/>'
    # Through a point halfway, off the things that stand on the ring.
    out = min(32.0, length / 8)
    there, here = (along(far / 2, out + aside) for aside in (2, -2))
    wide = round(math.hypot(end[0] - ring[0], end[1] - ring[1]))
    bends = [f"A{wide} {wide} 0 0 {sweep} " for sweep in (1, 0)]
    head = "L".join(f"{x} {y}" for x, y in (*tip, back))
    thin = [f"{x} {y}" for x, y in (tail, there, here)]
    there_and_back = f"{bends[0]}{thin[1]}{bends[0]}{head}{bends[1]}{thin[2]}{bends[1]}{thin[0]}"
    return f'<path class="trail" d="M{thin[0]}{there_and_back}z"/>'


def _way(
    start: tuple[int, int], end: tuple[int, int], ring: tuple[int, int] | None
) -> tuple[Callable[[float, float], tuple[int, int]], float]:
    """A function from (how far along a way, how far aside) to a point; and how long the way is."""
    (x, y), (to_x, to_y) = start, end
    if ring:
        middle_x, middle_y = ring
        angle = math.atan2(y - middle_y, x - middle_x)
        turn = (math.atan2(to_y - middle_y, to_x - middle_x) - angle) % math.tau
        begin, wide = (math.hypot(a - middle_x, b - middle_y) for a, b in (start, end))
        length = turn * wide or 1.0

        def around(at: float, aside: float) -> tuple[int, int]:
            far = begin + (wide - begin) * at / length + aside
            now = angle + turn * at / length
            return round(middle_x + far * math.cos(now)), round(middle_y + far * math.sin(now))

        return around, length
    length = math.hypot(to_x - x, to_y - y) or 1.0
    across, down = (to_x - x) / length, (to_y - y) / length

    def straight(at: float, aside: float) -> tuple[int, int]:
        return round(x + at * across - aside * down), round(y + at * down + aside * across)

    return straight, length


def figures(drawn: Iterable[str]) -> str:
    """The definitions that these groups need: figures, and the light on land."""
    return f"<defs>{''.join(_figures(drawn))}</defs>"


def all_figures() -> str:
    """All figures, for a page of many boards."""
    return figures(f'<use href="#{rim}{name}"/>' for name in FIGURES for rim in ("", "pale-"))


def _figures(drawn: Iterable[str]) -> list[str]:
    found, left = {}, set(_used("".join(drawn)))
    while left:
        name = left.pop()
        found[name] = _named(name)
        left.update(set(_used(found[name])) - found.keys())
    return [*_LIGHT, *(found[name] for name in sorted(found))]


def _used(drawn: str) -> list[str]:
    return re.findall('<use[^>]* href="#([a-z-]+)"', drawn)


def _named(name: str) -> str:
    kind, _, of = name.rpartition("-")
    here = f'<use href="#{of}"/>'
    if kind == "halo":
        looks = f' class="{of}"' if of in PLATES else ""
        return f'<g id="{name}"{looks}>{_halo(here)}</g>'
    if kind == "pale":
        rim = here.replace("/", ' stroke="currentColor" stroke-width="9"/')
        return f'<g id="{name}">{rim}{here}</g>'
    figure = FIGURES[name]
    alone = figure.startswith("<g ") or figure.count("<") == 1
    return figure.replace(" ", f' id="{name}" ', 1) if alone else f'<g id="{name}">{figure}</g>'


_LIGHT: Final = (
    '<radialGradient id="light" cx=".38" cy=".3" r=".8"><stop class="high"/>'
    '<stop class="land" offset=".55"/><stop class="low" offset="1"/></radialGradient>',
    '<pattern id="swell" width="96" height="72" patternUnits="userSpaceOnUse"><path class="swell" '
    'd="M0 18q24-9 48 0t48 0M-48 54q24-9 48 0t48 0 48 0 48 0"/></pattern>',
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


_FINE: Final = frozenset("tile slip pips pit peaks palms dolphin wave sign".split())
"""The looks of what cannot be made out there."""


def group(shape: Shape, names: Names) -> str:
    """One shape, drawn."""
    return _group(shape, names, shape.id)


def changed(shape: Shape, names: Names, mark: str, way: str = "") -> str:
    """A marked shape, drawn: with a halo of its own form and, if it came from somewhere, an
    arrow."""
    return _group(shape, names, shape.id, mark, way + _halo(next(_FORMS[shape.form](shape), "")))


def _halo(first: str) -> str:
    """The halo behind the first element of a shape: that element twice, for a broad style."""
    plain = re.sub(' class="[^"]*"', "", first).replace('"#pale-', '"#')
    return "".join(plain.replace(" ", f' class="halo{edge}" ', 1) for edge in _EDGES)


def _shared(group: str) -> str:
    """The group with the halo that all figures of its kind share. On a page, whose style does not
    reach into figures, each has its own; so has what is pointed at, in another colour."""
    alone = "marked" in group or "asked" in group
    return group if alone else _HALO.sub(r'<use href="#halo-\1"\2/>', group)


_HALO: Final = re.compile(
    r'<use class="halo edge" href="#([a-z]+)"([^>]*)/><use class="halo" href="#\1"\2/>'
)


def ghost(went: Went, names: Names) -> str:
    """What is gone, as it was, with a cross upon it."""
    x, y = went.crossed()
    cross = CROSS.replace("/", f' x="{x}" y="{y}"/')
    across, down = went.aside
    at = f' transform="translate({across} {down})"' if across or down else ""
    return _group(went.shape, names, f"went-{went.shape.id}", "went", "", cross, at)


CROSS: Final = '<use class="cross" href="#cross"/>'
"""What lies upon a ghost."""
_EDGES: Final = (" edge", "")


def _group(
    shape: Shape,
    names: Names,
    name: str,
    mark: str = "",
    under: str = "",
    over: str = "",
    at: str = "",
) -> str:
    upon = [] if shape.form == "figure" else art(shape)
    looks = [
        word
        for word in shape.look.split()
        if word in palette.LOOKS and (word in PLATES or word not in upon)
    ]
    look = " ".join(
        [*(["text"] if shape.form == "text" else []), *looks, *([mark] if mark else [])]
    )
    drawn = "".join(_FORMS[shape.form](shape))
    if "asked" in looks:
        drawn = _halo(next(_FORMS[shape.form](shape)))
    x, y = middle(shape)
    label = _label(shape, x, y, words(shape.label, names), words(shape.note, names))
    return f'<g id="{escape(name)}" class="{escape(look)}"{at}>{under}{drawn}{label}{over}</g>'


def _label(shape: Shape, x: int, y: int, label: str, note: str) -> str:
    if not label or shape.form == "drawn":
        return ""
    if shape.form == "text":
        # Letters that are not bold take less room than `width` reckons with.
        part = 100 if "strong" in shape.look else 85
        label = fitting(label, *(room * 100 // part for room in shape.place[2:]))
        at = _cells(x, label) if shape.look == "mono" else x
        blanks = ' xml:space="preserve"' if "  " in label or label != label.strip() else ""
        return f'<text x="{at}" y="{y}"{blanks}>{_text(label)}</text>'
    first = y + (9 if not note else -3)
    if shape.form == "box" and art(shape):
        first = shape.place[1] + shape.place[3] - 11
    elif shape.form == "polygon":
        x, first = (x - 40, y - 17) if art(shape) else (x, y + 8)
    below = f'<text class="note" x="{x}" y="{y + 23}">{_text(note)}</text>' if note else ""
    return f'<text x="{x}" y="{first}">{_text(label)}</text>{below}'


def _cells(x: int, label: str) -> str:
    """The x of each letter: so rows line up, whatever the font."""
    return " ".join(str(x + CELL // 2 + CELL * n) for n in range(len(label)))


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


def _text(said: str) -> str:
    """Text that XML can hold and nobody can misuse: no markup, nothing that is not printable."""
    return escape("".join(char if char.isprintable() else " " for char in said), quote=False)


def _line(shape: Shape) -> Iterator[str]:
    x, y, to_x, to_y = shape.place
    ends = f'x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"'
    for part in ("casing", "core", "stripe") if "bridge" in shape.look else ("core",):
        yield f'<line class="{part}" {ends}/>'


def _box(shape: Shape) -> Iterator[str]:
    """A box and, in a row above its label, the figures it has upon it."""
    x, y, width, height = shape.place
    at = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    drawn = art(shape)
    if drawn and drawn[0] in PLATES:
        yield f'<use href="#{drawn.pop(0)}" x="{x}" y="{y}"/>'
    else:
        yield f"<rect {at}/>" if shape.look in ("sea", "panel") else f'<rect {at} rx="8"/>'
    if shape.look == "sea":
        yield f'<rect {at} fill="url(#swell)"/>'
    label = (34 if height > 60 else 29) if shape.label else 0
    middle_x, middle_y = x + width // 2, y + (height - label + 4) // 2
    for n, name in enumerate(drawn):
        aside = middle_x + (2 * n + 1 - len(drawn)) * width * 2 // 9
        yield f'<use href="#{name}" x="{aside}" y="{middle_y}"/>'


def _disc(shape: Shape) -> Iterator[str]:
    x, y, radius = shape.place
    yield f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
    for name in art(shape):
        yield f'<use href="#{name}" x="{x}" y="{y}"/>'


def _blob(shape: Shape) -> Iterator[str]:
    """A shore: a closed curve around a middle, never quite round, always the same at one place."""
    x, y, wide, high = shape.place
    yield f'<path d="{_shore(x, y, wide, high)}"/>'


_SHORE: Final = 12


def _shore(x: int, y: int, wide: int, high: int) -> str:
    points = []
    for n in range(_SHORE):
        angle = 2 * math.pi * n / _SHORE
        far = 1 + 0.09 * math.sin(x * 0.7 + n * 2.1) + 0.06 * math.cos(y * 0.9 + n * 4.7)
        points.append((x + wide * far * math.cos(angle), y + high * far * math.sin(angle)))
    return _curve(points)


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


def _lines(shape: Shape) -> Iterator[str]:
    path, was_x, was_y = "", 0, 0
    for x, y, to_x, to_y in zip(*(iter(shape.place),) * 4, strict=True):
        ways = (f"{way} {down}" for way, down in ((f"M{x}", y), (f"m{x - was_x}", y - was_y)))
        way = min((each.replace(" -", "-") for each in ways), key=len)
        path += f"{way}h0" if (x, y) == (to_x, to_y) else f"{way}l{to_x - x} {to_y - y}"
        was_x, was_y = to_x, to_y
    path = path.replace(" -", "-")
    if shape.look.startswith(("pips", "pit")):
        yield f'<path class="casing" d="{path}"/>'
    yield f'<path class="core" d="{path}"/>'


def _polygon(shape: Shape) -> Iterator[str]:
    corners = list(zip(shape.place[::2], shape.place[1::2], strict=True))
    if "coast" in shape.look:
        drawn = f'<path d="{_curve(corners)}"'
    else:
        drawn = f'<polygon points="{" ".join(map(str, shape.place))}"'
    yield f"{drawn}/>"
    x, y = middle(shape)
    if upon := art(shape):
        yield f'<use href="#{upon[0]}" x="{x}" y="{y}"/>'
    elif "island" in shape.look:
        land = [(x + (a - x) * 0.84, y + (b - y) * 0.8) for a, b in corners]
        yield f'<path fill="url(#light)" stroke="none" d="{_curve(land)}"/>'


def _figure(shape: Shape) -> Iterator[str]:
    x, y, degrees, size = (*shape.place, 100)[:4]
    turned = f"rotate({degrees})" if degrees else ""
    scaled = f"scale({f'{size / 100:g}'.lstrip('0')})" if size != 100 else ""
    at = f'x="{x}" y="{y}"'
    if turned or scaled:
        at = f'transform="translate({x} {y}){turned}{scaled}"'
    yield f'<use href="#{art(shape)[-1]}" {at}/>'


def _drawn(shape: Shape) -> Iterator[str]:
    yield str(shape.label)


def _nothing(shape: Shape) -> Iterator[str]:
    return iter(())


_FORMS: Final[Mapping[str, Callable[[Shape], Iterator[str]]]] = {
    "line": _line,
    "lines": _lines,
    "box": _box,
    "disc": _disc,
    "blob": _blob,
    "polygon": _polygon,
    "figure": _figure,
    "text": _nothing,
    "drawn": _drawn,
}
