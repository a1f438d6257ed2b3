"""Random matches through the seam, compared with python-chess playing random games; and the
slowest decision of more of them, in which nobody sacrifices as long as they can do anything else.

    .venv/bin/python benchmarks/playouts.py [GAME ...]
Needs the package `chess`. Legal moves, judging, effects and evolve; plies of chance count. A
decision is what an order costs that is one legal move: parse, resolve, judge.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import chess

from pbem.core import Seat
from pbem.play import games, options
from pbem.play import judge as play

SECONDS = 2.0
ROUNDS = 5
MATCHES = 60
MOST = 2000
"""How many legal moves of a decision are chosen among."""


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
        one = match_of(name)
        pairs = [(rate(one), rate(chess_game)) for _ in range(ROUNDS)]
        ours, peer = max(a for a, _ in pairs), max(b for _, b in pairs)
        print(f"{name:16} {ours:9,.0f} plies/s   python-chess {peer:9,.0f}   {ours / peer:4.1f} x")


if __name__ == "__main__":
    main()
