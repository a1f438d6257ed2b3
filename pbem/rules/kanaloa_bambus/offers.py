"""What might be worth asking for: every move that may be legal, and few that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from pbem.core import Decision, Move
from pbem.rules.kanaloa_bambus.chart import Chart, bits
from pbem.rules.kanaloa_bambus.choices import (
    Allow,
    Call,
    Deal,
    Decline,
    Flip,
    Forbid,
    Free,
    Give,
    Land,
    LayFish,
    LayNeutral,
    PlacePawn,
    PlaceVolcano,
    Reverse,
    Rob,
    Sacrifice,
    Sail,
    Second,
    Swap,
    Take,
    Withdraw,
)
from pbem.rules.kanaloa_bambus.state import (
    State,
    able,
    exits,
    has_gods_action,
    holds,
    laid,
    occupied,
    second_by,
    shut,
    victims,
)
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
from pbem.rules.kanaloa_bambus.weights import ways_to_draw
from pbem.rules.kanaloa_bambus.words import DOLPHIN, SIDES

# Moves are values: each is made once.
_deal, _sail, _free, _call, _take = cache(Deal), cache(Sail), cache(Free), cache(Call), cache(Take)
_give, _land, _pawn, _second = cache(Give), cache(Land), cache(PlacePawn), cache(Second)
_rob = lru_cache(maxsize=10_000)(Rob)
_fish, _neutral, _flip, _reverse = cache(LayFish), cache(LayNeutral), cache(Flip), cache(Reverse)
_swap = lru_cache(maxsize=50_000)(Swap)


def candidates(s: State, decision: Decision) -> Iterable[Move]:
    """See `pbem.core.Game.candidates`."""
    return _CANDIDATES[decision.kind](s)


def chances(s: State, move: Move) -> int:
    """See `pbem.core.Game.chances`."""
    assert isinstance(move, Deal)
    return ways_to_draw(s, move.what)


def _deals(s: State) -> list[Move]:
    to = s.owed[0]
    if to in s.world.seats:
        return [_deal(god, to) for god in GODS]
    kinds = s.world.box.kinds
    drawn: list[Move] = [
        _deal(kind, to) for kind, left in zip(kinds, s.unseen, strict=True) if left
    ]
    return [*drawn, _deal(VOLCANO, to)]


def _neutrals(s: State) -> list[Move]:
    chart = s.world.chart
    return [_neutral(way) for n in bits(chart.every & ~s.fish[-1]) for way in chart.ways[n]]


def _lays(s: State) -> list[Move]:
    chart = s.world.chart
    empty = bits(chart.every & ~laid(s))
    return [_fish(way, up) for n in empty for way in chart.ways[n] for up in SIDES]


def _pawns(s: State) -> list[Move]:
    return [_pawn(island) for island in _vacant(s)]


def _vacant(s: State) -> list[str]:
    chart = s.world.chart
    return chart.names(((1 << len(chart.islands)) - 1) & ~occupied(s) & ~shut(s))


def _withdrawals(s: State) -> list[Move]:
    names = (*s.world.chart.islands, DOLPHIN)
    return [Withdraw(names[place]) for place in dict.fromkeys(s.pawns[s.turn])]


def _turns(s: State) -> list[Move]:
    chart = s.world.chart
    moves: list[Move] = []
    for place in dict.fromkeys(able(s, s.turn)):
        ways = exits(s, s.turn, place)
        here = chart.islands[place]
        if ways:
            moves += [_sail(here, chart.islands[chart.head(n, s.forward)]) for n in bits(ways)]
            continue
        leaving = chart.fish_leaving(place, laid(s), s.forward)
        moves += [_free(chart.way(n, s.forward)) for n in bits(leaving)]
        moves.append(_call(here))
    hand = s.hands[s.turn]
    moves += _sacrifices(hand) if len(hand) <= _FEW else _all_sacrifices(hand)
    if holds(s, LONO) and has_gods_action(s):
        for n in range(len(chart.ends)):
            moves += _swaps(chart, n, *(s.tiles[end] for end in chart.ends[n]))
    return moves


def _all_sacrifices(hand: tuple[Tile, ...]) -> tuple[Move, ...]:
    return tuple(Sacrifice(TEMPLES[god], tiles) for god, tiles in offerings_of(hand))


_FEW = 8
"""Of more offerings there can be thousands of sacrifices: too many to be kept."""
_sacrifices = lru_cache(maxsize=10_000)(_all_sacrifices)


@lru_cache(maxsize=50_000)
def _swaps(
    chart: Chart, current: int, ours: tuple[Tile, ...], theirs: tuple[Tile, ...]
) -> tuple[Move, ...]:
    first, second = (chart.islands[end] for end in chart.ends[current])
    pairs = dict.fromkeys((tile, other) for tile in ours for other in theirs)
    return tuple(_swap(first, tile, second, other) for tile, other in pairs)


def _landings(s: State) -> list[Move]:
    return [_land(island) for island in s.world.chart.islands]


def _robberies(s: State) -> list[Move]:
    seats = s.world.seats
    prey = victims(s, s.gods[KU])
    tiles: list[Move] = [_rob(seats[v], tile) for v in prey for tile in dict.fromkeys(s.hands[v])]
    return [*tiles, Decline()]


def _takings(s: State) -> list[Move]:
    return [_take(tile) for tile in dict.fromkeys(s.tiles[s.arrived])]


def _gifts(s: State) -> list[Move]:
    return [_give(tile) for tile in dict.fromkeys(s.tiles[s.arrived])]


def _endings(s: State) -> list[Move]:
    chart = s.world.chart
    moves: list[Move] = []
    if holds(s, KANALOA) and has_gods_action(s):
        ways = [chart.way(n, s.forward) for n in bits(laid(s) & ~s.barred)]
        moves += [_flip(way) for way in ways]
        moves += [_reverse(way) for way in ways]
    if second_by(s):
        moves += [_second(island) for island in _vacant(s)]
    return [*moves, Decline()]


def _vetoes(s: State) -> list[Move]:
    return [Forbid(), Allow()]


def _volcanoes(s: State) -> list[Move]:
    two = s.world.players == 2
    return [PlaceVolcano(site) for site in (s.world.chart.seas if two else _vacant(s))]


_CANDIDATES: dict[str, Callable[[State], list[Move]]] = {
    "deal": _deals,
    "neutral": _neutrals,
    "fish": _lays,
    "pawn": _pawns,
    "withdraw": _withdrawals,
    "landing": _landings,
    "turn": _turns,
    "rob": _robberies,
    "take": _takings,
    "give": _gifts,
    "turn-end": _endings,
    "veto": _vetoes,
    "volcano": _volcanoes,
}
