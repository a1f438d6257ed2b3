"""Links to a seat's own page: in every mail to it, unbroken, and back into a refused order."""

from __future__ import annotations

import html
import re
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from commands import ANA, BEN, Room, mail, pbem
from postroom import Post

from pbem.mailroom.outbox.message import fitted
from pbem.pictures import png
from pbem.play import judge
from pbem.report import sealed

BASE = "https://club.example/matches/"


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def match(post: Post) -> Room:
    people = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>", "-o", "starter=white")
    done = pbem("new", "kahuna", *people, "--match", "m", "--dir", post.matches)
    assert done.code == 0, done.printed
    return Room(post.matches / "m.pbem.yaml")


def link_of(room: Room, seat: str) -> str:
    return f"{BASE}{room.log.name.split('.')[0]}-{seat}.html{sealed.fragment(room.read(), seat)}"


def parts(message: EmailMessage) -> tuple[str, str]:
    """The text of a mail, and its HTML as a browser reads it."""
    text, shown = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert text
    assert shown
    return text.get_content(), html.unescape(shown.get_content())


def holds(message: EmailMessage, link: str) -> bool:
    """Does the text have the link on a line of its own, and the HTML as the address of one?"""
    text, shown = parts(message)
    return link in text.splitlines() and f'href="{link}"' in shown


@pytest.mark.parametrize("picture", ["--no-pictures", "--pictures"])
def test_every_mail_to_a_seat_holds_its_own_link_and_no_other(
    post: Post, match: Room, picture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "png", lambda svg, size: b"\x89PNG" + bytes(99))
    first = judge.legal_texts(match.read("white").game, match.read("white").state, "white").texts[0]
    options = ("--link", BASE, picture)
    post.run(*options)
    for nth, said in enumerate(
        (f"{first}\ndraw", "help", "board", "hop", "status", "draw", "say: Hi")
    ):
        post.comes(mail(said, identity=f"<{nth}@example.org>", subject="[m] x"))
        post.comes(mail(said, sender=f"Ben <{BEN}>", identity=f"<b{nth}@example.org>"))
        post.run(*options)
    assert len(post.answers()) > 12
    for name, message in post.answers().items():
        seat, other = ("white", "black") if message["To"] == ANA else ("black", "white")
        text, shown = parts(message)
        link = link_of(match, seat)
        again = [line for line in text.splitlines() if line.startswith(link)]
        assert len(again) == 1, name
        assert holds(message, again[0]), name
        assert link_of(match, other) not in text + shown


def test_without_link_no_mail_holds_one(post: Post, match: Room) -> None:
    post.run()
    assert post.answers()
    for message in post.answers().values():
        assert "#k=" not in "".join(parts(message))
        assert ".html" not in parts(message)[0]


def test_the_opening_mail_says_where_the_rules_are_and_how_to_play(post: Post, match: Room) -> None:
    post.run("--link", BASE)
    [message] = post.to(ANA)
    assert holds(message, f"{BASE}players.html")
    assert holds(message, f"{BASE}rules-kahuna.html")
    post.comes(mail("board"))
    post.run("--link", BASE)
    told = [parts(each)[0] for each in post.to(ANA)]
    assert sum("players.html" in text for text in told) == 1 < len(told)


def test_who_is_written_to_in_german_is_sent_to_the_rules_in_german(post: Post) -> None:
    people = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    german = ("--speaks", "black=de", "--match", "m", "--dir", post.matches)
    assert pbem("new", "kahuna", *people, *german).code == 0
    web = post.matches.parent / "web"
    post.run("--link", BASE, "--site", web)
    for address, files in (
        (ANA, ("players.html", "rules-kahuna.html")),
        (BEN, ("players-de.html", "rules-kahuna-de.html")),
    ):
        [message] = post.to(address)
        for file in files:
            assert holds(message, f"{BASE}{file}")
            assert (web / file).exists()


def test_whoever_plays_two_seats_has_both_links(post: Post, match: Room) -> None:
    assert pbem("seat", match.log, "--seat", "black", "--address", ANA).code == 0
    post.run("--link", BASE)
    [message] = post.to(ANA)
    assert holds(message, link_of(match, "white"))
    assert holds(message, link_of(match, "black"))


