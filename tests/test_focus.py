"""Whoever has only a keyboard: each thing on the board that can be clicked is a stop of the Tab key
with a role and a name, and nothing else there is; in Chromium and, if it is there, in Firefox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import Room
from test_browser import browser, write_page
from test_pages import Parsed, offered
from test_sealed_phones import phone

assert browser  # fixtures
assert phone

TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"
AT = """const here = document.activeElement, shape = here.closest("#page-shapes") ? here.id : "";
const about = ["role", "aria-label"].map((name) => here.getAttribute(name));
return here === document.body ? null : [shape, ...about]"""

IN_BOTH = pytest.mark.parametrize("phone", ["chromium", "firefox"], indirect=True)


@pytest.fixture
def page(phone: Any, room: Room, tmp_path: Path) -> dict[str, Any]:
    """White's turn, opened; gives what its script knows of it."""
    file = tmp_path / "page.html"
    write_page(room.log, file, "--as", "white")
    phone.get(file.as_uri())
    order: dict[str, Any] = Parsed(file.read_text(encoding="utf-8")).moments["order"]
    return order


@IN_BOTH
def test_the_tab_key_stops_at_what_can_be_clicked_and_at_nothing_else_of_the_board(
    phone: Any, page: dict[str, Any]
) -> None:
    stops = []
    for _ in range(150):
        phone.press(TAB)
        at = phone.run(AT)
        if at is None or at in stops:
            break
        if at[0]:
            stops.append(at)
    assert {shape for shape, *_ in stops} == set(offered(page))
    assert {role for _, role, _ in stops} == {"button"}
    assert all(name for *_, name in stops)


@IN_BOTH
def test_enter_chooses_a_thing_and_escape_takes_it_back(phone: Any, page: dict[str, Any]) -> None:
    card = next(shape for shape in offered(page) if shape.startswith("hand-white-"))
    phone.run("document.getElementById(arguments[0]).focus()", card)
    for key, pressed in ((ENTER, "true"), (ESCAPE, "false"), (ENTER, "true"), (ENTER, "false")):
        phone.press(key)
        shown = "return document.getElementById(arguments[0]).getAttribute('aria-pressed')"
        assert phone.run(shown, card) == pressed
    assert phone.run(AT)[0] == card
    phone.press(ENTER)
    phone.press(TAB)  # to where the card may be used, though lines come before cards
    assert phone.run("return document.activeElement.matches('.choice:not([id^=hand-])')")
