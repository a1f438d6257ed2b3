"""What an unreadable text tells all the same, for its writer to look at: the moves it begins with,
those it may be short for, and how a turn may end. None of it is played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.intake import Line
from pbem.intake.caveats import caveat, caveats_but
from pbem.intake.courtesy import courtesy
from pbem.intake.plan import alternatives
from pbem.intake.verbs import NO, YES
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.chatter import little_words
from pbem.meaning.fitting import LONGEST_BLOCK, MOST_MOVES, Fitting, Wording, as_known
from pbem.meaning.mentions import CARD, NOTHING, Mention, besides, is_called, restricted
from pbem.meaning.patterns import seated
from pbem.play import judge

MoveTexts = tuple[str, ...]
"""An order, move by move, in canonical texts."""
Lines = Sequence[tuple[Line, Sequence[Any]]]
"""Lines, each with the moves it says by itself; () for one that cannot be read."""

SENTENCE: Final = re.compile(r"(?<=[.!?])\s")
LONGEST_LINE: Final = 200
"""How many characters of a line are looked through."""
MOST_CHOICES: Final = 16
"""How many moves, or orders, a writer is asked to choose from."""

_STOP: Final = re.compile(r"[.,;:!?\n]")
_BROKEN: Final = re.compile(r"^-\w+")  # an ending, say of a number
_MOST_AHEAD: Final = 100  # legal moves after those that are offered
_FEW_MOVES: Final = 6  # with which a turn may end


def things_of(order: MoveTexts) -> frozenset[str]:
    """The things that the moves of an order name."""
    return frozenset(thing for text in order for thing in Wording.of(text).things)


class Beginning(NamedTuple):
    """The moves that a text begins with, whether they are all it names, whether it may take them
    back, the first part of the rest, as it is written, and whether it may name others instead."""

    moves: MoveTexts
    whole: bool
    undone: bool
    rest: str
    instead: bool = False


class Completions(NamedTuple):
    """The few moves that a text may be short for, and the `rest` of its line, which is something
    else to do: "and take lono" in "sail to M and take lono"."""

    moves: tuple[str, ...]
    rest: str = ""


def beginning(legal: Fitting, lines: Lines) -> Beginning:
    """The moves that lines begin with, whatever else they say: their writer may have meant more, or
    none of it."""
    game, state, played, rests = legal.now.game, legal.now.state, list[str](), list[str]()
    whole, undone, instead = True, False, False
    for line, patterns in lines:
        if patterns:
            verdict = judge.adjudicate(game, state, legal.seat, patterns)
            played += judge.texts(game, verdict.steps)
            if isinstance(verdict, judge.Rejected) or verdict.unplayed:
                break
            state = verdict.state
            continue
        if len(alternatives(line.text)) > 1:
            break
        text = seated(legal.now, line.text[:LONGEST_LINE])
        said, above = list(legal.vocabulary.mentions(text)), list(played)
        begun = _begun(legal, state, text, said, alone=not played)
        state, left, doubted = begun.state, begun.left, restricted(line.text, text, said)
        played += begun.moves
        undone |= doubted
        if played and doubted and caveats_but(text, "if"):
            before = chain(*(Wording.of(each).things for each in above or played))
            instead |= not _named(legal, said if above else left).issubset(before)
        behind = text[begun.stop :]
        rests.append(_BROKEN.sub("", behind if line.text.endswith(behind) else line.text))
        whole &= all(each.little or each.verbs == {"no"} for each in left)
    parts = [each.strip(" ,.;:-") for rest in rests for each in SENTENCE.split(rest)]
    ends = phrases("verbs", "apart")  # "ziehe verdeckt nach"
    rest = [each for each in parts if each and tokens(each) not in ends and not courtesy(each)]
    rest = sorted(rest, key=lambda each: not caveat(each)) or [line.text for line, _ in lines]
    return Beginning(tuple(played), whole, undone, "".join(rest[:1]), instead)


class _Begun(NamedTuple):
    """The moves of a line, the state after them, where those that it begins with end, and what it
    mentions from there on."""

    moves: Sequence[str]
    state: Any
    stop: int
    left: Sequence[Mention]


def _begun(
    legal: Fitting, state: Any, text: str, said: Sequence[Mention], *, alone: bool
) -> _Begun:
    """The moves that a line begins with, and those in its later sentences; `alone` if no move
    stands above it."""
    begun, moves, stop = state, list[str](), 0
    left: Sequence[Mention] | None = None
    while said:
        first = _first(legal, state, said, alone=alone and not moves)
        if not first or legal.is_others(clause_around(text, said[0].start, said[first[0] - 1].end)):
            left = left or said
            said = [] if alone and not moves else _in_later_sentences(text, said)
            continue
        size, wording = first
        end, said = said[size - 1].end, said[size:]
        stop = stop if left else end
        state = legal.after(state, wording)
        moves.append(wording.text)
        between = text[end : said[0].start] if said else ""
        if caveat(between):
            if len(tokens(between)) == 1 and not caveats_but(between, "perhaps"):
                return _Begun((), begun, stop, left or said)  # "rood 7 of groen 5" is neither
            left, said = left or said, _in_later_sentences(text, said)
    return _Begun(moves, state, stop, left or ())


def _in_later_sentences(text: str, said: Sequence[Mention]) -> list[Mention]:
    """The mentions of those after the first from the next sentence on that neither asks nor may
    take anything back."""
    for start in (each.end() for each in SENTENCE.finditer(text, said[0].start)):
        sentence = SENTENCE.split(text[start:], 1)[0]
        if not (caveat(sentence) or sentence.endswith("?")):
            return [each for each in said if each.start >= start]
    return []


def _named(legal: Fitting, said: Sequence[Mention]) -> set[str]:
    """The things that mentions name; where things are letters, any letter may be one."""
    letters = legal.vocabulary.letters
    return {m.thing for m in said if m.thing and (letters or not m.little)} - {NOTHING}


def clause_around(text: str, start: int, end: int) -> str:
    """The clause in which a part of a text stands."""
    before, behind = _STOP.split(text[:start])[-1], _STOP.split(text[end:])[0]
    return f"{before}{text[start:end]}{behind}"


def _first(
    legal: Fitting, state: Any, said: Sequence[Mention], *, alone: bool
) -> tuple[int, Wording] | None:
    """How many of these mentions make up the one move they begin with, and that move; None if no
    move is certain. For a move that stands `alone`, a single word is not enough."""
    stop = next((n for n in range(1, len(said)) if said[n].parted), len(said))
    for size in range(min(stop, LONGEST_BLOCK), 0, -1):
        if size < len(said) and said[size].glued:
            continue
        several = size > 1 and any(each.thing for each in said[:size])
        found = legal.fitting(state, said[:size]) if several or not alone else []
        if found:
            return (size, found[0][0]) if len(found) == 1 else None
    return None


def named(legal: Fitting, text: str) -> MoveTexts:
    """The moves that a text names one by one; () if it names things that make up none, or tells
    what others do."""
    said = [each for each in legal.vocabulary.mentions(text[:LONGEST_LINE]) if not each.little]
    state, found = legal.now.state, list[str]()
    while said:
        gaps = (text[each.end : after.start] for each, after in pairwise(said))
        stop = next((n for n, gap in enumerate(gaps, 1) if caveat(gap)), len(said))
        first = _first(legal, state, said[:stop], alone=not found)
        if first and legal.is_others(clause_around(text, said[0].start, said[first[0] - 1].end)):
            return ()
        if not first and said[0].thing:
            return ()
        found += [first[1].text] if first else []
        said = said[first[0] if first else 1 :]
    return tuple(found)


def completions(legal: Fitting, state: Any, text: str) -> Completions | None:
    """The few moves that hold all that an unreadable line names, and more: "sail to E" may be `move
    A-E`. None if there are no such moves, or many, or if the line names nothing or may say no."""
    text = seated(legal.now, text)
    _, asks, behind = text.rpartition("?")
    asks_all = asks and not any(each.thing for each in legal.vocabulary.mentions(behind))
    if len(text) > LONGEST_LINE or asks_all:
        return None
    said, letters = list(legal.vocabulary.mentions(text)), legal.vocabulary.letters
    if restricted(text, text, said) or legal.is_others(text):
        return None
    verbs = [each.verbs for each in said if each.verbs]
    rest = [word for word in besides(text, said) if (word,) not in phrases("verbs", "between")]
    known = little_words() | {*legal.now.setup.seats}
    unknown = [word for word in rest if word not in known]
    if card := any((word.rstrip("s"),) in phrases("verbs", "card") for word in tokens(text)):
        verbs = verbs if said else [CARD]  # "one of the face-up cards"
    before = tokens(text[: said[0].start]) if said else ()
    idle = phrases("courtesies", "polite", "then", "order") | phrases("verbs", "between")
    begins = (
        verbs and len(unknown) <= card and {each for one in idle for each in one}.issuperset(before)
    )
    begins = begins and all(is_called(text[m.start : m.end], "") for m in said if m.verbs)
    sure = [each for each in said if not each.little or (each.thing.isalpha() and letters)]
    for some in said, sure:
        things = {each.thing for each in some if each.thing}
        if NOTHING in things or not (things or begins):
            return None
        found = [
            each.text
            for more, wordings in legal.worded(state).items()
            if more > things
            for each in wordings
            if all(verb & each.accepted for verb in verbs)
        ]
        if found and (verbs or not rest):
            return Completions(tuple(sorted(found))) if len(found) <= MOST_CHOICES else None
    stop = next((each.start for each in said[1:] if each.parted), 0)
    *words, last = text[:stop].split() or [""]
    joins = tokens(last) in phrases("courtesies", "then")
    begun = completions(legal, state, " ".join(words if joins else [*words, last]))
    return begun._replace(rest=text[stop:]) if begun else None


def half(legal: Fitting, text: str) -> tuple[str, str]:
    """The verb that is all a line names, as it is written there, and a move with that verb and a
    thing; "" twice if it names none, or more."""
    text = seated(legal.now, text[:LONGEST_LINE])
    said = [each for each in legal.vocabulary.mentions(text) if not each.little]
    if len(said) == 1 and said[0].verbs and not caveat(text):
        [verb] = said
        for each in chain(*legal.worded(legal.now.state).values()):
            if each.things and verb.verbs & each.accepted:
                return text[verb.start : verb.end], each.text
    return "", ""


def verbatim(match: Replay, seat: Seat, text: str) -> tuple[str, ...]:
    """The legal moves of several words that stand in a text word for word, in the text's order."""
    match = as_known(match, seat)
    legal = judge.legal_texts(match.game, match.state, seat, most=MOST_MOVES).texts
    some = (re.search(rf"\b{re.escape(each)}\b", text[:LONGEST_LINE], re.I) for each in legal)
    found = {each.start(): each[0] for each in some if each and len(tokens(each[0])) > 1}
    return tuple(found[at] for at in sorted(found))


