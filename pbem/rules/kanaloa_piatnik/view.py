"""What a position of Kanaloa (Piatnik) looks like, and a position from what it looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbem.core import HIDDEN, BadFile, Setup
from pbem.rules.kanaloa_piatnik import race
from pbem.rules.kanaloa_piatnik.board import (
    CARDS,
    COPIES,
    HAND,
    OCEAN_CARDS,
    OCTOPUS,
    TRICKS,
    Card,
    Ocean,
    left_out,
    read_laid,
)
from pbem.rules.kanaloa_piatnik.cards import names, together
from pbem.rules.kanaloa_piatnik.events import Ended
from pbem.rules.kanaloa_piatnik.route import Route, laid
from pbem.rules.kanaloa_piatnik.start import start
from pbem.rules.kanaloa_piatnik.state import Rules, Sea, State, Tally, held
from pbem.rules.kanaloa_piatnik.trick import led

V = TypeVar("V")


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kanaloa-piatnik.schema.json."""
    seats, tally, sea = s.rules.seats, s.tally, s.sea
    first = race.leader(sea)
    all_at_once = s.asked == "announce" and not s.rules.announce_open
    return {
        "game": "kanaloa-piatnik",
        "round": tally.round,
        "trick": _trick(tally),
        "seats": list(seats),
        "start": seats[tally.start],
        "lead": seats[tally.lead],
        "asked": s.asked or None,
        "turn": None if all_at_once or s.asked in ("drop", "lay", "") else s.turn,
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
        "last": [seats[n] for n in race.last(sea)],
        "trump": race.trump(sea) if sea.boats else None,
        "led": led(s.rules, s.table),
        "table": [[seats[(tally.lead + n) % len(seats)], card] for n, card in enumerate(s.table)],
        "hands": {
            seat: names(hand) + [HIDDEN] * (s.hidden[n] if s.hidden else 0)
            for n, (seat, hand) in enumerate(zip(seats, s.hands, strict=True))
        },
        "tricks": dict(zip(seats, tally.tricks, strict=True)),
        "announced": dict(zip(seats, tally.announced, strict=True)),
        "played": names(s.out - sum(s.hands) - together(s.table)),
        "removed": list(sea.removed),
    }


def _trick(tally: Tally) -> int:
    return min(sum(tally.tricks) + 1, TRICKS)


# ------------------------------------------------------------------ a position from a view

_ASKED = (
    "drop",
    "lay",
    "deal",
    "announce",
    "card",
    "octopus",
    "removal",
    "dolphin",
    "move",
    "bonus",
)


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    """Set up a position from a view, or from the keys of one that matter.

    Left out: the route is that of the options, boats are on the start field, a card is asked
    for, the lead has who leads the trick on the table or else the start player, turn is whoever
    plays next, hands are full for the trick and HIDDEN. In `route` a card may be written like
    `M04 turned`. What can be derived is compared. Raises Problem.
    """
    fresh = start(setup)
    seats = setup.seats
    _require_known_keys(fresh, view)
    if (said := tuple(view.get("seats", seats))) != seats:
        raise BadFile("the seats are {seats:all}, not {said:all}", seats=seats, said=map(str, said))
    sea = _sea(fresh, view)
    asked = _asked(fresh, sea, view)
    table = tuple(_card(card) for _, card in view.get("table", ()))
    tally = _tally(fresh, view)
    s = _dealt(fresh._replace(tally=tally, sea=sea, asked=asked, table=table), view)
    s = s._replace(turn=seats[_seat(seats, view.get("turn"), _next(s))])
    if "asked" in view and view["asked"] is None:
        s = _ended(s)
    elif problem := _nonsense(s):
        raise BadFile(
            "{asked} cannot be asked of {turn} now: {problem}",
            asked=s.asked,
            turn=s.turn,
            problem=problem,
        )
    _compare(s, view)
    return s


def _require_known_keys(fresh: State, given: Mapping[str, Any]) -> None:
    known = view(fresh)
    if unknown := sorted(set(given) - set(known)):
        raise BadFile(
            "a position of Kanaloa has no {unknown!r}; it has {known:all}",
            unknown=unknown[0],
            known=known,
        )


def _next(s: State) -> int:
    """Whose turn it is, if nothing is said about it."""
    seats = range(len(s.rules.seats))
    clockwise = [(s.tally.start + n) % len(seats) for n in seats]
    match s.asked:
        case "deal":
            return next((n for n in clockwise if held(s, n) < HAND), s.tally.start)
        case "announce":
            return next((n for n in clockwise if s.tally.announced[n] is None), s.tally.start)
        case "bonus":
            return next((n for n in clockwise if s.tally.announced[n] is True), s.tally.start)
        case "octopus":
            return (s.tally.lead + len(s.table) - 1) % len(seats)
    return (s.tally.lead + len(s.table)) % len(seats)


def _ended(s: State) -> State:
    """The position of a match that is over: somebody has lapped the last boat [P-42]."""
    for n, seat in enumerate(s.rules.seats):
        if s.sea.boats and race.lapped(s.sea, n) is not None:
            ended = Ended(seat, "P-42")
            return s._replace(asked="", tally=s.tally._replace(ended=ended))
    raise BadFile("nothing is asked for, but nobody has lapped the last boat [P-42]")


