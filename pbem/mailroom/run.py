"""One mail after the other: judged, answered, noted, put away.

One path for one mail and for ten thousand. The order of writing makes it safe to be killed
anywhere: first the log, then the answers, under names that follow from what they answer, then the
journal; last the mail is put away. Whatever is missing is made again the next time: what a mail
brought about can be told from the log, and an answer that is there is not written twice.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pbem import authorship, intake
from pbem.core import Busy, CannotMake, Denied, Faulty, Problem, Seat, Usage
from pbem.desk.append import Clock
from pbem.desk.file import LOG_SUFFIX, SUFFIX
from pbem.desk.submit import Answer, recall, submit
from pbem.desk.waiting import withdraw
from pbem.files import store
from pbem.intake import Submission
from pbem.mailroom import answers, envelope
from pbem.mailroom.answers import Post, Sender
from pbem.mailroom.aside import FOLDER, Shelved
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.journal import Journal, Record
from pbem.mailroom.outbox import Outbox, put_all
from pbem.mailroom.route import UNKNOWN, AddressBook, Route, route
from pbem.mailroom.sources import Item, Letterbox
from pbem.matches.shelf import Shelf
from pbem.report import compose

REFUSALS: Final = 20
"""So many mails of one address that changed nothing are answered on one day."""

WITHDRAW: Final = "withdraw"
_MAILS_FAULT: Final = (Usage, Denied)
"""The kinds of problem that lie in the mail; all others lie in files and may pass."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of a mail. `verdict` is the desk's, or: seen, stranger, unclear, unreadable,
    unproven, overtaken, withdrawn, away, auto, bounce, bulk, own, waits."""

    verdict: str
    sender: str = ""
    match: str = ""
    seat: Seat = ""
    ply: int = 0
    answers: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail that is being worked on: `said` is what it says, or `trouble` why that is unclear."""

    item: Item
    envelope: Envelope
    said: Submission | None
    trouble: Problem | None
    mark: str

    @property
    def sent(self) -> float:
        """When it was sent: no later than it arrived, whatever the sender's clock says; 0.0 where
        it does not say."""
        return min(self.envelope.sent or 0.0, self.item.arrival)


@dataclass(frozen=True, slots=True)
class _Course:
    """What is to be done: the answers, and why a person must look at the mail, if one must."""

    verdict: str
    posts: tuple[Post, ...] = ()
    path: str = ""
    seat: Seat = ""
    ply: int = 0
    refusal: bool = False
    why: str = ""
    aside: bool = False


