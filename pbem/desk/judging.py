"""The verdict on a message: one question after the other, and nothing is written or drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Ambiguous, Seat
from pbem.desk import lines, press
from pbem.desk.answer import Answer, Case, NotPlayed, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.current import outdated, same_question, too_early, used
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import Desk
from pbem.desk.plans.model import GIVE_UP, MOST, Plan, Waiting
from pbem.desk.plans.run import answering, waiting_now
from pbem.desk.unread import (
    SHORT,
    about,
    either,
    held,
    is_talk,
    or_quoted,
    searching,
    unexplained,
    unread,
    without_move,
)
from pbem.intake import Line, Submission, plan
from pbem.intake.asking import NO, PLACED, YES, agreement, thanks
from pbem.intake.caveats import is_caveat
from pbem.intake.words import tokens
from pbem.log import rulings
from pbem.log.entropy.contributions import sent
from pbem.log.match import Match
from pbem.log.ruling import Ruling
from pbem.log.rulings import Resign
from pbem.meaning import chatter, hints, stray_moves
from pbem.meaning.patterns import says
from pbem.meaning.proposing import MOST_READINGS
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.problem import Problem, Usage
from pbem.sentence import Sentence, say

_ASKS: Final = say("It asks for something, and holds no move")
_THANKED: Final = say("Nothing was played: tak may be thanks. If it was a yes, answer ja")
_NOT_ASKED: Final = say("There is nothing to say yes to now. Write your moves")


class Judged(NamedTuple):
    """A message that can be entered for a seat: an order, `played` as far as the horizon; with the
    plans that came with it, the numbers of those it takes back (0: all), and the lines that do not
    count. Without an order it is what the seat says to all or, before the first card, what it sends
    for the draws, as a `ruling`."""

    case: Case
    played: play.Accepted[Any] | None = None
    plans: tuple[Plan, ...] = ()
    withdrawn: tuple[int, ...] = ()
    bad: tuple[NotPlayed, ...] = ()
    ruling: Ruling | None = None


def judge(
    now: Match, said: Submission, writer: Writer, desk: Desk | None, today: str
) -> Judged | Answer:
    """A message judged, its order up to the horizon, or the answer that turns it away.

    Who wrote it comes first: a stranger is told nothing, not even that it was read before.
    """
    said = press.meant(now, answering(now, desk, said, writer.seats) if desk else said)
    case = Case(now, said, writer, desk, today)
    return _stranger(case) or _duplicate(case) or rule(case)


def rule(case: Case) -> Judged | Answer:
    """The verdict on a message of a known writer that was not read before."""
    agreed = _of_another_match(case) or _agreed(case)
    if isinstance(agreed, Answer):
        return agreed
    case = agreed
    return (
        _said(case)
        or _asked(case)
        or _outdated(case)
        or _of_another_seat(case)
        or _unclear_whose(case)
        or _after_the_end(case)
        or _vacated(case)
        or _contradicts_itself(case)
        or _gathered(case)
        or _adjudicated(case)
    )


def objection_to(case: Case) -> Answer | None:
    """What keeps a message from speaking for a seat, whatever is asked now: its writer, its match,
    a seat of somebody else, a code for a position that is past."""
    return (
        _stranger(case)
        or _of_another_match(case)
        or _names_another_seat(case)
        or _signed_elsewhere(case)
    )


def machine(now: Match, said: Submission, *, word: bool) -> Answer | None:
    """The answer to a mail that no person seems to have written. None for any other, and if the
    moderator's `word` is that it is a person's."""
    if not said.automatic or word:
        return None
    why = say("Sent by a machine ({header}): no order", header=said.automatic)
    return Answer(verdict=Verdict.AUTOMATIC, before=now, after=now, said=said, why=why)


def moderators_word(now: Match, seat: Seat) -> Writer:
    """A writer on the moderator's word. Raises Usage if there is no such seat."""
    return Writer((now.log.require_seat(seat, CHANCE),), "word")


# ------------------------------------------------------------------------- the questions


def _stranger(case: Case) -> Answer | None:
    if case.writer.seats:
        return None
    return case.turned_away(Verdict.WRONG_SENDER, case.writer.refusal)


