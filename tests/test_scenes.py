"""What a board shows of a position: everything, in the colours it is called by, and nothing on
anything else."""

from __future__ import annotations

import cmath
import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from long import many
from test_pictures import contrast, inside

import pbem
from pbem.cli.pictures import picture
from pbem.core import HIDDEN, Outcome
from pbem.desk.file import Desk
from pbem.files.languages import speaking
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.pictures import board, palette
from pbem.pictures.figures import FIGURES
from pbem.pictures.png import legible, png
from pbem.pictures.svg import fitting, width
from pbem.play import games
from pbem.report import compose, pages
from pbem.report.facts import Awaited
from pbem.report.html import alternative
from pbem.rules.row import hues, mark
from pbem.sentence import say, together
from pbem.shapes import Scene, Shape, middle

ARCHIVE = Path(__file__).parent / "archive"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = {"ana": "Ana", "ben": "Ben", "cy": "Cy", "white": "Ana", "black": "Ben"}


@cache
def fresh(game: str, *seats: str) -> dict[str, Any]:
    """A match that has just begun, by default of Ana, Ben and, if need be, Cy."""
    seats = seats or games.game(game).SEATS or ("ana", "ben", "cy")
    return pbem.Table.start(game, seats=seats).view()


@cache
def archived(name: str) -> Replay:
    return Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"))


def bambus(name: str) -> dict[str, Any]:
    now = archived(name)
    view: dict[str, Any] = now.game.view(now.state)
    return view


def shown(view: Mapping[str, Any]) -> Scene:
    return board.scene(games.game(view["game"]), view)


def called(scene: Scene, start: str) -> list[Shape]:
    return [shape for shape in scene.shapes if shape.id.startswith(start)]


def words(scene: Scene, start: str) -> list[str]:
    """What is written on these shapes, with players' names."""
    return [
        shape.label if isinstance(shape.label, str) else shape.label.text(NAMES)
        for shape in called(scene, start)
    ]


def told(view: Mapping[str, Any]) -> str:
    svg = board.paint(games.game(view["game"]), view, names=NAMES)
    return ET.fromstring(svg).findtext(f"{SVG}desc") or ""


# ------------------------------------------------------------------------ whose turn, and who won


GAMES = pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])


@GAMES
def test_a_match_that_goes_on_says_whose_turn_it_is_and_not_who_won(game: str) -> None:
    view = fresh(game)
    turn = view["turn"] or next(iter(NAMES))
    assert f"It's the turn of {NAMES[turn]}." in told({**view, "turn": turn})
    assert "wins" not in told(view)


@GAMES
def test_while_a_card_must_be_dealt_nobody_is_to_move(game: str) -> None:
    view = fresh(game)
    dealing = {**view, "turn": view["turn"] or next(iter(NAMES))}
    asked = board.ended(dealing, None, [Awaited("chance", "deal", {}, None, None)])
    assert not [shape.id for shape in shown(asked).shapes if shape.id.startswith("turn-")]


@GAMES
@pytest.mark.parametrize(
    ("winners", "said", "standing"),
    [
        ((0,), "Ana wins the match.", [True, False]),
        ((0, 1), "Ben wins the match.", [True, True]),
        ((), "The match is drawn for Ben.", [False, False]),
    ],
)
def test_a_finished_match_says_who_won_and_nobody_has_the_ring(
    game: str, winners: tuple[int, ...], said: str, standing: list[bool]
) -> None:
    view = fresh(game)
    seats = list(view["hands"] if "hands" in view else view["seats"])
    end = Outcome(tuple(seats[n] for n in winners), "ruling", {})
    over = board.ended({**view, "turn": seats[0]}, end)
    rows = [row for kind in ROWS_OF[game] for row in words(shown(over), kind)]
    assert said in told(over)
    assert [each.id for each in called(shown(over), "won-")] == [f"won-{seats[n]}" for n in winners]
    assert "turn of" not in told(over)
    assert not [shape.id for shape in shown(over).shapes if "turn" in shape.look.split()]
    won = [row.endswith("wins") for row in rows]
    assert [*won, False, False][:2] == standing
    assert all(row.endswith("drawn") for row in rows) == (not winners) or not rows


