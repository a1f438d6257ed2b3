"""Who wrote a message: every policy against true, spoofed, foreign, unknown and stale writers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path

import commands
import dkim
import postroom
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from postroom import Post

from pbem import intake
from pbem.desk import authorship
from pbem.desk.answer import Answer
from pbem.desk.authorship.authenticated import parse, vouched
from pbem.desk.authorship.signature import sign, signed_at
from pbem.desk.file import Desk
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.intake import rawmail
from pbem.log import seal
from pbem.problem import Busy, Problem
from pbem.report import compose
from pbem.report.refusal import rejection

SERVER = "mx.desk.example"
PASS = f"Authentication-Results: {SERVER}; dkim=pass header.d=example.org"


def policy(room: Room, name: str, *lines: str) -> None:
    """Change the policy as a moderator does: in the desk file."""
    extra = "".join(f"{line}\n" for line in (f"policy: {name}", *lines))
    room.desk.write_text(room.desk.read_text().replace("addresses:", f"{extra}addresses:"))


def headed(raw: bytes, *headers: str) -> bytes:
    """A mail as it comes in: servers put their headers on top."""
    return "".join(f"{header}\n" for header in headers).encode() + raw


def signed(room: Room, text: str, seat: str = "white") -> str:
    done = pbem("sign", room.log, "--key", room.key_file(seat), stdin=text)
    assert done.code == 0, done.printed
    return done.out


def refused_as_stranger(answer: Answer, *secrets: str) -> None:
    """Nothing the sender is told says anything about the match."""
    assert (answer.verdict, answer.code, answer.seat) == ("sender", 77, "")
    for dialect in ("text", "markdown", "phpbb", "bgg"):
        told = compose.text(rejection(answer), dialect)
        assert answer.message.split(":")[0].split(".")[0].split()[0] in told
        for secret in ("ahuna", "Ana", "Ben", "white", "black", "5989", "#9", "BARI", *secrets):
            assert secret not in told, (secret, told)


# --------------------------------------------------------------------------------- policy: from


def test_under_from_the_address_counts_and_is_shown_as_unverified(room: Room) -> None:
    done = pbem("submit", room.log, room.write("m.eml", mail("draw")))
    assert done.code == 0
    assert "white: The writer is known by the address in From alone" in done.err
    assert "not verified" in done.err
    assert "not verified" not in done.out


@pytest.mark.parametrize("name", authorship.POLICIES)
@pytest.mark.parametrize(
    "sender", ["Eve <eve@example.org>", "ana@example.org.evil.example", "nobody", None]
)
def test_a_stranger_learns_nothing_whatever_he_writes(
    room: Room, name: str, sender: str | None
) -> None:
    room.mails(mail("draw", identity="<known@example.org>"))
    policy(room, name)
    for text, identity, subject in [
        ("draw", "<known@example.org>", "x"),  # a mail that was read before
        ("take FAAA", "<2@example.org>", "[m #9 5989]"),  # a position of the past
        ("draw", "<3@example.org>", "[other #9]"),
        ("[move]\nseat: white\ndraw\n[/move]", "<4@example.org>", "x"),
        ("no order at all", "<5@example.org>", "x"),
    ]:
        raw = headed(mail(text, sender=sender, identity=identity, subject=subject), PASS)
        with room.unchanged():
            refused_as_stranger(room.mails(raw))


def test_a_mail_without_a_sender_is_nobodys_even_if_it_names_a_seat(room: Room) -> None:
    with room.unchanged():
        refused_as_stranger(room.mails(mail("[move]seat: white\ndraw[/move]", sender=None)))


def test_a_mail_that_names_another_seat_than_its_senders_is_refused(room: Room) -> None:
    with room.unchanged():
        answer = room.mails(mail("[move]seat: white\ndraw[/move]", sender=BEN))
    assert (answer.code, answer.message) == (77, f"{BEN} plays black, not white")


def test_several_addresses_of_a_seat_all_count_however_they_are_written(room: Room) -> None:
    text = room.desk.read_text().replace('"ana@example.org"', '"x@y.example", "Ana@Work.example"')
    assert "Work" in text
    room.desk.write_text(text)
    assert room.mails(mail("draw", sender="ana@work.EXAMPLE")).verdict == "accepted"


def test_the_moderator_is_told_whose_mail_was_turned_away_and_the_sender_is_not(room: Room) -> None:
    done = pbem("submit", room.log, stdin=mail("draw", sender="eve@example.org"))
    assert done.code == 77
    assert "for you alone: eve@example.org belongs to nobody in m" in done.err
    assert "eve" not in done.out
    data = pbem("submit", room.log, "--json", stdin=mail("draw")).json
    assert (data["writer"], data["proven"]) == ("address", False)


# ------------------------------------------------------------------------- policy: authenticated

RESULTS = [
    (PASS, True),
    (f"Authentication-Results: {SERVER.upper()} 1;\n\tDKIM = Pass header.d=Example.ORG", True),
    (f"Authentication-Results: {SERVER}; dkim=pass header.i=@example.org", True),
    (
        f"Authentication-Results: {SERVER}; spf=pass (a; dkim=pass header.d=example.org)"
        " smtp.mailfrom=eve.example; dmarc=pass (p=NONE) header.from=example.org",
        True,
    ),
    (
        f"Authentication-Results: {SERVER}; dkim=fail header.d=example.org;"
        " dkim=pass header.d=example.org",
        True,
    ),
    (
        f"Authentication-Results: {SERVER}; dkim=pass header.d=evil.example header.d=evil.example"
        " header.i=@example.org",
        False,
    ),
    (f"Authentication-Results: {SERVER}; none", False),
    (f"Authentication-Results: {SERVER}; dkim=pass header.d=evil.example", False),
    (f"Authentication-Results: {SERVER}; dkim=pass header.d=org", False),
    (f"Authentication-Results: {SERVER}; dkim=pass header.d=mail.example.org", False),
    (f"Authentication-Results: {SERVER}; dkim=fail header.d=example.org", False),
    (f"Authentication-Results: {SERVER}; spf=pass smtp.mailfrom=ana@example.org", False),
    (f"Authentication-Results: {SERVER}; dmarc=pass header.from=evil.example", False),
    (f"Authentication-Results: {SERVER}; dmarc=none; x=y (dkim=pass header.d=example.org)", False),
    (
        f"Authentication-Results: {SERVER}; spf=fail"
        ' smtp.mailfrom="a; dkim=pass header.d=example.org"',
        False,
    ),
    (
        f"Authentication-Results: {SERVER}; dkim=pass header.d=evil.example header.d=example.org",
        False,
    ),
    (f"Authentication-Results: {SERVER}; dkim=pass header.d=example.org; what is this", False),
    (f"Authentication-Results: {SERVER}; dkim=pass header.d=example.org; spf=fail (a", False),
    (f'Authentication-Results: {SERVER}; dkim=pass header.d=example.org; spf=fail "a', False),
    (f"Authentication-Results: {SERVER} (; dkim=pass header.d=example.org", False),
    (f"Authentication-Results: evil.example; x=y; {SERVER}; dkim=pass header.d=example.org", False),
    (f"Authentication-Results: evil.{SERVER}; dkim=pass header.d=example.org", False),
    (f"X-Authentication-Results: {SERVER}; dkim=pass header.d=example.org", False),
    (f"ARC-Authentication-Results: i=1; {SERVER}; dkim=pass header.d=example.org", False),
    ("Authentication-Results: spf=pass; dkim=pass header.d=example.org", False),
    ("X-Nothing: here", False),
]


@pytest.mark.parametrize(("header", "good"), RESULTS)
def test_only_the_configured_server_vouches_for_a_sender(
    room: Room, header: str, good: bool
) -> None:
    policy(room, "authenticated", f"server: {SERVER}")
    answer = room.mails(headed(mail("draw"), header))
    assert (answer.verdict == "accepted") == good, answer.message
    if good:
        assert answer.writer is not None
        assert (answer.writer.how, answer.writer.proven) == ("server", True)
    else:
        refused_as_stranger(answer)


def test_only_the_topmost_results_count(room: Room) -> None:
    policy(room, "authenticated", f"server: {SERVER}")
    fails = f"Authentication-Results: {SERVER}; dkim=fail header.d=example.org"
    other = "Authentication-Results: relay.example; dkim=pass header.d=example.org"
    for above in (fails, other):
        refused_as_stranger(room.mails(headed(mail("draw"), above, "Received: x", PASS)))
    assert room.mails(headed(mail("draw"), PASS, fails)).verdict == "accepted"


def test_a_proven_mail_of_a_stranger_is_still_a_strangers(room: Room) -> None:
    policy(room, "authenticated", f"server: {SERVER}")
    refused_as_stranger(room.mails(headed(mail("draw", sender="eve@example.org"), PASS)))


@pytest.mark.parametrize(
    "header", ["a\0b", '"', "(((", ";", "", "x" * 5000, 'x; a="b', "x; =", "\\"]
)
def test_a_malformed_header_vouches_for_nobody(header: str) -> None:
    assert vouched(header, "x", ANA)
    assert parse('mx.example (a (b) c); dkim=pass (x;y) header.d="example.org" reason=ok') == (
        "mx.example",
        parse("MX.example; DKIM=pass header.d=example.org reason=ok")[1],  # type: ignore[index]
    )


PIECES = [
    SERVER,
    ";",
    "dkim=pass",
    "header.d=example.org",
    "dmarc=pass",
    "(",
    ")",
    '"',
    "\\",
    " ",
    "header.from=example.org",
    "evil.example",
    "=",
    "none",
    "spf=pass",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_no_shuffle_of_a_header_vouches_without_a_statement_that_does(pieces: list[str]) -> None:
    header = "".join(pieces)
    if vouched(header, SERVER, ANA):
        return
    bare = re.sub(r'"[^"]*"', '"_"', re.sub(r"\\\\.", "_", header))
    while bare != (shorter := re.sub(r"\([^()]*\)", " ", bare)):
        bare = shorter
    first, *statements = bare.split(";")
    assert first.strip().strip('"') in (SERVER, "_")
    assert any(
        re.match(r"\s*(dkim=pass|dmarc=pass)\s.*header\.(d|from)=", each) for each in statements
    )


# ------------------------------------------------------------------------------- our own DKIM


@cache
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 1024)


def key_record(name: bytes, timeout: int = 5) -> bytes | None:
    """What the name servers say."""
    public = key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    zones = (b"s1._domainkey.example.org.", b"s1._domainkey.evil.example.")
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public) if name in zones else None


READ = (b"from", b"subject", b"date", b"message-id", b"content-type", b"content-transfer-encoding")


@cache
def stamped(
    raw: bytes,
    domain: str = "example.org",
    *,
    length: bool = False,
    headers: tuple[bytes, ...] = READ,
) -> bytes:
    """The mail with a DKIM signature, made by dkimpy."""
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    private = key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    made = dkim.sign(
        raw, b"s1", domain.encode(), private, length=length, include_headers=list(headers)
    )
    return bytes(made) + raw


def arrives(room: Room, raw: bytes, dns: Callable[..., bytes | None] = key_record) -> Answer:
    with pytest.MonkeyPatch.context() as net:
        net.setattr("dkim.dnsplug.get_txt", dns)
        return submit(str(room.log), intake.read(raw, "m.eml"), commands.at(clock))


def test_without_a_server_the_dkim_signature_is_checked_here(room: Room) -> None:
    policy(room, "authenticated")
    whole = stamped(mail("draw"))
    for bad in (
        mail("draw"),
        whole.replace(b"draw\r\n", b"pass\r\n"),
        whole.replace(b"Subject: My move", b"Subject: [m #9 5989]"),
        stamped(mail("draw"), "evil.example"),
        stamped(mail("draw"), length=True) + b"take FAAA\r\n",
        stamped(mail("draw"), length=True),
        headed(mail("draw"), "DKIM-Signature: v=1; nonsense"),
        headed(mail("draw"), PASS),
    ):
        with room.unchanged():
            refused_as_stranger(arrives(room, bad))
    for read in (whole, b"From ana Fri Apr  3\n" + whole.replace(b"\r\n", b"\n")):
        answer = arrives(room, read)
        assert answer.verdict in ("accepted", "duplicate"), answer.message
    assert room.read().awaited == ("black",)
    assert arrives(room, whole).verdict == "duplicate"
    with room.unchanged():  # a copy whose key is gone proves nothing, and is told nothing
        refused_as_stranger(arrives(room, whole, dns=lambda *_, **__: None))


CHAT = (
    b'Content-Type: multipart/mixed; boundary="one"\n\n--one\n\nI shall think about it\n\n'
    b"--one--\n\n--two\n\ndraw\n\n--two--\n"
)


@pytest.mark.parametrize("header", READ[1:], ids=lambda header: header.decode())
def test_a_signature_that_leaves_open_how_a_mail_is_read_proves_nothing(
    room: Room, header: bytes
) -> None:
    policy(room, "authenticated")
    others = tuple(name for name in READ if name != header)
    with room.unchanged():
        refused_as_stranger(arrives(room, stamped(mail("draw"), headers=others)))


@pytest.mark.parametrize(
    "second",
    [
        b"Subject: [m #9 5989]",
        b"From: Ana <ana@example.org>",
        b"Date: Thu, 28 May 2026 10:00:00 +0200",
        b"Message-ID: <9@example.org>",
        b'Content-Type: multipart/mixed; boundary="two"',
        b"Content-Transfer-Encoding: base64",
    ],
)
def test_a_header_put_on_top_of_a_signed_mail_unmakes_its_proof(room: Room, second: bytes) -> None:
    """The signature covers the one below; the one above is read."""
    policy(room, "authenticated")
    plain = b"Date: Wed, 27 May 2026 10:00:00 +0200\n" + mail("draw")
    chat = b"From: Ana <ana@example.org>\nSubject: Tea\nMessage-ID: <1@e>\n" + CHAT
    for raw in (plain, chat):
        with room.unchanged(), suppress(Problem):  # two senders are not even read
            refused_as_stranger(arrives(room, second + b"\r\n" + stamped(raw)))
    with room.unchanged():
        refused_as_stranger(arrives(room, stamped(chat).replace(b'"one"', b'"two"')))
    assert arrives(room, stamped(plain)).verdict == "accepted"


def test_a_net_that_does_not_answer_refuses_for_now(room: Room) -> None:
    policy(room, "authenticated")

    def down(name: bytes, timeout: int = 5) -> bytes:
        raise TimeoutError("no name server")

    with room.unchanged(), pytest.raises(Problem, match="try again") as caught:
        arrives(room, stamped(mail("draw")), dns=down)
    assert isinstance(caught.value, Busy)


def test_no_key_is_asked_for_under_another_policy_or_for_a_stranger(room: Room) -> None:
    def never(name: bytes, timeout: int = 5) -> bytes:
        raise AssertionError(name)

    refused_as_stranger(arrives(room, stamped(mail("x", sender="e@x.example")), dns=never))
    assert arrives(room, stamped(mail("draw")), dns=never).verdict == "accepted"
    policy(room, "authenticated")
    refused_as_stranger(arrives(room, stamped(mail("x", sender="e@x.example")), dns=never))


# --------------------------------------------------------------------------- who wrote it, first


@pytest.mark.parametrize("name", ["authenticated", "signed"])
def test_an_unproven_copy_is_not_told_that_the_mail_was_read_before(room: Room, name: str) -> None:
    raw = mail("draw")
    assert room.mails(raw, "white").verdict == "accepted"
    policy(room, name, *([f"server: {SERVER}"] if name == "authenticated" else []))
    with room.unchanged():
        refused_as_stranger(room.mails(raw))


def test_what_nobody_proved_does_not_stand_in_the_way_of_what_is_proven(room: Room) -> None:
    """Under `from` anybody can write any Message-ID first."""
    assert room.mails(mail("DUDA-BARI")).verdict == "accepted"
    policy(room, "authenticated", f"server: {SERVER}")
    assert room.mails(headed(mail("KAHU-COCO"), PASS)).verdict == "accepted"
    with room.unchanged():
        assert room.mails(headed(mail("LALE-IFFI"), PASS)).verdict == "duplicate"


UNREADABLE = mail("[move]\ndraw\n")


@pytest.mark.parametrize(
    ("name", "raw", "how"),
    [
        ("from", UNREADABLE, "address"),
        ("authenticated", UNREADABLE, ""),
        ("authenticated", headed(UNREADABLE, PASS), "server"),
        ("authenticated", headed(UNREADABLE, PASS.replace("=pass", "=fail"), PASS), ""),
        ("authenticated", headed(UNREADABLE, PASS.replace("; ", ";\n\t")), "server"),
        ("authenticated", UNREADABLE + PASS.encode(), ""),
        ("signed", headed(UNREADABLE, PASS), ""),
    ],
)
def test_a_mail_that_cannot_be_read_has_a_writer_all_the_same_or_none(
    room: Room, name: str, raw: bytes, how: str
) -> None:
    with pytest.raises(Problem):
        intake.read(raw, "m.eml")
    policy(room, name, *([f"server: {SERVER}"] if name == "authenticated" else []))
    desk = Desk.read(str(room.log))
    for sender, known in ((ANA, how), ("eve@example.org", "")):
        message = authorship.unread(rawmail.read(raw), sender)
        found = authorship.writer(room.read(), message, desk)
        assert found.how == known
        assert bool(found.seats) == bool(known)
        assert (found.refusal is None) == bool(known)


def test_a_mail_that_cannot_be_read_is_known_by_its_dkim_signature(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dkim.dnsplug.get_txt", key_record)
    policy(room, "authenticated")
    desk = Desk.read(str(room.log))
    for raw, how in ((stamped(UNREADABLE), "dkim"), (stamped(UNREADABLE) + b"x", "")):
        message = authorship.unread(rawmail.read(raw), ANA)
        checked = authorship.checked(message, desk)
        found = authorship.writer(room.read(), checked, desk)
        assert found.how == how


# ------------------------------------------------------------------------------ policy: signed


def test_a_signed_order_is_taken_from_mail_text_and_file(tmp_path: Path) -> None:
    def room(name: str) -> Room:
        made = dealt(tmp_path, name=name)
        policy(made, "signed")
        return made

    a = room("a")
    order = signed(a, "duda-bari; draw")
    answer = a.mails(mail(f"Hi,\n\n{order}\nBye\n> [move]\n> pass\n> sign: 1\n> [/move]\n"))
    assert answer.verdict == "accepted"
    assert answer.writer is not None
    assert (answer.writer.how, answer.writer.proven) == ("signature", True)
    b = room("b")
    assert b.says(None, signed(b, "draw")).verdict == "accepted"
    c = room("c")
    ply, mark, *_ = signed(c, "draw").split("\n")[1].split()
    code = next(line for line in signed(c, "draw").split("\n") if line.startswith("sign:"))
    assert c.says(None, f"draw\n{code.upper().replace('-', ' ')}\n").verdict == "accepted"
    d = room("d")
    code = signed(d, "draw").split("sign: ")[1].split()[0]
    file = f'position: "{ply} {d.read().position[1]}"\nsign: {code}\nmoves: [Draw]\n'
    said = intake.read(file.encode(), "x.yaml")
    assert mark != ""
    assert submit(str(d.log), said, commands.at(clock)).verdict == "accepted"


@pytest.mark.parametrize("name", authorship.POLICIES)
def test_a_wrong_code_is_refused_under_every_policy(room: Room, name: str) -> None:
    policy(room, name)
    good = signed(room, "draw")
    code = good.split("sign: ")[1].split()[0]
    for bad in (
        good.replace("draw", "pass"),
        good.replace("#9", "#8"),
        good.replace("#9 5989", "#9 5988"),
        good.replace(code, "0000-0000-0000"),
        good.replace(code, code[:-1] + ("2" if code[-1] != "2" else "3")),
        good.replace(code, code[:-5]),
        good.replace("draw", "draw\npass"),
        signed(room, "draw", "black"),
    ):
        with room.unchanged():
            refused_as_stranger(room.mails(mail(bad)))
            refused_as_stranger(room.says(None, bad.replace("[/move]", "seat: white\n[/move]")))


def test_without_a_code_nothing_is_taken_where_codes_are_asked_for(room: Room) -> None:
    policy(room, "signed")
    for raw in (mail("draw"), headed(mail("draw"), PASS), stamped(mail("draw"))):
        with room.unchanged():
            answer = room.mails(raw)
        refused_as_stranger(answer)
        assert "pbem sign" in answer.message
    with room.unchanged():
        refused_as_stranger(room.says(None, "[move]seat: white\ndraw[/move]"))


def test_a_code_does_not_open_the_door_to_a_strangers_address(room: Room) -> None:
    policy(room, "signed")
    with room.unchanged():
        refused_as_stranger(room.mails(mail(signed(room, "draw"), sender="eve@example.org")))


def test_a_signed_mail_read_again_is_a_duplicate_and_its_code_good_for_nothing_else(
    room: Room,
) -> None:
    policy(room, "signed")
    order = signed(room, "draw")
    without_position = order.replace("#9 5989\n", "")
    assert without_position != order
    first = mail(without_position)
    assert room.mails(first).verdict == "accepted"
    with room.unchanged():
        assert room.mails(first).verdict == "duplicate"
        again = room.mails(mail(without_position + "\nhello", identity="<2@example.org>"))
    assert (again.verdict, again.seat) == ("stale", "white")
    assert "This answers #9 5989" in again.message


def test_who_has_left_a_seat_can_sign_for_it_no_more(room: Room) -> None:
    policy(room, "signed", "authors: {white: [ana]}")
    old = signed(room, "draw")
    key = room.key_file("white").read_text()
    done = pbem(
        "rule",
        room.log,
        "substitute",
        "--seat",
        "white",
        "--player",
        "Zoe <z@x.example>",
        "--author",
        "zoe_w",
        "--reason",
        "ill",
    )
    assert done.code == 0, done.printed
    desk = Desk.read(str(room.log))
    assert (desk.addresses["white"], desk.authors["white"]) == (("z@x.example",), ("zoe_w",))
    (left := room.log.parent / "old.key").write_text(key)
    assert pbem("sign", room.log, "--key", left, stdin="draw").code == 77
    with room.unchanged():
        refused_as_stranger(room.mails(mail(old)))
        refused_as_stranger(room.mails(mail(old, sender="z@x.example")))
    assert room.mails(mail(signed(room, "draw"), sender="z@x.example")).verdict == "accepted"


ON_WORD = "entered on the moderator's word"


def on_word(room: Room) -> list[str]:
    """The plies that stand on the moderator's word, as the log says."""
    return [ply.move for ply, _ in room.read(None).plies if ply.on_word]


