"""What a position of Kahuna looks like, and how to set one up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pbem import views
from pbem.core import FLAG, HIDDEN, Domain, Setup
from pbem.problem import BadFile
from pbem.rules.kahuna import board
from pbem.rules.kahuna.start import rules_of
from pbem.rules.kahuna.state import State, located


def _fresh(setup: Setup) -> State:
    """An empty first round, in which nothing is owed; cards under the pile will be HIDDEN."""
    rules = rules_of(setup)
    return State(rules, turn=rules.starter, handicap=(0, 0), owed=(), deck=0)


def _settled(s: State, given: Mapping[str, Any]) -> State:
    """A draw pile that is left out has all other cards, in the last turns none. Raises Problem if
    the cards do not add up."""
    had = [one or bridges > 0 for one, bridges in zip(s.tally.bridged, s.bridges, strict=True)]
    tally = s.tally._replace(bridged=(had[0], had[1]))
    return _counted(s._replace(tally=tally, drawing=len(s.owed) == 1), given)


# ------------------------------------------------------------------------------------ the domains


def _pair(of: Domain) -> Domain:
    """What belongs to white and to black."""
    return views.in_order(lambda s: board.SEATS, of)._replace(
        schema=views.exactly(dict.fromkeys(board.SEATS, of.schema))
    )


def _owners(bridges: tuple[int, int], s: State) -> dict[str, str]:
    return {
        line: board.SEATS[0 if bridges[0] & board.BIT[line] else 1]
        for line in board.lines_in(bridges[0] | bridges[1])
    }


def _bridges(plain: Mapping[str, str], s: State, fresh: Any) -> tuple[int, int]:
    bridges = [0, 0]
    for line, seat in plain.items():
        bridges[board.SEAT[seat]] |= board.BIT[line]
    return bridges[0], bridges[1]


def _heap(plain: Mapping[str, int], s: State, fresh: Any) -> tuple[str, ...]:
    cards: list[str] = []
    for card, count in plain.items():
        cards += [card] * count
    return tuple(cards)


def _lost(bridged: tuple[bool, bool], s: State) -> list[str]:
    return [seat for me, seat in enumerate(board.SEATS) if bridged[me] and not s.bridges[me]]


def _read_lost(plain: list[str], s: State, fresh: Any) -> tuple[bool, ...]:
    return tuple(seat in plain for seat in board.SEATS)


_DEFINED: Final = views.Definitions()
_SEAT: Final = _DEFINED("seat", views.numbered(lambda s: board.SEATS, {"enum": [*board.SEATS]}))
_ISLAND: Final = _DEFINED("island", views.seen({"enum": [*board.ISLANDS]}))
_LINE: Final = _DEFINED(
    "line",
    views.seen({"description": "Two islands in alphabetical order.", "enum": [*board.LINES]}),
)
_CARD: Final = _DEFINED("card", views.seen({"enum": [*board.ISLANDS, HIDDEN]}))


_HANDS: Final = _DEFINED(
    "cards_by_seat", _pair(_DEFINED("cards", views.unordered(_CARD, maxItems=board.HAND_LIMIT)))
)
_COUNTS: Final = _DEFINED("count_by_seat", _pair(views.number()))

_TUCKED: Final = views.seen(
    {}, lambda cards, s: len(cards), lambda plain, s, fresh: (HIDDEN,) * min(plain, board.CARDS + 1)
)

# -------------------------------------------------------------------------------- the declaration

_KEYS: Final[Mapping[str, Domain | views.Key]] = {
    "game": views.constant("kahuna"),
    "round": views.Key(views.number(1, 3), at="tally.round"),
    "score": views.Key(_COUNTS, "Points so far.", "tally.score"),
    "turn": _SEAT,
    "bridges": views.Key(
        views.seen(views.mapping(_LINE, _SEAT), _owners, _bridges),
        "Who owns the bridge on a line; a line that is not listed is free.",
    ),
    "control": views.follows(
        views.seen(views.mapping(_ISLAND, _SEAT)),
        lambda s: _control(s),
        "Who controls an island; an island that is not listed is nobody's.",
    ),
    "hands": views.Key(_HANDS, "The cards in hand, sorted."),
    "display": views.Key(views.unordered(_CARD, maxItems=3), "The face-up cards, sorted."),
    "deck": views.Key(views.number(0, board.CARDS), "How many cards the draw pile has."),
    "discard": views.Key(
        views.seen(
            views.mapping(_ISLAND, views.number(1, board.COPIES)),
            lambda cards, s: dict(sorted(Counter(cards).items())),
            _heap,
        ),
        "How many of each card lie face up on the discard pile.",
    ),
    "tucked": views.Key(
        _pair(_TUCKED)._replace(schema=_COUNTS.schema),
        "How many cards each player has put face down under the discard pile.",
    ),
    "final_turns": views.Key(
        views.seen(
            {"type": ["integer", "null"], "minimum": 1, "maximum": 2},
            lambda left, s: left or None,
            lambda plain, s, fresh: plain or 0,
        ),
        "How many of the last turns of the match are left; null before them.",
        "tally.final_turns",
    ),
    "passed": views.Key(FLAG, "Did the last turn end without a card?"),
    "open": views.if_any(
        _HANDS._replace(shown=lambda laid, s: _HANDS.shown(laid, s) if s.rules.variant2 else None),
        "Variant 2: the cards that lie open before a player, sorted.",
    ),
    "free": views.if_any(
        _LINE, "Variant 1: a bridge may be put on this line now, without a card.", "cleared"
    ),
    "this_turn": views.if_any(
        views.seen({"enum": ["played", "discarded"]}),
        "What the player whose turn it is has done with their cards.",
        "done",
    ),
    "owed": views.if_any(
        views.listed(views.seen({"enum": [*board.SEATS, board.DISPLAY]})),
        "To whom cards have yet to be dealt, in this order.",
    ),
    "lost_all": views.if_any(
        views.seen({"type": "array", "items": _SEAT.schema}, _lost, _read_lost),
        "Who has had a bridge and has none left; round two asks that.",
        "tally.bridged",
    ),
    "handicap": views.if_any(
        views.seen(
            views.mapping(_SEAT, views.number(1, 3)),
            lambda pair, s: {seat: n for seat, n in zip(board.SEATS, pair, strict=True) if n},
            _COUNTS.read,
        ),
        "How many handicap bridges a player may still place.",
    ),
}


def _counted(s: State, view: Mapping[str, Any]) -> State:
    """The position with its draw pile. Raises Problem if the cards do not add up."""
    cards = located(s)
    for island in board.ISLANDS:
        if cards.count(island) > board.COPIES:
            raise BadFile(
                "this position has {count} {island} cards; there are only {copies}",
                count=cards.count(island),
                island=island,
                copies=board.COPIES,
            )
    for seat, hand, laid in zip(board.SEATS, s.hands, s.open, strict=True):
        if len(hand) + len(laid) > board.HAND_LIMIT:
            raise BadFile(
                "{seat:seat} holds {held} cards; the limit is {limit}",
                seat=seat,
                held=len(hand) + len(laid),
                limit=board.HAND_LIMIT,
            )
    deck = view.get("deck", 0 if s.tally.final_turns else board.CARDS - len(cards))
    if deck > board.CARDS - len(cards):
        raise BadFile(
            "the draw pile cannot have {deck!r} cards: {placed} of the {cards} are elsewhere",
            deck=deck,
            placed=len(cards),
            cards=board.CARDS,
        )
    return s._replace(deck=deck)


def _control(s: State) -> dict[str, str]:
    """Who controls which island [K-17]."""
    return dict(_controlled(s.bridges))


@lru_cache(4096)
def _controlled(of_both: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (island, seat)
        for island in board.ISLANDS
        for seat, bridges in zip(board.SEATS, of_both, strict=True)
        if board.controls(bridges, island)
    )


view, position, SCHEMA = views.declared(
    _fresh,
    _KEYS,
    _settled,
    says='What one reader may know of a position. "?" stands for a card they may not know.',
    definitions=_DEFINED,
)
