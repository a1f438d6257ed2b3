"""What players say to all: a note of its own in the log, which leaves the position alone."""

from __future__ import annotations

from pbem.core import Seat
from pbem.desk import leaks
from pbem.desk.append import Now
from pbem.intake import Submission
from pbem.intake.requests import SAY
from pbem.log import rulings
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.log.rulings import Note, Ruled
from pbem.sentence import Counted, Sentence, say

MOST = 2_000
"""How many characters a player may say in one message."""


def said(message: Submission) -> str:
    """What a message says to all; "" for nothing."""
    return "\n\n".join(each.text for each in message.requests if each.verb == SAY)


def unfit(now: Match, message: Submission) -> Sentence | None:
    """Why what it says cannot be passed on; None if it can."""
    if leaks.shown(now, said(message)):
        return say(
            "What you say to the others holds a private key, with which they could read what only "
            "its seat may know. So it was not passed on; say it without the key"
        )
    length = len(said(message))
    if length <= MOST:
        return None
    return say(
        Counted(
            "What you say to the others has {n:,} character, and at most {most:,} go into one "
            "message. Say it in several",
            "What you say to the others has {n:,} characters, and at most {most:,} go into one "
            "message. Say it in several",
        ),
        n=length,
        most=MOST,
    )


def stands(now: Match, seat: Seat, text: str) -> bool:
    """Has this seat said just this since it last moved?"""
    for entry in reversed(now.log.entries):
        if isinstance(entry, Ply) and entry.seat == seat:
            return False
        if isinstance(entry, Ruled) and (entry.by, entry.ruling) == (seat, Note(text)):
            return True
    return False


def entered(now: Match, seat: Seat, message: Submission, clock: Now, reason: str = "") -> Match:
    """The match with what this message says in its log, and why it may; the same match if it says
    nothing, or what stands there already."""
    text = said(message)
    if not text or stands(now, seat, text):
        return now
    longer = now.log.extend(rulings.entry(Note(text), now.log.moment(clock()), reason, by=seat))
    return Match.of(longer, now.keyring)
