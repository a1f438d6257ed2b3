"""The verdict on a message: one question after the other, and nothing is written or drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pbem.authorship import Writer
from pbem.core import CHANCE, Pattern, Seat, Unreadable, Usage
from pbem.desk import gather, nearness, outside, press, reading
from pbem.desk.answer import Answer, Trouble, Verdict
from pbem.desk.current import outdated
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import Desk
from pbem.intake import Ignored, Line, Submission
from pbem.log.match import Match
from pbem.log.ruling import Ruling
from pbem.log.rulings import Resign
from pbem.play import judge as play
from pbem.sentence import Sentence, say


@dataclass(frozen=True, slots=True)
class Case:
    """A message before the desk, once it is known who wrote it."""

    now: Match
    said: Submission
    writer: Writer

    @property
    def seat(self) -> Seat | None:
        """Whose order it is: of the writer's seats the one it names, else one that is asked."""
        if self.said.seat in self.writer.seats:
            return self.said.seat
        asked = (seat for seat in self.writer.seats if seat in self.now.awaited)
        return next(asked, next(iter(self.writer.seats), None))

    def answered(self, verdict: Verdict, after: Match) -> Answer:
        """The answer to a message that is no order and has been taken."""
        return Answer(
            verdict=verdict,
            before=self.now,
            after=after,
            said=self.said,
            writer=self.writer,
            seat=self.seat,
        )

    def turned_away(self, verdict: Verdict, why: Sentence | None = None, **more: Any) -> Answer:
        """The answer to a message that changes nothing."""
        return Answer(
            verdict=verdict,
            before=self.now,
            after=self.now,
            said=self.said,
            writer=self.writer,
            seat=self.seat,
            why=why,
            **more,
        )


class Judged(NamedTuple):
    """An order that can be played: by whom, and as far as the horizon."""

    case: Case
    seat: Seat
    played: play.Accepted[Any]


class Said(NamedTuple):
    """What a seat says to all, and no more."""

    case: Case
    seat: Seat


class Gathered(NamedTuple):
    """What a seat sends for the draws before the first card: the hash of words, or words."""

    case: Case
    seat: Seat
    ruling: Ruling


def judge(
    now: Match, said: Submission, writer: Writer, desk: Desk | None
) -> Judged | Gathered | Said | Answer:
    """The order in a message, judged up to the horizon, or the answer that turns it away.

    Who wrote it comes first: a stranger is told nothing, not even that it was read before.
    """
    case = Case(now, said, writer)
    return _stranger(case) or _duplicate(case, desk) or rule(case)


def rule(case: Case) -> Judged | Gathered | Said | Answer:
    """The verdict on a message of a known writer that was not read before."""
    return (
        _of_another_match(case)
        or _said(case)
        or _outdated(case)
        or _of_another_seat(case)
        or _unclear_whose(case)
        or _after_the_end(case)
        or _vacated(case)
        or _gathered(case)
        or _adjudicated(case)
    )


def may_withdraw(case: Case) -> Answer | None:
    """What keeps a message from taking back held moves. A code counts where it was made only."""
    if answer := _stranger(case) or _of_another_match(case):
        return answer
    if case.writer.position is None:
        return None
    why = outdated(case.now, [case.writer.position], ())
    return case.turned_away(Verdict.STALE, why) if why else None


def machine(now: Match, said: Submission) -> Answer | None:
    """The answer to what no person has written."""
    if not said.automatic:
        return None
    why = say("Sent by a machine ({header}): no order", header=said.automatic)
    return Answer(verdict=Verdict.AUTOMATIC, before=now, after=now, said=said, why=why)


def moderators_word(now: Match, seat: Seat) -> Writer:
    """A writer on the moderator's word. Raises Usage for a seat that is none."""
    seats = (*now.setup.seats, CHANCE)
    if seat not in seats:
        raise Usage(
            "{match} has no seat {seat!r}, only {seats:all}", match=now.name, seat=seat, seats=seats
        )
    return Writer((seat,), "word")


# ------------------------------------------------------------------------- the questions


def _stranger(case: Case) -> Answer | None:
    if case.writer.seats:
        return None
    return case.turned_away(Verdict.WRONG_SENDER, case.writer.refusal)


def _duplicate(case: Case, desk: Desk | None) -> Answer | None:
    why = duplicate_of(case.now, desk, case.said, case.writer) if desk else None
    return case.turned_away(Verdict.DUPLICATE, why) if why else None


def _of_another_match(case: Case) -> Answer | None:
    if case.said.match in (None, case.now.name):
        return None
    why = say(
        "This is about {match}, and the log is of {name}", match=case.said.match, name=case.now.name
    )
    return case.turned_away(Verdict.REFUSED, why)


def _said(case: Case) -> Said | Answer | None:
    """What a message says to all may be said at any time; beside an order it shares its fate."""
    text = press.said(case.said)
    if not text:
        return None
    if why := press.too_long(case.said):
        return case.turned_away(Verdict.REFUSED, why)
    if case.said.orders:
        return None
    assert case.seat is not None
    signed = case.writer.position
    if signed and (why := outdated(case.now, [signed], ())):
        return case.turned_away(Verdict.STALE, why)
    if press.stands(case.now, case.seat, text):
        return case.turned_away(
            Verdict.DUPLICATE, say("You have said this since you last moved. It stands in the log")
        )
    return Said(case, case.seat)


