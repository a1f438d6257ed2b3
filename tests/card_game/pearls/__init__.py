"""Pearls: take a card or draw one, then lay one; who lays the most valuable cards wins."""

import os
from collections import Counter
from typing import NamedTuple

from pbem import core
from pbem.core import (
    CHANCE,
    FLAG,
    HIDDEN,
    SEAT,
    Decision,
    Event,
    Move,
    Seat,
    Violation,
    fact,
    many,
    maybe,
    record,
)
from pbem.rules.zones import missing, without
from pbem.views import by_seat, declared, follows, hidden

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "pearls", "Pearls", (), (2, 4), "PE-2"
PRIVATE = ("hands",)
DATA = os.path.dirname(os.path.abspath(__file__))

PEARLS = tuple(map(str, range(1, 11)))
COPIES, HAND, DISPLAY, LAYS = 4, 3, 3, 4
CARD = core.one_of("a pearl from 1 to 10", PEARLS)
PLACE = core.NAME  # a seat, or the display


# --------------------------------------------------------------------------- moves and events


@record
class Deal(Move):
    card: str = fact(CARD, secret="to")
    to: str = fact(PLACE)


@record
class Take(Move):
    card: str = fact(CARD)


@record
class Draw(Move):
    pass


@record
class Lay(Move):
    card: str = fact(CARD)


@record
class Dealt(Event):
    to: str = fact(PLACE)
    card: str = fact(CARD, secret="to")


@record
class Took(Event):
    seat: Seat = fact(SEAT)
    card: str = fact(CARD)


@record
class Drew(Event):
    seat: Seat = fact(SEAT)


@record
class Laid(Event):
    seat: Seat = fact(SEAT)
    card: str = fact(CARD)


MOVES, EVENTS = (Deal, Take, Draw, Lay), (Dealt, Took, Drew, Laid)
WAITS = ("lay",)


# ----------------------------------------------------------------------------------- the state


class State(NamedTuple):
    twins: bool  # the option: two alike in front of a seat count nothing
    hands: dict[Seat, tuple[str, ...]]
    laid: dict[Seat, tuple[str, ...]]
    display: tuple[str, ...]
    owed: tuple[str, ...]  # to whom cards are to be dealt, in this order
    gained: bool  # the seat on turn has its new card


def start(setup):
    owed = [*setup.seats] * HAND + ["display"] * DISPLAY
    nothing = dict.fromkeys(setup.seats, ())
    return State(setup.options["twins"], nothing, nothing, (), tuple(owed), False)


def turn(s):
    """The seat on turn: the first of those that have laid the fewest cards; None at the end."""
    fewest = min(map(len, s.laid.values()))
    return None if fewest == LAYS else next(p for p in s.laid if len(s.laid[p]) == fewest)


def pending(s):
    if s.owed:
        return (Decision(CHANCE, "deal", (Deal,), {"to": s.owed[0]}),)
    seat = turn(s)
    if seat is None:
        return ()
    if s.gained:
        return (Decision(seat, "lay", (Lay,)),)
    return (Decision(seat, "gain", (Take, Draw), default=Draw()),)


def candidates(s, decision):
    match decision.kind:
        case "deal":
            return [Deal(card, s.owed[0]) for card in PEARLS]
        case "gain":
            return [Draw(), *map(Take, sorted(set(s.display)))]
    return map(Lay, PEARLS)


def check(s, seat, move):
    match move:
        case Deal(card, to):
            if not s.owed or to != s.owed[0] or not left(s, card):
                raise Violation("PE-1", "{card} cannot be dealt to {to:seat}", card=card, to=to)
            return not any(HIDDEN in hand for hand in s.hands.values())
        case Take() | Draw() if s.gained:
            raise Violation("PE-3", "{seat:seat} has a new card and lays one now", seat=seat)
        case Take(card) if card not in s.display:
            raise Violation("PE-4", "There is no {card} in the display", card=card)
        case Lay() if not s.gained:
            raise Violation("PE-3", "{seat:seat} takes or draws a card first", seat=seat)
        case Lay(card) if missing(s.hands.get(seat, ()), [card]):
            if HIDDEN not in s.hands.get(seat, ()):
                raise Violation("PE-5", "{seat:seat} holds no {card}", seat=seat, card=card)
            return False
    return True


