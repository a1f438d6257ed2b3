"""What is legal in Kanaloa (Bambus). Rule ids refer to games/kanaloa_bambus/rules.yaml.

Nothing in a position is hidden, so there is never a doubt whether a move is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import HIDDEN, Move, Seat, Violation
from pbem.rules.kanaloa_bambus import lookup, moves, phase, powers
from pbem.rules.kanaloa_bambus.board import DOLPHIN
from pbem.rules.kanaloa_bambus.chart import Island, Way, layable
from pbem.rules.kanaloa_bambus.decisions import ACCEPTS, asked, ways_to_draw
from pbem.rules.kanaloa_bambus.state import State, able, exits, laid, occupied, usable
from pbem.rules.kanaloa_bambus.tiles import GOD, VOLCANO, lacks, offering


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    kind = asked(s)
    judge = _JUDGED[kind].get(type(move))
    if judge is None:
        phase.refuse(s, kind, move)
    else:
        judge(s, move)
    return True


# ------------------------------------------------------------------------------ the beginning


def _deal(s: State, m: moves.Deal) -> None:
    to = s.owed[0]
    if ways_to_draw(s, m.what):
        if m.to != to:
            raise Violation(
                "B-37", "What comes next is for {owed:seat}, not for {to:seat}", owed=to, to=m.to
            )
        return
    if to in s.world.seats:
        raise Violation("B-9", "{what} is no gods card that is still to be dealt", what=m.what)
    if m.what == VOLCANO and s.stage != "ending":
        raise Violation("B-7", "No volcano is in the bag yet")
    if m.what == VOLCANO:
        raise Violation("B-8", "No volcano is left in the bag: the last one is set aside")
    raise Violation("B-5", "No {what} is left in the bag", what=m.what)


def _layable(s: State, way: Way) -> int:
    """The free current on which a fish may be laid this way."""
    current, ahead = lookup.current(s, way)
    chart, lying = s.world.chart, laid(s)
    if lying >> current & 1:
        there = chart.way(current, s.forward)
        raise Violation("B-14", "That current already carries a fish: {there}", there=there)
    if not layable(chart, lying, s.forward)[ahead] >> current & 1:
        raise Violation(
            "B-16", "With {fish} some island could not be reached from every other", fish=way
        )
    return current


def _lay_neutral(s: State, m: moves.LayNeutral) -> None:
    both = s.fish[-1] | 1 << _layable(s, m.fish)
    if not any(both & pair == both for pair in s.world.chart.neutral_pairs):
        raise Violation(
            "B-A9", "With {fish} some island would not keep three or four currents", fish=m.fish
        )


def _lay(s: State, m: moves.LayFish) -> None:
    _layable(s, m.fish)


def _place_pawn(s: State, m: moves.PlacePawn) -> None:
    if occupied(s) >> lookup.island(s, m.island) & 1:
        raise Violation("B-20", "A pawn stands on {island}", island=m.island)


# --------------------------------------------------------------------------------- the turn


def _withdraw(s: State, m: moves.Withdraw) -> None:
    if m.place == DOLPHIN:
        if s.world.sky not in s.pawns[s.turn]:
            raise Violation("B-83", "None of your pawns is on the Dolphin")
    elif lookup.island(s, m.place) not in s.pawns[s.turn]:
        raise Violation("B-83", "You have no pawn on {island}", island=m.place)


def _able_pawn(s: State, island: Island) -> int:
    """The place of the player's pawn on this island, if it is there and not stunned."""
    place = lookup.island(s, island)
    if place not in able(s, s.turn):
        if place in s.pawns[s.turn]:
            raise Violation(
                "B-72", "Your pawn on {island} loses its turn to the volcano", island=island
            )
        raise Violation("B-25", "You have no pawn on {island}", island=island)
    return place


def _sail(s: State, m: moves.Sail) -> None:
    if m.tail == HIDDEN:
        raise Violation("B-25", "None of your pawns can move to {head}", head=m.head)
    place, way = _able_pawn(s, m.tail), f"{m.tail}-{m.head}"
    current = lookup.fish(s, way)
    if exits(s, s.turn, place) >> current & 1:
        return
    if not usable(s, s.turn) >> current & 1:
        owner = lookup.owner(s, current)
        if owner == s.world.players:
            raise Violation(
                "B-26", "{fish} is a neutral fish that does not show its white side", fish=way
            )
        raise Violation(
            "B-26",
            "{fish} shows the colour of {owner:seat}; you need white or your own colour",
            fish=way,
            owner=s.world.seats[owner],
        )
    lookup.enterable(s, m.head)


