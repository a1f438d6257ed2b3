"""A raw mail taken apart: who, when, and the text a person wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple, cast

from pbem.intake import html, structure
from pbem.intake.absence import is_away
from pbem.intake.fence import rejoined
from pbem.intake.rawmail import RawMail
from pbem.intake.text import MOST, clean, decode, decoded, unflow
from pbem.problem import BadFile

_BROKEN: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    MessageError,
)  # what the standard library trips over
_LONGEST_TIME: Final = 100


class ParsedMail(NamedTuple):
    """A mail. `text` is its body as lines; `html` its HTML version, if there is one besides the
    plain text; `written` the times by which it had been written, according to its Date and to
    the server that took it in; `unread` what is wrong with it if it says nothing but in a part that
    nobody reads; `joined` whether a line was taken to go on with the one above."""

    sender: str | None
    sender_name: str | None
    subject: str
    message_id: str | None
    sent: str | None
    written: tuple[str, ...]
    automatic: str | None
    text: str
    html: str | None
    attachments: tuple[str, ...]
    unread: BadFile | None
    joined: bool


def parse(raw: RawMail, path: str, *, broken: bool = False) -> ParsedMail:
    """What a mail says; with its lines as they are `broken` where nothing says that they go on.

    Raises Problem for one that has several senders, or that the standard library cannot read.
    """
    try:
        message = structure.parts(raw, path)
        texts = _Texts(path, _bodies(message), broken)
        plain = texts.of(message, "text/plain")
        rich = texts.of(message, "text/html")
        attachments = tuple(_attachments(message, texts.bodies))
        unread = _unread(message, attachments, path)
    except _BROKEN as error:
        raise BadFile(
            "the mail's parts cannot be told apart ({error}): save its text as a plain text file",
            path,
            error=error,
        ) from error
    name, address = _sender(message, raw, path)
    subject = clean(decoded(raw.first("Subject") or ""))
    return ParsedMail(
        sender=address,
        sender_name=name,
        subject=subject,
        message_id=_said(raw, "Message-ID"),
        sent=_said(raw, "Date"),
        written=tuple(filter(None, (moment(raw, "Date"), moment(raw, "Received")))),
        automatic=_automatic(raw, subject),
        text=plain,
        html=rich if rich != plain else None,
        attachments=attachments,
        unread=unread,
        joined=texts.joined,
    )


def _said(raw: RawMail, name: str) -> str | None:
    """A header as it was written, on one line; None if it is missing or empty."""
    return " ".join(clean(raw.first(name) or "").split()) or None


def moment(raw: RawMail, name: str) -> str | None:
    """The time at the end of the topmost header of this name, as logs write it."""
    header = _said(raw, name) or ""
    try:
        told = parsedate_to_datetime(header[-_LONGEST_TIME:].rpartition(";")[2])
        there = told if told.tzinfo else told.replace(tzinfo=UTC)
        utc = there.astimezone(UTC).replace(tzinfo=None)
        return f"{utc.isoformat(timespec='seconds')}Z"
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _sender(message: EmailMessage, raw: RawMail, path: str) -> tuple[str | None, str | None]:
    """Display name and bare address of the one sender; no address if it could be read in two
    ways."""
    try:
        header = message["From"]
        found = {(a.display_name, a.addr_spec.lower()) for a in header.addresses} if header else ()
    except _BROKEN as error:
        value = (_said(raw, "From") or "")[:80]
        raise BadFile(
            "the header {name} cannot be read: {value!r}. Correct it in the file",
            path,
            name="From",
            value=value,
        ) from error
    if len(found) > 1 or len(raw.values("From")) > 1:
        raise BadFile(
            "the mail names several senders in From, so it cannot be told whose order it holds",
            path,
        )
    for name, address in found:
        plain = "@" in address and address == (raw.sender or "").lower()
        return clean(name).strip() or None, address if plain else None
    return None, None


def machine(raw: RawMail) -> tuple[str, str]:
    """Which kind of machine seems to have sent a mail (away, auto, bounce, bulk or list), and the
    header that says so; "" for a person."""
    for kind, names, pattern in _SIGNS:
        for name in names.split():
            if (value := _said(raw, name)) and re.match(pattern, value, re.IGNORECASE):
                return kind, f"{name}: {value}"
    return "", ""


_PRECEDENCE: Final = "Precedence X-Precedence Preference"
_SIGNS: Final = (
    ("bounce", "Content-Type", r".*(?:multipart/report|delivery-status)"),
    ("away", "X-Autoreply X-Autorespond X-Autoresponse", ""),
    ("away", "Auto-Submitted", "auto-replied"),
    ("away", _PRECEDENCE, "auto[-_]reply$"),
    ("auto", "Auto-Submitted", "(?!no)"),
    ("auto", "Return-Path", "<>$"),
    ("auto", "X-Autorespond-To X-Autoreply-From X-Auto-Reply-From X-Mail-Autoreply", ""),
    ("auto", "X-Autogenerated X-FC-MachineGenerated X-Failed-Recipients X-Vacation", ""),
    ("auto", "X-MS-Exchange-Inbox-Rules-Loop X-MS-Exchange-Generated-Message-Source", ""),
    ("auto", "X-Out-Of-Office", ""),
    ("list", "List-Id List-Unsubscribe List-Post", ""),
    ("list", _PRECEDENCE, "list$"),
    ("bulk", _PRECEDENCE, "(?:bulk|junk)$"),
)
"""What says that a machine has sent a mail: its kind, the headers, and how their values begin."""


def _automatic(raw: RawMail, subject: str) -> str | None:
    """What says that no person has sent this; a list only passes on what somebody wrote."""
    kind, header = machine(raw)
    if kind not in ("", "list"):
        return header
    subject = " ".join(subject.split())
    return f"Subject: {subject[:80]}" if is_away(subject) else None


class _Texts:
    """The texts of a mail. Each is read only once, and only if all of them so far are not too long
    together."""

    def __init__(self, path: str, bodies: Collection[int], broken: bool) -> None:
        self.path, self.bodies, self.size = path, bodies, 0
        self.broken, self.joined = broken, False
        self._read: dict[int, str] = {}

    def of(self, message: EmailMessage, first: str) -> str:
        """The text of a mail; `first` is the type preferred if it comes in several."""
        return "\n".join(self._shown(message, first))

    def _shown(self, part: EmailMessage, first: str) -> list[str]:
        """The texts of a part that a reader would be shown, in order."""
        if _name(part, self.bodies):
            return []
        kind = part.get_content_type()
        if kind == "multipart/encrypted":
            return []
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            parts = cast(list[EmailMessage], part.get_payload())
            shown = [self._shown(each, first) for each in parts]
            if kind == "multipart/alternative":
                return _best(parts, shown, first)
            return [text for texts in shown for text in texts]
        if part.get_content_maintype() == "multipart":
            raise BadFile("the mail says {kind}, but its parts are missing", self.path, kind=kind)
        return [self._written(part)] if kind in ("text/plain", "text/html") else []

    def _written(self, part: EmailMessage) -> str:
        if id(part) not in self._read:
            payload = cast(bytes, part.get_payload(decode=True))
            self.size += len(payload)
            if self.size > MOST:
                raise BadFile(
                    "its text is {size:,} bytes long or longer; at most {most:,} are read. Send "
                    "the order in a message of its own",
                    self.path,
                    size=self.size,
                    most=MOST,
                )
            self._read[id(part)] = self._cleaned(part, payload)
        return self._read[id(part)]

    def _cleaned(self, part: EmailMessage, payload: bytes) -> str:
        text = decode(payload, part.get_content_charset() or "")
        if part.get_content_type() == "text/html":
            return clean(html.to_text(text, self.path))
        if str(part.get_param("format", "")).lower() == "flowed":
            delete_space = str(part.get_param("delsp", "")).lower() == "yes"
            return clean(unflow(text, delete_space=delete_space))
        text = clean(text)
        whole = text if self.broken else rejoined(text)
        self.joined |= whole != text
        return whole


def _best(parts: list[EmailMessage], shown: list[list[str]], first: str) -> list[str]:
    """Of several versions of a text, the one of the preferred type that is not empty."""
    filled = [
        (part.get_content_type() == first, texts)
        for part, texts in zip(parts, shown, strict=True)
        if any(text.strip() for text in texts)
    ]
    return max(filled, key=lambda each: each[0])[1] if filled else []


def _bodies(message: EmailMessage) -> frozenset[int]:
    """What a mail says, by the ids of the parts: it is that though it may have a name, as a file
    has. The first part of several is, and each version of it."""
    found, open_ = set[int](), [message]
    while open_:
        part = open_.pop()
        found.add(id(part))
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            parts = cast(list[EmailMessage], part.get_payload())
            open_ += parts if part.get_content_type() == "multipart/alternative" else parts[:1]
    return frozenset(found)


def _name(part: EmailMessage, bodies: Collection[int]) -> str:
    """What an attachment is called, by name or type; "" for a part that is none."""
    name, kind = part.get_filename(), part.get_content_type()
    if part.is_attachment() or kind == "message/rfc822":
        return name or kind
    shown = id(part) in bodies and part.get_content_maintype() == "text"
    return "" if shown else name or ""


def _attachments(message: EmailMessage, bodies: Collection[int]) -> Iterator[str]:
    """The attachments, except what programs attach to any mail."""
    for part in message.walk():
        name = _name(part, bodies)
        if name and not part.get_content_type().endswith(_OF_PROGRAMS):
            yield clean(name)


_OF_PROGRAMS: Final = ("-signature", "/pgp-keys", "vcard")


def _unread(message: EmailMessage, attachments: Collection[str], path: str) -> BadFile | None:
    """What is wrong with a mail if it says nothing but in a part that nobody reads; None if it has
    no such part. If a mail program has packed the whole mail, it says what to switch off."""
    for part in message.walk():
        kind, name = part.get_content_type(), (part.get_filename() or "").lower()
        if kind.endswith("pkcs7-mime") and part.get_param("smime-type") == "signed-data":
            return BadFile(
                "your mail program has packed the mail into its signature (S/MIME), so nothing in "
                "it can be read: switch the signature off, or sign in clear text",
                path,
            )
        if kind == "multipart/encrypted" or kind.endswith("pkcs7-mime") or name == "smime.p7m":
            return BadFile("the mail is encrypted and cannot be read: send it unencrypted", path)
        if kind.endswith("ms-tnef") or name == "winmail.dat":
            return BadFile(
                "your mail program has packed the mail into a file (winmail.dat), so nothing in it "
                "can be read: switch from Rich Text to plain text or HTML",
                path,
            )
    if not attachments:
        return None
    return BadFile(
        "I can't read the attachment ({names}). Please write your moves in the mail itself",
        path,
        names=", ".join(attachments)[:200],
    )
