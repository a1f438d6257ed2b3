"""What time asks for and has not been done. Nothing is written here.

The log says which notices and moves are owed; what leaves no trace there, such as a reminder, has
a key in the account of the desk's runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk import overdue
from pbem.desk.address import Address
from pbem.desk.file import Desk
from pbem.desk.overdue import ASK, NOTICE, SILENCE, Owed, Reminder
from pbem.log.match import Match
from pbem.log.rulings import Ruled
from pbem.log.timetable import LATE, Deadline, Timetable
from pbem.mailroom import journal, news, tray
from pbem.matches import due
from pbem.matches.folder import FOLDER
from pbem.matches.runs import UNHEARD, Account, believed, in_time, may_play, question, waits_for_yes
from pbem.matches.told import mark
from pbem.sentence import Names, Sentence, say

PLANNED: Final = "planned"
REMINDER: Final = "reminder"
UNREMINDED: Final = "unreminded"
ASKED: Final = say(
    "the days of grace are over, and nothing says what silence brings: it is for you to decide"
)
WORDLESS: Final = say(
    "no words for the draws have come in time: `pbem rule LOG pass-over` goes on without them"
)
LIES_ASIDE: Final = say("not reminded of the deadline: a mail of theirs has been put aside")
_UNHEARD: Final = say(
    "the days of grace are over, but it is not known that the notice has reached them: mails to "
    "them do not arrive, or they have no address. `pbem rule LOG extend` gives days and brings "
    "another notice, `default` plays for them"
)
_NOT_THEIRS: Final = ("unproven", "stranger", "bounce")
"""What comes of mails of which nobody knows whether they are from the address they name, or which
are not from whom they name."""


class Due(NamedTuple):
    """A match in which something may have to be done, judged by a moment."""

    path: str
    match: str
    times: Timetable
    at: str

    @property
    def tick(self) -> str:
        """The key of the tick at which what waits is played, once it has passed; else ""."""
        fires = self.times.fires
        passed = fires and self.at > fires
        return "-".join((self.match, "tick", self.times.at, fires[:10])) if passed else ""

    def question(self, each: Deadline, owed: Owed | None = None) -> str:
        """What makes it this question to the moderator, or that which is owed. Whether a notice has
        gone out is looked at again in each run, so that is another question."""
        kind = UNHEARD if owed and owed.move else ASK
        return question(self.match, self.times, each, kind)

    def reminders(self, hour: str, said: Callable[[str], bool]) -> Iterator[Reminder]:
        """The reminders that are owed and have not gone out, when it is this hour.

        Of a notice the news tell; and who is away is reminded when they are back.
        """
        away = self.times.away_at(hour)
        for each in overdue.reminders_of(self.times, self.match, self.at, hour=hour):
            if each.kind != LATE and each.seat not in away and not said(each.key):
                yield each


def asked(each: Deadline, owed: Owed) -> Sentence:
    """What the moderator is to decide about a seat."""
    if owed.move:
        return _UNHEARD
    return WORDLESS if each.words else ASKED


class Hearing(NamedTuple):
    """Who has had their notices, as far as the desk knows: what the account of its runs says of the
    letters that tell them, and what bounced since."""

    account: Account
    matches: str

    def heard(self, now: Match, each: Deadline) -> bool | None:
        """Has the seat, or where no seat has an address anybody who is written to, been sent what
        its grace is counted from? One without an address is not, unless nobody is."""
        people = news.people(now, Desk.read(now.log.path))
        if not people:
            return True
        told = [one for one in people if each.seat in one.seats]
        if not any(one.seats for one in people):
            told = list(people)
        entries = now.log.entries
        notice = max(
            nth
            for nth, entry in enumerate(entries, 1)
            if isinstance(entry, Ruled)
            and isinstance(entry.ruling, news.NOTICES)
            and entry.ruling.seat == each.seat
        )
        marks = [mark(now.log, count) for count in range(notice, len(entries) + 1)]
        bounced: dict[str, str] = {}
        for record in journal.records(os.path.join(self.matches, FOLDER)) if told else ():
            if record.verdict == "bounce":
                bounced[record.sender] = record.at
        out = [
            at
            for one in told
            for each_mark in marks
            if (at := self.account.out(one.address, each_mark)) > bounced.get(one.address, "")
        ]
        return in_time(each.noticed, min(out)) if out else None


def lying_aside(matches: str) -> dict[tuple[str, str], str]:
    """When the newest mail was put aside that somebody sent about a match."""
    found: dict[tuple[str, str], str] = {}
    for each in tray.entries(matches):
        if each.verdict not in _NOT_THEIRS:
            place = each.match, each.sender
            found[place] = max(found.get(place, ""), each.at)
    return found


def addressee(
    reminder: Reminder, desk: Desk, aside: dict[tuple[str, str], str]
) -> Address | Sentence | None:
    """Who gets a reminder: nobody who has no address, and, with a reason, nobody whose mail about
    the match has come to lie aside since the turn began."""
    addresses = desk.addresses.get(reminder.seat, ())
    if not addresses:
        return None
    newest = max(aside.get((reminder.match, who), "") for who in addresses)
    return addresses[0] if newest < reminder.deadline.since else LIES_ASIDE


def stands(account: Account, moment: str, *, mailbox: bool, yes: bool = False) -> Sentence | None:
    """Why no clock is kept in a run that has read the mails up to a moment, if none is."""
    if moment < account.last:
        return say(
            "the clock has gone back: the desk last ran at {last}, and it is only {at} now; "
            "no deadline is judged",
            last=account.last,
            at=moment,
        )
    if account.mailbox and not mailbox:
        return say("no deadline is judged without the mailbox that is read else; name it by --mail")
    if not believed(moment, account.last, yes=yes):
        return waits_for_yes(moment, account.last)
    return None


# ---------------------------------------------------------------------------------- foresight


class Foreseen(NamedTuple):
    """Something a run would do, by the name it has there."""

    verdict: str
    match: str
    seat: Seat
    players: Names
    told: Sentence


def foreseen(
    found: due.Found, matches: str, account: Account, moment: str, *, yes: bool
) -> Iterator[Foreseen]:
    """What a run at a moment would do about time if no mail came: reminders, notices, and what
    silence brings. Raises Problem."""
    plays = may_play(moment, account.last, yes=yes)
    aside = lying_aside(matches)
    for each in found.matches:
        here = Due(each.path, each.match, each.times, moment)
        if each.times.trouble or moment < each.times.at:
            continue
        if (tick := here.tick) and not account.said(tick):
            told = say(
                "{match}: what waits for the tick of {tick} would be played, if anything does",
                match=each.match,
                tick=each.times.fires,
            )
            yield Foreseen(PLANNED, each.match, "", each.players, told)
        for owed in each.owed:
            deadline = next(d for d in each.times.deadlines if d.seat == owed.seat)
            said = owed.kind == ASK and account.said(here.question(deadline, owed))
            if not said and (plays or owed.kind != SILENCE):
                told = _entry(each.match, owed, deadline)
                verdict = "late" if owed.kind == NOTICE else owed.kind
                yield Foreseen(verdict, each.match, owed.seat, each.players, told)
        for reminder in here.reminders(moment, account.said):
            yield from _reminder(each, reminder, account, aside)


def _entry(match: str, owed: Owed, deadline: Deadline) -> Sentence:
    if owed.kind == NOTICE:
        return say(
            "{match}: {seat:seat} has missed the deadline; a notice would be written",
            match=match,
            seat=owed.seat,
        )
    if owed.kind == SILENCE:
        return say(
            "{match}: {seat:seat} is silent; {move} would be played for them",
            match=match,
            seat=owed.seat,
            move=owed.move,
        )
    return say(
        "{match}: you would be asked about {seat:seat}: {why}",
        match=match,
        seat=owed.seat,
        why=asked(deadline, owed),
    )


def _reminder(
    each: due.Due, reminder: Reminder, account: Account, aside: dict[tuple[str, str], str]
) -> Iterator[Foreseen]:
    desk = Desk.read(each.path)
    match addressee(reminder, desk, aside):
        case None:
            return
        case Sentence() as why:
            if account.said(f"aside-{reminder.key}"):
                return
            verdict = UNREMINDED
            told = say("{match}: {seat:seat}: {why}", match=each.match, seat=reminder.seat, why=why)
        case _:
            verdict = REMINDER
            zone = desk.zones.get(reminder.seat, "")
            told = say(
                "{seat:seat} would be reminded: {told}",
                seat=reminder.seat,
                told=reminder.sentence(zone),
            )
    yield Foreseen(verdict, each.match, reminder.seat, each.players, told)
