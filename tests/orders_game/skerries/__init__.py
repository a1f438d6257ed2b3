"""Skerries: all order their boats in secret, then all sail at once; who holds most isles wins.

The example of a game of simultaneous orders: several units a seat, orders that stay sealed until
the last seat is done and can be amended until then, a step that carries them out, and retreats.
"""

import os
import re
from typing import NamedTuple

from pbem import core
from pbem.core import (
    HIDDEN,
    HOUSE,
    MOVER,
    SEAT,
    Decision,
    Event,
    Move,
    Seat,
    Violation,
    fact,
    many,
    record,
)
from pbem.views import Key, by_name, by_seat, declared, number, seen

NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "skerries", "Skerries", (), (2, 7), "SK-2"
PRIVATE = ("orders",)
DATA = os.path.dirname(os.path.abspath(__file__))
WORDS = frozenset("backs holds done retreat scuttle".split())
LINE_BY_LINE = True

ROUNDS, MOST_ORDERS = 4, 9
COLUMNS, ROWS = "abcd", "1234"
ISLES = tuple(f"{column}{row}" for row in ROWS for column in COLUMNS)
HARBOURS = (("a1", "b1", "a2"), ("d4", "c4", "d3"), ("d1", "c1", "d2"), ("a4", "b4", "a3"))
SHORES = tuple(zip(ISLES[::2], ISLES[1::2], strict=True))  # for more players than corners
ISLE = core.one_of("an isle from a1 to d4", ISLES)
DOES = core.one_of("sail, back or hold", ("sail", "back", "hold"))


def beside(isle):
    """The isles a boat reaches from here: left, right, above and below."""
    x, y = COLUMNS.index(isle[0]), ROWS.index(isle[1])
    return tuple(
        f"{COLUMNS[x + right]}{ROWS[y + down]}"
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1))
        if 0 <= x + right < len(COLUMNS) and 0 <= y + down < len(ROWS)
    )


# --------------------------------------------------------------------------- moves and events


@record
class Order(Move):
    at: str = fact(ISLE, secret=MOVER)
    does: str = fact(DOES, secret=MOVER)
    to: str = fact(ISLE, secret=MOVER)


@record
class Done(Move):
    pass


@record
class CarryOut(Move):
    pass


@record
class Retreat(Move):
    to: str = fact(ISLE)


@record
class Scuttle(Move):
    pass


@record
class Ordered(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE, secret="seat")
    does: str = fact(DOES, secret="seat")
    to: str = fact(ISLE, secret="seat")


@record
class Finished(Event):
    seat: Seat = fact(SEAT)


@record
class Opened(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)
    does: str = fact(DOES)
    to: str = fact(ISLE)


@record
class Driven(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)
    by: str = fact(ISLE)  # where the stronger boat came from


@record
class Sailed(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)
    to: str = fact(ISLE)


@record
class Stayed(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)
    to: str = fact(ISLE)


@record
class Retreated(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)
    to: str = fact(ISLE)


@record
class Scuttled(Event):
    seat: Seat = fact(SEAT)
    at: str = fact(ISLE)


@record
class RoundEnded(Event):
    number: int = fact(core.NUMBER)


MOVES = (Order, Done, CarryOut, Retreat, Scuttle)
EVENTS = (*(Ordered, Finished, Opened, Driven, Sailed, Stayed), *(Retreated, Scuttled, RoundEnded))
OPENS = (Opened,)
KINDS = {"orders": (Order, Done), "amend": (Order,), "retreat": (Retreat, Scuttle)}


# ----------------------------------------------------------------------------------- the state


class State(NamedTuple):
    seats: tuple[Seat, ...]
    boats: dict[str, Seat]  # by the isle at which they lie
    lit: dict[str, Seat]  # who lay at an isle last
    orders: dict[Seat, tuple]  # (at, does, to) as they were sent; HIDDEN to other readers
    opened: dict[str, tuple[str, str]]  # what the boat at an isle does, once all are done
    done: tuple[Seat, ...] = ()
    adrift: tuple[tuple[Seat, str, str], ...] = ()  # whose, from where, driven out by whom
    entered: tuple[str, ...] = ()  # the isles to which boats have sailed so far
    round: int = 1


