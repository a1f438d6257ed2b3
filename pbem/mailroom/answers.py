"""What the sender of a mail is told that changed nothing, in one mail: why an order was not played,
what came of what else they asked for, and their letter again.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.file import Desk
from pbem.log.match import Match
from pbem.mailroom import news
from pbem.mailroom.envelope import Envelope
from pbem.mailroom.letterhead import Sender, Written, compose_mail, next_up
from pbem.mailroom.outgoing import OutgoingMail
from pbem.report import compose
from pbem.report.compose import SeenBy
from pbem.report.facts import Report
from pbem.report.refusal import refused, rejection, unknown_to
from pbem.sentence import Sentence, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a mail is answered with, to this address.

    about    the match it is about, None for none or several
    refused  what came of an order in it that was not played
    told     what else there is to say
    board    the seat whose letter is asked for, of the person at this address
    """

    to: Address
    about: Match | None = None
    refused: Answer | None = None
    told: Sentence | None = None
    board: Seat | None = None

    @property
    def _kind(self) -> str:
        """How the mail's name ends."""
        return "refusal" if self.refused else "letter" if self.board else "notice"

    @property
    def _subject(self) -> Sentence:
        if self.about is None:
            return say("Your mail was not understood")
        up = next_up(self.about)
        if self.refused is None:
            return (
                say("For {seat} alone; {next_up}", seat=self.board, next_up=up)
                if self.board
                else say("An answer to your mail; {next_up}", next_up=up)
            )
        again = self.refused.verdict == Verdict.DUPLICATE
        return say("Read before; {next_up}" if again else "Not played; {next_up}", next_up=up)

    def mail(
        self,
        envelope: Envelope,
        mail_id: str,
        sender: Sender,
        desk: Desk | None = None,
        *,
        seen_by: SeenBy = Match.seen_by,
    ) -> OutgoingMail:
        """The mail that says so. A board needs the desk file."""
        return compose_mail(
            f"{mail_id}.{self._kind}",
            self.to,
            self._subject,
            self._written(sender, desk, seen_by),
            sender,
            about=self.about,
            answered=envelope if self.to == envelope.sender else None,
        )

    def _written(self, sender: Sender, desk: Desk | None, seen_by: SeenBy) -> Written:
        now = self.about
        told = self.told.text(now.players if now else {}) if self.told else ""
        if now is None or not (self.refused or self.board):
            return Written(told)
        if self.board is None:
            assert self.refused is not None
            return sender.written(rejection(self.refused, asked=told, seen_by=seen_by))
        assert desk is not None
        person = news.Person(self.to, (self.board,))
        return sender.written(
            self._letter(now, self.board, told, desk, seen_by),
            news.pictured(person, now, desk, seen_by) if sender.paint else None,
        )

    def _letter(self, now: Match, seat: Seat, told: str, desk: Desk, seen_by: SeenBy) -> Report:
        since = compose.known_before_last_turn(now)
        if self.refused is None:
            return compose.letter(now, seat, since, asked=told, desk=desk, seen_by=seen_by)
        since = min(since, unknown_to(self.refused))
        letter = compose.letter(now, seat, since, asked=told, desk=desk, seen_by=seen_by)
        return letter._replace(refusal=refused(self.refused, seen_by=seen_by))
