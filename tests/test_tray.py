"""What needs a person reaches a person: bounces, the tray of mails put aside, the digest."""

from __future__ import annotations

import re
import shlex
from base64 import encodebytes
from email.message import EmailMessage
from pathlib import Path

import commands
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, Post, forget, plies, text

from pbem.mailroom import decide, tray
from pbem.mailroom.daybook import book_of
from pbem.mailroom.inbox import headers


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


OURS = b"Message-ID: <m.0010.b872.black.report@games.example>\n"
EXIM = (
    b"Return-path: <>\nFrom: Mail Delivery System <Mailer-Daemon@mx.example.net>\n"
    b"Auto-Submitted: auto-replied\nX-Failed-Recipients: ben@example.org\n"
    b"Subject: Mail delivery failed: returning message to sender\n"
    b"Message-ID: <x1@mx.example.net>\n\n"
    b"This message was created automatically by mail delivery software.\n\n"
    b"  ben@example.org\n    host mx.example.org: 550 no such user\n\n"
    b"------ This is a copy of the message, including all the headers. ------\n\n" + OURS
)
POSTFIX = (
    b"From: MAILER-DAEMON@mx.example.net (Mail Delivery System)\nSubject: Undelivered Mail\n"
    b"Message-ID: <x2@mx.example.net>\nMIME-Version: 1.0\n"
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=B\n\n"
    b"--B\n\nI'm sorry to have to inform you\n--B\nContent-Type: message/delivery-status\n\n"
    b"Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; ben@example.org\n"
    b"Original-Recipient: rfc822;ben@example.org\nAction: failed\nStatus: 5.1.1\n"
    b"--B\nContent-Type: text/rfc822-headers\n\n" + OURS + b"--B--\n"
)
EXCHANGE = (
    b"From: Microsoft Outlook <MicrosoftExchange329e71ec88ae@example.org>\r\n"
    b"Subject: Undeliverable: [m #10 b872] Ben to move\r\nMessage-ID: <x3@example.org>\r\n"
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=B\r\n\r\n"
    b"--B\r\nContent-Type: text/html\r\n\r\n<p>Delivery has failed</p>\r\n"
    b"--B\r\nContent-Type: message/delivery-status\r\n\r\n"
    b"Final-Recipient: RFC822;\r\n <Ben@example.org>\r\nAction: failed\r\n"
    b"--B\r\nContent-Type: message/rfc822\r\n\r\n"
    b"Subject: [m #10 b872] Ben to move\r\n\r\nKahuna\r\n--B--\r\n"
)
RETURNED = OURS + b"Subject: [m #10 b872] Ben to move\nTo: ben@example.org\n\nYour hand: COCO\n"
QMAIL = (
    b"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nSubject: failure notice\n"
    b"Message-ID: <x4@mx.example.net>\n\nHi. This is the qmail-send program at mx.example.net.\n\n"
    b"<ben@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
    b"--- Below this line is a copy of the message.\n\n" + RETURNED
)
GERMAN = (
    "From: postmaster@example.org\nAuto-Submitted: auto-replied\n"
    "Subject: =?utf-8?q?Unzustellbar=3A_=5Bm_#10_b872=5D_Ben_ist_am_Zug?=\n"
    "Message-ID: <x5@example.org>\nContent-Type: text/plain; charset=utf-8\n"
    "Content-Transfer-Encoding: 8bit\n\nFehler bei der Zustellung an folgende Empfänger:\n\n"
    "'Ben@example.org' (ben@example.org)\nDie eingegebene Adresse wurde nicht gefunden.\n"
).encode()
FIELDS = b"I'm sorry.\n\nFinal-Recipient: rfc822; ben@example.org\nAction: failed\n\n" + RETURNED
PLAIN = (
    b"From: MAILER-DAEMON@mx.example.net\nAuto-Submitted: auto-replied\n"
    b"Subject: Undelivered Mail Returned to Sender\nMessage-ID: <x6@mx.example.net>\n"
)
BOUNCES = {
    "Exim": EXIM,
    "Postfix": POSTFIX,
    "Exchange": EXCHANGE,
    "qmail": QMAIL,
    "Exchange in German": GERMAN,
    "plain": PLAIN + b"\n" + FIELDS,
    "base64": PLAIN + b"Content-Transfer-Encoding: base64\n\n" + encodebytes(FIELDS),
    "quoted-printable": PLAIN
    + b"Content-Transfer-Encoding: quoted-printable\n\n"
    + FIELDS.replace(b"@", b"=40"),
}


@pytest.mark.parametrize("kind", BOUNCES)
def test_a_bounce_is_named_with_its_match_and_the_seat_whose_address_fails(
    post: Post, room: Room, kind: str
) -> None:
    post.comes(BOUNCES[kind])
    with room.unchanged():
        [told] = post.told("--moderator", "mod@example.org")
    assert (told["verdict"], told["match"]) == ("bounce", "m")
    [why] = post.aside()
    assert "mails to ben@example.org do not arrive" in why
    command = f"pbem seat {post.matches / 'm'} --seat black --address ADDRESS"
    assert command in pbem("aside", post.matches).out
    assert tray.tally(str(post.matches)).bounces == {"ben@example.org": 1}
    assert "mails to ben@example.org do not arrive" in pbem("status", post.matches).out
    assert [message["To"] for message in post.answers().values()] == ["mod@example.org"]


@pytest.mark.parametrize(
    "subject",
    ["Delivery Status Notification (Failure)", "Unzustellbar: Hallo", "Non remis : [m #3]"],
)
def test_what_its_subject_calls_undeliverable_is_no_out_of_office_reply(
    post: Post, room: Room, subject: str
) -> None:
    post.comes(b"Auto-Submitted: auto-replied\n" + mail("no", sender=EVE, subject=subject))
    assert post.run() == ["bounce"]


@pytest.mark.parametrize("kind", BOUNCES)
def test_what_fails_is_read_whatever_server_says_so(kind: str) -> None:
    found = headers.bounce(BOUNCES[kind], "desk@games.example", lambda address: address == BEN)
    assert found == ("ben@example.org", "m")


