"""What each person is owed about a match, in one mail: what came of their own message, what has
happened since they were told last, the board, their hands and moves, and their key with the
opening.

A mail is a function of the log, the desk file and the entries it tells; so is its name. Whoever
makes it again makes the same, and a name that is there means that it was written before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.current import first_entries
from pbem.desk.file import Desk
from pbem.log.entries import Entry
from pbem.log.match import Match
from pbem.log.rulings import Default, Ruled, Substitute
from pbem.log.timing import Late
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.letterhead import Sender, compose_mail, next_up, safe
from pbem.mailroom.outgoing import OutgoingMail
from pbem.matches.folder import match_name
from pbem.matches.told import NOTHING, Span, Told, mark
from pbem.report import compose
from pbem.report.compose import SeenBy
from pbem.report.refusal import refused
from pbem.sentence import Sentence, say

ANSWER: Final = ".answer"
"""How the names of mails end that say what came of a message."""

NOTICES: Final = (Late, Default)
"""The rulings that tell a seat that its days of grace begin."""

_REPLACED: Final = (
    "The log of this match was replaced by another copy. What you were told of it after #{ply} no "
    "longer stands; this mail tells what does."
)


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


def person_at(now: Match, desk: Desk, seat: Seat) -> Person | None:
    """Whom the desk writes to about a seat."""
    return next((each for each in people(now, desk) if seat in each.seats), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What a person is to be told in one mail. What else they are owed, such as a reminder, is
    added here.

    span      the entries that are new to them, and the mail's name
    answer    what came of their order, in a mail in reply to `answered`
    refused   the same, of an order that was not played
    told      what came of what else they asked for in it
    replaced  whether another copy of the log has taken the place of the one they know
    notes     what became of moves they had sent early
    """

    person: Person
    span: Span
    replaced: bool = False
    answer: Answer | None = None
    refused: Answer | None = None
    answered: Envelope | None = None
    told: Sentence | None = None
    notes: tuple[str, ...] = ()


def news(now: Match, person: Person, told: Told) -> Owed:
    """What a person is owed of what they have not been told."""
    match, end = match_name(now.log.path), len(now.log.entries)
    since = _known(now, person, told)
    kind = "news" if person.seats else "report"
    entries = f"{max(since, 0):04}-{end:04}.{_copy(now, told)}"
    name = f"{safe(now.name)}.{entries}.{person.called}.{kind}"
    return Owed(
        person=person, span=_span(now, since, name), replaced=told.unaware(match, person.address)
    )


def _known(now: Match, person: Person, told: Told) -> int:
    """How many entries a person knows. Whoever sits down at the table begins anew, also one who has
    been there before: of the time between they know nothing, and of this seat perhaps never did."""
    since = told.since(match_name(now.log.path), person.address)
    taken = _taken(now.log.entries[max(since, 0) :])
    return NOTHING if person.seats and taken.issuperset(person.seats) else since


def _span(now: Match, since: int, name: str) -> Span:
    """What a mail of this name tells somebody about a match as it stands, who knows so much."""
    end = max(since, len(now.log.entries))
    return Span(since, end, name, mark(now.log, end))


def _copy(now: Match, told: Told) -> str:
    """Which log a mail is about, in its name: a match of another folder, or a copy of this one, may
    have its name and its counts of entries; and a copy may be put in its place once more. It rests
    on what everybody can read, as all of a mail must that its reader may not know."""
    number = told.copy(match_name(now.log.path))
    digits = now.log.public_chain.removeprefix("sha256:")[:8]
    return f"{digits}-{number}" if number else digits


def answers(
    now: Match, desk: Desk, answer: Answer, envelope: Envelope, account: Told, mail_id: str
) -> Iterator[Owed]:
    """What is owed at once when an order has been accepted: to its sender, unless a machine or a
    list has sent it, and to others of whose early moves it has decided. Of what only waits nobody
    but its sender hears, and as it stands in no log, its answer has the name of its mail."""
    waits = answer.verdict != Verdict.ACCEPTED
    match, after = match_name(now.log.path), answer.after
    entries = f"{safe(now.name)}.{len(after.log.entries):04}.{_copy(after, account)}"
    for person in people(now, desk):
        own_name = mail_id if waits else f"{entries}.{person.called}"
        owed = Owed(
            person=person,
            span=_span(after, _known(after, person, account), f"{own_name}{ANSWER}"),
            replaced=account.unaware(match, person.address),
            notes=tuple(note for seat in person.seats for note in _notes(answer, seat)),
        )
        if answer.seat in person.seats and not envelope.machine:
            yield replace(owed, answer=answer, answered=envelope)
        elif owed.notes and not waits:
            yield owed


