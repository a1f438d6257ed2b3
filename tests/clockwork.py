"""Logs that are about time only, and a second opinion on what follows from them.

The second opinion shares nothing with `pbem.log.turns`: it walks from quarter of an hour to quarter
of an hour, looks at the wall clock, and counts as somebody would who keeps the clock by hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from pbem.core import CHANCE
from pbem.log import deadlines, seal, turns
from pbem.log.entries import Header, Ply
from pbem.log.format import Log
from pbem.log.timetable import Timetable
from pbem.log.turns import Asked

SETTINGS: dict[str, Any] = {
    "zone": "Europe/Berlin",
    "at": "20:00",
    "turn": 3,
    "interrupt": 1,
    "grace": 2,
    "bank": 0,
    "closed": [],
    "absences": 28,
    "remind": 1,
    "silence": "ask",
}
WHITE: Asked = (("white", None),)
BLACK: Asked = (("black", None),)
RED: Asked = (("red", None),)
BOTH: Asked = (("white", None), ("black", None))
DEALING: Asked = None
NOBODY: Asked = ()
BEGUN = "2026-09-21T10:00:00Z"  # a Monday, noon in Berlin

Entry = Mapping[str, Any]


def during(*seats: str, turn: str = "white") -> Asked:
    """These seats may interrupt the turn of another."""
    return tuple((seat, turn) for seat in seats)


def moved(at: str, seat: str = "white") -> Entry:
    return {"seat": seat, "at": at}


def ruled(at: str, kind: str, **fields: Any) -> Entry:
    return {"ruling": kind, "at": at, **fields}


def log(entries: Iterable[Entry], created: str = BEGUN, **chosen: Any) -> Log:
    """A log with a clock and these entries, read back from its text."""
    header = Header(
        match="m",
        game="kahuna",
        ruleset="thames-kosmos",
        seats={"white": "Ana", "black": "Ben", "red": "Cy"},
        dealer=chosen.pop("dealer", "sealed"),
        created=created,
        commit=seal.commit(bytes(32)),
        clock={**SETTINGS, **chosen},
    )
    made, ply = Log.parse(header.text(), "m.pbem.yaml", remember=False), 0
    for entry in entries:
        if "ruling" in entry:
            made = made.extend({"by": "moderator", **entry})
        else:
            ply += 1
            made = made.extend({"ply": ply, "move": "x", "events": [], **entry})
    return Log.parse(made.text, "m.pbem.yaml", remember=False) if made.entries else made


def timetable(log: Log, asked: Iterable[Asked]) -> Timetable:
    """What follows where these are asked before the first ply that stands and after each."""
    return deadlines.timetable(log, turns.after(log, asked))


# ---------------------------------------------------------------------------- second opinion


@cache
def wall(zone: str, at: str, first: date, last: date) -> tuple[tuple[str, str], ...]:
    """Every moment between two dates at which the wall clocks of a zone show an hour, and the
    date they show; of two such moments of one date the later."""
    there, found = ZoneInfo(zone), dict[str, str]()
    hour, minute = map(int, at.split(":"))
    now = datetime(first.year, first.month, first.day, tzinfo=UTC)
    end = datetime(last.year, last.month, last.day, tzinfo=UTC)
    while now < end:
        local = now.astimezone(there)
        if local.hour == hour and local.minute == minute:
            found[f"{local:%Y-%m-%d}"] = f"{now:%Y-%m-%dT%H:%M:%SZ}"
        now += timedelta(minutes=15)
    return tuple(sorted((moment, day) for day, moment in found.items()))


class Hand:
    """What is noted about a seat that is asked."""

    def __init__(self, at: str, during: str | None) -> None:
        self.since, self.during, self.put, self.asked = at, during, at, True
        self.ticks: list[tuple[str, bool, int]] = []
        """Of each day that counted: when, whether the seat had been asked on an earlier date, and
        how many days it had by then."""
        self.extra = 0
        self.noticed, self.ticks_then, self.grace = "", 0, list[tuple[bool, int]]()
        self.acted = ""

    def due(self) -> int | None:
        """Which tick is the deadline, from 0."""
        for nth, (_, earlier, days) in enumerate(self.ticks):
            if earlier and nth + 1 >= days + self.extra:
                return nth
        return None


class SecondOpinion:
    """Keeps the clock of a match by hand, and says how it stands at a moment."""

    def __init__(self, log: Log, asked: Iterable[Asked], until: str) -> None:
        assert log.header.clock
        self.clock = dict(log.header.clock)
        self.hands: dict[str, Hand] = {}
        self.paused, self.window, self.asked = False, dict[str, str](), NOBODY
        self.away: dict[str, set[str]] = {}
        self.spent: dict[str, int] = {}
        self.dated, self.mover = "", ""
        self.ticked: list[tuple[str, str, dict[str, set[str]], int]] = []
        """Every tick that is open: when, on which date, who was away when, and `interrupt`."""
        answers, live = iter(asked), {ply.nth for ply in log.live}
        silent = ""
        self.now = log.header.created
        self.ask(next(answers))
        for entry in log.entries:
            if entry.at > until:
                break
            self.tick_until(entry.at)
            self.now = entry.at
            if isinstance(entry, Ply):
                if entry.nth in live:
                    if entry.seat != CHANCE:
                        self.mover = entry.seat
                    if entry.seat in self.hands and entry.seat != silent:
                        self.hands[entry.seat].acted = entry.at
                    self.ask(next(answers), again=entry.seat != CHANCE)
                    hand = self.hands.get(entry.seat)
                    if entry.seat == silent and hand:
                        hand.put = entry.at
                        if hand.noticed:
                            hand.noticed, hand.grace = entry.at, []
                silent = ""
                continue
            silent = entry.ruling.seat if entry.kind == "default" else ""  # type: ignore[attr-defined]
            self.rule(entry.kind, entry.ruling)
        self.tick_until(until)

    def day(self, moment: str) -> str:
        local = datetime.fromisoformat(moment).astimezone(ZoneInfo(self.clock["zone"]))
        return f"{local:%Y-%m-%d}"

    def tick_until(self, end: str) -> None:
        """Go on to a moment: what is written at that very moment comes before the tick."""
        first = datetime.fromisoformat(self.now).date() - timedelta(days=2)
        last = datetime.fromisoformat(end).date() + timedelta(days=2)
        months = date(first.year, 1, 1), date(last.year + 1, 1, 1)
        ticks = wall(self.clock["zone"], self.clock["at"], *months)
        for moment, day in ticks[bisect_left(ticks, (self.now, "")) :]:
            if moment >= end:
                break
            self.tick(moment, day)

    def tick(self, moment: str, day: str) -> None:
        closed = self.clock["closed"]
        weekday = f"{date.fromisoformat(day):%a}".lower()
        if day in closed or weekday in closed or day <= self.dated:
            return  # after a change of the clock no date counts a second time
        self.dated = day
        if self.paused:
            return
        absent = {seat: set(days) for seat, days in self.away.items()}
        self.ticked.append((moment, day, absent, self.clock["interrupt"]))
        for seat, hand in self.hands.items():
            if not hand.asked or day in self.away.get(seat, ()) or day <= self.day(hand.since):
                continue
            earlier = day > self.day(hand.put)
            days = self.clock["interrupt" if hand.during else "turn"]
            hand.ticks.append((moment, earlier, days))
            if hand.noticed and day > self.day(hand.noticed):
                hand.grace.append((earlier, self.clock["grace"]))

    def ask(self, asked: Asked, *, again: bool = True, fresh: bool = False) -> None:
        self.asked = asked
        if asked is None:
            for hand in self.hands.values():
                hand.asked = False
            return
        seats = dict(asked)
        others = [seat for seat, other in seats.items() if seat not in self.hands and not other]
        if others and self.mover in self.hands and self.mover in seats:
            self.done(self.mover)
        interrupted = {other for other in seats.values() if other} - set(seats)
        for seat in list(self.hands):
            if seat not in seats and seat not in interrupted:
                self.done(seat)
        self.window = {seat: self.window.get(seat, self.now) for seat in interrupted}
        for seat, hand in self.hands.items():
            if seat in interrupted:
                hand.asked = False
            elif not hand.asked:
                hand.asked = True
                if again or seat != self.mover:
                    hand.put = self.now
        for seat, other in seats.items():
            if seat not in self.hands:
                self.hands[seat] = hand = Hand(self.now, other)
                if other in self.window and self.window[other] < self.now:
                    self.share(seat, hand, self.window[other])

    def share(self, seat: str, hand: Hand, began: str) -> None:
        """Whoever interrupts after another has what is left of the same window."""
        hand.since = began
        for moment, day, absent, days in self.ticked:
            if began <= moment and day > self.day(began) and day not in absent.get(seat, ()):
                hand.ticks.append((moment, False, days))

    def done(self, seat: str) -> None:
        hand = self.hands.pop(seat)
        nth = hand.due()
        if hand.acted and nth is not None:
            over = sum(moment < hand.acted for moment, *_ in hand.ticks[nth:])
            self.spent[seat] = self.spent.get(seat, 0) + min(over, self.spare(seat))

    def spare(self, seat: str) -> int:
        return max(0, self.clock["bank"] - self.spent.get(seat, 0))

    def rule(self, kind: str, ruling: Any) -> None:
        match kind:
            case "pause" | "resume":
                self.paused = kind == "pause"
                for hand in self.hands.values():
                    hand.put = self.now
            case "clock":
                self.clock = dict(ruling.settings)
                for hand in self.hands.values():
                    hand.put = self.now
            case "away":
                first, last = (date.fromisoformat(each) for each in (ruling.first, ruling.last))
                days = {
                    (first + timedelta(days=n)).isoformat() for n in range((last - first).days + 1)
                }
                self.away[ruling.seat] = self.away.get(ruling.seat, set()) | days
            case "back":
                days = self.away.get(ruling.seat, set())
                self.away[ruling.seat] = {day for day in days if day < ruling.first}
            case "extend":
                for seat in ruling.seats:
                    if seat in self.hands:
                        self.hands[seat].extra += ruling.days
            case "late" if ruling.seat in self.hands:
                hand = self.hands[ruling.seat]
                hand.noticed, hand.grace = self.now, []
            case "substitute":
                self.away.pop(ruling.seat, None)
                self.spent.pop(ruling.seat, None)
                hand = self.hands.pop(ruling.seat, None)
                if hand and hand.asked:
                    self.hands[ruling.seat] = Hand(self.now, hand.during)
            case "takeback" | "reopen":
                for seat in list(self.hands):
                    self.done(seat)
                self.window = {}
                self.ask(self.asked)
            case "end" | "resign":
                for seat in list(self.hands):
                    self.done(seat)

    def states(self) -> dict[str, str]:
        """How it stands with each seat that is asked, all entries and ticks before now counted."""
        return {seat: self.state(seat, hand) for seat, hand in self.hands.items() if hand.asked}

    def state(self, seat: str, hand: Hand) -> str:
        if self.paused:
            return "paused"
        nth, spare = hand.due(), self.spare(seat)
        if nth is None:
            return "waiting"
        if len(hand.ticks) > nth + spare:
            late_from = hand.ticks[nth + spare][0]
            if hand.noticed > late_from:
                over = any(
                    earlier and count >= days for count, (earlier, days) in enumerate(hand.grace, 1)
                )
                return "lapsed" if over else "late"
            return "owed"
        return "overdrawn"


def moments(log: Log, step: timedelta = timedelta(hours=7)) -> Iterator[str]:
    """Moments after the last entry of a log, for some weeks."""
    now = datetime.fromisoformat(log.entries[-1].at if log.entries else log.header.created)
    for n in range(1, 80):
        yield f"{now + n * step:%Y-%m-%dT%H:%M:%SZ}"
