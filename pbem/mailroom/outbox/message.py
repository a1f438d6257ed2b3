"""A mail that goes out, from values to bytes, which are read back before they are stored.

Nothing here takes a header apart: addresses have been checked, ids from outside fit their grammar
or were dropped, and what cannot be trusted to be plain text is encoded as a whole.
"""

from __future__ import annotations

import base64
import binascii
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, Final, NamedTuple

from pbem.desk.address import Address
from pbem.intake.text import decoded
from pbem.mailroom.inbox.headers import OWN_HEADER
from pbem.problem import Problem
from pbem.report.html import Alternative, whole
from pbem.version import __version__

WIDTH: Final = 72
_DEEPEST: Final = 24
"""A quoted line is indented this far at most, so that there is room for some of its text."""
_LONGEST_SUBJECT: Final = 200
_LONGEST_LINE: Final = 998
_UNSENDABLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_FOLD: Final = re.compile(r"\r?\n(?=[ \t])")
_FENCE: Final = re.compile(r"^(\[move\].*?^\[/move\])$", re.MULTILINE | re.DOTALL)
_ADDRESS: Final = re.compile(r"(?:https?|file)://[!-~]{1,900}")
"""An address on a line of its own."""
_COMMAND: Final = re.compile(r"pbem [a-z]+ .{1,200}")
_EITHER: Final = "multipart/alternative"
_WITH: Final = "multipart/related"
_BOUNDARIES: Final = {_EITHER: "=_either", _WITH: "=_with"}
"""The same in all mails: neither quoted-printable text nor base64 holds "=_"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail to one address.

    name        its file's, and the first half of its id: the same letter has the same one
    private     whether it is for its reader's eyes only
    match       the match it is about; "" for none
    notice      the mark of the log it tells, if it tells that somebody is late; else ""
    to, sender  where it goes, and the desk's own address
    date        as it stands in the header
    answers     the id of the mail it answers, if that is known and well-formed
    references  the ids of its thread, the oldest first
    replies     whether it answers a mail to the desk; if not, the desk writes unasked
    plain       whether it is text and nothing else
    html        the report for readers that show HTML; without it they show the text
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
    html: Alternative | None = None
    notice: str = ""
    plain: bool = False

    def encoded(self) -> bytes:
        """The mail as it is sent. Raises Problem if it would not be read as it was meant."""
        body = self._body()
        headers = [*self._headers(), *body.fields()]
        end = "" if self.plain else "\r\n"  # text ends its last line itself
        data = f"{_entity(headers, body.text())}{end}".encode("ascii")
        if not _reads_as(data, self.subject, headers, body):
            raise Problem("the answer {name} would not be read as it was meant", name=self.name)
        return data

    def _headers(self) -> list[tuple[str, str]]:
        """The header lines, in order, except those that describe the body."""
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
            (OWN_HEADER, __version__),
            ("MIME-Version", "1.0"),
        ]

    def _body(self) -> _Body:
        """The text, and the same for readers that show HTML."""
        text = _Body("text/plain", self.text.encode())
        if self.plain:
            return text
        prose = (f"<p>{each}</p>\n" for each in _paragraphs(self.text))
        page = self.html.page if self.html else whole("".join(prose))
        shown = _Body("text/html", _UNSENDABLE.sub("\N{REPLACEMENT CHARACTER}", page).encode())
        if self.html and self.html.picture:
            board = _Body("image/png", self.html.picture, cid=self.html.cid)
            shown = _Body(_WITH, parts=(shown, board))
        return _Body(_EITHER, parts=(text, shown))


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text in HTML. Lines wrap to the reader's width, except those of a fence,
    which are to be copied."""
    for nth, part in enumerate(_FENCE.split(text)):
        if nth % 2:
            yield "<br>\n".join(map(escape, part.splitlines()))
        else:
            for each in filter(None, (" ".join(each.split()) for each in part.split("\n\n"))):
                said = escape(each)
                yield f'<a href="{said}">{said}</a>' if _ADDRESS.fullmatch(each) else said


