"""The clock of a match: its settings, as its header and its rulings have them, and its ticks.

A tick is the hour `at` of a date in the match's zone, unless that date is closed. The zone's data
are read only when a tick is asked for. docs/time.md has all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pbem.core import Domain, Game, Refused, one_of
from pbem.log.ruling import MOST_DAYS, NEVER, Objection, days, is_date, matching, misfit
from pbem.problem import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ASK: Final = "ask"
DEFAULT: Final = "default"
SUBSTITUTE: Final = "substitute"
AT_ONCE: Final = "at_once"
AT_TICK: Final = "at_tick"
_ZONE: Final = r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*"
_HOUR: Final = r"([01]\d|2[0-3]):[0-5]\d"


@dataclass(frozen=True, slots=True)
class Settings:
    """How time is counted in a match.

    In open days: `turn` to answer, `interrupt` to answer during another's turn, `grace` from a
    notice to what silence brings, `bank` to spare in the whole match, `remind` before the
    deadline. `absences` are the days a seat may announce to be away. `closed` are weekdays and
    dates on which nothing falls due; `silence` is ask, default, substitute, or moves joined by
    " or "; `plans` says whether what waits is played at once or at a tick only.
    """

    zone: str
    at: str
    turn: int
    interrupt: int = 1
    grace: int = 2
    bank: int = 0
    closed: tuple[str, ...] = ()
    absences: int = 28
    remind: int = 1
    silence: str = ASK
    plans: str = AT_ONCE

    @staticmethod
    def of(plain: Mapping[str, Any]) -> Settings:
        """The settings, once `objection` has found nothing wrong with them."""
        return Settings(**{**plain, "closed": tuple(plain["closed"])})

    def plain(self) -> dict[str, Any]:
        """The settings as a log writes them."""
        values = {name: getattr(self, name) for name in self.__slots__}
        if self.plans == AT_ONCE:
            del values[PLANS]
        return {**values, "closed": list(self.closed)}

    def is_open(self, day: date) -> bool:
        """Can anything fall due on this date?"""
        if not self.closed:
            return True
        return not (WEEKDAYS[day.weekday()] in self.closed or day.isoformat() in self.closed)

    def sentences(self) -> Iterator[Sentence]:
        """All settings in words, for the opening post."""
        yield say(
            "You have {n} [day|days] for each turn. Days are counted at {at} ({zone}).",
            n=self.turn,
            at=self.at,
            zone=self.zone,
        )
        yield say("To answer during another's turn you have {n} [day|days].", n=self.interrupt)
        if self.closed:
            called: dict[str, Any] = dict(zip(WEEKDAYS, _DAYS, strict=True))
            closed = [called.get(each, each) for each in self.closed]
            yield say("Not counted: {closed:all}.", closed=closed)
        if self.bank:
            yield say("Each player has {n} [day|days] to spare for the whole match.", n=self.bank)
        yield say(
            "Each player can announce {n} [day|days] of absence; the clock waits for them.",
            n=self.absences,
        )
        if self.remind >= self.turn:
            yield _NO_REMINDER
        elif self.remind:
            yield say("A reminder comes {n} [day|days] before the deadline.", n=self.remind)
        if self.plans == AT_TICK:
            yield say(
                "Moves that wait for a question are played at {at} and at no other time.",
                at=self.at,
            )
        yield say(
            "After the deadline there is a notice and {n} [day|days] of grace. Then {then}.",
            n=self.grace,
            then=after_grace(self.silence),
        )


PLANS: Final = "plans"
"""The key that may be left out."""


def _are_days(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= MOST_DAYS
        and all(each in WEEKDAYS or is_date(each) for each in value)
        and len(set(value)) == len(value)
    )


_DOMAINS: Final[Mapping[str, Domain]] = {
    "zone": matching("a time zone, called like Europe/Berlin", _ZONE),
    "at": matching("an hour like 20:00", _HOUR),
    **dict.fromkeys(("turn", "interrupt", "grace"), days(1)),
    **dict.fromkeys(("bank", "absences", "remind"), days(0)),
    "closed": Domain("weekdays like sat and dates like 2026-12-24, each once", _are_days),
    "silence": Domain(
        "ask, default, substitute, or moves like 'draw or pass'",
        lambda v: isinstance(v, str) and 0 < len(v) <= 200 and v.isprintable(),
    ),
    PLANS: one_of("at_once or at_tick", (AT_ONCE, AT_TICK)),
}


def objection(given: Mapping[str, Any]) -> Objection | None:
    """What is wrong with written settings, and at which key; None if nothing is."""
    if wrong := misfit(given, _DOMAINS, (PLANS,)):
        return wrong
    if all(day in given["closed"] for day in WEEKDAYS):
        return say("all seven days are closed: nothing could ever fall due; open one"), "closed"
    return None


def chosen(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The clock settings among a command's options, without those that were not given."""
    given = {key: asked[key] for key in _DOMAINS if asked.get(key) is not None}
    if text := given.get("closed"):
        dates = [] if text == "none" else [each.strip().lower() for each in text.split(",")]
        given["closed"] = dates
    return given