def _sacrifice(s: State, m: moves.Sacrifice) -> None:
    if not m.tiles:
        raise Violation("B-A43", "A sacrifice takes at least one offering")
    if lacking := lacks(s.hands[s.turn], m.tiles):
        if had := s.hands[s.turn].count(lacking):
            count = m.tiles.count(lacking)
            raise Violation(
                "B-44", "You have {had} {tile}, not {count}", had=had, tile=lacking, count=count
            )
        raise Violation("B-44", "You have no {tile}", tile=lacking)
    if not offering(m.tiles)[0] >> GOD[m.god] & 1:
        god = m.god.capitalize()
        if len(m.tiles) == 1:
            raise Violation("B-40", "{god} does not accept {tile}", god=god, tile=m.tiles[0])
        raise Violation(
            "B-40", "{god} does not accept {tiles:all} together", god=god, tiles=m.tiles
        )


def _blocked_pawn(s: State, island: Island) -> None:
    place = _able_pawn(s, island)
    if ways := exits(s, s.turn, place):
        raise Violation(
            "B-28",
            "Your pawn on {island} is not blocked: it can move {way}",
            island=island,
            way=s.world.chart.way(ways.bit_length() - 1, s.forward),
        )


def _free(s: State, m: moves.Free) -> None:
    _blocked_pawn(s, m.fish[0])
    current = lookup.fish(s, m.fish)
    if s.white >> current & 1:
        raise Violation("B-29", "{fish} already shows its white side", fish=m.fish)
    if s.fish[s.turn] >> current & 1:
        raise Violation("B-29", "{fish} is your own fish; you free those of others", fish=m.fish)
    if s.fish[-1] >> current & 1 and not s.world.rules.free_neutral:
        raise Violation(
            "B-A40", "{fish} is a neutral fish; nobody can free those in this match", fish=m.fish
        )
    lookup.away_from_sea_space(
        s, current, "Nobody can free {fish}: it is at the volcano's sea space {site}"
    )


def _call(s: State, m: moves.Call) -> None:
    if m.island == HIDDEN:
        raise Violation("B-28", "None of your pawns is blocked")
    _blocked_pawn(s, m.island)


def _land(s: State, m: moves.Land) -> None:
    lookup.enterable(s, m.island)


def _take(s: State, m: moves.Take) -> None:
    if m.tile not in s.tiles[s.arrived]:
        raise lookup.no_such_offering(s, s.arrived, m.tile, "B-36")


def _give(s: State, m: moves.Give) -> None:
    if m.tile not in s.tiles[s.arrived]:
        raise lookup.no_such_offering(s, s.arrived, m.tile, "B-32")


def _place_volcano(s: State, m: moves.PlaceVolcano) -> None:
    if s.world.players == 2:
        if m.site not in s.world.chart.seas:
            raise Violation("B-A10", "{site} is no sea space with two islands in play", site=m.site)
    elif occupied(s) >> lookup.island(s, m.site) & 1:
        raise Violation("B-69", "A pawn stands on {island}", island=m.site)


def _free_choice(s: State, m: Move) -> None:
    """Whoever is asked may always do this."""


_CHECKS: dict[type[Move], Callable[[State, Any], None]] = {
    moves.Deal: _deal,
    moves.LayNeutral: _lay_neutral,
    moves.LayFish: _lay,
    moves.PlacePawn: _place_pawn,
    moves.Withdraw: _withdraw,
    moves.Swap: powers.swap,
    moves.Sail: _sail,
    moves.Sacrifice: _sacrifice,
    moves.Free: _free,
    moves.Call: _call,
    moves.Land: _land,
    moves.Rob: powers.rob,
    moves.Take: _take,
    moves.Give: _give,
    moves.Flip: powers.flip,
    moves.Reverse: powers.reverse,
    moves.Forbid: _free_choice,
    moves.Allow: _free_choice,
    moves.Second: powers.second,
    moves.PlaceVolcano: _place_volcano,
    moves.Decline: _free_choice,
}
_JUDGED: dict[str, dict[type[Move], Callable[[State, Any], None]]] = {
    "": {},
    **{kind: {move: _CHECKS[move] for move in accepts} for kind, accepts in ACCEPTS.items()},
}
"""For each kind of decision, the moves that answer it. When the match is over, none does."""
