"""What comes of a move in Kanaloa (Bambus): the facts it brings about, in order.

Nothing is judged here. If one fact depends on another, the state is carried along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.core import Event, Move, Outcome, Seat
from pbem.rules.kanaloa_bambus import events, favour, moves, state, tiles
from pbem.rules.kanaloa_bambus.chart import bits
from pbem.rules.kanaloa_bambus.evolve import evolve
from pbem.rules.kanaloa_bambus.start import TOGETHER

# Facts are values: the common ones are made once.
_tile_laid, _turn_passed = cache(events.TileLaid), cache(events.TurnPassed)
_took, _sailed, _turned_over = map(cache, (events.Took, events.Sailed, events.TurnedOver))


def effects(s: state.State, seat: Seat, move: Move) -> Iterable[Event]:
    """See `pbem.core.Game.effects`."""
    return _EFFECTS[type(move)](s, seat, move)


# ------------------------------------------------------------------------------ the beginning


def _place_pawn(s: state.State, seat: Seat, m: moves.PlacePawn) -> Iterator[Event]:
    """The last pawn opens the first turn, that of the holder of Ku [B-22]."""
    yield events.PawnPlaced(seat, m.island)
    if sum(map(bool, s.pawns)) == s.world.players - 1:
        first = (s.turn + 1) % s.world.players
        yield _turn_passed(s.world.seats[first])


def _deal(s: state.State, seat: Seat, m: moves.Deal) -> Iterator[Event]:
    if m.to in s.world.seats:
        yield from _card_dealt(s, m)
    elif s.stage != "ending":
        yield _tile_laid(m.to, m.what)
    elif m.what == tiles.VOLCANO:
        yield from _volcano_drawn(s)
    else:
        yield (laid := _tile_laid(m.to, m.what))
        if s.bag == 1 and s.aside:
            yield events.BagFilled(s.aside)
        s = evolve(s, laid)
        if s.erupting != state.NOBODY:
            yield from _eruption(s)
        elif s.landing or not _more_to_do(s):
            yield from _turn_over(s)


def _card_dealt(s: state.State, m: moves.Deal) -> Iterator[Event]:
    """With two players one card settles all four [B-98]."""
    yield events.CardDealt(m.to, m.what)
    if s.world.players == 2:
        dealt, other = (
            tiles.GODS.index(m.what),
            next(seat for seat in s.world.seats if seat != m.to),
        )
        for god, along in TOGETHER.items():
            to = m.to if god == dealt else other
            if god != dealt:
                yield events.CardDealt(to, tiles.GODS[god])
            yield events.CardDealt(to, tiles.GODS[along])


# --------------------------------------------------------------------------------- the turn


def _sail(s: state.State, seat: Seat, m: moves.Sail) -> Iterator[Event]:
    yield _sailed(seat, m.tail, m.head)
    way = f"{m.tail}-{m.head}"
    current = s.world.chart.current[way][0]
    yield _turned_over(way, "colour" if s.white >> current & 1 else "white")


def _sacrifice(s: state.State, seat: Seat, m: moves.Sacrifice) -> Iterator[Event]:
    points, god = tiles.offering(m.tiles)[1], tiles.GOD[m.god]
    heights = list(s.temples)
    mine = list(heights[s.turn])
    mine[god] += points
    heights[s.turn] = tuple(mine)
    given = events.Sacrificed(seat, m.god, m.tiles, points, mine[god])
    return _then(s, [given, *favour.after(s, s.turn, god, heights)])


def _withdraw(s: state.State, seat: Seat, m: moves.Withdraw) -> Iterator[Event]:
    yield (gone := events.Withdrew(seat, m.place))
    s = evolve(s, gone)
    if s.stage == "start" and not state.able(s, s.turn):
        yield from _lost(s)


def _decline(s: state.State, seat: Seat, m: moves.Decline) -> Iterator[Event]:
    if s.stage == "arrived":
        yield events.Spared(seat)
    else:
        yield events.Declined(seat)
        yield from _turn_over(s)


def _then(s: state.State, told: Iterable[Event]) -> Iterator[Event]:
    """These facts, and the end of the turn unless its player can do more [B-A60]."""
    for event in told:
        yield event
        s = evolve(s, event)
    if not _more_to_do(s):
        yield from _turn_over(s)


def _more_to_do(s: state.State) -> bool:
    return (state.holds(s, tiles.KANALOA) and state.has_gods_action(s)) or state.second_by(s) != ""


def _turn_over(s: state.State) -> Iterator[Event]:
    """The next player whose pawns are not all stunned has the turn [B-38, B-72, B-74]."""
    if s.volcano and state.last_of_volcano(s):
        yield (lifted := events.VolcanoLifted(s.volcano.site))
        s = evolve(s, lifted)
    yield (passed := _turn_passed(s.world.seats[(s.turn + 1) % s.world.players]))
    if any(s.stunned):
        s = evolve(s, passed)
        if not state.able(s, s.turn):
            yield from _lost(s)


def _lost(s: state.State) -> Iterator[Event]:
    yield events.TurnLost(s.world.seats[s.turn])
    yield from _turn_over(s)


# ------------------------------------------------------------------------------------- gods


def _turn(s: state.State, seat: Seat, m: moves.Flip | moves.Reverse) -> Iterator[Event]:
    """Kanaloa's fish is turned, at once or if the protected player allows it [B-58]."""
    guard = s.guards[tiles.KANALOA]
    how = "flip" if isinstance(m, moves.Flip) else "reverse"
    current = s.world.chart.current[m.fish][0]
    if guard != state.NOBODY and s.fish[guard] >> current & 1:
        return iter([events.Announced(seat, m.fish, how)])
    return _then(s, [_turned(s, m.fish, how)])