def effects(s, seat, move):
    match move:
        case Deal(card, to):
            yield Dealt(to, card)
        case Take(card):
            yield Took(seat, card)
        case Draw():
            yield Drew(seat)
        case Lay(card):
            yield Laid(seat, card)


def evolve(s, event):
    match event:
        case Dealt("display", card):
            return s._replace(display=(*s.display, card), owed=s.owed[1:])
        case Dealt(to, card):
            return s._replace(hands={**s.hands, to: (*s.hands[to], card)}, owed=s.owed[1:])
        case Took(seat, card):
            hands = {**s.hands, seat: (*s.hands[seat], card)}
            display = without(s.display, card)
            return s._replace(hands=hands, display=display, owed=("display",), gained=True)
        case Drew(seat):
            return s._replace(owed=(seat,), gained=True)
        case Laid(seat, card):
            hands = {**s.hands, seat: without(s.hands[seat], card)}
            laid = {**s.laid, seat: (*s.laid[seat], card)}
            return s._replace(hands=hands, laid=laid, gained=False)


def score(s, cards):
    counts = Counter(cards)
    return sum(int(card) for card in cards if not (s.twins and counts[card] == 2))


def outcome(s):
    if pending(s):
        return None
    scores = {seat: score(s, cards) for seat, cards in s.laid.items()}
    best = max(scores.values())
    return core.Outcome(tuple(p for p in scores if scores[p] == best), "PE-6", scores)


def left(s, card):
    """How many copies of a card are nowhere to be seen."""
    zones = (*s.hands.values(), *s.laid.values(), s.display)
    return COPIES - sum(zone.count(card) for zone in zones)


def chances(s, move):
    return left(s, move.card)


def unseen(s):
    return {card: left(s, card) for card in PEARLS}


# ------------------------------------------------------------------------------ view and words


def fresh(setup):
    return start(setup)._replace(owed=())


def settled(s, given):
    for card in PEARLS:
        if left(s, card) < 0:
            raise core.BadFile("there are only {most} cards {card}", most=COPIES, card=card)
    if any(len(hand) > HAND + 1 for hand in s.hands.values()):
        raise core.BadFile("a hand has at most {most} cards", most=HAND + 1)
    return s


KEYS = {
    "turn": follows(maybe(SEAT), turn),
    "gained": FLAG,
    "hands": by_seat(many(hidden(CARD), HAND + 1)),
    "laid": by_seat(many(CARD)),
    "display": many(CARD),
    "owed": many(PLACE),
}
view, position, SCHEMA = declared(fresh, KEYS, settled)


def parse(text):
    match text.lower().split():
        case ["draw"]:
            return core.Pattern(text, Draw())
        case ["take", card] if card in PEARLS:
            return core.Pattern(text, Take(card))
        case ["lay", card] if card in PEARLS:
            return core.Pattern(text, Lay(card))
        case ["deal", card] if card in (*PEARLS, HIDDEN):
            return core.Pattern(text, Deal(card, ""), frozenset({"to"}))
    advice = core.say("Write it like take 7, draw or lay 3")
    raise core.Unreadable(text, "{text!r} is no move of Pearls", advice=advice, text=text)


def notate(move):
    return "draw" if isinstance(move, Draw) else f"{type(move).__name__.lower()} {move.card}"


def draw(view):
    lines = [f"display   {' '.join(view['display'])}"]
    for seat, hand in view["hands"].items():
        lines.append(f"{seat:10}{' '.join(hand):12} laid: {' '.join(view['laid'][seat])}".rstrip())
    return lines
