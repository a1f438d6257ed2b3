"""Kanaloa (Bambus): maps, positions and the picture."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from typing import Any

import pytest
from bambus import BOARD, BOOKS, SEATS, each_count, game, inside, match, setup_of, some_states

from pbem.core import CHANCE, Setup, slots
from pbem.files import yamlio
from pbem.play import games, positions
from pbem.play import judge as play
from pbem.problem import Problem
from pbem.rules.kanaloa_bambus import moves
from pbem.rules.kanaloa_bambus.chart import COUNTS
from pbem.rules.kanaloa_bambus.maps import troubles
from pbem.rules.kanaloa_bambus.state import State
from pbem.rules.kanaloa_bambus.tiles import code

SCHEMA = games.view_schema(game) or ""

# -------------------------------------------------------------------------------------- maps


def test_our_own_map_tiles_and_set_ups_make_sense() -> None:
    assert troubles({**BOARD, **BOOKS}, BOOKS["tiles"]) == []


def test_our_map_is_as_the_texts_describe_it() -> None:
    charts = {count: game.start(setup_of(count)).world.chart for count in COUNTS}
    degrees = {count: [at.bit_count() for at in chart.at] for count, chart in charts.items()}
    assert degrees[4].count(6) == 1
    assert max(degrees[4]) == 6
    assert min(degrees[4]) == 4
    assert min(degrees[3]) == min(degrees[2]) == 3
    assert len(charts[2].neutral_pairs) == 16
    assert len(BOARD["sea_spaces"]) == 17
    assert len(charts[2].seas) == 12


def broken(**changes: Any) -> dict[str, Any]:
    """Our map with something else in it."""
    return {**BOARD, **changes}


BROKEN = [
    ([], "[] is not of type 'object'"),
    ({}, "'game' is a required property"),
    (broken(islands=BOARD["islands"][1:]), "7 islands are of the kind plain"),
    (broken(islands=[*BOARD["islands"], {"id": "a"}]), "'name' is a required property"),
    (
        broken(islands=[*BOARD["islands"], {**BOARD["islands"][0], "id": "A\n"}]),
        "islands[12].id: 'A\\n' is too long",
    ),
    (
        broken(islands=[*BOARD["islands"], {**BOARD["islands"][0], "name": "Ahi\n"}]),
        "islands[12].name: 'Ahi\\n' does not match",
    ),
    (broken(currents=BOARD["currents"][1:]), "with 4 players there are 27 currents, not 28"),
    (broken(currents=[*BOARD["currents"][1:], "A-Z"]), "A-Z does not join two islands"),
    (broken(currents=[*BOARD["currents"], "E-A"]), "current A-E is listed 2 times"),
    (broken(currents="A-E"), "currents: 'A-E' is not of type 'array'"),
    (broken(sea_spaces=["AEN"]), "sea space AEN is not a ring"),
    (broken(sea_spaces=["OUW"]), "there is no sea space for the volcano"),
    (broken(sea_spaces=["AEH", "HEA"]), "sea space AEH is listed 2 times"),
    (broken(tiles={**BOOKS["tiles"], "offerings": []}), "there are 0 kinds of offerings, not 31"),
    (
        broken(
            tiles={
                "offerings": [{"tile": "ku9x", "kinds": 31}],
                "volcanoes": BOOKS["tiles"]["volcanoes"],
            }
        ),
        "ku9x is no offering",
    ),
    (
        broken(
            tiles={**BOOKS["tiles"], "volcanoes": {**BOOKS["tiles"]["volcanoes"], "two_players": 8}}
        ),
        "two_players must have an odd number from 3, not 8",
    ),
    (
        broken(setups={**BOOKS["setups"], "four_players": []}),
        "every current needs exactly one fish",
    ),
    (broken(setups=[]), "setups: [] is not of type 'object'"),
    (broken(colour="blue"), "'colour' was unexpected"),
    (broken(columns=400), "columns: 400 is greater than the maximum of 78"),
    (broken(columns=60), "is too near the edge"),
    (broken(note=5), "note: 5 is not of type 'string'"),
    (broken(setups={**BOOKS["setups"], "colours": ["red", "green"]}), "7 red and 7 green"),
]


@pytest.mark.parametrize(("board", "says"), BROKEN, ids=lambda value: str(value)[-30:])
def test_a_map_that_makes_no_sense_is_refused_with_the_reason(board: Any, says: str) -> None:
    assert any(says in str(trouble) for trouble in troubles(board, BOOKS["tiles"]))


def test_everything_wrong_with_a_map_is_told_at_once() -> None:
    islands = [{**island, "kind": "plain"} for island in BOARD["islands"]]
    found = troubles(broken(islands=islands, currents=[*BOARD["currents"], "A-A"]), BOOKS["tiles"])
    assert len(found) >= 5
    with pytest.raises(Problem, match=r"this map cannot be played on: .*; .*; "):
        options_with(broken(islands=islands, currents=[*BOARD["currents"], "A-A"]))


def test_whatever_a_map_file_holds_it_is_looked_through() -> None:
    """Anything may stand anywhere: what comes back is sentences, never an error."""
    whole = {**BOARD, **BOOKS}
    rng = random.Random(1)
    junk = [None, 1, -5, True, "", "x", "A-A", [], ["A"], {}, {"a": 1}, [1, 2], "white"]
    places = [place for place in inside(whole) if place]
    for _ in range(40):
        board = copy.deepcopy(whole)
        *way, last = rng.choice(places)
        here = board
        for key in way:
            here = here[key]
        here[last] = rng.choice(junk)
        assert all(str(trouble) for trouble in troubles(board, BOOKS["tiles"]))


def options_with(board: Any) -> State:
    """The start of a match on a map of one's own."""
    return game.start(Setup(SEATS, "bambus-2001", setup_of(4).options, board))


