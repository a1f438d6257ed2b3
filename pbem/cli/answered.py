"""What came of a message, as the commands that judge one print it: for its sender, for everybody,
and for the moderator."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.cli.common import letter_name, standing, which_to_send, write_letters
from pbem.cli.output import (
    Beside,
    File,
    Output,
    after_commit,
    for_whom,
    make_ready,
    noted,
    put,
    shown,
)
from pbem.cli.pictures import picture, picture_format
from pbem.desk.file import Desk
from pbem.files import store
from pbem.matches.index import FOLDER
from pbem.problem import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.core import Seat
    from pbem.desk.answer import Answer
    from pbem.desk.plans.model import Plan
    from pbem.log.match import Replay
    from pbem.mailroom.granting import Wish
    from pbem.mailroom.preferences import Preferences
    from pbem.report.facts import Report

ANSWER: Final = "======== answer to the sender: for nobody else ========\n\n{text}"
"""A refusal, or what waits, on a terminal."""
LEGAL: Final = {
    "legal": "legal",
    "possible": "legal as far as you can know (it rests on something hidden)",
}


class Readers:
    """How the players of a match want to be written to."""

    def __init__(self, desk: Desk | None) -> None:
        self._desk = desk

    @property
    def desk(self) -> Desk | None:
        """The desk file with the zones and languages they want; None where there is none."""
        return self._known[0]

    @cached_property
    def _known(self) -> tuple[Desk | None, Mapping[Seat, Preferences]]:
        folder = os.path.dirname(self._desk.path) or "." if self._desk else ""
        if self._desk is None or not os.path.isdir(os.path.join(folder, FOLDER)):
            return self._desk, {}  # nobody has asked for anything: the reading code is not needed
        from pbem.mailroom import daybook, preferences

        book = daybook.book_of(folder)
        return preferences.applied(self._desk, book), preferences.of_seats(self._desk, book)

    def letter(
        self,
        match: Replay,
        seat: Seat | None,
        made: Callable[[], Report],
        format: str,
        width: int | None = None,
        *,
        language: str = "",
    ) -> str:
        """A letter to a seat as its reader wants it: in their language, unless another is asked
        for, and not in HTML if they want text only. In HTML its links open a mail to
        PBEM_ADDRESS."""
        from pbem.report import compose

        wants = self._known[1].get(seat) if seat else None
        format = "text" if format == "html" and wants and wants.text else format
        spoken = language or compose.language(match, seat, self.desk)
        return compose.posted(made, format, [spoken], width, os.environ.get("PBEM_ADDRESS", ""))

    def of_news(
        self,
        before: Replay,
        after: Replay,
        made: Callable[[Seat, int, Desk | None], Report],
        wanted: Collection[Seat | None],
        format: str,
    ) -> dict[Seat, str]:
        """The letters to these seats about what is new, each `made` for a seat and the number of
        entries that were known. One that answers its reader, or has their key, keeps its board."""
        from pbem.report import compose

        known = len(before.log.entries)

        def news(seat: Seat) -> Report:
            report, wants = made(seat, known, self.desk), self._known[1].get(seat)
            if report.receipt or (report.letter and report.letter.key):
                return report
            short = wants is not None and wants.posts == "short"
            return report._replace(bare=compose.bare(after, known, (seat,), short=short))

        return {
            seat: self.letter(after, seat, partial(news, seat), format)
            for seat in after.setup.seats
            if seat in wanted
        }


class Ways(NamedTuple):
    """How what comes of a message is printed, and into which files."""

    log: str
    format: str
    post: str | None = None
    letters: str | None = None
    all_letters: bool = False
    reply: str | None = None
    picture: str | None = None
    short: bool | None = None
    told: bool = False

    @property
    def place(self) -> bool:
        """Is there a file for what only the sender may read, so that nothing private is shown?"""
        return bool(self.reply or self.letters)

    def put(self, name: str, text: str) -> str:
        """Write what only the sender may read to its file or, by this name, to the letters, where
        no other letter is written over; gives the path. Raises Problem."""
        if self.reply is None:
            return store.add(os.path.join(self.letters or "", name), text.encode(), 0o600)
        put(self.reply, text.encode(), 0o600)
        return self.reply

    def news(self, before: Replay, after: Replay, desk: Desk, notes: Sequence[str] = ()) -> str:
        """The post about all that has been entered. It is noted that everybody was told, if so."""
        from pbem.report import compose

        if self.told:
            from pbem.mailroom.daybook import all_know_by_hand

            all_know_by_hand(after, desk, len(after.log.entries))
        known, brief = len(before.log.entries), compose.brief(self.short, desk, self.picture)

        def made() -> Report:
            post = compose.public(after, known, notes, brief=brief)
            return post._replace(bare=compose.bare(after, known))

        return compose.posted(made, self.format, after.log.languages)

    def passed_on(
        self,
        match: tuple[Replay, Replay],
        desk: tuple[Desk | None, Desk],
        made: Callable[[Seat, int, Desk | None], Report],
        also: Collection[Seat | None] = (),
        unplayed: Collection[Seat] = (),
    ) -> tuple[dict[Seat, str], dict[str, Any], list[Beside]]:
        """The letters about what has been entered in a match, each `made` for a seat: those that
        are owed, if letters go into files, and those `also` wanted. They are written to their
        files; gives them, and what to say of that to programs and to people. `match` and `desk` are
        as they were before, None for a desk file that nobody has read, and as they are now."""
        from pbem.report.owed import alone

        (before, after), (earlier, kept) = match, desk
        owed = alone(before, after, (earlier, kept), unplayed) if earlier else {}
        to_all = after.setup.seats if self.all_letters else ()
        wanted = {*owed, *also, *to_all}
        written = Readers(kept).of_news(before, after, made, wanted, self.format)
        if not self.letters:
            return written, {}, []
        sent = {seat: text for seat, text in written.items() if seat in {*owed, *to_all}}
        files = write_letters(self.letters, after, sent)
        plain = {"letters": files, "owed": {seat: str(why) for seat, why in owed.items()}}
        return written, plain, [*map(noted, which_to_send(files, owed, len(after.setup.seats)))]

    def make_ready(self) -> None:
        """Make sure that there is a place for everything, before a log is written. Raises
        Problem."""
        if self.picture:
            picture_format(self.picture)
        if self.all_letters and not self.letters:
            raise Usage("--all-letters says which letters: where they go, --letters DIR says")
        make_ready(self.post, self.letters)
        for file in filter(None, (self.picture, self.reply)):
            make_ready(file)


class Submitted(NamedTuple):
    """What came of a message that was submitted: the answer, what its sender is warned of, what it
    asks for besides, and the desk file before it, where letters are wanted."""

    answer: Answer
    warned: str
    wishes: Sequence[Wish]
    desk: Desk | None

    def output(self, ways: Ways) -> Output:
        """All there is to say about it. Raises Problem: NotTold if the log stands all the same."""
        told = [each for wish in self.wishes for each in _asked(wish)]
        if self.answer.verdict == "passed-on" and not ways.place:
            plain = _answered(self.answer) | {"wishes": []} | self._wishes()
            return Output(plain, told or [self.answer.message], code=self.answer.code)
        if self.answer.verdict not in ("accepted", "waiting", "withdrawn"):
            refused = refusal(self.answer, ways, Readers(Desk.read(ways.log)), self.warned)
            lines = [*map(Beside, told), *(refused.told or ())]
            return refused._replace(plain=refused.plain | self._wishes(), told=lines)
        with after_commit(ways.log):
            done = self._accepted(ways) if self.answer.verdict == "accepted" else self._waits(ways)
            return done._replace(told=[*map(Beside, told), *(done.told or ())])

    def _wishes(self) -> dict[str, Any]:
        """What it asks for, for programs; {} if it asks for nothing."""
        names = ("verb", "text", "command", "others", "rules")
        plain = [{name: getattr(each, name) for name in names} for each in self.wishes]
        return {"wishes": plain} if plain else {}

    def _waits(self, ways: Ways) -> Output:
        """What waits for the sender, for nobody else; and a post of what others may have made of
        it meanwhile."""
        answer, warned = self.answer, [self.warned] if self.warned else []
        output = self._own(ways)
        post: list[object] = []
        if answer.after.log != answer.before.log:
            post = [ways.news(answer.before, answer.after, Desk.read(ways.log))]
        told = [*(output.told or ()), *post]
        return output._replace(told=told, troubles=warned, entered=ways.log)

    def _own(self, ways: Ways) -> Output:
        """What waits for the sender, in a file of theirs if there is a place for it."""
        answer = self.answer
        if not (ways.place and answer.seat):
            lines = [*waiting_lines(answer.waits, answer.seat), *left_over(answer)]
            text = say(ANSWER, text="\n".join(map(str, lines)))
            return Output(_answered(answer), [text])
        match = answer.after
        readers, known = Readers(Desk.read(match.log.path)), len(match.log.entries)
        letter = partial(_letter, answer, answer.seat, known, readers.desk)
        path = _keep(ways, answer, readers.letter(match, answer.seat, letter, ways.format))
        told = say("pbem: the answer is in {path}, for its sender alone", path=path)
        return Output({**_outcome(answer), "reply": path}, [Beside(told)])

    def _accepted(self, ways: Ways) -> Output:
        """The post, the letters that are owed, and what only the sender or the moderator reads."""
        answer, after, desk = self.answer, self.answer.after, Desk.read(ways.log)
        text = ways.news(answer.before, after, desk, [self.warned] if self.warned else [])
        both, made = (answer.before, after), partial(_letter, answer)
        unplayed = {each.seat for each in answer.not_played}
        own = {answer.seat} if ways.reply else set()
        written, sent, send = ways.passed_on(both, (self.desk, desk), made, own, unplayed)
        files = list[File]()
        if ways.reply and answer.seat in written:
            files.append(File(ways.reply, written[answer.seat].encode(), 0o600))
        if ways.post:
            files.append(File(ways.post, text.encode()))
        if ways.picture:
            board = picture(after.seen_by(None), picture_format(ways.picture))
            files.append(File(ways.picture, board))

        def plain() -> dict[str, Any]:
            data = _outcome(answer) if ways.place else _answered(answer)
            if not ways.place:
                everybody = after.setup.seats
                data["letters"] = Readers(desk).of_news(*both, made, everybody, ways.format)
            return {**data, **sent, **self._wishes(), "post": text}

        told: list[object] = [] if ways.post else [text]
        if doubt := answer.writer.doubt:  # for the moderator to know
            told.append(Beside(say("pbem: {seat}: {doubt}", seat=answer.seat, doubt=doubt)))
        told += send
        if not ways.place and (lines := [*left_over(answer), *_left_out(answer)]):
            told += [for_whom(answer.seat), *map(noted, lines)]
        return Output(plain, told, files=files, entered=ways.log)


def refusal(answer: Answer, ways: Ways, readers: Readers, warned: str = "") -> Output:
    """What the sender of a message that changed nothing is told; without a desk file it is the
    sender who reads it."""
    from pbem.report.refusal import rejection

    told_before = answer.verdict in ("duplicate", "automatic")
    made = partial(rejection, answer, asked=warned)
    text = readers.letter(answer.before, answer.seat, made, ways.format)
    plain, told = {**_answered(answer), "answer": text}, list[object]()
    if told_before:
        told = [noted(answer.message)]
    elif ways.place:
        path = _keep(ways, answer, text)
        plain = {**_outcome(answer), "reply": path}
        why = say("pbem: refused; the answer is in {path}, for its sender alone", path=path)
        if answer.verdict == "passed-on":
            why = say("pbem: the answer is in {path}, for its sender alone", path=path)
        elif answer.verdict == "stale" or answer.seat not in answer.before.asked:
            why = say(  # why it is not for now, which rests on nobody's hand
                "pbem: refused: {message}; the answer is in {path}",
                message=answer.message,
                path=path,
            )
        told = [Beside(why)]
    else:
        why = say("pbem: refused: {message}", message=answer.message)
        told = [say(ANSWER, text=text) if readers.desk else text, Beside(why)]
    if answer.for_moderator and not told_before:
        told.append(Beside(say("pbem: for you alone: {told}", told=answer.for_moderator)))
    return Output(plain, told, code=answer.code)


def checked(answer: Answer, ways: Ways) -> Output:
    """What came of a message that was only checked."""
    if answer.verdict == "passed-on":
        return Output(_answered(answer), [answer.message])
    if answer.verdict not in LEGAL:
        return refusal(answer, ways, Readers(None))
    game, told = answer.before.game, list[object]()
    if answer.steps:
        moves = "; ".join(game.notate(step.move) for step in answer.steps)
        told = [LEGAL[answer.verdict], f"{answer.seat}: {moves}"]
    else:
        told = [_UNKNOWN if answer.verdict == "possible" else LEGAL[answer.verdict]]
    told += [say("would wait: {text}", text=plan.text) for plan in answer.waits]
    return Output(_answered(answer), [*told, *left_over(answer), *_left_out(answer)])


_UNKNOWN: Final = (
    "legal as far as you can know; which of the alternatives is played rests on something hidden"
)


def _asked(wish: Wish) -> Iterator[Sentence | str]:
    """A wish, the rules that may answer it and, each on a line of its own, what can be typed for
    it; of one in words of its own last what only answers, for all to read."""
    from pbem.intake.verbs import MODERATOR
    from pbem.report.escape import paragraph

    yield say('pbem: {asks}: "{text}"', asks=wish.asks, text=paragraph(wish.text))
    yield from wish.rules
    typed = [*wish.others, wish.command]
    first, *others = typed if wish.verb == MODERATOR else typed[-1:] + typed[:-1]
    yield first
    yield from (say("or: {command}", command=each) for each in others)


def _keep(ways: Ways, answer: Answer, text: str) -> str:
    """Write down the answer to a sender who changed nothing in the log; gives its path."""
    name = letter_name(answer.before, answer.seat or "stranger", "-answer.txt")
    return ways.put(name, text)


def _letter(answer: Answer, seat: str, knows: int, desk: Desk | None) -> Report:
    """The letter to a seat, with what became of its plans."""
    from pbem.report import compose

    after = answer.after
    dropped = compose.not_played(answer, seat) if seat != answer.seat else ()
    notes = [note.text(after.players) for note in dropped]
    letter = compose.letter(after, seat, knows, notes=notes, desk=desk)
    return compose.answered(letter, answer if seat == answer.seat else None)


def waiting_lines(plans: Sequence[Plan], seat: str | None) -> list[Sentence]:
    """What waits for a seat, a line for each plan."""
    own = [plan for plan in plans if plan.seat == seat]
    lines = [
        say("{number}: {text}", number=plan.number, text=plan.text)
        if plan.number
        else say("the rest of the last order: {text}", text=plan.text)
        for plan in own
        if not plan.over
    ]
    return lines or [say("no moves of {seat} are waiting", seat=seat)]


def left_over(answer: Answer) -> list[Sentence]:
    lines = [
        say("not played: {text} ({why})", text=each.text, why=each.why)
        for each in answer.not_played
        if each.seat == answer.seat
    ]
    if answer.more:
        lines.append(say("many plans were played in one run; others may follow the next move"))
    return lines + [
        say("waits until {seat} may choose again: {text}", seat=held.seat, text=text)
        for held in answer.held
        if held.seat == answer.seat
        for text in held.moves
    ]


def _left_out(answer: Answer) -> list[str]:
    """What was not read as an order, and why."""
    from pbem.intake.submission import told

    ignored = answer.submission.ignored if answer.submission else ()
    return [say("ignored: {what}", what=what).text() for what in told(ignored)]


def _outcome(answer: Answer) -> dict[str, Any]:
    """What came of a message, with nothing that only its sender may read."""
    data: dict[str, Any] = {
        "ok": answer.code == 0,
        "code": answer.code,
        "verdict": answer.verdict,
        "answered_by": answer.answered_by,
        "seat": answer.seat or None,
    }
    if answer.writer.how:
        data |= {"writer": answer.writer.how, "proven": answer.writer.proven}
    if answer.for_moderator:
        data["aside"] = answer.for_moderator
    return data | standing(answer.after)


def _answered(answer: Answer) -> dict[str, Any]:
    """What came of a message, and all there is to say about it."""
    game = answer.before.game
    said = answer.submission
    data: dict[str, Any] = {
        "understood": [game.notate(step.move) for step in answer.steps],
        "proposal": [] if answer.by_number else list(*answer.proposal),
        "choices": [list(each) for each in answer.proposal if answer.by_number],
        "said": [line.text for line in said.orders],
        "ignored": [[i.line, i.why, i.text] for i in said.ignored],
        "unplayed": [
            [each.text, each.why.text(answer.after.players)]
            for each in answer.not_played
            if each.seat == answer.seat
        ],
        "held": {held.seat: list(held.moves) for held in answer.held},
        "plans": [
            {"number": plan.number, "text": plan.text, "why": plan.why, "over": plan.over}
            for plan in answer.waits
            if plan.seat == answer.seat and (plan.number or answer.verdict in LEGAL)
        ],
    }
    if answer.message:
        data["message"] = answer.message
    if answer.reason:
        data |= shown(answer.reason)
    if answer.troubles:
        data["unreadable"] = [
            {"line": t.line, "text": t.text, **shown(t.error)} for t in answer.troubles
        ]
    return _outcome(answer) | data
