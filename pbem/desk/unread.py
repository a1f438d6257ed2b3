"""A message that is not plainly an order: whether it is talk, for a person to read; and what to
answer if all or part of it cannot be read: the rule that it breaks, which tells more than "I can't
read it"; else what it may mean, for its writer to say yes to, or what to do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, NoMove, Pattern, Seat, Unreadable, Violation
from pbem.desk import lines
from pbem.desk.answer import Answer, Case, Trouble
from pbem.intake import Line, Submission, asking, plan
from pbem.intake.asking import AWAY, MAILS, PLACED
from pbem.intake.caveats import caveat, conditional, speaks_to_others, takes_back
from pbem.intake.words import tokens
from pbem.log.match import Match
from pbem.meaning import chatter, hints, stray_moves
from pbem.meaning.fitting import LONGEST_BLOCK, MOST_STEPS, UNSAID, Fitting
from pbem.meaning.hints import Beginning, Completions, Reading
from pbem.meaning.mentions import Mention
from pbem.meaning.patterns import says, seated
from pbem.meaning.proposing import MOST_READINGS, Search
from pbem.play import judge as play
from pbem.rules.reading import fold
from pbem.sentence import Counted, Sentence, in_turn, say

SHORT: Final = 6
"""The most words in a line that may name half a move."""

_MOST: Final = 6  # mentions of one move that breaks a rule
_MOST_DOUBTFUL: Final = 20  # lines beside an order that are looked at
_PARTED: Final = 2  # how many of these may begin a new clause

_UNSURE: Final = (
    "I read {moves}, but I'm not sure about line {line}. If that is all, send the block below as "
    "it is"
)
_UNPLACED: Final = (
    "I read {moves}, but not what {words:all} may mean. Nothing was played: write all your moves "
    "into the block below"
)
_LEFT_OUT: Final = Counted(
    "I read {moves}, but I'm not sure about line {lines:all}. The block below leaves it out: write "
    "it again in place of the line with dots, or take that line out if that is all",
    "I read {moves}, but I'm not sure about lines {lines:all}. The block below leaves them out: "
    "write them again in place of the lines with dots, or take these out if that is all",
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
_INSTEAD: Final = (
    "{text!r} in line {line} may take your moves back and name another. Nothing was played: send "
    "the moves that count alone"
)
_NO_MOVE_YET: Final = say(
    "There is no move in your block yet. Put your moves in place of the dots, one on each line"
)
_NO_MOVE: Final = say("I found no move in your message. Write one move on each line")


def either(readings: Sequence[Reading]) -> Sentence:
    """What is said of the two readings of a text."""
    return say(
        "I read either {one} or {other}. Which one do you mean? Answer 1 or 2",
        one=in_turn(readings[0]),
        other=in_turn(readings[1]),
    )


def _offer(case: Case, readings: Sequence[Reading], line: Line, *, all_read: bool) -> Sentence:
    """What is said of the one or two readings of a text: how the turn may end after one, and which
    line is not understood; `all_read` if the reading is what the other lines say."""
    if len(readings) > 1:
        return either(readings)
    endings = hints.endings(case.now, case.seat, readings[0])
    if all_read and not endings:
        return stray_moves.beside(line, readings[0], more=0)
    values = {
        "moves": in_turn(readings[0]),
        "line": line.number,
        "text": stray_moves.shown(line.text),
    }
    if endings and all_read:
        return say(
            "I read {moves}. I can't tell what {text!r} in line {line} means. To end your turn, "
            "put {endings:any} in place of the dots below. To play {moves} alone, answer yes",
            **values,
            endings=endings,
        )
    if endings:
        return say(
            "I read {moves} in {text!r} (line {line}). To end your turn, put {endings:any} in "
            "place of the dots below. To play {moves} alone, answer yes",
            **values,
            endings=endings,
        )
    return say(
        "I read {moves} in {text!r} (line {line}). If that is all, answer yes, or send the block "
        "below as it is",
        **values,
    )


def unread(case: Case, read: lines.ReadLines, search: Search | None) -> Answer:
    """The answer to an order with lines that cannot be read as they stand."""
    troubles, tried = read.troubles, case.tried(read.order)
    proposal, number = search.proposals() if search else (), troubles[0].line
    if not proposal and (aside := _aside(case, read, tried)):
        assert isinstance(tried, play.Accepted)
        return held(case, read, tried, aside)
    if search and not proposal and (found := offence(search)):
        return case.refused(steps=case.steps(found.played), reason=found.reason, move=found.said)
    steps, few, undone, instead = tried.steps, tuple[str, ...](), False, False
    unplaced = tuple[str, ...]()
    gaps: tuple[tuple[int, int], ...] = ()
    state = tried.state if isinstance(tried, play.Accepted) and not tried.unplayed else None
    if search and state is not None and not proposal:
        troubles, whole = _completed(search, state, troubles)
        few = whole.moves if whole else ()
        begun = search.beginning()
        undone, instead = begun.undone and begun.moves != (), begun.instead
        clear = (1, MOST_READINGS) if whole and whole.bare else (MOST_READINGS,)
        if whole and whole.all and len(few) in clear and len(troubles) == 1:
            proposal = tuple((*play.texts(case.now.game, steps), each) for each in few)
        elif not (steps or begun.undone):
            unplaced = search.unplaced([begun.moves]) if begun.moves else ()
            steps = () if unplaced else case.steps(begun.moves)
    if proposal:
        all_read = proposal[0] == play.texts(case.now.game, tried.steps)
        unread_line = Line(number, read.troubles[0].text)
        why = _offer(case, proposal, unread_line, all_read=all_read)
    elif unplaced:
        why = say(_UNPLACED, moves=in_turn(begun.moves), words=unplaced)
    elif not (steps or undone or few) and chatter.for_a_person(case.now, case.said):
        return case.refused(reason=NoMove(_NO_MOVE))
    elif steps and state is not None:
        first = min((each.number for each, moves in read.lines if moves), default=0)
        undoes = [each for each in troubles if each.line > first and caveat(each.text)]
        undoes = [each for each in undoes if not _may_be_plan(case, each.text)]
        if undoes and instead:
            steps, text = (), stray_moves.shown(undoes[0].text)
            why = say(_INSTEAD, text=text, line=undoes[0].line)
        elif undoes and read.order:
            why = stray_moves.taken_back(Line(undoes[0].line, undoes[0].text))
        else:
            unsure, moves = [each.line for each in troubles], play.texts(case.now.game, steps)
            gaps = _gaps(read) if read.order else ()
            why = say(_LEFT_OUT, n=len(unsure), lines=unsure, moves=in_turn(moves))
            if not gaps:  # what a line begins with
                why = say(_UNSURE, line=number, moves=in_turn(moves))
    else:
        why = _not_read(case, None if few else search, Line(number, troubles[0].text))
    values = {"troubles": troubles, "reason": troubles[0].error, "steps": steps, "gaps": gaps}
    return case.refused(why, proposal=proposal, **values)


def unexplained(case: Case, order: Sequence[Pattern]) -> tuple[Line, ...]:
    """The lines beside an order that nothing explains: neither a mail's furniture nor everyday
    talk, nor the order once more."""
    now, said = case.now, case.said
    doubtful = set(said.unexplained)
    if said.fenced:
        told = (line for line in said.outside if not line.text.rstrip().endswith("?"))
        doubtful |= {line for line in told if _names_things(now, [line], case.seat)}
    if len(doubtful) > _MOST_DOUBTFUL:
        return tuple(sorted(doubtful))
    first = said.orders[0].number if said.orders else 0
    return tuple(
        line
        for line in sorted(doubtful)
        if not stray_moves.repeats(order, says(now, line))
        and not lines.is_explained(now, case.writer, [line], above=line.number < first)
    )


def _aside(
    case: Case, read: lines.ReadLines, tried: play.Accepted[Any] | play.Rejected
) -> tuple[Line, ...]:
    """The lines that cannot be read beside an order that is whole without them, if none of them
    names a thing of the game or looks like a move; () if one does, or the order is not whole."""
    if case.said.fenced or not read.order or isinstance(tried, play.Rejected) or tried.unplayed:
        return ()
    texts = [Line(each.line, each.text) for each in read.troubles]
    if read.plans or read.withdrawn or _names_things(case.now, texts, case.seat):
        return ()
    if any(chatter.tries(case.now, line.text) or _may_be_plan(case, line.text) for line in texts):
        return ()
    moves = play.texts(case.now.game, tried.steps)
    return (
        ()
        if hints.endings(case.now, case.seat, moves)
        else (*texts, *unexplained(case, read.first_of_each()))
    )


def held(
    case: Case, read: lines.ReadLines, played: play.Accepted[Any], doubtful: Sequence[Line]
) -> Answer:
    """The answer to a legal order beside lines that nothing explains: it waits for a yes, or for a
    choice where such a line names a move that the order lacks. Outside a fence, words that may
    take it back are answered first."""
    line, order = doubtful[0], _in_full(case, read, played)
    asked = {each.number for each in doubtful}
    rest = tuple(each for each in case.said.ignored if each.line not in asked)
    case = replace(case, said=case.said._replace(ignored=rest))
    bare = [each for each in doubtful if each.number and not case.said.fenced]
    if undoes := [each for each in bare if takes_back(each.text)]:
        return case.refused(stray_moves.taken_back(undoes[0]), steps=played.steps)
    others = stray_moves.corrected(Fitting(case.now, case.seat), order, doubtful)
    if others is None:
        return case.refused(stray_moves.named_beside(line), steps=played.steps)
    proposal = (order, *others)
    if others:
        return case.refused(either(proposal), proposal=proposal, steps=played.steps)
    why = stray_moves.beside(line, order, more=len(doubtful) - 1)
    return case.refused(why, proposal=proposal, steps=played.steps)


def _in_full(case: Case, read: lines.ReadLines, played: play.Accepted[Any]) -> Reading:
    """An order as its moves are written; with its lines as they are if some are to wait."""
    choices = any(isinstance(each, play.Choice) for each in read.order)
    if read.plans or read.withdrawn or choices:
        return tuple(line.text for line in case.said.orders)
    texts = play.texts(case.now.game, played.steps)
    return (*texts, *(each.said for each in played.unplayed))


def _gaps(read: lines.ReadLines) -> tuple[tuple[int, int], ...]:
    """The lines that cannot be read: after how many moves each stands, and its number."""
    moves = accumulate((len(each) for _, each in read.lines), initial=0)
    return tuple(
        (above, line.number)
        for above, (line, said) in zip(moves, read.lines, strict=False)
        if not said
    )


def _not_read(case: Case, search: Search | None, line: Line) -> Sentence:
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
    moves = hints.verbatim(case.now, case.seat, text)
    if moves and conditional(text):
        other = next(each for each in case.now.setup.seats if each != case.seat)
        return say(_CONDITION, text=stray_moves.shown(text), other=other, move=moves[0])
    if moves := moves or search.beginning().moves:
        return say(_DOUBTED, line=number, moves=moves, word=caveat(text))
    return say(_ALONE, line=number)


def _may_be_plan(case: Case, text: str) -> bool:
    return plan.begins_like_one(text) if case.said.fenced else plan.is_whole_plan(text)


def _completed(
    search: Search, state: Any, troubles: Sequence[Trouble]
) -> tuple[tuple[Trouble, ...], Completions | None]:
    """The troubles, the first with the few moves that it may be short for, if there are any; and
    those moves."""
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


def without_move(case: Case) -> Answer:
    """The answer to a message that holds no move, also if all of it is quoted."""
    none = _NO_MOVE_YET if case.said.fenced else _NO_MOVE
    if case.said.only_old:
        none = stray_moves.all_quoted(case.said.only_old)
    none, proposal = or_quoted(case, none)
    moves: Reading = ()
    if case.said.outside and not case.said.fenced:  # a question
        begun = begins(case.now, case.said, case.seat)
        moves = () if begun.instead else begun.moves
        if named := begun.moves or named_moves(case.now, case.said, case.seat):
            none = say(_BESIDE, line=case.said.outside[0].number, moves=named)
    return case.refused(reason=NoMove(none), steps=case.steps(moves), proposal=proposal)


def or_quoted(case: Case, why: Sentence) -> tuple[Sentence, tuple[Reading, ...]]:
    """Why a message is not played, and what in its quotes its writer may say yes to."""
    if not (quoted := _from_quotes(case)):
        return why, ()
    why = say("{why}. If you mean {moves}, answer yes", why=why, moves=in_turn(quoted))
    return why, (quoted,)


def _from_quotes(case: Case) -> Reading:
    """The moves in place of the dots of a quoted fence of ours, or at the end below a bare "Ben
    wrote:", in a message that says nothing else; () if they could not be played."""
    now, said = case.now, case.said
    if said.kind != "mail" or said.orders or said.outside or said.requests:
        return ()
    below = said.body.split("\n")[said.quoted[-1].number :][:1] if said.quoted else ()
    if any(line.strip("> ") == "..." for line in below):
        return ()
    found = [says(now, line) for line in said.quoted or said.attributed]
    verdict = case.tried([each for some in found for each in some])
    if not found or not all(found) or isinstance(verdict, play.Rejected):
        return ()
    return (*play.texts(now.game, verdict.steps), *(each.said for each in verdict.unplayed))


