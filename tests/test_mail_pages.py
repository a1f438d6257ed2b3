"""What mail programs show of the desk's mails: a page beside the text, the board in it as a picture
where somebody paints, moves that answer at a click."""

from __future__ import annotations

import re
import struct
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem, scripted
from postroom import Post, text
from test_canary import FIRST, WHITE_DIFFERS
from test_html import ELEMENTS, KEPT, Page, letters

from pbem.desk import append
from pbem.desk.file import Desk
from pbem.mailroom.outbox.message import fitted
from pbem.pictures import png
from pbem.report import compose, html
from pbem.report.facts import NARROW

DESK = "desk@games.example"
MOST = 100_000
"""Gmail cuts off what is longer."""


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


def page(message: EmailMessage) -> str:
    return text(message, "html")


def boards(message: EmailMessage) -> list[EmailMessage]:
    """The pictures that come with a mail."""
    return [part for part in message.walk() if part.get_content_type() == "image/png"]


def width(picture: EmailMessage) -> int:
    return int(struct.unpack(">I", picture.get_content()[16:20])[0])


def test_each_mail_has_a_page_of_what_mail_programs_keep(post: Post, room: Room) -> None:
    post.comes(mail("draw"))
    post.comes(mail("hop", sender=BEN, identity="<2@e>"))
    post.comes(mail("draw", sender="eve@elsewhere.example", identity="<3@e>"))
    post.comes(mail("Where is everybody?", identity="<4@e>"))
    assert post.run() == ["accepted", "refused", "stranger", "passed-on"]
    for name, message in post.answers().items():
        shown = Page(page(message))
        assert {tag for tag, _ in shown.found} <= ELEMENTS, name
        for tag, attributes in shown.found:
            if tag not in ("html", "meta", "a", "img"):
                assert set(attributes) <= KEPT, tag
        assert len(page(message).encode()) < MOST
        metas = {each.get("name"): each.get("content", "") for each in shown.of("meta")}
        assert metas["color-scheme"] == "light dark", name
        assert "width=device-width" in metas["viewport"]
        assert all(table["role"] == "presentation" for table in shown.of("table"))
        assert not boards(message)
        assert message.get_content_type() == "multipart/alternative"


def test_the_text_is_what_it_was(post: Post, room: Room) -> None:
    post.comes(mail("draw"))
    for _ in post.run("--pictures"):
        now = room.read()
        report = compose.text(compose.letter(now, "black", 9), "text")
        assert text(post.to(BEN, "news")[0]) == fitted(report)


def test_a_click_on_a_move_opens_an_answer_that_is_played(post: Post, room: Room) -> None:
    post.comes(mail("draw"))
    post.run()
    [letter] = post.to(BEN, "news")
    links = [each["href"] for each in Page(page(letter)).of("a")]
    assert 0 < len(links) <= html.MOST_LINKS
    for nth, link in enumerate(links[:3]):
        assert len(link) <= html.LONGEST_LINK
        parts = urlsplit(link)
        assert parts.path == DESK
        sent = {key: value for key, [value] in parse_qs(parts.query).items()}
        answer = mail(sent["body"], sender=BEN, subject=sent["subject"], identity=f"<b{nth}@e>")
        post.comes(answer)
    assert post.run() == ["accepted", "stale", "stale"]


def test_a_fence_can_be_copied_from_what_mail_programs_show(post: Post, room: Room) -> None:
    post.comes(mail("help"))
    assert post.run() == ["asked"]
    [asked] = post.to(ANA)
    [fence] = re.findall(r"<p>(\[move\].*?\[/move\])</p>", page(asked), re.DOTALL)
    lines = [line.strip() for line in fence.split("<br>")]
    assert lines[0].startswith("[move] #")
    assert lines[-1] == "[/move]"
    assert "\n".join(lines) in text(asked)
    post.comes(mail("\n".join(lines), identity="<2@e>"))
    assert post.run() == ["accepted"]


def test_a_report_for_all_has_no_link_to_anybody_s_move(post: Post, room: Room) -> None:
    assert pbem("seat", room.log, "--observer", "eve@elsewhere.example").code == 0
    post.comes(mail("draw"))
    post.run()
    [report] = post.to("eve@elsewhere.example")
    assert not Page(page(report)).of("a")


def test_moves_beyond_the_fortieth_are_listed_as_text() -> None:
    for now, letter in letters("bambus-four"):
        assert letter.letter
        shown = html.alternative(letter, DESK).page
        assert len(Page(shown).of("a")) == min(len(letter.letter.legal), html.MOST_LINKS)
        assert len(shown.encode()) < MOST
        for move in letter.letter.legal:
            lines = shown.replace("\u2011", "-").splitlines()
            words = [part for line in lines for part in line.split("  ")]
            assert any(move in word for word in words), (now.position, move)


# ------------------------------------------------------------------------------- with pictures


def test_who_has_not_seen_the_board_yet_is_shown_no_marks(room: Room) -> None:
    now, painted = room.read("white"), list[str]()

    def paint(svg: str) -> bytes:
        painted.append(svg)
        return b""

    for opening in (None, compose.opening(now)):
        report = compose.letter(now, "white", 0)._replace(opening=opening)
        html.alternative(compose.marked(report, now), DESK, paint)
    assert [' came"' in svg for svg in painted] == [True, False]


def test_beside_a_picture_nothing_is_wider_than_a_phone() -> None:
    for _, letter in letters("bambus-four"):
        shown = html.alternative(letter, DESK, lambda svg: b"").page
        for block in re.findall(r"<pre[^>]*>(.*?)</pre>", shown, re.DOTALL):
            lines = block.splitlines()
            assert max(map(len, lines)) <= NARROW or len(lines) == 2, block


