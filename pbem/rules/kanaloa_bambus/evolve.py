"""What each fact changes in a position of Kanaloa (Bambus)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pbem.core import Event
from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.board import DOLPHIN
from pbem.rules.kanaloa_bambus.start import at_first
from pbem.rules.kanaloa_bambus.state import NOBODY, State, Volcano, laid
from pbem.rules.kanaloa_bambus.tiles import GOD, Tile
from pbem.rules.zones import added, put

T = TypeVar("T")


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _without(zone: tuple[T, ...], *gone: T) -> tuple[T, ...]:
    left = list(zone)
    for one in gone:
        if one in left:
            left.remove(one)
    return tuple(left)


def _seat(s: State, name: str) -> int:
    return s.world.seats.index(name)


def _place(s: State, name: str) -> int:
    return s.world.sky if name == DOLPHIN else s.world.chart.number[name]


# ------------------------------------------------------------------------------ the beginning


def _on_tile_laid(s: State, e: events.TileLaid) -> State:
    island, kind = s.world.chart.number[e.island], s.world.box.number[e.tile]
    return s._replace(
        owed=s.owed[1:],
        tiles=put(s.tiles, island, added(s.tiles[island], e.tile)),
        unseen=put(s.unseen, kind, s.unseen[kind] - 1),
        bag=s.bag - 1,
    )


def _on_card_dealt(s: State, e: events.CardDealt) -> State:
    owed = s.owed[1:] if s.owed and s.owed[0] == e.seat else s.owed
    gods = put(s.gods, GOD[e.god], _seat(s, e.seat))
    return at_first(s._replace(owed=owed, gods=gods))


def _on_fish_laid(s: State, e: events.FishLaid) -> State:
    """Any neutral fish first, then one of each seat in turn until all are laid, then the pawns."""
    current, ahead = s.world.chart.current[e.fish]
    players = s.world.players
    of = players if e.of is None else _seat(s, e.of)
    s = s._replace(
        fish=put(s.fish, of, s.fish[of] | 1 << current),
        forward=s.forward | ahead << current,
        white=s.white | (e.up == "white") << current,
    )
    if laid(s) == s.world.chart.every:
        return at_first(s._replace(stage="pawn"))
    if e.of is None and s.fish[-1].bit_count() == players:
        return at_first(s._replace(stage="fish"))
    return s._replace(turn=(s.turn + 1) % players)


def _on_pawn_placed(s: State, e: events.PawnPlaced) -> State:
    seat = _seat(s, e.seat)
    pawns = put(s.pawns, seat, (_place(s, e.island),))
    return s._replace(pawns=pawns, turn=(s.turn + 1) % s.world.players)


# --------------------------------------------------------------------------------- the turn


def _on_turn_passed(s: State, e: events.TurnPassed) -> State:
    turn, volcano = _seat(s, e.to), s.volcano
    if volcano and volcano.by == turn:
        volcano = volcano._replace(turns=volcano.turns + 1)
    return s._replace(
        stage="start" if s.erupting == NOBODY else "volcano",
        turn=turn,
        stunned=put(s.stunned, s.turn, ()) if s.stunned[s.turn] else s.stunned,
        volcano=volcano,
        arrived=NOBODY,
        landing=False,
        met=False,
        used=False,
        barred=0,
        announced=None,
    )


def _on_withdrew(s: State, e: events.Withdrew) -> State:
    """Of a stunned and a free pawn in one place, the stunned one goes [B-A59]."""
    seat, place = _seat(s, e.seat), _place(s, e.place)
    return s._replace(
        spent=s.spent | (not s.world.rules.second_again) << seat,
        pawns=put(s.pawns, seat, _without(s.pawns[seat], place)),
        stunned=put(s.stunned, seat, _without(s.stunned[seat], place)),
    )


def _moved(s: State, seat: int, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    return put(s.pawns, seat, tuple(sorted((*_without(s.pawns[seat], start), end))))


def _on_sailed(s: State, e: events.Sailed) -> State:
    number = s.world.chart.number
    pawns = _moved(s, _seat(s, e.seat), number[e.tail], number[e.head])
    return s._replace(pawns=pawns, stage="arrived", arrived=number[e.head])


def _shown(s: State, fish: str, up: str) -> int:
    """The fish that show white, now that this one shows this side."""
    bit = 1 << s.world.chart.current[fish][0]
    return s.white | bit if up == "white" else s.white & ~bit


def _on_took(s: State, e: events.Took) -> State:
    seat = _seat(s, e.seat)
    s = s._replace(hands=put(s.hands, seat, added(s.hands[seat], e.tile)))
    return _gone_from_island(s, e.island, e.tile)


def _gone_from_island(s: State, island: str, tile: Tile) -> State:
    number = s.world.chart.number[island]
    tiles = put(s.tiles, number, _without(s.tiles[number], tile))
    return s._replace(tiles=tiles, owed=(island,), stage="ending")


def _on_sacrificed(s: State, e: events.Sacrificed) -> State:
    seat, god = _seat(s, e.seat), GOD[e.god]
    return s._replace(
        hands=put(s.hands, seat, _without(s.hands[seat], *e.tiles)),
        temples=put(s.temples, seat, put(s.temples[seat], god, e.height)),
        stage="ending",
    )


def _on_called(s: State, e: events.Called) -> State:
    pawns = _moved(s, _seat(s, e.seat), s.world.chart.number[e.island], s.world.sky)
    return s._replace(pawns=pawns, stage="ending")


def _on_landed(s: State, e: events.Landed) -> State:
    island = s.world.chart.number[e.island]
    pawns = _moved(s, _seat(s, e.seat), s.world.sky, island)
    return s._replace(pawns=pawns, stage="arrived", arrived=island, landing=True)


# ------------------------------------------------------------------------------------- gods


def _on_card_passed(s: State, e: events.CardPassed) -> State:
    to = NOBODY if e.to is None else _seat(s, e.to)
    if e.card == "gods":
        return s._replace(gods=put(s.gods, GOD[e.god], to))
    return s._replace(guards=put(s.guards, GOD[e.god], to))


def _on_swapped(s: State, e: events.Swapped) -> State:
    first, second = s.world.chart.number[e.first], s.world.chart.number[e.second]
    tiles = put(s.tiles, first, added(_without(s.tiles[first], e.tile), e.other))
    tiles = put(tiles, second, added(_without(s.tiles[second], e.other), e.tile))
    return s._replace(tiles=tiles, used=True)


def _on_robbed(s: State, e: events.Robbed) -> State:
    ku, victim = _seat(s, e.seat), _seat(s, e.victim)
    hands = put(s.hands, victim, _without(s.hands[victim], e.tile))
    hands = put(hands, ku, added(s.hands[ku], e.tile))
    return s._replace(hands=hands, met=True, used=s.used or ku == s.turn)


def _on_forbade(s: State, e: events.Forbade) -> State:
    barred = s.barred | 1 << s.world.chart.current[e.fish][0]
    return s._replace(announced=None, barred=barred)


def _on_flipped(s: State, e: events.Flipped) -> State:
    return s._replace(white=_shown(s, e.fish, e.up), used=True, announced=None)


def _on_reversed(s: State, e: events.Reversed) -> State:
    forward = s.forward ^ 1 << s.world.chart.current[e.fish][0]
    return s._replace(forward=forward, used=True, announced=None)


def _on_second_placed(s: State, e: events.SecondPlaced) -> State:
    seat = _seat(s, e.seat)
    pawns = tuple(sorted((*s.pawns[seat], _place(s, e.island))))
    return s._replace(pawns=put(s.pawns, seat, pawns), used=s.used or e.card == "gods")


def _on_volcano_placed(s: State, e: events.VolcanoPlaced) -> State:
    chart = s.world.chart
    shut = chart.seas[e.site] if s.world.players == 2 else 1 << chart.number[e.site]
    volcano = Volcano(e.site, _seat(s, e.seat), 1, shut)
    return s._replace(volcano=volcano, erupting=NOBODY, stage="start")


def _on_stunned(s: State, e: events.Stunned) -> State:
    """Every pawn of the seat that stands there now, once."""
    seat, island = _seat(s, e.seat), _place(s, e.island)
    there = s.pawns[seat].count(island)
    stunned = (*(i for i in s.stunned[seat] if i != island), *(island,) * there)
    return s._replace(stunned=put(s.stunned, seat, tuple(sorted(stunned))))


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    events.TileLaid: _on_tile_laid,
    events.CardDealt: _on_card_dealt,
    events.FishLaid: _on_fish_laid,
    events.PawnPlaced: _on_pawn_placed,
    events.TurnPassed: _on_turn_passed,
    events.Withdrew: _on_withdrew,
    events.Sailed: _on_sailed,
    events.TurnedOver: lambda s, e: s._replace(white=_shown(s, e.fish, e.up)),
    events.Took: _on_took,
    events.Gave: lambda s, e: _gone_from_island(s, e.island, e.tile),
    events.Sacrificed: _on_sacrificed,
    events.Freed: lambda s, e: s._replace(white=_shown(s, e.fish, "white"), stage="ending"),
    events.Called: _on_called,
    events.Landed: _on_landed,
    events.CardPassed: _on_card_passed,
    events.Swapped: _on_swapped,
    events.Robbed: _on_robbed,
    events.Spared: lambda s, e: s._replace(met=True),
    events.Announced: lambda s, e: s._replace(announced=(e.fish, e.how)),
    events.Forbade: _on_forbade,
    events.Flipped: _on_flipped,
    events.Reversed: _on_reversed,
    events.SecondPlaced: _on_second_placed,
    events.VolcanoDrawn: lambda s, e: s._replace(volcanoes=e.number, bag=s.bag - 1),
    events.BagFilled: lambda s, e: s._replace(bag=s.bag + e.tiles, aside=0),
    events.Erupted: lambda s, e: s._replace(erupting=_seat(s, e.seat)),
    events.VolcanoPlaced: _on_volcano_placed,
    events.Stunned: _on_stunned,
    events.VolcanoLifted: lambda s, e: s._replace(volcano=None),
    events.Ended: lambda s, e: s._replace(ended=e, owed=()),
}
