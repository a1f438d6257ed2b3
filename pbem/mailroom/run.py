"""One mail after the other: judged, answered, noted, put away.

One path for one mail and for ten thousand. The order of writing makes it safe to be killed
anywhere: first the log, then what is about to be told to whom, then the answers, under names that
follow from what they tell, then the journal; last the mail is put away. Whatever is missing is made
again the next time: what a mail brought about can be told from the log, and an answer that is there
is not written twice. When all mails have been read, everybody is told what they do not know yet,
whoever entered it.

Each mail is a world of its own: whatever fails between opening it and writing its answers costs
that mail alone. It is put aside with the reason, and the next one is read. Only where files of a
match stand in the way does a mail wait. What is to be done about a mail is the clerk's decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from pbem.core import Busy, CannotWrite, Problem, Seat
from pbem.desk.address import Address
from pbem.desk.append import Now
from pbem.desk.bench import Circumstances
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk
from pbem.files import store, yamlio
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.mailroom import door, envelope, news
from pbem.mailroom.aside import Shelved
from pbem.mailroom.clerk import MAILS_FAULT, SEEN
from pbem.mailroom.incoming import Mail, mistake, opened
from pbem.mailroom.journal import Journal, Record
from pbem.mailroom.office import REFUSALS, Plan, unwritten
from pbem.mailroom.outbox import Outbox, Slip
from pbem.mailroom.outgoing import OutgoingMail
from pbem.mailroom.reception import Reception
from pbem.mailroom.sources import Item, Letterbox
from pbem.matches.folder import FOLDER, match_name, stamp, stamps
from pbem.matches.matches import Matches
from pbem.matches.runs import Runs
from pbem.matches.told import Told, mark
from pbem.report import compose
from pbem.report.html import Paint
from pbem.sentence import Counted, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """What came of a mail. `verdict` is the desk's, or: seen, stranger, unclear, unreadable,
    unproven, overtaken, waiting, withdrawn, asked, said, resigned, vacated, passed-on, absent,
    present, away, auto, bounce, bulk, list, own, failed, waits. Or what time has brought: planned,
    late, silence, ask, reminder, unreminded. Or what was found in a log: replaced.

    `why` may be read by a moderator who plays: it rests on nobody's hand."""

    verdict: str
    sender: str = ""
    match: str = ""
    seat: Seat = ""
    ply: int = 0
    answers: tuple[str, ...] = ()
    why: str = ""


