"""What a mail says outside its text: who wrote it, in which thread, and whether a person did.

Nothing is decoded here but a subject. An id or an address is what stands there letter for letter,
or it is not used at all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple

from pbem.desk import address
from pbem.desk.address import Address
from pbem.intake import Submission
from pbem.intake.mail import machine, moment
from pbem.intake.rawmail import RawMail
from pbem.intake.text import decode, decoded
from pbem.intake.words import expression

OWN_HEADER: Final = "X-Pbem"
"""The header of our own mails: whatever comes back with it is not an order."""

_LONGEST: Final = 998  # how much of a header is looked at
_LONGEST_REFERENCES: Final = 16 * 1024
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ID: Final = re.compile(
    rf"<(?=[^>]{{3,250}}>)({_ATOM}(?:\.{_ATOM})*@(?:{_ATOM}(?:\.{_ATOM})*|\[[!-Z^-~]*\]))>"
)
_NOBODY: Final = re.compile(r"(?:no-?reply|do-?not-?reply|autoresponder|bounces?)@", re.I)
_DAEMON: Final = re.compile(r"(?<![^\W_])(?:mailer-?daemon|mdaemon|post_?master)(?![^\W_])", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The headers that matter for an answer.

    sender      the address in From, if there is exactly one and it can be answered
    reply_to    the address in Reply-To, which says where a list may have taken a mail from
    message_id  the mail's own, references the thread it stands in: well-formed ids only
    sent        when it was sent, in seconds, as its Date says; None where it does not
    machine     why it is not answered: auto, away, bounce, bulk, list or own; "" for a person
    fails       whether it says that another mail could not be delivered, unless a player wrote it
    shared      whether its To and Cc show more than one address
    """

    sender: Address | None = None
    reply_to: Address | None = None
    message_id: str | None = None
    references: tuple[str, ...] = ()
    subject: str = ""
    sent: float | None = None
    machine: str = ""
    fails: bool = False
    shared: bool = False


_ADDRESSEE: Final = re.compile(r"[^\s<>,;:()\"]+@[^\s<>,;:()\"]+")


def read(mail: RawMail, own: str = "") -> Envelope:
    """The envelope of a mail; `own` is the desk's own address. Nothing is an error here."""
    written, date = mail.sender, moment(mail, "Date")
    sender = address.found(written) if written else None
    thread = (value[-_LONGEST_REFERENCES:] for value in mail.values("References"))
    return Envelope(
        sender=sender,
        reply_to=next(filter(None, map(address.found, _addressees(mail, "Reply-To"))), None),
        message_id=next(iter(ids(_first(mail, "Message-ID"))), None),
        references=ids(" ".join((_first(mail, "In-Reply-To"), *thread))),
        subject=_first(mail, "Subject"),
        sent=datetime.fromisoformat(date).timestamp() if date else None,
        machine=_machine(mail, sender, bool(mail.values(OWN_HEADER)) or sender == own.lower()),
        fails=_fails(mail),
        shared=len(_addressees(mail, "To") | _addressees(mail, "Cc")) > 1,
    )


def _addressees(mail: RawMail, name: str) -> dict[str, None]:
    """Whatever looks like an address in the headers of this name, each once."""
    lines = map(_line, mail.values(name))
    return {found.casefold(): None for line in lines for found in _ADDRESSEE.findall(line)}


def _first(mail: RawMail, name: str) -> str:
    """What the topmost header of this name says; "" if there is none."""
    return next(map(_line, mail.values(name)), "")


def ids(text: str) -> tuple[str, ...]:
    """The message ids in a text, each once. What is not an id to the letter, or could be decoded
    into something else, does not count."""
    found = (each[0] for each in _ID.finditer(text))
    return tuple(dict.fromkeys(each for each in found if "=?" not in each))


def _line(value: str) -> str:
    return " ".join(value[:_LONGEST].split())


def _machine(mail: RawMail, sender: Address | None, ours: bool) -> str:
    """Which kind of machine seems to have sent a mail; "" for none."""
    kind, _ = machine(mail)
    if ours and kind != "bounce":
        return "own"
    return kind or ("bulk" if _NOBODY.match(sender or "") else "")


def topic(subject: str) -> str:
    """A decoded subject without what answering has put before it: `Re: AW: k-mid` is `k-mid`."""
    return re.sub(r"^(?:\w{1,4}\s?:\s*)+", "", subject.strip())


def _fails(mail: RawMail) -> bool:
    """Is a mail from a mailer daemon, or from nobody, or does it say that another failed?"""
    written = _first(mail, "From")
    place = written.rpartition("<")[2].strip("> ")
    name = place.partition("@")[0] if "@" in place else written
    daemon = written != "" and (not place or _DAEMON.search(name) is not None)
    says = expression(r"(?<!\w)<fails>(?!\w)").search(decoded(_first(mail, "Subject")))
    return daemon or says is not None or bool(mail.values("X-Failed-Recipients"))


