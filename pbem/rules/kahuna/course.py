"""What comes of a move in Kahuna: the facts it brings about, and what each fact changes.

Rule ids refer to games/kahuna/rules.yaml. A pair is (white, black); `me` and `foe` index it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from pbem.core import Event, Move, Outcome, Seat
from pbem.rules.kahuna.facts import (
    AT,
    BIT,
    CARDS,
    DISPLAY,
    ENDS,
    ISLANDS,
    MAJORITY,
    SEAT,
    SEATS,
    Built,
    Card,
    Cut,
    Deal,
    Dealt,
    Discard,
    Draw,
    Drew,
    Ended,
    Enough,
    Free,
    Handicap,
    HandicapDone,
    LastTurns,
    Line,
    Lost,
    Pass,
    Passed,
    Place,
    Remove,
    Reshuffled,
    Scored,
    Spent,
    State,
    Swept,
    Take,
    Took,
    Tucked,
    TuckedOpen,
    TurnPassed,
    Won,
    controls,
    lines_in,
)
from pbem.rules.zones import without

# Facts are values: the common ones are made once.
_built, _spent, _won = cache(Built), cache(Spent), cache(Won)
_dealt, _drew, _took = cache(Dealt), cache(Drew), cache(Took)
_passed, _turn_passed = cache(Passed), cache(TurnPassed)

# ----------------------------------------------------------------------- from move to facts


def effects(s: State, seat: Seat, move: Move) -> Iterable[Event]:
    """See `pbem.core.Game.effects`."""
    return _EFFECTS[type(move)](s, seat, move)


def _place(s: State, seat: Seat, m: Place) -> list[Event]:
    return [_spent(seat, m.card), *_bridge(s, seat, m.line)]


def _remove(s: State, seat: Seat, m: Remove) -> list[Event]:
    foe = SEATS[1 - SEAT[seat]]
    left = s.bridges[SEAT[foe]] & ~BIT[m.line]
    return [*(_spent(seat, card) for card in m.cards), Cut(foe, m.line), *_losses(s, foe, left)]


def _free(s: State, seat: Seat, m: Free) -> list[Event]:
    return _bridge(s, seat, m.line)


def _discard(s: State, seat: Seat, m: Discard) -> tuple[Event, ...]:
    # An open copy goes before a hidden one of the same name [K-A24].
    lies_open = m.card in s.open[SEAT[seat]]
    return (TuckedOpen(seat, m.card) if lies_open else Tucked(seat, m.card),)


def _take(s: State, seat: Seat, m: Take) -> tuple[Event, ...]:
    if s.deck:  # the turn ends once the display is full again [K-25]
        return (_took(seat, m.card),)
    return (_took(seat, m.card), *_turn_over(s, all_gone=len(s.display) == 1))


def _draw(s: State, seat: Seat, m: Draw) -> tuple[Event, ...]:
    return (_drew(seat),)


def _pass(s: State, seat: Seat, m: Pass) -> Iterable[Event]:
    match s.tally.final_turns:
        case 2:
            return (_turn_passed(SEATS[1 - s.turn]),)
        case 1:
            return _final_scoring(s)
    return (_passed(seat), _turn_passed(SEATS[1 - s.turn]))


def _handicap(s: State, seat: Seat, m: Handicap) -> list[Event]:
    return _bridge(s, seat, m.line)


def _enough(s: State, seat: Seat, m: Enough) -> tuple[Event, ...]:
    return (HandicapDone(seat),)


def _deal(s: State, seat: Seat, m: Deal) -> Iterable[Event]:
    dealt = _dealt(m.to, m.card)
    if not s.drawing:
        return (dealt,)
    all_gone = s.deck == 1 and not s.display and m.to != DISPLAY
    return (dealt, *_turn_over(s, all_gone))


_EFFECTS: dict[type[Move], Callable[[State, Seat, Any], Iterable[Event]]] = {
    Place: _place,
    Remove: _remove,
    Free: _free,
    Discard: _discard,
    Take: _take,
    Draw: _draw,
    Pass: _pass,
    Handicap: _handicap,
    Enough: _enough,
    Deal: _deal,
}


def _bridge(s: State, seat: Seat, line: Line) -> list[Event]:
    """A bridge is put; islands are won, bridges swept and islands lost at once [K-17…K-20]."""
    me = SEAT[seat]
    mine, theirs = s.bridges[me] | BIT[line], s.bridges[1 - me]
    # One bridge more wins an island exactly when it makes the smallest majority there.
    won = [i for i in ENDS[line] if (mine & AT[i]).bit_count() == MAJORITY[i]]
    if not won:
        return [_built(seat, line)]
    foe = SEATS[1 - me]
    swept = 0
    for island in won:
        swept |= theirs & AT[island]
    return [
        _built(seat, line),
        *(_won(seat, island) for island in won),
        *(Swept(foe, gone, next(i for i in won if i in ENDS[gone])) for gone in lines_in(swept)),
        *_losses(s, foe, theirs & ~swept),
    ]


def _losses(s: State, foe: Seat, left: int) -> Iterator[Event]:
    """What it costs `foe` to have only these bridges left [K-19, K-42]."""
    before = s.bridges[SEAT[foe]]
    for island in ISLANDS:
        if controls(before, island) and not controls(left, island):
            yield Lost(foe, island)
    if not left and s.tally.armed[SEAT[foe]]:
        yield Ended(SEATS[1 - SEAT[foe]], "K-42")


def _turn_over(s: State, all_gone: bool) -> tuple[Event, ...]:
    """A turn ends with a card drawn; `all_gone`: with the last of pile and display [K-29, K-30]."""
    other = SEATS[1 - s.turn]
    if not all_gone:
        return (_turn_passed(other),)
    if s.tally.round == 3:
        return (LastTurns(other),)
    scored = _interim_scoring(s)
    bridgeless = [seat for seat in SEATS if not s.bridges[SEAT[seat]]]
    if s.tally.round == 1 and s.rules.premature_at_round_start and len(bridgeless) == 1:
        return (scored, Ended(SEATS[1 - SEAT[bridgeless[0]]], "K-42"))
    in_hands = sum(map(len, (*s.hands, *s.open))) + 1  # and the card being drawn
    return (scored, Reshuffled(s.tally.round + 1, CARDS - in_hands), _turn_passed(other))


# --------------------------------------------------------------------------------- scoring


def islands(s: State) -> tuple[int, int]:
    """How many islands each seat scores [K-A10]."""
    most = s.rules.token_limit or len(ISLANDS)
    white, black = (sum(controls(b, island) for island in ISLANDS) for b in s.bridges)
    return min(white, most), min(black, most)


def _more(white: int, black: int) -> Seat | None:
    return None if white == black else SEATS[0] if white > black else SEATS[1]


def _interim_scoring(s: State) -> Scored:
    """One point after the first round, two after the second [K-31…K-33]."""
    white, black = islands(s)
    leader = _more(white, black)
    return Scored(s.tally.round, white, black, leader, s.tally.round if leader else 0)


def _final_scoring(s: State) -> Iterator[Event]:
    """The third scoring, and who wins [K-37…K-41]."""
    white, black = islands(s)
    leader, margin = _more(white, black), abs(white - black)
    yield Scored(3, white, black, leader, margin)
    score = _scored(s, leader, margin)
    if winner := _more(*score):
        yield Ended(winner, "K-38")
    elif leader:
        yield Ended(leader, "K-39")
    elif winner := _more(s.bridges[0].bit_count(), s.bridges[1].bit_count()):
        yield Ended(winner, "K-40")
    else:
        yield Ended(None, "K-41")


def _scored(s: State, seat: Seat | None, points: int) -> tuple[int, int]:
    white, black = s.tally.score
    return white + points * (seat == SEATS[0]), black + points * (seat == SEATS[1])


def outcome(s: State) -> Outcome | None:
    """See `pbem.core.Game.outcome`."""
    end = s.tally.ended
    if end is None:
        return None
    winners = (end.winner,) if end.winner else ()
    return Outcome(winners, end.why, dict(zip(SEATS, s.tally.score, strict=True)))


# ---------------------------------------------------------------------- from facts to state


def evolve(s: State, event: Event) -> State:
    """See `pbem.core.Game.evolve`."""
    change = _CHANGES.get(type(event))
    return change(s, event) if change else s


def _pair(pair: tuple[Any, Any], me: int, value: Any) -> tuple[Any, Any]:
    """The pair with a new value for `me`."""
    return (pair[0], value) if me else (value, pair[1])


def _on_dealt(s: State, e: Dealt) -> State:
    if e.to == DISPLAY:
        return s._replace(owed=s.owed[1:], deck=s.deck - 1, display=(*s.display, e.card))
    me = SEAT[e.to]
    hands = _pair(s.hands, me, tuple(sorted((*s.hands[me], e.card))))
    return s._replace(owed=s.owed[1:], deck=s.deck - 1, hands=hands)


def _on_spent(s: State, e: Spent) -> State:
    me, discard = SEAT[e.seat], (*s.discard, e.card)
    if e.card in s.open[me]:  # an open copy before a hidden one of the same name [K-46]
        laid = _pair(s.open, me, without(s.open[me], e.card))
        return s._replace(open=laid, discard=discard, done="played", cleared=None)
    hands = _pair(s.hands, me, without(s.hands[me], e.card))
    return s._replace(hands=hands, discard=discard, done="played", cleared=None)


def _on_built(s: State, e: Built) -> State:
    me = SEAT[e.seat]
    bridges = _pair(s.bridges, me, s.bridges[me] | BIT[e.line])
    if s.handicap[me]:
        left = _pair(s.handicap, me, s.handicap[me] - 1)
        return s._replace(bridges=bridges, handicap=left)
    if s.tally.round == 1 or s.tally.armed[me]:
        return s._replace(bridges=bridges, cleared=None)
    armed = s.tally._replace(armed=_pair(s.tally.armed, me, True))
    return s._replace(bridges=bridges, cleared=None, tally=armed)


def _on_swept(s: State, e: Swept) -> State:
    me = SEAT[e.seat]
    return s._replace(bridges=_pair(s.bridges, me, s.bridges[me] & ~BIT[e.line]))


def _on_cut(s: State, e: Cut) -> State:
    me = SEAT[e.seat]
    bridges = _pair(s.bridges, me, s.bridges[me] & ~BIT[e.line])
    return s._replace(bridges=bridges, cleared=e.line if s.rules.variant1 else None)


def _on_tucked(s: State, e: Tucked) -> State:
    me = SEAT[e.seat]
    hands = _pair(s.hands, me, without(s.hands[me], e.card))
    return _under_the_pile(s._replace(hands=hands), me, e.card)


def _on_tucked_open(s: State, e: TuckedOpen) -> State:
    me = SEAT[e.seat]
    laid = _pair(s.open, me, without(s.open[me], e.card))
    return _under_the_pile(s._replace(open=laid), me, e.card)


def _under_the_pile(s: State, me: int, card: Card) -> State:
    tucked = _pair(s.tucked, me, (*s.tucked[me], card))
    return s._replace(tucked=tucked, done="discarded", cleared=None)


def _on_took(s: State, e: Took) -> State:
    me = SEAT[e.seat]
    display, owed = without(s.display, e.card), (DISPLAY,) if s.deck else ()
    if s.rules.variant2:  # it lies open in front of the player [K-45]
        laid = _pair(s.open, me, (*s.open[me], e.card))
        return s._replace(open=laid, display=display, owed=owed, drawing=True, passed=False)
    hands = _pair(s.hands, me, tuple(sorted((*s.hands[me], e.card))))
    return s._replace(hands=hands, display=display, owed=owed, drawing=True, passed=False)


def _on_drew(s: State, e: Drew) -> State:
    return s._replace(owed=(e.seat,), drawing=True, passed=False)


def _on_passed(s: State, e: Passed) -> State:
    return s._replace(passed=True)


def _on_handicap_done(s: State, e: HandicapDone) -> State:
    return s._replace(handicap=_pair(s.handicap, SEAT[e.seat], 0))


def _on_turn_passed(s: State, e: TurnPassed) -> State:
    if s.tally.final_turns:
        s = s._replace(tally=s.tally._replace(final_turns=1))
    return s._replace(turn=SEAT[e.to], drawing=False, done="", cleared=None)


def _on_scored(s: State, e: Scored) -> State:
    return s._replace(tally=s.tally._replace(score=_scored(s, e.seat, e.points)))


def _on_reshuffled(s: State, e: Reshuffled) -> State:
    tally = s.tally._replace(round=e.round)
    if e.round == 2:
        tally = tally._replace(armed=(s.bridges[0] > 0, s.bridges[1] > 0))
    owed = (DISPLAY,) * 3
    return s._replace(tally=tally, deck=e.deck, owed=owed, discard=(), tucked=((), ()))


def _on_last_turns(s: State, e: LastTurns) -> State:
    tally = s.tally._replace(final_turns=2)
    return s._replace(turn=SEAT[e.seat], tally=tally, drawing=False, done="", cleared=None)


def _on_ended(s: State, e: Ended) -> State:
    return s._replace(tally=s.tally._replace(ended=e), owed=(), drawing=False)


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    Dealt: _on_dealt,
    Spent: _on_spent,
    Built: _on_built,
    Swept: _on_swept,
    Cut: _on_cut,
    Tucked: _on_tucked,
    TuckedOpen: _on_tucked_open,
    Took: _on_took,
    Drew: _on_drew,
    Passed: _on_passed,
    HandicapDone: _on_handicap_done,
    TurnPassed: _on_turn_passed,
    Scored: _on_scored,
    Reshuffled: _on_reshuffled,
    LastTurns: _on_last_turns,
    Ended: _on_ended,
}
