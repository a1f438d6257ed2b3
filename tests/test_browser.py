"""The page in a real browser, a headless Chromium: see chromium.py.

Needs the extra `browser`, Chromium and its driver; PBEM_BROWSER=required makes them a must.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from chromium import browser
from commands import Room, dealt, pbem

from pbem.desk import begin
from pbem.desk.seats import Player
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.pictures.palette import THEMES
from pbem.play import judge
from pbem.report import turn

ARCHIVE = Path(__file__).parent / "archive"
assert browser  # a fixture


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens pages, on a device that remembers none. In the end none of them has asked anybody for
    anything, or failed."""
    logged(browser)
    browser.get(Path(__file__).as_uri())
    browser.execute_script("localStorage.clear()")
    numbers = count()

    def show(
        log: Path, *options: object, mark: str = "", width: int = 1000, height: int = 900
    ) -> Any:
        file = tmp_path / f"page-{next(numbers)}.html"  # or only its mark would be another
        write_page(log, file, *options)
        resized(browser, width, height)
        browser.get(f"{file.as_uri()}{mark}")
        return browser

    yield show
    assert browser.execute_script("return window.violations") == []
    assert browser.get_log("browser") == []
    assert {urlsplit(url).scheme for url in logged(browser)} <= {"file", "data", "about"}


def resized(browser: Any, width: int, height: int = 900) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


MADE: dict[tuple[object, ...], bytes] = {}
"""Pages by all that they are made of: the same one is wanted again and again."""


def write_page(log: Path, file: Path, *options: object) -> None:
    files = (log, log.with_name(log.name.replace(".pbem.", ".desk.")))
    read = [each.read_bytes() if isinstance(each, Path) else each for each in (*files, *options)]
    read.append(turn.ROOM)
    if tuple(read) not in MADE:
        done = pbem("page", log, "-o", file, *options)
        assert done.code == 0, done.printed
        MADE[tuple(read)] = file.read_bytes()
    file.write_bytes(MADE[tuple(read)])


def logged(browser: Any) -> list[str]:
    """Where the browser has sent requests to since it was asked last."""
    entries = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        entry["params"]["request"]["url"]
        for entry in entries
        if entry["method"] == "Network.requestWillBeSent"
    ]


def one(page: Any, selector: str) -> Any:
    return page.find_element("css selector", selector)


def every(page: Any, selector: str) -> list[Any]:
    return list(page.find_elements("css selector", selector))


