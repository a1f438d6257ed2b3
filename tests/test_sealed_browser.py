"""A seat's own page in a real browser: opened by its link, put together by taps, sent.

Served on loopback, so that the browser's cryptography is there; needs what test_browser needs.
"""

from __future__ import annotations

import html
import os
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from commands import Room, dealt, pbem
from long import many
from postroom import Post
from test_browser import browser, every, logged, one, waits

from pbem.desk.file import Desk
from pbem.log import seal
from pbem.play import judge
from pbem.report import sealed

assert browser  # a fixture

DESK = "desk@example.org"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")  # or a site made twice in a second is one
        super().end_headers()


LISTEN = """
    window.heard = false;
    addEventListener("click", () => { window.heard = true; }, { once: true, capture: true });"""


def heard(run: Callable[[str], Any]) -> None:
    """Wait until a tap has come to the page as a click, or has led to another page."""
    waits(lambda: run("return window.heard") is not False)


MADE: dict[tuple[bytes, ...], dict[str, bytes]] = {}
"""The files of new sites by the matches they show: all but their address is the same each time."""


class Club:
    """A match of which a site is served on loopback, and a browser on a phone."""

    def __init__(self, room: Room, web: Path, base: str, browser: Any) -> None:
        self.room, self.web, self.base, self.page = room, web, base, browser

    def keep(self) -> None:
        """Bring the site up to date."""
        folder, base = self.room.log.parent, self.base.encode()
        shown = tuple(file.read_bytes() for file in sorted(folder.glob("*.yaml")))
        if shown in MADE and not any(self.web.iterdir()):
            for name, data in MADE[shown].items():
                (self.web / name).write_bytes(data.replace(b"http://made.invalid/", base))
            return
        done = pbem("site", folder, "-o", self.web, "--link", self.base, "--to", DESK)
        assert done.code == 0, done.printed
        MADE.setdefault(
            shown,
            {
                file.name: file.read_bytes().replace(base, b"http://made.invalid/")
                for file in self.web.iterdir()
            },
        )

    def link(self, seat: str) -> str:
        [(_, address)] = sealed.boards(self.base, [(self.room.read(), seat)])
        return address

    def opens(self, address: str, until: Callable[[], object] | None = None) -> Any:
        if self.page.current_url.partition("#")[0] == address.partition("#")[0]:
            self.page.get("about:blank")  # or only its key would be another
        self.page.get(address)
        waits(until or (lambda: one(self.page, "#page-told").text))
        return self.page

    def is_open(self) -> bool:
        return not one(self.page, "#page-key").is_displayed()

    def fence(self) -> str:
        return str(one(self.page, "#page-fence").get_attribute("value"))

    def taps(self, selector: str) -> None:
        """A tap where a finger can make it: in the middle of what is seen, with nothing over it."""
        x, y = self.page.execute_script(
            """const [found] = [...document.querySelectorAll(arguments[0])].filter((each) => {
                 const { width, height } = each.getBoundingClientRect();
                 return width || height;
               });
               found.scrollIntoView({ block: "center" });
               const { x, y, width, height } = found.getBoundingClientRect();
               return [x + width / 2, y + height / 2];""",
            selector,
        )
        self.page.execute_script(LISTEN)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            event = {"type": kind, "touchPoints": points}
            self.page.execute_cdp_cmd("Input.dispatchTouchEvent", event)
        heard(self.page.execute_script)

    def mail(self) -> tuple[str, str, str]:
        """Where the mail goes that the page makes, its subject, and its text."""
        link = urlsplit(one(self.page, ".mail").get_attribute("href"))
        assert link.scheme == "mailto"
        asked = parse_qs(link.query)
        return link.path, asked["subject"][0], asked["body"][0].replace("\r\n", "\n")

    def told(self) -> str:
        return str(one(self.page, "#page-told").text)


@contextmanager
def served(folder: Path, browser: Any = None) -> Iterator[Callable[..., Club]]:
    """Opens clubs, whose sites are there as long as this lasts."""
    servers = []

    def begin(*game: Any, host: str = "localhost", **chosen: Any) -> Club:
        matches, web = folder / "matches", folder / "web"
        matches.mkdir()
        web.mkdir()
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(web)))
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        base = f"http://{host}:{server.server_port}/"
        made = Club(dealt(matches, *game, **chosen), web, base, browser)
        made.keep()
        return made

    try:
        yield begin
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


