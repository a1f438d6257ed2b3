"""Random matches of Kanaloa (Bambus), for its tests."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from long import many

from pbem.core import CHANCE, Move, Seat, Setup, Violation
from pbem.files import data
from pbem.play import games, options
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.rules.kanaloa_bambus.state import State

game = games.game("kanaloa-bambus")
BOARD = data.game_file(game.DATA, "board")
BOOKS = {name: data.game_file(game.DATA, name) for name in ("tiles", "setups")}
GAMES = int(os.environ.get("PBEM_GAMES", many(5, 30)))
"""How many matches are played for each number of players; PBEM_GAMES=1000 makes a long run."""

SEATS = ("red", "yellow", "green", "blue")
each_count = pytest.mark.parametrize("count", [4, 3, 2])


def setup_of(count: int, **chosen: Any) -> Setup:
    """A set-up for so many players."""
    return options.setup(game, SEATS[:count], None, chosen)


def choose(rng: random.Random, state: State, moves: list[Move]) -> Move:
    """A player who makes rare things happen: first a kind of move, then a move."""
    if game.pending(state)[0].seat == CHANCE:
        return rng.choices(moves, [game.chances(state, move) for move in moves])[0]
    kind = rng.choice(list(dict.fromkeys(type(move) for move in moves)))
    return rng.choice([move for move in moves if type(move) is kind])


def match(setup: Setup, seed: int) -> Iterator[tuple[State, Seat, Step, State]]:
    """(state before, seat, step, state after) for every ply of a random match."""
    rng = random.Random(seed)
    state = game.start(setup)
    while pending := game.pending(state):
        seat = pending[0].seat
        moves = play.legal_moves(game, state, seat)
        assert moves, game.view(state)
        step = play.judge(game, state, seat, choose(rng, state, moves))
        after = play.advance(game, state, step.events)
        yield state, seat, step, after
        state = after


@cache
def some_states(count: int) -> tuple[State, ...]:
    """Positions of a few matches."""
    setup = setup_of(count)
    return tuple(state for seed in range(3) for state, _, _, _ in match(setup, seed))


def is_legal(s: State, seat: Seat, move: Move) -> bool:
    """Would it be taken?"""
    try:
        play.judge(game, s, seat, move)
    except Violation:
        return False
    return True


def inside(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in some plain data."""
    yield place
    if not isinstance(data, dict | list):
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield from inside(value, (*place, key))
