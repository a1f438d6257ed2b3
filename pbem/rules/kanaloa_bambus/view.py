"""What a position of Kanaloa (Bambus) looks like, and how to set one up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from pbem.core import Seat, Setup
from pbem.problem import BadFile
from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.board import DOLPHIN, SIDES
from pbem.rules.kanaloa_bambus.chart import bits
from pbem.rules.kanaloa_bambus.effects import scores
from pbem.rules.kanaloa_bambus.start import at_first, fish_of_each, start
from pbem.rules.kanaloa_bambus.state import NOBODY, Stage, State, Volcano, laid, volcanoes_in_bag
from pbem.rules.kanaloa_bambus.tiles import GODS, TEMPLES, Tile

_SET_UP: Final = ("neutral", "fish", "pawn")
_KEYS: Final = (
    "game",
    "seats",
    "turn",
    "stage",
    "fish",
    "islands",
    "offerings",
    "temples",
    "scores",
    "gods",
    "protections",
    "pawns",
    "stunned",
    "volcano",
    "volcanoes",
    "last_volcano",
    "bag",
    "set_aside",
    "gone",
    "owed",
    "erupting",
    "arrived",
    "spent",
    "landing",
    "met",
    "used",
    "barred",
    "announced",
    "supply",
    "ended",
    "map",
)


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kanaloa-bambus.schema.json."""
    world, chart = s.world, s.world.chart
    places = (*chart.islands, DOLPHIN)
    shown: dict[str, Any] = {
        "game": "kanaloa-bambus",
        "seats": list(world.seats),
        "turn": world.seats[s.turn],
        "stage": s.stage,
        "fish": _fish(s),
        "islands": {i: list(tiles) for i, tiles in zip(chart.islands, s.tiles, strict=True)},
        "offerings": _by_seat(s, [list(hand) for hand in s.hands]),
        "temples": _by_seat(s, [dict(zip(TEMPLES, t, strict=True)) for t in s.temples]),
        "scores": scores(s),
        "gods": {god: _name(s, seat) for god, seat in zip(GODS, s.gods, strict=True)},
        "pawns": _by_seat(s, [[places[p] for p in pawns] for pawns in s.pawns]),
        "stunned": _by_seat(s, [[places[p] for p in pawns] for pawns in s.stunned]),
        "volcano": s.volcano
        and {"site": s.volcano.site, "by": world.seats[s.volcano.by], "turns": s.volcano.turns},
        "volcanoes": s.volcanoes,
        "last_volcano": world.box.last,
        "bag": s.bag,
        "set_aside": s.aside,
        "gone": dict(sorted(_gone(s).items())),
    }
    if world.protected:
        shown["protections"] = {
            god: _name(s, seat) for god, seat in zip(GODS, s.guards, strict=True)
        }
    if s.stage == "fish":
        shown["supply"] = _by_seat(s, [fish_of_each(s) - n.bit_count() for n in s.fish[:-1]])
    extra = {
        "owed": list(s.owed),
        "erupting": _name(s, s.erupting),
        "arrived": chart.islands[s.arrived] if s.arrived != NOBODY else None,
        "spent": [world.seats[n] for n in bits(s.spent)],
        "landing": s.landing,
        "met": s.met,
        "used": s.used,
        "barred": [chart.way(n, s.forward) for n in bits(s.barred)],
        "announced": s.announced and {"fish": s.announced[0], "how": s.announced[1]},
        "map": world.plan,
        "ended": s.ended and {"winners": list(s.ended.winners), "why": s.ended.why},
    }
    return shown | {key: value for key, value in extra.items() if value}


def _by_seat(s: State, row: Iterable[Any]) -> dict[Seat, Any]:
    return dict(zip(s.world.seats, row, strict=True))


def _name(s: State, seat: int) -> Seat | None:
    return None if seat == NOBODY else s.world.seats[seat]


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


# ------------------------------------------------------------------------ setting one up


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    """Set up a position from a view, or from the keys of one that matter.

    Keys left out: `stage` is the start of a turn and `turn` that of the holder of Ku; an island
    that is not listed gets the first two tiles, alphabetically, that are nowhere else; the bag has
    what is left. A smaller bag means that tiles have left the game unseen. `fish` replaces those of
    the printed set-up, current by current. Raises Problem.
    """
    if unknown := sorted(set(view) - set(_KEYS)):
        raise BadFile(
            "a position has no {unknown!r}, only {keys:all}", unknown=unknown[0], keys=_KEYS
        )
    reader = _Reader(start(setup), view)
    try:
        return reader.position()
    except (TypeError, AttributeError, KeyError, IndexError) as trouble:
        raise BadFile("this is no position of Kanaloa: {trouble}", trouble=trouble) from trouble


