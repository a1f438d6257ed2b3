"""What is legal in Kanaloa (Bambus). Rule ids refer to games/kanaloa_bambus/rules.yaml.

That a move is asked for at all is settled before (`play.asked`); here is whether it can be made.
Nothing in a position is hidden, so what is legal is certainly so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import HIDDEN, Move, Seat, Violation
from pbem.rules.kanaloa_bambus import moves
from pbem.rules.kanaloa_bambus.board import DOLPHIN
from pbem.rules.kanaloa_bambus.chart import Island, Way, layable, reversible
from pbem.rules.kanaloa_bambus.decisions import ways_to_draw
from pbem.rules.kanaloa_bambus.state import (
    NOBODY,
    State,
    able,
    exits,
    holds,
    laid,
    occupied,
    out_of_order,
    shut,
    usable,
    victims,
)
from pbem.rules.kanaloa_bambus.tiles import GOD, GODS, KANALOA, KU, LONO, VOLCANO, lacks, offering


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    _CHECKS[type(move)](s, move)
    return True


# -------------------------------------------------------------------------------- naming it


def _island(s: State, island: Island) -> int:
    number = s.world.chart.number.get(island)
    if number is None:
        raise Violation("B-2", "no island {island} is in play", island=island)
    return number


def _fish(s: State, way: Way) -> int:
    """The current of a fish that lies as the move says."""
    found = s.world.chart.current.get(way)
    if found is None:
        raise Violation(
            "B-2", "no current in play joins {replace}", replace=way.replace("-", " and ")
        )
    current, ahead = found
    if s.forward >> current & 1 != ahead:
        lies = s.world.chart.way(current, s.forward)
        raise Violation(
            "B-25", "the fish there lies the other way: {lies}, from tail to head", lies=lies
        )
    return current


def _enterable(s: State, island: Island) -> int:
    number = _island(s, island)
    if shut(s) >> number & 1:
        if s.world.players == 2:
            raise Violation(
                "B-97", "{island} is closed: it lies at the volcano's sea space", island=island
            )
        raise Violation("B-70", "{island} is closed: the volcano stands there", island=island)
    return number


def _owner(s: State, current: int) -> int:
    """Whose fish that is; the number after the last seat is nobody's."""
    return next(n for n, fish in enumerate(s.fish) if fish >> current & 1)


def _colour(s: State, current: int) -> str:
    if s.white >> current & 1:
        return "white"
    return f"the colour of {(*s.world.seats, 'nobody')[_owner(s, current)]}"


# ------------------------------------------------------------------------------ the beginning


def _check_deal(s: State, m: moves.Deal) -> None:
    if ways_to_draw(s, m.what):
        if m.to != s.owed[0]:
            raise Violation(
                "B-37", "what comes next is for {owed}, not for {to}", owed=s.owed[0], to=m.to
            )
        return
    if s.owed[0] in s.world.seats:
        raise Violation("B-9", "{what} is no gods card still to be dealt", what=m.what)
    if m.what == VOLCANO and s.stage != "ending":
        raise Violation("B-7", "no volcano is in the bag yet")
    if m.what == VOLCANO:
        raise Violation("B-8", "no volcano is in the bag any more, the last is set aside")
    raise Violation("B-5", "no {what} is left in the bag", what=m.what)


def _check_layable(s: State, way: Way) -> int:
    chart = s.world.chart
    found = chart.current.get(way)
    if found is None:
        raise Violation(
            "B-2", "no current in play joins {replace}", replace=way.replace("-", " and ")
        )
    current, ahead = found
    lying = laid(s)
    if lying >> current & 1:
        raise Violation("B-14", "{ways} already carries a fish", ways=chart.ways[current][1])
    if not layable(chart, lying, s.forward)[ahead] >> current & 1:
        raise Violation(
            "B-16", "with {way} some island could not be reached from another any more", way=way
        )
    return current


