"""The language of change: what came, what went and what moved, the same in pictures and pages."""

from __future__ import annotations

import importlib
import json
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import pbem as pbem_
from long import many
from outside import brought
from test_pages import page_of

import pbem
from pbem.log.match import Replay
from pbem.pictures import board, svg
from pbem.pictures.change import differing
from pbem.report import pages
from pbem.sentence import say
from pbem.shapes import Scene, Shape

ARCHIVE = Path(__file__).parent / "archive"
LOGS = sorted(ARCHIVE.glob("*.pbem.yaml"))
SVG = "{http://www.w3.org/2000/svg}"

every_log = pytest.mark.parametrize("log", LOGS, ids=[path.name.split(".")[0] for path in LOGS])

Marked = dict[str, list[str]]


def marked(svg: str) -> Marked:
    """The ids of the groups of a picture that have a mark, by mark."""
    found: Marked = {"came": [], "moved": [], "went": []}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        for mark in (group.get("class") or "").split():
            if mark in found:
                found[mark].append(group.get("id") or "")
    return {mark: sorted(ids) for mark, ids in found.items()}


def moments(page: str) -> tuple[list[str], Any]:
    """The anchors of a page's moments, and what its script works on."""
    anchors = re.findall(r'<li id="([^"]*)"', page)
    return anchors, json.loads(re.search(r'id="page-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]


def on_page(data: Any, marks: Any) -> Marked:
    """What the script of a page marks."""
    ids = [re.search('id="([^"]*)"', cel)[1] for cel in data["cels"]]  # type: ignore[index]
    came, moved, went = marks
    return {
        "came": sorted(ids[cel] for cel in came),
        "moved": sorted(ids[cel] for cel, *_ in moved),
        "went": sorted(f"went-{ids[cel]}" for cel, *_ in went),
    }


@every_log
def test_a_page_marks_what_a_picture_since_the_moment_before_marks(log: Path) -> None:
    page_and_picture_agree(Replay.read(str(log)), page_of(log), many(60, 3))


def laid_out(view: dict[str, Any]) -> Scene:
    """A board of Pearls: the display, and what each player has laid."""
    rows = {"display": view["display"], **view["laid"]}
    cards = [
        Shape(
            f"{row}-{n}",
            "box",
            (60 * n, 90 * nth, 50, 80),
            "card",
            card,
            says=say("{card} lies in the row of {row}.", card=card, row=row),
            kin=f"{row}-{card}",
        )
        for nth, (row, held) in enumerate(rows.items())
        for n, card in enumerate(held)
    ]
    return Scene(600, 90 * len(rows), tuple(cards))


def test_a_page_and_a_picture_of_a_game_from_outside_mark_the_same(tmp_path: Path) -> None:
    with brought(Path(__file__).parent / "card_game"):
        importlib.import_module("pearls").scene = laid_out  # type: ignore[attr-defined]
        log = tmp_path / "m.pbem.yaml"
        assert pbem_("simulate", "pearls", "--seed", 3, "--out", log).code == 0
        now = Replay.read(str(log))
        page = pages.page(now)
        page_and_picture_agree(now, page, 1)
        marks = [kinds for kinds in moments(page)[1]["marks"] if kinds]
        assert any(came for came, *_ in marks)
        assert any(went for *_, went in marks)


def page_and_picture_agree(now: Replay, page: str, step: int) -> None:
    """At the end, and at each ply that `step` divides."""
    anchors, data = moments(page)
    live = {f"ply-{ply.number}": ply.number for ply, _ in now.plies}
    assert on_page(data, data["last"]) == marked(board.picture(now))
    before = 0
    for nth, anchor in enumerate(anchors):
        # What was taken back stands in no later log.
        if anchor in live and anchors[nth - 1] in (*live, "ply-0") and live[anchor] % step == 0:
            then = Replay.of(now.log, now.keyring, at=live[anchor])
            painted = board.picture(then, since=before)
            assert on_page(data, data["marks"][nth]) == marked(painted), anchor
        before = live.get(anchor, before)


@every_log
def test_marks_are_what_a_comparison_of_two_positions_gives(log: Path) -> None:
    """What a scene says of its things, counted, is all that there is to compare."""
    now = Replay.read(str(log))
    scenes = []
    for ply in range(0, now.position.ply + 1, max(1, now.position.ply // 40)):
        then = Replay.of(now.log, now.keyring, at=ply)
        scenes.append(board.scene(then.game, then.game.view(then.state)))
    for before, after in pairwise(scenes):
        change = differing(before, after)
        was, is_ = told(before), told(after)
        new, gone = is_ - was, was - is_
        marks = [*change.came, *(name for name, _ in change.moved)]
        assert Counter(map(says(after).__getitem__, marks)) == new
        crosses = [went.crossed()[0] + went.aside[0] for went in change.went]
        assert all(12 <= x <= after.width - 12 for x in crosses)
        ghosts = Counter(str(went.shape.says) for went in change.went)
        assert ghosts <= gone
        # Where a trick is under way, its places leave no room for the cards of the one before.
        ghostless = [said for said in (gone - ghosts).elements() if "has played" not in said]
        assert len(ghostless) <= new.total()


def told(scene: Scene) -> Counter[str]:
    return Counter(says(scene).values())


def says(scene: Scene) -> dict[str, str]:
    return {s.id: str(s.says) for s in scene.shapes if s.says and s.form != "text"}


def kahuna(**view: Any) -> Scene:
    table = pbem.Table.at("kahuna", {"display": ["DUDA", "KAHU", "LALE"], **view})
    return board.scene(table._game, table.view())


@pytest.mark.parametrize(
    ("before", "after", "came", "went"),
    [
        ({}, {"bridges": {"BARI-DUDA": "white"}}, {"line-BARI-DUDA"}, set()),
        ({"bridges": {"BARI-DUDA": "white"}}, {}, set(), {"line-BARI-DUDA"}),
        (
            {"bridges": {"BARI-DUDA": "white"}},
            {"bridges": {"BARI-DUDA": "black"}},
            {"line-BARI-DUDA"},
            {"line-BARI-DUDA"},
        ),
        (
            {"bridges": {"ALOA-BARI": "white", "ALOA-DUDA": "white"}},
            {"bridges": {"ALOA-BARI": "white"}},
            set(),
            {"line-ALOA-DUDA", "stone-ALOA"},
        ),
        (
            {"hands": {"white": ["ALOA", "BARI"]}},
            {"hands": {"white": ["BARI"]}},
            set(),
            {"hand-white-ALOA"},
        ),
        (
            {"display": ["ALOA", "BARI", "COCO"]},
            {"display": ["BARI", "COCO", "DUDA"]},
            {"display-3"},
            {"display-1"},
        ),
        (
            {"display": ["ALOA", "BARI", "COCO"]},
            {"display": ["BARI", "COCO"]},
            set(),
            {"display-1"},
        ),
    ],
)
def test_what_changed_is_marked_and_what_made_room_is_not(
    before: dict[str, Any], after: dict[str, Any], came: set[str], went: set[str]
) -> None:
    change = differing(kahuna(**before), kahuna(**after))
    assert change.came - {"pile-draw"} == came
    assert {each.shape.id for each in change.went} == went
    assert not change.moved


def test_each_ghost_lies_where_it_can_be_seen() -> None:
    """Not below another, nor below what has come in its place."""
    before = kahuna(bridges={"BARI-DUDA": "black"}, hands={"white": ["ALOA", "BARI", "DUDA"]})
    after = kahuna(bridges={"BARI-DUDA": "white"}, hands={"white": ["ALOA"]})
    ghosts = {each.shape.id: each for each in differing(before, after).went}
    asides = [ghosts[f"hand-white-{card}"] for card in ("BARI", "DUDA")]
    one, other = (each.shape.place[0] + each.aside[0] for each in asides)
    assert abs(one - other) >= asides[0].shape.place[2]
    line = ghosts["line-BARI-DUDA"]
    x, y, to_x, to_y = line.shape.place
    across, down = line.aside
    assert math.hypot(across, down) >= 25
    assert abs(across * (to_x - x) + down * (to_y - y)) <= math.hypot(to_x - x, to_y - y)


def test_a_ghost_lies_on_what_the_card_lay_on_or_nowhere() -> None:
    """Where two offerings are swapped, what has come is marked, and nothing lies in the sea."""
    now = Replay.read(str(ARCHIVE / "bambus-four.pbem.yaml"))
    scenes = [
        board.scene(then.game, then.game.view(then.state))
        for ply in range(150, 240, 3)
        for then in [Replay.of(now.log, now.keyring, at=ply)]
    ]
    ghosts = [went for pair in pairwise(scenes) for went in differing(*pair).went]
    lying = [went for went in ghosts if went.shape.id.startswith("tile-")]
    assert lying
    islands = {s.id: s.place for s in scenes[0].shapes if s.form == "polygon"}
    for went in lying:
        shore = islands[f"island-{went.shape.id.split('-')[1]}"]
        x, y = (a + b for a, b in zip(went.shape.place, went.aside, strict=False))
        assert min(shore[::2]) <= x
        assert x + went.shape.place[2] <= max(shore[::2])
        assert min(shore[1::2]) <= y


def test_a_ghost_on_an_island_keeps_off_fish_and_its_cross_off_what_it_was() -> None:
    now = Replay.read(str(ARCHIVE / "bambus-four.pbem.yaml"), at=255)
    then = board.earlier(now)
    scenes = [board.scene(each.game, each.game.view(each.state)) for each in (then, now)]
    [ghost] = differing(*scenes).went
    (x, y, wide, high), (across, down) = ghost.shape.place, ghost.aside
    for fish in (shape for shape in scenes[1].shapes if shape.id.startswith("fish-")):
        off = abs(fish.place[0] - x - across - wide // 2), abs(fish.place[1] - y - down - high // 2)
        assert max(off) > 17, fish.id
    cross = ghost.crossed()
    assert cross[1] < y + 10
    assert min(cross[0] - x, x + wide - cross[0]) < 10


def test_a_thing_of_one_kin_has_moved_wherever_its_id_says_it_is() -> None:
    from pbem.sentence import say

    def scene(place: str, x: int) -> Scene:
        says = say("A pawn of red is on {place}.", place=place)
        look = Shape(f"pawn-red-{place}", "figure", (x, 50, 0), "pawn", says=says, kin="pawn-red")
        return Scene(100, 100, (look,))

    change = differing(scene("A", 20), scene("B", 80))
    assert change == (frozenset(), (("pawn-red-B", (20, 50)),), ())
    assert differing(scene("A", 20), scene("A", 30)) == (frozenset(), (), ())


def test_show_marks_what_changed_since_a_ply() -> None:
    log = ARCHIVE / "kahuna-thames-kosmos.pbem.yaml"
    by_default = pbem_("show", log, "--at", 60, "--format", "svg").out
    for since in (0, 30, 59):
        painted = pbem_("show", log, "--at", 60, "--since", since, "--format", "svg").out
        now = Replay.read(str(log))
        then, base = (Replay.of(now.log, now.keyring, at=ply) for ply in (60, since))
        built = then.game.view(then.state)["bridges"].items()
        stood = base.game.view(base.state)["bridges"].items()
        lines = {name for name in marked(painted)["came"] if name.startswith("line-")}
        assert lines == {f"line-{line}" for line, _ in built - stood}
        ghosts = {name for name in marked(painted)["went"] if name.startswith("went-line-")}
        assert ghosts == {f"went-line-{line}" for line, _ in stood - built}
    assert marked(by_default) == marked(board.picture(Replay.of(now.log, now.keyring, at=60)))
    assert pbem_("show", log, "--since", 9999, "--format", "svg").code == 2


def test_somebody_who_teaches_points_at_shapes_and_from_one_place_to_another() -> None:
    table = pbem.Table.start("kahuna")
    painted = ET.fromstring(
        table.picture(marks={"line-ALOA-BARI"}, arrows=[("ALOA", "DUDA"), ("DUDA", "ELAI")])
    )
    looks = {
        group.get("id"): (group.get("class") or "").split() for group in painted.iter(f"{SVG}g")
    }
    assert "marked" in looks["line-ALOA-BARI"]
    assert looks["arrow-ALOA-DUDA"] == looks["arrow-DUDA-ELAI"] == ["arrow"]
    for wrong in ({"marks": ["line-ALOA-LALE"]}, {"arrows": [("ALOA", "OAHU")]}):
        with pytest.raises(pbem.Problem, match="nothing on this board is called"):
            table.picture(**wrong)  # type: ignore[arg-type]


def test_a_note_points_at_what_is_on_the_board(tmp_path: Path) -> None:
    log = tmp_path / "running.pbem.yaml"
    for kind in ("pbem", "desk"):
        name = f"running.{kind}.yaml"
        (tmp_path / name).write_bytes((ARCHIVE / name).read_bytes())
    text = "See [line-ALOA-BARI], [ALOA>DUDA], [K-17] and [nothing>here]."
    assert pbem_("rule", log, "note", "--text", text).code == 0
    anchors, data = moments(pages.page(Replay.read(str(log))))
    [(nth, (cels, arrows))] = data["points"].items()
    assert anchors[int(nth)].startswith("ruling-")
    assert ['id="line-ALOA-BARI"' in data["cels"][cel] for cel in cels] == [True]
    assert ['id="arrow-ALOA-DUDA" class="arrow"' in arrow for arrow in arrows] == [True]


ARC = re.compile(r"M(\d+) (\d+)A(\d+) \d+ 0 ([01]) ([01]) (\d+) (\d+)")


def test_an_arrow_on_a_ring_leads_around_it_clockwise_and_hides_nothing_in_its_middle() -> None:
    ring, far = (360, 376), 300
    at = {  # east, south, west, north
        nth: (ring[0] + round(far * math.cos(turn)), ring[1] + round(far * math.sin(turn)))
        for nth, turn in enumerate(math.tau * quarter / 4 for quarter in range(4))
    }
    for start, end in ((0, 2), (2, 0), (1, 3), (1, 0), (0, 3)):
        drawn = str(svg.arrow(at[start], at[end], ring))
        [x, y, radius, large, clockwise, to_x, to_y] = map(int, ARC.findall(drawn)[0])
        # Inside what stands on its way, and close to it.
        assert abs(radius - far) == 34
        assert all(abs(math.dist(way, ring) - radius) < 2 for way in ((x, y), (to_x, to_y)))
        assert clockwise == 1
        assert large == ((end - start) % 4 > 2)
