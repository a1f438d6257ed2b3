"""The page of a club on its site."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

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
    web = tmp_path / "web"
    told = plain(text := page(play, web))
    assert "Send a mail with one of these lines to desk@a.example:" in told
    assert "answer in one line, such as: I am Kate." in told
    guides = re.findall(r'href="((?:rules|players)[^"]*)"', text)
    assert len(guides) == 4
    assert all((web / each).is_file() for each in guides)
    assert "table 1: Kahuna · 2 players · 5 days a turn · variant 1 Cleo; 1 place is free" in told
    assert "Kanaloa (Piatnik) · 4 players · 3 days a turn Dora" in told
    assert "kahuna-1 Kahuna Kate until" in told  # as a row of the index
    assert "Kate 0 / 0 1 / 1" in told
    assert "kate@example.org" not in told
    index = (web / "index.html").read_text()
    assert '<a href="club.html">The club rivendell</a>' in index


def test_a_table_without_a_free_place_is_no_link_and_events_come_before_how_to_join(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.all_of("spring is announced as a league of kahuna")
    play.all_of("Kate joins", "Ben joins")
    play.club("says", "Kate", "host kahuna: Ben")
    play.happens("the club acts")
    text = page(play, tmp_path / "web")
    assert "table 2: Kahuna · 2 players · 3 days a turn Kate; asked: Ben" in plain(text)
    assert "<td>table 2: " in text
    assert text.index("<h2>Events") < text.index("<h2>Play along")


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
    assert told.count("<script") == 1  # of the policy, for how long ago a move was


def test_events_and_people_have_pages_that_lead_to_each_other_and_to_every_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, web = Play(tmp_path / "matches", monkeypatch), tmp_path / "web"
    play.all_of("2 matches are enough to be rated by", "Kate, Ben and Cleo play the league spring")
    page(play, web)
    told = (web / "event-spring.html").read_text()
    assert "3 matches run; first: " in plain(told)
    assert (told.count(">…<"), ">points<" in told) == (6, False)
    play.all_of("Ben resigns against Kate", "Cleo resigns against Ben", "the founder ends spring")
    assert play.club("join", "Dora O'Hara").code == 0
    play.all_of("the club acts", "Dora O'Hara enters spring")
    pages = [page(play, web)] + [
        (web / name).read_text() for name in ("event-spring.html", "person-Kate.html")
    ]
    for text in pages:
        links = [unescape(each) for each in re.findall(r'href="([^":#]+)["#]', text)]
        assert {*links} >= {"index.html", "match-spring-1.html"}
        assert [each for each in links if not (web / unquote(each)).is_file()] == []
    front, event, kate = map(plain, pages)
    assert re.search(
        r"spring League · 90 days a season · Kahuna · 2 players · 3 days a turn "
        r"ended on 20\d\d-\d\d-\d\d",
        front,
    )
    assert re.search(r"Of all times: Kahuna Forecasts .* - Kate 1 \d+ to \d+", front)
    assert "1. Kate 1 3 5/2 0 1 2. Ben 2 2" in event
    assert "half of those of whoever drew" in event
    assert "* adjudicated at the end" in event
    assert re.search(r"Finished matches .* spring-\d Kahuna Ben and Kate Kate wins\.", event)
    assert "won 1 · still runs 1" in kate
    assert "Matches 1 2 3 1 Kate 2 1* 2 Ben" in event
    assert "In the next season Dora O'Hara" in event
    labels = re.findall(r'aria-label="([^"]+)"', pages[1])
    assert {"Kate against Ben: 2 points", "Ben against Kate: 0 points"} <= {*labels}
    assert "Seats kept: 2 of 2" in kate
    assert re.search(r"spring-\d · Kahuna Ben spring won", kate)
    for way_in in (pages[1], (web / "club.html").read_text()):
        assert "mailto:desk@a.example?subject=enter%20spring" in way_in
    assert re.search(r'<polyline class="line" points="0,\d+ 600,\d+"/>', pages[2])
    feed = (web / "club.xml").read_text()
    assert "spring has ended; first is Kate" in feed
    assert feed.count('href="event-spring.html"/>') == 3
    assert re.findall("<content[^>]*>(.*)</content>", feed)[-1].startswith("spring, League · 90")
    assert '<content type="text">Kate\nBen\nCleo</content>' in feed


def test_an_earlier_season_can_still_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, web = Play(tmp_path / "matches", monkeypatch), tmp_path / "web"
    play.all_of("Kate, Ben and Cleo play the league spring", "Ben resigns against Kate")
    play.all_of("the founder ends spring", "Cleo resigns against Kate", "the club acts")
    standings = "event", "standings", play.folder, "spring"
    ended = pbem(*standings).out
    assert "ended on" in ended
    play.all_of("7 days later", "the club acts")
    assert pbem(*standings).out != ended
    assert pbem(*standings, "--season", 1).out == ended
    assert pbem(*standings, "--season", 2).out == pbem(*standings).out
    assert pbem(*standings, "--season", 1, "--json").json["season"] == 1
    assert "spring has no season 3 yet" in pbem(*standings, "--season", 3).err
    page(play, web)
    assert 'href="event-spring.1.html">Season 1<' in (web / "event-spring.html").read_text()
    past = plain((web / "event-spring.1.html").read_text())
    assert "Season 1" in past
    assert re.search(r"1\. Kate 1 \d", past), past


def test_who_sits_there_for_whom_is_the_same_wherever_a_match_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, web = Play(tmp_path / "matches", monkeypatch), tmp_path / "web"
    play.all_of("Kate, Ben play the pool spring", "Dora joins")
    play.all_of("Dora takes the seat of Ben against Kate")
    for words in (("club", "status"), ("event", "standings", "spring")):
        told = pbem(*words[:2], play.folder, *words[2:]).out
        assert re.search("spring-1 is played: (Dora for Ben and Kate|Kate and Dora for Ben)", told)
    play.all_of("Ben leaves the event spring")
    front = page(play, web)
    event, kate, ben = ((web / name).read_text() for name in PAGES)
    rows = r"Matches under way .* spring-1 Kahuna (Kate|Dora) until .*Dora for Ben 0 "
    assert re.search(rows, plain(front))
    assert "- Ben 0 - - -" in plain(event)
    assert "- has withdrawn [E-23]" in plain(event)
    assert re.search(rows, plain(event))
    assert "Kahuna Dora for Ben spring still runs" in plain(kate)
    assert "Kahuna Kate spring left the seat" in plain(ben)


PAGES = ("event-spring.html", "person-Kate.html", "person-Ben.html")


def test_how_an_event_stands_is_posted_in_every_dialect(play: Play) -> None:
    play.all_of("spring is announced as a league of kahuna", "Kate, Ben enter spring")
    play.all_of("spring is drawn", "the club acts")
    for dialect in ("text", "markdown", "phpbb", "bgg", "html"):
        post = pbem("event", "standings", play.folder, "spring", "--format", dialect)
        assert post.code == 0, post
        assert "1 match still runs." in post.out
        assert len(post.out.splitlines()) < 15
    assert pbem("event", "standings", play.folder, "spring", "--format", "rtf").code == 2
    play.happens("the founder ends spring")
    post = pbem("event", "standings", play.folder, "spring", "--format", "text").out
    assert ("ended on" in post, "still runs" in post) == (True, False)


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
