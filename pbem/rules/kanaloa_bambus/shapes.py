"""The map of Kanaloa (Bambus) as shapes, and what lies beside it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, cycle
from typing import Any, Final

from pbem.files import data
from pbem.rules import row
from pbem.rules.coast import outline, reach
from pbem.rules.kanaloa_bambus import berths
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import plan
from pbem.rules.parts import MANY, Shapes, part
from pbem.rules.zones import with_ids
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH: Final = berths.WIDTH
_MARGIN: Final = 66
_ISLAND: Final = berths.ISLAND
_TOP: Final = 78
_ROW: Final = 18.3
"""The least height of a row of the ASCII map."""
_COLUMN: Final = 138
"""The width of a god's column."""
_TILE: Final = 49
_PLAYER: Final = 62
_NAME: Final = 64
"""The room that a name always has."""
_EMBLEM: Final = {
    "kanaloa": "trident",
    "ku": "spear",
    "pele": "flame",
    "lono": "sprout",
    "kane": "sun",
}
_COASTS: Final = (
    (104, 96, 100, 108, 98, 104, 94, 100),
    (98, 106, 94, 100, 108, 96, 102, 98),
    (106, 98, 102, 94, 100, 108, 96, 104),
)
_HUES: Final = ("red", "yellow", "green", "blue", "turquoise", "orange", "purple", "black")
"""The colours of seats; a neutral fish is grey, and the white side of any fish is white."""


