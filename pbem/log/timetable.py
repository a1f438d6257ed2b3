"""How long each seat has, and how it stands at any moment: plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.log.clock import ASK, after_grace, briefly, spoken
from pbem.log.seal import MODERATOR
from pbem.sentence import Sentence, say

WAITING: Final = "waiting"
SOON: Final = "soon"
OVERDRAWN: Final = "overdrawn"
OWED: Final = "owed"
LATE: Final = "late"
LAPSED: Final = "lapsed"
PAUSED: Final = "paused"
"""The states of a seat that is asked: it has time; a reminder is due; it is using its spare days; a
notice is due; the notice is written; what silence brings may be played; the clock stands still."""

STILL: Final = say("The clock is paused: nobody's days count.")

SEAT: Final = "seat"
DESK: Final = "desk"
"""Whom a match waits for: a seat that has time; the desk, which has something to enter in its next
run; or else MODERATOR, if nothing follows from time alone."""


# ------------------------------------------------------------------------------ what follows


class Deadline(NamedTuple):
    """How long a seat has. Times are in UTC, as in logs; "" is never, as things stand.

    `since` is when its turn began, after ply `ply`. At `remind` it is reminded, at `due` its days
    are over, at `late_from` those to spare (`spare` are left), too. `noticed` is when a notice was
    written after that, and `lapse` when its `grace` is over; `asks` says that it is plain then, as
    far as the match is known, that silence brings nothing. With `words` the seat is to send what
    goes into the draws, by a time that the header names and no clock moves.
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
        """What deadlines must share if one sentence is to tell of them."""
        shown = (self.due, bool(self.noticed), self.lapse, self.spare, self.grace, self.asks)
        return (*shown, self.words)

    @property
    def stretched(self) -> Deadline:
        """The same for whoever lives on the days to spare: their time is until these end."""
        return self._replace(due=self.late_from, spare=0)

    def brief(self, zone: str) -> Sentence:
        """Until when the seat has, in a few words."""
        end = self.lapse if self.noticed else self.due
        if not end:
            return say("no day counts now")
        if self.noticed:
            return say("late, until {end}", end=briefly(end, zone))
        return say("until {end}", end=briefly(end, zone))

    @property
    def course(self) -> tuple[tuple[str, str], ...]:
        """The states that time alone brings, in order: the moment after which each is its state,
        and the state."""
        course = [(self.remind, SOON), (self.due, OVERDRAWN), (self.late_from, OWED)]
        if self.words:
            course = [(self.remind, SOON), (self.due, LAPSED)]
        elif self.noticed:
            course = [(self.lapse, LAPSED)]
        return tuple((moment, state) for moment, state in course if moment)

    def next(self, at: str) -> str:
        """The first moment, from this one on, after which its state is another; "" if there is
        none."""
        return next((moment for moment, _ in self.course if moment >= at), "")

    def sentence(self, zone: str, silence: str, seats: Sequence[Seat] | None = None) -> Sentence:
        """The deadline in a zone and what `silence` brings to whoever is late, as posts and letters
        say it. `seats` are all those it is the same for; () if they were just named."""
        due = self.due and spoken(self.due, zone)
        values: dict[str, Any] = {"seats": seats or (self.seat,), "due": due, "n": self.grace}
        if self.words:
            return say(
                "{seats:seats}: words for the draws by {due}; then the moderator can go on without "
                "them.",
                **values,
            )
        if self.noticed and self.lapse:
            return say(
                "{seats:seats}: the deadline has passed; the days of grace end {lapse}. "
                "Then {then}.",
                lapse=spoken(self.lapse, zone),
                then=after_grace(ASK if self.asks else silence),
                **values,
            )
        if self.noticed:
            return say(
                "{seats:seats}: the deadline has passed; the days of grace do not count now.",
                **values,
            )
        if not self.due:
            return say("{seats:seats}: no day counts for them now.", **values)
        if seats is not None and not seats and not self.spare:
            return say("By {due}; then {n} [day|days] of grace.", **values)
        if self.spare:
            return say(
                "{seats:seats}, by {due}; then {spare} to spare and {n} [day|days] of grace.",
                spare=say("{n} [day|days]", n=self.spare),
                **values,
            )
        return say("{seats:seats}, by {due}; then {n} [day|days] of grace.", **values)


