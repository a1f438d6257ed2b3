"""The clock of a folder of matches: when all mails have been read, notices, what silence brings,
what waits for a tick, and reminders.

Judged is by the moment up to which the mailbox was read to its end and, in a match for which a mail
waits, by the arrival of that mail: nobody is late whose answer lies there. The log decides what has
been done; so each thing is done once, whoever is killed, and however many desks there are.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pbem.core import CannotWrite, Problem, Seat
from pbem.desk import overdue
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.desk.overdue import ASK, NOTICE, Reminder
from pbem.log import deadlines
from pbem.log.deadlines import LAPSED, LATE, OWED, Timetable
from pbem.log.match import Match
from pbem.mailroom import tray
from pbem.mailroom.letterhead import Written, compose_mail
from pbem.mailroom.run import Handled, Mailroom
from pbem.matches import status
from pbem.matches.folder import match_name
from pbem.matches.runs import Runs
from pbem.report import compose
from pbem.sentence import Counted, say

_NOT_THEIRS: Final = ("unproven", "stranger")
"""What comes of mails of which nobody knows whether they are from the address they name."""


class Due(NamedTuple):
    """A match in which something may have to be done, judged by a moment."""

    path: str
    match: str
    times: Timetable
    at: str


class Owing(NamedTuple):
    """A reminder that is owed to somebody, with their match."""

    reminder: Reminder
    now: Match
    desk: Desk


@dataclass(slots=True)
class Timekeeper:
    """Keeps the clock for a mailroom. With `yes` a person vouches for the time."""

    room: Mailroom
    yes: bool = False
    runs: Runs = field(init=False)

    def __post_init__(self) -> None:
        self.runs = Runs(self.room.matches, self.room.outbox.holds)

    def keep(self, mailbox: bool) -> Iterator[Handled | Problem]:
        """Do what time asks for once the mails have been read, and tell what was done, or what
        stands in the way in a match; then the run is complete.

        Without a `mailbox` the clock is kept only where none is ever read. Raises Problem where
        the mailroom's own files fail.
        """
        upto, held_up = self.room.read_to, self.room.held_up
        found = self.room.index.facts(LOG_SUFFIX, status.find_out, concerns=status.has_clock)
        timed = {
            path: facts["times"]
            for path, facts in found.items()
            if not isinstance(facts, Problem) and facts["times"]
        }
        if not timed:
            return
        with self.room.alone():
            self.runs.refresh()
        last = self.runs.last
        if upto < last or (self.runs.mailbox and not mailbox):
            return
        may = overdue.may_play(upto, last, yes=self.yes)
        owing: list[Owing] = []
        for path, plain in timed.items():
            match, times = match_name(path), Timetable.kept(plain)
            waits = min((held_up[each] for each in ("", match) if each in held_up), default=None)
            due = Due(path, match, times, upto if waits is None else min(upto, _stamp(waits)))
            if times.trouble is None:
                try:
                    yield from self._played(due)
                    yield from self._entered(due, defaults=may)
                    owing += self._owing(due)
                except Problem as problem:
                    yield problem
                except OSError as error:
                    yield CannotWrite("{error}", path, error=error.strerror or error)
        yield from self._reminded(owing)
        with self.room.alone():
            self.runs.refresh()
            self.runs.complete(overdue.trusted(upto, last, yes=self.yes), mailbox=mailbox)

    def _played(self, due: Due) -> Iterator[Handled]:
        """Play what was put off until a tick, once a tick."""
        fires = due.times.fires
        key = "-".join((due.match, "tick", due.times.at, fires[:10]))
        if not fires or due.at <= fires or self.runs.said(key):
            return
        room = self.room
        before, now = overdue.play_plans(due.path, room.clock, compose.rehearse, wait=room.wait)
        if now.log != before.log:
            yield Handled(verdict="planned", match=due.match, ply=now.position.ply)
        self._noted(key)

    def _entered(self, due: Due, *, defaults: bool) -> Iterator[Handled]:
        """Write the notices that are owed and play what silence brings."""
        room, times = self.room, due.times
        states = {one.seat: times.state(one, due.at) for one in times.deadlines}
        asks = {one.seat: _asks(due, one.seat, one.lapse) for one in times.deadlines}
        lapsed = (asks[seat] for seat, state in states.items() if state == LAPSED)
        if OWED not in states.values() and all(map(self.runs.said, lapsed)):
            return
        now = room.clerk.shelf.look(due.path)
        for each in overdue.owed(now, due.at, hour=room.clock(), defaults=defaults):
            if each.kind == ASK:
                key = asks.get(each.seat, "")
                if key and not self.runs.said(key):
                    yield Handled(verdict="ask", match=due.match, seat=each.seat, why=str(_ASKED))
                    self._noted(key)
                continue
            done = overdue.enter(
                due.path,
                each,
                room.clock,
                compose.rehearse,
                due.at,
                defaults=defaults,
                wait=room.wait,
            )
            if done:
                verdict = "late" if each.kind == NOTICE else "silence"
                ply = done[1].position.ply
                yield Handled(verdict=verdict, match=due.match, seat=each.seat, ply=ply)

    def _owing(self, due: Due) -> Iterator[Owing]:
        """The reminders that are owed in a match and have not gone out.

        Of a notice the news tell; and who is away is reminded when they are back.
        """
        hour = self.room.clock()
        if not any(self._new(due.times, due.match, due.at, hour)):
            return
        now, desk = self.room.clerk.shelf.read(due.path)
        times = deadlines.of(now)
        if times is not None and now.outcome is None:
            for reminder in self._new(times, due.match, due.at, hour):
                yield Owing(reminder, now, desk)

    def _new(self, times: Timetable, match: str, at: str, hour: str) -> Iterator[Reminder]:
        away = times.away_at(hour)
        for each in overdue.reminders_of(times, match, at, hour=hour):
            if each.kind != LATE and each.seat not in away and not self.runs.said(each.key):
                yield each

    # ------------------------------------------------------------------------- reminders

    def _reminded(self, owing: list[Owing]) -> Iterator[Handled]:
        """Write one mail to each person who is to be reminded of anything."""
        people: dict[Address, list[Owing]] = {}
        aside = _aside(self.room.matches) if owing else {}
        for each in owing:
            reminder = each.reminder
            addresses = each.desk.addresses.get(reminder.seat, ())
            newest = max((aside.get((reminder.match, who), "") for who in addresses), default="")
            if not addresses:
                self._noted(reminder.key)
            elif newest < reminder.deadline.since:
                people.setdefault(addresses[0], []).append(each)
            elif not self.runs.said(f"aside-{reminder.key}"):
                yield Handled(
                    verdict="unreminded",
                    match=reminder.match,
                    seat=reminder.seat,
                    why=str(_LIES_ASIDE),
                )
                self._noted(f"aside-{reminder.key}")
        for address, theirs in people.items():
            yield from self._remind(address, theirs)

    def _remind(self, address: Address, owing: list[Owing]) -> Iterator[Handled]:
        with self.room.alone():
            self.runs.refresh()
            owing = [each for each in owing if not self.runs.said(each.reminder.key)]
            if not owing:
                return
            keys = [each.reminder.key for each in owing]
            name = f"{hashlib.sha256(' '.join(keys).encode()).hexdigest()[:16]}.reminder"
            one = owing[0].now if len({each.reminder.match for each in owing}) == 1 else None
            mail = compose_mail(
                name,
                address,
                say(Counted("{n} turn ends soon", "{n} turns end soon"), n=len(owing)),
                Written("\n\n".join([*map(_told, owing), _HOW.text()])),
                self.room.clerk.sender,
                about=one,
            )
            self.runs.plan(name, keys)
            self.room.outbox.put(mail, mail.sealed())
            self.runs.note(*keys)
        for each in owing:
            yield Handled(
                verdict="reminder",
                match=each.reminder.match,
                seat=each.reminder.seat,
                answers=(name,),
            )

    def _noted(self, key: str) -> None:
        with self.room.alone():
            self.runs.refresh()
            self.runs.note(key)


_ASKED: Final = say(
    "the days of grace are over, and nothing says what silence brings: it is for you to decide"
)
_LIES_ASIDE: Final = say("not reminded of the deadline: a mail of theirs lies aside")
_HOW: Final = say(
    "Answer with your moves. A line that says only `board` brings your letter again; one like "
    "`away until 5 Jan` says that you are away."
)


def _told(owing: Owing) -> str:
    """What a reminder says of a match, and how the answer can name it."""
    reminder, now = owing.reminder, owing.now
    zone = owing.desk.zones.get(reminder.seat, "")
    told = reminder.sentence(zone).text(now.players)
    return f"{told}\n[{now.name} {now.position}]"


def _asks(due: Due, seat: Seat, lapse: str) -> str:
    """What makes it this question to the moderator: another entry may have answered it."""
    return "-".join((due.match, seat, "ask", due.times.at, lapse[:10]))


def _aside(matches: str) -> dict[tuple[str, str], str]:
    """When the newest mail was put aside that somebody sent about a match."""
    found: dict[tuple[str, str], str] = {}
    for each in tray.entries(matches):
        if each.verdict not in _NOT_THEIRS:
            place = each.match, each.sender
            found[place] = max(found.get(place, ""), each.at)
    return found


def _stamp(seconds: float) -> str:
    """A time as logs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
