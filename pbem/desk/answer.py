"""A message before the desk, and what came of it: the verdict, and everything there is to say about
it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pbem.core import Refused, Seat
from pbem.desk.authorship import Writer
from pbem.desk.plans.model import Plan
from pbem.intake import Submission
from pbem.intake.asking import agreement
from pbem.log.match import Replay
from pbem.log.ruling import Ruling
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
    CLUB = "club"
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


class Enters(NamedTuple):
    """What a message enters that counts: an order, `played` as far as the horizon; with the plans
    that came with it, the numbers of those it takes back (0: all), and the moves that do not
    count. Without an order it is what the seat says to all; before the first card, what it sends
    for the draws, as a `ruling`; or what it takes back, of which plans are `gone`, of these
    `seats`."""

    played: play.Accepted[Any] | None = None
    plans: tuple[Plan, ...] = ()
    withdrawn: tuple[int, ...] = ()
    bad: tuple[NotPlayed, ...] = ()
    ruling: Ruling | None = None
    gone: tuple[Plan, ...] = ()
    seats: tuple[Seat, ...] = ()


class PlanPlayed(NamedTuple):
    """A plan that was played, and the plies that came of it."""

    plan: Plan
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a message.

    `before` and `after` are the match as the judge knows it; a machine's message has a `writer`
    without seats; `seat` is "" where no seat is meant; `steps` are the plies of the sender's order.
    `reason` is what is wrong with the text or against the rules, and `move` which of several moves
    it is about; `why` is any other reason. `waits` are the plans of all seats that wait, or have
    just stopped waiting; `proposal` is the orders, move by move, that a text may mean: if several,
    or if a single one is `doubted`, they have numbers; it is `passed_on` if a person reads it as
    well; `early` is an order that came out of turn, as a plan that would wait; `played` are the
    plans that were played; `more` says that the next run may play others. Only its owner is told of
    a plan. What a LEGAL message `enters` is not entered yet. It was `answered_by` the question of
    this name: see `judging.AT_THE_TABLE`.
    """

    verdict: Verdict
    before: Replay
    after: Replay
    submission: Submission
    writer: Writer = Writer(())
    seat: Seat = ""
    steps: tuple[Step, ...] = ()
    why: Sentence | None = None
    reason: Refused | None = None
    move: str = ""
    troubles: tuple[Trouble, ...] = ()
    proposal: tuple[tuple[str, ...], ...] = ()
    doubted: bool = False
    passed_on: bool = False
    early: str = ""
    not_played: tuple[NotPlayed, ...] = ()
    waits: tuple[Plan, ...] = ()
    played: tuple[PlanPlayed, ...] = ()
    more: bool = False
    enters: Enters | None = None
    answered_by: str = ""

    @property
    def code(self) -> int:
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
        return self.verdict == Verdict.DUPLICATE and not agreement(self.submission.orders)

    @property
    def holds_no_order(self) -> bool:
        """Was it turned away, and can no order be made out in it?"""
        if self.proposal or self.steps or self.submission.fenced:
            return False
        return bool(self.troubles) or self.verdict == Verdict.WRONG_SENDER

    @property
    def by_number(self) -> bool:
        """Do the orders that it proposes have numbers?"""
        return len(self.proposal) > 1 or self.doubted

    @property
    def stranger(self) -> bool:
        """Is it unknown who wrote this? Then the sender is told nothing about the match."""
        return not (self.writer.seats or self.verdict == Verdict.AUTOMATIC)

    @property
    def message(self) -> str:
        """Why the message changed nothing, for its sender; "" if it did."""
        why = self.why or self.reason
        return why.text(self.before.players) if why else ""

    @property
    def for_moderator(self) -> str:
        """What only the moderator is told; "" for nothing."""
        sentence = self.writer.for_moderator
        return sentence.text(self.before.players) if sentence else ""
