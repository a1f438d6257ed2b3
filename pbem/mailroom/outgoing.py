"""A mail that goes out, from values to bytes: what is written is read back before it is put down.

Nothing here takes a header apart: addresses have been checked, ids from outside fit their grammar
or were dropped, and what cannot be trusted to be plain text is encoded as a whole.
"""

from __future__ import annotations

import binascii
import html
import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.core import Problem
from pbem.desk.address import Address
from pbem.mailroom.envelope import HOUSE, decoded
from pbem.version import __version__

WIDTH: Final = 72
_DEEPEST: Final = 24
"""A quoted line is indented this far at most, so that something of it fits beside the indent."""
_LONGEST_SUBJECT: Final = 200
_LONGEST_LINE: Final = 998
_UNSENDABLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_FOLD: Final = re.compile(r"\r?\n(?=[ \t])")
_FONT: Final = "font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail to one address.

    name        its file's, and the first half of its id: the same answer has the same one
    private     whether it is for nobody else's eyes
    match       the match it is about; "" for none
    to, sender  where it goes, and the desk's own address
    date        as it stands in the header
    answers     the id of the mail it answers, if that is known and well-formed
    references  the ids of its thread, the oldest first
    replies     whether somebody wrote to the desk; else the match went on
    """

    name: str
    private: bool
    match: str
    to: Address
    sender: Address
    subject: str
    text: str
    date: str
    answers: str | None = None
    references: tuple[str, ...] = ()
    replies: bool = False

    def sealed(self) -> bytes:
        """As it is sent. Raises Problem if it would not be read as it was meant."""
        headers, parts = self._headers(), self._parts()
        boundary = self._boundary
        lines = [*(f"{name}: {value}" for name, value in headers), ""]
        for kind, text in parts:
            lines += [
                f"--{boundary}",
                f"Content-Type: text/{kind}; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
                "",
                _quoted(text),
            ]
        data = "\r\n".join([*lines, f"--{boundary}--", ""]).encode("ascii")
        if not _reads_as(data, self.subject, headers, parts):
            raise Problem("the answer {name} would not be read as it was meant", name=self.name)
        return data

    @property
    def _boundary(self) -> str:
        # Quoted-printable text holds no "=_".
        return f"=_{self.name}"[:70]

    def _headers(self) -> list[tuple[str, str]]:
        """What stands in the header, in order."""
        headers = [
            ("From", f"pbem <{self.sender}>"),
            ("To", self.to),
            ("Reply-To", self.sender),
            ("Subject", _encoded(self.subject)),
            ("Date", self.date),
            ("Message-ID", f"<{self.name}@{self.sender.partition('@')[2]}>"),
        ]
        if self.answers:
            headers.append(("In-Reply-To", self.answers))
        if self.references:
            headers.append(("References", "\r\n ".join(self.references)))
        return [
            *headers,
            ("Auto-Submitted", "auto-replied" if self.replies else "auto-generated"),
            ("X-Auto-Response-Suppress", "All"),
            (HOUSE, __version__),
            ("MIME-Version", "1.0"),
            ("Content-Type", f'multipart/alternative; boundary="{self._boundary}"'),
        ]

    def _parts(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The text, and the same for readers that show HTML."""
        shown = f'<html><body><pre style="{_FONT}">\n{html.escape(self.text)}</pre></body></html>\n'
        return ("plain", self.text), ("html", shown)


def _quoted(text: str) -> str:
    """Text as quoted-printable."""
    quoted = binascii.b2a_qp(text.encode(), istext=True, header=False)
    return quoted.decode("ascii").replace("\n", "\r\n")


def _encoded(subject: str) -> str:
    """A subject as a header holds it."""
    if subject.isascii() and "=?" not in subject:
        return subject
    from email.header import Header

    return Header(subject, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _reads_as(
    data: bytes, subject: str, headers: list[tuple[str, str]], parts: tuple[tuple[str, str], ...]
) -> bool:
    """Does a reader find these headers and texts in it, and no others?"""
    from email import message_from_bytes
    from email.policy import compat32

    ends = data.count(b"\r\n")
    if not ends == data.count(b"\r") == data.count(b"\n"):
        return False
    if max(map(len, data.split(b"\r\n"))) > _LONGEST_LINE:
        return False
    message = message_from_bytes(data, policy=compat32)
    found = [(name, _FOLD.sub("", str(value))) for name, value in message.items()]
    payloads = message.get_payload()
    return (
        found == [(name, _FOLD.sub("", value)) for name, value in headers]
        and decoded(str(message["Subject"])) == subject
        and isinstance(payloads, list)
        and len(payloads) == len(parts)
        and all(
            part.get_content_type() == f"text/{kind}"
            and bytes(part.get_payload(decode=True)).replace(b"\r\n", b"\n") == text.encode()
            for part, (kind, text) in zip(payloads, parts, strict=True)
        )
    )


def subject_line(text: str) -> str:
    """Text for a subject: names are anybody's, so whatever is not printable goes."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())[:_LONGEST_SUBJECT].rstrip()


def fitted(text: str) -> str:
    """The text at most 72 columns wide and without blanks at line ends, which a format=flowed
    reader would take for a soft break. A line of a board is never that long."""
    lines: list[str] = []
    for line in text.splitlines():
        line = _UNSENDABLE.sub("\N{REPLACEMENT CHARACTER}", line).rstrip()
        if len(line) <= WIDTH:
            lines.append(line)
            continue
        indent = re.match(r"[> ]*", line)
        first = indent[0] if indent else ""
        lines += textwrap.wrap(
            line[len(first) :],
            WIDTH,
            initial_indent=first[:_DEEPEST],
            subsequent_indent=first[:_DEEPEST],
            break_on_hyphens=False,
        )
    return "\n".join(lines).strip("\n") + "\n"


@lru_cache(maxsize=16)
def date_header(now: str) -> str:
    """The clock's time as it stands in the header Date."""
    from datetime import datetime
    from email.utils import format_datetime

    return format_datetime(datetime.fromisoformat(now))
