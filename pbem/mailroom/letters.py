"""Who is to be told what, since when: the only place that decides this for mails.

A letter is what one person is told in one mail: what came of their own message, what has happened
since they were last told, the board, their hands and moves, their key with the opening; or only a
few sentences. It is a function of the log, the desk file and the entries it tells; so is its name.
Made again it is the same, and if there is a letter of its name, it was written before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.file import Desk
from pbem.desk.titles import next_up, title, waiting
from pbem.files.languages import speaking
from pbem.log.match import Replay
from pbem.log.ruling import NEVER
from pbem.log.rulings import Default, Ruled, Substitute
from pbem.log.timing import Late
from pbem.mailroom.daybook import NOTHING, Book, Planned, Queued, mark
from pbem.mailroom.inbox.headers import Envelope
from pbem.mailroom.inbox.incoming import Mail
from pbem.mailroom.letterhead import Sender, Written, compose_mail, keyed_name, paragraphs, safe
from pbem.mailroom.outbox.message import WIDTH, OutgoingMail
from pbem.mailroom.preferences import EACH, ONCE, SHORT, Preferences, next_hour, zone_of
from pbem.matches.index import match_name
from pbem.report import compose, sealed
from pbem.report.facts import Report
from pbem.report.owed import Untold, rulings, taken
from pbem.report.refusal import known_to_writer, reader, refused, rejection
from pbem.sentence import Sentence, say

DIGEST: Final = ".digest"
"""The end of the name of a letter that tells the news of several matches."""
ANSWER: Final = ".answer"
"""The end of the name of a letter that says what came of a message."""
NOTICES: Final = (Late, Default)
"""The rulings that tell a seat that its days of grace begin."""

Pages = tuple[tuple[str, str], ...]
"""What a letter links to: words, and an address."""

_REPLACED: Final = (
    "The log of this match was replaced by another copy. What you were told of it after #{ply} no "
    "longer stands; this mail tells what does."
)
_VOID: Final = say("What was sent early for your seat before this is void: nothing waits for you.")


class Person(NamedTuple):
    """Somebody who is written to: at this address, about these seats; none for an observer."""

    address: Address
    seats: tuple[Seat, ...] = ()

    @property
    def called(self) -> str:
        """What the person is called in the name of a letter."""
        if self.seats:
            return safe(self.seats[0])
        return f"observer-{_digits(self.address)}"


def _digits(address: Address) -> str:
    """What tells the name of a letter to an address from that to another."""
    return hashlib.sha256(address.encode()).hexdigest()[:8]


def people(match: Replay, desk: Desk) -> tuple[Person, ...]:
    """Whom the desk writes to about a match: each seat at its first address, then observers."""
    found, known = dict[Address, tuple[Seat, ...]](), desk.written_to
    for seat in filter(known.__contains__, match.setup.seats):
        found[known[seat]] = (*found.get(known[seat], ()), seat)
    for address in desk.observers:
        found.setdefault(address, ())
    return tuple(Person(*each) for each in found.items())


def person_at(match: Replay, desk: Desk, seat: Seat) -> Person | None:
    return next((each for each in people(match, desk) if seat in each.seats), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What one person is told in one mail.

    about     the match it is about, None for none or several
    plan      which entries its news tells; None in a letter without news, which brings the board
              all the same if its reader has a seat
    answered  the mail it answers
    answer    what came of an order in that mail; `refused` if it was not played
    sentence  what else there is to say; `subject` then says what it is about
    notes     what became of moves they had sent early
    replaced  whether another copy of the log has taken the place of the one they know
    boards    the seats whose pages it links to, if not all of its reader's in the match
    links     pages of the site besides, each by what is there and its file
    short     whether news comes without the board while others are asked
    language  what its reader has chosen; "" for the language of the match
    parts     in a digest, the letter about each match, with the desk file
    """

    name: str
    to: Person
    about: Replay | None = None
    plan: Planned | None = None
    answered: Envelope | None = None
    answer: Answer | None = None
    refused: Answer | None = None
    sentence: Sentence | None = None
    subject: Sentence | None = None
    notes: tuple[Sentence, ...] = ()
    replaced: bool = False
    boards: tuple[tuple[Replay, Seat], ...] = ()
    links: tuple[tuple[Sentence, str], ...] = ()
    short: bool = False
    language: str = ""
    parts: tuple[tuple[Letter, Desk], ...] = ()

    @property
    def kind(self) -> str:
        """The end of the name of an answer without news."""
        return "refusal" if self.refused else "letter" if self.to.seats else "notice"