def press(page: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(page).send_keys(*keys).perform()


def waits(until: Callable[[], object]) -> None:
    for _ in range(3000):  # a minute, should the machine be busy
        if until():
            return
        time.sleep(0.02)
    raise AssertionError("nothing came of it")


def current(page: Any) -> str:
    return str(one(page, ".news [aria-current]").get_attribute("id"))


def looks(page: Any, shape: str, *words: str) -> bool:
    """Is the shape painted like this?"""
    look = one(page, f"#page-shapes [id='{shape}']").get_attribute("class")
    return set(words) <= set(look.split())


# ------------------------------------------------------------------------- going through it


def test_keys_and_buttons_step_through_the_match(opened: Callable[..., Any]) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(ARCHIVE / "running.pbem.yaml")
    assert current(page) == "ply-16"
    assert looks(page, "line-COCO-GOLA", "bridge", "black", "came")
    press(page, Keys.ARROW_LEFT)
    assert current(page) == "ply-15"
    assert looks(page, "line-COCO-GOLA", "way")
    assert looks(page, "line-BARI-FAAA", "bridge", "black", "came")
    spent = ".controls [aria-disabled=true]"
    press(page, Keys.HOME)
    assert current(page) == "ply-0"
    assert [each.get_attribute("data-go") for each in every(page, spent)] == ["first", "back"]
    one(page, "[data-go=on]").click()
    assert not every(page, spent)
    assert current(page) == "ply-9"
    assert "COCO, GOLA and KAHU are turned face up." in one(page, ".now").text
    press(page, Keys.END)
    assert current(page) == "ply-16"
    assert [each.get_attribute("data-go") for each in every(page, spent)] == ["on", "last"]
    assert "COCO-GOLA carries a bridge of Ben." in one(page, "#page-says").get_attribute(
        "textContent"
    )
    waits(lambda: page.current_url.endswith("#ply-16"))


def test_play_goes_on_by_itself_until_it_is_stopped(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "running.pbem.yaml")
    page.execute_script(
        """window.setInterval = (act, time) => { window.each = { act, time }; return 1; };
        window.clearInterval = () => { window.each = null; };"""
    )
    press(page, " ")
    assert current(page) == "ply-0"
    assert page.execute_script("each.act(); return each.time") == 1200
    assert current(page) == "ply-9"
    press(page, " ")
    assert page.execute_script("return each") is None
    assert current(page) == "ply-9"


@pytest.mark.parametrize(
    ("mark", "leads_to"),
    [
        ("#ply-11", "ply-11"),
        ("#ply-4", "ply-9"),
        ("#ply-99", "ply-16"),
        ("#page-board", "ply-16"),
        ("#%E0", "ply-16"),
    ],
)
def test_a_link_leads_to_its_ply(opened: Callable[..., Any], mark: str, leads_to: str) -> None:
    page = opened(ARCHIVE / "running.pbem.yaml", mark=mark)
    assert current(page) == leads_to
    page.execute_script("location.hash = '#ply-12'")
    waits(lambda: current(page) == "ply-12")
    assert page.execute_script("return scrollY") == 0


def test_the_line_of_a_ply_leads_to_its_board(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "rulings.pbem.yaml")
    one(page, "#ply-18 a").click()
    assert current(page) == "ply-18"
    assert looks(page, "line-BARI-ELAI", "bridge", "black", "came")


def test_a_rule_is_shown_where_it_is_named(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "kahuna-thames-kosmos.pbem.yaml")
    cited = every(page, ".news .cited")[0]
    page.execute_script("arguments[0].scrollIntoView()", cited)
    cited.click()
    rule = one(page, f"[id='page-rule-{cited.text}']")
    assert rule.is_displayed()
    assert len(rule.text) > 30
    resized(page, 360, 740)
    for ply in range(7):  # in a phone's caption it is seen whole, and hit beside
        page.execute_script("document.querySelector('[data-go=back]').click(); scrollTo(0, 0)")
        rules = every(page, ".now .cited")
        assert len(rules) == (2, 0, 1, 0, 1, 0, 2)[ply]
        for named in rules:
            assert page.execute_script(NEAR, named) == f"page-rule-{named.text}"


NEAR = """
    const [chip, told] = [arguments[0].getBoundingClientRect(), document.querySelector(".now")];
    const { bottom } = told.getBoundingClientRect();
    if (chip.bottom > bottom - parseFloat(getComputedStyle(told).borderBottomWidth)) return "cut";
    const at = { bubbles: true, clientX: chip.x + chip.width / 2, clientY: chip.y - 9 };
    document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent("click", at));
    const shown = document.querySelector(":popover-open");
    shown?.hidePopover();
    return shown?.id;"""
"""What is shown at a click nine pixels above a rule, or that the rule is cut off."""


def test_light_and_dark(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "running.pbem.yaml")
    for theme in ("dark", "light"):
        one(page, ".theme").click()
        ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        red, green, blue = (int(THEMES[theme]["panel"][n : n + 2], 16) for n in (1, 3, 5))
        assert ground == f"rgb({red}, {green}, {blue})"


# --------------------------------------------------------------------------------- composing


@pytest.mark.parametrize(
    ("scheme", "themes"), [("light", ["contrast", "night"]), ("dark", ["night", "contrast"])]
)
def test_more_contrast_is_light_or_dark_as_the_page_is(
    opened: Callable[..., Any], scheme: str, themes: list[str]
) -> None:
    page = opened(ARCHIVE / "running.pbem.yaml")
    wishes = {"prefers-color-scheme": scheme, "prefers-contrast": "more"}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    look = "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])"
    for theme in (*themes, themes[0]):
        shown = {name: page.execute_script(look, f"--{name}") for name in THEMES[theme]}
        assert shown == THEMES[theme]
        one(page, ".theme").click()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_turn_is_clicked_together_on_the_board(opened: Callable[..., Any], room: Room) -> None:
    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    before = room.read("white").game.view(room.read("white").state)
    built = []
    while lines := every(page, "#page-shapes [id^=line].choice"):
        line = lines[0].get_attribute("id")
        page.execute_script(
            "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", lines[0]
        )
        if line not in built and not looks(page, line, "bridge"):  # several cards will do
            every(page, ".moves button")[0].click()
        assert looks(page, line, "bridge", "white", "came")
        built.append(line)
    assert built
    cards = every(page, "#page-shapes [id^=display].choice")
    assert {card.text for card in cards} == set(before["display"])
    taken = cards[0].text
    cards[0].click()
    assert one(page, ".complete").is_displayed()
    accepted(page, room, last=f"take {taken}")


def clicked(page: Any, shape: str) -> None:
    """Click on a shape, whatever lies over it."""
    page.execute_script(
        "document.getElementById(arguments[0]).dispatchEvent(new MouseEvent('click'))", shape
    )


def test_a_click_chooses_a_move_only_where_no_other_is_meant(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white")
    offered = [button.text for button in every(page, ".moves button")]
    clicked(page, "island-KAHU")
    left = [button.text for button in every(page, ".moves button")]
    assert left == [move for move in offered if "KAHU" in move and "take" not in move]
    assert len(left) > 1
    assert not every(page, ".chosen li")
    clicked(page, "hand-black-hidden")
    clicked(page, "seat-white")
    assert not every(page, ".chosen li")
    one(page, "#page-shapes [id=pile-draw]").click()
    assert [item.text for item in every(page, ".chosen li")] == ["draw"]
    assert one(page, ".complete").is_displayed()


def test_a_tap_on_one_s_own_pawn_or_its_island_leaves_the_verb_to_be_said(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    log, seat = late(tmp_path, "bambus-four", 123, *BERLIN)
    page = opened(log, "--as", seat, width=360, height=740)
    single = []
    for shape in shapes(page, "choice"):
        if not shape.startswith(("pawn", "island")):
            continue
        clicked(page, shape)
        assert shapes(page, "chosen") == {shape}
        single += [shape] * (len(every(page, ".moves button")) == 1)
        assert len(every(page, ".plain button")) >= 1
        clicked(page, shape)
    assert single
    one(page, f"[id='{single[0]}'] .hit").click()
    focus = """
        const held = document.activeElement;
        return [held.id, getComputedStyle(held).outlineStyle]"""
    assert page.execute_script(focus) == [single[0], "none"]  # a finger needs no frame
    refused = []  # by a name, and no rule
    tiles = every(page, "#page-shapes > [id^=tile]:not(.choice, .open)")
    for tile in [str(each.get_attribute("id")) for each in tiles]:
        touched(page, tile)
        refused += [line(page)] * ("no move with" in line(page))
    assert refused
    named = r"\w has \S+: no move with what you have chosen \((On \w: a pawn of \w+|\w)\)\."
    assert not [each for each in refused if not re.fullmatch(named, each)]


def test_a_line_between_two_cards_in_hand_asks_which_with_both_in_sight(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    page = opened(dealt(tmp_path, name="m7").log, "--as", "white", width=360, height=740)
    clicked(page, "line-GOLA-JOJO")
    assert line(page) == "Which card do you play?"
    assert not one(page, "#page-order").is_displayed()
    cards = every(page, ".plain button")
    assert sorted(each.text for each in cards) == ["GOLA", "JOJO"]
    send = one(page, ".mail").rect["x"]
    for each in cards:
        assert each.rect["y"] + each.rect["height"] <= 740
        assert each.rect["x"] + each.rect["width"] <= send
    played = cards[1].text
    cards[1].click()
    assert entered(page)[0].startswith(f"{played}-")


def test_with_a_pawn_chosen_whatever_lies_on_an_island_is_that_island(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    log, seat = late(tmp_path, "bambus-four", 121)
    page = opened(log, "--as", seat, width=360, height=740)
    for pawn in sorted(shape for shape in shapes(page, "choice") if shape.startswith("pawn-")):
        clicked(page, pawn)
        lit = {each.split("-")[1] for each in shapes(page, "choice") if each.startswith("island-")}
        tiles = [each for each in shapes(page, "open") if each.startswith("tile-")]
        if upon := [each for each in tiles if each.split("-")[1] in lit]:
            break
        clicked(page, pawn)
    clicked(page, upon[0])
    [move] = entered(page) or [each.text for each in every(page, ".plain button")]
    assert move == f"move {pawn.split('-')[2]}-{upon[0].split('-')[1]}"


def test_what_was_entered_last_and_what_passes_are_seen_whole(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    log, seat = late(tmp_path, "kahuna-thames-kosmos", 60)
    page = opened(log, "--as", seat, width=360, height=740)
    for n in (1, 2):
        page.execute_script("document.querySelector('.moves button').click()")
        bar = one(page, "#page-bar").rect
        assert len(entered(page)) == n
        shown = [every(page, ".chosen button")[-1], *every(page, ".plain button")]
        for each in shown:
            assert bar["y"] <= each.rect["y"]
            assert each.rect["y"] + each.rect["height"] <= 740
        row = one(page, ".row").rect
        assert row["height"] < 60
        assert shown[-1].rect["x"] + shown[-1].rect["width"] <= row["x"] + row["width"]


def test_what_can_be_robbed_is_a_button_beside_the_one_that_passes(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    log, seat = late(tmp_path, "bambus-four", 124)
    page = opened(log, "--as", seat, width=360, height=740)
    assert [each.text for each in every(page, ".plain button")] == ["rob Seat1 kane3", "pass"]
    one(page, ".plain button").click()
    assert one(page, ".now").text == "Not sent yet: rob Seat1 kane3"
    assert "\nrob seat1 kane3\n" in one(page, "#page-fence").get_attribute("value")


def test_a_turn_is_put_together_with_the_keyboard_alone(
    opened: Callable[..., Any], room: Room
) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    for _ in range(12):
        if every(page, ".mail[href]:focus"):
            break
        for _ in range(80):
            if every(page, ".moves button:focus"):
                break
            press(page, Keys.TAB)
        press(page, Keys.ENTER)
    assert every(page, ".complete")
    assert every(page, ".mail[href]:focus")
    accepted(page, room)


def accepted(page: Any, room: Room, last: str = "") -> None:
    """What the page gives is taken: as it stands in the field, and as it stands in the mail."""
    fence = one(page, "#page-fence").get_attribute("value")
    link = urlsplit(one(page, ".mail").get_attribute("href"))
    asked = parse_qs(link.query)
    assert unquote(link.path) == "desk@example.org"
    assert asked["subject"] == [f"[m {room.read().position}]"]
    assert asked["body"][0].replace("\r\n", "\n") == fence
    done = pbem("check", room.log, "--from", "white", "--json", stdin=fence)
    assert done.code == 0, done.printed
    assert done.json["understood"] == fence.splitlines()[1:-1]
    assert fence.splitlines()[-2].endswith(last)


def test_half_a_turn_is_sent_only_by_whoever_is_told_that_it_is_half(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    one(page, ".moves button").click()
    page.execute_script("document.querySelector('.mail').href = '#page-order'")  # opens nothing
    for told in ("Your turn is not over yet.", "Given to your mail program"):
        one(page, ".mail").click()
        assert line(page).startswith(told)


def test_a_step_can_be_undone(opened: Callable[..., Any], room: Room) -> None:
    page = opened(room.log, "--as", "white")
    offered = [button.text for button in every(page, ".moves button")]
    legal = judge.legal_moves(room.read("white").game, room.read("white").state, "white")
    texts = {room.read().game.notate(move) for move in legal}
    assert offered == sorted(texts, key=lambda text: (text == "pass", text))
    board = one(page, "#page-shapes").get_attribute("innerHTML")
    every(page, ".moves button")[0].click()
    assert [item.text for item in every(page, ".chosen li")] == offered[:1]
    assert one(page, "#page-shapes").get_attribute("innerHTML") != board
    one(page, "[data-do=undo]").click()
    assert [button.text for button in every(page, ".moves button")] == offered
    assert one(page, "#page-shapes").get_attribute("innerHTML") == board
    assert not one(page, ".sent").is_displayed()


@pytest.mark.parametrize("width", [360, 1000])
def test_an_earlier_position_is_looked_at_and_not_played_on(
    opened: Callable[..., Any], room: Room, width: int
) -> None:
    """On a phone what steps through the match is folded away on one's turn."""
    page, wide = opened(room.log, "--as", "white", width=width, height=740), width > 900
    page.execute_script("document.querySelector('.moves button').click(); scrollTo(0, 0)")
    assert one(page, ".controls").is_displayed() is wide
    board = one(page, "#page-board").rect
    one(page, ".controls [data-go=back]" if wide else ".fold").click()
    assert one(page, ".past").is_displayed()
    assert one(page, ".controls").is_displayed()
    assert wide or one(page, "#page-board").rect == board
    rect = one(page, ".controls").rect
    assert rect["y"] + rect["height"] <= 740
    assert not every(page, "#page-shapes .choice")
    assert not [button for button in every(page, ".moves button") if button.is_displayed()]
    one(page, "[data-do=return]").click()
    assert len(entered(page)) == 1
    assert one(page, ".controls").is_displayed() is wide
    assert every(page, ".moves button")[0].is_displayed()


def test_what_is_not_known_any_more_is_typed(
    opened: Callable[..., Any], room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "ROOM", 1)
    page = opened(room.log, "--as", "white")
    clicked(page, "pile-draw")
    assert [button.text for button in every(page, ".moves button")] == ["draw"]
    assert not every(page, ".chosen li")
    one(page, "[data-do=undo]").click()
    every(page, ".moves button")[0].click()
    assert one(page, ".more").is_displayed()
    assert not every(page, ".complete")
    press(page, "draw")
    fence = one(page, "#page-fence").get_attribute("value")
    assert fence.splitlines()[2:] == ["draw", "[/move]"]
    assert pbem("check", room.log, "--from", "white", stdin=fence).code == 0


def test_a_turn_of_every_game_is_put_together(opened: Callable[..., Any], tmp_path: Path) -> None:
    for game in ("kanaloa-bambus", "kanaloa-piatnik"):
        folder = tmp_path / game
        folder.mkdir()
        room = dealt(folder, game, ("ana", "ben", "cara"))
        seat = room.read().awaited[0]
        page = opened(room.log, "--as", seat)
        while moves := every(page, ".moves button"):
            moves[0].click()
        assert one(page, ".complete").is_displayed()
        fence = one(page, "#page-fence").get_attribute("value")
        assert pbem("check", room.log, "--from", seat, stdin=fence).code == 0


# ------------------------------------------------------------------------------ half a choice


def shapes(page: Any, look: str) -> set[str]:
    return {str(each.get_attribute("id")) for each in every(page, f"#page-shapes .{look}")}


def touched(page: Any, shape: str) -> None:
    """A click as a finger does it: in the middle of a shape."""
    page.execute_script(
        """const shape = document.getElementById(arguments[0]);
        const { x, y, width, height } = shape.getBoundingClientRect();
        const at = { bubbles: true, clientX: x + width / 2, clientY: y + height / 2 };
        const hit = document.elementFromPoint(at.clientX, at.clientY);
        (hit?.closest("#page-shapes") ? hit : shape).dispatchEvent(new MouseEvent("click", at));""",
        shape,
    )


def test_a_card_that_is_chosen_leaves_its_lines_and_is_let_go(
    opened: Callable[..., Any], room: Room
) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(room.log, "--as", "white", width=375, height=812)
    card = min(shape for shape in shapes(page, "choice") if shape.startswith("hand-"))
    name = card.removeprefix("hand-white-")
    undo = one(page, "#page-bar [data-do=undo]")
    assert not undo.is_enabled()
    for let_go in (lambda: touched(page, card), lambda: press(page, Keys.ESCAPE), undo.click):
        touched(page, card)
        assert shapes(page, "chosen") == {card}
        lines = {shape for shape in shapes(page, "choice") if shape.startswith("line-")}
        assert lines == shapes(page, "choice")
        assert lines
        assert all(name in line.split("-") for line in lines)
        assert undo.is_enabled()
        assert undo.rect["y"] + undo.rect["height"] <= 812
        assert one(page, ".line").text.startswith(f"{name}: ")
        let_go()
        assert not shapes(page, "chosen")
        assert not every(page, ".chosen li")


def line(page: Any) -> str:
    """What the bar says about what was clicked."""
    return str(one(page, ".line").text)


def entered(page: Any) -> list[str]:
    return [item.text for item in every(page, ".chosen li")]


BERLIN = ("--turn", 3, "--zone", "Europe/Berlin")
PLAY = "Your turn. Play any number of cards, then take or pass."
MOVE = "Your turn. Move a pawn, sacrifice, free a fish or call the Dolphin."


@pytest.mark.parametrize(
    ("name", "ply", "asks", "then"),
    [
        ("kahuna-thames-kosmos", 60, PLAY, PLAY),
        ("bambus-four", 123, MOVE, "You may rob somebody on O."),
        ("piatnik-four", 120, "You must play a card.", "Your order is complete."),
    ],
)
def test_a_phone_s_first_screen_has_the_board_the_question_the_deadline_and_what_is_entered(
    opened: Callable[..., Any], tmp_path: Path, name: str, ply: int, asks: str, then: str
) -> None:
    log, seat = late(tmp_path, name, ply, *BERLIN)
    page = opened(log, "--as", seat, width=360, height=740)
    assert re.fullmatch(r"Until \w{3} \d+ \w{3}, 20:00 CES?T", one(page, ".until").text)
    if asks == MOVE:  # a pawn before where it goes
        assert every(page, f".choice[id^='pawn-{seat}-']")
        assert not every(page, ".choice[id^='island-']")
    for entered_so_far in (0, 1):
        bar, board = one(page, "#page-bar").rect, one(page, "#page-board").rect
        assert len(entered(page)) == entered_so_far
        assert one(page, "#page-order").text.startswith(then if entered_so_far else asks)
        assert board["y"] + board["height"] <= bar["y"] + 1
        assert round(bar["y"] + bar["height"]) == 740
        [chosen, *_] = [each for each in every(page, ".row button, .how") if each.is_displayed()]
        for inside in (*(one(page, x) for x in ("#page-order", ".until", ".mail")), chosen):
            assert bar["y"] <= inside.rect["y"], inside.text
            assert inside.rect["y"] + inside.rect["height"] <= 740, inside.text
        assert page.execute_script(SMALLEST_TEXT) >= 12
        assert page.execute_script(SHOWN_TWICE) == []
        below = [each.rect["y"] for each in every(page, ".moves button") if each.is_displayed()]
        assert min([bar["y"], *below]) >= bar["y"]  # none shows in part
        # However much is told of the last turn.
        page.execute_script("document.querySelector('.now').append('A fish. '.repeat(60))")
        page.execute_script("document.querySelector('.moves button')?.click(); scrollTo(0, 0)")
    resized(page, 740, 360)  # held across
    bar, board = one(page, "#page-bar").rect, one(page, "#page-board").rect
    assert page.execute_script(SMALLEST_TEXT) >= 12
    assert board["x"] + board["width"] <= bar["x"]
    sea = one(page, "#page-shapes [id='sea']").rect  # the map is seen whole
    assert sea["y"] >= 0
    assert sea["y"] + sea["height"] <= 361
    assert page.execute_script(LINES_OF_CAPTION) % 1 == 0
    assert one(page, ".mail").rect["y"] + one(page, ".mail").rect["height"] <= 360
    for own in every(page, f"[id^='hand-{seat}-'], [id^='offering-{seat}-']"):  # and so is a hand
        rect = own.rect
        assert board["x"] + board["width"] <= rect["x"] <= rect["x"] + rect["width"] <= 740
        assert 0 <= rect["y"] <= rect["y"] + rect["height"] <= 360
    assert page.execute_script("return document.documentElement.scrollWidth") <= 740


SMALLEST_TEXT = """
    const high = (each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a;
    return Math.min(...[...document.querySelectorAll("#page-shapes text")].map(high));"""
"""In pixels."""


LINES_OF_CAPTION = """
    const told = document.querySelector(".now");
    return told.clientHeight / parseFloat(getComputedStyle(told).lineHeight);"""


SHOWN_TWICE = """
    const moves = [...document.querySelectorAll(".plain button, .moves button")]
        .filter((each) => each.offsetParent).map((each) => each.textContent);
    return moves.filter((each, nth) => moves.indexOf(each) !== nth);"""
"""The moves that two buttons offer."""


def test_a_tap_on_a_move_takes_back_from_there_and_esc_the_last(
    opened: Callable[..., Any], room: Room
) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(room.log, "--as", "white", width=360, height=740)
    board = one(page, "#page-board").rect
    for _ in range(2):
        page.execute_script("document.querySelector('.moves button').click()")
    both = entered(page)
    assert one(page, ".now").text == f"Not sent yet: {'; '.join(both)}"
    assert one(page, "#page-board").rect == board
    assert every(page, "#page-shapes.entered .came")
    press(page, Keys.ESCAPE)
    assert entered(page) == both[:1]
    page.execute_script("document.querySelector('.moves button').click()")
    assert entered(page) == both
    every(page, ".chosen button")[0].click()
    assert entered(page) == []
    assert "Not sent" not in one(page, ".now").text
    assert not every(page, "#page-shapes.entered")
    assert one(page, ".mail").get_attribute("href") is None


SENDS = """
    addEventListener("click", (event) => {
      if (event.target.closest("a[href^='mailto:']")) event.preventDefault();
    });"""


def test_once_it_is_sent_the_page_says_what_it_knows_of_that(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    clicked(page, "pile-draw")
    at = one(page, ".mail").rect
    page.execute_script(SENDS)
    assert "not sent" in one(page, "#page-shapes").text
    assert one(page, "#page-order").text == "Your order is complete."
    touched(page, "seat-black")  # what says it in more words stands in its place
    assert one(page, "#page-order").text == ""
    assert line(page) == "Your order is complete: send it, or undo a move."
    one(page, ".mail").click()
    assert one(page, ".mail").rect["y"] == at["y"]
    assert "not sent" not in one(page, "#page-shapes").text
    assert "in your mail program" in one(page, "#page-shapes").text
    assert one(page, ".now").text == "In your mail program: draw"
    assert re.fullmatch(
        r"Given to your mail program on .+: draw\. If you sent it, the answer comes by mail\.",
        line(page),
    )
    one(page, "[data-do=undo]").click()
    assert "mail program" in line(page)
    every(page, ".moves button")[0].click()
    assert "mail program" not in line(page)
    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    assert "mail program" in line(page)
    assert room.says("white", "draw").verdict == "accepted"
    assert room.says("black", "draw").verdict == "accepted"
    page = opened(room.log, "--as", "white", "--to", "desk@example.org")
    assert line(page) == ""


def test_an_order_too_long_for_a_link_is_copied(
    opened: Callable[..., Any], room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "LONGEST_LINK", 20)
    page = opened(room.log, "--as", "white", "--to", "somebody@example.org")
    clicked(page, "pile-draw")
    one(page, ".mail").click()
    assert line(page) == "This order is too long for a link: copy the text into a mail."
    assert page.switch_to.active_element.get_attribute("id") == "page-fence"


# ------------------------------------------------------------------------- what is new


def test_whoever_names_no_ply_is_told_the_whole_turn(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "running.pbem.yaml")
    told = one(page, ".now").text
    assert told.startswith("15-16\nBen ")
    assert "Ben builds the bridge BARI-FAAA." in told
    assert "Ben builds the bridge COCO-GOLA." in told
    page = opened(ARCHIVE / "running.pbem.yaml", mark="#ply-15")
    assert "BARI-FAAA" in one(page, ".now").text
    assert "COCO-GOLA" not in one(page, ".now").text


def test_a_page_knows_where_its_reader_was_and_forgets_it_where_nothing_is_kept(
    opened: Callable[..., Any], room: Room
) -> None:
    seen = "return [...document.querySelectorAll('.news > .new')].map((each) => each.id)"
    for options in ((), ("--as", "black")):
        page = opened(room.log, *options)
        assert page.execute_script(seen) == []
    for seat in ("white", "black", "white"):
        assert room.says(seat, "draw").verdict == "accepted"
    for _ in range(2):  # a page loaded again still tells what is new
        page = opened(room.log)
        new = page.execute_script(seen)
        assert len(new) == 3
        offer = one(page, ".now .since")
        assert offer.text == "New since you last looked: from 10 on"
    offer.click()
    assert current(page) == new[0]
    page = opened(room.log, "--as", "black", width=360)
    assert one(page, ".fold").text == "10"  # there is no room for more
    assert not one(page, ".since").is_displayed()
    one(page, ".fold").click()
    assert current(page) == new[0]
    gone = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    cut = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": gone})
    try:
        page = opened(room.log)
        assert page.execute_script(seen) == []
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", cut)


def test_undo_drops_half_a_choice_before_a_move(opened: Callable[..., Any], room: Room) -> None:
    page = opened(room.log, "--as", "white")
    first = min(shape for shape in shapes(page, "choice") if shape.startswith("line-"))
    touched(page, first)
    if shapes(page, "chosen"):
        every(page, ".moves button")[0].click()
    assert len(every(page, ".chosen li")) == 1
    card = min(shape for shape in shapes(page, "choice") if shape.startswith("hand-"))
    touched(page, card)
    one(page, "[data-do=undo]").click()
    assert (len(every(page, ".chosen li")), shapes(page, "chosen")) == (1, set())
    one(page, "[data-do=undo]").click()
    assert not every(page, ".chosen li")


def test_a_click_that_leads_nowhere_says_why_in_a_line(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white", width=360, height=740)
    bar = one(page, "#page-bar").rect
    free = {str(e.get_attribute("id")) for e in every(page, "#page-shapes .way[id^=line]")}
    touched(page, sorted(free - shapes(page, "choice"))[0])
    why = one(page, ".line")
    assert why.text.startswith("You hold no ")
    assert why.text.endswith("[K-10]")
    assert one(page, "#page-bar").rect == bar
    touched(page, "seat-black")
    assert why.text == "There is nothing to do here; choose what has beads."
    assert not every(page, ".chosen li")


def test_a_thing_is_called_by_what_it_says_and_not_by_its_id(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    seats = ("ana", "ben", "cara")
    room = dealt(tmp_path, "kanaloa-piatnik", seats)
    page = opened(room.log, "--as", room.read().awaited[0], width=375, height=812)
    touched(page, "boat-ben")
    assert re.fullmatch(r"The boat of Ben is on .+: nothing you can do now\.", line(page))
    log, seat = late(tmp_path, "bambus-four", 121)
    page = opened(log, "--as", seat, width=375, height=812)
    tile = min(shape for shape in shapes(page, "choice") if shape.startswith("tile-"))
    touched(page, tile)
    assert line(page).startswith(f"{tile.split('-')[1]} has {tile.split('-')[2]}: ")


def test_a_card_is_called_what_lies_there_and_not_what_lay_there_before(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", room.read().awaited[0])
    shown = {}
    for place in every(page, "#page-shapes [id^=display-]"):
        shown[place.find_element("tag name", "text").text] = place.get_attribute("aria-label")
    assert len(shown) == 3
    assert shown == {card: f"{card} is face up" for card in shown}


def test_the_space_bar_plays_the_match_and_no_move_after_a_click(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white")
    touched(page, "pile-draw")
    entered = [item.text for item in every(page, ".chosen li")]
    press(page, " ")
    assert current(page) == "ply-0"
    press(page, " ")
    one(page, "[data-go=last]").click()
    assert [item.text for item in every(page, ".chosen li")] == entered == ["draw"]


def test_what_would_come_is_shown_while_it_is_pointed_at(
    opened: Callable[..., Any], room: Room
) -> None:
    page = opened(room.log, "--as", "white")
    button = next(each for each in every(page, ".moves button") if "-" in each.text)
    page.execute_script("arguments[0].focus()", button)
    assert every(page, "#page-shapes .preview.bridge")
    page.execute_script("arguments[0].blur()", button)
    assert not every(page, "#page-shapes .preview")


# ------------------------------------------------------------------------------- on one screen


@pytest.mark.parametrize("name", ["kahuna-thames-kosmos", "bambus-four", "piatnik-four"])
def test_board_controls_and_caption_fit_one_screen(opened: Callable[..., Any], name: str) -> None:
    page = opened(ARCHIVE / f"{name}.pbem.yaml", mark="#ply-60", width=1280, height=800)
    for width, height in ((1280, 800), (360, 740)):
        resized(page, width, height)
        for selector in ("#page-board", ".controls", ".now"):
            rect = one(page, selector).rect
            assert 0 <= rect["y"] <= rect["y"] + rect["height"] <= height, (selector, width)
            assert 0 <= rect["x"] <= rect["x"] + rect["width"] <= width, (selector, width)
        sea, *rows = every(page, "#page-shapes > [id='sea'], #page-shapes > [id^='seat-']")
        wide, high = sea.size["width"], sea.size["height"]
        assert wide > width / 2
        for row in rows:  # below the map, or beside it
            rect = row.rect
            assert rect["y"] + rect["height"] <= height
            assert rect["x"] > sea.rect["x"] + wide or rect["y"] > sea.rect["y"] + high


def test_who_won_is_told_where_it_came_to_that(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "kahuna-thames-kosmos.pbem.yaml", mark="#ply-60")
    told = "return document.querySelector('header').innerText + "
    told += "document.querySelector('.table').innerText"
    assert "wins" not in page.execute_script(told)
    one(page, "[data-go=last]").click()
    assert "White wins the match." in page.execute_script(told)
    page = opened(ARCHIVE / "bambus-four.pbem.yaml", width=360, height=640)
    assert every(page, ".now.cut")  # there, what came last has no room, but in the line below
    assert "secret" not in one(page, ".now").text
    won = one(page, ".status")
    assert won.text.startswith("Seat1 wins the match.")
    assert won.rect["y"] + won.rect["height"] <= 640


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_whatever_can_be_clicked_is_large_enough_for_a_finger(
    opened: Callable[..., Any], tmp_path: Path, game: str
) -> None:
    """WCAG 2.2: room for a disc of 24 pixels."""
    seats = ("white", "black") if game == "kahuna" else ("ana", "ben", "cara", "dora")
    room = dealt(tmp_path, game, seats)
    page = opened(room.log, "--as", room.read().awaited[0], width=375, height=812)
    assert found_too_small(page) == {}
    assert page.execute_script(CROWDED_BUTTONS) == []


@pytest.mark.parametrize("ply", [230, 340])
def test_also_late_in_a_match_of_four(opened: Callable[..., Any], tmp_path: Path, ply: int) -> None:
    log, seat = late(tmp_path, "bambus-four", ply)
    page = opened(log, "--as", seat, width=375, height=812)
    assert found_too_small(page) == {}
    assert page.execute_script(TOO_SMALL_FOR_THEIR_ROOM) == []


def late(folder: Path, name: str, ply: int, *more: object) -> tuple[Path, str]:
    """A match that begins where one of the archive stood then, and who is asked there."""
    now = Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"), at=ply)
    position, seats = folder / "position.json", now.setup.seats
    position.write_text(json.dumps(now.game.view(now.state)))
    players = [part for seat in seats for part in ("--seat", f"{seat}={seat}@e.example")]
    begun = pbem(
        *("new", now.game.NAME, "--match", "late", *players, *more),
        *("--position", position, "--dir", folder, "--ruleset", now.setup.ruleset),
    )
    assert begun.code == 0, begun.printed
    return folder / "late.pbem.yaml", now.awaited[0]


def found_too_small(page: Any) -> dict[str, float]:
    found = page.execute_script(LARGEST)
    assert found
    return {name: radius for name, radius in found.items() if radius < 12}


CROWDED_BUTTONS = """
    const at = ({ x, y, width, height }, way) => document.elementFromPoint(
        x + width / 2 + 21 * Math.cos(way), Math.max(0, y + height / 2 + 21 * Math.sin(way)));
    return [...document.querySelectorAll("header button, #page-bar button, .mail")]
        .filter((each) => each.getClientRects().length)
        .filter((each) => ![0, 1, 2, 3, 4, 5, 6, 7].every((turn) =>
            each.contains(at(each.getBoundingClientRect(), turn * Math.PI / 4))))
        .map((each) => each.outerHTML);"""
"""The buttons that are no disc of 42 pixels for a finger, up to the edge of the screen.""" ""


TOO_SMALL_FOR_THEIR_ROOM = """
    const middle = (each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const hits = [...document.querySelectorAll("#page-shapes circle.hit")];
    const things = [...document.querySelectorAll("#page-shapes > g:has(> title) > use")];
    const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
    const near = (hit) => Math.min(...things.filter((each) => each.parentNode !== hit.parentNode)
        .map((each) => apart(middle(hit), middle(each))));
    return hits.filter((hit) => hit.getBoundingClientRect().width < Math.min(44, near(hit) - 1))
        .map((hit) => hit.parentNode.id).concat(hits.length ? [] : "no pieces");"""
"""The pieces that a finger can miss, although it could have 44 pixels or half the way to the next
piece."""


LARGEST = """
    const name = (each) => each.id.split("-").slice(1).join("-");
    const at = (x, y) => document.elementFromPoint(x, y)?.closest("#page-shapes .choice");
    const turns = [...Array(24).keys()].map((n) => n * Math.PI / 12);
    const found = {};
    for (const each of document.querySelectorAll("#page-shapes .choice")) {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const mine = (x, y) => { const hit = at(x, y); return hit && name(hit) === name(each); };
        const fits = (x, y, far) =>
            turns.every((turn) => mine(x + far * Math.cos(turn), y + far * Math.sin(turn)));
        let largest = found[name(each)] || 0;
        const look = (step, grow) => {
            for (let x = left; x <= right && largest < 12; x += step) {
                for (let y = top; y <= bottom && largest < 12; y += step) {
                    while (largest < 12 && fits(x, y, largest + grow)) largest += grow;
                }
            }
        };
        if (!largest) look(4, 12);
        look(1, 0.25);
        found[name(each)] = largest;
    }
    return found;"""


# -------------------------------------------------------------------------------- everywhere


@pytest.mark.parametrize("name", ["running", "rulings", "bambus-four", "piatnik-announcing"])
def test_nothing_runs_over_the_edge_of_a_phone(opened: Callable[..., Any], name: str) -> None:
    page = opened(ARCHIVE / f"{name}.pbem.yaml", "--key", ARCHIVE / f"{name}.desk.yaml", width=320)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 320
    over = """return [...document.body.querySelectorAll("*")]
        .filter((each) => !each.closest("svg") && each.getBoundingClientRect().right > 320.5)
        .map((each) => each.outerHTML.slice(0, 80))"""
    assert page.execute_script(over) == []


def test_a_site_fits_a_phone_and_asks_nobody(
    browser: Any, opened: Callable[..., Any], tmp_path: Path
) -> None:
    matches, web = tmp_path / "matches", tmp_path / "web"
    matches.mkdir()
    for name in ("running", "rulings", "bambus-basic-three"):
        shutil.copy(ARCHIVE / f"{name}.pbem.yaml", matches)
    assert pbem("site", matches, "-o", web).code == 0
    page = opened(ARCHIVE / "running.pbem.yaml")
    for file in ("players.html", "rules-kahuna.html", "rules-kanaloa-bambus.html", "index.html"):
        page.get((web / file).as_uri())
        for width in (768, 320):
            resized(page, width)
            assert page.execute_script("return document.documentElement.scrollWidth") <= width, file
    one(page, "a").click()
    assert current(page).startswith("ply-")
    one(page, "footer a").click()
    assert page.title == "Matches"


def test_an_index_shows_the_matches_that_wait_for_somebody_and_whose_time_is_over(
    browser: Any, opened: Callable[..., Any], tmp_path: Path
) -> None:
    matches, web = tmp_path / "matches", tmp_path / "web"
    matches.mkdir()
    for name in ("running", "held", "begun", "kahuna-thames-kosmos"):
        shutil.copy(ARCHIVE / f"{name}.pbem.yaml", matches)
    log, _ = late(matches, "kahuna-thames-kosmos", 60, *BERLIN)
    assert pbem("site", matches, "-o", web).code == 0
    page = opened(log, width=360)
    page.get((web / "index.html").as_uri())
    shown = """return [...document.querySelectorAll(".going tbody tr")]
        .filter((row) => row.checkVisibility()).map((row) => row.querySelector("a").textContent)"""
    assert sorted(page.execute_script(shown)) == ["begun", "held", "late", "running"]
    assert min(each.rect["height"] for each in every(page, "a, button, select")) >= 24
    assert all(each.is_displayed() for each in every(page, ".going .when"))
    ended = one(page, ".matches:not(.going) tr[data-players]")
    for select, only, left, theirs in (
        ("Ana", False, ["begun", "held", "running"], False),
        ("Ben", True, ["running"], False),
        ("White", True, ["late"], True),
    ):
        one(page, f".filter option:nth-child({nth(page, select)})").click()
        if one(page, ".filter input").is_selected() is not only:
            one(page, ".filter input").click()
        assert sorted(page.execute_script(shown)) == left
        assert ended.is_displayed() is theirs  # those that are over wait for nobody
    page.refresh()  # the choice is remembered on the device
    assert page.execute_script(shown) == ["late"]
    # It says what is asked of whom, and marks what waits for the chosen player.
    assert PLAY.removeprefix("Your turn. ") in one(page, ".going .mine").text
    one(page, ".filter option").click()
    assert not every(page, ".going .mine")
    assert not one(page, ".filter [type=checkbox]").is_displayed()
    html = (web / "index.html").read_text()
    due = re.search(r'datetime="([^"]+)">until', html)
    assert due
    now = datetime.now(UTC)
    for hours, told, ago in (
        (50, [], "in 2 days"),
        (20, [], "in 19 hours"),
        (-5, ["late"], "5 hours ago"),
    ):
        moment = (now + timedelta(hours=hours, minutes=-1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        (web / "index.html").write_text(html.replace(due[1], moment))
        page.refresh()
        assert [each.text for each in every(page, ".going .late")] == told
        assert ago in one(page, f"time[datetime='{moment}']").text
        assert bool(every(page, ".going .soon")) == (hours == 20)


def nth(page: Any, player: str) -> int:
    """Which of the filter's choices this player is, from 1 on."""
    return [each.get_attribute("value") for each in every(page, ".filter option")].index(player) + 1


def test_a_long_name_keeps_to_its_room(
    browser: Any, opened: Callable[..., Any], tmp_path: Path
) -> None:
    players = {seat: Player("W" * 40, (f"{seat}@e.example",)) for seat in ("white", "black")}
    matches, web = tmp_path / "matches", tmp_path / "web"
    matches.mkdir()
    match, desk = begin.begin(
        begin.Terms("kahuna", players, name="m", folder=str(matches)), clock=clock, secret=bytes(32)
    )
    begin.write(match, desk)
    page = opened(Path(match.log.path), "--as", "white", width=360)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 360
    page = opened(Path(match.log.path), width=360)
    assert one(page, ".controls input").size["width"] > 300
    assert pbem("site", matches, "-o", web).code == 0
    opened(Path(match.log.path), width=985)
    page.get((web / "index.html").as_uri())
    columns = [cell.size["width"] for cell in every(page, ".matches th")]
    assert min(columns) > 150  # most of the width is for the match and what is asked


def test_what_is_printed_says_where_it_stands(opened: Callable[..., Any]) -> None:
    number = "return getComputedStyle(document.querySelector('.now a'), '::before').content"
    page = opened(ARCHIVE / "kahuna-thames-kosmos.pbem.yaml", mark="#ply-60")
    try:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert page.execute_script(number) + one(page, ".now a").text == '"#"59-60'
        assert not one(page, ".status").is_displayed()
        page.execute_script("location.hash = ''")
        waits(lambda: one(page, ".status").text.startswith("White wins the match."))
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_match_of_two_hundred_plies_prints_on_a_dozen_pages(opened: Callable[..., Any]) -> None:
    page = opened(ARCHIVE / "bambus-two.pbem.yaml")
    assert len(every(page, ".news > li")) > 190
    tops = "return [...document.querySelectorAll('.news > li')].map((each) => each.offsetTop)"
    begins = "return document.querySelector('.news').scrollTop"
    for _ in range(3):  # the list begins with a whole line
        assert page.execute_script(begins) in page.execute_script(tops)
        one(page, "[data-go=back]").click()
    printed = b64decode(page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 12


def test_no_full_stop_stands_at_the_start_of_a_line(opened: Callable[..., Any]) -> None:
    below = """
        return [...document.querySelectorAll(".news .cited")].filter((badge) => {
            const after = badge.nextSibling;
            if (!/^[.,;)]/.test(after?.data || "")) return false;
            const stop = document.createRange();
            stop.setStart(after, 0);
            stop.setEnd(after, 1);
            const [high, low] = [badge, stop].map((each) => each.getBoundingClientRect());
            return low.top > high.bottom - 4;
        }).length"""
    for name in ("bambus-two", "kahuna-arabana"):
        page = opened(ARCHIVE / f"{name}.pbem.yaml", width=320)
        assert page.execute_script(below) == 0


def test_a_phone_s_caption_begins_with_the_move_and_a_tap_shows_all_of_it_upon_the_board(
    opened: Callable[..., Any],
) -> None:
    lost = """
        const [told, move] = [document.querySelector(".now"), document.querySelector(".now p")];
        if (!move) return 0;
        const [line, box] = [move.getClientRects()[0], told.getBoundingClientRect()];
        return line.top < box.top - 4 || line.bottom > box.bottom + 4 || told.scrollTop;"""
    page = opened(ARCHIVE / "bambus-four.pbem.yaml", width=360, height=640)
    lines = """return [...document.querySelectorAll(".now .named")]
        .map((each) => each.getClientRects().length)"""
    named = []
    for _ in range(12):
        assert not page.execute_script(lost), one(page, ".now").text
        named += page.execute_script(lines)
        one(page, "[data-go=back]").click()
    assert named
    assert set(named) <= {0, 1}  # U-O stands on one line
    page = opened(ARCHIVE / "bambus-four.pbem.yaml", width=360, height=560)
    now, board = one(page, ".now"), one(page, "#page-board").rect
    closed = now.rect
    last = every(page, ".now p")[-1]
    assert last.rect["y"] > closed["y"] + closed["height"]  # it has no room
    now.click()
    assert now.rect["height"] > closed["height"] + 30
    assert last.rect["y"] < now.rect["y"] + now.rect["height"]
    assert one(page, "#page-board").rect == board
    now.click()
    assert (now.rect, one(page, "#page-board").rect) == (closed, board)


def test_words_stand_out_from_their_ground(opened: Callable[..., Any]) -> None:
    """WCAG AA: 4.5 to 1, in both themes."""
    measure = """
        const light = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => {
                const share = part / 255;
                return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const ground = (each) => {
            for (let up = each; up; up = up.parentElement) {
                const colour = getComputedStyle(up).backgroundColor;
                if (colour !== "rgba(0, 0, 0, 0)") return colour;
            }
        };
        return [...document.querySelectorAll("main *, header *, footer *")]
            .filter((each) => !each.closest("svg") && each.checkVisibility()
                && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
            .map((each) => {
                const [a, b] = [getComputedStyle(each).color, ground(each)].map(light).sort();
                return [(b + 0.05) / (a + 0.05), each.outerHTML.slice(0, 80)];
            })
            .filter(([contrast]) => contrast < 4.5)"""
    for name in ("rulings", "running"):
        page = opened(
            ARCHIVE / f"{name}.pbem.yaml", "--as", "black" if name == "running" else "white"
        )
        for _ in THEMES:
            one(page, ".theme").click()
            assert page.execute_script(measure) == []