@pytest.fixture
def club(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Club]]:
    """Opens clubs. Nothing asks anybody but the club for anything, but when it is told to."""
    size = {"width": 375, "height": 812, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    logged(browser)
    with served(tmp_path, browser) as begin:
        yield begin
        violations = browser.execute_script("return window.violations")
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert violations == []
    assert browser.get_log("browser") == []


# ------------------------------------------------------------------------------------ opening


def test_a_link_opens_the_hand_and_the_turn_and_asks_for_nothing(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.opens(here.link("white"), here.is_open)
    state = here.room.read("white")
    for card in state.game.view(state.state)["hands"]["white"]:
        assert every(page, f"#page-shapes [id^='hand-white-{card}']")
    legal = judge.legal_texts(state.game, state.state, "white").texts
    offered = (button.get_attribute("textContent") for button in every(page, ".moves button"))
    assert sorted(offered) == sorted(legal)
    assert one(page, ".order").is_displayed()
    assert not one(page, "#page-open").is_displayed()
    asked = {url for url in logged(page) if not url.startswith(("data:", "about:"))}
    assert asked == {here.link("white").partition("#")[0]}


def test_a_seat_that_is_not_asked_sees_its_hand(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.opens(here.link("black"), here.is_open)
    assert every(page, "#page-shapes [id^=hand-black-]")
    assert not every(page, "#page-shapes [id^=hand-black-hidden]")
    assert not one(page, ".order").is_displayed()


@pytest.mark.parametrize("way", ["key", "link", "line", "letter", "broken"])
def test_what_opens_a_page_can_be_pasted(club: Callable[..., Club], way: str) -> None:
    here = club(starter="white")
    link = here.link("white")
    page = here.opens(link.partition("#")[0])
    assert not one(page, ".order").is_displayed()
    line = here.room.key("white").write()
    pasted = {
        "key": link.partition("#k=")[2],
        "link": f" {link} ",
        "line": line.strip(),
        "letter": f"Your private key: {line.strip()} Show it to nobody.",
        "broken": f"Your private key: {line.strip()}".replace(" 0 ", " 0"),
    }[way]
    one(page, "#page-key").send_keys(pasted)
    one(page, "#page-open").click()
    waits(here.is_open)
    assert one(page, ".order").is_displayed()


def wrong_links(here: Club) -> dict[str, str]:
    right, page = here.link("white"), here.link("white").partition("#")[0]
    key = seal.seat_key(here.room.read().keyring.secret or b"", "white", 0)
    line = f"pbem-key/1 another white 0 {key.hex()}"
    return {
        "cut": right[:-5],
        "empty": f"{page}#k=",
        "another seat's": page + sealed.fragment(here.room.read(), "black"),
        "another match's": f"{page}#k={seal.base64url(seal.link_key(key, 'another', 'white', 0))}",
        "another match's line": line,
        "not a key": f"{page}#k={'A' * 43}",
    }


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("cut", "43 letters"),
        ("empty", "43 letters"),
        ("another seat's", "black"),
        ("another match's", "another match"),
        ("another match's line", "another"),
        ("not a key", "copied wrongly"),
    ],
)
def test_a_wrong_key_is_told_and_what_is_public_is_shown(
    club: Callable[..., Club], kind: str, says: str
) -> None:
    here = club(starter="white")
    given = wrong_links(here)[kind]
    if given.startswith("http"):
        page = here.opens(given)
    else:
        page = here.opens(here.link("white").partition("#")[0])
        one(page, "#page-key").send_keys(given)
        one(page, "#page-open").click()
    waits(lambda: says in here.told())
    assert "key" in here.told()
    assert "link" in here.told()
    assert not one(page, ".order").is_displayed()
    assert one(page, "#page-key").is_displayed()
    assert every(page, "#page-shapes [id^=hand-white-hidden]")


def test_the_link_from_before_a_substitute_says_so(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    before = here.link("white")
    said = ("--seat", "white", "--player", "Zoe", "--reason", "x")
    assert pbem("rule", here.room.log, "substitute", *said).code == 0
    here.keep()
    here.opens(before, lambda: "before somebody else" in here.told())
    here.opens(here.link("white"), here.is_open)


@pytest.mark.parametrize("way", ["link", "line"])
def test_a_substitute_s_link_waits_for_the_page_to_be_written_anew(
    club: Callable[..., Club], way: str
) -> None:
    here = club(starter="white")
    said = ("--seat", "white", "--player", "Zoe", "--reason", "x")
    assert pbem("rule", here.room.log, "substitute", *said).code == 0
    page = here.opens(here.link("white") if way == "link" else here.link("white").partition("#")[0])
    if way == "line":
        one(page, "#page-key").send_keys(here.room.key("white").write().splitlines()[-1])
        one(page, "#page-open").click()
    waits(lambda: "not been written anew" in here.told())
    assert "link" in here.told()
    assert "mail" in here.told()
    here.keep()
    here.opens(here.link("white"), here.is_open)


def test_without_its_cryptography_the_page_says_where_it_runs(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.page
    gone = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
    [added] = page.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": gone}
    ).values()
    try:
        here.opens(here.link("white"))
        assert "https" in here.told()
        assert "mail" in here.told()
        assert not one(page, ".order").is_displayed()
        assert every(page, "#page-shapes [id^=hand-white-hidden]")
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added})