def _duplicate(case: Case) -> Answer | None:
    desk = case.desk
    why = duplicate_of(case.now, desk, case.said, case.writer) if desk else None
    return case.turned_away(Verdict.DUPLICATE, why) if why else None


def _signed_elsewhere(case: Case) -> Answer | None:
    """A code counts only where the match stands as it did when the code was made."""
    signed = case.writer.position
    why = outdated(case.now, [signed], ()) if signed else None
    return case.turned_away(Verdict.STALE, why) if why else None


def _of_another_match(case: Case) -> Answer | None:
    if case.said.match in (None, case.now.name):
        return None
    why = say(
        "Your message names the match {match}, but this is {name}. Which one is it for? Send it "
        "again without the other name",
        match=case.said.match,
        name=case.now.name,
    )
    return case.refused(why)


def _agreed(case: Case) -> Case | Answer:
    """The case, with the order its writer says yes to if the message answers a proposal."""
    now, desk = case.now, case.desk
    word = agreement(case.said.orders)
    if not word:
        return case
    waiting = waiting_now(now, desk) if desk else Waiting(now.log.chain)
    asked = next(filter(None, map(waiting.asked, case.writer.seats)), None)
    if asked is None or asked.readings == GIVE_UP:
        if answer := hints.answers_to_question(now, case.seat).get(word):
            line = case.said.orders[0]._replace(text=answer)
            return replace(case, said=case.said._replace(orders=(line,), fenced=True))
        if word != YES:
            return case
        return case.turned_away(Verdict.DUPLICATE, _NOT_ASKED)
    case = replace(case, said=case.said._replace(seat=asked.seat))
    if not same_question(now, asked.given, asked.seat):
        return case.turned_away(Verdict.STALE, _NOT_ASKED)
    if word == NO:
        return case.turned_away(Verdict.WITHDRAWN, say("Nothing was played: you said no"))
    thanked = asked.danish and thanks(case.said.orders[0].text)
    if word == YES and (thanked or len(asked.readings) > 1):
        why = either(asked.readings) if len(asked.readings) > 1 else _THANKED
        return case.refused(why, proposal=asked.readings)
    nth = int(word) if word.isdigit() else 1
    if nth > len(asked.readings):
        return case.refused(_NOT_ASKED, proposal=asked.readings)
    number = case.said.orders[0].number
    order = tuple(Line(number, text) for text in asked.readings[nth - 1])
    return replace(case, said=case.said._replace(orders=order, fenced=True))


def _said(case: Case) -> Judged | Answer | None:
    """What a message says to all may be said at any time; beside an order it shares its fate."""
    if not press.speaks(case.said):
        return None
    why, troubles = press.unfit(case.now, case.said)
    if why:
        stale = _outdated(case) if case.said.orders else None
        return stale or case.refused(why, troubles=troubles, steps=_still_good(case))
    if case.said.orders:
        return None
    if answer := _signed_elsewhere(case):
        return answer
    if press.stands(case.now, case.seat, case.said):
        return case.turned_away(
            Verdict.DUPLICATE, say("You have said this since you last moved. It stands in the log")
        )
    return Judged(case)


def _asked(case: Case) -> Answer | None:
    """A message without a move that asks for something, or asks somebody, is passed on to a
    person."""
    now, said = case.now, case.said
    if said.orders:
        asks = about(said) != "" and is_talk(case)
    else:
        asks = any(each.why == "question" for each in said.ignored)
        asks = bool(said.requests) or (asks and _only_asks(now, said))
    return case.turned_away(Verdict.PASSED_ON, _ASKS) if asks else None


def _only_asks(now: Match, said: Submission) -> bool:
    """Is the question in a message for a person, and not just a move with a "?": "KAHU-COCO?"?"""
    lines = [line for line in said.outside if len(tokens(line.text)) > SHORT]
    asks = lines != [] and not (said.fenced or any(says(now, line) for line in said.outside))
    return asks or chatter.for_a_person(now, said)


