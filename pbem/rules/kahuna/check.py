"""What may be done in Kahuna.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` indexes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import HIDDEN, Move, Seat, Violation
from pbem.rules.kahuna import moves
from pbem.rules.kahuna.board import (
    BIT,
    BRIDGES,
    ENDS,
    HAND_LIMIT,
    SEAT,
    SEATS,
    Card,
    Line,
    controls,
)
from pbem.rules.kahuna.state import State, unseen
from pbem.rules.zones import missing


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    return _CHECKS[type(move)](s, SEAT[seat], move)


def _check_place(s: State, me: int, m: moves.Place) -> bool:
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


def _check_remove(s: State, me: int, m: moves.Remove) -> bool:
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


def _check_free(s: State, me: int, m: moves.Free) -> bool:
    if not s.rules.variant1:
        raise Violation("K-23", "a bridge without a card exists in variant 1 only")
    if s.cleared != m.line:
        cleared = f"only on {s.cleared}, just cleared" if s.cleared else "nothing was just cleared"
        raise Violation("K-44", "no free bridge on {line}: {cleared}", line=m.line, cleared=cleared)
    _require_bridge(s, me, m.line)
    return True


def _check_discard(s: State, me: int, m: moves.Discard) -> bool:
    if not may_discard(s, me):
        raise _no_discard(s, me)
    return m.card in s.hands[me] or _has(s, me, (m.card,))


def _check_take(s: State, me: int, m: moves.Take) -> bool:
    if not may_draw(s, me):
        raise _no_draw(s, me)
    if m.card not in s.display:
        shown = ", ".join(sorted(s.display)) or "nothing"
        raise Violation(
            "K-51", "{card} does not lie face up; {shown} does", card=m.card, shown=shown
        )
    return True


def _check_draw(s: State, me: int, m: moves.Draw) -> bool:
    if not may_draw(s, me):
        raise _no_draw(s, me)
    if not s.deck:
        raise Violation("K-51", "the draw pile is empty; take a face-up card")
    return True


def _check_pass(s: State, me: int, m: moves.Pass) -> bool:
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


def _check_handicap(s: State, me: int, m: moves.Handicap) -> bool:
    bit = BIT.get(m.line)
    if bit is None or (s.bridges[0] | s.bridges[1]) & bit:
        raise _not_free(s, m.line)
    _require_bridge(s, me, m.line)
    return True


def _check_enough(s: State, me: int, m: moves.Enough) -> bool:
    return True


def _check_deal(s: State, me: int, m: moves.Deal) -> bool:
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


def may_discard(s: State, me: int) -> bool:
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


def may_draw(s: State, me: int) -> bool:
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
    moves.Place: _check_place,
    moves.Remove: _check_remove,
    moves.Free: _check_free,
    moves.Discard: _check_discard,
    moves.Take: _check_take,
    moves.Draw: _check_draw,
    moves.Pass: _check_pass,
    moves.Handicap: _check_handicap,
    moves.Enough: _check_enough,
    moves.Deal: _check_deal,
}
