"""What is to be done about a mail: whose it is, for which match, and what is said to whom.

Nothing is said about a match, counted or remembered before it is settled who wrote the mail, as
far as the match asks.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from pbem import authorship
from pbem.authorship import Writer
from pbem.core import BadFile, Busy, Denied, Faulty, Problem, Seat, Usage
from pbem.desk import address as addresses
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.append import Now
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import LOG_SUFFIX
from pbem.desk.recall import recall
from pbem.desk.submit import submit
from pbem.desk.waiting import MOST
from pbem.intake import Submission
from pbem.log.match import Match
from pbem.log.rulings import Default, Ruled
from pbem.mailroom import answers, bounces, news
from pbem.mailroom.answers import Sender
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.journal import STRANGERS, Journal, Quota
from pbem.mailroom.news import Owed
from pbem.mailroom.outgoing import OutgoingMail
from pbem.mailroom.route import AddressBook, route
from pbem.mailroom.sources import Item
from pbem.matches.folder import match_name
from pbem.matches.shelf import Shelf
from pbem.matches.told import Told
from pbem.report import compose
from pbem.report.html import Paint
from pbem.sentence import Counted, Sentence, say

REFUSALS: Final = 20
"""How many mails that change nothing are answered in a day: to each known writer in a match, and
to all strangers together."""

SEEN: Final = "seen"
MAILS_FAULT: Final = (Usage, Denied)
"""The kinds of problem with an order that lie in its mail; all others lie in files and may pass."""

_STRANGER: Final = say(
    "This address is not in the address book of the match your mail is about, so nothing was done "
    "with it. If you play here, write from the address your moderator knows, keep the part of the "
    "subject in square brackets, or ask your moderator to add this address."
)
"""To strangers: the same whether there is such a match or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail that is being worked on: `said` is what it says, or `trouble` why that is unclear;
    `named` is the match it names. Its ids: of all its bytes, and as one whose writer is known or
    is not."""

    item: Item
    envelope: Envelope
    said: Submission | None
    trouble: Problem | None
    named: str | None
    raw_id: str
    settled_id: str
    unsettled_id: str

    @property
    def sent(self) -> float:
        """When it was sent: no later than it arrived, whatever the sender's clock says; 0.0 where
        it does not say."""
        return min(self.envelope.sent or 0.0, self.item.arrival)

    @property
    def message(self) -> Submission:
        """The mail as the desk is to take it once its match is found."""
        if self.said is None:
            return authorship.unread(self.item.mail, self.envelope.sender or "")
        return self.said._replace(match=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done about a mail.

    owed     what people are to be told of the match at once: mails besides these
    settled  whether it is known who wrote it, as far as the match asks
    refusal  whether it is answered although it changed nothing
    why      for the moderator; `private` if it rests on what only a seat may know
    aside    whether a person must look at the mail
    """

    verdict: str
    mails: tuple[OutgoingMail, ...] = ()
    owed: tuple[Owed, ...] = ()
    path: str = ""
    seat: Seat = ""
    ply: int = 0
    settled: bool = False
    refusal: bool = False
    why: Sentence | None = None
    private: bool = False
    aside: bool = False


class Mistake(Problem):
    """A mistake of the program's own, found while it worked on a mail."""


class Settled(NamedTuple):
    """A match a mail is meant for, and who wrote it, as far as that match asks."""

    path: str
    message: Submission
    writer: Writer