class _Body(NamedTuple):
    """A part of a mail: its kind and what it holds, or the parts it is made of."""

    kind: str
    content: bytes = b""
    cid: str = ""
    parts: tuple[_Body, ...] = ()

    def fields(self) -> list[tuple[str, str]]:
        """The headers that describe it."""
        if self.parts:
            return [("Content-Type", f'{self.kind}; boundary="{_BOUNDARIES[self.kind]}"')]
        if self.kind.startswith("text/"):
            return [
                ("Content-Type", f"{self.kind}; charset=utf-8"),
                ("Content-Transfer-Encoding", "quoted-printable"),
            ]
        return [
            ("Content-Type", self.kind),
            ("Content-ID", f"<{self.cid}>"),
            ("Content-Disposition", "inline"),
            ("Content-Transfer-Encoding", "base64"),
        ]

    def text(self) -> str:
        """What it holds, as it stands in the mail."""
        if self.parts:
            between = f"--{_BOUNDARIES[self.kind]}"
            inner = (f"{between}\r\n{_entity(p.fields(), p.text())}\r\n" for p in self.parts)
            return f"{''.join(inner)}{between}--"
        if self.kind.startswith("text/"):
            encoded = binascii.b2a_qp(self.content, istext=True, header=False)
        else:
            encoded = base64.encodebytes(self.content).strip()
        return encoded.decode("ascii").replace("\n", "\r\n")


def _entity(fields: Iterable[tuple[str, str]], text: str) -> str:
    """Headers and what stands below them."""
    return "".join(f"{name}: {value}\r\n" for name, value in fields) + f"\r\n{text}"


def _found(message: Any) -> _Body:
    kind = message.get_content_type()
    inner = message.get_payload()
    if isinstance(inner, list):
        return _Body(kind, parts=tuple(_found(part) for part in inner))
    content = bytes(message.get_payload(decode=True))
    if kind.startswith("text/"):
        content = content.replace(b"\r\n", b"\n")
    return _Body(kind, content, str(message.get("Content-ID", "")).strip("<>"))


def _encoded(subject: str) -> str:
    if subject.isascii() and "=?" not in subject:
        return subject
    from email.header import Header

    return Header(subject, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _reads_as(data: bytes, subject: str, headers: list[tuple[str, str]], body: _Body) -> bool:
    """Does a reader find these headers and parts in it, and no others?"""
    from email import message_from_bytes
    from email.policy import compat32

    ends = data.count(b"\r\n")
    if not ends == data.count(b"\r") == data.count(b"\n"):
        return False
    if max(map(len, data.split(b"\r\n"))) > _LONGEST_LINE:
        return False
    message = message_from_bytes(data, policy=compat32)
    found = [(name, _FOLD.sub("", str(value))) for name, value in message.items()]
    return (
        found == [(name, _FOLD.sub("", value)) for name, value in headers]
        and decoded(str(message["Subject"])) == subject
        and _found(message) == body
    )


def subject_line(text: str) -> str:
    """Text for a subject. It may hold anybody's name, so what is not printable is dropped."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())[:_LONGEST_SUBJECT].rstrip()


def fitted(text: str) -> str:
    """The text at most 72 columns wide and without blanks at line ends, which a format=flowed
    reader would take for a soft break. A line of a board is never that long; an address that is
    opened by a click, or a command to paste, must not be broken."""
    lines: list[str] = []
    for line in text.splitlines():
        line = _UNSENDABLE.sub("\N{REPLACEMENT CHARACTER}", line).rstrip()
        if len(line) <= WIDTH or _ADDRESS.fullmatch(line) or _COMMAND.fullmatch(line):
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


def date_header(now: str) -> str:
    """The clock's time as it stands in the header Date."""
    from datetime import datetime
    from email.utils import format_datetime

    return format_datetime(datetime.fromisoformat(now))