class Absence(NamedTuple):
    """Dates on which a seat is away, first and last included, and when that begins and ends."""

    seat: Seat
    first: str
    last: str
    begins: str
    ends: str


class Timetable(NamedTuple):
    """What the log of a match says about time: plain values, from which all states follow.

    `at` is the time of the last entry. `fires` is the tick at which what waits is played, "" if
    that is not put off. `trouble` says why nothing can be judged, if nothing can.
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
        """The state of a seat at a moment: `waiting` or one of the rest."""
        if self.paused and not deadline.words:
            return PAUSED
        begins = LATE if deadline.noticed else WAITING
        return ([begins] + [state for moment, state in deadline.course if at > moment])[-1]

    def read_at(self, at: str) -> Timetable:
        """The same for whoever reads it at a moment, when some may live on their days to spare."""
        over = (self.state(each, at) == OVERDRAWN for each in self.deadlines)
        pairs = zip(self.deadlines, over, strict=True)
        return self._replace(deadlines=tuple(d.stretched if late else d for d, late in pairs))

    def waits_for(self, deadline: Deadline, at: str) -> str:
        """Whom the match waits for at a moment, as far as this deadline goes.

        SEAT as long as `next` has a moment, and only then; else DESK or MODERATOR.
        """
        then = MODERATOR if deadline.asks else DESK
        return {PAUSED: MODERATOR, OWED: DESK, LAPSED: then}.get(self.state(deadline, at), SEAT)

    def away_at(self, at: str) -> tuple[Seat, ...]:
        """The seats that are away at a moment."""
        return tuple(dict.fromkeys(a.seat for a in self.away if a.begins <= at < a.ends))

    def sentences(self, zone: str = "", *, brief: bool = False) -> tuple[Sentence, ...]:
        """The deadlines of all who are asked, in this zone or the match's, equal ones in one
        sentence. In `brief`, a seat that is asked alone is not named."""
        if self.trouble:
            return (say("No deadline: {trouble}.", trouble=self.trouble),)
        still = (STILL,) if self.paused else ()
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

    def brief(self, zone: str = "") -> dict[Seat, Sentence]:
        """Until when each seat that is asked has, in a few words."""
        return {each.seat: each.brief(zone or self.zone) for each in self._running}

    def next(self, at: str) -> str:
        """The first moment, from this one on, after which anything is different by time alone;
        "" if there is none."""
        moments = [each.next(at) for each in self._running]
        moments += [self.fires] if self.fires >= at else []
        return min(filter(None, moments), default="")

    @property
    def _running(self) -> tuple[Deadline, ...]:
        """The deadlines that run now: a paused clock stops all but those for words."""
        return tuple(each for each in self.deadlines if each.words or not self.paused)

    @property
    def due(self) -> str:
        """The earliest deadline; "" if there is none."""
        return min(filter(None, (each.due for each in self.deadlines)), default="")

    def plain(self) -> list[Any]:
        """The timetable as JSON values, to be kept."""
        return [str(each) if isinstance(each, Sentence) else each for each in self]

    def shown(self) -> dict[str, Any]:
        """For programs: deadlines in UTC, who has a notice, when its grace is over and who acts
        then, who has announced to be away, and whether the clock stands still."""
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
    def kept(plain: Sequence[Any]) -> Timetable:
        """The timetable that `plain` gave. Raises TypeError for anything else."""
        times = Timetable(*plain)
        return times._replace(
            deadlines=tuple(Deadline(*values) for values in times.deadlines),
            away=tuple(Absence(*values) for values in times.away),
            trouble=times.trouble and say("{trouble}", trouble=times.trouble),
        )
