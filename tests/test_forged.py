"""What was verified is what is read: mails truly signed, and forged around their signatures."""

from __future__ import annotations

from email import message_from_bytes, policy

import dkim
import pytest
from commands import ANA, Room, dealt, mail, pbem
from hypothesis import given
from hypothesis import strategies as st
from postroom import VOUCHED, Post, plies, strict
from test_authorship import key_record, stamped

from pbem.desk.authorship import authenticated
from pbem.intake import rawmail

HEAD = (
    b"Date: Wed, 27 May 2026 10:00:00 +0200\nFrom: Ana <ana@example.org>\n"
    b"To: desk@games.example\nSubject: Move\nMessage-ID: <tea@example.org>\n"
)
PLAIN = b"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
TEA = HEAD + PLAIN + b"See you at four.\n"
"""A mail of Ana's that is no order. Somebody else has got it, and its signature."""

FORGED = (
    b"From: Ana <ana@example.org>\nSubject: [m #9]\nMessage-ID: <2@e>\n\n[move]\ndraw\n[/move]\n"
)


def crlf(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def lf(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")


def hidden(separator: bytes) -> bytes:
    """A whole mail in one header."""
    return b"X-Spam: no\n".replace(b"\n", separator) + FORGED.replace(b"\n", separator) + b"\r\n"


def in_head(line: bytes) -> bytes:
    """A line among the headers of the signed mail."""
    return stamped(TEA).replace(b"Subject: Move\r\n", b"Subject: Move\r\n" + line, 1)


ORDER = stamped(HEAD + PLAIN + b"draw\n")
"""A true order, proven."""

BOUNDARY = b'Content-Type: multipart/mixed; boundary="one"\n\n'

ATTACKS = {
    "a mail in a header, with bare CRs": hidden(b"\r") + stamped(TEA),
    "the same in a mail of LFs": lf(hidden(b"\r") + stamped(TEA)),
    "the same behind a signature of no worth": (
        b"DKIM-Signature: v=1\r" + hidden(b"\r") + stamped(TEA)
    ),
    "a mail in a header, with bare LFs": hidden(b"\n") + stamped(TEA),
    "a mail in a header, with LF CR": hidden(b"\n\r") + stamped(TEA),
    "a mail in a header, with CR CR LF": hidden(b"\r\r\n") + stamped(TEA),
    "a mail in a header, with NULs": hidden(b"\0") + stamped(TEA),
    "a mail in a header, with vertical tabs": hidden(b"\v") + stamped(TEA),
    "a mail in a header, with form feeds": hidden(b"\f") + stamped(TEA),
    "a mail in a header, with file separators": hidden(b"\x1c") + stamped(TEA),
    "a mail in a header folded into blanks": hidden(b"\r\n ") + stamped(TEA),
    "a bare CR in an encoded word": (
        b"X-Spam: =?utf-8?q?no\rSubject: [m #9]\r\r[move]draw[/move]?=\r\n" + stamped(TEA)
    ),
    "bare CRs in the body": stamped(TEA + b"> as Eve wrote\r[move]\rdraw\r[/move]\r"),
    "a boundary made by bare CRs": stamped(
        HEAD + BOUNDARY + b"--one\n\ntea\r--one\r\r[move]\rdraw\r[/move]\r--one--\r\n--one--\n"
    ),
    "a NUL in the body": stamped(HEAD + PLAIN + b"draw\n\0\n"),
    "a name with a blank": b"X :y\r\n" + stamped(TEA),
    "a name with a blank, below": in_head(b"X :y\r\n"),
    "a second subject with a blank": in_head(b"Subject : [m #9]\r\n"),
    "a header without a name": in_head(b": y\r\n"),
    "a name that is not ASCII": in_head("Größe: 1\r\n".encode()),
    "a line that is no header": in_head(b"nothing at all\r\n"),
    "a folded first line": b" X: y\r\n" + stamped(TEA),
    "blanks above": b"\r\n \r\n" + ORDER,
    "a mailbox's line below": in_head(b"From ana Fri Apr  3 10:00:00 2026\r\n"),
    "two mailboxes' lines": b"From ana Fri Apr  3 10:00:00 2026\r\n" * 2 + ORDER,
    "a mailbox's line that is a header": b"From : Ben <ben@example.org>\r\n" + ORDER,
    "a mailbox's line that goes on": b"From ana Fri Apr  3 10:00\r\n Subject: [m #9]\r\n" + ORDER,
    "a mailbox's line with a bare CR": (
        b"From ana Fri Apr  3 10:00:00 2026\r" + FORGED.replace(b"\n", b"\r") + b"\r\n" + ORDER
    ),
    "a mailbox's line that none has written": b"From ana\r\n" + ORDER,
    "two senders, above": b"From: Ana <ana@example.org>\r\n" + ORDER,
    "two senders, below": in_head(b"From: Ana <ana@example.org>\r\n"),
    "two subjects": b"Subject: [m #9]\r\n" + ORDER,
    "two types": b'Content-Type: multipart/mixed; boundary="two"\r\n' + ORDER,
}
"""What Eve makes of it."""

BROKEN = {
    "a body that is signed in part": stamped(TEA, length=True) + b"[move]\r\ndraw\r\n[/move]\r\n",
    "an empty length": ORDER.replace(b"; s=", b"; l=; s="),
    "a hash that is none": ORDER.replace(b"bh=", b"bh=%%%="),
    "an encoding that is not signed": stamped(HEAD + PLAIN + b"ZHJhdwo=\n").replace(
        b"MIME", b"Content-Transfer-Encoding: base64\r\nMIME"
    ),
}
"""Those that any program reads alike, and whose signatures are worth nothing."""

HARMLESS = {
    "a mail in a header, with next lines": hidden("\x85".encode()) + stamped(TEA),
    "a mail in a header, with bytes that are next lines": hidden(b"\x85") + stamped(TEA),
    "a mail in a header, with line separators": hidden("\u2028".encode()) + stamped(TEA),
    "a mail in a folded header": hidden(b"\r\n ").replace(b"\r\n \r\n", b"\r\n") + stamped(TEA),
    "a mail in an encoded word": (
        b"X-Spam: =?utf-8?q?no=0D=0A=0D=0A=5Bmove=5D=0D=0Adraw?=\r\n" + stamped(TEA)
    ),
}
"""Those that are Ana's mail about tea, to everybody."""

LEGIT = {
    "in CRLF": ORDER,
    "in LF": lf(ORDER),
    "from a mailbox in LF": b"From ana Fri Apr  3 10:00:00 2026\n" + lf(ORDER),
    "from a mailbox in CRLF": b"From - Fri Apr 13 10:00:00 2026\r\n" + ORDER,
    "from a mailbox of both": b"From ana@x.org Fri Apr  3 10:00\n" + ORDER + b"\n",
    "with headers of servers above": (
        b"Return-Path: <ana@example.org>\r\nReceived: from a (b [::1])\r\n\tby c; now\r\n" + ORDER
    ),
    "with a folded header": stamped(
        (HEAD + PLAIN).replace(b": Move", b":\n My\n\tmove") + b"draw\n"
    ),
    "with a name in UTF-8": stamped(HEAD.replace(b": Ana", ": Äna".encode()) + PLAIN + b"draw\n"),
    "with a name in Latin-1": stamped(HEAD.replace(b": Ana", b": \xc4na") + PLAIN + b"draw\n"),
    "with an encoded name": stamped(
        HEAD.replace(b": Ana", b": =?utf-8?q?=C3=84na?=") + PLAIN + b"draw\n"
    ),
    "with a long, empty header": stamped(
        (HEAD + PLAIN).replace(b"To:", b"X-Empty:\nX: " + b"y" * 2000 + b"\nTo:") + b"draw\n"
    ),
    "with form feeds in its text": stamped(HEAD + PLAIN + b"draw\n\f\n\v\n"),
    "of two parts": stamped(
        HEAD + b'Content-Type: multipart/alternative; boundary="one"\n\nno MIME\n'
        b"--one\nContent-Type: text/plain\n\ndraw\n"
        b"--one\nContent-Type: text/html\n\n<p>draw</p>\n--one--\n"
    ),
    "in base64": stamped(
        HEAD + b"Content-Transfer-Encoding: base64\nContent-Type: text/plain\n\nZHJhdwo=\n"
    ),
    "that ends in blank lines": ORDER + b"\r\n\r\n",
}
"""Mails as servers and mail programs make them."""


@pytest.fixture
def post(tmp_path, monkeypatch) -> Post:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("dkim.dnsplug.get_txt", key_record)
    return Post(tmp_path)


def asks_for_dkim(room: Room) -> None:
    room.desk.write_text(
        room.desk.read_text().replace("addresses:", "policy: authenticated\naddresses:")
    )


@pytest.mark.parametrize("name", ATTACKS | BROKEN)
def test_a_mail_forged_around_a_true_signature_is_nobodys(post: Post, name: str) -> None:
    room, raw = dealt(post.matches), (ATTACKS | BROKEN)[name]
    asks_for_dkim(room)
    with room.unchanged():
        done = pbem("submit", room.log, "--json", room.write("m.eml", raw))
        assert done.code in (65, 77), done.printed
        post.comes(raw)
        assert post.run()[0] in ("unproven", "unreadable", "stranger")
    assert plies(room) == []


@pytest.mark.parametrize("name", ATTACKS)
def test_nor_does_a_server_prove_what_can_be_read_in_two_ways(post: Post, name: str) -> None:
    room = dealt(post.matches)
    strict(room)
    raw = ATTACKS[name]
    if not raw.startswith((b"From ", b" ", b"\r")):  # those stand on top
        raw = (crlf(VOUCHED) if b"\r\n" in raw else VOUCHED) + raw
    with room.unchanged():
        done = pbem("submit", room.log, "--json", room.write("m.eml", raw))
        assert done.code in (65, 77), done.printed
        post.comes(raw)
        assert post.run()[0] in ("unproven", "unreadable", "stranger")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_stands_within_a_header_is_no_mail(post: Post, name: str) -> None:
    room, raw = dealt(post.matches), HARMLESS[name]
    asks_for_dkim(room)
    with room.unchanged():
        done = pbem("submit", room.log, "--json", room.write("m.eml", raw))
        assert (done.code, done.json["writer"]) == (1, "dkim"), done.printed
        assert done.json["said"] == ["See you at four."]
        post.comes(raw)
        assert post.run() == ["passed-on"]


@pytest.mark.parametrize("name", LEGIT)
def test_a_mail_as_servers_make_them_is_proven_by_its_signature(post: Post, name: str) -> None:
    room = dealt(post.matches)
    asks_for_dkim(room)
    checked = pbem("check", room.log, "--json", "--key", room.key_file("white"), stdin=LEGIT[name])
    assert checked.json["writer"] == "dkim", checked.printed
    done = pbem("submit", room.log, "--json", stdin=LEGIT[name])
    assert (done.json["writer"], done.json["verdict"]) == ("dkim", "accepted"), done.printed
    other = dealt(post.matches, name="m2")
    asks_for_dkim(other)
    room.log.unlink()
    room.desk.unlink()
    post.comes(LEGIT[name])
    assert post.run() == ["accepted"]
    assert plies(other) == ["draw"]


def test_a_writer_is_told_what_is_wrong_with_the_mail_and_nothing_of_the_match(post: Post) -> None:
    room = dealt(post.matches)
    asks_for_dkim(room)
    done = pbem("submit", room.log, stdin=ATTACKS["a mail in a header, with bare CRs"])
    assert done.code == 77
    assert "another program may read it as another one" in done.printed
    assert "its lines end in more than one way" in " ".join(done.printed.split())
    assert "Ben" not in done.printed


def test_under_from_such_mails_are_read_as_ever_and_prove_nothing(post: Post) -> None:
    room = dealt(post.matches)
    done = pbem("submit", room.log, "--json", stdin=mail("draw").replace(b"\n", b"\r"))
    assert (done.json["verdict"], done.json["proven"]) == ("accepted", False)


@pytest.mark.parametrize(
    ("record", "good"),
    [(None, True), (b"p=%%%", False), (b"k=rsa; p=YQ==", False), (b"\xff", False), (b"", False)],
)
def test_no_key_from_the_net_is_an_error(
    monkeypatch: pytest.MonkeyPatch, record: bytes | None, good: bool
) -> None:
    def told(name: bytes, timeout: int = 5) -> bytes | None:
        return key_record(name) if record is None else record

    monkeypatch.setattr("dkim.dnsplug.get_txt", told)
    found = authenticated.domains(rawmail.read(ORDER))
    assert bool(found) == good


PIECES = st.sampled_from(
    (
        b"\n|\r|\r\n|\n |\r\n\t|:| |\0|\v|\x85|\xe2\x80\xa8|"
        b"From |From: Ana <ana@example.org>|Subject: a|X|Move|=?utf-8?q?=0D?="
    ).split(b"|")
)


@given(st.lists(PIECES, max_size=20))
def test_the_standard_library_and_dkimpy_read_the_headers_that_the_house_reads(
    pieces: list[bytes],
) -> None:
    """Of a mail without a flaw; of another one, nothing is believed."""
    source = b"".join(pieces)
    raw = rawmail.read(source)
    library = message_from_bytes(raw.plain, policy=policy.compat32)
    assert [key.encode() for key in library] == [key for key, _ in raw.headers]
    if raw.flaw:
        return
    begun = message_from_bytes(source, policy=policy.compat32)
    assert [*library.raw_items()] == [
        (key, value.replace("\r\n", "\n")) for key, value in begun.raw_items()
    ]
    headers, body = dkim.rfc822_parse(source)
    assert [(key, value.replace(b"\r\n", b"\n")[:-1]) for key, value in headers] == [
        *map(tuple, raw.headers)
    ]
    assert body.replace(b"\r\n", b"\n") == raw.body


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ana <ana@example.org>", ANA),
        ('"Ana, of course" <ANA@example.org> (at home)', "ANA@example.org"),
        ("Ana <ana@example.org>, Ben <ben@example.org>", None),
        ("=?utf-8?q?ana=40example.org?=", "=?utf-8?q?ana=40example.org?="),
        ("<@a.org,@b.org:ana@example.org>", "@a.org,@b.org:ana@example.org"),
        ('"Ana" <ana@example.org', None),
    ],
)
def test_a_sender_is_what_stands_there_letter_for_letter(written: str, read: str | None) -> None:
    assert rawmail.read(b"From: " + written.encode() + b"\n\n").sender == read