@pytest.mark.parametrize("sender", [commands.ANA, commands.BEN])
@pytest.mark.parametrize(
    "said",
    [
        "I'll go with something else perhaps, if Ben plays Gola I take Coco, we will see",
        "Gola-Coco und ziehen. Und in der anderen Partie lieber nicht, was meinst du dazu?",
    ],
)
def test_talk_that_names_cards_is_listed_without_its_text(
    post: Post, room: Room, sender: str, said: str
) -> None:
    post.comes(commands.mail(said, sender=sender))
    post.comes(commands.mail("Could somebody tell me how long this will go on?", sender=sender))
    assert post.run()[1] == "passed-on"
    listed = pbem("aside", post.matches).out
    assert "how long this will go on" in listed
    assert "Coco" not in listed
    for each in tray.entries(str(post.matches)):
        if each.verdict == "passed-on":
            assert pbem("aside", post.matches, each.number).code == 0


def test_a_returned_letter_is_not_shown_with_its_bounce(post: Post, room: Room) -> None:
    post.comes(QMAIL)
    post.run("--moderator", "mod@example.org")
    told = post.only("mod@example.org") + pbem("aside", post.matches, 1).out
    assert "This is the qmail-send program" in told
    assert "COCO" not in told


def test_a_bounce_that_names_nobody_is_for_the_moderator(post: Post, room: Room) -> None:
    post.comes(QMAIL.replace(b"ben@example.org", b"ben@old.example").replace(OURS, b""))
    post.comes(PLAIN + b"\nSomething came back from ben@old.example.\n")
    told = post.told()
    assert [each["match"] for each in told] == ["m", ""]
    assert "no move is played in m for anybody who is silent" in told[0]["why"]
    assert told[1]["why"] == "a bounce, and nobody knows which address fails: read whose it is"
    assert len(post.aside()) == 2
    assert "do not arrive" not in pbem("status", post.matches).out


NEW = "ben@new.example"


def flat(message: EmailMessage) -> str:
    return " ".join(text(message).split())


def moves_to_new(room: Room, *more: str) -> None:
    assert pbem("seat", room.log, "--seat", "black", "--address", NEW, *more).code == 0


@pytest.mark.parametrize("moved", [False, True])
def test_a_new_address_is_told_all_that_did_not_reach_the_old_one(post: Post, moved: bool) -> None:
    seats = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>", "-o", "starter=white")
    assert pbem("new", "kahuna", *seats, "--match", "m", "--dir", post.matches).code == 0
    room = Room(post.matches / "m.pbem.yaml")
    post.run()
    [opening] = post.to(BEN)
    if moved:
        room.says("white", "draw")
        post.run()
    post.comes(POSTFIX)
    assert post.run() == ["bounce"]
    moves_to_new(room)
    post.run()
    told = post.only(NEW, ".news")
    key = next(line for line in text(opening).splitlines() if "pbem-key/1" in line)
    assert key in told
    assert str(room.read().position) in told
    assert len(post.to(ANA)) == 1 + moved
    post.run()
    assert len(post.to(NEW)) == 1
    assert "do not arrive" not in pbem("status", post.matches).out


def test_a_new_address_counts_as_told_what_reached_the_old_one(post: Post, room: Room) -> None:
    post.comes(mail("draw"))
    post.run()
    moves_to_new(room)
    post.run()
    assert post.to(NEW) == []


def test_who_moves_on_before_the_next_run_is_told_at_the_last_address(
    post: Post, room: Room
) -> None:
    post.run()
    post.comes(POSTFIX)
    post.run()
    pbem("seat", room.log, "--seat", "black", "--address", "ben@typo.example")
    moves_to_new(room)
    post.run()
    assert "pbem-key/1" in post.only(NEW)
    post.run()
    assert [message["To"] for message in post.answers().values()] == [NEW]


def test_an_out_of_office_reply_with_an_empty_return_path_bounces_nothing(
    post: Post, room: Room
) -> None:
    vacation = b"Return-Path: <>\nAuto-Submitted: auto-replied\n"
    post.comes(vacation + mail("Write to ben@example.org", sender=BEN))
    assert post.run() == ["away"]


def test_a_question_that_names_moves_reaches_the_moderator_as_its_verdict_says(
    post: Post, room: Room
) -> None:
    post.comes(mail("Hi Ben,\n\nthanks! I still wonder: KAHU-COCO or DUDA-BARI?\n\nCheers, Ana"))
    with room.unchanged():
        assert post.run() == ["passed-on"]
    assert post.aside() == ["for you: white writes\n"]
    assert "was passed on to the moderator" in " ".join(post.only(ANA).split())


def test_a_returned_letter_of_news_names_its_match_without_its_subject() -> None:
    news = POSTFIX.replace(b"m.0010.b872.", b"m.0004-0010.b8725a1c.")
    assert news != POSTFIX
    assert headers.bounce(news, "desk@games.example") == ("ben@example.org", "m")


@pytest.mark.parametrize(
    "raw",
    [
        POSTFIX.replace(b"Action: failed", b"Action: delayed"),
        POSTFIX.replace(b"Action: failed", b"Disposition: manual-action; displayed"),
        QMAIL.replace(b"Sorry", b"The server will keep trying for 3 days. Sorry"),
    ],
)
def test_a_delay_and_a_receipt_are_no_bounce(post: Post, room: Room, raw: bytes) -> None:
    assert headers.bounce(raw, "desk@games.example", bool) is None
    post.comes(raw)
    assert post.run() == ["bounce"]
    assert post.aside() == []


@pytest.mark.parametrize(
    "raw",
    [
        POSTFIX.replace(b"ben@example.org", b"desk@games.example").replace(OURS, b""),
        b"",
        b"\xff" * 300_000,
        b"Final-Recipient: rfc822; " + b"x" * 300_000,
        b"\n" + b"@" * 300_000,
        b"From: MAILER-DAEMON@x\n\n" + b"a@b.c " * 40_000,
    ],
)
def test_noise_names_no_address_and_no_match(raw: bytes) -> None:
    found = headers.bounce(raw, "desk@games.example", lambda address: address == BEN)
    assert found == ("", None)


