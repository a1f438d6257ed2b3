"""What a position of Kanaloa (Bambus) looks like, and how to set one up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from pbem import views
from pbem.core import FLAG, NUMBER, Domain, Setup
from pbem.problem import BadFile
from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.board import DOLPHIN, SIDES
from pbem.rules.kanaloa_bambus.chart import bits
from pbem.rules.kanaloa_bambus.effects import scores
from pbem.rules.kanaloa_bambus.start import at_first, fish_of_each, start
from pbem.rules.kanaloa_bambus.state import NOBODY, Stage, State, Volcano, laid, volcanoes_in_bag
from pbem.rules.kanaloa_bambus.tiles import GODS, TEMPLES, Tile
from pbem.views import listed

_SET_UP: Final = ("neutral", "fish", "pawn")


def _fresh(setup: Setup) -> State:
    """A fresh match at the start of a turn, to which nothing is owed."""
    return start(setup)._replace(stage="start", owed=())


def _settled(s: State, given: Mapping[str, Any]) -> State:
    """If no `turn` is given, it is that of the holder of Ku; an island that is not listed gets the
    first two tiles, alphabetically, that are nowhere else; the bag has what is left. A smaller bag
    means that tiles have left the game unseen. Raises Problem."""
    if not s.world.protected and any(seat != NOBODY for seat in s.guards):
        raise BadFile("only four players use protection cards; leave `protections` out")
    for seat, there, fallen in zip(s.world.seats, s.pawns, s.stunned, strict=True):
        if Counter(fallen) - Counter(there):
            raise BadFile(
                "{seat:seat} has at most two pawns, and only those can be stunned", seat=seat
            )
    if s.stage == "start" and laid(s) != s.world.chart.every:
        raise BadFile("not every current carries a fish; add them, or choose setup: basic")
    if s.stage == "arrived" and s.arrived == NOBODY:
        raise BadFile("at this stage `arrived` must say on which island")
    return _counted(s if "turn" in given else at_first(s), given)


def _counted(s: State, given: Mapping[str, Any]) -> State:
    """The position with the tiles nobody has seen. Raises Problem if they do not add up."""
    box = s.world.box
    left = Counter(dict(zip(box.kinds, box.copies, strict=True)))
    left.subtract(_located(s))
    for tile, gone in given.get("gone", {}).items():
        left[views.require_one_of(tile, box.kinds)] -= gone
    for tile, remaining in left.items():
        if remaining < 0:
            raise BadFile("there are not that many {tile} in the game", tile=tile)
    dealing = s.owed and s.stage in _SET_UP
    tiles = s.tiles if dealing else _filled(s, left, given.get("islands", {}))
    unseen = tuple(left[kind] for kind in box.kinds)
    aside = given.get("set_aside", box.aside)
    if aside not in (0, box.aside):
        raise BadFile(
            "{said!r} tiles cannot be set aside; write {aside} or 0", said=aside, aside=box.aside
        )
    s = s._replace(tiles=tiles, unseen=unseen, aside=aside)
    most = sum(unseen) + box.last - s.volcanoes - aside
    bag = given.get("bag", most - box.left_out)
    if not volcanoes_in_bag(s) <= bag <= most or (aside and bag < 1):
        raise BadFile("a bag cannot hold {bag!r} tiles; {most} are left", bag=bag, most=most)
    return s._replace(bag=bag)


def _filled(
    s: State, left: Counter[Tile], listed: Mapping[str, Any]
) -> tuple[tuple[Tile, ...], ...]:
    """The tiles of the islands: those not listed get two offerings that are nowhere else."""
    rows = list(s.tiles)
    for n, island in enumerate(s.world.chart.islands):
        if island not in listed and island not in s.owed:
            rows[n] = tuple(sorted(+left)[:2])
            left.subtract(rows[n])
    return tuple(rows)


# ------------------------------------------------------------------------------------ the domains


def _seats(s: State) -> Sequence[str]:
    return s.world.seats


def _islands(s: State) -> Sequence[str]:
    return s.world.chart.islands


def _places(s: State) -> Sequence[str]:
    return *s.world.chart.islands, DOLPHIN


def _current(s: State, way: str) -> tuple[int, bool]:
    known = s.world.chart.current
    return known[views.require_one_of(way, known)]


def _or_nobody(of: Domain, schema: Mapping[str, Any]) -> Domain:
    """A seat or an island, or none."""
    return views.seen(
        schema,
        lambda n, s: None if n == NOBODY else of.shown(n, s),
        lambda plain, s, fresh: NOBODY if plain is None else of.read(plain, s, fresh),
    )


def _set(of: Domain) -> Domain:
    """A set, which states keep as bits."""
    return views.seen(
        {"type": "array", "items": of.schema},
        lambda some, s: [of.shown(n, s) for n in bits(some)] if some else [],
        lambda plain, s, fresh: sum({1 << of.read(each, s, None) for each in plain}),
    )


def _fish(s: State) -> dict[str, dict[str, Any]]:
    """Each fish from tail to head: whose it is (nobody: neutral) and which side is up."""
    owners = (*s.world.seats, None)
    whose = {n: owner for owner, fish in zip(owners, s.fish, strict=True) for n in bits(fish)}
    found = {
        s.world.chart.way(n, s.forward): {"of": owner, "up": SIDES[s.white >> n & 1]}
        for n, owner in whose.items()
    }
    return dict(sorted(found.items()))


def _located(s: State) -> Counter[Tile]:
    return Counter(tile for zone in (*s.tiles, *s.hands) for tile in zone)


def _gone(s: State) -> Counter[Tile]:
    """The offerings that have left the game."""
    box, located = s.world.box, _located(s)
    rows = zip(box.kinds, box.copies, s.unseen, strict=True)
    gone = Counter({kind: copies - left - located[kind] for kind, copies, left in rows})
    return +gone


def _supply(s: State) -> dict[str, int] | None:
    if s.stage != "fish":
        return None
    left = (fish_of_each(s) - fish.bit_count() for fish in s.fish[:-1])
    return dict(zip(s.world.seats, left, strict=True))


def _read_fish(given: Mapping[str, Any], s: State, fresh: State) -> State:
    """The fish that are given replace those of the printed set-up, current by current."""
    fish, forward, white = list(s.fish), s.forward, s.white
    for way, about in given.items():
        current, ahead = _current(s, way)
        bit = 1 << current
        of = len(s.world.seats) if about["of"] is None else _SEAT.read(about["of"], s, None)
        fish = [n & ~bit for n in fish]
        fish[of] |= bit
        forward = forward | bit if ahead else forward & ~bit
        white = white | bit if about["up"] == "white" else white & ~bit
    return s._replace(fish=tuple(fish), forward=forward, white=white)


def _read_volcanoes(plain: int, s: State, fresh: int) -> int:
    if plain > s.world.box.last:
        raise BadFile(
            "{count!r} volcanoes cannot have been drawn; write a number from 0 to {last}",
            last=s.world.box.last,
            count=plain,
        )
    return plain


def _volcano(volcano: Volcano | None, s: State) -> dict[str, Any] | None:
    return volcano and {
        "site": volcano.site,
        "by": s.world.seats[volcano.by],
        "turns": volcano.turns,
    }


def _read_volcano(about: Any, s: State, fresh: None) -> Volcano | None:
    if not about:
        return None
    chart, two = s.world.chart, s.world.players == 2
    site = views.require_one_of(about["site"], chart.seas if two else chart.islands)
    islands = chart.seas[site] if two else 1 << chart.number[site]
    return Volcano(site, _SEAT.read(about["by"], s, None), about.get("turns", 1), islands)


_DEFINED: Final = views.Definitions()
_SEAT: Final = _DEFINED("seat", views.numbered(_seats, views.text("^[a-z][a-z0-9_-]*$")))
_ISLAND: Final = _DEFINED("island", views.numbered(_places, views.text("^[A-Z]$")))
_PLACE: Final = _ISLAND._replace(schema=views.text("^([A-Z]|dolphin)$"))
_WAY: Final = _DEFINED(
    "way",
    views.seen(
        views.text("^[A-Z]-[A-Z]$"),
        lambda n, s: s.world.chart.way(n, s.forward),
        lambda plain, s, fresh: _current(s, plain)[0],
    ),
)
_TILE: Final = _DEFINED(
    "tile",
    views.seen(
        views.text("^[a-z]+(/[a-z]+)?[1-9]$"),
        read=lambda plain, s, fresh: views.require_one_of(plain, s.world.box.kinds),
    ),
)
_TILES: Final = _DEFINED("tiles", views.unordered(_TILE))
_COUNT: Final = _DEFINED("count", views.number())
_COUNTS: Final = views.seen({"type": "object", "additionalProperties": _COUNT.schema})
_PAWNS: Final = _DEFINED("places", views.in_order(_seats, views.unordered(_PLACE, maxItems=2)))
_OWNER: Final = _or_nobody(_SEAT, {"type": ["string", "null"]})
_CARDS: Final = _DEFINED(
    "cards",
    views.in_order(lambda s: GODS, _OWNER)._replace(
        schema=views.exactly(dict.fromkeys(GODS, _OWNER.schema))
    ),
)
_HEIGHTS: Final = views.in_order(lambda s: TEMPLES, _COUNT)._replace(
    schema=views.exactly(dict.fromkeys(TEMPLES, _COUNT.schema))
)
_OWED: Final = views.seen(
    {"type": "string"},
    read=lambda plain, s, fresh: views.require_one_of(plain, (*_islands(s), *_seats(s))),
)
_SPOTS: Final = _DEFINED(
    "spots", views.seen(views.mapping(_ISLAND, listed(NUMBER, minItems=2, maxItems=2)))
).schema
_MAP: Final = views.exactly(
    {
        "columns": NUMBER.schema,
        "rows": NUMBER.schema,
        "islands": _SPOTS,
        "svg": {"description": "On the drawn board.", **_SPOTS},
        "two": {"description": "There, with two players.", **_SPOTS},
        "currents": listed(_WAY).schema,
    }
) | {"required": ["columns", "rows", "islands", "currents"]}

# -------------------------------------------------------------------------------- the declaration


_KEYS: Final[Mapping[str, Domain | views.Key]] = {
    "game": views.constant("kanaloa-bambus"),
    "seats": views.Key(
        views.fixed(listed(_SEAT, minItems=2, maxItems=4)), "In clockwise order.", "world.seats"
    ),
    "turn": _SEAT,
    "stage": views.Key(
        views.seen({"enum": [*get_args(Stage)]}),
        "Laying neutral fish, fish or pawns; the start of a turn, an arrival, the end of a turn; "
        "placing the volcano.",
    ),
    "fish": views.Key(
        views.seen(
            views.mapping(
                _WAY,
                views.seen(
                    views.exactly({"of": _OWNER.schema, "up": {"enum": ["white", "colour"]}})
                ),
            ),
            lambda s, _: _fish(s),
            _read_fish,
        ),
        "Each fish from tail to head: whose it is (null: nobody's) and which side is up.",
        at="",
    ),
    "islands": views.Key(
        views.in_order(_islands, _TILES)._replace(schema=views.mapping(_ISLAND, _TILES)),
        "The islands in play and the offerings on them.",
        "tiles",
    ),
    "offerings": views.Key(
        views.in_order(_seats, _TILES), "The offerings of each player, open to all.", "hands"
    ),
    "temples": views.Key(views.in_order(_seats, _HEIGHTS), "How high each player's temples are."),
    "scores": views.follows(_COUNTS, scores, "What everybody would score if the game ended now."),
    "gods": views.Key(_CARDS, "Who holds each gods card."),
    "pawns": views.Key(_PAWNS, "Where each player's pawns are."),
    "stunned": views.Key(_PAWNS, "Where those of them are that lose their turn to the volcano."),
    "volcano": views.Key(
        views.seen(
            {
                "type": ["object", "null"],
                "required": ["site", "by", "turns"],
                "additionalProperties": False,
                "properties": {
                    "site": views.text("^[A-Z]{1,6}$"),
                    "by": _SEAT.schema,
                    "turns": views.number(1, 2).schema,
                },
            },
            _volcano,
            _read_volcano,
        ),
        "The volcano on the map: its island or, with two players, sea space; who placed it; which "
        "turn of that player it is or was last (1: that of the eruption).",
    ),
    "volcanoes": views.Key(_COUNT._replace(read=_read_volcanoes), "Volcanoes drawn so far."),
    "last_volcano": views.follows(
        _COUNT, lambda s: s.world.box.last, "With this one the game is over."
    ),
    "bag": views.Key(_COUNT, "Tiles in the bag."),
    "set_aside": views.Key(
        _COUNT, "Tiles set aside that go into the bag when it is empty.", "aside"
    ),
    "gone": views.Key(
        views.seen(
            views.mapping(_TILE, views.number(1)),
            lambda s, _: dict(sorted(_gone(s).items())),
            lambda plain, s, fresh: s,
        ),
        "The offerings that have left the game.",
        at="",
    ),
    "protections": views.if_any(
        _CARDS._replace(
            shown=lambda guards, s: _CARDS.shown(guards, s) if s.world.protected else None
        ),
        "Four players: who holds each protection card.",
        "guards",
    ),
    "supply": views.follows(
        _COUNTS,
        lambda s: _supply(s),
        "While fish are laid: how many each player has left.",
        optional=True,
    ),
    "owed": views.if_any(
        listed(_OWED),
        "To which islands an offering is yet to come, and to which seats a gods card.",
    ),
    "erupting": views.if_any(
        _or_nobody(_SEAT, _SEAT.schema), "Whose turn it is once the island has its offering."
    ),
    "arrived": views.if_any(
        _or_nobody(_ISLAND, _ISLAND.schema), "The island on which a pawn has just arrived."
    ),
    "spent": views.if_any(
        _set(_SEAT),
        "Whose second pawn has been withdrawn and does not come back (option second_again).",
    ),
    "landing": views.if_any(FLAG, "It came by Dolphin."),
    "met": views.if_any(FLAG, "Ku's robbery there is settled."),
    "used": views.if_any(FLAG, "The gods action of this turn is used."),
    "barred": views.if_any(_set(_WAY), "Fish that may not be announced again this turn."),
    "announced": views.if_any(
        views.seen(
            views.exactly({"fish": _WAY.schema, "how": {"enum": ["flip", "reverse"]}}),
            lambda announced, s: announced and {"fish": announced[0], "how": announced[1]},
            lambda plain, s, fresh: (plain["fish"], plain["how"]),
        ),
        "The fish Kanaloa wants to turn, and how.",
    ),
    "map": views.follows(
        views.seen(_MAP),
        lambda s: s.world.plan,
        "How to draw the map, if it is not the one that comes with the game.",
        optional=True,
    ),
    "ended": views.if_any(
        views.seen(
            views.exactly({"winners": listed(_SEAT).schema, "why": {"type": "string"}}),
            lambda ended, s: ended and {"winners": list(ended.winners), "why": ended.why},
            lambda plain, s, fresh: events.Ended(tuple(plain["winners"]), plain["why"]),
        ),
        "How the match ended.",
    ),
}

view, position, SCHEMA = views.declared(
    _fresh,
    _KEYS,
    _settled,
    definitions=_DEFINED,
    says="Everything is open to everybody; of the bag only the number of tiles can be known.",
)
