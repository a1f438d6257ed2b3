"""The board of a match, or of any view, as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.core import Game, Outcome
from pbem.log.match import Match
from pbem.report.facts import Result
from pbem.report.pictures import svg
from pbem.sentence import NO_NAMES, Names
from pbem.shapes import Scene, Shape

_LINE = 30


def picture(
    now: Match, *, names: Names | None = None, theme: str = "light", size: int | None = None
) -> str:
    """The board as this reader knows it, as SVG; what changed in the last turn is marked.

    `names` are the players', if not as in the log; `size` is its width in pixels: without it, it
    takes the room there is.
    """
    last = now.last_turn()
    first = last[0][0].number - 1 if last else 0
    before = Match.of(now.log, now.keyring, at=first) if last else now
    return paint(
        now.game,
        ended(now.game.view(now.state), now.outcome),
        title=f"{now.game.TITLE} - {now.name} - {now.position}",
        names=now.players if names is None else names,
        theme=theme,
        size=size,
        before=before.game.view(before.state),
    )


def ended(view: Mapping[str, Any], end: Outcome | Result | None) -> Mapping[str, Any]:
    """The view of a match that may be over, by a ruling even: then it says who won."""
    return {**view, "ended": {"winners": list(end.winners), "why": end.why}} if end else view


def paint(
    game: Game[Any],
    view: Mapping[str, Any],
    *,
    title: str = "",
    names: Names = NO_NAMES,
    theme: str = "light",
    size: int | None = None,
    before: Mapping[str, Any] | None = None,
) -> str:
    """A view as SVG. What differs from the view `before` is marked."""
    shown = scene(game, view)
    changed = differing(scene(game, before), shown) if before else ()
    return svg.paint(
        shown, title=title or game.TITLE, names=names, theme=theme, size=size, changed=changed
    )


def scene(game: Game[Any], view: Mapping[str, Any]) -> Scene:
    """The game's own scene of a view; of a game that has none, its lines of ASCII."""
    own = getattr(game, "scene", None)
    return own(view) if own else _written(game.draw(view))


def _written(lines: Iterable[str]) -> Scene:
    rows = tuple(lines)
    shapes = (
        Shape(f"row-{n}", "text", (10, _LINE * (n + 1)), "mono", row) for n, row in enumerate(rows)
    )
    width = 20 + svg.CELL * max(map(len, rows), default=0)
    height = _LINE * (len(rows) + 1)
    panel = Shape("panel", "box", (0, 0, width, height), "panel")
    return Scene(width, height, (panel, *shapes))


def differing(before: Scene, after: Scene) -> frozenset[str]:
    """The ids of the shapes that came or changed, of those that tell something. A card that makes
    room for another has not changed."""
    known = {shape.id: shape for shape in before.shapes}
    return frozenset(
        shape.id
        for shape in after.shapes
        if shape.says and shape.form != "text" and _moved(known.get(shape.id), shape) != shape
    )


def _moved(shape: Shape | None, to: Shape) -> Shape | None:
    return shape and shape._replace(place=to.place)
