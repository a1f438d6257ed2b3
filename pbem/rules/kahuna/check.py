"""What may be done in Kahuna.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` indexes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core import HIDDEN, Move, Seat, Violation
from pbem.rules.kahuna import board, moves
from pbem.rules.kahuna.moves import Deal
from pbem.rules.kahuna.state import State, unseen
from pbem.rules.zones import missing


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    kind = type(move)
    if s.owed:
        if kind is not Deal:
            raise Violation("K-5", "A card must be dealt first")
    elif kind is Deal:
        raise Violation("K-5", "No card must be dealt now")
    elif (s.handicap[0] or s.handicap[1]) and kind in _OF_A_TURN:
        raise Violation("K-47", "The handicap bridges come first: place one, or 'handicap done'")
    return _CHECKS[kind](s, board.SEAT[seat], move)


_OF_A_TURN = frozenset(
    (moves.Place, moves.Remove, moves.Free, moves.Discard, moves.Take, moves.Draw, moves.Pass)
)


def _check_place(s: State, me: int, m: moves.Place) -> bool:
    line, card, bridges = m.line, m.card, s.bridges
    bit = board.BIT.get(line)
    if bit is None or (bridges[0] | bridges[1]) & bit:
        raise _not_free(s, line)
    if card not in board.ENDS[line]:
        raise Violation("K-8", "{card} is at neither end of {line}", card=card, line=line)
    if m.hidden:
        _require_choice(s, me, card)
    sure = card in s.hands[me] or _has(s, me, (card,), (m.hidden,), line)
    if s.done == "discarded":
        _require_playing(s)
    if s.rules.variant1 or bridges[me].bit_count() >= board.BRIDGES:
        _require_bridge(s, me, line)
    return sure


def _check_remove(s: State, me: int, m: moves.Remove) -> bool:
    bit = board.BIT.get(m.line)
    if bit is None:
        raise _not_free(s, m.line)
    if not s.bridges[1 - me] & bit:
        if s.bridges[me] & bit:
            raise Violation(
                "K-22",
                "The bridge {line} is your own; you can remove only bridges of {foe:seat}",
                line=m.line,
                foe=board.SEATS[1 - me],
            )
        raise Violation("K-22", "There is no bridge on {line}", line=m.line)
    first, second = m.cards
    ends, hand = board.ENDS[m.line], s.hands[me]
    if first not in ends or second not in ends:
        card = second if first in ends else first
        raise Violation("K-21", "{card} is at neither end of {line}", card=card, line=m.line)
    if True in m.hidden:
        if first == second:
            raise Violation(
                "K-A24",
                "You spend both {card} cards, so you can't choose one: leave out 'hidden'",
                card=first,
            )
        for card, hidden in zip(m.cards, m.hidden, strict=True):
            if hidden:
                _require_choice(s, me, card)
    both = second in hand and hand.count(first) > (first == second)
    sure = both or _has(s, me, m.cards, m.hidden)
    if s.done == "discarded":
        _require_playing(s)
    return sure


def _check_free(s: State, me: int, m: moves.Free) -> bool:
    if not s.rules.variant1:
        raise Violation("K-23", "Only variant 1 has a bridge without a card")
    if not s.cleared:
        raise Violation("K-44", "You have not just removed a bridge, so there is no free one")
    if s.cleared != m.line:
        raise Violation(
            "K-44",
            "The free bridge goes on {cleared}, which you have just cleared, not on {line}",
            cleared=s.cleared,
            line=m.line,
        )
    _require_bridge(s, me, m.line)
    return True


def _check_discard(s: State, me: int, m: moves.Discard) -> bool:
    if not may_discard(s, me):
        raise _no_discard(s, me)
    if m.hidden is True:
        _require_choice(s, me, m.card)
    return m.card in s.hands[me] or _has(s, me, (m.card,), (m.hidden,))


def _check_take(s: State, me: int, m: moves.Take) -> bool:
    if not may_draw(s, me):
        raise _no_draw(s, me)
    if m.card not in s.display:
        raise _not_shown(s, m.card)
    return True


def _check_draw(s: State, me: int, m: moves.Draw) -> bool:
    if not may_draw(s, me):
        raise _no_draw(s, me)
    if not s.deck:
        raise Violation(
            "K-51", "The draw pile is empty: take {cards:any}", cards=sorted(set(s.display))
        )
    return True


def _check_pass(s: State, me: int, m: moves.Pass) -> bool:
    if s.tally.final_turns:
        return True
    if s.passed:
        foe = board.SEATS[1 - me]
        if _size(s, me) >= board.HAND_LIMIT:
            raise Violation(
                "K-28", "{foe:seat} didn't draw, so you must: play or discard a card first", foe=foe
            )
        raise Violation("K-27", "{foe:seat} didn't draw, so you must", foe=foe)
    if s.rules.must_draw:
        raise Violation("K-50", "In this match every turn ends with a card drawn")
    if s.rules.discard == "at_five" and s.done == "discarded":
        raise Violation("K-A2", "You have discarded in order to draw, so you must draw")
    return True


def _check_handicap(s: State, me: int, m: moves.Handicap) -> bool:
    _require_handicap(s, me)
    bit = board.BIT.get(m.line)
    if bit is None or (s.bridges[0] | s.bridges[1]) & bit:
        raise _not_free(s, m.line)
    _require_bridge(s, me, m.line)
    return True


def _check_enough(s: State, me: int, m: moves.Enough) -> bool:
    _require_handicap(s, me)
    return True


def _check_deal(s: State, me: int, m: moves.Deal) -> bool:
    left = unseen(s)
    if left[m.card] < 1:
        raise Violation("K-1", "Both {card} cards are elsewhere", card=m.card)
    if m.to != s.owed[0]:
        if s.owed[0] == board.DISPLAY:
            raise Violation("K-3", "The next card goes to the display")
        raise Violation("K-3", "The next card goes to {to:seat}", to=s.owed[0])
    return not left[HIDDEN]


# ------------------------------------------------------------------------------ lines and bridges


def _not_free(s: State, line: board.Line) -> Violation:
    if line not in board.BIT:
        return Violation("K-2", "No line joins {islands:all}", islands=line.split("-"))
    owner = board.SEATS[0] if s.bridges[0] & board.BIT[line] else board.SEATS[1]
    return Violation(
        "K-9", "{line} already carries a bridge of {owner:seat}", line=line, owner=owner
    )


def _require_bridge(s: State, me: int, line: board.Line) -> None:
    if s.bridges[me].bit_count() >= board.BRIDGES:
        raise Violation(
            "K-52", "All your {bridges} bridges are on the board", bridges=board.BRIDGES
        )
    if s.rules.variant1:
        for island in board.ENDS[line]:
            if board.controls(s.bridges[1 - me], island):
                raise Violation(
                    "K-43",
                    "{owner:seat} controls {island}, so you can't place a bridge there",
                    owner=board.SEATS[1 - me],
                    island=island,
                )


def _require_handicap(s: State, me: int) -> None:
    if not s.handicap[me]:
        raise Violation("K-47", "Handicap bridges are placed before the first turn, as agreed")


# ------------------------------------------------------------------------------ cards in hand


def _has(
    s: State,
    me: int,
    cards: tuple[board.Card, ...],
    hidden: tuple[bool, ...],
    line: board.Line | None = None,
) -> bool:
    """True: the player holds the cards. False: they may be among the hidden ones [K-10].

    Of a card held both open and hidden, the open copy is meant unless the move says `hidden`. A
    player who wants to build on `line` is told if they hold the card of its other end.
    """
    laid, wanted = list(s.open[me]), []
    for card, concealed in zip(cards, hidden, strict=True):
        if card in laid and not concealed:
            laid.remove(card)
        else:
            wanted.append(card)
    hand = s.hands[me]
    lacking = missing(hand, wanted)
    if not lacking:
        return True
    card = lacking[0]
    if len(lacking) > hand.count(HIDDEN):
        if (card, True) in zip(cards, hidden, strict=True):
            raise Violation("K-10", "You hold no hidden {card}", card=card)
        if card in hand or card in s.open[me]:
            raise Violation("K-10", "You hold only one {card}", card=card)
        for other in board.ENDS[line] if line else ():
            if other in hand or other in s.open[me]:
                raise Violation(
                    "K-10",
                    "You hold no {card}; with your {other} the same bridge is {other}-{card}",
                    card=card,
                    other=other,
                )
        raise Violation("K-10", "You hold no {card}", card=card)
    for card in lacking:
        if unseen(s)[card] < lacking.count(card):
            raise Violation(
                "K-10",
                "{holder:seat} can't hold {card}: both cards are elsewhere",
                holder=board.SEATS[me],
                card=card,
            )
    return False


def _require_choice(s: State, me: int, card: board.Card) -> None:
    """Only a card of which another copy lies open may be called hidden [K-A24]."""
    if card not in s.open[me]:
        raise Violation(
            "K-A24", "No {card} is face up in front of you: leave out 'hidden'", card=card
        )


# --------------------------------------------------------------------- discarding and drawing


def _require_playing(s: State) -> None:
    """Cards may be played after a discard under the free rule only."""
    if s.rules.discard == "at_five":
        raise Violation("K-A2", "You have discarded in order to draw, so you play no more cards")
    if s.rules.discard == "instead":
        raise Violation("K-14", "You have discarded instead of playing cards")


def may_discard(s: State, me: int) -> bool:
    """May a card be discarded now, whichever it is? [K-14, K-15, K-16]"""
    if s.tally.final_turns:
        return False
    if s.rules.discard == "at_five":
        return s.done == "discarded" or (not s.done and _size(s, me) == board.HAND_LIMIT)
    return s.rules.discard == "free" or s.done != "played"


def _no_discard(s: State, me: int) -> Violation:
    if s.tally.final_turns:
        return Violation("K-A18", "In the last two turns no card is discarded")
    if s.rules.discard == "instead":
        return Violation("K-14", "You have played a card this turn, so you may not discard")
    if s.done:
        return Violation("K-15", "You have played a card this turn, so you may not discard")
    return Violation(
        "K-15",
        "You may discard only with {limit} cards in hand, and you hold {size}",
        limit=board.HAND_LIMIT,
        size=_size(s, me),
    )


def may_draw(s: State, me: int) -> bool:
    """May a card be drawn now, whichever it is? [K-26, K-36]"""
    room = len(s.hands[me]) + len(s.open[me]) < board.HAND_LIMIT
    return room and not s.tally.final_turns


def _no_draw(s: State, me: int) -> Violation:
    if s.tally.final_turns:
        return Violation("K-36", "No cards are left to draw: end your last turn with 'pass'")
    return Violation(
        "K-26", "You hold {size} cards: play or discard one before you draw", size=_size(s, me)
    )


def _not_shown(s: State, card: board.Card) -> Violation:
    match sorted(set(s.display)):
        case []:
            return Violation("K-51", "{card} isn't face up; no card is", card=card)
        case [one]:
            return Violation("K-51", "{card} isn't face up; only {one} is", card=card, one=one)
        case others:
            return Violation(
                "K-51", "{card} isn't face up; {others:all} are", card=card, others=others
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
