"""Whether a message that was turned away is meant for a person, and what it says to them. Judged by
its words and by those that everybody knows of the game, never by a hand or by what may be played
now: of two matches that differ in hidden cards alone, both pass on the same mails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from pbem.intake import Line, asking
from pbem.intake.caveats import spoken_in
from pbem.intake.words import by_language, deeds, fields, phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.mentions import verb_phrases
from pbem.rules.reading import fold, near

_LETTERS: Final = 4  # of a word that counts, and of one that may have an ending
_MOST_LINES, _LONGEST_LINE = 40, 200  # as many lines, and characters of each, are enough to tell
_LONGEST: Final = 1_000  # characters of a text of which anything is shown
_SLIP: Final = 2  # letters by which a word with a slip is not longer or shorter
_ASKING_WORDS: Final = (
    3  # words of a question besides those of the game: "KAHU-COCO with KAHU?" is none
)
_WORD: Final = re.compile(r"[^\W_]+")
_ASKED: Final = re.compile(r"[^.!?]{1,200}\?")
_COUNTED: Final = re.compile(r"\d{3,}|\d\d?(?=[:.]\d\d)|(?<=\d[:.])\d\d")
"""Numbers that no card has: longer ones, and times of day."""
_LEFT_OUT: Final = "\N{HORIZONTAL ELLIPSIS}"
_GAPS: Final = re.compile(rf"{_LEFT_OUT}(?:[^\w\s]*\s*{_LEFT_OUT})+")


def is_plea(match: Replay, lines: Sequence[Line]) -> bool:
    """Do these lines of a message hold a question, a wish that a person grants, or more words that
    have nothing to do with the game than words of the game?"""
    known = _words(match)
    names = {word for name in match.players.values() for word in tokens(name)}
    own = foreign = 0
    for line in lines[:_MOST_LINES]:
        if asking.nearly(line.text):
            continue  # a word for the desk, with a slip
        if asking.of_a_person(line.text):
            return True
        words = [fold(word) for word in tokens(line.text[:_LONGEST_LINE])]
        others = [word for word in words if not (word.isdigit() or _is_of(known, word))]
        asked = [fold(word) for each in _ASKED.findall(line.text) for word in tokens(each)]
        if sum(word in others for word in asked) >= _ASKING_WORDS:
            return True
        own += len(words) - len(others)
        ends = (*words,) in phrases("requests", "ends")  # "End": no slip, nor part of a move
        foreign += sum(not (word in names or _is_idle(known, word, ends)) for word in others)
    return foreign > own


def without_things(match: Replay, text: str) -> str:
    """A line of a message without what moves of the game are made with, slips of that, and the
    numbers beside it but for those that count time, nor letters that may be places; "" if no word
    is left, or if nobody can tell. A word that may end a match as well as a turn is shown where it
    stands alone."""
    words, text = _words(match), text[:_LONGEST]
    if (*tokens(text),) in phrases("requests", "ends"):
        return text
    things = {word for word in words if (word,) not in verb_phrases()}
    called = phrases("verbs", *(fields("verbs") & things))
    things |= {fold(phrase[0]) for phrase in called if len(phrase) == 1}

    def is_thing(written: str) -> bool:
        word = fold(written)
        if len(word) == 1 and word.isalpha():
            return not _is_word(written, text)
        if word in _anywhere() or word in _of_people():
            return word in things
        if _is_of(things, word):
            return True
        # Four small letters with one changed are a word of its own as often: "hold", "beat".
        least = _LETTERS + (len(word) == _LETTERS and written.islower())
        slips = (each for each in things if len(each) >= least)
        return any(near(word, each) and abs(len(each) - len(word)) < _SLIP for each in slips)

    said = _WORD.findall(text)
    named = {word for word in {*said} if is_thing(word)}
    times = {*_COUNTED.findall(text), *asking.counting_time(text)}
    numbers = {word for word in said if any(map(str.isdigit, word))} - times
    named |= numbers if named else set()
    left = _WORD.sub(lambda word: _LEFT_OUT if word[0] in named else word[0], text)
    return _GAPS.sub(_LEFT_OUT, left) if words and len(named) < len({*said}) else ""


def _is_word(letter: str, text: str) -> bool:
    """Is a letter that stands alone in a text a word there, or part of one ("Ben's") or of an
    address: one of its language, small, or where a sentence begins and goes on; or what goes before
    a small word, as "I" and "A" do? Else it may be a place on a map."""
    if re.search(rf"['\u2019@]{letter}(?!\w)|(?<!\w){letter}(?:['\u2019]|\.\w)", text):
        return True
    little = by_language("little")
    spoken = any((fold(letter),) in little.get(each, ()) for each in spoken_in(tokens(text)))
    if letter.islower():
        return spoken
    begins, goes_on = r"(?:^|[.!?]\s+)", rf"(?<!\w){letter}\s+[^\W\d_A-Z]"
    anywhere = letter in "IA" and re.search(goes_on, text)
    return bool(anywhere or (spoken and re.search(begins + goes_on, text)))


def _words(match: Replay) -> frozenset[str]:
    """The words that moves of this game are written with, according to the game."""
    ends = {phrase[0] for phrase in phrases("requests", "ends")}
    return getattr(match.game, "WORDS", frozenset()) - ends


def _is_of(known: Iterable[str], word: str) -> bool:
    """Is it one of these words, maybe with an ending?"""
    return any(word == each or (len(each) >= _LETTERS and word.startswith(each)) for each in known)


def _is_idle(known: frozenset[str], word: str, ends: bool) -> bool:
    """May it stand in a move as well as in any other sentence, or is it a word with a slip?"""
    return (
        (len(word) < _LETTERS and not ends)
        or word in _anywhere()
        or any(near(word, each) for each in known)
    )


@cache
def _of_people() -> frozenset[str]:
    """The words in which people ask a person for something, and talk of everyday things."""
    asked = phrases("requests", *fields("requests")) | phrases("talk", "everyday")
    return frozenset(word for phrase in asked for word in phrase if len(word) > _LETTERS)


@cache
def _anywhere() -> frozenset[str]:
    """The words of any sentence, and those for what is done in any game."""
    said = phrases("little", "word") | phrases("verbs", *deeds(), "between", "card", "you")
    said |= phrases("courtesies", *(fields("courtesies") - {"heads"}))
    return frozenset(words[0] for words in said if len(words) == 1)