def texts(mail: bytes) -> list[str]:
    """The headers of a mail and what it says, and the same of each of its parts and of a mail that
    it brings, all decoded as far as that can be done."""
    from email import message_from_bytes
    from email.policy import compat32

    found = []
    for part in message_from_bytes(mail, policy=compat32).walk():
        content = None if part.is_multipart() else part.get_payload(decode=True)
        found += [
            "\n".join(f"{name}: {decoded(str(value))}" for name, value in part.items()),
            decode(content) if isinstance(content, bytes) else "",
        ]
    return found


def id_of(data: bytes) -> str:
    """An id of all these bytes."""
    return hashlib.sha256(data).hexdigest()[:32]


def mail_id(mail: bytes, envelope: Envelope, said: Submission | None, *, settled: bool) -> str:
    """What makes a mail the same as one read before: its sender, its Message-ID, its subject, its
    text, and whether it is settled who wrote it. A mail that anybody may have written is never the
    same as one whose writer is known.

    The trace headers differ from copy to copy and do not count. Where the text cannot be read, or
    there is no sender or no Message-ID, all of the mail counts.
    """
    known = envelope.message_id or (said.message_id if said else None)
    if said is None or known is None or envelope.sender is None:
        return id_of(mail) if settled else id_of(b"unsettled" + mail)
    parts = (envelope.sender, known, envelope.subject, said.body)
    whole = "\0".join(parts if settled else (*parts, "unsettled"))
    return id_of(whole.encode(errors="surrogatepass"))


# ------------------------------------------------------------------- what could not be delivered


_MOST_BYTES: Final = 256 * 1024
"""How many bytes of a bounce are looked at; the mail of ours that it returns may go on longer."""
_MOST_ADDRESSES: Final = 20
"""How many addresses in its text are looked up."""
_RECIPIENT: Final = re.compile(
    r"^(?:X-Failed-Recipients:|(?:Final|Original)-Recipient:\s*rfc822\s*;)\s*<?([^\s<>,;]+)",
    re.I | re.M,
)
_NO_FAILURE: Final = re.compile(
    r"^(?:Action:\s*(?:delayed|relayed|delivered|expanded)\b|Feedback-Type:"
    r"|Disposition:(?!\s*automatic-action/[^;\n]*;\s*deleted))",  # how some refuse a mail
    re.I | re.M,
)
"""What delays, receipts and complaints about spam say."""
_FAILED: Final = re.compile(r"^Action:\s*failed\b", re.I | re.M)
_FOLDED: Final = re.compile(r"\n[ \t]+")
_APART: Final = re.compile(r"[\s<>,;:()\"&=]+")
"""What stands between addresses and other words."""
_OURS: Final = (
    r"<([A-Za-z0-9._-]{{1,200}}?)\.\d{{4,}}(?:-\d{{4,}})?\.[0-9a-f]{{4,}}[A-Za-z0-9.-]*@{domain}>"
)
"""The id of a mail about a match: its name, counts of entries and digits of its log come first."""
_SUBJECT: Final = re.compile(
    r"(?:^|\s)Subject: [^\n[]{0,60}\[([\w.+/-]{1,40}) #\d+ [0-9a-f]{4,}\]", re.I | re.M
)


class Bounce(NamedTuple):
    """An address that cannot be reached, and the match the mail to it was about; "" and None where
    that does not show."""

    address: Address
    match: str | None


def bounce(
    mail: bytes, own: str = "", known: Callable[[Address], object] = lambda _: False
) -> Bounce | None:
    """What a bounce says, but for the desk's `own` address; None for a delay and the like. Servers
    that name no address in a field of its own do so in their text: there one counts if it is
    `known`."""
    mail = mail[:_MOST_BYTES].replace(b"\r\n", b"\n")
    parts = texts(mail)
    text = _FOLDED.sub(" ", "\n".join((mail.decode("utf-8", "replace"), *parts)))
    if not _FAILED.search(text) and (
        _NO_FAILURE.search(text) or any(map(expression("<delayed>").search, parts))
    ):
        return None
    named = (each for each in _addresses(_RECIPIENT.findall(text)) if each != own)
    told = (each for part in parts[1:] for each in _addresses(_APART.split(part)))
    some = islice((each for each in dict.fromkeys(told) if each != own), _MOST_ADDRESSES)
    failed = next(named, None) or next(filter(known, some), Address(""))
    domain = re.escape(own.partition("@")[2])
    ours = re.search(_OURS.format(domain=domain), text) or _SUBJECT.search(text)
    return Bounce(failed, ours[1] if ours else None)


def _addresses(found: Iterable[str]) -> Iterator[Address]:
    return filter(None, (address.found(each.strip("'.[]*")) for each in found if "@" in each))