def _check_neutral(s: State, m: moves.LayNeutral) -> None:
    current = _check_layable(s, m.fish)
    both = s.fish[-1] | 1 << current
    if not any(both & pair == both for pair in s.world.chart.neutral_pairs):
        raise Violation(
            "B-A9", "with {fish} some island would not keep three or four currents", fish=m.fish
        )


def _check_lay(s: State, m: moves.LayFish) -> None:
    _check_layable(s, m.fish)


def _check_pawn(s: State, m: moves.PlacePawn) -> None:
    if occupied(s) >> _island(s, m.island) & 1:
        raise Violation("B-20", "a pawn stands on {island}", island=m.island)


# --------------------------------------------------------------------------------- the turn


def _able_pawn(s: State, island: Island) -> int:
    """Where a pawn of the player stands that is not stunned."""
    place = _island(s, island)
    if place not in able(s, s.turn):
        if place in s.pawns[s.turn]:
            raise Violation(
                "B-72", "your pawn on {island} loses its turn to the volcano", island=island
            )
        raise Violation("B-25", "you have no pawn on {island}", island=island)
    return place


def _blocked_pawn(s: State, island: Island) -> int:
    place = _able_pawn(s, island)
    ways = exits(s, s.turn, place)
    if ways:
        way = s.world.chart.way(ways.bit_length() - 1, s.forward)
        raise Violation(
            "B-28",
            "your pawn on {island} is not blocked: it can move {way}",
            island=island,
            way=way,
        )
    return place


def _check_sail(s: State, m: moves.Sail) -> None:
    if m.tail == HIDDEN:
        raise Violation("B-25", "none of your pawns can move to {head}", head=m.head)
    place = _able_pawn(s, m.tail)
    current = _fish(s, f"{m.tail}-{m.head}")
    if exits(s, s.turn, place) >> current & 1:
        return
    if not usable(s, s.turn) >> current & 1:
        shows = _colour(s, current)
        raise Violation(
            "B-26",
            "the fish {tail}-{head} shows {shows}, not yours",
            tail=m.tail,
            head=m.head,
            shows=shows,
        )
    _enterable(s, m.head)


def _check_sacrifice(s: State, m: moves.Sacrifice) -> None:
    if not m.tiles:
        raise Violation("B-A43", "a sacrifice is at least one offering")
    if lacking := lacks(s.hands[s.turn], m.tiles):
        had = s.hands[s.turn].count(lacking)
        raise Violation(
            "B-44",
            "you have {value} {lacking}, not {count}",
            value=had or "no",
            lacking=lacking,
            count=m.tiles.count(lacking),
        )
    if not offering(m.tiles)[0] >> GOD[m.god] & 1:
        said = ", ".join(m.tiles)
        raise Violation(
            "B-40", "{god} does not accept {said} together", god=m.god.capitalize(), said=said
        )


def _check_free(s: State, m: moves.Free) -> None:
    _blocked_pawn(s, m.fish[0])
    current = _fish(s, m.fish)
    if usable(s, s.turn) >> current & 1:
        raise Violation(
            "B-29",
            "{fish} shows {colour}; no fellow player's fish",
            fish=m.fish,
            colour=_colour(s, current),
        )
    if s.fish[-1] >> current & 1 and not s.world.rules.free_neutral:
        raise Violation(
            "B-A40", "{fish} is a neutral fish, and those are not freed here", fish=m.fish
        )
    _away_from_sea_space(s, current, "freed")


def _check_call(s: State, m: moves.Call) -> None:
    if m.island == HIDDEN:
        raise Violation("B-28", "none of your pawns is blocked")
    _blocked_pawn(s, m.island)


def _away_from_sea_space(s: State, current: int, what: str) -> None:
    """With two players nothing is turned next to the volcano [B-A11]."""
    if s.volcano and s.world.players == 2 and s.world.rules.sea_space_touching:
        a, b = s.world.chart.ends[current]
        if shut(s) & (1 << a | 1 << b):
            site = s.volcano.site
            raise Violation(
                "B-A11",
                "no fish at the volcano's sea space {site} can be {what}",
                site=site,
                what=what,
            )


