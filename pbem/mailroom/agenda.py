"""What time asks for: one agenda, for the run that acts on it and for all that only report it.

Everything is judged by a moment that the caller gives: no later than now, and no later than the
moment up to which every mail has been read, so that nobody is late whose answer is in the mailbox.
The log says which notices and moves are owed; what leaves no trace there, such as a reminder, has a
key in the daybook. `enter` writes one thing that is owed, `play_plans` plays what waited for a
tick; nothing else is written here.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.desk.bench import Bench, Circumstances, bench
from pbem.desk.file import LOG_SUFFIX, Desk, read_both
from pbem.intake.settings import MAILS
from pbem.log import deadlines
from pbem.log.clock import SUBSTITUTE, after_grace, spoken
from pbem.log.format import dated_ahead
from pbem.log.match import Replay
from pbem.log.ruling import NEVER
from pbem.log.rulings import Ruled
from pbem.log.seal import MODERATOR
from pbem.log.timetable import LAPSED, LATE, OVERDRAWN, OWED, SOON, STILL, Deadline, Timetable
from pbem.log.timing import Clock, Late, OfAbsence, Pause, Resume
from pbem.mailroom import granting, letters, preferences, tray
from pbem.mailroom.daybook import Book, mark
from pbem.mailroom.letters import Letter
from pbem.mailroom.preferences import EACH, ONCE
from pbem.matches.index import logs_in, match_name
from pbem.matches.matches import Matches
from pbem.matches.status import WAITS, HasWritten
from pbem.problem import Problem
from pbem.sentence import NO_NAMES, Names, Sentence, say

ASK, UNHEARD, WROTE, VACANT, WORDS = "ask", "unheard", "wrote", "vacant", "words"
"""Why the moderator is asked: nothing says what silence brings; nobody knows whether the seat has
had its notice; it is not silent; nobody holds it; it has sent no words for the draws."""
SEEK: Final = "seek"
"""What ASK is where a substitute is to be sought: see `question`."""
SOUGHT: Final = "sought"
"""Why nothing is asked: the club does what silence brings."""


class Action(NamedTuple):
    """Something owed to a seat: a notice that it is LATE; the `move` that its SILENCE brings; or to
    ASK the moderator instead, with the reason as its `kind`."""

    seat: Seat
    verdict: Verdict
    move: str = ""
    kind: str = ""


Heard = Callable[[Replay, Deadline], bool | str]
"""Has a seat had the notice that its grace is counted from, and is it silent? False: it went out
too late for that, or the moderator has acted on the seat since; a kind of Action: the moderator is
asked instead."""


def owed(
    match: Replay, at: str, *, hour: str = "", heard: Heard | None = None
) -> tuple[Action, ...]:
    """What is owed in a match, judged by the moment `at`; `hour` is what the clock says, if that is
    later. Without `heard`, each notice counts as read: for those who post them themselves."""
    due = Due.of(match, at, heard, hour)
    return due.owed if due else ()


def _owed(match: Replay, times: Timetable, at: str, heard: Heard | None) -> Iterator[Action]:
    for each in times.deadlines:
        state = times.state(each, at)
        if state == OWED:
            yield Action(each.seat, Verdict.LATE)
        if state != LAPSED:
            continue
        step = None if each.words else deadlines.default_step(match, each.seat, times.silence)
        move = match.game.notate(step.move) if step else ""
        had = heard(match, each) if heard and not each.words else True
        if not had:  # another notice is owed, and the days of grace begin again
            yield Action(each.seat, Verdict.LATE)
        elif step and had is True:
            yield Action(each.seat, Verdict.SILENCE, move)
        else:
            kind = had if isinstance(had, str) else WORDS if each.words else ASK
            yield Action(each.seat, Verdict.ASK, move, kind)


def enter(
    path: str, each: Action, here: Circumstances, at: str, *, heard: Heard | None = None
) -> Bench | None:
    """Write what is owed, a notice or the move that silence brings.

    None if it is no longer owed: the match is read and judged anew under its lock. Raises Problem.
    """
    with bench(path, here) as at_work:
        match, hour = at_work.match, max(at, here.clock())
        if each.verdict == Verdict.ASK or each not in owed(match, at, hour=hour, heard=heard):
            return None
        if each.verdict == Verdict.LATE:
            at_work.enter(Late(each.seat))
            return at_work
        silence = match.log.so_far().timing.clock.silence
        if step := deadlines.default_step(match, each.seat, silence):
            at_work.play_for(each.seat, step)
    return at_work


def play_plans(path: str, here: Circumstances) -> Bench | None:
    """Play what was put off until a tick, if that tick has passed; None if nothing was. Raises
    Problem."""
    with bench(path, here) as at_work:
        at_work.play_waiting()
    return at_work if at_work.match.log != at_work.before.log else None


# ------------------------------------------------------------------------------- reminders


class Reminder(NamedTuple):
    """A line to a player: about which deadline, why (`kind`: SOON, OVERDRAWN or LATE), and since
    when (`tick`)."""

    match: str
    deadline: Deadline
    kind: str
    tick: str
    zone: str
    silence: str

    @property
    def seat(self) -> Seat:
        return self.deadline.seat

    @property
    def key(self) -> str:
        """What tells this reminder from all others: each key goes out once."""
        ply = str(self.deadline.ply)
        return "-".join((self.match, ply, self.seat, self.kind, self.tick[:10]))

    def sentence(self) -> Sentence:
        """What to tell the player, with times in this zone. Who is LATE learns it with the news."""
        lasts = self.deadline.stretched if self.kind == OVERDRAWN else self.deadline
        told = {"match": self.match, "until": lasts.sentence(self.zone, self.silence)}
        if lasts.words:
            return say("{match}: something of yours is still to come. {until}", **told)
        if self.kind == SOON:
            return say("{match}: your turn ends soon. {until}", **told)
        return say(
            "{match}: your turn is over; you live on the {n} [day|days] you have to spare. {until}",
            n=self.deadline.spare,
            **told,
        )

    @property
    def posted(self) -> Sentence:
        """What to tell everybody, in a post that says how long the seat has from now on."""
        if self.deadline.words:
            return say("Words of {seat:seat} for the draws are still to come.", seat=self.seat)
        if self.kind == SOON:
            return say("The turn of {seat:seat} ends soon.", seat=self.seat)
        ended = {"seat": self.seat, "due": spoken(self.deadline.due, self.zone)}
        if self.kind == LATE:
            return say("The turn of {seat:seat} ended on {due}.", **ended)
        return say("The turn of {seat:seat} ended on {due}. Now days to spare run.", **ended)


# ------------------------------------------------------------------- what is believed, and asked

_HALF_A_DAY: Final = 12  # a notice sent later is too late for the grace counted from it
_A_DAY: Final = 24
_A_WEEK: Final = 7 * 24


def may_play(at: str, last_run: str, *, yes: bool = False) -> bool:
    """May a run play what silence brings? Not if the last complete one is more than a day ago, or
    unknown: somebody may have answered meanwhile."""
    return yes or (bool(last_run) and _hours(last_run, at) <= _A_DAY)


def believed(at: str, last_run: str, *, yes: bool = False) -> bool:
    """Is the clock believed? Not more than a week after the last complete run, until a person says
    `yes`: it may be wrong."""
    return yes or not last_run or _hours(last_run, at) <= _A_WEEK


def waits_for_yes(at: str, last_run: str) -> Sentence:
    """What the moderator is told when the clock is not believed."""
    return say(
        "the desk waits for you: it last kept the clock at {last}, and by its own it is {at} now. "
        "Nothing is judged until you say `pbem desk run --yes`, if that is right",
        last=last_run,
        at=at,
    )


def _hours(before: str, after: str) -> float:
    from datetime import datetime

    passed = datetime.fromisoformat(after) - datetime.fromisoformat(before)
    return passed.total_seconds() / 3600


QUESTIONS: Final[Mapping[str, Sentence]] = {
    ASK: say(
        "the days of grace are over, and nothing says what silence brings: it is for you to decide"
    ),
    UNHEARD: say(
        "the days of grace are over, but it is not known that the notice has reached them: mails "
        "to them do not arrive, they have no address, or a bounce that names nobody lies aside "
        "(`pbem aside`), or a mail that may be theirs"
    ),
    WROTE: say(
        "the days of grace are over, but they are not silent: a mail of theirs came to nothing "
        "since their turn began, or waits for your answer. Once you have dealt with it, another "
        "notice goes out to them before anything is played"
    ),
    SEEK: say("the days of grace are over, and somebody is to be sought for the seat"),
    SOUGHT: say("the days of grace are over, and the club seeks somebody for the seat"),
    VACANT: say("it is their turn, and they have resigned"),
    WORDS: say("no words for the draws have come in time"),
}
"""What the moderator is to decide about a seat, by the kind of question."""


def question(kind: str, silence: str) -> str:
    """The kind of question that is asked, where silence brings this."""
    return SEEK if (kind, silence) == (ASK, SUBSTITUTE) else kind


_TRAY: Final = "aside {folder}"
_ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    ASK: (granting.EXTEND, granting.DEFAULT),
    SEEK: (granting.SUBSTITUTE, granting.EXTEND, granting.DEFAULT),
    **dict.fromkeys((UNHEARD, WROTE), (_TRAY, granting.EXTEND, granting.DEFAULT)),
    SOUGHT: ("club status {folder}",),
    VACANT: (granting.SUBSTITUTE, granting.DEFAULT, granting.END),
    WORDS: ("rule {log} pass-over --seat {seat} --reason late",),
}
"""The lines to type of which each is an answer to such a question."""
_REASONS: Final = {VACANT: "resigned"}
"""The reason that such a line gives, if somebody is not late."""


def typed(match: Replay, action: Action, at: str, mails: Sequence[int] = ()) -> tuple[str, ...]:
    """The lines to type for something owed in a match; of a question, each is an answer. `mails`
    are the numbers of those of theirs that lie aside."""
    log, folder = match.log.path, os.path.dirname(match.log.path) or "."
    timing = match.log.so_far().timing
    kind = question(action.kind, timing.clock.silence if timing.settings else "")
    forms = _ANSWERS.get(kind, (granting.DEFAULT,))
    if action.verdict == Verdict.LATE:
        forms = ("due {folder} --enter",)
    if mails:
        shown = [f"{_TRAY} {number}" for number in mails]
        forms = (*shown, *(form for form in forms if form != _TRAY))
    name = os.path.normpath(os.path.join(folder, match_name(log)))
    reason = _REASONS.get(action.kind, "late")
    values = {"{move}": action.move or "MOVE", "{reason}": reason, "{folder}": folder}
    values |= granting.time_for(match, action.seat, at)
    return granting.typed(forms, match, action.seat, name, values)


def from_them(
    waiting: Mapping[tuple[str, str], Sequence[int]], match: str, senders: Sequence[str]
) -> list[int]:
    """The mails, of those `waiting` for a person's answer, that these senders wrote about a match,
    or about several."""
    theirs = (waiting.get((about, who), ()) for who in senders for about in (match, ""))
    return sorted(chain.from_iterable(theirs))


def has_written(book: Book, folder: str) -> HasWritten:
    """Who is not silent, in the matches of a folder: whoever wrote what WAITS for a person's
    answer, or came to nothing since their turn began and was not dealt with."""
    waiting = cache(partial(tray.writers, folder))

    def wrote(match: str, senders: Sequence[str], since: str) -> str:
        if from_them(waiting(), match, senders):
            return WAITS
        unheeded = book.unheeded(match, senders, since)
        return "" if tray.dealt_with(folder).issuperset(unheeded) else WROTE

    return wrote


def heard_by(book: Book, *, by_hand: bool = False) -> Heard:
    """Who has had their notices, as far as the desk knows: from what its daybook says about the
    letters that told them, and from what has bounced since. A mail that does not say whose it is,
    or whether a person wrote it, may be theirs, as long as it lies aside. Notices that are posted
    `by_hand` count as read."""

    def heard(match: Replay, each: Deadline) -> bool | str:
        file, desk = match_name(match.log.path), Desk.read(match.log.path)
        own, folder = desk.names_of(each.seat), os.path.dirname(match.log.path) or "."
        if has_written(book, folder)(file, own, each.since):
            return WROTE
        if _acted(match, each.seat, book.heeded(file, own)) > each.noticed:
            return False
        # A seat without an address is not reached, unless the desk writes to nobody at all.
        people = letters.people(match, desk)
        if by_hand or not people:
            return True
        for about, sender in tray.unclear(folder):
            seats = desk.seats_of(Address(sender))
            if each.seat in seats if seats else about == file:
                return UNHEARD
        theirs = [one for one in people if each.seat in one.seats]
        if not any(one.seats for one in people):
            theirs = list(people)
        entries = match.log.entries
        notice = max(
            nth
            for nth, entry in enumerate(entries, 1)
            if isinstance(entry, Ruled)
            and isinstance(entry.ruling, letters.NOTICES)
            and entry.ruling.seat == each.seat
        )
        marks = [mark(match.log, count) for count in range(notice, len(entries) + 1)]
        out = (book.reached(one.address, digits) for one in theirs for digits in marks)
        first = min(filter(None, out), default="")
        return _hours(each.noticed, first) <= _HALF_A_DAY if first else UNHEARD

    return heard


ACTS: Final = (Pause, Resume, Clock, OfAbsence)
"""The rulings that change how long a seat has, though none of them makes its notice void."""


def _acted(match: Replay, seat: Seat, heeded: str) -> str:
    """When the moderator last acted on a seat, whose mails they last `heeded` then: what its notice
    said of its days holds no longer. "" for never."""
    acts = (
        entry.at
        for entry in match.log.entries
        if isinstance(entry, Ruled) and entry.by == MODERATOR and isinstance(entry.ruling, ACTS)
        if getattr(entry.ruling, "seat", seat) == seat
    )
    return max([heeded, *acts])


def told_anew(match: Replay, seats: Collection[Seat], at: str) -> Iterator[str]:
    """What the moderator is told who acts on seats of a match at a moment: of each that has had a
    notice, when it gets another, and what follows."""
    times = deadlines.of(match)
    if times is None or match.outcome is not None:
        return
    for each in times.deadlines:
        if not each.noticed or each.seat not in seats:
            continue
        when = say("after {lapse}", lapse=spoken(each.lapse, times.zone)) if each.lapse else _LATER
        when = _NEXT if times.state(each, at) == LAPSED else when
        log, days = match.log.path.removesuffix(LOG_SUFFIX), granting.time_for(match, each.seat, at)
        [line] = granting.typed((granting.EXTEND,), match, each.seat, log, days)
        then = after_grace(ASK if each.asks else times.silence)
        told = {"match": match.name, "seat": each.seat, "n": each.grace, "line": line}
        yield say(_ANEW, when=when, then=then, **told).text(match.players)


_NEXT: Final = say("with the next `pbem desk run`")
_LATER: Final = say("once their days count again")
_ANEW: Final = (
    "{match}: {seat:seat} is late. Another notice goes out to them {when}, with {n} [day|days] of "
    "grace; only then {then}. To give them time: `{line}`"
)


def waits_for_moderator(book: Book) -> Callable[[str, Timetable, Deadline, str], bool]:
    """Does the desk wait for the moderator before it does anything about a seat?"""

    def waits(match: str, times: Timetable, each: Deadline, at: str) -> bool:
        due = Due(match, times, at)
        asked = any(
            book.said(due.question(each.seat, kind)) for kind in (ASK, UNHEARD, WROTE, WORDS)
        )
        return asked or not believed(at, book.last)

    return waits


def why_not_kept(book: Book, moment: str, *, mailbox: bool, yes: bool = False) -> Sentence | None:
    """Why a run that has read the mails up to a moment may not keep the clock; None if it may."""
    if moment < book.last and not yes:
        return say(
            "the clock has gone back: the desk last ran at {last}, and it is only {at} now; "
            "no deadline is judged, unless you say `pbem desk run --yes`",
            last=book.last,
            at=moment,
        )
    if book.mailbox and not mailbox:
        return say("no deadline is judged without the mailbox that is read else; name it by --mail")
    if not believed(moment, book.last, yes=yes):
        return waits_for_yes(moment, book.last)
    return None


# ------------------------------------------------------------------------------- digests


def digests(matches: Matches, book: Book, hour: str) -> Iterator[Letter]:
    """The digests owed at an hour: everything kept for a person, as soon as the hour has come for
    any part of it. Raises Problem if the folder cannot be read."""
    if all(each.get(MAILS, EACH) in (EACH, ONCE) for each in book.values.values()):
        return
    kept, due = dict[Address, list[tuple[Letter, Desk]]](), set[Address]()
    for name, stamp in matches.stamps().items():
        if not (book.knows(name) and book.has_news(name, stamp)):
            continue
        try:
            match, desk = matches.open(matches.log(name))
        except Problem:
            continue  # this is reported when those who want each mail are told
        desk = preferences.applied(desk, book)
        for letter in letters.concerned(match, desk, book):
            until = letters.waits_until(letter, match, desk, book)
            if until and until != NEVER:
                kept.setdefault(letter.to.address, []).append((letter, desk))
                due |= {letter.to.address} if until <= hour else set()
    for address in sorted(due):
        yield letters.digest(address, kept[address])


# --------------------------------------------------------------------- all of it, at a moment


UNJUDGED, TO_DECIDE, TO_NOTE, STANDS = range(4)
"""How pressing what a moderator has to know is: nothing can be judged; they have to decide; notices
are owed; the clock stands still."""


class Need(NamedTuple):
    """What a moderator has to know, how pressing that is, and the lines to type for it."""

    rank: int
    told: str
    typed: tuple[str, ...] = ()


class Due(NamedTuple):
    """A match in which something may have to be done, judged by the moment `at`, while the clock
    says `hour`, if that is later: its timetable and, if the match has been opened, its `replay` and
    what is owed. Nothing is owed once the clock has gone back."""

    path: str
    times: Timetable
    at: str
    hour: str = ""
    replay: Replay | None = None
    owed: tuple[Action, ...] = ()

    @staticmethod
    def of(match: Replay, at: str, heard: Heard | None = None, hour: str = "") -> Due | None:
        """A match that has been opened, judged; None if it has no clock or is over."""
        times = deadlines.of(match)
        if times is None or match.outcome is not None:
            return None
        due = Due(match.log.path, times, at, hour, match)
        return due._replace(owed=tuple(_owed(match, times, at, heard)) if due._judged else ())

    def seeking(self, replaces: Callable[[str, Seat], bool]) -> Due:
        """The same for a moderator, where a club `replaces` some seats instead of them."""
        owed = tuple(
            each._replace(kind=SOUGHT)
            if each.kind == ASK and replaces(self.match, each.seat)
            else each
            for each in self.owed
        )
        return self._replace(owed=owed)

    @property
    def players(self) -> Names:
        """Who sits there, in a match that has been opened."""
        return self.replay.players if self.replay else NO_NAMES

    @property
    def _judged(self) -> bool:
        return max(self.hour, self.at) >= self.times.at

    @property
    def match(self) -> str:
        return match_name(self.path)

    @property
    def tick(self) -> str:
        """The key of the tick at which what waits is played, once it has passed; else ""."""
        fires = self.times.fires
        passed = fires and self.at > fires
        return "-".join((self.match, "tick", self.times.at, fires[:10])) if passed else ""

    def question(self, seat: Seat, kind: str = ASK) -> str:
        """The key of a question to the moderator about a seat. A new entry in the log makes it a
        new question."""
        ends = (each.lapse or each.due for each in self.times.deadlines if each.seat == seat)
        return "-".join((self.match, seat, kind, self.times.at, next(ends, self.times.at)[:10]))

    def reminders(self) -> Iterator[Reminder]:
        """The reminders that are owed: only the newest for each seat, and none for who is away."""
        away = self.times.away_at(max(self.hour, self.at))
        for each in self.times.deadlines if self._judged else ():
            if each.seat in away:
                continue
            kind = self.times.state(each, self.at)
            if tick := {SOON: each.remind, OVERDRAWN: each.due, LATE: each.noticed}.get(kind):
                times = self.times
                yield Reminder(self.match, each, kind, tick, times.zone, times.silence)

    def unjudged(self) -> Sentence | None:
        """Why nothing is judged; None if everything is."""
        if self.times.trouble:
            return say("{match}: {trouble}", match=self.match, trouble=self.times.trouble)
        if self.at < self.times.at:
            sentence = dated_ahead(self.path, self.times.at, self.at)
            return say("{match}: {told}", match=self.match, told=sentence)
        return None

    def needs(self, waiting: Mapping[tuple[str, str], Sequence[int]]) -> Iterator[Need]:
        """What the moderator has to know about it; with the mails to a person that lie aside."""
        folder = os.path.dirname(self.path) or "."
        log = os.path.normpath(os.path.join(folder, self.match))
        if why := self.unjudged():
            yield self._need(UNJUDGED, why)
        elif self.times.paused:
            resume = shlex.join(("pbem", "rule", log, "resume"))
            yield self._need(STANDS, say("{match}: {told}", match=self.match, told=STILL), resume)
        desk = Desk.read(self.path) if self.owed else None
        for action in self.owed:
            names = desk.names_of(action.seat) if desk else ()
            mails = from_them(waiting, self.match, names)
            lines = typed(self.replay, action, self.at, mails) if self.replay else ()
            rank = TO_NOTE if action.verdict == Verdict.LATE else TO_DECIDE
            yield self._need(rank, self._for_moderator(action), *lines)

    def _need(self, rank: int, sentence: Sentence, *lines: str) -> Need:
        return Need(rank, sentence.text(self.players), lines)

    def _for_moderator(self, action: Action) -> Sentence:
        about = {"match": self.match, "seat": action.seat}
        if action.verdict == Verdict.LATE:
            return say("{match}: {seat:seat} has missed the deadline; a notice is owed", **about)
        if action.verdict == Verdict.ASK:
            why = QUESTIONS[question(action.kind, self.times.silence)]
            return say("{match}: {seat:seat}: {why}", why=why, **about)
        return say(
            "{match}: the days of grace of {seat:seat} are over; silence brings {move}",
            move=action.move,
            **about,
        )

    def plain(self) -> dict[str, Any]:
        """The same for programs."""
        times = self.times
        return {
            "match": self.match,
            "log": self.path,
            "paused": times.paused,
            "trouble": times.trouble and str(times.trouble),
            "seats": [
                {
                    "seat": each.seat,
                    "state": times.state(each, self.at),
                    "due": each.due or None,
                    "late_from": each.late_from or None,
                    "lapse": each.lapse or None,
                    "away": each.seat in times.away_at(self.at),
                }
                for each in times.deadlines
            ],
            "owed": [
                {"seat": each.seat, "kind": _KINDS[each.verdict], "move": each.move}
                for each in self.owed
            ],
            "reminders": [
                {"seat": each.seat, "kind": each.kind, "key": each.key} for each in self.reminders()
            ],
        }


_KINDS: Final = {Verdict.LATE: "notice", Verdict.SILENCE: "silence", Verdict.ASK: "ask"}
"""What each is called in JSON."""


class Agenda(NamedTuple):
    """The matches of a folder that have a clock, the first deadline first, and what could not be
    read."""

    matches: tuple[Due, ...]
    problems: tuple[Problem, ...]

    @staticmethod
    def at(
        folder: str,
        moment: str,
        heard: Heard | None = None,
        replaces: Callable[[str, Seat], bool] = lambda match, seat: False,
    ) -> Agenda:
        """Look at all matches of a folder that are not over and have a clock; for a seat that is
        silent, a club may find somebody who `replaces` its player. Raises Problem if there is no
        such folder."""
        found, problems = list[Due](), list[Problem]()
        logs = logs_in(folder)
        for path in logs:
            try:
                match, _ = read_both(path)
                due = Due.of(match, moment, heard)
            except Problem as problem:
                problems.append(problem)
                continue
            if due:
                found.append(due.seeking(replaces))
        found.sort(key=lambda due: (due.times.due or NEVER, due.match))
        return Agenda(tuple(found), tuple(problems))

    def needs(self, waiting: Mapping[tuple[str, str], Sequence[int]]) -> list[Need]:
        """What the moderator has to know, the most pressing first; with the mails to a person that
        lie aside. A line to type for several stands with the last of them."""
        needs = (need for due in self.matches for need in due.needs(waiting))
        found = sorted(needs, key=lambda need: need.rank)
        last = {line: nth for nth, need in enumerate(found) for line in need.typed}
        return [
            need._replace(typed=tuple(line for line in need.typed if last[line] == nth))
            for nth, need in enumerate(found)
        ]

    def plain(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "matches": [each.plain() for each in self.matches],
            "problems": [str(problem) for problem in self.problems],
        }
