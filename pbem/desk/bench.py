"""A match and its desk on the bench: locked while a ruling is given, saved when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pbem.core import NotNow, Seat
from pbem.desk.append import Now, Rehearse, append_ply, play_chance, save
from pbem.desk.file import Desk, Held, desk_path
from pbem.desk.waiting import play_waiting
from pbem.files import store
from pbem.log import rulings
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.ruling import Ruling, called
from pbem.log.rulings import Default
from pbem.log.seal import MODERATOR
from pbem.log.stages import FOLLOWS
from pbem.play import patience
from pbem.play.judge import Step

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

    def hold(self, *held: Held) -> None:
        """These moves wait from now on, and no others."""
        self.desk = replace(self.desk, held=held)

    def play_for(self, seat: Seat, step: Step, reason: str = "") -> None:
        """Play a move for a silent seat, and what waits once it has been played."""
        self.enter(Default(seat), reason)
        self.now = append_ply(self.now, self.desk, step, self.clock, "")
        self.draw()
        left = Held(seat, "", ())
        self.now, held, _ = play_waiting(self.now, self.before.log, self.desk, left, self.clock)
        self.hold(*held)

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
                "a ruling has ended the match; only notes can follow, unless `pbem rule LOG "
                "reopen` takes that back first",
                path,
            )
        at_work = Bench(before, before, replace(desk, held=desk.waiting(before.log)), clock)
        yield at_work
        if (at_work.now.log, at_work.desk) != (before.log, desk):
            save(before, at_work.now, desk, at_work.desk, rehearse)
