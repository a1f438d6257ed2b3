"""The verdict on a message: one question after the other, and nothing is written or drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Ambiguous, NoMove, Problem, Seat, Unreadable, Usage
from pbem.desk import chatter, hints, lines, press, proposing, stray_moves
from pbem.desk.answer import Answer, NotPlayed, Trouble, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.current import outdated, same_question, too_early, used
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import Desk
from pbem.desk.meaning import says
from pbem.desk.offences import offence
from pbem.desk.plans.model import GIVE_UP, MOST, Plan, Waiting
from pbem.desk.plans.run import waiting_now
from pbem.intake import Line, Submission, asking, plan
from pbem.intake.asking import NO, PLACED, YES, agreement, thanks
from pbem.intake.caveats import caveat, conditional, is_caveat
from pbem.intake.words import tokens
from pbem.log import rulings
from pbem.log.entropy.contributions import sent
from pbem.log.match import Match
from pbem.log.ruling import Ruling
from pbem.log.rulings import Resign
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.sentence import Counted, Sentence, in_turn, say


@dataclass(frozen=True, slots=True)
class Case:
    """A message before the desk, once it is known who wrote it."""

    now: Match
    said: Submission
    writer: Writer
    desk: Desk | None = None
    today: str = ""

    @property
    def early(self) -> bool:
        """Is nothing in it to be played now? Then it need not be its sender's turn."""
        said = self.said.orders
        return bool(said) and all(plan.is_early(line.text) for line in said)

    @property
    def seat(self) -> Seat:
        """Whose order it is: of the writer's seats the one it names, else one that is asked; "" of
        a writer without one."""
        if self.said.seat in self.writer.seats:
            return self.said.seat
        own, now = self.writer.seats, self.now
        asked = (seat for seats in (now.awaited, now.asked) for seat in own if seat in seats)
        return next(asked, next(iter(self.writer.seats), ""))

    def answered(self, verdict: Verdict, after: Match, why: Sentence | None = None) -> Answer:
        """The answer to a message that has been taken."""
        return replace(self.turned_away(verdict, why), after=after)

    def turned_away(self, verdict: Verdict, why: Sentence | None = None, **more: Any) -> Answer:
        """The answer to a message that changes nothing."""
        return Answer(
            verdict=verdict,
            before=self.now,
            after=self.now,
            said=self.said,
            writer=self.writer,
            seat=self.seat or None,
            why=why,
            **more,
        )