def _turned(s: state.State, fish: str, how: str) -> Event:
    seat = s.world.seats[s.turn]
    if how == "reverse":
        return events.Reversed(seat, fish)
    white = s.white >> s.world.chart.current[fish][0] & 1
    return events.Flipped(seat, fish, "colour" if white else "white")


def _forbid(s: state.State, seat: Seat, m: moves.Forbid) -> tuple[Event, ...]:
    assert s.announced
    return (events.Forbade(seat, s.announced[0]),)


def _allow(s: state.State, seat: Seat, m: moves.Allow) -> Iterator[Event]:
    assert s.announced
    return _then(s, [_turned(s, *s.announced)])


def _volcano_drawn(s: state.State) -> Iterator[Event]:
    """The last volcano ends the game; every second erupts, once in a circle [B-66, B-67, B-88]."""
    number = s.volcanoes + 1
    yield (drawn := events.VolcanoDrawn(number))
    if number == s.world.box.last:
        yield from _the_end(evolve(s, drawn))
        return
    if s.bag == 1 and s.aside:
        yield events.BagFilled(s.aside)
    standing = s.volcano is not None and s.world.rules.one_eruption_a_circle
    quiet = s.erupting != state.NOBODY or (standing and not state.last_of_volcano(s))
    if number % 2 == 0 and not quiet:
        pele = s.gods[tiles.PELE]
        yield events.Erupted(s.world.seats[s.turn if pele == state.NOBODY else pele])


def _eruption(s: state.State) -> Iterator[Event]:
    """The island has its offering; the turn is over and passes to Pele [B-68, B-A54, B-A61]."""
    if s.volcano:
        yield events.VolcanoLifted(s.volcano.site)
    yield _turn_passed(s.world.seats[s.erupting])


def _place_volcano(s: state.State, seat: Seat, m: moves.PlaceVolcano) -> Iterator[Event]:
    yield (placed := events.VolcanoPlaced(seat, m.site))
    s = evolve(s, placed)
    for near in bits(_shaken(s, m.site)):
        for who in range(s.world.players):
            if near in s.pawns[who] and not _exempt(s, who):
                yield (stunned := events.Stunned(s.world.seats[who], s.world.chart.islands[near]))
                s = evolve(s, stunned)
    if not state.able(s, s.turn):
        yield from _lost(s)


def _shaken(s: state.State, site: str) -> int:
    """The islands next to the volcano [B-72, B-96]."""
    chart = s.world.chart
    return chart.seas[site] if s.world.players == 2 else chart.neighbours(chart.number[site])