def test_a_match_that_is_over_stands_in_its_last_trick_and_nobody_sails_on() -> None:
    """Four tricks were taken, the fourth won the match."""
    boats = {"ana": 9, "ben": 7, "cy": 4, "dora": 5, "ed": 6}
    race = {"leader": "ana", "last": ["cy"], "trick": 5, "boats": boats}
    tricks = {**dict.fromkeys(boats, 0), "ana": 3, "ben": 1}
    view = {**laid(), **race, "tricks": tricks, "asked": None}
    over = shown(board.ended(view, Outcome(("ana",), "P-42", {})))
    assert words(over, "trick") == [
        *("trick 4 of 8", "ahead, wins", "2 behind", "5 behind", "4 behind", "3 behind")
    ]


ROWS_OF = {"kahuna": ["score-"], "kanaloa-bambus": ["standing-"], "kanaloa-piatnik": ["tricks-"]}
"""Where a row says how its player stands."""


@pytest.mark.parametrize("name", ["rulings", "kahuna-arabana", "bambus-two", "piatnik-four"])
def test_pictures_mails_and_pages_of_a_match_agree_on_who_won(name: str) -> None:
    now = archived(name)
    assert now.outcome is not None
    [winner] = now.outcome.winners
    said = f"{now.players[winner]} wins the match."
    mail = alternative(compose.report(now), "desk@example.org", lambda svg: svg.encode())
    for painted in (board.picture(now), mail.picture.decode(), pages.page(now)):
        [desc] = re.findall("<desc.*?>(.*?)</desc>", painted)
        assert said in desc
        assert "It's the turn" not in desc


# ---------------------------------------------------------------------------------- colours


@pytest.mark.parametrize(
    ("seats", "painted"),
    [
        ("ana ben", "red yellow"),
        ("red blue green", "red blue green"),
        ("red blue green yellow", "red blue green yellow"),
        ("ana red ben yellow", "green red blue yellow"),
        ("Blue blue", "blue red"),
        ("teal grey", "red yellow"),
    ],
)
def test_a_seat_called_after_a_colour_has_it(seats: str, painted: str) -> None:
    colours = ("red", "yellow", "green", "blue")
    given = hues(tuple(seats.split()), colours)
    assert [given[seat] for seat in seats.split()] == painted.split()


def test_where_nobody_is_on_turn_whoever_is_asked_is_to_move() -> None:
    view = {"questions": [{"seat": seat, "kind": "bid", "about": {}} for seat in ("ana", "ben")]}
    assert [mark(view, seat) for seat in ("ana", "ben", "cai")] == ["move", "move", ""]
    assert mark({}, "ana") == ""


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("kanaloa-bambus", ("red", "blue", "green", "yellow")),
        ("kanaloa-bambus", ("purple", "turquoise", "orange", "black")),
        ("kanaloa-piatnik", ("red", "white", "black")),
        ("kanaloa-piatnik", ("green", "blue", "turquoise", "grey", "purple")),
    ],
)
def test_both_kanaloas_paint_their_seats_as_they_are_called(
    game: str, seats: tuple[str, ...]
) -> None:
    discs = {shape.id: shape.look.split() for shape in called(shown(fresh(game, *seats)), "seat-")}
    assert len(discs) == len(seats)
    for seat in seats:
        assert seat in discs[f"seat-{seat}"]


@pytest.mark.parametrize("colour", palette.HUES)
def test_a_sign_and_a_letter_stand_out_from_their_field(colour: str) -> None:
    style = palette.style("light", {"sign", "wave", "full", colour})
    [ground] = re.findall(rf"\.full\.{colour}{{fill:(#\w+)", style)
    [sign] = re.findall(rf"\.sign\.{colour}{{fill:(#\w+)", style)
    [wave] = re.findall(rf"\.wave\.{colour}{{stroke:(#\w+)", style)
    assert min(contrast(sign, ground), contrast(wave, ground)) >= 3


@pytest.mark.parametrize("theme", palette.THEMES)
def test_a_white_fish_stands_out_from_the_sea_whatever_its_colour(theme: str) -> None:
    view = bambus("bambus-two")
    white = [way for way, fish in view["fish"].items() if fish["up"] == "white"]
    svg = board.paint(games.game(view["game"]), view, theme=theme)
    [rim] = re.findall(r"\.pale\{fill:#ffffff;color:(#\w+)", svg)
    sea, fish = palette.THEMES[theme]["sea"], "#ffffff"
    assert white
    assert svg.count('"#pale-fish"') == len(white) + 1  # and that of the legend
    assert max(contrast(rim, sea), contrast(fish, sea)) >= 3
    assert contrast(rim, fish) >= 3


