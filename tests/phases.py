"""The game of vetoes played at once: in each phase everybody builds what they like until all are
done, several plies a seat."""

from __future__ import annotations

from collections.abc import Iterator

import toy
from toy import Build, Built, Done, State, TurnPassed

from pbem.core import Decision, Event, Move, Seat

NAME, TITLE, PLAYERS, OUT_OF_TURN = toy.NAME, toy.TITLE, toy.PLAYERS, toy.OUT_OF_TURN
SEATS, PRIVATE, DATA, MOVES, EVENTS = toy.SEATS, toy.PRIVATE, toy.DATA, toy.MOVES, toy.EVENTS
start, candidates, check, outcome = toy.start, toy.candidates, toy.check, toy.outcome
chances, view, position, draw = toy.chances, toy.view, toy.position, toy.draw
parse, notate = toy.parse, toy.notate


def pending(s: State) -> tuple[Decision, ...]:
    return tuple(Decision(seat, "turn", (Build, Done)) for seat in s.seats if seat not in s.asked)


def effects(s: State, seat: Seat, move: Move) -> Iterator[Event]:
    yield Built(seat, move.number) if isinstance(move, Build) else TurnPassed(seat)


def evolve(s: State, event: Event) -> State:
    if isinstance(event, TurnPassed):
        done = (*s.asked, event.to)
        return s._replace(asked=done if len(done) < len(s.seats) else ())
    return toy.evolve(s, event)
