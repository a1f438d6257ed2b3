"""Pages as axe-core judges them: whoever reads with other eyes, with their ears or with keys alone
can use them, as WCAG 2.2 AA asks for.

Needs what test_browser needs, and axe-core: `npm install --no-save axe-core` puts it where it is
looked for, or PBEM_AXE is the path of its axe.min.js, which is a must then.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import dealt, pbem
from long import LONG
from test_browser import browser, every, one, resized
from test_sealed_browser import Club, club
from test_the_club import Play

from pbem.club import page as club_page
from pbem.matches.index import logs_in
from pbem.matches.matches import Matches
from pbem.report import site

assert browser  # fixtures
assert club

ARCHIVE = Path(__file__).parent / "archive"
GIVEN = os.environ.get("PBEM_AXE")
AXE = Path(GIVEN or Path(__file__).parent.parent / "node_modules" / "axe-core" / "axe.min.js")
pytestmark = pytest.mark.skipif(
    not (GIVEN or AXE.is_file()), reason=f"no axe-core at {AXE}: pages are not judged by it"
)
ASKED = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
JUDGE = """
    const [asked, done] = arguments;
    axe.run(document, { runOnly: asked, resultTypes: ["violations"] }).then(({ violations }) =>
        done(violations.flatMap(({ id, help, nodes }) =>
            nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 120)}`))));
"""


@pytest.fixture
def found(browser: Any) -> Iterator[Callable[[], list[str]]]:
    """Says what axe-core finds on the page that is open, in both themes and on three screens."""
    source = AXE.read_text(encoding="utf-8")
    screen = "Emulation.setDeviceMetricsOverride"

    def find() -> list[str]:
        browser.execute_script(source)
        said = []
        for theme, width in (("light", 1280), ("dark", 375), ("light", 320)):
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd(screen, size)
            scheme = {"name": "prefers-color-scheme", "value": theme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
            said += [f"{theme} {each}" for each in browser.execute_async_script(JUDGE, ASKED)]
        return said

    yield find
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_axe_finds_what_is_wrong(browser: Any, found: Callable[[], list[str]]) -> None:
    browser.get("data:text/html,<title>A</title><img src=a.png><p style='color:silver'>Pale</p>")
    assert {said.split(":")[0].split()[1] for said in found()} >= {"image-alt", "color-contrast"}


MATCHES = ("running", "rulings", "bambus-two", "piatnik-four")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of some of the archive, in a long run of all."""
    folder, logs = tmp_path_factory.mktemp("web"), tmp_path_factory.mktemp("logs")
    for name in "*" if LONG else MATCHES:
        for log in ARCHIVE.glob(f"{name}.pbem.yaml"):
            shutil.copy(log, logs)
    assert pbem("site", logs, "-o", folder).code == 0
    return folder


@pytest.mark.parametrize(
    "file",
    [
        "index.html",
        "players.html",
        *(f"rules-{game}.html" for game in ("kahuna", "kanaloa-bambus", "kanaloa-piatnik")),
        *(f"match-{name}.html" for name in MATCHES),
    ],
)
def test_axe_finds_nothing_on_a_site(
    browser: Any, found: Callable[[], list[str]], web: Path, file: str
) -> None:
    browser.get((web / file).as_uri())
    assert found() == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The matches of a club with a season that has ended, ratings, and a division of eleven."""
    people = ", ".join(f"Maximilian-Alexander-{n}" for n in range(1, 9))
    with pytest.MonkeyPatch.context() as patch:
        play = Play(tmp_path_factory.mktemp("club"), patch)
        play.all_of("2 matches are enough to be rated by", "Kate, Ben, Cleo play the league spring")
        play.all_of("Ben resigns against Kate", "Cleo resigns against Ben")
        play.all_of("the founder ends spring", "autumn is announced as a league of kahuna")
        play.all_of(*(f"{each} joins" for each in people.split(", ")), "the club acts")
        play.all_of(f"Kate, Ben, Cleo, {people} enter autumn", "autumn is drawn")
        yield play.folder


CLUB_PAGES = ("club", "event-spring", "person-Kate", "event-autumn")


def written(folder: Path, web: Path, language: str) -> list[Path]:
    web.mkdir()
    rows = site.write(logs_in(folder)[:2], str(web), seats=site.Seats(house=language)).matches
    about = "desk@a.example", language, "2026-10-01T00:00:00Z"
    club_page.written(Matches(folder), rows, str(web), *about)
    return [web / f"{name}.html" for name in CLUB_PAGES]


def test_axe_finds_nothing_on_the_pages_of_a_club(
    browser: Any, found: Callable[[], list[str]], played: Path, tmp_path: Path
) -> None:
    for page in written(played, tmp_path / "en", "en")[:3]:
        browser.get(page.as_uri())
        assert (page.name, found()) == (page.name, [])


def test_the_pages_of_a_club_fit_a_phone_and_paper_in_every_language(
    browser: Any, played: Path, tmp_path: Path
) -> None:
    for language in ("en", "de", "fr", "hu", "pl"):
        for page in written(played, tmp_path / language, language):
            browser.get(page.as_uri())
            for media, width in (("screen", 360), ("print", 718)):
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
                resized(browser, width)
                wide = browser.execute_script("return document.documentElement.scrollWidth")
                assert wide <= width, (language, page.name, media)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_axe_finds_nothing_where_a_turn_is_put_together(
    browser: Any, found: Callable[[], list[str]], tmp_path: Path, game: str
) -> None:
    room = dealt(tmp_path, game, *([("ana", "ben", "cara")] if game != "kahuna" else []))
    page = tmp_path / "page.html"
    seat = room.read().awaited[0]
    assert pbem("page", room.log, "--as", seat, "--to", "desk@a.example", "-o", page).code == 0
    browser.get(page.as_uri())
    assert found() == []
    while moves := every(browser, ".moves button"):
        browser.execute_script("arguments[0].click()", moves[0])
    assert one(browser, ".sent").is_displayed()
    assert found() == []


def test_axe_finds_nothing_in_a_mail(
    browser: Any, found: Callable[[], list[str]], tmp_path: Path
) -> None:
    """But that it has no landmarks, which mail programs drop. The paper is the mail program's."""
    for name, seat in (("running", "black"), ("held", "blue")):
        log, file = ARCHIVE / f"{name}.pbem.yaml", tmp_path / "mail.html"
        done = pbem("letter", log, "--seat", seat, "--format", "html")
        assert done.code == 0, done.printed
        file.write_text(done.out)
        browser.get(file.as_uri())
        browser.execute_script("document.documentElement.style.background = 'Canvas'")
        assert [each for each in found() if not re.search(" region:| landmark-", each)] == []


def test_axe_finds_nothing_on_a_sealed_page(
    club: Callable[..., Club], found: Callable[[], list[str]]
) -> None:
    made = club("kahuna")
    seat = made.room.read().awaited[0]
    made.opens(made.link(seat).partition("#")[0])
    assert found() == []
    made.opens(made.link(seat), made.is_open)
    assert found() == []