def test_what_lies_aside_is_listed_shown_and_put_away_under_numbers_that_stay(
    post: Post, room: Room
) -> None:
    post.comes(mail("when is the deadline?"))
    post.comes(mail("hello? \x1b[31mred", sender=EVE, identity="<2@e>"))
    post.comes(mail("takeback to #3", identity="<3@e>"))
    post.run()
    lines = pbem("aside", post.matches).out.splitlines()
    first = [line.split()[0] for line in lines]
    assert first == ["3", "pbem", "1", "pbem", "2", "pbem"], "by who wrote last"
    assert lines[2].endswith("ana@example.org  m  passed-on: when is the deadline?")
    assert "eve@elsewhere.example  -  stranger: hello?" in lines[4]
    shown = pbem("aside", post.matches, "2").out
    assert "From: eve@elsewhere.example" in shown
    assert "\x1b" not in shown
    assert tray.unanswered(str(post.matches), book_of(str(post.matches))) == {"m": 2, "": 1}
    assert pbem("aside", post.matches, "--done", "1").code == 0
    left = pbem("aside", post.matches, "--json").json["aside"]
    assert [each["number"] for each in left] == [2, 3]
    assert tray.unanswered(str(post.matches), book_of(str(post.matches))) == {"m": 1, "": 1}
    again = pbem("aside", post.matches, "--done", "1")
    assert again.code == 2
    assert "no mail 1 has been put aside, only 2 and 3" in again.err
    assert "when is the deadline?" in pbem("aside", post.matches, 1).out
    assert tray.tally(str(post.matches)).kinds == {"stranger": 1, "passed-on": 1}
    first = pbem("status", post.matches).out.splitlines()[0]
    told = "2 mails need you (1 passed-on and 1 stranger)"
    assert first == f"{told}: `pbem aside {post.matches}`"


def test_folders_that_share_an_outbox_have_digests_of_their_own(tmp_path: Path) -> None:
    posts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        posts.append(Post(tmp_path / name))
        posts[-1].outbox = posts[0].outbox
        posts[-1].comes(mail(f"I, {name}, would love to join", sender=EVE))
        posts[-1].run("--moderator", "mod@example.org")
    assert len(posts[0].to("mod@example.org")) == 2


FENCED = "[move]\ndiscard COCO\n[/move]"
ORDERS_ASIDE = {
    "a mistake of ours": (mail("discard COCO"), "failed"),
    "refused, through a list": (b"List-Id: <l@example.org>\n" + mail("discard COCO"), "refused"),
    "unreadable, through a list": (
        b"List-Id: <l@example.org>\n" + mail(f"{FENCED}\n[say]"),
        "unreadable",
    ),
    "a new address": (mail("discard COCO", sender=EVE, subject="Re: [m #9 5989]"), "stranger"),
    "a new address, fenced": (mail(FENCED, sender=EVE), "stranger"),
}


@pytest.mark.parametrize("kind", sorted(ORDERS_ASIDE.keys() - {"a mistake of ours"}))
def test_a_copy_says_why_a_mail_lies_aside_unless_that_may_rest_on_a_hand(
    post: Post, room: Room, kind: str
) -> None:
    raw, _ = ORDERS_ASIDE[kind]
    post.comes(raw)
    [verdict] = post.run("--moderator", "mod@example.org")
    told = " ".join(post.only("mod@example.org").split())
    [listed] = pbem("aside", post.matches, "--json").json["aside"]
    assert bool(listed["why"]) is (verdict == "stranger")
    assert ("a stranger: no match" in told) is (verdict == "stranger")
    assert "not answered" not in told


