"""What a bounce says: to whom a mail of ours could not be delivered, and about which match it was.

Anybody can forge one, so it only tells the moderator where to look, and at most has them asked
before a move is played for the silent seat.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pbem.desk import address
from pbem.desk.address import Address

_MOST: Final = 256 * 1024
"""How many bytes of a bounce are looked at; the mail of ours that it returns may go on longer."""
_RECIPIENT: Final = re.compile(
    r"^(?:X-Failed-Recipients:|(?:Final|Original)-Recipient:\s*rfc822\s*;)\s*<?([^\s<>,;]+)",
    re.I | re.M,
)
_DELAYED: Final = re.compile(r"^Action:\s*(?:delayed|relayed|delivered|expanded)\b", re.I | re.M)
_FAILED: Final = re.compile(r"^Action:\s*failed\b", re.I | re.M)
_FOLDED: Final = re.compile(r"\n[ \t]+")
_OURS: Final = (
    r"<([A-Za-z0-9._-]{{1,200}}?)\.\d{{4,}}(?:-\d{{4,}})?\.[0-9a-f]{{4,}}[A-Za-z0-9.-]*@{domain}>"
)
"""The id of a mail about a match: its name, counts of entries and digits of its log come first."""
_SUBJECT: Final = re.compile(r"^Subject: \[([\w.+/-]{1,40}) #\d+ [0-9a-f]{4,}\]", re.I | re.M)


class Bounce(NamedTuple):
    """An address that cannot be reached, and the match the mail to it was about, if that shows."""

    address: Address
    match: str | None


def read(mail: bytes, own: str = "") -> Bounce | None:
    """What a bounce says; None for a delay, or where it names no address but the desk's `own`."""
    text = mail[:_MOST].replace(b"\r\n", b"\n").decode("utf-8", "replace")
    text = _FOLDED.sub(" ", text)
    if _DELAYED.search(text) and not _FAILED.search(text):
        return None
    named = map(address.found, _RECIPIENT.findall(text))
    failed = next((each for each in named if each and each != own), None)
    if failed is None:
        return None
    domain = re.escape(own.partition("@")[2])
    ours = re.search(_OURS.format(domain=domain), text) or _SUBJECT.search(text)
    return Bounce(failed, ours[1] if ours else None)
