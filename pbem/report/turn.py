"""A turn to be clicked together: the orders a seat can give, and what each move is clicked on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.core import Refused, Seat, Violation
from pbem.log.match import Match
from pbem.pictures.film import Film, Frame
from pbem.play import judge, orders
from pbem.play.patience import many_calls
from pbem.report.escape import paragraph
from pbem.shapes import Scene, Shape

ROOM: Final = 150_000
"""How many characters of a page the positions of an order may fill."""

LONGEST_LINK: Final = 1_000
"""How long a mailto: link may be: mail programs cut off what is longer."""

Name = tuple[str, ...]


class OrderTree(NamedTuple):
    """The orders a seat can give, as far as there is room for them; `why` says, by the id of a
    shape, why its name alone is no legal order."""

    seat: Seat
    nodes: list[orders.Node[Any, Frame]]
    subject: str
    fence: str
    to: str
    why: Mapping[str, str]

    def plain(self, film: Film) -> dict[str, Any]:
        """What the page wants. A node is [before, what changes on the board, [move, position, …],
        more, what the order has changed so far]. A move is its number in the table `moves`, with
        the shapes it is clicked on as numbers of `ids`; position -1 is one that is not told."""
        things = [thing(shape, self.seat) for shape in film.shapes]
        board = Board(things)
        table: dict[tuple[str, Name], int] = {}
        ids: dict[str, int] = {}
        nodes = []
        frames = [node.look for node in self.nodes]
        for node, frame in zip(self.nodes, frames, strict=True):
            pairs = []
            for text, to in node.moves.items():
                on = board.clicked(text, frame, None if to is None else frames[to])
                pairs += [table.setdefault((text, on), len(table)), -1 if to is None else to]
            changed = film.places(frame ^ frames[node.before or 0])
            marks = [film.marks(frames[0], frame)] if node.before is not None else []
            nodes.append([node.before, changed, pairs, node.more, *marks])
        moves = [[text, [ids.setdefault(id, len(ids)) for id in on]] for text, on in table]
        return {
            "moves": moves,
            "ids": list(ids),
            "own": sorted({each.id for each in things if each.taken and each.id in ids}),
            "nodes": nodes,
            "subject": self.subject,
            "fence": self.fence,
            "to": self.to,
            "longest": LONGEST_LINK,
            "why": self.why,
        }


@many_calls()
def order(
    now: Match,
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
    why = _broken(now, seat, scene(now.state))
    told = sum(len(id) + len(text) + 6 for id, text in why.items())
    if 10 * told > left:
        why, told = {}, 0
    left -= told
    frames: list[Frame] = []
    texts: set[str] = set()

    def look(state: Any, view: Mapping[str, Any]) -> Frame:
        return film.add(scene(state, view=view))

    def fits(frame: Frame, before: int | None, moves: Collection[str]) -> bool:
        nonlocal left
        changed = frozenset() if before is None else frame ^ frames[before]
        new = set(moves) - texts
        left -= 60 + 5 * len(changed) + 9 * len(moves) + sum(len(text) + 60 for text in new)
        texts.update(new)
        frames.append(frame)
        return left >= 0 or before is None

    return OrderTree(
        seat,
        orders.explore(now.game, now.state, seat, look, fits),
        f"[{now.name} {now.position}]",
        f"[move] {now.position}\n...\n[/move]",
        paragraph(to),
        why,
    )


def _broken(now: Match, seat: Seat, scene: Scene) -> dict[str, str]:
    """For each shape whose name alone is no legal order for the seat, why: {id: reason}."""
    found = {}
    for shape in scene.shapes:
        named = thing(shape, seat)
        reasons = [_reason(now, seat, named, name) for name in sorted(named.names)]
        if reasons and all(reasons):
            found[shape.id] = reasons[0]
    return found


def _reason(now: Match, seat: Seat, named: Thing, name: Name) -> str:
    """Why a thing by this name is no move now; "" if it is one, may be several, or never is one."""
    try:
        meant = now.game.parse("-".join(name))
        said = words(now.game.notate(meant.move))
        if any(_at(said, run) in named.names | named.parts for run in _runs(said)):
            judge.resolve(now.game, now.state, seat, meant)
    except Violation as reason:
        return reason.text(now.players)
    except Refused:
        pass  # it cannot be read as one move: nothing more is known
    return ""


# ------------------------------------------------------------------ what a move is clicked on


class Thing(NamedTuple):
    """A shape as moves speak of it.

    `same` is what it says: of two cards that say the same, one is as good as the other. `names` are
    what it is called, `parts` what a move that takes it away may call it, too. What is `taken`, the
    mover's own cards and those in a row, is meant only by moves that take it away.
    """

    id: str
    same: str
    names: frozenset[Name]
    parts: frozenset[Name]
    taken: bool


def thing(shape: Shape, seat: Seat) -> Thing:
    """What a shape is called, by its id without the kind: `line-BARI-DUDA` is BARI-DUDA or
    DUDA-BARI, `tile-A-kane5` is A:kane5 or kane5, a seat's own `hand-white-BARI` is BARI. If only a
    number is left, as of `display-2`, it is called by what is written on it."""
    owner, name = words(seat), words(shape.id)[1:]
    own = name[: len(owner)] == owner
    in_a_row = len(name) == 1 and name[0].isdigit()
    if shape.form in ("text", "lines") or shape.id.startswith("legend-"):
        name = ()
    elif own:
        name = name[len(owner) :]
    elif in_a_row:
        name = words(shape.label) if isinstance(shape.label, str) else ()
    line = shape.form == "line"
    parts = () if line else (part for n in range(1, len(name)) for part in (name[n:], name[:n]))
    return Thing(
        shape.id,
        shape.says.text() if shape.says else shape.id,
        frozenset({name, name[::-1]} if line else {name}) - {()},
        frozenset(parts),
        own or in_a_row,
    )


def words(text: str) -> Name:
    """The words of a move or an id; `kanaloa/ku3` is one word."""
    return tuple("".join(c if c.isalnum() or c == "/" else " " for c in text.casefold()).split())


_Run = tuple[tuple[int, int], list[int], list[int]]
"""A run of words in a move that names something: the things called so, or so in part."""


class _About(NamedTuple):
    """What a move may mean: its runs of words, and the numbers of all things that matter to it."""

    runs: Sequence[_Run]
    numbers: Frame


class Board:
    """All things that are ever on a board, by number, to be found by name; a frame says which of
    them are there."""

    def __init__(self, things: Sequence[Thing]) -> None:
        self._things = things
        self._alike: dict[str, list[int]] = {}
        self._called: dict[Name, list[int]] = {}
        self._partly: dict[Name, list[int]] = {}
        self._named: dict[str, _About] = {}
        self._clicked: dict[tuple[str, Frame, Frame | None], tuple[str, ...]] = {}
        for number, each in enumerate(things):
            self._alike.setdefault(each.same, []).append(number)
            for name in each.names:
                self._called.setdefault(name, []).append(number)
            for name in each.parts:
                self._partly.setdefault(name, []).append(number)

    def clicked(self, text: str, here: Frame, after: Frame | None) -> tuple[str, ...]:
        """The ids of the things that a move is clicked on, where it leads from `here` to `after`,
        None if that is not known.

        Where a name fits several things, such as an island and a card, the move means those that it
        takes away; but inside a longer name, as of a line, that of an island means the island, too.
        """
        about = self._about(text)
        seen = text, here & about.numbers, after and after & about.numbers
        if seen not in self._clicked:
            self._clicked[seen] = self._clicks(about.runs, *seen[1:])
        return self._clicked[seen]

    def _clicks(self, runs: Sequence[_Run], here: Frame, after: Frame | None) -> tuple[str, ...]:
        meant: set[str] = set()
        found = [
            (
                run,
                [self._things[number] for number in called if number in here],
                [self._things[number] for number in partly if number in here],
            )
            for run, called, partly in runs
        ]
        longer = [run for run, called, _ in found if any(not each.taken for each in called)]
        for run, called, partly in found:
            taken = [each for each in called if self._loses(each, here, after)]
            meant.update(each.same for each in taken)
            if not taken or any(_within(run, other) for other in longer):
                meant.update(each.same for each in called if not each.taken)
            if after is not None:
                meant.update(each.same for each in partly if self._loses(each, here, after))
        alike = (number for same in meant for number in self._alike[same] if number in here)
        return tuple(sorted(self._things[number].id for number in alike))

    def _about(self, text: str) -> _About:
        """What of a board a move may mean."""
        if text not in self._named:
            said = words(text)
            named = ((run, _at(said, run)) for run in _runs(said))
            runs = [
                (run, self._called.get(name, []), self._partly.get(name, []))
                for run, name in named
                if name in self._called or name in self._partly
            ]
            things = {self._things[number] for run in runs for part in run[1:] for number in part}
            numbers = frozenset(number for each in things for number in self._alike[each.same])
            self._named[text] = _About(runs, numbers)
        return self._named[text]

    def _loses(self, thing: Thing, here: Frame, after: Frame | None) -> bool:
        """Is this thing gone afterwards, or one just like it?"""
        if after is None:
            return thing.taken
        alike = self._alike[thing.same]
        return sum(each in after for each in alike) < sum(each in here for each in alike)


def _runs(said: Name) -> list[tuple[int, int]]:
    return [(n, end) for end in range(1, len(said) + 1) for n in range(end)]


def _at(said: Name, run: tuple[int, int]) -> Name:
    return said[run[0] : run[1]]


def _within(run: tuple[int, int], other: tuple[int, int]) -> bool:
    return run != other and other[0] <= run[0] and run[1] <= other[1]
