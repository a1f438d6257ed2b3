"""The board of Kahuna as shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import HIDDEN
from pbem.files import data
from pbem.rules import row
from pbem.rules.coast import between, outline
from pbem.rules.kahuna.board import BRIDGES, DATA, ENDS, LINES, SEATS
from pbem.rules.parts import MANY, Shapes, part
from pbem.sentence import Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH: Final = 720
_PANEL: Final = 612
_ROW: Final = 100
_HEIGHT: Final = _PANEL + 128 + 2 * _ROW
_GROUND: Final = Shape("panel", "box", (0, _PANEL, _WIDTH, _HEIGHT - _PANEL), "panel")
_CARD, _HAND = 89, 424
"""How far apart the cards of a hand lie, and how much room they all have."""
_ISLAND: Final = 54, 40
"""Half an island's width and height, where its coast is at 100 percent."""
_SHALLOW: Final = 65, 48
_STONE: Final = 18


class Place(NamedTuple):
    """An island on the picture: its middle, its coast, and where a stone lies."""

    x: int
    y: int
    coast: tuple[int, ...]
    stone: tuple[int, int]


def scene(view: Mapping[str, Any]) -> Scene:
    """The board, the cards on the table and each player's hand, as far as the view shows them."""
    shapes = (
        *part(_sea, view, ""),
        *part(_islands, view, ""),
        *part(_built, view, "bridges"),
        *part(_stones, view, "control"),
        *part(_legend, view, "control"),
        _GROUND,
        *part(_display, view, "display"),
        *part(_table, view, "deck discard tucked round passed turn ended"),
        *(
            shape
            for n, seat in enumerate(row.nearest(view, SEATS))
            for shape in part(_player, _own(view, seat), _OWN, seat, _PANEL + 128 + _ROW * n)
        ),
    )
    return Scene(_WIDTH, _HEIGHT, shapes)


def _own(view: Mapping[str, Any], seat: str) -> Mapping[str, Any]:
    return {
        "points": view["score"][seat],
        "hand": view["hands"][seat],
        "placed": sum(owner == seat for owner in view["bridges"].values()),
        "held": sum(owner == seat for owner in view["control"].values()),
        "mark": row.mark(view, seat),
        "ended": view.get("ended"),
    }


_OWN: Final = "points hand placed held mark ended"


def _sea(view: Mapping[str, Any]) -> Iterator[Shape]:
    yield Shape("sea", "box", (0, 0, _WIDTH, _PANEL), "sea")
    for island, place in _places().items():
        around = outline(*place[:3], _SHALLOW)
        yield Shape(f"shallow-{island}", "polygon", around, "shallow coast")


# ---------------------------------------------------------------------------------- the islands


@cache
def _places() -> Mapping[str, Place]:
    found = {}
    for each in data.game_file(DATA, "board")["islands"]:
        (across, below), (right, down) = each["svg"], each["stone"]
        x, y = (across - 240) * 91 // 50 + 78, (below - 160) * 21 // 10 + 68
        coast = tuple(each.get("coast", (100,) * 12))
        found[each["name"]] = Place(x, y, coast, (x + right, y + down))
    return found


def _islands(view: Mapping[str, Any]) -> Iterator[Shape]:
    for n, (island, place) in enumerate(_places().items()):
        x, y, coast, _ = place
        moves, around = (f"* {island}-*", f"* *-{island}"), outline(x, y, coast, _ISLAND)
        name = f"island-{island}"
        yield Shape(name, "polygon", around, "island coast", island, moves=moves)
        yield Shape(f"relief-{n}", "figure", (x, y - 17, 0), ("peaks", "palms")[n % 2])


@cache
def _lines() -> Mapping[str, tuple[str, ...]]:
    """For each island, the lines that begin or end there."""
    return {island: tuple(line for line in LINES if island in ENDS[line]) for island in _places()}


def _built(view: Mapping[str, Any]) -> Iterator[Shape]:
    bridges = view["bridges"]
    for line in LINES:
        yield _line(line, bridges.get(line))
    for island, lines in _lines().items():
        yield from _pips(island, tuple([bridges.get(line, "") for line in lines]))


@lru_cache(MANY)
def _pips(island: str, built: tuple[str, ...]) -> Shapes:
    """A pit for each of an island's lines, and in it a pip of whoever has built there."""
    x, y, *_ = _places()[island]
    dots = [(x + 12 * n - 6 * (len(built) - 1), y + 23) * 2 for n in range(len(built))]
    shapes = [Shape(f"pits-{island}", "lines", tuple(chain(*dots)), "pit")]
    for seat in SEATS:
        theirs, dots = tuple(chain(*dots[: built.count(seat)])), dots[built.count(seat) :]
        if theirs:
            shapes.append(Shape(f"pips-{seat}-{island}", "lines", theirs, f"pips {seat}"))
    return tuple(shapes)


@cache
def _line(line: str, owner: str | None) -> Shape:
    plain = Shape(f"line-{line}", "line", _ways()[line], "way", moves=_moves(line))
    if not owner:
        return plain
    says = say("{line} carries a bridge of {owner:seat}.", line=line, owner=owner)
    return plain._replace(look=f"bridge {owner}", says=says, kin=f"bridge-{owner}-{line}")


def _moves(line: str) -> tuple[str, ...]:
    one, other = ENDS[line]
    builds = (f"{card}{a}-{b}" for card in ("", "hidden ") for a, b in ((one, other), (other, one)))
    return (*builds, f"* x {line}", f"free {line}", f"handicap {line}")


