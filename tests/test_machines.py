"""What a mail is shows in its structure and its words: no header alone makes an order vanish, no
real out-of-office reply holds up a match, and a bounce is known whatever its From says."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, Post, plies
from test_silence import days
from test_time import Hour, new
from test_timekeeping import rulings, timed

from pbem.mailroom import tray

__all__ = ["new"]
pytestmark = pytest.mark.posix
BOSS = "boss@example.org"
EMPTY = "[move] #9\n...\n[/move]\n"
HEADERS = """Auto-Submitted: auto-generated|Auto-Submitted: auto-replied|Precedence: bulk
Precedence: junk|Precedence: auto_reply|X-Autoreply: yes|X-Precedence: bulk|Return-Path: <>
X-MS-Exchange-Inbox-Rules-Loop: club@example.org|X-Failed-Recipients: cara@example.org
X-FC-MachineGenerated: true|Subject: Automatic reply: [m #9]""".replace("\n", "|").split("|")


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


def headed(header: str, text: str, sender: str = ANA, subject: str = "[m] your turn") -> bytes:
    """A mail with a header more."""
    if header.startswith("Subject: "):
        return mail(text, sender=sender, subject=header.removeprefix("Subject: "))
    return header.encode() + b"\n" + mail(text, sender=sender, subject=subject)


@pytest.mark.parametrize(
    "text", ["[move]\ndraw\n[/move]", "May I have till Sunday? The board is so odd."]
)
@pytest.mark.parametrize("header", HEADERS)
def test_what_a_player_writes_is_put_aside_whatever_a_header_says_and_gets_no_answer(
    post: Post, room: Room, header: str, text: str
) -> None:
    post.comes(headed(header, text))
    with room.unchanged():
        [told] = post.told()
    assert told["verdict"] in ("auto", "bulk")
    assert (told["match"], told["sender"]) == ("m", ANA)
    assert post.answers() == {}
    [why] = post.aside()
    assert "read whether a person wrote it" in why
    assert pbem("status", post.matches).out.startswith("1 mail needs you (1 ")
    assert "draw" not in pbem("aside", post.matches).out  # the moderator may play


@pytest.mark.parametrize("suppressed", ["DR, OOF, AutoReply", "All"])
def test_who_wants_no_automatic_replies_is_played_and_answered_like_anybody_else(
    post: Post, room: Room, suppressed: str
) -> None:
    post.comes(headed(f"X-Auto-Response-Suppress: {suppressed}", "draw"))
    assert post.run() == ["accepted"]
    assert plies(room) == ["draw"]
    assert len(post.to(ANA)) == 1


LIST = b"List-Id: <club.example>\n"
MUNGED = LIST + b"Reply-To: ana@example.org\n"


@pytest.mark.parametrize("subject", ["Re: [m #9] your turn", "[m] draw"])
def test_a_mail_that_names_a_match_is_put_aside_where_a_list_has_rewritten_its_from(
    post: Post, room: Room, subject: str
) -> None:
    post.comes(MUNGED + mail("[move]\ndraw\n[/move]", sender="club@club.example", subject=subject))
    post.comes(LIST + mail("buy!", sender="club@club.example", subject="[news]", identity="<2@e>"))
    assert [(told["verdict"], told["match"]) for told in post.told()] == [
        ("list", "m"),
        ("list", ""),
    ]
    assert post.answers() == {}
    assert len(post.aside()) == 1
    assert "draw" not in pbem("aside", post.matches).out


def test_a_mail_of_which_a_list_left_only_the_reply_to_is_put_aside_for_its_match(
    post: Post, room: Room
) -> None:
    post.comes(MUNGED + mail("[move]\ndraw\n[/move]", sender="club@club.example", subject="hi"))
    [told] = post.told()
    assert (told["verdict"], told["match"], len(post.aside())) == ("list", "m", 1)
    assert post.answers() == {}


@pytest.mark.parametrize("text", ["[move]\ndraw\n[/move]", "draw", "I can't play, I am ill."])
def test_a_players_answer_that_kept_the_header_of_our_mails_is_put_aside(
    post: Post, room: Room, text: str
) -> None:
    own = "desk@games.example"  # which a moderator who plays may have for both
    pbem("seat", room.log, "--seat", "white", "--address", ANA, "--address", own)
    ours = b"X-Pbem: report\n"
    post.comes(ours + mail(text, subject="Re: [m #9] your turn"))
    post.comes(ours + mail(text, sender=own, subject="[m #9] your turn"))
    post.comes(ours + mail("> draw", subject="[m #9] your turn", identity="<m2@e>"))
    assert post.run() == ["auto", "own", "own"]
    assert len(post.aside()) == 1
    assert post.answers() == {}


@pytest.mark.parametrize("order", ["[move]\ndraw\n[/move]", "draw", "Ana\nKAHU-COCO; draw"])
def test_a_report_from_a_players_address_that_holds_a_move_is_put_aside_as_it_may_be_an_order(
    post: Post, room: Room, order: str
) -> None:
    report = (
        f"From: {ANA}\nSubject: [m #9] your turn\nMessage-ID: <b9@x>\nMIME-Version: 1.0\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=B\n\n"
        f"--B\n\n{order}\n"
        "--B\nContent-Type: message/delivery-status\n\nAction: delayed\n--B--\n"
    )
    post.comes(report.encode())
    assert post.run() == ["auto"]
    assert "may be a player's" in post.aside()[0]


def test_a_mail_from_nobody_that_names_a_match_counts_as_one_about_it(
    post: Post, room: Room
) -> None:
    post.comes(mail("draw").replace(ANA.encode(), b"Ana"))
    post.comes(mail("draw", subject="[m #9]", identity="<2@e>").replace(ANA.encode(), b"Ana"))
    assert [(told["verdict"], told["match"]) for told in post.told()] == [
        ("unreadable", ""),
        ("unreadable", "m"),
    ]


SILENT = {
    "of its writer": (headed(HEADERS[0], "[move]\ndraw\n[/move]"), "ask"),
    "of nobody else": (headed(HEADERS[0], "[move]\ndraw\n[/move]", BEN), "silence"),
    "of all, from nobody known": (MUNGED + mail("hm", sender=EVE, subject="[m #9]"), "ask"),
    "of all, from nobody": (mail("hm", subject="[m #9]").replace(ANA.encode(), b"Ana"), "ask"),
    "of nobody, about nothing": (LIST + mail("hm", sender=EVE), "silence"),
    "of nobody, away": (headed(HEADERS[1], "I am out of the office until May."), "silence"),
    "of its writer, away and in need": (
        headed(HEADERS[1], "I am out of the office until May. Do not play for me!"),
        "ask",
    ),
    "of its writer, by a list": (MUNGED + mail("hm", sender=EVE), "ask"),
    "of its writer, with our header": (b"X-Pbem: x\n" + mail("draw"), "ask"),
    "of its writer, about no match": (headed(HEADERS[0], "draw", subject="Re: yes"), "ask"),
}


@pytest.mark.parametrize("whose", SILENT)
def test_what_may_be_a_players_holds_up_silence_until_it_is_put_away(
    post: Post, hour: Hour, whose: str
) -> None:
    room = timed(post)
    days(post, hour, 21, 25)
    raw, then = SILENT[whose]
    post.comes(raw)
    told = days(post, hour, 26, 29, "--moderator", BOSS)
    assert told[1:] == [then]
    assert rulings(room) == (["late"] if then == "ask" else ["late", "default"])
    if then == "ask":
        assert "or a mail that may be theirs" in " ".join(post.only(BOSS, "question").split())
        pbem("aside", post.matches, "--done", 1)
        assert days(post, hour, 30, 30) == ["silence"]


def test_what_a_list_brings_from_somebody_with_two_matches_holds_up_silence_in_both(
    post: Post, hour: Hour
) -> None:
    rooms = timed(post), timed(post, name="n")
    days(post, hour, 21, 25)
    post.comes(MUNGED + mail("hm", sender=EVE))
    assert days(post, hour, 26, 29, "--moderator", BOSS)[1:] == ["ask", "ask"]
    assert [rulings(room) for room in rooms] == [["late"], ["late"]]


AWAY = [
    "Thank you for your message. I am out of the office until 5 January with limited access to "
    "e-mail. For urgent matters please contact Ben Black.\n\nKind regards\nAna Example\nAcme Corp",
    "Guten Tag,\n\nich bin bis einschließlich 05.01. nicht im Büro. In dringenden Fällen wenden "
    "Sie sich bitte an Herrn Müller.\n\nMit freundlichen Grüßen\nAna Beispiel\nBeispiel GmbH",
    "Je suis absente jusqu'au 5 janvier inclus. Cordialement,\nAna",
    "Szabadságon vagyok január 5-ig.\n\nÜdvözlettel,\nAna",
    "przebywam na urlopie do 5 stycznia. W pilnych sprawach proszę o kontakt z biurem.",
    "away until 5 Jan",
]


@pytest.mark.parametrize("header", [*HEADERS[:3], "Subject: Out of office"])
@pytest.mark.parametrize("text", AWAY)
def test_an_absence_notice_bothers_no_player_whether_a_header_or_its_subject_says_so(
    post: Post, room: Room, header: str, text: str
) -> None:
    post.comes(headed(header, text, subject="Automatic reply: [m #9] Ana to move"))
    with room.unchanged():
        [told] = post.told()
    assert (told["verdict"], told["why"]) == ("away", "out of office: white")
    assert [each.strip() for each in post.aside()] == ["out of office: white"]
    assert post.answers() == {}
    first, second, *_ = pbem("status", post.matches).out.splitlines()
    assert first == f"1 mail needs you (1 away): `pbem aside {post.matches}`"
    assert second.startswith(f"{ANA} says away")


HELP = """I'm out of office until Monday. draw please|Out of office until Friday. Pass.
I am out of the office until Monday. Please do not play for me, I am in hospital!
I am away until 5 January. Please pause the match.|Out of office till Monday - my mother died.
away until Monday, please ask Ben to wait|I'm out of office. Ben cheated!
I am out of the office until Monday, somebody please take over my seat.
I'm out of office until Monday and draw|Away until Monday. I want more time
Ich bin bis Montag nicht im Büro. Bitte spielt nicht für mich, ich liege im Krankenhaus!
Abwesend bis Montag. Ziehe eine Karte.|Je suis absente jusqu'à lundi. Piochez pour moi, merci.
Szabadságon vagyok hétfőig. Kérem, ne lépjetek helyettem!""".replace("\n", "|").split("|")


@pytest.mark.parametrize("header", [HEADERS[1], "Subject: Out of office"])
@pytest.mark.parametrize("text", HELP)
def test_an_absence_notice_that_says_more_is_put_aside(
    post: Post, room: Room, header: str, text: str
) -> None:
    post.comes(headed(header, text, subject="Automatic reply: [m #9] Ana to move"))
    with room.unchanged():
        [told] = post.told()
    assert told["verdict"] == "auto"
    assert "may be a player's" in post.aside()[0]
    assert post.answers() == {}


# ------------------------------------------------------------------------------------ bounces


FROM = """MAILER-DAEMON <>|<MAILER-DAEMON>|<>|MAILER-DAEMON|"Mail Delivery System" <MAILER-DAEMON>
Postmaster <>|Mailer-Daemon@mx.example.net (Mail Delivery System)|post_master@mx.example.net
MDaemon@mx.example.net|<Postmaster\\@mx.example.net@example.net>""".replace("\n", "|").split("|")
OURS = "Message-ID: <m.0010.b872.black.report@games.example>\n"
FORMS = {
    "qmail": "This is the qmail-send program.\n\n<ben@example.org>:\nSorry, no mailbox here.\n\n"
    f"--- Below this line is a copy of the message.\n\n{OURS}To: ben@example.org\n\n{EMPTY}",
    "Exim": "The following address(es) failed:\n\n  ben@example.org\n    550 no such user\n\n"
    f"------ This is a copy of the message. ------\n\n{OURS}",
    "Sendmail": "   ----- The following addresses had permanent fatal errors -----\n"
    f"<ben@example.org>\n\n   ----- Transcript -----\n550 5.1.1 User unknown\n\n{OURS}",
    "Exchange": "Your message\n\n  To:      Ben\n  Subject: [m #10 b872] Ben to move\n\ndid not "
    "reach the following recipient(s):\n\nc=US;a= ;p=X;dda:SMTP=ben@example.org; on Fri\n",
    "a filter": "Your message could not be delivered to: &lt;ben@example.org&gt;\n"
    "  Subject: [m #10 b872] Ben to move\n",
    "Gmail": "Address not found\n\nYour message wasn't delivered to ben@example.org because the "
    f"address couldn't be found.\n\n{OURS}",
}


def returned(sender: str, text: str, subject: str = "failure notice") -> bytes:
    return f"From: {sender}\nSubject: {subject}\nMessage-ID: <b1@x.example>\n\n{text}".encode()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sender", FROM)
def test_a_bounce_is_known_and_traced_whatever_its_from_says(
    post: Post, room: Room, sender: str, form: str
) -> None:
    post.comes(returned(sender, FORMS[form], "Re: Mail"))
    [told] = post.told()
    assert (told["verdict"], told["match"]) == ("bounce", "m")
    assert tray.tally(str(post.matches)).bounces == {BEN: 1}


@pytest.mark.parametrize("header", ["", "X-Pbem: m\n"])
def test_a_report_from_the_desks_own_address_is_a_bounce_all_the_same(
    post: Post, room: Room, header: str
) -> None:
    head = f"{header}MIME-Version: 1.0\nContent-Type: multipart/report; boundary=B\n"
    report = "--B\n\nsorry\n--B\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x"
    report += f"\n\nFinal-Recipient: rfc822; {BEN}\nAction: failed\n\n--B--\n"
    post.comes(head.encode() + returned("desk@games.example", report, "Re: Mail"))
    assert post.run() == ["bounce"]
    assert tray.tally(str(post.matches)).bounces == {BEN: 1}


SUBJECTS = """Undeliverable: [m #10] x|RE: your message : non remis|Permanent Delivery Failure
Mail could not be delivered|Returned Mail - Error During Delivery|Mail Delivery Problem
Non-Delivery: x|Delivery Status Notification (Failure)"""


@pytest.mark.parametrize("subject", SUBJECTS.replace("\n", "|").split("|"))
def test_whoever_plays_nowhere_and_says_that_a_mail_failed_is_a_server(
    post: Post, room: Room, subject: str
) -> None:
    post.comes(returned("filter@mx.example.net", FORMS["Exim"], subject))
    post.comes(mail("[move]\ndraw\n[/move]", subject=subject))
    first, second = post.run()
    assert first == "bounce"
    assert second in ("accepted", "refused", "stale")
    assert len(post.to(ANA)) > 0
    assert tray.tally(str(post.matches)).bounces == {BEN: 1}
    assert not post.to("filter@mx.example.net")


def test_what_brings_a_mail_of_ours_from_an_address_that_nobody_reads_is_a_bounce(
    post: Post, room: Room
) -> None:
    post.comes(
        returned("no-reply@mx.example.net", FORMS["Exim"], "\u30e1\u30fc\u30eb\u30a8\u30e9\u30fc")
    )
    post.comes(returned("no-reply@mx.example.net", "Buy now", "News").replace(b"b1@", b"b2@"))
    assert post.run() == ["bounce", "bulk"]
    assert tray.tally(str(post.matches)).bounces == {BEN: 1}


def test_a_players_own_postmaster_plays(post: Post, room: Room) -> None:
    mine = "postmaster@ana.example"
    pbem("seat", room.log, "--seat", "white", "--address", ANA, "--address", mine)
    post.comes(mail("draw", sender=mine))
    assert post.run() == ["accepted"]


def test_a_mail_that_was_refused_on_arrival_is_a_bounce_and_a_receipt_is_none(
    post: Post, room: Room
) -> None:
    report = (
        "From: {who}\nSubject: Automatically rejected\nMessage-ID: <{n}@x>\nMIME-Version: 1.0\n"
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=B\n\n"
        "--B\n\nYour message to <ben@example.org> was automatically rejected\n"
        "--B\nContent-Type: message/disposition-notification\n\n"
        "Final-Recipient: rfc822; ben@example.org\nDisposition: {how}; deleted\n--B--\n"
    )
    post.comes(
        report.format(
            who="admin@x.example", n=1, how="automatic-action/MDN-sent-automatically"
        ).encode()
    )
    post.comes(report.format(who=BEN, n=2, how="manual-action/MDN-sent-automatically").encode())
    assert post.run() == ["bounce", "bounce"]
    assert tray.tally(str(post.matches)).bounces == {BEN: 1}
    assert len(post.aside()) == 1