class Judged(NamedTuple):
    """A message that can be entered for a seat: an order, `played` as far as the horizon; with the
    plans that came with it, the numbers of those it takes back (0: all), and the lines that do not
    count. Without an order it is what the seat says to all, and before the first card what it sends
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
    case = Case(now, press.meant(now, said), writer, desk, today)
    return _stranger(case) or _duplicate(case) or rule(case)


def rule(case: Case) -> Judged | Answer:
    """The verdict on a message of a known writer that was not read before."""
    if answer := _of_another_match(case):
        return answer
    agreed = _agreed(case)
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


def may_withdraw(case: Case) -> Answer | None:
    """What keeps a message from taking back held moves. A code counts only where it was made."""
    if answer := _stranger(case) or _of_another_match(case) or _names_another_seat(case):
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


def _of_another_match(case: Case) -> Answer | None:
    if case.said.match in (None, case.now.name):
        return None
    why = say(
        "Your message names the match {match}, but this is {name}. Which one is it for? Send it "
        "again without the other name",
        match=case.said.match,
        name=case.now.name,
    )
    return case.turned_away(Verdict.REFUSED, why)


def _agreed(case: Case) -> Case | Answer:
    """The case with the order that its writer says yes to, where it answers a proposal."""
    now, desk = case.now, case.desk
    word = agreement(case.said.orders)
    if not word:
        return case
    waiting = waiting_now(now, desk) if desk else Waiting(now.log.chain)
    asked = next(filter(None, map(waiting.asked, case.writer.seats)), None)
    if asked is None or asked.readings == GIVE_UP:
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
        why = _offer(asked.readings) if len(asked.readings) > 1 else _THANKED
        return case.turned_away(Verdict.REFUSED, why, proposal=asked.readings)
    nth = int(word) if word.isdigit() else 1
    if nth > len(asked.readings):
        return case.turned_away(Verdict.REFUSED, _NOT_ASKED, proposal=asked.readings)
    number = case.said.orders[0].number
    order = tuple(Line(number, text) for text in asked.readings[nth - 1])
    return replace(case, said=case.said._replace(orders=order, fenced=True))


_ASKS: Final = say("It asks for something, and holds no move")
_SHORT: Final = 6  # words of a line that may name half a move

_UNSURE: Final = Counted(
    "I read {moves}, but I'm not sure about line {lines:all}. If that is all, send the block below "
    "as it is",
    "I read {moves}, but I'm not sure about lines {lines:all}. If that is all, send the block "
    "below as it is",
)
_AGAIN: Final = "Please write line {line} again: I can't find a move in it"
_ALONE: Final = "Please write line {line} again, with your move and nothing else in it"
_PLAN: Final = "Please write line {line} again, as plans are written"
_WISH: Final = "I don't know {word!r}. Did you mean {verb}? Then send a mail with that word"
_HALF: Final = (
    "{text!r} leaves the move open: I read {word!r} and no more. Write it out, like: {example}"
)
_CONDITION: Final = (
    "{text!r} depends on something, and I can only play what doesn't. It's your turn now: to play, "
    "send a move without a condition. A move that is to wait until {other:seat} has played "
    "something goes into the block below as a line of its own, with what you wait for in place of "
    "the dots: if {other:seat} plays ...: {move}"
)
_BESIDE: Final = (
    "I read {moves:all} in line {line}, but that line may make it depend on something. Nothing "
    "was played: send the move that counts alone"
)
_DOUBTED: Final = (
    "I read {moves:all} in line {line}, but {word!r} may take that back, or make it depend on "
    "something. Nothing was played: send the move that counts alone"
)
_THANKED: Final = say("Nothing was played: tak may be thanks. If it was a yes, answer ja")
_NOT_ASKED: Final = say("There is nothing to say yes to now. Write your moves")


def _offer(
    readings: Sequence[Sequence[str]], line: int = 0, endings: Sequence[str] = ()
) -> Sentence:
    """What is said of the one or two readings of a text, and how the turn may end after one."""
    said = [in_turn(reading) for reading in readings]
    if len(said) == 2:
        return say(
            "I read either {one} or {other}. Which one do you mean? Answer 1 or 2",
            one=said[0],
            other=said[1],
        )
    if endings:
        return say(
            "I read {moves}, but I'm not sure about line {line}. To end your turn, put "
            "{endings:any} in place of the dots below. To play {moves} alone, answer yes",
            moves=said[0],
            line=line,
            endings=endings,
        )
    return say(
        "I read {moves}, but I'm not sure about line {line}. If that is all, answer yes, or send "
        "the block below as it is",
        moves=said[0],
        line=line,
    )


def _said(case: Case) -> Judged | Answer | None:
    """What a message says to all may be said at any time; beside an order it shares its fate."""
    if not press.speaks(case.said):
        return None
    if why := press.unfit(case.now, case.said):
        return case.turned_away(Verdict.REFUSED, why)
    if case.said.orders:
        return None
    signed = case.writer.position
    if signed and (why := outdated(case.now, [signed], ())):
        return case.turned_away(Verdict.STALE, why)
    if press.stands(case.now, case.seat, case.said):
        return case.turned_away(
            Verdict.DUPLICATE, say("You have said this since you last moved. It stands in the log")
        )
    return Judged(case)


def _asked(case: Case) -> Answer | None:
    """A message without a move that asks for something, or asks a person, is for whoever reads
    it."""
    now, said = case.now, case.said
    if said.orders:
        asks = about(said) != "" and is_talk(case)
    else:
        asks = any(each.why == "question" for each in said.ignored)
        asks = bool(said.requests) or (asks and _only_asks(now, said))
    return case.turned_away(Verdict.PASSED_ON, _ASKS) if asks else None


def _only_asks(now: Match, said: Submission) -> bool:
    """Is what a message asks for a person, and no move with a question mark: "KAHU-COCO?"?"""
    lines = [line for line in said.outside if len(tokens(line.text)) > _SHORT]
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
    """The plies that an order for another position would be now, for its writer to look at; ()
    where not all of it could be played."""
    now, seat = case.now, case.seat
    read = lines.read(now, seat, case.said, case.today)
    if seat not in now.awaited or read.troubles or read.plans or read.withdrawn:
        return ()
    verdict = play.adjudicate(now.game, now.state, seat, read.order)
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
    why = (
        say(
            "You play {seats:all}. Say for which one this is, with a line like `seat: {first}` in "
            "the fence",
            seats=asked,
            first=asked[0],
        )
        if case.early
        else say(
            "You play {seats:all}, and all of them are to move. Say for which one this is, with a "
            "line like `seat: {first}` in the fence",
            seats=asked,
            first=asked[0],
        )
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


def _contradicts_itself(case: Case) -> Answer | None:
    """Moves beside a wish to give up, or to take moves back: one of the two cannot be meant. A bare
    `withdraw` outside a fence, or below other lines in it, may be such a wish as well as one about
    plans; and a bare `zurück`, as well as say that its writer is back."""
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
    return case.turned_away(Verdict.REFUSED, why)


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
        return case.turned_away(Verdict.REFUSED, problem.sentence)
    return Judged(case, ruling=words)


def _adjudicated(case: Case) -> Judged | Answer:
    now, seat = case.now, case.seat
    read = lines.read(now, seat, case.said, case.today)
    if not case.said.fenced:
        read = lines.without_signature(now, case.writer, read)
    if read.order and not case.said.fenced:
        read = lines.without_chatter(now, case.said, case.writer, read)
    if read.idle:
        case = replace(case, said=lines.left_out(case.said, read.idle))
    bad: tuple[NotPlayed, ...] = ()
    if getattr(now.game, "LINE_BY_LINE", False):
        read, bad = lines.those_that_count(now, seat, read)
    search = _searching(case, read) if read.troubles else None
    if search and (sure := _certain(case, search)):
        patterns = [now.game.parse(text) for text in sure]
        read = read._replace(lines=((Line(read.lines[0][0].number, ""), patterns),), troubles=())
    if read.troubles:
        return _unread(case, read, search)
    if doubt := stray_moves.question(now, case.said, read.first_of_each(), seat):
        doubt, proposal = _or_quoted(case, doubt)
        # Of two orders nobody knows which is meant.
        order = read.order if case.said.against else ()
        steps = play.adjudicate(now.game, now.state, seat, order).steps
        return case.turned_away(Verdict.REFUSED, doubt, steps=steps, proposal=proposal)
    if why := _too_many(case, len(read.plans)):
        return case.turned_away(Verdict.REFUSED, why)
    asks = any(plan.asks_for_list(line.text) for line in case.said.orders)
    if not (read.order or read.plans or read.withdrawn or asks):
        return _without_move(case)
    verdict: play.Accepted[Any] | play.Rejected = play.Accepted((), now.state, ())
    if read.order:
        verdict = play.adjudicate(now.game, now.state, seat, read.order)
    if isinstance(verdict, play.Rejected) and isinstance(verdict.reason, Ambiguous):
        return _ambiguous(case, read, verdict, verdict.reason)
    if isinstance(verdict, play.Rejected):
        refused = read.order[verdict.at] if len(read.order) > 1 else None
        return case.turned_away(
            Verdict.REFUSED,
            steps=verdict.steps,
            reason=verdict.reason,
            move=refused.said if refused else "",
        )
    return Judged(case, verdict, read.plans, read.withdrawn, bad)


def _without_move(case: Case) -> Answer:
    """The answer to a message that holds no move, be it that all in it is quoted."""
    none = _NO_MOVE_YET if case.said.fenced else _NO_MOVE
    if case.said.only_old:
        none = stray_moves.all_quoted(case.said.only_old)
    none, proposal = _or_quoted(case, none)
    moves: hints.Reading = ()
    if case.said.outside and not case.said.fenced:  # a question
        moves = begins(case.now, case.said, case.seat).moves
        if named := moves or named_moves(case.now, case.said, case.seat):
            none = say(_BESIDE, line=case.said.outside[0].number, moves=named)
    return case.turned_away(
        Verdict.REFUSED, reason=NoMove(none), steps=_steps(case, moves), proposal=proposal
    )


def _ambiguous(
    case: Case, read: lines.ReadLines, verdict: play.Rejected, reason: Ambiguous
) -> Answer:
    """The answer to a move that may be one of several: of two at the end, either is offered."""
    before, two = play.texts(case.now.game, verdict.steps), proposing.MOST_READINGS
    last = verdict.at == len(read.order) - 1 and not isinstance(read.order[-1], play.Choice)
    if last and len(reason.choices) == two and not (reason.more or case.said.fenced):
        proposal = tuple((*before, each) for each in reason.choices)
        why = say("{reason}. Answer 1 or 2, or write the one you mean", reason=reason)
    else:
        proposal, why = (), say("{reason}. Write the one you mean", reason=reason)
    return case.turned_away(
        Verdict.REFUSED, why, steps=verdict.steps, reason=reason, proposal=proposal
    )


def _certain(case: Case, search: proposing.Search) -> hints.Reading:
    """The order that own words leave no doubt about, if it ends the turn where that can be ended;
    a fence is for moves as they are written."""
    order = () if case.said.fenced else search.certain()
    return () if order and hints.endings(case.now, case.seat, order) else order


def _unread(case: Case, read: lines.ReadLines, search: proposing.Search | None) -> Answer:
    """The answer to an order with lines that cannot be read as they stand."""
    now, seat, troubles = case.now, case.seat, read.troubles
    tried = play.adjudicate(now.game, now.state, seat, read.order)
    proposal, line = search.proposals() if search else (), troubles[0].line
    if search and not proposal and (found := offence(search)):
        return case.turned_away(
            Verdict.REFUSED, steps=_steps(case, found.played), reason=found.reason, move=found.said
        )
    steps, few, undone = tried.steps, tuple[str, ...](), False
    endings = hints.endings(now, seat, proposal[0]) if proposal else ()
    state = tried.state if isinstance(tried, play.Accepted) and not tried.unplayed else None
    if search and state is not None and not proposal:
        troubles, whole = _completed(search, state, troubles)
        few = whole.moves if whole else ()
        begun = search.beginning()
        undone = begun.undone and begun.moves != ()
        if whole and whole.all and len(few) == proposing.MOST_READINGS and len(troubles) == 1:
            proposal = tuple((*play.texts(now.game, steps), each) for each in few)
        elif not (steps or begun.undone):
            steps = _steps(case, begun.moves)
    if proposal:
        told = _offer(proposal, line, endings)
    elif not (steps or undone or few) and chatter.for_a_person(now, case.said):
        return case.turned_away(Verdict.REFUSED, reason=NoMove(_NO_MOVE))
    elif steps and state is not None:
        first = min((each.number for each, moves in read.lines if moves), default=0)
        undoes = [each for each in troubles if each.line > first and caveat(each.text)]
        undoes = [each for each in undoes if not _may_be_plan(case, each.text)]
        if undoes and read.order:
            told = stray_moves.taken_back(Line(undoes[0].line, undoes[0].text))
        else:
            unsure, moves = [each.line for each in troubles], play.texts(now.game, steps)
            told = say(_UNSURE, n=len(unsure), lines=unsure, moves=in_turn(moves))
    else:
        told = _not_read(case, None if few else search, Line(line, troubles[0].text))
    return case.turned_away(
        Verdict.REFUSED,
        told,
        troubles=troubles,
        reason=troubles[0].error,
        steps=steps,
        proposal=proposal,
    )


def _not_read(case: Case, search: proposing.Search | None, line: Line) -> Sentence:
    """What is said of the first line of a message in which no move can be read."""
    number, text = line
    if _may_be_plan(case, text):
        return say(_PLAN, line=number)
    if verb := asking.nearly(text):
        return say(_WISH, word=text.strip(" .,!?")[:60], verb=verb)
    if search is None or not caveat(text):
        word, example = hints.half(search.legal, text) if search else ("", "")
        if word:
            return say(_HALF, text=stray_moves.shown(text), word=word, example=example)
        return say(_AGAIN, line=number)
    moves = hints.named(case.now, case.seat, text)
    if moves and conditional(text):
        other = next(each for each in case.now.setup.seats if each != case.seat)
        return say(_CONDITION, text=stray_moves.shown(text), other=other, move=moves[0])
    if moves := moves or search.beginning().moves:
        return say(_DOUBTED, line=number, moves=moves, word=caveat(text))
    return say(_ALONE, line=number)


def _may_be_plan(case: Case, text: str) -> bool:
    return case.said.fenced and plan.begins_like_one(text)


def _completed(
    search: proposing.Search, state: Any, troubles: Sequence[Trouble]
) -> tuple[tuple[Trouble, ...], hints.Completions | None]:
    """The troubles, the first with the moves that it may leave something out of, where that may be
    said of few; and those."""
    first, *rest = troubles
    whole = hints.completions(search.legal, state, first.text)
    if whole is None:
        return (first, *rest), None
    text = (first.text if whole.all else whole.text).strip(" .,!?")
    advice = (
        say("To {text}, write: {whole:any}", text=text, whole=whole.moves)
        if whole.named
        else say('For "{text}", write: {whole:any}', text=text, whole=whole.moves)
    )
    error = Unreadable(first.text, "This leaves something open", advice=advice)
    return (first._replace(error=error), *rest), whole


def about(said: Submission) -> str:
    """The verb that a message is about in words of its own; "" for none."""
    lines = (*said.orders, *said.outside)
    return next(filter(None, (asking.mentioned(line.text) for line in lines)), "")


def is_talk(case: Case) -> bool:
    """Is no line of a message an order, and no order to be seen in it all the same? What is about a
    verb may begin like a move: "take my last move back"."""
    now, said = case.now, case.said
    lines = (*said.orders, *said.outside)
    wish = about(said) and not (said.fenced or any(says(now, line) for line in lines))
    return bool(wish or chatter.for_a_person(now, said)) and not _proposes(case)


def _proposes(case: Case) -> bool:
    """Is there an order to be seen in a message in which no line can be read as it stands?"""
    now, said = case.now, case.said
    search = _searching(case, lines.read(now, case.seat, said, ""))
    if search is None:
        return False
    if search.proposals() or offence(search):
        return True
    if len(said.orders) != 1 or about(said):
        return False
    text = said.orders[0].text
    whole = hints.completions(search.legal, now.state, text)
    return whole is not None and (len(tokens(text)) <= _SHORT or (whole.named and not whole.all))


def begins(now: Match, said: Submission, seat: Seat) -> hints.Beginning:
    """The moves that a message begins with whose rest cannot be read; else the one that stands
    somewhere in it as it is written."""
    asks = not said.orders
    some = lines.read(now, seat, said, "").lines or [(line, ()) for line in said.outside]
    begun = proposing.Search(now, seat, some).beginning()
    orders = said.orders or said.outside
    if begun.moves or len(orders) != 1:
        return begun._replace(undone=begun.undone or asks)
    text = orders[0].text
    moves = hints.named(now, seat, text)
    rest = text.replace(moves[0], "").strip(" ,;:") if len(moves) == 1 else ""
    undone = asks or caveat(rest) != ""
    return hints.Beginning(moves, False, undone, rest) if rest else begun


def named_moves(now: Match, said: Submission, seat: Seat) -> tuple[str, ...]:
    """The legal moves that a message names as they are written, whatever else it says."""
    lines = (*said.orders, *said.outside)
    return hints.named(now, seat, "\n".join(line.text for line in lines))


def _searching(case: Case, read: lines.ReadLines) -> proposing.Search | None:
    """The search for what a message with lines that cannot be read may mean; None where it may be
    meant to take something back."""
    said = case.said
    undoes = any(each.verb in PLACED for each in said.requests)
    if said.against or read.plans or read.withdrawn or undoes or case.seat == CHANCE:
        return None
    return proposing.Search(case.now, case.seat, read.lines, lines.apart(said, read))


def _steps(case: Case, moves: hints.Reading) -> tuple[Step, ...]:
    """The plies that these moves would be."""
    game = case.now.game
    order = [game.parse(text) for text in moves]
    return play.adjudicate(game, case.now.state, case.seat, order).steps


def _or_quoted(case: Case, why: Sentence) -> tuple[Sentence, tuple[hints.Reading, ...]]:
    """Why a message is not played, and what in its quotes its writer may say yes to."""
    if not (quoted := _from_quotes(case)):
        return why, ()
    told = say("{why}. If you mean {moves}, answer yes", why=why, moves=in_turn(quoted))
    return told, (quoted,)


def _from_quotes(case: Case) -> hints.Reading:
    """What stands in place of the dots of a fence of ours that is quoted, or last below a bare "Ben
    wrote:", in a message that says nothing else; () where that could not be played."""
    now, said = case.now, case.said
    if said.kind != "mail" or said.orders or said.outside or said.requests:
        return ()
    below = said.body.split("\n")[said.quoted[-1].number :][:1] if said.quoted else ()
    if any(line.strip("> ") == "..." for line in below):
        return ()
    found = [says(now, line) for line in said.quoted or said.attributed]
    verdict = play.adjudicate(
        now.game, now.state, case.seat, [each for some in found for each in some]
    )
    if not found or not all(found) or isinstance(verdict, play.Rejected):
        return ()
    return (*play.texts(now.game, verdict.steps), *(each.said for each in verdict.unplayed))


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


_NO_MOVE_YET: Final = say(
    "There is no move in your block yet. Put your moves in place of the dots, one on each line"
)
_NO_MOVE: Final = say("I found no move in your message. Write one move on each line")
