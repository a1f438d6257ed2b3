"""What a message holds once it has been read: plain frozen values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

MOST: Final = 2 * 1024 * 1024
"""The longest text that is read, in bytes."""

Position = tuple[int | None, str | None]
"""What `#17 a3f9` names: a ply and a fingerprint."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the decoded body, or a part of one; lines are numbered from 1."""

    number: int
    text: str


def spoken(orders: Iterable[str]) -> tuple[str, ...]:
    """Orders as they compare: neither case nor spacing matters."""
    return tuple(" ".join(order.casefold().split()) for order in orders)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that was not read as an order.

    `why` is one of: quote, attribution, forwarded, signature, greeting, closing,
    outside the fence.
    """

    why: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Submission:
    """What somebody sent in.

    orders     one text for each move, none of it quoted
    fenced     whether the orders stood in a fence
    positions  every (ply, fingerprint) that the subject, the fence or the new text names
    match      from the subject, the new text or the move file
    seat       from the fence or the move file
    signature  the code on a line `sign: …`, as written
    sender     the bare address in From, lower case: a claim, not a proof
    author     the forum account that posted it; `author_told`: as whoever handed it in says, not
               the text itself
    message_id what it is known by: a mail's Message-ID, a post's number or address
    sent       the Date header as written
    body       the whole decoded text, quotes included
    ignored    what was left out, line by line
    automatic  the header by which a machine owns up to have sent this
    kind       mail, post, file or text
    results    the topmost Authentication-Results
    raw        the whole mail, where it bears a DKIM signature
    domains    whose DKIM signatures were found to be good
    """

    orders: tuple[Line, ...]
    fenced: bool
    positions: tuple[Position, ...]
    match: str | None
    seat: str | None
    sender: str | None = None
    sender_name: str | None = None
    message_id: str | None = None
    sent: str | None = None
    body: str = ""
    ignored: tuple[Ignored, ...] = ()
    automatic: str | None = None
    kind: str = "text"
    signature: str | None = None
    author: str | None = None
    author_told: bool = False
    results: str | None = None
    raw: bytes = field(default=b"", repr=False)
    domains: tuple[str, ...] = ()
