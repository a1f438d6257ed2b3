"""Months of a club, in a long run a year: four matches in four zones, players who are late, away or
gone for good, a moderator who rules, and a desk that sleeps, crashes, and whose clock jumps.

Every state that the desk acted on is judged again, entry by entry, by the second opinion.
"""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import commands
import pytest
from clockwork import SecondOpinion
from commands import Room
from long import many

from pbem import intake
from pbem.desk import begin
from pbem.desk.answer import Verdict
from pbem.desk.bench import Circumstances
from pbem.desk.give import give
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.files import store
from pbem.log import audit, deadlines, turns
from pbem.log.clock import written
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.rulings import Ruled, Substitute
from pbem.log.timetable import LAPSED, OWED, Timetable
from pbem.log.timing import Clock, Extend, Pause, Resume
from pbem.mailroom import agenda
from pbem.problem import CannotWrite, NotNow, Problem

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")
STEP = timedelta(hours=7)


class Club:
    """The matches, the time, and what the desk remembers between two runs."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice = folder, dice
        self.now = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
        self.last_run = ""
        self.known: dict[str, tuple[str, Replay, dict[str, Any]]] = {}
        self.rooms: list[Room] = []
        self.zones: list[str] = []
        self.gone: dict[tuple[str, str], bool] = {}
        kinds = ("late", "silence", "crash", "kept back", "absence", "disbelieved")
        self.counts = dict.fromkeys(kinds, 0)

    def clock(self) -> str:
        return written(self.now)

    def begin(self, zone: str) -> None:
        players = {"white": Player("Ana"), "black": Player("Ben")}
        paced = {
            "turn": self.dice.randint(1, 4),
            "zone": zone,
            "at": self.dice.choice(["20:00", "07:30"]),
            "bank": self.dice.randint(0, 4),
            "grace": self.dice.randint(1, 3),
            "closed": self.dice.choice([[], ["sat", "sun"], ["sun", "2026-12-24"]]),
            "silence": "draw or pass",
        }
        opened, desk = begin.begin(
            begin.Terms(
                "kahuna", players, name=f"m{len(self.rooms)}", folder=str(self.folder), clock=paced
            ),
            secret=self.dice.randbytes(32),
            clock=self.clock,
        )
        begin.write(opened, desk)
        self.rooms.append(Room(Path(opened.log.path)))
        self.zones.append(zone)

    def read(self, room: Room) -> tuple[Replay, dict[str, Any]]:
        """A match and its timetable as an index would keep it."""
        text = room.log.read_text()
        if room.log.name not in self.known or self.known[room.log.name][0] != text:
            now = room.read()
            times = deadlines.of(now)
            assert times
            self.known[room.log.name] = text, now, times.plain()
        return self.known[room.log.name][1:]

    @property
    def here(self) -> Circumstances:
        return commands.at(self.clock)

    def live(self) -> None:
        """What people do in a few hours."""
        for room, zone in list(zip(self.rooms, self.zones, strict=True)):
            now, _ = self.read(room)
            if now.outcome is not None:
                continue
            path, [seat] = str(room.log), now.awaited
            if now.log.so_far().timing.paused and self.dice.random() < 0.1:
                give(path, Resume, self.here, {})
                continue
            if self.dice.random() < 0.02:
                self.gone[path, seat] = True
            if self.dice.random() < 0.1 and not self.gone.get((path, seat)):
                fence = f"[move] {now.position}\ndraw\n[/move]"
                said = intake.read(fence.encode(), "-")
                submit(path, said, commands.at(self.clock), seat=seat)
            elif self.dice.random() < 0.01:
                first = (self.now + timedelta(days=self.dice.randint(-1, 3))).date()
                last = first + timedelta(days=self.dice.randint(1, 9))
                try:
                    commands.announce(path, self.here, seat, first.isoformat(), last.isoformat())
                    self.counts["absence"] += 1
                except Problem as problem:
                    assert "can announce" in str(problem)  # noqa: PT017
            elif self.dice.random() < 0.012:
                self.moderate(path, seat, now)
            if self.read(room)[0].outcome is not None:
                self.begin(zone)

    def moderate(self, path: str, seat: str, now: Replay) -> None:
        match self.dice.randint(0, 4):
            case 0:
                with suppress(NotNow):  # who is later than that needs more
                    give(path, Extend, self.here, {"by": 2})
            case 1 | 2 if not now.log.so_far().timing.paused:
                give(path, Pause, self.here, {})
            case 3:
                give(path, Clock, self.here, {"turn": 3, "yes": True})
            case 4 if self.gone.pop((path, seat), False):
                give(path, Substitute, self.here, {"seat": seat, "player": "Zoe"}, reason="gone")

    @staticmethod
    def enter(room: Room, each: agenda.Action, at: str) -> object:
        return agenda.enter(str(room.log), each, commands.at(lambda: at), at)

    def run(self, at: str, *, crashes: bool, yes: bool) -> None:
        """A run of the desk, by what its clock says."""
        if not agenda.believed(at, self.last_run, yes=yes):
            self.counts["disbelieved"] += 1
            return
        may = agenda.may_play(at, self.last_run, yes=yes)
        for room in self.rooms:
            now, kept = self.read(room)
            times = Timetable.kept(kept)
            if now.outcome is not None or not (times.next(now.log.header.created) or times.away):
                continue
            for each in agenda.owed(now, at) if self.is_due(times, at) else ():
                if each.verdict == Verdict.ASK or not (may or each.verdict == Verdict.LATE):
                    continue
                before = room.files()
                if crashes:
                    with pytest.MonkeyPatch.context() as patch:
                        patch.setattr(store, "append", self.crash)
                        with pytest.raises(CannotWrite):
                            self.enter(room, each, at)
                    self.counts["crash"] += 1
                    assert room.files()[room.log.name] == before[room.log.name]
                    return  # the run is not complete
                assert self.enter(room, each, at)
                assert self.enter(room, each, at) is None
                self.counts[str(each.verdict)] += 1
            if not may:
                self.counts["kept back"] += bool(agenda.owed(room.read(), at))
        self.last_run = max(at, self.last_run)

    def is_due(self, times: Timetable, at: str) -> bool:
        """May anything be owed, by what an index kept?"""
        states = (times.state(each, at) for each in times.deadlines)
        return any(state in (OWED, LAPSED) for state in states)

    @staticmethod
    def crash(*_: object) -> None:
        raise CannotWrite("the disk is full")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = Club(tmp_path_factory.mktemp("club"), random.Random(11))
    for zone in ZONES:
        club.begin(zone)
    end = club.now + timedelta(days=many(130, 365))
    step = 0
    while club.now < end:
        step += 1
        club.now += STEP + timedelta(seconds=club.dice.randint(0, 3000))
        club.live()
        asleep = 300 <= step < 330 or 900 <= step < 912
        if asleep or club.dice.random() < 0.2:
            continue
        at = club.now
        if step % 397 == 0:
            at += timedelta(days=9)
        elif step % 211 == 0:
            at -= timedelta(days=3)
        # A person looks at it once the desk has not been believed for a while.
        yes = at == club.now and step % 10 == 0
        club.run(written(at), crashes=club.dice.random() < 0.3, yes=yes)
    return club


def test_much_has_happened(club: Club) -> None:
    assert all(club.counts.values()), club.counts
    assert club.counts["late"] > 10
    assert club.counts["silence"] > 5


def test_every_log_can_be_worked_out_again(club: Club) -> None:
    for room in club.rooms:
        found = audit.audit(str(room.log))
        assert [str(problem) for problem in found.problems] == []


def test_the_second_opinion_agrees_entry_by_entry(club: Club) -> None:
    notices = defaults = 0
    for room in club.rooms:
        log = Log.read(str(room.log))
        for nth, entry in enumerate(log.entries):
            kind = entry.kind if isinstance(entry, Ruled) else ""
            if not kind and nth % 4:
                continue
            before = Replay.of(log._replace(entries=log.entries[:nth]))
            if before.log.so_far().stage == "silence" or not before.awaited:
                continue
            asked = tuple(map(turns.who, turns.decisions(before)))
            times = deadlines.of(before)
            assert times
            states = {each.seat: times.state(each, entry.at) for each in times.deadlines}
            opinion = SecondOpinion(before.log, asked, entry.at).states()
            assert opinion == {s: {"soon": "waiting"}.get(v, v) for s, v in states.items()}
            if kind == "late":
                assert states[entry.ruling.seat] == "owed"  # type: ignore[union-attr]
                notices += 1
            if kind == "default":
                assert states[entry.ruling.seat] == "lapsed"  # type: ignore[union-attr]
                defaults += 1
    assert (notices, defaults) == (club.counts["late"], club.counts["silence"])


def test_nobody_announced_more_than_they_may(club: Club) -> None:
    for room in club.rooms:
        so_far = Log.read(str(room.log)).so_far()
        for seat in so_far.header.seats:
            assert len(so_far.timing.days(seat)) <= 28
