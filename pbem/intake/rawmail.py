"""The bytes of a mail taken apart, once, for everybody who asks about it.

What was verified is what is read: the order, its sender, the answer to it and every proof of who
wrote it rest on this one parse. Whatever another program could read differently is a `flaw`, and
a mail with a flaw proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from pbem.sentence import Sentence, say

LARGEST: Final = 25 * 1024 * 1024
"""The longest mail that is read, attachments and all, in bytes."""

MOST_HEADERS: Final = 2_000

READ: Final = b"from subject date message-id content-type content-transfer-encoding".split()
"""The headers that say who wrote a mail, what it says, and when: each may occur only once."""

_HEADER: Final = re.compile(rb"([!-9;-~]+):([^\n]*(?:\n[ \t][^\n]*)*)(?:\n|\Z)")
_MAILBOX: Final = re.compile(rb"From ([^\r\n]*)(?:\r?\n|\r)")
_DELIVERED: Final = re.compile(rb".* [A-Z][a-z][a-z] [A-Z][a-z][a-z] [ \d]\d\b")
"""What follows `From ` in the line that mailboxes put in front of a mail."""
_CONTROLS: Final = re.compile(rb"[\0-\x08\x0b-\x1f\x7f]")
_NOTHING_FOLDED: Final = re.compile(rb"\n[ \t]*(?:\n|\Z)")
_SENDER: Final = re.compile(
    r"""\s*+(?:
        ((?:"[^"@]++"@)?+[^\s<>()",;:\\]++) (?:\s*+\([^()\\]*+\))?+  # ana@example.org (Ana)
      | (?:"(?:[^"\\]|\\.)*+"|\([^()\\]*+\)|[^"<>@,;:()\\])*+     # "Ana" Ana (at home)
        <\s*+([^\s<>]++)\s*+> (?:\s*+\([^()\\]*+\))?+               # <ana@example.org>
    )\s*+""",
    re.X,
)
_LONGEST_SENDER: Final = 998
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_NEEDLESSLY_QUOTED: Final = re.compile(rf'"({_ATOM}(?:\.{_ATOM})*)"(@[^"]+)')
"""A mailbox's name in quotation marks that it does not need: RFC 5321, 4.1.2, has it be the same
without them."""


class RawMail(NamedTuple):
    """A mail's head and body, with every line end a newline.

    `headers` are the names and what follows their colons, folded as it came; `parted` says whether
    an empty line ends them; `flaw` why this is not the only way to read the mail, None if it is.
    """

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    parted: bool
    flaw: Sentence | None

    def values(self, name: str) -> list[str]:
        """What the headers of a name say, the topmost first."""
        wanted = name.lower().encode()
        return [
            value.decode("utf-8", "replace") for key, value in self.headers if key.lower() == wanted
        ]

    def first(self, name: str) -> str | None:
        """What the topmost header of a name says, on one line; None if there is nothing."""
        found = self.values(name)
        return " ".join(found[0].split()) or None if found else None

    @property
    def sender(self) -> str | None:
        """The one address in the one From, letter for letter but for quotation marks that mean
        nothing; None if that is not plain."""
        found = self.values("From")
        if len(found) != 1 or len(found[0]) > _LONGEST_SENDER:
            return None
        written = _SENDER.fullmatch(found[0])
        address = written[1] or written[2] if written else ""
        if needless := _NEEDLESSLY_QUOTED.fullmatch(address):
            return needless[1] + needless[2]
        return None if '"' in address else address or None

    @property
    def plain(self) -> bytes:
        """The mail written out again: nobody can read other headers in it than these."""
        head = (b"%s:%s\n" % header for header in self.headers)
        return b"".join((*head, b"\n", self.body))


def read(source: bytes) -> RawMail:
    """Take a mail apart. Nothing is an error here."""
    begun = source.lstrip()
    mailbox = _MAILBOX.match(begun)
    text = begun[mailbox.end() :] if mailbox else begun
    flaw = _flaw_of_lines(text)
    if len(begun) < len(source):
        flaw = say("it does not begin with a header")
    if mailbox and not _DELIVERED.match(mailbox[1]):
        flaw = say("a line `From …` stands above its headers that no mailbox has put there")
    if b"\r" in text:  # in most, what holds the mail has seen to that
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    headers: list[tuple[bytes, bytes]] = []
    at = 0
    while len(headers) <= MOST_HEADERS and (header := _HEADER.match(text, at)):
        headers.append((header[1], header[2]))
        at = header.end()
    parted = text.startswith(b"\n", at)
    whole = parted or at == len(text)
    return RawMail(
        headers=tuple(headers),
        body=text[at + parted :],
        parted=parted,
        flaw=flaw or _flaw_of_head(headers, text[:at], whole=whole),
    )


def _flaw_of_lines(text: bytes) -> Sentence | None:
    """What makes one program see the end of a line where another does not. Line ends below the
    text may differ, since a mailbox may have added an empty line."""
    both, end = text.count(b"\r\n"), text[len(text.rstrip(b"\r\n")) :]
    above = both - end.count(b"\r\n")
    if text.count(b"\r") != both or above not in (0, text.count(b"\n") - end.count(b"\n")):
        return say("its lines end in more than one way")
    return say("it holds NUL bytes") if b"\0" in text else None


def _flaw_of_head(
    headers: list[tuple[bytes, bytes]], head: bytes, *, whole: bool
) -> Sentence | None:
    """What is wrong with the headers: one of them is no header, or one too many."""
    if not whole:
        return say("line {line} of it is no header", line=head.count(b"\n") + 1)
    if control := _CONTROLS.search(head):
        line = head.count(b"\n", 0, control.start()) + 1
        return say("line {line} of its headers holds a control character", line=line)
    if any(_NOTHING_FOLDED.search(value) for _, value in headers):
        return say("a line among its headers is made of blanks alone")
    names = Counter(name.lower() for name, _ in headers)
    for name in READ:
        if names[name] > 1:
            return say("it has the header {name} twice", name=name.decode().title())
    return None


_TELLING: Final = frozenset({b"date", b"subject", b"message-id", b"mime-version", b"to"})


def looks_like_mail(source: bytes) -> bool:
    """Does a block of mail headers stand first, with an address in From?"""
    raw = read(source[:65536])
    names = {name.lower() for name, _ in raw.headers}
    senders = raw.values("From")
    return raw.parted and any("@" in each for each in senders) and bool(names & _TELLING)