@pytest.mark.parametrize("theme", palette.THEMES)
def test_the_signs_of_the_gods_stand_out_from_offerings_and_the_table(theme: str) -> None:
    colours = palette.THEMES[theme]
    for ground in ("card", "panel"):
        for sign in ("trident", "spear", "flames", "sprout", "sun"):
            assert contrast(colours[sign], colours[ground]) >= 3, (sign, ground)


def test_a_figure_brings_the_colours_of_its_parts_with_it() -> None:
    """A browser does not look into what is used for the rules of a page's board."""
    assert "class=" not in "".join(map(str, FIGURES.values()))


# ------------------------------------------------------------------------- rows of the players


def test_what_differs_in_a_list_alone_is_told_in_one_sentence() -> None:
    has, other = "{isle} has {tile}.", say("A fish.")
    said = [say(has, isle="A", tile=["ku4"]), other, say(has, isle="B", tile=["ku5"])]
    said += [say(has, isle="A", tile=["pele5"]), other, say("All: {all:all}.", all=["x", "y"])]
    assert " ".join(each.text() for each in together(said)) == (
        "A has ku4 and pele5. A fish. B has ku5. A fish. All: x and y."
    )
    fish = "A-I and M-I: a fish of seat2, coloured side up."
    assert fish in told(bambus("bambus-two"))


def test_nothing_lies_upon_an_offering() -> None:
    """Halos reach further than what they are around."""
    ids = [shape.id.partition("-")[0] for shape in shown(bambus("bambus-four")).shapes]
    pieces = ("currents", "pawn", "fish")
    assert ids.index("panel") < min(map(ids.index, pieces))
    last = max(len(ids) - 1 - ids[::-1].index(kind) for kind in pieces)
    assert last < ids.index("tile")


def test_a_pawn_that_sails_on_a_map_glows_without_an_arrow_that_hides_what_is_between() -> None:
    view = bambus("bambus-four")
    seat, *others = view["seats"]
    nobody = {each: list[str]() for each in others}
    there, here = ({**view, "pawns": {**nobody, seat: [island]}} for island in ("M", "H"))
    marks = board.paint(games.game("kanaloa-bambus"), here, before=there)
    assert re.search(r'id="pawn-\S+" class="full \w+ moved"', marks)
    assert "trail" not in marks


def test_a_hand_is_told_in_one_sentence_with_what_is_hidden_in_it() -> None:
    view = {
        **fresh("kahuna"),
        "hands": {"white": ["DUDA", "FAAA", HIDDEN], "black": [HIDDEN, HIDDEN]},
        "bridges": {"ALOA-BARI": "white"},
    }
    text = told(view)
    assert "Ana holds DUDA, FAAA and 1 hidden card; 24 bridges left." in text
    assert "Ben holds 2 hidden cards; 25 bridges left." in text
    assert words(shown(view), "left-") == ["24 bridges left", "25 bridges left"]
    empty = {**view, "hands": {"white": [], "black": []}}
    assert "Ana holds no card; 24 bridges left." in told(empty)


def test_hands_and_offerings_of_both_kanaloas_are_told() -> None:
    view = fresh("kanaloa-piatnik")
    hands = {"ana": ["red 3", HIDDEN], "ben": [], "cy": []}
    assert "Ana holds red 3 and 1 hidden card." in told({**view, "hands": hands})
    assert "Ben holds no card." in told({**view, "hands": hands})
    view = fresh("kanaloa-bambus")
    offerings = {"ana": ["kane5", "kane5"], "ben": [], "cy": []}
    text = told({**view, "offerings": offerings})
    assert "Ana has 0 points and holds kane5 and kane5." in text
    assert "Ben has 0 points and holds no offering." in text


def test_who_takes_no_trick_has_it_in_their_row() -> None:
    view = {**fresh("kanaloa-piatnik"), "announced": {"ana": True, "ben": HIDDEN, "cy": False}}
    assert "Ana has announced to take no trick." in told(view)
    assert words(shown(view), "tricks-") == ["announced: no trick", "0 tricks, ready", "0 tricks"]


