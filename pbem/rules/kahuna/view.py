"""What a position of Kahuna looks like, and how to set one up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pbem.core import HIDDEN, Setup
from pbem.problem import BadFile
from pbem.rules.kahuna.board import (
    BIT,
    CARDS,
    COPIES,
    DISPLAY,
    HAND_LIMIT,
    ISLANDS,
    LINES,
    SEAT,
    SEATS,
    controls,
    lines_in,
)
from pbem.rules.kahuna.start import rules_of
from pbem.rules.kahuna.state import State, Tally, located

_KEYS: Final = sorted(
    "game round score turn bridges control hands open display deck discard tucked final_turns "
    "passed free this_turn owed lost_all handicap".split()
)


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kahuna.schema.json."""
    tally = s.tally
    shown: dict[str, Any] = {
        "game": "kahuna",
        "round": tally.round,
        "score": _by_seat(tally.score),
        "turn": SEATS[s.turn],
        "bridges": {
            line: SEATS[0 if s.bridges[0] & BIT[line] else 1]
            for line in lines_in(s.bridges[0] | s.bridges[1])
        },
        "control": _control(s),
        "hands": _by_seat([list(hand) for hand in s.hands]),
        "display": sorted(s.display),
        "deck": s.deck,
        "discard": dict(sorted(Counter(s.discard).items())),
        "tucked": _by_seat([len(cards) for cards in s.tucked]),
        "final_turns": tally.final_turns or None,
        "passed": s.passed,
    }
    if s.rules.variant2:
        shown["open"] = _by_seat([sorted(cards) for cards in s.open])
    if s.cleared:
        shown["free"] = s.cleared
    if s.done:
        shown["this_turn"] = s.done
    if s.owed:
        shown["owed"] = list(s.owed)
    if lost := [seat for me, seat in enumerate(SEATS) if tally.bridged[me] and not s.bridges[me]]:
        shown["lost_all"] = lost
    if any(s.handicap):
        shown["handicap"] = {seat: n for seat, n in _by_seat(s.handicap).items() if n}
    return shown


def _by_seat(pair: Any) -> dict[str, Any]:
    return dict(zip(SEATS, pair, strict=True))


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    """Set up a position from a view, or from the keys of one that matter.

    Keys left out: `turn` is the starter's, `deck` has all other cards (in the last turns none), the
    rest is as in an empty first round. Cards under the pile are HIDDEN. Raises Problem.
    """
    if unknown := sorted(set(view) - set(_KEYS)):
        raise BadFile(
            "a position of Kahuna has no {unknown!r}, only {known:all}",
            unknown=unknown[0],
            known=_KEYS,
        )
    rules = rules_of(setup)
    bridges = [0, 0]
    for line, seat in view.get("bridges", {}).items():
        bridges[SEAT[_one_of(seat, SEATS)]] |= BIT[_one_of(line, LINES)]
    discard: list[str] = []
    for card, count in view.get("discard", {}).items():
        discard += [_one_of(card, ISLANDS)] * min(count, CARDS + 1)
    turn = _one_of(view.get("turn", SEATS[rules.starter]), SEATS)
    owed = tuple(_one_of(place, (*SEATS, DISPLAY)) for place in view.get("owed", ()))
    number = view.get("round", 1)
    if number not in (1, 2, 3):
        raise BadFile("Kahuna has no round {number!r}, only 1, 2 and 3", number=number)
    lost = [SEAT[_one_of(seat, SEATS)] for seat in view.get("lost_all", ())]
    s = State(
        rules,
        turn=SEAT[turn],
        handicap=_pair(view.get("handicap", {}), 0),
        owed=owed,
        deck=0,
        tally=Tally(
            round=number,
            score=_pair(view.get("score", {}), 0),
            final_turns=view.get("final_turns") or 0,
            bridged=(bridges[0] > 0 or 0 in lost, bridges[1] > 0 or 1 in lost),
        ),
        bridges=(bridges[0], bridges[1]),
        hands=_zones(view.get("hands", {})),
        open=_zones(view.get("open", {})),
        display=_zone(view.get("display", ())),
        discard=tuple(discard),
        tucked=tuple((HIDDEN,) * min(n, CARDS + 1) for n in _pair(view.get("tucked", {}), 0)),
        drawing=bool(owed) and len(owed) == 1,
        done=_one_of(view.get("this_turn", ""), ("", "played", "discarded")),
        passed=bool(view.get("passed", False)),
        cleared=_one_of(view["free"], LINES) if view.get("free") else None,
    )
    return _counted(s, view)


def _counted(s: State, view: Mapping[str, Any]) -> State:
    """The position with its draw pile. Raises Problem if the cards do not add up."""
    cards = located(s)
    for island in ISLANDS:
        if cards.count(island) > COPIES:
            raise BadFile(
                "this position has {count} {island} cards; there are only {copies}",
                count=cards.count(island),
                island=island,
                copies=COPIES,
            )
    for seat, hand, laid in zip(SEATS, s.hands, s.open, strict=True):
        if len(hand) + len(laid) > HAND_LIMIT:
            raise BadFile(
                "{seat:seat} holds {held} cards; the limit is {limit}",
                seat=seat,
                held=len(hand) + len(laid),
                limit=HAND_LIMIT,
            )
    deck = view.get("deck", 0 if s.tally.final_turns else CARDS - len(cards))
    if not isinstance(deck, int) or not 0 <= deck <= CARDS - len(cards):
        raise BadFile(
            "the draw pile cannot have {deck!r} cards: {placed} of the {cards} are elsewhere",
            deck=deck,
            placed=len(cards),
            cards=CARDS,
        )
    placed = _control(s)
    if view.get("control", placed) != placed:
        raise BadFile(
            "control follows from the bridges: it is {control}, not {said}; you can leave it out",
            control=placed,
            said=dict(view["control"]),
        )
    return s._replace(deck=deck)


def _control(s: State) -> dict[str, str]:
    """Who controls which island [K-17]."""
    return dict(_controlled(s.bridges))


@lru_cache(4096)
def _controlled(of_both: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (island, seat)
        for island in ISLANDS
        for seat, bridges in zip(SEATS, of_both, strict=True)
        if controls(bridges, island)
    )


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise BadFile(
            "{value!r} is not possible here, only {known:any}",
            value=value,
            known=[each for each in known if each],
        )
    return str(value)


def _zone(cards: Any) -> tuple[str, ...]:
    return tuple(sorted(_one_of(card, (*ISLANDS, HIDDEN)) for card in cards))


def _zones(by_seat: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    white, black = _pair(by_seat, ())
    return _zone(white), _zone(black)


def _pair(by_seat: Mapping[str, Any], default: Any) -> tuple[Any, Any]:
    """What belongs to white and to black. Raises Problem if something belongs to nobody."""
    for seat in by_seat:
        _one_of(seat, SEATS)
    return by_seat.get("white", default), by_seat.get("black", default)
