"""What a club tells people by mail, and when: it does what is due, and what nobody learns from a
match goes out once, like all news."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from pbem.club import acts, clubwork, errands, standing
from pbem.club.clublog import ClubLog, log_path
from pbem.club.clubwork import at_work
from pbem.club.event import Handle
from pbem.club.fold import Club, Offer
from pbem.club.private import ClubDesk
from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.desk.bench import Circumstances
from pbem.desk.file import Desk
from pbem.log import deadlines
from pbem.log.match import Replay
from pbem.mailroom import tray
from pbem.mailroom.agenda import Heard, heard_by, why_not_kept
from pbem.mailroom.clubrest import note_rest
from pbem.mailroom.daybook import HOUSE, NOTHING, Book, Daybook, Keeps, mark
from pbem.mailroom.forget import forget
from pbem.mailroom.letterhead import keyed_name, paragraphs
from pbem.mailroom.letters import Letter, Person
from pbem.mailroom.matter import Handling
from pbem.matches.index import match_name
from pbem.matches.matches import Matches
from pbem.problem import Problem
from pbem.sentence import Sentence, say

TOLD: Final = "club"
"""Under this name the daybook keeps how many entries of the club's log have been told."""


class Silences(NamedTuple):
    """Which seats are really silent, by what was `heard` and by the daybook of their matches: the
    same for the desk and for whoever acts by hand."""

    matches: Matches
    heard: Heard
    book: Book

    def begins(self, match: str, seat: Seat) -> bool:
        """Has a seat whose days of grace are over had its notice, and does nothing of its player's
        lie aside?"""
        now = self.matches.look(self.matches.log(match))
        times = deadlines.of(now)
        late = [each for each in times.deadlines if each.seat == seat] if times else []
        return bool(late) and all(each.noticed and self.heard(now, each) is True for each in late)

    def replaces(self, club: Club, match: str, seat: Seat, at: str) -> bool:
        """Does a club find somebody for this seat, or may still find somebody, at a moment?"""
        if match not in club.begun:
            return False
        if vacancy := club.vacancies.get((match, seat)):
            return not errands.in_vain(club, vacancy, at)
        left = self.matches.look(self.matches.log(match)).vacant
        return seat in left or self.begins(match, seat)

    def lasts(self, view: errands.View, match: str, seat: Seat) -> bool:
        """Is a seat silent, or has nothing come since somebody is sought for it?"""
        vacancy = view.club.vacancies.get((match, seat))
        if vacancy is None or tray.unclear(self.matches.folder):
            return self.begins(match, seat)
        theirs = view.desk.member(vacancy.left).addresses
        return not self.book.unheeded(match, theirs, vacancy.at)


