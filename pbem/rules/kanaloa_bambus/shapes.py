"""The map of Kanaloa (Bambus) as shapes, and what lies beside it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, cycle
from typing import Any, Final, NamedTuple

from pbem.files import data
from pbem.rules import row
from pbem.rules.coast import between, outline
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import ISLAND, WIDTH, plan
from pbem.rules.kanaloa_bambus.tiles import TEMPLES
from pbem.rules.parts import MANY, Shapes, part
from pbem.rules.zones import with_ids
from pbem.sentence import Sentence, say
from pbem.shapes import Scene, Shape, around

_MARGIN, _TOP = 84, 72
_HEIGHT: Final = 1080
"""How high a board is that a phone held upright has room for."""
_SHORE, _LEGEND = 66, 138
"""How far the sea goes on below an island, and below one in a corner where the legend is."""
_CORNERS: Final = 260, 450
_OF_THREE: Final = 10
"""How many islands three players have."""
_TILE: Final = 54, 56
_TABLE, _HEAD, _LINE, _KEY = 384, 40, 46, 72
"""The width of the table of gods, the height of its head, of each line and of its key."""
_FIRST: Final = 138
"""Where the columns of that table begin, one for each seat."""
_BLOCK: Final = 92
"""The height of a player's name and offerings."""
_STANDS: Final = 96
"""The room needed beside offerings to say how their player stands; the row is filled anyway."""
_SLOTS: Final = (
    (100, ((16, -29),)),
    (100, ((-2, -29), (36, -29))),
    (80, ((-11, -25), (17, -25), (45, -25))),
    (64, ((-19, -23), (5, -23), (29, -23), (53, -23))),
    (56, tuple((x, y) for y in (-44, -20) for x in (-17, 6, 29, 52))),
)
"""Where pawns stand from the middle of their island, behind its offerings, and how large they are
in percent: one of them, two, three, four, and up to eight."""
_CRATER: Final = 18, -29
"""Where the volcano stands; there are no pawns then."""
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

Point = tuple[int, int]


class Current(NamedTuple):
    """A current as drawn, from shore to shore."""

    name: str
    ends: tuple[int, int, int, int]


class Geography(NamedTuple):
    """Where the islands of a map are, those in play, and the currents between them."""

    at: Mapping[str, Point]
    islands: tuple[str, ...]
    currents: tuple[Current, ...]
    absent: Shapes
    """With two players, the islands out of play that sea spaces are named after."""
    foot: int
    """Where the sea ends."""

    def __hash__(self) -> int:
        return id(self)


def scene(view: Mapping[str, Any]) -> Scene:
    """The map, the gods with everybody's temples, and each player's offerings."""
    own = view.get("map")
    seats = view["seats"]
    below = max(_HEAD + _LINE * len(TEMPLES) + _KEY, _BLOCK * len(seats)) + 4
    least = min(WIDTH, _HEIGHT - below)  # held across, a phone shows no more than that
    map = _geography(tuple(view["islands"]), json.dumps(own) if own else "", least)
    sea, high = map.foot, (below - 4) // len(seats)
    arrived = view["islands"].get(view.get("arrived")) and view["arrived"]
    fish = [*_fish(view, map)]
    shapes = (
        Shape("sea", "box", (0, 0, WIDTH, sea), "sea"),
        Shape("panel", "box", (0, sea, WIDTH, below), "panel"),
        *part(_currents, view, "fish", map),
        *_islands(view, map),
        *map.absent,
        *part(_sites, {"sites": row.about(view, "sites")}, "sites", map),
        *fish,
        # What stands behind offerings, and its halo, hides none of their gods.
        *part(_volcano, view, "volcano", map),
        *part(_pawns, view, "seats pawns stunned", map),
        *(
            shape
            for island in map.islands
            for shape in _lying(
                island, map.at[island], tuple(view["islands"][island]), island == arrived
            )
        ),
        *_turning(view, fish, map),
        *part(_legend, view, "bag volcanoes last_volcano seats pawns stunned", sea),
        *part(_table, view, "gods seats temples protections fish", sea),
    )
    rows = [
        part(
            _player,
            {
                **view,
                "mark": row.mark(view, seat),
                "hand": view["offerings"][seat],
                "left": view["supply"][seat] if "supply" in view else None,
                "points": view["scores"][seat],
            },
            "seats mark ended hand left points",
            seat,
            sea + 2 + high * n,
            high,
        )
        for n, seat in enumerate(row.nearest(view, seats))
    ]
    # No filled row hides the halo of what lies in the row above.
    lies = sorted(chain(*rows), key=lambda shape: not shape.id.startswith("turn-"))
    return Scene(WIDTH, sea + below, (*shapes, *lies))


