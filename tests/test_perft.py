"""Counts of legal sequences, kept as data: a change is a change of the rules."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from long import many

from pbem.files import yamlio
from pbem.play import games, options
from pbem.play import judge as play

MOST = many(20_000, 1_000_000)
"""So many sequences are counted, at most."""
FILES = sorted((pathlib.Path(__file__).parent / "perft").glob("*.yaml"))


def positions() -> Iterator[Any]:
    """(game, position) of every file."""
    for path in FILES:
        for entry in yamlio.read(str(path)):
            yield pytest.param(path.stem, entry, id=f"{path.stem}: {entry['title']}")


def state_of(name: str, entry: dict[str, Any]) -> tuple[Any, Any]:
    """The game and the position a file's entry describes."""
    game = games.game(name)
    seats = tuple(entry.get("seats", game.SEATS))
    setup = options.setup(game, seats, entry.get("ruleset"), entry.get("options"))
    if entry.get("start"):
        return game, game.start(setup)
    return game, game.position(setup, entry["position"])


@pytest.mark.parametrize(("name", "entry"), list(positions()))
def test_the_number_of_sequences_is_as_it_was(name: str, entry: dict[str, Any]) -> None:
    game, state = state_of(name, entry)
    counts = [count for count in entry["counts"] if count <= MOST]
    assert [play.perft(game, state, depth) for depth in range(1, len(counts) + 1)] == counts
