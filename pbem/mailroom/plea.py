"""Is a mail that was turned away meant for a person rather than for the desk?

It is judged by its words and by those that everybody knows of the game, never by a hand or by what
may be played now: of two matches that differ in hidden cards alone, both pass on the same mails.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from pbem.intake import Submission, asking
from pbem.intake.words import deeds, fields, phrases, tokens
from pbem.log.match import Match
from pbem.rules.reading import fold, near

_LETTERS: Final = 4  # of a word that counts, and of one that may have an ending
_LINES, _LONGEST = 40, 200  # as many lines, and characters of each, are enough to tell
_ASKING: Final = 3  # words of a question besides those of the game: "KAHU-COCO with KAHU?" is none


def is_plea(match: Match, said: Submission) -> bool:
    """Does a mail hold a question, or more words that have nothing to do with the game than words
    of the game? A fence is for moves alone."""
    if said.fenced:
        return False
    known: frozenset[str] = getattr(match.game, "WORDS", frozenset())
    names = {word for name in match.players.values() for word in tokens(name)}
    own = foreign = 0
    for line in (*said.orders, *said.outside)[:_LINES]:
        if asking.nearly(line.text):
            continue  # a word for the desk, with a slip
        words = [fold(word) for word in tokens(line.text[:_LONGEST])]
        others = [word for word in words if not _is_of(known, word)]
        if line.text.rstrip().endswith("?") and len(others) >= _ASKING:
            return True
        own += len(words) - len(others)
        foreign += sum(not (word in names or _is_idle(known, word)) for word in others)
    return foreign > own


def _is_of(known: frozenset[str], word: str) -> bool:
    """Is it a number or one of these words, maybe with an ending?"""
    return word.isdigit() or any(
        word == each or (len(each) >= _LETTERS and word.startswith(each)) for each in known
    )


def _is_idle(known: frozenset[str], word: str) -> bool:
    """May it stand in a move as well as in any other sentence, or is it a word with a slip?"""
    return len(word) < _LETTERS or word in _anywhere() or any(near(word, each) for each in known)


@cache
def _anywhere() -> frozenset[str]:
    """The words of any sentence, and those for what is done in any game."""
    said = phrases("little", "word") | phrases("verbs", *deeds(), "between", "card", "you")
    said |= phrases("courtesies", *fields("courtesies"))
    return frozenset(words[0] for words in said if len(words) == 1)
