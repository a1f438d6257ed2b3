"""The rulings about time. None of them moves the position: an order under way stays good."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core import SEAT, Domain, Seat, fact, record
from pbem.log.ruling import DATE, MOST_DAYS, PLAY, Asks, Objection, Ruling, Totals, list_of
from pbem.sentence import Sentence, dated, say

if TYPE_CHECKING:  # not loaded for a match without a clock
    from pbem.log.clock import Settings

CLOCK: Final = Domain(
    'the settings of a clock, like {zone: Europe/Berlin, at: "20:00", turn: 3, …}',
    lambda v: isinstance(v, dict),
)


MORE: Final = Domain(
    "a number of days, 1 to 365 or, to take some back, -365 to -1",
    lambda v: isinstance(v, int) and not isinstance(v, bool) and 1 <= abs(v) <= MOST_DAYS,
)


class Timing(NamedTuple):
    """What the entries so far say about time. `settings` is None without a clock; `away` are the
    dates, as ordinals, on which each seat is away that has announced an absence."""

    settings: Settings | None = None
    paused: bool = False
    away: Mapping[Seat, frozenset[int]] = {}

    @property
    def clock(self) -> Settings:
        """The settings, in a match that has a clock."""
        assert self.settings is not None
        return self.settings

    @property
    def seeks(self) -> bool:
        """Is a substitute sought for a seat that falls silent, or is given up?"""
        from pbem.log.clock import SUBSTITUTE

        return self.settings is not None and self.settings.silence == SUBSTITUTE

    def days(self, seat: Seat) -> frozenset[int]:
        """The dates, as ordinals, on which a seat is away."""
        return self.away.get(seat, frozenset())

    def set_to(self, settings: Mapping[str, Any]) -> Timing:
        """The same with these settings, as a log writes them."""
        from pbem.log.clock import Settings

        return self._replace(settings=Settings.of(settings))

    def reseated(self, seat: Seat) -> Timing:
        """The same without what was announced for a seat: somebody else sits there now."""
        return self._replace(away={s: days for s, days in self.away.items() if s != seat})


def _ordinal(day: str) -> int:
    from datetime import date

    return date.fromisoformat(day).toordinal()


SETTINGS: Final = (
    Asks("turn", "DAYS", "Deadlines: the days for a turn."),
    Asks("at", "HH:MM", "The hour at which days are counted."),
    Asks("zone", "ZONE", "The time zone, like Europe/Berlin."),
    Asks("interrupt", "DAYS", "To answer during another's turn."),
    Asks("grace", "DAYS", "From a notice to what silence brings."),
    Asks("bank", "DAYS", "To spare for each seat in the whole match."),
    Asks("closed", "sat,sun,DATE", "Days that do not count; none: all do."),
    Asks("absences", "DAYS", "How long a seat may announce to be away."),
    Asks("remind", "DAYS", "A reminder so long before the deadline."),
    Asks("silence", "WHAT", "ask, default (the rules), substitute, or moves: 'draw or pass'."),
    Asks("plans", "WHEN", "What waits is played at_once or at_tick."),
)
"""The settings of a clock, as options."""


NO_CLOCK: Final = say(
    "this match has no clock, so there is nothing to rule about time; `pbem rule LOG clock --turn "
    "DAYS --zone ZONE` gives it one"
)


class TimeRuling(Ruling):
    """A ruling that only a match with a clock can have, except for the one that sets it."""

    __slots__ = ()
    needs_clock = True
    moves_position = False
    owes_reason = False


@record
class Late(TimeRuling):
    """A seat has let its deadline pass: the notice from which its grace is counted."""

    seat: Seat = fact(SEAT)

    says = say("{seat:seat} has missed the deadline. The days of grace begin.")
    stages = (PLAY,)


@record
class Extend(TimeRuling):
    """Seats get days more for the turn they are at; fewer than 0 take back what they got."""

    seats: tuple[Seat, ...] = fact(list_of("a list of seats", SEAT.accepts))
    days: int = fact(MORE)

    stages = (PLAY,)
    options = (
        Asks("by", "DAYS", "How many days more; -2 takes two back.", needed=True, field="days"),
        Asks("seat", "SEAT", "For whom; else for all who are asked.", field="seats"),
    )

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        return None if self.seats else (say("no seat gets these days"), "seats")

    def sentence(self, by: Seat) -> Sentence:
        if self.days < 0:
            taken = "The moderator takes {n} [day|days] back from {seats:seats}."
            return say(taken, n=-self.days, seats=self.seats)
        return say(
            "The moderator gives {seats:seats} {n} [day|days] more.", n=self.days, seats=self.seats
        )


@record
class Pause(TimeRuling):
    """The clock stands still."""

    says = say("The moderator pauses the clock.")
    options = ()

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        return (say("the clock is paused already"), "ruling") if so_far.timing.paused else None

    def counts(self, so_far: Totals) -> None:
        so_far.timing = so_far.timing._replace(paused=True)


@record
class Resume(TimeRuling):
    """The clock goes on."""

    says = say("The clock goes on.")
    options = ()

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        return None if so_far.timing.paused else (say("the clock is not paused"), "ruling")

    def counts(self, so_far: Totals) -> None:
        so_far.timing = so_far.timing._replace(paused=False)


@record
class OfAbsence(TimeRuling):
    """A ruling by which the dates change on which a seat is away."""

    seat: Seat = fact(SEAT)

    from_seat = True

    @abstractmethod
    def leaves(self, days: frozenset[int]) -> frozenset[int]:
        """The dates, as ordinals, on which the seat is away after this, from those before."""

    def counts(self, so_far: Totals) -> None:
        timing: Timing = so_far.timing
        days = self.leaves(timing.days(self.seat))
        so_far.timing = timing._replace(away={**timing.away, self.seat: days})


@record
class Away(OfAbsence):
    """A seat is away, from the first of these dates to the last."""

    first: str = fact(DATE)
    last: str = fact(DATE)

    options = (
        Asks("seat", "SEAT", "Who is away.", needed=True),
        Asks("from", "DATE", "The first day.", needed=True, field="first"),
        Asks("to", "DATE", "The last day.", needed=True, field="last"),
    )

    def leaves(self, days: frozenset[int]) -> frozenset[int]:
        return days.union(range(_ordinal(self.first), _ordinal(self.last) + 1))

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if self.last < self.first:
            return say(
                "an absence from {first} cannot end on {last}, before it begins",
                first=dated(self.first),
                last=dated(self.last),
            ), "last"
        days = _ordinal(self.last) - _ordinal(self.first) + 1
        if days > MOST_DAYS:
            return say(
                "{days} days are no absence: it has at most {most}; for longer there is "
                "`pbem rule LOG pause`",
                days=days,
                most=MOST_DAYS,
            ), "last"
        return None

    def beyond(self, so_far: Totals) -> dict[str, int] | None:
        """How many days a seat may announce, how many of them are left, and how many this takes, if
        these are more."""
        timing: Timing = so_far.timing
        days = timing.days(self.seat)
        used, with_these = len(days), len(self.leaves(days))
        if timing.settings is None or with_these <= max(used, most := timing.settings.absences):
            return None
        return {"n": max(0, most - used), "absences": most, "days": with_these - used}

    def objection_from(self, so_far: Totals, by: Seat) -> Objection | None:
        if (values := self.beyond(so_far)) is None:
            return None
        return say(
            "{seat:seat} can announce {absences} days of absence, and {n} [is|are] left; this "
            "takes {days}. Beyond that the moderator decides",
            seat=self.seat,
            **values,
        ), "last"

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "{seat:seat} is away from {first} to {last}.",
            seat=self.seat,
            first=dated(self.first),
            last=dated(self.last),
        )


@record
class Back(OfAbsence):
    """A seat is there again, from this date on."""

    first: str = fact(DATE)

    options = (
        Asks("seat", "SEAT", "Who is there again.", needed=True),
        Asks("from", "DATE", "From when on; else from today.", field="first"),
    )

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if self.seat in so_far.timing.away:
            return None
        return say("{seat:seat} has announced no absence", seat=self.seat), "seat"

    def leaves(self, days: frozenset[int]) -> frozenset[int]:
        first = _ordinal(self.first)
        return frozenset(day for day in days if day < first)

    def sentence(self, by: Seat) -> Sentence:
        return say("{seat:seat} is back from {first} on.", seat=self.seat, first=dated(self.first))


@record
class Clock(TimeRuling):
    """The clock changes from here on, or the match gets its first one."""

    settings: Mapping[str, Any] = fact(CLOCK)

    needs_clock = False
    options = (*SETTINGS, Asks("yes", "", "Although it shortens somebody's turn."))

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        from pbem.log import clock

        wrong = clock.objection(self.settings)
        return (wrong[0], "settings") if wrong else None

    def counts(self, so_far: Totals) -> None:
        so_far.timing = so_far.timing.set_to(self.settings)

    def sentence(self, by: Seat) -> Sentence:
        told = [say("{name} {value}", name=n, value=_shown(v)) for n, v in self.settings.items()]
        return say("The moderator sets the clock: {settings:all}.", settings=told)


def _shown(value: Any) -> str:
    return " ".join(value) or "none" if isinstance(value, list | tuple) else str(value)


@record
class Redate(Ruling):
    """A clock was ahead: entries that are dated later count as of now."""

    says = say("The moderator sets the time right: what is dated later counts as of now.")
    moves_position = False
    options = ()
    owes_reason = False


TIME_RULINGS: Final = (Late, Extend, Pause, Resume, Away, Back, Clock, Redate)
"""Every kind of ruling about time."""
