"""What all who decide about mails have at hand: the matches, what was done and told before, and how
an answer is given, if one may be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import repeat
from typing import Final, NamedTuple

from pbem.authorship import Writer
from pbem.core import Problem, Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer
from pbem.desk.append import Now
from pbem.intake import Submission
from pbem.log.match import Match
from pbem.mailroom import news
from pbem.mailroom.answers import Reply
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.incoming import Mail, mistake
from pbem.mailroom.journal import STRANGERS, Journal, Quota
from pbem.mailroom.letterhead import Sender
from pbem.mailroom.news import Owed
from pbem.mailroom.outgoing import OutgoingMail
from pbem.matches.folder import match_name
from pbem.matches.matches import Matches
from pbem.matches.told import Told
from pbem.report.html import Paint
from pbem.sentence import Counted, Sentence, say

REFUSALS: Final = 20
"""How many mails that change nothing are answered in a day: to each known writer in a match, and
to all strangers together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done about a mail.

    owed     what people are to be told of the match at once
    replies  what else its sender is told, in one mail to an address
    mails    all these as they go out
    settled  whether it is known who wrote it, as far as the match asks
    refusal  whether it is answered although it changed nothing
    why      for the moderator; `private` if it rests on what only a seat may know
    aside    whether a person must look at the mail
    failing  the address to which mails do not arrive, by a bounce
    """

    verdict: str
    owed: tuple[Owed, ...] = ()
    replies: tuple[Reply, ...] = ()
    mails: tuple[OutgoingMail, ...] = ()
    path: str = ""
    seat: Seat = ""
    ply: int = 0
    settled: bool = False
    refusal: bool = False
    why: Sentence | None = None
    private: bool = False
    aside: bool = False
    failing: Address | None = None


class Settled(NamedTuple):
    """A match a mail is meant for, and who wrote it, as far as that match asks."""

    path: str
    message: Submission
    writer: Writer


class Office:
    """The matches, a journal, and an account of who was told what. `address`
    is the desk's own; `refusals` is how many mails of a writer are answered that change nothing.

    `stuck` are the matches for which a mail waits: later ones wait behind it.
    """

    def __init__(
        self,
        matches: Matches,
        journal: Journal,
        told: Told,
        address: Address,
        clock: Now,
        *,
        refusals: int = REFUSALS,
        wait: float = 10.0,
        paint: Paint | None = None,
    ) -> None:
        self.matches, self.journal, self.told = matches, journal, told
        self.address, self.clock = address, clock
        self.most, self.wait, self.paint = refusals, wait, paint
        self.stuck: set[str] = set()

    def written(self, mail: Mail, plan: Plan) -> Plan:
        """The plan with its mails as they go out. Raises Problem."""
        mail_id = mail.settled_id if plan.settled else mail.unsettled_id
        mails: list[OutgoingMail] = []
        try:
            mails += map(self._news, repeat(plan.path), plan.owed)
        except (Problem, OSError):
            raise  # files stand in the way: what the log says will be told when they have gone
        except Exception as error:  # what stands in the log stands there all the same
            plan = replace(plan, owed=(), why=unwritten(plan, error), aside=True)
        mails += (self._reply(mail.envelope, mail_id, each) for each in plan.replies)
        return replace(plan, mails=tuple(mails))

    def _news(self, path: str, owed: Owed) -> OutgoingMail:
        """The mail that tells somebody what they are owed. Raises Problem."""
        now, desk = self.matches.open(path)
        return news.mail(owed, now, desk, self.sender, seen_by=self.matches.seen_by)

    def _reply(self, envelope: Envelope, mail_id: str, reply: Reply) -> OutgoingMail:
        """The mail that a mail is answered with. Raises Problem."""
        desk = self.matches.open(reply.about.log.path)[1] if reply.board and reply.about else None
        return reply.mail(envelope, mail_id, self.sender, desk, seen_by=self.matches.seen_by)

    def notice(self, mail: Mail, match: Settled, verdict: str, told: Sentence) -> Plan:
        """A few sentences to a player whose mail changed nothing in a match."""
        now = self.matches.look(match.path)
        plan = Plan(
            verdict=verdict,
            path=match.path,
            seat=match.writer.seats[0],
            settled=True,
            why=told,
            private=True,
        )
        return self.answered(mail, plan, about=now, told=told)

    def answered(
        self,
        mail: Mail,
        plan: Plan,
        *,
        about: Match | None = None,
        refused: Answer | None = None,
        told: Sentence | None = None,
    ) -> Plan:
        """The plan with a reply to the sender, unless that would argue with a machine or feed a
        flood."""
        reply = replace(self.reply_to(mail, about), refused=refused, told=told)
        return self.quiet(mail, plan) or replace(plan, replies=(reply,), refusal=True)

    def reply_to(self, mail: Mail, about: Match | None) -> Reply:
        """A reply to the sender of a mail that says nothing yet."""
        assert mail.envelope.sender is not None
        return Reply(to=mail.envelope.sender, about=about)

    def quiet(self, mail: Mail, plan: Plan) -> Plan | None:
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

    @property
    def sender(self) -> Sender:
        """Who answers now."""
        return Sender(self.address, self.clock(), self.paint)


_ENOUGH: Final = Counted(
    "{told} (not answered: {n} mail of this player was refused today)",
    "{told} (not answered: {n} mails of this player were refused today)",
)
_ENOUGH_STRANGERS: Final = Counted(
    "{told} (not answered: {n} mail of a stranger was answered today)",
    "{told} (not answered: {n} mails of strangers were answered today)",
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
