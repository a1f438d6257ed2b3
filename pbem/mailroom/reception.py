"""What is to be done about the mails of players that are no orders, or more than an order.

They ask the desk for something, say something to all, or are for a person. Their answers tell what
was understood; what no program can answer is put aside for the moderator, and its sender told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.core import Problem, Seat
from pbem.desk import nearness, outside, press
from pbem.desk.answer import Answer, Verdict
from pbem.desk.withdraw import only_withdraws, withdraw_by
from pbem.intake.requests import MODERATOR, PLACED, STATUS
from pbem.mailroom import news, overview, primer, requests
from pbem.mailroom.answers import Reply
from pbem.mailroom.clerk import SEEN, Clerk
from pbem.mailroom.incoming import Mail
from pbem.mailroom.office import Plan, Settled
from pbem.mailroom.requests import Asked, Upshot
from pbem.sentence import say

PASSED_ON: Final = "passed-on"

_PASSED_ON: Final = say("There is no move in your mail, so it was passed on to the moderator.")
_REST: Final = say("for you: it asks the desk for something, and says more besides")
_UNSAID: Final = say(
    "What you say to all was not passed on either. Send it again with the moves you mean."
)
_NOT_DONE: Final = (
    "What else you ask for was not done: {why}. If you still want it, send it in a mail of its own."
)


class Reception(Clerk):
    """A clerk who knows what people write besides orders."""

    def _besides(self, mail: Mail, known: list[Settled]) -> Plan | None:
        if mail.said is None:
            return None
        if len(known) > 1:
            return self._general(mail, known)
        [match] = known
        if mail.said.requests:
            return self._asked(mail, match)
        if only_withdraws(mail.said):
            return self._withdraw(mail, match)
        return self._passed_on(mail, match)

    def _general(self, mail: Mail, known: list[Settled]) -> Plan | None:
        """For a player of several matches whose mail is about none of them: what it wants to know
        concerns all, or is for a person. None if it must say which one it is for."""
        said = mail.said
        assert said is not None
        plan = Plan(verdict="asked", settled=True, why=say("asked"))
        verbs = {request.verb for request in said.requests}
        if verbs == {STATUS} and not said.orders:
            told = overview.overview(self._matches_of(mail), self.matches)
        elif verbs <= {MODERATOR} and all(
            nearness.for_a_person(self.matches.look(each.path), each.message) for each in known
        ):
            told = say(
                "{passed} If you meant a move, say for which match: answer one of its mails.",
                passed=_PASSED_ON,
            )
            why = say("for you: {sender} writes, about no match", sender=mail.envelope.sender)
            plan = replace(plan, verdict=PASSED_ON, aside=True, why=why)
        else:
            return None
        return self.answered(mail, plan, told=told)

    def _asked(self, mail: Mail, match: Settled) -> Plan:
        """Act on what a mail asks for besides moves, and on its order if it has one."""
        message = match.message
        if message.orders and any(each.verb in PLACED for each in message.requests):
            return self._ordered(mail, match)
        quiet = self.quiet(mail, self._plan(match, "asked"))
        if not message.orders or nearness.for_a_person(self.matches.look(match.path), message):
            plan = self._plan(match, "asked")
            return quiet or self._replied(mail, match, plan, lost=message.orders)
        plan = self._ordered(mail, match)
        if quiet or plan.verdict == SEEN or not plan.settled:
            return plan
        rest = match._replace(message=requests.without_press(message))
        return self._replied(mail, rest, plan)

    def _plan(self, match: Settled, verdict: str) -> Plan:
        """For a mail that moves nothing: it overtakes nobody's order, so it names no seat."""
        return Plan(verdict=verdict, path=match.path, settled=True, why=match.writer.doubt)

    def _replied(self, mail: Mail, match: Settled, plan: Plan, lost: Sequence[object] = ()) -> Plan:
        """The plan with what came of a mail's requests, besides its order if it has one. Lines that
        are `lost`, being neither moves nor requests, are for a person to read."""
        self._acquaint(match.path, self.matches.look(match.path))
        asked = Asked(
            path=match.path,
            message=match.message.less(orders=match.message.orders),
            seat=self._speaks_for(match),
            envelope=mail.envelope,
            matches=self.matches,
            clock=self.clock,
            wait=self.wait,
            all_matches=lambda: self._matches_of(mail),
        )
        found = requests.upshots(asked)
        if isinstance(found, Answer):
            if not (plan.owed or plan.replies):
                return self._refused(mail, match, found)
            found = [Upshot(say(_NOT_DONE, why=found.message))]
        if lost and not any(each.aside for each in found):
            told = say("The rest of your mail was passed on to the moderator.")
            found.append(Upshot(told, aside=_REST))
        if plan.replies and plan.verdict != Verdict.DUPLICATE and press.said(mail.message):
            found.append(Upshot(_UNSAID))
        if not found:
            return plan
        why = next((each.aside for each in found if each.aside), None)
        verdict = next((each.verdict for each in found if each.verdict != "asked"), "asked")
        return replace(
            self._with(plan, found, mail, asked),
            verdict=plan.verdict if match.message.orders and not lost else verdict,
            refusal=True,
            why=why or plan.why,
            aside=plan.aside or why is not None,
        )

    def _with(self, plan: Plan, found: Sequence[Upshot], mail: Mail, asked: Asked) -> Plan:
        """The plan with what its sender is told: in the mail they get about the match anyway, if
        an order of theirs was taken or the log has changed otherwise; else in the reply to their
        order, or in one to what they ask for."""
        now, desk = self.matches.open(asked.path)
        reply = plan.replies[0] if plan.replies else self.reply_to(mail, now)
        owed = plan.owed
        if not owed and any(each.verdict in requests.LOGGED for each in found):
            asks = (mail.envelope, self.told, mail.settled_id, reply.refused)
            owed = tuple(news.asked(now, desk, asked.seat, *asks))
        if any(each.answered for each in owed):  # a letter itself: it brings the board
            told = requests.together([each for each in found if not each.board])
            owed = tuple(replace(each, told=told) if each.answered else each for each in owed)
            return replace(plan, owed=owed, replies=())
        board = next((each.board for each in found if each.board), None)
        replies = [replace(reply, told=requests.together(found))]
        if board == reply.to:
            replies = [replace(each, board=asked.seat) for each in replies]
        elif board is not None:
            replies.append(Reply(to=board, about=now, board=asked.seat))
        return replace(plan, replies=tuple(replies))

    def _speaks_for(self, match: Settled) -> Seat:
        """The seat a mail is from: of those its writer has, the one that is named or asked."""
        seats, said = match.writer.seats, match.message.seat
        awaited = self.matches.look(match.path).awaited
        return said if said in seats else next((s for s in seats if s in awaited), seats[0])

    def _matches_of(self, mail: Mail) -> dict[str, tuple[Seat, ...]]:
        """All matches in which the sender is known to be a player, as far as each asks."""
        found: dict[str, tuple[Seat, ...]] = {}
        for path in self.matches.of(mail.envelope.sender) if mail.envelope.sender else ():
            try:
                found[path] = self._settle(mail, path).writer.seats
            except Problem:
                continue  # its files are in trouble: `pbem status` tells the moderator
        return {path: seats for path, seats in found.items() if seats}

    def _passed_on(self, mail: Mail, match: Settled) -> Plan | None:
        """For a mail of a player in which there is nothing for the desk: a person reads it."""
        now = self.matches.look(match.path)
        if not nearness.for_a_person(now, match.message):
            return None
        seat = self._speaks_for(match)
        if match.message.quoted:
            how = say(
                "If you meant a move: {quoted}.", quoted=outside.in_quotes(match.message.quoted[0])
            )
        else:
            how = primer.how(self.matches.seen_by(now, seat), seat)
        told = say("{passed} {how}", passed=_PASSED_ON, how=how)
        plan = self._plan(match, PASSED_ON)
        why = say("for you: {seats:seats} writes, and there is no move in it", seats=[seat])
        plan = replace(plan, why=why, aside=True)
        return self.answered(mail, plan, about=now, told=told)

    def _withdraw(self, mail: Mail, match: Settled) -> Plan:
        """Take back what waits for the sender, or list it."""
        answer = withdraw_by(match.path, match.message, wait=self.wait, opened=self.matches.read)
        if answer.verdict == Verdict.WAITING:
            return self._accepted(mail, match, answer)
        if answer.verdict != Verdict.WITHDRAWN:
            return self._refused(mail, match, answer)
        moves = [each.text for each in answer.not_played]
        seats = match.writer.seats
        waits = [plan.text for plan in answer.waits if plan.seat in seats and not plan.over]
        if waits:
            told = say(
                "These moves wait no more: {moves}. This still waits: {waits:all}."
                if moves
                else "We already have this mail. This still waits: {waits:all}.",
                moves="; ".join(moves),
                waits=waits,
            )
        else:
            told = say(
                "These moves wait no more: {moves}. No move of yours is held now."
                if moves
                else "No move of yours is held now.",
                moves="; ".join(moves),
            )
        plan = self.notice(mail, match, "withdrawn", told)
        return replace(plan, refusal=plan.refusal and not moves)
