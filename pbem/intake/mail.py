"""A raw mail taken apart: who, when, and the text a person wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.message import EmailMessage
from typing import Any, Final, cast

from pbem.core import BadFile, Problem
from pbem.intake import html, structure
from pbem.intake.submission import MOST
from pbem.intake.text import clean, decode, unflow

_BROKEN: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    MessageError,
)  # what the standard library trips over
_MACHINE: Final = ("X-Autoreply", "X-Autorespond", "X-Failed-Recipients")
_FIRST_HEADERS: Final = re.compile(
    rb"\s*(?:From [^\n]*\n)?(?:[!-9;-~]{1,76}:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}\r?\n"
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail. `text` is its body as lines; `html` the HTML version of it, where there is one
    beside the plain text; `results` the topmost Authentication-Results; `signed` whether it
    bears a DKIM signature, good or bad."""

    sender: str | None
    sender_name: str | None
    subject: str
    message_id: str | None
    sent: str | None
    automatic: str | None
    text: str
    html: str | None
    attachments: tuple[str, ...]
    results: str | None
    signed: bool


def looks_like_mail(source: bytes) -> bool:
    """Does a block of mail headers stand first, with an address in From?"""
    head = source[:65536].replace(b"\r\n", b"\n")
    block = _FIRST_HEADERS.match(head)
    if not block:
        return False
    names = {line.split(b":")[0].lower() for line in block[0].splitlines() if b":" in line}
    return bool(re.search(rb"(?im)^From:[^\n]*@", block[0])) and bool(
        names & {b"date", b"subject", b"message-id", b"mime-version", b"to"}
    )


def open_letter(source: bytes, path: str) -> Letter:
    """Take a mail apart.

    Raises Problem for one that is too large, that has several senders, or that the standard
    library cannot read.
    """
    if len(source) > structure.LARGEST:
        raise BadFile(
            "the mail is {source:,} bytes long; at most {largest:,} are read. Save it "
            "without its attachments",
            path,
            source=len(source),
            largest=structure.LARGEST,
        )
    source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip()
    try:
        message = structure.parts(source, path)
        plain = _text(message, path, "text/plain")
        rich = _text(message, path, "text/html")
        attachments = tuple(_attachments(message))
    except _BROKEN as error:
        raise BadFile(
            "the mail's parts cannot be told apart ({error}): save its text as a plain text file",
            path,
            error=error,
        ) from error
    name, address = _sender(message, path)
    return Letter(
        sender=address,
        sender_name=name,
        subject=_parsed(message, "Subject", path) or "",
        message_id=_raw(message, "Message-ID"),
        sent=_raw(message, "Date"),
        automatic=_automatic(message),
        text=plain,
        html=rich if rich != plain else None,
        attachments=attachments,
        results=_raw(message, "Authentication-Results"),
        signed="DKIM-Signature" in message,
    )


def _raw(message: EmailMessage, name: str) -> str | None:
    """A header as it was written, on one line; None where it is missing or empty."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return " ".join(clean(str(value)).split()) or None
    return None


def _parsed(message: EmailMessage, name: str, path: str) -> Any:
    """A header with its encoded words decoded; None where it is missing."""
    try:
        return message[name]
    except _BROKEN as error:
        raise _unreadable(message, name, path) from error


def _unreadable(message: EmailMessage, name: str, path: str) -> Problem:
    value = (_raw(message, name) or "")[:80]
    return BadFile(
        "the header {name} cannot be read: {value!r}. Correct it in the file",
        path,
        name=name,
        value=value,
    )


def _sender(message: EmailMessage, path: str) -> tuple[str | None, str | None]:
    """Display name and bare address of the one sender."""
    header = _parsed(message, "From", path)
    if header is None:
        return None, None
    try:
        found = {(a.display_name, a.addr_spec.lower()) for a in header.addresses}
    except _BROKEN as error:
        raise _unreadable(message, "From", path) from error
    if len(found) > 1 or sum(key.lower() == "from" for key in message) > 1:
        raise BadFile(
            "the mail names several senders in From, so it cannot be told whose order it holds",
            path,
        )
    for name, address in found:
        return clean(name).strip() or None, clean(address) if "@" in address else None
    return None, None


def _automatic(message: EmailMessage) -> str | None:
    """The header that says that no person wrote this; None where none does."""
    submitted = _raw(message, "Auto-Submitted")
    if submitted and not submitted.lower().startswith("no"):
        return f"Auto-Submitted: {submitted}"
    if _raw(message, "Return-Path") == "<>":
        return "Return-Path: <>"
    precedence = (_raw(message, "Precedence") or "").lower()
    if precedence in ("auto_reply", "junk") or (
        precedence == "bulk" and not _raw(message, "List-Id")
    ):
        return f"Precedence: {precedence}"
    for name in _MACHINE:
        if value := _raw(message, name):
            return f"{name}: {value}"
    return None


def _text(message: EmailMessage, path: str, first: str) -> str:
    """The text of a mail; `first` is the type preferred where it is there in several."""
    text = "\n".join(_texts(message, path, first))
    if len(text) > MOST:
        raise _too_long(len(text), path)
    return text


def _texts(part: EmailMessage, path: str, first: str) -> list[str]:
    """The texts of a part that a reader would be shown, in order."""
    if part.is_attachment() or part.get_filename():
        return []
    kind = part.get_content_type()
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        parts = cast(list[EmailMessage], part.get_payload())
        shown = [_texts(each, path, first) for each in parts]
        if kind == "multipart/alternative":
            return _best(parts, shown, first)
        return [text for texts in shown for text in texts]
    if part.get_content_maintype() == "multipart":
        raise BadFile("the mail says {kind}, but its parts are missing", path, kind=kind)
    return [_written(part, path)] if kind in ("text/plain", "text/html") else []


def _best(parts: list[EmailMessage], shown: list[list[str]], first: str) -> list[str]:
    """Of several versions of a text, the one of the preferred type that is not empty."""
    filled = [
        (part.get_content_type() == first, texts)
        for part, texts in zip(parts, shown, strict=True)
        if any(text.strip() for text in texts)
    ]
    return max(filled, key=lambda each: each[0])[1] if filled else []


def _written(part: EmailMessage, path: str) -> str:
    """The clean text of one text part."""
    payload = cast(bytes, part.get_payload(decode=True))
    if len(payload) > MOST:
        raise _too_long(len(payload), path)
    text = decode(payload, part.get_content_charset())
    if part.get_content_type() == "text/html":
        return clean(html.to_text(text))
    if str(part.get_param("format", "")).lower() == "flowed":
        text = unflow(text, delete_space=str(part.get_param("delsp", "")).lower() == "yes")
    return clean(text)


def _too_long(size: int, path: str) -> Problem:
    return BadFile(
        "the text is {size:,} bytes long; at most {most:,} are read. Send the order in "
        "a message of its own",
        path,
        size=size,
        most=MOST,
    )


def _attachments(message: EmailMessage) -> Iterator[str]:
    for part in message.walk():
        name = part.get_filename()
        if name or part.is_attachment():
            yield clean(name or part.get_content_type())