def test_without_a_script_the_page_says_how_to_answer(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    here.page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        here.page.get(here.link("white"))
        said = one(here.page, ".opens noscript").text
        assert "mail" in said
        assert one(here.page, "#page-board").is_displayed()
        for what in (".order", "#page-key", "#page-open", "#page-current"):  # they need a script
            assert not one(here.page, what).is_displayed()
    finally:
        here.page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        here.page.get("about:blank")


# --------------------------------------------------------------------------------- composing


def takes(here: Club, seat: str) -> None:
    """The mail that the page makes is played by the desk."""
    to, subject, text = here.mail()
    assert to == DESK
    assert subject == f"[m {here.room.read().position}]"
    assert text == here.fence()
    assert here.room.says(seat, text).verdict == "accepted"


def test_half_a_turn_is_there_again_after_a_reload(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.opens(here.link("white"), here.is_open)
    press_first = every(page, ".moves button")[0]
    page.execute_script("arguments[0].click()", press_first)
    waits(here.fence)
    before = here.fence()
    page.refresh()
    waits(lambda: here.is_open() and here.fence())
    assert here.fence() == before
    page.execute_script("arguments[0].click()", one(page, "[data-do=undo]"))
    page.refresh()
    waits(here.is_open)
    assert not every(page, ".chosen li")
    kept = page.execute_script("return [...Object.keys(localStorage), sessionStorage.length]")
    assert kept == ["pbem seen m white", 0]


def test_an_order_made_on_a_page_proves_itself_where_that_is_asked_for(
    club: Callable[..., Club],
) -> None:
    here = club(starter="white")
    desk = Desk.read(str(here.room.log))
    text = here.room.desk.read_text()
    here.room.desk.write_text(text.replace("addresses:", "policy: signed\naddresses:", 1))
    assert Desk.read(str(here.room.log)).policy == "signed" != desk.policy
    assert pbem("rule", here.room.log, "note", "--text", "Good luck").code == 0
    here.keep()
    page = here.opens(here.link("white"), here.is_open)
    while moves := every(page, ".moves button"):
        page.execute_script("arguments[0].click()", moves[0])
    waits(lambda: "sign: " in here.fence() and one(page, ".mail").is_displayed())
    _, subject, body = here.mail()
    raw = f"From: ana@example.org\nSubject: {subject}\nMessage-ID: <1@x>\n\n{body}"
    forged = raw.replace("draw", "pass") if "draw" in raw else raw.replace("sign: ", "sign: 0")
    assert here.room.mails(forged.encode()).verdict == "sender"
    assert here.room.mails(raw.encode()).verdict == "accepted"


# ------------------------------------------------------------------------------ on one screen


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_board_controls_and_caption_fit_a_phone_and_the_bar_covers_none_of_them(
    club: Callable[..., Club], game: str
) -> None:
    here = club(game, ("white", "black") if game == "kahuna" else ("ana", "ben", "cara"))
    seat = here.room.read().awaited[0]

    def seen(page: Any) -> None:
        below = page.execute_script("return innerHeight")
        if one(page, "#page-bar").is_displayed():
            below = one(page, "#page-bar").rect["y"]
        for selector in ("#page-board", ".controls", ".now"):
            rect = one(page, selector).rect  # of what is folded away: nothing
            assert 0 <= rect["y"] <= rect["y"] + rect["height"] <= below + 1, selector
        board = one(page, "#page-board").size
        assert board["width"] * board["height"] >= 375 * 812 / 4

    seen(here.opens(here.link(seat).partition("#")[0]))
    page = here.opens(here.link(seat), here.is_open)
    seen(page)
    # Where the bar has buttons as well, of what can't be clicked on, or what a click leaves open.
    for more in ("", "picking"):
        page.execute_script(
            """const plain = document.querySelector(".order .plain");
            plain.innerHTML = "<button>fish N-I colour</button><button>fish N-I white</button>";
            plain.className = `plain ${arguments[0]}`;
            dispatchEvent(new Event("resize"));""",
            more,
        )
        seen(page)


# ------------------------------------------------------------------------------- going on


def test_the_page_says_that_the_match_has_gone_on(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.opens(here.link("white"), here.is_open)
    here.taps("#page-current")
    waits(lambda: here.told().startswith("Yes"))
    assert not one(page, "#page-gone").is_displayed()
    assert here.room.says("white", "draw").verdict == "accepted"
    here.keep()
    here.taps("#page-current")
    waits(lambda: one(page, "#page-gone").is_displayed())
    assert here.told() == ""  # not that it still stands where it stood


def test_a_refusal_s_link_fills_in_what_was_right(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    now = here.room.read("white")
    first = judge.legal_texts(now.game, now.state, "white").texts[0]
    answer = here.room.says("white", f"{first}\nLALE-BARI\ndraw")
    assert answer.verdict == "refused"
    [(_, address)] = sealed.boards(here.base, [(here.room.read(), "white")], answer)
    page = here.opens(address, here.is_open)
    assert [item.text for item in every(page, ".chosen li")] == [first]
    assert "LALE-BARI" in one(page, "#page-refused").text
    assert "K-2" in one(page, "#page-refused").text
    assert here.room.says("white", "draw").verdict == "accepted"
    here.keep()
    page = here.opens(address, here.is_open)
    assert one(page, "#page-gone").is_displayed()
    assert not one(page, "#page-refused").is_displayed()


def test_a_refusal_after_a_whole_order_does_not_ask_for_more(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    again = f"&p={sealed.place(here.room.read())}&m=draw&r=pass"
    page = here.opens(here.link("white") + again, here.is_open)
    assert one(page, ".complete").is_displayed()
    assert "whole order" in one(page, "#page-refused").text


def test_text_in_a_link_is_text(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    now = here.room.read()
    evil = "<img src=x onerror=alert(1)>"
    page = here.opens(
        f"{here.link('white')}&p={sealed.place(now)}&m={quote(evil)}&r={quote(evil)}", here.is_open
    )
    assert evil in one(page, "#page-refused").text
    assert not every(page, "img")
    assert not every(page, ".chosen li")


def test_a_key_is_remembered_only_where_that_is_ticked(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    bare = here.link("white").partition("#")[0]
    page = here.opens(here.link("white"), here.is_open)
    key = here.link("white").partition("#k=")[2]
    stored = "return JSON.stringify(Object.entries(localStorage))"
    assert key not in page.execute_script(stored)
    assert not one(page, "#page-forget").is_displayed()
    page.execute_script("arguments[0].click()", one(page, "#page-remember"))
    assert key in page.execute_script(stored)
    page = here.opens(bare, here.is_open)
    page.execute_script("arguments[0].click()", one(page, "#page-forget"))
    assert page.execute_script(stored) == "[]"
    here.opens(bare)
    assert not here.is_open()


def test_copy_works_where_the_clipboard_may_not_be_written(club: Callable[..., Club]) -> None:
    here = club(starter="white")
    page = here.opens(here.link("white"), here.is_open)
    page.execute_script("arguments[0].click()", every(page, ".moves button")[0])
    waits(here.fence)
    page.execute_script(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'))"
    )
    here.taps("[data-do=copy]")
    waits(lambda: one(page, ".copied").text)
    field = "const field = document.activeElement;"
    chosen = page.execute_script(f"{field} return field.selectionEnd - field.selectionStart")
    assert chosen == len(here.fence())


@pytest.mark.parametrize("allowed", [True, False])
def test_a_forum_in_markdown_is_given_its_own_fence(
    club: Callable[..., Club], allowed: bool
) -> None:
    here = club(starter="white")
    page = here.opens(here.link("white"), here.is_open)
    while moves := every(page, ".moves button"):
        page.execute_script("arguments[0].click()", moves[0])
    waits(here.fence)
    page.execute_script(
        """const copied = (text) => { window.copied = text; };
        navigator.clipboard.writeText = async (text) => {
          if (!arguments[0]) throw new DOMException("no");
          copied(text);
        };""",
        allowed,
    )
    here.taps("[data-do=markdown]")
    waits(lambda: one(page, ".copied").text)
    text = page.execute_script("return window.copied") if allowed else here.fence()
    assert text.startswith("```move #")
    assert text.endswith("\n```")
    assert here.room.says("white", text).verdict == "accepted"


# ------------------------------------------------------------------------------------ played


TURNS = int(os.environ.get("PBEM_TURNS", many(3, 20)))
"""How many turns of each match are played; 1,000 play it to its end."""


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_a_match_is_played_with_nothing_but_the_links_in_the_mails(
    club: Callable[..., Club], tmp_path: Path, game: str
) -> None:
    """Turn by turn: the mail's link, buttons, the mail that the page writes; and the log is the one
    that the same orders make when they are typed."""
    seats = ("white", "black") if game == "kahuna" else ("ana", "ben", "cara")
    here, typed = club(game, seats), tmp_path / "typed"
    typed.mkdir()
    other = dealt(typed, game, seats)
    post, rng = Post(tmp_path / "post"), random.Random(7)
    post.matches.rmdir()
    post.matches = here.room.log.parent
    desk = ("--site", str(here.web), "--link", here.base, "--address", DESK)
    post.run(*desk)
    for turn in range(TURNS):
        now = here.room.read()
        if not now.awaited:
            break
        seat = now.awaited[0]
        [address] = Desk.read(str(here.room.log)).addresses[seat]
        newest = [mail for mail in post.to(address) if str(now.position) in str(mail["Subject"])]
        page = here.opens(linked(newest[-1]) if newest else here.link(seat), here.is_open)
        while choices := page.execute_script(
            "return [...document.querySelectorAll('.moves button')].map((each) => each.textContent)"
        ):
            page.execute_script(
                "document.querySelectorAll('.moves button')[arguments[0]].click()",
                rng.randrange(len(choices)),
            )
        to, subject, text = here.mail()
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = address, to, subject
        message["Message-ID"] = f"<{turn}@example.org>"
        message.set_content(text)
        post.comes(message.as_bytes())
        assert post.run(*desk)[0] == "accepted", text
        assert other.says(seat, text).verdict == "accepted"
    made, again = (told(room) for room in (here.room, other))
    assert len(made) > TURNS or not here.room.read().awaited
    assert made == again


def linked(mail: Any) -> str:
    """The link in the HTML of a mail."""
    body = mail.get_body(("html",))
    [found] = re.findall(r'href="(http[^"]*#k=[^"]*)"', body.get_content())
    return str(html.unescape(found))


def told(room: Room) -> list[str]:
    """What a log says, but for when, from which message, and what those are hashed into."""
    lines = room.log.read_text("utf-8").splitlines()
    return [line for line in lines if not re.match(r"created: |  (at|source|chain): ", line)]
