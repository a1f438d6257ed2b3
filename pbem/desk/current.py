"""Does an order, or a plan, answer what its seat is asked now, or something that is past?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.core import CHANCE, Position, Seat
from pbem.intake.submission import Position as Named
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.rulings import Ruled, Takeback
from pbem.sentence import Sentence, say


def outdated(
    now: Match, named: Iterable[Named], seats: Sequence[Seat], subject: Collection[Named] = ()
) -> Sentence | None:
    """Why an order for these positions does not count now; None if it does.

    A bare number in a mail's `subject` may be no position at all: "our game #2".
    """
    for ply, fingerprint in named:
        if not now.position.fits(ply, fingerprint):
            then = _once_at(now, ply, fingerprint)
            if then is None or not any(still_asked(then, now, seat) for seat in seats):
                if fingerprint is None and (ply, None) in subject:
                    return say(
                        "The subject says #{ply}, but the match is at {now}. If that is no "
                        "position, take it out of the subject; else look at what happened since "
                        "and send your move again",
                        ply=ply,
                        now=now.position,
                    )
                asked = any(seat in now.awaited for seat in seats)
                return _why_not(now, ply, fingerprint, known=then is not None, asked=asked)
    return None


def still_asked(then: Match, now: Match, seat: Seat) -> bool:
    """Is the seat asked now what it was asked then, with nothing in between but other seats'
    answers to what they were asked at the same time?"""
    asked = [decision for decision in then.pending if decision.seat == seat]
    if not asked or asked != [decision for decision in now.pending if decision.seat == seat]:
        return False
    others = [other for other in then.awaited if other != seat]
    for entry in now.log.entries[len(then.log.entries) :]:
        if isinstance(entry, Ply):
            if entry.seat not in others:
                return False
            others.remove(entry.seat)  # its next answer would be to another question
        elif not _leaves_alone(entry, seat):
            return False
    return True


def _leaves_alone(entry: Ruled, seat: Seat) -> bool:
    """Does a ruling change nothing for this seat?"""
    if not entry.ruling.moves_position:
        return True
    return not isinstance(entry.ruling, Takeback) and getattr(entry.ruling, "seat", "") != seat


def _once_at(now: Match, ply: int | None, fingerprint: str | None) -> Match | None:
    """The match when it was last at a position; None if it never was."""
    count = last_at(now.log, ply, fingerprint)
    return None if count is None else Match.of(first_entries(now.log, count), now.keyring)


def last_at(log: Log, ply: int | None, fingerprint: str | None) -> int | None:
    """How many entries there were when the log was last at a position before this one; None if it
    never was."""
    for count in range(len(log.entries) - 1, -1, -1):
        if first_entries(log, count).position.fits(ply, fingerprint):
            return count
    return None


def first_entries(log: Log, count: int) -> Log:
    """The log as it stood after so many entries."""
    return log._replace(entries=log.entries[:count])


def entries_until(log: Log, chain: str) -> int:
    """How many entries there were when the log ended with this chain."""
    return next((n for n, entry in enumerate(log.entries, 1) if entry.chain == chain), 0)


def quiet_before(log: Log) -> int:
    """How many entries there were after a takeback, if no player has moved since; else 0.

    What was sent before it would play at once what has just been taken back: it stays quiet until
    somebody has moved again.
    """
    for entry in reversed(log.entries):
        if isinstance(entry, Ply):
            if entry.seat != CHANCE:
                return 0
        elif isinstance(entry.ruling, Takeback):
            return entry.nth + 1
    return 0


def _why_not(
    now: Match, ply: int | None, fingerprint: str | None, *, known: bool, asked: bool
) -> Sentence:
    position = now.position
    if ply is not None and ply > position.ply:
        return say(
            "#{ply} is a position this match has not reached; it is at {position}",
            ply=ply,
            position=position,
        )
    if ply is not None and fingerprint is not None:
        named = say("{position}", position=Position(ply, fingerprint))
    else:
        named = say("{fingerprint}" if ply is None else "#{ply}", ply=ply, fingerprint=fingerprint)
    if not known:
        return say(
            "This answers {named}, and this match was never there; it is at {position}",
            named=named,
            position=position,
        )
    return say(
        "This answers {named}, but the match is at {position}. Look at what has happened since, "
        "and send your move again"
        if asked
        else "This answers {named}, but the match is at {position}. Look at what has happened "
        "since",
        named=named,
        position=position,
    )