@lru_cache(64)
def _geography(islands: tuple[str, ...], own: str, sea: int) -> Geography:
    """Where everything is: as the map says, or else as in ASCII, stretched until those in play fill
    a sea of at least this height and none touch."""
    chart = json.loads(own) if own else plan(data.game_file(DATA, "board"))
    two = chart.get("two") if len(islands) < _OF_THREE else None
    at = _spread(two or chart.get("svg") or chart["islands"], islands, sea)
    shown = [at[island] for island in islands]
    foot = max(sea, *(y + _below(x) for x, y in shown))
    coasts = dict(zip(islands, cycle(_COASTS), strict=False))
    currents = (
        Current(name, between((*at[a], coasts[a]), (*at[b], coasts[b]), ISLAND, 8))
        for name in chart["currents"]
        for a, b in [name.split("-")]
        if a in coasts and b in coasts
    )
    joined = Counter(
        out
        for name in chart["currents"]
        for a, b in [name.split("-")]
        for out, end in ((a, b), (b, a))
        if out not in coasts and end in coasts
    )
    absent = tuple(
        Shape(
            f"absent-{island}", "disc", (*_kept(at[island], foot - 66), 22), "absent onsea", island
        )
        for island, ways in joined.items()
        if two and ways > 1
    )
    return Geography(at, islands, tuple(currents), absent, foot)


def _below(x: int) -> int:
    """How far the sea goes on below an island."""
    return _SHORE if _CORNERS[0] < x < _CORNERS[1] else _LEGEND


def _spread(
    places: Mapping[str, list[int]], islands: tuple[str, ...], sea: int
) -> dict[str, Point]:
    """The islands of a map, so that those in play fill a sea of this height, and none touch."""
    there = [places[island] for island in islands]
    left, right = min(x for x, _ in there), max(x for x, _ in there)
    top = min(y for _, y in there)
    across = (WIDTH - 2 * _MARGIN) / (right - left)
    from_left = {i: _MARGIN + round((x - left) * across) for i, (x, _) in places.items()}
    rooms = ((sea - _TOP - _below(from_left[i]), places[i][1] - top) for i in islands)
    down = max(min(room / far for room, far in rooms if far), _apart(there, across))
    return {i: (from_left[i], _TOP + round((y - top) * down)) for i, (_, y) in places.items()}


def _apart(places: list[list[int]], across: float) -> float:
    """How much a map must be stretched down, if so much across, so that no islands touch."""
    wide, high = (2 * half + 10 for half in ISLAND)
    return max(
        (
            high / abs(y - other_y)
            for (x, y), (other_x, other_y) in combinations(places, 2)
            if y != other_y and abs(x - other_x) * across < wide
        ),
        default=0,
    )


def _hue(view: Mapping[str, Any], seat: str | None) -> str:
    return "grey" if seat is None else row.hues(tuple(view["seats"]), _HUES)[seat]


# ----------------------------------------------------------------------------------- the map


