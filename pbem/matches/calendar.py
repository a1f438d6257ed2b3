"""Deadlines as a calendar, RFC 5545: one event a deadline.

An event keeps its UID while its turn lasts, so that a calendar that is read again moves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.log.timetable import Deadline, Timetable
from pbem.sentence import Names, say

_OCTETS: Final = 75


def calendar(matches: Iterable[tuple[str, Names, Timetable]]) -> bytes:
    """The calendar of these matches: the name, who sits where, and the timetable of each."""
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
    """A name as a part of a UID: letters and digits, anything else by its number."""
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
