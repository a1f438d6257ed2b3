"""A mail before the desk: what is found out about it, and what is to be done about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Final, NamedTuple

from pbem.core import Seat, Violation
from pbem.desk import authorship
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.bench import Circumstances
from pbem.desk.current import last_at
from pbem.desk.file import Desk
from pbem.desk.reading import Reading
from pbem.desk.submit import submit
from pbem.files.timestamp import stamp
from pbem.intake import Submission
from pbem.intake.text import decoded
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.log.rulings import Default, Ruled
from pbem.mailroom import letters, tray
from pbem.mailroom.daybook import Daybook
from pbem.mailroom.inbox.headers import topic
from pbem.mailroom.inbox.incoming import Mail
from pbem.mailroom.letterhead import paragraphs
from pbem.mailroom.letters import Letter, Person
from pbem.matches.index import match_name
from pbem.matches.matches import Matches
from pbem.meaning.patterns import says
from pbem.problem import BadFile, Problem, Usage
from pbem.sentence import Sentence, say, timed


class Audience(Enum):
    """Who may know of a mail besides its writer: all MODERATORS, those who play among them; of its
    reason, those who ASK, as it may rest on what only one seat knows; or the WRITER alone, and
    nobody learns who that is."""

    MODERATORS = "moderators"
    ASK = "ask"
    WRITER = "writer"


class Excerpt(NamedTuple):
    """What of a mail a person is shown: all but the `hidden` lines. If the others may name what
    moves are made with, they are not to be read in passing; what it `says` without that, any
    moderator may read."""

    hidden: tuple[int, ...] = ()
    has_moves: bool = False
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handling:
    """What is done about a mail, or because of the time.

    letters  what people are told at once; those without a name get one from the mail
    settled  whether it is known who wrote it, as surely as the match requires
    refusal  whether it is answered although it changed nothing
    why      the reason
    audience who may know of it, and of its reason
    heard    how a person can read the mail, if one can: see `tray.put`. All but what is only KEPT,
             or DONE with, is put aside for one
    excerpt  what of it this person is shown
    whose    whose mail it is, if that is not its sender: whoever a bounce says is not reached, ""
             if nobody knows who that is, or the player whom a list lets others answer
    answered_by  the name of the question that decided
    """

    verdict: Verdict
    path: str = ""
    seat: Seat = ""
    ply: int = 0
    letters: tuple[Letter, ...] = ()
    settled: bool = False
    refusal: bool = False
    why: Sentence | None = None
    audience: Audience = Audience.MODERATORS
    heard: str = ""
    excerpt: Excerpt = Excerpt()
    whose: Address | None = None
    answered_by: str = ""

    @property
    def aside(self) -> bool:
        """Must a person look at the mail?"""
        return self.heard not in ("", tray.KEPT, tray.DONE)

    def put_aside(self) -> Handling:
        """The same for a person, whoever may know the reason."""
        return replace(self, heard=tray.ASIDE)

    def for_a_person(self, why: Sentence, *, heard: str = tray.ASIDE, **more: Any) -> Handling:
        """The same, put aside for this reason, which any moderator may read."""
        return replace(self, heard=heard, why=why, audience=Audience.MODERATORS, **more)


@dataclass(slots=True)
class Office:
    """What all decisions rest on: the matches, what was done before, and the desk's own address.
    `most` is how many mails that change nothing are answered in a day: see `Book.refusals`. `stuck`
    are the matches for which a mail waits: later mails wait behind it."""

    matches: Matches
    book: Daybook
    here: Circumstances
    address: Address
    most: int
    stuck: set[str] = field(default_factory=set)


class Meant(NamedTuple):
    """A match a mail is meant for, and who wrote the mail, as surely as that match requires."""

    matter: Matter
    path: str
    first: Reading

    @property
    def message(self) -> Submission:
        return self.first.message

    @property
    def writer(self) -> Writer:
        return self.first.writer

    @property
    def name(self) -> str:
        """The name of the match, from its file."""
        return match_name(self.path)

    @property
    def match(self) -> Replay:
        """The match as it stands now: once an order has been entered, this includes it."""
        return self.matter.office.matches.look(self.path)

    @property
    def desk(self) -> Desk:
        return self.matter.office.matches.open(self.path)[1]

    @property
    def reading(self) -> Reading:
        """The mail, read in the match as it stands now."""
        match, first = self.match, self.first
        if first.match.log.chain == match.log.chain:
            return first
        return Reading.of(match, first.message, first.writer, self.desk, first.today)

    def with_message(self, message: Submission) -> Meant:
        """The same for another message of the same writer: a part of it."""
        return self._replace(first=replace(self.first, message=message))

    def submitted(self) -> Answer:
        """What the desk says to it, once what it holds is entered. Raises Problem."""
        here = self.matter.office.here
        return submit(self.path, self.message, here, known=self.reading)

    def acquaint(self, match: Replay) -> None:
        """Enter the match into the daybook if it is not there yet: see `Daybook.adopt`."""
        if not self.matter.office.book.knows(self.name):
            self.matter.office.book.adopt(self.name, match.log)

    def moves_nothing(self, verdict: Verdict) -> Handling:
        """A handling that names no seat, so that the mail overtakes nobody's order."""
        why = self.writer.doubt
        return Handling(verdict=verdict, path=self.path, settled=True, why=why)

    def told(
        self,
        sentence: Sentence | None,
        *,
        aside: Sentence | None = None,
        verdict: Verdict = Verdict.ASKED,
        to: Person | None = None,
    ) -> Handling:
        """What comes of a wish: what its sender is told, or whose letter goes out again (`to`), and
        why a person must look at it, if one must."""
        letter = self.matter.letter(sentence)
        letters = (replace(letter, to=to or letter.to),)
        came = Handling(verdict=verdict, path=self.path, settled=True, letters=letters)
        return came.for_a_person(aside) if aside else came

    def notice(self, verdict: Verdict, sentence: Sentence) -> Handling:
        """A few sentences to a player whose mail changed nothing in a match."""
        handling, seat = self.moves_nothing(verdict), self.writer.seats[0]
        handling = replace(handling, seat=seat, why=sentence, audience=Audience.ASK)
        return self.matter.answered(handling, sentence, about=self.match)

    def unproven(self) -> Handling:
        """What is done about a mail whose writer is not known as surely as the match requires."""
        sentence = say("Your mail was not accepted: {why}.", why=self.writer.refusal)
        why = self.writer.for_moderator
        handling = Handling(verdict=Verdict.UNPROVEN, path=self.path, why=why)
        return self.matter.answered(handling.put_aside(), sentence)

    def refused(self, answer: Answer) -> Handling:
        """What is done about a mail that the desk has turned away."""
        if answer.stranger:  # somebody has changed the desk file meanwhile
            return self._replace(first=replace(self.first, writer=answer.writer)).unproven()
        # Anybody who has seen an old code can send it again, so it proves nothing any more. And a
        # mail that was read before does not prove when its sender last wrote.
        code, matter = self.writer.position, self.matter
        arrival = timed(stamp(matter.mail.item.arrival))
        settled = code is None or answer.before.position == code
        silence = self._played_for(answer) if settled else None
        too_late = silence is not None and silence.at > stamp(matter.mail.item.arrival)
        if too_late:
            answer = replace(answer, why=say(_ARRIVED, why=answer.why, at=arrival))
        elif silence is not None:
            answer = replace(answer, why=say(_SILENT, why=answer.why, at=timed(silence.at)))
        sure = settled and answer.verdict != Verdict.DUPLICATE
        rests_on_a_hand = answer.verdict == Verdict.REFUSED
        handling = Handling(
            verdict=answer.verdict,
            path=self.path,
            seat=(answer.seat or self.writer.seats[0]) if sure else "",
            ply=answer.before.position.ply,
            settled=settled,
            why=say("{message}", message=answer.message),
            audience=Audience.ASK if rests_on_a_hand else Audience.MODERATORS,
            answered_by=answer.answered_by,
        )
        if answer.before.outcome is not None and answer.verdict != Verdict.DUPLICATE:
            why = say("for you: it is about a match that is over ({message})", message=handling.why)
            handling = handling.for_a_person(why)
        elif too_late:
            handling = handling.for_a_person(say(_TOO_LATE, at=arrival))
        letter = matter.letter(about=answer.before, refused=answer)
        if answer.verdict == Verdict.PASSED_ON:
            why = say("for you: {seat:seat} writes", seat=answer.seat)
            handling = handling.for_a_person(why, seat="")
            letter = replace(letter, sentence=FROM_THEM)
        if settled and answer.verdict == Verdict.STALE:
            self.acquaint(answer.before)
            about = answer.before, self.desk, answer, matter.mail, matter.office.book
            letter = letters.outdated(*about) or letter
        return matter.answered_by(handling, letter)

    def _played_for(self, answer: Answer) -> Ruled | None:
        """The ruling by which the last move of the sender of a late order was played for them."""
        if answer.verdict not in (Verdict.STALE, Verdict.WRONG_SENDER) or answer.why is None:
            return None
        entries, seats = answer.before.log.entries, self.writer.seats
        last = max(
            (n for n, e in enumerate(entries) if isinstance(e, Ply) and e.seat in seats), default=0
        )
        for entry in entries[max(0, last - 1) : last]:
            if isinstance(entry, Ruled) and isinstance(entry.ruling, Default):
                return entry
        return None


