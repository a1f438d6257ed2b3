"""The overview of a folder: for people, a line for each match, as wide as the terminal; for
calendars, an event for each deadline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from textwrap import wrap
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.log.clock import day_and_month, written
from pbem.log.ruling import NEVER
from pbem.log.timetable import LAPSED, LATE, Deadline, Timetable
from pbem.matches.status import WAITS, Overview, Status, Summary
from pbem.sentence import Names, printable, say

LEAST: Final = 80
"""How many columns everything fits into; a narrower terminal breaks the lines."""

_GAP: Final = "  "


class Wanted(NamedTuple):
    """Which matches to list: of a `game`; that wait for a `seat`; in which a `player` plays; that
    have been `waiting` this many days; where somebody is `late`. Finished ones only if `over`."""

    game: str | None = None
    seat: Seat | None = None
    player: str | None = None
    waiting: int | None = None
    late: bool = False
    over: bool = False

    def fits(self, each: Status, now: datetime) -> bool:
        """Is this one of them? A match that cannot be read always is, unless only those with
        somebody `late` are wanted."""
        summary = each.summary
        if self.late and not late(each, now):
            return False
        if summary is None:
            return True
        player = self.player and self.player.casefold()
        return (
            (self.over or not summary.ended)
            and self.game in (None, summary.game)
            and self.seat in (None, *([] if summary.ended else summary.awaited))
            and (player is None or player in map(str.casefold, summary.players.values()))
            and (self.waiting is None or (not summary.ended and days(summary, now) >= self.waiting))
        )


def late(each: Status, now: datetime) -> bool:
    """Is somebody late in a match, or the days of grace over?"""
    return each.summary is not None and each.summary.mark(written(now)) in (LATE, LAPSED)


def days(summary: Summary, now: datetime) -> int:
    """How many whole days the match has been waiting for whoever is next to move."""
    return (now - datetime.fromisoformat(summary.since)).days


def chosen(overview: Overview, wanted: Wanted, now: datetime) -> Overview:
    """The overview of the matches that are wanted: damaged ones first, then those with a deadline,
    the earliest first, then those that have waited the most days, finished ones last; where all
    this is equal, by name."""

    def order(each: Status) -> tuple[int, str, int, list[tuple[str, int, str]]]:
        summary = each.summary
        if summary is None or each.wrong(written(now)):
            return 0, "", 0, natural(each.name)
        if summary.ended:
            return 2, "", 0, natural(each.name)
        return 1, _due(summary) or NEVER, -days(summary, now), natural(each.name)

    matches = [each for each in overview.matches if wanted.fits(each, now)]
    return overview._replace(matches=tuple(sorted(matches, key=order)))


def _due(summary: Summary) -> str:
    """The first deadline of a match, "" if there is none."""
    times = summary.times
    return times.due if times and not times.paused else ""


def natural(name: str) -> list[tuple[str, int, str]]:
    """The key by which names sort as people count: sim2 before sim10."""
    parts = re.findall(r"(\D*)(\d*)", name.casefold())
    return [(word, int(digits or -1), digits) for word, digits in parts]


def lines(overview: Overview, now: datetime, *, width: int, unlisted: int = 0) -> Iterator[str]:
    """What waits for the moderator, then a line for each match, and how many finished ones are not
    listed."""
    width = max(width, LEAST)
    if overview.undelivered:
        yield str(say(_UNDELIVERED_ASTRAY, n=overview.undelivered))
    table = [
        [printable(column.shown(each, now)) for column in _COLUMNS] for each in overview.matches
    ]
    widths = _widths(table, width)
    yield _row([column.heading for column in _COLUMNS], widths)
    for each, cells in zip(overview.matches, table, strict=True):
        yield _row(cells, widths)
        notes = [say("problem: {problem}", problem=problem) for problem in each.wrong(written(now))]
        for seat, what in each.wrote.items():
            who = _called(seat, each.summary) if each.summary else seat
            notes.insert(0, say(_WAITS, who=who) if what == WAITS else say(_WROTE, who=who))
        if each.undelivered:
            notes.append(say(_UNDELIVERED, n=each.undelivered))
        for note in notes:
            yield from wrap(
                printable(note),
                width,
                initial_indent="    ",
                subsequent_indent="      ",
                break_on_hyphens=False,
                break_long_words=False,
            )
    if unlisted:
        yield str(say(_UNLISTED, n=unlisted))


_WAITS: Final = "{who} wrote to you and waits for your answer"
_WROTE: Final = "{who} wrote, not understood"
_UNDELIVERED: Final = "{n} [answer|answers] could not be delivered; see .mailroom/outbox"
_UNDELIVERED_ASTRAY: Final = (
    "{n} [answer|answers] about no match could not be delivered; see .mailroom/outbox"
)
_UNLISTED: Final = "{n} finished [match is|matches are] not listed: --all lists [it|them]"


class _Column(NamedTuple):
    """A heading and what stands under it. If there is no room for all of it, the column keeps
    `least` characters, or is left out if that is 0. One with nothing in it is left out, too, unless
    it is `always` there."""

    heading: str
    least: int
    shown: Callable[[Status, datetime], str]
    always: bool = True


def _who(each: Status, now: datetime) -> str:
    match each.summary:
        case None:
            return "the log cannot be read"
        case summary if summary.ended:
            return str(say("over: {ended}", ended=summary.ended))
        case summary:
            theirs = set(each.for_moderator(written(now)))
            return ", ".join(
                str(say("you, for {name}", name=_called(seat, summary)))
                if seat in theirs
                else _called(seat, summary)
                for seat in dict.fromkeys((*summary.awaited, *theirs))
            )


def _called(seat: Seat, summary: Summary) -> str:
    name = summary.players.get(seat, seat)
    return seat if name.casefold() == seat.casefold() else f"{name[:30]} ({seat})"


def _of(shown: Callable[[Summary], str]) -> Callable[[Status, datetime], str]:
    """What is shown of a log; nothing if it cannot be read."""
    return lambda each, match: shown(each.summary) if each.summary else ""


def _days(each: Status, now: datetime) -> str:
    going = each.summary is not None and not each.summary.ended
    return str(days(each.summary, now)) if each.summary and going else ""


def _due_by(each: Status, now: datetime) -> str:
    """The mark of the match's clock; else the date of its first deadline, in its zone."""
    summary = each.summary
    if summary is None or summary.times is None or summary.ended:
        return ""
    mark, due = summary.mark(written(now)), _due(summary)
    return mark or (day_and_month(due, summary.times.zone) if due else "")


