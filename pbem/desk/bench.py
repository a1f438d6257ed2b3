"""A match and its desk on the bench: locked while a ruling is given, saved when it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pbem.core import NotNow, Seat
from pbem.desk.append import Now, Rehearse, append_ply, play_chance, save
from pbem.desk.file import Desk, desk_path
from pbem.desk.plans import Plan
from pbem.desk.waiting import play_waiting, put_aside, waiting_now
from pbem.files import store
from pbem.log import rulings
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.ruling import REVEALED, Ruling, called
from pbem.log.rulings import Default
from pbem.log.seal import MODERATOR
from pbem.log.stages import FOLLOWS
from pbem.play import patience
from pbem.play.judge import Step
from pbem.sentence import Sentence, say

Ruled = tuple[Match, Match]
"""The match before and after a ruling."""


@dataclass
class Bench:
    """A match and its desk while a ruling is given: `now` and `desk` are what will be saved."""

    before: Match
    now: Match
    desk: Desk
    clock: Now

    def enter(self, ruling: Ruling, reason: str = "", by: Seat = MODERATOR) -> None:
        """Append a ruling; `Log.extend` refuses what cannot follow."""
        at = self.now.log.moment(self.clock())
        longer = self.now.log.extend(rulings.entry(ruling, at, reason, by))
        self.now = Match.of(longer, self.now.keyring)

    @property
    def waiting(self) -> tuple[Plan, ...]:
        """What waits, for any seat."""
        [waiting] = self.desk.waits
        return tuple(plan for plan in waiting.plans if not plan.over)

    def put_aside(self, plans: Iterable[Plan], why: Sentence) -> None:
        """These wait no longer; their owners find out why in their next letters."""
        [waiting] = self.desk.waits
        waiting, _ = put_aside(self.now, waiting, plans, why)
        self.desk = replace(self.desk, waits=(waiting,))

    def forget(self, seat: Seat) -> None:
        """Whatever waits for a seat is gone, and nobody is told: who sits there now is not whose it
        was."""
        [waiting] = self.desk.waits
        self.desk = replace(self.desk, waits=(waiting.cleared(seat),))

    def give_up(self, seat: Seat) -> None:
        """Whatever waits for a seat waits no longer: nobody plays it now."""
        own = [plan for plan in self.waiting if plan.seat == seat]
        self.put_aside(own, say("{seat:seat} has resigned", seat=seat))

    def play_for(self, seat: Seat, step: Step, reason: str = "") -> None:
        """Play a move for a silent seat."""
        self.enter(Default(seat), reason)
        self.now = append_ply(self.now, self.desk, step, self.clock, "")
        rest = [plan for plan in self.waiting if plan.seat == seat and not plan.number]
        self.put_aside(rest, say("The moderator played for you"))
        self.draw()

    def play_waiting(self) -> None:
        """Play what can be played now."""
        [waiting] = self.desk.waits
        ran = play_waiting(self.now, waiting, self.desk, self.clock)
        self.now, self.desk = ran.now, replace(self.desk, waits=(ran.waiting,))

    def draw(self) -> None:
        """Draw what is owed."""
        self.now = play_chance(self.now, self.desk, self.clock)


@contextmanager
def bench(
    path: str, kind: type[Ruling], clock: Now, wait: float, rehearse: Rehearse | None = None
) -> Iterator[Bench]:
    """The match, locked; what has become of it is saved at the end."""
    with store.lock(path, wait, desk_path(path)), patience.one_judgement():
        written = Log.read(path)
        desk = Desk.read(path)
        before = Match.of(written, desk.keyring)
        if before.ending and called(kind) not in FOLLOWS[written.so_far().stage]:
            raise NotNow(
                "the secret of this match is out, so it cannot go on; only notes can follow"
                if written.so_far().stage == REVEALED
                else "a ruling has ended the match; only notes can follow, unless `pbem rule LOG "
                "reopen` takes that back first",
                path,
            )
        waits = (waiting_now(before, desk),)
        at_work = Bench(before, before, replace(desk, waits=waits), clock)
        yield at_work
        if at_work.now.log != before.log:
            at_work.play_waiting()
            save(before, at_work.now, desk, at_work.desk, rehearse)
