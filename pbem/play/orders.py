"""The orders open to a seat, as a graph of positions: moves to the same position meet there."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Hashable, Mapping
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pbem.core import Game, Seat
from pbem.play.judge import advance, each_legal

MOST_POSITIONS: Final = 2_000
"""Bridges may be built in any order: most hands lead to fewer positions than this."""

MOST_MOVES: Final = 1_000
"""How many moves one position offers: a hand of many tiles allows for a hundred thousand."""

S = TypeVar("S")
Look = TypeVar("Look", bound=Hashable)


class Node(NamedTuple, Generic[S, Look]):
    """A position within an order, and what it looks like.

    `before` is the number of the one it was first reached from. `moves` has, by canonical text, the
    number of the position a move leads to, None if that is not among those given. `more` says that
    there are further moves. If there are none, another seat must choose, or the match is over.
    """

    state: S
    look: Look
    before: int | None
    moves: Mapping[str, int | None]
    more: bool


class _Place:
    """A position that is known; its number as soon as it has one."""

    number: int | None = None


def explore(
    game: Game[S],
    state: S,
    seat: Seat,
    look: Callable[[S, Mapping[str, Any]], Look],
    fits: Callable[[Look, int | None, Collection[str]], bool] = lambda *_: True,
    most: int = MOST_POSITIONS,
) -> list[Node[S, Look]]:
    """The positions a seat's order can lead to, fewest moves first: up to `most`, or until `fits`
    refuses one. It is given a position's look, the number it was first reached from, and its moves.

    Positions with the same view, in which the same is asked, are one: so the same view must always
    have the same look. Each is viewed only when its turn comes: most moves lead to a position that
    is known already, or too far away to be given.
    """
    places: dict[Hashable, _Place] = {}
    first: dict[Look, tuple[S, _Place]] = {}
    alike: dict[Look, dict[str, _Place]] = {}
    start = _Place()
    queue: deque[tuple[S, _Place, int | None]] = deque([(state, start, None)])
    found: list[tuple[S, Look, int | None, dict[str, _Place], bool]] = []
    merged = False
    while queue and len(found) < most:
        here, place, before = queue.popleft()
        view: Mapping[str, Any] = game.view(here)
        looks = look(here, view)
        if looks not in first:
            first[looks] = here, place
        else:  # others look like it: their views and questions, written out, tell them apart
            if looks not in alike:
                other, there = first[looks]
                alike[looks] = {_written(game, other, game.view(other)): there}
            same = alike[looks].setdefault(_written(game, here, view), place)
            if same is not place:
                place.number, merged = same.number, True
                continue
        legal = list(islice(each_legal(game, here, seat), MOST_MOVES + 1))
        named = {game.notate(move): move for move in legal[:MOST_MOVES]}
        if not fits(looks, before, named):
            break
        place.number = len(found)
        moves: dict[str, _Place] = {}
        for text, move in sorted(named.items()):
            after = advance(game, here, game.effects(here, seat, move))
            key = _key(after)
            if key not in places:
                places[key] = _Place()
                queue.append((after, places[key], place.number))
            moves[text] = places[key]
        found.append((here, looks, before, moves, len(legal) > MOST_MOVES))
    if merged:  # a state may hold more than its view: some that are left may be known, too
        known = {_written(game, here, game.view(here)): nth for nth, (here, *_) in enumerate(found)}
        for here, place, _ in queue:
            place.number = known.get(_written(game, here, game.view(here)))
    return [
        Node(here, looks, before, {text: to.number for text, to in moves.items()}, more)
        for here, looks, before, moves, more in found
    ]


def _written(game: Game[S], here: S, view: Mapping[str, Any]) -> str:
    """What a position looks like and what is asked in it, as a text."""
    asked = [(each.seat, each.kind, sorted(each.about.items())) for each in game.pending(here)]
    return json.dumps([view, asked], sort_keys=True)


def _key(state: Any) -> Hashable:
    """A state as a key; one that cannot be hashed is like no other."""
    key: Hashable = state
    try:
        hash(key)
    except TypeError:
        return object()
    return key
