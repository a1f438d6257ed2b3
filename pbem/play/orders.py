"""The orders open to a seat, as a graph of positions: moves that lead to one place meet there."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pbem.core import Game, Seat
from pbem.play.judge import advance, each_legal

MOST_POSITIONS: Final = 2_000
"""Bridges may be built in any order: most hands lead to fewer positions than this."""

MOST_MOVES: Final = 1_000
"""How many moves one position offers: a hand of many tiles allows for a hundred thousand."""

S = TypeVar("S")


class Node(NamedTuple, Generic[S]):
    """A position within an order, and its view.

    `before` is the number of the one it was first reached from. `moves` leads from canonical texts
    to positions by their number, None where that lies beyond the last. `more` says that there are
    moves besides. Where there are none at all, another seat must speak, or the match is over.
    """

    state: S
    view: Mapping[str, Any]
    before: int | None
    moves: Mapping[str, int | None]
    more: bool


def explore(game: Game[S], state: S, seat: Seat, most: int = MOST_POSITIONS) -> Iterator[Node[S]]:
    """The positions a seat's order can lead to, numbered from 0 in the order they come: those
    that need the fewest moves first."""
    view: Mapping[str, Any] = game.view(state)
    numbers = {_key(game, state, view): 0}
    queue: deque[tuple[S, Mapping[str, Any], int | None]] = deque([(state, view, None)])
    for number in range(most):
        if not queue:
            return
        here, view, before = queue.popleft()
        legal = list(islice(each_legal(game, here, seat), MOST_MOVES + 1))
        named = {game.notate(move): move for move in legal[:MOST_MOVES]}
        moves: dict[str, int | None] = {}
        for text, move in sorted(named.items()):
            after = advance(game, here, game.effects(here, seat, move))
            seen = game.view(after)
            key = _key(game, after, seen)
            if key not in numbers and len(numbers) < most:
                numbers[key] = len(numbers)
                queue.append((after, seen, number))
            moves[text] = numbers.get(key)
        yield Node(here, view, before, moves, len(legal) > MOST_MOVES)


def _key(game: Game[Any], state: Any, view: Mapping[str, Any]) -> str:
    asked = [(d.seat, d.kind, sorted(d.about.items())) for d in game.pending(state)]
    return json.dumps([view, asked], sort_keys=True)
