"""Mails that were made to break a desk, each with what is to come of it; and what a mail of the
desk's own must look like. The seeds of the fuzz, too."""

from __future__ import annotations

import random
import re
import zlib
from email import message_from_bytes, policy
from pathlib import Path

from commands import ANA, mail

CLOCK_BOMB = b"Date: Fri, 31 Dec 9999 23:59:59 -2359\n"
INJECTED = "=?utf-8?q?x=0D=0ABcc:_eve@evil.example=0D=0A=0D=0Aplayed?="


def from_(sender: bytes, text: bytes = b"draw") -> bytes:
    """A mail with this From."""
    rest = b"\nSubject: My move\nMessage-ID: <%d@e>\n\n%s\n" % (zlib.crc32(sender + text), text)
    return b"From: " + sender + rest


def ana(headers: bytes, text: bytes = b"nonsense") -> bytes:
    """A mail of Ana's with more headers."""
    return b"From: Ana <" + ANA.encode() + b">\nSubject: My move\n" + headers + b"\n" + text + b"\n"


def nested(depth: int) -> bytes:
    """Parts in parts."""
    return b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )


PARTS = b"Content-Type: multipart/mixed; boundary=b\n"
PART = b"--b\nContent-Type: text/plain\n\nnonsense\n"

UTF_8 = b"Content-Type: text/plain; charset=utf-8\nMessage-ID: <utf8@e>\n"

