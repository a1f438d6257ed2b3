"""What an unreadable text tells all the same, for its writer to look at: the moves it begins with,
those it may be short for, and how a turn may end. None of it is played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.intake import Line
from pbem.intake.caveats import caveat
from pbem.intake.verbs import NO, YES
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.chatter import little_words
from pbem.meaning.fitting import MOST_MOVES, Fitting, Wording, as_known
from pbem.meaning.mentions import CARD, NOTHING, besides, is_called, restricted
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
_MOST_AHEAD: Final = 100  # legal moves after those that are offered
_FEW_MOVES: Final = 6  # with which a turn may end


def things_of(order: MoveTexts) -> frozenset[str]:
    """The things that the moves of an order name."""
    return frozenset(thing for text in order for thing in Wording.of(text).things)


class Completions(NamedTuple):
    """The few moves that a text may be short for, and the `rest` of its line, which is something
    else to do: "and take lono" in "sail to M and take lono"."""

    moves: tuple[str, ...]
    rest: str = ""


def clause_around(text: str, start: int, end: int) -> str:
    """The clause in which a part of a text stands."""
    before, behind = _STOP.split(text[:start])[-1], _STOP.split(text[end:])[0]
    return f"{before}{text[start:end]}{behind}"


def completions(legal: Fitting, state: Any, text: str) -> Completions | None:
    """The few moves that hold all that an unreadable line names, and more: "sail to E" may be `move
    A-E`. None if there are no such moves, or many, or if the line names nothing or may say no."""
    text = seated(legal.match, text)
    _, asks, behind = text.rpartition("?")
    asks_all = asks and not any(each.thing for each in legal.vocabulary.mentions(behind))
    if len(text) > LONGEST_LINE or asks_all:
        return None
    said, letters = list(legal.vocabulary.mentions(text)), legal.vocabulary.letters
    if restricted(text, text, said) or legal.is_others(text):
        return None
    verbs = [each.verbs for each in said if each.verbs]
    rest = [word for word in besides(text, said) if (word,) not in phrases("verbs", "between")]
    known = little_words() | {*legal.match.setup.seats}
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
    text = seated(legal.match, text[:LONGEST_LINE])
    said = [each for each in legal.vocabulary.mentions(text) if not each.little]
    if len(said) == 1 and said[0].verbs and not caveat(text):
        [verb] = said
        for each in chain(*legal.worded(legal.match.state).values()):
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