@GAMES
def test_a_name_has_the_room_that_the_cards_leave(game: str) -> None:
    view = fresh(game)
    zone = "offerings" if "offerings" in view else "hands"
    seat = next(iter(view[zone]))
    rooms = []
    for held in (0, 2, 5):
        cards = {"hands": ["blue 1"] * held, "offerings": ["kane5"] * held}[zone]
        scene = shown({**view, zone: {**view[zone], seat: cards}})
        [(x, y, room)] = [shape.place for shape in called(scene, f"name-{seat}")]
        rooms.append(room)
        own = [*called(scene, f"hand-{seat}-"), *called(scene, f"offering-{seat}-")]
        assert len(own) == held
        assert all(x + room < card.place[0] or y < card.place[1] for card in own)
    assert min(rooms) >= 169


ROWS = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": tuple("abcd"),
    "kanaloa-piatnik": tuple("abcde"),
}


def down(svg: str) -> list[str]:
    """The seats as their discs stand below each other, and beside each other from left to right."""
    discs = re.findall(r'<g id="seat-(\w+)"[^>]*><circle cx="(\d+)" cy="(\d+)"', svg)
    return [seat for seat, x, y in sorted(discs, key=lambda disc: (int(disc[2]), int(disc[1])))]


@pytest.mark.parametrize(("game", "seats"), ROWS.items())
def test_the_hand_of_whoever_a_picture_is_for_is_nearest_to_them(
    game: str, seats: tuple[str, ...]
) -> None:
    table = pbem.Table.start(game, seats=seats)
    ids = re.compile(r'<g id="([^"]*)"')
    everybody = table.picture()
    assert down(everybody) == down(table.seen_by(None).picture()) == [*seats]
    for n, seat in enumerate(seats, 1):
        theirs = table.seen_by(seat).picture()
        assert down(theirs) == [*seats[n:], *seats[:n]]
        assert sorted(ids.findall(theirs)) == sorted(ids.findall(everybody))


@pytest.mark.parametrize("name", ["kahuna-arabana", "bambus-four", "piatnik-four", "running"])
def test_show_letters_and_pages_for_one_seat_have_its_hand_nearest(name: str) -> None:
    path = str(ARCHIVE / f"{name}.pbem.yaml")
    whole = Replay.of(Log.read(path).first(many(60, 9999)), Desk.read(path).keyring)
    painted: list[str] = []
    for seat in whole.setup.seats:
        theirs = whole.seen_by(seat)
        letter = compose.letter(whole, seat, 0)
        alternative(letter, "desk@club.example", lambda svg: painted.append(svg) or b"PNG")
        page = pages.page(theirs)
        for svg in (board.picture(theirs), painted[-1], page.partition('id="page-shapes"')[2]):
            assert down(svg.partition("</svg>")[0])[-1] == seat
    assert down(board.picture(whole.seen_by(None))) == [*whole.setup.seats]
    assert down(board.picture(whole)) == [*whole.setup.seats]


@pytest.mark.parametrize("reader", [None, "white", "black"])
def test_what_went_from_a_hand_went_from_where_it_lies_for_whoever_the_picture_is_for(
    reader: str | None,
) -> None:
    now = {**fresh("kahuna"), "hands": {"white": ["ALOA"], "black": ["COCO"]}}
    before = {**now, "hands": {"white": ["ALOA", "DUDA"], "black": ["COCO"]}}
    game = games.game("kahuna")
    [card] = called(board.scene(game, before, reader), "hand-white-DUDA")
    painted = board.paint(game, now, reader=reader, before=before)
    [top] = re.findall(r'<g id="went-hand-white-DUDA"[^>]*><rect [^>]*y="(\d+)"', painted)
    assert int(top) == card.place[1]


def test_a_card_of_kahuna_lies_in_its_row_and_leaves_the_next_one_its_frame() -> None:
    hand = ["ALOA", "BARI", "COCO", "DUDA", "ELAI"]
    scene = shown({**fresh("kahuna"), "turn": "white", "hands": {"white": hand, "black": hand}})
    [(_, top, _, high)] = [shape.place for shape in called(scene, "turn-white")]
    cards = [card.place for card in called(scene, "hand-white-")]
    assert all(top + 6 < y and y + tall + 6 < top + high for _, y, _, tall in cards)
    lefts = sorted(x for x, *_ in cards)
    assert all(b - a - cards[0][2] > 9 for a, b in pairwise(lefts))  # as wide as what marks it


