"""The house's own games obey the laws that any game is held to; see pbem/testing."""

from __future__ import annotations

import pytest
from long import many

from pbem.files import data
from pbem.play import games, judge, options
from pbem.problem import Problem
from pbem.rules import kanaloa_bambus
from pbem.testing import check, checking, laws, play_out, variants
from pbem.testing.laws_of_play import every_move, the_candidates_are_complete

test_kahuna_obeys_the_laws = laws("kahuna")
test_kanaloa_by_bambus_obeys_the_laws = laws("kanaloa-bambus")
test_kanaloa_by_piatnik_obeys_the_laws = laws("kanaloa-piatnik")

each_game = pytest.mark.parametrize("name", games.OWN)


@each_game
def test_every_ruleset_is_played_by_every_number_of_players(name: str) -> None:
    game = games.game(name)
    fewest, most = game.PLAYERS
    found = {(each.ruleset, len(each.seats)) for each in variants(name)}
    rulesets = data.game_file(game.DATA, "rulesets")["rulesets"]
    assert found == {(r, n) for r in rulesets for n in range(fewest, most + 1)}
    assert sum(bool(each.options) for each in variants(name)) >= 6


@each_game
def test_most_kinds_of_move_are_tried_by_brute_force(name: str) -> None:
    game = games.game(name)
    moves = every_move(game, variants(name)[0].seats)  # type: ignore[arg-type]
    assert len({type(move) for move in moves}) > len(game.MOVES) // 2


def test_in_bambus_what_check_passes_is_a_candidate_though_no_order_is_looked_up_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(kanaloa_bambus, "CHECK_DECIDES")
    played = [play_out("kanaloa-bambus", nth) for nth in range(4)]
    assert list(the_candidates_are_complete(played, 30)) == []


@each_game
def test_a_wrong_option_is_refused_with_what_there_is(name: str) -> None:
    game = games.game(name)
    seats = variants(name)[0].seats
    with pytest.raises(Problem, match="has no option 'nonsense', only"):
        options.setup(game, seats, None, {"nonsense": True})
    with pytest.raises(Problem, match="has no ruleset 'nonsense', only"):
        options.setup(game, seats, "nonsense")


def test_the_check_of_a_game_finds_nothing_in_the_houses_own(
    hash_seeds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two matches will do, and the first few laws: all hold over many more above.
    monkeypatch.setattr(checking, "PLAYED", checking.PLAYED[: many(4, 99)])
    assert check("kahuna", matches=2) == []


def test_a_match_is_played_out_the_same_each_time() -> None:
    assert play_out("kahuna", 7).plies == play_out("kahuna", 7).plies


def test_in_bambus_a_legal_order_is_judged_without_a_look_at_the_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hand of 38 offerings has 751,050 of them."""
    played = play_out("kanaloa-bambus", 1)

    def none(*_: object) -> None:
        raise AssertionError("these are too many to look through")

    monkeypatch.setattr(kanaloa_bambus, "candidates", none)
    for ply in played.plies[::7]:
        text = kanaloa_bambus.notate(ply.step.move)
        pattern = kanaloa_bambus.parse(text)
        if not pattern.is_open:
            assert judge.resolve(played.game, ply.state, ply.seat, pattern) == ply.step.move
