"""What may be done in Kahuna: who must choose, and what is legal.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` and `foe` index it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from pbem.core import CHANCE, HIDDEN, Decision, Move, Seat, Setup, Usage, Violation
from pbem.rules.kahuna.facts import (
    AT,
    BIT,
    BRIDGES,
    CARDS,
    DISPLAY,
    ENDS,
    EVERY_LINE,
    HAND_LIMIT,
    ISLANDS,
    SEAT,
    SEATS,
    Card,
    Deal,
    Discard,
    Draw,
    Enough,
    Free,
    Handicap,
    Line,
    Pass,
    Place,
    Remove,
    Rules,
    State,
    Take,
    controls,
    lines_in,
    unseen,
)
from pbem.rules.zones import missing

OUT_OF_TURN = "K-5"

# ------------------------------------------------------------------------- the beginning


def rules_of(setup: Setup) -> Rules:
    """The rules a set-up settles. Raises Problem for a board that is not the printed one."""
    if setup.board is not None:
        raise Usage("Kahuna has one board; leave --board out")
    o = setup.options
    limit = o["token_limit"]
    return Rules(
        starter=SEAT[o["starter"] or setup.seats[0]],
        discard=o["discard"],
        must_draw=o["must_draw"],
        variant1=o["variant1"],
        variant2=o["variant2"],
        token_limit=None if limit == "none" else int(limit),
        premature_at_round_start=o["premature_at_round_start"],
    )


def start(setup: Setup) -> State:
    """An empty board; nine cards are owed, the starter's first [K-3]."""
    rules = rules_of(setup)
    first, second = SEATS[rules.starter], SEATS[1 - rules.starter]
    granted = setup.options["handicap"]
    return State(
        rules,
        turn=rules.starter,
        handicap=(granted.get("white", 0), granted.get("black", 0)),
        owed=(first,) * 3 + (second,) * 3 + (DISPLAY,) * 3,
        deck=CARDS,
    )


# ----------------------------------------------------------------------- who must choose

_TURN = tuple(
    Decision(seat, "turn", (Place, Remove, Free, Discard, Take, Draw, Pass)) for seat in SEATS
)
_HANDICAP = tuple(
    Decision(seat, "handicap", (Handicap, Enough), default=Enough()) for seat in SEATS
)
_DEAL = {
    place: Decision(CHANCE, "deal", (Deal,), about={"to": place}) for place in (*SEATS, DISPLAY)
}


def pending(s: State) -> tuple[Decision, ...]:
    """Chance while a card is owed; then a handicap; then the seat whose turn it is."""
    if s.tally.ended:
        return ()
    if s.owed:
        return (_DEAL[s.owed[0]],)
    if s.handicap[0] or s.handicap[1]:
        return (_HANDICAP[0 if s.handicap[0] else 1],)
    return (_TURN[s.turn],)


# ------------------------------------------------------------------------ what may be done


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    return _CHECKS[type(move)](s, SEAT[seat], move)


def _check_place(s: State, me: int, m: Place) -> bool:
    bit, bridges = BIT.get(m.line), s.bridges
    if bit is None or (bridges[0] | bridges[1]) & bit:
        raise _not_free(s, m.line)
    if m.card not in ENDS[m.line]:
        raise Violation("K-8", "{card} is at neither end of {line}", card=m.card, line=m.line)
    sure = m.card in s.hands[me] or _has(s, me, (m.card,))
    if s.done == "discarded":
        _require_playing(s)
    if s.rules.variant1 or bridges[me].bit_count() >= BRIDGES:
        _require_bridge(s, me, m.line)
    return sure


def _check_remove(s: State, me: int, m: Remove) -> bool:
    bit = BIT.get(m.line)
    if bit is None:
        raise _not_free(s, m.line)
    if not s.bridges[1 - me] & bit:
        whose = "your own bridge" if s.bridges[me] & bit else "no bridge"
        raise Violation(
            "K-22", "{line} carries {whose}, not your opponent's", line=m.line, whose=whose
        )
    first, second = m.cards
    ends, hand = ENDS[m.line], s.hands[me]
    if first not in ends or second not in ends:
        stranger = second if first in ends else first
        raise Violation(
            "K-21", "{stranger} is at neither end of {line}", stranger=stranger, line=m.line
        )
    both = second in hand and hand.count(first) > (first == second)
    sure = both or _has(s, me, m.cards)
    if s.done == "discarded":
        _require_playing(s)
    return sure


