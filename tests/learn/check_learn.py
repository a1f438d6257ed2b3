"""OpenSpiel's and PettingZoo's own tests of their interfaces, over the games of this house. Run by
`.ci/learn`, in an environment that has both."""

from __future__ import annotations

import random
import unittest
from typing import Any

import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test as spiel
from pettingzoo.test import api_test, seed_test

import pbem.openspiel
from pbem.pettingzoo import Environment

if not flags.FLAGS.is_parsed():
    flags.FLAGS(["check"])

SPIEL = {
    "pbem_kahuna": {},
    "pbem_kanaloa_bambus": {"players": 2},
    "pbem_kanaloa_piatnik": {"players": 4},
}
ZOO = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": ("a", "b", "c"),
    "kanaloa-piatnik": ("a", "b", "c", "d", "e"),
}


def match(game: Any) -> list[Any]:
    """Every eighth state of a random match, and its end: the states that OpenSpiel samples itself
    are near the beginning, where no card has been dealt."""
    rng, states, state = random.Random(1), list[Any](), game.new_initial_state()
    while not state.is_terminal():
        if state.move_number() % 8 == 0:
            states.append(state.clone())
        actions = (
            [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else []
        )
        state.apply_action(rng.choice(actions or state.legal_actions()))
    return [*states, state]


@pytest.mark.parametrize("name", SPIEL)
def test_openspiels_own_api_test_finds_nothing(name: str) -> None:
    about: dict[str, Any] = {"game_name": name, "game": pyspiel.load_game(name, SPIEL[name])}

    class OverSomeStates(spiel.EnforceAPIOnPartialTreeBase):
        @classmethod
        def setUpClass(cls) -> None:
            cls.some_states = match(cls.game)
            cls.game_type = cls.game.get_type()

    for key, value in about.items():
        setattr(OverSomeStates, key, value)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(OverSomeStates)
    result = unittest.TextTestRunner().run(suite)
    assert result.testsRun >= 5
    assert result.wasSuccessful(), [*result.errors, *result.failures]
    pyspiel.random_sim_test(about["game"], num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", SPIEL)
def test_a_resampled_state_is_one_that_its_player_cannot_tell_from_it(name: str) -> None:
    for state in match(pyspiel.load_game(name, SPIEL[name]))[2:6]:
        if (player := state.current_player()) >= 0:
            sampled = state.resample_from_infostate(player, random.Random(4).random)
            assert sampled.information_state_string(player) == state.information_state_string(
                player
            )
            assert sampled.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_tests_find_nothing(name: str) -> None:
    api_test(Environment(name, ZOO[name]), num_cycles=100)
    seed_test(lambda: Environment(name, ZOO[name]), num_cycles=20)


def test_returns_add_up_to_one_first_place() -> None:
    rng, state = random.Random(3), pyspiel.load_game("pbem_kahuna").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 1
    assert state.move_number() < pbem.openspiel.LONGEST
