"""The verdict on a message: one question after the other, and nothing is written or drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import Final

from pbem.core import CHANCE, Ambiguous, NoMove, Refused, Seat, Violation
from pbem.desk import lines, press
from pbem.desk.answer import Answer, Enters, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.current import outdated, same_question, too_early, used
from pbem.desk.duplicates import brought_plans, duplicate_of
from pbem.desk.plans.model import MOST
from pbem.desk.plans.parse import filed
from pbem.desk.reading import SHORT, Reading, weighing
from pbem.desk.unread import (
    held,
    in_full,
    meant_beside,
    or_quoted,
    read_as,
    unexplained,
    unread,
    which,
    without_move,
)
from pbem.intake import Line, Submission, plan
from pbem.intake.asking import agreement, thanks
from pbem.intake.caveats import is_caveat, puts_off, takes_back
from pbem.intake.verbs import NO, SAY, VERBS, YES
from pbem.intake.words import tokens
from pbem.log import private_press, rulings
from pbem.log.entropy.contributions import sent
from pbem.log.match import Replay
from pbem.log.rulings import Resign
from pbem.meaning import chatter, hints, stray_moves
from pbem.meaning.patterns import notated, says
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.problem import Problem, Usage
from pbem.sentence import Sentence, say

Rung = Callable[[Reading], Answer | None]

_ASKS: Final = say("It asks for something, and holds no move")
LATER: Final = say("It holds no move yet: send your moves when you are ready")
_ENDS: Final = say("This may be said of your turn or of the match. A move goes in a [move] block")
THANKS: Final = say("Thank you! I found no move in it, so nothing was played")
_THANKED: Final = say("Nothing was played: tak may be thanks. If it was a yes, answer ja")
_WHICH_SEAT: Final = (
    "You play {seats:all}. Say for which one this is, with a line like `seat: {first}` in the fence"
)
_NOT_ASKED: Final = say("There is nothing to say yes to now. Write your moves")


def judge(reading: Reading) -> Answer:
    """The answer to a message: LEGAL with what it enters, for an order up to the horizon, or what
    turns it away.

    Who wrote it comes first: a stranger is told nothing, not even that it was read before.
    """
    answer = _first(AT_THE_TABLE, reading)
    return _asked_again(reading, answer) or answer


def _asked_again(reading: Reading, answer: Answer) -> Answer | None:
    """What is said in place of the answer to a message in which no order was made out: whose turn
    it is, if not its writer's; or what they were asked, once more, so far as it holds all that the
    message names. That stands before an order that is a part of it, too. None for any other."""
    match, said = reading.match, reading.new
    if answer.answered_by != "order" or reading.message.fenced or not said:
        return None
    asked, parts = reading.waiting.asked(*reading.writer.seats), answer.proposal
    if answer.enters or isinstance(answer.reason, Violation) or (answer.steps and not parts):
        return None
    if match.awaited and reading.seat not in match.asked and not parts:
        plans = any(plan.is_plan(line.text) for line in said)
        return None if plans else replace(answer, why=_not_your_turn(reading), troubles=())
    orders = reading.asked_about
    if parts:
        orders = tuple(each for each in orders if any({*part} < {*each} for part in parts))
    if not orders or not asked or not same_question(match, asked.given, asked.seat):
        return None
    if parts or asked.by_number or reading.names_things():
        again = which(reading, (*orders, *parts), () if parts else reading.doubtful())
        return replace(again, answered_by=answer.answered_by)
    why = stray_moves.beside(said[0], orders[0], more=0)
    return replace(answer, why=why, proposal=orders)


def judge_again(reading: Reading) -> Answer:
    """The answer to a message that was read before, as if it had not been."""
    return _first(AT_THE_TABLE[AT_THE_TABLE.index(read_before) + 1 :], reading)


def objection_to(reading: Reading) -> Answer | None:
    """What keeps a message from speaking for a seat, whatever is asked now: its writer, its match,
    a seat of somebody else, a code for a position that is past."""
    questions = stranger, for_another_match, for_anothers_seat, signed_elsewhere
    return next(filter(None, (question(reading) for question in questions)), None)


def _first(questions: Iterable[Rung], reading: Reading) -> Answer:
    """The answer of the first question that has one, with its name."""
    for question in questions:
        if answer := question(reading):
            return replace(answer, answered_by=answer.answered_by or question.__name__)
    raise AssertionError("the last question answers")


def machine(match: Replay, message: Submission, *, word: bool) -> Answer | None:
    """The answer to a mail that no person seems to have written. None for any other, and if the
    moderator's `word` is that it is a person's."""
    if not message.automatic or word:
        return None
    why = say("Sent by a machine ({header}): no order", header=message.automatic)
    return Answer(
        verdict=Verdict.AUTOMATIC,
        before=match,
        after=match,
        submission=message,
        why=why,
        answered_by=machine.__name__,
    )


def moderators_word(match: Replay, seat: Seat) -> Writer:
    """A writer on the moderator's word. Raises Usage if there is no such seat."""
    return Writer((match.log.require_seat(seat, CHANCE),), "word")