def test_a_match_can_be_played_on_a_map_of_ones_own() -> None:
    """Ours, with other letters: everything goes by the new ones, the picture too."""
    letters = dict(zip("AEHIKLMNOPUW", "BCDFGJQRSTVX", strict=True))
    renamed = str.maketrans(letters)
    board = broken(
        name="mirror",
        islands=[{**i, "id": letters[i["id"]], "name": i["name"] + "x"} for i in BOARD["islands"]],
        currents=[way.translate(renamed) for way in BOARD["currents"]],
        sea_spaces=[space.translate(renamed) for space in BOARD["sea_spaces"]],
    )
    for count in (4, 2):
        setup = Setup(SEATS[:count], "bambus-2001", setup_of(count).options, board)
        plies = list(match(setup, 1))
        assert plies[-1][-1].ended
        for s, *_ in plies[::40]:
            view = game.view(s)
            assert yamlio.misfits(view, SCHEMA) == []
            assert game.view(game.position(setup, view)) == view
            assert "[B " in "\n".join(game.draw(view)) or not view["islands"]["B"]
    chosen = {**setup_of(4).options, "setup": "basic"}
    with pytest.raises(Problem, match="no printed set-up for 4"):
        game.start(Setup(SEATS, "bambus-2001", chosen, board))


# --------------------------------------------------------------------- positions and options


