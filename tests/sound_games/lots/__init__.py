"""Lots: all bid openly for one lot after the other; whoever has bid may still raise."""

import os
import re
from typing import NamedTuple

from pbem import core
from pbem.core import SEAT, Decision, Event, Move, Seat, Violation, fact, record

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "lots", "Lots", (), (2, 4), "L-1"
PRIVATE, OPEN_INFORMATION = (), True
DATA = os.path.dirname(os.path.abspath(__file__))
WORTH, PURSE = (3, 5, 2), 6
AMOUNT = core.one_of("an amount from 0 to 6", "0123456")


@record
class Bid(Move):
    amount: str = fact(AMOUNT)


@record
class Pass(Move):
    pass


@record
class Offered(Event):
    seat: Seat = fact(SEAT)
    amount: str = fact(AMOUNT)


@record
class Passed(Event):
    seat: Seat = fact(SEAT)


@record
class Sold(Event):
    seat: Seat = fact(SEAT)
    amount: str = fact(AMOUNT)


MOVES, EVENTS = (Bid, Pass), (Offered, Passed, Sold)
KINDS = {"bid": (Bid, Pass), "raise": (Bid,)}


class State(NamedTuple):
    purses: dict[Seat, int]
    points: dict[Seat, int]
    bids: dict[Seat, int]  # in the order they came; 0: passed
    lot: int = 0


def start(setup):
    return State(dict.fromkeys(setup.seats, PURSE), dict.fromkeys(setup.seats, 0), {})


def best(s):
    return max(s.bids.values(), default=0)


def pending(s):
    if s.lot == len(WORTH):
        return ()
    return tuple(
        Decision(seat, "raise", (Bid,), awaited=False)
        if seat in s.bids
        else Decision(seat, "bid", (Bid, Pass), default=Pass())
        for seat, purse in s.purses.items()
        if seat not in s.bids or purse > best(s)
    )


def candidates(s, decision):
    yield from map(Bid, AMOUNT.values[1:])
    if decision.kind == "bid":
        yield Pass()


def check(s, seat, move):
    match move:
        case Bid(amount) if not best(s) < int(amount) <= s.purses[seat]:
            raise Violation("L-2", "Bid more than {best}, and no more than you have", best=best(s))
    return True


def effects(s, seat, move):
    amount = move.amount if isinstance(move, Bid) else "0"
    yield Offered(seat, amount) if isinstance(move, Bid) else Passed(seat)
    bids = {**s.bids, seat: int(amount)}
    if len(bids) == len(s.purses):
        winner = max(bids, key=bids.get)
        yield Sold(winner, str(bids[winner]))


def evolve(s, event):
    match event:
        case Offered(seat, amount):
            return s._replace(bids={**s.bids, seat: int(amount)})
        case Passed(seat):
            return s._replace(bids={**s.bids, seat: 0})
        case Sold(seat, amount):
            purses = {**s.purses, seat: s.purses[seat] - int(amount)}
            points = {**s.points, seat: s.points[seat] + (WORTH[s.lot] if int(amount) else 0)}
            return State(purses, points, {}, s.lot + 1)
    return s


def outcome(s):
    if pending(s):
        return None
    most = max(s.points.values())
    return core.Outcome(tuple(p for p in s.points if s.points[p] == most), "L-3", s.points)


def chances(s, move):
    return 1


def parts(s):
    return {"round": s.lot + 1}


def view(s):
    return {"purses": dict(s.purses), "points": dict(s.points), "bids": dict(s.bids), "lot": s.lot}


def position(setup, view):
    fresh = start(setup)
    return State(
        {**fresh.purses, **view.get("purses", {})},
        {**fresh.points, **view.get("points", {})},
        dict(view.get("bids", {})),
        view.get("lot", 0),
    )


def parse(text):
    said = text.lower().strip()
    if found := re.fullmatch(r"bid ([1-6])", said):
        return core.Pattern(text, Bid(found[1]))
    if said == "pass":
        return core.Pattern(text, Pass())
    advice = core.say("Write bid 3, or pass")
    raise core.Unreadable(text, "{text!r} is no move of Lots", advice=advice, text=text)


def notate(move):
    return f"bid {move.amount}" if isinstance(move, Bid) else "pass"


def draw(view):
    bids = view["bids"]
    return [f"{seat}: {n} left, bid {bids.get(seat, '-')}" for seat, n in view["purses"].items()]
