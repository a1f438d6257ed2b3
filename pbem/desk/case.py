"""A message before the desk, and the answers it may get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core import Seat
from pbem.desk.answer import Answer, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.file import Desk
from pbem.intake import Submission, plan
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.sentence import Sentence


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
        """Is nothing in it to be played now? Then it need not be its sender's turn."""
        said = self.said.orders
        return bool(said) and all(plan.is_early(line.text) for line in said)

    @property
    def seat(self) -> Seat:
        """Whose order it is: of the writer's seats the one it names, else one that is asked; "" of
        a writer without one."""
        if self.said.seat in self.writer.seats:
            return self.said.seat
        own, now = self.writer.seats, self.now
        asked = (seat for seats in (now.awaited, now.asked) for seat in own if seat in seats)
        return next(asked, next(iter(own), ""))

    def tried(self, order: play.Order) -> play.Accepted[Any] | play.Rejected:
        """What would come of this order now."""
        return play.adjudicate(self.now.game, self.now.state, self.seat, order)

    def steps(self, moves: Sequence[str]) -> tuple[play.Step, ...]:
        """The plies that these moves would be."""
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
