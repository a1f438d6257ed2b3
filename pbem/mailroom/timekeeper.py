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
from pbem.desk.file import Desk
from pbem.desk.overdue import ASK, NOTICE, Reminder
from pbem.log import deadlines
from pbem.log.gathering import HOW
from pbem.log.match import Match
from pbem.log.timetable import LAPSED, OWED
from pbem.mailroom import agenda
from pbem.mailroom.agenda import PLANNED, REMINDER, UNREMINDED, Due, Hearing
from pbem.mailroom.letterhead import Written, compose_mail
from pbem.mailroom.run import Handled, Mailroom
from pbem.matches.folder import match_name
from pbem.matches.runs import Runs, believed, may_play
from pbem.sentence import Counted, Sentence, say


class Owing(NamedTuple):
    """A reminder that is owed to somebody, with their match."""

    reminder: Reminder
    now: Match
    desk: Desk


class Question(NamedTuple):
    """Something only the moderator can decide: its key, what it is, and about which seat of which
    match, if it is about one."""

    key: str
    why: Sentence
    seat: Seat = ""
    now: Match | None = None

    def told(self) -> str:
        """As a mail asks it."""
        if self.now is None:
            return self.why.text()
        asked = say(
            "{match}: {seat:seat}: {why}", match=self.now.name, seat=self.seat, why=self.why
        )
        return asked.text(self.now.players)


