"""What a position of Kanaloa (Piatnik) looks like, and how to set one up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pbem.core import HIDDEN, Problem, Setup
from pbem.rules.kanaloa_piatnik.facts import (
    CARDS,
    COPIES,
    HAND,
    OCEAN_CARDS,
    ONE,
    TRICKS,
    Card,
    Ocean,
    Route,
    Rules,
    Sea,
    State,
    Tally,
    laid,
    names,
)
from pbem.rules.kanaloa_piatnik.rules import left_out, read_laid, start
from pbem.rules.kanaloa_piatnik.sea import free_cards, last, leader, trump
from pbem.rules.kanaloa_piatnik.trick import led

V = TypeVar("V")

_ASKED = (
    "drop", "lay", "deal", "announce", "card", "octopus", "removal", "dolphin", "move", "bonus",
)  # fmt: skip


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kanaloa-piatnik.schema.json."""
    seats, tally, sea = s.rules.seats, s.tally, s.sea
    first = leader(sea)
    by_chance = s.asked in ("drop", "lay", "deal")
    return {
        "game": "kanaloa-piatnik",
        "round": tally.round,
        "trick": _trick(tally),
        "seats": list(seats),
        "start": seats[tally.start],
        "lead": seats[tally.lead],
        "asked": s.asked or None,
        "turn": s.turn if s.asked and (s.asked == "deal" or not by_chance) else None,
        "route": [
            {
                "card": c.card,
                "fields": list(c.fields),
                "dolphin": list(c.dolphins),
                "start": list(c.start),
            }
            for c in sea.route.cards
        ],
        "boats": dict(zip(seats, sea.boats, strict=False)),
        "leader": None if first is None else seats[first],
        "last": [seats[n] for n in last(sea)],
        "trump": trump(sea) if sea.boats else None,
        "led": led(s.rules, s.table),
        "table": [[seats[(tally.lead + n) % len(seats)], card] for n, card in enumerate(s.table)],
        "hands": {
            seat: names(hand) + [HIDDEN] * (s.hidden[n] if s.hidden else 0)
            for n, (seat, hand) in enumerate(zip(seats, s.hands, strict=True))
        },
        "tricks": dict(zip(seats, tally.tricks, strict=True)),
        "announced": dict(zip(seats, tally.announced, strict=True)),
        "played": names(s.out - sum(s.hands) - _together(s.table)),
        "removed": list(sea.removed),
    }


def _trick(tally: Tally) -> int:
    return min(sum(tally.tricks) + 1, TRICKS)


def _together(cards: Iterable[Card]) -> int:
    return sum(ONE[card] for card in cards)


# ------------------------------------------------------------------------ setting one up


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    """Set up a position from a view, or from the keys of one that matter.

    Left out: the route is that of the options, boats are on the start field, a card is asked
    for, the lead has who leads the trick on the table or else the start player, turn is whoever
    plays next, hands are full for the trick and HIDDEN. In `route` a card may be written like
    `M04 turned`. What can be derived is compared. Raises Problem.
    """
    fresh = start(setup)
    seats = setup.seats
    known = globals()["view"](fresh)
    if unknown := sorted(set(view) - set(known)):
        raise Problem(f"a position of Kanaloa has no {unknown[0]!r}; it has {', '.join(known)}")
    if (said := tuple(view.get("seats", seats))) != seats:
        raise Problem(f"the seats are {', '.join(seats)}, not {', '.join(map(str, said))}")
    sea = _sea(fresh, view)
    asked = _asked(fresh, sea, view)
    table = tuple(_card(card) for _, card in view.get("table", ()))
    tally = _tally(fresh, view)
    turn = _seat(seats, view.get("turn"), (tally.lead + len(table)) % len(seats))
    if asked == "octopus" and view.get("turn") is None:
        turn = (turn - 1) % len(seats)
    s = fresh._replace(tally=tally, sea=sea, asked=asked, turn=seats[turn], table=table)
    s = _dealt(s, view)
    if asked in ("octopus", "removal") and not free_cards(sea):
        raise Problem("no ocean card can be removed in this position [P-22, P-38]")
    _compare(s, view)
    return s


def _sea(fresh: State, view: Mapping[str, Any]) -> Sea:
    rules, sea = fresh.rules, fresh.sea
    removed = tuple(str(card) for card in view.get("removed", sea.removed))
    route = sea.route
    if "route" in view:
        route = laid(tuple(_laid(card, rules.ocean) for card in view["route"]))
    in_play = route.called
    unknown = {*removed, *in_play} - {*rules.ocean}
    if unknown or len({*removed, *in_play}) < len(removed) + len(in_play):
        raise Problem("each ocean card is in the route, removed or yet to be laid, and once only")
    if "removed" not in view and route is not sea.route:
        removed = _rest(rules, route)
    begin = route.start.index(True) if True in route.start else 0
    boats = _by_seat(rules.seats, view.get("boats", {}), begin) if route.cards else ()
    for n, boat in enumerate(boats):
        if not isinstance(boat, int) or boat < 0:
            raise Problem(f"a boat's position is a number of fields from 0 up, not {boat!r}")
        alike = [b for b in boats[:n] if (b - boat) % len(route.colours) == 0]
        if alike and not (boat == alike[0] and route.start[boat % len(route.colours)]):
            raise Problem("two boats are on one field, and it is not the start field [P-18]")
    return Sea(route, boats, removed)


