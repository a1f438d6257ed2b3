"""Until when each seat has time, and how it stands with it at any moment: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.log.clock import ASK, after_grace, spoken
from pbem.log.seal import MODERATOR
from pbem.sentence import Counted, Sentence, say

WAITING: Final = "waiting"
SOON: Final = "soon"
OVERDRAWN: Final = "overdrawn"
OWED: Final = "owed"
LATE: Final = "late"
LAPSED: Final = "lapsed"
PAUSED: Final = "paused"
"""How it stands with a seat that is asked: it has time; it is to be reminded; it lives on its spare
days; a notice is to be written; the notice is written; what silence brings may be played; the clock
stands still."""

SEAT: Final = "seat"
DESK: Final = "desk"
"""For whom a match waits: a seat that has time; the desk, which has something to enter in its next
run; the moderator, without whom nothing follows from time alone."""


# ------------------------------------------------------------------------------ what follows


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a seat has time. Times are in UTC, as in logs; "" is never, as things are.

    `since` is when its turn began, after ply `ply`. At `remind` it is to be reminded, at `due` its
    days are over, at `late_from` those to spare (`spare` are left), too. `noticed` is the notice
    that was written after that, and `lapse` when its `grace` is over; `asks` says that then it is
    plain, as far as the match is known, that silence brings nothing. With `words` the seat is to
    send what goes into the draws: until a time that the header names, and no clock moves.
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
    asks: bool = False
    words: bool = False

    @property
    def alike(self) -> object:
        """What it has in common with those of which one sentence tells."""
        shown = (self.due, bool(self.noticed), self.lapse, self.spare, self.grace, self.asks)
        return (*shown, self.words)

    def next(self, at: str) -> str:
        """The first moment, this one or a later, after which its state is another; "" if there is
        none."""
        moments = (self.lapse,) if self.noticed else (self.remind, self.due, self.late_from)
        return min((each for each in moments if each and each >= at), default="")

    def sentence(self, zone: str, silence: str, seats: Sequence[Seat] | None = None) -> Sentence:
        """Until when, in a zone, and what `silence` brings to whoever is late, as posts and letters
        say it; of all these seats, where it is the same for them; () where they were just named."""
        whose = seats or (self.seat,)
        if self.words:
            return say(
                "{seats:seats}: words for the draws by {due}; then the moderator can go on without "
                "them.",
                seats=whose,
                due=spoken(self.due, zone),
            )
        if self.noticed and self.lapse:
            return say(
                "{seats:seats}: the deadline has passed; the days of grace end {lapse}. "
                "Then {then}.",
                seats=whose,
                lapse=spoken(self.lapse, zone),
                then=after_grace(ASK if self.asks else silence),
            )
        if self.noticed:
            return say(
                "{seats:seats}: the deadline has passed; the days of grace do not count now.",
                seats=whose,
            )
        if not self.due:
            return say("{seats:seats}: no day counts for them now.", seats=whose)
        due = spoken(self.due, zone)
        if seats is not None and not seats and not self.spare:
            return say(
                Counted("By {due}; then {n} day of grace.", "By {due}; then {n} days of grace."),
                n=self.grace,
                due=due,
            )
        if self.spare:
            return say(
                Counted(
                    "{seats:seats}, by {due}; then {spare} to spare and {n} day of grace.",
                    "{seats:seats}, by {due}; then {spare} to spare and {n} days of grace.",
                ),
                n=self.grace,
                seats=whose,
                due=due,
                spare=say(Counted("{n} day", "{n} days"), n=self.spare),
            )
        return say(
            Counted(
                "{seats:seats}, by {due}; then {n} day of grace.",
                "{seats:seats}, by {due}; then {n} days of grace.",
            ),
            n=self.grace,
            seats=whose,
            due=due,
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
        """How it stands with a seat at a moment: `waiting` and the rest."""
        if deadline.words:
            soon = SOON if deadline.remind and at > deadline.remind else WAITING
            return LAPSED if at > deadline.due else soon
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

    def waits_for(self, deadline: Deadline, at: str) -> str:
        """For whom the match waits at a moment, as to a seat that is asked: SEAT, DESK, MODERATOR.

        It is the seat as long as there is a next moment, and only then.
        """
        match self.state(deadline, at):
            case "paused":
                return MODERATOR
            case "owed":
                return DESK
            case "lapsed":
                return MODERATOR if deadline.asks else DESK
        return SEAT

    def away_at(self, at: str) -> tuple[Seat, ...]:
        """The seats that are away at a moment."""
        return tuple(dict.fromkeys(a.seat for a in self.away if a.begins <= at < a.ends))

    def sentences(self, zone: str = "", *, brief: bool = False) -> tuple[Sentence, ...]:
        """Until when each has time who is asked, in this zone or the match's. In `brief`, those
        who have the same time are told of in one sentence, and who is asked alone has no name."""
        if self.trouble:
            return (say("No deadline: {trouble}.", trouble=self.trouble),)
        still = (say("The clock is paused: nobody's days count."),) if self.paused else ()
        alike: dict[object, list[Deadline]] = {}
        for each in self._running:
            alike.setdefault(each.alike, []).append(each)
        running = (
            first.sentence(
                zone or self.zone,
                self.silence,
                () if brief and len(self._running) == 1 else [first.seat, *(e.seat for e in more)],
            )
            for first, *more in alike.values()
        )
        return (*still, *running)

    def next(self, at: str) -> str:
        """The first moment, this one or a later, after which anything is different by time alone;
        "" if there is none."""
        moments = [each.next(at) for each in self._running]
        moments += [self.fires] if self.fires >= at else []
        return min(filter(None, moments), default="")

    @property
    def _running(self) -> tuple[Deadline, ...]:
        """Those that a clock that stands still does not stop."""
        return tuple(each for each in self.deadlines if each.words or not self.paused)

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
        """For programs: deadlines in UTC, who has a notice, when its grace is over and who acts
        then, who is announced to be away, and whether the clock stands still."""
        away: dict[str, list[dict[str, str]]] = {}
        for each in self.away:
            away.setdefault(each.seat, []).append({"first": each.first, "last": each.last})
        return {
            "due": {each.seat: each.due or None for each in self.deadlines},
            "late": [each.seat for each in self.deadlines if each.noticed],
            "lapse": {
                each.seat: {"at": each.lapse or each.due, "then": MODERATOR if each.asks else DESK}
                for each in self._running
                if each.noticed or each.words
            },
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