def _check_free(s: State, me: int, m: Free) -> bool:
    if not s.rules.variant1:
        raise Violation("K-23", "a bridge without a card exists in variant 1 only")
    if s.cleared != m.line:
        cleared = f"only on {s.cleared}, just cleared" if s.cleared else "nothing was just cleared"
        raise Violation("K-44", "no free bridge on {line}: {cleared}", line=m.line, cleared=cleared)
    _require_bridge(s, me, m.line)
    return True


def _check_discard(s: State, me: int, m: Discard) -> bool:
    if not _may_discard(s, me):
        raise _no_discard(s, me)
    return m.card in s.hands[me] or _has(s, me, (m.card,))


def _check_take(s: State, me: int, m: Take) -> bool:
    if not _may_draw(s, me):
        raise _no_draw(s, me)
    if m.card not in s.display:
        shown = ", ".join(sorted(s.display)) or "nothing"
        raise Violation(
            "K-51", "{card} does not lie face up; {shown} does", card=m.card, shown=shown
        )
    return True


def _check_draw(s: State, me: int, m: Draw) -> bool:
    if not _may_draw(s, me):
        raise _no_draw(s, me)
    if not s.deck:
        raise Violation("K-51", "the draw pile is empty; take a face-up card")
    return True


def _check_pass(s: State, me: int, m: Pass) -> bool:
    if s.tally.final_turns:
        return True
    if s.passed and _size(s, me) >= HAND_LIMIT:
        raise Violation("K-28", "your opponent did not draw, so you must: play or discard first")
    if s.passed:
        raise Violation("K-27", "your opponent did not draw, so you must")
    if s.rules.must_draw:
        raise Violation("K-50", "in this ruleset every turn ends with a card drawn")
    if s.rules.discard == "at_five" and s.done == "discarded":
        raise Violation("K-A2", "you have discarded in order to draw, so you must draw")
    return True


def _check_handicap(s: State, me: int, m: Handicap) -> bool:
    bit = BIT.get(m.line)
    if bit is None or (s.bridges[0] | s.bridges[1]) & bit:
        raise _not_free(s, m.line)
    _require_bridge(s, me, m.line)
    return True


def _check_enough(s: State, me: int, m: Enough) -> bool:
    return True


def _check_deal(s: State, me: int, m: Deal) -> bool:
    left = unseen(s)
    if left[m.card] < 1:
        raise Violation("K-1", "both {card} cards are elsewhere", card=m.card)
    if m.to != s.owed[0]:
        raise Violation("K-3", "the next card is owed to {owed}, not {to}", owed=s.owed[0], to=m.to)
    return not left[HIDDEN]


def _not_free(s: State, line: Line) -> Violation:
    if line not in BIT:
        return Violation("K-2", "no line joins {replace}", replace=line.replace("-", " and "))
    owner = SEATS[0] if s.bridges[0] & BIT[line] else SEATS[1]
    return Violation(
        "K-9", "{line} already carries a bridge of {owner:seat}", line=line, owner=owner
    )


def _has(s: State, me: int, cards: tuple[Card, ...]) -> bool:
    """True: the cards are in hand. False: they may be, among the hidden [K-10]."""
    hand = s.hands[me] + s.open[me]
    lacking = missing(hand, cards)
    if not lacking:
        return True
    card = lacking[0]
    if len(lacking) > hand.count(HIDDEN):
        held = "one" if card in hand else "no"
        raise Violation(
            "K-10",
            "{seats} holds {held} {card}{value}",
            seats=SEATS[me],
            held=held,
            card=card,
            value=" only" * (card in hand),
        )
    for card in lacking:
        if unseen(s)[card] < lacking.count(card):
            raise Violation(
                "K-10",
                "{seats} cannot hold {card}: the cards lie elsewhere",
                seats=SEATS[me],
                card=card,
            )
    return False


def _require_playing(s: State) -> None:
    """Cards may be played after a discard under the free rule only."""
    if s.rules.discard == "at_five":
        raise Violation("K-A2", "you have discarded in order to draw; no card may be played")
    if s.rules.discard == "instead":
        raise Violation("K-14", "you have discarded instead of playing cards")


def _may_discard(s: State, me: int) -> bool:
    """May a card be discarded now, whichever it is? [K-14, K-15, K-16]"""
    if s.tally.final_turns:
        return False
    if s.rules.discard == "at_five":
        return s.done == "discarded" or (not s.done and _size(s, me) == HAND_LIMIT)
    return s.rules.discard == "free" or s.done != "played"


def _no_discard(s: State, me: int) -> Violation:
    if s.tally.final_turns:
        return Violation("K-A18", "nothing is drawn any more, so nothing is discarded")
    if s.rules.discard == "instead":
        return Violation("K-14", "cards are discarded instead of played; you have played one")
    if s.done:
        return Violation("K-15", "you have played a card this turn, so you may not discard")
    return Violation(
        "K-15",
        "you discard with {hand_limit} cards in hand, not {size}",
        hand_limit=HAND_LIMIT,
        size=_size(s, me),
    )