def _currents(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    """The currents from shore to shore: those with fish as one shape, the others one by one."""
    taken = {frozenset(way.split("-")) for way in view["fish"]}
    busy: list[int] = []
    for name, ends in map.currents:
        if frozenset(name.split("-")) in taken:
            busy.extend(ends)
            continue
        ways = (name, "-".join(reversed(name.split("-"))))
        lays = (f"{lay} {way}{side}" for lay, side in _LAYS for way in ways)
        yield Shape(f"current-{name}", "line", ends, "way", moves=tuple(lays))
    if busy:
        yield Shape("currents", "lines", tuple(busy), "way")


_LAYS: Final = ("fish", " *"), ("neutral", "")


def _islands(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    site = view["volcano"]["site"] if view["volcano"] else ""
    for n, island in enumerate(map.islands):
        yield _island(island, map.at[island], n, island in site)


@lru_cache(MANY)
def _island(island: str, at: Point, n: int, shut: bool) -> Shape:
    says = say("The volcano lets nobody enter {island}.", island=island) if shut else None
    look = f"island atoll {('meadow', 'grove')[n % 2]} coast{' shut' * shut}"
    coast = outline(*at, _COASTS[n % len(_COASTS)], ISLAND)
    comes = ("move *-", "land ", "pawn ", "second ", "volcano ", "dolphin ", "withdraw ")
    moves = tuple(f"{come}{island}" for come in comes)
    name = f"island-{island}"
    return Shape(name, "polygon", coast, look, island, says=says, moves=moves)


def _sites(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    """The sea spaces on which the volcano may be put, while that is asked."""
    for site in view["sites"]:
        if len(site) > 1:
            place = (*_space(site, map), 32)
            moves = (f"volcano {site}",)
            yield Shape(f"site-{site}", "disc", place, "site onsea", site, moves=moves)


def _space(site: str, map: Geography) -> Point:
    """The middle of a sea space; an island around it may be out of play, and off the board."""
    around = [map.at[island] for island in site]
    x, y = (sum(axis) // len(around) for axis in zip(*around, strict=True))
    return _kept((x, y), map.foot)


def _kept(at: Point, foot: int) -> Point:
    """A point, or the one next to it that is well within a sea that ends at its `foot`."""
    return min(max(at[0], 30), WIDTH - 30), min(max(at[1], 30), foot - 30)


@lru_cache(MANY)
def _lying(island: str, at: Point, lying: tuple[str, ...], arrived: bool) -> Shapes:
    (x, y), tiles, shapes = at, list(with_ids(lying)), []
    wide, high = _TILE
    for n, (tile, name) in enumerate(tiles):
        # One that is alone leaves the place of the other free.
        place = x + (wide + 1) * n - (wide + 1) * max(2, len(tiles)) // 2, y - 11, wide, high
        says = say("{island} has {tile}.", island=island, tile=[tile])
        swaps = f"swap {island}:{tile} *", f"swap * {island}:{tile}"
        moves = (*swaps, f"take {tile}", f"give {tile}") if arrived else swaps
        shown = _tile(f"tile-{island}-{name}", tile, place)
        shapes.append(shown._replace(says=says, moves=moves, name=f"{island}:{tile}"))
    return tuple(shapes)


def _tile(id: str, tile: str, place: tuple[int, int, int, int]) -> Shape:
    """An offering: the emblems of its gods, and its value."""
    look = " ".join(("tile", *(_EMBLEM[god] for god in tile[:-1].split("/"))))
    return Shape(id, "box", place, look, tile[-1])


def _fish(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    ways = {frozenset(name.split("-")): (name, ends) for name, ends in map.currents}
    own = {seat: (row.number(view, seat), _hue(view, seat)) for seat in (*view["seats"], None)}
    for way, about in view["fish"].items():
        owner, white = about["of"], about["up"] == "white"
        number, hue = own[owner]
        look = f"fish {'pale' if white else 'full'} {hue}"
        there = ways[frozenset(way.split("-"))]
        yield _swimmer(way, *there, owner, number, look, white)


def _turning(view: Mapping[str, Any], swimming: Iterable[Shape], map: Geography) -> Iterator[Shape]:
    """How a fish would lie once it is turned: whole, beside it where there is room, with an arrow
    to there."""
    announced = view.get("announced") or {"fish": ""}
    fish = next((each for each in swimming if each.id == f"fish-{announced['fish']}"), None)
    if fish is None:
        return
    x, y, degrees = fish.place
    ways = ((far, turn) for far in (68, 76, 84) for turn in range(0, 360, 15))
    far, turn = max(ways, key=lambda way: _clear(around(x, y, *way), fish, swimming, map))
    at = around(x, y, far // 2 + 6, turn)
    yield Shape("turning", "figure", (*at, turn), "arrow ask")
    kind, side, hue = fish.look.split()
    if announced["how"] == "reverse":
        degrees += 180
    else:
        side = "full" if side == "pale" else "pale"
    place = *around(x, y, far, turn), degrees
    yield Shape("would-turn", "figure", place, f"{kind} {side} {hue} would", fish.label)


def _clear(at: Point, fish: Shape, swimming: Iterable[Shape], map: Geography) -> float:
    """How far a point is from what is on the map besides a fish: 1 where it would hide nothing."""
    wide, high = (half + 20 for half in ISLAND)
    near = [math.dist(at, each.place[:2]) / 44 for each in swimming if each is not fish]
    shores = [map.at[island] for island in map.islands]
    near += [math.hypot((at[0] - a) / wide, (at[1] - b) / high) for a, b in shores]
    return min(1, *near) if _kept(at, map.foot - 130) == at else 0  # below is the legend


@lru_cache(MANY)
def _swimmer(
    way: str,
    current: str,
    ends: tuple[int, int, int, int],
    owner: str | None,
    number: str,
    look: str,
    white: bool,
) -> Shape:
    x, y, to_x, to_y = ends if way == current else (*ends[2:], *ends[:2])
    degrees = round(math.degrees(math.atan2(to_y - y, to_x - x)))
    verbs = ("move", "free", "flip", "reverse")
    place, says = ((x + to_x) // 2, (y + to_y) // 2, degrees), _swims(way, owner, white)
    kin = f"fish-{'-'.join(sorted(way.split('-')))}"
    moves = tuple(f"{verb} {way}" for verb in verbs)
    return Shape(f"fish-{way}", "figure", place, look, number, says=says, kin=kin, moves=moves)


def _swims(way: str, owner: str | None, white: bool) -> Sentence:
    if owner is None and white:
        return say("{way}: a neutral fish, white side up.", way=[way])
    if owner is None:
        return say("{way}: a neutral fish, coloured side up.", way=[way])
    if white:
        return say("{way}: a fish of {owner:seat}, white side up.", way=[way], owner=owner)
    return say("{way}: a fish of {owner:seat}, coloured side up.", way=[way], owner=owner)


def _volcano(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    if not view["volcano"]:
        return
    site, by = view["volcano"]["site"], view["volcano"]["by"]
    x, y = _space(site, map)
    if len(site) == 1:
        x, y = x + _CRATER[0], y + _CRATER[1]
    says = say("The volcano of {seat:seat} is on {site}.", seat=by, site=site)
    yield Shape(f"volcano-{site}", "figure", (x, y, 0, 90), "volcano", says=says, kin="volcano")


def _pawns(view: Mapping[str, Any], map: Geography) -> Iterator[Shape]:
    for island in map.islands:
        yield from _standing(view, island, map.at[island])


def _standing(view: Mapping[str, Any], place: str, at: Point) -> Iterator[Shape]:
    """The pawns in a place, each in its slot."""
    here = [
        (seat, n, n < view["stunned"][seat].count(place))
        for seat in view["seats"]
        for n in range(view["pawns"][seat].count(place))
    ]
    on = say("the Dolphin") if place == DOLPHIN else place
    crowd = len(here) > 1 and any(stunned for *_, stunned in here)
    needed = min(len(here) + crowd, len(_SLOTS[-1][1]))
    size, slots = next(each for each in _SLOTS if len(each[1]) >= needed)
    size = min(size, 50) if crowd else size  # those that lie need more room
    for (seat, n, stunned), (across, down) in zip(here, slots, strict=False):
        x, y = at[0] + across, at[1] + down
        there = (x, y, 0, size)
        says = say("On {places:all}: a pawn of {seat:seat}.", places=[on], seat=seat)
        if stunned:
            there = (x - size // 16, y - 2, 90, size)
            says = say(
                "A pawn of {seat:seat} lies on {place} and loses its turn.", seat=seat, place=on
            )
        look = f"pawn full {_hue(view, seat)}{' stunned' * stunned}"
        name, kin = f"pawn-{seat}-{place}-{n + 1}", f"pawn-{seat}"
        shown = Shape(name, "figure", there, look, row.number(view, seat), says=says, kin=kin)
        yield shown._replace(moves=_sails(seat, place))


def _sails(seat: str, place: str) -> tuple[str, ...]:
    leaves = ("land *",) if place == DOLPHIN else (f"move {place}-*", f"dolphin {place}")
    return tuple(f"{seat}: {move}" for move in (*leaves, f"withdraw {place}"))


# ------------------------------------------------------------------------------- beside the map


def _legend(view: Mapping[str, Any], foot: int) -> Iterator[Shape]:
    """What lies in the corners of the sea."""
    bag = "[One tile is|{n} tiles are] in the bag."
    place = 10, foot - 70, 92, 62
    yield Shape("legend-bag", "box", place, "card", str(view["bag"]), say("in bag"))
    drawn, last = view["volcanoes"], view["last_volcano"]
    number = say("{drawn} of {last}", drawn=drawn, last=last)
    says = say("{drawn} of {last} volcanoes are drawn.", drawn=drawn, last=last)
    yield Shape("legend-volcano", "figure", (160, foot - 48, 0), "volcano")
    # A text that only says something is no news each time a tile is drawn.
    yield Shape("bag-says", "text", place[:2], "", says=say(bag, n=view["bag"]))
    at = 160, foot - 10
    yield Shape("legend-volcanoes", "text", at, "onsea strong middle", number, says=says)
    yield Shape("legend-dolphin", "figure", (572, foot - 44, 0, 150), "dolphin onsea")
    yield Shape("legend-dolphin-says", "text", (572, foot - 9), "middle onsea", say("dolphin"))
    yield from _standing(view, DOLPHIN, (640, foot - 18))


def _table(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    """The gods one below the other, and for each seat its temple and its cards."""
    seats = view["seats"]
    wide = (_TABLE - 12 - _FIRST) // max(3, len(seats))
    columns = {seat: _FIRST + wide * n + wide // 2 for n, seat in enumerate(seats)}
    rules: list[int] = []
    for seat, x in columns.items():
        look = f"full {_hue(view, seat)}"
        yield Shape(f"column-{seat}", "disc", (x, top + 22, 16), look, row.number(view, seat))
    yield from _key(view, top)
    for n, god in enumerate(TEMPLES):
        y = top + _HEAD + _LINE * n + _LINE // 2
        rules += [14, y - _LINE // 2, _TABLE - 12, y - _LINE // 2]
        yield Shape(f"sign-{god}", "figure", (28, y, 0, 125), f"{_EMBLEM[god]} tile")
        yield Shape(f"legend-{god}", "text", (48, y + 8), "", god)
        for seat, x in columns.items():
            yield from _cell(view, god, seat, (x, y))
    foot = top + _HEAD + _LINE * len(TEMPLES)
    yield Shape("rules", "lines", (*rules, 14, foot, _TABLE - 12, foot), "rule")


def _key(view: Mapping[str, Any], top: int) -> Iterator[Shape]:
    """What the signs in the table mean, and a fish that swims on its back."""
    foot = top + _HEAD + _LINE * len(TEMPLES)
    yield Shape("legend-temple", "figure", (28, top + 22, 0, 75), "steps full white")
    yield Shape("legend-temple-says", "text", (48, top + 30), "faint", say("temple"))
    yield Shape("legend-card", "box", (14, foot + 4, 28, 27), "card")
    yield Shape("legend-card-says", "text", (48, foot + 26), "faint", say("gods card"))
    yield Shape("legend-shield", "figure", (212, foot + 18, 0, 62), "shield full white")
    yield Shape("legend-shield-says", "text", (232, foot + 26), "faint", say("protection"))
    if "white" in (fish["up"] for fish in view["fish"].values()):
        look = f"fish pale {_hue(view, view['seats'][0])}"
        yield Shape("legend-white", "figure", (37, foot + 50, 0), look)
        yield Shape("legend-white-says", "text", (66, foot + 58), "faint", say("white side up"))


def _cell(view: Mapping[str, Any], god: str, seat: str, at: Point) -> Iterator[Shape]:
    """What a seat has of a god: the gods card, the protection card, and how high it has built."""
    (x, y), called = at, [god.capitalize()]
    shielded = view.get("protections", {}).get(god) == seat
    holds = view["gods"].get(god) == seat
    if holds:
        says = say("{seat:seat} has the gods card of {god}.", seat=seat, god=called)
        place = (x - 28, y - 21, 56, 42)
        yield Shape(f"holder-{god}", "box", place, "card", says=says)
    if height := view["temples"][seat][god]:
        built = [f"{god.capitalize()} {height}"]
        says = say("Temples of {seat:seat}: {heights:all} high.", seat=seat, heights=built)
        look = f"steps full bar {_hue(view, seat)}"
        yield Shape(f"temple-{god}-{seat}", "figure", (x, y, 0), look, str(height), says=says)
    elif holds:
        yield Shape(f"card-{god}", "figure", (x, y, 0), f"{_EMBLEM[god]} tile")
    if shielded:
        says = say("{seat:seat} has the protection card of {god}.", seat=seat, god=called)
        look = f"shield full {_hue(view, seat)}"
        yield Shape(f"protection-{god}", "figure", (x - 22, y + 10, 0, 42), look, says=says)


def _player(view: Mapping[str, Any], seat: str, top: int, high: int) -> Iterator[Shape]:
    hand, left, right = view["hand"], _TABLE + 4, WIDTH - 12
    back = left, top + 1, right - left + 6, high - 3
    top += (high - _BLOCK) // 2
    disc = (left + 21, top + 20, 15)
    shown = Shape(f"seat-{seat}", "disc", disc, f"full {_hue(view, seat)}", row.number(view, seat))
    x, room = left + 42, right - left - 42
    # Many tiles overlap.
    step = min(_TILE[0] + 4, (room - _TILE[0]) // max(1, len(hand) - 1))
    free = room - (_TILE[0] + step * (len(hand) - 1) + 6 if hand else 0)
    to_lay = "{n} [fish|fish] to lay"
    so_far = None if view["left"] is None else say(to_lay, n=view["left"])
    stands = row.standing(view, seat, so_far)
    points = view["points"]
    scored = say("{n} [point|points]", n=points)
    has = "{seat:seat} has {n} [point|points] and holds {tiles:all}."
    says = say(has, n=points, seat=seat, tiles=hand or [say("no offering")])
    yield Shape(f"score-{seat}", "text", (right, top + 25), "end", scored, says=says)
    name = x, top + 25, room - 109
    lies = row.from_the_right(hand, right - _TILE[0] + step, step)
    tiles = _offerings(seat, lies, top + _BLOCK - _TILE[1] - 2)
    yield from row.player(view, seat, back, shown, name, tiles)
    if stands:
        place = x, top + 60, free if free >= _STANDS else 0
        yield Shape(f"standing-{seat}", "text", place, "faint", stands)


def _offerings(seat: str, hand: Iterable[tuple[str, str, int]], y: int) -> Iterator[Shape]:
    for tile, called, x in hand:
        tile_here = _tile(f"offering-{seat}-{called}", tile, (x, y, *_TILE))
        moves = (f"{seat}: sacrifice * {tile} *", f"rob {seat} {tile}")
        says = row.holds(seat, tile)
        yield tile_here._replace(says=says, told=True, moves=moves, name=tile)
