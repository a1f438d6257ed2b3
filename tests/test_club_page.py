"""The page of a club on its site."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from commands import pbem
from test_the_club import Play


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    play = Play(tmp_path / "matches", monkeypatch)
    play.all_of("Kate joins from kate@example.org", "Ben joins", "Cleo joins", "Dora joins")
    play.all_of("Kate waits for kahuna", "Ben waits for kahuna", "the club acts")
    play.all_of("Cleo hosts kahuna variant1, 5 days: open", "Dora waits for kanaloa-piatnik 4")
    return play


def page(play: Play, web: Path, *more: str) -> str:
    done = pbem("site", play.folder, "-o", web, "--to", "desk@a.example", *more)
    assert done.code == 0, done.printed
    return (web / "club.html").read_text()


def plain(text: str) -> str:
    return " ".join(unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.S)).split())


def test_it_says_who_waits_for_what_what_is_open_and_what_is_played(
    play: Play, tmp_path: Path
) -> None:
    told = plain(page(play, tmp_path / "web"))
    assert "table 1: kahuna 2, thames-kosmos, variant1=true, 5 days Cleo; 1 place is free" in told
    assert "kanaloa-piatnik 4, piatnik-2020, 3 days Dora" in told
    assert re.search(r"kahuna-1 (Kate and Ben|Ben and Kate)", told)
    assert "Kate 0 / 0 1 / 1" in told
    assert "kate@example.org" not in told
    index = (tmp_path / "web" / "index.html").read_text()
    assert '<a href="club.html">The club rivendell</a>' in index


def test_each_mail_it_opens_is_one_that_the_club_can_read(play: Play, tmp_path: Path) -> None:
    links = re.findall(r'href="(mailto:[^"]+)"', page(play, tmp_path / "web"))
    assert len(links) == 6
    for link in map(urlsplit, map(unescape, links)):
        [line] = parse_qs(link.query)["body"]
        assert link.path == "desk@a.example"
        play.club("leave", "Ben")
        line = line.removeprefix("join ")
        assert play.club("join", "Ben", "--line", line).code == 0, line


def test_it_is_in_the_language_of_the_site_and_asks_nobody(play: Play, tmp_path: Path) -> None:
    told = page(play, tmp_path / "web", "--language", "de")
    assert '<html lang="de">' in told
    assert "default-src 'none'" in unescape(told)
    assert "Der Club rivendell" in plain(told)
    assert "<script" not in told


def test_a_site_without_a_club_has_no_such_page(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    begun = pbem("new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben", "--dir", folder)
    assert begun.code == 0
    assert pbem("site", folder, "-o", tmp_path / "web").code == 0
    assert not (tmp_path / "web" / "club.html").exists()
    assert "club" not in plain((tmp_path / "web" / "index.html").read_text())


def test_a_run_of_the_desk_keeps_it(play: Play, tmp_path: Path) -> None:
    web, box = tmp_path / "web", tmp_path / "box"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True)

    def run() -> None:
        done = pbem(
            *("desk", "run", "--mail", box, "--matches", play.folder, "--site", web),
            *("--outbox", tmp_path / "out", "--address", "desk@a.example"),
        )
        assert done.code == 0, done.printed

    run()
    assert "mailto:desk@a.example?subject=join%20kahuna" in (web / "club.html").read_text()
    play.happens("Ben waits for kanaloa-bambus")
    play.later(minutes=1)
    run()
    assert "kanaloa-bambus" in plain((web / "club.html").read_text())
