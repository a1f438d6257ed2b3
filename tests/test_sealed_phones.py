"""A turn from the opened mail to the finished one that answers it, by taps on a phone and by the
keyboard alone: in Chromium, and in Firefox; there a usual run tries one of each kind.

Needs what test_browser needs, and Firefox: PBEM_FIREFOX=required makes that a must as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from commands import mail
from long import many
from postroom import Post
from test_browser import browser, press, waits
from test_sealed_browser import DESK, LISTEN, Club, heard, served

from pbem.desk.file import Desk

assert browser  # a fixture

GAMES = ("kahuna", "kanaloa-piatnik", "kanaloa-bambus")
TAB, ENTER = "\ue004", "\ue007"


class Chromium:
    """The same as Firefox has."""

    def __init__(self, driver: Any) -> None:
        self.get, self.run, self._cdp = driver.get, driver.execute_script, driver.execute_cdp_cmd
        self.press = lambda key: press(driver, key)
        size = {"width": 375, "height": 812, "deviceScaleFactor": 1, "mobile": True}
        self._cdp("Emulation.setDeviceMetricsOverride", size)
        self._cdp("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def tap(self, x: float, y: float) -> None:
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self._cdp("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.fixture(scope="module")
def phone(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "firefox":
        firefox = request.getfixturevalue("firefox")
        firefox.new_tab()
        yield firefox
        return
    driver = request.getfixturevalue("browser")
    yield Chromium(driver)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


class Player:
    """Somebody who has opened a mail of the desk, and has a finger and a keyboard."""

    def __init__(self, here: Club, phone: Any, folder: Path) -> None:
        self.here, self.phone, self.taps = here, phone, 0
        self.seat = here.room.read().awaited[0]
        post = Post(folder)
        post.matches.rmdir()
        post.matches = here.room.log.parent
        [address] = Desk.read(str(here.room.log)).addresses[self.seat]
        post.comes(mail("board", sender=address))
        post.run("--link", here.base, "--address", DESK)
        [answer] = post.to(address)
        shown = answer.get_body(("html",))
        assert shown
        (here.web / "mail.html").write_text(shown.get_content())
        phone.get(f"{here.base}mail.html")
        assert not phone.run("return Boolean(document.querySelector('script'))")

    def sees(self, selector: str) -> bool:
        return bool(
            self.phone.run(
                "return [...document.querySelectorAll(arguments[0])]"
                ".some((each) => each.getClientRects().length)",
                selector,
            )
        )

    def waits(self, selector: str) -> None:
        waits(lambda: self.sees(selector))

    def has(self, selector: str) -> int:
        return int(
            self.phone.run("return document.querySelectorAll(arguments[0]).length", selector)
        )

    def tap(self, selector: str) -> None:
        """Where a finger can: in the middle of what is seen, with nothing else over it."""
        x, y, on = self.phone.run(
            """const found = [...document.querySelectorAll(arguments[0])].find((each) => {
                 const { width, height } = each.getBoundingClientRect();
                 return width || height;
               });
               found.scrollIntoView({ block: "center" });
               const [{ x, y, width, height }] = found.getClientRects(); // its first line
               const at = [x + width / 2, y + height / 2];
               const there = document.elementFromPoint(...at);
               const whole = found.closest("#page-shapes > g") || found;
               return [...at, whole.contains(there)];""",
            selector,
        )
        assert on, f"something lies over {selector}"
        self.phone.run(LISTEN)
        self.phone.tap(x, y)
        self.taps += 1
        heard(self.phone.run)

    def reaches(self, selector: str) -> None:
        """By the Tab key."""
        focused = "return document.activeElement.matches(arguments[0])"
        for _ in range(80):
            if self.phone.run(focused, selector):
                return
            self.phone.press(TAB)
        raise AssertionError(f"{selector} cannot be reached with Tab")

    def opens(self, by: Callable[[str], None]) -> None:
        by("a[href*='#k=']")
        if by == self.reaches:
            self.phone.press(ENTER)
        self.waits(".order")
        # What a mail program would be given.
        self.phone.run(
            """addEventListener("click", (event) => {
                 const link = event.target.closest("a[href^='mailto:']");
                 if (link) { event.preventDefault(); window.sent = link.href; }
               }, true);"""
        )

    def is_taken(self) -> bool:
        """Is the mail that was finished played by the desk?"""
        link = urlsplit(self.phone.run("return window.sent"))
        asked = parse_qs(link.query)
        assert (link.scheme, link.path) == ("mailto", DESK)
        assert asked["subject"] == [f"[m {self.here.room.read().position}]"]
        [text] = asked["body"]
        return self.here.room.says(self.seat, text.replace("\r\n", "\n")).verdict == "accepted"


def in_browsers(*games: str, firefox: int = 1) -> Any:
    """Each game in Chromium, and so many of them in Firefox."""
    if not games:
        return pytest.mark.parametrize("phone", ["chromium", "firefox"], indirect=True)
    # Those in Firefox stand together: one worker may run them all, and starts it once.
    pairs = [("firefox", game) for game in games[:firefox]]
    pairs += [("chromium", game) for game in games]
    return pytest.mark.parametrize(("phone", "game"), pairs, indirect=["phone"])


@pytest.fixture
def player(phone: Any, tmp_path: Path) -> Iterator[Callable[..., Player]]:
    with served(tmp_path) as begin:
        yield lambda *game, **chosen: Player(begin(*game, **chosen), phone, tmp_path / "post")


@in_browsers(*GAMES[1:], firefox=many(0, 2))
def test_a_move_takes_few_taps(player: Callable[..., Player], game: str) -> None:
    most = {"kanaloa-piatnik": 3, "kanaloa-bambus": 4}[game]
    ana = player(game, ("ana", "ben", "cara"))
    ana.opens(ana.tap)
    while not ana.has(".order .chosen li"):
        shapes = "#page-shapes .choice .hit"
        ana.tap(shapes if ana.sees(shapes) else ".plain button, .moves button")
    ana.tap(".mail")
    assert ana.taps <= most
    assert ana.is_taken()


@in_browsers()
def test_two_bridges_and_a_draw_take_seven_taps(player: Callable[..., Player]) -> None:
    """The link, two lines, the pile, the link that opens the mail; where a bridge can be paid for
    with either of two cards, its button is one more."""
    ana = player(starter="white")
    ana.opens(ana.tap)
    for nth in (1, 2):
        ana.tap("#page-shapes [id^=line-].choice:not(.bridge) .hit")
        if ana.has(".chosen li") < nth:
            ana.tap(".plain button, .moves button")
    ana.tap("#page-shapes [id='pile-draw'] .hit")
    assert ana.sees(".complete")
    ana.tap(".mail")
    assert ana.taps <= 7
    assert ana.is_taken()


@in_browsers(*GAMES, firefox=many(1, 3))
def test_a_turn_is_put_together_with_the_keyboard_alone(
    player: Callable[..., Player], game: str
) -> None:
    ana = player(game, ("white", "black") if game == "kahuna" else ("ana", "ben", "cara"))
    ana.opens(ana.reaches)
    for _ in range(12):
        if ana.sees(".complete"):
            break
        ana.reaches(".plain button, .moves button")
        ana.phone.press(ENTER)
    ana.reaches(".mail")
    ana.phone.press(ENTER)
    assert ana.taps == 0
    assert ana.is_taken()