class _Reader:
    """A view on its way to a position."""

    def __init__(self, fresh: State, view: Mapping[str, Any]) -> None:
        self.fresh, self.world, self.view = fresh, fresh.world, view
        self.places = (*self.world.chart.islands, DOLPHIN)

    def position(self) -> State:
        view, world, s = self.view, self.world, self.fresh
        if list(view.get("seats", world.seats)) != list(world.seats):
            raise BadFile("the seats of this match are {seats:all}", seats=world.seats)
        s = self.table(self.cards(s._replace(**self.fish())))
        stage = self.stage(view.get("stage", "start"))
        s = s._replace(stage=stage, owed=self.owed())
        if stage == "start" and laid(s) != world.chart.every:
            raise BadFile("not every current carries a fish; add them, or choose setup: basic")
        s = at_first(s)
        if view.get("turn") is not None:
            s = s._replace(turn=self.seat(view["turn"]))
        return self.counted(self.moment(self.volcano(s)))

    def one_of(self, value: Any, known: Iterable[str]) -> str:
        names = tuple(known)
        if value not in names:
            raise BadFile("{value!r} is none of {names:all}", value=value, names=names)
        return str(value)

    def stage(self, name: Any) -> Stage:
        stages: tuple[Stage, ...] = get_args(Stage)
        return stages[stages.index(self.one_of(name, stages))]

    def seat(self, name: Any) -> int:
        return self.world.seats.index(self.one_of(name, self.world.seats))

    def seat_or_nobody(self, name: Any) -> int:
        return NOBODY if name is None else self.seat(name)

    def place(self, name: Any) -> int:
        return self.places.index(self.one_of(name, self.places))

    def owed(self) -> tuple[str, ...]:
        known = (*self.world.chart.islands, *self.world.seats)
        return tuple(self.one_of(place, known) for place in self.view.get("owed", ()))

    def by_seat(self, key: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.view.get(key, {})
        for name in found:
            self.seat(name)
        return found

    def fish(self) -> dict[str, Any]:
        chart, fish = self.world.chart, list(self.fresh.fish)
        forward, white = self.fresh.forward, self.fresh.white
        for way, about in self.view.get("fish", {}).items():
            current, ahead = chart.current[self.one_of(way, chart.current)]
            bit = 1 << current
            if not isinstance(about, dict) or set(about) != {"of", "up"}:
                raise BadFile(
                    "fish {way}: write whose it is and its side, like {{of: red, up: white}}",
                    way=way,
                )
            of = len(self.world.seats) if about["of"] is None else self.seat(about["of"])
            fish = [n & ~bit for n in fish]
            fish[of] |= bit
            forward = forward | bit if ahead else forward & ~bit
            up = self.one_of(about["up"], SIDES)
            white = white | bit if up == "white" else white & ~bit
        return {"fish": tuple(fish), "forward": forward, "white": white}

    def cards(self, s: State) -> State:
        rows = {}
        for key, whose in (("gods", s.gods), ("protections", s.guards)):
            row = list(whose)
            for god, name in self.view.get(key, {}).items():
                row[GODS.index(self.one_of(god, GODS))] = self.seat_or_nobody(name)
            rows[key] = tuple(row)
        if not self.world.protected and any(seat != NOBODY for seat in rows["protections"]):
            raise BadFile("only four players use protection cards; leave `protections` out")
        return s._replace(gods=rows["gods"], guards=rows["protections"])

    def table(self, s: State) -> State:
        """Pawns, temples, and the offerings whose place is known."""
        seats = self.world.seats
        pawns, stunned = self.by_seat("pawns"), self.by_seat("stunned")
        places = [tuple(sorted(map(self.place, pawns.get(seat, ())))) for seat in seats]
        down = [tuple(sorted(map(self.place, stunned.get(seat, ())))) for seat in seats]
        for seat, there, fallen in zip(seats, places, down, strict=True):
            if Counter(fallen) - Counter(there) or len(there) > 2:
                raise BadFile(
                    "{seat:seat} has at most two pawns, and only those can be stunned", seat=seat
                )
        temples = self.by_seat("temples")
        heights = [
            tuple(self.height(temples.get(seat, {}).get(god, 0)) for god in TEMPLES)
            for seat in seats
        ]
        hands = self.by_seat("offerings")
        islands = self.view.get("islands", {})
        for island in islands:
            self.one_of(island, self.world.chart.islands)
        return s._replace(
            pawns=tuple(places),
            stunned=tuple(down),
            temples=tuple(heights),
            hands=tuple(self.tiles(hands.get(seat, ())) for seat in seats),
            tiles=tuple(self.tiles(islands.get(i, ())) for i in self.world.chart.islands),
        )

    def tiles(self, listed: Iterable[Any]) -> tuple[Tile, ...]:
        kinds = self.world.box.kinds
        return tuple(sorted(self.one_of(tile, kinds) for tile in listed))

    def height(self, value: Any) -> int:
        if type(value) is not int or value < 0:
            raise BadFile("a temple cannot be {value!r} high; write a number from 0", value=value)
        return value

    def volcano(self, s: State) -> State:
        about = self.view.get("volcano")
        count = self.view.get("volcanoes", 0)
        if type(count) is not int or not 0 <= count <= self.world.box.last:
            raise BadFile(
                "{count!r} volcanoes cannot have been drawn; write a number from 0 to {last}",
                last=self.world.box.last,
                count=count,
            )
        s = s._replace(volcanoes=count)
        if not about:
            return s
        chart, two = self.world.chart, self.world.players == 2
        site = self.one_of(about["site"], chart.seas if two else chart.islands)
        islands = chart.seas[site] if two else 1 << chart.number[site]
        turns = about.get("turns", 1)
        if turns not in (1, 2):
            raise BadFile("the turns of a volcano are 1 or 2, not {turns!r}", turns=turns)
        return s._replace(volcano=Volcano(site, self.seat(about["by"]), turns, islands))

    def moment(self, s: State) -> State:
        """How far the turn has come."""
        view, chart = self.view, self.world.chart
        barred = sum(
            1 << chart.current[self.one_of(w, chart.current)][0] for w in view.get("barred", ())
        )
        announced, ended = view.get("announced"), view.get("ended")
        arrived = view.get("arrived")
        if s.stage == "arrived" and arrived is None:
            raise BadFile("at this stage `arrived` must say on which island")
        return s._replace(
            erupting=self.seat_or_nobody(view.get("erupting")),
            arrived=NOBODY if arrived is None else self.place(arrived),
            spent=sum({1 << self.seat(name) for name in view.get("spent", ())}),
            landing=bool(view.get("landing")),
            met=bool(view.get("met")),
            used=bool(view.get("used")),
            barred=barred,
            announced=(announced["fish"], announced["how"]) if announced else None,
            ended=events.Ended(tuple(ended["winners"]), ended["why"]) if ended else None,
        )

    def counted(self, s: State) -> State:
        """The position with the tiles nobody has seen. Raises Problem if they do not add up."""
        box, view = self.world.box, self.view
        left = Counter(dict(zip(box.kinds, box.copies, strict=True)))
        left.subtract(_located(s))
        for tile, number in view.get("gone", {}).items():
            left[self.one_of(tile, box.kinds)] -= number
        for tile, number in left.items():
            if number < 0:
                raise BadFile("there are not that many {tile} in the game", tile=tile)
        dealing = s.owed and s.stage in _SET_UP
        tiles = s.tiles if dealing else self.filled(s, left)
        unseen = tuple(left[kind] for kind in box.kinds)
        aside = view.get("set_aside", box.aside)
        if aside not in (0, box.aside):
            raise BadFile(
                "{said!r} tiles cannot be set aside; write {aside} or 0",
                said=aside,
                aside=box.aside,
            )
        s = s._replace(tiles=tiles, unseen=unseen, aside=aside)
        most = sum(unseen) + box.last - s.volcanoes - aside
        bag = view.get("bag", most - box.left_out)
        if type(bag) is not int or not volcanoes_in_bag(s) <= bag <= most or (aside and bag < 1):
            raise BadFile("a bag cannot hold {bag!r} tiles; {most} are left", bag=bag, most=most)
        return s._replace(bag=bag)

    def filled(self, s: State, left: Counter[Tile]) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of the islands: those not listed get two offerings that are nowhere else."""
        rows = list(s.tiles)
        for n, island in enumerate(self.world.chart.islands):
            if island not in self.view.get("islands", {}) and island not in s.owed:
                rows[n] = tuple(sorted(+left)[:2])
                left.subtract(rows[n])
        return tuple(rows)