# ----------------------------------------------------------------------------- is it talk?


def about(said: Submission) -> str:
    """The verb that a message is about, in its writer's own words; "" for none. What a machine may
    have added counts only if nothing else is said."""
    lines = (*said.orders, *said.outside)
    notices = {each.line for each in said.ignored if each.why == "notice"}
    own = [line for line in lines if line.number not in notices] or lines
    return next(filter(None, (asking.mentioned(line.text) for line in own)), "")


def is_talk(case: Case) -> bool:
    """Is no line of a message an order, and can none be made out in it either? A wish may begin
    like a move: "take my last move back". Somebody who will be away may play before that, and
    somebody who wants no more mails may play in another line."""
    now, said = case.now, case.said
    verb, new = about(said), (*said.orders, *said.outside)
    wish = verb not in ("", AWAY) and not said.fenced and (verb != MAILS or len(new) == 1)
    wish = wish and not any(says(now, line) for line in new)
    if not (wish or chatter.for_a_person(now, said)):
        return False
    return not (_proposes(case) or stray_moves.beside_address(now, said, case.seat))


def _proposes(case: Case) -> bool:
    """Can an order be made out in a message of which no line can be read as it stands?"""
    said = case.said
    search = searching(case, lines.read(case.now, case.seat, said, ""))
    if search is None:
        return False
    if search.proposals() or offence(search):
        return True
    if len(said.orders) != 1 or about(said):
        return False
    text = said.orders[0].text
    whole = hints.completions(search.legal, case.now.state, text)
    return whole is not None and (len(tokens(text)) <= SHORT or (whole.named and not whole.all))