class Clerk:
    """Decides about mails. Orders are played on the way; all else is left to the mailroom.

    `stuck` are the matches for which a mail waits: later ones wait behind it.
    """

    def __init__(
        self,
        book: AddressBook,
        journal: Journal,
        told: Told,
        address: Address,
        clock: Now,
        *,
        refusals: int = REFUSALS,
        wait: float = 10.0,
        paint: Paint | None = None,
    ) -> None:
        self.book, self.journal, self.told, self.shelf = book, journal, told, Shelf()
        self.address, self.clock = address, clock
        self.most, self.wait, self.paint = refusals, wait, paint
        self.stuck: set[str] = set()

    def consider(self, mail: Mail) -> Plan:
        """What to do with a mail. Raises Problem if files stand in the way."""
        return self._written(self._decided(mail))

    def _written(self, plan: Plan) -> Plan:
        """The plan with the mails that tell people what they are owed. What stands in the log
        stands there, whatever happens to these."""
        if not plan.owed:
            return plan
        try:
            now, desk = self.shelf.read(plan.path)
            mails = tuple(
                news.mail(each, now, desk, self.sender, seen_by=self.shelf.seen_by)
                for each in plan.owed
            )
        except (Problem, OSError):
            raise  # files stand in the way: what the log says will be told when they have gone
        except Exception as error:
            return replace(plan, owed=(), why=unwritten(plan, error), aside=True)
        return replace(plan, mails=(*mails, *plan.mails))

    def _decided(self, mail: Mail) -> Plan:
        outside, said = mail.envelope, mail.said
        machine = outside.machine or ("auto" if said and said.automatic else "")
        if machine not in ("", "list"):
            return self._machine(mail, machine)
        if outside.sender is None:
            return self._nobodys(mail)
        paths = route(outside.sender, mail.named, self.book, self.shelf)
        if not paths:
            return self._machine(mail, machine) if machine else self._stranger(mail)
        for path in paths:
            if path.removesuffix(LOG_SUFFIX) in self.stuck:
                raise Busy("waits because a mail before it for the same match does", path)
        found = [self._settle(mail, path) for path in paths]
        known = [each for each in found if each.writer.seats]
        if not known:
            return self._unproven(mail, found[0])
        if plan := self._besides(mail, known):
            return plan
        if len(known) > 1:
            return self._unclear(mail, known)
        [match] = known
        if said is None:
            return self._unreadable(mail, match)
        return self._ordered(mail, match)

    def _ordered(self, mail: Mail, match: Settled) -> Plan:
        return self._overtaken(mail, match) or self._judge(mail, match)

    def _besides(self, mail: Mail, known: list[Settled]) -> Plan | None:
        """What is to be done about a mail that is no order, or more than one; None if it is not
        for this clerk to know. `known` are the matches it may be for."""
        return None

    def _settle(self, mail: Mail, path: str) -> Settled:
        """Who wrote a mail, as far as the match asks. Raises Problem."""
        now, desk = self.shelf.read(path)
        name, entries = match_name(path), len(now.log.entries)
        if self.told.knows(name) and not self.told.fits(name, entries):
            self.told.settle(name, entries, 0)  # what an older copy lacks nobody knows any more
        try:
            message = authorship.checked(mail.message, desk.register)
            writer = authorship.writer(now, message, desk.register)
        except Usage as problem:  # how the match is set up, not what the mail says
            raise BadFile("{problem}", desk.path, problem=problem.sentence) from problem
        # What its signatures are worth has been found out: nobody need ask the net again.
        return Settled(path, message._replace(raw=b""), writer)

    def _judge(self, mail: Mail, match: Settled) -> Plan:
        """The desk's verdict on an order, and what is to be said about it."""
        path = match.path
        try:
            answer = submit(
                path,
                match.message,
                seat=None,
                clock=self.clock,
                wait=self.wait,
                opened=self.shelf.read,
                rehearse=compose.rehearse,
            )
        except Faulty:  # the package stands in the way of this match, whatever its place
            self.stuck.add(path.removesuffix(LOG_SUFFIX))
            raise
        except Problem as problem:
            if not isinstance(problem, MAILS_FAULT):
                raise
            told = say("Nothing was played: {problem}.", problem=problem.sentence)
            return self._notice(mail, match, "refused", told)
        if answer.verdict in (Verdict.WAITING, Verdict.WITHDRAWN):
            return self._accepted(mail, match, answer)
        if answer.verdict == Verdict.ACCEPTED:
            self.shelf.keep(answer.after)
            return self._accepted(mail, match, answer)
        if answer.verdict == Verdict.DUPLICATE:
            then = recall(answer, self.shelf.read(path)[1], self.clock)
            if then is not None:
                return self._again(mail, match, then)
        return self._refused(mail, match, answer)

    def _again(self, mail: Mail, match: Settled, then: Answer) -> Plan:
        """For a mail that stands in the log: its answer, if it was never written."""
        plan = self._accepted(mail, match, then)
        # What came through a list has no answer; everybody is told of it as of any other entry.
        if mail.envelope.machine or any(self.journal.wrote(each.span.name) for each in plan.owed):
            return Plan(verdict=SEEN)
        return plan

    def _accepted(self, mail: Mail, match: Settled, answer: Answer) -> Plan:
        """What is answered at once; the others are told when all mails have been read. The order
        stands, whatever happens to these."""
        self._acquaint(match.path, answer.before)
        now, desk = self.shelf.read(match.path)
        since = partial(self.told.since, match_name(match.path))
        return Plan(
            verdict=answer.verdict,
            owed=tuple(news.answers(now, desk, answer, mail.envelope, since, mail.settled_id)),
            path=match.path,
            seat=answer.seat or "",
            ply=answer.after.position[0],
            settled=True,
            why=say(_MORE, n=MOST) if answer.more else match.writer.doubt,
        )

    def _acquaint(self, path: str, now: Match) -> None:
        """In a match that is older than the account of who was told what, all know it as it is."""
        name = match_name(path)
        if not self.told.knows(name):
            self.told.settle(name, len(now.log.entries), 0)

    def _refused(self, mail: Mail, match: Settled, answer: Answer) -> Plan:
        if answer.stranger:  # somebody has changed the desk file meanwhile
            return self._unproven(mail, match._replace(writer=answer.writer or match.writer))
        # Whoever has seen an old code can send it again: it proves nothing any more. And what was
        # read before does not prove when its sender wrote last.
        code = match.writer.position
        settled = code is None or answer.before.position == code
        too_late = settled and _came_before_silence(mail, match, answer)
        if too_late:
            answer = replace(answer, why=say(_ARRIVED, why=answer.why, at=_day(mail.item.arrival)))
        sure = settled and answer.verdict != Verdict.DUPLICATE
        seat = (answer.seat or match.writer.seats[0]) if sure else ""
        plan = Plan(
            verdict=answer.verdict,
            path=match.path,
            seat=seat,
            ply=answer.before.position[0],
            settled=settled,
            why=say("{message}", message=answer.message),
            private=answer.verdict == Verdict.REFUSED,
        )
        if answer.before.outcome is not None and answer.verdict != Verdict.DUPLICATE:
            why = say("for you: it is about a match that is over ({message})", message=plan.why)
            plan = replace(plan, aside=True, why=why, private=False)
        elif too_late:
            plan = replace(plan, aside=True, why=say(_TOO_LATE, at=_day(mail.item.arrival)))
        mail_id = mail.settled_id if settled else mail.unsettled_id
        post = answers.refused(
            answer, mail.envelope, mail_id, self.sender, seen_by=self.shelf.seen_by
        )
        return self._unless_too_many(mail, post, plan)

    def _notice(self, mail: Mail, match: Settled, verdict: str, told: Sentence) -> Plan:
        """A few sentences to a player whose mail changed nothing in a match."""
        now = self.shelf.look(match.path)
        post = answers.notice(told, now, mail.envelope, mail.settled_id, self.sender)
        plan = Plan(
            verdict=verdict,
            path=match.path,
            seat=match.writer.seats[0],
            settled=True,
            why=told,
            private=True,
        )
        return self._unless_too_many(mail, post, plan)

    def _unreadable(self, mail: Mail, match: Settled) -> Plan:
        trouble = mail.trouble
        assert trouble is not None
        if trouble.line:
            told = say(
                "Nothing was played. Line {line} of your mail cannot be read: {trouble}.",
                line=trouble.line,
                trouble=trouble.sentence,
            )
        else:
            told = say(
                "Nothing was played. Your mail cannot be read: {trouble}.", trouble=trouble.sentence
            )
        plan = self._notice(mail, match, "unreadable", told)
        return replace(plan, aside=plan.aside or isinstance(trouble, Mistake))

    def _nobodys(self, mail: Mail) -> Plan:
        """For a mail that cannot be answered."""
        trouble = mail.trouble
        if trouble is None:
            why = say("its From names nobody who could be answered")
        else:
            why = say("its From names nobody who could be answered; {trouble}", trouble=trouble)
        # What is wrong with the text may quote the text.
        private = trouble is not None and mail.item.trouble is None
        return Plan(verdict="unreadable", why=why, private=private, aside=True)

    def _unclear(self, mail: Mail, known: list[Settled]) -> Plan:
        """For a player of several matches whose mail does not say which one it is for."""
        tokens = [f"[{match_name(each.path)} #{self.shelf.position(each.path)}]" for each in known]
        told = say(
            "You play in several matches, and your mail does not say which one it is for. Nothing "
            "was played. Put one of these into the subject and send it again: {tokens:any}",
            tokens=tokens,
        )
        post = answers.notice(told, None, mail.envelope, mail.settled_id, self.sender)
        return self._unless_too_many(mail, post, Plan(verdict="unclear", settled=True))

    def _stranger(self, mail: Mail) -> Plan:
        post = answers.notice(_STRANGER, None, mail.envelope, mail.unsettled_id, self.sender)
        why = say("a stranger, who may want to join: no match here knows the address")
        return replace(
            self._unless_too_many(mail, post, Plan(verdict="stranger", why=why)), aside=True
        )

    def _unproven(self, mail: Mail, match: Settled) -> Plan:
        """For a mail of which nobody can say who wrote it: not a word about the match. The
        moderator may know, so it is put aside for them."""
        writer = match.writer
        told = say("Your mail was not accepted: {why}.", why=writer.refusal)
        post = answers.notice(told, None, mail.envelope, mail.unsettled_id, self.sender)
        why = writer.for_moderator
        plan = Plan(verdict="unproven", path=match.path, why=why, aside=True)
        return self._unless_too_many(mail, post, plan)

    def _unless_too_many(self, mail: Mail, post: OutgoingMail, plan: Plan) -> Plan:
        """The plan with its answer, unless that would argue with a machine or feed a flood."""
        return self._quiet(mail, plan) or replace(plan, mails=(post,), refusal=True)

    def _quiet(self, mail: Mail, plan: Plan) -> Plan | None:
        """What is done about a mail that must not be answered; None if it may be."""
        told = plan.why or say("{verdict}", verdict=plan.verdict)
        if mail.envelope.machine:
            why = say("{told} (not answered: it came through a list)", told=told)
            return replace(plan, aside=True, why=why)
        sender = mail.envelope.sender or ""
        quota = Quota(match_name(plan.path), sender) if plan.settled else STRANGERS
        if self.journal.refusals(quota, self.clock()) >= self.most:
            pattern = _ENOUGH if plan.settled else _ENOUGH_STRANGERS
            why = say(pattern, told=told, n=self.most)
            return replace(plan, aside=True, why=why)
        return None

    def _overtaken(self, mail: Mail, match: Settled) -> Plan | None:
        """The answer to a mail older than one of the same seat that has been read; else None."""
        name = match_name(match.path)
        newest = max(self.journal.newest(name, seat) for seat in match.writer.seats)
        if not 0.0 < mail.sent < newest:
            return None
        now, desk = self.shelf.read(match.path)
        if duplicate_of(now, desk, match.message, match.writer):
            return None  # it was played before the newer one came
        why = say(
            "This mail was overtaken: you sent it on {sent}, and one you sent on {newest} was read "
            "before it. To be on the safe side nothing of it was played; if you still mean it, "
            "send it again",
            sent=_day(mail.sent),
            newest=_day(newest),
        )
        answer = Answer(
            verdict=Verdict.OVERTAKEN,
            before=now,
            after=now,
            said=match.message,
            writer=match.writer,
            why=why,
        )
        return self._refused(mail, match, answer)

    def _machine(self, mail: Mail, machine: str) -> Plan:
        """Noted, never answered. An out-of-office reply says of whom it is, if that is known."""
        path, seats = self._seemingly(mail)
        # Without a seat: an answer sent by a machine overtakes nobody.
        why = say("{machine}", machine=machine)
        if machine == "away":
            who = seats or [mail.envelope.sender or "nobody knows who"]
            why = say("out of office: {who:all}", who=who)
        if machine == "bounce" and (failed := bounces.read(mail.item.mail, self.address)):
            path = self.book.named(failed.match or "") or path
            why = say(
                "a bounce: mails to {address} do not arrive; {whose}",
                address=failed.address,
                whose=self._whose(path, failed.address),
            )
            return Plan(verdict=machine, path=path, why=why, aside=True)
        return Plan(verdict=machine, path=path, why=why)

    def _whose(self, path: str, address: str) -> Sentence:
        """Whose address this is, for the moderator."""
        known = addresses.found(address)
        theirs = self.book.of(known) if known else {}
        seats = theirs.get(path, ())
        if seats:
            return say("in {match} it is that of {seats:all}", match=match_name(path), seats=seats)
        if theirs:
            return say(
                "it is known in {matches:all}", matches=[match_name(each) for each in theirs]
            )
        return say("no match here knows it")

    def failed(self, mail: Mail, problem: Problem) -> Plan:
        """For a mail nobody has foreseen: it is put aside, and not tried again."""
        path, _ = self._seemingly(mail)
        return Plan(verdict="failed", path=path, why=say("{problem}", problem=problem), aside=True)

    def _seemingly(self, mail: Mail) -> tuple[str, tuple[Seat, ...]]:
        """The match a mail seems to be for, and the seats there, by what it says of itself."""
        sender = mail.envelope.sender
        theirs = self.book.of(sender) if sender else {}
        path = self.book.named(mail.named) if mail.named else None
        if path not in theirs:
            path = next(iter(theirs)) if len(theirs) == 1 else ""
        return path or "", theirs.get(path or "", ())

    @property
    def sender(self) -> Sender:
        """Who answers now."""
        return Sender(self.address, self.clock(), self.paint)