@pytest.mark.parametrize("kind", ORDERS_ASIDE)
def test_no_order_that_lies_aside_stands_in_a_list(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    raw, verdict = ORDERS_ASIDE[kind]
    if verdict == "failed":
        monkeypatch.setattr(decide, "_judged", lambda *_: 1 / 0)
    post.comes(raw)
    assert post.run("--moderator", "mod@example.org") == [verdict]
    listed = pbem("aside", post.matches)
    assert verdict in listed.out
    assert "COCO" not in listed.out + post.only("mod@example.org")
    for word in ("COCO", "cards"):
        assert word not in str(pbem("aside", post.matches, "--json").json)
    assert "COCO" not in pbem("aside", post.matches, 1).out
    assert "COCO" in pbem("aside", post.matches, 1, "--all").out


IN_HOSPITAL = "I am going into hospital tomorrow, please stop the clock for a while."


@pytest.mark.parametrize(
    ("subject", "said", "hidden"),
    [
        ("Re: [m]", f"JOJO-IFFI\ndraw\n\nSorry, {IN_HOSPITAL}", ("JOJO", "IFFI", "draw")),
        ("Re: [m]", f"discard COCO\n\nSorry, {IN_HOSPITAL}", ("COCO", "discard")),
        ("Re: [m] COCO", IN_HOSPITAL, ("COCO",)),
        ("Re: [other #3 0123]", f"{FENCED}\n{IN_HOSPITAL}", ("COCO",)),
        ("Re: [other #3 0123]", f"COCO away. {IN_HOSPITAL}", ("COCO",)),
    ],
)
def test_a_plea_is_shown_nowhere_with_the_moves_beside_it_not_in_the_wrong_thread_either(
    post: Post, room: Room, subject: str, said: str, hidden: tuple[str, ...]
) -> None:
    other = ("--seat", "red=Eve", "--seat", "blue=Gil", "--match", "other")
    assert pbem("new", "kanaloa-bambus", *other, "--dir", post.matches).code == 0
    post.comes(mail(said, subject=subject))
    post.run("--moderator", "mod@example.org")
    shown = pbem("aside", post.matches), pbem("aside", post.matches, 1)
    more = [pbem("aside", post.matches, *which, "--json").out for which in ((), (1,))]
    for each in (*(done.out for done in shown), *more, post.only("mod@example.org")):
        assert "hospital" in each
        assert not [word for word in hidden if re.search(rf"\b{word}\b", each)], each
    assert hidden[0] in pbem("aside", post.matches, 1, "--all").out


def test_why_an_order_was_refused_is_told_by_the_mail_and_its_reason_alone_if_all_is_asked_for(
    post: Post, room: Room
) -> None:
    post.comes(mail("discard COCO"))
    assert post.run() == ["refused"]
    plain, all_ = (pbem("aside", post.matches, 1, *more).out for more in ((), ("--all",)))
    assert ("[K-" in plain, "[K-" in all_) == (False, True), plain + all_


@pytest.mark.parametrize(
    ("said", "verdict", "shown", "kept"),
    [
        (f"{FENCED}\n\nHow many cards may I hold?", "refused", "How many cards", "COCO"),
        (
            "[move] #9 5989\nKAHU-COCO\n[/move]\nHow many cards may I hold?",
            "accepted",
            "How",
            "COCO",
        ),
        ("COCO away, and how many cards may I hold? Leo asks.", "refused", "Leo asks", "COCO"),
        (
            "webhook: https://chat.example.org/s3cr3t\nThanks for asking!",
            "asked",
            "Thanks",
            "s3cr3t",
        ),
    ],
)
def test_a_copy_shows_what_is_for_the_moderator_and_neither_moves_nor_a_webhook(
    post: Post, room: Room, said: str, verdict: str, shown: str, kept: str
) -> None:
    post.comes(mail(said))
    assert post.run("--moderator", "mod@example.org") == [verdict]
    seen = pbem("aside", post.matches).out, post.only("mod@example.org")
    for each in (*seen, pbem("aside", post.matches, 1).out):
        assert (shown in each, kept in each) == (True, False), each
    assert (kept in pbem("aside", post.matches, 1, "--all").out) == (kept == "COCO")


def test_a_mail_is_handed_to_its_match_on_the_moderators_word(post: Post, room: Room) -> None:
    room.desk.write_text(room.desk.read_text().replace("addresses:", "policy: signed\naddresses:"))
    post.comes(mail("draw"))
    assert post.run() == ["unproven"]
    assert "draw" not in pbem("aside", post.matches).out
    done = pbem("aside", post.matches, "--submit", "1")
    assert done.code == 0, done.printed
    assert plies(room) == ["draw"]
    assert "no mail has been put aside" in pbem("aside", post.matches).out


def test_an_apology_beside_a_move_is_offered_the_line_that_plays_it_and_shows_no_hand(
    post: Post, room: Room
) -> None:
    post.comes(mail("Sorry for the delay, I was ill. draw"))
    post.comes(mail("I was ill. I think Ben's draw was illegal", identity="<2@e>"))
    post.run()
    submit = ("aside", post.matches, "--submit")
    listed = pbem("aside", post.matches).out
    assert f"       {shlex.join(map(str, ('pbem', *submit, 1)))}\n" in listed
    assert f"--submit {2}" not in listed
    assert "hand" not in pbem(*submit, 2, "--json").printed
    done = pbem(*submit, 1)
    assert (done.code, plies(room)) == (0, ["draw"])
    assert not re.search("Hand +Ana: [A-Z]", done.printed)


@pytest.mark.parametrize("number", [1, 2])
def test_what_its_headers_call_a_machines_is_a_persons_on_the_moderators_word(
    post: Post, room: Room, number: int
) -> None:
    post.comes(mail("draw", subject="Urlaub"))
    post.comes(b"Auto-Submitted: auto-replied\n" + mail("draw", subject="Re", identity="<2@e>"))
    assert post.run() == ["auto", "auto"]
    headed = room.write("m.eml", b"Auto-Submitted: auto-replied\n" + mail("draw"))
    assert "Sent by a machine" in pbem("submit", room.log, headed).err
    assert (plies(room), pbem("aside", post.matches, "--submit", number).code) == ([], 0)
    assert plies(room) == ["draw"]


def test_a_mail_that_plays_nothing_when_it_is_handed_over_stays_aside_with_the_reason(
    post: Post, room: Room
) -> None:
    pleads = "My son is ill, two more days please."
    post.comes(mail(f"draw\n{pleads}", sender=BEN, subject="Re: [m #9 5989]"))
    post.comes(mail("Could my brother play on for me?", identity="<2@e>"))
    post.comes(mail(f"take HUNA\n{pleads}", identity="<3@e>"))
    post.run()
    hand_over = ("aside", post.matches, "--submit")
    whys = [pbem(*hand_over, 1), pbem(*hand_over, 2), pbem(*hand_over, 3)]
    post.comes(mail("draw", identity="<4@e>"))
    post.run()
    listed = pbem("aside", post.matches, "--json").json["aside"]
    assert "--submit" not in str([each["others"] for each in listed if each["sender"] == BEN])
    whys.append(pbem(*hand_over, 1))
    assert [(done.code, done.out.strip()) for done in whys] == [
        (1, f"nothing was entered, and the mail stays aside: {why}. --reply FILE writes the answer")
        for why in (
            "it cannot be played as it stands",
            "no move can be made out in it",
            "it cannot be played as it stands",
            "it is about an earlier position",
        )
    ]


def test_who_has_resigned_by_mistake_is_told_that_the_match_is_over_and_can_be_let_back(
    post: Post, room: Room
) -> None:
    said = ("resign", "resign", "Stop, I did not want to resign, that was a mistake!")
    for nth, each in enumerate(said):
        post.comes(mail(each, identity=f"<{nth}@e>"))
    assert post.run() == ["asked", "resigned", "passed-on"]
    [told] = [each for each in map(flat, post.to(ANA)) if "passed on to the moderator" in each]
    assert "still in the match" not in told
    [listed] = pbem("aside", post.matches, "--json").json["aside"]
    log = room.log.with_name("m")
    reopen = f"pbem rule {log} reopen --reason REASON"
    assert reopen in listed["others"]
    done = pbem(*shlex.split(reopen.replace("REASON", "mistake"))[1:])
    assert (done.code, room.read().outcome) == (0, None)
    [listed] = pbem("aside", post.matches, "--json").json["aside"]
    assert reopen not in listed["others"]


def test_a_mail_that_is_refused_stays_aside(post: Post, room: Room) -> None:
    post.comes(mail("when is the deadline?"))
    post.comes(mail("is this on?", sender=EVE, identity="<2@e>"))
    post.run()
    done = pbem("aside", post.matches, "--submit", "1")
    assert (done.code, "YOU HOLD" in done.printed.upper()) == (1, False)
    assert done.out.startswith("nothing was entered, and the mail stays aside")
    assert pbem("aside", post.matches, "--submit", "2").code == 2
    assert len(tray.entries(str(post.matches))) == 2
    assert pbem("aside", post.matches, "1", "--done", "1").code == 2
    assert pbem("aside", post.matches / "gone").code == 66


def test_mails_about_a_match_that_is_over_are_passed_on(post: Post, room: Room) -> None:
    pbem("rule", room.log, "end", "--reason", "agreed")
    post.comes(mail("draw"))
    post.comes(mail("what a lovely match that was", identity="<2@e>"))
    assert post.run() == ["refused", "passed-on"]
    assert len(post.aside()) == 2
    assert "about a match that is over" in "".join(post.aside())


def test_what_lay_aside_before_there_were_numbers_is_listed_too(post: Post, room: Room) -> None:
    folder = post.matches / ".mailroom" / "aside"
    folder.mkdir(parents=True)
    (folder / "m.0123abcd.eml").write_bytes(mail("old"))
    (folder / "m.0123abcd.txt").write_text("as it was\n")
    assert pbem("aside", post.matches).out.split() == ["1", "-", "-", "m", "-:", "old"]
    assert "as it was" in pbem("aside", post.matches, "1").out
    assert pbem("aside", post.matches, "--done", "1").code == 0


def test_the_moderator_gets_one_mail_a_run_with_what_is_new(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_MODERATOR", "mod@example.org")
    for number in range(3):
        post.comes(mail(f"when is deadline number {'x' * number}?", identity=f"<{number}@e>"))
    post.run()
    [first] = post.to("mod@example.org")
    assert first["Subject"] == "3 mails need you"
    assert text(first).count("> when is deadline") == 3
    assert post.run() == []
    post.comes(mail("board", identity="<9@e>"))
    post.run()
    assert len(post.to("mod@example.org")) == 1
    post.comes(mail("and now?", identity="<10@e>"))
    post.run()
    subjects = [message["Subject"] for message in post.to("mod@example.org")]
    assert sorted(subjects) == ["1 mail needs you", "3 mails need you"]


def test_a_crash_after_the_digest_sends_it_once_and_one_before_it_leaves_nothing_out(
    post: Post, room: Room
) -> None:
    moderator = ("--moderator", "mod@example.org")
    post.comes(mail("when is the deadline?"))
    post.run(*moderator)
    forget(post.matches, "said")  # killed just before it was written
    post.comes(mail("and may my little son watch us?", identity="<2@e>"))
    post.run(*moderator)
    told = [text(message) for message in post.to("mod@example.org")]
    assert len(told) == 2
    assert sum("when is the deadline" in each for each in told) == 1
    post.comes(mail("nobody?", identity="<3@e>"))
    post.run()  # as if killed before the digest
    post.run(*moderator)
    assert len(post.to("mod@example.org")) == 3


def test_whoever_says_away_is_away_until_they_write(post: Post, room: Room) -> None:
    post.comes(b"Auto-Submitted: auto-replied\n" + mail("Back in May", sender=BEN))
    post.comes(b"Auto-Submitted: auto-replied\n" + mail("I am away until May", identity="<2@e>"))
    post.comes(mail("status", identity="<3@e>"))
    post.run()
    assert list(tray.tally(str(post.matches)).away) == [BEN]
    assert pbem("status", post.matches).out.startswith(f"{BEN} says away, since ")


def test_the_list_shows_what_a_mail_says_below_its_greeting_and_what_grants_it(
    post: Post, room: Room
) -> None:
    post.comes(mail("draw"))
    post.comes(mail("Hello,\n\nI would love to know who leads.\n\nAna", identity="<2@e>"))
    post.comes(mail("Dear moderator,\n\ntakeback", identity="<3@e>"))
    post.run()
    asked, command, said, answer = pbem("aside", post.matches).out.splitlines()
    assert said.endswith("passed-on: I would love to know who leads.")
    assert answer.strip() == f"pbem aside {post.matches} --answer 2 --text ..."
    assert asked.endswith("passed-on: takeback")
    match = str(room.log).removesuffix(".pbem.yaml")
    assert command.split() == ["pbem", "rule", match, *command.split()[3:]]
    assert "takeback --to" in command
    assert command.strip() in pbem("aside", post.matches, 3).out
    listed = pbem("aside", post.matches, "--json").json["aside"]
    assert [each["grants"] for each in listed] == [[], [command.strip()]]


FITS = {
    "substitute me please": "substitute --seat white --player 'NAME <ADDRESS>' --reason",
    "Kann mich jemand vertreten?": "substitute --seat white",
    "I need two weeks.": "extend --seat white --by 14",
    "I need a week, my father died. We are 4 at home now.": "extend --seat white --by 7",
    "I need a week, I hold 8 cards": "extend --seat white --by 7",
    "K\u00e9t h\u00e9tig k\u00f3rh\u00e1zban vagyok": "extend --seat white --by 14",
    "Egy h\u00e9tre van sz\u00fcks\u00e9gem, beteg vagyok": "extend --seat white --by 7",
    "I am ill and need three more weeks": "extend --seat white --by 21",
    "Ich bin krank und brauche 5 Tage": "extend --seat white --by 5",
    "Necesito 10 d\u00edas, estoy en el hospital": "extend --seat white --by 10",
    "Jestem chory": "extend --seat white --by 7",
    "My father died": "extend --seat white --by 7",
    "pause please, I am away so much": "rule m pause",
    "Please end this match for me": "rule m pause",
    "map looks broken on my phone, can I have a picture?": "--answer",
    "My two weeks holiday begins tomorrow": "away --seat white --from 2026-11-10 --to 2026-11-23",
    "ab Donnerstag zwei Wochen im Urlaub": "away --seat white --from 2026-11-12 --to 2026-11-25",
    "Jad\u0119 na urlop na dwa tygodnie": "away --seat white --from 2026-11-09 --to 2026-11-22",
    "Parto per le vacanze per due settimane": "away --seat white",
    "mam nowy adres: ana2@example.org": "seat m --seat white --address ana2@example.org",
    "\u00daj email c\u00edmem: ana2@example.org": "seat m --seat white --address ana2@example.org",
    "On holiday until 20 December, OK?": "away --seat white --from 2026-11-09 --to 2026-12-20",
    "status\n\nI need 5 days": "extend --seat white --by 5",
    "board\n\nbitte Ersatz suchen": "substitute --seat white",
    "remind Ben please": "--answer",
    "Pouvez-vous rappeler Ben ?": "--answer",
    "rematch": "new --like m",
    "Let Cara have my seat": "substitute --seat white",
    "K\u00f6nnen wir das Spiel abbrechen?": "rule m pause",
    "Moja babcia zmar\u0142a wczoraj": "extend --seat white --by 7",
    "That bridge was illegal, I think": "log m --times",
    "When is my deadline?": "--answer",
    "My new address is ana@new.example": "seat m --seat white --address ana@new.example",
    "Can my brother Leo play instead? leo@example.net": "--player 'Leo <leo@example.net>'",
    "eine Woche Urlaub ab morgen": "away --seat white --from 2026-11-10 --to 2026-11-16",
    "I'm away from Friday": "away --seat white --from 2026-11-13 --to LAST",
    "I'll be away a lot": "away --seat white --from FIRST --to LAST",
    "Will be on a business trip Thursday to Sunday": "--from 2026-11-12 --to 2026-11-15",
    "Can I have time until Monday please?": "extend --seat white --by 4",
    "Kann ich bis Donnerstag Zeit haben?": "extend --seat white --by 1",
    "Jestem chora, zagram dopiero w sobot\u0119": "extend --seat white --by 2",
    "Could I have until Friday next week?": "extend --seat white --by 8",
    "I'll be offline most of next week (4th to 9th)": "--from 2026-12-04 --to 2026-12-09",
    "Can we have five days per turn?": "rule m clock --turn 5",
    "Bitte fünf Tage pro Zug": "rule m clock --turn 5",
    "Proszę o zastępstwo: brat Jan, jan@poczta.example": "--player 'Jan <jan@poczta.example>'",
    "Somebody else for me please, I have too much work": "substitute --seat white",
    "Could somebody take over after this turn?": "substitute --seat white",
    "Please send my mails only once a day": "--answer",
    "Ben is so slow. Could you get someone else in?": "--answer",
    "My friend Luis luis@example.es wants to play me, can he join?": "'Luis <luis@example.es>'",
    "D\u00e9sol\u00e9 du retard, je suis \u00e0 l'h\u00f4pital": "extend --seat white --by 7",
    "prosz\u0119 o wi\u0119cej czasu": "extend --seat white --by 7",
    "K\u00f6sz\u00f6n\u00f6m, de nem tudok tov\u00e1bb j\u00e1tszani": "rule m resign --seat white",
    "Danke euch allen, ich muss leider aufh\u00f6ren": "rule m resign --seat white",
    "Thank you all, this was my last game": "rule m resign --seat white",
    "Can I have time until 31 December 9999 please?": "extend --seat white --by",
    "I will not resign, do not worry!": "--answer",
    "Please do not replace me, I am only slow this week.": "--answer",
    "Bitte keinen Ersatz, ich bin nur langsam": "--answer",
    "No need for a pause any more, we can go on.": "--answer",
    "No more time needed, thanks for the extra days, all is well again.": "--answer",
    "I am out of hospital and can play again.": "--answer",
    "I am back from the funeral, thank you all.": "--answer",
    "I cannot play because I am ill": "extend --seat white --by 7",
    "Ich bin krank und kann nicht ziehen": "extend --seat white --by 7",
    "Couldn't somebody take over for me?": "substitute --seat white",
    "Please do not play for me, I will move on Thursday.": "extend --seat white --by 1",
    "Bitte nicht f\u00fcr mich entscheiden, ich ziehe am Montag.": "extend --seat white --by 4",
    "Ne jouez pas pour moi, je joue vendredi.": "extend --seat white --by 1",
    "On peut reprendre la partie maintenant, merci": "--answer",
    "I take back what I said about Ben, sorry.": "--answer",
    "\u00c7a fait une semaine que j'attends": "away --seat white",
    "chc\u0119 si\u0119 wycofa\u0107 z partii. Przepraszam!": "rule m resign --seat white",
    "Combien de cartes par tour ?": "--answer",
    "Ich bin am Montag wieder da.": "away --seat white --from 2026-11-09 --to 2026-11-15",
    "I will play on Friday, my kids are at home": "--from 2026-11-09 --to 2026-11-12",
}
"""What the tray offers to type for a plea of somebody whose turn it is. A wish that is denied is
none, and what is asked is not denied; who plays on a day is away until the day before."""
OFF_TURN = {
    "remind Ben, please": "--answer",
    "remind Ana, she is slow": "note --text 'Ana: your turn'",
    "K\u00f3rh\u00e1zban vagyok": "away --seat black --from 2026-11-09 --to 2026-11-15",
    "eine Woche im Krankenhaus": "--from 2026-11-09 --to 2026-11-15",
}


def test_what_a_plea_asks_for_is_ready_to_be_typed(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    monkeypatch.chdir(post.matches)
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    pbem("new", "kahuna", "--match", "m", *players, "--turn", "3", "--zone", "UTC")
    said = [*((ANA, it) for it in FITS), *((BEN, it) for it in OFF_TURN)]
    for nth, (sender, each) in enumerate(said):
        post.comes(mail(each, sender=sender, identity=f"<{nth}@e>"))
    post.run("--refusals", "99", "--moderator", "mod@example.org", "--matches", ".")
    shown, copied = pbem("aside", ".").out.split("\n"), post.only("mod@example.org")
    for nth, fits in enumerate([*FITS.values(), *OFF_TURN.values()], 1):
        [at] = (n for n, line in enumerate(shown) if line.split()[:1] == [str(nth)])
        assert fits in shown[at + 1], said[nth - 1]
        assert f"\n{shown[at + 1].strip()}\n" in copied
        assert all(len(line.strip()) <= 90 for line in shown[at + 1 : at + 3] if line[:9].isspace())
    assert pbem("aside", ".", "--answer", 1, "--text", "...").code == 2
    assert len(tray.entries(".")) == len(said)
    comes_in = ("--player", "NAME <ADDRESS>", "--reason", "x")
    refused = pbem("rule", "m", "substitute", "--seat", "white", *comes_in)
    assert "put what is meant in place of NAME" in refused.err
    for unfilled in (
        ("substitute", "--player", "NAME <x@y.example>"),
        ("end", "--reason", "REASON"),
    ):
        assert "put what is meant in place of" in pbem("rule", "m", *unfilled).err
    assert "put what is meant in place of NAME" in pbem("new", "kahuna", "--seat", "white=NAME").err
    shorter = pbem("rule", "m", "extend", "--seat", "white", "--by", "-1")
    assert "taken back from white are 0" in shorter.err
    third = [line for line in shown if "--player" in line]
    assert any("'Leo <leo@example.net>'" in line for line in third)
    assert sum("asked for it" in line for line in third) < sum(
        "--reason REASON" in line for line in third
    )
    assert sum("'NAME <ADDRESS>'" in line for line in third) > 5, "for who is ill, or wants to stop"


OVERTAKEN = {
    "If Ben hasn't moved yet I'd like to take back my last move": ["takeback --to 9", "Ben", "Ben"],
    "Can I play BARI-DUDA instead, if Ben has not moved yet?": ["takeback --to 9", "Ben", "Ben"],
    "remind Ben, please": ["note --text 'Ben: your turn'", "Ben", "Ben"],
    "I am ill, two more days please": ["away --seat white", "away --seat white", "Ana"],
    "Please end this match for me": ["pause", "pause", "Ana"],
    "substitute me please": ["substitute", "substitute", "substitute"],
    "If that is ok I am away from Tuesday to Friday": ["away", "away", "away"],
}
"""What is offered for a plea off turn, and later once Ben has moved, and then Ana: the same line to
type, or the name of who has moved since."""


def test_what_is_offered_is_of_the_position_and_the_day_of_its_mail_until_it_is_overtaken(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(post.matches)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    starts = ("-o", "starter=white")
    pbem("new", "kahuna", "--match", "m", *players, *starts, "--turn", "3", "--zone", "UTC")
    pbem("submit", "m", "--from", "white", stdin="draw")
    for nth, each in enumerate(OVERTAKEN):
        post.comes(mail(each, identity=f"<{nth}@e>"))
    post.run("--matches", ".")
    for step, mover in enumerate(("", "black", "white")):
        if mover:
            monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1794218400 + step * 86400))
            assert pbem("submit", "m", "--from", mover, stdin="draw").code == 0
        listed = pbem("aside", "--json").json["aside"]
        offered = [(*each["grants"], *each["others"])[0] for each in listed]
        gone = [each["overtaken"] for each in listed]
        for nth, (said, fits) in enumerate(OVERTAKEN.items()):
            stands = not fits[step][0].isupper()
            assert (fits[step] in (offered if stands else gone)[nth], not gone[nth]) == (
                True,
                stands,
            ), said
            assert stands or "--answer" in offered[nth], said
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1794218400 + 9 * 86400))
    assert pbem("aside", "--json").json["aside"][-1]["overtaken"] == "these days are over"
    assert "       Ben and Ana have moved since\n" in pbem("aside").out