def searching(case: Case, read: lines.ReadLines) -> Search | None:
    """The search for what a message with lines that cannot be read may mean; None if it may be
    meant to take something back."""
    said = case.said
    undoes = any(each.verb in PLACED for each in said.requests)
    waits = read.plans or any(plan.is_plan(each.text) for each in read.troubles)
    if said.unexplained or waits or read.withdrawn or undoes or case.seat == CHANCE:
        return None
    apart = lines.apart(said, read)
    return Search(case.now, case.seat, read.lines, apart, fenced=said.fenced)


def begins(now: Match, said: Submission, seat: Seat) -> Beginning:
    """The moves at the beginning of a message whose rest cannot be read; else the one move that
    stands somewhere in it word for word."""
    asks = not said.orders
    some = lines.read(now, seat, said, "").lines or [(line, ()) for line in said.outside]
    begun = Search(now, seat, some, ()).beginning()
    orders = said.orders or said.outside
    if begun.moves or len(orders) != 1:
        return begun._replace(undone=begun.undone or asks)
    text = orders[0].text
    moves = hints.verbatim(now, seat, text)
    rest = text.replace(moves[0], "").strip(" ,;:") if len(moves) == 1 else ""
    return Beginning(moves, False, asks or caveat(rest) != "", rest) if rest else begun


