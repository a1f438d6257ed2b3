"""Until when each seat has time: what follows from the log of a match, and from nothing else.

Nothing of it is stored. A tick is judged by the log as it stood at that tick, so no entry changes
what has passed; only days that the moderator gives reach back. docs/time.md has every case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core import Seat, Usage
from pbem.log.format import Log
from pbem.log.timing import days_away
from pbem.log.turns import Asked, Course, Turn, asked
from pbem.sentence import Counted, Sentence, say

if TYPE_CHECKING:
    from pbem.log.match import Match

WAITING: Final = "waiting"
SOON: Final = "soon"
OVERDRAWN: Final = "overdrawn"
OWED: Final = "owed"
LATE: Final = "late"
LAPSED: Final = "lapsed"
PAUSED: Final = "paused"
STATES: Final = (WAITING, SOON, OVERDRAWN, OWED, LATE, LAPSED, PAUSED)
"""How it stands with a seat that is asked: it has time; it is to be reminded; it lives on its spare
days; a notice is to be written; the notice is written; what silence brings may be played; the clock
stands still."""


# ------------------------------------------------------------------------------ what follows


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a seat has time. Times are in UTC, as in logs; "" is never, as things are.

    `since` is when its turn began, after ply `ply`. At `remind` it is to be reminded, at `due` its
    days are over, at `late_from` those to spare (`spare` are left), too. `noticed` is the notice
    that was written after that, and `lapse` when its `grace` is over.
    """

    seat: Seat
    ply: int
    since: str
    remind: str
    due: str
    late_from: str
    noticed: str
    lapse: str
    spare: int
    grace: int

    def next(self, after: str) -> str:
        """The first moment after this one at which its state changes, "" if there is none."""
        moments = (self.remind, self.due, self.late_from, self.lapse)
        return min((each for each in moments if each > after), default="")

    def sentence(self, zone: str) -> Sentence:
        """Until when, in a zone, as posts and letters say it."""
        from pbem.log.clock import spoken

        if self.noticed:
            return say(
                "{seat:seat}: the deadline has passed; the days of grace end {lapse}."
                if self.lapse
                else "{seat:seat}: the deadline has passed; the days of grace do not count now.",
                seat=self.seat,
                lapse=self.lapse and spoken(self.lapse, zone),
            )
        if not self.due:
            return say("{seat:seat}: no day counts for them now.", seat=self.seat)
        days = Counted("{n} day", "{n} days")
        return say(
            Counted(
                "{seat:seat}, by {due}; then {spare} to spare and {n} day of grace.",
                "{seat:seat}, by {due}; then {spare} to spare and {n} days of grace.",
            )
            if self.spare
            else Counted(
                "{seat:seat}, by {due}; then {n} day of grace.",
                "{seat:seat}, by {due}; then {n} days of grace.",
            ),
            n=self.grace,
            seat=self.seat,
            due=spoken(self.due, zone),
            spare=say(days, n=self.spare),
        )


class Absence(NamedTuple):
    """Dates on which a seat is away, first and last included, and when that begins and ends."""

    seat: Seat
    first: str
    last: str
    begins: str
    ends: str


@dataclass(frozen=True, slots=True)
class Timetable:
    """What the log of a match says of time: plain values, from which all states follow.

    `at` is the time of the last entry. `fires` is the tick at which what waits is played, "" where
    that is not put off. `trouble` says why nothing can be judged, if so.
    """

    at: str
    zone: str
    silence: str = "ask"
    paused: bool = False
    deadlines: tuple[Deadline, ...] = ()
    away: tuple[Absence, ...] = ()
    trouble: Sentence | None = None
    fires: str = ""

    def state(self, deadline: Deadline, at: str) -> str:
        """How it stands with a seat at a moment: one of STATES."""
        if self.paused:
            return PAUSED
        if deadline.noticed:
            return LAPSED if deadline.lapse and at > deadline.lapse else LATE
        for moment, state in (
            (deadline.late_from, OWED),
            (deadline.due, OVERDRAWN),
            (deadline.remind, SOON),
        ):
            if moment and at > moment:
                return state
        return WAITING

    def away_at(self, at: str) -> tuple[Seat, ...]:
        """The seats that are away at a moment."""
        return tuple(dict.fromkeys(a.seat for a in self.away if a.begins <= at < a.ends))

    def sentences(self, zone: str = "") -> tuple[Sentence, ...]:
        """Until when each has time who is asked, in this zone or the match's."""
        if self.trouble:
            return (say("No deadline: {trouble}.", trouble=self.trouble),)
        if self.paused:
            return (say("The clock is paused: nobody's days count."),)
        return tuple(each.sentence(zone or self.zone) for each in self.deadlines)

    def next(self, after: str) -> str:
        """The first moment after this one at which anything changes, "" if there is none."""
        if self.paused:
            return ""
        return min(filter(None, (each.next(after) for each in self.deadlines)), default="")

    @property
    def due(self) -> str:
        """The first deadline of all, "" where there is none."""
        return min(filter(None, (each.due for each in self.deadlines)), default="")

    def plain(self) -> dict[str, Any]:
        """As it may be kept: JSON values."""
        return {
            "at": self.at,
            "zone": self.zone,
            "silence": self.silence,
            "paused": self.paused,
            "deadlines": [[getattr(d, name) for name in d.__slots__] for d in self.deadlines],
            "away": [list(absence) for absence in self.away],
            "trouble": self.trouble and str(self.trouble),
            "fires": self.fires,
        }

    def shown(self) -> dict[str, Any]:
        """For programs: deadlines in UTC, who has a notice, who is announced to be away, and
        whether the clock stands still."""
        away: dict[str, list[dict[str, str]]] = {}
        for each in self.away:
            away.setdefault(each.seat, []).append({"first": each.first, "last": each.last})
        return {
            "due": {each.seat: each.due or None for each in self.deadlines},
            "late": [each.seat for each in self.deadlines if each.noticed],
            "away": away,
            "paused": self.paused,
        }

    @staticmethod
    def kept(plain: Mapping[str, Any]) -> Timetable:
        """What `plain` gave. Raises TypeError or KeyError for anything else."""
        trouble = plain["trouble"]
        return Timetable(
            plain["at"],
            plain["zone"],
            plain["silence"],
            plain["paused"],
            tuple(Deadline(*values) for values in plain["deadlines"]),
            tuple(Absence(*values) for values in plain["away"]),
            say("{trouble}", trouble=trouble) if trouble else None,
            plain["fires"],
        )


