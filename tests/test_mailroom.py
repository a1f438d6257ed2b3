"""The mailroom: a mailbox goes in, plies and answers come out, each once and to one address."""

from __future__ import annotations

import json
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, apart, dealt, finished, mail, pbem
from hypothesis import given
from hypothesis import strategies as st
from mailbag import START
from postroom import EVE, VOUCHED, Post, bridge, forget_mails, noted, plies, strict, text, unmarked

from pbem.desk import address
from pbem.desk.submit import submit
from pbem.intake import rawmail
from pbem.mailroom import matter
from pbem.mailroom.inbox import headers
from pbem.play import games


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(post.matches)


@pytest.fixture
def toy(post: Post, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A match of the game of vetoes: what ann sends may have to wait for bob."""
    monkeypatch.setitem(games.OWN, "toy", "toy")
    return dealt(post.matches, "toy", ("ann", "bob"))


# --------------------------------------------------------------------------- sources


def test_a_mail_from_every_source_is_played(post: Post, room: Room, tmp_path: Path) -> None:
    raw = mail("DUDA-BARI")
    assert post.run(source="-", stdin=raw) == ["accepted"]
    file = tmp_path / "m.eml"
    file.write_bytes(mail("KAHU-COCO", identity="<2@example.org>"))
    assert post.run(source=file) == ["accepted"]
    mbox = tmp_path / "m.mbox"
    third = mail("LALE-IFFI", identity="<3@example.org>")
    fourth = mail("take JOJO\n\n>From here on duda is yours", identity="<4@example.org>")
    mbox.write_bytes(
        b"From ana Sat Nov 21 05:00:00 2026\n" + third + b"\n"
        b"From ana Sat Nov 21 05:01:00 2026\n" + fourth
    )
    assert post.run(source=mbox) == ["accepted", "refused"]
    post.comes(mail("take JOJO", identity="<5@example.org>"))
    assert post.run() == ["accepted"]
    assert plies(room) == ["DUDA-BARI", "KAHU-COCO", "LALE-IFFI", "take JOJO"]


def test_mails_are_taken_by_their_arrival(post: Post, room: Room) -> None:
    for name, raw in (
        (f"new/{START + 9}.M1P1.host", mail("GOLA-COCO", sender=BEN, identity="<2@e>")),
        (f"cur/{START}.M7P1.host:2,", mail("draw", identity="<1@e>")),
        (f"new/{START + 10}.M1P1.host", mail("draw", sender=BEN, identity="<3@e>")),
    ):
        (post.box / name).write_bytes(raw)
    assert post.run() == ["accepted"] * 3
    done = sorted(file.name for file in (post.box / ".pbem-done" / "cur").iterdir())
    assert done[0] == f"{START}.M7P1.host:2,S"
    assert len(done) == 3
    assert plies(room) == ["draw", "GOLA-COCO", "draw"]


def test_a_folder_that_is_no_maildir_a_missing_file_and_no_outbox_are_told(
    post: Post, room: Room, tmp_path: Path
) -> None:
    assert post.desk(source=tmp_path).code == 66
    assert post.desk(source=tmp_path / "gone").code == 66
    assert pbem("desk", "run", "--mail", "-", "--matches", post.matches).code == 2
    with_word = pbem("desk", "run", "--mail", "imaps://a:b@host/INBOX", "--outbox", tmp_path / "o")
    assert with_word.code == 2
    assert "PBEM_IMAP_PASSWORD" in with_word.err


# --------------------------------------------------------------------------- routes


def test_a_token_names_the_match_else_the_one_match_the_sender_plays(
    post: Post, tmp_path: Path
) -> None:
    first = dealt(post.matches, name="one")
    one = bridge(first)
    post.comes(mail(one))
    assert post.run() == ["accepted"]
    second = dealt(post.matches, name="two")
    two, three = bridge(second), bridge(first)
    post.comes(mail(two, identity="<2@e>"))
    post.comes(mail(two, identity="<3@e>", subject="AW: [two #9] Zug"))
    post.comes(mail(f"[one #10]\n{three}", identity="<4@e>"))
    assert post.run() == ["unclear", "accepted", "accepted"]
    assert plies(first) == [one, three]
    assert plies(second) == [two]
    notice = post.only(ANA, "notice").replace("\n", " ")
    assert "[one #10 " in notice
    assert "[two #9 " in notice


@pytest.mark.parametrize(
    ("subject", "played"),
    [
        ("[two] my move", True),
        ("Re: [TWO]", True),
        ("=?utf-8?q?Re=3A_=5Btwo=5D?=", True),
        ("two", True),
        ("AW: Re: Two ", True),
        ("two moves", False),
        ("[two] or [one]?", False),
        ("[three]", False),
    ],
)
def test_the_name_of_a_match_in_brackets_or_alone_says_which_of_several_is_meant(
    post: Post, subject: str, played: bool
) -> None:
    first, second = dealt(post.matches, name="one"), dealt(post.matches, name="two")
    post.comes(mail(bridge(second), subject=subject))
    assert post.run() == ["accepted" if played else "unclear"]
    assert (plies(first), bool(plies(second))) == ([], played)


@pytest.mark.parametrize(
    ("subject", "verdict"), [("My moves", "unclear"), ("Re: [one #9]", "unreadable")]
)
def test_orders_for_two_matches_in_one_mail_are_answered_by_what_to_do(
    post: Post, subject: str, verdict: str
) -> None:
    rooms = [dealt(post.matches, name=each) for each in ("one", "two")]
    orders = [f"[move] {room.read().position}\n{bridge(room)}\n[/move]\n" for room in rooms]
    post.comes(mail("\n".join(orders), subject=subject))
    assert post.run() == [verdict]
    told = " ".join(post.only(ANA, "notice").split())
    assert "Each match wants a message of its own" in told
    assert f"[one {rooms[0].read().position}]" in told
    assert [plies(room) for room in rooms] == [[], []]


@pytest.mark.parametrize("said", ["[move] {now}\n{move}\n[/move]", "{move}\n{now}"])
def test_a_position_that_only_one_of_several_matches_has_had_says_which_is_meant(
    post: Post, said: str
) -> None:
    first, second = (dealt(post.matches, name=each) for each in ("one", "two"))
    now, move = second.read().position, bridge(second)
    order = said.format(now=now, move=move)
    post.comes(mail(order))
    assert post.run() == ["accepted"]
    assert (plies(first), plies(second)) == ([], [move])
    forget_mails(post.matches)  # killed before it was noted: what was played is found again
    post.run()
    assert plies(second) == [move]
    assert post.to(ANA, "notice") == []
    post.comes(mail(order.replace(move, "draw"), identity="<2@e>"))
    assert post.run() == ["stale"]
    assert (plies(first), plies(second)) == ([], [move])


@pytest.mark.parametrize("wrong", ["#9 0000", "#8 {0}", "#9", "{0}"])
def test_a_position_that_no_match_has_had_or_is_half_named_says_nothing_of_which(
    post: Post, wrong: str
) -> None:
    rooms = [dealt(post.matches, name=each) for each in ("one", "two")]
    fingerprint = rooms[1].read().position.fingerprint
    post.comes(mail(f"[move] {wrong.format(fingerprint)}\ndraw\n[/move]"))
    assert post.run() == ["unclear"]
    assert [plies(room) for room in rooms] == [[], []]


def test_a_position_that_two_matches_have_had_says_nothing_of_which(post: Post) -> None:
    first = dealt(post.matches, name="one")
    for half in (first.log, first.desk):
        copy = half.with_name(half.name.replace("one", "two"))
        copy.write_bytes(half.read_bytes())
        copy.chmod(half.stat().st_mode)
    post.comes(mail(f"[move] {first.read().position}\ndraw\n[/move]"))
    assert post.run() == ["unclear"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("rules: K-18", "K-18: "),
        ("rules: B-45\nrules: K-2", "B-45: "),
        ("rules: K-999", "Nothing was found: Kahuna has no rule K-999"),
    ],
)
def test_a_player_of_several_matches_asks_for_rules_without_naming_one(
    post: Post, asked: str, told: str
) -> None:
    dealt(post.matches, name="one")
    dealt(post.matches, name="two")
    dealt(post.matches, "kanaloa-bambus", ("red", "yellow"), name="three")
    post.comes(mail(asked))
    assert post.run() == ["asked"]
    assert post.only(ANA).startswith(told)
    assert not (post.matches / ".mailroom" / "aside").exists()


def test_of_several_matches_the_one_still_running_is_meant(post: Post) -> None:
    over, on = dealt(post.matches, name="one"), dealt(post.matches, name="two")
    pbem("rule", over.log, "end", "--reason", "agreed")
    post.comes(mail("draw"))
    assert post.run() == ["accepted"]
    assert plies(on) == ["draw"]


@pytest.mark.parametrize("subject", ["My move", "[m #9]", "[nowhere #9]"])
def test_strangers_are_refused_alike_and_told_nothing_of_the_match(
    post: Post, room: Room, subject: str
) -> None:
    post.comes(mail("draw", sender=EVE, subject=subject))
    with room.unchanged():
        assert post.run() == ["stranger"]
    told = post.only(EVE)
    assert told.startswith("This address is not in the address book")
    [answer] = post.to(EVE)
    assert answer["Subject"] == "Your mail was not understood"
    for secret in ("Ana", "Ben", "white", "#9", "5989", "Kahuna", ANA):
        assert secret not in answer.as_string().replace("Message-ID", "")


def test_a_player_of_one_match_is_a_stranger_to_another(post: Post, room: Room) -> None:
    other = dealt(post.matches, name="closed")
    text_ = other.desk.read_text().replace(ANA, "dora@example.org").replace(BEN, EVE)
    other.desk.write_text(text_)
    post.comes(mail("draw", subject="[closed #9]"))
    with other.unchanged(), room.unchanged():
        assert post.run() == ["stranger"]
    assert "#9" not in post.to(ANA)[0].as_string()
    [why] = post.aside()
    assert "a player of m names the match closed" in why


def test_a_seat_may_have_several_addresses_answers_go_to_the_one_that_wrote_news_to_the_first(
    post: Post, room: Room
) -> None:
    room.desk.write_text(
        room.desk.read_text().replace(f'"{ANA}"', f'"{ANA}", "Ana.Phone@example.org"')
    )
    assert pbem("show", room.log).code == 0
    post.comes(mail("draw", sender="ana.phone@example.org"))
    assert post.run() == ["accepted"]
    assert len(post.to("ana.phone@example.org", "answer")) == 1
    assert post.to(ANA) == []
    post.comes(mail("GOLA-COCO", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert len(post.to("ana.phone@example.org")) == len(post.to(ANA, "news")) == 1


# --------------------------------------------------------------------------- answers


def test_an_order_brings_each_player_one_mail_to_one_address(post: Post, room: Room) -> None:
    post.comes(mail("Hi Ben,\n\nDUDA-BARI\ndraw\ndraw\n"))
    assert post.run() == ["accepted"]
    kinds = sorted(
        (name.rsplit(".", 2)[1], message["To"]) for name, message in post.answers().items()
    )
    assert kinds == [("answer", ANA), ("news", BEN)]
    for message in post.answers().values():
        assert len(message["To"].addresses) == 1
        assert message["Cc"] is None
        assert message["Bcc"] is None
    own, news = (re.findall("^[A-Z ]+$", post.only(who), re.MULTILINE) for who in (ANA, BEN))
    after = ["WHAT HAPPENED", "WHERE THE MATCH STANDS", "FOR {} ALONE", "NEXT TO MOVE"]
    assert [heading for heading in own if heading] == [
        "WHAT YOU WROTE",
        "WHAT I PLAYED",
        "WHAT I IGNORED",
        "WHAT I DID NOT PLAY",
        *(heading.format("ANA") for heading in after),
    ]
    assert [heading for heading in news if heading] == [each.format("BEN") for each in after[:-1]]
    assert '"Hi Ben,": greeting' in post.only(ANA)
    ply, mark = room.read().position
    assert [m["Subject"] for m in post.to(BEN)] == [f"[m #{ply} {mark}] Ben to move"]


def test_what_is_private_lies_in_the_private_folder_alone(post: Post, room: Room) -> None:
    assert pbem("seat", room.log, "--observer", EVE).code == 0
    post.comes(mail("DUDA-BARI\ndraw"))
    post.run()
    [card] = [e.card for p, events in room.read("white").plies[-1:] for e in events[:1]]
    assert f"is dealt {card}" in post.only(ANA, "answer")
    for other in (post.only(BEN, "news"), post.only(EVE, "report")):
        assert "is dealt a card" in other
    assert post.only(EVE) in pbem("post", room.log).out
    names = list(post.answers())
    assert {n.split("/")[0] for n in names if n.endswith("report.eml")} == {"public"}
    assert {n.split("/")[0] for n in names if not n.endswith("report.eml")} == {"private"}
    private = post.outbox / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    for file in private.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    home = post.matches / ".mailroom"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "daybook.jsonl").stat().st_mode) == 0o600


def test_answers_stand_in_threads_under_stable_ids_and_own_up_to_be_automatic(
    post: Post, room: Room
) -> None:
    raw = b"References: <old@example.org> <worse id>\n" + mail("DUDA-BARI\ndraw")
    post.comes(raw)
    post.run()
    room.says("black", "GOLA-COCO")
    post.run()
    [answer], [news] = post.to(ANA, "answer"), post.to(ANA, "news")
    assert answer["In-Reply-To"] == "<1@example.org>"
    root = news["In-Reply-To"]
    assert answer["References"].split() == [root, "<old@example.org>", "<1@example.org>"]
    assert answer["Auto-Submitted"] == "auto-replied"
    assert news["Auto-Submitted"] == "auto-generated"
    ids = [message["Message-ID"] for message in post.answers().values()]
    assert len(set(ids)) == len(ids)
    assert all(each.endswith("@games.example>") for each in ids)
    assert {m["Reply-To"] for m in post.answers().values()} == {"desk@games.example"}


def test_text_is_at_most_72_columns_without_blanks_at_line_ends(post: Post, room: Room) -> None:
    post.comes(mail(f"Hi Ben,\n\nDUDA-\n{'Ich baue dort, wo es dir am meisten weh tut. ' * 4}"))
    post.comes(mail("DUDA-BARI\ndraw", identity="<2@e>"))
    assert post.run() == ["refused", "accepted"]
    boards = 0
    for message in post.answers().values():
        plain = text(message)
        assert all(len(line) <= 72 for line in plain.splitlines()), plain
        assert not any(line != line.rstrip() for line in plain.splitlines())
        boards += "[LALE 3]." in plain
    assert boards == len(post.answers())


def test_a_hostile_name_or_subject_breaks_no_header_and_no_page(post: Post, tmp_path: Path) -> None:
    room = dealt(post.matches)
    name = "<b>Ana</b> [x #1] " + "\N{RIGHT-TO-LEFT OVERRIDE}" + "w" * 300
    log = room.log.read_text()
    assert "Ana" in log
    raw = mail("DUDA-BARI\ndraw", subject="<script>alert(1)</script>", identity="<2@e>")
    raw = raw.replace(b"Ana <", f"{name[:9]}\r\n\tBcc: x <".encode())
    post.comes(raw)
    post.run()
    for message in post.answers().values():
        assert message["Bcc"] is None
        assert "<script" not in text(message, "html")


def test_who_sits_on_two_seats_gets_one_mail_with_both_hands(post: Post, room: Room) -> None:
    room.desk.write_text(room.desk.read_text().replace(BEN, ANA))
    post.comes(mail("DUDA-BARI\ndraw"))
    assert post.run() == ["accepted"]
    told = post.only(ANA)
    assert "hidden" not in told
    assert told.index("FOR ANA ALONE") < told.index("FOR BEN ALONE") < told.index("Choose one of")


def test_a_forged_mail_learns_nothing_withdraws_nothing_and_overtakes_nothing(
    post: Post, toy: Room
) -> None:
    strict(toy)
    date = b"Date: Thu, 28 May 2026 10:0%d:00 +0200\n"
    post.comes(VOUCHED + date % 0 + mail("build 1\nbuild 2\ndone"))
    post.comes(date % 9 + mail("withdraw", identity="<2@e>"))
    post.comes(date % 9 + mail("build 9", identity="<3@e>"))
    post.comes(date % 9 + mail("[move]\nbuild 9", identity="<4@e>"))
    with_proof = VOUCHED + date % 1 + mail("Withdraw", identity="<5@e>")
    assert post.run() == ["accepted", "unproven", "unproven", "unproven"]
    assert "build 2" in toy.desk.read_text()
    unproven = [m for m in post.to(ANA, "notice") if "not accepted" in text(m)]
    assert len(unproven) == 3
    assert {m["Subject"] for m in unproven} == {"Your mail was not understood"}
    assert sum("say --from" in why for why in post.aside()) == 3
    post.comes(with_proof)
    assert post.run() == ["withdrawn"]
    assert "build 2" not in toy.desk.read_text()


# ------------------------------------------------------------------ never argue with a machine


@pytest.mark.parametrize(
    ("header", "verdict"),
    [
        ("Auto-Submitted: auto-replied (vacation)", "auto"),
        ("X-Autoreply: yes", "auto"),
        ("Precedence: auto_reply", "auto"),
        ("Auto-Submitted: auto-generated", "auto"),
        ("Precedence: bulk", "bulk"),
        ("Precedence: junk", "bulk"),
        ("Return-Path: <>", "auto"),
        ("Content-Type: multipart/report; report-type=delivery-status", "bounce"),
        ("X-Failed-Recipients: x@example.org", "auto"),
        ("X-Pbem: 0.1.0", "auto"),
    ],
)
def test_machines_get_no_answer_and_move_nothing(
    post: Post, room: Room, header: str, verdict: str
) -> None:
    post.comes(f"{header}\n".encode() + mail("draw"))
    with room.unchanged():
        assert post.run() == [verdict]
    assert post.answers() == {}
    assert len(post.aside()) == 1


def test_an_out_of_office_reply_is_noted_as_such_with_the_seat(post: Post, room: Room) -> None:
    post.comes(b"Auto-Submitted: auto-replied\n" + mail("Back in May", sender=BEN))
    [told] = post.told()
    assert (told["verdict"], told["match"], told["why"]) == ("away", "m", "out of office: black")
    assert "out of office: black" in noted(post.matches)[-1]["why"]


@pytest.mark.parametrize("subject", ["Out of Office", "Urlaub", "Automatic reply: [m #3]"])
def test_what_only_its_subject_calls_a_machine_s_is_for_the_moderator(
    post: Post, room: Room, subject: str
) -> None:
    post.comes(mail("draw", subject=subject))
    with room.unchanged():
        assert post.run() == ["auto"]
    assert post.answers() == {}
    [why] = post.aside()
    assert "its headers look like a machine's" in why
    listed = pbem("aside", post.matches).out
    assert "draw" not in listed  # the moderator may play


def test_what_comes_from_the_desk_itself_is_never_answered(post: Post, room: Room) -> None:
    post.comes(mail("draw", sender="Desk@games.example"))
    post.comes(mail("draw"))
    assert post.run() == ["own", "accepted"]
    before = post.answers().keys()
    for file in list(post.outbox.rglob("*.eml")):
        post.comes(file.read_bytes())
    assert set(post.run()) == {"own"}
    assert post.answers().keys() == before


def test_an_order_through_a_list_counts_but_the_list_gets_no_answer(post: Post, room: Room) -> None:
    post.comes(b"List-Id: <club.example>\nPrecedence: list\n" + mail("draw"))
    post.comes(b"List-Id: <club.example>\n" + mail("nonsense", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted", "refused"]
    assert sorted(unmarked(name).split(".", 1)[1] for name in post.answers()) == [
        "0009-0011.black.news.eml",
        "0009-0011.white.news.eml",
    ]
    [why] = post.aside()
    assert "came through a list" in why


def test_a_newsletter_is_noted_and_bothers_nobody(post: Post, room: Room) -> None:
    post.comes(b"List-Unsubscribe: <https://x.example>\n" + mail("Buy draw!", sender=EVE))
    assert post.run() == ["list"]
    assert post.answers() == {}
    assert post.aside() == []


def test_refusals_of_one_sender_stop_at_a_limit_a_day_but_orders_do_not(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        post.comes(mail(f"nonsense {number}", identity=f"<{number}@e>"))
    post.comes(mail("draw", identity="<9@e>"))
    assert post.run("--refusals", "3") == ["refused"] * 5 + ["accepted"]
    told = [
        "this is the last answer" in " ".join(text(each).split())
        for each in post.to(ANA, "refusal")
    ]
    assert sorted(told) == [False, False, True]
    assert len(post.to(ANA, "answer")) == 1
    assert len(post.aside()) == 3  # the third that came to nothing, and those not answered
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + 86400))
    post.comes(mail("more nonsense", identity="<10@e>"))
    assert post.run("--refusals", "3") == ["sender"]
    assert (len(post.to(ANA, "refusal")), len(post.to(ANA, "notice"))) == (3, 1)


# --------------------------------------------------------------------------- each once


def test_the_same_mailbox_again_changes_nothing_and_answers_nothing(
    post: Post, room: Room, tmp_path: Path
) -> None:
    raws = [
        mail("DUDA-BARI\ndraw"),
        mail("nonsense", sender=BEN, identity="<2@e>"),
        mail("draw", sender=EVE, identity="<3@e>"),
    ]
    for raw in raws:
        post.comes(raw)
    assert post.run() == ["accepted", "refused", "stranger"]
    before = {
        file: file.read_bytes()
        for file in tmp_path.rglob("*.*")
        if file.is_file() and "Maildir" not in str(file) and not file.name.startswith("index.")
    }
    book = post.matches / ".mailroom" / "daybook.jsonl"
    del before[book]
    for _ in range(2):
        noted_before = book.read_bytes()
        for raw in raws:
            post.comes(b"Received: by another way\n" + raw)
        assert post.run() == ["seen"] * 3
        assert {file: file.read_bytes() for file in before} == before
    assert book.read_bytes() == noted_before  # the same bytes are known without being opened


def test_an_answer_that_was_never_written_follows_from_log_and_mail(post: Post, room: Room) -> None:
    """As after a crash between the log and the outbox, with a move of the other in between."""
    raw = mail("Hi,\n\nDUDA-BARI\ndraw\ndraw")
    post.comes(raw)
    post.run()
    wanted = {name: message.as_bytes() for name, message in post.answers().items()}
    room.says("black", "GOLA-COCO")
    for file in ((post.matches / ".mailroom").glob("*.jsonl"), post.outbox.rglob("*.eml")):
        for each in file:
            each.unlink()
    post.comes(raw)
    with room.unchanged():
        assert post.run("--anew") == ["accepted"]
    told = {name: message.as_bytes() for name, message in post.answers().items()}
    [answer] = (name for name in told if name.endswith(".answer.eml"))
    assert told[answer] == wanted[answer]
    # Whoever was not told at all is told everything at once.
    assert set(map(unmarked, told)) == {
        "private/m.0012.white.answer.eml",
        "private/m.0009-0013.black.news.eml",
        "private/m.0012-0013.white.news.eml",
    }


def test_a_late_second_copy_brings_no_second_receipt(post: Post, room: Room) -> None:
    raw = mail("DUDA-BARI\ndraw")
    post.comes(raw)
    post.comes(mail("GOLA-COCO\ntake FAAA", sender=BEN, identity="<2@e>"))
    post.comes(mail("KAHU-COCO", identity="<3@e>"))
    post.comes(raw.replace(b"Subject: ", b"Subject: [club] "))
    assert post.run() == [*["accepted"] * 3, "seen"]
    assert len(post.to(ANA, "answer")) == 2


def test_after_answers_that_were_owed_the_match_goes_on_where_it_stands(
    post: Post, room: Room
) -> None:
    raw = mail("DUDA-BARI\ndraw")
    post.comes(raw)
    post.comes(mail("GOLA-COCO", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted", "accepted"]
    forget_mails(post.matches)
    post.comes(raw)
    post.comes(mail("take FAAA", sender=BEN, identity="<3@e>"))
    assert post.run() == ["accepted", "accepted"]
    assert plies(room) == ["DUDA-BARI", "draw", "GOLA-COCO", "take FAAA"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def test_a_copy_of_another_s_mail_brings_the_copyist_no_receipt(post: Post, room: Room) -> None:
    raw = mail("DUDA-BARI\ndraw")
    post.comes(raw)
    post.comes(raw.replace(ANA.encode(), BEN.encode()))
    assert post.run() == ["accepted", "refused"]
    assert post.to(BEN, "answer") == []


def test_the_same_words_in_a_new_mail_are_answered_as_read_before(post: Post, room: Room) -> None:
    post.comes(mail("DUDA-BARI"))
    post.comes(mail("DUDA-BARI", identity="<2@e>"))
    assert post.run() == ["accepted", "duplicate"]
    assert "(no. 10)" in post.only(ANA, "refusal").replace("\n", " ")


def test_a_mail_overtaken_by_a_newer_one_of_the_seat_is_not_played_and_says_so(
    post: Post, room: Room
) -> None:
    early = b"Date: Thu, 28 May 2026 09:00:00 +0200\n" + mail("DUDA-BARI", identity="<old@e>")
    late = b"Date: Thu, 28 May 2026 10:00:00 +0200\n" + mail("KAHU-COCO", identity="<new@e>")
    wrong = b"Date: Thu, 28 May 2037 10:00:00 +0200\n" + mail("LALE-IFFI", identity="<future@e>")
    last = mail("draw", identity="<no-date@e>")
    for raw in (late, early, wrong, last):
        post.comes(raw)
    assert post.run() == ["accepted", "overtaken", "accepted", "accepted"]
    assert plies(room) == ["KAHU-COCO", "LALE-IFFI", "draw"]
    told = post.only(ANA, "refusal").replace("\n", " ")
    assert "his mail was overtaken: you sent it on 2026-05-28 07:00 UTC" in told
    assert "send it again" in told


def test_files_that_cannot_be_read_make_mails_wait_and_others_go_on(post: Post) -> None:
    broken, whole = dealt(post.matches, name="one"), dealt(post.matches, name="two")
    whole.desk.write_text(whole.desk.read_text().replace(BEN, EVE))
    kept = broken.log.read_text()
    broken.log.write_text(kept.replace("move: deal", "move: dael", 1))
    post.comes(mail("draw", subject="[one #9]"))
    post.comes(mail("draw", sender=BEN, subject="[one]", identity="<2@e>"))
    post.comes(mail("draw", subject="[two #9]", identity="<3@e>"))
    done = post.desk()
    assert done.code == 75
    verdicts = [json.loads(line)["verdict"] for line in done.out.splitlines()]
    assert verdicts == ["waits", "waits", "accepted"]
    [match] = [
        m for m in pbem("status", post.matches, "--json").json["matches"] if m["match"] == "one"
    ]
    assert match["unanswered"] == 3  # two mails, and nobody can be told how it stands
    assert "chain breaks" in match["problems"][0]
    broken.log.write_text(kept)
    assert post.run() == ["accepted", "accepted"]
    assert plies(broken) == ["draw", "draw"]
    assert plies(whole) == ["draw"]
    assert [m["unanswered"] for m in pbem("status", post.matches, "--json").json["matches"]] == [
        0,
        0,
    ]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n\n",
        b"\xff\xfe\x00garbage",
        b"From: \n\ndraw",
        b"From: a@b.c, d@e.f\nSubject: x\n\ndraw",
        b"From: ana@example.org\nFrom: ben@example.org\n\ndraw",
        b"From: =?utf-8?q?=00?= <ana@example.org\r\n x>\n\ndraw",
    ],
)
def test_what_cannot_be_answered_lies_aside_with_the_reason(
    post: Post, room: Room, raw: bytes
) -> None:
    post.comes(raw)
    with room.unchanged():
        assert post.run() == ["unreadable"]
    assert post.answers() == {}
    [why] = post.aside()
    assert why.strip()
    assert pbem("status", post.matches, "--json").json["astray"] == 1
    assert "1 mail needs you (1 unreadable)" in pbem("status", post.matches).out


def test_a_player_is_told_why_his_mail_cannot_be_read(post: Post, room: Room) -> None:
    post.comes(mail("[move]\nDUDA-BARI\n"))
    with room.unchanged():
        assert post.run() == ["unreadable"]
    assert post.only(ANA, "notice").startswith("Nothing was played.")


# --------------------------------------------------------------------------- held orders


def test_a_receipt_says_that_an_address_proves_nothing(post: Post, room: Room) -> None:
    post.comes(mail("DUDA-BARI"))
    assert post.run() == ["accepted"]
    told = post.only(ANA, "answer").replace("\n", " ")
    assert "by the address in From alone, which anybody can write; that is not verified" in told


def test_a_run_tells_once_what_it_did_not_verify(post: Post, room: Room) -> None:
    run = ("desk", "run", "--mail", post.box, "--matches", post.matches, "--outbox", post.outbox)
    for nth in range(2):
        for who in (ANA, BEN):
            post.comes(mail("draw", sender=who, identity=f"<{who}{nth}>"))
        first, second = pbem(*run, "--once").out.splitlines()[:2]
        assert re.fullmatch("accepted .*that is not verified", first)
        assert re.fullmatch("accepted .* black", second)


def test_held_orders_stand_in_the_receipt_and_are_played_in_their_turn(
    post: Post, toy: Room
) -> None:
    post.comes(mail("build 1\nbuild 2\ndone"))
    assert post.run() == ["accepted"]
    receipt = post.only(ANA, "answer")
    assert "WHAT WAITS" in receipt
    assert "build 2" in receipt.split("WHAT WAITS")[1]
    [match] = pbem("status", post.matches, "--json").json["matches"]
    assert match["held"] == {"ann": 2}
    post.comes(mail("allow", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert plies(toy)[:3] == ["build 1", "allow", "build 2"]
    assert "the rest of your order: done" in text(post.to(ANA, "news")[-1])
    assert "done" not in text(post.to(BEN, "answer")[-1]).split("NEXT TO MOVE")[0]


def test_held_orders_are_withdrawn_by_mail_and_by_command(post: Post, toy: Room) -> None:
    post.comes(mail("build 1\nbuild 2\ndone"))
    post.comes(mail("Withdraw", identity="<2@e>"))
    assert post.run() == ["accepted", "withdrawn"]
    assert "no more: build 2; done." in post.only(ANA, "notice")
    assert toy.desk.read_text().count("build 2") == 0
    post.comes(mail("allow", sender=BEN, identity="<3@e>"))
    post.comes(mail("build 3\nbuild 4", identity="<4@e>"))
    assert post.run() == ["accepted", "accepted"]
    done = pbem("withdraw", toy.log, "--seat", "ann", "--json")
    assert done.json["withdrawn"] == ["build 4"]
    assert "no moves of ann are waiting" in pbem("withdraw", toy.log, "--seat", "ann").out
    assert pbem("withdraw", toy.log, "--seat", "eve").code == 2


def test_a_held_order_that_can_no_longer_be_played_is_explained_to_its_sender_alone(
    post: Post, toy: Room
) -> None:
    post.comes(mail("build 1\nbuild 2\nbuild 5"))
    post.comes(mail("veto", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted", "accepted"]
    letter = " ".join(text(post.to(ANA, "answer")[-1]).split())
    assert '"build 2", which you sent early, is not played' in letter
    for message in post.to(BEN):
        assert "build 2" not in text(message)
        assert "build 5" not in text(message)


# --------------------------------------------------------------------------- status


def test_status_shows_who_is_awaited_since_when_and_what_is_wrong(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = dealt(post.matches, name="one")
    over = dealt(post.matches, name="two")
    pbem("rule", over.log, "resign", "--seat", "white", "--reason", "asked")
    lost = dealt(post.matches, name="three")
    lost.desk.unlink()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + 3600))
    room.says("white", "draw")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + 7200))
    last = bridge(room)
    assert room.says("black", last).verdict == "accepted"  # and goes on: still awaited
    for _ in range(2):  # the second time from what was kept
        three, one, two = pbem("status", post.matches, "--json").json["matches"]
        assert (one["awaited"], one["since"]) == (["black"], "2026-09-21T15:13:20Z")
        assert one["last"] == f"black {last}"
        assert two["ended"] == "black won [resignation]"
        assert "desk" in three["problems"][0]
    lines = pbem("status", post.matches, "--all").out.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == ["match", "three", "one", "two"]
    assert "Ben (black)" in "".join(lines)
    assert pbem("status", post.matches / "gone").code == 66


# --------------------------------------------------------------------------- rough weather


@given(st.binary(max_size=400), st.sampled_from([b"", b"From: ", b"Date: ", b"Subject: =?"]))
def test_no_envelope_is_an_error(raw: bytes, start: bytes) -> None:
    read = headers.read(rawmail.read(start + raw), "desk@games.example")
    assert read.sender is None or address.found(read.sender) == read.sender
    assert all("\n" not in each and "\r" not in each for each in read.references)


def test_a_mistake_of_the_program_costs_one_mail_alone(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(path: str, message: object, *here: object, **more: object) -> object:
        if getattr(message, "sender", "") == BEN:
            raise ZeroDivisionError("one over none")
        return submit(path, message, *here, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(matter, "submit", faulty)
    post.comes(mail("draw", sender=BEN, identity="<2@e>"))
    post.comes(mail("draw"))
    failed, accepted = post.told()
    assert (failed["verdict"], failed["match"]) == ("failed", "m")
    assert accepted["verdict"] == "accepted"
    assert "ZeroDivisionError at " in failed["why"]
    assert post.aside() == [f"{failed['why']}\n"]
    monkeypatch.undo()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    post.comes(mail("draw", sender=BEN, identity="<2@e>"))
    assert post.run() == ["seen"]
    assert post.run() == []


def test_every_so_often_the_desk_looks_again(post: Post, room: Room) -> None:
    process = apart(
        "desk",
        "run",
        "--mail",
        post.box,
        "--matches",
        post.matches,
        "--outbox",
        post.outbox,
        "--every",
        "0.1",
    )
    try:
        for number, (who, order) in enumerate([(ANA, "draw"), (BEN, "draw")]):
            post.comes(mail(order, sender=who, identity=f"<{number}@e>"))
            deadline = time.monotonic() + 60
            while len(plies(room)) == number and time.monotonic() < deadline:
                time.sleep(0.05)
            assert len(plies(room)) == number + 1
    finally:
        process.terminate()
        finished(process)


def test_the_desk_keeps_a_web_site_and_writes_only_what_changed(post: Post, room: Room) -> None:
    dealt(post.matches, name="other")
    web = post.matches.parent / "web"
    post.run("--site", str(web), "--title", "Our matches")
    page, other = web / f"match-{room.read().name}.html", web / "match-other.html"
    assert "Our matches" in (web / "index.html").read_text()
    before = {file: (file.stat().st_ino, file.read_text()) for file in (page, other)}
    subject = f"Re: [{room.read().name} {room.read().position}]"
    post.comes(mail("draw", subject=subject))
    assert post.run("--site", str(web), "--title", "Our matches") == ["accepted"]
    assert page.read_text() != before[page][1]
    assert other.stat().st_ino == before[other][0]


def test_a_site_that_cannot_be_written_stops_no_mail(post: Post, room: Room) -> None:
    (post.matches.parent / "web").write_text("no folder")
    post.comes(mail("draw"))
    done = post.desk("--site", str(post.matches.parent / "web"))
    assert done.code == 73
    assert '"verdict": "accepted"' in done.out
    assert "cannot be made" in done.err


def test_many_new_logs_are_looked_at_side_by_side_and_a_broken_one_is_told(post: Post) -> None:
    rooms = [dealt(post.matches, name=name) for name in ("one", "two", "three")]
    rooms[0].log.write_text(rooms[0].log.read_text().replace("move: deal", "move: dael", 1))
    before = "from pbem.matches import status; status._MANY = 2"
    many = finished(apart("status", post.matches, "--json", before=before))
    assert many.code == 0, many.err
    assert many.json == pbem("status", post.matches, "--json").json
    told = {match["match"]: len(match["problems"]) for match in many.json["matches"]}
    assert told == {"one": 1, "two": 0, "three": 0}


# ------------------------------------------------------------------------- welcome, stranger


def test_a_stranger_is_welcomed_in_the_languages_and_the_words_of_the_folder(post: Post) -> None:
    for name, spoken in (("a", "de,en"), ("b", "de"), ("c", "hu")):
        seats = ("--seat", "white=Ana", "--seat", "black=Ben", "--language", spoken)
        done = pbem("new", "kahuna", *seats, "--match", name, "--dir", post.matches)
        assert done.code == 0, done.printed
    post.comes(mail("Kann man bei euch mitspielen?", sender=EVE, identity="<1@e>"))
    assert post.run() == ["stranger"]
    plain = " ".join(post.only(EVE).split())
    german, english, hungarian = (plain.index(a) for a in ("Diese Adresse", "This address", "Ez a"))
    assert german < english < hungarian
    (post.matches / "welcome.txt").write_text("We meet on Tuesdays.\n")
    (post.matches / "welcome.de.txt").write_text("Wir sind der Inselklub.\n")
    for nth, subject in enumerate(("[c #9 0000]", "[zzz #9 0000]"), 2):
        post.comes(mail("draw", sender=EVE, identity=f"<{nth}@e>", subject=subject))
    assert post.run() == ["stranger", "stranger"]
    named = [told for each in post.to(EVE) if "Inselklub" in (told := text(each))]
    assert named[0] == named[1], "whether a match is known is not told"
    words = ("Wir sind der Inselklub.", "Diese Adresse", "We meet on Tuesdays.", "This address")
    places = [named[0].index(each) for each in words]
    assert places == sorted(places)
    assert named[0].count("We meet on Tuesdays.") == 1
