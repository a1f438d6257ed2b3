"""Keeps the clock of a folder of matches: when all mails have been read, does what time asks for,
each thing once, even if runs are killed, and however many desks there are.

Everything is judged by the moment up to which the mailbox was read to its end; in a match for which
a mail waits, by the moment when that mail arrived. A dry run is the same run, with matches and a
daybook that exist only in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.desk.bench import Circumstances
from pbem.desk.file import Desk
from pbem.desk.titles import title
from pbem.files.timestamp import stamp
from pbem.log import deadlines
from pbem.log.entropy.gathering import HOW
from pbem.log.match import Replay
from pbem.log.timetable import LAPSED, LATE, OWED, SOON
from pbem.mailroom import agenda, preferences, tray
from pbem.mailroom.agenda import Action, Due, Reminder, believed, may_play
from pbem.mailroom.daybook import Book, Ran, Said
from pbem.mailroom.letterhead import keyed_name, paragraphs
from pbem.mailroom.letters import Letter, Person
from pbem.mailroom.matter import Handling
from pbem.matches.index import match_name
from pbem.matches.matches import Matches
from pbem.problem import Problem, problem_of
from pbem.sentence import Named, Sentence, say

Owing = Mapping[Reminder, Replay]
"""The reminders that are owed, and the match that each is about."""


class Doubt(NamedTuple):
    """Something only the moderator can decide: its key, the question as the run tells it, and as a
    letter asks it."""

    key: str
    told: Handling
    asked: Sentence


@dataclass(slots=True)
class Timekeeper:
    """Keeps the clock of these matches, with their daybook; `write` writes a letter and notes the
    keys of what it says. Questions only the moderator can decide go to the address `moderator`, if
    there is one. `replaces` says for which seats somebody else is found without the moderator."""

    matches: Matches
    book: Book
    here: Circumstances
    write: Callable[[Letter, Sequence[str]], None]
    moderator: Address | None = None
    replaces: Callable[[str, Seat], bool] = lambda match, seat: False

    def keep(
        self, upto: str, mailbox: bool, held_up: Mapping[str, float]
    ) -> Iterator[Handling | Problem]:
        """Do what time asks for, once the mails that came up to a moment have been read; gives what
        was done, and what stands in the way in a match. Then the run is complete. `held_up` says
        since when mails have been waiting, by match.

        Without a `mailbox`, the clock is kept only if no run has ever read one. Raises Problem if
        the mailroom's own files fail.
        """
        timed = self.matches.timetables()
        with self.book.locked():
            last = self.book.last
        if not (timed or last):  # no clock was ever kept here
            return
        questions = list[Doubt]()
        if why := agenda.why_not_kept(self.book, upto, mailbox=mailbox, yes=self.here.sure):
            if not believed(upto, last, yes=self.here.sure):
                told = Handling(verdict=Verdict.ASK, why=why)
                questions.append(Doubt(f"yes-{last[:10]}", told, why))
            yield from self._asked(questions)
            return
        may, owing = may_play(upto, last, yes=self.here.sure), dict[Reminder, tuple[Replay, Desk]]()
        for path, (times, vacant) in timed.items():
            waits = [held_up[each] for each in ("", match_name(path)) if each in held_up]
            judged = min([upto, *map(stamp, waits)])
            due = Due(path, times, judged, self.here.clock())
            if times.trouble is None:
                try:
                    yield from self._played(due)
                    yield from self._entered(due, vacant, questions, defaults=may)
                    owing.update(self._owing(due))
                except (Problem, OSError) as error:
                    yield problem_of(error, path)
        yield from self._reminded(owing)
        yield from self._asked(questions)
        with self.book.locked():
            self.book.add(Ran(upto, mailbox or self.book.mailbox))

    def _played(self, due: Due) -> Iterator[Handling]:
        """Play what was put off until a tick, once a tick."""
        key = due.tick
        if not key or self.book.said(key):
            return
        why = say("what waits for the tick of {tick}, if anything does", tick=due.times.fires)
        if self.here.imagined:  # until it is played, nobody is told that it waits
            yield Handling(verdict=Verdict.PLANNED, path=due.path, why=why)
            return
        if change := agenda.play_plans(due.path, self.here):
            ply = change.match.position.ply
            yield Handling(verdict=Verdict.PLANNED, path=due.path, ply=ply, why=why)
        self.book.note(Said((key,)))

    def _entered(
        self, due: Due, vacant: Sequence[Seat], questions: list[Doubt], *, defaults: bool
    ) -> Iterator[Handling]:
        """Write the notices that are owed and play what silence brings; what the moderator must
        decide is added to `questions`, also about seats nobody holds."""
        asks = (Action(seat, Verdict.ASK, kind=agenda.VACANT) for seat in vacant)
        states = {each.seat: due.times.state(each, due.at) for each in due.times.deadlines}
        lapsed = (
            due.question(seat)
            for seat, state in states.items()
            if state == LAPSED and not self.replaces(due.match, seat)
        )
        owed, heard = tuple[Action, ...](), agenda.heard_by(self.book)
        if OWED in states.values() or not all(map(self.book.said, lapsed)):
            match = self.matches.look(due.path)
            owed = agenda.owed(match, due.at, hour=due.hour, heard=heard)
        for each in (*owed, *asks):
            if each.verdict == Verdict.ASK:
                questions += self._doubted(due, each)
            elif each.verdict == Verdict.SILENCE and not defaults:
                continue
            elif change := agenda.enter(due.path, each, self.here, due.at, heard=heard):
                yield Handling(
                    verdict=each.verdict,
                    path=due.path,
                    seat=each.seat,
                    ply=change.match.position.ply,
                    why=say("{move} is played for them", move=each.move) if each.move else None,
                )

    def _doubted(self, due: Due, action: Action) -> Iterator[Doubt]:
        """The question about a seat, unless the moderator has been asked or need not be."""
        seat, kind, key = action.seat, action.kind, due.question(action.seat, action.kind)
        theirs = next((each for each in due.times.deadlines if each.seat == seat), None)
        asks = (theirs or kind == agenda.VACANT) and not self.book.said(key)
        if asks and not self.replaces(due.match, seat):
            match = self.matches.look(due.path)
            why = agenda.QUESTIONS[agenda.question(kind, due.times.silence)]
            told = Handling(verdict=Verdict.ASK, path=due.path, seat=seat, why=why)
            asked = say("{match}: {seat:seat}: {why}", match=match.name, seat=seat, why=why)
            lines = "\n".join(agenda.typed(match, action, due.at))
            asked = say("{asked}\n{lines}", asked=Named(asked, match.players), lines=lines)
            yield Doubt(key, told, asked)

    def _owing(self, due: Due) -> Iterator[tuple[Reminder, tuple[Replay, Desk]]]:
        """The reminders a match owes, in the zones of those who get them, with the match and its
        desk file; it is opened only if the index says that there may be any."""
        if not any(self._unsaid(due)):
            return
        match, desk = self.matches.open(due.path)
        times, desk = deadlines.of(match), preferences.applied(desk, self.book)
        if times is not None and match.outcome is None:
            for each in self._unsaid(due._replace(times=times)):
                yield each._replace(zone=desk.zones.get(each.seat) or each.zone), (match, desk)

    def _unsaid(self, due: Due) -> Iterator[Reminder]:
        """The reminders that are owed and have not gone out. A notice is told with the news."""
        for each in due.reminders():
            if each.kind != LATE and not self.book.said(each.key):
                yield each

    # ------------------------------------------------------------------------- reminders

    def _reminded(self, owing: Mapping[Reminder, tuple[Replay, Desk]]) -> Iterator[Handling]:
        """Write one letter to each person who is to be reminded of anything."""
        people: dict[Address, dict[Reminder, Replay]] = {}
        for each, (match, desk) in owing.items():
            if address := desk.written_to.get(each.seat):
                people.setdefault(address, {})[each] = match
            else:
                self.book.note(Said((each.key,)))
        waiting = tray.writers(self.matches.folder) if owing else {}
        for address, theirs in people.items():
            wrote = {(match, address) for match in ("", *(each.match for each in theirs))}
            heard = tray.STILL_WAITS if wrote & waiting.keys() else None
            yield from self._remind(address, theirs, heard)

    def _remind(self, address: Address, owing: Owing, heard: Sentence | None) -> Iterator[Handling]:
        with self.book.locked():
            owing = {each: match for each, match in owing.items() if not self.book.said(each.key)}
            if not owing:
                return
            keys = [each.key for each in owing]
            matches = {each.match: match for each, match in owing.items()}
            over = sum(each.kind != SOON for each in owing)  # comes before what soon will be
            one = next(iter(matches.values())) if len(matches) == 1 else None
            letter = Letter(
                name=keyed_name(keys, "reminder"),
                to=Person(address),
                about=one,
                sentence=paragraphs(*_reminding(owing, one), heard, *_how(owing, one)),
                boards=tuple((match, each.seat) for each, match in owing.items()),
                subject=title("over", n=over) if over else title("soon", n=len(owing)),
            )
            self.write(letter, keys)
        for each, match in owing.items():
            yield Handling(
                verdict=Verdict.REMINDER,
                path=match.log.path,
                seat=each.seat,
                letters=(letter,),
                why=each.sentence(),
            )

    # ------------------------------------------------------------------------- questions

    def _asked(self, questions: list[Doubt]) -> Iterator[Handling]:
        """Ask the moderator what only they can decide: on the screen and, once, by mail."""
        yield from (each.told for each in questions)
        with self.book.locked():
            new = [each for each in questions if not self.book.said(each.key)]
            keys = [each.key for each in new]
            if new and self.moderator:
                letter = Letter(
                    name=keyed_name(keys, "question"),
                    to=Person(self.moderator),
                    sentence=paragraphs(*(each.asked for each in new)),
                    subject=say("{n} [question waits|questions wait] for you", n=len(new)),
                )
                self.write(letter, keys)
            elif new:
                self.book.add(Said(tuple(keys)))


_HOW: Final = say(
    "Answer with your moves. A line that says only `board` brings your letter again; one like "
    "`away until 5 Jan` says that you are away."
)
_HOW_EACH: Final = say(
    "Answer each match in a mail of its own, with its subject: copy the block from above and put "
    "your moves in place of the dots. A mail that says only `board` brings your letters of all "
    "these matches again; `status`, `back` and one like `away until 5 Jan` are for all of them."
)


def _how(owing: Owing, one: Replay | None) -> Iterator[Sentence]:
    """How to answer: with moves, or with words for the draws."""
    words = {each.deadline.words for each in owing}
    if False in words:
        yield _HOW if one else _HOW_EACH
    if True in words:
        yield HOW


def _reminding(owing: Owing, one: Replay | None) -> Iterator[Sentence]:
    """What a reminder says of each match, and how the answer can name it: where there are several,
    by a subject or a block to copy."""
    for each, match in owing.items():
        told = Named(each.sentence(), match.players)
        pattern = _ABOUT if one or each.deadline.words else _BLOCK
        yield say(pattern, told=told, match=match.name, position=match.position)


_ABOUT: Final = "{told}\n[{match} {position}]"
_BLOCK: Final = (
    "{told}\nSubject: [{match} {position}]\n\n[move] {position}\nmatch: {match}\n...\n[/move]"
)