def start(setup):
    places = HARBOURS if len(setup.seats) <= len(HARBOURS) else SHORES
    harbours = zip(setup.seats, places, strict=False)
    boats = {isle: seat for seat, isles in harbours for isle in isles}
    return State(setup.seats, boats, dict(boats), dict.fromkeys(setup.seats, ()), {})


def over(s):
    return s.round > ROUNDS or len(set(s.boats.values()) | {each[0] for each in s.adrift}) < 2


def pending(s):
    if over(s):
        return ()
    if s.adrift:
        seat, at, _ = s.adrift[0]
        return (Decision(seat, "retreat", (Retreat, Scuttle), {"at": at}, Scuttle()),)
    afloat = [seat for seat in s.seats if seat in s.boats.values()]
    if all(seat in s.done for seat in afloat):
        return (Decision(HOUSE, "carry-out", (CarryOut,)),)
    return tuple(
        Decision(seat, "amend", (Order,), awaited=False)
        if seat in s.done
        else Decision(seat, "orders", (Order, Done), default=Done())
        for seat in afloat
        if seat not in s.done or len(s.orders[seat]) < MOST_ORDERS
    )


def candidates(s, decision):
    match decision.kind:
        case "carry-out":
            yield CarryOut()
        case "retreat":
            yield from map(Retreat, beside(decision.about["at"]))
            yield Scuttle()
        case kind:
            for at, seat in s.boats.items():
                if seat == decision.seat:
                    yield Order(at, "hold", at)
                    yield from (
                        Order(at, does, to) for does in ("sail", "back") for to in beside(at)
                    )
            if kind == "orders":
                yield Done()


def check(s, seat, move):
    match move:
        case Order() if s.adrift or len(s.orders.get(seat, ())) >= MOST_ORDERS:
            raise Violation("SK-4", "{seat:seat} can order nothing more in this round", seat=seat)
        case Order(at, _, _) if s.boats.get(at) != seat:
            raise Violation("SK-3", "{seat:seat} has no boat at {at}", seat=seat, at=at)
        case Order(at, "hold", to) if at != to:
            raise Violation("SK-3", "Who holds stays at {at}", at=at)
        case Order(at, "sail" | "back", to) if to not in beside(at):
            raise Violation("SK-3", "{to} is not beside {at}", at=at, to=to)
        case Retreat() if not s.adrift:
            raise Violation("SK-9", "No boat of {seat:seat} has been driven out", seat=seat)
        case Retreat(to) if to not in free(s):
            raise Violation(
                "SK-9",
                "A boat driven from {at} cannot go to {to}: it must be beside it, free, and not "
                "where the other came from",
                at=s.adrift[0][1],
                to=to,
            )
    return True


def effects(s, seat, move):
    match move:
        case Order(at, does, to):
            yield Ordered(seat, at, does, to)
        case Done():
            yield Finished(seat)
            if {*s.boats.values()} <= {*s.done, seat}:
                yield from (
                    Opened(each, *order) for each in s.seats for order in last_ones(s.orders[each])
                )
        case CarryOut():
            yield from carried_out(s)
        case Retreat(to):
            yield Retreated(seat, s.adrift[0][1], to)
        case Scuttle():
            yield Scuttled(seat, s.adrift[0][1])
    if isinstance(move, Retreat | Scuttle) and len(s.adrift) == 1:
        yield RoundEnded(s.round)


def evolve(s, event):
    match event:
        case Ordered(seat, at, does, to):
            order = HIDDEN if HIDDEN in (at, does, to) else (at, does, to)
            return s._replace(orders={**s.orders, seat: (*s.orders[seat], order)})
        case Finished(seat):
            return s._replace(done=(*s.done, seat))
        case Opened(_, at, does, to):
            return s._replace(opened={**s.opened, at: (does, to)})
        case Driven(seat, at, by):
            boats = {isle: owner for isle, owner in s.boats.items() if isle != at}
            return s._replace(boats=boats, adrift=(*s.adrift, (seat, at, by)))
        case Sailed(seat, at, to):
            # Boats that sail in a ring come to where others have not left yet.
            gone = at not in s.entered
            boats = {isle: owner for isle, owner in s.boats.items() if isle != at or not gone}
            lit, entered = {**s.lit, to: seat}, (*s.entered, to)
            return s._replace(boats={**boats, to: seat}, lit=lit, entered=entered)
        case Retreated(seat, _, to):
            boats, lit = {**s.boats, to: seat}, {**s.lit, to: seat}
            return s._replace(boats=boats, lit=lit, adrift=s.adrift[1:])
        case Scuttled():
            return s._replace(adrift=s.adrift[1:])
        case RoundEnded(number):
            orders = dict.fromkeys(s.seats, ())
            return s._replace(orders=orders, done=(), opened={}, entered=(), round=number + 1)
    return s


