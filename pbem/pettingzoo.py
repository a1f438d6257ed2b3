"""The games of this house as environments of PettingZoo, for several learners.

    from pbem.pettingzoo import Environment
    env = Environment("kanaloa-piatnik", ("ana", "ben", "cara"))

Needs `pip install 'pbem[learn]'`. Actions are the numbers of `Table.indexed`; the mask says which
are legal. An observation is what the seat sees, as the bytes of its view as JSON with zeros
behind; `infos` has the same as a dictionary, with the texts of the legal moves by number. Chance
plays by the seed of `reset`. The reward, at the end, is the part of the first place a seat has.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from pbem.core import NOBODY, Seat
from pbem.play import games
from pbem.table import Table

SIZE: Final = 1 << 14
"""How many bytes an observation has; what does not fit is cut off."""


class Environment(AECEnv):
    """A match as an environment: a game, its seats, and how they are set up, as `Table.start`
    takes them."""

    metadata: Final = {"name": "pbem_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str, seats: tuple[Seat, ...] | None = None, **how: Any) -> None:
        super().__init__()
        self.game, self.how, self.render_mode = game, how, "ansi"
        self.possible_agents = [*(seats or games.game(game).SEATS)]
        self.rng = Random()
        space = Dict(
            {
                "observation": Box(0, 255, (SIZE,), np.uint8),
                "action_mask": Box(0, 1, (Table.ACTIONS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {seat: Discrete(Table.ACTIONS) for seat in self.possible_agents}

    def observation_space(self, agent: Seat) -> Any:
        """What a seat may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> Any:
        """What a seat may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """A fresh match; with a seed, chance can be repeated."""
        if seed is not None:
            self.rng = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {seat: dict[str, Any]() for seat in self.agents}
        self.table = Table.start(self.game, tuple(self.agents), **self.how)
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the move of this number for the seat that is asked."""
        seat = self.agent_selection
        if self.terminations[seat]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[seat] = 0.0
        self.table = self.table.play(seat, self.table.indexed(seat)[int(action or 0)])
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: Seat) -> dict[str, Any]:
        """What a seat sees, and which numbers are its legal moves."""
        known = json.dumps(self.table.seen_by(agent).view(), ensure_ascii=False).encode()[:SIZE]
        seen, mask = np.zeros(SIZE, np.uint8), np.zeros(Table.ACTIONS, np.int8)
        seen[: len(known)] = np.frombuffer(known, np.uint8)
        mask[[*self.table.indexed(agent)]] = 1
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str:
        """The board as text, with all there is to see."""
        return str(self.table)

    def close(self) -> None:
        """Nothing is open."""

    def _go_on(self) -> None:
        """Let chance play until a seat is asked; at the end, give the rewards."""
        while (asked := self.table.asked) in NOBODY:
            self.table = self.table.draw(self.rng)
        if asked:
            self.agent_selection = asked
            legal = self.table.indexed(asked)
            self.infos[asked] = {
                "view": self.table.seen_by(asked).view(),
                "legal": {number: self.table.text(move) for number, move in legal.items()},
            }
        else:
            self.rewards = {seat: self.table.shares.get(seat, 0.0) for seat in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