def asked(
    now: Match,
    desk: Desk,
    seat: Seat,
    envelope: Envelope,
    account: Told,
    name: str,
    refused: Answer | None = None,
) -> Iterator[Owed]:
    """What is owed at once to whoever has asked for something besides moves, and changed the log:
    the news with it, in one mail of the name of theirs. `refused` is what came of an order beside
    it that was not played."""
    match = match_name(now.log.path)
    if person := person_at(now, desk, seat):
        yield Owed(
            person=person,
            span=_span(now, _known(now, person, account), f"{name}{ANSWER}"),
            replaced=account.unaware(match, person.address),
            answered=envelope,
            refused=refused,
        )


def mail(
    owed: Owed, now: Match, desk: Desk, sender: Sender, *, seen_by: SeenBy = Match.seen_by
) -> OutgoingMail:
    """The mail that tells a person what they are owed, with the match as it stood then."""
    person, (since, end, name, _) = owed.person, owed.span
    if end < len(now.log.entries):
        now = Match.of(first_entries(now.log, end), now.keyring)
    first = since == NOTHING
    told = max(since, 0)
    opening = compose.opening(now, desk.contact) if first else None
    notes = (*owed.notes, *(compose.proof(now) if first else ()))
    if owed.replaced and not first:
        known = first_entries(now.log, told).position.ply
        notes = (say(_REPLACED, ply=known).text(), *notes)
    comes = not _taken(now.log.entries[told:]).isdisjoint(person.seats)
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
        if owed.refused:
            report = report._replace(refusal=refused(owed.refused, seen_by=seen_by))
    else:
        report = compose.public(now, told, notes, opening=opening, seen_by=seen_by, answers=())
    return compose_mail(
        name,
        _address(owed, desk, key),
        _subject(owed, now),
        sender.written(report, pictured(person, now, desk, seen_by) if sender.paint else None),
        sender,
        about=now,
        answered=owed.answered,
        private=bool(person.seats),
        notice=owed.span.mark if _silent(now.log.entries) else "",
    )


def _silent(entries: tuple[Entry, ...]) -> bool:
    """Does a log say of anybody that they are late, or that something was played for them?"""
    return any(isinstance(e, Ruled) and isinstance(e.ruling, NOTICES) for e in entries)


def pictured(person: Person, now: Match, desk: Desk, seen_by: SeenBy) -> Match | None:
    """The match as a person knows it, for its picture; None for who has declined one."""
    if not person.seats:
        return seen_by(now, None)
    if not desk.pictures.get(person.seats[0], True):
        return None
    return now.seen_by(*person.seats) if len(person.seats) > 1 else seen_by(now, person.seats[0])


_VOID: Final = say("What was sent early for your seat before this is void: nothing waits for you.")


def _taken(entries: tuple[Entry, ...]) -> frozenset[Seat]:
    """The seats that somebody has taken in these entries, and needs the key of."""
    rulings = (entry.ruling for entry in entries if isinstance(entry, Ruled))
    return frozenset(each.seat for each in rulings if isinstance(each, Substitute))


def _noticed(entries: tuple[Entry, ...], seats: tuple[Seat, ...]) -> bool:
    """Do these entries say of one of these seats that it is late?"""
    rulings = (entry.ruling for entry in entries if isinstance(entry, Ruled))
    return any(isinstance(each, Late) and each.seat in seats for each in rulings)


def _address(owed: Owed, desk: Desk, key: bool) -> Address:
    """Where a mail goes: to the person's address or, in reply, to the one that wrote, if that may
    play each seat the mail tells of. A key goes to the first alone."""
    wrote, seats = owed.answered.sender if owed.answered else None, owed.person.seats
    if wrote and not key and all(wrote in desk.addresses.get(seat, ()) for seat in seats):
        return wrote
    return owed.person.address


def _subject(owed: Owed, now: Match) -> Sentence:
    if owed.refused:
        return say("Not played; {next_up}", next_up=next_up(now))
    if owed.answer and owed.answer.verdict != Verdict.ACCEPTED:
        return say("Your plans wait; {next_up}", next_up=next_up(now))
    if owed.answer:
        return say("Your order was accepted; {next_up}", next_up=next_up(now))
    if owed.span.since == NOTHING:
        sits_down = _taken(now.log.entries).issuperset(owed.person.seats) and owed.person.seats
        begins = "You have taken a seat; {next_up}" if sits_down else "The match begins; {next_up}"
        return say(begins, next_up=next_up(now))
    if _noticed(
        now.log.entries[owed.span.since :], tuple(set(owed.person.seats) & set(now.awaited))
    ):
        return say("You are late; {next_up}", next_up=next_up(now))
    return next_up(now)


def _notes(answer: Answer, seat: Seat) -> tuple[str, ...]:
    """What became of moves this seat had sent early, if others have brought it about."""
    if seat == answer.seat:
        return ()
    names = answer.after.players
    return tuple(note.text(names) for note in compose.not_played(answer, seat))