RETURNS = {
    "No need for a pause any more, we can go on.": "resume",
    "Wow, danke f\u00fcr die Pause! Wir k\u00f6nnen weitermachen.": "resume",
    "On peut reprendre la partie maintenant, merci pour la pause.": "resume",
    "I am back from the funeral, thank you all.": "back --seat white --from 2026-11-09",
}
"""What is offered to whoever says that they are back, or that all can go on."""


@pytest.mark.parametrize("said", RETURNS)
def test_who_is_back_is_offered_the_end_of_what_they_were_given_while_it_lasts(
    post: Post, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(post.matches)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    pbem("new", "kahuna", "--match", "m", *players, "--turn", "3", "--zone", "UTC")
    kind, *rest = RETURNS[said].split()
    span = ("--from", "2026-11-08", "--to", "2026-11-20")
    given = ("pause",) if kind == "resume" else ("away", "--seat", "white", *span)
    assert pbem("rule", "m", *given).code == 0
    post.comes(mail(said, sender=ANA))
    assert post.run("--matches", ".") == ["passed-on"]
    [offered] = pbem("aside", "--json").json["aside"]
    answer = "pbem aside . --answer 1 --text ..."
    assert offered["others"] == [f"pbem rule m {RETURNS[said]}", answer]
    assert pbem("rule", "m", kind, *rest).code == 0
    assert f"granted since: {kind}" in pbem("aside").out


def test_who_writes_from_elsewhere_is_told_that_nothing_was_played_and_can_be_let_in(
    post: Post, room: Room
) -> None:
    new, work = "ben.neu@gmail.example", "ben@work.example"
    post.comes(mail("draw"))
    post.comes(mail(f"My new address is {new} from Monday on", sender=BEN, identity="<2@e>"))
    post.run()
    log, folder = str(room.log).removesuffix(".pbem.yaml"), post.matches
    moves = pbem("aside", folder, "--json").json["aside"][0]["others"][0]
    assert moves == f"pbem seat {log} --seat black --address {new} --address {BEN}"
    moves_to_new(room, "--address", new)
    post.comes(mail("draw", sender=BEN, identity="<3@e>", subject="Re: [m]"))
    said = "Ben here, writing from work: please play draw for me"
    post.comes(mail(said, sender=work, identity="<4@e>", subject="Re: [m #10 b872]"))
    said = "please play draw for me"
    post.comes(mail(said, sender="zoe@x.example", identity="<5@e>", subject="Re: [m #10 b872]"))
    assert post.run() == ["passed-on", "stranger", "stranger"]
    assert any("plays no seat here now, so nothing" in flat(each) for each in post.to(BEN))
    *listed, zoe = pbem("aside", folder, "--json").json["aside"][1:]
    assert "--seat" not in str(zoe["others"]), "nobody is let in where it is another's turn"
    for number, sender, each in zip((3, 4), (BEN, work), listed, strict=True):
        known = f"--address {NEW} --address {new} --address {sender}"
        assert [*each["others"][:2]] == [
            f"pbem aside {folder} --submit {number} --seat black",
            f"pbem seat {log} --seat black {known}",
        ]
        assert each["first_line"]
    assert "writing from work" in listed[1]["first_line"]
    assert pbem(*shlex.split(listed[0]["others"][0])[1:]).code == 0
    stranger = pbem("aside", folder, "--json").json["aside"][1]
    assert "--submit" not in str(stranger["others"]), "the seat has moved since"


DAY = 1790078400
"""A time, in seconds, at which the room's match has begun."""


def test_who_has_left_a_seat_is_offered_to_come_in_again_and_no_share_in_it(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, folder = str(room.log).removesuffix(".pbem.yaml"), post.matches
    post.comes(
        mail("Could Max (max@x.example) play on for me? I am in hospital", sender=BEN), at=DAY
    )
    post.run()
    comes_in = ("--player", "Max <max@x.example>", "--reason", "x")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(DAY + 60))
    assert pbem("rule", log, "substitute", "--seat", "black", *comes_in).code == 0
    asked = "I play on now, thanks Max. Can I have my seat back?"
    post.comes(mail(asked, sender=BEN, identity="<2@e>", subject="Re: [m]"), at=DAY + 120)
    post.run()
    before, after = pbem("aside", folder, "--json").json["aside"]
    assert not any("--seat" in each for each in before["others"]), "what it asked for is done"
    player = "--player 'NAME <ben@example.org>' --reason REASON"
    assert after["others"][0] == f"pbem rule {log} substitute --seat black {player}"
    assert not any("--address" in each or "--submit" in each for each in after["others"])


def test_an_absence_beside_a_move_in_another_language_is_offered_with_the_move(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    monkeypatch.chdir(post.matches)
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    starts = ("-o", "starter=white", "--turn", "3", "--zone", "UTC")
    pbem("new", "kahuna", "--match", "m", *players, *starts)
    post.comes(
        mail("draw\nDanke fürs Warten und sorry! Vom 10. bis 14. Dezember bin ich in Urlaub.")
    )
    assert post.run("--matches", ".") == ["refused"]
    submit, away, *_ = pbem("aside", "--json").json["aside"][0]["others"]
    assert submit == "pbem aside . --submit 1"
    assert away == "pbem rule m away --seat white --from 2026-12-10 --to 2026-12-14"
    for line in (away, submit):
        assert pbem(*shlex.split(line)[1:]).code == 0, line


def test_a_move_with_a_question_mark_off_turn_is_a_question_for_a_person(
    post: Post, room: Room
) -> None:
    post.comes(mail("Draw?", sender=BEN))
    with room.unchanged():
        post.run("--moderator", "mod@example.org")
    [listed] = pbem("aside", post.matches, "--json").json["aside"]
    assert listed["first_line"]
    assert "passed on to the moderator" in flat(post.to(BEN)[0])
    assert post.to("mod@example.org")
    post.comes(mail("Could you poke her please?", sender=BEN, identity="<2@e>"))
    assert post.run() == ["passed-on"]
    assert all("If you meant a move" not in flat(each) for each in post.to(BEN))


def test_an_absence_notice_with_a_date_is_a_persons_word(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    monkeypatch.chdir(post.matches)
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    pbem("new", "kahuna", "--match", "m", *players, "--turn", "3", "--zone", "UTC")
    until = "I am out of the office until 20 December.\nFor urgent matters write to bob@x.example"
    for said in (until, "I am out of the office and cannot read your mail."):
        notice = mail(said, subject="Out of office: Re: [m]", identity=f"<{len(said)}@e>")
        post.comes(b"Auto-Submitted: auto-replied\n" + notice)
    assert post.run() == ["away", "away"]
    [listed] = pbem("aside", "--json").json["aside"]
    away = "pbem rule m away --seat white --from 2026-11-09 --to 2026-12-20"
    assert (listed["number"], listed["others"][0]) == (1, away)
    assert tray.unclear(".") == {("m", ANA)}, "no move is played for their silence unasked"
    assert tray.writers(".") == {}, "they are reminded"


def test_a_plea_that_was_granted_offers_that_no_more_and_holds_nothing_up(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    monkeypatch.chdir(post.matches)
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    pbem("new", "kahuna", "--match", "m", *players, "--turn", "3", "--zone", "UTC")
    post.comes(mail("My father died, I need a week.", subject="Re: [m]"))
    post.run()
    assert tray.writers(".") == {("m", ANA): [1]}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1794218400 + 5 * 86400))
    mails, missed, shown, typed = pbem("due").out.splitlines()
    assert mails == "1 mail needs you (1 passed-on): `pbem aside .`"
    assert "missed the deadline" in missed
    assert (shown, typed) == ("  pbem aside . 1", "  pbem due . --enter")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218400")
    command = pbem("aside", "--json").json["aside"][0]["others"][0]
    assert "extend --seat white --by 7" in command
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794218500")
    assert pbem(*shlex.split(command)[1:]).code == 0
    listed = pbem("aside").out
    assert ("--by" in listed, "granted since: extend" in listed) == (False, True)
    assert "--answer 1" in pbem("aside", ".", 1).out
    assert tray.writers(".") == {}
    assert "wrote" not in pbem("status").out
