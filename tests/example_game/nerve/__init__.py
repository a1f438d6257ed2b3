"""Nerve: a hidden card for each; stay or fold in turn; the highest card that stayed wins."""

import os
from typing import NamedTuple

from pbem import core
from pbem.core import CHANCE, HIDDEN, SEAT, Decision, Event, Move, Seat, Violation, fact, record
from pbem.views import by_seat, declared, hidden

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "nerve", "Nerve", (), (2, 5), "N-2"
PRIVATE = ("hands",)
DATA = os.path.dirname(os.path.abspath(__file__))
CARD = core.one_of("a card from 1 to 9", "123456789")


@record
class Deal(Move):
    card: str = fact(CARD, secret="to")
    to: Seat = fact(SEAT)


@record
class Choose(Move):
    stay: bool = fact(core.FLAG)


@record
class Dealt(Event):
    to: Seat = fact(SEAT)
    card: str = fact(CARD, secret="to")


@record
class Chose(Event):
    seat: Seat = fact(SEAT)
    stay: bool = fact(core.FLAG)


@record
class Shown(Event):
    seat: Seat = fact(SEAT)
    card: str = fact(CARD)


MOVES, EVENTS = (Deal, Choose), (Dealt, Chose, Shown)
OPENS = (Shown,)


class State(NamedTuple):
    hands: dict[Seat, str]  # "" where a card is owed, HIDDEN where the reader may not know
    stays: dict[Seat, bool]  # who has chosen


def start(setup):
    return State(dict.fromkeys(setup.seats, ""), {})


def pending(s):
    if _owed(s):
        return (Decision(CHANCE, "deal", (Deal,), {"to": _owed(s)}),)
    for seat in s.hands:
        if seat not in s.stays:
            return (Decision(seat, "turn", (Choose,), default=Choose(True)),)
    return ()


def candidates(s, decision):
    if decision.seat == CHANCE:
        return [Deal(card, decision.about["to"]) for card in CARD.values]
    return [Choose(True), Choose(False)]


def check(s, seat, move):
    match move:
        case Deal(card, to):
            if card in s.hands.values() or to != _owed(s):
                raise Violation("N-1", "{card} cannot be dealt to {to:seat}", card=card, to=to)
            return HIDDEN not in s.hands.values()
        case Choose(False) if _last(s) and not any(s.stays.values()):
            raise Violation("N-3", "All others have folded, so {seat:seat} stays", seat=seat)
    return True


def effects(s, seat, move):
    match move:
        case Deal(card, to):
            yield Dealt(to, card)
        case Choose(stay):
            yield Chose(seat, stay)
            if _last(s):
                yield from (Shown(seat, card) for seat, card in s.hands.items())


def evolve(s, event):
    match event:
        case Dealt(seat, card) | Shown(seat, card):
            return s._replace(hands={**s.hands, seat: card})
        case Chose(seat, stay):
            return s._replace(stays={**s.stays, seat: stay})


def outcome(s):
    if pending(s):
        return None
    best = max(card for seat, card in s.hands.items() if s.stays[seat])
    worth = {seat: len(s.hands) if card == best else -1 for seat, card in s.hands.items()}
    winners = tuple(seat for seat, card in s.hands.items() if card == best)
    return core.Outcome(winners, "N-4", {seat: worth[seat] * s.stays[seat] for seat in s.hands})


def chances(s, move):
    return 1  # each card is there once


def _each_once(s, given):
    known = [card for card in s.hands.values() if card not in ("", HIDDEN)]
    if len(set(known)) < len(known):
        raise core.BadFile("each card is there once, not as in {cards:all}", cards=known)
    return s


HAND = core.many(hidden(CARD), 1)  # [] where it is owed
HAND = HAND._replace(shown=lambda card, s: [*card], read=lambda cards, s, fresh: "".join(cards))
KEYS = {"hands": by_seat(HAND), "stays": by_seat(core.FLAG)}
view, position, SCHEMA = declared(start, KEYS, _each_once)


def parse(text):
    match text.lower().split():
        case ["stay" | "fold" as said]:
            return core.Pattern(text, Choose(said == "stay"))
        case ["deal", card] if card in (*CARD.values, HIDDEN):
            return core.Pattern(text, Deal(card, ""), frozenset({"to"}))
    advice = core.say("Say stay or fold")
    raise core.Unreadable(text, "{text!r} is no move of Nerve", advice=advice, text=text)


def notate(move):
    return f"deal {move.card}" if isinstance(move, Deal) else "stay" if move.stay else "fold"


def draw(view):
    chosen = {True: "stays", False: "folds", None: "?"}
    return [
        f"{seat:10}{' '.join(hand):3}{chosen[view['stays'].get(seat)]}"
        for seat, hand in view["hands"].items()
    ]


def _owed(s):
    return next((seat for seat, card in s.hands.items() if not card), None)


def _last(s):
    return len(s.stays) == len(s.hands) - 1