# ------------------------------------------------------------------------- the questions


def withdraws(reading: Reading) -> Answer | None:
    """Does it take back what waits, or ask for the list of that, and nothing else? That may be done
    at any time."""
    if not reading.only_withdraws:
        return None
    if objection := objection_to(reading):
        return objection
    match, message, writer = reading.match, reading.message, reading.writer
    why, troubles = press.unfit(match, message)
    if why:
        return reading.refused(why, troubles=troubles)
    waiting, desk = reading.waiting, reading.desk
    seats = tuple(seat for seat in writer.seats if message.seat in (None, seat)) or writer.seats
    given = (plan.withdrawn(line.text) for line in message.orders)
    numbers = tuple(number for number in given if number is not None)
    again = desk is not None and brought_plans(match, desk, message, writer)
    for number in numbers if desk and not again else ():
        if number and not waiting.numbered(seats, [number]):
            why = say("No plan of yours has the number {number}; `plans` lists them", number=number)
            return reading.refused(why)
    losing = [seat for seat in seats if waiting.numbered([seat], numbers)]
    if len(losing) > 1 and not again:
        return reading.refused(say(_WHICH_SEAT, seats=losing, first=losing[0]))
    gone = waiting.numbered(seats, () if again else numbers)
    enters = Enters(withdrawn=numbers, gone=tuple(gone), seats=seats)
    return reading.turned_away(Verdict.LEGAL, None, enters=enters, waits=waiting.plans)


def stranger(reading: Reading) -> Answer | None:
    """Is it unknown who wrote it?"""
    if reading.writer.seats:
        return None
    return reading.turned_away(Verdict.WRONG_SENDER, reading.writer.refusal)


def read_before(reading: Reading) -> Answer | None:
    """Was it dealt with already?"""
    desk = reading.desk
    why = duplicate_of(reading.match, desk, reading.message, reading.writer) if desk else None
    return reading.turned_away(Verdict.DUPLICATE, why) if why else None


def signed_elsewhere(reading: Reading) -> Answer | None:
    """A code counts only where the match stands as it did when the code was made."""
    signed = reading.writer.position
    why = outdated(reading.match, [signed], ()) if signed else None
    return reading.turned_away(Verdict.STALE, why) if why else None


def for_another_match(reading: Reading) -> Answer | None:
    """Does it name another match?"""
    if reading.message.match in (None, reading.match.name):
        return None
    why = say(
        "Your message names the match {match}, but this is {name}. Which one is it for? Send it "
        "again without the other name",
        match=reading.message.match,
        name=reading.match.name,
    )
    return reading.refused(why)


