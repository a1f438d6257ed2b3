"""How a match of Kanaloa (Bambus) begins: the world of a set-up, and the empty table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.core import Seat, Setup
from pbem.files import data
from pbem.problem import BadFile, Usage
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN, ISLAND
from pbem.rules.kanaloa_bambus.chart import COUNTS, NEUTRAL_FISH, chart, plan
from pbem.rules.kanaloa_bambus.state import NOBODY, Rules, State, World
from pbem.rules.kanaloa_bambus.tiles import GODS, KANALOA, KU, LONO, PELE, TEMPLES, box

FIRST_CARDS = {2: (KU, KANALOA), 3: (KU, LONO, PELE), 4: (KANALOA, KU, LONO, PELE)}
"""The gods cards chance deals; with two players, each brings another with it [B-94, B-98]."""
TOGETHER = {KU: LONO, KANALOA: PELE}


def start(setup: Setup) -> State:
    """Nothing but the box: offerings are owed to the islands, gods cards to the seats [B-7, B-9].

    The seven tiles count as set aside from the start; to a draw that makes no difference [B-8].
    """
    world = world_of(setup)
    chart, box, players = world.chart, world.box, world.players
    places = tuple(island for island in chart.islands for _ in range(2))
    cards = world.seats if not world.dealt else ()
    offerings = sum(box.copies) - box.left_out
    empty: tuple[Any, ...] = ((),) * players
    s = State(
        world,
        "neutral" if players == 2 else "fish",
        turn=0,
        owed=places + (cards[:1] if players == 2 else cards),
        tiles=((),) * len(chart.islands),
        hands=empty,
        temples=((0,) * len(TEMPLES),) * players,
        gods=world.dealt or (NOBODY,) * len(GODS),
        guards=(NOBODY,) * len(GODS),
        pawns=empty,
        stunned=empty,
        unseen=box.copies,
        bag=offerings + box.last - box.aside,
        aside=box.aside,
        fish=(0,) * (players + 1),
    )
    if world.rules.basic:
        s = printed(s, _printed_set_ups(setup.board))
    return at_first(s)


def agreed(s: State, setup: Setup) -> State:
    """See `pbem.core.Game.agreed`."""
    return s._replace(world=world_of(setup))


def at_first(s: State) -> State:
    """The position at the turn of whoever begins: the holder of Ku [B-13, B-19]; only the first
    neutral fish is laid by the other player [B-A9]."""
    ku = s.gods[KU]
    return s._replace(turn=1 - ku if s.stage == "neutral" else ku) if ku != NOBODY else s


def printed(s: State, setups: Mapping[str, Any]) -> State:
    """The table with the fish of a printed set-up [B-11]; colours go to the seats in order."""
    chart, seats = s.world.chart, s.world.players
    fish, forward, white = [0] * (seats + 1), 0, 0
    for entry in setups[COUNTS[seats]]:
        current, ahead = chart.current[entry["fish"]]
        of = seats if entry["of"] == "neutral" else setups["colours"].index(entry["of"])
        fish[of] |= 1 << current
        forward |= ahead << current
        white |= (entry["up"] == "white") << current
    return s._replace(stage="pawn", fish=tuple(fish), forward=forward, white=white)


def fish_of_each(s: State) -> int:
    """How many fish a seat lays."""
    neutral = NEUTRAL_FISH if s.world.players == 2 else 0
    return (len(s.world.chart.ends) - neutral) // s.world.players


# ------------------------------------------------------------------------------- the world


def world_of(setup: Setup) -> World:
    """What never changes in a match. Raises Problem for an unplayable board or option."""
    options = json.dumps(dict(setup.options), sort_keys=True)
    board = json.dumps(setup.board, sort_keys=True) if setup.board is not None else None
    return _world(tuple(setup.seats), options, board)


@lru_cache(maxsize=256)
def _world(seats: tuple[Seat, ...], chosen: str, brought: str | None) -> World:
    options = json.loads(chosen)
    board, tiles = _map_and_tiles(brought)
    count = len(seats)
    if taken := [seat for seat in seats if ISLAND.accepts(seat) or seat == DOLPHIN]:
        raise Usage("no seat can be called {seat}; that is a place on the map", seat=taken[0])
    basic = options["setup"] == "basic"
    if basic and COUNTS[count] not in _printed_set_ups(board if brought else None):
        raise Usage(
            "this board has no printed set-up for {count} players; choose setup: fish", count=count
        )
    rules = Rules(
        basic=basic,
        one_eruption_a_circle=options["eruptions"] == "circle",
        sea_space_touching=options["sea_space"] == "touching",
        **{name: options[name] for name in Rules._fields if name in options},
    )
    map_of_these = chart(board, count)
    return World(
        seats,
        rules,
        map_of_these,
        box(tiles, count, options["offerings"]),
        players=count,
        sky=len(map_of_these.islands),
        protected=count == 4,
        dealt=_agreed(options["gods"], seats),
        plan=plan(board) if brought else None,
    )


def _map_and_tiles(brought: str | None) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The project's own, or those of a board that somebody brought, once it has been checked."""
    tiles = data.game_file(DATA, "tiles")
    if brought is None:
        return data.game_file(DATA, "board"), tiles
    from pbem.rules.kanaloa_bambus.maps import troubles  # only a match on such a board needs it

    board = json.loads(brought)
    if wrong := troubles(board, tiles):
        raise BadFile("this map cannot be played on: {wrong}", wrong="; ".join(map(str, wrong)))
    return board, board.get("tiles", tiles)


def _printed_set_ups(board: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The project's own, or those of a board that somebody brought."""
    if board is None:
        return data.game_file(DATA, "setups")  # type: ignore[no-any-return]
    return board.get("setups", {})  # type: ignore[no-any-return]


def _agreed(said: Iterable[str], seats: Sequence[Seat]) -> tuple[int, ...]:
    """Who gets which gods card, if the option `gods` says so: `ku:red` and so on."""
    listed = [tuple(entry.partition(":")[::2]) for entry in said]
    if not listed:
        return ()
    dealt = [NOBODY] * len(GODS)
    for god, seat in listed:
        if god not in GODS or seat not in seats or dealt[GODS.index(god)] != NOBODY:
            raise Usage(
                "option gods: '{god}:{seat}' is no gods card and seat; write it like ku:{example}",
                god=god,
                seat=seat,
                example=seats[0],
            )
        dealt[GODS.index(god)] = seats.index(seat)
    count = len(seats)
    wanted = (KU, LONO, PELE) if count == 3 else range(len(GODS))
    each = 2 if count == 2 else 1
    whole = {god for god in range(len(GODS)) if dealt[god] != NOBODY} == set(wanted)
    if not whole or any(dealt.count(seat) != each for seat in range(count)):
        cards = [GODS[god] for god in wanted]
        if each == 1:
            raise Usage("option gods: deal {cards:all}, one to each seat", cards=cards)
        raise Usage("option gods: deal {cards:all}, two to each seat", cards=cards)
    if count == 2 and dealt[LONO] == dealt[KANALOA]:
        raise Usage("option gods: Lono and Kanaloa go to different seats")
    return tuple(dealt)