@dataclass
class Matter:
    """A mail before the desk; what must be known about it is found out when first asked for."""

    mail: Mail
    office: Office

    @property
    def sender(self) -> Address:
        """Who is answered."""
        assert self.mail.envelope.sender is not None
        return self.mail.envelope.sender

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The matches the mail may be for. Of several, the only one whose name is in brackets in
        the subject, `[kahuna-07]`, or all of it, `Re: kahuna-07`; else the only one that is at a
        position the mail names in full, or was, as the order in the mail may have been played
        already."""
        found = self.office.matches.meant(self.sender, self.mail.named)
        if self.mail.named is not None or not found:
            return found
        subject = decoded(self.mail.envelope.subject).casefold()
        names = {path: match_name(path).casefold() for path in found}
        named = tuple(
            path for path, name in names.items() if f"[{name}]" in subject or name == topic(subject)
        )
        if len(named) == 1:
            return named
        at = tuple(filter(self._names_position_of, self.office.matches.of(self.sender)))
        return at if len(at) == 1 else found

    def _names_position_of(self, path: str) -> bool:
        """Does the mail name, by number and digits, a position that this match is or was at?"""
        named = [
            (ply, mark) for ply, mark in self.mail.message.positions if None not in (ply, mark)
        ]
        match = self.office.matches.look(path) if named else None
        return match is not None and any(
            match.position.fits(*each) or last_at(match.log, *each) is not None for each in named
        )

    @cached_property
    def found(self) -> list[Meant]:
        """These matches, each with who wrote the mail."""
        return [self.meant_in(path) for path in self.paths]

    @cached_property
    def known(self) -> list[Meant]:
        """Those in which the writer is known to be a player."""
        return [each for each in self.found if each.writer.seats]

    @property
    def meant(self) -> Meant:
        """The one match it is for."""
        [match] = self.known
        return match

    def meant_in(self, path: str) -> Meant:
        """A match the mail may be for, with who wrote the mail. Raises Problem."""
        match, desk = self.office.matches.open(path)
        book, name = self.office.book, match_name(path)
        if book.knows(name):
            book.detect_replacement(name, match.log)
        try:
            message = authorship.checked(self.mail.message, desk)
            writer = authorship.writer(match, message, desk)
        except Usage as problem:  # the fault is in the match's set-up, not in the mail
            raise BadFile("{problem}", desk.path, problem=problem.sentence) from problem
        # Its signatures have been checked: nobody need ask the net again.
        message = message._replace(domains=message.domains or ())
        reading = Reading.of(match, message, writer, desk, self.office.here.clock())
        return Meant(self, path, reading)

    def theirs(self) -> dict[str, tuple[Seat, ...]]:
        """All matches in which the sender is known, as surely as each requires, to be a player."""
        found: dict[str, tuple[Seat, ...]] = {}
        for path in self.office.matches.of(self.sender):
            try:
                found[path] = self.meant_in(path).writer.seats
            except Problem:
                continue  # its files are in trouble: `pbem status` tells the moderator
        return {path: seats for path, seats in found.items() if seats}

    @property
    def holds_order(self) -> bool:
        """Does it hold a filled block, or a line that is a move in a match of its sender?"""
        message, matches = self.mail.message, self.office.matches
        if not message.orders or message.fenced:
            return bool(message.orders)
        tables = map(matches.look, matches.of(self.sender))
        return any(says(table, line) for table in tables for line in message.orders)

    # --------------------------------------------------------------------------- answers

    def letter(self, sentence: Sentence | None = None, **more: Any) -> Letter:
        """A few sentences to the sender, with what `more` the fields of a letter say."""
        to = Person(self.sender)
        return Letter(name="", to=to, sentence=sentence, answered=self.mail.envelope, **more)

    def answered(self, handling: Handling, sentence: Sentence | None, **more: Any) -> Handling:
        """The handling with a letter to the sender, unless that would argue with a machine or feed
        a flood; the last of a day says that it is."""
        return self.answered_by(handling, self.letter(sentence, **more))

    def answered_by(self, handling: Handling, letter: Letter) -> Handling:
        """The same with this letter."""
        unread = self.unopened(handling.verdict, letter.refused)
        last = _LAST_ANSWER if handling.settled and self._answers_left(handling) == 1 else None
        if unread or last:
            letter = replace(letter, sentence=paragraphs(letter.sentence, unread, last))
        return self.quiet(handling) or replace(handling, letters=(letter,), refusal=True)

    def _answers_left(self, handling: Handling) -> int:
        """How many mails like this one are answered today, this one included."""
        sender, at = self.mail.envelope.sender or "", self.office.here.clock()
        place = match_name(handling.path), sender, handling.settled, at
        return self.office.most - self.office.book.refusals(*place)

    def unopened(self, verdict: Verdict, answer: Answer | None) -> Sentence | None:
        """What is said of files that came with a mail in which no move can be read."""
        names = self.mail.said.attached if self.mail.said else ()
        if not names or verdict not in (Verdict.PASSED_ON, Verdict.REFUSED):
            return None
        if answer and (answer.steps or answer.proposal or isinstance(answer.reason, Violation)):
            return None
        return say(_ATTACHED, names=", ".join(names)[:_SHOWN])

    def quiet(self, handling: Handling) -> Handling | None:
        """What is done about a mail that must not be answered; None if it may be."""
        sentence = handling.why or say("{verdict}", verdict=handling.verdict)
        if self.mail.envelope.machine:
            why = say("{told} (not answered: it came through a list)", told=sentence)
            return replace(handling.put_aside(), why=why)
        if self._answers_left(handling) <= 0:
            pattern = _ENOUGH if handling.settled else _ENOUGH_STRANGERS
            why = say(pattern, told=sentence, n=self.office.most)
            return replace(handling.put_aside(), why=why)
        return None


_SHOWN: Final = 200  # characters of the names of files
_ATTACHED: Final = (
    "I can't read what is attached ({names}). If your move stands there, write it in the mail "
    "itself."
)
FROM_THEM: Final = say(
    "Your mail was passed on to the moderator. You'll hear from them, not from the desk."
)
_ARRIVED: Final = (
    "{why}. Your mail arrived on {at}, before a move was played for you because you were silent. "
    "The moderator has been told, and can take that move back"
)
_SILENT: Final = (
    "{why}. A move was played for you on {at}, because none of yours had come. Go on with your "
    "next turn"
)
_LAST_ANSWER: Final = say(
    "Many mails of yours were answered today, and this is the last answer. What you write today "
    "from now on is put aside for the moderator."
)
_TOO_LATE: Final = (
    "for you: this mail arrived on {at}, before a move was played for its silent sender; "
    "`pbem rule LOG takeback` can take that back"
)
_ENOUGH: Final = "{told} (not answered: {n} [mail|mails] of this player [was|were] refused today)"
_ENOUGH_STRANGERS: Final = (
    "{told} (not answered: {n} [mail of a stranger was|mails of strangers were] answered today)"
)
