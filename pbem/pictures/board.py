"""The board of a match, or of any view, as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pbem.core import NOBODY, Game, Seat
from pbem.log.match import Replay
from pbem.pictures import drawn, svg
from pbem.pictures.change import UNCHANGED, differing
from pbem.sentence import Names
from pbem.shapes import Scene, Shape, middle

_LINE = 30


def picture(
    match: Replay,
    *,
    names: Names | None = None,
    theme: str = "light",
    size: int | None = None,
    since: int | None = None,
) -> str:
    """The board as this reader knows it, as SVG. What changed since a ply is marked, by default
    since the last turn began.

    `names` are the players', if not as in the log; `size` is its width in pixels: without it, the
    picture takes the room there is. Raises Problem if the log has no such ply.
    """
    before = earlier(match, since)
    return paint(
        match.game,
        standing(match),
        reader=match.reader,
        title=f"{match.game.TITLE} - {match.name} - {match.position}",
        names=match.players if names is None else names,
        theme=theme,
        size=size,
        before=before.game.view(before.state),
    )


def standing(match: Replay) -> Mapping[str, Any]:
    """The view of a match as it stands, with what is asked or who has won."""
    return ended(match.game.view(match.state), match.outcome, match.awaiting)


def scores(match: Replay) -> tuple[Mapping[Seat, float], bool]:
    """How far the seats have come, so far or in the end, {} where the game counts nothing; and
    whether that is fields of a race, or points."""
    view = match.game.view(match.state)
    key = next((key for key in ("scores", "score", "boats") if key in view), "")
    return match.outcome.points if match.outcome else view.get(key, {}), key == "boats"


def earlier(match: Replay, ply: int | None = None) -> Replay:
    """The match as it stood after a ply, by default before its last turn began. Raises Problem if
    the log has no such ply."""
    before = match.plies[: len(match.plies) - len(match.last_turn())] if ply is None else ()
    last = before[-1][0].number if before else 0
    return Replay.of(match.log, match.keyring, at=last if ply is None else ply)


def ended(view: Mapping[str, Any], end: Any, asked: Iterable[Any] = ()) -> Mapping[str, Any]:
    """The view of a match that may have an `end`, perhaps by a ruling: if so, it says who won and
    why, else what the seats are `asked`, each a `Decision` or what a report says of one: nothing,
    where chance alone is."""
    if end:
        return {**view, "ended": {"winners": list(end.winners), "why": end.why}}
    asked = list(asked)
    questions = [
        {"seat": each.seat, "kind": each.kind, "about": dict(each.about)}
        for each in asked
        if each.seat not in NOBODY
    ]
    return {**view, "questions": questions} if asked else view


def paint(
    game: Game[Any],
    view: Mapping[str, Any],
    *,
    reader: Seat | None = None,
    before: Mapping[str, Any] | None = None,
    title: str = "",
    **look: Any,
) -> str:
    """A view as SVG, for one `reader` or for everybody. What differs from the view `before` is
    marked; the `look` is what `svg.paint` takes. Raises Usage for a mark or place that is not
    there."""
    shown = scene(game, view, reader)
    change = differing(scene(game, before, reader), shown) if before else UNCHANGED
    return svg.paint(shown, title=title or game.TITLE, change=change, **look)


def scene(
    game: Game[Any], view: Mapping[str, Any], reader: Seat | None = None, own: Seat | None = None
) -> Scene:
    """The game's own scene of a view, or what it has drawn itself; for a game with neither, its
    lines of ASCII. A scene for one `reader` has their hand nearest to them; large is that of the
    seat whose `own` page it is, by default the reader's."""
    if reader is not None:
        view = {**view, "reader": reader, "own": own or reader}
    if hasattr(game, "svg"):
        return drawn.scene(game, view)
    own = getattr(game, "scene", None)
    return _questioned(own(view), view) if own else _written(game.draw(view))


def _questioned(scene: Scene, view: Mapping[str, Any]) -> Scene:
    """The scene with a mark around everything that a question is about: what is called as one of
    the values in its `about`. Few of them bear a question mark, too."""
    values = (value for each in view.get("questions", ()) for value in each["about"].values())
    names = {
        name.replace(" ", "-")
        for value in values
        for name in ([value] if isinstance(value, str) else value)
        if isinstance(name, str)
    }
    things = (shape for shape in scene.shapes if shape.form not in ("text", "lines"))
    meant = {shape.id for shape in things if shape.id.partition("-")[2] in names}
    if not meant:
        return scene
    shapes, within, signs = list[Shape](), list[Shape](), list[Shape]()
    for shape in scene.shapes:
        if shape.id in meant:
            own = {"figure": shape.look.split()[:1], "arc": ["ring"]}.get(shape.form, [])
            look = " ".join([*own, *({"coast"} & {*shape.look.split()}), "asked"])
            place = shape.place
            if own == ["ring"]:  # what lies beside it would hide a mark behind it
                place = tuple(map(sum, zip(place, (0, 0, -8, 2, -4, 8), strict=True)))
            ring = Shape(f"asked-{shape.id}", shape.form, place, look)
            (within if shape.form == "arc" else shapes).append(ring)
            signs.append(_sign(shape, scene))
        shapes.append(shape)
    return scene._replace(shapes=(*shapes, *within, *signs[: 4 * (len(signs) < 4)]))


def _sign(shape: Shape, scene: Scene) -> Shape:
    """A question mark at a corner of a thing, off what stands and lies there."""
    x, y = middle(shape)
    if shape.form == "box":  # beside its foot, above which its row says something
        x, y = x - shape.place[2] // 2 - 3, y + shape.place[3] // 2 - 9
    else:
        figures = [middle(e) for e in scene.shapes if e.form == "figure" and e.id != shape.id]
        wide, below, above = _CORNERS.get(shape.form, (20, 26, -26))
        corners = ((x + across, y + down) for down in (above, below) for across in (wide, -wide))
        x, y = max(corners, key=lambda at: min((math.dist(at, f) for f in figures), default=0))
    return Shape(f"sign-of-{shape.id}", "disc", (x, y, 15), "ask", "?")


_CORNERS: Final = {"polygon": (60, 36, -44), "arc": (18, 18, -18)}
"""How far from the middle of a large thing its question mark may be, across, down and up."""


def summary(game: Game[Any], view: Mapping[str, Any], names: Names) -> str:
    """Whose turn it is and how the match stands, in sentences."""
    told = (shape.says for shape in scene(game, view).shapes if shape.form in ("text", "disc"))
    return " ".join(says.text(names) for says in told if says)


def _written(lines: Iterable[str]) -> Scene:
    rows = tuple(lines)
    shapes = (
        Shape(f"row-{n}", "text", (10, _LINE * (n + 1)), "mono", row) for n, row in enumerate(rows)
    )
    width = 20 + svg.CELL * max(map(len, rows), default=0)
    height = _LINE * (len(rows) + 1)
    panel = Shape("panel", "box", (0, 0, width, height), "panel")
    return Scene(width, height, (panel, *shapes))
