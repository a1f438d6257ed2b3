"""Pictures that a game has drawn itself: shapes, paths and text are kept, and nothing else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Room, dealt, pbem
from outside import brought

import pbem as house

HERE = Path(__file__).parent / "orders_game"
BOAT = 'd="M-18-2H18Q14 12 0 12-14 12-18-2ZM-2-5V-26L14-8Z"'


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


@pytest.fixture
def two(tmp_path: Path) -> Room:
    return dealt(tmp_path, "skerries", ("ana", "ben"))


def painted(monkeypatch: pytest.MonkeyPatch, text: str) -> str:
    """A picture of Skerries that is drawn like this."""
    table = house.Table.start("skerries", ("ana", "ben"))
    monkeypatch.setattr(sys.modules["skerries"], "svg", lambda view: text)
    return house.Table.start("skerries", ("ana", "ben")).picture() if table else ""


def test_a_game_draws_its_own_board_for_posts_and_pages(two: Room, tmp_path: Path) -> None:
    shown = pbem("show", two.log, "--format", "svg").out
    assert shown.count(BOAT) == 6
    assert "6 boats among 16 isles" in shown
    ElementTree.fromstring(shown)
    assert pbem("page", two.log, "-o", tmp_path / "p.html").code == 0
    page = (tmp_path / "p.html").read_text()
    assert page.count(BOAT) >= 6
    two.says("ana", "b1-c1; done")
    two.says("ben", "done")
    assert "translate(260 60)" in pbem("show", two.log, "--format", "svg").out


def test_what_stays_as_it_is_comes_once_and_is_clicked_by_its_id(two: Room, tmp_path: Path) -> None:
    game, page = sys.modules["skerries"], tmp_path / "p.html"
    drawn = game.svg

    def with_orders(view: Mapping[str, Any]) -> str:
        sent = "".join(f"<text>{text}</text>" for text in view["orders"]["ana"])
        return str(drawn(view).replace("</svg>", f"{sent}</svg>"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "svg", with_orders)
        assert pbem("page", two.log, "--as", "ana", "-o", page).code == 0
    told = page.read_text()
    assert len(told) < 350_000
    assert told.count('<g id="own-isle-c1"') == 1
    moves, ids = (
        json.loads(re.search(rf'"{key}":(\[.*?\]\]?),"', told)[1]) for key in ("moves", "ids")
    )  # type: ignore[index]
    on = {text: [ids[each] for each in clicked] for text, clicked in moves}
    assert on["a1-b1"] == ["own-isle-a1", "own-isle-b1"]
    assert on["b1 holds"] == ["own-isle-b1"]
    assert on["done"] == []


KEPT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><g fill="red">%s</g></svg>'
HOSTILE = {
    "a script": ("<script>alert(1)</script>", "alert"),
    "what happens on a click": ('<path d="M0 0" onclick="alert(1)"/>', "alert"),
    "what happens when it is there": ('<g onload="alert(1)"/>', "onload"),
    "a link": ('<a href="https://evil.example"><text>x</text></a>', "evil"),
    "a link of old": (
        '<text xmlns:l="http://www.w3.org/1999/xlink" l:href="https://evil.example">x</text>',
        "evil",
    ),
    "a picture from elsewhere": ('<image href="https://evil.example/x.png"/>', "evil"),
    "something used": ('<use href="https://evil.example/#x"/>', "evil"),
    "HTML in it": (
        '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
        "<b",
    ),
    "a style": ("<style>@import url(https://evil.example)</style>", "evil"),
    "a style of one's own": (
        '<path d="M0 0" style="background:url(https://evil.example)"/>',
        "evil",
    ),
    "a reference in a colour": ('<path d="M0 0" fill="url(https://evil.example#x)"/>', "evil"),
    "a reference in capitals": ('<path d="M0 0" fill="URL(#x)"/>', "URL"),
    "a name that others have": ('<path id="desc" class="halo" d="M0 0"/>', "halo"),
    "something that moves": (
        '<animate attributeName="href" to="javascript:alert(1)"/>',
        "javascript",
    ),
    "the end of the picture in a text": (
        "<text>&lt;/svg&gt;&lt;script&gt;alert&lt;/script&gt;</text>",
        "<script",
    ),
    "a set of words": ('<switch><text systemLanguage="en">x</text></switch>', "systemLanguage"),
}


@pytest.mark.parametrize(("inner", "never"), HOSTILE.values(), ids=HOSTILE)
def test_what_could_run_or_load_anything_is_left_out(
    monkeypatch: pytest.MonkeyPatch, inner: str, never: str
) -> None:
    shown = painted(monkeypatch, KEPT % f'{inner}<circle cx="7" cy="7" r="5"/>')
    assert never not in shown
    assert '<circle cx="7" cy="7" r="5">' in shown, "the rest is kept"
    ElementTree.fromstring(shown)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no picture",
        "<svg>",
        '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 9"/>',
        '<html xmlns="http://www.w3.org/1999/xhtml" viewBox="0 0 9 9"/>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 9 9">&a;</svg>',
        f'<svg viewBox="0 0 9 9"><text>{"x" * 1_000_000}</text></svg>',
    ],
)
def test_what_is_no_picture_is_the_packages_fault(
    two: Room, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    import skerries  # type: ignore[import-not-found]

    monkeypatch.setattr(skerries, "svg", lambda view: text)
    done = pbem("show", two.log, "--format", "svg")
    assert done.code == 70
    assert "pbem-skerries 1.0 is at fault: svg gives" in done.err
    assert done.err.count("\n") == 1
    assert pbem("show", two.log).code == 0, "the rest of the match is told as ever"


def test_a_thousand_groups_in_each_other_stop_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "<g>" * 20_000 + "</g>" * 20_000
    assert "circle" in painted(monkeypatch, KEPT % f'{deep}<circle r="1"/>')
