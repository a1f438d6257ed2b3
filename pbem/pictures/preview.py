"""The picture that links to a match are shown with: its map, who plays, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from pbem.core import NOBODY, Seat, told_points
from pbem.files.data import game_file
from pbem.log.match import Replay
from pbem.pictures import board, pixels, png, svg
from pbem.pictures.change import differing
from pbem.sentence import Names, figured, of_data, say
from pbem.shapes import Scene, Shape, middle

SIZE: Final = 1200, 630
FILM: Final = 480, 252
"""How large a card and a film are."""
LARGEST: Final = 1_000_000
"""How many bytes a film may have."""
_HIGH: Final = 360
"""The height of what is beside the map, in units: text there is nearly twice as large as on it."""
_FIRST, _LINE = 72, 27
_ROWS: Final = 46, 160
"""How high a player's row is, and all rows together are, at most."""
_SHORE, _LEAST = 24, 620
"""How far the sea goes on below the last island, and how high a map is at least, for a wide one
would leave no room beside it."""
_BESIDES: Final = ("panel", "legend-", "absent-")
"""What the ids of shapes begin with that are no part of the map."""


def card(
    match: Replay,
    theme: str = "light",
    since: int | None = None,
    told: Iterable[str] = (),
    asked: Iterable[str] = (),
) -> bytes:
    """The PNG: the map as this reader knows it, with what changed since a ply or in the last turn,
    names in their colours with their points, what is `asked` or who is to move, or who has won and
    how; and as much as there is room for of what is `told` of the last turn.

    Raises Usage if no PNG can be made, Problem if the log has no such ply.
    """
    painted = _painted(match, since, theme, told, asked)
    return png.png(painted, SIZE[0])


def film(match: Replay) -> bytes:
    """The match turn by turn as a GIF: as many of its turns, the last one included, as LARGEST has
    room for. Raises Usage if none can be made."""
    plies = [ply.number for ply, _ in match.plies if ply.seat not in NOBODY]
    seats = {ply.number: ply.seat for ply, _ in match.plies}
    ends = [ply for ply, after in pairwise([*plies, 0]) if seats.get(after) != seats[ply]]
    shown = [
        png.painted(_painted(Replay.of(match.log, match.keyring, at=end), begin, "light"), FILM[0])
        for begin, end in pairwise([0, *ends[:-1], match.position.ply])
    ]
    while len(made := pixels.film(shown, "gif")) > LARGEST:
        shown = shown[::-2][::-1]
    return made


