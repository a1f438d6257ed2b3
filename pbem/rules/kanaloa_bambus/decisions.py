"""Who must choose now in Kanaloa (Bambus), what they could answer, and what chance may bring.

How a turn runs, from stage to stage (`LEADS_TO`):

    neutral ─► fish ─► pawn ─► start ─► arrived ─► ending ─► start, of the next player
                                 │                  ▲  │
                                 └─ no pawn sails ──┘  └──► volcano ─► start, out of order
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from pbem.core import CHANCE, Decision, Event, Move, Seat
from pbem.rules.kanaloa_bambus import events, moves, state
from pbem.rules.kanaloa_bambus.board import DOLPHIN, SIDES
from pbem.rules.kanaloa_bambus.chart import Chart, bits
from pbem.rules.kanaloa_bambus.start import FIRST_CARDS
from pbem.rules.kanaloa_bambus.tiles import (
    GODS,
    KANALOA,
    KU,
    LONO,
    TEMPLES,
    VOLCANO,
    Tile,
    offerings_of,
)

OUT_OF_TURN = "B-23"

# ------------------------------------------------------------------------- how a turn runs

LEADS_TO: Final[Mapping[state.Stage, Mapping[type[Event], tuple[state.Stage, ...]]]] = {
    "neutral": {events.FishLaid: ("neutral", "fish")},
    "fish": {events.FishLaid: ("fish", "pawn")},
    "pawn": {events.TurnPassed: ("start",)},
    "start": {
        events.Sailed: ("arrived",),
        events.Landed: ("arrived",),
        events.Sacrificed: ("ending",),
        events.Freed: ("ending",),
        events.Called: ("ending",),
        events.TurnPassed: ("start",),
    },
    "arrived": {events.Took: ("ending",), events.Gave: ("ending",)},
    "ending": {events.TurnPassed: ("start", "volcano")},
    "volcano": {events.VolcanoPlaced: ("start",)},
}
"""Which events end a stage, and what the next one can be; all other events leave it as it is."""


def asked(s: state.State) -> str:
    """What must be decided now; "" if the match is over."""
    if s.ended:
        return ""
    if s.owed:
        return "deal"
    stage = s.stage
    if stage == "ending":
        return "veto" if s.announced else "turn-end"
    if stage == "start":
        pawns = s.pawns[s.turn]
        if len(pawns) > 1 and state.unsupported(s):
            return "withdraw"
        return "landing" if s.world.sky in pawns else "turn"
    if stage == "arrived":
        if state.robber(s) != state.NOBODY:
            return "rob"
        return "give" if s.landing else "take"
    if stage == "volcano" and s.world.rules.withdraw_first and state.unsupported(s):
        return "withdraw"
    return stage


# --------------------------------------------------------------------------- who must choose

ACCEPTS: Final[dict[str, tuple[type[Move], ...]]] = {
    "deal": (moves.Deal,),
    "neutral": (moves.LayNeutral,),
    "fish": (moves.LayFish,),
    "pawn": (moves.PlacePawn,),
    "withdraw": (moves.Withdraw,),
    "landing": (moves.Land,),
    "turn": (moves.Swap, moves.Sail, moves.Sacrifice, moves.Free, moves.Call),
    "rob": (moves.Rob, moves.Decline),
    "take": (moves.Take,),
    "give": (moves.Give,),
    "turn-end": (moves.Flip, moves.Reverse, moves.Second, moves.Decline),
    "veto": (moves.Forbid, moves.Allow),
    "volcano": (moves.PlaceVolcano,),
}
KINDS: Final[Mapping[str, tuple[type[Move], ...]]] = {
    kind: answers for kind, answers in ACCEPTS.items() if kind != "deal"
}
"""What a player can be asked, and what answers it."""

_SILENCE: Final[dict[str, Move]] = {
    "rob": moves.Decline(),
    "turn-end": moves.Decline(),
    "veto": moves.Allow(),
}
"""What silence means when something may be left undone [B-A27]."""


def pending(s: state.State) -> tuple[Decision, ...]:
    """One decision at a time: chance's, the player's whose turn it is, or one that interrupts it.

    Ku on another's turn and Kanaloa's protection interrupt.
    """
    act = asked(s)
    if not act:
        return ()
    seats = s.world.seats
    if act == "deal":
        return _decision(CHANCE, act, None, ("to", s.owed[0]))
    mover = seats[s.turn]
    if act in ("rob", "take", "give"):
        at = "at", s.world.chart.islands[s.arrived]
        if act != "rob":
            return _decision(mover, act, mover, at)
        tiles = tuple(f"{move.victim} {move.tile}" for move in _robbable(s))
        return _decision(seats[s.gods[KU]], act, mover, at, ("tiles", tiles))
    if act == "veto" and s.announced:
        return _decision(seats[s.guards[KANALOA]], act, mover, s.announced[::-1])
    if act == "volcano":
        return _decision(mover, act, mover, ("sites", tuple(_sites(s))))
    return _decision(mover, act, mover)


@lru_cache(maxsize=10_000)
def _decision(
    seat: Seat, act: str, mover: Seat | None, *about: tuple[str, str | tuple[str, ...]]
) -> tuple[Decision, ...]:
    return (
        Decision(
            seat,
            act,
            ACCEPTS[act],
            about=dict(about),
            default=_SILENCE.get(act),
            during=mover if mover != seat else None,
        ),
    )


# ---------------------------------------------------------------------- what they could answer

# Moves are values: each is made once.
_deal, _sail, _free, _call = map(cache, (moves.Deal, moves.Sail, moves.Free, moves.Call))
_take, _give, _land = map(cache, (moves.Take, moves.Give, moves.Land))
_pawn, _second = map(cache, (moves.PlacePawn, moves.Second))
_fish, _neutral = map(cache, (moves.LayFish, moves.LayNeutral))
_flip, _reverse = map(cache, (moves.Flip, moves.Reverse))
_rob = lru_cache(maxsize=10_000)(moves.Rob)
_swap = lru_cache(maxsize=50_000)(moves.Swap)


def candidates(s: state.State, decision: Decision) -> Iterable[Move]:
    """See `pbem.core.Game.candidates`."""
    return _CANDIDATES[decision.kind](s)


def _deals(s: state.State) -> list[Move]:
    to = s.owed[0]
    if to in s.world.seats:
        return [_deal(god, to) for god in GODS]
    kinds = s.world.box.kinds
    drawn: list[Move] = [
        _deal(kind, to) for kind, left in zip(kinds, s.unseen, strict=True) if left
    ]
    return [*drawn, _deal(VOLCANO, to)]


def _neutrals(s: state.State) -> list[Move]:
    chart = s.world.chart
    return [_neutral(way) for n in bits(chart.every & ~s.fish[-1]) for way in chart.ways[n]]


def _lays(s: state.State) -> list[Move]:
    chart = s.world.chart
    empty = bits(chart.every & ~state.laid(s))
    return [_fish(way, up) for n in empty for way in chart.ways[n] for up in SIDES]


def _vacant(s: state.State) -> list[str]:
    chart = s.world.chart
    return chart.names(((1 << len(chart.islands)) - 1) & ~state.occupied(s) & ~state.shut(s))


def _withdrawals(s: state.State) -> list[Move]:
    names = (*s.world.chart.islands, DOLPHIN)
    return [moves.Withdraw(names[place]) for place in dict.fromkeys(s.pawns[s.turn])]


def _turns(s: state.State) -> Iterator[Move]:
    yield from _journeys(s)
    hand = s.hands[s.turn]
    yield from _few_sacrifices(hand) if len(hand) <= _FEW else _sacrifices(hand)
    if state.holds(s, LONO) and state.has_gods_action(s):
        chart = s.world.chart
        for n in range(len(chart.ends)):
            yield from _swaps(chart, n, *(s.tiles[end] for end in chart.ends[n]))


def _journeys(s: state.State) -> list[Move]:
    chart = s.world.chart
    found: list[Move] = []
    for place in dict.fromkeys(state.able(s, s.turn)):
        ways = state.exits(s, s.turn, place)
        here = chart.islands[place]
        if ways:
            found += [_sail(here, chart.islands[chart.head(n, s.forward)]) for n in bits(ways)]
            continue
        leaving = chart.fish_leaving(place, state.laid(s), s.forward)
        found += [_free(chart.way(n, s.forward)) for n in bits(leaving)]
        found.append(_call(here))
    return found


def _sacrifices(hand: tuple[Tile, ...]) -> Iterator[Move]:
    return (moves.Sacrifice(TEMPLES[god], tiles) for god, tiles in offerings_of(hand))


_FEW = 8
"""With more offerings there can be thousands of sacrifices, or a million: too many to keep."""


@lru_cache(maxsize=10_000)
def _few_sacrifices(hand: tuple[Tile, ...]) -> tuple[Move, ...]:
    return tuple(_sacrifices(hand))


@lru_cache(maxsize=50_000)
def _swaps(
    chart: Chart, current: int, ours: tuple[Tile, ...], theirs: tuple[Tile, ...]
) -> tuple[Move, ...]:
    first, second = (chart.islands[end] for end in chart.ends[current])
    pairs = dict.fromkeys((tile, other) for tile in ours for other in theirs)
    return tuple(_swap(first, tile, second, other) for tile, other in pairs)


def _robbable(s: state.State) -> list[moves.Rob]:
    seats = s.world.seats
    prey = state.victims(s, s.gods[KU])
    return [_rob(seats[v], tile) for v in prey for tile in dict.fromkeys(s.hands[v])]


def _endings(s: state.State) -> list[Move]:
    chart = s.world.chart
    found: list[Move] = []
    if state.holds(s, KANALOA) and state.has_gods_action(s):
        ways = [chart.way(n, s.forward) for n in bits(state.laid(s) & ~s.barred)]
        found += [_flip(way) for way in ways]
        found += [_reverse(way) for way in ways]
    if state.second_by(s):
        found += [_second(island) for island in _vacant(s)]
    return [*found, moves.Decline()]


def _sites(s: state.State) -> Iterable[str]:
    return s.world.chart.seas if s.world.players == 2 else _vacant(s)


_CANDIDATES: dict[str, Callable[[state.State], Iterable[Move]]] = {
    "deal": _deals,
    "neutral": _neutrals,
    "fish": _lays,
    "pawn": lambda s: [_pawn(island) for island in _vacant(s)],
    "withdraw": _withdrawals,
    "landing": lambda s: [_land(island) for island in s.world.chart.islands],
    "turn": _turns,
    "rob": lambda s: [*_robbable(s), moves.Decline()],
    "take": lambda s: [_take(tile) for tile in dict.fromkeys(s.tiles[s.arrived])],
    "give": lambda s: [_give(tile) for tile in dict.fromkeys(s.tiles[s.arrived])],
    "turn-end": _endings,
    "veto": lambda s: [moves.Forbid(), moves.Allow()],
    "volcano": lambda s: [moves.PlaceVolcano(site) for site in _sites(s)],
}


# ------------------------------------------------------------------------ what chance may bring


def chances(s: state.State, move: Move) -> int:
    """See `pbem.core.Game.chances`."""
    assert isinstance(move, moves.Deal)
    return ways_to_draw(s, move.what)


def ways_to_draw(s: state.State, what: str) -> int:
    """How many equally likely ways there are for this to come next [B-7, B-8, B-9].

    Nobody decides beforehand what is in the bag: an offering that nobody has seen is in the bag,
    among the tiles set aside, or (two players, `offerings: random`) in the box, and each of them is
    as likely as any other to be in any of these places.

    Of b tiles in the bag, v are volcanoes, and b - v are among the u unseen offerings. A volcano
    has the chance v/b, a given unseen offering (b - v)/b x 1/u; the ways are these times b x u.
    """
    if s.owed[0] in s.world.seats:
        if what not in GODS:
            return 0
        god = GODS.index(what)
        return god in FIRST_CARDS[s.world.players] and s.gods[god] == state.NOBODY
    in_bag = state.volcanoes_in_bag(s)
    if what == VOLCANO:
        return in_bag * max(1, sum(s.unseen)) if s.stage == "ending" else 0
    kind = s.world.box.number.get(what)
    return 0 if kind is None else s.unseen[kind] * (s.bag - in_bag)