def _until(each: Status, now: datetime) -> str:
    summary = each.summary
    return _due(summary)[:16].replace("T", " ") if summary and not summary.ended else ""


_COLUMNS: Final = (
    _Column("match", 14, lambda each, now: each.name),
    _Column("game", 10, _of(lambda summary: summary.game)),
    _Column("no.", 4, _of(lambda summary: f"#{summary.ply}")),
    _Column("days", 4, _days),
    _Column("due", 6, _due_by, always=False),
    _Column("next to move", 19, _who),
    _Column("held", 4, lambda each, now: str(sum(each.held.values()) or "")),
    _Column("mails", 5, lambda each, now: str(each.unanswered or "")),
    _Column("last move", 0, _of(lambda summary: summary.last)),
    _Column("until", 0, _until, always=False),
    _Column("since", 0, _of(lambda summary: summary.since[:16].replace("T", " "))),
    _Column("code", 0, _of(lambda summary: summary.fingerprint)),
)
"""In the order in which they are given room."""


def _widths(table: Sequence[Sequence[str]], width: int) -> list[int]:
    """How wide each column is to be: as wide as it needs to be, if all of them fit."""
    needed = [
        max(len(column.heading), *(len(row[nth]) for row in table), 0)
        for nth, column in enumerate(_COLUMNS)
    ]
    for nth, column in enumerate(_COLUMNS):
        if not (column.always or any(row[nth] for row in table)):
            needed[nth] = 0
    widths = [min(need, column.least) for need, column in zip(needed, _COLUMNS, strict=True)]
    left = width + len(_GAP) - sum(each + len(_GAP) for each in widths if each)
    for nth, column in enumerate(_COLUMNS):
        if column.least:
            more = min(needed[nth] - widths[nth], left)
            widths[nth] += more
            left -= more
        elif needed[nth] + len(_GAP) <= left:
            widths[nth] = needed[nth]
            left -= needed[nth] + len(_GAP)
    return widths


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    shown = (
        cell.ljust(width) if len(cell) <= width else f"{cell[: width - 1]}…"
        for cell, width in zip(cells, widths, strict=True)
        if width
    )
    return _GAP.join(shown).rstrip()


# ------------------------------------------------------------------- for calendars

_OCTETS: Final = 75
"""How long a line of a calendar may be."""


def calendar(matches: Iterable[tuple[str, Names, Timetable]]) -> bytes:
    """The deadlines of these matches (the name, who sits where, and the timetable of each) as a
    calendar, RFC 5545. An event keeps its UID while its turn lasts, so that reading the calendar
    again moves it."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "CALSCALE:GREGORIAN",
    ]
    for match, names, times in matches:
        for each in times.deadlines:
            if each.due and not times.paused:
                lines += _event(match, names, times, each)
    lines.append("END:VCALENDAR")
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line))


def _event(match: str, names: Names, times: Timetable, each: Deadline) -> Iterator[str]:
    end = each.lapse if each.noticed and each.lapse else each.due
    described = each.sentence(times.zone, times.silence).text(names)
    summary = (
        say("{match}: words of {seat:seat} for the draws", match=match, seat=each.seat)
        if each.words
        else say("{match}: {seat:seat} is next to move", match=match, seat=each.seat)
    ).text(names)
    yield "BEGIN:VEVENT"
    yield f"UID:{_safe(match)}-{each.ply}-{_safe(each.seat)}-{_stamp(each.since)}@pbem.invalid"
    yield f"DTSTAMP:{_stamp(times.at)}"
    yield f"DTSTART:{_stamp(end)}"
    yield f"SUMMARY:{_escaped(summary)}"
    yield f"DESCRIPTION:{_escaped(described)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _stamp(instant: str) -> str:
    return instant.replace("-", "").replace(":", "")


def _safe(name: str) -> str:
    """A name as part of a UID: letters and digits stay, anything else becomes its number."""
    return "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}" for c in name)


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    lines = "\\n".join(text.splitlines())
    return "".join(c for c in lines if c.isprintable())


def _folded(line: str) -> Iterator[bytes]:
    """A line in parts of at most 75 octets, no character torn; all but the first begin with a
    blank."""
    part = b""
    for char in line:
        octets = char.encode(errors="replace")
        if len(part) + len(octets) > _OCTETS:
            yield part
            part = b" "
        part += octets
    yield part
