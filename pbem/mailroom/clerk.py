"""What is to be done about a mail: whose it is, for which match, and what is said to whom.

Nothing is said about a match, counted or remembered before it is settled who wrote the mail, as
far as the match asks.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from pbem import authorship
from pbem.core import BadFile, Busy, Denied, Faulty, Problem, Usage
from pbem.desk.answer import Answer, Verdict
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import LOG_SUFFIX
from pbem.desk.recall import recall
from pbem.desk.submit import submit
from pbem.desk.waiting import MOST
from pbem.log.match import Match
from pbem.log.rulings import Default, Ruled
from pbem.mailroom import door, news
from pbem.mailroom.incoming import Mail, Mistake
from pbem.mailroom.office import Office, Plan, Settled
from pbem.matches.folder import match_name
from pbem.report import compose
from pbem.sentence import Counted, say

SEEN: Final = "seen"
MAILS_FAULT: Final = (Usage, Denied)
"""The kinds of problem with an order that lie in its mail; all others lie in files and may pass."""


class Clerk(Office):
    """Decides about mails. Orders are played on the way; all else is left to the mailroom."""

    def consider(self, mail: Mail) -> Plan:
        """What to do with a mail. Raises Problem if files stand in the way."""
        return self.written(mail, self._decided(mail))

    def _decided(self, mail: Mail) -> Plan:
        outside, said = mail.envelope, mail.said
        machine = outside.machine or ("auto" if said and said.automatic else "")
        if machine not in ("", "list"):
            return door.machine(self, mail, machine)
        if outside.sender is None:
            return door.nobodys(mail)
        paths = self.matches.meant(outside.sender, mail.named)
        if not paths:
            return door.machine(self, mail, machine) if machine else door.stranger(self, mail)
        for path in paths:
            if path.removesuffix(LOG_SUFFIX) in self.stuck:
                raise Busy("waits because a mail before it for the same match does", path)
        found = [self._settle(mail, path) for path in paths]
        known = [each for each in found if each.writer.seats]
        if not known:
            return door.unproven(self, mail, found[0])
        if plan := self._besides(mail, known):
            return plan
        if len(known) > 1:
            return door.unclear(self, mail, known)
        [match] = known
        if said is None:
            return self._unreadable(mail, match)
        return self._ordered(mail, match)

    def _ordered(self, mail: Mail, match: Settled) -> Plan:
        # A mail may be for another match, too, for which it proves too little.
        sender = mail.envelope.sender
        if sender and mail.named is None and len(self.matches.meant(sender, None)) > 1:
            return door.unclear(self, mail, [match])
        return self._overtaken(mail, match) or self._judge(mail, match)

    def _besides(self, mail: Mail, known: list[Settled]) -> Plan | None:
        """What is to be done about a mail that is no order, or more than one; None if it is not
        for this clerk to know. `known` are the matches it may be for."""
        return None

    def _settle(self, mail: Mail, path: str) -> Settled:
        """Who wrote a mail, as far as the match asks. Raises Problem."""
        now, desk = self.matches.open(path)
        if self.told.knows(match_name(path)):
            self.told.compare(match_name(path), now.log)
        try:
            message = authorship.checked(mail.message, desk.register)
            writer = authorship.writer(now, message, desk.register)
        except Usage as problem:  # how the match is set up, not what the mail says
            raise BadFile("{problem}", desk.path, problem=problem.sentence) from problem
        # What its signatures are worth has been found out: nobody need ask the net again.
        return Settled(path, message._replace(domains=message.domains or ()), writer)

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
                opened=self.matches.read,
                rehearse=compose.rehearse,
            )
        except Faulty:  # the package stands in the way of this match, whatever its place
            self.stuck.add(path.removesuffix(LOG_SUFFIX))
            raise
        except Problem as problem:
            if not isinstance(problem, MAILS_FAULT):
                raise
            told = say("Nothing was played: {problem}.", problem=problem.sentence)
            return self.notice(mail, match, "refused", told)
        if answer.verdict in (Verdict.WAITING, Verdict.WITHDRAWN):
            return self._accepted(mail, match, answer)
        if answer.verdict == Verdict.ACCEPTED:
            self.matches.keep(answer.after)
            return self._accepted(mail, match, answer)
        if answer.verdict == Verdict.DUPLICATE:
            then = recall(answer, self.matches.open(path)[1], self.clock)
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
        now, desk = self.matches.open(match.path)
        return Plan(
            verdict=answer.verdict,
            owed=tuple(news.answers(now, desk, answer, mail.envelope, self.told, mail.settled_id)),
            path=match.path,
            seat=answer.seat or "",
            ply=answer.after.position[0],
            settled=True,
            why=say(_MORE, n=MOST) if answer.more else match.writer.doubt,
        )

    def _acquaint(self, path: str, now: Match) -> None:
        """In a match that is older than the account of who was told what, all know it as it is."""
        if not self.told.knows(match_name(path)):
            self.told.meet(match_name(path), now.log)

    def _refused(self, mail: Mail, match: Settled, answer: Answer) -> Plan:
        if answer.stranger:  # somebody has changed the desk file meanwhile
            return door.unproven(self, mail, match._replace(writer=answer.writer or match.writer))
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
        return self.answered(mail, plan, about=answer.before, refused=answer)

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
        plan = self.notice(mail, match, "unreadable", told)
        return replace(plan, aside=plan.aside or isinstance(trouble, Mistake))

    def _overtaken(self, mail: Mail, match: Settled) -> Plan | None:
        """The answer to a mail older than one of the same seat that has been read; else None."""
        name = match_name(match.path)
        newest = max(self.journal.newest(name, seat) for seat in match.writer.seats)
        if not 0.0 < mail.sent < newest:
            return None
        now, desk = self.matches.open(match.path)
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


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