STRANGE: dict[str, tuple[bytes, str]] = {
    # what no log and no desk file can hold: it must not stop the mailbox
    "press with controls": (ana(UTF_8, "say: well \x9b31m \ufffe \x95".encode()), "said"),
    "plan with controls": (
        ana(UTF_8, "[move]\nif Ben plays \x9b*: draw\n[/move]".encode()),
        "waiting",
    ),
    # ids that would be decoded into headers
    "id injects": (ana(f"Message-ID: <{INJECTED}@x>\n".encode()), "refused"),
    "id injects with atoms alone": (
        ana(b"Message-ID: <=?utf-8?q?x=0D=0ABcc=3A_eve=40evil=2Eexample?=@x>\n"),
        "refused",
    ),
    "references inject": (
        ana(f"Message-ID: <r@e>\nReferences: <a@b> <{INJECTED}@x>\n".encode()),
        "refused",
    ),
    "answered id injects": (
        ana(f"Message-ID: <i@e>\nIn-Reply-To: <{INJECTED}@x>\n".encode()),
        "refused",
    ),
    "id is base64 of no text": (ana(b"Message-ID: <=?utf-8?b?/w==?=@x>\n"), "refused"),
    "id is bytes": (ana(b"Message-ID: <\xff\xfe\x00@x>\n"), "refused"),
    "id is folded": (ana(b"Message-ID:\n <folded\n @x>\n"), "refused"),
    "id holds brackets": (ana(b"Message-ID: <a<b@c>>\n"), "refused"),
    "id is endless": (ana(b"Message-ID: <" + b"x" * 5000 + b"@x>\n"), "refused"),
    "ten thousand references": (
        ana(b"References: " + b" ".join(b"<%d@x>" % n for n in range(10_000)) + b"\n"),
        "refused",
    ),
    "subject injects": (
        mail("nonsense").replace(b"My move", b"=?utf-8?q?x=0D=0ABcc:_eve@evil.example?="),
        "refused",
    ),
    "subject is NUL": (mail("nonsense").replace(b"My move", b"a\0b"), "refused"),
    "subject has no charset": (mail("nonsense").replace(b"My move", b"=?\xff?q?x?="), "refused"),
    # senders that are none, or two
    "sender decodes to a line end": (from_(b"=?utf-8?b?DQo=?=@x.org"), "unreadable"),
    "sender decodes to a bracket": (from_(b"=?utf-8?q?=28?=@x.org"), "unreadable"),
    "sender ends in an encoded comma": (from_(b"a=2Cb@c.org=2C"), "unreadable"),
    "sender is quoted": (from_(b'"a b"@c.org'), "unreadable"),
    "600 open brackets": (from_(b"(" * 600 + ANA.encode()), "unreadable"),
    "600 brackets": (from_(b"(" * 600 + b")" * 600 + ANA.encode()), "unreadable"),
    "600 angles": (from_(b"<" * 600 + ANA.encode() + b">" * 600), "unreadable"),
    "two senders": (from_(b"ana@example.org, ben@example.org"), "unreadable"),
    "two headers": (b"From: ana@example.org\n" + from_(b"ben@example.org"), "unreadable"),
    "a group": (from_(b"us: ana@example.org, ben@example.org;"), "unreadable"),
    "no sender": (b"Subject: My move\n\ndraw\n", "unreadable"),
    "sender is a list of routes": (from_(b"<@a.org,@b.org:ana@example.org>"), "unreadable"),
    "sender is endless": (from_(b"a" * 9000 + b"@x.org"), "unreadable"),
    "sender is bytes": (from_(b"\xff\xfe@\x80.org"), "unreadable"),
    "sender has a NUL": (from_(b"ana\0@example.org"), "unreadable"),
    "sender is folded": (from_(b"Ana\n <ana@exa\n mple.org>"), "unreadable"),
    "sender is Ana in a comment": (from_(b"eve@elsewhere.example (ana@example.org)"), "stranger"),
    "sender is Ana by name": (from_(b'"ana@example.org" <eve@elsewhere.example>'), "stranger"),
    "sender is Ana in an encoded word": (
        from_(b"=?utf-8?q?ana=40example=2Eorg?= <eve@elsewhere.example>"),
        "stranger",
    ),
    "sender's host is not ASCII": (from_("eve@exämple.example".encode()), "unreadable"),
    # texts and structures
    "charset is a byte": (ana(b"Content-Type: text/plain; charset=\xff\n"), "refused"),
    "charset is none": (ana(b"Content-Type: text/plain; charset=klingon\n"), "refused"),
    "charset has a NUL": (ana(b'Content-Type: text/plain; charset="a\0b"\n'), "refused"),
    "charset is a codec of bytes": (ana(b"Content-Type: text/plain; charset=base64\n"), "refused"),
    "charset takes the square": (
        ana(b'Content-Type: text/plain; charset="punycode-"\n', b"a-" * 500_000),
        "unreadable",
    ),
    "nothing but brackets": (ana(b"", b"[" * 900_000), "unreadable"),
    "text holds a surrogate": (
        ana(
            b"Content-Type: text/plain; charset=utf-16-le\n",
            "a\udcff".encode("utf-16-le", "surrogatepass"),
        ),
        "unreadable",
    ),
    "text holds a raw surrogate": (ana(b"", b"nonsense \xed\xb3\xbf"), "refused"),
    "base64 is none": (ana(b"Content-Transfer-Encoding: base64\n", b"\xff%%%"), "unreadable"),
    "encoding is 600 brackets": (
        ana(b"Content-Transfer-Encoding: " + b"(" * 600 + b"\n"),
        "unreadable",
    ),
    "type is 600 brackets": (ana(b"Content-Type: " + b"(" * 600 + b"\n"), "unreadable"),
    "4,000 parts": (ana(PARTS, PART * 4000), "unreadable"),
    "400 parts without headers": (ana(PARTS, b"--b\n\nnonsense\n" * 400), "unreadable"),
    "500 parts deep": (ana(nested(500)), "unreadable"),
    "parts that are missing": (ana(PARTS), "unreadable"),
    "20,000 headers": (ana(b"X: y\n" * 20_000), "unreadable"),
    "a header of 9,000 bytes": (
        ana(b"Content-Type: text/plain" + b"; a=b" * 1800 + b"\n"),
        "unreadable",
    ),
    "600,000 lines": (ana(b"", b"\n" * 600_000), "unreadable"),
    "a quote 100,000 deep": (ana(b"", b">" * 100_000 + b" x" * 50_000), "passed-on"),
    "a line of 500,000 letters": (ana(b"", b"x" * 500_000), "unreadable"),
    "a line of 90,000 letters": (ana(b"", b"x" * 90_000), "refused"),
    "the boundary of our answer": (
        ana(b"", b"--=_either\n\nContent-Type: text/html\n\n"),
        "refused",
    ),
    "only line ends": (b"\n" * 50, "unreadable"),
    "noise": (bytes(range(256)) * 20, "unreadable"),
    "a date no clock knows": (CLOCK_BOMB + ana(b"Message-ID: <d@e>\n"), "refused"),
    "a date of letters": (ana(b"Date: " + b"9" * 500 + b"\n"), "refused"),
}
"""Raw mails by name, with the verdict each gets in a match where Ana is to move."""

IN_UTF_8 = b"Content-Type: text/plain; charset=utf-8\n"