def _nonsense(s: State) -> str:
    """What speaks against asking this seat for this; "" if nothing does."""
    me, tally = s.rules.seats.index(s.turn), s.tally
    took, over = tally.tricks[me] > 0, sum(tally.tricks) == TRICKS
    if s.asked in ("drop", "lay"):
        return ""
    if any(race.lapped(s.sea, n) is not None for n in range(len(s.rules.seats))):
        return "the last boat has been lapped [P-42]"
    match s.asked:
        case "deal" | "announce" if sum(tally.tricks) or s.table:
            return "cards have been played [P-12, P-45]"
        case "deal" if me != _next(s) or held(s, me) == HAND:
            return "it is not the next to get a card [P-A34]"
        case "announce" if tally.announced[me] is not None:
            return "it has spoken [P-A26]"
        case "card" if over or me != _next(s) or len(s.table) == len(s.hands):
            return "it has not to play now [P-14]"
        case "octopus" if not s.table or s.table[-1] != OCTOPUS or me != _next(s):
            return "it has not just played an octopus [P-37]"
        case "removal" if not over or me != tally.lead:
            return "it has not taken the last of eight tricks [P-21]"
        case "move" if s.table or me != tally.lead or not took:
            return "it has not just taken a trick [P-16]"
        case "bonus" if not over or took or tally.announced[me] is not True:
            return "it has not kept an announcement [P-46]"
        case "dolphin" if not race.dolphin_helps(s.sea, me):
            return "its boat is not alone on a dolphin [P-41]"
        case "dolphin" if not (over if not took else me == tally.lead):
            return "its boat has not just moved [P-41]"
        case "octopus" | "removal" if not race.free_cards(s.sea):
            return "no ocean card is free [P-22, P-39]"
    return ""


def _sea(fresh: State, view: Mapping[str, Any]) -> Sea:
    rules, sea = fresh.rules, fresh.sea
    removed = tuple(str(card) for card in view.get("removed", sea.removed))
    route = sea.route
    if "route" in view:
        route = laid(tuple(_laid(card, rules.ocean) for card in view["route"]))
    in_play = route.called
    unknown = {*removed, *in_play} - {*rules.ocean}
    if unknown or len({*removed, *in_play}) < len(removed) + len(in_play):
        raise BadFile("each ocean card is in the route, removed or yet to be laid, and once only")
    if "removed" not in view and route is not sea.route:
        removed = _rest(rules, route)
    begin = route.start.index(True) if True in route.start else 0
    boats = _by_seat(rules.seats, view.get("boats", {}), begin) if route.cards else ()
    for n, boat in enumerate(boats):
        if not isinstance(boat, int) or boat < 0:
            raise BadFile(
                "a boat's position is a number of fields from 0 up, not {boat!r}", boat=boat
            )
        alike = [b for b in boats[:n] if (b - boat) % len(route.colours) == 0]
        if alike and not (boat == alike[0] and route.start[boat % len(route.colours)]):
            raise BadFile("two boats are on one field, and it is not the start field [P-18]")
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
    raise BadFile(
        "the ocean card {card} does not look like this: {dict}", card=card.card, dict=dict(about)
    )


def _asked(fresh: State, sea: Sea, view: Mapping[str, Any]) -> str:
    asked = view.get("asked")
    if asked is not None and asked not in _ASKED:
        raise BadFile("{asked!r} is none of {asked2:all}", asked=asked, asked2=_ASKED)
    if len(sea.route.cards) + len(sea.removed) == OCEAN_CARDS:
        return "deal" if asked in ("drop", "lay") else asked or "card"
    to_drop = len(sea.removed) < left_out(len(fresh.rules.seats))
    return "drop" if to_drop and not sea.route.cards else "lay"


def _tally(fresh: State, view: Mapping[str, Any]) -> Tally:
    seats = fresh.rules.seats
    table = view.get("table", ())
    first = _seat(seats, view.get("start"), fresh.tally.start)
    lead = _seat(seats, view.get("lead"), seats.index(table[0][0]) if table else first)
    expected = [seats[(lead + n) % len(seats)] for n in range(len(table))]
    if [seat for seat, _ in table] != expected:
        raise BadFile(
            "the cards on the table are those of {expected:all}, in this order", expected=expected
        )
    tricks = _by_seat(seats, view.get("tricks", {}), 0)
    if sum(tricks) > TRICKS:
        raise BadFile("a round has {tricks} tricks, not {sum}", tricks=TRICKS, sum=sum(tricks))
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
            raise BadFile(
                "{seat:seat} must have {full} cards now, not {cards}",
                seat=seat,
                full=full,
                cards=len(cards),
            )
        hands.append(together(_card(card) for card in cards if card != HIDDEN))
        hidden.append(list(cards).count(HIDDEN))
    played = [_card(card) for card in view.get("played", ())]
    everywhere = [c for seat in given.values() for c in seat if c != HIDDEN] + played
    everywhere += s.table
    for card in CARDS:
        if everywhere.count(card) > COPIES[card]:
            raise BadFile(
                "there is no more than {copies} of {card}, the position has more",
                copies=COPIES[card],
                card=card,
            )
    return s._replace(
        hands=tuple(hands), hidden=tuple(hidden) if any(hidden) else (), out=together(everywhere)
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
            raise BadFile(
                "{key} is {derived!r} in this position, not {given!r}",
                key=key,
                derived=derived[key],
                given=given[key],
            )


def _card(card: Any) -> Card:
    if card not in CARDS:
        raise BadFile(
            "{card!r} is no card; they are called like {cards!r} or {cards2!r}",
            card=card,
            cards=CARDS[0],
            cards2=CARDS[-1],
        )
    return str(card)


def _seat(seats: tuple[str, ...], said: Any, default: int) -> int:
    if said is None:
        return default
    if said not in seats:
        raise BadFile("{said!r} is none of {seats:all}", said=said, seats=seats)
    return seats.index(said)


def _by_seat(seats: tuple[str, ...], given: Mapping[str, V], default: V) -> tuple[V, ...]:
    for seat in given:
        _seat(seats, seat, 0)
    return tuple(given.get(seat, default) for seat in seats)