def scene(view: Mapping[str, Any]) -> Scene:
    """The map, the gods with everybody's temples, and each player's offerings."""
    geography = _geography(view)
    sea = max(y for _, (_, y) in geography.islands) + _ISLAND[1] + 58
    gods = sea + 73
    players = gods + 147
    seats = view["seats"]
    # Two abreast if a row for each would make the picture too high for a screen.
    columns = 2 if len(seats) > 3 else 1
    height = players + _PLAYER * -(-len(seats) // columns) + 6
    shapes = (
        *_ground(sea, height),
        *_islands(view, geography),
        *part(_currents, view, "fish", geography),
        *_tiles(view, geography),
        *_fish(view, geography),
        *part(_volcano, view, "volcano", geography),
        *part(_pawns, view, "volcano seats pawns stunned", geography),
        *part(_table, view, "bag volcanoes last_volcano seats pawns stunned fish", sea + 6),
        *part(_gods, view, "gods seats temples protections", gods),
        *(
            shape
            for n, seat in enumerate(row.nearest(view, seats))
            for shape in part(
                _player,
                {
                    **view,
                    "points": view["scores"][seat],
                    "hand": view["offerings"][seat],
                    "left": view["supply"][seat] if "supply" in view else None,
                },
                "seats turn ended points hand left",
                seat,
                (n % columns * _WIDTH // columns, players + _PLAYER * (n // columns)),
                _WIDTH // columns,
            )
        ),
    )
    return Scene(_WIDTH, height, shapes)


@lru_cache(64)
def _ground(sea: int, height: int) -> Shapes:
    # An arrow leads from the Dolphin, which lies on the panel, to an island.
    return (
        Shape("sea", "box", (0, 0, _WIDTH, sea), "sea"),
        Shape("panel", "box", (0, sea, _WIDTH, height - sea), "panel"),
    )


def _geography(view: Mapping[str, Any]) -> berths.Geography:
    own = view.get("map")
    return _spread(tuple(view["islands"]), json.dumps(own) if own else "")


@lru_cache(64)
def _spread(islands: tuple[str, ...], own: str) -> berths.Geography:
    """Where the islands in play are: as in ASCII, stretched until none touch, and pushed apart
    where fish need room between them."""
    chart = json.loads(own) if own else plan(data.game_file(DATA, "board"))
    at = {island: chart["islands"][island] for island in islands}
    left, right = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    top = min(y for _, y in at.values())
    across = (_WIDTH - 2 * _MARGIN) / (right - left)
    wide, high = (2 * half + 10 for half in _ISLAND)
    down = max(
        [_ROW]
        + [
            high / abs(y - other_y)
            for (x, y), (other_x, other_y) in combinations(at.values(), 2)
            if y != other_y and abs(x - other_x) * across < wide
        ]
    )
    stretched = {
        island: (_MARGIN + round((x - left) * across), _TOP + round((y - top) * down))
        for island, (x, y) in at.items()
    }
    geography = berths.Geography(tuple(stretched.items()), tuple(chart["currents"]))
    return geography._replace(islands=tuple(berths.spaced(geography).items()))


def _number(view: Mapping[str, Any], seat: str | None) -> str:
    """The number of a seat; a neutral fish has none."""
    return "" if seat is None else str(view["seats"].index(seat) + 1)


def _hue(view: Mapping[str, Any], seat: str | None) -> str:
    return "grey" if seat is None else row.hues(tuple(view["seats"]), _HUES)[seat]


# ----------------------------------------------------------------------------------- the map


def _currents(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    """The currents from shore to shore: those with fish as one shape, the others one by one."""
    places = dict(geography.islands)
    taken = {frozenset(way.split("-")) for way in view["fish"]}
    coasts = dict(zip(places, cycle(_COASTS), strict=False))
    busy: list[int] = []
    for current in geography.currents:
        one, other = current.split("-")
        if one in places and other in places:
            (x, y), (to_x, to_y) = places[one], places[other]
            angle = math.atan2(to_y - y, to_x - x)
            here = reach(coasts[one], _ISLAND, angle) - 6
            there = reach(coasts[other], _ISLAND, angle + math.pi) - 6
            ends = (
                *(x + round(here * math.cos(angle)), y + round(here * math.sin(angle))),
                *(to_x - round(there * math.cos(angle)), to_y - round(there * math.sin(angle))),
            )
            if {one, other} in taken:
                busy.extend(ends)
            else:
                yield Shape(f"current-{current}", "line", ends, "way")
    if busy:
        yield Shape("currents", "lines", tuple(busy), "way")


def _islands(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    site = view["volcano"]["site"] if view["volcano"] else ""
    for n, (island, at) in enumerate(geography.islands):
        yield _island(island, at, n, island in site)


@lru_cache(MANY)
def _island(island: str, at: tuple[int, int], n: int, shut: bool) -> Shape:
    says = say("The volcano lets nobody enter {island}.", island=island) if shut else None
    look = "island atoll meadow coast shut" if shut else "island atoll meadow coast"
    coast = outline(*at, _COASTS[n % len(_COASTS)], _ISLAND)
    return Shape(f"island-{island}", "polygon", coast, look, island, says=says)


def _tiles(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    for island, at in geography.islands:
        yield from _lying(island, at, tuple(view["islands"][island]))


@lru_cache(MANY)
def _lying(island: str, at: tuple[int, int], lying: tuple[str, ...]) -> Shapes:
    (x, y), tiles, shapes = at, list(with_ids(lying)), []
    for n, (tile, name) in enumerate(tiles):
        place = x + 49 * n - 24 * len(tiles), y - 17, 47, 50
        says = say("{island} has {tile}.", island=island, tile=[tile])
        shapes.append(_tile(f"tile-{island}-{name}", tile, place)._replace(says=says))
    return tuple(shapes)


def _tile(id: str, tile: str, place: tuple[int, int, int, int]) -> Shape:
    """An offering: the emblems of its gods, and its value."""
    look = " ".join(("tile", *(_EMBLEM[god] for god in tile[:-1].split("/"))))
    return Shape(id, "box", place, look, tile[-1])


def _fish(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    places = dict(geography.islands)
    own = {seat: (_number(view, seat), _hue(view, seat)) for seat in (*view["seats"], None)}
    for way, about in view["fish"].items():
        tail, head = way.split("-")
        owner, white = about["of"], about["up"] == "white"
        number, hue = own[owner]
        look = f"fish {'pale' if white else 'full'} {hue}"
        yield _swimmer(way, places[tail], places[head], owner, number, look, white)


@lru_cache(MANY)
def _swimmer(
    way: str,
    tail: tuple[int, int],
    head: tuple[int, int],
    owner: str | None,
    number: str,
    look: str,
    white: bool,
) -> Shape:
    (x, y), (to_x, to_y) = tail, head
    degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
    return Shape(
        f"fish-{way}",
        "figure",
        ((x + to_x) // 2, (y + to_y) // 2, degrees),
        look,
        number,
        says=_swims(way, owner, white),
        kin=f"fish-{'-'.join(sorted(way.split('-')))}",
    )


def _swims(way: str, owner: str | None, white: bool) -> Sentence:
    if owner is None and white:
        return say("{way}: a neutral fish, white side up.", way=[way])
    if owner is None:
        return say("{way}: a neutral fish, coloured side up.", way=[way])
    if white:
        return say("{way}: a fish of {owner:seat}, white side up.", way=[way], owner=owner)
    return say("{way}: a fish of {owner:seat}, coloured side up.", way=[way], owner=owner)


def _volcano(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    if not view["volcano"]:
        return
    site, by = view["volcano"]["site"], view["volcano"]["by"]
    x, y, *_ = berths.volcano(site, geography)
    yield Shape(
        f"volcano-{site}",
        "figure",
        (x, y, 0, berths.SMALL),
        "volcano",
        says=say("The volcano of {seat:seat} is on {site}.", seat=by, site=site),
        kin="volcano",
    )


def _pawns(view: Mapping[str, Any], geography: berths.Geography) -> Iterator[Shape]:
    taken = [berths.volcano(view["volcano"]["site"], geography)] if view["volcano"] else []
    for island, _ in geography.islands:
        if here := _there(view, island):
            lying = tuple(stunned for *_, stunned in here)
            cells, berth = berths.beside(island, lying, geography, tuple(taken))
            taken.append(berth)
            yield from _standing(view, island, here, cells, berth[:2])


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
    on = say("the Dolphin") if place == DOLPHIN else place
    for (seat, n, stunned), (x, y) in zip(here, cells.around(at, len(here)), strict=True):
        # The middle of a pawn is above its number, or beside it if the pawn lies.
        lift = 10 * cells.size // 100
        yield Shape(
            f"pawn-{seat}-{place}-{n + 1}",
            "figure",
            (x - lift, y, 90, cells.size) if stunned else (x, y + lift, 0, cells.size),
            f"pawn full {_hue(view, seat)}{' stunned' if stunned else ''}",
            _number(view, seat),
            says=say(
                "A pawn of {seat:seat} lies on {place} and loses its turn.", seat=seat, place=on
            )
            if stunned
            else say("On {places:all}: a pawn of {seat:seat}.", places=[on], seat=seat),
            kin=f"pawn-{seat}",
        )


# ------------------------------------------------------------------------------- beside the map


def _table(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    bag = Counted("One tile is in the bag.", "{n} tiles are in the bag.")
    yield Shape(
        "bag",
        "box",
        (12, top - 2, 98, 62),
        "card back",
        str(view["bag"]),
        say("in bag"),
        says=say(bag, n=view["bag"]),
    )
    drawn, last = view["volcanoes"], view["last_volcano"]
    yield Shape("volcanoes-sign", "figure", (142, top + 30, 0), "volcano")
    yield Shape(
        "volcanoes",
        "text",
        (176, top + 35),
        "strong",
        say("{drawn} of {last}", drawn=drawn, last=last),
        says=say("{drawn} of {last} volcanoes are drawn.", drawn=drawn, last=last),
    )
    yield Shape("dolphin-sign", "figure", (330, top + 22, 0), "dolphin inked")
    yield Shape("legend-dolphin", "text", (330, top + 53), "middle faint", say("dolphin"))
    here = _there(view, DOLPHIN)
    cells = berths.cells([stunned for *_, stunned in here])
    yield from _standing(view, DOLPHIN, here, cells, (432, top + 30))
    sides = [fish["up"] for fish in view["fish"].values()]
    if "colour" in sides:
        yield Shape("legend-fish", "figure", (522, top + 11, 0), "fish full grey")
        yield Shape("legend-fish-says", "text", (550, top + 18), "faint", say("coloured fish"))
    if "white" in sides:
        yield Shape("legend-white", "figure", (522, top + 44, 0), "fish full white")
        yield Shape("legend-white-says", "text", (550, top + 51), "faint", say("white side up"))


def _gods(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    for column, god in enumerate((*view["gods"], "kane")):
        left = 12 + (_COLUMN + 1) * column
        yield from _god_card(view, god, left, top)
        seats = view["seats"]
        for n, seat in enumerate(seats):
            at = left + 67 + (2 * n + 1 - len(seats)) * 31 // 2, top + 113
            yield from _temple(view, god, seat, at)


def _god_card(view: Mapping[str, Any], god: str, left: int, top: int) -> Iterator[Shape]:
    holder = view["gods"].get(god)
    if god in view["gods"]:
        yield Shape(f"god-{god}", "box", (left, top, _COLUMN - 4, 84), "card")
    yield Shape(f"sign-{god}", "figure", (left + 21, top + 24, 0, 140), f"{_EMBLEM[god]} tile")
    dark = " dark" * (god in view["gods"])
    yield Shape(f"legend-{god}", "text", (left + 42, top + 31), f"faint{dark}", god)
    if holder:
        yield Shape(
            f"holder-{god}",
            "disc",
            (left + 50, top + 61, 17),
            f"full {_hue(view, holder)}",
            _number(view, holder),
            says=say(
                "{seat:seat} has the gods card of {god}.", seat=holder, god=[god.capitalize()]
            ),
        )
    if guard := view.get("protections", {}).get(god):
        yield Shape(
            f"protection-{god}",
            "figure",
            (left + 98, top + 61, 0),
            f"shield full {_hue(view, guard)}",
            _number(view, guard),
            says=say(
                "{seat:seat} has the protection card of {god}.", seat=guard, god=[god.capitalize()]
            ),
        )


def _temple(view: Mapping[str, Any], god: str, seat: str, at: tuple[int, int]) -> Iterator[Shape]:
    """How high a seat has built for a god, if at all. The number tells it; all are drawn alike."""
    height = view["temples"][seat][god]
    if not height:
        return
    yield Shape(
        f"temple-{god}-{seat}",
        "figure",
        (*at, 0, 100),
        f"steps full bar {_hue(view, seat)}",
        str(height),
        _number(view, seat),
        says=say(
            "Temples of {seat:seat}: {heights:all} high.",
            seat=seat,
            heights=[f"{god.capitalize()} {height}"],
        ),
    )


def _player(view: Mapping[str, Any], seat: str, at: tuple[int, int], width: int) -> Iterator[Shape]:
    left, top = at
    points, hand = view["points"], view["hand"]
    look = f"full {_hue(view, seat)}"
    disc = Shape(f"seat-{seat}", "disc", (left + 36, top + 31, 20), look, _number(view, seat))
    so_far = say(Counted("{n} point", "{n} points"), n=points)
    if view["left"] is not None:
        so_far = say(Counted("{n} fish to lay", "{n} fish to lay"), n=view["left"])
    if width < _WIDTH and view["turn"] == seat and not view.get("ended"):
        so_far = say("{n}", n=points)  # there is no room for more
    back = (left + 4, top, width - 8, _PLAYER - 2)
    # Many tiles overlap.
    step = min(_TILE, (width - 76 - _NAME - _TILE) // max(1, len(hand) - 1))
    room = width - 76 - (_TILE + step * (len(hand) - 1) if hand else 0)
    yield from row.player(view, seat, back, disc, (left + 66, top + 27, room))
    yield Shape(
        f"score-{seat}",
        "text",
        (left + 66, top + 52, room),
        "faint",
        row.standing(view, seat, so_far),
        says=say(
            Counted(
                "{seat:seat} has {n} point and holds {tiles:all}.",
                "{seat:seat} has {n} points and holds {tiles:all}.",
            ),
            n=points,
            seat=seat,
            tiles=hand or [say("no offering")],
        ),
    )
    for tile, name, x in row.from_the_right(hand, left + width - 8 - _TILE + step, step):
        shown = _tile(f"offering-{seat}-{name}", tile, (x, top + 5, 47, 50))
        yield shown._replace(says=row.holds(seat, tile), told=True)
