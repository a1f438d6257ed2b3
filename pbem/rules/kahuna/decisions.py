"""Who must choose in Kahuna, and what they could answer.

A pair is (white, black); `me` indexes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations, compress
from typing import Final

from pbem.core import CHANCE, HIDDEN, Decision, Move, Seat
from pbem.rules.kahuna import board, moves, state
from pbem.rules.kahuna.check import may_discard, may_draw
from pbem.rules.kahuna.state import State

KINDS: Final[Mapping[str, tuple[type[Move], ...]]] = {
    "turn": tuple(kind for kind in moves.MOVES if kind is not moves.Deal),
    "handicap": (moves.Handicap, moves.Enough),
}
"""What a player can be asked, and what answers it."""

_TURN = {
    (seat, ends): Decision(board.SEATS[seat], "turn", KINDS["turn"], {"ends": ends} if ends else {})
    for seat in (0, 1)
    for ends in ("", "draw or take", "take or pass", "take", "pass")
}
"""A turn's question, and what alone can end that turn, if not every move that ends one."""
_HANDICAP = tuple(
    Decision(seat, "handicap", KINDS["handicap"], default=moves.Enough()) for seat in board.SEATS
)
_DEAL = {
    place: Decision(CHANCE, "deal", (moves.Deal,), about={"to": place})
    for place in (*board.SEATS, board.DISPLAY)
}


def pending(s: State) -> tuple[Decision, ...]:
    """Chance while a card is owed; then a handicap; then the seat whose turn it is."""
    if s.tally.ended:
        return ()
    if s.owed:
        return (_DEAL[s.owed[0]],)
    if s.handicap[0] or s.handicap[1]:
        return (_HANDICAP[0 if s.handicap[0] else 1],)
    return (_TURN[s.turn, _ends(s)],)


def _ends(s: State) -> str:
    """The kinds of moves that can end this turn, from what everybody sees: `_TURN` has them."""
    if s.tally.final_turns:
        return "pass"
    must = s.passed or s.rules.must_draw or (s.rules.discard == "at_five" and s.done == "discarded")
    if s.deck:
        return "draw or take" if must else ""
    return "take" if must else "take or pass"


def parts(s: State) -> Mapping[str, int]:
    """See `pbem.core.Game.parts`."""
    return {"round": s.tally.round}


# --------------------------------------------------------------------- what they could answer


def candidates(s: State, decision: Decision) -> Iterable[Move]:
    """See `pbem.core.Game.candidates`."""
    if decision.kind == "turn":
        return _turn_candidates(s, board.SEAT[decision.seat])
    if decision.kind == "deal":
        left = state.unseen(s)
        return [m for m in _DEALS[s.owed[0]] if left[m.card]]
    free = board.EVERY_LINE & ~(s.bridges[0] | s.bridges[1])
    return (*map(moves.Handicap, board.lines_in(free)), moves.Enough())


def _turn_candidates(s: State, me: int) -> list[Move]:
    cards, pairs = _playable(s.hands[me] + s.open[me])
    bridges = s.bridges
    theirs = bridges[1 - me]
    free = board.EVERY_LINE & ~(bridges[me] | theirs)
    found: list[Move] = []
    for card in cards:
        found += _places(card, free & board.AT[card])
    for pair, joined in pairs:
        if theirs & joined:
            found += _removals(pair, theirs & joined)
    if s.cleared:
        found.append(moves.Free(s.cleared))
    if may_discard(s, me):
        found += [_DISCARDS[card] for card in cards]
    if may_draw(s, me):
        found += [_TAKES[card] for card in dict.fromkeys(s.display)]
        found.append(_DRAW)
    found.append(_PASS)
    if s.open[me]:
        found += list(_of_hidden_copies(found, s.open[me]))
    return found


def _of_hidden_copies(found: list[Move], open: tuple[board.Card, ...]) -> Iterable[Move]:
    """The same moves, with the hidden copy of a card that lies open as well [K-A24]."""
    for move in found:
        match move:
            case moves.Place(line, card) if card in open:
                yield moves.Place(line, card, True)
            case moves.Discard(card) if card in open:
                yield moves.Discard(card, True)
            case moves.Remove(line, cards):
                for hidden in _EITHER:
                    if all(card in open for card in compress(cards, hidden)):
                        yield moves.Remove(line, cards, hidden)


_NEITHER, *_EITHER = board.TWO_FLAGS.values
_DRAW, _PASS = moves.Draw(), moves.Pass()
_DISCARDS = {island: moves.Discard(island, False) for island in board.ISLANDS}
_TAKES = {island: moves.Take(island) for island in board.ISLANDS}
_DEALS = {
    place: tuple(moves.Deal(island, place) for island in board.ISLANDS)
    for place in (*board.SEATS, board.DISPLAY)
}


@lru_cache(maxsize=10_000)
def _playable(
    hand: tuple[board.Card, ...],
) -> tuple[tuple[board.Card, ...], list[tuple[tuple[board.Card, board.Card], int]]]:
    """The cards a hand may hold, and its pairs of cards, with the lines whose ends both name."""
    known = sorted(hand) if HIDDEN not in hand else sorted(board.ISLANDS * 2)
    pairs = [
        (pair, board.AT[pair[0]] & board.AT[pair[1]])
        for pair in sorted(set(combinations(known, 2)))
    ]
    return tuple(dict.fromkeys(known)), [(pair, joined) for pair, joined in pairs if joined]


@cache
def _places(card: board.Card, lines: int) -> tuple[moves.Place, ...]:
    return tuple(moves.Place(line, card, False) for line in board.lines_in(lines))


@cache
def _removals(cards: tuple[board.Card, board.Card], lines: int) -> tuple[moves.Remove, ...]:
    return tuple(moves.Remove(line, cards, _NEITHER) for line in board.lines_in(lines))


def chances(s: State, move: Move) -> int:
    """How many cards of this name may still come [K-A28]."""
    assert isinstance(move, moves.Deal)
    return state.unseen(s)[move.card]


def unseen(s: State) -> Mapping[board.Card, int]:
    """See `pbem.core.Game.unseen`."""
    return {card: left for card, left in state.unseen(s).items() if card != HIDDEN}


def named(s: State, seat: Seat, choose: Callable[[], board.Card]) -> State | None:
    """See `pbem.core.Game.named`: a view only counts what was tucked away."""
    me = board.SEAT[seat]
    if HIDDEN in s.hands[me]:
        return s._replace(hands=_with_one_named(s.hands, me, choose()))
    if HIDDEN in s.tucked[me]:
        return s._replace(tucked=_with_one_named(s.tucked, me, choose()))
    return None


def _with_one_named(
    zones: tuple[tuple[board.Card, ...], tuple[board.Card, ...]], me: int, card: board.Card
) -> tuple[tuple[board.Card, ...], tuple[board.Card, ...]]:
    """The pair with this card for one HIDDEN one of `me`."""
    cards = [*zones[me]]
    cards[cards.index(HIDDEN)] = card
    known = tuple(sorted(cards))
    return (zones[0], known) if me else (known, zones[1])