# ------------------------------------------------------------------------------ who gets one


def concerned(match: Replay, desk: Desk, book: Book) -> Iterator[Letter]:
    """The letters with news that are owed to those who do not know all of a match."""
    for person in people(match, desk):
        news, end = _unknown(match, person, book), len(match.log.entries)
        others_know = book.pages[match_name(match.log.path)].known.entries
        anew = news.told == NOTHING < others_know
        called = f"{person.called}-{_digits(person.address)}" if anew else person.called
        kind = "news" if person.seats else "report"
        name = _name(match, book, f"{max(news.known, 0):04}-{end:04}", called, kind)
        letter = _news(name, person, match, book)
        if news or (letter.replaced and not news.left):
            yield letter


def wait_to_be_told(match: Replay, desk: Desk, book: Book) -> bool:
    """Is there anybody for whom only others' sealed answers are new?"""
    file = match_name(match.log.path)
    return any(
        _unknown(match, person, book).sealed and not book.unaware(file, person.address)
        for person in people(match, desk)
    )


def waits_until(letter: Letter, match: Replay, desk: Desk, book: Book) -> str:
    """Until when its reader wants a letter with news to wait; "" for one that goes at once, as do
    the opening, a seat taken, another copy of the log, and word that the reader is late."""
    wants, plan, person = Preferences.of(book, letter.to.address), letter.plan, letter.to
    if plan is None or wants.mails == EACH or letter.replaced or plan.since == NOTHING:
        return ""
    new = match.log.entries[plan.since :]
    if not new or rulings(new, *NOTICES, Substitute, about=person.seats):
        return ""
    if wants.mails == ONCE:
        theirs = {each for seat in person.seats for each in desk.addresses.get(seat, ())}
        quiet = match.outcome is None and book.hushed(plan.match, person.address, theirs)
        return NEVER if quiet else ""
    seat = person.seats[0] if person.seats else ""
    zone = zone_of(book, person.address, seat, match, desk)
    return next_hour(new[0].at, wants.mails, zone)


def farewells(match: Replay, desk: Desk, book: Book) -> Iterator[Letter]:
    """A few kind words to everybody whose seat somebody else has taken since they were last told,
    unless they are still written to about the match, or were never told that it was theirs."""
    file, known = match_name(match.log.path), {each.address for each in people(match, desk)}
    began = dict[Seat, int]()
    for nth, entry in enumerate(match.log.entries):
        if not isinstance(entry, Ruled) or not isinstance(entry.ruling, Substitute):
            continue
        comes, seat = entry.ruling.name, entry.ruling.seat
        address = desk.former.get(f"{seat} {entry.ruling.epoch}")
        theirs, began[seat] = began.get(seat, NOTHING), nth
        if address is None or address in known or not theirs < book.since(file, address) <= nth:
            continue
        sentence = say(
            "{name} has taken your seat, {seat}, in the match {match}, which goes on without you. "
            "Nothing more about it will be sent to you. Thank you for playing!",
            name=comes,
            seat=seat,
            match=match.name,
        )
        reach = say("If this is a mistake, write to the moderator: {contact}", contact=desk.contact)
        yield Letter(
            name=_name(match, book, f"{nth:04}", safe(seat), "farewell"),
            to=Person(address),
            about=match,
            sentence=paragraphs(sentence, reach if desk.contact else None),
            subject=title("farewell"),
        )


