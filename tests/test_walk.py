"""The game on the page about adding games is made from that page, checked and played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import dealt, pbem
from outside import brought

from pbem.pictures import figures, palette
from pbem.play import guest
from pbem.testing import laws_of_form

PAGE = (Path(__file__).parents[1] / "docs" / "new-game.md").read_text("utf-8")


@pytest.fixture
def odds(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "package"
    for name, text in re.findall(r"^```\w+\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert sum(1 for path in folder.rglob("*") if path.is_file()) == 6
    with brought(folder):
        yield folder


def test_the_game_on_the_page_keeps_every_promise_within_a_hundred_lines(odds: Path) -> None:
    done = pbem("games", "--check", "odds")
    assert done.code == 0, done.out
    code = (odds / "odds" / "__init__.py").read_text()
    assert sum(1 for line in code.splitlines() if line.strip()) < 100


def test_the_game_on_the_page_is_played_as_it_says(odds: Path, tmp_path: Path) -> None:
    assert (
        pbem("new", "odds", "--seat", "odd=Ana", "--seat", "even=Ben", "--dir", tmp_path).code == 0
    )
    log = tmp_path / "odds-1.pbem.yaml"
    assert pbem("submit", log, "--from", "even", stdin="show 1").code == 0
    assert "show 1" not in log.read_text()
    assert "Ana wins [O-2]." in pbem("submit", log, "--from", "odd", stdin="SHOW 2").out
    for key in ((), ("--key", tmp_path / "odds-1.desk.yaml")):
        assert pbem("verify", log, *key).code == 0


def test_the_scene_on_the_page_is_painted_and_keeps_the_promises(
    odds: Path, tmp_path: Path
) -> None:
    [scene] = re.findall(r"^```python\n(from pbem\.rules\.row .*?)^```$", PAGE, re.M | re.S)
    code = odds / "odds" / "__init__.py"
    code.write_text(f"{code.read_text()}\n\n{scene}")
    assert pbem("games", "--check", "odds", "--matches", 2).code == 0
    room = dealt(tmp_path, "odds", ("odd", "even"))
    room.says("even", "show 1")
    looks = re.findall(
        r'<g id="((?:row|card)-\w+)" class="([\w ]+)"',
        pbem("show", room.log, "--format", "svg").out,
    )
    assert looks == [
        *(("row-odd", "turn"), ("card-odd", "card")),
        *(("row-even", "panel"), ("card-even", "card back came")),
    ]


def test_no_plan_of_the_game_on_the_page_waits_for_any_move(odds: Path, tmp_path: Path) -> None:
    room = dealt(tmp_path, "odds", ("odd", "even"))
    answer = room.says("even", "[move]\nif odd plays *: show 1\n[/move]")
    assert "sealed" in str(answer.troubles)


def test_every_constant_a_game_may_have_is_told() -> None:
    for name in (*guest.CONSTANTS, *laws_of_form._MAY_SAY, "KINDS"):
        assert f"`{name}`" in PAGE, name


MARKS = {"halo", "edge", "marked", "went", "trail", "cross", "slip", "high", "land", "low"}
"""What the house paints of its own: what has changed, and light upon land."""
PARTS = {"casing", "core", "stripe", "note"}
"""What lines and labels are painted of, whatever they look like."""


def test_every_figure_colour_and_look_is_told() -> None:
    looks = set(re.findall(r"\.(?!art-)([a-z]+)", palette.sheet(palette.THEMES["light"])))
    looks -= {*palette.HUES, *MARKS, *PARTS, "text"}
    of_kahuna = {"chart", "spot", *map(str.lower, figures.ISLANDS)}
    for name in {*figures.FIGURES, *palette.HUES, *looks} - of_kahuna - MARKS:
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", PAGE), name
