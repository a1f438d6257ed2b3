"""What takes an order back, or makes it depend on something: words of negation, correction,
condition, doubt, of another time or another match. Knows no game.

Passing over is for what is known to be harmless: a line that holds such a word is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from pbem.intake.words import expression, phrases, pieces, tokens

_KINDS: Final = ("not", "back", "if", "perhaps", "later", "other")
_STRONG: Final = ("back", "if", "other")
"""What counts beside a fence in any line; the others only in a few words, or at the end."""

_SIGN: Final = "(<sign>)"  # that says no
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu)'(?=\w)")  # j'annule
_BEGINS: Final = re.compile(r"(?<=[.!?:])\s")
_FEW: Final = 6  # words
_LONGEST: Final = 10_000  # characters; no order is as long
_LONGEST_PHRASE: Final = 7  # words


def caveat(text: str) -> str:
    """The first words of a text that may take an order back or restrict it; "" for none."""
    return next((said for _, said, _ in _found(_words(text))), "")


def long_caveats(text: str) -> list[str]:
    """The caveats of more than one word, which may hold words for what is done in a game."""
    return [said for _, said, _ in _found(_words(text)) if " " in said]


def caveats_but(text: str, kind: str) -> bool:
    """Does the text hold such words of another kind than this?"""
    return any(each != kind for each, _, _ in _found(_words(text)))


def conditional(text: str) -> bool:
    """Does the text make something depend on something?"""
    return any(kind == "if" for kind, _, _ in _found(tokens(text[:_LONGEST])))


def is_caveat(text: str) -> bool:
    """Does the text say no more than such words?"""
    return _known().get(_words(text), "harmless") != "harmless"


def takes_back(text: str) -> str:
    """The words of a text beside a fence that may take back what stands in it; "" for none."""
    words = _words(text)
    for kind, said, left in _found(words):
        if kind in _STRONG or len(words) <= _FEW or not left:
            return said
    sentences = map(_words, _BEGINS.split(text[:_LONGEST]))
    return next((" ".join(some) for some in map(_forbidding, sentences) if some), "")


def _forbidding(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with which a sentence tells somebody not to do something; () where it does not:
    "don't worry"."""
    known = phrases("caveats", "forbids")
    said = next((words[:n] for n in range(_LONGEST_PHRASE, 0, -1) if words[:n] in known), ())
    _, _, left = next(_found(words), ("", "", 0))
    return said if len(words) - left <= len(said) else ()


def crossed(text: str) -> bool:
    """Is there a sign in a text that crosses it out or doubts it? Games look through signs."""
    return bool(expression(_SIGN, "caveats").search(text[:_LONGEST]))


def _words(text: str) -> tuple[str, ...]:
    """The words of a text, and the signs among them that say no."""
    said = expression(_SIGN, "caveats").split(text[:_LONGEST])
    return tuple(
        word for n, each in enumerate(said) for word in ((each,) if n % 2 else tokens(each))
    )


def _found(words: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Each caveat: its kind, its words, and how many words are left behind it."""
    known, at = _known(), 0
    while at < len(words):
        for end in range(min(len(words), at + _LONGEST_PHRASE), at, -1):
            phrase = tuple(words[at:end])
            if kind := known.get(phrase):
                if kind != "harmless":
                    yield kind, " ".join(phrase), len(words) - end
                at = end
                break
        else:
            word = words[at]
            bare = (_ELISION.sub("", word, count=1),)
            kind = known.get(bare) or next((k for k, stem in _stems() if stem.match(word)), "")
            if kind not in ("", "harmless"):
                yield kind, word, len(words) - at - 1
            at += 1


@cache
def _known() -> dict[tuple[str, ...], str]:
    """The kind of each phrase; one that is harmless in a language may be none in another."""
    kinds = ("harmless", *_KINDS)
    words = {phrase: kind for kind in kinds for phrase in phrases("caveats", kind)}
    return words | {(sign,): "not" for sign in pieces("sign", "caveats").split("|")}


@cache
def _stems() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Beginnings of words that count whatever their ending, by what they mean."""
    said = ((kind, phrases("caveats", f"{kind} begins")) for kind in _KINDS)
    found = ((kind, "|".join(word for phrase in some for word in phrase)) for kind, some in said)
    return tuple((kind, re.compile(stems)) for kind, stems in found if stems)
