"""A message before the desk, and what came of it: the verdict, and everything there is to say about
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pbem.core import Refused, Seat
from pbem.desk.authorship import Writer
from pbem.desk.file import Desk
from pbem.desk.plans.model import Plan
from pbem.intake import Submission, plan
from pbem.intake.asking import agreement
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.sentence import Sentence


class Verdict(StrEnum):
    """What became of a message, or of what time asks for. Its word is public; `code` is the exit
    code of a command that judges a message."""

    ACCEPTED = "accepted"
    LEGAL = "legal"
    POSSIBLE = "possible"
    WAITING = "waiting"
    WITHDRAWN = "withdrawn"
    DUPLICATE = "duplicate"
    AUTOMATIC = "automatic"
    REFUSED = "refused"
    STALE = "stale"
    OVERTAKEN = "overtaken"
    WRONG_SENDER = "sender"
    # of mails:
    SEEN = "seen"
    WAITS = "waits"
    FAILED = "failed"
    UNREADABLE = "unreadable"
    STRANGER = "stranger"
    UNPROVEN = "unproven"
    UNCLEAR = "unclear"
    PASSED_ON = "passed-on"
    ASKED = "asked"
    SAID = "said"
    RESIGNED = "resigned"
    VACATED = "vacated"
    ABSENT = "absent"
    PRESENT = "present"
    # of mails that no person has written:
    OWN = "own"
    AUTO = "auto"
    AWAY = "away"
    BOUNCE = "bounce"
    BULK = "bulk"
    LIST = "list"
    # of what time brings, and of what is found in a log:
    PLANNED = "planned"
    LATE = "late"
    SILENCE = "silence"
    ASK = "ask"
    REMINDER = "reminder"
    UNREMINDED = "unreminded"
    DIGEST = "digest"
    REPLACED = "replaced"

    @property
    def code(self) -> int:
        """0 unless the message was turned away."""
        return _CODES.get(self, 0)


_CODES: Final = {
    Verdict.REFUSED: 1,
    Verdict.STALE: 1,
    Verdict.OVERTAKEN: 1,
    Verdict.WRONG_SENDER: 77,
}


_TAKEN: Final = (
    Verdict.ACCEPTED,
    Verdict.LEGAL,
    Verdict.POSSIBLE,
    Verdict.WAITING,
    Verdict.WITHDRAWN,
)


class Trouble(NamedTuple):
    """A line of an order that could not be read."""

    line: int
    text: str
    error: Refused


class NotPlayed(NamedTuple):
    """A move that was sent but is not played: whose it is, and why; `passed` if an alternative to
    it was played."""

    seat: Seat
    text: str
    why: Sentence
    passed: bool = False


class PlanPlayed(NamedTuple):
    """A plan that was played, and the plies that came of it."""

    plan: Plan
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a message.

    `before` and `after` are the match as the judge knows it; `writer` is None only for a machine's
    message; `steps` are the plies of the sender's order. `reason` is what is wrong with the text
    or against the rules, and `move` which of several moves it is about; `why` is any other reason.
    `waits` are the plans of all seats that wait, or have just stopped waiting; `proposal` is the
    one or two orders, move by move, that an unreadable text may mean; `gaps` has for each line that
    cannot be read how many of the steps come before it, and its number; `played` are the plans
    that were played; `more` says that the next run may play others. Only its owner is told of a
    plan.
    """

    verdict: Verdict
    before: Match
    after: Match
    said: Submission
    writer: Writer | None = None
    seat: Seat | None = None
    steps: tuple[Step, ...] = ()
    why: Sentence | None = None
    reason: Refused | None = None
    move: str = ""
    troubles: tuple[Trouble, ...] = ()
    proposal: tuple[tuple[str, ...], ...] = ()
    gaps: tuple[tuple[int, int], ...] = ()
    not_played: tuple[NotPlayed, ...] = ()
    waits: tuple[Plan, ...] = ()
    played: tuple[PlanPlayed, ...] = ()
    more: bool = False

    @property
    def code(self) -> int:
        """The exit code."""
        return self.verdict.code

    @property
    def held(self) -> tuple[Plan, ...]:
        """The plans that are the rest of an order."""
        return tuple(plan for plan in self.waits if not plan.number)

    @property
    def taken(self) -> bool:
        """Does the message count: is it played, or would it be, does it wait, or withdraw plans?"""
        return self.verdict in _TAKEN

    @property
    def again(self) -> bool:
        """Was the message read before? A yes that comes when nothing is asked does not count."""
        return self.verdict == Verdict.DUPLICATE and not agreement(self.said.orders)

    @property
    def stranger(self) -> bool:
        """Is it unknown who wrote this? Then the sender is told nothing about the match."""
        return self.writer is not None and not self.writer.seats

    @property
    def message(self) -> str:
        """Why the message changed nothing, for its sender; "" if it did."""
        why = self.why or self.reason
        return why.text(self.before.players) if why else ""

    @property
    def for_moderator(self) -> str:
        """What only the moderator is told; "" for nothing."""
        sentence = self.writer.for_moderator if self.writer else None
        return sentence.text(self.before.players) if sentence else ""


@dataclass(frozen=True, slots=True)
class Case:
    """A message before the desk, once it is known who wrote it."""

    now: Match
    said: Submission
    writer: Writer
    desk: Desk | None = None
    today: str = ""

    @property
    def early(self) -> bool:
        """Does it ask for nothing to be played now? Then it need not be its sender's turn."""
        said = self.said.orders
        return bool(said) and all(plan.is_early(line.text) for line in said)

    @property
    def seat(self) -> Seat:
        """Whose order it is: the writer's seat that it names, else one that is asked, else the
        first; "" if the writer has none."""
        if self.said.seat in self.writer.seats:
            return self.said.seat
        own, now = self.writer.seats, self.now
        asked = (seat for seats in (now.awaited, now.asked) for seat in own if seat in seats)
        return next(asked, next(iter(own), ""))

    def tried(self, order: play.Order) -> play.Accepted[Any] | play.Rejected:
        """What would come of this order now."""
        return play.adjudicate(self.now.game, self.now.state, self.seat, order)

    def steps(self, moves: Sequence[str]) -> tuple[play.Step, ...]:
        """The plies that these moves would make."""
        return self.tried([self.now.game.parse(text) for text in moves]).steps

    def answered(self, verdict: Verdict, after: Match, why: Sentence | None = None) -> Answer:
        """The answer to a message that has been taken."""
        return replace(self.turned_away(verdict, why), after=after)

    def refused(self, why: Sentence | None = None, **more: Any) -> Answer:
        """The answer to a message that is REFUSED."""
        return self.turned_away(Verdict.REFUSED, why, **more)

    def turned_away(self, verdict: Verdict, why: Sentence | None, **more: Any) -> Answer:
        """The answer to a message that changes nothing."""
        return Answer(
            verdict=verdict,
            before=self.now,
            after=self.now,
            said=self.said,
            writer=self.writer,
            seat=self.seat or None,
            why=why,
            **more,
        )
