"""What the gods allow: Lono's swap and second pawn, Kanaloa's fish, Ku's robbery."""

from __future__ import annotations

from typing import Final

from pbem.core import HIDDEN, Violation
from pbem.rules.kanaloa_bambus import lookup, moves, state
from pbem.rules.kanaloa_bambus.chart import Way, reversible
from pbem.rules.kanaloa_bambus.tiles import KANALOA, KU, LONO

_NEEDS: Final = {
    "B-54": "You need Kanaloa's gods card to turn a fish",
    "B-60": "You need Ku's gods card to rob somebody",
    "B-78": "You need Lono's gods card to swap offerings",
    "B-79": "You need a card of Lono to place a second pawn",
}


def action(s: state.State, god: int, rule: str) -> None:
    """May the player use the gods action of this god? Raises Violation if not."""
    if not state.holds(s, god):
        raise Violation(rule, _NEEDS[rule])
    if state.out_of_order(s):
        raise Violation("B-71", "In the turn of an eruption you can use no other gods action")
    if s.used:
        raise Violation("B-53", "You have already used your gods action of this turn")


# ------------------------------------------------------------------------------------ Lono


def swap(s: state.State, m: moves.Swap) -> None:
    """It takes Lono's card, and two neighbouring islands that have these offerings."""
    action(s, LONO, "B-78")
    world = s.world
    if f"{m.first}-{m.second}" not in world.chart.current:
        raise Violation(
            "B-78", "No current in play joins {first} and {second}", first=m.first, second=m.second
        )
    closed = state.shut(s) if world.players == 2 and world.rules.sea_space_touching else 0
    for island, tile in ((m.first, m.tile), (m.second, m.other)):
        number = world.chart.number[island]
        if tile not in s.tiles[number]:
            raise lookup.no_such_offering(s, number, tile, "B-78")
        if closed >> number & 1:
            raise Violation(
                "B-97",
                "No offering on {island} can be swapped: it is at the volcano's sea space",
                island=island,
            )


def second(s: state.State, m: moves.Second) -> None:
    """It takes a card of Lono, a pawn that is not in play, and a vacant island."""
    if len(s.pawns[s.turn]) > 1:
        raise Violation("B-82", "Both your pawns are already in play")
    if s.spent >> s.turn & 1:
        raise Violation("B-A64", "You have withdrawn your second pawn, and it does not come back")
    if s.guards[LONO] != s.turn:
        action(s, LONO, "B-79")
        if not s.temples[s.turn][LONO]:
            raise Violation("B-80", "You have not sacrificed to Lono yet")
    if state.occupied(s) >> lookup.enterable(s, m.island) & 1:
        raise Violation("B-82", "A pawn stands on {island}", island=m.island)


# --------------------------------------------------------------------------------- Kanaloa


def flip(s: state.State, m: moves.Flip) -> None:
    """It takes a fish that may be turned, and that no pawn needs as it is."""
    current = _turnable(s, m.fish)
    if s.white >> current & 1:
        _leave_a_way_out(s, current, safe=lookup.owner(s, current))


def reverse(s: state.State, m: moves.Reverse) -> None:
    """It takes the same; both islands keep fish coming and going, and all stay reachable."""
    current = _turnable(s, m.fish)
    chart, lying, turned = s.world.chart, state.laid(s), s.forward ^ 1 << current
    for island in chart.ends[current]:
        leaving = chart.fish_leaving(island, lying, turned)
        name = chart.islands[island]
        if not leaving:
            raise Violation("B-55", "All fish at {island} would head for it", island=name)
        if leaving == chart.at[island]:
            raise Violation("B-55", "All fish at {island} would head away from it", island=name)
    if s.world.rules.reachable and not reversible(chart, lying, s.forward) >> current & 1:
        raise Violation("B-A17", "Some island could no longer be reached from every other")
    _leave_a_way_out(s, current, safe=state.NOBODY)


def _turnable(s: state.State, way: Way) -> int:
    action(s, KANALOA, "B-54")
    current = lookup.fish(s, way)
    if s.barred >> current & 1:
        raise Violation("B-A19", "Turning {fish} was forbidden: choose another fish", fish=way)
    if s.volcano and s.world.players == 2:
        _away_from_sea_space(s, current, way)
    return current


def _away_from_sea_space(s: state.State, current: int, way: Way) -> None:
    """With two players, Kanaloa leaves alone the fish next to the volcano [B-A11]."""
    if s.world.rules.sea_space_touching:
        lookup.away_from_sea_space(
            s, current, "Kanaloa can't turn {fish}: it is at the volcano's sea space {site}"
        )
    elif state.shut(s) >> s.world.chart.head(current, s.forward) & 1:
        raise Violation(
            "B-A11", "Kanaloa can't turn {fish}: it heads for the volcano's sea space", fish=way
        )


def _leave_a_way_out(s: state.State, current: int, safe: int) -> None:
    """No pawn may lose its last way to leave; `safe` can still use the fish [B-57]."""
    chart = s.world.chart
    tail = chart.ends[current][1 - (s.forward >> current & 1)]
    for seat, pawns in enumerate(s.pawns):
        if tail in pawns and seat != safe and state.exits(s, seat, tail) == 1 << current:
            way, island = chart.way(current, s.forward), chart.islands[tail]
            if seat == s.turn:
                raise Violation(
                    "B-57",
                    "{fish} is the last way out for your own pawn on {island}",
                    fish=way,
                    island=island,
                )
            raise Violation(
                "B-57",
                "{fish} is the last way out for the pawn of {seat:seat} on {island}",
                fish=way,
                seat=s.world.seats[seat],
                island=island,
            )


# -------------------------------------------------------------------------------------- Ku


def rob(s: state.State, m: moves.Rob) -> None:
    """It takes somebody just met who has this offering and no protection."""
    seats, ku = s.world.seats, s.gods[KU]
    if m.victim == HIDDEN:
        raise Violation("B-60", "Nobody you meet here has {tile}", tile=m.tile)
    victim = seats.index(m.victim) if m.victim in seats else state.NOBODY
    if victim not in state.victims(s, ku):
        if victim not in (state.NOBODY, ku) and s.arrived in s.pawns[victim]:
            if s.guards[KU] == victim:
                raise Violation("B-65", "{victim:seat} holds Ku's protection card", victim=m.victim)
            if not s.hands[victim]:
                raise Violation("B-63", "{victim:seat} has no offerings", victim=m.victim)
        raise Violation("B-64", "You do not meet {victim:seat} here", victim=m.victim)
    hand = s.hands[victim]
    if m.tile not in hand:
        raise Violation(
            "B-60",
            "{victim:seat} has {hand:all}, not {tile}",
            victim=m.victim,
            hand=hand,
            tile=m.tile,
        )
