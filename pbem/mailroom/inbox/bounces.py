"""What a bounce says: to whom a mail of ours could not be delivered, and about which match it was.

Anybody can forge one, so it only tells the moderator where to look, and at most has them asked
before a move is played for the silent seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from pbem.desk import address
from pbem.desk.address import Address
from pbem.intake.words import expression
from pbem.mailroom.inbox.headers import texts

_MOST: Final = 256 * 1024
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


def nobody(_: Address) -> bool:
    """For those who know no address."""
    return False


def read(mail: bytes, own: str = "", known: Callable[[Address], object] = nobody) -> Bounce | None:
    """What a bounce says, but for the desk's `own` address; None for a delay and the like. Servers
    that name no address in a field of its own do so in their text: there one counts if it is
    `known`."""
    mail = mail[:_MOST].replace(b"\r\n", b"\n")
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