def test_gods_and_temples_are_one_table_with_a_line_a_god_and_a_column_a_seat() -> None:
    view = bambus("bambus-four")
    heights = dict.fromkeys(("kanaloa", "ku", "pele", "lono", "kane"), 9)
    scene = shown({**view, "temples": dict.fromkeys(view["seats"], heights)})
    columns = {shape.id.removeprefix("column-"): shape for shape in called(scene, "column-")}
    lines = {shape.id.removeprefix("sign-"): shape.place[1] for shape in called(scene, "sign-")}
    assert len(called(scene, "temple-")) == len(columns) * len(lines)
    for shape in called(scene, "temple-"):
        _, god, seat = shape.id.split("-")
        x, y = middle(shape)
        near = min(columns, key=lambda each: abs(columns[each].place[0] - x))
        assert (near, y) == (seat, lines[god])


@pytest.mark.parametrize("theme", palette.THEMES)
def test_a_coloured_fish_and_an_ocean_card_are_not_as_white_as_what_they_differ_from(
    theme: str,
) -> None:
    colours = palette.THEMES[theme]
    white = ("red", "yellow", "green", "blue")
    assert all(contrast(colours[hue], "#ffffff") > 1.25 for hue in white)
    assert contrast(colours["water"], colours["sea"]) > 1.15


# ----------------------------------------------------------------------- nothing hides anything

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

REACH: dict[str, Box] = {
    "boat": (-21, -29, 21, 12),
    "dolphin": (-23, -16, 19, 13),
    "fish": (-15, -15, 15, 15),
    "pawn": (-17, -29, 17, 17),
    "volcano": (-27, -26, 27, 18),
}
"""How far each reaches from its middle; of a fish what nobody may lie on: all but nose and tail."""


def box(shape: Shape) -> Box:
    x, y, *more = shape.place
    if shape.form == "box":
        return x, y, x + more[0], y + more[1]
    if shape.form == "text":
        return x - 10, y - 18, x + 10, y
    left, top, right, foot = REACH[shape.look.split()[0]]
    if shape.look.endswith("stunned"):
        left, top, right, foot = -foot, left, -top, right
    size = (*more, 100)[1] / 100
    return x + left * size, y + top * size, x + right * size, y + foot * size


def apart(one: Box, other: Box) -> bool:
    return one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]


def crowded(name: str) -> Iterator[dict[str, Any]]:
    """The map with all pawns on each island in turn, one of them stunned; with a volcano there and
    half of the pawns; and with pawns on many pairs of islands."""
    view, seas = bambus(name), archived(name).state.world.chart.seas
    first, *others = view["seats"]
    for island in view["islands"]:
        pawns = {seat: [island, island] for seat in view["seats"]}
        stunned = {first: [island], **{seat: [] for seat in others}}
        site = island
        if len(view["seats"]) == 2:
            site = next(site for site in seas if island in site)
        volcano = {"site": site, "by": first, "turns": 1}
        yield {**view, "pawns": pawns, "stunned": stunned, "volcano": None}
        if len(site) > 1:  # nobody is on the island that a volcano comes to
            pawns = {seat: [island] for seat in view["seats"]}
        else:
            pawns = stunned = {seat: [] for seat in view["seats"]}
        yield {**view, "pawns": pawns, "stunned": stunned, "volcano": volcano}
    pairs = [list(pair) for pair in combinations(view["islands"], 2)]
    none: dict[str, list[str]] = {seat: [] for seat in view["seats"]}
    for n in range(0, len(pairs), 5):
        chosen = (pairs * 2)[n : n + len(view["seats"])]
        pawns = dict(zip(view["seats"], chosen, strict=True))
        yield {**view, "pawns": pawns, "stunned": none, "volcano": None}


@pytest.mark.parametrize("name", ["bambus-two", "bambus-basic-three", "bambus-four"])
def test_on_the_map_of_bambus_pawns_and_the_volcano_lie_on_nothing(name: str) -> None:
    for view in crowded(name):
        scene = shown(view)
        [sea] = [shape for shape in scene.shapes if shape.id == "sea"]
        placed = [*called(scene, "pawn-"), *called(scene, "volcano-")]
        fixed = [s for start in ("fish-", "tile-", "letter-") for s in called(scene, start)]
        assert placed
        for n, shape in enumerate(placed):
            left, top, right, foot = box(shape)
            assert 0 <= left <= right <= sea.place[2], shape
            assert 0 <= top <= foot <= sea.place[3], shape
            for other in [*fixed, *placed[n + 1 :]]:
                assert apart(box(shape), box(other)), (shape, other)


