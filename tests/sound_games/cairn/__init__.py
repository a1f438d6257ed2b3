"""Cairn: two take stones from three heaps in turn, whoever takes the last wins; a draw may be
offered beside a move."""

import os
import re
from typing import NamedTuple

from pbem import core
from pbem.core import SEAT, Decision, Event, Move, Seat, Violation, fact, record

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "cairn", "Cairn", ("white", "black"), (2, 2), "C-1"
PRIVATE, OPEN_INFORMATION = (), True
DATA = os.path.dirname(os.path.abspath(__file__))
WORDS = frozenset("offer accept draw".split())
HEAPS = {"a": 3, "b": 4, "c": 5}
HEAP = core.one_of("a heap: a, b or c", HEAPS)
STONES = core.one_of("1 to 5 stones", "12345")


@record
class Take(Move):
    heap: str = fact(HEAP)
    stones: str = fact(STONES)


@record
class Offer(Move):
    pass


@record
class Accept(Move):
    pass


@record
class Taken(Event):
    seat: Seat = fact(SEAT)
    heap: str = fact(HEAP)
    stones: str = fact(STONES)


@record
class Offered(Event):
    seat: Seat = fact(SEAT)


@record
class Agreed(Event):
    seat: Seat = fact(SEAT)


MOVES, EVENTS, RIDERS = (Take, Offer, Accept), (Taken, Offered, Agreed), (Offer,)
KINDS, WAITS = {"turn": (Take, Offer, Accept)}, ("turn",)


class State(NamedTuple):
    seats: tuple[Seat, ...]
    heaps: dict[str, int]
    turn: int = 0
    offered: str = ""  # by whom
    agreed: bool = False


def start(setup):
    return State(setup.seats, HEAPS)


def pending(s):
    if s.agreed or not any(s.heaps.values()):
        return ()
    return (Decision(s.seats[s.turn], "turn", (Take, Offer, Accept)),)


def candidates(s, decision):
    yield from (Take(heap, str(n)) for heap, left in s.heaps.items() for n in range(1, left + 1))
    yield Offer()
    yield Accept()


def check(s, seat, move):
    match move:
        case Take(heap, stones) if int(stones) > s.heaps[heap]:
            raise Violation("C-2", "There are not {n} stones on {heap}", n=stones, heap=heap)
        case Offer() if s.offered:
            raise Violation("C-4", "A draw is offered already")
        case Accept() if s.offered in ("", seat):
            raise Violation("C-4", "Nobody has offered {seat:seat} a draw", seat=seat)
    return True


def effects(s, seat, move):
    match move:
        case Take(heap, stones):
            yield Taken(seat, heap, stones)
        case Offer():
            yield Offered(seat)
        case Accept():
            yield Agreed(seat)


def evolve(s, event):
    match event:
        case Taken(seat, heap, stones):
            heaps = {**s.heaps, heap: s.heaps[heap] - int(stones)}
            offered = s.offered if s.offered == seat else ""
            return s._replace(heaps=heaps, turn=1 - s.turn, offered=offered)
        case Offered(seat):
            return s._replace(offered=seat)
    return s._replace(agreed=True)


def outcome(s):
    if pending(s):
        return None
    if s.agreed:
        return core.Outcome((), "C-4", dict.fromkeys(s.seats, 0.5))
    winner = s.seats[1 - s.turn]
    return core.Outcome((winner,), "C-3", {seat: int(seat == winner) for seat in s.seats})


def chances(s, move):
    return 1


def view(s):
    return {"heaps": dict(s.heaps), "turn": s.turn, "offered": s.offered, "agreed": s.agreed}


def position(setup, view):
    fresh = start(setup)
    return State(
        setup.seats,
        {**fresh.heaps, **view.get("heaps", {})},
        view.get("turn", 0),
        view.get("offered", ""),
        view.get("agreed", False),
    )


def parse(text):
    said = text.lower().strip()
    if found := re.fullmatch(r"([abc])([1-5])", said):
        return core.Pattern(text, Take(*found.groups()))
    if said in ("offer draw", "accept draw"):
        return core.Pattern(text, Offer() if said == "offer draw" else Accept())
    advice = core.say("Write a heap and a number, like b2, offer draw or accept draw")
    raise core.Unreadable(text, "{text!r} is no move of Cairn", advice=advice, text=text)


def notate(move):
    if isinstance(move, Take):
        return f"{move.heap}{move.stones}"
    return "offer draw" if isinstance(move, Offer) else "accept draw"


def draw(view):
    return [f"{heap}  {'o ' * left}".rstrip() for heap, left in view["heaps"].items()]
