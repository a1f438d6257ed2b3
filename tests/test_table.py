"""The front door for programs: what a table lists, counts, hides and remembers."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import pytest

import pbem
from pbem.core import CHANCE

TILES = (
    "kane2 kane3 kane4 kane5 kanaloa/ku2 kanaloa/ku3 kanaloa/ku4 kanaloa/lono2 kanaloa/lono3 "
    "kanaloa4 kanaloa5 ku/pele2 ku/pele3 ku/pele4 ku4 ku5 lono/pele2 lono/pele3 lono4 pele4"
)


def rich() -> pbem.Table:
    """A seat with so many offerings that it may sacrifice in thousands of ways."""
    view = {
        "turn": "red",
        "offerings": {"red": TILES.split()},
        "pawns": {"red": ["K"], "blue": ["N"]},
    }
    return pbem.Table.at("kanaloa-bambus", view, ("red", "blue"), options={"setup": "basic"})


def dealt(**chosen: object) -> pbem.Table:
    """Kahuna after the deal."""
    table, rng = pbem.Table.start("kahuna", options=chosen), random.Random(3)
    while table.pending[0].seat == CHANCE:
        table = table.play(CHANCE, rng.choice(table.legal(CHANCE)))
    return table


def test_all_moves_or_those_with_a_beginning_or_no_more_than_some() -> None:
    table = rich()
    everything = table.legal("red")
    sacrifices = table.legal("red", starting="sacrifice ku")
    some = table.legal("red", starting="sacrifice ku", most=7)

    assert len(everything) == table.count("red") > 5000
    assert sacrifices == tuple(m for m in everything if m.startswith("sacrifice ku"))
    assert len(some) == 7
    assert set(some) < set(sacrifices)
    assert some == tuple(sorted(some))


def test_an_ambiguous_text_lists_twelve_readings_and_counts_the_rest() -> None:
    table = rich()
    with pytest.raises(pbem.Ambiguous, match="more than 988 other moves fit, too") as many:
        table.play("red", "sacrifice ku")
    assert len(many.value.choices) == 12
    assert len(str(many.value)) < 2000

    view = {"hands": {"white": ["ELAI", "ELAI", "HUNA", "HUNA"]}, "bridges": {"ELAI-HUNA": "black"}}
    with pytest.raises(pbem.Ambiguous) as few:
        pbem.Table.at("kahuna", view).play("white", "x ELAI-HUNA")
    assert few.value.choices == (
        "ELAI+ELAI x ELAI-HUNA",
        "ELAI+HUNA x ELAI-HUNA",
        "HUNA+HUNA x ELAI-HUNA",
    )
    assert few.value.more == 0


def test_chances_are_what_may_come_and_in_how_many_ways() -> None:
    table = pbem.Table.start("kahuna")

    assert table.chances == dict.fromkeys(table.legal(CHANCE), 2)
    assert dealt().chances == {}


def test_a_position_from_a_view_hides_what_a_seat_alone_may_know() -> None:
    hands = {"white": ["ALOA", "BARI"], "black": ["COCO"]}
    table = pbem.Table.at("kahuna", {"hands": hands, "display": ["FAAA"]})

    assert table.seen_by("white").view() == {
        **table.view(),
        "hands": {"white": ["ALOA", "BARI"], "black": ["?"]},
    }
    assert table.seen_by(None).view()["hands"] == {"white": ["?", "?"], "black": ["?"]}
    assert table.view()["hands"] == hands


def test_a_table_at_the_start_hides_nothing_that_is_not_there() -> None:
    table = pbem.Table.start("kahuna")

    assert table.seen_by("white").view() == table.view()
    assert dealt().seen_by(None).view()["hands"] == {"white": ["?"] * 3, "black": ["?"] * 3}


def test_tables_that_go_different_ways_share_what_came_before() -> None:
    table = dealt()
    one, other = (table.play("white", move) for move in table.legal("white")[:2])

    assert one._played is not None
    assert other._played is not None
    assert one._played.before is other._played.before is table._played


def test_tables_are_equal_where_they_look_alike() -> None:
    table = dealt()
    view = table.view()
    alike = pbem.Table.at("kahuna", {key: view[key] for key in reversed(view)})

    assert table == alike
    assert {table, alike} == {table}
    assert table != table.play("white", table.legal("white")[0])
    assert table != table.seen_by("white") != table.seen_by("black")
    assert table != dealt(variant2=True)
    assert table != view


@pytest.mark.parametrize(
    "kept",
    [
        lambda table: pbem.Table.from_json(table.to_json()),
        lambda table: pickle.loads(pickle.dumps(table)),
        copy.copy,
        copy.deepcopy,
    ],
)
def test_a_table_that_was_kept_knows_what_led_to_it(kept: Any) -> None:
    table = dealt()
    table = table.play("white", table.legal("white")[0])
    for each in (table, table.seen_by("white"), pbem.Table.at("kahuna", table.view())):
        again = kept(each)
        assert (again, hash(again), again.events) == (each, hash(each), each.events)
        assert again.pending == each.pending
        assert again.picture() == each.picture()
        assert again.seen_by("black") == each.seen_by("black")
    assert (
        "BARI"
        not in pbem.Table.at("kahuna", {"hands": {"white": ["BARI"]}}).seen_by("black").to_json()
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"seats": "white"}, "Kahuna"),
        ({"options": {"fast": True}}, "no option 'fast'"),
        ({"position": {"round": True}}, "round: True is not of type 'integer'"),
        ({"reader": "red"}, "no table as JSON: LookupError('red')"),
        ({"plies": [["white", [{"built": {}}]]]}, "built: missing field"),
        ({"plies": [["white", [{"took": {"seat": "red", "place": 1}}]]]}, ""),
        ({"plies": 7}, "no table as JSON"),
        (
            {"plies": [["chance", [{"dealt": {"to": "white", "card": "BARI"}}]]] * 3},
            "this position has 3 BARI cards; there are only 2",
        ),
    ],
)
def test_what_is_no_table_as_json_is_refused(changed: dict[str, Any], said: str) -> None:
    plain = {**json.loads(dealt().to_json()), **changed}
    for text in (json.dumps(plain), *({"[" * 10_000, "{}", "", "nonsense"} if not said else ())):
        with pytest.raises(pbem.Problem) as refused:
            pbem.Table.from_json(text)
        assert said in str(refused.value)


def test_a_long_match_is_seen_and_let_go_without_depth() -> None:
    table, rng = dealt(), random.Random(5)
    plies = 0
    while table.pending:
        seat = table.pending[0].seat
        table, plies = table.play(seat, rng.choice(table.legal(seat))), plies + 1

    assert plies > 60
    assert table.seen_by(None).view()["score"] == table.view()["score"]


@pytest.mark.parametrize(
    ("game", "seats", "key", "value"),
    [
        ("kahuna", ("white", "black"), "round", True),
        ("kahuna", ("white", "black"), "discard", ["BARI"]),
        ("kanaloa-bambus", ("yellow", "blue"), "seats", 7),
        ("kanaloa-piatnik", ("a", "b", "c"), "round", "1"),
        ("kanaloa-piatnik", ("a", "b", "c"), "hands", 7),
    ],
)
def test_a_value_of_the_wrong_kind_is_no_view(
    game: str, seats: tuple[str, ...], key: str, value: object
) -> None:
    view = {**pbem.Table.start(game, seats=seats).view(), key: value}
    with pytest.raises(pbem.Problem, match=f"{key}: .* is not of type"):
        pbem.Table.at(game, view, seats=seats)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"theme": "blue"}, "theme is light, dark, contrast, night or ink, not 'blue'"),
        ({"theme": ["dark"]}, "theme is light, dark, contrast, night or ink, not ['dark']"),
        ({"size": -3}, "size is a number of pixels from 1, not -3"),
        ({"size": 0}, "size is a number of pixels from 1, not 0"),
        ({"size": True}, "size is a number of pixels from 1, not True"),
        ({"size": "480"}, "size is a number of pixels from 1, not '480'"),
    ],
)
def test_a_picture_is_of_a_theme_and_a_size_there_are(chosen: dict[str, Any], said: str) -> None:
    with pytest.raises(pbem.Problem) as refused:
        dealt().picture(**chosen)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (lambda t: t.bot("black", random.Random(1)), "black isn't asked here: white is to move"),
        (lambda t: t.draw(), "nothing is to be drawn: white is to move"),
        (lambda t: t.perft(-1), "a depth is 0 or more, not -1"),
        (lambda t: t.key("red"), "Kahuna has no seat 'red', only white and black"),
        (lambda t: t.legal("red"), "Kahuna has no seat 'red', only white and black"),
        (lambda t: t.count("red"), "Kahuna has no seat 'red', only white and black"),
        (lambda t: t.indexed("red"), "Kahuna has no seat 'red', only white and black"),
    ],
)
def test_a_program_is_told_what_cannot_be_asked_of_a_table(what: Any, said: str) -> None:
    with pytest.raises(pbem.Problem) as refused:
        what(dealt())
    assert str(refused.value) == said


def test_a_picture_has_the_names_the_theme_and_the_width_asked_for() -> None:
    table = dealt()
    assert 'width="480"' in table.picture(size=480)
    assert "Ana" in table.picture(names={"white": "Ana"})
    assert table.picture(theme="dark") != table.picture() == table.picture(theme="light")