def settings(
    game: Game[Any], chosen: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The settings of a clock, as they are written: those chosen, else those before, else the
    usual ones. Raises Usage if something is missing or wrong."""
    if before is None:
        for needed in ("turn", "zone"):
            if needed not in chosen:
                raise Usage(
                    "a clock needs --{needed}; write it like --turn 3 --zone Europe/Berlin",
                    needed=needed,
                )
    usual = Settings(zone="", at="20:00", turn=1).plain()
    found = {**usual, **(before or {}), **chosen}
    if wrong := objection(found):
        raise Usage("{wrong}", wrong=wrong[0])
    for _, unknown in unknown_in(found, game):
        raise Usage("{unknown}", unknown=unknown)
    return found


def unknown_in(settings: Mapping[str, Any], game: Game[Any]) -> Iterator[tuple[str, Sentence]]:
    """What is not known here of written settings, each after its key: the time zone, and moves that
    silence is to bring and that are none of the game's."""
    try:
        zone(settings["zone"])
    except Usage as problem:
        yield "zone", problem.sentence
    for move in moves_of(settings["silence"]):
        try:
            game.parse(move)
        except Refused as refusal:
            told = {"move": move, "refusal": refusal}
            yield (
                "silence",
                say("silence brings {move!r}, which is no move of this game: {refusal}", **told),
            )


def moves_of(silence: str) -> tuple[str, ...]:
    """The moves that this setting names, for the first legal one to be played; () if none."""
    return () if silence in (ASK, DEFAULT, SUBSTITUTE) else tuple(silence.split(" or "))


_NO_REMINDER: Final = say(
    "No reminder comes before the deadline: it would have to come before the turn begins."
)


def after_grace(silence: str) -> Sentence:
    """What silence brings, by this setting."""
    if silence == ASK:
        return say("the moderator decides")
    if silence == SUBSTITUTE:
        return say("a substitute is sought")
    if silence == DEFAULT:
        return say("what the rules say of silence is played; else the moderator decides")
    return say("this is played: {moves}; else the moderator decides", moves=silence)


# ------------------------------------------------------------------------------------ zones


@cache
def zone(name: str) -> ZoneInfo:
    """The data of a time zone. Raises Usage with a way out."""
    from zoneinfo import ZoneInfo, available_timezones

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        pass
    known = available_timezones()
    if not known:
        raise Usage(
            "there are no data of time zones here, so {name} is not known; "
            "`pip install tzdata` brings them",
            name=name,
        )
    import difflib

    meant = difflib.get_close_matches(name, known, 3, 0.6)
    raise (
        Usage("there is no time zone {name!r}; did you mean {meant:any}", name=name, meant=meant)
        if meant
        else Usage("there is no time zone {name!r}; they are called like Europe/Berlin", name=name)
    )


@cache
def edition() -> str:
    """Which edition of the time zone data is at hand; "" if the system does not say."""
    import os

    for folder in _FOLDERS:
        try:
            with open(os.path.join(folder, "tzdata.zi"), encoding="ascii") as file:
                return file.readline().strip()
        except (OSError, ValueError):
            continue
    return ""


_FOLDERS: Final = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo")
"""Where systems keep these data. Asking zoneinfo would take longer than counting all days."""


@cache
def tick(day: date, at: str, name: str) -> str:
    """When it is that hour on a date, in UTC.

    A clock time that a change of the clocks leaves out, or brings twice, is the later of its two
    readings. Raises OverflowError for what no calendar holds.
    """
    from datetime import UTC, datetime

    hour, minute = int(at[:2]), int(at[3:])
    local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone(name))
    # Compared in UTC: two times of one zone are compared by their clocks alone.
    first, second = (each.astimezone(UTC) for each in (local, local.replace(fold=1)))
    return written(max(first, second))