def answers(match: Replay, desk: Desk, answer: Answer, mail: Mail, book: Book) -> Iterator[Letter]:
    """The letters owed at once for an order that was accepted or waits: to its sender, unless it
    came from a machine or a list, and to others whose early moves it has decided. What only waits
    is told to its sender alone, in an answer named after the mail, as no log has it."""
    waits, after = answer.verdict != Verdict.ACCEPTED, answer.after
    count = f"{len(after.log.entries):04}"
    for person in people(match, desk):
        name = mail.settled_id if waits else _name(after, book, count, person.called)
        # What became of moves they had sent early, if it was others who decided it.
        others = (seat for seat in person.seats if seat != answer.seat)
        notes = tuple(note for seat in others for note in compose.not_played(answer, seat))
        letter = replace(_news(f"{name}{ANSWER}", person, after, book), notes=notes)
        if answer.seat in person.seats and not mail.envelope.machine:
            yield replace(letter, answer=answer, answered=mail.envelope)
        elif notes and not waits:
            yield letter


def entered(match: Replay, desk: Desk, seat: Seat, mail: Mail, book: Book) -> Iterator[Letter]:
    """The letter owed at once to somebody whose mail had something besides moves entered in the
    log: the news, which includes it."""
    if person := person_at(match, desk, seat):
        news = _news(f"{mail.settled_id}{ANSWER}", person, match, book)
        yield replace(news, answered=mail.envelope)


def outdated(match: Replay, desk: Desk, answer: Answer, mail: Mail, book: Book) -> Letter | None:
    """The refusal of a stale order, which is its writer's news as well, so that one mail is enough.
    None if news may not go to the address that wrote, or if the writer has not had the opening
    yet, or has yet to be told that the log was replaced."""
    person = person_at(match, desk, answer.seat) if answer.seat else None
    theirs = [desk.addresses.get(seat, ()) for seat in person.seats] if person else []
    if person is None or any(mail.envelope.sender not in each for each in theirs):
        return None
    news = _news(f"{mail.settled_id}.refusal", person, match, book)
    if news.plan is None or news.plan.since == NOTHING or news.replaced:
        return None
    plan = news.plan._replace(since=min(news.plan.since, known_to_writer(answer)))
    return replace(news, plan=plan, answered=mail.envelope, refused=answer)


def queued(each: Queued) -> Letter:
    """The letter that the moderator wants sent, as they wrote it."""
    thread = Envelope(message_id=each.answers, references=each.references)
    return Letter(
        name=each.letter,
        to=Person(each.to),
        sentence=say("{text}", text=each.text),
        subject=say("{subject}", subject=each.subject) if each.subject else _TO_ALL,
        answered=thread if each.answers else None,
    )


_TO_ALL: Final = say("A word from the moderator")


def announced(text: str, to: Iterable[Address], at: str) -> Iterator[Queued]:
    """The letters that tell all these people the same. The next day it is a new announcement."""
    for address in to:
        name = keyed_name((text, address, at[:10]), "announcement")
        yield Queued(name, at, address, "", text)


def _news(name: str, person: Person, match: Replay, book: Book) -> Letter:
    """A letter with all that a person does not know of a match as it stands."""
    file, since = match_name(match.log.path), _unknown(match, person, book).known
    end = max(since, len(match.log.entries))
    wants = Preferences.of(book, person.address)
    return Letter(
        name=name,
        to=person,
        about=match,
        plan=Planned(
            name,
            person.address,
            file,
            since,
            end,
            mark(match.log, end),
            came=book.came if wants.mails == ONCE else NOTHING,
        ),
        replaced=book.unaware(file, person.address),
        short=wants.posts == SHORT,
    )


def _unknown(match: Replay, person: Person, book: Book) -> Untold:
    return Untold(match, person.seats, book.since(match_name(match.log.path), person.address))


def _name(match: Replay, book: Book, entries: str, *rest: str) -> str:
    """The name of a letter about these `entries` of a match. It says of which log: a match in
    another folder, or another copy of this one, may have the same name and as many entries; and a
    copy may be replaced again. It is made of what everybody can read, to give nothing away."""
    number = book.pages[match_name(match.log.path)].known.copy
    digits = match.log.public_chain.removeprefix("sha256:")[:8]
    copy = f"{digits}-{number}" if number else digits
    return ".".join((safe(match.name), entries, copy, *rest))


# ---------------------------------------------------------------------------- what it says