class Mailroom:
    """Works through mails for the matches of a folder."""

    def __init__(
        self,
        matches: str,
        outbox: Outbox,
        sender: str,
        clock: Clock,
        *,
        refusals: int = REFUSALS,
        wait: float = 10.0,
    ) -> None:
        self.folder = os.path.join(matches, FOLDER)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise CannotMake(
                "cannot be made: {strerror}", self.folder, strerror=error.strerror
            ) from error
        self.outbox, self.address, self.clock = outbox, sender, clock
        self.most, self.wait = refusals, wait
        self.book, self.shelf = AddressBook(matches), Shelf()
        self.journal, self.aside = Journal(self.folder), Shelved(self.folder)
        self._stuck: set[str] = set()

    def run(self, letterbox: Letterbox) -> Iterator[Handled]:
        """Handle every mail there is, the first to arrive first. Raises Problem where the mailbox
        or the mailroom's own files fail; what has been done until then is done."""
        self._stuck = set()
        for item in letterbox:
            handled = self.handle(item)
            if handled.verdict != "waits":
                letterbox.done(item)
            yield handled

    def handle(self, item: Item) -> Handled:
        """Judge one mail, write what is to be answered, and note it. Raises Problem."""
        mail = self._open(item)
        # One mail at a time, whoever works here: else two processes could answer the same one.
        with store.lock(self.journal.path, self.wait):
            self.journal.refresh()
            if self.journal.knows(mail.mark):
                return Handled("seen", mail.envelope.sender or "")
            self.book.refresh()
            try:
                course = self._consider(mail)
            except Problem as problem:
                return self._wait(mail, problem)
            except Exception as error:
                # A mistake of ours must not keep all other mails from being read. This one stays
                # where it is, is counted by `status`, and is tried again.
                return self._wait(mail, _mistake(error))
            names = put_all(self.outbox, course.posts)
            if course.aside:
                self.aside.put(mail.mark, _name(course.path), item.mail, course.why)
            handled = Handled(
                course.verdict,
                mail.envelope.sender or "",
                _name(course.path),
                course.seat,
                course.ply,
                tuple(names),
                course.why,
            )
            self.journal.add(
                Record(
                    mail.mark,
                    self.clock(),
                    handled.verdict,
                    handled.sender,
                    handled.match,
                    handled.seat,
                    handled.ply,
                    mail.sent,
                    handled.answers,
                    course.refusal,
                    handled.why,
                )
            )
            self.aside.no_longer_waits(mail.mark)
            return handled

    def _open(self, item: Item) -> _Mail:
        outside = envelope.read(item.mail, self.address)
        said = trouble = None
        try:
            said = intake.read(item.mail, "the mail", "mail")
        except Problem as problem:
            trouble = problem
        if said is not None and said.sender != outside.sender:
            # Two readings of one header: nobody can say who wrote this.
            outside = replace(outside, sender=None)
        return _Mail(item, outside, said, trouble, envelope.mark(item.mail, outside, said))

    def _wait(self, mail: _Mail, problem: Problem) -> Handled:
        """The files stand in the way: the mail stays where it is until they have been mended."""
        name = self._named(mail)
        path = self.book.named(name) if name else None
        self._stuck.add(problem.path.removesuffix(SUFFIX).removesuffix(LOG_SUFFIX))
        match = _name(path or problem.path)
        self.aside.waits(mail.mark, match, str(problem))
        return Handled("waits", mail.envelope.sender or "", match, why=str(problem))

    # ------------------------------------------------------------------ what is to be done

    def _consider(self, mail: _Mail) -> _Course:
        """What to do with a mail. Raises Problem if files stand in the way."""
        outside, said = mail.envelope, mail.said
        machine = outside.machine or ("auto" if said and said.automatic else "")
        if machine not in ("", "list"):
            return self._machine(mail, machine)
        if outside.sender is None:
            why = "it names nobody in From who could be answered" + (
                f"; {mail.trouble}" if mail.trouble else ""
            )
            return _Course("unreadable", why=why, aside=True)
        way = route(outside.sender, said, self._named(mail), self.book, self.shelf)
        if way.refusal:
            if machine:
                return self._machine(mail, machine)
            verdict = "stranger" if way.refusal == UNKNOWN else "unclear"
            return self._notice(mail, verdict, way, way.refusal)
        if way.path.removesuffix(LOG_SUFFIX) in self._stuck:
            raise Busy("waits because a mail before it for the same match does", way.path)
        if said is None:
            assert mail.trouble is not None
            text = f"{mail.trouble.message[:1].upper()}{mail.trouble.message[1:]}"
            at = f" (line {mail.trouble.line} of your mail)" if mail.trouble.line else ""
            return self._notice(mail, "unreadable", way, f"Nothing was played. {text}{at}.")
        if [line.text.casefold() for line in said.orders] == [WITHDRAW]:
            return self._withdraw(mail, way)
        if overtaken := self._overtaken(mail, way):
            return overtaken
        return self._judge(mail, way)

    def _judge(self, mail: _Mail, way: Route) -> _Course:
        """The desk's verdict on an order, and what is to be said about it."""
        assert mail.said is not None
        message = replace(mail.said, match=None)  # it has found its match
        try:
            answer = submit(
                way.path,
                message,
                seat=None,
                clock=self.clock,
                wait=self.wait,
                opened=self.shelf.read,
                rehearse=compose.rehearse,
            )
        except Faulty:  # the package stands in the way of this match, whatever its place
            self._stuck.add(way.path.removesuffix(LOG_SUFFIX))
            raise
        except Problem as problem:
            if not isinstance(problem, _MAILS_FAULT):
                raise
            return self._notice(mail, "refused", way, f"Nothing was played: {problem.message}.")
        if answer.verdict == "accepted":
            self.shelf.keep(answer.after)
        if answer.verdict == "duplicate":
            # Played already. If its answers were never written, they are owed all the same.
            answer = recall(*self.shelf.read(way.path), message, self.clock) or answer
        if answer.verdict == "accepted":
            return self._accepted(mail, way, answer)
        return self._refused(mail, way, answer)

    def _accepted(self, mail: _Mail, way: Route, answer: Answer) -> _Course:
        desk = self.shelf.read(way.path)[1]
        person = not mail.envelope.machine
        seen_by = self.shelf.seen_by
        posts = tuple(
            answers.accepted(
                answer,
                desk,
                mail.envelope,
                mail.mark,
                self._sender(),
                receipt=person,
                seen_by=seen_by,
            )
        )
        doubt = answer.writer is not None and not answer.writer.proven
        why = f"known {answer.writer.words}: not verified" if answer.writer and doubt else ""
        return _Course(
            "accepted", posts, way.path, answer.seat or "", answer.after.position[0], why=why
        )

    def _refused(self, mail: _Mail, way: Route, answer: Answer) -> _Course:
        if answer.stranger:
            return self._unproven(mail, way, answer)
        # What was read before proves nothing about when its sender wrote last.
        seat = "" if answer.verdict == "duplicate" else answer.seat or way.seats[0]
        post = answers.refused(
            answer, mail.envelope, mail.mark, self._sender(), seen_by=self.shelf.seen_by
        )
        return self._unless_too_many(
            mail,
            post,
            _Course(
                answer.verdict,
                path=way.path,
                seat=seat,
                ply=answer.before.position[0],
                why=answer.message,
            ),
        )

    def _unproven(self, mail: _Mail, way: Route, answer: Answer) -> _Course:
        """For a mail of which nobody can say who wrote it: not a word about the match. The
        moderator may know, so it is put aside for him."""
        text = f"Your mail was not taken: {answer.message}."
        post = answers.notice(text, None, mail.envelope, mail.mark, self._sender())
        course = _Course("unproven", path=way.path, why=answer.aside, aside=True)
        return self._unless_too_many(mail, post, course)

    def _notice(self, mail: _Mail, verdict: str, way: Route, text: str) -> _Course:
        now = self.shelf.look(way.path) if way.path else None
        post = answers.notice(text, now, mail.envelope, mail.mark, self._sender())
        why = str(mail.trouble) if mail.trouble else text if way.path else verdict
        # A newer mail overtakes an older one only if it is known who wrote it.
        sure = bool(way.path) and self.shelf.read(way.path)[1].policy == "from"
        seat = way.seats[0] if sure else ""
        course = _Course(verdict, path=way.path, seat=seat, why=why)
        return self._unless_too_many(mail, post, course)

    def _unless_too_many(self, mail: _Mail, post: Post, course: _Course) -> _Course:
        """The course with its answer, unless that would argue with a machine or feed a flood."""
        sender = mail.envelope.sender or ""
        if mail.envelope.machine:
            return replace(
                course, aside=True, why=f"{course.why} (not answered: it came through a list)"
            )
        if self.journal.refusals(sender, self.clock()) >= self.most:
            return replace(
                course,
                aside=True,
                why=f"{course.why} (not answered: {self.most} mails "
                "of this address were refused today)",
            )
        return replace(course, posts=(post,), refusal=True)

    def _overtaken(self, mail: _Mail, way: Route) -> _Course | None:
        """The answer to a mail older than one of the same seat that has been read; else None."""
        assert mail.said is not None
        name = _name(way.path)
        newest = max(self.journal.newest(name, seat) for seat in way.seats)
        if not 0.0 < mail.sent < newest:
            return None
        now, desk = self.shelf.read(way.path)
        if recall(now, desk, mail.said, self.clock):
            return None  # it was played before the newer one came
        why = (
            f"this mail was overtaken: you sent it on {_day(mail.sent)}, and one you sent on "
            f"{_day(newest)} was read before it. To be on the safe side nothing of it was played; "
            "if you still mean it, send it again"
        )
        answer = Answer("overtaken", 1, now, now, None, mail.said, message=why)
        return self._refused(mail, way, answer)

    def _withdraw(self, mail: _Mail, way: Route) -> _Course:
        """Take back what is held for the sender, once it is known who that is."""
        assert mail.said is not None
        now, desk = self.shelf.read(way.path)
        message = authorship.checked(replace(mail.said, match=None), desk.register)
        writer = authorship.writer(now, message, desk.register)
        if not writer.seats:
            return self._unproven(
                mail,
                way,
                Answer(
                    "sender",
                    77,
                    now,
                    now,
                    None,
                    message,
                    message=writer.refusal,
                    aside=writer.aside,
                ),
            )
        moves = [
            move
            for seat in writer.seats
            for move in withdraw(way.path, seat, wait=self.wait, opened=self.shelf.read)[1]
        ]
        taken = f"These moves wait no more: {'; '.join(moves)}. " if moves else ""
        course = self._notice(mail, "withdrawn", way, f"{taken}No move of yours is held now.")
        return replace(course, refusal=not moves)

    def _machine(self, mail: _Mail, machine: str) -> _Course:
        """Noted, never answered. An out-of-office reply says of whom it is, if that is known."""
        sender = mail.envelope.sender or ""
        theirs = self.book.of(sender)
        name = self._named(mail)
        path = self.book.named(name) if name else None
        path = path if path in theirs else next(iter(theirs)) if len(theirs) == 1 else ""
        seats = theirs.get(path or "", ())
        # Without a seat: an answer sent by a machine overtakes nobody.
        told = f"out of office: {' and '.join(seats) or sender}" if machine == "away" else machine
        return _Course(machine, path=path or "", why=told)

    # ----------------------------------------------------------------------------- small things

    def _named(self, mail: _Mail) -> str | None:
        """The match a mail names; its subject tells where its text is unreadable."""
        if mail.said is not None:
            return mail.said.match
        from pbem.intake.order import named_in

        return named_in(envelope.decoded(mail.envelope.subject))[0]

    def _sender(self) -> Sender:
        return Sender(self.address, self.clock())


def _name(path: str) -> str:
    """The match of a log or desk file, by its file's name."""
    return os.path.basename(path).removesuffix(LOG_SUFFIX).removesuffix(SUFFIX)


def _mistake(error: Exception) -> Problem:
    from traceback import format_exception

    told = "".join(format_exception(error)[-4:]).strip()
    return Problem("pbem itself made a mistake, please report it: {told}", told=told)


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
