"""Random matches through the seam and through `pbem.Table`, compared with python-chess and
OpenSpiel at random; and the slowest decision of more matches, in which nobody sacrifices as long as
they can do anything else.

    .venv/bin/python benchmarks/playouts.py [GAME ...]
Needs the package `chess`; without `open-spiel` its column is missing. Legal moves, judging, effects
and evolve; plies of chance count. A decision is what an order costs that is one legal move: parse,
resolve, judge.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from typing import Any

import chess

import pbem
from pbem.core import Seat
from pbem.play import games, options
from pbem.play import judge as play

SECONDS = 2.0
ROUNDS = 5
MATCHES = 60
MOST = 2000
"""How many legal moves of a decision are chosen among."""


def rate(play_one: Callable[[random.Random], int]) -> float:
    """Plies a second of processor time: what else the machine does counts for nothing."""
    rng, plies, start = random.Random(1), 0, time.process_time()
    while time.process_time() - start < SECONDS:
        plies += play_one(rng)
    return plies / (time.process_time() - start)


def chess_game(rng: random.Random) -> int:
    """A random game of chess, of at most 300 plies."""
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 300:
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def spiel_game(rng: random.Random) -> int:
    """A random game of chess in OpenSpiel, of at most 300 plies."""
    import pyspiel

    state = pyspiel.load_game("chess").new_initial_state()
    while not state.is_terminal() and state.move_number() < 300:
        state.apply_action(rng.choice(state.legal_actions()))
    return int(state.move_number())


def table_of(name: str) -> Callable[[random.Random], int]:
    """The same as `match_of`, through the door for programs."""
    seats = _seats(name)

    def one(rng: random.Random) -> int:
        table, plies = pbem.Table.start(name, seats), 0
        while pending := table.pending:
            seat = pending[0].seat
            table = table.play(seat, rng.choice(table.moves(seat)))
            plies += 1
        return plies

    return one


def _seats(name: str) -> tuple[Seat, ...]:
    game = games.game(name)
    return game.SEATS or tuple(f"seat{n}" for n in range(game.PLAYERS[1]))


def match_of(name: str) -> Callable[[random.Random], int]:
    """A random match of a game, as a function."""
    game = games.game(name)
    setup = options.setup(game, _seats(name))

    def one(rng: random.Random) -> int:
        state, plies = game.start(setup), 0
        while pending := game.pending(state):
            seat = pending[0].seat
            move = rng.choice(play.legal_moves(game, state, seat))
            step = play.judge(game, state, seat, move)
            state = play.advance(game, state, step.events)
            plies += 1
        return plies

    return one


def slowest(name: str) -> tuple[float, str]:
    """The most milliseconds that a legal order took in random matches, and what it was."""
    game, most = games.game(name), (0.0, "")
    fewest, largest = game.PLAYERS
    for nth in range(MATCHES):
        rng = random.Random(nth)
        seats = game.SEATS or tuple(f"seat{n}" for n in range(rng.randint(fewest, largest)))
        state = game.start(options.setup(game, seats))
        while pending := game.pending(state):
            seat = pending[0].seat
            moves = list(islice(play.each_legal(game, state, seat), MOST))
            kept = [each for each in moves if type(each).__name__ != "Sacrifice"]
            text = game.notate(rng.choice(kept or moves))
            most = max(most, (_cost(game, state, seat, text), f"{text}, match {nth}"))
            step = play.judge(game, state, seat, play.resolve(game, state, seat, game.parse(text)))
            state = play.advance(game, state, step.events)
    return most


def _cost(game: Any, state: Any, seat: Seat, text: str) -> float:
    """Milliseconds of processor time for an order, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        play.judge(game, state, seat, play.resolve(game, state, seat, game.parse(text)))
        best = min(best, 1000 * (time.process_time() - start))
    return best


def main() -> None:
    """Print plies a second and the ratio, best of several rounds run in turn; and the slowest
    decision."""
    for name in sys.argv[1:] or list(games.OWN):
        milliseconds, text = slowest(name)
        print(f"{name:16} slowest decision {milliseconds:.1f} ms ({text})")
        plays = {"": match_of(name), "table": table_of(name), "python-chess": chess_game}
        if find_spec("pyspiel"):
            plays["OpenSpiel's chess"] = spiel_game
        rounds = [{peer: rate(one) for peer, one in plays.items()} for _ in range(ROUNDS)]
        best = {peer: max(each[peer] for each in rounds) for peer in plays}
        ours = best.pop("")
        print(f"{name:16} {ours:9,.0f} plies/s through the seam")
        for peer, theirs in best.items():
            print(f"{'':16} {theirs:9,.0f} {peer}: {theirs / ours:.2f} of that")


if __name__ == "__main__":
    main()
