"""What time asks for in a folder of matches: whom to remind, and which notices to write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pbem.core import Problem
from pbem.desk import overdue
from pbem.desk.bench import Circumstances
from pbem.desk.file import read_both
from pbem.desk.overdue import ASK, NOTICE, Heard, Owed, Reminder
from pbem.log import deadlines
from pbem.log.match import Match
from pbem.log.timetable import Timetable
from pbem.matches.folder import logs_in
from pbem.sentence import Names, Sentence, say


class Due(NamedTuple):
    """A match with a clock at a moment: its timetable, what is owed, and whom to remind."""

    path: str
    match: str
    players: Names
    times: Timetable
    owed: tuple[Owed, ...]
    reminders: tuple[Reminder, ...]

    @staticmethod
    def of(now: Match, at: str, heard: Heard = overdue.always) -> Due | None:
        """A match, as its moderator knows it, at a moment; None if it has no clock or is over."""
        times = deadlines.of(now)
        if times is None or now.outcome is not None:
            return None
        return Due(
            now.log.path,
            now.name,
            now.players,
            times,
            overdue.owed(now, at, heard=heard),
            overdue.reminders_of(times, now.name, at),
        )

    def unjudged(self, at: str) -> Iterator[Sentence]:
        """Why nothing is judged at a moment, if nothing is."""
        if self.times.trouble:
            yield say("{match}: {trouble}", match=self.match, trouble=self.times.trouble)
        elif at < self.times.at:
            yield say(
                "{match}: the last entry is of {last}, and it is only {at} now; nothing is judged",
                match=self.match,
                last=self.times.at,
                at=at,
            )

    def sentences(self, at: str) -> Iterator[Sentence]:
        """What is to be posted about it, and what the moderator has to know."""
        yield from self.unjudged(at)
        for reminder in self.reminders:
            yield reminder.sentence()
        for each in self.owed:
            yield _told(self, each)


def _told(due: Due, each: Owed) -> Sentence:
    if each.kind == NOTICE:
        return say(
            "{match}: {seat:seat} has missed the deadline; a notice is owed (`pbem due --enter`)",
            match=due.match,
            seat=each.seat,
        )
    if each.kind == ASK and any(d.words for d in due.times.deadlines):
        return say(
            "{match}: {seat:seat} has sent no words for the draws in time (`pbem rule {match} "
            "pass-over --seat {plain} --reason …` goes on without them)",
            match=due.match,
            seat=each.seat,
            plain=each.seat,
        )
    if each.kind == ASK:
        return say(
            "{match}: the days of grace of {seat:seat} are over, and nothing says what silence "
            "brings; it is for you to decide (`pbem rule {match} default --seat {plain} --move … "
            "--reason late`)",
            match=due.match,
            seat=each.seat,
            plain=each.seat,
        )
    return say(
        "{match}: the days of grace of {seat:seat} are over; silence brings {move} (`pbem rule "
        "{match} default --seat {plain} --move '{move}' --reason late`)",
        match=due.match,
        seat=each.seat,
        plain=each.seat,
        move=each.move,
    )


class Found(NamedTuple):
    """The matches of a folder that have a clock, the first deadline first, and what could not be
    read."""

    matches: tuple[Due, ...]
    problems: tuple[Problem, ...]


def at(folder: str, moment: str, heard: Heard = overdue.always) -> Found:
    """Look at all matches of a folder that go on and have a clock. Raises Problem if there is no
    such folder."""
    found, problems = list[Due](), list[Problem]()
    for path in logs_in(folder):
        try:
            due = Due.of(read_both(path)[0], moment, heard)
        except Problem as problem:
            problems.append(problem)
            continue
        if due:
            found.append(due)
    found.sort(key=lambda due: (due.times.due or "~", due.match))
    return Found(tuple(found), tuple(problems))


def play_plans(found: Found, here: Circumstances) -> list[str]:
    """Play what was put off until a tick that has passed; the matches in which anything was.
    Raises Problem."""
    played = []
    for due in found.matches:
        if due.times.fires and here.clock() > due.times.fires:
            change = overdue.play_plans(due.path, here)
            if change.now.log != change.before.log:
                played.append(due.match)
    return played


def plain(found: Found, moment: str) -> dict[str, Any]:
    """The same for programs."""
    return {
        "matches": [_plain(due, moment) for due in found.matches],
        "problems": [str(problem) for problem in found.problems],
    }


def _plain(due: Due, moment: str) -> dict[str, Any]:
    times = due.times
    return {
        "match": due.match,
        "log": due.path,
        "paused": times.paused,
        "trouble": times.trouble and str(times.trouble),
        "seats": [
            {
                "seat": each.seat,
                "state": times.state(each, moment),
                "due": each.due or None,
                "late_from": each.late_from or None,
                "lapse": each.lapse or None,
                "away": each.seat in times.away_at(moment),
            }
            for each in times.deadlines
        ],
        "owed": [each._asdict() for each in due.owed],
        "reminders": [
            {"seat": each.seat, "kind": each.kind, "key": each.key} for each in due.reminders
        ],
    }
