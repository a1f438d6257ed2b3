"""A turn to be clicked together: the orders a seat can give, and what each move is clicked on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import SEAT, Refused, Seat, Violation, slots
from pbem.log.match import Replay
from pbem.pictures.film import Film, Frame
from pbem.play import judge, orders
from pbem.play.patience import many_calls
from pbem.report import compose, render
from pbem.report.escape import paragraph
from pbem.report.html import LONGEST_LINK
from pbem.shapes import Scene, Shape, fits

ROOM: Final = 150_000
"""How many characters of a page the positions of an order may fill."""


class OrderTree(NamedTuple):
    """The orders a seat can give, as far as there is room for them; `asks` says what the seat is
    asked at each position, `why`, by the id of a shape, why its name alone is no legal order,
    `reads` how a move reads that names a seat, with the player's name."""

    seat: Seat
    nodes: list[orders.Node[Any, Frame]]
    asks: Sequence[str]
    subject: str
    fence: str
    to: str
    why: Mapping[str, str]
    reads: Mapping[str, str]

    def plain(self, film: Film) -> dict[str, Any]:
        """What the page wants. A node is [before, what changes on the board, [move, position, …],
        more, what is asked, what the order has changed so far]. A move is its number in the table
        `moves`, with the shapes it is clicked on as numbers of `ids`; position -1 is one that is
        not told. A question is its number in `asks`. `own` are those of them that only this seat
        can use, `names` say what players call a thing whose id does not."""
        board = Board(film.shapes, self.seat)
        table: dict[tuple[str, tuple[str, ...]], int] = {}
        ids: dict[str, int] = {}
        asks: dict[str, int] = {}
        nodes = []
        frames = [node.look for node in self.nodes]
        for node, frame, question in zip(self.nodes, frames, self.asks, strict=True):
            pairs = []
            for text, to in node.moves.items():
                on = board.clicked(text, frame)
                pairs += [table.setdefault((text, on), len(table)), -1 if to is None else to]
            changed = film.places(frame ^ frames[node.before or 0])
            marks = [film.marks(frames[0], frame)] if node.before is not None else []
            asked = asks.setdefault(question, len(asks))
            nodes.append([node.before, changed, pairs, int(node.more), asked, *marks])
        moves = [[text, [ids.setdefault(id, len(ids)) for id in on]] for text, on in table]
        shown = [shape for shape in film.shapes if shape.id in ids]
        own = {shape.id for shape in shown if shape.moves[0].startswith(f"{self.seat}: ")}
        return {
            "moves": moves,
            "ids": list(ids),
            "own": sorted(own),
            "names": {shape.id: shape.name for shape in film.shapes if shape.name},
            "nodes": nodes,
            "asks": list(asks),
            "subject": self.subject,
            "fence": self.fence,
            "to": self.to,
            "longest": LONGEST_LINK,
            "why": self.why,
            "reads": self.reads,
        }


@many_calls()
def order(
    match: Replay,
    seat: Seat,
    film: Film,
    scene: Callable[..., Scene],
    to: str,
    room: int | None = None,
) -> OrderTree:
    """What a seat can order now; its positions are added to the film, each drawn by `scene` from a
    state and, where it is known, its view. `to` is where the order is sent, `room` how many
    characters its positions may fill, if not ROOM."""
    left = ROOM if room is None else room
    why = _broken(match, seat, scene(match.state))
    told = sum(len(id) + len(text) + 6 for id, text in why.items())
    if 10 * told > left:
        why, told = {}, 0
    left -= told
    frames: list[Frame] = []
    texts: set[str] = set()

    def look(state: Any, view: Mapping[str, Any]) -> Frame:
        nonlocal left
        if state is not match.state:
            view = {**view, "entered": seat}
        brought, frame = film.brought, film.add(scene(state, view=view))
        left -= film.brought - brought
        return frame

    def fits(frame: Frame, before: int | None, moves: Collection[str]) -> bool:
        nonlocal left
        changed = frozenset() if before is None else frame ^ frames[before]
        new = set(moves) - texts
        left -= 60 + 5 * len(changed) + 9 * len(moves) + sum(len(text) + 60 for text in new)
        texts.update(new)
        frames.append(frame)
        return left >= 0 or before is None

    nodes = orders.explore(match.game, match.state, seat, look, fits)
    return OrderTree(
        seat,
        nodes,
        [*_questions(match, seat, [node.state for node in nodes])],
        f"[{match.name} {match.position}]",
        f"[move] {match.position}\n...\n[/move]",
        paragraph(to),
        why,
        _reads(match, texts),
    )


def _reads(match: Replay, texts: Iterable[str]) -> dict[str, str]:
    """Those of these moves that name a seat, by the names of the players: {text: as it reads}."""
    names, reads = render.names(match.players), {}
    for text in texts:
        if any(seat in text for seat in names):
            move = match.game.parse(text).move
            values = ((getattr(move, slot.name), slot) for slot in slots(type(move)))
            called = [names[value] if slot.of is SEAT else value for value, slot in values]
            reads[text] = match.game.notate(type(move)(*called))
    return reads


def _questions(match: Replay, seat: Seat, states: Sequence[Any]) -> Iterator[str]:
    """What the seat is asked in each of these states, "" for nothing."""
    words = dict[str, str]()
    for state in states:
        pending = [each for each in match.game.pending(state) if each.seat == seat]
        if (alike := repr(pending)) not in words:
            asked = compose.awaited(match, pending)
            told = render.asked(match.game, asked, match.players, seat)
            words[alike] = " ".join(question for question, _ in told)
        yield words[alike]


def _broken(match: Replay, seat: Seat, scene: Scene) -> dict[str, str]:
    """For each shape whose name alone is no legal order for the seat, why: {id: reason}."""
    found = {}
    for shape in scene.shapes:
        ways = [shape.called] if shape.moves else []
        if shape.form == "line":
            ways.append("-".join(reversed(shape.called.split("-"))))
        reasons = [_reason(match, seat, shape, way) for way in ways]
        if reasons and all(reasons):
            found[shape.id] = reasons[0]
    return found


def _reason(match: Replay, seat: Seat, shape: Shape, name: str) -> str:
    """Why a shape by this name is no move now; "" if it is one, may be several, or never is one."""
    try:
        meant = match.game.parse(name)
        if shape.stands_for(match.game.notate(meant.move), seat):
            judge.resolve(match.game, match.state, seat, meant)
    except Violation as reason:
        return reason.text(match.players)
    except Refused:
        pass  # it cannot be read as one move: nothing more is known
    return ""


class Board:
    """All shapes that are ever on a board, by number, and the moves of a seat they stand for; a
    frame says which of them are there."""

    def __init__(self, shapes: Sequence[Shape], seat: Seat) -> None:
        self._shapes, self._seat = shapes, seat
        self._bearing: dict[str, list[int]] = {}
        self._stand: dict[str, Frame] = {}
        self._clicked: dict[Frame, tuple[str, ...]] = {}
        for number, shape in enumerate(shapes):
            for move in shape.moves:
                self._bearing.setdefault(move, []).append(number)

    def clicked(self, text: str, here: Frame) -> tuple[str, ...]:
        """The ids of the shapes in this position that a move is clicked on."""
        if text not in self._stand:
            bearing = (n for move, n in self._bearing.items() if fits(move, text, self._seat))
            self._stand[text] = frozenset(chain.from_iterable(bearing))
        there = self._stand[text] & here
        if there not in self._clicked:
            self._clicked[there] = tuple(sorted(self._shapes[number].id for number in there))
        return self._clicked[there]