@pytest.mark.parametrize("name", ["bambus-two", "bambus-basic-three", "bambus-four"])
def test_on_the_map_of_bambus_each_piece_is_nearest_to_where_it_stands(name: str) -> None:
    for view in crowded(name):
        scene = shown(view)
        at = {s.id[7:]: middle(s) for s in called(scene, "island-") if s.form == "polygon"}
        for shape in (*called(scene, "pawn-"), *called(scene, "tile-"), *called(scene, "volcano-")):
            [place] = {*shape.id.split("-")} & at.keys() or [""]
            if place:
                assert near(at, middle(shape))[0] == place, shape
            elif shape.id.startswith("volcano-"):
                site = shape.id.removeprefix("volcano-")
                around = [at[each] for each in site if each in at]
                rest = [at[each] for each in at if each not in site]
                x, y = middle(shape)
                assert min(math.dist((x, y), each) for each in around) < min(
                    math.dist((x, y), each) for each in rest
                )
        ways = {
            shape.id: [at[end] for end in shape.id.split("-")[1:]]
            for shape in called(scene, "fish-")
        }
        for shape in called(scene, "fish-"):
            far = {way: aside(middle(shape), *ends) for way, ends in ways.items()}
            assert far.pop(shape.id) < 6, shape
            assert min(far.values()) > 20, (shape, far)


def aside(point: tuple[int, int], one: tuple[int, int], other: tuple[int, int]) -> float:
    """How far a point is from the way between two others."""
    to, along = (complex(b[0] - one[0], b[1] - one[1]) for b in (point, other))
    part = (to * along.conjugate()).real / abs(along) ** 2
    return abs(to - along * min(max(part, 0), 1))


def near(at: Mapping[str, tuple[int, int]], point: tuple[int, int]) -> list[str]:
    """The islands, the nearest first."""
    return sorted(at, key=lambda island: math.dist(at[island], point))


def test_with_two_players_all_that_a_sea_space_is_named_after_is_on_the_map() -> None:
    view, seas = bambus("bambus-two"), archived("bambus-two").state.world.chart.seas
    scene = shown(
        board.ended(view, None, [Awaited("red", "volcano", {"sites": [*seas]}, None, None)])
    )
    called_so = {shape.id.partition("-")[2]: shape for shape in scene.shapes if shape.label}
    assert set("".join(seas)) <= {*called_so}
    at = {island: middle(called_so[island]) for island in set("".join(seas))}
    for site in seas:
        [space] = called(scene, f"site-{site}")
        assert space.label == site
        assert {*near(at, middle(space))[:4]} & {*site}


def test_the_table_says_what_its_signs_mean() -> None:
    key = words(shown(bambus("bambus-four")), "legend-")
    assert {"temple", "gods card", "protection"} <= {*key}


def test_a_row_says_how_far_behind_its_boat_is() -> None:
    view = {**laid(), "seats": ["ana", "ben", "cy"], "leader": "ben", "last": ["ana"]}
    scene = shown({**view, "boats": {"ana": 1, "ben": 9, "cy": 4}})
    assert words(scene, "tricks-") == ["to move, 8 behind", "ahead", "5 behind"]


def test_a_stone_of_kahuna_lies_on_no_name_and_on_no_end_of_a_bridge() -> None:
    view = fresh("kahuna")
    islands = [shape for shape in called(shown(view), "island-") if shape.form == "polygon"]
    control = {shape.id.removeprefix("island-"): "black" for shape in islands}
    scene = shown({**view, "control": control})
    names = [(x - 48, y - 10, x + 48, y + 10) for x, y in map(middle, islands)]
    ends = [(x, y) for line in called(scene, "line-") for x, y in (line.place[:2], line.place[2:])]
    stones = called(scene, "stone-")
    assert len(stones) == 12
    for x, y, radius in (shape.place for shape in stones):
        assert all(apart((x - 16, y - 16, x + 16, y + 16), name) for name in names), (x, y)
        assert all(math.hypot(x - a, y - b) > radius for a, b in ends), (x, y)


OUTLINE = ((20, 0), (-22, -11), (-22, 11), *((x, y) for x in (-8, 0, 8) for y in (-12, 12)))
"""Where a fish that heads right ends."""