def mail(letter: Letter, desk: Desk | None, sender: Sender) -> OutgoingMail:
    """A letter as a mail, in its reader's language. A letter with a board needs the desk file."""
    with speaking(_language(letter, desk)):
        if letter.parts:
            return _digest(letter, sender)
        pages = _pages(letter, desk, sender) if sender.site else ()
        if letter.plan is not None:
            assert letter.about is not None
            assert desk is not None
            return _news_mail(letter, letter.plan, letter.about, desk, sender, pages)
        return compose_mail(
            letter.name,
            letter.to.address,
            letter.subject or _reply_subject(letter),
            _reply(letter, desk, sender, pages),
            sender,
            about=letter.about,
            answered=letter.answered,
        )


def _language(letter: Letter, desk: Desk | None) -> str:
    if letter.language or letter.about is None:
        return letter.language
    seats = letter.to.seats or (desk.seats_of(letter.to.address) if desk else ())
    return compose.language(letter.about, seats[0] if seats else None, desk)


def _pages(letter: Letter, desk: Desk | None, sender: Sender) -> Pages:
    """What a letter links to: the boards of its reader's seats; with the opening, how the game is
    played; with a refusal, the rule that was broken."""
    match, boards = letter.about, letter.boards
    if match is not None and desk is not None and not boards:
        theirs = letter.to.seats or desk.seats_of(letter.to.address)
        boards = tuple((match, seat) for seat in theirs)
    begins = letter.plan is not None and letter.plan.since == NOTHING
    return (
        *sealed.boards(sender.site, boards, letter.refused),
        *(sealed.guides(sender.site, match) if match and begins else ()),
        *(sealed.rule_broken(sender.site, letter.refused) if letter.refused else ()),
        *((words.text(), f"{sender.site}{file}") for words, file in letter.links),
    )


def _news_mail(
    letter: Letter, plan: Planned, match: Replay, desk: Desk, sender: Sender, pages: Pages
) -> OutgoingMail:
    """A letter with news as a mail, with the match as it stood after the last entry it tells."""
    person, since = letter.to, max(plan.since, 0)
    if plan.end < len(match.log.entries):
        match = Replay.of(match.log.first(plan.end), match.keyring)
    first = plan.since == NOTHING
    opening = compose.opening(match, desk.contact) if first else None
    dropped = (note.text(match.players) for note in letter.notes)
    notes = (*dropped, *(compose.proof(match) if first else ()))
    if letter.replaced and not first:
        known = match.log.first(since).position.ply
        notes = (say(_REPLACED, ply=known).text(), *notes)
    comes = bool(rulings(match.log.entries[since:], Substitute, about=person.seats))
    notes = (*notes, _VOID.text()) if comes else notes
    key = first or comes
    if person.seats:
        seat, *also = person.seats
        report = compose.letter(
            match,
            seat,
            since,
            also=also,
            key=key,
            asked=letter.sentence.text(match.players) if letter.sentence else "",
            notes=notes,
            desk=desk,
        )
        report = compose.answered(report._replace(opening=opening), letter.answer)
        if letter.refused:
            report = report._replace(refusal=refused(letter.refused))
    else:
        report = compose.public(match, since, notes, opening=opening, answers=())
    if not (key or letter.answered or letter.notes):
        bare = compose.bare(match, since, person.seats, short=letter.short)
        report = report._replace(bare=bare)
    report = report._replace(pages=pages)
    late = bool(rulings(match.log.entries, *NOTICES))
    news = compose_mail(
        letter.name,
        _address(letter, desk, key),
        _news_subject(letter, plan, match),
        sender.written(report, pictured(person, match, desk) if sender.paint else None),
        sender,
        about=match,
        answered=letter.answered,
    )
    return replace(news, private=bool(person.seats), notice=plan.mark if late else "")


def digest(to: Address, parts: Sequence[tuple[Letter, Desk]]) -> Letter:
    """One letter with what is new in several matches. The same letters make the same name."""
    name = keyed_name((letter.name for letter, _ in parts), DIGEST.removeprefix("."))
    return Letter(name=name, to=Person(to), parts=tuple(parts))


