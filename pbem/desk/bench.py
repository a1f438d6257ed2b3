"""A match and its desk on the bench: locked while something is entered, saved when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from pbem.core import Seat
from pbem.desk.append import Now, Rehearse, save, with_waits
from pbem.desk.file import Desk, desk_path, read_both
from pbem.desk.plans.run import AtWork, waiting_now
from pbem.desk.plans.triggers import date_of
from pbem.desk.reading import Reading
from pbem.files import store
from pbem.log import rulings
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.ruling import ENDED, REVEALED, UNDER_WAY, Ruling
from pbem.log.rulings import Default, Ruled
from pbem.log.seal import MODERATOR
from pbem.log.timing import NO_CLOCK, Redate
from pbem.play import patience
from pbem.play.judge import Step
from pbem.problem import NotNow, Usage
from pbem.sentence import say


class Shelf(Protocol):
    """Where matches are read, and remembered once they have been written or imagined."""

    def read(self, path: str) -> tuple[Replay, Desk]: ...
    def keep(self, match: Replay) -> None: ...
    def imagine(self, match: Replay, desk: Desk) -> None: ...


class Circumstances(NamedTuple):
    """What it takes to enter anything in a log: the `clock`, how to `rehearse` what will be told of
    it, how many seconds to `wait` for another writer, if not as usual, and the `shelf` of the
    match, if it has one.
    When everything is only `imagined`, no file is touched. If somebody is `sure` of the clock, it
    is believed."""

    clock: Now
    rehearse: Rehearse
    wait: float | None = None
    shelf: Shelf | None = None
    imagined: bool = False
    sure: bool = False

    def locked(self, path: str) -> AbstractContextManager[object]:
        """Keep others from writing the match or its desk file meanwhile. Raises Problem."""
        if self.imagined:
            return nullcontext()
        return store.lock(path, desk_path(path), wait=self.wait)

    def read(self, path: str) -> tuple[Replay, Desk]:
        """The match and its desk file as they stand now. Raises Problem."""
        return self.shelf.read(path) if self.shelf else read_both(path)

    def save(self, before: Replay, match: Replay, was: Desk, desk: Desk) -> None:
        """Write both as `append.save` does, or only imagine it; `locked` first. Raises Problem."""
        if not self.imagined:
            save(before, match, was, desk, self.rehearse)
            if self.shelf and match.log != before.log:
                self.shelf.keep(match)
        elif self.shelf:
            self.shelf.imagine(match, with_waits(before, match, was, desk))


@dataclass
class Bench(AtWork):
    """A match at work, and as it was `before`, with what is `known` of a message to it. What it
    holds at the end, what waits and the desk file are saved."""

    before: Replay = field(kw_only=True)
    known: Reading | None = field(kw_only=True)

    @property
    def today(self) -> str:
        """Today's date in the zone of the match."""
        return date_of(self.match, self.match.log.moment(self.clock()))

    def enter(self, ruling: Ruling, reason: str = "", by: Seat = MODERATOR) -> None:
        """Append a ruling. Raises NotNow if it cannot follow what the log holds."""
        log = self.match.log
        at = self.clock() if isinstance(ruling, Redate) else log.moment(self.clock())
        longer = log.extend(rulings.entry(ruling, at, reason, by))
        self.match = Replay.of(longer, self.match.keyring)

    def require_open_to(self, kind: type[Ruling]) -> None:
        """Raises NotNow if the match is over and this kind of ruling needs it to go on, or the
        other way round; and Usage if the ruling is about time and the match has no clock."""
        log = self.match.log
        if kind.needs_clock and log.clock is None:
            raise Usage("{why}", log.path, why=NO_CLOCK)
        stage = log.so_far().stage
        if self.match.ending and stage not in kind.stages:
            why = (
                "a ruling has ended the match; only notes can follow, unless `pbem rule "
                "{log:typed} reopen --reason …` takes that back first"
            )
            if stage == REVEALED:
                why = "the secret of this match is out, so it cannot go on; only notes can follow"
            raise NotNow(why, log.path, log=log.path)
        if kind.leads_to == ENDED and self.match.outcome is not None:
            raise NotNow("the match is over already", log.path)
        if kind.stages == (ENDED,) and not self.match.ending:
            raise NotNow("no ruling has ended this match; there is nothing to reopen", log.path)

    def require_held(self, seat: Seat) -> None:
        """Raises NotNow for a seat that nobody holds."""
        if seat in self.match.vacant:
            path = self.match.log.path
            raise NotNow("{seat:seat} has resigned, and the seat is vacant", path, seat=seat)

    def play_for(self, seat: Seat, step: Step, reason: str = "") -> None:
        """Play a move for a silent seat."""
        self.enter(Default(seat), reason)
        self.append(step)
        self.put_aside(self.waits.rest(seat), say("The moderator played for you"))
        self.draw()


def believed(log: Log, at: str) -> bool:
    """Is a clock that says this believed, by what the log knows? Not if nothing was entered for
    more than two years, longer than any turn lasts: sooner is that clock wrong. A match that is
    over has no more to lose by it."""
    newest = log.moment("")
    known = log.so_far().stage in UNDER_WAY
    return not known or at <= f"{int(newest[:4]) + 2:04}{newest[4:]}"


def _require_believed(log: Log, longer: Log) -> None:
    """Raises NotNow if what was added to a log is dated by a clock that is not believed."""
    first = longer.entries[len(log.entries)]
    if believed(log, first.at) or (isinstance(first, Ruled) and isinstance(first.ruling, Redate)):
        return
    raise NotNow(
        "the clock says {at}, but the newest entry is of {newest}, more than two years before, and "
        "nothing is entered until you say that the clock is right: `pbem rule {log:typed} redate`",
        log.path,
        at=first.at,
        newest=log.moment(""),
        log=log.path,
    )


@contextmanager
def bench(
    path: str, here: Circumstances, known: Reading | None = None, *, plays: bool = True
) -> Iterator[Bench]:
    """The match, locked; its changes are saved at the end. With `plays`, what waits is played
    before that, if anything was entered. What is `known` of a message is left out if it no longer
    holds. Raises Problem."""
    with here.locked(path), patience.one_judgement():
        before, desk = here.read(path)
        if known and (known.match.log.chain, known.desk) != (before.log.chain, desk):
            known = None
        waits = known.waiting if known else waiting_now(before, desk)
        at_work = Bench(before, waits, desk, here.clock, before=before, known=known)
        yield at_work
        if at_work.match.log == before.log and at_work.waits == waits:
            return
        if at_work.match.log != before.log:
            if not here.sure:
                _require_believed(before.log, at_work.match.log)
            if plays:
                at_work.play_waiting()
        at_work.desk = replace(at_work.desk, waits=(at_work.waits,))
        here.save(before, at_work.match, desk, at_work.desk)