def test_somebody_who_sits_down_gets_a_new_link(post: Post, match: Room) -> None:
    before = link_of(match, "black")
    post.run("--link", BASE)
    said = ("--seat", "black", "--player", "Zoe <zoe@example.org>", "--reason", "x")
    assert pbem("rule", match.log, "substitute", *said).code == 0
    assert link_of(match, "black") != before
    post.run("--link", BASE)
    [message] = post.to("zoe@example.org")
    assert holds(message, link_of(match, "black"))
    assert not any(link_of(match, "black") in parts(each)[0] for each in post.to(BEN))


def asked(message: EmailMessage, room: Room) -> dict[str, list[str]]:
    """What a refusal's link brings along besides the key."""
    [link] = [
        line for line in parts(message)[0].splitlines() if line.startswith(BASE) and "#k=" in line
    ]
    assert holds(message, link)
    assert link.startswith(f"{link_of(room, 'white')}&")
    return parse_qs(urlsplit(link).fragment)


def test_a_refusal_s_link_enters_what_was_right(post: Post, match: Room) -> None:
    now = match.read("white")
    first = judge.legal_texts(now.game, now.state, "white").texts[0]
    post.run("--link", BASE)
    position = f"{now.position.ply}-{now.position.fingerprint}"
    for nth, (said, right, wrong, rule) in enumerate(
        [
            (f"{first}\nLALE-BARI\ndraw", first, "LALE-BARI", "K-2"),
            (f"{first}\nhop & skip=1\ndraw", f"{first}\ndraw", "hop & skip=1", None),
            ("LALE-BARI\ndraw", None, "LALE-BARI", "K-2"),
        ]
    ):
        text = f"[move]\n{said}\n[/move]\n"
        post.comes(mail(text, identity=f"<{nth}@example.org>"))
        post.run("--link", BASE)
        message = max(post.to(ANA, "refusal"), key=lambda each: each["Date"] + each["In-Reply-To"])
        found = asked(message, match)
        assert found["p"] == [position]
        assert found.get("m") == ([right] if right else None)
        assert found["r"] == [wrong]
        assert found.get("w") == ([rule] if rule else None)
        if rule:
            assert holds(message, f"{BASE}rules-kahuna.html#{rule}")


def test_the_link_of_what_is_nearly_clear_enters_what_was_understood(
    post: Post, match: Room
) -> None:
    now = match.read("white")
    first = judge.legal_texts(now.game, now.state, "white").texts[0]
    post.run("--link", BASE)
    post.comes(mail(f"{first} and then draw I suppose"))
    post.run("--link", BASE)
    [message] = post.to(ANA, "refusal")
    found = asked(message, match)
    assert f"[move] #9 {now.position.fingerprint} {first} draw [/move]" in " ".join(
        parts(message)[0].split()
    )
    assert (found["m"], found.get("r")) == ([f"{first}\ndraw"], None)


def test_a_letter_by_hand_holds_the_link_where_asked(match: Room, tmp_path: Path) -> None:
    for form in ("text", "markdown", "phpbb", "bgg", "html"):
        said = ("--seat", "white", "--format", form)
        done = pbem("letter", match.log, *said, "--link", BASE.rstrip("/"))
        assert link_of(match, "white") in html.unescape(done.out)
        assert "#k=" not in pbem("letter", match.log, *said).out


def test_a_post_holds_the_public_link_where_asked(match: Room) -> None:
    for form in ("text", "markdown", "phpbb", "bgg", "html"):
        done = pbem("post", match.log, "--format", form, "--link", BASE)
        assert f"{BASE}match-m.html" in done.out
        assert "#k=" not in done.out


def test_only_an_address_may_be_longer_than_a_line() -> None:
    link = f"https://club.example/{'a' * 200}#k=x"
    assert fitted(f"one\n{link}\ntwo") == f"one\n{link}\ntwo\n"
    assert max(map(len, fitted(f"see {link} there").splitlines())) <= 72
    assert max(map(len, fitted("https://" + "a" * 5000).splitlines())) <= 72
    assert re.fullmatch(r"(.{72}\n)+.*\n", fitted("a" * 500))