def named_moves(now: Match, said: Submission, seat: Seat) -> tuple[str, ...]:
    """The legal moves that a message names as they are written, whatever else it says."""
    return hints.verbatim(now, seat, "\n".join(line.text for line in (*said.orders, *said.outside)))


def names_things(now: Match, said: Submission, seat: Seat, but: Collection[str] = ()) -> bool:
    """Does a message name anything that moves are made with, `but` for these: a card, an island, a
    colour?"""
    return _names_things(now, (*said.orders, *said.outside), seat, but)


def _names_things(now: Match, said: Sequence[Line], seat: Seat, but: Collection[str] = ()) -> bool:
    vocabulary = Fitting(now, seat).vocabulary
    found = (vocabulary.mentions(line.text[: hints.LONGEST_LINE]) for line in said)
    named = (each.thing for some in found for each in some if not each.little)
    return any(thing and thing not in but for thing in named)


# ---------------------------------------------------------- what it says against the rules


class Offence(NamedTuple):
    """An order in a text that the rules forbid: the moves before the first that breaks a rule, that
    move as it can be written, and what it breaks."""

    played: Reading
    said: str
    reason: Violation


def offence(search: Search) -> Offence | None:
    """What the lines say against the rules, read as for a proposal: the first move that breaks one,
    after as many moves as can be played. None if they say no such thing."""
    legal, pieces = search.legal, search.pieces
    now, state, at, guessed = legal.now, legal.now.state, 0, False
    played: Reading = ()
    texts = [seated(now, text) for text in search.naming]
    others = {fold(each) for each in now.setup.seats if each != legal.seat}
    if any(speaks_to_others(each) or {*tokens(each)[:1]} & others for each in texts):
        return None  # what others do
    legal.left = MOST_STEPS
    while at < len(pieces) and legal.left > 0:
        if not isinstance(piece := pieces[at], Mention):
            verdict = play.adjudicate(now.game, state, legal.seat, piece)
            played += play.texts(now.game, verdict.steps)
            if isinstance(verdict, play.Rejected):
                if guessed or not isinstance(verdict.reason, Violation):
                    return None
                return Offence(played, piece[verdict.at].said, verdict.reason)
            if verdict.unplayed:
                return None
            state, at = verdict.state, at + 1
            continue
        said = search.mentions_at(at)
        if all(each.little for each in said):
            at += len(said)
            continue
        for size in range(min(len(said), LONGEST_BLOCK), 0, -1):
            if found := legal.fitting(state, said[:size]):
                wording, _ = found[0]
                state, played = legal.after(state, wording), (*played, wording.text)
                at, guessed = at + size, True
                break
            if size == len(said) or said[size].parted:
                for text, reason in _broken(search, state, said[:size]):
                    return Offence(played, text, reason)
        else:
            return None
    return None


