"""Kanaloa (Bambus): how a turn runs, and what a move out of its place is told."""

from __future__ import annotations

from typing import Any

import pytest
from bambus import GAMES, each_count, game, match, setup_of, some_states

from pbem.core import Event, Violation
from pbem.files import data
from pbem.play import judge as play
from pbem.rules.kanaloa_bambus.decisions import ACCEPTS, LEADS_TO

# ------------------------------------------------------------------------- how a turn runs

PLAYED = [
    (4, {}),
    (3, {}),
    (2, {}),
    (4, {"setup": "basic", "rob_again": False, "second_again": False, "level_takes": True}),
]


def test_a_turn_runs_as_it_is_drawn_and_every_line_of_the_drawing_is_met() -> None:
    drawn = {
        (stage, kind, after)
        for stage, ways in LEADS_TO.items()
        for kind, ends in ways.items()
        for after in ends
    }
    met: set[tuple[str, type[Event], str]] = set()
    for count, chosen in PLAYED:
        for seed in range(max(10, GAMES // 3)):
            for state, _, step, _ in match(setup_of(count, **chosen), seed):
                for event in step.events:
                    stage, state = state.stage, game.evolve(state, event)
                    if type(event) in LEADS_TO[stage]:
                        met.add((stage, type(event), state.stage))
                    else:
                        assert state.stage == stage, event
    assert met == drawn


ASKS = {
    "neutral": ("deal", "neutral"),
    "fish": ("deal", "fish"),
    "pawn": ("deal", "pawn"),
    "start": ("withdraw", "landing", "turn"),
    "arrived": ("rob", "take", "give"),
    "ending": ("deal", "veto", "turn-end"),
    "volcano": ("withdraw", "volcano"),
}
"""What can be asked in each stage."""


def test_a_stage_asks_what_is_drawn_and_nothing_else() -> None:
    states = [
        state
        for count, chosen in PLAYED
        for seed in range(max(10, GAMES // 3))
        for state, *_ in match(setup_of(count, **chosen), seed)
    ]
    # Too rare to wait for: an eruption for a player with two pawns and no card of Lono.
    first = setup_of(4, setup="basic", withdraw_first=True)
    states.append(game.position(first, {**ERUPTION, "pawns": TWO_PAWNS["pawns"]}))
    asked = {(state.stage, decision.kind) for state in states for decision in game.pending(state)}
    assert asked == {(stage, kind) for stage, kinds in ASKS.items() for kind in kinds}


# --------------------------------------------------------------- moves that are not asked for

PAWNS = {"red": ["K"], "yellow": ["O"], "green": ["H"], "blue": ["I"]}
TURN: dict[str, Any] = {"turn": "red", "pawns": PAWNS}
MEETING = {
    **TURN,
    "gods": {"ku": "red"},
    "pawns": {**PAWNS, "red": ["O"]},
    "offerings": {"yellow": ["ku4"]},
    "stage": "arrived",
    "arrived": "O",
}
LANDED = {**TURN, "gods": {"ku": "red"}, "stage": "arrived", "arrived": "K", "landing": True}
TWO_PAWNS = {**TURN, "pawns": {**PAWNS, "red": ["K", "L"]}}
RIDING = {**TURN, "gods": {"lono": "red"}, "pawns": {**PAWNS, "red": ["K", "dolphin"]}}
ERUPTION = {**TURN, "stage": "volcano", "erupting": "red", "volcanoes": 2}
OUT_OF_ORDER = {
    **MEETING,
    "gods": {"ku": "red", "pele": "red"},
    "volcano": {"site": "H", "by": "red", "turns": 1},
    "pawns": {**MEETING["pawns"], "green": ["A"]},
    "volcanoes": 2,
}
ENDING = {**TURN, "gods": {"kanaloa": "red"}, "stage": "ending"}
VETO = {
    **ENDING,
    "gods": {"kanaloa": "yellow"},
    "protections": {"kanaloa": "red"},
    "turn": "yellow",
    "announced": {"fish": "A-E", "how": "flip"},
}

OUT_OF_PLACE = [
    ({"stage": "fish", "gods": {"ku": "red"}}, "move K-O", "B-13"),
    ({"stage": "pawn", "gods": {"ku": "red"}}, "move K-O", "B-19"),
    ({"stage": "pawn", "gods": {"ku": "red"}}, "second A", "B-21"),
    (TURN, "pass", "B-24"),
    (TURN, "take kane5", "B-36"),
    (TURN, "give kane5", "B-32"),
    (TURN, "land A", "B-31"),
    (TURN, "rob yellow ku4", "B-64"),
    (TURN, "flip A-E", "B-54"),
    (TURN, "reverse A-E", "B-54"),
    (TURN, "second A", "B-79"),
    (TURN, "withdraw K", "B-83"),
    (TURN, "pawn A", "B-21"),
    (TURN, "fish A-E white", "B-13"),
    (TURN, "neutral A-E", "B-100"),
    (TURN, "volcano A", "B-66"),
    (TURN, "forbid", "B-58"),
    (TURN, "deal kane5", "B-37"),
    (TWO_PAWNS, "move K-O", "B-83"),
    (
        {**TURN, "pawns": {**PAWNS, "red": ["K", "dolphin"]}, "gods": {"lono": "red"}},
        "move K-O",
        "B-31",
    ),
    ({**TURN, "pawns": {**PAWNS, "red": ["dolphin"]}}, "sacrifice kane: kane3", "B-31"),
    (MEETING, "take kane5", "B-62"),
    ({**MEETING, "met": True}, "rob yellow ku4", "B-64"),
    ({**MEETING, "met": True}, "pass", "B-36"),
    ({**MEETING, "met": True}, "move O-L", "B-24"),
    ({**MEETING, "met": True}, "swap A:kane5 K:kane5", "B-78"),
    ({**MEETING, "gods": {}}, "rob yellow ku4", "B-60"),
    ({**MEETING, "used": True}, "rob yellow ku4", "B-53"),
    ({**MEETING, "protections": {"ku": "yellow"}}, "rob yellow ku4", "B-65"),
    ({**MEETING, "offerings": {}}, "rob yellow ku4", "B-63"),
    ({**MEETING, "offerings": {}}, "rob blue ku4", "B-64"),
    (OUT_OF_ORDER, "rob yellow ku4", "B-71"),
    (LANDED, "rob yellow ku4", "B-33"),
    (LANDED, "flip A-E", "B-33"),
    (LANDED, "take kane5", "B-32"),
    (LANDED, "pass", "B-32"),
    (ENDING, "move K-O", "B-24"),
    (ENDING, "sacrifice kane: kane3", "B-24"),
    (ENDING, "swap A:kane5 K:kane5", "B-78"),
    (ENDING, "allow", "B-58"),
    (VETO, "flip A-E", "B-58"),
    (ERUPTION, "move K-O", "B-69"),
    ({**TURN, "stage": "ending", "owed": ["K"]}, "move K-O", "B-37"),
    ({**TURN, "ended": {"winners": ["red"], "why": "B-91"}}, "move K-O", "B-91"),
]


@pytest.mark.parametrize(("view", "said", "rule"), OUT_OF_PLACE, ids=lambda value: str(value)[:40])
def test_a_move_out_of_its_place_is_told_the_rule_that_matters(
    view: dict[str, Any], said: str, rule: str
) -> None:
    state = game.position(setup_of(4, setup="basic"), view)
    with pytest.raises(Violation) as refused:
        game.check(state, "red", game.parse(said).move)
    assert refused.value.rule == rule, refused.value


RULES = {rule["id"] for rule in data.game_file(game.DATA, "rules")}


@each_count
def test_whatever_is_tried_at_whatever_moment_is_answered_by_a_rule(count: int) -> None:
    tried = {
        type(move): move
        for state in some_states(count)
        for decision in game.pending(state)
        for move in play.legal_moves(game, state, decision.seat)
    }
    assert len(tried) >= len(game.MOVES) - (count != 2) - 2 * (count != 4)
    for state in some_states(count)[::7]:
        for decision in game.pending(state):
            for kind, move in tried.items():
                if kind not in ACCEPTS[decision.kind]:
                    with pytest.raises(Violation) as refused:
                        game.check(state, decision.seat, move)
                    assert refused.value.rule in RULES
