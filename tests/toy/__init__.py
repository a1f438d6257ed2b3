"""A game of vetoes for two or three: the smallest one in which a turn is interrupted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.core import (
    FLAG,
    NUMBER,
    SEAT,
    Decision,
    Event,
    Move,
    Outcome,
    Pattern,
    Seat,
    Setup,
    Unreadable,
    Violation,
    fact,
    record,
)

NAME, TITLE, PLAYERS, OUT_OF_TURN = "toy", "Toy", (2, 3), "T-1"
SEATS: tuple[Seat, ...] = ()
PRIVATE: tuple[str, ...] = ()
DATA = os.path.dirname(os.path.abspath(__file__))
NUMBERS, ENOUGH = range(1, 10), 4


@record
class Build(Move):
    number: int = fact(NUMBER)


@record
class Done(Move):
    pass


@record
class Reply(Move):
    veto: bool = fact(FLAG)


@record
class Offered(Event):
    seat: str = fact(SEAT)
    number: int = fact(NUMBER)


@record
class LetBe(Event):
    seat: str = fact(SEAT)


@record
class Forbade(Event):
    seat: str = fact(SEAT)
    number: int = fact(NUMBER)


@record
class Built(Event):
    seat: str = fact(SEAT)
    number: int = fact(NUMBER)


@record
class TurnPassed(Event):
    to: str = fact(SEAT)


MOVES = (Build, Done, Reply)
WAITS = ("turn",)
EVENTS = (Offered, LetBe, Forbade, Built, TurnPassed)


class State(NamedTuple):
    seats: tuple[Seat, ...]
    turn: Seat
    built: tuple[tuple[int, Seat], ...] = ()
    spoilt: tuple[int, ...] = ()
    offer: int = 0
    asked: tuple[Seat, ...] = ()


def start(setup: Setup) -> State:
    return State(setup.seats, setup.seats[0])


def pending(s: State) -> tuple[Decision, ...]:
    if outcome(s):
        return ()
    if s.asked:
        return (Decision(s.asked[0], "veto", (Reply,), {}, Reply(False), s.turn),)
    return (Decision(s.turn, "turn", (Build, Done)),)


def candidates(s: State, decision: Decision) -> Iterable[Move]:
    if decision.kind == "veto":
        return (Reply(True), Reply(False))
    return (*map(Build, NUMBERS), Done())


def check(s: State, seat: Seat, move: Move) -> bool:
    match move:
        case Build(number) if number not in NUMBERS or number in (*dict(s.built), *s.spoilt):
            raise Violation("T-2", f"{number} cannot be built (any more)")
    return True


def effects(s: State, seat: Seat, move: Move) -> Iterator[Event]:
    match move:
        case Build(number):
            yield Offered(seat, number)
        case Done():
            yield TurnPassed(_after(s, seat))
        case Reply(True):
            yield Forbade(seat, s.offer)
        case Reply(False):
            yield LetBe(seat)
            if s.asked == (seat,):
                yield Built(s.turn, s.offer)


def evolve(s: State, event: Event) -> State:
    match event:
        case Offered(seat, number):
            return s._replace(offer=number, asked=tuple(o for o in s.seats if o != seat))
        case LetBe(_):
            return s._replace(asked=s.asked[1:])
        case Forbade(_, number):
            return s._replace(spoilt=(*s.spoilt, number, number + 1), offer=0, asked=())
        case Built(seat, number):
            return s._replace(built=(*s.built, (number, seat)), offer=0)
        case TurnPassed(to):
            return s._replace(turn=to)
    return s


def outcome(s: State) -> Outcome | None:
    scores = {seat: sum(owner == seat for _, owner in s.built) for seat in s.seats}
    winners = tuple(seat for seat, score in scores.items() if score >= ENOUGH)
    left = set(NUMBERS) - set(dict(s.built)) - set(s.spoilt)
    return Outcome(winners, "T-3", scores) if winners or not (left or s.asked) else None


def chances(s: State, move: Move) -> int:
    return 0


def view(s: State) -> dict[str, Any]:
    return {
        "turn": s.turn,
        "built": {str(n): seat for n, seat in s.built},
        "spoilt": list(s.spoilt),
        "offer": s.offer,
        "asked": list(s.asked),
    }


def position(setup: Setup, view: Mapping[str, Any]) -> State:
    built = tuple((int(n), seat) for n, seat in view.get("built", {}).items())
    return State(
        setup.seats,
        view.get("turn", setup.seats[0]),
        built,
        tuple(view.get("spoilt", ())),
        view.get("offer", 0),
        tuple(view.get("asked", ())),
    )


def parse(text: str) -> Pattern:
    match text.lower().split():
        case ["build", number] if number.isascii() and number.isdecimal() and len(number) < 4:
            return Pattern(text, Build(int(number)))
        case ["done"]:
            return Pattern(text, Done())
        case ["veto" | "allow" as word]:
            return Pattern(text, Reply(word == "veto"))
    raise Unreadable(text, "no move of Toy", hint="build 4, done, veto, allow")


def notate(move: Move) -> str:
    match move:
        case Build(number):
            return f"build {number}"
        case Reply(veto):
            return "veto" if veto else "allow"
    return "done"


def draw(view: Mapping[str, Any]) -> list[str]:
    return ["".join(view["built"].get(str(n), ".")[0] for n in NUMBERS)]


def _after(s: State, seat: Seat) -> Seat:
    return s.seats[(s.seats.index(seat) + 1) % len(s.seats)]