@cache
def _ways() -> Mapping[str, tuple[int, int, int, int]]:
    """Where each line is drawn: from beach to beach."""
    found = {}
    for line in LINES:
        one, other = (_places()[end][:3] for end in ENDS[line])
        found[line] = between(one, other, _ISLAND, 9)
    return found


def _stones(view: Mapping[str, Any]) -> Iterator[Shape]:
    for island, owner in view["control"].items():
        place = (*_places()[island].stone, _STONE)
        says = say("{owner:seat} controls {island}.", owner=owner, island=island)
        yield Shape(f"stone-{island}", "disc", place, f"stone {owner} hand", says=says)


def _legend(view: Mapping[str, Any]) -> Iterator[Shape]:
    y = _PANEL - 18
    yield Shape("legend-line", "line", (20, y - 7, 76, y - 7), "way")
    yield Shape("legend-line-says", "text", (88, y), "onsea", say("free line"))
    if view["control"]:
        for n, owner in enumerate(SEATS):
            yield Shape(f"legend-{owner}", "disc", (432 + 38 * n, y - 8, 17), f"stone {owner} hand")
        yield Shape("legend-stone-says", "text", (498, y), "onsea", say("has the majority"))


# ------------------------------------------------------------------------------------ the cards


def _card(id: str, card: str, place: tuple[int, int, int, int], says: Sentence) -> Shape:
    """A card, with the map and its island on it; or its back."""
    look, label = f"card {card.lower()}", card
    if card == HIDDEN:
        look, label = "card back wave", ""
    return Shape(id, "box", place, look, label, says=says, told=True)


def _display(view: Mapping[str, Any]) -> Iterator[Shape]:
    for place, card in enumerate(view["display"]):
        says = say("{card} is face up.", card=card)
        shown = _card(f"display-{place + 1}", card, (20 + 100 * place, _PANEL + 20, 90, 86), says)
        yield shown._replace(told=False, kin=f"display-{card}", moves=(f"take {card}",), name=card)


def _table(view: Mapping[str, Any]) -> Iterator[Shape]:
    top = _PANEL + 20
    pile = "[One card is|{n} cards are] in the pile."
    place, left, says = (418, top, 90, 86), str(view["deck"]), say(pile, n=view["deck"])
    look = "card back wave"
    yield Shape("pile-draw", "box", place, look, left, says=says, moves=("draw",))
    discards = sum(view["discard"].values()) + sum(view["tucked"].values())
    counted = "[One card is|{n} cards are] discarded."
    number = say("Round {round} of 3", round=view["round"])
    says = say("It is round {round} of 3.", round=view["round"])
    yield Shape("round", "text", (526, top + 20), "strong", number, says=says)
    number, says = say("{n} discarded", n=discards), say(counted, n=discards)
    yield Shape("discards", "text", (526, top + 50), "faint", number, says=says)
    if view["passed"] and not view.get("ended"):
        says = say("{seat:seat} must take a card.", seat=view["turn"])
        yield Shape("duty", "text", (526, top + 80), "strong", say("must take"), says=says)


def _player(view: Mapping[str, Any], seat: str, top: int) -> Iterator[Shape]:
    points, hand, held = view["points"], view["hand"], view["held"]
    left = say("{n} [bridge|bridges] left", n=BRIDGES - view["placed"])
    step = min(_CARD, _HAND // max(1, len(hand)))
    room = _WIDTH - 108 - step * len(hand)
    disc = Shape(f"seat-{seat}", "disc", (48, top + 46, 28), f"stone {seat}", str(points))
    back = (8, top - 2, _WIDTH - 16, _ROW - 6)
    cards = _hand(seat, hand, step, top + 5)
    yield from row.player(view, seat, back, disc, (88, top + 27, room), cards)
    islands = say("{n} [island|islands]", n=held)
    has = "{seat:seat} has {n} [point|points]."
    stands, says = row.standing(view, seat, islands), say(has, n=points, seat=seat)
    yield Shape(f"score-{seat}", "text", (88, top + 55), "faint", stands, says=says)
    yield Shape(f"left-{seat}", "text", (88, top + 82), "faint", left)
    # What is said of a hand changes with every card: as a shape of its own it keeps pages small.
    yield Shape(f"holds-{seat}", "text", (88, top + 82), "faint", says=_holds(seat, hand, left))


def _hand(seat: str, hand: Iterable[str], step: int, top: int) -> Iterator[Shape]:
    for card, name, x in row.from_the_right(hand, _WIDTH - 12, step):
        place = x, top, min(_CARD - 11, step - 10), 80
        shown = _card(f"hand-{seat}-{name}", card, place, row.holds(seat, card))
        yield shown if card == HIDDEN else shown._replace(moves=_spends(seat, card), name=card)


def _spends(seat: str, card: str) -> tuple[str, ...]:
    """The moves that a card in a hand is spent for."""
    builds = (f"{card}-*", f"hidden {card}-*", f"discard {card}", f"discard hidden {card}")
    removes = (f"* {card}+* * x *", f"* *+{card} x *", f"* *+hidden {card} x *")
    return tuple(f"{seat}: {move}" for move in (*builds, *removes))


def _holds(seat: str, hand: Sequence[str], left: Sentence) -> Sentence:
    if not hand:
        return say("{seat:seat} holds no card; {left}.", seat=seat, left=left)
    return say("{seat:seat} holds {cards:all}; {left}.", seat=seat, cards=row.held(hand), left=left)
