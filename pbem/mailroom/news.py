"""What each person is owed about a match, in one mail: what came of their own message, what has
happened since they were told last, the board, their hands and moves, and their key with the
opening.

A mail is a function of the log, the desk file and the entries it tells; so is its name. Whoever
makes it again makes the same, and a name that is there means that it was written before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.current import first_entries
from pbem.desk.file import Desk
from pbem.log.entries import Entry
from pbem.log.match import Match
from pbem.log.rulings import Ruled, Substitute
from pbem.mailroom.answers import Sender, compose_mail, next_up, safe
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.outgoing import OutgoingMail
from pbem.matches.told import NOTHING, Span
from pbem.report import compose
from pbem.report.compose import SeenBy
from pbem.sentence import Sentence, say

ANSWER: Final = ".answer"
"""How the names of mails end that say what came of a message."""


class Person(NamedTuple):
    """Somebody who is written to: at this address, about these seats; none for an observer."""

    address: Address
    seats: tuple[Seat, ...] = ()

    @property
    def called(self) -> str:
        """The person in the name of a mail."""
        if self.seats:
            return safe(self.seats[0])
        return f"observer-{hashlib.sha256(self.address.encode()).hexdigest()[:8]}"


def people(now: Match, desk: Desk) -> tuple[Person, ...]:
    """Whom the desk writes to about a match: each seat at its first address, then observers."""
    found: dict[Address, tuple[Seat, ...]] = {}
    for seat in now.setup.seats:
        for address in desk.addresses.get(seat, ())[:1]:
            found[address] = (*found.get(address, ()), seat)
    for address in desk.observers:
        found.setdefault(address, ())
    return tuple(Person(*each) for each in found.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What a person is to be told in one mail. What else they are owed, such as a reminder, is
    added here.

    span      the entries that are new to them, and the mail's name
    answer    what came of their order, in a mail in reply to `answered`
    told      what came of what else they asked for in it
    notes     what became of moves they had sent early
    """

    person: Person
    span: Span
    answer: Answer | None = None
    answered: Envelope | None = None
    told: Sentence | None = None
    notes: tuple[str, ...] = ()


def news(now: Match, person: Person, since: int, end: int) -> Owed:
    """What a person is owed who has been told less than so many entries."""
    kind = "news" if person.seats else "report"
    name = f"{safe(now.name)}.{max(since, 0):04}-{end:04}.{person.called}.{kind}"
    return Owed(person=person, span=Span(since, end, name))


def answers(
    now: Match,
    desk: Desk,
    answer: Answer,
    envelope: Envelope,
    since: Callable[[Address], int],
    mail_id: str,
) -> Iterator[Owed]:
    """What is owed at once when an order has been accepted: to its sender, unless a machine or a
    list has sent it, and to others of whose early moves it has decided. `since` says how much a
    person has been told. Of what only waits nobody but its sender hears, and as it stands in no
    log, its answer has the name of its mail."""
    waits = answer.verdict != Verdict.ACCEPTED
    end = len(answer.after.log.entries)
    for person in people(now, desk):
        name = f"{mail_id if waits else f'{safe(now.name)}.{end:04}.{person.called}'}{ANSWER}"
        told = since(person.address)
        span = Span(told, max(told, end), name)
        notes = tuple(note for seat in person.seats for note in _notes(answer, seat))
        if answer.seat in person.seats and not envelope.machine:
            yield Owed(person=person, span=span, answer=answer, answered=envelope, notes=notes)
        elif notes and not waits:
            yield Owed(person=person, span=span, notes=notes)


def asked(
    now: Match,
    desk: Desk,
    seat: Seat,
    envelope: Envelope,
    since: Callable[[Address], int],
    name: str,
) -> Iterator[Owed]:
    """What is owed at once to whoever has asked for something besides moves, and changed the log:
    the news with it, in one mail of the name of theirs."""
    end = len(now.log.entries)
    for person in people(now, desk):
        if seat in person.seats:
            told = since(person.address)
            span = Span(told, max(told, end), f"{name}{ANSWER}")
            yield Owed(person=person, span=span, answered=envelope)