def yes_or_no(reading: Reading) -> Answer | None:
    """Does it answer a question of ours? With a yes its writer means the order they were shown,
    and the questions go on for that one."""
    match, message = reading.match, reading.message
    word, asked = agreement(message.orders), reading.waiting.asked(*reading.writer.seats)
    if not word:
        return _picks(reading) if asked else None
    if asked is None:
        if text := hints.answers_to_question(match, reading.seat).get(word):
            return _instead(reading, [text])
        asked_for = word == YES and not notated(match, message.orders[0].text)
        return reading.turned_away(Verdict.DUPLICATE, _NOT_ASKED) if asked_for else None
    reading = replace(reading, message=message._replace(seat=asked.seat))
    if not same_question(match, asked.given, asked.seat):
        return reading.turned_away(Verdict.STALE, _NOT_ASKED)
    if word == NO:
        return reading.turned_away(Verdict.WITHDRAWN, say("Nothing was played: you said no"))
    nth = int(word) if word.isdigit() else 1
    if nth > len(asked.orders) or (word == YES and len(asked.orders) > 1):
        return which(reading, asked.orders)
    if asked.yes and asked.yes.danish and thanks(message.orders[0].text):
        return reading.refused(_THANKED, proposal=asked.orders)
    return _instead(reading, asked.orders[nth - 1])


def picks(reading: Reading) -> Answer | None:
    """Does it answer, in words of its own, what its game asks: "I don't rob anybody"?"""
    return None if reading.waiting.asked(*reading.writer.seats) else _picks(reading)


def _picks(reading: Reading) -> Answer | None:
    """The answer to a message that picks some of what was asked about, "I mean 2", "the one with
    Kahu": the same question with those that are left, a yes for the only one or for what it goes on
    with, "yes, but I take JOJO", and none if all else in it says nothing: "the 2, please"."""
    if reading.picked is None:
        return None
    (line, found), asked = reading.picked, reading.waiting.asked(*reading.writer.seats)
    if asked and not same_question(reading.match, asked.given, asked.seat):
        return None
    reading = replace(reading, message=reading.message._replace(seat=(asked or reading).seat))
    orders, more = found.orders, line._replace(text=found.more)
    read = not found.more or (not asked and says(reading.match, more))
    if len(orders) == 1 and found.whole and read:
        return _instead(reading, (*orders[0], *filter(None, [found.more])))
    if found.more:
        first, idle = orders, not reading.names_things([more])
        orders = meant_beside(reading, first[0], [line]) if asked else reading.then(first[0], more)
        orders = orders or (first if idle else ())
        if len(first) > 1 or not orders or (takes_back(more.text) and len(orders) == 1):
            return None
    held = "".join(chain(*orders)).casefold()
    codes = [each for each in _CODE.findall(found.more) if each.casefold() not in held]
    if len(orders) > 1 or codes:
        return which(reading, orders, codes)
    return reading.refused(read_as(line, orders[0]), proposal=orders)


_CODE: Final = re.compile(r"\w*\d\w*")


def _instead(reading: Reading, texts: Iterable[str]) -> Answer:
    """The answer to the order that a yes or a no stands for."""
    number = reading.message.orders[0].number
    order = tuple(Line(number, text) for text in texts)
    meant = replace(reading, message=reading.message._replace(orders=order, fenced=True))
    return _first(AT_THE_TABLE[AT_THE_TABLE.index(yes_or_no) + 1 :], meant)


def speaks(reading: Reading) -> Answer | None:
    """Does it say something to others? That may be said at any time; beside an order it shares
    the order's fate."""
    match, message = reading.match, reading.message
    if not press.speaks(message):
        return None
    why, troubles = press.unfit(match, message)
    if why:
        stale = not_for_now(reading) if message.orders else None
        return stale or reading.refused(why, troubles=troubles, steps=_still_good(reading))
    if message.orders:
        return None
    if answer := signed_elsewhere(reading):
        return answer
    if press.stands(match, reading.seat, message):
        return reading.turned_away(
            Verdict.DUPLICATE, say("You have said this since you last moved. It stands in the log")
        )
    return reading.turned_away(Verdict.LEGAL, None, enters=Enters())


