"""A position of Kanaloa (Bambus), and what can be read off it.

Seats, islands and currents are numbers here: a seat's place in clockwise order, an island's and a
current's place in the alphabet (see `chart`), a god's place in TEMPLES.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from pbem.core import Seat
from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.chart import Chart, bits
from pbem.rules.kanaloa_bambus.tiles import KU, LONO, Box, Tile

Stage = Literal["neutral", "fish", "pawn", "start", "arrived", "ending", "volcano"]
"""How far the match has come, and the turn in it; `decisions.LEADS_TO` tells what follows what."""

NOBODY: Final = -1
"""In place of a seat or an island: there is none. A card beside the map is NOBODY's."""


class Rules(NamedTuple):
    """What the options settle: the first three by other names, the others under their own."""

    basic: bool
    one_eruption_a_circle: bool
    sea_space_touching: bool
    reachable: bool
    capped_block: bool
    capped_vacant: bool
    level_takes: bool
    rob_landing: bool
    rob_again: bool
    second_again: bool
    withdraw_first: bool
    free_neutral: bool


class World(NamedTuple):
    """What does not change during a match. The same set-up gives the same object."""

    seats: tuple[Seat, ...]
    rules: Rules
    chart: Chart
    box: Box
    players: int
    sky: int
    """The number of the place that is no island: the Dolphin."""
    protected: bool
    """Are there protection cards, and is a holder of Pele exempt? [B-92, B-95]"""
    dealt: tuple[int, ...] = ()
    """Who holds the gods cards at the start, if that was agreed on."""
    plan: Mapping[str, Any] | None = None
    """How to draw the map, if it is not the project's own."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class Volcano(NamedTuple):
    """Where the volcano stands, who placed it, how many turns that seat has begun with it (1: only
    the turn at the eruption), and the islands nobody may enter."""

    site: str
    by: int
    turns: int
    shut: int


class State(NamedTuple):
    """A position. Everything is open; of the bag, there is only the number of tiles to know."""

    world: World
    stage: Stage
    turn: int
    owed: tuple[str, ...]
    """The islands to which an offering is owed, and the seats to which a gods card is."""
    tiles: tuple[tuple[Tile, ...], ...]
    hands: tuple[tuple[Tile, ...], ...]
    temples: tuple[tuple[int, ...], ...]
    gods: tuple[int, ...]
    guards: tuple[int, ...]
    """Who holds the gods cards, and who the protection cards."""
    pawns: tuple[tuple[int, ...], ...]
    stunned: tuple[tuple[int, ...], ...]
    """Where each seat's pawns are, and where the stunned ones among them are."""
    unseen: tuple[int, ...]
    """Of each kind of offering, how many nobody has seen yet."""
    bag: int
    aside: int
    fish: tuple[int, ...]
    """The fish of each seat, and last the neutral ones, as sets of currents."""
    forward: int = 0
    white: int = 0
    volcanoes: int = 0
    volcano: Volcano | None = None
    erupting: int = NOBODY
    """Whose turn it will be as soon as the island has its offering."""
    arrived: int = NOBODY
    """The island on which a pawn of the player has just arrived."""
    spent: int = 0
    """The seats whose second pawn has been withdrawn and does not come back."""
    landing: bool = False
    met: bool = False
    """The robbery on arrival is settled."""
    used: bool = False
    """The gods action of this turn is used."""
    barred: int = 0
    """Fish that may not be announced again in this turn."""
    announced: tuple[str, str] | None = None
    ended: events.Ended | None = None


# --------------------------------------------------------------------------- read off it


def laid(s: State) -> int:
    """The currents that carry a fish: none carries two."""
    return sum(s.fish)


def shut(s: State) -> int:
    """The islands nobody may enter [B-70, B-97]."""
    return s.volcano.shut if s.volcano else 0


def usable(s: State, seat: int) -> int:
    """The fish along which a seat may move [B-26]."""
    return s.white | s.fish[seat]


def exits(s: State, seat: int, island: int) -> int:
    """The fish by which a pawn of the seat can leave an island."""
    chart = s.world.chart
    ways = chart.fish_leaving(island, laid(s), s.forward) & usable(s, seat)
    if s.volcano:
        for current in bits(ways):
            if s.volcano.shut >> chart.head(current, s.forward) & 1:
                ways ^= 1 << current
    return ways


def able(s: State, seat: int) -> tuple[int, ...]:
    """Where the seat's pawns are, without the stunned ones."""
    if not s.stunned[seat]:
        return s.pawns[seat]
    left = list(s.pawns[seat])
    for place in s.stunned[seat]:
        left.remove(place)
    return tuple(left)


def occupied(s: State) -> int:
    """The islands with a pawn."""
    places = 0
    for pawns in s.pawns:
        for place in pawns:
            places |= 1 << place
    return places & ~(1 << s.world.sky)


def out_of_order(s: State) -> bool:
    """Is this the turn that an eruption brought? [B-71]"""
    return s.volcano is not None and s.volcano.by == s.turn and s.volcano.turns == 1


def last_of_volcano(s: State) -> bool:
    """Is this the turn after which the volcano goes? [B-74]"""
    return s.volcano is not None and s.volcano.by == s.turn and s.volcano.turns > 1


def has_gods_action(s: State) -> bool:
    """May the player whose turn it is still use a gods action? [B-53, B-71]"""
    return not s.used and not out_of_order(s)


def holds(s: State, god: int) -> bool:
    """Does the player whose turn it is hold this gods card?"""
    return s.gods[god] == s.turn


def unsupported(s: State) -> bool:
    """Does the player whose turn it is have two pawns and neither card of Lono? [B-83]"""
    return len(s.pawns[s.turn]) > 1 and s.gods[LONO] != s.turn != s.guards[LONO]


def second_by(s: State) -> str:
    """By which card of Lono the player may place a second pawn now; "" if by none."""
    if len(s.pawns[s.turn]) != 1 or s.spent >> s.turn & 1:
        return ""
    if s.guards[LONO] == s.turn:
        return "protection"
    if holds(s, LONO) and has_gods_action(s) and s.temples[s.turn][LONO]:
        return "gods"
    return ""


def robber(s: State) -> int:
    """The holder of Ku, if there is somebody to rob on this arrival; else NOBODY [B-60, B-A31]."""
    ku = s.gods[KU]
    if ku == NOBODY or s.met:
        return NOBODY
    if not s.world.rules.rob_again and s.pawns[s.turn].count(s.arrived) > 1:
        return NOBODY  # whoever is here has met the pawn that was here before [B-A32]
    if s.landing and (ku == s.turn or not s.world.rules.rob_landing):
        return NOBODY
    if ku == s.turn and not has_gods_action(s):
        return NOBODY
    if ku != s.turn and s.arrived not in able(s, ku):
        return NOBODY
    return ku if victims(s, ku) else NOBODY


def victims(s: State, ku: int) -> list[int]:
    """Whom the holder of Ku can rob on this arrival [B-61, B-63, B-65]."""
    met = (
        [s.turn]
        if ku != s.turn
        else [seat for seat in range(s.world.players) if seat != ku and s.arrived in s.pawns[seat]]
    )
    return [seat for seat in met if s.hands[seat] and s.guards[KU] != seat]


def volcanoes_in_bag(s: State) -> int:
    """How many volcanoes are in the bag: one is among the tiles set aside [B-8]."""
    return s.world.box.last - s.volcanoes - (1 if s.aside else 0)
