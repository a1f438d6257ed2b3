"""The map of Kanaloa (Bambus) as shapes, and what lies beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from pbem.files import data
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import plan
from pbem.rules.kanaloa_bambus.picture import GOD, letters_of
from pbem.rules.zones import with_ids
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH: Final = 720
_MARGIN: Final = 60
_ISLAND: Final = 40, 52
_ROW: Final = 27
"""At least so high is a row of the map in ASCII."""
_COLUMN: Final = 136
"""So wide is the column of a god."""
_LOWEST, _TALLER = 54, 64
"""A temple is so high at least, and so much higher at most."""
_PLAYER: Final = 84
_HUES: Final = ("red", "yellow", "green", "blue")

Places = Mapping[str, tuple[int, int]]


def scene(view: Mapping[str, Any]) -> Scene:
    """The map, the gods with everybody's temples, and each player's offerings."""
    places = _places(view)
    sea = max(y for _, y in places.values()) + _ISLAND[1] + 64
    gods = sea + 100
    players = gods + 236
    height = players + _PLAYER * len(view["seats"]) + 10
    shapes = (
        Shape("sea", "box", (0, 0, _WIDTH, sea), "sea"),
        *_currents(view, places),
        *_islands(view, places),
        *_fish(view, places),
        *_pawns(view, places),
        *_volcano(view, places),
        Shape("panel", "box", (0, sea, _WIDTH, height - sea), "panel"),
        *_table(view, sea + 20),
        *_gods(view, gods),
        *(
            shape
            for n, seat in enumerate(view["seats"])
            for shape in _player(view, seat, players + _PLAYER * n)
        ),
    )
    return Scene(_WIDTH, height, shapes)


def _places(view: Mapping[str, Any]) -> Places:
    """Where the islands in play are: as in ASCII, stretched so far that none touch."""
    at = {island: _chart(view)["islands"][island] for island in view["islands"]}
    left, right = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    top = min(y for _, y in at.values())
    across = (_WIDTH - 2 * _MARGIN) / (right - left)
    wide, high = (2 * half + 16 for half in _ISLAND)
    down = max(
        [_ROW]
        + [
            high / abs(y - other_y)
            for (x, y), (other_x, other_y) in combinations(at.values(), 2)
            if y != other_y and abs(x - other_x) * across < wide
        ]
    )
    return {
        island: (_MARGIN + round((x - left) * across), 100 + round((y - top) * down))
        for island, (x, y) in at.items()
    }


def _chart(view: Mapping[str, Any]) -> Mapping[str, Any]:
    return view.get("map") or plan(data.game_file(DATA, "board"))


def _hue(view: Mapping[str, Any], seat: str | None) -> str:
    return "grey" if seat is None else _HUES[view["seats"].index(seat)]


# ----------------------------------------------------------------------------------- the map


def _currents(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    """The currents: those with fish at one go, each of the others by itself."""
    taken = {frozenset(way.split("-")) for way in view["fish"]}
    busy: list[int] = []
    for current in _chart(view)["currents"]:
        one, other = current.split("-")
        if one in places and other in places:
            ends = *places[one], *places[other]
            if {one, other} in taken:
                busy.extend(ends)
            else:
                yield Shape(f"current-{current}", "line", ends, "way")
    if busy:
        yield Shape("currents", "lines", tuple(busy), "way")


def _islands(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    site = view["volcano"]["site"] if view["volcano"] else ""
    for place, (island, (x, y)) in enumerate(places.items()):
        shut = island in site
        says = say("The volcano lets nobody enter {island}.", island=island) if shut else None
        look = "isle shut" if shut else "isle"
        yield Shape(f"island-{island}", "figure", (x, y, 180 * (place % 2)), look, says=says)
        yield Shape(f"letter-{island}", "text", (x, y - 21), "middle strong dark", island)
        for n, (tile, name) in enumerate(with_ids(view["islands"][island])):
            yield Shape(
                f"tile-{island}-{name}",
                "box",
                (x - 28, y - 13 + 31 * n, 56, 28),
                "chip",
                _tile(tile),
                says=say("{island} has {tile}.", island=island, tile=tile),
            )


def _tile(tile: str) -> str:
    """An offering in few letters: `LP4` is for Lono or Pele, `★5` for Kane."""
    gods, value = tile[:-1], tile[-1]
    return "".join(_god(god) for god in gods.split("/")) + value


def _god(god: str) -> str:
    return "★" if god == "kane" else GOD[god]


def _fish(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    letters = letters_of(view["seats"])
    for way, about in view["fish"].items():
        tail, head = way.split("-")
        (x, y), (to_x, to_y) = places[tail], places[head]
        degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
        owner, white = about["of"], about["up"] == "white"
        yield Shape(
            f"fish-{way}",
            "figure",
            ((x + to_x) // 2, (y + to_y) // 2, degrees),
            f"fish {'pale' if white else 'full'} {_hue(view, owner)}",
            letters[owner],
            says=_swims(way, owner, white),
        )


def _swims(way: str, owner: str | None, white: bool) -> Sentence:
    if owner is None and white:
        return say("{way}: a neutral fish, white side up.", way=way)
    if owner is None:
        return say("{way}: a neutral fish, coloured side up.", way=way)
    if white:
        return say("{way}: a fish of {owner:seat}, white side up.", way=way, owner=owner)
    return say("{way}: a fish of {owner:seat}, coloured side up.", way=way, owner=owner)


def _pawns(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    there = {place for pawns in view["pawns"].values() for place in pawns}
    currents, geography = tuple(_chart(view)["currents"]), tuple(places.items())
    for island in places:
        if island in there:
            yield from _standing(view, island, *_beside(island, geography, currents))


@lru_cache(maxsize=64)  # the same at every moment of a match, and of most matches
def _beside(
    island: str, geography: tuple[tuple[str, tuple[int, int]], ...], currents: tuple[str, ...]
) -> tuple[int, int]:
    """The place on an island's shore that is farthest from all fish and other islands."""
    places = dict(geography)
    x, y = places[island]
    ends = [current.split("-") for current in currents]
    near = [
        ((places[a][0] + places[b][0]) / 2, (places[a][1] + places[b][1]) / 2)
        for a, b in ends
        if a in places and b in places
    ]
    near += [at for other, at in places.items() if other != island]
    shore = [(x, y - 57), (x, y + 92), *((x + i, y + j) for i in (-50, 50) for j in (-42, 46))]
    return max(
        ((x, y) for x, y in shore if 54 <= x <= _WIDTH - 54),
        key=lambda at: min(math.dist(at, other) for other in near),
    )