def _require_bridge(s: State, me: int, line: Line) -> None:
    if s.bridges[me].bit_count() >= BRIDGES:
        raise Violation(
            "K-52",
            "all {bridges} bridges of {seats} are on the board",
            bridges=BRIDGES,
            seats=SEATS[me],
        )
    if s.rules.variant1:
        for island in ENDS[line]:
            if controls(s.bridges[1 - me], island):
                raise Violation(
                    "K-43", "{island} is controlled by {seats}", island=island, seats=SEATS[1 - me]
                )


def _may_draw(s: State, me: int) -> bool:
    """May a card be drawn now, whichever it is? [K-26, K-36]"""
    room = len(s.hands[me]) + len(s.open[me]) < HAND_LIMIT
    return room and not s.tally.final_turns


def _no_draw(s: State, me: int) -> Violation:
    if s.tally.final_turns:
        return Violation("K-36", "nothing is left to draw; end this last turn with `pass`")
    size = _size(s, me)
    return Violation(
        "K-26", "you hold {size} cards; play or discard one before you draw", size=size
    )


def _size(s: State, me: int) -> int:
    """How many cards count towards the hand limit [K-7, K-46]."""
    return len(s.hands[me]) + len(s.open[me])


_CHECKS: dict[type[Move], Callable[[State, int, Any], bool]] = {
    Place: _check_place,
    Remove: _check_remove,
    Free: _check_free,
    Discard: _check_discard,
    Take: _check_take,
    Draw: _check_draw,
    Pass: _check_pass,
    Handicap: _check_handicap,
    Enough: _check_enough,
    Deal: _check_deal,
}

# ---------------------------------------------------------------- what might be worth asking


def candidates(s: State, decision: Decision) -> Iterable[Move]:
    """See `pbem.core.Game.candidates`."""
    if decision.kind == "turn":
        return _turn_candidates(s, SEAT[decision.seat])
    if decision.kind == "deal":
        left = unseen(s)
        return [m for m in _DEALS[s.owed[0]] if left[m.card]]
    free = EVERY_LINE & ~(s.bridges[0] | s.bridges[1])
    return (*map(Handicap, lines_in(free)), Enough())


def _turn_candidates(s: State, me: int) -> list[Move]:
    cards, pairs = _playable(s.hands[me] + s.open[me])
    theirs = s.bridges[1 - me]
    free = EVERY_LINE & ~(s.bridges[me] | theirs)
    moves: list[Move] = []
    for card in cards:
        moves += _places(card, free & AT[card])
    for pair, joined in pairs:
        if theirs & joined:
            moves += _removals(pair, theirs & joined)
    if s.cleared:
        moves.append(Free(s.cleared))
    if _may_discard(s, me):
        moves += [_DISCARDS[card] for card in cards]
    if _may_draw(s, me):
        moves += [_TAKES[card] for card in dict.fromkeys(s.display)]
        moves.append(_DRAW)
    moves.append(_PASS)
    return moves


_DRAW, _PASS = Draw(), Pass()
_DISCARDS = {island: Discard(island) for island in ISLANDS}
_TAKES = {island: Take(island) for island in ISLANDS}
_DEALS = {place: tuple(Deal(island, place) for island in ISLANDS) for place in (*SEATS, DISPLAY)}


@lru_cache(maxsize=10_000)
def _playable(
    hand: tuple[Card, ...],
) -> tuple[tuple[Card, ...], list[tuple[tuple[Card, Card], int]]]:
    """The cards a hand may hold, and its pairs with the lines both cards name an end of."""
    known = sorted(hand) if HIDDEN not in hand else sorted(ISLANDS * 2)
    pairs = [(pair, AT[pair[0]] & AT[pair[1]]) for pair in sorted(set(combinations(known, 2)))]
    return tuple(dict.fromkeys(known)), [(pair, joined) for pair, joined in pairs if joined]


@cache
def _places(card: Card, lines: int) -> tuple[Place, ...]:
    return tuple(Place(line, card) for line in lines_in(lines))


@cache
def _removals(cards: tuple[Card, Card], lines: int) -> tuple[Remove, ...]:
    return tuple(Remove(line, cards) for line in lines_in(lines))


def chances(s: State, move: Move) -> int:
    """How many cards of this name may still come [K-A28]."""
    assert isinstance(move, Deal)
    return unseen(s)[move.card]