def of(now: Match) -> Timetable | None:
    """The timetable of a match; None where it has no clock."""
    return timetable(now.log, asked(now)) if now.log.header.clock else None


def timetable(log: Log, asked: Iterable[Asked]) -> Timetable:
    """What a log with a clock says of time.

    `asked` tells who is asked before the first ply that stands and after each of them.
    """
    from pbem.log.clock import Settings, zone

    assert log.header.clock is not None
    settings = Settings.of(log.header.clock)
    times = [log.header.created, *(entry.at for entry in log.entries)]
    if not all(map(_is_time, times)):
        trouble = say("this log has times that no calendar knows")
        return Timetable(times[-1], settings.zone, trouble=trouble)
    for before, after in pairwise(times):
        if after < before:
            trouble = say(
                "{after} stands after {before} in this log: time runs back",
                after=after,
                before=before,
            )
            return Timetable(times[-1], settings.zone, trouble=trouble)
    if log.header.entropy and log.so_far().gathered.stage:
        return Timetable(times[-1], settings.zone)  # nobody can move before the cards are dealt
    try:
        course = Course(log, asked)
        for _, each in course.settings:
            zone(each.zone)
        return _found(course)
    except Usage as problem:
        return Timetable(times[-1], settings.zone, trouble=problem.sentence)
    except OverflowError:
        trouble = say("time is at its end: the calendar has no later days")
        return Timetable(times[-1], settings.zone, trouble=trouble)


def _is_time(said: str) -> bool:
    from datetime import datetime

    try:
        datetime.fromisoformat(said)
    except ValueError:
        return False
    return True


def _found(course: Course) -> Timetable:
    """What follows for the seats that are asked at the end of a log."""
    now = course.settings[-1][1]
    return Timetable(
        course.at,
        now.zone,
        now.silence,
        course.paused,
        tuple(_deadline(course, turn) for turn in course.turns.values() if turn.awaited),
        tuple(a for seat in course.absences for a in _absences(course, seat, now.zone)),
        fires=course.fires(),
    )


def _deadline(course: Course, turn: Turn) -> Deadline:
    spare, now = course.left(turn.seat), course.settings[-1][1]
    hits, due = course.run(turn, spare)
    late = due + spare
    late_from = hits[late][0] if due >= 0 and late < len(hits) else ""
    # A notice written before days were given is void, if they moved what it was about.
    noticed = turn.noticed if late_from and turn.noticed > late_from else ""
    remind = due - now.remind
    return Deadline(
        turn.seat,
        turn.ply,
        turn.since,
        hits[remind][0] if now.remind and remind >= 0 else "",
        hits[due][0] if due >= 0 else "",
        late_from,
        noticed,
        course.lapse(turn) if noticed else "",
        spare,
        now.grace,
    )


def _absences(course: Course, seat: Seat, zone: str) -> Iterator[Absence]:
    """The absences of a seat that are not over, each day once."""
    from datetime import date, timedelta

    from pbem.log.clock import day_of, tick

    days = days_away(each for _, each in course.absences[seat])
    today = day_of(course.at, zone).toordinal()
    for first in sorted(day for day in days if day - 1 not in days):
        last = first
        while last + 1 in days:
            last += 1
        if last >= today:
            one, other = date.fromordinal(first), date.fromordinal(last)
            begins = tick(one, "00:00", zone)
            ends = tick(other + timedelta(days=1), "00:00", zone)
            yield Absence(seat, one.isoformat(), other.isoformat(), begins, ends)
