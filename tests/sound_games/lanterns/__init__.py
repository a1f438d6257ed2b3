"""Lanterns: all together lay hidden cards in rising order, and may only wait for each other."""

import os
import re
from typing import NamedTuple

from pbem import core
from pbem.core import CHANCE, HIDDEN, SEAT, Decision, Event, Move, Seat, Violation, fact, record
from pbem.rules import zones

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "lanterns", "Lanterns", (), (2, 3), "LA-1"
PRIVATE = ("hands",)
DATA = os.path.dirname(os.path.abspath(__file__))
CARD = core.one_of("a lantern from 1 to 9", "123456789")
HAND, CANDLES = 2, 6


@record
class Deal(Move):
    card: str = fact(CARD, secret="to")
    to: Seat = fact(SEAT)


@record
class Lay(Move):
    card: str = fact(CARD)


@record
class Wait(Move):
    pass


@record
class Dealt(Event):
    to: Seat = fact(SEAT)
    card: str = fact(CARD, secret="to")


@record
class Laid(Event):
    seat: Seat = fact(SEAT)
    card: str = fact(CARD)


@record
class Waited(Event):
    seat: Seat = fact(SEAT)


MOVES, EVENTS = (Deal, Lay, Wait), (Dealt, Laid, Waited)
KINDS, WAITS = {"turn": (Lay, Wait)}, ("turn",)


class State(NamedTuple):
    hands: dict[Seat, tuple[str, ...]]
    dealt: int = 0
    laid: tuple[str, ...] = ()
    waits: int = 0
    turn: int = 0


def start(setup):
    return State(dict.fromkeys(setup.seats, ()))


def fallen(s):
    return list(s.laid) != sorted(s.laid)


def pending(s):
    seats = tuple(s.hands)
    if s.dealt < HAND * len(seats):
        return (Decision(CHANCE, "deal", (Deal,), {"to": seats[s.dealt % len(seats)]}),)
    if fallen(s) or not any(s.hands.values()):
        return ()
    for n in range(len(seats)):
        seat = seats[(s.turn + n) % len(seats)]
        if s.hands[seat]:
            return (Decision(seat, "turn", (Lay, Wait)),)
    return ()


def candidates(s, decision):
    if decision.seat == CHANCE:
        return [Deal(card, decision.about["to"]) for card in CARD.values]
    return [*map(Lay, CARD.values), Wait()]


def check(s, seat, move):
    held = [card for hand in s.hands.values() for card in hand]
    match move:
        case Deal(card, to):
            if card in held or to != tuple(s.hands)[s.dealt % len(s.hands)]:
                raise Violation("LA-1", "{card} is not dealt to {to:seat}", card=card, to=to)
            return HIDDEN not in held
        case Lay(card) if card not in (own := s.hands.get(seat, ())):
            if HIDDEN in own and card not in (*held, *s.laid):
                return False
            raise Violation("LA-2", "{seat:seat} does not hold {card}", seat=seat, card=card)
        case Wait() if s.waits == CANDLES:
            raise Violation("LA-3", "No candle is left to wait by")
    return True


def effects(s, seat, move):
    match move:
        case Deal(card, to):
            yield Dealt(to, card)
        case Lay(card):
            yield Laid(seat, card)
        case Wait():
            yield Waited(seat)


def evolve(s, event):
    turn = (s.turn + 1) % len(s.hands)
    match event:
        case Dealt(to, card):
            return s._replace(hands={**s.hands, to: (*s.hands[to], card)}, dealt=s.dealt + 1)
        case Laid(seat, card):
            hands = {**s.hands, seat: tuple(zones.without(s.hands[seat], card))}
            return s._replace(hands=hands, laid=(*s.laid, card), turn=turn)
    return s._replace(waits=s.waits + 1, turn=turn)


def outcome(s):
    if pending(s):
        return None
    won = not fallen(s)
    score = len(s.laid) if won else 0
    return core.Outcome(tuple(s.hands) if won else (), "LA-4", dict.fromkeys(s.hands, score))


def chances(s, move):
    return 1


def view(s):
    return {
        "hands": {seat: list(hand) for seat, hand in s.hands.items()},
        "dealt": s.dealt,
        "laid": list(s.laid),
        "waits": s.waits,
        "turn": s.turn,
    }


def position(setup, view):
    hands = {seat: tuple(view.get("hands", {}).get(seat, ())) for seat in setup.seats}
    known = [card for hand in hands.values() for card in hand if card != HIDDEN]
    if len({*known}) < len(known) or not {*known} <= {*CARD.values}:
        raise core.BadFile("each lantern is there once, not as in {cards:all}", cards=known)
    if any(len(hand) > HAND for hand in hands.values()):
        raise core.BadFile("nobody holds more than {n} lanterns", n=HAND)
    return State(
        hands,
        view.get("dealt", sum(map(len, hands.values()))),
        tuple(view.get("laid", ())),
        view.get("waits", 0),
        view.get("turn", 0),
    )


def parse(text):
    said = text.lower().strip()
    if found := re.fullmatch(r"lay ([1-9])", said):
        return core.Pattern(text, Lay(found[1]))
    if found := re.fullmatch(r"deal ([1-9?])", said):
        return core.Pattern(text, Deal(found[1], ""), frozenset({"to"}))
    if said == "wait":
        return core.Pattern(text, Wait())
    advice = core.say("Write lay 4, or wait")
    raise core.Unreadable(text, "{text!r} is no move of Lanterns", advice=advice, text=text)


def notate(move):
    match move:
        case Deal(card, _):
            return f"deal {card}"
        case Lay(card):
            return f"lay {card}"
    return "wait"


def draw(view):
    lit = " ".join(view["laid"]) or "none"
    return [f"lit: {lit}", *(f"{seat}: {' '.join(hand)}" for seat, hand in view["hands"].items())]
