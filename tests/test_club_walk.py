"""Whatever people do in a club, in whatever order: what is due is done, and then nothing is due;
the matches say what the club says; all can be worked out again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from commands import pbem
from long import many

from pbem.club import clubwork, errands
from pbem.club.acts import Excluded, Readmitted, SeatFilled
from pbem.club.clubwork import ClubAtWork, at_work
from pbem.club.event_acts import EventEntered, EventLeft
from pbem.club.recount import recount
from pbem.core import Refused
from pbem.desk import give
from pbem.desk.bench import Circumstances, bench
from pbem.files.timestamp import stamp
from pbem.log.rulings import Resign
from pbem.mailroom import agenda
from pbem.play import judge
from pbem.problem import Problem
from pbem.report import compose

PEOPLE: Final = [f"P{n}" for n in range(8)]
LINES: Final = "kahuna kahuna any kahuna,variant1 kanaloa-bambus,3 substitute substitute".split()


class Walk:
    """A club to which anything happens."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random, self.seconds = folder, Random(seed), 1_780_000_000
        self.here = Circumstances(lambda: stamp(self.seconds), compose.rehearse)

    def step(self) -> None:
        """Something happens, if it can."""
        self.seconds += self.random.choice((*(60,) * 9, 3600, 3 * 86_400))
        try:
            with at_work(str(self.folder), self.here) as work:
                self.random.choice(HAPPENS)(self, work, self.random.choice(PEOPLE))
        except (Problem, Refused, IndexError):
            pass  # refused, as it should be: what counts is what is left

    def log(self, match: str) -> str:
        return str(self.folder / f"{match}.pbem.yaml")

    def answers(self, work: ClubAtWork, handle: str) -> None:
        offer = self.random.choice([*work.club.offers.values()] or [None])
        if offer:
            work.answer(offer.to, yes=self.random.random() < 0.7, number=offer.number)

    def moves(self, work: ClubAtWork, handle: str) -> None:
        match = self.random.choice([*work.club.begun] or [""])
        with bench(self.log(match), self.here) as at:
            for seat in at.match.awaited[:1]:
                move = next(iter(judge.legal_moves(at.match.game, at.match.state, seat)))
                at.append(judge.judge(at.match.game, at.match.state, seat, move))
                at.draw()

    def resigns(self, work: ClubAtWork, handle: str) -> None:
        begun = self.random.choice([*work.club.begun.values()])
        asked = {"seat": self.random.choice([*begun.tenures])}
        give.give(self.log(begun.match), Resign, self.here, asked, reason="no time")

    def seats(self, work: ClubAtWork, handle: str) -> None:
        begun = self.random.choice([*work.club.begun.values()])
        work.enter(SeatFilled(begun.match, self.random.choice([*begun.tenures]), handle))

    def tends(self) -> None:
        """The desk keeps the clock, and the club acts."""
        now = stamp(self.seconds)
        for due in agenda.Agenda.at(str(self.folder), now).matches:
            for each in due.owed:
                agenda.enter(due.path, each, self.here, now)
        with at_work(str(self.folder), self.here) as work:
            _, problems, _ = clubwork.tend(work, lambda _, desk: desk)
            assert problems == []
            view = work.view()
            left = list(errands.errands(view))
            assert left == []
            for match, begun in work.club.begun.items():
                held = {seat: list[str]() for seat in begun.tenures}
                for tenure in view.records[match].tenures:
                    held[tenure.seat].append(tenure.handle)
                if not view.records[match].over:
                    assert held == {seat: [*each] for seat, each in begun.tenures.items()}
                holders = [each[-1] for each in begun.tenures.values()]
                assert len({*holders}) == len(holders)


def waits(walk: Walk, work: ClubAtWork, who: str) -> None:
    work.wait(work.join(who), walk.random.choice(LINES))


def announces(walk: Walk, work: ClubAtWork, who: str) -> None:
    form, line, size = walk.random.choice((("pool", "kahuna", 2), ("tables", "kanaloa-bambus", 3)))
    name = f"E{len(work.club.events)}"
    work.announce(name, f"{line}, {size}", form, 1 + (size > 2), walk.random.choice((None, 9)), "")
    for each in walk.random.sample(PEOPLE, 5):
        work.enter(EventEntered(name, work.join(each)))


def draws(walk: Walk, work: ClubAtWork, who: str) -> None:
    work.draw(walk.random.choice([*work.club.events]))


def leaves_event(walk: Walk, work: ClubAtWork, who: str) -> None:
    work.enter(EventLeft(walk.random.choice([*work.club.events]), work.who(who)))


def hosts(walk: Walk, work: ClubAtWork, who: str) -> None:
    work.host(work.who(who), f"kanaloa-bambus 3: {walk.random.choice(PEOPLE)}, open")


HAPPENS: Final[tuple[Callable[[Walk, ClubAtWork, str], object], ...]] = (
    *(waits, waits, waits, waits, waits, hosts, announces, draws, leaves_event),
    *(Walk.answers, Walk.answers, Walk.answers, Walk.moves, Walk.moves, Walk.resigns, Walk.seats),
    lambda walk, work, who: work.leave(work.who(who), walk.random.choice(("", "kahuna"))),
    lambda walk, work, who: work.sit_down(work.who(who), work.club.hosted),
    lambda walk, work, who: work.avoid(work.who(who), work.who(PEOPLE[0])),
    lambda walk, work, who: work.set_limit(work.who(who), walk.random.choice((1, 3))),
    lambda walk, work, who: work.rematch(work.who(who), "kahuna-1"),
    lambda walk, work, who: work.enter(Excluded(work.who(who), "two names")),
    lambda walk, work, who: work.enter(Readmitted(work.who(who), "cleared up")),
)


@pytest.mark.parametrize("seed", range(2, 2 + many(1, 20)))
def test_a_club_is_in_order_whatever_happens(tmp_path: Path, seed: int) -> None:
    assert pbem("club", "new", "rivendell", "--dir", tmp_path).code == 0
    walk = Walk(tmp_path, seed)
    walk.seconds = 1_900_000_000  # after the club was founded, whatever the clock says
    for _ in range(many(20, 60)):
        for _ in range(4):
            walk.step()
        walk.tends()
    found = recount(str(tmp_path / "club.pbem.yaml"))
    assert (found.problems, found.lots > 0) == ((), True)