def _digest(digest: Letter, sender: Sender) -> OutgoingMail:
    """A digest as a mail: text only, one part a letter, first those that wait for the reader."""
    found, painted = digest.parts, replace(sender, paint=None)
    parts, waits = list[tuple[bool, str]](), 0
    for letter, desk in found:
        match = letter.about
        assert match is not None
        asked = not set(letter.to.seats).isdisjoint(match.awaited)
        waits += asked
        token = say("[{match} {position}]", match=match.name, position=match.position).text()
        text = mail(replace(letter, short=True), desk, painted).text
        parts.append((not asked, f"{'=' * WIDTH}\n{token}\n\n{text}"))
    about = found[0][0].about if len(found) == 1 else None
    n = len(found)
    subject = title("digest", n=n, up=waiting(waits))
    texts = [text for _, text in sorted(parts, key=lambda each: each[0])]
    how = () if about else (_HOW_TO_ANSWER.text(),)
    said = Written("\n\n".join((*how, *texts)))
    whole = compose_mail(digest.name, digest.to.address, subject, said, sender, about=about)
    return replace(whole, plain=True)


_HOW_TO_ANSWER: Final = say(
    "Answer one match in a mail, and say which: put its line in square brackets into the subject, "
    "or at the top."
)


def _reply(letter: Letter, desk: Desk | None, sender: Sender, pages: Pages) -> Written:
    """What a letter without news says: a refusal, a board that was asked for, a few sentences."""
    match = letter.about
    text = letter.sentence.text(match.players if match else {}) if letter.sentence else ""
    if match is None or not (letter.refused or letter.to.seats):
        return Written("".join([text, *(f"\n\n{each}:\n\n{address}" for each, address in pages)]))
    if not letter.to.seats:
        assert letter.refused is not None
        report = rejection(letter.refused, asked=text)
        seat = reader(letter.refused)
        to = letter.to._replace(seats=(seat,) if seat else ())
        known = pictured(to, match, desk) if sender.paint else None
        return sender.written(report._replace(pages=pages), known)
    assert desk is not None
    return sender.written(
        _again(letter, match, text, desk)._replace(pages=pages),
        pictured(letter.to, match, desk) if sender.paint else None,
    )


def _again(letter: Letter, match: Replay, text: str, desk: Desk) -> Report:
    """A seat's letter once more."""
    [seat] = letter.to.seats
    since = compose.known_before_last_turn(match)
    if letter.refused:
        since = min(since, known_to_writer(letter.refused))
    report = compose.letter(match, seat, since, asked=text, desk=desk)
    return report._replace(refusal=refused(letter.refused)) if letter.refused else report


def pictured(person: Person, match: Replay, desk: Desk | None) -> Replay | None:
    """The match as a person knows it, for its picture; None if they have declined one."""
    if not person.seats:
        return match.seen_by(None)
    wanted = desk is None or desk.pictures.get(person.seats[0], True)
    return match.seen_by(*person.seats) if wanted else None


def _address(letter: Letter, desk: Desk, key: bool) -> Address:
    """Where a letter goes: to the person's own address or, in reply, to the address that wrote, if
    it may play every seat the letter is about. A key only ever goes to the former."""
    wrote, seats = letter.answered.sender if letter.answered else None, letter.to.seats
    if wrote and not key and all(wrote in desk.addresses.get(seat, ()) for seat in seats):
        return wrote
    return letter.to.address


def _news_subject(letter: Letter, plan: Planned, match: Replay) -> Sentence:
    up, entries = next_up(match), match.log.entries
    if letter.refused:
        return title("refused", next_up=up)
    if letter.answer and letter.answer.verdict != Verdict.ACCEPTED:
        if letter.answer.why:
            return title("idle", next_up=up)
        return title("plans", next_up=up)
    if letter.answer:
        return title("accepted", next_up=up)
    if plan.since == NOTHING:
        sits_down = taken(entries).issuperset(letter.to.seats) and letter.to.seats
        if sits_down:
            return title("seated", next_up=up)
        return title("begins", next_up=up)
    if rulings(entries[plan.since :], Late, about={*letter.to.seats} & {*match.awaited}):
        return title("late", next_up=up)
    return up


def _reply_subject(letter: Letter) -> Sentence:
    if letter.about is None:
        return title("unread")
    up = next_up(letter.about)
    if letter.refused is None:
        return (
            title("alone", seat=letter.to.seats[0], next_up=up)
            if letter.to.seats
            else title("answer", next_up=up)
        )
    return title("again", next_up=up) if letter.refused.again else title("refused", next_up=up)