def _painted(match: Replay, since: int | None, theme: str, *texts: Iterable[str]) -> str:
    names = png.legible(match.players)
    then = board.earlier(match, since)
    shown = board.scene(match.game, board.standing(match))
    map, was = land(shown), land(board.scene(match.game, then.game.view(then.state)))
    wide = (SIZE[0] - SIZE[1] * map.width // map.height) * _HIGH // SIZE[1]
    beside = Scene(wide, _HIGH, tuple(_column(match, shown, names, wide, texts)))
    return svg.beside(SIZE, (map, differing(was, map)), beside, names=names, theme=theme)


def land(scene: Scene) -> Scene:
    """The map alone, without legends: what lies on the sea; all of a board that has none."""
    sea = next((shape for shape in scene.shapes if shape.id == "sea"), None)
    if sea is None:
        return scene
    shapes = [
        each
        for each in scene.shapes
        if middle(each)[1] < sea.place[3] and not each.id.startswith(_BESIDES)
        # In the corners of the sea stands what is told of the match.
        if each.form != "text" or "middle" in each.look
    ]
    islands = () if scene.ring else (each for each in shapes if each.form == "polygon")
    coasts = (y for each in islands for y in each.place[1::2])
    high = max(_LEAST, min(sea.place[3], max(coasts, default=sea.place[3]) + _SHORE))
    shallow = sea._replace(place=(*sea.place[:3], high))
    shapes = [shallow if each is sea else each for each in shapes]
    return scene._replace(height=high, shapes=tuple(shapes))


def _column(
    match: Replay, shown: Scene, names: Names, wide: int, texts: Sequence[Iterable[str]]
) -> Iterator[Shape]:
    """Which match it is, a row a player with how far they have come, and how it stands in words;
    `texts` are what is told, and what is asked."""
    there = {shape.id: shape for shape in shown.shapes}
    (told, asked), (scores, race), y = texts or ((), ()), board.scores(match), _FIRST
    unit = (say("fields") if race else say("points")).text() if scores else ""
    yield Shape("title", "text", (20, 32, (wide - 42) * 11 // 10), "strong", match.name)
    yield Shape("unit", "text", (wide - 22, 62), "faint slim end", unit)
    yield Shape("game", "text", (20, 60, wide - 106), "faint", match.game.TITLE)
    high = min(_ROWS[0], _ROWS[1] // len(match.setup.seats))
    most = (_HIGH - y - high * len(match.setup.seats) - 16) // _LINE
    question, *until = ([] if match.outcome else [*asked]) or [""]
    ask = 0 < len(_wrapped(question, wide - 40, "strong")) <= most
    stands = [question] * ask
    for seat in match.setup.seats:
        if turn := there.get(f"turn-{seat}"):
            yield turn._replace(place=(6, y, wide - 12, high - 1))
        has = figured(told_points(scores[seat])) if seat in scores else ""
        yield from _name(there.get(f"seat-{seat}"), seat, names[seat], has, (wide, y, high))
        if match.outcome and seat in match.outcome.winners:
            at = wide - 44 - svg.width(has), y + high // 2, 0
            yield Shape(f"won-{seat}", "figure", at, "crown art-crown")
        called = there.get(f"name-{seat}")
        stands += [called.says.text(names)] if called and called.says and not ask else []
        y += high
    stands += until
    short = there.get("short")
    stands += [short.says.text(names)] if short and short.says else []
    rules = {rule["id"]: rule["says"] for rule in game_file(match.game.DATA, "rules")}
    if match.outcome and match.outcome.why in rules:
        stands.append(of_data(rules[match.outcome.why]).text())
    for n, (look, line) in enumerate(_said(stands, () if match.outcome else told, wide - 40, most)):
        yield Shape(f"stands-{n}", "text", (20, y + 36 + _LINE * n, wide), look, line)


def _said(stands: list[str], told: Iterable[str], wide: int, most: int) -> list[tuple[str, str]]:
    """So many lines at most: how it stands, first what matters most, and below that the end of what
    is told: as many sentences of each as there is room for."""
    lines: list[tuple[str, str]] = []
    for look, sentences in (("strong", stands[:1]), ("", stands[1:])):
        wrapped = (_wrapped(far, wide, look) for far in accumulate(sentences, "{} {}".format))
        fits = [each for each in wrapped if len(lines) + len(each) <= most]
        lines += [(look, line) for line in fits[-1]] if fits else []
    last = _last([e for e in told if e not in " ".join(stands)], wide, most - len(lines))
    blank = [("", "")] if len(lines) + len(last) < most else []
    return [*lines, *blank, *(("faint", line) for line in last)]


def _last(told: list[str], wide: int, most: int) -> list[str]:
    """The last of these sentences that fit so many lines."""
    parts = (told[begin:end] for end in range(len(told), 0, -1) for begin in range(end))
    runs = (_wrapped(" ".join(part), wide, "faint") for part in parts)
    return next((run for run in runs if len(run) <= most), [])


def _name(
    disc: Shape | None, seat: Seat, name: str, has: str, at: tuple[int, int, int]
) -> Iterator[Shape]:
    """A player's name and points, on their colour, smaller where there is little room."""
    wide, y, high = at
    middle, look = y + high // 2, disc.look if disc else "panel"
    if disc:
        label = "" if "stone" in look else disc.label  # there it says the points
        yield disc._replace(place=(33, middle, min(15, high // 2 - 3)), label=label)
    yield Shape(f"back-{seat}", "box", (56, y + 4, wide - 68, high - 9), look)
    room, low = wide - 84 - svg.width(has), " slim" * (high < 40)
    slim = low or " slim" * (svg.width(name) > room)
    at = 66, middle + 7, room * 4 // 3 if slim else room
    yield Shape(f"name-{seat}", "text", at, f"{look}{slim} strong", name)
    yield Shape(f"score-{seat}", "text", (wide - 22, middle + 7), f"{look}{low} strong end", has)


def _wrapped(text: str, room: int, look: str) -> list[str]:
    """The text in as few lines as the room needs, with no word alone in the last one, where that
    can be. In the letters of a PNG it takes less room than reckoned with."""
    room = room * 100 // (88 if look == "strong" else 76)
    lines = _filled(text, room)
    if len(lines) < 2:
        return lines
    for less in range(room, room // 2, -9):
        closer = _filled(text, less)
        if len(closer) == len(lines) and " " in closer[-1]:
            return closer
    return lines


def _filled(text: str, room: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and svg.width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
