"""The map of Kahuna can be read back from its characters alone."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pbem.files import data
from pbem.rules.canvas import Mark, Point, middle, paint, straight
from pbem.rules.kahuna.board import AT, BIT, DATA, ENDS, ISLANDS, LINES, SEATS, controls
from pbem.rules.kahuna.picture import draw

BOARD = data.game_file(DATA, "board")
CENTRE = {island["name"]: Point(*island["ascii"]) for island in BOARD["islands"]}
CODE = {line["line"]: line["code"] for line in BOARD["lines"]}
OWNER = {"o": "white", "#": "black"}


def position(seed: int) -> dict[str, dict[str, str]]:
    """Any bridges at all, from none to one on every line, and who controls what."""
    rng = random.Random(seed)
    share = rng.random() * 1.2
    bridges = {line: rng.choice(SEATS) for line in LINES if rng.random() < share}
    own = {s: sum(BIT[line] for line, owner in bridges.items() if owner == s) for s in SEATS}
    control = {i: s for i in ISLANDS for s in SEATS if controls(own[s], i)}
    return {"bridges": bridges, "control": control}


@cache
def cells(line: str) -> set[Point]:
    """Where a line may leave a mark."""
    start, end = (CENTRE[island] for island in ENDS[line])
    return {mark.at for dense in (True, False) for mark in straight(start, end, "x", dense=dense)}


def code_at(line: str) -> Point:
    return middle(*(CENTRE[island] for island in ENDS[line]))


@cache
def covered() -> set[Point]:
    """Where islands and codes stand."""
    boxes = {Point(x + n, y) for x, y in CENTRE.values() for n in range(-4, 4)}
    codes = {Point(x + n, y) for x, y in map(code_at, LINES) for n in (0, 1)}
    return boxes | codes


@cache
def own_cells(line: str) -> set[Point]:
    """The cells that belong to this line and to nothing else."""
    return cells(line) - covered() - set().union(*(cells(o) for o in LINES if o != line))


def read_back(picture: list[str]) -> dict[str, dict[str, str]]:
    bridges, control = {}, {}
    rows = [row.ljust(BOARD["columns"]) for row in picture]
    text = "\n".join(rows)
    for line in LINES:
        seen = Counter(rows[y][x] for x, y in own_cells(line))
        x, y = code_at(line)
        code = rows[y][x : x + 2]
        if code == CODE[line].upper():
            (char,) = set(seen) - {" "}
            bridges[line] = OWNER[char]
        else:
            assert code == CODE[line]
            assert set(seen) <= {".", " "}
            assert seen["."] >= 2
    for island, sign in re.findall(r"\[(\w+) (.)\]", text):
        if sign.isalpha():
            control[island] = {"W": "white", "B": "black"}[sign]
        else:
            assert int(sign) == AT[island].bit_count()
    return {"bridges": bridges, "control": control}


def test_every_bridge_and_every_controller_can_be_read_from_the_picture() -> None:
    for seed in range(300):
        shown = position(seed)
        assert read_back(draw(shown)) == shown, seed


def test_every_line_shows_at_least_four_cells_of_its_own() -> None:
    assert {line: len(own_cells(line)) for line in LINES if len(own_cells(line)) < 4} == {}


@pytest.mark.parametrize("seed", range(20))
def test_the_picture_is_ascii_of_at_most_72_columns_and_24_rows(seed: int) -> None:
    picture = draw(position(seed))

    assert len(picture) <= 24
    for row in picture:
        assert row.isascii()
        assert len(row) <= 72
        assert row == row.rstrip()


def test_every_island_is_named_once() -> None:
    picture = "\n".join(draw(position(0)))

    assert sorted(re.findall(r"\[(\w+) .\]", picture)) == list(ISLANDS)


# ------------------------------------------------------------------------------ the canvas


def test_later_marks_cover_earlier_ones() -> None:
    assert paint([Mark(Point(0, 0), "abc"), Mark(Point(1, 0), "X")], 4, 1) == ["aXc"]


@pytest.mark.parametrize("at", [Point(-1, 0), Point(0, -1), Point(2, 0), Point(0, 2)])
def test_a_mark_beside_the_canvas_is_refused(at: Point) -> None:
    with pytest.raises(ValueError, match="does not fit on 3 by 2"):
        paint([Mark(at, "ab")], 3, 2)


@pytest.mark.parametrize(
    ("start", "end", "dense", "drawn"),
    [
        (Point(0, 0), Point(4, 0), True, ["xxxxx"]),
        (Point(0, 0), Point(4, 0), False, ["x x x"]),
        (Point(0, 0), Point(0, 2), False, ["x", "x", "x"]),
        (Point(2, 0), Point(0, 2), True, ["  x", " x", "x"]),
        (Point(1, 0), Point(1, 0), True, [" x"]),
    ],
)
def test_a_straight_line(start: Point, end: Point, dense: bool, drawn: list[str]) -> None:
    assert paint(straight(start, end, "x", dense=dense), 5, len(drawn)) == drawn


def test_the_rules_show_the_map_as_it_is_drawn() -> None:
    drawn = "\n".join(draw({"bridges": {}, "control": {}}))
    rules = (Path(DATA) / "RULES.md").read_text(encoding="utf-8")
    assert f"```\n{drawn}\n```" in rules
