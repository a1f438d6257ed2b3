"""What a seat sends before the first card is drawn: the hash of its words, and then the words."""

from __future__ import annotations

import re

from pbem import intake
from pbem.core import Seat, Usage
from pbem.log import rulings
from pbem.log.entropy.gathering import is_words
from pbem.log.entropy.rulings import Promise, Words
from pbem.log.match import Match
from pbem.log.ruling import Ruling


def sent(seat: Seat, text: str) -> Ruling:
    """The promise or the words that a text is. Raises Usage."""
    text = " ".join(text.split())
    if found := re.fullmatch(r"sha256:\s*([0-9a-fA-F]{64})", text):
        return Promise(seat, f"sha256:{found[1].lower()}")
    if is_words(text):
        return Words(seat, text)
    raise Usage(
        "neither the hash of words, like sha256:9f86…, nor words: 16 to 200 letters, digits and "
        "signs of ASCII"
    )


def read(now: Match, seat: Seat, message: intake.Submission) -> Ruling:
    """What a message of a seat sends, if it can be entered now. Raises Problem.

    The line may have been wrapped on its way.
    """
    line = " ".join(line.text for line in message.orders)
    found = re.fullmatch(r"words\b\s*:?\s*(\S.*)", line, re.IGNORECASE | re.DOTALL)
    if found is None:
        raise Usage(
            "the first card has not been drawn; send the line `words sha256:…` or, once all "
            "hashes are in, `words: …`"
        )
    ruling = sent(seat, found[1])
    now.log.extend(rulings.entry(ruling, now.log.moment(""), by=seat))
    return ruling
