"""Does an order, or a plan, answer what its seat is asked now, or something that is past?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.core import NOBODY, Position, Seat
from pbem.intake.submission import NamedPosition, Submission
from pbem.log import questions
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.questions import Question
from pbem.log.rulings import Ruled, Takeback
from pbem.sentence import Sentence, say, timed


def outdated(
    match: Replay,
    named: Iterable[NamedPosition],
    seats: Sequence[Seat],
    subject: Collection[NamedPosition] = (),
) -> Sentence | None:
    """Why an order for these positions does not count now; None if it does.

    A bare number in a mail's `subject` may be no position at all: "our game #2".
    """
    for ply, fingerprint in named:
        if not match.position.fits(ply, fingerprint):
            then = last_at(match.log, ply, fingerprint)
            if then is None or not _still_asked(match, seats, then):
                if fingerprint is None and (ply, None) in subject:
                    return say(
                        "The subject says #{ply}, but the match is at {now}. If that is no "
                        "position, take it out of the subject; else look at what happened since "
                        "and send your move again",
                        ply=ply,
                        now=match.position,
                    )
                asked = any(seat in match.awaited for seat in seats)
                return _why_not(match, ply, fingerprint, known=then is not None, asked=asked)
    return None


def _still_asked(match: Replay, seats: Collection[Seat], then: int) -> bool:
    """Is one of these seats still asked what it was asked after `then` entries? A ply of its own
    makes it a new question, unless others are asked it, too."""
    moved = _moved(match, then)
    return any(
        question.since <= then and (question.shared or seat not in moved)
        for seat, question in _open(match, seats).items()
    )


def _moved(match: Replay, then: int) -> set[Seat]:
    """The seats that have entered a ply after the first `then` entries."""
    return {entry.seat for entry in match.log.entries[then:] if isinstance(entry, Ply)}


def same_question(match: Replay, chain: str, seat: Seat) -> bool:
    """Is the match still at the position it had when the log ended with this chain, or is the seat
    still asked the same as then?"""
    count = match.log.ended_with(chain)
    if count is None:
        return False
    then = match.log.first(count)
    return then.position == match.position or _still_asked(match, [seat], count)


def used(
    match: Replay, signed: Iterable[NamedPosition], seats: Collection[Seat]
) -> Sentence | None:
    """Why a code no longer counts although its question is still open; None if it does. Whoever
    has seen it could copy it, so it is good only until its seat enters a ply."""
    for ply, fingerprint in signed:
        then = last_at(match.log, ply, fingerprint)
        if then is not None and not _moved(match, then).isdisjoint(seats):
            return _why_not(match, ply, fingerprint, known=True, asked=True)
    return None


def too_early(
    match: Replay, said: Submission, seats: Sequence[Seat], *, plans: bool
) -> Sentence | None:
    """Why a message was written too early for what is asked now; None if it was not, or if nobody
    knows when it was written.

    A message that names a position is known to answer an open question. So it is too early, like a
    plan, only if plies were taken back since, or a ruling has dealt with its seat's question.
    """
    log, written = match.log, written_by(match.log, said)
    if not written or written >= log.moment(""):
        return None
    if any(mark and match.position.fits(ply, mark) for ply, mark in said.positions):
        return None  # only somebody who has seen this position knows its mark
    asked = {} if plans or said.positions else _open(match, seats)
    put = [log.first(question.since).moment("") for question in asked.values()]
    if put and min(put) <= written:
        return None
    for entry in log.counting():
        if entry.at <= written:
            break
        if isinstance(entry, Ruled) and (
            isinstance(entry.ruling, Takeback) or questions.concerned(entry) in seats
        ):
            return say(
                "This was written on {written}. Since then: {what} Look at how the match stands, "
                "and send it again if you still mean it",
                written=timed(written),
                what=entry.ruling.sentence(entry.by),
            )
    if not put:
        return None
    return say(
        "This was written on {written}, before you were asked what you are asked now ({put}). Look "
        "at what has happened since, and send your move again",
        written=timed(written),
        put=timed(min(put)),
    )


def written_by(log: Log, said: Submission) -> str:
    """The time by which a message had been written; "" if nobody knows. A time before its match
    began does not count: nobody could write about it then."""
    return min((each for each in said.written if each >= log.header.created), default="")


def _open(match: Replay, seats: Collection[Seat]) -> dict[Seat, Question]:
    """What these seats are asked now."""
    asked = {decision.seat for decision in match.pending}.intersection(seats)
    put = questions.of(match) if asked else {}
    return {seat: put[seat] for seat in asked}


def last_at(log: Log, ply: int | None, fingerprint: str | None) -> int | None:
    """How many entries there were when the log was last at this position, before its latest entry;
    None if it never was."""
    for count in range(len(log.entries) - 1, -1, -1):
        if log.first(count).position.fits(ply, fingerprint):
            return count
    return None


def quiet_before(log: Log) -> int:
    """How many entries the log had right after a takeback, if no player has moved since; else 0.

    Plans sent before it would at once play again what has just been taken back, so they stay quiet
    until somebody has moved.
    """
    for entry in log.counting():
        if isinstance(entry, Ply):
            if entry.seat not in NOBODY:
                return 0
        elif isinstance(entry.ruling, Takeback):
            return entry.nth + 1
    return 0


def _why_not(
    match: Replay, ply: int | None, fingerprint: str | None, *, known: bool, asked: bool
) -> Sentence:
    position = match.position
    if ply is not None and ply > position.ply:
        return say(
            "#{ply} is a position this match has not reached; it is at {position}",
            ply=ply,
            position=position,
        )
    if not known:
        return say(
            "Your mail names a position that this match never had. It is at {position}; here is "
            "the block for it",
            position=position,
        )
    if ply is not None and fingerprint is not None:
        named = say("{position}", position=Position(ply, fingerprint))
    else:
        named = (
            say("{fingerprint}", fingerprint=fingerprint) if ply is None else say("#{ply}", ply=ply)
        )
    pattern = (
        "This answers {named}, but the match is at {position}. Look at what has happened since"
    )
    if asked:
        pattern = (
            "This answers {named}, but the match is at {position}. Look at what has happened "
            "since, and send your move again"
        )
    return say(pattern, named=named, position=position)