def ticks(
    settings: Settings, after: date, start: str, end: str = NEVER
) -> Iterator[tuple[str, date]]:
    """The ticks from a moment on and before another, on dates after one, each with its date."""
    from datetime import timedelta

    at, name, a_day = settings.at, settings.zone, timedelta(days=1)
    day = max(after, day_of(start, name) - a_day)
    while (moment := tick(day := day + a_day, at, name)) < end:
        if moment >= start and settings.is_open(day):
            there = day_of(moment, name)
            # Else this date never was in the zone: whether the next is open decides.
            if there == day or tick(there, at, name) != moment:
                yield moment, day


def written(time: datetime) -> str:
    """A time in UTC as logs write it."""
    return f"{time.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def there(instant: str, name: str) -> datetime:
    """A time of a log in a zone. Raises ValueError or OverflowError if there is no such time."""
    from datetime import datetime

    return datetime.fromisoformat(instant).astimezone(zone(name))


@cache
def day_of(instant: str, name: str) -> date:
    """The date in a zone at a time of a log."""
    return there(instant, name).date()


_DAYS: Final = (
    *(say("Mon"), say("Tue"), say("Wed"), say("Thu")),
    *(say("Fri"), say("Sat"), say("Sun")),
)
_MONTHS: Final = (
    *(say("Jan"), say("Feb"), say("Mar"), say("Apr"), say("May"), say("Jun")),
    *(say("Jul"), say("Aug"), say("Sep"), say("Oct"), say("Nov"), say("Dec")),
)


def spoken(instant: str, name: str) -> Sentence:
    """`Thu 24 Sep 2026, 20:00 CEST (UTC+2)`."""
    local = there(instant, name)
    values = {**_date(local), "year": local.year, "offset": _offset(local)}
    if called := _called(local):
        values["called"] = called
        return say("{weekday} {day} {month} {year}, {time} {called} ({offset})", **values)
    return say("{weekday} {day} {month} {year}, {time} ({offset})", **values)


def briefly(instant: str, name: str) -> Sentence:
    """`Thu 24 Sep, 20:00 CEST`: a time that is near enough to need no year."""
    local = there(instant, name)
    zone = _called(local) or _offset(local)
    return say("{weekday} {day} {month}, {time} {zone}", zone=zone, **_date(local))


def day_and_month(instant: str, name: str) -> str:
    """`24 Sep`, in a zone."""
    day = day_of(instant, name)
    return say("{day} {month}", day=day.day, month=_MONTHS[day.month - 1]).text()


def _date(local: datetime) -> dict[str, Any]:
    weekday, month = _DAYS[local.weekday()], _MONTHS[local.month - 1]
    time = local.strftime("%H:%M")
    return {"weekday": weekday, "day": local.day, "month": month, "time": time}


def _called(local: datetime) -> str:
    """What people call the time of a zone; "" if they do not."""
    called = local.tzname() or ""
    return called if called.isalpha() and called != "UTC" else ""


def _offset(local: datetime) -> str:
    offset = local.utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "-"
    return f"UTC{sign}{hours}:{rest:02}" if rest else f"UTC{sign}{hours}"
