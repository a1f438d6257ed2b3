"""From what came of a mail to the mails that go out: each to one address, each with a stable name.

An answer is a function of the log and the mail: whoever makes it again makes the same, so a name
that is there already means that the answer was written before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.core import CHANCE, Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer
from pbem.desk.file import Desk
from pbem.log.match import Match, OpenPly
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.outgoing import OutgoingMail, date_header, fitted, subject_line
from pbem.report import compose
from pbem.report.compose import SeenBy
from pbem.sentence import Sentence, say

_MOST_REFERENCES: Final = 10
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who answers: the desk's own address, and what its clock says now."""

    address: Address
    now: str

    @property
    def domain(self) -> str:
        """What the ids of its mails end with."""
        return self.address.partition("@")[2]


def accepted(
    answer: Answer,
    desk: Desk,
    envelope: Envelope,
    sender: Sender,
    *,
    receipt: bool = True,
    mail_id: str = "",
    seen_by: SeenBy = Match.seen_by,
) -> Iterator[OutgoingMail]:
    """A receipt for who sent the order, the report for all, letters for those who learn something.
    Where the order only waits, nobody but its sender hears of it.

    Without `receipt` only the others are told: the mail came through a list, or by a machine.
    Their names follow from the position that was reached: a second copy of the order has the same.
    """
    after = answer.after
    first = answer.before.position[0]
    told = [ply.number for ply, _ in after.plies if ply.number > first]
    next_up = _next_up(after)
    if receipt and envelope.sender:
        yield _mail(
            "receipt",
            mail_id or f"{_place(after)}.{_safe(answer.seat or '')}",
            envelope.sender,
            say(
                "Your plans wait; {next_up}" if mail_id else "Your order was accepted; {next_up}",
                next_up=next_up,
            ),
            compose.text(compose.receipt(answer, seen_by=seen_by), "text"),
            sender,
            about=after,
            answered=envelope,
        )
    if mail_id:
        return
    report = compose.text(compose.public(after, told, seen_by=seen_by), "text")
    informed = set[str]()
    for seat in after.setup.seats:
        to = _address(desk, seat)
        if to is None:
            continue
        key = f"{_place(after)}.{_safe(seat)}"
        if to not in informed:  # else one person sits on two seats
            yield _mail("report", key, to, next_up, report, sender, about=after)
        informed.add(to)
        notes = _notes(answer, seat)
        if notes or _learns(answer, seat, told, seen_by):
            letter = compose.letter(
                after, seat, told, notes=notes, waits=answer.waits, seen_by=seen_by
            )
            subject = say("For {seat} alone; {next_up}", seat=seat, next_up=next_up)
            text = compose.text(letter, "text")
            yield _mail("letter", key, to, subject, text, sender, about=after)


def refused(
    answer: Answer,
    envelope: Envelope,
    mail_id: str,
    sender: Sender,
    *,
    seen_by: SeenBy = Match.seen_by,
) -> OutgoingMail:
    """The answer to a player whose mail changed nothing."""
    assert envelope.sender is not None
    now = answer.before
    read_before = answer.verdict == "duplicate"
    subject = "Read before; {next_up}" if read_before else "Not played; {next_up}"
    return _mail(
        "refusal",
        mail_id,
        envelope.sender,
        say(subject, next_up=_next_up(now)),
        compose.text(compose.rejection(answer, seen_by=seen_by), "text"),
        sender,
        about=now,
        answered=envelope,
    )


def notice(
    text: Sentence, now: Match | None, envelope: Envelope, mail_id: str, sender: Sender
) -> OutgoingMail:
    """A few sentences to the sender of a mail; `now` is a match they play in, or None."""
    assert envelope.sender is not None
    subject = _next_up(now) if now else say("Your mail was not understood")
    return _mail(
        "notice",
        mail_id,
        envelope.sender,
        subject,
        text.text(now.players if now else {}),
        sender,
        about=now,
        answered=envelope,
    )


# --------------------------------------------------------------------- what there is to tell


def _learns(answer: Answer, seat: Seat, told: list[int], seen_by: SeenBy) -> bool:
    """Is there something for this seat that the report does not say: a card, or that it may move
    now?"""
    after = answer.after
    if seat in after.awaited and (seat not in answer.before.awaited or seat == answer.seat):
        return True
    return _events(seen_by(after, seat), told) != _events(seen_by(after, None), told)


def _events(now: Match, told: list[int]) -> list[tuple[object, ...]]:
    first = told[0] if told else 0
    plies: list[OpenPly] = []
    for each in reversed(now.plies):
        if each[0].number < first:
            break
        plies.append(each)
    return [events for _, events in plies]


def _notes(answer: Answer, seat: Seat) -> tuple[str, ...]:
    """What became of moves this seat had sent early, if others have brought it about."""
    if seat == answer.seat:
        return ()
    names = answer.after.players
    dropped = list(compose.not_played(answer, seat))
    held = [
        say('"{move}" is still held until it is your turn to choose', move=move)
        for each in answer.held
        if each.seat == seat
        for move in each.moves
    ]
    return tuple(note.text(names) for note in (*dropped, *held))


def _next_up(now: Match) -> Sentence:
    """Who moves next, or how the match ended: the end of each subject."""
    outcome = now.outcome
    if outcome is not None:
        if not outcome.winners:
            return say("the match is drawn")
        return say("{winners:seats} won", winners=outcome.winners)
    if not now.awaited and any(decision.seat == CHANCE for decision in now.pending):
        return say("cards must be dealt first")
    return say("{seats:seats} to move", seats=now.awaited)


def _place(now: Match) -> str:
    ply, fingerprint = now.position
    return f"{now.name}.{ply:04}.{fingerprint}"


def _address(desk: Desk, seat: Seat) -> Address | None:
    """The one address that a seat is written to: the first in the address book."""
    return next(iter(desk.addresses.get(seat, ())), None)


# ---------------------------------------------------------------------------------- the mail


def _thread(now: Match, to: Address, sender: Sender) -> str:
    """The id that all mails about a match to one address hang from. It was never sent itself."""
    return f"<{_safe(now.name)}.{_safe(to)}@{sender.domain}>"


def _mail(
    kind: str,
    key: str,
    to: Address,
    subject: Sentence,
    text: str,
    sender: Sender,
    *,
    about: Match | None = None,
    answered: Envelope | None = None,
) -> OutgoingMail:
    """A mail of this kind, about a match, to whoever wrote the one that is answered."""
    thread = _thread(about, to, sender) if about else None
    earlier = list(answered.references[-_MOST_REFERENCES:]) if answered else []
    own_id = answered.message_id if answered else None
    references = dict.fromkeys(filter(None, (thread, *earlier, own_id)))
    words = subject.text(about.players) if about else subject.text()
    token = f"[{about.name} {about.position}] " if about else ""
    return OutgoingMail(
        name=f"{key}.{kind}",
        private=kind != "report",
        match=about.name if about else "",
        to=to,
        sender=sender.address,
        subject=subject_line(token + words),
        text=fitted(text),
        date=date_header(sender.now),
        answers=own_id or thread,
        references=tuple(references),
        replies=answered is not None,
    )


def _safe(text: str) -> str:
    """Text for a file's name or an id. Different texts stay different."""
    import hashlib

    plain = _UNSAFE.sub("-", text)
    if plain == text:
        return text
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