def _check_land(s: State, m: moves.Land) -> None:
    _enterable(s, m.island)


def _check_take(s: State, m: moves.Take) -> None:
    _lies_there(s, m.tile, "B-36")


def _check_give(s: State, m: moves.Give) -> None:
    _lies_there(s, m.tile, "B-32")


def _lies_there(s: State, tile: str, rule: str) -> None:
    there = s.tiles[s.arrived]
    if tile not in there:
        island = s.world.chart.islands[s.arrived]
        raise Violation(
            rule,
            "{island} offers {value}, not {tile}",
            island=island,
            value=" and ".join(there) or "nothing",
            tile=tile,
        )


def _check_withdraw(s: State, m: moves.Withdraw) -> None:
    place = s.world.sky if m.place == DOLPHIN else _island(s, m.place)
    if place not in s.pawns[s.turn]:
        raise Violation("B-83", "you have no pawn on {place}", place=m.place)


# ------------------------------------------------------------------------------------- gods


def _gods_action(s: State, god: int, rule: str, what: str) -> None:
    """May the player do what the holder of this gods card may?"""
    if not holds(s, god):
        raise Violation(
            rule,
            "you do not hold {gods}'s gods card to {what}",
            gods=GODS[god].capitalize(),
            what=what,
        )
    if out_of_order(s):
        raise Violation("B-71", "in the turn of an eruption you use no other gods action")
    if s.used:
        raise Violation("B-53", "you have used your one gods action of this turn")


def _check_swap(s: State, m: moves.Swap) -> None:
    _gods_action(s, LONO, "B-78", "swap offerings")
    if f"{m.first}-{m.second}" not in s.world.chart.current:
        raise Violation(
            "B-78", "no current in play joins {first} and {second}", first=m.first, second=m.second
        )
    for island, tile in ((m.first, m.tile), (m.second, m.other)):
        number = _island(s, island)
        if tile not in s.tiles[number]:
            there = " and ".join(s.tiles[number]) or "nothing"
            raise Violation(
                "B-78", "{island} offers {there}, not {tile}", island=island, there=there, tile=tile
            )
        closed = s.world.players == 2 and s.world.rules.sea_space_touching
        if closed and shut(s) >> number & 1:
            raise Violation(
                "B-97", "nothing is swapped on {island}, at the volcano's sea space", island=island
            )


def _check_turning(s: State, way: Way) -> int:
    _gods_action(s, KANALOA, "B-54", "turn a fish")
    current = _fish(s, way)
    if s.barred >> current & 1:
        raise Violation("B-A19", "turning {way} was forbidden; announce another fish", way=way)
    if s.world.rules.sea_space_touching:
        _away_from_sea_space(s, current, "turned")
    elif s.world.players == 2 and shut(s) >> s.world.chart.head(current, s.forward) & 1:
        raise Violation(
            "B-A11", "{way} heads for the volcano's sea space and is not turned", way=way
        )
    return current


def _check_flip(s: State, m: moves.Flip) -> None:
    current = _check_turning(s, m.fish)
    colour = next(n for n, fish in enumerate(s.fish) if fish >> current & 1)
    if s.white >> current & 1:
        _leave_a_way_out(s, current, safe=colour)


def _check_reverse(s: State, m: moves.Reverse) -> None:
    current = _check_turning(s, m.fish)
    chart, lying, turned = s.world.chart, laid(s), s.forward ^ 1 << current
    for island in chart.ends[current]:
        at = chart.at[island]
        leaving = chart.fish_leaving(island, lying, turned)
        if leaving in (0, at):
            which = "outward" if leaving else "inward"
            name = chart.islands[island]
            raise Violation(
                "B-55", "all fish of {name} would point {which}", name=name, which=which
            )
    if s.world.rules.reachable and not reversible(chart, lying, s.forward) >> current & 1:
        raise Violation("B-A17", "some island could not be reached from another any more")
    _leave_a_way_out(s, current, safe=NOBODY)


