"""Private keys that somebody wrote where others can read them."""

from __future__ import annotations

import re
from typing import Final

from pbem.core import Seat
from pbem.log.match import Match
from pbem.sentence import Sentence, say

_BROKEN: Final = re.compile(r"[\s>|]+")
"""What programs put between the digits of a key when they wrap or quote a text."""


def shown(now: Match, text: str) -> tuple[Seat, ...]:
    """The seats whose key of today stands in a text; `now` is the match as its moderator knows it.
    A key that has been replaced is no news."""
    plain = _BROKEN.sub("", text).casefold()
    keys = ((seat, now.keyring.opens(seat, epoch)) for seat, epoch in now.log.epochs.items())
    return tuple(seat for seat, key in keys if key and key.hex() in plain)


def for_sender(seats: tuple[Seat, ...]) -> Sentence:
    """What the writer of such a text is told."""
    return say(
        "Your text shows the private key of {seats:seats} to others, who can read with it what "
        "only that seat may know. Delete it where you can. The moderator has been told, and can "
        "send you a new key; the old one opens nothing that comes after it.",
        seats=seats,
    )


def for_moderator(seats: tuple[Seat, ...], match: str) -> Sentence:
    """What the moderator is told."""
    return say(
        "for you: the private key of {seats:all} stands where others can read it; `pbem seat "
        "{match} --seat {seat} --new-key` gives the seat another, and the old one opens only what "
        "it could open before",
        seats=seats,
        match=match,
        seat=seats[0],
    )
