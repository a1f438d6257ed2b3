"""The rulings about time. None of them moves the position: an order under way stays good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.core import SEAT, Domain, Seat, fact, record
from pbem.log.ruling import Objection, Ruling, Totals, list_of
from pbem.sentence import Counted, Sentence, say

if TYPE_CHECKING:  # a match without a clock does without it
    from pbem.log.clock import Settings

MOST: Final = 365
"""No setting of a clock is more days than this, and no absence is longer."""


def is_date(value: Any) -> bool:
    """Is this a date, like 2026-12-24?"""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return False
    from datetime import date

    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


DATE: Final = Domain('a date like "2026-12-24"', is_date)
CLOCK: Final = Domain(
    'the settings of a clock, like {zone: Europe/Berlin, at: "20:00", turn: 3, …}',
    lambda v: isinstance(v, dict),
)
DAYS: Final = Domain(
    "a number of days, 1 to 365",
    lambda v: isinstance(v, int) and not isinstance(v, bool) and 1 <= v <= MOST,
)


class Timing:
    """What the entries so far add up to, as to time. `settings` is None without a clock."""

    def __init__(self, given: Mapping[str, Any] | None) -> None:
        self.settings = _settings(given) if given else None
        self.paused = False
        self.absences: dict[Seat, list[Away | Back]] = {}

    def days_away(self, seat: Seat, *more: Away) -> int:
        """How many days a seat is announced to be away; a day announced twice is one."""
        return len(days_away((*self.absences.get(seat, ()), *more)))


def days_away(announced: Iterable[Away | Back]) -> set[int]:
    """The dates on which somebody is away, as numbers; a date announced twice is one."""
    days = set[int]()
    for each in announced:
        if isinstance(each, Away):
            days |= each.days
        else:
            days = {day for day in days if day < _ordinal(each.first)}
    return days


def _settings(given: Mapping[str, Any]) -> Settings:
    from pbem.log.clock import Settings

    return Settings.of(given)


def _ordinal(day: str) -> int:
    from datetime import date

    return date.fromisoformat(day).toordinal()


class TimeRuling(Ruling):
    """A ruling that only a match with a clock can have."""

    __slots__ = ()
    moves_position = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if so_far.timing.settings is None:
            return say(
                "this match has no clock, so there is nothing to rule about time; "
                "`pbem new --turn DAYS` begins a match that has one"
            ), "ruling"
        return self.mistimed(so_far)

    def mistimed(self, so_far: Totals) -> Objection | None:
        """What is wrong with this in a match with a clock."""
        return None


@record
class Late(TimeRuling):
    """A seat has let its deadline pass: the notice from which its grace is counted."""

    seat: Seat = fact(SEAT)

    def sentence(self, by: Seat) -> Sentence:
        return say("{seat:seat} has missed the deadline. The days of grace begin.", seat=self.seat)


@record
class Extend(TimeRuling):
    """Seats get days more for the turn they are at."""

    seats: tuple[Seat, ...] = fact(list_of("a list of seats", SEAT.accepts))
    days: int = fact(DAYS)

    def mistimed(self, so_far: Totals) -> Objection | None:
        return None if self.seats else (say("no seat gets these days"), "seats")

    def sentence(self, by: Seat) -> Sentence:
        return say(
            Counted(
                "The moderator gives {seats:seats} {n} day more.",
                "The moderator gives {seats:seats} {n} days more.",
            ),
            n=self.days,
            seats=self.seats,
        )


@record
class Pause(TimeRuling):
    """The clock stands still."""

    def mistimed(self, so_far: Totals) -> Objection | None:
        return (say("the clock is paused already"), "ruling") if so_far.timing.paused else None

    def counts(self, so_far: Totals) -> None:
        so_far.timing.paused = True

    def sentence(self, by: Seat) -> Sentence:
        return say("The moderator pauses the clock.")


@record
class Resume(TimeRuling):
    """The clock goes on."""

    def mistimed(self, so_far: Totals) -> Objection | None:
        return None if so_far.timing.paused else (say("the clock is not paused"), "ruling")

    def counts(self, so_far: Totals) -> None:
        so_far.timing.paused = False

    def sentence(self, by: Seat) -> Sentence:
        return say("The clock goes on.")


@record
class Away(TimeRuling):
    """A seat is away, from the first of these dates to the last."""

    seat: Seat = fact(SEAT)
    first: str = fact(DATE)
    last: str = fact(DATE)

    from_seat = True

    @property
    def days(self) -> set[int]:
        """The dates, as numbers."""
        return set(range(_ordinal(self.first), _ordinal(self.last) + 1))

    def mistimed(self, so_far: Totals) -> Objection | None:
        if self.last < self.first:
            return say(
                "an absence from {first} cannot end on {last}, before it begins",
                first=self.first,
                last=self.last,
            ), "last"
        days = _ordinal(self.last) - _ordinal(self.first) + 1
        if days > MOST:
            return say(
                "{days} days are no absence: it has at most {most}; for longer there is "
                "`pbem rule LOG pause`",
                days=days,
                most=MOST,
            ), "last"
        return None

    def beyond(self, so_far: Totals, by: Seat) -> Objection | None:
        timing = so_far.timing
        used, with_these = timing.days_away(self.seat), timing.days_away(self.seat, self)
        settings = timing.settings
        if settings is None or with_these <= max(used, settings.absences):
            return None
        return say(
            Counted(
                "{seat:seat} can announce {absences} days of absence, and {n} is left; this takes "
                "{days}. Beyond that the moderator decides",
                "{seat:seat} can announce {absences} days of absence, and {n} are left; this takes "
                "{days}. Beyond that the moderator decides",
            ),
            n=max(0, settings.absences - used),
            seat=self.seat,
            absences=settings.absences,
            days=with_these - used,
        ), "last"

    def counts(self, so_far: Totals) -> None:
        so_far.timing.absences.setdefault(self.seat, []).append(self)

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "{seat:seat} is away from {first} to {last}.",
            seat=self.seat,
            first=self.first,
            last=self.last,
        )


@record
class Back(TimeRuling):
    """A seat is there again, from this date on."""

    seat: Seat = fact(SEAT)
    first: str = fact(DATE)

    from_seat = True

    def mistimed(self, so_far: Totals) -> Objection | None:
        if so_far.timing.absences.get(self.seat):
            return None
        return say("{seat:seat} has announced no absence", seat=self.seat), "seat"

    def counts(self, so_far: Totals) -> None:
        so_far.timing.absences.setdefault(self.seat, []).append(self)

    def sentence(self, by: Seat) -> Sentence:
        return say("{seat:seat} is back from {first} on.", seat=self.seat, first=self.first)


@record
class Clock(TimeRuling):
    """Other settings of the clock, from here on."""

    settings: Mapping[str, Any] = fact(CLOCK)

    def mistimed(self, so_far: Totals) -> Objection | None:
        from pbem.log import clock

        wrong = clock.objection(self.settings)
        return (wrong[0], "settings") if wrong else None

    def counts(self, so_far: Totals) -> None:
        so_far.timing.settings = _settings(self.settings)

    def sentence(self, by: Seat) -> Sentence:
        told = [say("{name} {value}", name=n, value=_shown(v)) for n, v in self.settings.items()]
        return say("The moderator sets the clock anew: {settings:all}.", settings=told)


def _shown(value: Any) -> str:
    return " ".join(value) or "none" if isinstance(value, list | tuple) else str(value)


TIME_RULINGS: Final = (Late, Extend, Pause, Resume, Away, Back, Clock)
"""Every kind of them."""