def outcome(s):
    if not over(s):
        return None
    # An isle at which nobody lies counts half for who lay there last.
    scores = {
        seat: sum(1 if isle in s.boats else 0.5 for isle, owner in s.lit.items() if owner == seat)
        for seat in s.seats
    }
    best = max(scores.values())
    return core.Outcome(tuple(p for p in s.seats if scores[p] == best), "SK-11", scores)


def chances(s, move):
    return 1


def parts(s):
    return {"round": s.round}


# -------------------------------------------------------------------------------- all at once


def last_ones(orders):
    """Of the orders for each boat the last, as far as they are known."""
    return {order[0]: order for order in orders if order != HIDDEN}.values()


def free(s):
    """Where the boat that is next to retreat can go."""
    _, at, by = s.adrift[0]
    return [isle for isle in beside(at) if isle not in s.boats and isle != by]


def carried_out(s):
    """What comes of the orders that were opened."""
    does = {isle: s.opened.get(isle, ("hold", isle)) for isle in s.boats}
    sails = {isle: to for isle, (what, to) in does.items() if what == "sail"}
    backs = {
        isle: to
        for isle, (what, to) in does.items()
        if what == "back"
        and not any(
            there == isle and at != to and s.boats[at] != s.boats[isle]
            for at, there in sails.items()
        )
    }

    def strength(seat, isle):
        return 1 + sum(to == isle and s.boats[at] == seat for at, to in backs.items())

    moving = dict(sails)
    while failed := [at for at in moving if not gets_there(s, at, moving, sails, strength)]:
        for at in failed:
            del moving[at]
    comes = {to: at for at, to in moving.items()}
    driven = [isle for isle in s.boats if isle in comes and isle not in moving]
    yield from (Driven(s.boats[isle], isle, comes[isle]) for isle in driven)
    yield from (Sailed(s.boats[at], at, to) for at, to in moving.items())
    for at, to in sails.items():
        if at not in moving and at not in driven:
            yield Stayed(s.boats[at], at, to)
    if not driven:
        yield RoundEnded(s.round)


def gets_there(s, at, moving, sails, strength):
    """Does the boat at an isle get to where it sails, as far as the others do?"""
    to, seat = moving[at], s.boats[at]
    own = strength(seat, to)
    if any(
        there == to and other != at and strength(s.boats[other], to) >= own
        for other, there in moving.items()
    ):
        return False
    if to not in s.boats or (to in moving and moving[to] != at):
        return True
    if s.boats[to] == seat or moving.get(to) == at:
        return False
    return own > (1 if to in sails else strength(s.boats[to], to))


# ------------------------------------------------------------------------------ view and words


def _written(order):
    return HIDDEN if order == HIDDEN else notate(Order(*order))


def _read(text):
    if text == HIDDEN:
        return HIDDEN
    move = parse(text).move
    return (move.at, move.does, move.to)


def settled(s, given):
    return s if "lit" in given else s._replace(lit=dict(s.boats))


PLACE = "^[a-d][1-4]$"
ORDER = seen(
    {"type": "string"}, lambda order, s: _written(order), lambda text, s, fresh: _read(text)
)
OPENED = seen(
    by_name(ORDER, PLACE).schema,
    lambda opened, s: {at: _written((at, *what)) for at, what in opened.items()},
    lambda plain, s, fresh: {at: _read(text)[1:] for at, text in plain.items()},
)
ADRIFT = many(core.NAME)
ADRIFT = ADRIFT._replace(schema={**ADRIFT.schema, "minItems": 3, "maxItems": 3})
KEYS = {
    "round": number(1, ROUNDS + 1),
    "boats": Key(by_name(SEAT, PLACE), "Whose boat lies at an isle."),
    "lit": Key(by_name(SEAT, PLACE), "Who lay at an isle last."),
    "orders": Key(
        by_seat(many(ORDER, MOST_ORDERS)),
        "What each seat has sent in this round; ? where the reader may not know.",
    ),
    "done": many(SEAT),
    "opened": Key(OPENED, "The order that counts for the boat at an isle, once all are done."),
    "adrift": Key(
        many(ADRIFT),
        "Boats that were driven out: whose, from where, and from where the other came.",
    ),
}
view, position, SCHEMA = declared(start, KEYS, settled)


