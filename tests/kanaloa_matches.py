"""Random matches of Kanaloa (Piatnik), in which rare things happen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core import Setup
from pbem.play import judge as play
from pbem.play import options
from pbem.rules import kanaloa_piatnik as game
from pbem.rules.kanaloa_piatnik import board, moves

NAMES = ("ana", "ben", "cara", "dan", "eva")
ROUTE = [f"M{n:02}" for n in range(1, 13)]
DECK = Counter(board.COPIES)


def set_up(players: int, **chosen: Any) -> Setup:
    return options.setup(game, NAMES[:players], None, chosen)


def some_options(rng: random.Random) -> dict[str, Any]:
    """Any options at all, but for the route."""
    return {
        "starter": NAMES[rng.randrange(3)],
        "kanaloa_lead": rng.choice(["free", "first_tiki"]),
        "octopus_lead": rng.choice(["free", "first_tiki"]),
        "dolphin": rng.choice(["optional", "automatic"]),
        "may_decline_move": rng.random() < 0.3,
        "announce": rng.random() < 0.7,
        "announce_order": rng.choice(["open", "simultaneous"]),
        "announce_failure": rng.choice(["no_move", "no_bonus", "from_next_trick"]),
        "announce_before_removal": rng.random() < 0.5,
    }


RARE = (moves.Play(board.OCTOPUS), moves.Dolphin(), moves.Sail())


def rarely(rng: random.Random, legal: list[Any]) -> Any:
    """A player who likes octopuses, dolphins and announcing, and otherwise plays at random."""
    rare = [m for m in legal if m in RARE]
    rare += [m for m in legal if isinstance(m, moves.Announce) and m.tilts]
    return rng.choice(rare if rare and rng.random() < 0.6 else legal)


def plies(
    players: int, seed: int, view: Mapping[str, Any] | None = None, /, **chosen: Any
) -> Iterator[tuple[Any, play.Step, Any]]:
    """(state before, step, state after) for every ply of a random match, or from a position."""
    rng = random.Random(seed)
    setup = set_up(players, **chosen)
    state = game.position(setup, view) if view else game.start(setup)
    while pending := game.pending(state):
        seat = rng.choice(pending).seat
        move = rarely(rng, play.legal_moves(game, state, seat))
        step = play.judge(game, state, seat, move)
        after = play.advance(game, state, step.events)
        yield state, step, after
        state = after


def matches(count: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for seed in range(count):
        yield 3 + seed % 3, seed, some_options(random.Random(seed))