def _rest(rules: Rules, route: Route) -> tuple[str, ...]:
    return tuple(card for card in rules.ocean if card not in route.called)


def _laid(about: Any, ocean: Mapping[str, Ocean]) -> Ocean:
    if isinstance(about, str):
        return read_laid(about, ocean)
    card = read_laid(str(about["card"]), ocean)
    for way in (card, card.turned()):
        shown = (way.fields, way.dolphins, way.start)
        if shown == tuple(tuple(about[key]) for key in ("fields", "dolphin", "start")):
            return way
    raise Problem(f"the ocean card {card.card} does not look like this: {dict(about)}")


def _asked(fresh: State, sea: Sea, view: Mapping[str, Any]) -> str:
    asked = view.get("asked")
    if asked is not None and asked not in _ASKED:
        raise Problem(f"{asked!r} is none of {', '.join(_ASKED)}")
    if len(sea.route.cards) + len(sea.removed) == OCEAN_CARDS:
        return asked or "card"
    to_drop = len(sea.removed) < left_out(len(fresh.rules.seats))
    return "drop" if to_drop and not sea.route.cards else "lay"


def _tally(fresh: State, view: Mapping[str, Any]) -> Tally:
    seats = fresh.rules.seats
    table = view.get("table", ())
    first = _seat(seats, view.get("start"), fresh.tally.start)
    lead = _seat(seats, view.get("lead"), seats.index(table[0][0]) if table else first)
    expected = [seats[(lead + n) % len(seats)] for n in range(len(table))]
    if [seat for seat, _ in table] != expected:
        raise Problem(f"the cards on the table are those of {', '.join(expected)}, in this order")
    tricks = _by_seat(seats, view.get("tricks", {}), 0)
    if sum(tricks) > TRICKS:
        raise Problem(f"a round has {TRICKS} tricks, not {sum(tricks)}")
    announced = _by_seat(seats, view.get("announced", {}), None)
    return Tally(view.get("round", 1), first, lead, tricks, announced)


def _dealt(s: State, view: Mapping[str, Any]) -> State:
    """The position with its hands. Raises Problem where the cards do not add up."""
    given: Mapping[str, Sequence[Card]] = view.get("hands", {})
    _by_seat(s.rules.seats, given, ())
    hands, hidden = [], []
    for n, seat in enumerate(s.rules.seats):
        full = _hand_size(s, n)
        cards = given.get(seat, [HIDDEN] * full)
        if s.asked != "deal" and len(cards) != full:
            raise Problem(f"{seat} must have {full} cards now, not {len(cards)}")
        hands.append(_together(_card(card) for card in cards if card != HIDDEN))
        hidden.append(list(cards).count(HIDDEN))
    played = [_card(card) for card in view.get("played", ())]
    everywhere = [c for seat in given.values() for c in seat if c != HIDDEN] + played
    everywhere += s.table
    for card in CARDS:
        if everywhere.count(card) > COPIES[card]:
            raise Problem(f"there is no more than {COPIES[card]} of {card}, the position has more")
    return s._replace(
        hands=tuple(hands),
        hidden=tuple(hidden) if any(hidden) else (),
        out=_together(everywhere),
    )


def _hand_size(s: State, seat: int) -> int:
    if s.asked in ("drop", "lay", "deal"):
        return 0
    has_played = (seat - s.tally.lead) % len(s.rules.seats) < len(s.table)
    return HAND - sum(s.tally.tricks) - has_played


def _compare(s: State, given: Mapping[str, Any]) -> None:
    """What a view derives must be what this position gives."""
    derived = view(s)
    for key in ("trick", "leader", "last", "trump", "led"):
        if given.get(key, derived[key]) != derived[key]:
            raise Problem(f"{key} is {derived[key]!r} in this position, not {given[key]!r}")


def _card(card: Any) -> Card:
    if card not in CARDS:
        raise Problem(f"{card!r} is no card; they are called like {CARDS[0]!r} or {CARDS[-1]!r}")
    return str(card)


def _seat(seats: tuple[str, ...], said: Any, default: int) -> int:
    if said is None:
        return default
    if said not in seats:
        raise Problem(f"{said!r} is none of {', '.join(seats)}")
    return seats.index(said)


def _by_seat(seats: tuple[str, ...], given: Mapping[str, V], default: V) -> tuple[V, ...]:
    for seat in given:
        _seat(seats, seat, 0)
    return tuple(given.get(seat, default) for seat in seats)