def asks(reading: Reading) -> Answer | None:
    """Does it ask for something, or somebody, and hold no move? Then a person reads it."""
    message = reading.message
    post = message.author is not None  # all that is said in a thread comes here
    if reading.ends:
        return reading.turned_away(Verdict.PASSED_ON, _ENDS)
    if reading.weighed.put_off and reading.is_plea and reading.is_talk:
        return reading.turned_away(Verdict.PASSED_ON, LATER)
    if post and reading.is_thanks:
        return reading.turned_away(Verdict.PASSED_ON, THANKS)
    if message.orders:
        moves = message.quoted != () or reading.names_things()  # one may be meant, and shown
        passed_on = reading.is_talk and (reading.about != "" or (post and not moves))
    else:
        question = any(each.why == "question" for each in message.ignored)
        passed_on = bool(message.requests) or (question and _only_asks(reading))
    return reading.turned_away(Verdict.PASSED_ON, _ASKS) if passed_on else None


def _only_asks(reading: Reading) -> bool:
    """Is the question in a message for a person, and not just a move with a "?": "KAHU-COCO?"?"""
    match, message = reading.match, reading.message
    long = [line for line in message.outside if len(tokens(line.text)) > SHORT]
    only = long != [] and not (message.fenced or any(says(match, line) for line in message.outside))
    return not reading.proposes and (only or chatter.for_a_person(match, message))


def not_for_now(reading: Reading) -> Answer | None:
    """Is it for a question that stands no longer, or does not stand yet?"""
    match, message = reading.match, reading.message
    if match.gathering:  # words may answer any post: they do not depend on the position
        return None
    signed = [reading.writer.position] if reading.writer.position else []
    seats = [reading.seat] if message.seat == reading.seat else reading.writer.seats
    if reading.early:  # a letter about any position may be answered with plans; a code may not
        why = outdated(match, signed, ())
    else:
        why = outdated(match, (*message.positions, *signed), seats, message.subject)
        why = why or used(match, signed, seats)
    why = why or too_early(match, message, seats, plans=reading.early)
    return reading.turned_away(Verdict.STALE, why, steps=_still_good(reading)) if why else None


def _still_good(reading: Reading) -> tuple[Step, ...]:
    """The plies that an order for another position would be now, for its writer to look at; () if
    not all of it could be played."""
    read = reading.lines
    if reading.seat not in reading.match.awaited or read.troubles or read.plans or read.withdrawn:
        return ()
    verdict = reading.tried(read.order)
    whole = isinstance(verdict, play.Accepted) and not verdict.unplayed
    return verdict.steps if whole else ()


def out_of_turn(reading: Reading) -> Answer | None:
    """May this seat not speak for itself, or is it another one's turn?"""
    match, writer = reading.match, reading.writer
    if reading.seat == CHANCE:
        if match.log.header.dealer == "asked":
            return None
        return reading.turned_away(Verdict.WRONG_SENDER, say("This match draws its cards itself"))
    if writer.how == "word":
        return None
    if answer := for_anothers_seat(reading):
        return answer
    if reading.message.sender is None or reading.early or not match.awaited:
        return None
    if reading.seat in match.asked:
        return None
    early = _early(reading, reading.lines)
    told = _not_your_turn(reading)
    reason = None if _is_order(reading) else NoMove(told)
    return reading.turned_away(Verdict.WRONG_SENDER, told, reason=reason, early=early)


def _is_order(reading: Reading) -> bool:
    """Is it an order and no more, or one in a block?"""
    read = reading.lines
    return bool(read.order) and (reading.message.fenced or not read.troubles)


def _not_your_turn(reading: Reading) -> Sentence:
    awaited, header = reading.match.awaited, reading.match.log.header
    wish = reading.names_deeds and any(puts_off(line.text) for line in reading.new)
    if _is_order(reading) or wish:
        return say(_NOT_KEPT, awaited=awaited)
    if reading.names_things() and private_press.kind(header) in VERBS[SAY].press:
        return say(_NOT_SAID, awaited=awaited)
    return say("It's {awaited:seats}'s turn, not yours", awaited=awaited)


