"""How near a line that cannot be read is to the notation: may a move be meant?

A slip in a move must be refused, never passed over; a kind word must not be refused. So a line
beside a readable order is chatter only where *nothing* in it comes near: no word of the game, not
even with a slip of the finger or broken off, no sign between two letters, no figure, no word in
capitals, and nothing that may stand above an older message. And a mail in which nothing can be
read is an order that failed only where it *looks* like one: a line that begins with such a word, or
is a word or two and no more. Everything in between is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from pbem.core import Unreadable
from pbem.core import word as word_of
from pbem.intake import Submission, asking, talk
from pbem.intake.asking import agreement
from pbem.intake.caveats import caveat
from pbem.intake.courtesy import courtesy
from pbem.intake.phrasing import plainer
from pbem.intake.verbs import YES
from pbem.intake.words import deeds, phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.patterns import says
from pbem.rules.reading import fold, near

_WORD: Final = re.compile(r"[^\W\d_]+")
_RUN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SIGN: Final = re.compile(r"\d|[^\W\d_]\s?[-+>/&=]+\s?[^\W\d_]|(?<!\w)x(?!\w)", re.I)
_CODE: Final = re.compile(r"[^\W\d_]+\d|\d[^\W\d_]+|[^\W\d_]+\s?[-+>]+\s?[^\W\d_]+[\s.!]*$")
_TITLE: Final = re.compile(r"(?:[^\W\d_]+[.,]?(?: (?:& )?|$)){1,8}")
_LONGEST: Final = 1_000  # characters; a longer text is no line
_LONGEST_CODE: Final = 4
_BROKEN_OFF: Final = 3  # letters that may be the beginning of a word
_CAPITALS: Final = 4  # letters
_FEW: Final = 2  # words; in a line so short, each must be a courtesy
_PROSE: Final = 4  # words; in longer lines three letters are a word of their own: cat is not cut
_LONGEST_HEADING: Final = 6  # words
_SHORT: Final = 6  # words of a line that begins like a move


def is_everyday(match: Replay, text: str, own: Sequence[str] = ()) -> bool:
    """Is this everyday talk, in which nothing can be a move? `own` are the words of its writer's
    name."""
    return not may_be_a_move(match, text) and talk.is_everyday(text, own)


def may_be_a_move(match: Replay, text: str) -> bool:
    """Can something in this line be a move, with a slip in it or without? Of a game that does not
    say which words its moves are written with, nobody can tell."""
    known, written = _own_words(match), _WORD.findall(text)
    if not known or len(text) > _LONGEST or _SIGN.search(text):
        return True
    if any(len(word) >= _CAPITALS and word.isupper() for word in written):
        return True
    said = [fold(word) for word in written]
    slips = _BROKEN_OFF if len(said) <= _PROSE else _BROKEN_OFF + 1
    return any(_of_a_move(known, word, slips) or _holds(known, word) for word in said)


def is_title(match: Replay, text: str, names: Collection[str]) -> bool:
    """Is a line one of these names with a surname, or at least two capitalised words, none of which
    belongs to the game or may take anything back?"""
    known, written = _own_words(match), _WORD.findall(text)
    said = [fold(word) for word in written if word not in names]
    return (
        bool(known)
        and 1 < len(written) <= _LONGEST_HEADING
        and _TITLE.fullmatch(text.strip()) is not None
        and all(word[:1].isupper() and word[1:].islower() for word in written)
        and not any(_of_a_move(known, word) or _holds(known, word) for word in said)
        and not any((word,) in phrases("verbs", *deeds()) for word in said)
        and not caveat(text)
    )


def introduces(match: Replay, text: str) -> bool:
    """Does a line end with "here is my move:", and is there nothing before that but courtesies and
    prose?"""
    heading = text.rstrip().removesuffix(":").rstrip()
    if heading == text.rstrip():
        return False
    words = heading.split()
    for size in range(min(_LONGEST_HEADING, len(words)), 0, -1):
        above = " ".join(words[:-size])
        before = above.rstrip(" ,.!-")
        if tokens(" ".join(words[-size:])) in phrases("courtesies", "order") and (
            not before or courtesy(before) or is_everyday(match, above)
        ):
            return True
    return False


def for_a_person(match: Replay, message: Submission) -> bool:
    """Is there no order in this message, nor anything that tries to be one? A quoted fence may be
    meant for one only if nothing new stands beside it: an answer quotes the mails of the desk."""
    lines = (*message.orders, *message.outside)
    if message.fenced or match.gathering or (message.quoted and not lines) or message.attributed:
        return False
    if agreement(message.orders):
        return False
    return not any(
        says(match, line)
        or tries(match, line.text)
        # A wish with a slip in it, and a day, a position or a colon, is no prose.
        or (re.search(r"\d|:", line.text) and asking.nearly(line.text))
        for line in lines
    )


def tries(match: Replay, text: str) -> bool:
    """Does this line look like a move that cannot be read?"""
    known = _own_words(match) or _seen(match)
    if len(text) > _LONGEST:
        return " " not in text[:_LONGEST]
    written = _WORD.findall(plainer(text))
    near_ones = [word for word in written if _of_a_move(known, fold(word))]
    if any(len(word) >= _BROKEN_OFF and word.isupper() for word in near_ones):
        return True
    civil = text.rstrip()[-1:] in "!?." or all(fold(word) in _civil() for word in written)
    if len(written) <= _FEW and (near_ones or not civil):
        return True
    if any(as_code(match, word) for word in _RUN.findall(plainer(text))):
        return True
    if len(written) > _SHORT:
        return False
    endings = phrases("verbs", "ending")  # "until the 12th"
    codes = (each[0] for each in _CODE.finditer(text))
    code = any(tokens(each.lstrip("0123456789")) not in endings for each in codes)
    return code or near_ones[:1] == written[:1] != []


def as_code(match: Replay, word: str, *, listed: bool = False) -> str:
    """What a game writes for a short word that is a move by itself, such as "bd"; "" for any
    other, and for words of an everyday text, unless the word is `listed` beside other codes."""
    if not 1 < len(word) < _LONGEST_CODE or not word.isalnum() or word.isdigit():
        return ""
    if (fold(word) in little_words() and not listed) or fold(word) != word.casefold():
        return ""
    try:
        return match.game.notate(match.game.parse(word).move)
    except Unreadable:
        return ""


@cache
def little_words() -> frozenset[str]:
    """The words of all languages that say little beside a move, or take one back."""
    kinds = ("greeting", "closing", "filler", "polite", "then", "order")
    said = phrases("courtesies", *kinds) | phrases("verbs", "between", "told", "apart")
    doubts = phrases("caveats", "not", "back", "if", "perhaps", "later", "other")
    return frozenset(word for each in said | doubts | phrases("little", "word") for word in each)


@lru_cache(maxsize=1024)  # a text is looked through again and again
def _of_a_move(known: frozenset[str], word: str, slips: int = _BROKEN_OFF) -> bool:
    """Is this a word of the game or, if it is long enough to be recognised despite a slip, nearly
    one?"""
    if len(word) < _BROKEN_OFF:
        return False
    if word in known:
        return True
    if word in _civil() or len(word) < slips:
        return False
    return any(each.startswith(word) or near(word, each) for each in known)


def _holds(known: frozenset[str], word: str) -> bool:
    """Have two words run together here, one of them of the game: takejojo?"""
    return any(len(each) >= _CAPITALS and each in word for each in known)


def _own_words(match: Replay) -> frozenset[str]:
    """The words that moves of this game are written with, according to the game."""
    return getattr(match.game, "WORDS", frozenset())


def _seen(match: Replay) -> frozenset[str]:
    """The same for a game that does not say: from its kinds of move, and what has been played."""
    kinds: tuple[Any, ...] = match.game.MOVES
    texts = (*map(word_of, kinds), *(ply.move for ply, _ in match.plies))
    return frozenset(fold(word) for text in texts for word in _WORD.findall(text))


@cache
def _civil() -> frozenset[str]:
    """Words that people write around a move."""
    fields = ("greeting", "closing", "filler", "polite")
    known = [*(phrases("courtesies", field) for field in fields), phrases("requests", YES)]
    return frozenset(word for some in known for phrase in some for word in phrase)
