"""Reports as pages: what mail programs show of them, and what a click on a move sends."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from commands import pbem

from pbem.desk.file import read_keys
from pbem.log.match import Replay
from pbem.report import compose, html

ARCHIVE = Path(__file__).parent / "archive"
ELEMENTS = {
    *("html", "head", "meta", "title", "body", "h1", "h2", "p", "strong", "pre", "a", "img"),
    *("table", "tr", "th", "td", "blockquote", "br"),
}
KEPT = {"role", "style", "align", "valign", "width", "cellpadding", "cellspacing", "border"}
"""The attributes that lay out a page in every mail program."""
FORGOTTEN = re.compile(r"flex|grid|position:|var\(|url\(|float|@")
"""What some of them drop."""
MATCHES = ["kahuna-thames-kosmos", "bambus-four", "piatnik-four", "running", "piatnik-announcing"]


class Page(HTMLParser):
    """The elements of a page, each closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attributes}))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.found if name == tag]


def letters(name: str) -> list[tuple[Replay, compose.Report]]:
    """Letters to whoever is asked, at some moments of an archived match."""
    log, desk = ARCHIVE / f"{name}.pbem.yaml", ARCHIVE / f"{name}.desk.yaml"
    known = Replay.read(str(log), read_keys(str(desk)))
    found = []
    for ply in range(1, known.position.ply + 1, max(1, known.position.ply // 12)):
        now = Replay.of(known.log, known.keyring, at=ply)
        for seat in now.awaited:
            found.append((now.seen_by(seat), compose.letter(now, seat, len(now.log.entries) - 1)))
    assert found
    return found


@pytest.mark.parametrize("name", MATCHES)
def test_a_page_is_what_mail_programs_keep_and_small_enough(name: str) -> None:
    for _, letter in letters(name):
        body = html.page(letter, board=html.image("board", "the board", 720), to="d@e.example")
        page = Page(body)
        assert {tag for tag, _ in page.found} <= ELEMENTS
        for tag, attributes in page.found:
            if tag not in ("html", "meta", "a", "img"):
                assert set(attributes) <= KEPT, tag
            assert not FORGOTTEN.search(attributes.get("style", ""))
        assert len(body.encode()) <= 60_000


@pytest.mark.parametrize("name", MATCHES)
def test_each_link_opens_an_answer_that_check_accepts(name: str, tmp_path: Path) -> None:
    for now, letter in letters(name)[:4]:
        assert letter.letter
        page = Page(html.page(letter, to="desk@games.example"))
        links = [each["href"] for each in page.of("a")]
        assert len(links) == min(html.MOST_LINKS, len(letter.letter.legal))
        first = []
        for link in links:
            assert len(link) <= html.LONGEST_LINK
            parts = urlsplit(link)
            assert (parts.scheme, unquote(parts.path)) == ("mailto", "desk@games.example")
            assert "+" not in parts.query
            sent = {key: value for key, [value] in parse_qs(parts.query).items()}
            assert sent["subject"] == f"[{now.name} {now.position}]"
            fence = rf"\[move\] {re.escape(str(now.position))}\r\n(.+)\r\n\[/move\]\r\n"
            first += re.findall(fence, sent["body"])
        assert {*first} <= {*letter.letter.legal}
        # However many moves of one kind there are, some of each other kind are among them.
        kinds = {type(now.game.parse(move).move) for move in letter.letter.legal}
        assert kinds == {type(now.game.parse(move).move) for move in first}


@pytest.mark.parametrize("name", ["running", "bambus-four"])
def test_a_board_s_link_and_eight_answers_stand_below_the_question_and_no_more_where_it_has_them(
    name: str,
) -> None:
    """Whose turn it is and until when come first, with the board, and none of the answers last."""
    [(_, letter), *_] = letters(name)
    assert letter.letter
    moves = letter.letter.legal[:12]
    own = letter.letter._replace(legal=moves, more=0)
    both = ("Your board", "https://a.example/b#k=K-9"), ("The match", "https://a.example/m")
    for pages in ((), both):
        now = letter._replace(letter=own, past=False, pages=pages)
        page = html.page(now, board=html.image("b", "b", 720), to="d@e.fr")
        parts = ["<h1", *("https:" for _ in pages), "<img", "mailto:", "<h2"]
        at = [page.index(part) for part in parts]
        assert sorted(at) == at
        # One's own board is a button, and what is to be known of it stands small below.
        buttons = page.count("background:#00614a"), page.count("Play on your board</strong>")
        assert buttons == (bool(pages), bool(pages))
        assert page.count("Your board</p>") == page.count(">The match</a>") == bool(pages)
        assert page.count("mailto:") == 8
        assert page.count("Choose one of 12, these among them") == 1
        assert (moves[11] in page) == ("<table" in page) == (not pages)


def test_whoever_is_not_asked_sees_their_board_and_for_whom_they_wait() -> None:
    log, desk = ARCHIVE / "running.pbem.yaml", ARCHIVE / "running.desk.yaml"
    now = Replay.read(str(log), read_keys(str(desk)))
    for seat in now.setup.seats:
        letter = compose.letter(now, seat, len(now.log.entries) - 1)
        page = html.page(letter._replace(pages=(("Your board", "https://a.example/b#k=K-9"),)))
        words = "Play on your board" if seat in now.awaited else "See your board"
        assert f"{words}</strong>" in page
        assert ("You wait for" in page) == (seat not in now.awaited)
    assert len(now.awaited) == 1


def test_what_is_shown_of_a_code_breaks_nowhere_and_what_is_sent_is_as_it_was() -> None:
    page = html.page(letters("running")[-1][1], to="d@e.fr")
    moves = re.findall(r"body=[^\"]*?([A-Z]{4}-[A-Z]{4})[^>]*>([^<]*)<", page)
    assert moves
    assert all(sent.replace("-", "\u2011") in shown for sent, shown in moves)


def test_the_links_of_a_letter_go_to_the_desk_s_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_ADDRESS", "mod@example.org")
    log = ARCHIVE / "running.pbem.yaml"
    for more in ((), ("--json",)):
        done = pbem("letter", log, "--seat", "black", "--format", "html", *more)
        links = Page(done.json["letter"] if more else done.out).of("a")
        assert links
        assert {urlsplit(each["href"]).path for each in links} == {"mod@example.org"}
    monkeypatch.delenv("PBEM_ADDRESS")
    done = pbem("letter", log, "--seat", "black", "--format", "html")
    assert {urlsplit(each["href"]).path for each in Page(done.out).of("a")} == {""}


@pytest.mark.parametrize("name", MATCHES)
def test_a_board_in_ascii_is_no_wider_than_a_phone(name: str) -> None:
    for _, letter in letters(name):
        shown = html.page(letter, to="desk@games.example")
        [board, *_] = re.findall(r"<pre[^>]*overflow:auto[^>]*>(.*?)</pre>", shown, re.DOTALL)
        assert max(len(unescape(line)) for line in board.splitlines()) <= 40


def test_what_is_long_breaks_on_a_phone() -> None:
    log, desk = ARCHIVE / "bambus-four.pbem.yaml", ARCHIVE / "bambus-four.desk.yaml"
    known = Replay.read(str(log), read_keys(str(desk)))
    letter = compose.letter(Replay.of(known.log, known.keyring, at=117), "seat4", 0, key=True)
    assert letter.letter
    many = letter.letter._replace(legal=("pass",) * 60)
    shown = html.page(letter._replace(letter=many), to="desk@games.example")
    wide = re.findall(r'<pre style="([^"]*)">(.*?)</pre>', shown, re.DOTALL)
    assert len(wide) == 3  # the board, the moves beyond the links, the key
    breaking = [text for style, text in wide if "pre-wrap" in style]
    assert breaking[0].count("pass") == 60 - html.MOST_LINKS
    assert str(letter.letter.key).strip() in breaking[1]


def test_show_prints_the_page_with_the_board_in_it() -> None:
    log = ARCHIVE / "running.pbem.yaml"
    printed = pbem("show", log, "--format", "html").out
    assert printed.count("<svg ") == 1
    assert "On the map," not in printed
    Page(re.sub(r"<svg .*</svg>", "", printed, flags=re.DOTALL))


def test_what_comes_from_outside_stays_text() -> None:
    [(_, letter), *_] = letters("running")
    hostile = "<img src=x onerror=alert(1)>\"'&"

    seats = dict.fromkeys(letter.seats, hostile)
    page = Page(html.page(letter._replace(seats=seats, notes=(hostile,), match='a"b<i>')))
    assert not page.of("img")
    assert not page.of("i")
