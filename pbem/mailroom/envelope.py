"""What a mail says outside its text: who wrote it, in which thread, and whether a person did."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from email import policy
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parsedate_to_datetime
from typing import Final

from pbem.intake import Submission

HOUSE: Final = "X-Pbem"
"""The header of our own mails: whatever comes back with it is not an order."""

_MOST_HEADERS: Final = 256 * 1024
_LONGEST: Final = 998  # of a header that is handed on
_ADDRESS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,253}")
_ID: Final = re.compile(r"<[!-;=?-~]{1,250}>")
_NOBODY: Final = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)@", re.I
)
_AWAY: Final = re.compile(
    r"(?:auto(?:matic|mated)?[ -]?(?:reply|response|antwort)|automatische antwort|out of (?:the )?"
    r"office|abwesen(?:d|heit)|absence du bureau|réponse automatique|afwezig|automatisch antwoord|"
    r"odpowiedź automatyczna|respuesta automática|fuera de (?:la )?oficina|automatikus válasz|"
    r"on vacation|im urlaub)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Envelope:
    """The headers that matter for an answer.

    sender      the bare address in From, lower case, if it is one that can be answered
    message_id  the mail's own, references the thread it stands in: well-formed ids only
    sent        when it was sent, in seconds, as its Date says; None where it does not
    machine     why it is not answered: auto, away, bounce, bulk, list or own; "" for a person
    """

    sender: str | None
    message_id: str | None
    references: tuple[str, ...]
    subject: str
    sent: float | None
    machine: str


def read(mail: bytes, own: str = "") -> Envelope:
    """The envelope of a raw mail; `own` is the desk's own address. Nothing is an error here."""
    head = mail[:_MOST_HEADERS].replace(b"\r\n", b"\n").lstrip().partition(b"\n\n")[0]
    parsed = BytesHeaderParser(policy=policy.compat32).parsebytes(head + b"\n\n")
    # As text in any case: compat32 gives Header objects for bytes that are not ASCII.
    found = {name.lower(): _plain(str(value)) for name, value in reversed(parsed.items())}
    written = [str(value) for name, value in parsed.items() if name.lower() == "from"]
    senders = {address.lower() for _, address in getaddresses([_plain(v) for v in written])}
    sender = senders.pop() if len(senders) == len(written) == 1 else ""
    ids = tuple(_ID.findall(f"{found.get('in-reply-to', '')} {found.get('references', '')}"))
    own_id = _ID.findall(found.get("message-id", ""))
    subject = found.get("subject", "")
    return Envelope(
        sender=sender if _ADDRESS.fullmatch(sender) else None,
        message_id=own_id[0] if len(own_id) == 1 else None,
        references=tuple(dict.fromkeys(ids)),
        subject=subject,
        sent=_seconds(found.get("date", "")),
        machine=_machine(found, sender, own.lower()),
    )


def is_address(text: str) -> bool:
    """Is this a mail address that can be written to?"""
    return _ADDRESS.fullmatch(text) is not None


def _plain(value: str) -> str:
    return " ".join(value[:_LONGEST].split())


def _machine(found: dict[str, str], sender: str, own: str) -> str:
    """Why this is not to be answered; "" if it is."""
    submitted = found.get("auto-submitted", "no").lower()
    precedence = found.get("precedence", "").lower()
    if HOUSE.lower() in found or (own and sender == own):
        return "own"
    if (
        found.get("return-path") == "<>"
        or "multipart/report" in found.get("content-type", "")
        or ("x-failed-recipients" in found or sender.startswith(("mailer-daemon@", "postmaster@")))
    ):
        # An out-of-office reply may have an empty return path, too: RFC 3834 asks for it.
        return "away" if submitted.startswith("auto-replied") else "bounce"
    automatic = not submitted.startswith("no")
    replied = {"x-autoreply", "x-autorespond", "x-autoresponse"} & found.keys()
    if automatic or replied or precedence == "auto_reply":
        away = submitted.startswith("auto-replied") or replied or precedence == "auto_reply"
        return "away" if away or _AWAY.search(decoded(found.get("subject", ""))) else "auto"
    if {"list-id", "list-unsubscribe", "list-post"} & found.keys() or precedence == "list":
        return "list"
    if precedence in ("bulk", "junk") or _NOBODY.match(sender):
        return "bulk"
    return ""


def decoded(header: str) -> str:
    """A header with its encoded words decoded, as far as that can be done."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(header)))
    except (HeaderParseError, LookupError, ValueError):
        return header


def _seconds(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def mark(mail: bytes, envelope: Envelope, said: Submission | None) -> str:
    """What makes a mail the same as one read before: its sender, its Message-ID and its text.

    The trace headers differ from copy to copy and do not count. Where the text cannot be read, or
    there is no Message-ID, all of the mail counts.
    """
    if said is None or envelope.message_id is None:
        return hashlib.sha256(mail).hexdigest()[:32]
    parts = (envelope.sender or "", envelope.message_id, envelope.subject, said.body)
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]