def answers_to_question(match: Replay, seat: Seat) -> Mapping[str, str]:
    """The moves that "yes" and "no" mean if a seat is asked whether it does something that need not
    be done: "no" the one that does not do it, "yes" the one that does or, of several, what they
    begin with, "rob"; {} if it is asked something else."""
    match = as_known(match, seat)
    if seat not in match.asked:
        return {}
    needless: frozenset[str] = getattr(match.game, "NEEDLESS", frozenset())
    legal = judge.legal_texts(match.game, match.state, seat, most=_MOST_AHEAD).texts
    doing = [text for text in legal if Wording.of(text).verbs & needless]
    others = [text for text in legal if text not in doing]
    if len(others) != 1 or not doing or len({Wording.of(each).verbs for each in doing}) > 1:
        return {}
    return {NO: others[0], YES: doing[0] if len(doing) == 1 else doing[0].partition(" ")[0]}


def endings(match: Replay, seat: Seat, moves: MoveTexts) -> tuple[str, ...]:
    """The few moves each of which would end a seat's turn after these; () if no turn is left to
    end, if there are many, or if some way to end it takes more than one move."""
    match = as_known(match, seat)
    game = match.game

    def asked(state: Any) -> set[str]:
        return {each.kind for each in game.pending(state) if each.seat == seat}

    played = judge.adjudicate(game, match.state, seat, [game.parse(text) for text in moves])
    if isinstance(played, judge.Rejected) or not (kinds := asked(played.state)):
        return ()
    found = set[str]()
    possible = list(islice(judge.each_legal(game, played.state, seat), _MOST_AHEAD + 1))
    for move in possible:
        events = judge.judge(game, played.state, seat, move).events
        then = asked(judge.advance(game, played.state, events))
        if then - kinds:
            return ()
        if not then:
            found.add(game.notate(move))
    few = len(possible) <= _MOST_AHEAD and len(found) <= _FEW_MOVES
    return tuple(sorted(found)) if few else ()