@pytest.mark.parametrize("name", ["bambus-two", "bambus-basic-three", "bambus-four"])
def test_on_the_map_of_bambus_a_fish_lies_on_no_offering_and_no_letter(name: str) -> None:
    view = bambus(name)
    fish = {"of": None, "up": "white"}
    both = {way: fish for pair in view["fish"] for way in (pair, "-".join(pair.split("-")[::-1]))}
    scene = shown({**view, "fish": both})
    islands = [shape for shape in called(scene, "island-") if shape.form == "polygon"]
    letters = [(x - 50, y - 34, x - 30, y - 17) for x, y in map(middle, islands)]
    lying = [*map(box, called(scene, "tile-")), *letters]
    for shape in called(scene, "fish-"):
        x, y, degrees = shape.place
        turned = cmath.rect(1, math.radians(degrees))
        for across, down in OUTLINE:
            at = complex(x, y) + complex(across, down) * turned
            for left, top, right, foot in lying:
                assert not (left < at.real < right and top < at.imag < foot), (shape, at)


@pytest.mark.parametrize("tiles", [1, 5, 6, 8, 14])
def test_of_a_player_with_many_tiles_the_name_can_still_be_read(tiles: int) -> None:
    view = bambus("bambus-four")
    hands = {seat: [f"ku{n % 5 + 1}" for n in range(tiles)] for seat in view["seats"]}
    scene = shown({**view, "offerings": hands})
    for seat in view["seats"]:
        [name] = called(scene, f"name-{seat}")
        assert name.place[2] >= 169
        for tile in called(scene, f"offering-{seat}-"):
            assert name.place[1] + 6 < tile.place[1]
            assert name.place[0] <= tile.place[0] <= scene.width - 50


def test_what_has_no_room_at_all_is_not_written() -> None:
    assert fitting("Ana", -10) == ""
    assert fitting("Ana", 30) == "…"


def test_temples_are_drawn_alike_however_high_they_are() -> None:
    temples = called(shown(bambus("bambus-four")), "temple-")
    assert len({shape.label for shape in temples}) > 5
    assert {shape.place[2:] for shape in temples} == {(0,)}


@cache
def laid() -> dict[str, Any]:
    """The ring of five boats, once the route is laid."""
    table = pbem.Table.start("kanaloa-piatnik", seats=("ana", "ben", "cy", "dora", "ed"))
    rng = random.Random(3)
    while not any(table.view()["hands"].values()):
        seat = table.pending[0].seat
        table = table.play(seat, rng.choice(table.legal(seat)))
    return table.view()


@pytest.mark.parametrize("language", ["en", "de", "fr", "hu", "pl"])
def test_no_word_beside_the_ring_is_hidden_by_a_field(language: str) -> None:
    with speaking(language):
        scene = shown({**laid(), "removed": ["M01"]})
        for name in ("way", "key-", "legend-dolphin-says", "removed", "legend-number"):
            for label, says in zip(called(scene, name), words(scene, name), strict=True):
                x, y = label.place[:2]
                near = x if x > 360 else x + width(says) * 3 // 4  # which counts bold letters
                for field in called(scene, "field-"):
                    assert not any(inside(field, near, y - up) for up in (0, 8, 16)), says


@pytest.mark.parametrize("boats", range(1, 6))
@pytest.mark.parametrize("cards", [3, 7, 12])
def test_boats_on_one_field_lie_in_it_and_hide_no_number(cards: int, boats: int) -> None:
    view = {**laid(), "route": laid()["route"][:cards]}
    for field in range(2 * cards):
        scene = shown({**view, "boats": dict.fromkeys(view["seats"][:boats], field)})
        there, fields = called(scene, "boat-"), called(scene, "field-")
        assert len(there) == boats
        for boat in there:
            x, y = boat.place[:2]
            assert inside(fields[field], x, y - 3), boat
            for other in there:
                number = (x - 8, y - 8, x + 8, y + 9)
                left, top, right, foot = box(other)
                hull = left, (top + 2 * foot) / 3, right, foot
                assert other is boat or apart(number, hull), (boat, other)


def test_a_dolphin_leaves_the_letter_of_its_field_alone() -> None:
    scene = shown(laid())
    dolphins = called(scene, "dolphin-")
    assert dolphins
    for dolphin in dolphins:
        [letter] = called(scene, dolphin.id.replace("dolphin", "colour"))
        assert apart(box(dolphin), box(letter))