@dataclass(slots=True)
class Timekeeper:
    """Keeps the clock for a mailroom. With `yes` a person vouches for the time. What only the
    `moderator` can decide is written to that address, if there is one."""

    room: Mailroom
    yes: bool = False
    moderator: Address | None = None
    runs: Runs = field(init=False)
    hearing: Hearing = field(init=False)

    def __post_init__(self) -> None:
        self.runs = self.room.runs
        self.hearing = Hearing(self.runs, self.room.matches.folder)

    def keep(self, mailbox: bool) -> Iterator[Handled | Problem]:
        """Do what time asks for once the mails have been read, and tell what was done, or what
        stands in the way in a match; then the run is complete.

        Without a `mailbox` the clock is kept only where none is ever read. Raises Problem where
        the mailroom's own files fail.
        """
        upto, held_up = self.room.read_to, self.room.held_up
        timed = self.room.matches.timetables()
        if not timed:
            return
        with self.room.alone():
            last = self.runs.last
        questions = list[Question]()
        if why := agenda.stands(self.runs, upto, mailbox=mailbox, yes=self.yes):
            if not believed(upto, last, yes=self.yes):
                questions.append(Question(f"yes-{last[:10]}", why))
            yield from self._asked(questions)
            return
        may, owing = may_play(upto, last, yes=self.yes), list[Owing]()
        for path, times in timed.items():
            match = match_name(path)
            waits = min((held_up[each] for each in ("", match) if each in held_up), default=None)
            due = Due(path, match, times, upto if waits is None else min(upto, _stamp(waits)))
            if times.trouble is None:
                try:
                    yield from self._played(due)
                    yield from self._entered(due, questions, defaults=may)
                    owing += self._owing(due)
                except Problem as problem:
                    yield problem
                except OSError as error:
                    yield CannotWrite("{error}", path, error=error.strerror or error)
        yield from self._reminded(owing)
        yield from self._asked(questions)
        with self.room.alone():
            self.runs.complete(upto, mailbox=mailbox)

    def _played(self, due: Due) -> Iterator[Handled]:
        """Play what was put off until a tick, once a tick."""
        key = due.tick
        if not key or self.runs.said(key):
            return
        room = self.room
        change = overdue.play_plans(due.path, room.here)
        if change.now.log != change.before.log:
            yield Handled(verdict=PLANNED, match=due.match, ply=change.now.position.ply)
        self._noted(key)

    def _entered(self, due: Due, questions: list[Question], *, defaults: bool) -> Iterator[Handled]:
        """Write the notices that are owed and play what silence brings; what else the moderator
        must decide is noted among the questions."""
        room, times = self.room, due.times
        states = {one.seat: times.state(one, due.at) for one in times.deadlines}
        asks = {one.seat: one for one in times.deadlines}
        lapsed = (due.question(asks[seat]) for seat, state in states.items() if state == LAPSED)
        if OWED not in states.values() and all(map(self.runs.said, lapsed)):
            return
        now, heard = room.matches.look(due.path), self.hearing.heard
        for each in overdue.owed(now, due.at, hour=room.clock(), defaults=defaults, heard=heard):
            if each.kind == ASK:
                deadline = asks.get(each.seat)
                if deadline and not self.runs.said(key := due.question(deadline, each)):
                    questions.append(Question(key, agenda.asked(deadline, each), each.seat, now))
                continue
            done = overdue.enter(due.path, each, room.here, due.at, defaults=defaults, heard=heard)
            if done:
                verdict = "late" if each.kind == NOTICE else "silence"
                ply = done.now.position.ply
                yield Handled(verdict=verdict, match=due.match, seat=each.seat, ply=ply)

    def _owing(self, due: Due) -> Iterator[Owing]:
        """The reminders that are owed in a match and have not gone out."""
        hour = self.room.clock()
        if not any(due.reminders(hour, self.runs.said)):
            return
        now, desk = self.room.matches.open(due.path)
        times = deadlines.of(now)
        if times is not None and now.outcome is None:
            for reminder in due._replace(times=times).reminders(hour, self.runs.said):
                yield Owing(reminder, now, desk)

    # ------------------------------------------------------------------------- reminders

    def _reminded(self, owing: list[Owing]) -> Iterator[Handled]:
        """Write one mail to each person who is to be reminded of anything."""
        people: dict[Address, list[Owing]] = {}
        aside = agenda.lying_aside(self.room.matches.folder) if owing else {}
        for each in owing:
            reminder = each.reminder
            who = agenda.addressee(reminder, each.desk, aside)
            if who is None:
                self._noted(reminder.key)
            elif not isinstance(who, Sentence):
                people.setdefault(who, []).append(each)
            elif not self.runs.said(f"aside-{reminder.key}"):
                yield Handled(
                    verdict=UNREMINDED, match=reminder.match, seat=reminder.seat, why=str(who)
                )
                self._noted(f"aside-{reminder.key}")
        for address, theirs in people.items():
            yield from self._remind(address, theirs)

    def _remind(self, address: Address, owing: list[Owing]) -> Iterator[Handled]:
        with self.room.alone():
            owing = [each for each in owing if not self.runs.said(each.reminder.key)]
            if not owing:
                return
            keys = [each.reminder.key for each in owing]
            one = owing[0].now if len({each.reminder.match for each in owing}) == 1 else None
            name = self._write(
                "reminder",
                keys,
                address,
                say(Counted("{n} turn ends soon", "{n} turns end soon"), n=len(owing)),
                [*map(_told, owing), *_how(owing)],
                one,
            )
        for each in owing:
            yield Handled(
                verdict=REMINDER,
                match=each.reminder.match,
                seat=each.reminder.seat,
                answers=(name,),
            )

    # ------------------------------------------------------------------------- questions

    def _asked(self, questions: list[Question]) -> Iterator[Handled]:
        """Ask the moderator what only they can decide: on the screen and, once, by mail."""
        for each in questions:
            match = match_name(each.now.log.path) if each.now else ""
            yield Handled(verdict=ASK, match=match, seat=each.seat, why=str(each.why))
        with self.room.alone():
            new = [each for each in questions if not self.runs.said(each.key)]
            keys = [each.key for each in new]
            if new and self.moderator:
                subject = say(
                    Counted("{n} question waits for you", "{n} questions wait for you"), n=len(new)
                )
                told = [each.told() for each in new]
                self._write("question", keys, self.moderator, subject, told)
            elif new:
                self.runs.note(*keys)

    def _write(
        self,
        kind: str,
        keys: list[str],
        to: Address,
        subject: Sentence,
        paragraphs: list[str],
        about: Match | None = None,
    ) -> str:
        """Write a mail that says these things, once; its name. Raises Problem."""
        name = f"{hashlib.sha256(' '.join(keys).encode()).hexdigest()[:16]}.{kind}"
        written = Written("\n\n".join(paragraphs))
        mail = compose_mail(name, to, subject, written, self.room.clerk.sender, about=about)
        self.runs.plan(name, keys)
        self.room.outbox.put(mail, mail.sealed())
        self.runs.note(*keys)
        return name

    def _noted(self, key: str) -> None:
        with self.room.alone():
            self.runs.note(key)


_HOW: Final = say(
    "Answer with your moves. A line that says only `board` brings your letter again; one like "
    "`away until 5 Jan` says that you are away."
)


def _how(owing: list[Owing]) -> Iterator[str]:
    """How to answer: with moves, or with words for the draws."""
    words = {each.reminder.deadline.words for each in owing}
    if False in words:
        yield _HOW.text()
    if True in words:
        yield HOW.text()


def _told(owing: Owing) -> str:
    """What a reminder says of a match, and how the answer can name it."""
    reminder, now = owing.reminder, owing.now
    zone = owing.desk.zones.get(reminder.seat, "")
    told = reminder.sentence(zone).text(now.players)
    return f"{told}\n[{now.name} {now.position}]"


def _stamp(seconds: float) -> str:
    """A time as logs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