def _leave_a_way_out(s: State, current: int, safe: int) -> None:
    """Nobody's pawn may lose its last way to leave; `safe` can still use the fish [B-57]."""
    chart = s.world.chart
    tail = chart.ends[current][1 - (s.forward >> current & 1)]
    for seat, pawns in enumerate(s.pawns):
        if tail in pawns and seat != safe and exits(s, seat, tail) == 1 << current:
            way = chart.way(current, s.forward)
            raise Violation(
                "B-57",
                "{way} is the last way out for {seats}'s pawn",
                way=way,
                seats=s.world.seats[seat],
            )


def _check_second(s: State, m: moves.Second) -> None:
    if len(s.pawns[s.turn]) > 1:
        raise Violation("B-82", "both your pawns are in play")
    if s.guards[LONO] != s.turn:
        _gods_action(s, LONO, "B-79", "place a second pawn, nor his protection card")
        if not s.temples[s.turn][LONO]:
            raise Violation("B-80", "you have not sacrificed to Lono yet")
    island = _enterable(s, m.island)
    if occupied(s) >> island & 1:
        raise Violation("B-82", "a pawn stands on {island}", island=m.island)


def _check_rob(s: State, m: moves.Rob) -> None:
    seats, ku = s.world.seats, s.gods[KU]
    prey = [seats[seat] for seat in victims(s, ku)]
    if m.victim == HIDDEN:
        raise Violation("B-60", "nobody you meet here has {tile}", tile=m.tile)
    if m.victim not in prey:
        victim = seats.index(m.victim) if m.victim in seats else NOBODY
        if victim != NOBODY and s.arrived in s.pawns[victim] and victim != ku:
            if s.guards[KU] == victim:
                raise Violation("B-65", "{victim} holds Ku's protection card", victim=m.victim)
            if not s.hands[victim]:
                raise Violation("B-63", "{victim} has no offerings", victim=m.victim)
        raise Violation(
            "B-64", "you meet {prey:all} here, not {victim}", prey=prey, victim=m.victim
        )
    hand = s.hands[seats.index(m.victim)]
    if m.tile not in hand:
        raise Violation(
            "B-60", "{victim} has {hand:all}, not {tile}", victim=m.victim, hand=hand, tile=m.tile
        )


def _check_volcano(s: State, m: moves.PlaceVolcano) -> None:
    if s.world.players == 2:
        if m.site not in s.world.chart.seas:
            raise Violation("B-A10", "{site} is no sea space with two islands in play", site=m.site)
    elif occupied(s) >> _island(s, m.site) & 1:
        raise Violation("B-69", "a pawn stands on {site}", site=m.site)


def _free_choice(s: State, m: Move) -> None:
    """Whoever is asked may always do this."""


_CHECKS: dict[type[Move], Callable[[State, Any], None]] = {
    moves.Deal: _check_deal,
    moves.LayNeutral: _check_neutral,
    moves.LayFish: _check_lay,
    moves.PlacePawn: _check_pawn,
    moves.Withdraw: _check_withdraw,
    moves.Swap: _check_swap,
    moves.Sail: _check_sail,
    moves.Sacrifice: _check_sacrifice,
    moves.Free: _check_free,
    moves.Call: _check_call,
    moves.Land: _check_land,
    moves.Rob: _check_rob,
    moves.Take: _check_take,
    moves.Give: _check_give,
    moves.Flip: _check_flip,
    moves.Reverse: _check_reverse,
    moves.Forbid: _free_choice,
    moves.Allow: _free_choice,
    moves.Second: _check_second,
    moves.PlaceVolcano: _check_volcano,
    moves.Decline: _free_choice,
}
