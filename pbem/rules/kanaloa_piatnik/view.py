"""What a position of Kanaloa (Piatnik) looks like, and how to set one up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbem.core import HIDDEN, Setup
from pbem.problem import BadFile
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
from pbem.rules.kanaloa_piatnik.decisions import FOLLOWS
from pbem.rules.kanaloa_piatnik.events import Ended
from pbem.rules.kanaloa_piatnik.route import Route, laid, start_field
from pbem.rules.kanaloa_piatnik.start import start
from pbem.rules.kanaloa_piatnik.state import Rules, Sea, Stage, State, Tally, held, trick
from pbem.rules.kanaloa_piatnik.trick import led
from pbem.sentence import Counted, Sentence, say

V = TypeVar("V")


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kanaloa-piatnik.schema.json."""
    seats, tally, sea = s.rules.seats, s.tally, s.sea
    first = race.leader(sea)
    all_at_once = s.asked == "announce" and not s.rules.announce_open
    return {
        "game": "kanaloa-piatnik",
        "round": tally.round,
        "trick": trick(tally),
        "seats": list(seats),
        "start": seats[tally.start],
        "lead": seats[tally.lead],
        "asked": None if s.asked == "over" else s.asked,
        "turn": None if all_at_once or s.asked in ("drop", "lay", "over") else s.turn,
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


# ------------------------------------------------------------------ a position from a view

_STAGES = [stage for stage in FOLLOWS if stage != "over"]


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    """Set up a position from a view, or from the keys of one that matter.

    Keys left out: the route is that of the options, boats are on the start field, a card is
    asked for, `lead` is whoever led the trick on the table or else the start player, `turn`
    whoever plays next, and hands are as large as at this trick, all HIDDEN. In `route`, a card may
    be written like `M04 turned`. What can be derived is compared. Raises Problem.
    """
    fresh = start(setup)
    seats = setup.seats
    _require_known_keys(fresh, view)
    if (said := tuple(view.get("seats", seats))) != seats:
        raise BadFile("the seats are {seats:all}, not {said:all}", seats=seats, said=said)
    sea = _sea(fresh, view)
    asked = _asked(fresh, sea, view)
    table = tuple(_card(card) for _, card in view.get("table", ()))
    tally = _tally(fresh, view)
    s = _dealt(fresh._replace(tally=tally, sea=sea, asked=asked, table=table), view)
    s = s._replace(turn=seats[_seat(seats, view.get("turn"), _next(s))])
    if "asked" in view and view["asked"] is None:
        s = _ended(s)
    elif why := _nonsense(s):
        raise BadFile(
            "this position cannot ask {seat:seat} for {stage!r}: {why}",
            seat=s.turn,
            stage=s.asked,
            why=why,
        )
    _compare(s, view)
    return s


def _require_known_keys(fresh: State, given: Mapping[str, Any]) -> None:
    known = view(fresh)
    if unknown := sorted(set(given) - set(known)):
        raise BadFile(
            "a position of Kanaloa has no {key!r}, only {keys:all}", key=unknown[0], keys=known
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
            return s._replace(asked="over", tally=s.tally._replace(ended=ended))
    raise BadFile("nothing is asked for, but nobody has lapped the last boat [P-42]")


def _nonsense(s: State) -> Sentence | None:
    """Why this seat cannot be asked for this now; None if it can."""
    me, tally, seat = s.rules.seats.index(s.turn), s.tally, s.turn
    took, over = tally.tricks[me] > 0, sum(tally.tricks) == TRICKS
    if s.asked in ("drop", "lay"):
        return None
    if any(race.lapped(s.sea, n) is not None for n in range(len(s.rules.seats))):
        return say("the last boat has been lapped [P-42]")
    match s.asked:
        case "deal" | "announce" if sum(tally.tricks) or s.table:
            return say("cards have been played [P-12, P-45]")
        case "deal" if me != _next(s) or held(s, me) == HAND:
            return say("the next card is not for {seat:seat} [P-A34]", seat=seat)
        case "announce" if tally.announced[me] is not None:
            return say("{seat:seat} has already decided [P-A26]", seat=seat)
        case "card" if over or me != _next(s) or len(s.table) == len(s.hands):
            return say("it isn't the turn of {seat:seat} [P-14]", seat=seat)
        case "octopus" if not s.table or s.table[-1] != OCTOPUS or me != _next(s):
            return say("{seat:seat} hasn't just played an octopus [P-37]", seat=seat)
        case "removal" if not over or me != tally.lead:
            return say("{seat:seat} hasn't taken the last of eight tricks [P-21]", seat=seat)
        case "move" if s.table or me != tally.lead or not took:
            return say("{seat:seat} hasn't just taken a trick [P-16]", seat=seat)
        case "bonus" if not over or took or tally.announced[me] is not True:
            return say("{seat:seat} hasn't kept an announcement [P-46]", seat=seat)
        case "dolphin" if not race.dolphin_helps(s.sea, me):
            return say("the boat of {seat:seat} isn't alone on a dolphin [P-41]", seat=seat)
        case "dolphin" if not (over if not took else me == tally.lead):
            return say("the boat of {seat:seat} hasn't just moved [P-41]", seat=seat)
        case "octopus" | "removal" if not race.free_cards(s.sea):
            return say("no ocean card can be removed [P-22, P-39]")
    return None


def _sea(fresh: State, view: Mapping[str, Any]) -> Sea:
    rules, sea = fresh.rules, fresh.sea
    removed = tuple(str(card) for card in view.get("removed", sea.removed))
    route = sea.route
    if "route" in view:
        route = laid(tuple(_laid(card, rules.ocean) for card in view["route"]))
    placed: set[str] = set()
    for card in (*route.called, *removed):
        if card not in rules.ocean:
            raise BadFile("there is no ocean card {card!r} [P-1]", card=card)
        if card in placed:
            raise BadFile("{card} can be in the route or removed, and only once [P-1]", card=card)
        placed.add(card)
    if "removed" not in view and route is not sea.route:
        removed = _rest(rules, route)
    begin = start_field(route) if True in route.start else 0
    boats = _by_seat(rules.seats, view.get("boats", {}), begin) if route.cards else ()
    on: dict[int, int] = {}
    for n, boat in enumerate(boats):
        if not isinstance(boat, int) or boat < 0:
            raise BadFile("a boat's position is a whole number from 0 up, not {boat!r}", boat=boat)
        field = boat % len(route.colours)
        other = on.setdefault(field, n)
        if other != n and not (boat == boats[other] == begin and route.start[field]):
            raise BadFile(
                "{seats:seats} are both on {field}; boats share a field only at the start [P-18]",
                seats=(rules.seats[other], rules.seats[n]),
                field=route.names[field],
            )
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
    raise BadFile("{card} does not look like {shown}", card=card.card, shown=dict(about))


def _asked(fresh: State, sea: Sea, view: Mapping[str, Any]) -> Stage:
    asked = view.get("asked")
    if asked is not None and asked not in _STAGES:
        raise BadFile(
            "no position asks for {stage!r}, only for {stages:any}", stage=asked, stages=_STAGES
        )
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
        raise BadFile("the cards on the table come from {seats:all}, in this order", seats=expected)
    tricks = _by_seat(seats, view.get("tricks", {}), 0)
    if sum(tricks) > TRICKS:
        raise BadFile("a round has {most} tricks, not {n}", most=TRICKS, n=sum(tricks))
    announced = _by_seat(seats, view.get("announced", {}), None)
    return Tally(view.get("round", 1), first, lead, tricks, announced)


def _dealt(s: State, view: Mapping[str, Any]) -> State:
    """The position with its hands. Raises Problem if the cards do not add up."""
    given: Mapping[str, Sequence[Card]] = view.get("hands", {})
    _by_seat(s.rules.seats, given, ())
    hands, hidden = [], []
    for n, seat in enumerate(s.rules.seats):
        full = _hand_size(s, n)
        cards = given.get(seat, [HIDDEN] * full)
        if s.asked != "deal" and len(cards) != full:
            raise BadFile(
                Counted(
                    "{seat:seat} holds {n} card at this point, not {found}",
                    "{seat:seat} holds {n} cards at this point, not {found}",
                ),
                seat=seat,
                n=full,
                found=len(cards),
            )
        hands.append(together(_card(card) for card in cards if card != HIDDEN))
        hidden.append(list(cards).count(HIDDEN))
    played = [_card(card) for card in view.get("played", ())]
    everywhere = [c for seat in given.values() for c in seat if c != HIDDEN] + played
    everywhere += s.table
    for card in CARDS:
        if everywhere.count(card) > COPIES[card]:
            raise BadFile(
                Counted(
                    "there is one {card} in the game, the position has {found}",
                    "there are {n} {card} cards in the game, the position has {found}",
                ),
                card=card,
                n=COPIES[card],
                found=everywhere.count(card),
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
    """What a view derives must agree with this position. Raises Problem."""
    derived = view(s)
    for key in ("trick", "leader", "last", "trump", "led"):
        if given.get(key, derived[key]) != derived[key]:
            raise BadFile(
                "in this position {key} is {derived!r}, not {given!r}",
                key=key,
                derived=derived[key],
                given=given[key],
            )


def _card(card: Any) -> Card:
    if card not in CARDS:
        raise BadFile(
            "there is no card {card!r}; cards are called {example!r} or {special!r}",
            card=card,
            example=CARDS[0],
            special=OCTOPUS,
        )
    return str(card)


def _seat(seats: tuple[str, ...], said: Any, default: int) -> int:
    if said is None:
        return default
    if said not in seats:
        raise BadFile("there is no seat {said!r}, only {seats:all}", said=said, seats=seats)
    return seats.index(said)


def _by_seat(seats: tuple[str, ...], given: Mapping[str, V], default: V) -> tuple[V, ...]:
    for seat in given:
        _seat(seats, seat, 0)
    return tuple(given.get(seat, default) for seat in seats)