@pytest.mark.parametrize(
    ("view", "says"),
    [
        ({"nonsense": 1}, "'nonsense' was unexpected"),
        ({"turn": "purple"}, "'purple' is none of"),
        ({"seats": ["red", "blue"]}, "the set-up has red, yellow, green and blue here"),
        ({"pawns": {"red": ["Z"]}}, "'Z' is none of"),
        ({"pawns": {"red": ["A", "E", "H"]}}, "pawns.red: "),
        ({"stunned": {"red": ["A"]}}, "only those can be stunned"),
        ({"fish": {"A-Z": {"of": "red", "up": "white"}}}, "'A-Z' is none of"),
        ({"fish": {"A-E": "red"}}, "fish.A-E: 'red' is not of type"),
        ({"offerings": {"red": ["ku4", "ku4", "ku4", "ku4"]}}, "not that many ku4"),
        ({"offerings": {"red": ["ku3"]}}, "'ku3' is none of"),
        ({"temples": {"red": {"ku": -1}}}, "temples.red.ku: -1 is less than the minimum of 0"),
        ({"volcanoes": 12}, "12 volcanoes cannot have been drawn"),
        ({"volcano": {"site": "KLO", "by": "red"}}, "'KLO' is none of"),
        ({"bag": 500}, "a bag cannot hold 500 tiles"),
        ({"set_aside": 3}, "3 tiles cannot be set aside; write 7 or 0"),
        ({"pawns": 5}, "pawns: 5 is not of type"),
        ({"stage": "dinner"}, "'dinner' is not one of"),
    ],
)
def test_a_position_that_cannot_be_is_refused(view: dict[str, Any], says: str) -> None:
    with pytest.raises(Problem, match=re.escape(says)):
        positions.placed(game, setup_of(4, setup="basic"), view)


def test_whatever_a_view_holds_it_is_a_position_or_a_problem() -> None:
    rng = random.Random(2)
    junk = [None, 1, -5, True, "", "A", "A-A", [], ["A"], {}, {"a": 1}, "AEH", "red", "start"]
    setup, placed = setup_of(4), 0
    for _ in range(60):
        view = copy.deepcopy(game.view(rng.choice(some_states(4))))
        *way, last = rng.choice([place for place in inside(view) if place])
        here: Any = view
        for key in way:
            here = here[key]
        here[last] = rng.choice(junk)
        try:
            s = positions.placed(game, setup, view)
        except Problem:
            continue
        placed += 1
        assert game.draw(game.view(s))
        for decision in game.pending(s):
            play.legal_moves(game, s, decision.seat)
    assert placed > 2


def test_a_position_in_play_needs_all_its_fish() -> None:
    with pytest.raises(Problem, match="not every current carries a fish"):
        game.position(setup_of(4), {"turn": "red"})


@pytest.mark.parametrize(
    ("count", "gods"),
    [
        (4, ["ku:red"]),
        (4, ["ku:red", "lono:red", "pele:green", "kanaloa:blue"]),
        (4, ["ku:nobody"]),
        (3, ["ku:red", "lono:yellow", "kanaloa:green"]),
        (2, ["lono:red", "kanaloa:red", "ku:yellow", "pele:yellow"]),
        (2, ["lono:red", "ku:yellow"]),
        (2, ["lono red"]),
    ],
)
def test_gods_cards_are_agreed_on_properly_or_not_at_all(count: int, gods: list[str]) -> None:
    with pytest.raises(Problem, match="option gods"):
        game.start(setup_of(count, gods=gods))


@pytest.mark.parametrize("name", ["A", "dolphin"])
def test_a_seat_is_not_called_like_a_place(name: str) -> None:
    """Chance deals to islands and to seats: `deal kane5 to A` must mean one of them."""
    setup = setup_of(4)._replace(seats=("red", name, "green", "blue"))
    with pytest.raises(Problem, match=f"no seat can be called {name}"):
        game.start(setup)


# ------------------------------------------------------------------------------- the picture