def _outdated(case: Case) -> Answer | None:
    assert case.seat is not None
    if case.now.gathering:  # words may answer any post: they do not depend on the position
        return None
    signed = [case.writer.position] if case.writer.position else []
    seats = [case.seat] if case.said.seat == case.seat else case.writer.seats
    why = outdated(case.now, (*case.said.positions, *signed), seats, case.said.subject)
    return case.turned_away(Verdict.STALE, why) if why else None


def _of_another_seat(case: Case) -> Answer | None:
    """May this seat speak for itself, and is it this one's turn?"""
    now, said, writer = case.now, case.said, case.writer
    if case.seat == CHANCE:
        if now.log.header.dealer == "asked":
            return None
        return case.turned_away(Verdict.WRONG_SENDER, say("This match draws its cards itself"))
    if writer.how == "word":
        return None
    name = said.sender or said.author
    if said.seat not in (None, *writer.seats):
        why = say("{name} plays {own:all}, not {seat}", name=name, own=writer.seats, seat=said.seat)
        return case.turned_away(Verdict.WRONG_SENDER, why)
    if name is None or not now.awaited or case.seat in now.awaited:
        return None
    why = say("It isn't your turn; next to move: {awaited:seats}", awaited=now.awaited)
    return case.turned_away(Verdict.WRONG_SENDER, why)


def _unclear_whose(case: Case) -> Answer | None:
    """Whoever plays two seats that are both asked must say for which one they speak."""
    asked = [seat for seat in case.writer.seats if seat in case.now.awaited]
    if len(asked) < 2 or case.said.seat is not None:
        return None
    why = say(
        "You play {seats:all}, and all of them are to move. Say for which one this is, with a "
        "line like `seat: {first}` in the fence",
        seats=asked,
        first=asked[0],
    )
    return case.turned_away(Verdict.REFUSED, why)


def _after_the_end(case: Case) -> Answer | None:
    ending = case.now.ending
    if ending is None:
        return None
    if isinstance(ending.ruling, Resign):
        why = say("The match is over: {seat:seat} has resigned", seat=ending.ruling.seat)
    else:
        why = say("The match is over: the moderator has ended it")
    return case.turned_away(Verdict.REFUSED, why)


def _vacated(case: Case) -> Answer | None:
    if case.seat not in case.now.vacant or case.writer.how == "word":
        return None
    why = say(
        "You have resigned, and your seat is vacant. To take it again, write to the moderator"
    )
    return case.turned_away(Verdict.REFUSED, why)


def _gathered(case: Case) -> Gathered | Answer | None:
    assert case.seat is not None
    if not case.now.gathering:
        return None
    try:
        return Gathered(case, case.seat, gather.read(case.now, case.seat, case.said))
    except Usage as problem:
        return case.turned_away(Verdict.REFUSED, problem.sentence)


def _adjudicated(case: Case) -> Judged | Answer:
    assert case.seat is not None
    now, seat = case.now, case.seat
    patterns, troubles = _read(now, case.said)
    if patterns and not case.said.fenced:
        case, troubles = _without_chatter(case, troubles)
    if troubles:
        verdict = play.adjudicate(now.game, now.state, seat, patterns)
        return case.turned_away(
            Verdict.REFUSED,
            say("Not every line could be read"),
            troubles=tuple(troubles),
            reason=troubles[0].error,
            steps=verdict.understood if isinstance(verdict, play.Rejected) else verdict.steps,
        )
    if why := outside.question(now, case.said, patterns, seat):
        return case.turned_away(Verdict.REFUSED, why)
    if not patterns:
        return case.turned_away(Verdict.REFUSED, _no_move(case.said))
    verdict = play.adjudicate(now.game, now.state, seat, patterns)
    if isinstance(verdict, play.Rejected):
        return case.turned_away(Verdict.REFUSED, steps=verdict.understood, reason=verdict.reason)
    return Judged(case, seat, verdict)


def _read(now: Match, said: Submission) -> tuple[list[Pattern], list[Trouble]]:
    """Every line of an order as a pattern, and every line that is none."""
    patterns, troubles = [], []
    for line in said.orders:
        try:
            patterns += reading.patterns(now, line.text)
        except Unreadable as error:
            troubles.append(Trouble(line.number, line.text, error))
    return patterns, troubles


def _without_chatter(case: Case, troubles: list[Trouble]) -> tuple[Case, list[Trouble]]:
    """The message without the lines in which nobody could see a move, and those that are left."""
    unread = {(trouble.line, trouble.text) for trouble in troubles}
    read = [line.number for line in case.said.orders if (line.number, line.text) not in unread]
    idle = {
        trouble
        for trouble in troubles
        # What stands between two moves may part a new order from an old one.
        if not read[0] <= trouble.line <= read[-1] and nearness.chatter(case.now, trouble.text)
    }
    if not idle:
        return case, troubles
    lines = [Line(trouble.line, trouble.text) for trouble in troubles if trouble in idle]
    ignored = (*case.said.ignored, *(Ignored("no move", line.number, line.text) for line in lines))
    said = replace(
        case.said.less(orders=lines), ignored=tuple(sorted(ignored, key=lambda each: each.line))
    )
    return replace(case, said=said), [trouble for trouble in troubles if trouble not in idle]


def _no_move(message: Submission) -> Sentence:
    if message.requests:
        return say(
            "{said!r} is for the desk that reads mails, and no move", said=message.requests[0].said
        )
    return say("There is no move in this message")