def parse(text):
    said = " ".join(text.lower().split())
    if found := re.fullmatch(r"([a-d][1-4]) ?(?:-|to|sails to) ?([a-d][1-4])", said):
        return core.Pattern(text, Order(found[1], "sail", found[2]))
    if found := re.fullmatch(r"([a-d][1-4]) backs ([a-d][1-4])", said):
        return core.Pattern(text, Order(found[1], "back", found[2]))
    if found := re.fullmatch(r"([a-d][1-4]) holds", said):
        return core.Pattern(text, Order(found[1], "hold", found[1]))
    if found := re.fullmatch(r"retreat ([a-d][1-4])", said):
        return core.Pattern(text, Retreat(found[1]))
    if said in ("done", "scuttle", "carry out"):
        move = {"done": Done(), "scuttle": Scuttle(), "carry out": CarryOut()}[said]
        return core.Pattern(text, move)
    advice = core.say("Write it like a1-b1, a1 backs b1, a1 holds, done, retreat c3 or scuttle")
    raise core.Unreadable(text, "{text!r} is no move of Skerries", advice=advice, text=text)


def notate(move):
    match move:
        case Order(at, _, _) if at == HIDDEN:
            return "order ?"
        case Order(at, "sail", to):
            return f"{at}-{to}"
        case Order(at, "back", to):
            return f"{at} backs {to}"
        case Order(at, _, _):
            return f"{at} holds"
        case Retreat(to):
            return f"retreat {to}"
        case CarryOut():
            return "carry out"
    return "done" if isinstance(move, Done) else "scuttle"


def draw(view):
    """Boats stand in brackets, who lay last at an isle without; the seats are numbered."""
    numbers = {seat: str(n) for n, seat in enumerate(view["orders"], 1)}
    lines = [f"    {'   '.join(COLUMNS)}"]
    for row in ROWS:
        cells = []
        for isle in (column + row for column in COLUMNS):
            owner = numbers.get(view["lit"].get(isle), ".")
            cells.append(f"[{owner}]" if isle in view["boats"] else f" {owner} ")
        lines.append(f"{row}  {' '.join(cells)}".rstrip())
    lines.append("")
    for seat, sign in numbers.items():
        lines.append(f"{sign}  {seat}{', done' if seat in view['done'] else ''}")
        lines.extend(f"   {text}" for text in view["orders"][seat] if text != HIDDEN)
    return lines


CLICKED = ("{}-*", "*-{}", "{} backs *", "* backs {}", "{} holds", "retreat {}")
"""The orders for which an isle is clicked."""

PAINTS = ("#0072b2", "#d55e00", "#009e73", "#f0e442", "#cc79a7", "#56b4e9", "#e69f00")


def svg(view):
    """The sea, an isle for each place, and a boat where one lies."""
    paints = dict(zip(view["orders"], PAINTS, strict=False))
    drawn = []
    for isle in ISLES:
        x, y = 60 + 100 * COLUMNS.index(isle[0]), 60 + 100 * ROWS.index(isle[1])
        shore = paints.get(view["lit"].get(isle), "#a98d5d")
        moves = "; ".join(move.format(isle) for move in CLICKED)
        drawn.append(
            f'<g id="isle-{isle}" data-moves="{moves}"><title>{isle}</title>'
            f'<circle cx="{x}" cy="{y}" r="36" fill="#f3e6c8" stroke="{shore}" stroke-width="5"/>'
            f'<text x="{x}" y="{y + 30}" font-size="18" text-anchor="middle">{isle}</text>'
        )
        if isle in view["boats"]:
            drawn.append(
                f'<path d="M-18-2H18Q14 12 0 12-14 12-18-2ZM-2-5V-26L14-8Z" stroke="#1b2630" '
                f'transform="translate({x} {y})" fill="{paints[view["boats"][isle]]}"/>'
            )
        drawn.append("</g>")
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 420">
<title>{len(view["boats"])} boats among {len(ISLES)} isles</title>
<rect width="420" height="420" fill="#cfe3ec"/>{"".join(drawn)}</svg>"""