def _exempt(s: state.State, seat: int) -> bool:
    """Does a seat lose no turn, as it placed the volcano and has sacrificed to Pele, or has Pele's
    protection card? [B-73, B-76, B-A12]"""
    if not s.world.protected:
        return False
    return s.guards[tiles.PELE] == seat or (seat == s.turn and s.temples[seat][tiles.PELE] > 0)


_EFFECTS: dict[type[Move], Callable[[state.State, Seat, Any], Iterable[Event]]] = {
    moves.Deal: _deal,
    moves.LayNeutral: lambda s, seat, m: (events.FishLaid(None, m.fish, "colour"),),
    moves.LayFish: lambda s, seat, m: (events.FishLaid(seat, m.fish, m.up),),
    moves.PlacePawn: _place_pawn,
    moves.Withdraw: _withdraw,
    moves.Swap: lambda s, seat, m: (events.Swapped(seat, m.first, m.tile, m.second, m.other),),
    moves.Sail: _sail,
    moves.Sacrifice: _sacrifice,
    moves.Free: lambda s, seat, m: _then(s, [events.Freed(seat, m.fish)]),
    moves.Call: lambda s, seat, m: _then(s, [events.Called(seat, m.island)]),
    moves.Land: lambda s, seat, m: (events.Landed(seat, m.island),),
    moves.Rob: lambda s, seat, m: (events.Robbed(seat, m.victim, m.tile),),
    moves.Take: lambda s, seat, m: (_took(seat, s.world.chart.islands[s.arrived], m.tile),),
    moves.Give: lambda s, seat, m: (events.Gave(seat, s.world.chart.islands[s.arrived], m.tile),),
    moves.Flip: _turn,
    moves.Reverse: _turn,
    moves.Forbid: _forbid,
    moves.Allow: _allow,
    moves.Second: lambda s, seat, m: _then(
        s, [events.SecondPlaced(seat, m.island, state.second_by(s))]
    ),
    moves.PlaceVolcano: _place_volcano,
    moves.Decline: _decline,
}

# -------------------------------------------------------------------------------- the end


def score(temple: tuple[int, ...]) -> tuple[int, int]:
    """What a player's temples score, and how much of them does not score [B-89, B-91]."""
    kane = temple[tiles.KANE]
    scored = kane * sum(height >= kane for height in temple)
    return scored, sum(temple) - scored


def scores(s: state.State) -> dict[Seat, int]:
    """Everybody's score if the game ended now."""
    return {seat: score(s.temples[n])[0] for n, seat in enumerate(s.world.seats)}


def _the_end(s: state.State) -> Iterator[Event]:
    """The scores, and who wins by which rule [B-90, B-91, B-A41]."""
    results = {seat: score(s.temples[n]) for n, seat in enumerate(s.world.seats)}
    for n, seat in enumerate(s.world.seats):
        yield events.Scored(seat, s.temples[n][tiles.KANE], *results[seat])
    best = max(results.values())
    winners = tuple(seat for seat, result in results.items() if result == best)
    level = sum(result[0] == best[0] for result in results.values())
    yield events.Ended(winners, "B-A41" if len(winners) > 1 else "B-91" if level > 1 else "B-90")


def outcome(s: state.State) -> Outcome | None:
    """See `pbem.core.Game.outcome`."""
    return Outcome(s.ended.winners, s.ended.why, scores(s)) if s.ended else None


def standing(s: state.State) -> Mapping[Seat, float]:
    """See `pbem.core.Game.standing`: more and more the score, at first what it may become."""
    late = s.volcanoes / s.world.box.last
    return {
        seat: late * scored + (1 - late) * _promise(s.temples[n], s.hands[n], 1 - late * late)
        for n, (seat, scored) in enumerate(scores(s).items())
    }


def _promise(temple: tuple[int, ...], hand: tuple[tiles.Tile, ...], share: float) -> float:
    """The best that a temple of Kane could make of the others, if this share of a hand were
    sacrificed; one that falls short counts by the square of how near it comes."""
    heights: list[float] = [*temple]
    for tile in hand:
        gods, value = tiles.TILES[tile]
        for god in bits(gods):
            heights[god] += share * value / gods.bit_count()
    *others, kane = heights
    tried = {max(temple[tiles.KANE], min(kane, other), 1) for other in (*others, kane)}
    return max(k + sum(min(k, other) ** 2 / k for other in others) for k in tried)
