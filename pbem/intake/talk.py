"""Everyday talk beside an order: courtesies, the weather, somebody's holiday. Knows no game.

What nothing explains is never skipped: its writer is shown it, and asked whether the order stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from pbem.intake import caveats
from pbem.intake.courtesy import courtesy, opens
from pbem.intake.submission import Line
from pbem.intake.words import phrases, tokens

_SENTENCE: Final = re.compile(r"(?<=[.!?:;…])\s+|\n")
_OTHER_SCRIPT: Final = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff\u0370-\u03ff\u0400-\u052f]")
_BROKEN: Final = re.compile(r".{59,}[^\s.!?:]\s*$")
_ENDS: Final = re.compile(r"[.!?…]['\"*_)\s]*$|[)\u2600-\u27bf\U0001f000-\U0001faff]\s*$")
_LETTER: Final = re.compile(r"[\w.…?]")  # dots may stand for a move
_MARKS: Final = re.compile(r"[\s!,:;()<3=*_^'\"\\/|+~-]*")
_CLAUSE: Final = re.compile(r",\s+|\s[-\u2013]\s")
_LONGEST: Final = 1_000  # characters; a longer sentence is no talk
_SHORTEST: Final = 3  # words of everyday talk
_CIVIL: Final = ("greeting", "closing", "filler")


def is_everyday(text: str, own: Sequence[str] = ()) -> bool:
    """Is each sentence of a text a courtesy, a question about the rules, or talk about everyday
    things in which no word could take an order back, make it depend on something, or point at it?
    `own` are the words of its writer's name."""
    return not caveats.crossed(text) and all(_idle(each, own) for each in _SENTENCE.split(text))


def is_title(text: str, names: Collection[str], others: Collection[str]) -> bool:
    """Does a text only name a mail, with the words for that, numbers of moves, these names, of one
    word each or of one and the number behind it, and, if it speaks of no move, those of others; or
    is it everyday talk?"""
    said = tokens(caveats.untitled(text))
    known = _heads() if {*others}.isdisjoint(said) else _heads("heads") | {*others}
    heads = all(word[0].isdigit() or word in known or word in names for word in said)
    heads = heads and tokens(text) != () and _counts_moves(said, names)
    return (heads and not caveats.caveat(" ".join(said))) or is_everyday(text)


def _counts_moves(said: Sequence[str], names: Collection[str]) -> bool:
    """Does each number stand behind a word for a move, or in front of it if nothing stands before,
    or in one of these names? In "game 2" it is another match's."""
    words = [word for word in said if not word[0].isdigit()]
    of_moves, before = _heads("order"), next(iter(words), "")
    for above, word in zip(("", *said), said, strict=False):
        if not word[0].isdigit():
            before = word
        elif before not in of_moves and f"{above} {word}".strip() not in names:
            return False
    return True


@cache
def _heads(*fields: str) -> frozenset[str]:
    """The words of which subjects are made that only name their mail."""
    said = phrases("courtesies", *(fields or ("order", "heads")))
    return frozenset(word for phrase in said for word in phrase)


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return _SENTENCE.split(text)


def unbroken(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    """The lines that hold something, each with those that go on where a mail program broke it."""
    block: tuple[Line, ...] = ()
    for line in lines:
        if not line.text.strip():
            continue
        above = block[-1] if block else Line(0, "")
        if block and not (line.number == above.number + 1 and _BROKEN.match(above.text)):
            yield block
            block = ()
        block = (*block, line)
    if block:
        yield block


def in_known_script(text: str) -> bool:
    """Is a text written with letters that some word lists are written with, too?"""
    return not _OTHER_SCRIPT.search(text)


def _idle(sentence: str, own: Sequence[str]) -> bool:
    if not _LETTER.search(sentence):
        return (
            not caveats.odd_signs(sentence)
            and _MARKS.fullmatch(caveats.without_signs(sentence)) is not None
        )
    if courtesy(sentence, own) or caveats.asks_of_rules(sentence):
        return True
    words = tokens(sentence)
    heads, clauses = phrases("courtesies", "order", "polite"), _CLAUSE.split(sentence)
    if "?" not in sentence and all(tokens(e) in heads or courtesy(e, own) for e in clauses):
        return True  # "I play", "Here is my move, good luck!"
    # A few words may mean anything, and what goes on may lead into the order.
    whole = len(words) >= _SHORTEST and _ENDS.search(sentence) and _names_things(words, own)
    talk = len(sentence) <= _LONGEST and (
        whole
        or all(
            courtesy(each, own) or (opens(each) and _names_things(tokens(each), own))
            for each in clauses
        )
    )
    return talk and not caveats.caveat(sentence) and not caveats.of_the_order(sentence)


def _names_things(words: Sequence[str], own: Sequence[str]) -> bool:
    """Is there a word for an everyday thing, and is every word known?"""
    named = any(word in _things() for word in words)
    return named and all(word in _known() or word in own for word in words)


@cache
def _things() -> frozenset[str]:
    return frozenset(word for phrase in phrases("talk", "everyday") for word in phrase)


@cache
def _known() -> frozenset[str]:
    """The words of which everyday talk is made: another may say who wrote, or when it counts."""
    some = phrases("little", "word") | phrases("courtesies", *_CIVIL)
    return _things() | {word for phrase in some for word in phrase}
