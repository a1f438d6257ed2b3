"""`forced: public`: what every spectator sees to be the only thing that can be played, and no more;
in every ruleset and with all kinds of options."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from commands import SECRET

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.append import append_ply, play_chance
from pbem.desk.plans.model import Waiting
from pbem.desk.plans.run import AtWork
from pbem.desk.seats import Player
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.play import games
from pbem.play import judge as play
from pbem.testing import play_out, variants
from pbem.testing.random_matches import Variant

each_game = pytest.mark.parametrize("name", games.OWN)


@each_game
def test_what_is_forced_in_public_is_the_only_legal_move(name: str) -> None:
    met = 0
    for seed, variant in enumerate(variants(name)):
        match = play_out(name, seed, variant)
        for known, ply in match.known_to(None):
            if ply.seat != CHANCE and play.forced_in_public(match.game, known, ply.seat):
                met += 1
                assert len(play.legal_moves(match.game, ply.state, ply.seat)) == 1, variant
    assert met


@each_game
def test_a_hand_that_allows_one_move_only_forces_nothing_in_public(name: str) -> None:
    """What is the only legal move for hidden cards alone is left to its player."""
    alone = 0
    for seed, variant in enumerate(variants(name)[:4]):
        match = play_out(name, seed, variant)
        for known, ply in match.known_to(None):
            if ply.seat == CHANCE:
                continue
            for_all = play.legal_texts(match.game, known, ply.seat, most=1)
            if len(play.legal_moves(match.game, ply.state, ply.seat)) == 1 and not for_all.complete:
                forced = getattr(match.game, "forced", lambda state: False)(known)
                assert play.forced_in_public(match.game, known, ply.seat) == forced
                alone += not forced
    assert alone or name != "kanaloa-piatnik"


def played(folder: Path, name: str, variant: Variant, *, forced: bool) -> tuple[Replay, list[str]]:
    """A match of random moves, the same each time, and those that nobody sent."""
    players = {seat: Player(seat.title()) for seat in variant.seats}
    now, desk = begin.begin(
        begin.Terms(
            name,
            players,
            name="m",
            folder=str(folder),
            ruleset=variant.ruleset,
            options=variant.options,
            forced=forced,
        ),
        secret=SECRET,
        clock=clock,
    )
    dice, alone = random.Random(5), list[str]()
    while now.pending and len(now.plies) < 130:
        seat = now.awaited[0]
        choices = sorted(play.legal_moves(now.game, now.state, seat), key=now.game.notate)
        # The same choice for the same position, whoever makes it.
        dice.seed(f"{seat} {len(now.plies)}")
        step = play.judge(now.game, now.state, seat, dice.choice(choices))
        now = play_chance(append_ply(now, desk, step, clock, "sent"), desk, clock)
        ran = AtWork(now, Waiting(now.log.chain), desk, clock)
        ran.play_waiting()
        alone += [each.steps[0].seat for each in ran.played]
        now = ran.match
    return now, alone


def moves(match: Replay) -> list[tuple[Any, ...]]:
    """What was played and what followed: of 120 plies, as a run may go beyond the last."""
    return [(ply.seat, ply.move, events) for ply, events in match.plies[:120]]


@each_game
def test_a_match_with_it_has_the_moves_of_one_without(tmp_path: Path, name: str) -> None:
    variant = variants(name)[-1 if name == "kahuna" else 0]
    with_it, alone = played(tmp_path, name, variant, forced=True)
    less, none = played(tmp_path, name, variant, forced=False)
    assert none == []
    assert alone or name == "kahuna"
    assert moves(with_it) == moves(less)