def _outdated(case: Case) -> Answer | None:
    if case.now.gathering:  # words may answer any post: they do not depend on the position
        return None
    now, said = case.now, case.said
    signed = [case.writer.position] if case.writer.position else []
    seats = [case.seat] if said.seat == case.seat else case.writer.seats
    if case.early:  # a letter about any position may be answered with plans; a code may not
        why = outdated(now, signed, ())
    else:
        why = outdated(now, (*said.positions, *signed), seats, said.subject)
        why = why or used(now, signed, seats)
    why = why or too_early(now, said, seats, plans=case.early)
    return case.turned_away(Verdict.STALE, why, steps=_still_good(case)) if why else None


def _still_good(case: Case) -> tuple[Step, ...]:
    """The plies that an order for another position would be now, for its writer to look at; () if
    not all of it could be played."""
    now, seat = case.now, case.seat
    read = lines.read(now, seat, case.said, case.today)
    if seat not in now.awaited or read.troubles or read.plans or read.withdrawn:
        return ()
    verdict = case.tried(read.order)
    whole = isinstance(verdict, play.Accepted) and not verdict.unplayed
    return verdict.steps if whole else ()


def _of_another_seat(case: Case) -> Answer | None:
    """May this seat speak for itself, and is it this one's turn?"""
    now, said, writer = case.now, case.said, case.writer
    if case.seat == CHANCE:
        if now.log.header.dealer == "asked":
            return None
        return case.turned_away(Verdict.WRONG_SENDER, say("This match draws its cards itself"))
    if writer.how == "word":
        return None
    if answer := _names_another_seat(case):
        return answer
    if said.sender is None or case.early or not now.awaited or case.seat in now.asked:
        return None
    why = say(
        "It's {awaited:seats}'s turn, not yours. Your move isn't kept: send it again on your turn",
        awaited=now.awaited,
    )
    return case.turned_away(Verdict.WRONG_SENDER, why)


def _names_another_seat(case: Case) -> Answer | None:
    said, own = case.said, case.writer.seats
    if said.seat in (None, *own) or case.writer.how == "word":
        return None
    name = said.sender or said.author
    why = say("{name} plays {own:all}, not {seat}", name=name, own=own, seat=said.seat)
    return case.turned_away(Verdict.WRONG_SENDER, why)


def _unclear_whose(case: Case) -> Answer | None:
    """Whoever plays two seats that are both asked must say for which one they speak."""
    asked = [seat for seat in case.writer.seats if case.early or seat in case.now.awaited]
    if len(asked) < 2 or case.said.seat is not None:
        return None
    values = {"seats": asked, "first": asked[0]}
    if case.early:
        why = say(
            "You play {seats:all}. Say for which one this is, with a line like `seat: {first}` in "
            "the fence",
            **values,
        )
    else:
        why = say(
            "You play {seats:all}, and all of them are to move. Say for which one this is, with a "
            "line like `seat: {first}` in the fence",
            **values,
        )
    return case.refused(why)


def _after_the_end(case: Case) -> Answer | None:
    ending = case.now.ending
    if ending is None:
        return None
    if isinstance(ending.ruling, Resign):
        why = say("The match is over: {seat:seat} has resigned", seat=ending.ruling.seat)
    else:
        why = say("The match is over: the moderator has ended it")
    return case.refused(why)


def _vacated(case: Case) -> Answer | None:
    if case.seat not in case.now.vacant or case.writer.how == "word":
        return None
    why = say(
        "You have resigned, and your seat is vacant. To take it again, write to the moderator"
    )
    return case.refused(why)


def _contradicts_itself(case: Case) -> Answer | None:
    """Moves beside a wish to give up, or to take moves back: one of the two cannot be meant. A bare
    `withdraw` outside a fence, or below other lines in it, may be such a wish as well as one about
    plans; a bare `zurück` may be one, or say that its writer is back."""
    said = case.said
    placed = (each.verb for each in said.requests if each.verb in PLACED)
    verb = next(placed, None) or next(
        (each.said for each in said.requests if is_caveat(each.said)), None
    )
    texts = [each.text for each in said.orders]
    bare = [plan.withdrawn(text) == 0 for text in texts]
    if not all(bare) and any(bare[bare.index(False) :] if said.fenced else bare):
        verb = verb or next(text for text in reversed(texts) if plan.withdrawn(text) == 0)
    if verb is None or not said.orders:
        return None
    why = say(
        "This holds an order and `{verb}`: send the one you mean in a message of its own", verb=verb
    )
    return case.refused(why)


