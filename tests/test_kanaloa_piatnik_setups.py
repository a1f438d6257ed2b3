"""Kanaloa (Piatnik): ocean cards, routes and positions as they are given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import commands
import pytest
from kanaloa_matches import NAMES, ROUTE, matches, plies, set_up

import pbem
from pbem.files import data, yamlio
from pbem.problem import Problem
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
    assert view["trump"] == "blue"
    assert view["route"][2] == {
        "card": "M03",
        "fields": ["turquoise", "green"],
        "dolphin": [False, True],
        "start": [False, False],
    }


def test_the_ocean_cards_of_the_project_say_that_they_are_its_own() -> None:
    assert "this project's own [P-A32]" in data.game_file(game.DATA, "board")["note"]


def test_a_note_that_is_no_text_is_a_problem() -> None:
    with pytest.raises(Problem, match="note: 7 is not of type 'string'"):
        pbem.Table.start("kanaloa-piatnik", NAMES, board={**board(), "note": 7})


def test_the_first_trump_is_blue_whatever_the_start_field_shows() -> None:
    """P-30 is printed; once a boat has sailed round, its field counts like any other."""
    mine = board(M01={"start": "red"})
    route = {"route": ROUTE, "tricks": {"ben": 6}, "table": [["ben", "red 1"], ["cara", "red 2"]]}
    hand = {"hands": {"ana": ["blue 1", "blue 2"]}}
    table = pbem.Table.at("kanaloa-piatnik", {**route, **hand}, NAMES[:3], board=mine)
    after = table.play("ana", "blue 1")
    assert after.events[1] == {"trick-won": {"seat": "ana", "card": "blue 1"}}
    assert after.view()["trump"] == "blue"  # the field ahead, M02 blue
    round_it = {**route, "boats": {"ana": 25, "ben": 5, "cara": 9}}
    assert (
        pbem.Table.at("kanaloa-piatnik", round_it, NAMES[:3], board=mine).view()["trump"] == "red"
    )


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"M12": None}, "a set has 12 different ocean cards, this one has 11"),
        ({"M12": {"card": "M5"}}, r"ocean\[11\].card: 'M5' does not match"),
        ({"M12": {"card": "M12\n"}}, r"ocean\[11\].card: 'M12\\n' does not match"),
        ({"M12": {"card": 12}}, r"ocean\[11\].card: 12 is not of type"),
        ({"M12": {"colour": "red"}}, "'colour' was unexpected"),
        ({"M12": {"fields": [["red"], "blue"]}}, r"fields\[0\]: \['red'\] is not one of"),
        ({"M12": {"fields": "red"}}, "fields: 'red' is not of type 'array'"),
        ({"M12": {"dolphins": "red"}}, "dolphins: 'red' is not of type 'array'"),
        ({"M12": {"card": "M11"}}, "a set has 12 different ocean cards, this one has 11"),
        ({"M02": {"fields": ["red", "red"]}}, "has non-unique elements"),
        ({"M02": {"fields": ["red", "pink"]}}, "'pink' is not one of"),
        ({"M02": {"dolphins": ["green"]}}, "M02 has no green field"),
        ({"M02": {"start": "blue"}}, "a set has one start field, this one has 2"),
        ({"M01": {"start": None}}, "a set has one start field, this one has 0"),
    ],
)
def test_ocean_cards_that_make_no_set_are_a_problem(
    changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=board(**changes))


@pytest.mark.parametrize("nonsense", [{}, {"ocean": 7}, {"game": "kahuna", "ocean": []}])
def test_what_is_no_board_file_of_this_game_is_a_problem(nonsense: dict[str, Any]) -> None:
    with pytest.raises(Problem, match=r"^(board|game|ocean): "):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=nonsense)


@pytest.mark.parametrize(
    ("route", "complaint"),
    [
        (ROUTE, "4 players sail on 11 different ocean cards, this route has 12"),
        (ROUTE[1:], "the route needs M01, the card with the start field"),
        ([*ROUTE[:10], "M10"], "this route has 10"),
        ([*ROUTE[:10], "M13"], "there is no ocean card 'M13'; write one of M01, "),
        ([*ROUTE[:10], "M12 upside"], "there is no ocean card 'M12 upside'"),
    ],
)
def test_a_route_that_cannot_be_is_a_problem(route: list[str], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES[:4], options={"route": route})


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"nonsense": 1}, "'nonsense' was unexpected"),
        ({"seats": ["ana", "ben", "dan"]}, "the set-up has ana, ben and cara here, not "),
        ({"boats": {"dan": 1}}, "'dan' is none of ana, ben and cara"),
        ({"boats": {"ana": 3, "ben": 3}}, "ana and ben are both on M02 red"),
        ({"boats": {"ana": 24, "ben": 0}}, "ana and ben are both on M01 blue"),
        ({"boats": {"ana": 24, "ben": 24, "cara": 9}}, "boats share a field only at the start"),
        ({"boats": {"ana": -1}}, "boats.ana: -1 is less than the minimum of 0"),
        ({"hands": {"ana": ["blue 1"]}}, "ana holds 8 cards at this point, not 1"),
        (
            {"hands": {"ana": ["blue 1", "blue 1", *["?"] * 6]}},
            "there is one blue 1 in the game, the position has 2",
        ),
        ({"hands": {"ana": ["blue 13", *["?"] * 7]}}, "'blue 13' does not match"),
        ({"tricks": {"ana": 9}}, "a round has 8 tricks"),
        ({"table": [["ana", "blue 1"], ["cara", "blue 2"]]}, "come from ana and ben"),
        ({"table": [["ana", "blue 13"]]}, "'blue 13' is none of blue 1, "),
        (
            {"asked": "octopus", "route": ROUTE[:3], "table": [["ana", "octopus"]]},
            "cannot ask ana for 'octopus': no ocean card can be removed",
        ),
        ({"asked": "octopus"}, "cara hasn't just played an octopus"),
        ({"asked": "removal"}, "ana hasn't taken the last of eight tricks"),
        ({"asked": "bonus"}, "ana hasn't kept an announcement"),
        ({"asked": "move"}, "ana hasn't just taken a trick"),
        ({"asked": "dolphin"}, "the boat of ana isn't alone on a dolphin"),
        ({"asked": "dolphin", "boats": {"ana": 7}}, "the boat of ana hasn't just moved"),
        ({"asked": "announce", "tricks": {"ana": 1}}, "cards have been played"),
        (
            {"asked": "announce", "turn": "ben", "announced": {"ben": True}},
            "ben has already decided",
        ),
        ({"asked": "deal", "turn": "ben"}, "the next card is not for ben"),
        ({"turn": "cara"}, "cannot ask cara for 'card': it isn't the turn of cara"),
        ({"boats": {"ana": 30, "ben": 1, "cara": 2}}, "the last boat has been lapped"),
        ({"asked": None}, "nothing is asked for, but nobody has lapped the last boat"),
        ({"asked": "sing"}, "asked: 'sing' is not one of"),
        ({"trump": "green"}, "in this position trump is 'blue', not 'green'"),
        ({"leader": "ana"}, "in this position leader is None, not 'ana'"),
        ({"removed": ["M02"]}, "M02 can be in the route or removed, and only once"),
        ({"removed": ["M99"]}, "there is no ocean card 'M99'"),
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


def test_what_one_has_announced_in_secret_is_sealed_in_a_position(tmp_path: Path) -> None:
    chosen = {"announce": True, "announce_order": "simultaneous"}
    given = {"asked": "announce", "route": ROUTE, "announced": {"ana": True}}
    table = pbem.Table.at("kanaloa-piatnik", given, NAMES[:3], options=chosen)
    assert table.seen_by("ben").view()["announced"] == {"ana": "?", "ben": None, "cara": None}
    assert table.seen_by("ana").view()["announced"]["ana"] is True

    position = tmp_path / "position.json"
    position.write_text(json.dumps(table.view()))
    seats = [part for seat in NAMES[:3] for part in ("--seat", f"{seat}={seat.title()}")]
    options = [part for name in chosen for part in ("-o", f"{name}={str(chosen[name]).lower()}")]
    begun = ("new", "kanaloa-piatnik", *seats, *options, "--position", position, "--match", "p")
    assert commands.pbem(*begun, "--dir", tmp_path).code == 0
    log, key = tmp_path / "p.pbem.yaml", tmp_path / "p.desk.yaml"
    announced = yamlio.read(str(log))["position"]["view"]["announced"]
    assert announced.pop("ana").startswith("sealed:")
    assert announced == {"ben": None, "cara": None}
    for opened in ([], ["--key", key]):
        assert commands.pbem("verify", log, *opened).code in (0, 3)

    # Once all have, it is open.
    table = pbem.Table.at("kanaloa-piatnik", {**given, "asked": "card"}, NAMES[:3], options=chosen)
    assert table.seen_by("ben").view()["announced"]["ana"] is True