# ------------------------------------------------------------------------------ names in a PNG


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ana", "Ana"),
        ("Ünal Łukasz", "Ünal Łukasz"),
        ("Ольга", "Ольга"),
        ("Zoe\u0301", "Zoé"),
        ("\u05d3\u05e0\u05d9", "white"),
        ("\u5c71\u7530", "white"),
        ("Ana \U0001f3b2", "white"),
        ("\u202eanA", "white"),
    ],
)
def test_a_png_calls_a_player_by_the_seat_where_its_fonts_lack_a_letter(
    name: str, written: str
) -> None:
    assert legible({"white": name, "black": "Ben"}) == {"white": written, "black": "Ben"}


def test_a_seat_that_no_font_can_write_has_a_number() -> None:
    assert legible({"\u5c71": "\u7530", "red": "\u5ddd"}) == {"\u5c71": "1", "red": "red"}


def test_a_picture_has_every_name_and_its_png_what_can_be_written() -> None:
    now = archived("running")
    strange = {"white": "\u05d3\u05e0\u05d9", "black": "Ben"}
    header = now.log.header._replace(seats=strange)
    named = now._replace(log=now.log._replace(header=header))
    assert "\u05d3\u05e0\u05d9" in picture(named, "svg").decode()
    as_seats = board.picture(named, names={"white": "white", "black": "Ben"})
    assert picture(named, "png", size=360) == png(as_seats, 360)


def test_the_middle_of_the_ring_says_who_plays_in_which_order_and_what_takes_the_trick() -> None:
    """A trick led by Ben: Cy's trump takes it, and Ana is still to play."""
    table = [["ben", "green 10"], ["cy", "blue 1"]]
    seats = ["ana", "ben", "cy"]
    view = {**laid(), "seats": seats, "lead": "ben", "turn": "ana", "trump": "blue"}
    view["boats"] = dict.fromkeys(seats, 0)
    scene = shown({**view, "asked": "card", "table": table})
    order = sorted(called(scene, "player-"), key=lambda shape: shape.place)
    assert [shape.id for shape in order] == ["player-ben", "player-cy", "player-ana"]
    [led, takes], [place] = called(scene, "table-"), called(scene, "place-")
    assert (led.label, takes.label, place.look) == ("10", "1", "turn")
    assert led.place[0] < takes.place[0] < place.place[0]
    assert takes.place[1] == led.place[1] == place.place[1]
    [crown] = called(scene, "takes")
    assert takes.place[0] < crown.place[0] < place.place[0]
    alone = shown({**view, "asked": "card", "table": [["ben", "octopus"]], "turn": "cy"})
    assert not called(alone, "takes")
    between = shown({**view, "asked": "card", "table": [], "turn": "ben"})
    looks = {place.id: place.look for place in called(between, "place-")}
    site = "site onsea"
    assert looks == {"place-ben": "turn", "place-cy": site, "place-ana": site}


@pytest.mark.parametrize(
    ("boats", "far"), [((0, 0, 0), 0), ((5, 8, 6), 3), ((0, 24, 6), 24), ((1, 27, 6), 24)]
)
def test_the_race_is_the_way_from_the_last_boat_to_the_first(
    boats: tuple[int, ...], far: int
) -> None:
    """It is a whole ring once the last boat is lapped."""
    view = {**laid(), "seats": ["ana", "ben", "cy"]}
    view["boats"] = dict(zip(view["seats"], boats, strict=True))
    view["leader"] = view["seats"][boats.index(max(boats))] if far else None
    race = [shape.place for shape in called(shown(view), "race")]
    fields = 2 * len(view["route"])
    turned = sum(turn for *_, turn in race)
    assert turned * fields / 360 == pytest.approx(min(far, fields), abs=0.05)
    crowned = called(shown(view), "first")
    assert len(crowned) == (view["leader"] is not None)
    for crown in crowned:  # beside its boat, and on no dolphin
        [boat] = called(shown(view), f"boat-{view['leader']}")
        assert math.dist(boat.place[:2], crown.place[:2]) < 50
        dolphins = [box(each) for each in called(shown(view), "dolphin-")]
        assert all(apart(each, (*crown.place[:2],) * 2) for each in dolphins)
