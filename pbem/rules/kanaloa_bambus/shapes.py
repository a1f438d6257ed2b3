"""The map of Kanaloa (Bambus) as shapes, and what lies beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from pbem.files import data
from pbem.rules import row
from pbem.rules.kanaloa_bambus import berths
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import plan
from pbem.rules.kanaloa_bambus.picture import letters_of
from pbem.rules.kanaloa_bambus.tiles import LETTERS, code
from pbem.rules.zones import with_ids
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH: Final = berths.WIDTH
_MARGIN: Final = 60
_ISLAND: Final = berths.ISLAND
_ROW: Final = 27
"""At least so high is a row of the map in ASCII."""
_COLUMN: Final = 136
"""So wide is the column of a god."""
_TILE: Final = 64
_PLAYER: Final = 84
_HUES: Final = ("red", "yellow", "green", "blue", "turquoise", "orange", "purple", "black")
"""The colours of seats; a neutral fish is grey, and the white side of any fish is white."""

Places = Mapping[str, tuple[int, int]]


def scene(view: Mapping[str, Any]) -> Scene:
    """The map, the gods with everybody's temples, and each player's offerings."""
    places = _places(view)
    sea = max(y for _, y in places.values()) + _ISLAND[1] + 64
    gods = sea + 100
    players = gods + 172
    height = players + _PLAYER * len(view["seats"]) + 10
    shapes = (
        Shape("sea", "box", (0, 0, _WIDTH, sea), "sea"),
        *_currents(view, places),
        *_islands(view, places),
        *_fish(view, places),
        *_volcano(view, places),
        *_pawns(view, places),
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
    return "grey" if seat is None else row.hues(tuple(view["seats"]), _HUES)[seat]


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
        yield Shape(f"letter-{island}", "text", (x, y - 25), "middle strong dark", island)
        for n, (tile, name) in enumerate(with_ids(view["islands"][island])):
            yield Shape(
                f"tile-{island}-{name}",
                "box",
                (x - 28, y - 16 + 36 * n, 56, 24),
                "chip",
                _tile(tile),
                says=say("{island} has {tile}.", island=island, tile=tile),
            )


def _tile(tile: str) -> str:
    """An offering as in ASCII, with a star for Kane."""
    return code(tile).replace("*", "★")


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


def _volcano(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    if not view["volcano"]:
        return
    site, by = view["volcano"]["site"], view["volcano"]["by"]
    x, y, *_ = berths.volcano(site, _geography(view, places))
    yield Shape(
        f"volcano-{site}",
        "figure",
        (x, y, 0, berths.SMALL),
        "volcano",
        says=say("The volcano of {seat:seat} is on {site}.", seat=by, site=site),
    )


def _pawns(view: Mapping[str, Any], places: Places) -> Iterator[Shape]:
    geography = _geography(view, places)
    taken = [berths.volcano(view["volcano"]["site"], geography)] if view["volcano"] else []
    for island in places:
        if here := _there(view, island):
            cells = berths.cells([stunned for *_, stunned in here])
            berth = berths.beside(island, cells, geography, tuple(taken))
            taken.append(berth)
            yield from _standing(view, island, here, cells, berth[:2])


def _geography(view: Mapping[str, Any], places: Places) -> berths.Geography:
    return berths.Geography(tuple(places.items()), tuple(_chart(view)["currents"]))


def _there(view: Mapping[str, Any], place: str) -> list[tuple[str, int, bool]]:
    """The pawns in a place: whose, which of theirs, and whether it lies there stunned."""
    return [
        (seat, n, n < view["stunned"][seat].count(place))
        for seat in view["seats"]
        for n in range(view["pawns"][seat].count(place))
    ]


def _standing(
    view: Mapping[str, Any],
    place: str,
    here: list[tuple[str, int, bool]],
    cells: berths.Cells,
    at: tuple[int, int],
) -> Iterator[Shape]:
    """Pawns beside each other around a point."""
    letters = letters_of(view["seats"])
    on = say("the Dolphin") if place == DOLPHIN else place
    for (seat, n, stunned), (x, y) in zip(here, cells.around(at, len(here)), strict=True):
        # A pawn's middle is above its letter, beside it where it lies.
        lift = 10 * cells.size // 100
        yield Shape(
            f"pawn-{seat}-{place}-{n + 1}",
            "figure",
            (x - lift, y, 90, cells.size) if stunned else (x, y + lift, 0, cells.size),
            f"pawn full {_hue(view, seat)}{' stunned' if stunned else ''}",
            letters[seat],
            says=say(
                "A pawn of {seat:seat} lies on {place} and loses its turn.", seat=seat, place=on
            )
            if stunned
            else say("A pawn of {seat:seat} is on {place}.", seat=seat, place=on),
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
    here = _there(view, DOLPHIN)
    cells = berths.cells([stunned for *_, stunned in here])
    yield from _standing(view, DOLPHIN, here, cells, (500, top + 34))


def _gods(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    for column, god in enumerate((*view["gods"], "kane")):
        left = 20 + _COLUMN * column
        yield from _god_card(view, god, left, top)
        for n, seat in enumerate(view["seats"]):
            at = left + 32 * n + 16 * (4 - len(view["seats"])), top + 98
            yield from _temple(view, god, seat, at)


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
    yield Shape(
        f"sign-{god}", "box", (left + 6, top + 44, 30, 30), "chip", LETTERS[god].replace("*", "★")
    )
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


def _temple(view: Mapping[str, Any], god: str, seat: str, at: tuple[int, int]) -> Iterator[Shape]:
    """How high a seat has built for a god, if at all. The number tells it; all are drawn alike."""
    height = view["temples"][seat][god]
    if not height:
        return
    yield Shape(
        f"temple-{god}-{seat}",
        "box",
        (*at, 32, 54),
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
    points, hand = view["scores"][seat], view["offerings"][seat]
    letter = letters_of(view["seats"])[seat]
    disc = Shape(f"seat-{seat}", "disc", (46, top + 42, 22), f"full {_hue(view, seat)}", letter)
    so_far = _to_lay(view, seat) or Sentence(Counted("{n} point", "{n} points"), {"n": points})
    back = (8, top + 2, _WIDTH - 16, _PLAYER - 4)
    yield from row.player(view, seat, back, disc, (82, top + 36, _WIDTH - 106 - _TILE * len(hand)))
    yield Shape(
        f"score-{seat}",
        "text",
        (82, top + 66),
        "faint",
        row.standing(view, seat, so_far),
        says=Sentence(
            Counted(
                "{seat:seat} has {n} point and holds {tiles:all}.",
                "{seat:seat} has {n} points and holds {tiles:all}.",
            ),
            {"n": points, "seat": seat, "tiles": hand or [say("no offering")]},
        ),
    )
    for tile, name, x in row.from_the_right(hand, _WIDTH - 14, _TILE):
        place = x, top + 26, _TILE - 6, 34
        says = row.holds(seat, tile)
        yield Shape(
            f"offering-{seat}-{name}", "box", place, "chip", _tile(tile), says=says, told=True
        )


def _to_lay(view: Mapping[str, Any], seat: str) -> Sentence | None:
    if "supply" not in view:
        return None
    return Sentence(Counted("{n} fish to lay", "{n} fish to lay"), {"n": view["supply"][seat]})