@dataclass
class ClubKeeper:
    """Does what is due in the club whose matches these are; `write` writes a letter into the
    `outbox` and notes the keys of what it says."""

    matches: Matches
    book: Book
    here: Circumstances
    write: Callable[[Letter, Sequence[str]], None]
    outbox: str = ""

    def keep(self, upto: str) -> Iterator[Handling | Problem]:
        """Do what is due at the moment up to which the mailbox was read; gives what was done, and
        what stands in the way. Raises Problem if the club's files or the daybook fail."""
        folder, book = self.matches.folder, self.book
        if why_not_kept(book, upto, mailbox=True, yes=self.here.sure):
            return
        here = self.here._replace(clock=lambda: upto)
        with book.locked(), at_work(folder, here, self.matches) as work:
            work.silent = self._silences.lasts
            done, problems, until = clubwork.tend(work, self._opening)
            work.save()
            for key, who, told, subject in self._news(work.log, upto):
                addresses = work.desk.member(who).addresses  # without one, the founder tells them
                self._tell(key, next(iter(addresses), None), told, subject)
            if book.of().get(TOLD) != len(work.log.entries):
                book.add(Keeps(HOUSE, TOLD, len(work.log.entries)))
            work.log = work.log.gone_through()
            leaving = errands.to_be_forgotten(work.view(anew=False)) if work.desk.leaving else []
            if not (done or leaving or problems) and until > upto:
                note_rest(self.matches, book, until)
        for each in done:
            yield Handling(verdict=Verdict.CLUB, why=standing.done(each))
        yield from problems
        for handle in () if here.imagined else leaving:
            yield from self._forget(handle)

    def _forget(self, handle: Handle) -> Iterator[Problem]:
        """Take out of everything what is kept of somebody; gives what stands in the way, and tries
        it again the next time."""
        folder, problems = self.matches.folder, list[Problem]()
        for address in ClubDesk.read(log_path(folder)).member(handle).addresses:
            problems += forget(folder, address, filter(None, [self.outbox])).problems
        if not problems:
            with at_work(folder, self.here, self.matches) as work:
                work.desk = work.desk.forgotten(handle)
        yield from problems

    def replaces(self, match: str, seat: Seat) -> bool:
        """Does the club find somebody for this seat? Else the moderator is asked."""
        return self._silences.replaces(self._before, match, seat, self.here.clock())

    @cached_property
    def _before(self) -> Club:
        return ClubLog.read(self.matches.folder).club

    @property
    def _silences(self) -> Silences:
        return Silences(self.matches, heard_by(self.book), self.book)

    def _opening(self, opened: Replay, desk: Desk) -> Desk:
        """Have the next run tell everybody in a new match all there is."""
        if not desk.writes_to_somebody:
            return desk
        book = self.book
        assert isinstance(book, Daybook)  # a dry run makes no match
        book.all_know(match_name(opened.log.path), NOTHING, 0, mark(opened.log, NOTHING))
        return replace(desk, daybook=True)

    def _news(self, log: ClubLog, upto: str) -> Iterator[tuple[str, Handle, Sentence, Sentence]]:
        """What is to be told: its key, to whom, and how. What somebody is asked is told as long as
        it stands, whoever asked it."""
        name = log.header.club
        for offer in log.club.offers.values():
            subject = say("[{club} offer {n}] A question to you", club=name, n=offer.number)
            key = f"{name}-offer-{offer.number}"
            yield key, offer.to, asked(log.club, offer), subject
        for table in errands.not_full(log.club, upto):
            sentence = say(
                "Your table {number}, {terms}, is still not full: {people:all}. [C-15]",
                number=table.number,
                terms=table.terms.words,
                people=table.seated,
            )
            key = f"{name}-table-{table.number}"
            yield key, table.host, sentence, say("[{club}] Your table", club=name)
        subject = say("[{club}] News for you", club=name)
        first = int(self.book.of().get(TOLD, len(log.entries)))  # if nobody knows, all are told
        for nth, (club, entry, _) in enumerate(log.steps(first), first):
            for who, news in entry.act.told(club):
                yield f"{name}-entry-{nth}-{who}", who, paragraphs(*news), subject

    def _tell(self, key: str, to: Address | None, sentence: Sentence, subject: Sentence) -> None:
        """Tell somebody something, once."""
        if to and not self.book.said(key):
            name = keyed_name([key], "club")
            self.write(Letter(name=name, to=Person(to), sentence=sentence, subject=subject), [key])


def asked(club: Club, offer: Offer) -> Sentence:
    """What somebody is asked, as a mail puts it: by what the match is played, and until when they
    can answer."""
    table, people = club.tables.get(offer.table), None
    terms, question = club.terms_of(offer), standing.question(club, offer)
    house = say(_HOUSE, edition=terms.edition, **terms.under_these(club.settings))
    if table:
        others = club.asked_to(table)
        people = say(
            "At this table: {people:all}.", people=[*dict.fromkeys((*table.seated, *others))]
        )
    asks = standing.asks(table) if table else ()
    next_one = say(_NEXT, hours=acts.NEXT_AFTER) if offer.match else None
    how = say(_HOW, until=standing.until(offer))
    return paragraphs(question, people, *asks, house, how, next_one)


_HOUSE: Final = "Edition: {edition}. Press: {press}. Days are counted in {zone}."
_HOW: Final = (
    "Answer this mail with yes or no by {until}; no answer counts as no. It is played as said "
    "here. [C-14, C-17]"
)
_NEXT: Final = (
    "After {hours} hours without an answer the next is asked as well, and the first yes has the "
    "seat. [C-47]"
)