_NOT_KEPT: Final = (
    "It's {awaited:seats}'s turn, not yours. Your move isn't kept: send it again on your turn"
)
_NOT_SAID: Final = (
    "It's {awaited:seats}'s turn, not yours. To send your words to the other players, put say: in "
    "front of them"
)


def for_anothers_seat(reading: Reading) -> Answer | None:
    """Does it name a seat that its writer does not hold?"""
    message, own = reading.message, reading.writer.seats
    if message.seat in (None, *own) or reading.writer.how == "word":
        return None
    name = message.sender or message.author
    why = say("{name} plays {own:all}, not {seat}", name=name, own=own, seat=message.seat)
    return reading.turned_away(Verdict.WRONG_SENDER, why)


def which_seat(reading: Reading) -> Answer | None:
    """Whoever plays two seats that are both asked must say for which one they speak."""
    awaited, early = reading.match.awaited, reading.early
    asked = [seat for seat in reading.writer.seats if early or seat in awaited]
    if len(asked) < 2 or reading.message.seat is not None:
        return None
    return reading.refused(say(_WHICH_SEAT, seats=asked, first=asked[0]))


def over(reading: Reading) -> Answer | None:
    """Has a ruling ended the match?"""
    ending = reading.match.ending
    if ending is None:
        return None
    if isinstance(ending.ruling, Resign):
        why = say("The match is over: {seat:seat} has resigned", seat=ending.ruling.seat)
    else:
        why = say("The match is over: the moderator has ended it")
    return reading.refused(why)


def vacated(reading: Reading) -> Answer | None:
    """Has its writer given up the seat?"""
    if reading.seat not in reading.match.vacant or reading.writer.how == "word":
        return None
    why = say(
        "You have resigned, and your seat is vacant. To take it again, write to the moderator"
    )
    return reading.refused(why)


def contradicts_itself(reading: Reading) -> Answer | None:
    """Moves beside a wish to give up, or to take moves back: one of the two cannot be meant. A bare
    `withdraw` outside a fence, or below other lines in it, may be such a wish as well as one about
    plans; a bare `zurück` may be one, or say that its writer is back."""
    message = reading.message
    undoing = (each.verb for each in message.requests if each.row.undoes)
    verb = next(undoing, None) or next(
        (each.said for each in message.requests if is_caveat(each.said)), None
    )
    texts = [each.text for each in message.orders]
    bare = [plan.withdrawn(text) == 0 for text in texts]
    if not all(bare) and any(bare[bare.index(False) :] if message.fenced else bare):
        verb = verb or next(text for text in reversed(texts) if plan.withdrawn(text) == 0)
    if verb is None or not message.orders:
        return None
    why = say(
        "This holds an order and `{verb}`: send the one you mean in a message of its own", verb=verb
    )
    return reading.refused(why)


def words_for_draws(reading: Reading) -> Answer | None:
    """Are words for the draws awaited? Then nothing else can be entered."""
    match, log = reading.match, reading.match.log
    if not match.gathering:
        return None
    line = " ".join(each.text for each in reading.message.orders)  # it may have been wrapped
    given = re.fullmatch(r"words\b\s*:?\s*(\S.*)", line, re.IGNORECASE | re.DOTALL)
    try:
        if given is None:
            raise Usage(
                "the first card has not been drawn; send the line `words sha256:…` or, once all "
                "hashes are in, `words: …`"
            )
        words = sent(reading.seat, given[1])
        log.extend(rulings.entry(words, log.moment(""), by=reading.seat))
    except Problem as problem:
        return reading.refused(problem.sentence)
    return reading.turned_away(Verdict.LEGAL, None, enters=Enters(ruling=words))