RUNS = {
    "marks in turn": "\u0345\u0301",
    "marks in turn on letters": "a" + "\u0345\u0301" * 15,
    "marks with tags between": "\u0345\u0301" * 15 + "[b][/b]",
    "marks with quotes between": "\u0345\u0301" * 15 + "\n> ",
    "marks with nothing between": "\u0345\u200b\u0301\u2060",
    "vowels that are two marks": "\u0f73",
    "signs that become marks, and marks": "\uff9e\u0301",
    "both widths": "a\uff21\uff71\u30a2\u3000 ",
    "both directions": "a\u202e\u05d0\u2066\u0628\u2069\u202c ",
    "Hangul jamo": "\u1100\u1161\u11a8",
    "Hangul jamo without a vowel": "\u1100",
    "vowels of Hangul": "\u1161\u11a8",
    "letters with marks of their own": "\u1e69\u0344",
    "ligatures of many letters": "\ufdfa",
    "brackets": "[",
    "posts quoted without an end": '[quote="a,post:1',
    "hyphens between letters": "a-",
    "lines of ligatures": "\ufdfa" * 800 + "\n",
}
"""What Unicode or the reading of marks has rules for, to be repeated."""


def endless(run: str, size: int = 1_900_000) -> str:
    """So many bytes of it."""
    return run * (size // len(run.encode()))


_HEADERS = (
    "From To Reply-To Subject Date Message-ID In-Reply-To References Auto-Submitted "
    "X-Auto-Response-Suppress X-Pbem MIME-Version Content-Type"
).split()
_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[^<>\s\"(),:;@\\]+>")


def require_sound(raw: bytes, to: str, own: str = "desk@games.example") -> None:
    """Fails unless a mail of the desk reads, to another reader than the desk's own, as one mail to
    one address without anything that was smuggled in."""
    message = message_from_bytes(raw, policy=policy.default)
    assert message.defects == []
    names = [name for name in message if name not in ("In-Reply-To", "References")]
    assert names == [name for name in _HEADERS if name in names]
    assert {"From", "To", "Subject", "Message-ID", "Content-Type"} <= set(names)
    assert [each.addr_spec for each in message["To"].addresses] == [to]
    assert [each.addr_spec for each in message["From"].addresses] == [own]
    assert [each.addr_spec for each in message["Reply-To"].addresses] == [own]
    ids = ("Message-ID", "In-Reply-To", "References")
    for name, value in message.items():
        assert not set(str(value)) & set("\r\n\0"), name
        # A mail may well be called <x@evil.org>, and its sender too: of ids the grammar is all that
        # counts, and of addresses that this is the one.
        assert name in ("To", *ids) or "evil" not in str(value), name
    for name in ids:
        assert all(_ID.fullmatch(each) for each in str(message[name] or "").split()), name
    plain, html = message.iter_parts()
    if html.get_content_type() == "multipart/related":
        html, board = html.iter_parts()
        assert board.get_content_type() == "image/png"
        assert board.get_content().startswith(b"\x89PNG")
        assert f'"cid:{str(board["Content-ID"]).strip("<>")}"' in html.get_content()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    for part in (plain, html):
        assert part.defects == []
        assert part.get_content().strip()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r")


def mutated(rng: random.Random, source: bytes, other: bytes) -> bytes:
    """A mail with a few stretches cut, doubled, moved, overwritten or taken from another."""
    for _ in range(rng.randint(1, 5)):
        start = rng.randint(0, min(len(source), 3000))
        end = min(len(source), start + rng.choice((1, 3, 20, 200)))
        at = rng.randint(0, len(other))
        piece = rng.choice(
            (
                b"",
                source[start:end] * 2,
                source[start:end][::-1],
                other[at : at + rng.choice((5, 50, 500))],
                rng.randbytes(rng.randint(1, 6)),
                rng.choice((b"\n", b"\r\n", b"\n\n", b"\0", b"=?utf-8?q?=0A?=", b"<", b"(", b'"')),
                rng.choice((b"\nFrom: x@y.example", b"\n--b", b"\xff", b": ", b"[m #9]", b"> ")),
            )
        )
        source = source[:start] + piece + source[end:]
    return source


def seeds() -> list[bytes]:
    """Mails to begin with: the strange ones that are not too large, and real ones."""
    real = [path.read_bytes() for path in sorted((Path(__file__).parent / "mail").glob("*.eml"))]
    strange = [raw for raw, _ in STRANGE.values() if len(raw) < 20_000]
    return [*strange, *real, mail("draw"), mail("DUDA-BARI\ndraw"), mail("withdraw")]