@each_count
def test_the_map_can_be_read_back_from_the_picture(count: int) -> None:
    letters = dict(zip("RYGB", SEATS, strict=False))
    centre = {island["id"]: island["ascii"] for island in BOARD["islands"]}
    for s in some_states(count)[::25]:
        view = game.view(s)
        picture = game.draw(view)
        assert max(map(len, picture)) <= 72
        text = "\n".join(picture)
        for island, tiles in view["islands"].items():
            shown = map(code, tiles)
            closed = view["volcano"] and island in view["volcano"]["site"]
            left, right = "{}" if closed else "[]"
            assert f"{left}{' '.join([island, *shown])}{right}" in text
            x, y = centre[island]
            below = picture[y + 1].ljust(72)[max(0, x - 5) : x + 5]
            pawns = re.findall(r"\(([A-Za-z]+)\)", below)
            assert pawns == [found] if (found := pawns_on(view, island)) else not pawns
        for way, about in view["fish"].items():
            (x1, y1), (x2, y2) = (centre[island] for island in way.split("-"))
            row = picture[(y1 + y2) // 2].ljust(72)
            found = re.findall(r"<?[A-Za-z][v^>]?", row[(x1 + x2) // 2 - 2 : (x1 + x2) // 2 + 2])
            assert len(found) == 1, (way, found)
            letter = found[0].strip("<>v^") or "v"
            assert (letters.get(letter.upper())) == about["of"] or about["of"] is None
            assert letter.isupper() == (about["up"] == "colour")
            heads = {">": x2 > x1, "<": x2 < x1, "v": y2 > y1, "^": y2 < y1}
            arrow = next(sign for sign in "<>^v" if sign in found[0])
            assert heads[arrow]


def pawns_on(view: dict[str, Any], island: str) -> str:
    """The letters of the pawns there, seat by seat, small for those that are stunned."""
    return "".join(
        letter * (view["pawns"][seat].count(island) - view["stunned"][seat].count(island))
        + letter.lower() * view["stunned"][seat].count(island)
        for letter, seat in zip("RYGB", SEATS, strict=False)
        if seat in view["seats"]
    )


def test_no_two_marks_of_the_picture_are_in_one_place() -> None:
    """However full it is: three for a fish, eleven for an island, ten for all eight pawns."""
    centre = {island["id"]: island["ascii"] for island in BOARD["islands"]}
    marks = [(x, y, 11) for x, y in centre.values()]
    marks += [(x, y + 1, 10) for x, y in centre.values()]
    for way in BOARD["currents"]:
        (x1, y1), (x2, y2) = (centre[island] for island in way.split("-"))
        marks.append(((x1 + x2) // 2, (y1 + y2) // 2, 3))
    taken = Counter((max(0, x - wide // 2) + n, y) for x, y, wide in marks for n in range(wide))
    assert [place for place, times in taken.items() if times > 1] == []


def test_everything_on_the_picture_is_explained_below_it() -> None:
    view = {
        "turn": "red",
        "pawns": {"red": ["K", "dolphin"], "yellow": ["L"]},
        "stunned": {"yellow": ["L"]},
        "volcano": {"site": "O", "by": "green", "turns": 1},
        "volcanoes": 2,
        "gods": {"lono": "red"},
    }
    picture = game.draw(game.view(game.position(setup_of(4, setup="basic"), view)))
    legend = picture[BOARD["rows"] + 1 :]
    assert [line.split()[0] for line in legend] == [
        "Seats",
        "Islands",
        "Offerings",
        "Fish",
        "Pawns",
        "Dolphin",
        "Volcano",
    ]
    assert "Dolphin   (R)" in legend
    assert max(map(len, legend)) <= 72


def test_every_field_of_a_move_is_written_down_in_its_text() -> None:
    """Or is settled by the position: only to whom chance deals."""
    for kind in game.MOVES:
        for slot in slots(kind):
            assert slot.secret is None
    deal = game.parse("deal kane5")
    assert deal.blanks == {"to"}
    assert all(
        not game.parse(game.notate(move)).blanks
        for s in some_states(4)[::30]
        for move in play.legal_moves(game, s, game.pending(s)[0].seat)
        if game.pending(s)[0].seat != CHANCE
    )


def test_the_fish_phase_offers_both_sides_of_every_way_that_is_open() -> None:
    setup = setup_of(4, gods=["ku:red", "kanaloa:yellow", "pele:green", "lono:blue"])
    s = game.position(setup, {"stage": "fish"})
    laid = play.legal_moves(game, s, "red")
    assert len(laid) == 28 * 2 * 2
    assert all(isinstance(move, moves.LayFish) for move in laid)