def order(reading: Reading) -> Answer:
    """Then it is an order, or nothing that the desk understands."""
    match, seat, raw = reading.match, reading.seat, reading.lines
    read = lines.without_talk(match, reading.message, reading.writer, raw)
    if read.idle:
        reading = replace(reading, message=lines.left_out(reading.message, read.idle))
    read, bad = lines.those_that_count(match, seat, read)
    if read.troubles:
        found = reading.weighed if read is raw else weighing(reading, read)
        # A fence is for moves as they are written.
        sure = found.orders[0] if found.sure and not reading.message.fenced else ()
        if not sure or hints.endings(match, seat, sure):
            return unread(reading, read, found)
        patterns = [match.game.parse(text) for text in sure]
        read = read._replace(lines=((Line(read.lines[0][0].number, ""), patterns),), troubles=())
    if doubt := stray_moves.question(match, reading.message, read.first_of_each(), seat):
        why, proposal = or_quoted(reading, doubt)
        return reading.refused(why, proposal=proposal)  # nobody knows which of two is meant
    if too_many := _too_many(reading, len(read.plans)):
        return reading.refused(too_many)
    lists = any(plan.asks_for_list(line.text) for line in reading.message.orders)
    if not (read.order or read.plans or read.withdrawn or lists):
        return without_move(reading)
    verdict = reading.tried(read.order)
    if isinstance(verdict, play.Rejected):
        return _illegal(reading, read, verdict)
    if read.order and (line := lines.of_another(match, seat, reading.message)):
        return which(reading, [in_full(reading, read, verdict)], [line.text])
    if doubtful := unexplained(reading, read.first_of_each()):
        return held(reading, read, verdict, doubtful)
    enters = Enters(verdict, read.plans, read.withdrawn, bad)
    return reading.turned_away(Verdict.LEGAL, None, enters=enters)


def _illegal(reading: Reading, read: lines.ReadLines, verdict: play.Rejected) -> Answer:
    """The answer to an order that breaks a rule, or that may be one of several."""
    reason = verdict.reason
    if not isinstance(reason, Ambiguous):
        move = read.order[verdict.at].said if len(read.order) > 1 else ""
        early = _early(reading, read)
        return reading.refused(steps=verdict.steps, reason=reason, move=move, early=early)
    orders = () if read.plans or read.withdrawn else reading.meanings(read.lines)
    if len(orders) > 1:
        return which(reading, orders, steps=verdict.steps, reason=reason)
    why = say("{reason}. Write the one you mean", reason=reason)
    return reading.refused(why, steps=verdict.steps, reason=reason)


def _early(reading: Reading, read: lines.ReadLines) -> str:
    """An order that came out of turn, as the plan that would wait for it; "" for any other."""
    match, seat = reading.match, reading.seat
    if not match.awaited or seat in match.asked or seat not in match.setup.seats:
        return ""
    if not read.order or read.plans or read.troubles:
        return ""
    order = "; ".join(each.said for each in read.order)
    try:
        return filed(match, seat, f"next: {order}", reading.today).text
    except Refused:
        return ""


def _too_many(reading: Reading, more: int) -> Sentence | None:
    """Why this many plans more cannot wait for a seat."""
    waiting = len(reading.waiting.of(reading.seat))
    if not more or reading.desk is None or waiting + more <= MOST:
        return None
    return say(
        "{n} plans would wait for you; at most {most} do. Take some back with `withdraw`",
        n=waiting + more,
        most=MOST,
    )


AT_THE_TABLE: Final[tuple[Rung, ...]] = (
    withdraws,  # does it only take back what waits, or ask for its list?
    stranger,  # is it unknown who wrote it?
    read_before,  # was it dealt with already?
    for_another_match,  # does it name another match?
    yes_or_no,  # does it answer a question of ours?
    speaks,  # does it only say something to others?
    asks,  # does it ask for something, and hold no move?
    not_for_now,  # is it for a question that does not stand now?
    out_of_turn,  # may its seat not speak for itself now?
    which_seat,  # does it leave open which of two seats it is for?
    over,  # has a ruling ended the match?
    vacated,  # has its writer given up the seat?
    contradicts_itself,  # does it hold an order, and a wish that undoes it?
    words_for_draws,  # are words for the draws awaited?
    picks,  # does it answer in words of its own what its game asks?
    order,  # then it is an order
)
"""What a message is asked in a match, one question after the other."""
