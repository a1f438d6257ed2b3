"""What a position of Kanaloa (Piatnik) looks like, and how to set one up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

from pbem import views
from pbem.core import FLAG, HIDDEN, Domain, maybe
from pbem.problem import BadFile
from pbem.rules.kanaloa_piatnik import board, race
from pbem.rules.kanaloa_piatnik.cards import names, together
from pbem.rules.kanaloa_piatnik.decisions import FOLLOWS
from pbem.rules.kanaloa_piatnik.events import Ended
from pbem.rules.kanaloa_piatnik.route import Route, laid, start_field
from pbem.rules.kanaloa_piatnik.start import start
from pbem.rules.kanaloa_piatnik.state import Sea, Stage, State, held, trick
from pbem.rules.kanaloa_piatnik.trick import led
from pbem.sentence import Sentence, say

# ------------------------------------------------------------------------ what must fit together


def _settled(s: State, given: Mapping[str, Any]) -> State:
    """What is left out: boats are on the start field, a card is asked for, `lead` is whoever led
    the trick on the table or else the start player, `turn` whoever plays next, and hands are as
    large as at this trick, all HIDDEN. Raises Problem."""
    s = s._replace(sea=_sea(s, given))
    s = _led(s._replace(asked=_asked(s, given)), given)
    s = _dealt(s, given)
    turn = given.get("turn")
    s = s._replace(
        turn=s.rules.seats[_next(s)] if turn is None else views.require_one_of(turn, s.rules.seats)
    )
    if "asked" in given and given["asked"] is None:
        s = _ended(s)
    elif why := _nonsense(s):
        raise BadFile(
            "this position cannot ask {seat:seat} for {stage!r}: {why}",
            seat=s.turn,
            stage=s.asked,
            why=why,
        )
    return s


def _next(s: State) -> int:
    """Whose turn it is, if nothing is said about it."""
    seats = range(len(s.rules.seats))
    clockwise = [(s.tally.start + n) % len(seats) for n in seats]
    match s.asked:
        case "deal":
            return next((n for n in clockwise if held(s, n) < board.HAND), s.tally.start)
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
    if s.asked in ("drop", "lay"):
        return None
    if any(race.lapped(s.sea, n) is not None for n in range(len(s.rules.seats))):
        return say("the last boat has been lapped [P-42]")
    return _untimely(s)


def _untimely(s: State) -> Sentence | None:
    me, tally, seat = s.rules.seats.index(s.turn), s.tally, s.turn
    took, over = tally.tricks[me] > 0, sum(tally.tricks) == board.TRICKS
    match s.asked:
        case "deal" | "announce" if sum(tally.tricks) or s.table:
            return say("cards have been played [P-12, P-45]")
        case "deal" if me != _next(s) or held(s, me) == board.HAND:
            return say("the next card is not for {seat:seat} [P-A34]", seat=seat)
        case "announce" if tally.announced[me] is not None:
            return say("{seat:seat} has already decided [P-A26]", seat=seat)
        case "card" if over or me != _next(s) or len(s.table) == len(s.hands):
            return say("it isn't the turn of {seat:seat} [P-14]", seat=seat)
        case "octopus" if not s.table or s.table[-1] != board.OCTOPUS or me != _next(s):
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


def _sea(s: State, given: Mapping[str, Any]) -> Sea:
    """The route and the removed cards that were read, with the boats. Raises Problem."""
    rules, route, removed = s.rules, s.sea.route, s.sea.removed
    placed: set[str] = set()
    for card in (*route.called, *removed):
        if card not in rules.ocean:
            raise BadFile("there is no ocean card {card!r} [P-1]", card=card)
        if card in placed:
            raise BadFile("{card} can be in the route or removed, and only once [P-1]", card=card)
        placed.add(card)
    if "removed" not in given and "route" in given:
        removed = tuple(card for card in rules.ocean if card not in route.called)
    begin = start_field(route) if True in route.start else 0
    boats = (
        _BY_SEAT.read(given.get("boats", {}), s, [begin] * len(rules.seats)) if route.cards else ()
    )
    on: dict[int, int] = {}
    for n, boat in enumerate(boats):
        field = boat % len(route.colours)
        other = on.setdefault(field, n)
        if other != n and not (boat == boats[other] == begin and route.start[field]):
            raise BadFile(
                "{seats:seats} are both on {field}; boats share a field only at the start [P-18]",
                seats=(rules.seats[other], rules.seats[n]),
                field=route.names[field],
            )
    return Sea(route, boats, removed)


def _asked(s: State, given: Mapping[str, Any]) -> Stage:
    asked = given.get("asked")
    if len(s.sea.route.cards) + len(s.sea.removed) == board.OCEAN_CARDS:
        return "deal" if asked in ("drop", "lay") else asked or "card"
    to_drop = len(s.sea.removed) < board.left_out(len(s.rules.seats))
    return "drop" if to_drop and not s.sea.route.cards else "lay"


def _led(s: State, given: Mapping[str, Any]) -> State:
    """The position with who leads: as it says, or whoever led to the table, or the start player."""
    seats, table, tally = s.rules.seats, given.get("table", ()), s.tally
    if given.get("lead") is None:
        tally = tally._replace(lead=_SEAT.read(table[0][0], s, None) if table else tally.start)
    expected = [seats[(tally.lead + n) % len(seats)] for n in range(len(table))]
    if [seat for seat, _ in table] != expected:
        raise BadFile("the cards on the table come from {seats:all}, in this order", seats=expected)
    if sum(tally.tricks) > board.TRICKS:
        raise BadFile("a round has {most} tricks, not {n}", most=board.TRICKS, n=sum(tally.tricks))
    return s._replace(tally=tally)


def _dealt(s: State, given: Mapping[str, Any]) -> State:
    """The position with its hands. Raises Problem if the cards do not add up."""
    seats = s.rules.seats
    full = [_hand_size(s, n) for n in range(len(seats))]
    dealt = _BY_SEAT.read(given.get("hands", {}), s, [[HIDDEN] * size for size in full])
    for seat, size, cards in zip(seats, full, dealt, strict=True):
        if s.asked != "deal" and len(cards) != size:
            raise BadFile(
                "{seat:seat} holds {n} [card|cards] at this point, not {found}",
                seat=seat,
                n=size,
                found=len(cards),
            )
    known = [[card for card in cards if card != HIDDEN] for cards in dealt]
    hidden = tuple(list(cards).count(HIDDEN) for cards in dealt)
    everywhere = [*chain(*known), *given.get("played", ()), *s.table]
    for card in board.CARDS:
        if everywhere.count(card) > board.COPIES[card]:
            raise BadFile(
                "there [is one|are {n}] {card}[| cards] in the game, the position has {found}",
                card=card,
                n=board.COPIES[card],
                found=everywhere.count(card),
            )
    hands = tuple(map(together, known))
    return s._replace(hands=hands, hidden=hidden if any(hidden) else (), out=together(everywhere))


def _hand_size(s: State, seat: int) -> int:
    if s.asked in ("drop", "lay", "deal"):
        return 0
    has_played = (seat - s.tally.lead) % len(s.rules.seats) < len(s.table)
    return board.HAND - sum(s.tally.tricks) - has_played


# ------------------------------------------------------------------------------------ the domains

_STAGES: Final = [stage for stage in FOLLOWS if stage != "over"]


def _seats(s: State) -> Sequence[str]:
    return s.rules.seats


def _turn(s: State) -> str | None:
    all_at_once = s.asked == "announce" and not s.rules.announce_open
    return None if all_at_once or s.asked in ("drop", "lay", "over") else s.turn


PRIVATE: Final = ("hands",)


def private(view: Mapping[str, Any]) -> tuple[str, ...]:
    """See `pbem.core.Game.private`: while all announce at once, nobody sees what others have."""
    at_once = view["asked"] == "announce" and view["turn"] is None
    return (*PRIVATE, "announced") if at_once else PRIVATE


def _shown_route(route: Route, s: State) -> list[dict[str, Any]]:
    return [
        {
            "card": c.card,
            "fields": list(c.fields),
            "dolphin": list(c.dolphins),
            "start": list(c.start),
        }
        for c in route.cards
    ]


def _laid(about: Any, ocean: Mapping[str, board.Ocean]) -> board.Ocean:
    """A card of the route; it may be written like `M04 turned`."""
    if isinstance(about, str):
        return board.read_laid(about, ocean)
    card = board.read_laid(str(about["card"]), ocean)
    for way in (card, card.turned()):
        shown = (way.fields, way.dolphins, way.start)
        if shown == tuple(tuple(about[key]) for key in ("fields", "dolphin", "start")):
            return way
    raise BadFile("{card} does not look like {shown}", card=card.card, shown=dict(about))


def _given_in_full(domain: Domain) -> Domain:
    """What `_settled` reads, with what it needs to know for that."""
    return domain._replace(read=lambda plain, s, fresh: fresh)


def _table(table: tuple[board.Card, ...], s: State) -> list[list[str]]:
    seats, lead = s.rules.seats, s.tally.lead
    return [[seats[(lead + n) % len(seats)], card] for n, card in enumerate(table)]


def _hands(s: State, _: State) -> dict[str, list[board.Card]]:
    hidden = s.hidden or (0,) * len(s.hands)
    return {
        seat: names(hand) + [HIDDEN] * unknown
        for seat, hand, unknown in zip(s.rules.seats, s.hands, hidden, strict=True)
    }


_NAME: Final = "^[a-z][a-z0-9_-]{0,19}$"
_DEFINED: Final = views.Definitions()
_SEAT: Final = _DEFINED("seat", views.numbered(_seats, views.text(_NAME)))
_SEAT_OR_NOBODY: Final = _DEFINED(
    "seat_or_nobody", maybe(views.seen(views.text(_NAME), _SEAT.shown))
)
_COLOUR: Final = _DEFINED("colour", views.seen({"enum": [*board.COLOURS]}))
_COLOUR_OR_NONE: Final = _DEFINED("colour_or_none", views.seen({"enum": [*board.COLOURS, None]}))


def _by_seat(of: Domain) -> Domain:
    return views.in_order(_seats, of)._replace(schema=views.mapping(_SEAT, of))


_BY_SEAT: Final = _by_seat(views.seen({}))
_COUNTS: Final = _DEFINED("count_by_seat", _by_seat(views.number()))
_CARD: Final = views.seen(
    views.text(r"^((blue|red|green|turquoise) ([1-9]|1[0-2])|kanaloa|octopus|\?)$")
)
_CARDS: Final = _DEFINED("cards", views.listed(_CARD))
_OCEAN_NAME: Final = _DEFINED("ocean_name", views.seen(views.text("^[A-Z]{1,3}[0-9]{1,3}$")))
_FLAGS: Final = _DEFINED("flags", views.listed(FLAG, minItems=2, maxItems=2))
_OCEAN: Final = _DEFINED(
    "ocean",
    views.seen(
        views.exactly(
            {
                "card": _OCEAN_NAME.schema,
                "fields": {
                    "description": "The colours of its fields in sailing order.",
                    **views.listed(_COLOUR, minItems=2, maxItems=2).schema,
                },
                "dolphin": {"description": "Whether they show a dolphin.", **_FLAGS.schema},
                "start": {"description": "Whether they are the start field.", **_FLAGS.schema},
            }
        )
    ),
)
_OCEAN_OR_NAME: Final = views.seen({"anyOf": [_OCEAN.schema, {"type": "string"}]})
"""In a position, a card may also be written like `M04 turned`."""
_PLAYED_CARD: Final = {
    "description": "A seat and its card.",
    "type": "array",
    "minItems": 2,
    "maxItems": 2,
    "items": {"type": "string"},
}

# -------------------------------------------------------------------------------- the declaration

_KEYS: Final[Mapping[str, Domain | views.Key]] = {
    "game": views.constant("kanaloa-piatnik"),
    "round": views.Key(views.number(1), at="tally.round"),
    "trick": views.follows(
        views.number(1, board.TRICKS),
        lambda s: trick(s.tally),
        "Which trick of the round is played, or comes next.",
    ),
    "seats": views.Key(
        views.fixed(views.listed(_SEAT, minItems=3, maxItems=5, uniqueItems=True)),
        "Clockwise.",
        "rules.seats",
    ),
    "start": views.Key(_SEAT, "The start player of the round.", "tally.start"),
    "lead": views.Key(_SEAT, "Who leads the trick, or is to lead it.", "tally.lead"),
    "asked": views.Key(
        _given_in_full(
            views.seen(
                {"enum": [*_STAGES, None]}, lambda asked, s: None if asked == "over" else asked
            )
        ),
        "What is asked for now; null when the match is over.",
    ),
    "turn": views.Key(
        _given_in_full(_SEAT_OR_NOBODY._replace(shown=lambda turn, s: _turn(s))),
        "Who is asked for it, or dealt to; null where it is nobody.",
    ),
    "route": views.Key(
        views.seen(
            views.listed(_OCEAN_OR_NAME, maxItems=board.OCEAN_CARDS).schema,
            _shown_route,
            lambda plain, s, fresh: laid(tuple(_laid(card, s.rules.ocean) for card in plain)),
        ),
        "The ocean cards in sailing order.",
        "sea.route",
    ),
    "boats": views.Key(
        _given_in_full(
            _COUNTS._replace(shown=lambda boats, s: dict(zip(_seats(s), boats, strict=False)))
        ),
        "Positions: fields from the first of the route, laps included.",
        "sea.boats",
    ),
    "leader": views.follows(
        _SEAT_OR_NOBODY,
        lambda s: race.leader(s.sea),
        "Who leads; null while several do, on the start field.",
    ),
    "last": views.follows(views.listed(_SEAT), lambda s: race.last(s.sea), "Who is last."),
    "trump": views.follows(_COLOUR_OR_NONE, lambda s: race.trump(s.sea) if s.sea.boats else None),
    "led": views.follows(
        _COLOUR_OR_NONE,
        lambda s: led(s.rules, s.table),
        "The colour that decides the trick, unless a trump or a Kanaloa does.",
    ),
    "table": views.Key(
        views.seen(
            {"type": "array", "maxItems": 5, "items": _PLAYED_CARD},
            _table,
            lambda plain, s, fresh: tuple(
                views.require_one_of(card, board.CARDS) for _, card in plain
            ),
        ),
        "The cards of the trick, in the order played.",
    ),
    "hands": views.Key(
        _given_in_full(_by_seat(views.seen({**_CARDS.schema, "maxItems": board.HAND})))._replace(
            shown=_hands
        ),
        "The cards in hand, by colour and value.",
        at="",
    ),
    "taken": views.Key(
        views.seen(
            {"type": "array", "maxItems": 5, "items": _PLAYED_CARD},
            lambda taken, s: [[s.rules.seats[n], card] for n, card in taken],
            lambda plain, s, fresh: tuple(
                (_SEAT.read(seat, s, 0), views.require_one_of(card, board.CARDS))
                for seat, card in plain
            ),
        ),
        "The cards of the trick taken last, until one is played to the next.",
        "tally.taken",
        optional=True,
    ),
    "tricks": views.Key(_COUNTS, "Tricks taken in this round.", "tally.tricks"),
    "announced": views.Key(
        _by_seat(views.seen({"enum": [True, False, None, HIDDEN]})),
        "Whether a seat's boat is tilted; null before it has spoken.",
        "tally.announced",
    ),
    "played": views.Key(
        _given_in_full(
            _CARDS._replace(shown=lambda out, s: names(out - sum(s.hands) - together(s.table)))
        ),
        "The cards of the tricks taken in this round.",
        "out",
    ),
    "removed": views.Key(
        views.listed(_OCEAN_NAME, maxItems=board.OCEAN_CARDS),
        "The ocean cards left out or removed, in that order.",
        "sea.removed",
    ),
}

view, position, SCHEMA = views.declared(
    start,
    _KEYS,
    _settled,
    says='What one reader may know of a position. "?" stands for what that reader may not know.',
    definitions=_DEFINED,
)