def mail(
    owed: Owed, now: Match, desk: Desk, sender: Sender, *, seen_by: SeenBy = Match.seen_by
) -> OutgoingMail:
    """The mail that tells a person what they are owed, with the match as it stood then."""
    person, (since, end, name) = owed.person, owed.span
    if end < len(now.log.entries):
        now = Match.of(first_entries(now.log, end), now.keyring)
    first = since == NOTHING
    told = max(since, 0)
    opening = compose.opening(now, desk.contact) if first else None
    notes = (*owed.notes, *(compose.proof(now) if first else ()))
    comes = not first and _newly_seated(now.log.entries[told:], person.seats)
    notes = (*notes, _VOID.text()) if comes else notes
    key = first or comes
    if person.seats:
        seat, *also = person.seats
        report = compose.letter(
            now,
            seat,
            told,
            also=also,
            key=key,
            answer=owed.answer,
            asked=owed.told.text(now.players) if owed.told else "",
            notes=notes,
            opening=opening,
            desk=desk,
            seen_by=seen_by,
        )
    else:
        report = compose.public(now, told, notes, opening=opening, seen_by=seen_by, answers=())
    return compose_mail(
        name,
        _address(owed, desk, key),
        _subject(owed, now),
        sender.written(report, _pictured(person, now, desk, seen_by) if sender.paint else None),
        sender,
        about=now,
        answered=owed.answered,
        private=bool(person.seats),
    )


def letter_again(
    now: Match,
    desk: Desk,
    seat: Seat,
    envelope: Envelope,
    mail_id: str,
    sender: Sender,
    *,
    seen_by: SeenBy = Match.seen_by,
) -> OutgoingMail | None:
    """The letter of a seat once more, to the address on file, whoever asked for it; None where
    there is none."""
    person = next((each for each in people(now, desk) if seat in each.seats), None)
    if person is None:
        return None
    report = compose.letter(
        now, seat, compose.known_before_last_turn(now), desk=desk, seen_by=seen_by
    )
    return compose_mail(
        f"{mail_id}.letter",
        person.address,
        say("For {seat} alone; {next_up}", seat=seat, next_up=next_up(now)),
        sender.written(report, _pictured(person, now, desk, seen_by) if sender.paint else None),
        sender,
        about=now,
        answered=envelope if person.address == envelope.sender else None,
    )


def _pictured(person: Person, now: Match, desk: Desk, seen_by: SeenBy) -> Match | None:
    """The match as a person knows it, for its picture; None for who has declined one."""
    if not person.seats:
        return seen_by(now, None)
    if not desk.pictures.get(person.seats[0], True):
        return None
    return now.seen_by(*person.seats) if len(person.seats) > 1 else seen_by(now, person.seats[0])


_VOID: Final = say(
    "What whoever played your seat before had sent early is void: nothing waits for you."
)


def _newly_seated(entries: tuple[Entry, ...], seats: tuple[Seat, ...]) -> bool:
    """Has somebody taken one of these seats in these entries, and needs its key?"""
    rulings = (entry.ruling for entry in entries if isinstance(entry, Ruled))
    return any(isinstance(each, Substitute) and each.seat in seats for each in rulings)


def _address(owed: Owed, desk: Desk, key: bool) -> Address:
    """Where a mail goes: to the person's address or, in reply, to the one that wrote, if that may
    play each seat the mail tells of. A key goes to the first alone."""
    wrote, seats = owed.answered.sender if owed.answered else None, owed.person.seats
    if wrote and not key and all(wrote in desk.addresses.get(seat, ()) for seat in seats):
        return wrote
    return owed.person.address


def _subject(owed: Owed, now: Match) -> Sentence:
    if owed.answer and owed.answer.verdict != Verdict.ACCEPTED:
        return say("Your plans wait; {next_up}", next_up=next_up(now))
    if owed.answer:
        return say("Your order was accepted; {next_up}", next_up=next_up(now))
    if owed.span.since == NOTHING:
        return say("The match begins; {next_up}", next_up=next_up(now))
    return next_up(now)


def _notes(answer: Answer, seat: Seat) -> tuple[str, ...]:
    """What became of moves this seat had sent early, if others have brought it about."""
    if seat == answer.seat:
        return ()
    names = answer.after.players
    return tuple(note.text(names) for note in compose.not_played(answer, seat))