def _broken(search: Search, state: Any, said: Sequence[Mention]) -> Iterator[tuple[str, Violation]]:
    """The moves that mentions name and the rules forbid in a state, each with what it breaks. What
    could be played with other words is no offence."""
    legal, game = search.legal, search.legal.now.game
    named = frozenset(each.thing for each in said if each.thing)
    if sum(each.parted for each in said[1:]) > _PARTED or named in legal.worded(state):
        return
    absent = list(_done_to_the_absent(legal, state, said))
    for text in dict.fromkeys((*_written_out(said), *absent)):
        try:
            pattern = game.parse(text)
        except Unreadable:
            continue
        verdict = play.adjudicate(game, state, legal.seat, [pattern])
        if isinstance(verdict, play.Rejected) and isinstance(verdict.reason, Violation):
            whole = text if pattern.is_open else game.notate(pattern.move)
            yield " ".join(search.naming) if absent else whole, verdict.reason


def _done_to_the_absent(legal: Fitting, state: Any, said: Sequence[Mention]) -> Iterator[str]:
    """The legal moves with the verb that is mentioned, as if done to the player who is mentioned,
    whom no legal move names."""
    verbs = frozenset[str]().union(*(each.verbs for each in said))
    seats = "|".join(fold(each) for each in legal.now.setup.seats)
    for absent in (each.thing for each in said if each.thing in legal.vocabulary.absent):
        for wording in chain(*legal.worded(state).values()):
            if wording.verbs & verbs:
                yield re.sub(rf"\b(?:{seats})\b", absent, wording.text)


def _written_out(said: Sequence[Mention]) -> Iterator[str]:
    """The ways to write mentions down as games read a move."""
    named = [each.verbs for each in said if each.verbs]
    verbs = frozenset[str]().union(*named).intersection(*named)
    if len(said) > _MOST or not (verbs or any(each.glued for each in said)):
        return
    unsaid = [""] if not named or verbs & UNSAID else []
    for some in said, [each for each in said if not each.little]:
        things = [each.thing for each in some if each.thing]
        ways = [" ".join(things), re.sub(r" (?=\d)", "", " ".join(things)), "-".join(things)]
        ways.append(f"{'-'.join(things[:2])} with {' and '.join(things[2:])}")
        for verb in (*sorted(verbs), *unsaid) if things else ():
            yield from (f"{verb} {text}".strip() for text in ways)