_MORE: Final = Counted(
    "{n} plan was played in one run; others may follow the next move",
    "{n} plans were played in one run; others may follow the next move",
)
_ARRIVED: Final = (
    "{why}. Your mail arrived on {at}, before a move was played for you because you were silent. "
    "The moderator has been told, and can take that move back"
)
_TOO_LATE: Final = (
    "for you: this mail arrived on {at}, before a move was played for its silent sender; "
    "`pbem rule LOG takeback` can take that back"
)
_ENOUGH: Final = Counted(
    "{told} (not answered: {n} mail of this player was refused today)",
    "{told} (not answered: {n} mails of this player were refused today)",
)
_ENOUGH_STRANGERS: Final = Counted(
    "{told} (not answered: {n} mail of a stranger was answered today)",
    "{told} (not answered: {n} mails of strangers were answered today)",
)


def _came_before_silence(mail: Mail, match: Settled, answer: Answer) -> bool:
    """Has an order come too late only because a move was played for its sender meanwhile?"""
    if answer.verdict not in (Verdict.STALE, Verdict.WRONG_SENDER) or answer.why is None:
        return False
    arrived = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(mail.item.arrival))
    return any(
        isinstance(entry, Ruled)
        and isinstance(entry.ruling, Default)
        and entry.ruling.seat in match.writer.seats
        and entry.at > arrived
        for entry in reversed(answer.before.log.entries)
    )


def unwritten(plan: Plan, error: Exception) -> Sentence:
    """What the moderator is told where a mail was dealt with, but an answer cannot be written."""
    return say(
        "{match} #{ply}: {verdict}, but not every answer could be written; `pbem show` prints "
        "what is public. {mistake}",
        match=match_name(plan.path) or "-",
        ply=plan.ply,
        verdict=plan.verdict,
        mistake=mistake(error).sentence,
    )


def mistake(error: Exception) -> Mistake:
    """Which mistake, and where. What the program was working on is not told."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[-3:]
    places = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames]
    return Mistake(
        "pbem itself made a mistake, please report it: {kind} at {places:all}",
        kind=type(error).__name__,
        places=places,
    )


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
