"""What to answer if a message cannot be read, all of it or a part: the rule that it breaks, which
tells more than "I can't read it"; else what it may mean, for a yes of its writer, or what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.core import NoMove, Pattern
from pbem.desk import lines
from pbem.desk.answer import Answer
from pbem.desk.reading import Reading, is_clear
from pbem.intake import Line, asking, plan
from pbem.intake.caveats import caveat, of_others, speaks_to_others, takes_back
from pbem.meaning import chatter, hints, stray_moves
from pbem.meaning.fitting import Fitting, Wording
from pbem.meaning.hints import MoveTexts
from pbem.meaning.offences import Offence
from pbem.meaning.patterns import says
from pbem.meaning.weighing import Weighed, in_question
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.sentence import Sentence, in_turn, say

_MOST_DOUBTFUL: Final = 20  # lines beside an order that are looked at

_READ: Final = "I read {moves} in line {line}. If that is all, answer yes"
_AGAIN: Final = "Please write line {line} again: I can't find a move in it"
_PLAN: Final = "Please write line {line} again, as plans are written"
_WISH: Final = "I don't know {word!r}. Did you mean {verb}? Then send a mail with that word"
_HALF: Final = (
    "{text!r} leaves the move open: I read {word!r} and no more. Write it out, like: {example}"
)
_NO_MOVE_YET: Final = say(
    "There is no move in your block yet. Put your moves in place of the dots, one on each line"
)
_KNOWN: Final = (
    "I recognise {words:all}, but make out no move of yours. Write one move on each line"
)
_NO_MOVE: Final = say("I found no move in your message. Write one move on each line")
_DOUBTED: Final = "I'm not sure about {text!r}. If you want no more than this, answer 1"


def which(
    reading: Reading, orders: Sequence[MoveTexts], words: Sequence[str] = (), **more: Any
) -> Answer:
    """The answer that has a writer choose one of these orders by its number, a single one, too, as
    of these `words`, or this clause, nobody can tell what they may mean beside it; not of the
    name of what stands in it."""
    known = frozenset().union(*map(hints.things_of, orders))
    if not any(" " in each for each in words):
        alone = ([Line(0, each)] for each in words if each.casefold() not in known)
        new = [e for e in alone if reading.names_things(e, known) or not reading.names_things(e)]
        words = reading.as_written(line.text for [line] in new)
    if len(orders) == 1:
        text = stray_moves.shown(" \N{HORIZONTAL ELLIPSIS} ".join(words))
        why = say(_DOUBTED, text=text) if text else say("To play this, answer 1")
    elif words:
        why = say(
            "I can't place {words:all}. Which one do you mean? Answer with its number", words=words
        )
    else:
        why = say("Which one do you mean? Answer with its number")
    doubted = len(orders) == 1
    return reading.refused(why, proposal=tuple(orders), doubted=doubted, **more)


def read_as(line: Line, order: MoveTexts) -> Sentence:
    """What is said of the one reading of a line."""
    return say(_READ, moves=in_turn(order), line=line.number)


def unread(reading: Reading, read: lines.ReadLines, found: Weighed) -> Answer:
    """The answer to an order with lines that cannot be read as they stand."""
    tried, troubles = reading.tried(read.order), read.troubles
    steps = tried.steps
    clear = is_clear(reading, read)
    if found.plain:
        return _offered(reading, read, _ended(reading, found), steps)
    if isinstance(tried, play.Accepted) and (beside := _beside(reading, read, tried)):
        return held(reading, read, tried, beside)
    answer = (
        _weighed(reading, read, found, whole=True)
        or (_offence(reading) if clear else None)
        or _weighed(reading, read, found)
        or _begun(reading, read, tried)
    )
    if answer:
        return answer
    if few := _few(reading, troubles[0].error):
        return few
    if reading.is_chat and not steps:
        return reading.refused(reason=NoMove(_nothing(reading)))  # a person reads it
    line = Line(troubles[0].line, troubles[0].text)
    undone = caveat(line.text) and not _may_be_plan(reading, line.text)
    if undone and (reading.weighed.orders or reading.named_moves):
        return reading.refused(stray_moves.taken_back(line), reason=troubles[0].error)
    why = _not_read(reading, line, clear=clear)
    return reading.refused(why, troubles=troubles, reason=troubles[0].error, steps=steps)


def _few(reading: Reading, reason: Exception | None = None) -> Answer | None:
    """The answer to a message with no move in it where few are legal: one of them by its number."""
    few = reading.weighed.few
    if not few or reading.message.fenced or reading.waiting.asked(*reading.writer.seats):
        return None
    if reading.lines.order:  # a single choice would drop the moves that are read
        return None
    if reading.is_plea and (reading.about or not reading.names_deeds):
        return None
    unplaced = reading.weighed.unplaced
    words = reading.doubtful(unplaced) if len(few) == 1 else unplaced
    return which(reading, few, words, reason=reason or NoMove(_NO_MOVE))


def _told(reading: Reading, broken: Offence) -> Answer:
    """The answer that tells what in a text the rules forbid."""
    steps = reading.steps(broken.played)
    return reading.refused(steps=steps, reason=broken.reason, move=broken.said)


def _begun(
    reading: Reading, read: lines.ReadLines, tried: play.Accepted[Any] | play.Rejected
) -> Answer | None:
    """The answer to a text that begins with moves which can be read, or to chat."""
    troubles, steps = read.troubles, tried.steps
    whole = isinstance(tried, play.Accepted) and not tried.unplayed
    if is_clear(reading, reading.lines) and whole and (readings := reading.meanings(read.lines)):
        return _offered(reading, read, readings, steps)
    if not steps and reading.is_talk:
        return _few(reading, troubles[0].error) or reading.refused(reason=NoMove(_nothing(reading)))
    if not steps or not whole:
        return None
    moves, reason = play.texts(reading.match.game, steps), troubles[0].error
    if any(_may_be_plan(reading, each.text) for each in troubles):
        return None  # it is told where plans are read
    if not read.order and any(caveat(each.text) for each in troubles):
        return None  # "Bari-Duda? Never"
    undoes = [Line(each.line, each.text) for each in troubles if takes_back(each.text)]
    if read.order and undoes:
        return _undone(reading, undoes[0], moves)
    return which(reading, [moves], reading.doubtful(), reason=reason, steps=steps)


def _offence(reading: Reading) -> Answer | None:
    """The answer to a text that says what the rules forbid."""
    offence = reading.weighed.offence
    chat = reading.is_chat and not reading.names_deeds  # "That FAAA-JOJO hurt, Ben!"
    return _told(reading, offence) if offence and not chat else None


def _weighed(
    reading: Reading, read: lines.ReadLines, found: Weighed, *, whole: bool = False
) -> Answer | None:
    """The answer to a text that fits some orders best: one of several by its number, and so a
    single one that its writer may have rejected, or named more than. None for any other, or if
    the orders must be the `whole` of what it names and are not."""
    orders, unplaced, _, doubted, *_ = found
    single = len(orders) == 1
    doubted = single and (doubted or unplaced != ())
    if not orders or (whole and (unplaced or doubted)):
        return None
    if single and (reading.message.fenced or read.order):
        return None
    if single and not doubted:
        return _offered(reading, read, orders, ())
    if single and not unplaced and (readings := reading.meanings(read.lines)):
        return _offered(reading, read, readings, ())
    words = reading.doubtful(unplaced) if single else unplaced
    told: dict[str, Any] = {"troubles": read.troubles, "reason": read.troubles[0].error}
    return which(reading, orders, words, **told)


def _offered(
    reading: Reading,
    read: lines.ReadLines,
    readings: tuple[MoveTexts, ...],
    steps: tuple[Step, ...],
) -> Answer:
    """The answer to an order that may mean one of these: how the turn may end after a single one,
    and which line is not understood, if that reading is what the other lines say."""
    (number, text, reason), first = read.troubles[0], readings[0]
    several = len(readings) > 1
    told: dict[str, Any] = {"troubles": read.troubles, "reason": reason}
    if several:
        return which(reading, readings, **told)
    if endings := hints.endings(reading.match, reading.seat, first):
        return which(reading, [*((*first, each) for each in endings), first], **told)
    if first == play.texts(reading.match.game, steps):
        why = stray_moves.beside(Line(number, text), first, more=0)
    else:
        why = say(_READ, moves=in_turn(first), line=number)
    return reading.refused(why, proposal=readings, steps=steps, **told)


def unexplained(reading: Reading, order: Sequence[Pattern]) -> tuple[Line, ...]:
    """The lines beside an order that nothing explains: neither a mail's furniture nor everyday
    talk, nor the order once more; and a subject in which another move stands."""
    match, message = reading.match, reading.message
    doubtful = set(message.unexplained)
    if subject := stray_moves.in_subject(match, message, order, reading.seat):
        doubtful = {subject, *(line for line in doubtful if line.number)}
    if message.fenced:
        told = (line for line in message.outside if not line.text.rstrip().endswith("?"))
        doubtful |= {line for line in told if reading.names_things([line])}
    if len(doubtful) > _MOST_DOUBTFUL:
        return tuple(sorted(doubtful))
    first = message.orders[0].number if message.orders else 0
    return tuple(
        line
        for line in sorted(doubtful)
        if not stray_moves.repeats(order, says(match, line))
        and not (
            line.number
            and lines.is_explained(match, reading.writer, [line], above=line.number < first)
        )
    )


def _beside(reading: Reading, read: lines.ReadLines, tried: play.Accepted[Any]) -> tuple[Line, ...]:
    """The lines that cannot be read beside an order that is whole without them, if none of them
    names a thing of the game or looks like a move; () if one does, or the order is not whole."""
    match, texts = reading.match, [Line(each.line, each.text) for each in read.troubles]
    if reading.message.fenced or not read.order or tried.unplayed:
        return ()
    if read.plans or read.withdrawn or reading.names_things(texts):
        return ()
    if any(chatter.tries(match, each.text) or _may_be_plan(reading, each.text) for each in texts):
        return ()
    if hints.endings(match, reading.seat, play.texts(match.game, tried.steps)):
        return ()
    return (*texts, *unexplained(reading, read.first_of_each()))


def held(
    reading: Reading, read: lines.ReadLines, played: play.Accepted[Any], doubtful: Sequence[Line]
) -> Answer:
    """The answer to a legal order beside lines that nothing explains: it waits for a yes, or for a
    choice where such a line names a move that the order lacks. Outside a fence, words that may
    take it back are answered first."""
    line, order = doubtful[0], in_full(reading, read, played)
    asked = {each.number for each in doubtful}
    rest = tuple(each for each in reading.message.ignored if each.line not in asked)
    reading = replace(reading, message=reading.message._replace(ignored=rest))
    bare = [each for each in doubtful if each.number and not reading.message.fenced]
    if undoes := [each for each in bare if takes_back(each.text)]:
        return _undone(reading, undoes[0], order)
    if not (meant := meant_beside(reading, order, doubtful)):
        return which(reading, [order], [line.text])
    if len(meant) > 1:
        return which(reading, meant, steps=played.steps)
    if meant == (order,):
        known = hints.things_of(order)
        own = [e for e in doubtful if not (speaks_to_others(e.text) or of_others(e.text))]
        if reading.names_things(own, known):
            return which(reading, [order], [line.text])
        why = stray_moves.beside(line, order, more=len(doubtful) - 1)
        if line.text == lines.MARK:
            why = read_as(line, order)
    else:
        why = read_as(line, meant[0])
    return reading.refused(why, proposal=meant, steps=played.steps)


def _undone(reading: Reading, line: Line, order: MoveTexts) -> Answer:
    """The answer to an order beside a line that may take it back: by its number, and beside it what
    the line names instead; where nobody can tell what that is, the block to send."""
    if reading.names_things([line]):
        found = reading.together(order, [line])
        if found.rivals and found.orders and not found.unplaced:
            return which(reading, found.orders)
        return reading.refused(stray_moves.taken_back(line), steps=reading.steps(order))
    return which(reading, [order], [line.text])


def meant_beside(
    reading: Reading, order: MoveTexts, doubtful: Sequence[Line]
) -> tuple[MoveTexts, ...]:
    """What an order and the lines beside it may mean: the order as it stands, if they name nothing
    new, and else with one move replaced; or with what they add, if they begin with a word that goes
    on with it ("And KAHU-LALE"), or name another kind of move. () if nobody can tell."""
    legal = Fitting(reading.match, reading.seat)
    others = stray_moves.corrected(legal, order, doubtful)
    joined = any(stray_moves.joins(legal, each.text) for each in doubtful)
    more, kinds = reading.gone_on(order, doubtful), {Wording.of(text).verbs for text in order}
    if others == () and not (joined and more):
        return (order,)
    other = kinds.isdisjoint(Wording.of(text).verbs for text in more if text not in order)
    if more and (joined or other or not others):
        return (more,)
    return () if joined or not others else (order, *others)


def in_full(reading: Reading, read: lines.ReadLines, played: play.Accepted[Any]) -> MoveTexts:
    """An order as its moves are written; with its lines as they are if some are to wait."""
    choices = any(isinstance(each, play.Choice) for each in read.order)
    if read.plans or read.withdrawn or choices:
        return tuple(line.text for line in reading.message.orders)
    texts = play.texts(reading.match.game, played.steps)
    return (*texts, *(each.said for each in played.unplayed))


def _not_read(reading: Reading, line: Line, *, clear: bool) -> Sentence:
    """What is said of the first line of a message in which no move can be read."""
    number, text = line
    if _may_be_plan(reading, text):
        return say(_PLAN, line=number)
    if verb := asking.nearly(text):
        return say(_WISH, word=text.strip(" .,!?")[:60], verb=verb)
    word, example = hints.half(Fitting(reading.match, reading.seat), text) if clear else ("", "")
    if word:
        return say(_HALF, text=stray_moves.shown(text), word=word, example=example)
    return say(_AGAIN, line=number)


def _may_be_plan(reading: Reading, text: str) -> bool:
    return plan.begins_like_one(text) if reading.message.fenced else plan.is_whole_plan(text)


def _ended(reading: Reading, found: Weighed) -> tuple[MoveTexts, ...]:
    """The one reading of a text, and it with each move that the rest of the text may be short for:
    "KAHU-LALE and one of the face-up cards"."""
    return reading.then(found.orders[0], Line(0, found.rest)) or found.orders


def without_move(reading: Reading) -> Answer:
    """The answer to a message that holds no move, also if all of it is quoted."""
    none = _NO_MOVE_YET if reading.message.fenced else _nothing(reading)
    if reading.message.only_old:
        none = stray_moves.all_quoted(reading.message.only_old)
    none, proposal = or_quoted(reading, none)
    if proposal or not reading.message.outside or reading.message.fenced:
        return reading.refused(reason=NoMove(none), proposal=proposal)
    text = reading.message.outside[0].text  # a question
    possible, broken = in_question(reading.match, reading.seat, text)
    if broken:
        return _told(reading, broken)
    if possible:
        why = say("You can play this now: {moves:any}", moves=[*map(in_turn, possible)])
        return reading.refused(reason=NoMove(why), steps=reading.steps(possible[0]))
    if orders := reading.weighed.orders:
        return which(reading, orders, reading.doubtful() if len(orders) == 1 else ())
    return _few(reading) or reading.refused(reason=NoMove(none))


def _nothing(reading: Reading) -> Sentence:
    """What is said of a message in which nothing fits what can be played: what it names of the
    game, if anything."""
    named = reading.as_written(reading.weighed.named)
    return say(_KNOWN, words=named) if named else _NO_MOVE


def or_quoted(reading: Reading, why: Sentence) -> tuple[Sentence, tuple[MoveTexts, ...]]:
    """Why a message is not played, and what in its quotes its writer may say yes to."""
    if not (quoted := _from_quotes(reading)):
        return why, ()
    why = say("{why}. If you mean {moves}, answer yes", why=why, moves=in_turn(quoted))
    return why, (quoted,)


def _from_quotes(reading: Reading) -> MoveTexts:
    """The moves in place of the dots of a quoted fence of ours, or at the end below a bare "Ben
    wrote:", in a message that says nothing else; () if they could not be played."""
    match, message = reading.match, reading.message
    if message.kind != "mail" or message.requests:
        return ()
    if reading.names_things() or any(caveat(line.text) for line in reading.new):
        return ()
    quoted = message.quoted
    below = message.body.split("\n")[quoted[-1].number :][:1] if quoted else ()
    if any(line.strip("> ") == "..." for line in below):
        return ()
    patterns = [says(match, line) for line in quoted or message.attributed]
    verdict = reading.tried([each for some in patterns for each in some])
    if not patterns or not all(patterns) or isinstance(verdict, play.Rejected):
        return ()
    return (*play.texts(match.game, verdict.steps), *(each.said for each in verdict.unplayed))