@pytest.mark.parametrize("name", ["authenticated", "signed"])
def test_the_moderators_word_in_the_place_of_a_proof_stands_in_the_log_and_everybody_is_told(
    tmp_path: Path, name: str
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    policy(room, name)
    assert post.run() == []  # everybody has been told of the match
    plan = "[move]\ndraw\nif black plays draw: pass\nsay: as I said by phone\n[/move]"
    raw = mail(plan, identity="<w@e>")
    done = pbem("submit", room.log, "--from", "white", room.write("m.eml", raw))
    assert done.code == 0, done.printed
    assert on_word(room) == ["draw"]
    word = re.escape(ON_WORD).replace("\\ ", r"\s+")
    for told in (done, pbem("show", room.log), pbem("log", room.log)):
        assert re.search(word, told.out), told.printed
    page = tmp_path / "page.html"
    assert pbem("page", room.log, "-o", page).code == 0
    assert re.search(word, unescape(page.read_text()))
    assert "as I said by phone Reason: on the moderator's word" in pbem("log", room.log).out
    assert post.run() == []
    for kind in ("plain", "html"):
        [news] = post.to(BEN, "news")
        assert re.search(word, unescape(postroom.text(news, kind)))
    with room.unchanged():
        assert room.mails(raw, "white").verdict == "duplicate"
    assert pbem("submit", room.log, "--from", "black", stdin="draw").code == 0
    assert [move for move in on_word(room) if move != "draw"] == ["pass"]  # the plan
    assert pbem("verify", room.log).code == 0
    edited = room.log.read_text().replace("source: word:", "source: hmac:", 1)
    assert pbem("verify", room.write("m.pbem.yaml", edited)).code != 0


def test_what_is_proven_and_what_nobody_promised_to_prove_is_not_called_a_word(room: Room) -> None:
    assert room.says("white", "draw").verdict == "accepted"
    policy(room, "signed")
    black = mail(signed(room, "draw", "black"), sender=BEN)
    assert pbem("submit", room.log, stdin=black).err == ""
    assert on_word(room) == []
    assert "moderator's word" not in pbem("log", room.log).out


@pytest.mark.parametrize(
    ("text", "key", "code", "told"),
    [
        ("draw", "desk", 77, "its one seat"),
        ("draw", None, 77, "its one seat"),
        ("#3 draw", "white", 1, "names #3, but it would be signed for m, seat white, at #9"),
        ("[move]seat: black\ndraw[/move]", "white", 1, "this order names black, but"),
        ("[move]match: other\nseat: black\ndraw[/move]", "white", 1, "names other and black, but"),
        ("Hi Ben,", "white", 1, "no move"),
        ("seat: white", "white", 1, "does not read the same"),
    ],
)
def test_what_cannot_be_signed_is_said(
    room: Room, text: str, key: str | None, code: int, told: str
) -> None:
    where = {"desk": room.desk, "white": room.key_file("white")}.get(str(key))
    done = pbem("sign", room.log, *(["--key", where] if where else []), stdin=text)
    assert (done.code, told in done.err) == (code, True), done.printed


def test_the_code_is_what_its_specification_says() -> None:
    """The vectors of docs/authorship.md, computed once more from its words alone."""
    key, alphabet = bytes(range(32)), "0123456789abcdefghjkmnpqrstvwxyz"
    step = hmac.digest(b"pbem/1", key, hashlib.sha256)
    derived = hmac.digest(step, b"sign\x01", hashlib.sha256)
    said = ["pbem-sign/1", "kahuna-7", "white", 17, "a3f9", ["bari-duda", "draw"]]
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    digest = int.from_bytes(hmac.digest(derived, text.encode(), hashlib.sha256), "big")
    letters = [alphabet[digest >> (256 - 5 * n) & 31] for n in range(1, 13)]
    code = "-".join("".join(letters[n : n + 4]) for n in (0, 4, 8))
    made = sign(key, "kahuna-7", "white", (17, "a3f9"), ["BARI-DUDA", " draw "])
    assert made == code
    doc = (Path(__file__).parent.parent / "docs" / "authorship.md").read_text()
    assert text in doc
    assert code in doc
    assert seal.derive(key, "sign").hex() == derived.hex()
    misread = code.replace("1", "l").replace("0", "O").upper()
    places = [(16, "0000"), (17, "a3f9")]
    orders = ["bari-duda", "DRAW"]
    assert signed_at(misread, key, "kahuna-7", "white", places, orders) == (17, "a3f9")


def test_a_policy_is_chosen_at_the_beginning(tmp_path: Path) -> None:
    new = (
        "new",
        "kahuna",
        "--dir",
        tmp_path,
        "--seat",
        f"white=Ana <{ANA}>",
        "--seat",
        "black=Ben",
    )
    assert pbem(*new, "--match", "a", "--policy", "signed", "--author", "white=Ana W").code == 0
    text = (tmp_path / "a.desk.yaml").read_text()
    assert "policy: signed" in text
    assert "Ana W" in text
    served = ("--policy", "authenticated", "--server", SERVER)
    assert pbem(*new, "--match", "b", *served).code == 0
    assert Desk.read(str(tmp_path / "b.pbem.yaml")).server == SERVER
    for wrong in (
        ("--policy", "trust"),
        ("--server", SERVER),
        ("--author", "red=X"),
        ("--author", "white="),
        ("--policy", "authenticated", "--server", "a b"),
    ):
        assert pbem(*new, "--match", "c", *wrong).code == 2
    assert not (tmp_path / "c.desk.yaml").exists()