def _standing(view: Mapping[str, Any], place: str, x: int, y: int) -> Iterator[Shape]:
    """The pawns in a place, around its middle."""
    letters = letters_of(view["seats"])
    here = [
        (seat, n, n < view["stunned"][seat].count(place))
        for seat in view["seats"]
        for n in range(view["pawns"][seat].count(place))
    ]
    step = 36 if len(here) < 3 else 28
    x -= step * (len(here) - 1) // 2
    for k, (seat, n, stunned) in enumerate(here):
        on = say("the Dolphin") if place == DOLPHIN else place
        yield Shape(
            f"pawn-{seat}-{place}-{n + 1}",
            "figure",
            (x + step * k, y, 90 if stunned else 0),
            f"pawn full {_hue(view, seat)}{' stunned' if stunned else ''}",
            letters[seat],
            says=say(
                "A pawn of {seat:seat} lies on {place} and loses its turn.", seat=seat, place=on
            )
            if stunned
            else say("A pawn of {seat:seat} is on {place}.", seat=seat, place=on),
        )


def _volcano(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    if not view["volcano"]:
        return
    site, by = view["volcano"]["site"], view["volcano"]["by"]
    around = [places[island] for island in site if island in places]
    x = sum(x for x, _ in around) // len(around)
    y = sum(y for _, y in around) // len(around)
    if len(site) == 1:
        y -= 68
    yield Shape(
        f"volcano-{site}",
        "figure",
        (x, y, 0),
        "volcano",
        says=say("The volcano of {seat:seat} is on {site}.", seat=by, site=site),
    )


# ------------------------------------------------------------------------------- beside the map


def _table(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    yield Shape(
        "bag",
        "box",
        (20, top, 100, 64),
        "card back",
        str(view["bag"]),
        say("in bag"),
        says=Sentence(
            Counted("One tile is in the bag.", "{n} tiles are in the bag."), {"n": view["bag"]}
        ),
    )
    drawn, last = view["volcanoes"], view["last_volcano"]
    yield Shape("volcanoes-sign", "figure", (172, top + 36, 0), "volcano")
    yield Shape(
        "volcanoes",
        "text",
        (212, top + 42),
        "strong",
        say("{drawn} of {last}", drawn=drawn, last=last),
        says=say("{drawn} of {last} volcanoes are drawn.", drawn=drawn, last=last),
    )
    yield Shape("dolphin-sign", "figure", (394, top + 36, 0), "dolphin sign")
    yield from _standing(view, DOLPHIN, 500, top + 44)


def _gods(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    highest = max(8, *(n for heights in view["temples"].values() for n in heights.values()))
    for column, god in enumerate((*view["gods"], "kane")):
        left = 20 + _COLUMN * column
        yield from _god_card(view, god, left, top)
        for n, seat in enumerate(view["seats"]):
            at = left + 32 * n + 16 * (4 - len(view["seats"])), top + 218
            yield from _temple(view, god, seat, at, highest)


def _god_card(view: Mapping[str, Any], god: str, left: int, top: int) -> Iterator[Shape]:
    letters, holder = letters_of(view["seats"]), view["gods"].get(god)
    if god in view["gods"]:
        yield Shape(f"god-{god}", "box", (left, top, 128, 84), "card")
    name = say("{god}", god=god.capitalize())
    yield Shape(
        f"name-{god}",
        "text",
        (left + 64, top + 30),
        "middle" + " dark" * (god in view["gods"]),
        name,
    )
    yield Shape(f"sign-{god}", "box", (left + 10, top + 44, 30, 30), "chip", _god(god))
    if holder:
        yield Shape(
            f"holder-{god}",
            "disc",
            (left + 64, top + 60, 16),
            f"full {_hue(view, holder)}",
            letters[holder],
            says=say("{seat:seat} has the gods card of {god}.", seat=holder, god=god.capitalize()),
        )
    if guard := view.get("protections", {}).get(god):
        yield Shape(
            f"protection-{god}",
            "figure",
            (left + 104, top + 60, 0),
            f"shield full {_hue(view, guard)}",
            letters[guard],
            says=say(
                "{seat:seat} has the protection card of {god}.", seat=guard, god=god.capitalize()
            ),
        )


def _temple(
    view: Mapping[str, Any], god: str, seat: str, at: tuple[int, int], highest: int
) -> Iterator[Shape]:
    """How high a seat has built for a god, if at all."""
    height = view["temples"][seat][god]
    if not height:
        return
    tall = _LOWEST + _TALLER * height // highest
    left, foot = at
    yield Shape(
        f"temple-{god}-{seat}",
        "box",
        (left, foot - tall, 32, tall),
        f"full bar {_hue(view, seat)}",
        str(height),
        letters_of(view["seats"])[seat],
        says=say(
            "The temple of {seat:seat} for {god} is {n} high.",
            seat=seat,
            god=god.capitalize(),
            n=height,
        ),
    )


def _player(view: Mapping[str, Any], seat: str, top: int) -> Iterator[Shape]:
    turn = view["turn"] == seat
    points = view["scores"][seat]
    letter = letters_of(view["seats"])[seat]
    yield Shape(f"rule-{seat}", "line", (20, top, _WIDTH - 20, top), "rule")
    yield Shape(
        f"seat-{seat}",
        "disc",
        (46, top + 42, 22),
        f"full {_hue(view, seat)}{' turn' if turn else ''}",
        letter,
        says=say("It's the turn of {seat:seat}.", seat=seat) if turn else None,
    )
    called = say("{seat:seat}", seat=seat)
    yield Shape(f"name-{seat}", "text", (82, top + 36, 228), "strong", called)
    yield Shape(
        f"score-{seat}",
        "text",
        (82, top + 66),
        "faint",
        _to_lay(view, seat) or Sentence(Counted("{n} point", "{n} points"), {"n": points}),
        says=Sentence(
            Counted("{seat:seat} has {n} point.", "{seat:seat} has {n} points."),
            {"n": points, "seat": seat},
        ),
    )
    for n, (tile, name) in enumerate(with_ids(view["offerings"][seat])):
        yield Shape(
            f"offering-{seat}-{name}",
            "box",
            (318 + 64 * n, top + 26, 58, 34),
            "chip",
            _tile(tile),
            says=say("{seat:seat} holds {tile}.", seat=seat, tile=tile),
        )


def _to_lay(view: Mapping[str, Any], seat: str) -> Sentence | None:
    if "supply" not in view:
        return None
    return Sentence(Counted("{n} fish to lay", "{n} fish to lay"), {"n": view["supply"][seat]})
