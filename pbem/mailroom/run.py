"""One mail after the other: judged, answered, noted, put away.

One path for one mail and for ten thousand. The order of writing makes it safe to be killed
anywhere: first the log, then the answers, under names that follow from what they answer, then the
journal; last the mail is put away. Whatever is missing is made again the next time: what a mail
brought about can be told from the log, and an answer that is there is not written twice.

Each mail is a world of its own: whatever fails between opening it and writing its answers costs
that mail alone. It is put aside with the reason, and the next one is read. Only where files of a
match stand in the way does a mail wait. What is to be done about a mail is the clerk's decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pbem import intake
from pbem.core import Busy, CannotMake, CannotWrite, Problem, Seat
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.append import Now
from pbem.desk.file import LOG_SUFFIX, SUFFIX
from pbem.files import store
from pbem.intake.order import named_in
from pbem.mailroom import envelope
from pbem.mailroom.aside import FOLDER, Shelved
from pbem.mailroom.clerk import (
    MAILS_FAULT,
    REFUSALS,
    SEEN,
    Clerk,
    Mail,
    Plan,
    match_name,
    mistake,
    unwritten,
)
from pbem.mailroom.journal import Journal, Record
from pbem.mailroom.outbox import Outbox
from pbem.mailroom.route import AddressBook
from pbem.mailroom.sources import Item, Letterbox
from pbem.sentence import Counted, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """What came of a mail. `verdict` is the desk's, or: seen, stranger, unclear, unreadable,
    unproven, overtaken, waiting, withdrawn, away, auto, bounce, bulk, list, own, failed, waits.

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
    ) -> None:
        self.folder = os.path.join(matches, FOLDER)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise CannotMake(
                "cannot be made: {strerror}", self.folder, strerror=error.strerror
            ) from error
        self.outbox, self.address, self.clock = outbox, sender, clock
        self.book, self.wait = AddressBook(matches), wait
        self.journal, self.aside = Journal(self.folder), Shelved(self.folder)
        self.clerk = Clerk(self.book, self.journal, sender, clock, refusals=refusals, wait=wait)

    def run(self, letterbox: Letterbox) -> Iterator[Handled]:
        """Handle every mail there is, the first to arrive first. Raises Problem where the mailbox
        or the mailroom's own files fail; what has been done until then is done."""
        self.clerk.stuck = set()
        left: list[Problem] = []
        for item in letterbox:
            handled = self.handle(item)
            if handled.verdict != "waits":
                try:
                    letterbox.done(item)
                except Busy:
                    raise
                except Problem as problem:
                    left.append(problem)
            yield handled
        if left:
            raise Busy(
                Counted(
                    "{n} mail has been dealt with but stays in the mailbox: {problem}",
                    "{n} mails have been dealt with but stay in the mailbox; the first: {problem}",
                ),
                n=len(left),
                problem=left[0],
            )

    def handle(self, item: Item) -> Handled:
        """Judge one mail, write what is to be answered, and note it. Raises Problem."""
        mail = self._open(item)
        # One mail at a time, whoever works here: else two processes could answer the same one.
        with store.lock(self.journal.path, self.wait):
            self.journal.refresh()
            if self.journal.knows(mail.settled_id) or self.journal.knows(mail.raw_id):
                return self._seen(mail)
            self.book.refresh()
            try:
                plan = self.clerk.consider(mail)
            except MAILS_FAULT as problem:
                plan = self.clerk.failed(mail, problem)
            except Problem as problem:
                return self._wait(mail, problem)
            except OSError as error:
                return self._wait(mail, CannotWrite("{error}", error=error.strerror or error))
            except Exception as error:
                plan = self.clerk.failed(mail, mistake(error))
            return self._carry_out(mail, plan)

    def _open(self, item: Item) -> Mail:
        """A mail taken apart, as far as that can be done."""
        outside, said, trouble, named = envelope.NOTHING, None, item.trouble, None
        raw = item.mail if trouble is None else item.identity.encode(errors="replace") + item.mail
        try:
            if trouble is None:
                outside = envelope.read(item.mail, self.address)
                named = named_in(envelope.decoded(outside.subject))[0]
                said = intake.read(item.mail, "the mail", "mail")
                named = said.match
        except Problem as problem:
            trouble = problem
        except Exception as error:
            trouble = mistake(error)
        if said is not None:
            if address.found(said.sender or "") != outside.sender:
                # Two readings of one header: nobody can say who wrote this.
                outside = replace(outside, sender=None)
            said = replace(said, sender=outside.sender)
        return Mail(
            item=item,
            envelope=outside,
            said=said,
            trouble=trouble,
            named=named,
            raw_id=envelope.digest(raw),
            settled_id=envelope.mail_id(raw, outside, said, settled=True),
            unsettled_id=envelope.mail_id(raw, outside, said, settled=False),
        )

    def _seen(self, mail: Mail) -> Handled:
        """A mail that was dealt with before: nothing happens."""
        self.aside.no_longer_waits(mail.raw_id)
        return Handled(verdict=SEEN, sender=mail.envelope.sender or "")

    def _wait(self, mail: Mail, problem: Problem) -> Handled:
        """The files stand in the way: the mail stays where it is until they have been mended."""
        self.clerk.stuck.add(problem.path.removesuffix(SUFFIX).removesuffix(LOG_SUFFIX))
        path = self.book.named(mail.named) if mail.named else None
        match = match_name(path or problem.path)
        self.aside.waits(mail.raw_id, match, str(problem))
        sender = mail.envelope.sender or ""
        return Handled(verdict="waits", sender=sender, match=match, why=str(problem))

    def _carry_out(self, mail: Mail, plan: Plan) -> Handled:
        """Write the answers and what came of the mail. Raises Problem."""
        mail_id = mail.settled_id if plan.settled else mail.unsettled_id
        if plan.verdict == SEEN or self.journal.knows(mail_id):
            return self._seen(mail)
        written = []
        for answer in plan.mails:
            try:
                data = answer.sealed()
            except Exception as error:
                plan = replace(plan, why=unwritten(plan, error), aside=True)
            else:
                self.outbox.put(answer, data)
                written.append(answer.name)
        why = plan.why.text() if plan.why else ""
        if plan.aside:
            self.aside.put(mail_id, match_name(plan.path), mail.item.mail, why)
        handled = Handled(
            verdict=plan.verdict,
            sender=mail.envelope.sender or "",
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


_IN_THE_JOURNAL: Final = "the reason stands in {path}"
