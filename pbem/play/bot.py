"""A player that thinks for itself: it searches a tree of what its seat may see.

Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012). Each playout begins
from a state in which nothing is hidden and which fits what the seat knows, goes down the tree, adds
a node, plays on at random and sees how everybody stands. All that is computed are sums, quotients
and square roots, which are the same on every machine: the same numbers drawn give the same move.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import sqrt
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, NOBODY, Game, Move, Seat, Violation, mask
from pbem.play import patience
from pbem.play.judge import advance, each_legal
from pbem.play.unknown import PLAYOUTS, WAY, Below, Knowledge, drawn
from pbem.problem import Usage

FAR: Final = 8
"""How many plies are played at random before a game that has a `standing` is asked for it."""

LONGEST: Final = 2_000
"""After how many random plies the others take a match for drawn."""

MOST: Final = 200
"""How many of the moves that answer a question are looked at."""

CURIOUS: Final = 0.2
"""How much it speaks for a move that it was seldom tried."""


class _Node:
    """What a player did: how often it could have been done, and was, and what it was worth."""

    __slots__ = ("able", "after", "visits", "worth")

    def __init__(self) -> None:
        self.after: dict[Move, _Node] = {}
        self.able = self.visits = 0
        self.worth = 0.0

    @property
    def promise(self) -> float:
        """What it is worth, and how little is known of that."""
        return self.worth / self.visits + CURIOUS * sqrt(self.able) / (1 + self.visits)


class Bot(NamedTuple):
    """Chooses what did best in so many `playouts`: what was tried most, and of what was tried
    equally often, the first (the older `way`, 1) or what was worth most."""

    playouts: int = PLAYOUTS
    way: int = WAY

    @patience.many_calls()
    def move(self, known: Knowledge, below: Below) -> Move:
        """What to play for the seat that knows this, and is asked; at random where nobody can say
        what is hidden from it."""
        moves = [*islice(each_legal(known.game, known.state, known.seat), MOST)]
        if len(moves) == 1:
            return moves[0]
        sample, root = known.sampler(), _Node()
        try:
            for _ in range(self.playouts):
                _playout(known, root, sample(below), below)
        except Usage:
            return moves[below(len(moves))]
        did = [root.after.get(move, _Node()) for move in moves]
        best = max(did, key=lambda node: (node.visits, node.worth)[: self.way])
        return moves[did.index(best)]


def _playout(known: Knowledge, root: _Node, state: Any, below: Below) -> None:
    """Down the tree and one node further, on at random for some plies, or to the end if the game
    has no `standing`, and what came of it to all on the way."""
    game, seats = known.game, known.setup.seats
    path, node, seat = list[tuple[Seat, _Node]](), root, known.seat
    left = FAR if hasattr(game, "standing") else LONGEST
    while seat and left:
        new = node is not root and not node.visits
        if new or seat in NOBODY:
            move = _at_random(game, state, seat, below)
            left -= new
        else:
            moves = [*islice(each_legal(game, state, seat), MOST)]
            seen = [mask(move, known.seat, seat, seats) for move in moves]
            nodes = [node.after.setdefault(move, _Node()) for move in seen]
            nth = _tried_next(nodes, below)
            move, node = moves[nth], nodes[nth]
            path.append((seat, node))
        state = advance(game, state, game.effects(state, seat, move))
        seat = _asked(game, state)
    worth = _worth(known, state)
    for seat, node in path:
        node.visits += 1
        node.worth += worth[seat]


def _tried_next(nodes: list[_Node], below: Below) -> int:
    """Which of these to try: any that was never tried, or the most promising."""
    for node in nodes:
        node.able += 1
    fresh = [nth for nth, node in enumerate(nodes) if not node.visits]
    if fresh:
        return fresh[below(len(fresh))]
    promises = [node.promise for node in nodes]
    return promises.index(max(promises))


def _asked(game: Game[Any], state: Any) -> Seat:
    """Who moves next; "" at the end."""
    return next((each.seat for each in game.pending(state) if each.awaited), "")


def _at_random(game: Game[Any], state: Any, seat: Seat, below: Below) -> Move:
    """A legal move of a seat that is asked; one of chance is as likely as it is."""
    if seat == CHANCE:
        ways = {move: game.chances(state, move) for move in each_legal(game, state, seat)}
        move: Move = drawn(ways, below)
        return move
    asked = (each for each in game.pending(state) if each.seat == seat)
    moves = [move for each in asked for move in islice(game.candidates(state, each), MOST)]
    while True:
        nth = below(len(moves))
        try:
            game.check(state, seat, moves[nth])
        except Violation:
            del moves[nth]
        else:
            return moves[nth]


def _worth(known: Knowledge, state: Any) -> dict[Seat, float]:
    """What a state is worth to each seat, from 0 to 1: a victory 1; before the end, more than half
    to those who are further ahead than they are now."""
    game, seats = known.game, known.setup.seats
    end = game.outcome(state)
    if end is not None:
        return end.shares
    standing = getattr(game, "standing", None)
    if standing is None:
        return dict.fromkeys(seats, 1 / len(seats))
    then, now = (_ahead(standing(each)) for each in (state, known.state))
    gains = {seat: then[seat] - now[seat] for seat in seats}
    return {seat: (1 + gain / (3 + abs(gain))) / 2 for seat, gain in gains.items()}


def _ahead(points: Mapping[Seat, float]) -> dict[Seat, float]:
    """By how much each seat is ahead of the best of the others, if there are any."""
    return {
        seat: own - max((other for each, other in points.items() if each != seat), default=0)
        for seat, own in points.items()
    }
