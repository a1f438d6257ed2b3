"""What comes of a move in Kahuna, and who has won.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` and `foe` index it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.core import Event, Move, Outcome, Seat
from pbem.rules.kahuna import board, events, moves
from pbem.rules.kahuna.state import State, scored

# Facts are values: the common ones are made once.
_built, _won, _spent = cache(events.Built), cache(events.Won), cache(events.Spent)
_dealt, _drew, _took = cache(events.Dealt), cache(events.Drew), cache(events.Took)
_passed, _turn_passed = cache(events.Passed), cache(events.TurnPassed)


def effects(s: State, seat: Seat, move: Move) -> Iterable[Event]:
    """See `pbem.core.Game.effects`."""
    return _EFFECTS[type(move)](s, seat, move)


def _place(s: State, seat: Seat, m: moves.Place) -> list[Event]:
    spent = events.SpentHidden(seat, m.card) if m.hidden else _spent(seat, m.card)
    return [spent, *_bridge(s, seat, m.line)]


def _remove(s: State, seat: Seat, m: moves.Remove) -> list[Event]:
    foe = board.SEATS[1 - board.SEAT[seat]]
    left = s.bridges[board.SEAT[foe]] & ~board.BIT[m.line]
    return [
        *(
            events.SpentHidden(seat, card) if hidden else _spent(seat, card)
            for card, hidden in zip(m.cards, m.hidden, strict=True)
        ),
        events.Cut(foe, m.line),
        *_losses(s, foe, left),
    ]


def _discard(s: State, seat: Seat, m: moves.Discard) -> tuple[Event, ...]:
    shown = m.card in s.open[board.SEAT[seat]] and not m.hidden
    return (events.TuckedOpen(seat, m.card) if shown else events.Tucked(seat, m.card),)


def _take(s: State, seat: Seat, m: moves.Take) -> tuple[Event, ...]:
    if s.deck:  # the turn ends once the display is full again [K-25]
        return (_took(seat, m.card),)
    return (_took(seat, m.card), *_turn_over(s, all_gone=len(s.display) == 1))


def _pass(s: State, seat: Seat, m: moves.Pass) -> Iterable[Event]:
    match s.tally.final_turns:
        case 2:
            return (_turn_passed(board.SEATS[1 - s.turn]),)
        case 1:
            return _final_scoring(s)
    return (_passed(seat), _turn_passed(board.SEATS[1 - s.turn]))


def _deal(s: State, seat: Seat, m: moves.Deal) -> Iterable[Event]:
    dealt = _dealt(m.to, m.card)
    if not s.drawing:
        return (dealt,)
    all_gone = s.deck == 1 and not s.display and m.to != board.DISPLAY
    return (dealt, *_turn_over(s, all_gone))


_EFFECTS: dict[type[Move], Callable[[State, Seat, Any], Iterable[Event]]] = {
    moves.Place: _place,
    moves.Remove: _remove,
    moves.Free: lambda s, seat, m: _bridge(s, seat, m.line),
    moves.Discard: _discard,
    moves.Take: _take,
    moves.Draw: lambda s, seat, m: (_drew(seat),),
    moves.Pass: _pass,
    moves.Handicap: lambda s, seat, m: _bridge(s, seat, m.line),
    moves.Enough: lambda s, seat, m: (events.HandicapDone(seat),),
    moves.Deal: _deal,
}


def _bridge(s: State, seat: Seat, line: board.Line) -> list[Event]:
    """A bridge is built; at once islands are won, bridges swept and islands lost [K-17…K-20]."""
    me = board.SEAT[seat]
    mine, theirs = s.bridges[me] | board.BIT[line], s.bridges[1 - me]
    # One bridge more wins an island exactly when it makes the smallest majority there.
    won = [i for i in board.ENDS[line] if (mine & board.AT[i]).bit_count() == board.MAJORITY[i]]
    if not won:
        return [_built(seat, line)]
    foe = board.SEATS[1 - me]
    swept = 0
    for island in won:
        swept |= theirs & board.AT[island]
    return [
        _built(seat, line),
        *(_won(seat, island) for island in won),
        *(
            events.Swept(foe, gone, next(i for i in won if i in board.ENDS[gone]))
            for gone in board.lines_in(swept)
        ),
        *_losses(s, foe, theirs & ~swept),
    ]


def _losses(s: State, foe: Seat, left: int) -> Iterator[Event]:
    """What it costs `foe` to have only these bridges left [K-19, K-42]."""
    before = s.bridges[board.SEAT[foe]]
    for island in board.ISLANDS:
        if board.controls(before, island) and not board.controls(left, island):
            yield events.Lost(foe, island)
    if not left and s.tally.round > 1 and s.tally.bridged[board.SEAT[foe]]:
        yield events.Ended(board.SEATS[1 - board.SEAT[foe]], "K-42")


def _turn_over(s: State, all_gone: bool) -> tuple[Event, ...]:
    """A turn ends with a card drawn, the last of pile and display if `all_gone` [K-29, K-30]."""
    other = board.SEATS[1 - s.turn]
    if not all_gone:
        return (_turn_passed(other),)
    if s.tally.round == 3:
        return (events.LastTurns(other),)
    scoring = _interim_scoring(s)
    if s.tally.round == 1 and s.rules.premature_at_round_start:
        without = [me for me in (0, 1) if not s.bridges[me]]
        if len(without) == 1 and _loses_without(s, without[0]):
            return (scoring, events.Ended(board.SEATS[1 - without[0]], "K-42"))
    in_hands = sum(map(len, (*s.hands, *s.open))) + 1  # and the card being drawn
    return (
        scoring,
        events.Reshuffled(s.tally.round + 1, board.CARDS - in_hands),
        _turn_passed(other),
    )


def _loses_without(s: State, me: int) -> bool:
    """Does this seat lose by having no bridge when round two begins? [K-A12]"""
    return s.rules.premature_for == "has_none" or s.tally.bridged[me]


# --------------------------------------------------------------------------------- scoring


def islands(s: State) -> tuple[int, int]:
    """How many islands each seat scores [K-A10]."""
    most = s.rules.token_limit or len(board.ISLANDS)
    white, black = (sum(board.controls(b, island) for island in board.ISLANDS) for b in s.bridges)
    return min(white, most), min(black, most)


def _more(white: int, black: int) -> Seat | None:
    return None if white == black else board.SEATS[0] if white > black else board.SEATS[1]


def _interim_scoring(s: State) -> events.Scored:
    """One point after the first round, two after the second [K-31…K-33]."""
    white, black = islands(s)
    leader = _more(white, black)
    return events.Scored(s.tally.round, white, black, leader, s.tally.round if leader else 0)


def _final_scoring(s: State) -> Iterator[Event]:
    """The third scoring, and who wins [K-37…K-41]."""
    white, black = islands(s)
    leader, margin = _more(white, black), abs(white - black)
    yield events.Scored(3, white, black, leader, margin)
    score = scored(s, leader, margin)
    if winner := _more(*score):
        yield events.Ended(winner, "K-38")
    elif leader:
        yield events.Ended(leader, "K-39")
    elif winner := _more(s.bridges[0].bit_count(), s.bridges[1].bit_count()):
        yield events.Ended(winner, "K-40")
    else:
        yield events.Ended(None, "K-41")


def outcome(s: State) -> Outcome | None:
    """See `pbem.core.Game.outcome`."""
    end = s.tally.ended
    if end is None:
        return None
    winners = (end.winner,) if end.winner else ()
    return Outcome(winners, end.why, dict(zip(board.SEATS, s.tally.score, strict=True)))


def standing(s: State) -> Mapping[Seat, float]:
    """See `pbem.core.Game.standing`: the points so far, half of one for an island, a tenth for a
    bridge."""
    worth = zip(s.tally.score, islands(s), s.bridges, strict=True)
    points = (score + held / 2 + bridges.bit_count() / 10 for score, held, bridges in worth)
    return dict(zip(board.SEATS, points, strict=True))
