"""The games of this house as games of OpenSpiel, for its algorithms.

    import pyspiel, pbem.openspiel
    game = pyspiel.load_game("pbem_kahuna")
    game = pyspiel.load_game("pbem_kanaloa_piatnik", {"players": 4})

Needs `pip install 'pbem[learn]'`. Actions are the numbers of `Table.indexed`; seats that are asked
at the same time choose one after the other, unseen; a player's return is the part of the first
place they have. Information states are `Table.key`, observations views as JSON; there are no
tensors of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pyspiel

from pbem.core import NOBODY
from pbem.play import games
from pbem.table import Table

LONGEST: Final = 10_000
"""How many plies the games are said to last, at most."""


def register(name: str) -> None:
    """Make a game known to OpenSpiel, under its name with `pbem_` before it and _ for -."""
    rules = games.game(name)
    fewest, most = rules.PLAYERS
    kinds = pyspiel.GameType
    secret = games.hides(rules)
    about = kinds(
        short_name="pbem_" + name.replace("-", "_"),
        long_name=rules.TITLE,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if secret
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.CONSTANT_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"players": fewest},
    )

    class Registered(Spiel):
        def __init__(self, params: Any = None) -> None:
            super().__init__(name, about, params or {})

    pyspiel.register_game(about, Registered)


class Spiel(pyspiel.Game):
    """A game for a number of players."""

    def __init__(self, name: str, about: Any, params: Any) -> None:
        self.name = name
        players = params.get("players", about.min_num_players)
        self.seats = games.game(name).SEATS[:players] or tuple(f"p{n}" for n in range(players))
        info = pyspiel.GameInfo(
            num_distinct_actions=Table.ACTIONS,
            max_chance_outcomes=Table.ACTIONS,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(about, info, {"players": players})

    def new_initial_state(self) -> SpielState:
        """A fresh match."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What tells what a player sees."""
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):
    """A match at one moment."""

    def __init__(self, game: Spiel) -> None:
        super().__init__(game)
        self.seats = game.seats
        self.table = Table.start(game.name, game.seats)

    def current_player(self) -> int:
        """The number of who moves next."""
        asked = self.table.asked
        if not asked:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if asked in NOBODY else self.seats.index(asked)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.indexed(self.table.asked))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely each is."""
        moves, ways = self.table.indexed(self.table.asked), self.table.chances
        weights = {n: ways.get(self.table.text(moves[n]), 1) for n in sorted(moves)}
        return [(number, weight / sum(weights.values())) for number, weight in weights.items()]

    def _apply_action(self, action: int) -> None:
        asked = self.table.asked
        self.table = self.table.play(asked, self.table.indexed(asked)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.text(self.table.indexed(self.table.asked)[action])

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> SpielState:
        """A match that this player cannot tell from this one, drawn with these numbers below 1."""
        sampled: SpielState = self.clone()
        rng = Random(probability_sampler())
        sampled.table = self.table.resample(self.seats[player], rng)
        return sampled

    def is_terminal(self) -> bool:
        """Is the match over?"""
        return not self.table.pending

    def returns(self) -> list[float]:
        """What part of the first place each player has."""
        return [self.table.shares.get(seat, 0.0) for seat in self.seats]

    def __str__(self) -> str:
        return str(self.table)


class Observer:
    """What a player sees, as text; see OpenSpiel's `observation.py`."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.tensor, self.dict = kind, None, dict[str, Any]()

    def set_from(self, state: SpielState, player: int) -> None:
        """There are no tensors."""

    def string_from(self, state: SpielState, player: int) -> str:
        """What they see: all they know, what lies on the table, or only what is theirs alone."""
        seat = state.seats[player]
        alone = self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if alone and self.kind.public_info and self.kind.perfect_recall:
            return state.table.key(seat)
        view = state.table.seen_by(seat if alone else None).view()
        if not self.kind.public_info:
            keys = games.game(state.get_game().name).PRIVATE
            own = {key: view[key][seat] for key in keys if view.get(key, {}).get(seat)}
            return json.dumps(own) if own and alone else ""
        return json.dumps(view)


for _name in games.OWN:
    register(_name)