class Mailroom:
    """Works through mails for the matches of a folder."""

    def __init__(
        self,
        matches: str,
        outbox: Outbox,
        sender: Address,
        clock: Now,
        *,
        refusals: int = REFUSALS,
        wait: float = 10.0,
        paint: Paint | None = None,
        posted: bool = False,
    ) -> None:
        self.posted = posted
        """Whether a postman sends what is written; else it is out when it lies there."""
        self.matches, self.wait = Matches(matches), wait
        self.folder = os.path.join(matches, FOLDER)
        self.outbox, self.address, self.clock = outbox, sender, clock
        self.here = Circumstances(clock, compose.rehearse, wait)
        self.told = Told(matches, self._wrote)
        self.runs = Runs(matches, outbox.holds)
        self.journal, self.aside = Journal(self.folder), Shelved(self.folder)
        self.read_to = ""
        """The moment up to which the mailbox was read to its end, "" if it was not."""
        self.held_up: dict[str, float] = {}
        """When the oldest mail that waits came, by match; one that may be for any under ""."""
        self.clerk = Reception(
            self.matches,
            self.journal,
            self.told,
            sender,
            clock,
            refusals=refusals,
            wait=wait,
            paint=paint,
        )

    def run(self, letterbox: Letterbox) -> Iterator[Handled]:
        """Handle every mail there is, the first to arrive first. Raises Problem where the mailbox
        or the mailroom's own files fail; what has been done until then is done."""
        self.clerk.stuck = set()
        self.read_to, self.held_up = "", {}
        left: list[Problem] = []
        begun = self.clock()
        for item in letterbox:
            handled = self.handle(item, begun)
            if handled.verdict != "waits":
                try:
                    letterbox.done(item)
                except Busy:
                    raise
                except Problem as problem:
                    left.append(problem)
            yield handled
        self.read_to = begun
        if left:
            raise Busy(
                Counted(
                    "{n} mail has been dealt with but stays in the mailbox: {problem}",
                    "{n} mails have been dealt with but stay in the mailbox; the first: {problem}",
                ),
                n=len(left),
                problem=left[0],
            )

    def handle(self, item: Item, begun: str) -> Handled:
        """Judge one mail that lay there when the run had begun, write what is to be answered, and
        note it. Raises Problem."""
        mail = opened(item, self.address, begun)
        # One mail at a time, whoever works here: else two processes could answer the same one.
        with self.alone():
            if self.journal.knows(mail.settled_id) or self.journal.knows(mail.raw_id):
                return self._seen(mail)
            self.matches.refresh()
            try:
                plan = self.clerk.consider(mail)
            except MAILS_FAULT as problem:
                plan = door.failed(self.clerk, mail, problem)
            except Problem as problem:
                return self._wait(mail, problem)
            except OSError as error:
                return self._wait(mail, CannotWrite("{error}", error=error.strerror or error))
            except Exception as error:
                plan = door.failed(self.clerk, mail, mistake(error))
            return self._carry_out(mail, plan)

    def tell(self) -> Iterator[Handled | Problem]:
        """Tell every person what they have not been told, in one mail each; gives what stands in
        the way of that, and goes on with the others. Of a log that was replaced it tells the
        moderator, too. Raises Problem where the mailroom's own files fail."""
        with self.alone():
            found = sorted(stamps(self.matches.folder).items())
            changed = [path for path, each in found if self.told.has_news(match_name(path), each)]
        for path in changed:
            with self.alone():
                replaced = False
                try:
                    troubles, replaced = self._tell(path)
                except Problem as problem:
                    troubles = [problem]
                except OSError as error:
                    troubles = [CannotWrite("{error}", path, error=error.strerror or error)]
                self._note_untold(match_name(path), troubles)
            yield from troubles
            if replaced:
                yield Handled(verdict="replaced", match=match_name(path), why=str(_REPLACED))

    def _note_untold(self, match: str, troubles: list[Problem]) -> None:
        """Keep what stands in the way of telling something, as long as it does."""
        key = envelope.digest(f"told {match}".encode())
        if troubles:
            self.aside.waits(key, match, "; ".join(map(str, troubles)))
        else:
            self.aside.no_longer_waits(key)

    def _tell(self, path: str) -> tuple[list[Problem], bool]:
        """Tell what is new in a match, unless that has been done meanwhile; gives what stands in
        the way of a mail, and whether all know now that its log was replaced. Raises Problem,
        OSError."""
        match, now_stamp = match_name(path), stamp(os.stat(path))
        if not self.told.has_news(match, now_stamp):
            return [], False
        if not self.told.knows(match):
            log = Log.parse(yamlio.read_text(path), path, remember=False)
            if not self.told.meet(match, log, now_stamp):
                return [], False
        now, desk = self.matches.open(path)
        troubles: list[Problem] = []
        entries, people = len(now.log.entries), news.people(now, desk)
        self.told.compare(match, now.log)
        replaced = self.told.replaced(match)
        written: list[str] = []
        for person in people:
            # Planned before a crash: the same mail is made for the same entries. An answer is not:
            # it is made when its mail is read again.
            span = self.told.owed(match, person.address)
            if span is not None and not span.name.endswith(news.ANSWER):
                owed = news.Owed(person=person, span=span, replaced=replaced)
                troubles += self._write(owed, now, desk, written)
        found = [news.news(now, person, self.told) for person in people]
        new = [each for each in found if each.replaced or each.span.since < entries]
        self.told.plan(match, {each.person.address: each.span for each in new})
        for each in new:
            troubles += self._write(each, now, desk, written)
        if not troubles:
            self.told.settle(match, entries, now_stamp, mark(now.log, entries))
        elif written:
            self.told.wrote(match, written)
        return troubles, replaced and not troubles

    def _write(
        self, owed: news.Owed, now: Match, desk: Desk, written: list[str]
    ) -> Iterator[Problem]:
        """Write a person's mail, and note its name among those written, or give what stands in its
        way."""
        clerk = self.clerk
        try:
            mail = news.mail(owed, now, desk, clerk.sender, seen_by=self.matches.seen_by)
            self._put(mail, mail.sealed())
        except Problem as problem:
            yield problem
        except Exception as error:
            yield mistake(error)
        else:
            written.append(mail.name)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else works here meanwhile, and what others have written is known."""
        with store.lock(self.told.path, self.wait):
            self.journal.refresh()
            self.told.refresh()
            self.runs.refresh()
            yield

    def _put(self, mail: OutgoingMail, data: bytes) -> None:
        """Write a mail to the outbox. Raises Problem."""
        if mail.notice and not self.posted:
            self.runs.went_out(mail.to, mail.notice, self.clock())
        self.outbox.put(mail, data)

    def delivered(self, name: str, slip: Slip, why: str) -> None:
        """Take note of a letter that went out. One that never will, for this reason, is put aside
        for the moderator like a bounce. Raises Problem."""
        with self.alone():
            if not why:
                if slip.notice:
                    self.runs.went_out(slip.to, slip.notice, self.clock())
                return
            mail_id = envelope.digest(f"failed {name}".encode())
            if not self.journal.knows(mail_id):
                told = str(say(_FAILED, address=slip.to, why=why))
                mail = f"From: {self.address}\nX-Failed-Recipients: {slip.to}\n\n{why}\n"
                self.aside.put(mail_id, slip.match, mail.encode(errors="replace"), told)
                self.journal.add(
                    Record(
                        mail=mail_id,
                        at=self.clock(),
                        verdict="bounce",
                        sender=slip.to,
                        match=slip.match,
                        why=told,
                    )
                )

    def _wrote(self, name: str) -> bool:
        """Was an answer of this name written before?"""
        return self.journal.wrote(name) or self.outbox.holds(name)

    def _seen(self, mail: Mail) -> Handled:
        """A mail that was dealt with before: nothing happens."""
        self.aside.no_longer_waits(mail.raw_id)
        return Handled(verdict=SEEN, sender=mail.envelope.sender or "")

    def _wait(self, mail: Mail, problem: Problem) -> Handled:
        """The files stand in the way: the mail stays where it is until they have been mended."""
        self.clerk.stuck.add(problem.path.removesuffix(SUFFIX).removesuffix(LOG_SUFFIX))
        path = self.matches.named(mail.named) if mail.named else None
        match, arrival = match_name(path or problem.path), mail.item.arrival
        whose = match if path else ""
        self.held_up[whose] = min(self.held_up.get(whose, arrival), arrival)
        self.aside.waits(mail.raw_id, match, str(problem))
        sender = mail.envelope.sender or ""
        return Handled(verdict="waits", sender=sender, match=match, why=str(problem))

    def _carry_out(self, mail: Mail, plan: Plan) -> Handled:
        """Write the answers and what came of the mail. Raises Problem."""
        mail_id = mail.settled_id if plan.settled else mail.unsettled_id
        if plan.verdict == SEEN or self.journal.knows(mail_id):
            return self._seen(mail)
        spans = {each.person.address: each.span for each in plan.owed}
        self.told.plan(match_name(plan.path), spans)
        written = []
        for answer in plan.mails:
            try:
                data = answer.sealed()
            except Exception as error:
                plan = replace(plan, why=unwritten(plan, error), aside=True)
            else:
                self._put(answer, data)
                written.append(answer.name)
        why = plan.why.text() if plan.why else ""
        if plan.aside:
            self.aside.put(mail_id, match_name(plan.path), mail.item.mail, why)
        handled = Handled(
            verdict=plan.verdict,
            sender=plan.failing or mail.envelope.sender or "",
            match=match_name(plan.path),
            seat=plan.seat,
            ply=plan.ply,
            answers=tuple(written),
            why=str(say(_IN_THE_JOURNAL, path=self.journal.path)) if plan.private else why,
        )
        self.journal.add(
            Record(
                mail=mail_id,
                digest="" if plan.settled else mail.raw_id,
                at=self.clock(),
                verdict=handled.verdict,
                sender=handled.sender,
                match=handled.match,
                seat=handled.seat,
                ply=handled.ply,
                sent=mail.sent,
                answers=handled.answers,
                refusal=plan.refusal,
                settled=plan.settled,
                why=why,
            )
        )
        self.aside.no_longer_waits(mail.raw_id)
        return handled


_REPLACED: Final = say(
    "another copy of the log was put in the place of the one that everybody was told of; they have "
    "been told so, and what it holds"
)
_FAILED: Final = "mails to {address} do not arrive; the server said: {why}"
_IN_THE_JOURNAL: Final = "the reason stands in {path}"
