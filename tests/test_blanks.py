"""A text that leaves something open, and no move that fits it: nobody is told what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import dealt

from pbem import core
from pbem.core import HIDDEN, Decision, Move, Pattern, Unreadable, Violation, fact, record
from pbem.play import judge
from pbem.rules import kahuna

SQUARES = core.one_of("a square", [f"{file}{rank}" for rank in "1234" for file in "abcd"])


@record
class Step(Move):
    start: str = fact(SQUARES)
    end: str = fact(SQUARES)


class Board:
    """A seam's worth of chess: Ben has one bishop."""

    OUT_OF_TURN = "C-1"

    def __init__(self, bishop: str) -> None:
        self.bishop = bishop

    def pending(self, state: Any) -> tuple[Decision, ...]:
        return (Decision("ben", "turn", (Step,)),)

    def candidates(self, state: Any, decision: Decision) -> Iterator[Move]:
        yield Step(self.bishop, "c3")

    def check(self, state: Any, seat: str, move: Any) -> bool:
        if move.end == "d4":
            raise Violation("C-3", "{end} is occupied by your own king", end=move.end)
        if move.start != self.bishop:
            raise Violation("C-2", "{seat:seat} has no piece on {at}", seat=seat, at=move.start)
        if move.end != "c3":
            raise Violation("C-2", "{at} is no diagonal away", at=move.end)
        return True

    def notate(self, move: Any) -> str:
        return f"B{move.end}"


@pytest.mark.parametrize("bishop", ["a1", "b2", "d1"])
def test_no_refusal_names_a_square_that_nobody_wrote(bishop: str) -> None:
    game: Any = Board(bishop)
    pattern = Pattern("Bxb3", Step("a1", "b3"), frozenset({"start"}))
    with pytest.raises(Violation) as refused:
        judge.resolve(game, None, "ben", pattern)
    assert str(refused.value) == "'Bxb3' fits nothing that ben can play now [C-2]"


def test_no_rule_is_told_that_depends_on_what_nobody_wrote() -> None:
    class Weighing(Board):
        def check(self, state: Any, seat: str, move: Any) -> bool:
            raise Violation("C-4" if move.start < "b" else "C-5", "It's too far")

    game: Any = Weighing("b2")
    pattern = Pattern("Bxb3", Step("a1", "b3"), frozenset({"start"}))
    with pytest.raises(Unreadable, match="'Bxb3' fits nothing that ben can play now"):
        judge.resolve(game, None, "ben", pattern)


@pytest.mark.parametrize("nothing", ["", HIDDEN])
def test_no_refusal_has_a_hole_where_nothing_was_written(nothing: str) -> None:
    game: Any = Board("b2")
    pattern = Pattern("Bxb3", Step(nothing, "b3"), frozenset({"start"}))
    with pytest.raises(Violation, match=r"'Bxb3' fits nothing that ben can play now \[C-2\]"):
        judge.resolve(game, None, "ben", pattern)


def test_a_refusal_that_holds_whatever_stands_there_is_told_with_its_rule() -> None:
    game: Any = Board("b2")
    pattern = Pattern("Bxd4", Step("a1", "d4"), frozenset({"start"}))
    with pytest.raises(Violation, match="d4 is occupied by your own king"):
        judge.resolve(game, None, "ben", pattern)


def test_the_one_move_that_fits_is_played() -> None:
    game: Any = Board("b2")
    pattern = Pattern("Bc3", Step("a1", "c3"), frozenset({"start"}))
    assert judge.resolve(game, None, "ben", pattern) == Step("b2", "c3")


@pytest.mark.parametrize(
    ("points", "told"),
    [(3, "3"), (0, "0"), (0.5, "½"), (2.5, "2½"), (-1.25, "-1¼"), (1 / 3, "⅓"), (0.4, "0.4")],
)
def test_points_are_told_as_people_write_them(points: float, told: str) -> None:
    assert core.told_points(points) == told


class WithoutDraws:
    """Kahuna, but drawing is no candidate."""

    def __init__(self, *, check_decides: bool) -> None:
        self.CHECK_DECIDES = check_decides

    def __getattr__(self, name: str) -> Any:
        return getattr(kahuna, name)

    def candidates(self, state: Any, decision: Any) -> list[Any]:
        found = kahuna.candidates(state, decision)
        return [move for move in found if kahuna.notate(move) != "draw"]


def test_what_is_no_candidate_is_not_legal_unless_the_game_lets_check_decide(
    tmp_path: Path,
) -> None:
    now, draw = dealt(tmp_path).read(), kahuna.parse("draw")
    strict, generous = WithoutDraws(check_decides=False), WithoutDraws(check_decides=True)
    with pytest.raises(Unreadable, match="'draw' fits nothing that white can play now"):
        judge.resolve(strict, now.state, "white", draw)  # type: ignore[arg-type]
    assert judge.resolve(generous, now.state, "white", draw) == draw.move  # type: ignore[arg-type]
