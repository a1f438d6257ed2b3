"""Random matches through the seam, compared with python-chess playing random games.

    .venv/bin/python benchmarks/playouts.py [GAME ...]
Needs the package `chess`. Legal moves, judging, effects and evolve; plies of chance count.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import chess

from pbem.play import games, options
from pbem.play import judge as play

SECONDS = 2.0
ROUNDS = 5


def rate(play_one: Callable[[random.Random], int]) -> float:
    """Plies a second."""
    rng, plies, start = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        plies += play_one(rng)
    return plies / (time.perf_counter() - start)


def chess_game(rng: random.Random) -> int:
    """A random game of chess, of at most 300 plies."""
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 300:
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def match_of(name: str) -> Callable[[random.Random], int]:
    """A random match of a game, as a function."""
    game = games.game(name)
    seats = game.SEATS or tuple(f"seat{n}" for n in range(game.PLAYERS[1]))
    setup = options.setup(game, seats)

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


def main() -> None:
    """Print plies a second and the ratio, best of several rounds run in turn."""
    for name in sys.argv[1:] or list(games.OWN):
        one = match_of(name)
        pairs = [(rate(one), rate(chess_game)) for _ in range(ROUNDS)]
        ours, peer = max(a for a, _ in pairs), max(b for _, b in pairs)
        print(f"{name:16} {ours:9,.0f} plies/s   python-chess {peer:9,.0f}   {ours / peer:4.1f} x")


if __name__ == "__main__":
    main()
