"""Kanaloa (Piatnik): ocean cards, routes and positions as they are given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from kanaloa_matches import NAMES, ROUTE, matches, plies, set_up

import pbem
from pbem.core import Problem
from pbem.files import data, yamlio
from pbem.rules import kanaloa_piatnik as game

# ------------------------------------------------------------------- ocean cards and set-ups


def board(**changes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Our ocean cards with some changed, or left out (None)."""
    cards = []
    for card in data.game_file(game.DATA, "board")["ocean"]:
        change = changes.get(card["card"], {})
        if change is not None:
            cards.append({**card, **change})
    return {"game": "kanaloa-piatnik", "ocean": cards}


def test_other_ocean_cards_replace_ours() -> None:
    mine = board(
        M01={"start": "red"}, M03={"fields": ["turquoise", "green"], "dolphins": ["green"]}
    )
    text = json.dumps(mine)
    schema = data.schema_text("board-kanaloa-piatnik")
    assert yamlio.validate(mine, schema, text, "board") == []
    table = pbem.Table.start("kanaloa-piatnik", NAMES, options={"route": ROUTE}, board=mine)
    view = table.view()
    assert view["boats"] == dict.fromkeys(NAMES, 1)
    assert view["trump"] == "red"
    assert view["route"][2] == {
        "card": "M03",
        "fields": ["turquoise", "green"],
        "dolphin": [False, True],
        "start": [False, False],
    }


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"M12": None}, "there are 12 different ocean cards, not 11"),
        ({"M12": {"card": "M5"}}, "ocean cards are called like M01, not 'M5'"),
        ({"M12": {"card": 12}}, "ocean cards are called like M01, not 12"),
        ({"M12": {"colour": "red"}}, "an ocean card has card, dolphins, fields and start; this is"),
        ({"M12": {"fields": [["red"], "blue"]}}, "M12 needs two different colours"),
        ({"M12": {"fields": "red"}}, "M12 needs two different colours"),
        ({"M12": {"dolphins": "red"}}, "the dolphins of M12 are a list"),
        ({"M12": {"card": "M11"}}, "there are 12 different ocean cards, not 11"),
        ({"M02": {"fields": ["red", "red"]}}, "M02 needs two different colours"),
        ({"M02": {"fields": ["red", "pink"]}}, "M02 needs two different colours"),
        ({"M02": {"dolphins": ["green"]}}, "M02 has no green field"),
        ({"M02": {"start": "blue"}}, "one ocean card has the start field, not 2"),
        ({"M01": {"start": None}}, "one ocean card has the start field, not 0"),
    ],
)
def test_ocean_cards_that_make_no_set_are_a_problem(
    changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=board(**changes))


@pytest.mark.parametrize("nonsense", [{}, {"ocean": 7}, {"game": "kahuna", "ocean": []}])
def test_what_is_no_board_file_of_this_game_is_a_problem(nonsense: dict[str, Any]) -> None:
    with pytest.raises(Problem, match="a board for this game has"):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=nonsense)


@pytest.mark.parametrize(
    ("route", "complaint"),
    [
        (ROUTE, "4 players sail on 11 different ocean cards, this route has 12"),
        (ROUTE[1:], "M01 has the start field"),
        ([*ROUTE[:10], "M10"], "this route has 10"),
        ([*ROUTE[:10], "M13"], "'M13' is no ocean card"),
        ([*ROUTE[:10], "M12 upside"], "'M12 upside' is no ocean card"),
    ],
)
def test_a_route_that_cannot_be_is_a_problem(route: list[str], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES[:4], options={"route": route})


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"nonsense": 1}, "has no 'nonsense'"),
        ({"seats": ["ana", "ben"]}, "the seats are ana, ben and cara"),
        ({"boats": {"dan": 1}}, "'dan' is none of"),
        ({"boats": {"ana": 3, "ben": 3}}, "two boats are on one field"),
        ({"boats": {"ana": 24, "ben": 0}}, "two boats are on one field"),
        ({"boats": {"ana": -1}}, "from 0 up, not -1"),
        ({"hands": {"ana": ["blue 1"]}}, "ana must have 8 cards now, not 1"),
        ({"hands": {"ana": ["blue 1", "blue 1", *["?"] * 6]}}, "no more than 1 of blue 1"),
        ({"hands": {"ana": ["blue 13", *["?"] * 7]}}, "'blue 13' is no card"),
        ({"tricks": {"ana": 9}}, "a round has 8 tricks"),
        ({"table": [["ana", "blue 1"], ["cara", "blue 2"]]}, "are those of ana and ben"),
        (
            {"asked": "octopus", "route": ROUTE[:3], "table": [["ana", "octopus"]]},
            "octopus cannot be asked of ana now: no ocean card is free",
        ),
        ({"asked": "octopus"}, "it has not just played an octopus"),
        ({"asked": "removal"}, "it has not taken the last of eight tricks"),
        ({"asked": "bonus"}, "it has not kept an announcement"),
        ({"asked": "move"}, "it has not just taken a trick"),
        ({"asked": "dolphin"}, "its boat is not alone on a dolphin"),
        ({"asked": "dolphin", "boats": {"ana": 7}}, "its boat has not just moved"),
        ({"asked": "announce", "tricks": {"ana": 1}}, "cards have been played"),
        ({"asked": "announce", "turn": "ben", "announced": {"ben": True}}, "it has spoken"),
        ({"asked": "deal", "turn": "ben"}, "it is not the next to get a card"),
        ({"turn": "cara"}, "card cannot be asked of cara now: it has not to play now"),
        ({"boats": {"ana": 30, "ben": 1, "cara": 2}}, "the last boat has been lapped"),
        ({"asked": None}, "nothing is asked for, but nobody has lapped the last boat"),
        ({"asked": "sing"}, "'sing' is none of"),
        ({"trump": "green"}, "trump is 'blue' in this position, not 'green'"),
        ({"leader": "ana"}, "leader is None in this position, not 'ana'"),
        ({"removed": ["M02"]}, "each ocean card is in the route, removed or yet to be laid"),
    ],
)
def test_a_position_that_cannot_be_is_a_problem(position: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.at("kanaloa-piatnik", {"route": ROUTE, **position}, NAMES[:3])


def test_a_finished_match_is_set_up_from_its_view() -> None:
    *_, (_, _, final) = plies(3, 1)
    view = game.view(final)
    again = game.position(set_up(3), view)
    assert game.view(again) == view
    assert game.outcome(again) == game.outcome(final)
    assert game.pending(again) == ()


def test_every_position_of_a_match_is_set_up_from_its_view_as_it_was() -> None:
    for players, seed, chosen in matches(9):
        setup = set_up(players, **chosen)
        for before, _, _ in plies(players, seed, **chosen):
            assert game.position(setup, game.view(before)) == before