def _gathered(case: Case) -> Judged | Answer | None:
    """What a seat sends for the draws, if it can be entered now."""
    log = case.now.log
    if not case.now.gathering:
        return None
    line = " ".join(line.text for line in case.said.orders)  # it may have been wrapped on its way
    found = re.fullmatch(r"words\b\s*:?\s*(\S.*)", line, re.IGNORECASE | re.DOTALL)
    try:
        if found is None:
            raise Usage(
                "the first card has not been drawn; send the line `words sha256:…` or, once all "
                "hashes are in, `words: …`"
            )
        words = sent(case.seat, found[1])
        log.extend(rulings.entry(words, log.moment(""), by=case.seat))
    except Problem as problem:
        return case.refused(problem.sentence)
    return Judged(case, ruling=words)


def _adjudicated(case: Case) -> Judged | Answer:
    now, seat = case.now, case.seat
    read = lines.read(now, seat, case.said, case.today)
    read = lines.without_talk(now, case.said, case.writer, read)
    case = replace(case, said=lines.left_out(case.said, read.idle))
    read, bad = lines.those_that_count(now, seat, read)
    search = searching(case, read) if read.troubles else None
    # A fence is for moves as they are written.
    sure = search.certain() if search and not case.said.fenced else ()
    if sure and not hints.endings(now, seat, sure):
        patterns = [now.game.parse(text) for text in sure]
        read = read._replace(lines=((Line(read.lines[0][0].number, ""), patterns),), troubles=())
    if read.troubles:
        return unread(case, read, search)
    if doubt := stray_moves.question(now, case.said, read.first_of_each(), seat):
        why, proposal = or_quoted(case, doubt)
        return case.refused(why, proposal=proposal)  # nobody knows which of two orders is meant
    if too_many := _too_many(case, len(read.plans)):
        return case.refused(too_many)
    asks = any(plan.asks_for_list(line.text) for line in case.said.orders)
    if not (read.order or read.plans or read.withdrawn or asks):
        return without_move(case)
    verdict = case.tried(read.order)
    if read.order and (line := lines.of_another(now, seat, case.said)):
        return case.refused(stray_moves.of_another(line), steps=verdict.steps)
    if isinstance(verdict, play.Accepted):
        if doubtful := unexplained(case, read.first_of_each()):
            return held(case, read, verdict, doubtful)
        return Judged(case, verdict, read.plans, read.withdrawn, bad)
    if isinstance(verdict.reason, Ambiguous):
        return _ambiguous(case, read, verdict, verdict.reason)
    move = read.order[verdict.at].said if len(read.order) > 1 else ""
    return case.refused(steps=verdict.steps, reason=verdict.reason, move=move)


def _ambiguous(
    case: Case, read: lines.ReadLines, verdict: play.Rejected, reason: Ambiguous
) -> Answer:
    """The answer to a move that may be one of several; of two at the end, either is offered."""
    before = play.texts(case.now.game, verdict.steps)
    last = verdict.at == len(read.order) - 1 and not isinstance(read.order[-1], play.Choice)
    if last and len(reason.choices) == MOST_READINGS and not (reason.more or case.said.fenced):
        proposal = tuple((*before, each) for each in reason.choices)
        why = say("{reason}. Answer 1 or 2, or write the one you mean", reason=reason)
    else:
        proposal, why = (), say("{reason}. Write the one you mean", reason=reason)
    return case.refused(why, steps=verdict.steps, reason=reason, proposal=proposal)


def _too_many(case: Case, more: int) -> Sentence | None:
    if not more or case.desk is None:
        return None
    waiting = len(waiting_now(case.now, case.desk).of(case.seat))
    if waiting + more <= MOST:
        return None
    return say(
        "{n} plans would wait for you; at most {most} do. Take some back with `withdraw`",
        n=waiting + more,
        most=MOST,
    )