def test_with_pictures_the_board_comes_with_the_page_that_shows_it(post: Post, room: Room) -> None:
    post.comes(mail("draw"))
    assert post.run("--pictures") == ["accepted"]
    told = [*post.to(ANA, "answer"), *post.to(BEN, "news")]
    assert len(told) == 2
    for message in told:
        plain, related = message.iter_parts()
        assert plain.get_content_type() == "text/plain"
        assert related.get_content_type() == "multipart/related"
        [picture] = boards(message)
        assert width(picture) == html.PICTURE
        [shown] = Page(page(message)).of("img")
        assert shown["src"] == f"cid:{picture['Content-ID'].strip('<>')}"
        ply, fingerprint = room.read().position
        assert shown["alt"].startswith(f"Kahuna - m - #{ply} {fingerprint}. It is round 1 of 3.")
        assert "It's the turn of Ben." in shown["alt"]
        assert int(shown["width"]) * 2 == html.PICTURE <= 1200
        assert len(picture.get_payload(decode=True)) <= 120_000
        assert "[ALOA" not in page(message)
        assert "[ALOA" in text(message)


def test_a_refusal_comes_with_the_board_its_reader_may_see(post: Post, room: Room) -> None:
    post.comes(mail("LALE-BARI"))
    assert post.run("--pictures") == ["refused"]
    [refused] = post.to(ANA, "refusal")
    assert len(boards(refused)) == 1
    assert "[ALOA" not in page(refused)
    assert pbem("seat", room.log, "--seat", "white", "--no-pictures").code == 0
    post.comes(mail("LALE-BARI", identity="<2@e>"))
    post.run("--pictures")
    refused = post.to(ANA, "refusal")[-1]
    assert not boards(refused)
    assert "[ALOA" in page(refused)


def test_a_seat_that_has_declined_gets_the_board_in_ascii(post: Post, room: Room) -> None:
    done = pbem("seat", room.log, "--seat", "black", "--no-pictures", "--json")
    assert done.json["pictures"] is False
    assert "pictures no" in pbem("seat", room.log, "--seat", "black").out
    post.comes(mail("draw"))
    assert post.run("--pictures") == ["accepted"]
    assert all(map(boards, post.to(ANA, "answer")))
    for message in post.to(BEN, "news"):
        assert not boards(message)
        assert "[ALOA" in page(message)
    assert pbem("seat", room.log, "--seat", "black", "--pictures", "--json").json["pictures"]
    assert Desk.read(str(room.log)).pictures == {"black": True}


def test_the_same_board_is_painted_once(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = []
    monkeypatch.setattr(png, "png", lambda svg, size: painted.append(svg) or b"\x89PNG" + bytes(99))
    observers = ("--observer", "eve@e.example", "--observer", "cy@e.example")
    assert pbem("seat", room.log, *observers).code == 0
    post.comes(mail("draw"))
    assert post.run("--pictures") == ["accepted"]
    with_picture = [message for message in post.answers().values() if boards(message)]
    assert len(painted) == len(set(painted)) < len(with_picture)


def test_what_has_changed_is_marked_on_the_board() -> None:
    now, letter = letters("kahuna-thames-kosmos")[3]
    painted: list[str] = []
    for report in (letter, compose.marked(letter, now)):
        html.alternative(report, DESK, lambda svg: painted.append(svg) or b"a picture")
    plain, marked = painted
    assert ' came"' not in plain
    assert ' came"' in marked


def test_pictures_without_a_painter_are_a_slip_of_the_command_line(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    post.comes(mail("draw"))
    with room.unchanged():
        done = post.desk("--pictures")
    assert done.code == 2
    assert "install pbem[png]" in done.err
    assert post.run("--no-pictures") == ["accepted"]


# --------------------------------------------------------------------------- what nobody may know


def received(folder: Path, cards: list[str]) -> dict[str, list[str]]:
    """All that Ana and Ben get of a match in which these cards come, but for the time."""
    folder.mkdir()
    post = Post(folder)
    dealer = scripted(cards)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "dealer_of", lambda now, table: dealer)
        dealt(post.matches, dealer=dealer, dealer_name="scripted", discard="free")
        post.comes(mail("DUDA-BARI; draw"))
        post.comes(mail("GOLA-COCO; take FAAA", sender=BEN, identity="<2@e>"))
        assert post.run("--pictures") == ["accepted", "accepted"]
    told: dict[str, list[str]] = {ANA: [], BEN: []}
    for message in post.answers().values():
        del message["Date"]
        told[message["To"]].append(message.as_string())
    return told


def test_ben_s_mails_hold_nothing_of_ana_s_hand(tmp_path: Path) -> None:
    one, other = received(tmp_path / "a", FIRST), received(tmp_path / "b", WHITE_DIFFERS)
    assert any("image/png" in each for each in one[BEN])
    assert one[BEN] == other[BEN]
    assert one[ANA] != other[ANA]


def test_what_comes_from_outside_stays_text_in_pages_and_pictures() -> None:
    hostile = "<script>alert(1)</script>]]>\"'&\u202e"
    painted: list[str] = []
    for now, letter in letters("running")[:1]:
        report = compose.marked(letter, now)._replace(
            seats=dict.fromkeys(letter.seats, hostile), notes=(hostile,), match='m"><img src=x>'
        )
        shown = html.alternative(report, 'a"b@c', lambda svg: painted.append(svg) or b"a picture")
        found = Page(shown.page)
        assert [each["src"] for each in found.of("img")] == [f"cid:{shown.cid}"]
        assert not found.of("script")
        assert "\u202e" not in shown.page
    assert "<script" not in painted[0]
