"""Reading words as people write them: case, accents, prefixes, near misses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from pbem.core import HIDDEN, Unreadable, normal
from pbem.sentence import Sentence, say

DENIALS: Final = frozenset(("no", "ei", "ok"))
"""Two-letter words for no and yes: hardly ever meant as a code for two islands."""
_TOKEN = r"[^\W_]+|[^\w\s]|_"
_LONGEST = 200
_SHORT = 3  # letters; in shorter words, a slip leaves too little to go by
_LONG = 7  # letters; words this long can be recognised even with two slips
_MOST_NEAR = 3


class Word(NamedTuple):
    """A word or a sign of an order, folded, and where it stood."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """The place in the original text."""
        return self.start, self.end


@cache
def fold(text: str) -> str:
    """Lower case, without accents: `Brücke` -> brucke."""
    if text.isascii():
        return text.casefold()
    import unicodedata  # a library of its own that few orders need

    plain = normal("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def spelt(listed: Mapping[str, str]) -> dict[str, str]:
    """What each word stands for, folded, from what there is and the words for it."""
    return {fold(word): name for name, words in listed.items() for word in words.split()}


def words(text: str, most: int = _LONGEST) -> list[Word]:
    """The words and signs of an order. Raises Unreadable if there are none, or too much text."""
    if len(text) > most:
        raise Unreadable(
            text[:most],
            "A move has at most {most} characters; this has {size}",
            most=most,
            size=len(text),
        )
    found = [Word(fold(m.group()), m.start(), m.end()) for m in re.finditer(_TOKEN, text)]
    if not found:
        raise Unreadable(text, "There is no move here")
    return found


def parted(word: Word, joined: re.Pattern[str]) -> list[Word]:
    """A word as two, where it is letters and a number that are written as one: `kane5`, `r7`."""
    found = joined.fullmatch(word.text)
    if found is None:
        return [word]
    cut = word.end - len(found[2])
    return [Word(found[1], word.start, cut), Word(found[2], cut, word.end)]


class Reader:
    """One order on its way from words to a pattern: the part that all games share.

    A game's reader says what its moves look like (`examples`), which words stand for which move
    (`verbs`) and which mean nothing (`fillers`), and refuses with `raise self.unreadable(...)`.
    """

    examples: ClassVar[str] = ""
    verbs: ClassVar[Mapping[str, str]] = {}
    fillers: ClassVar[frozenset[str]] = frozenset()
    longest: ClassVar[int] = _LONGEST

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text, self.longest)

    def split(self) -> tuple[str, list[Word]]:
        """Which move this is, by its verb, and what else is said. The verb comes first, or last as
        often in German, or is the only one in between. "" and all the words if there is none, or
        if the order begins with a sign."""
        verbs = {n: verb for n, w in enumerate(self.words) if (verb := self.verbs.get(w.text))}
        telling = [n for n, w in enumerate(self.words) if n in verbs or self.says_something(w)]
        between = [*verbs][:1] if len({*verbs.values()}) == 1 else []
        if not (self.words[0].text.isalnum() or self.says_something(self.words[0])):
            return "", self.words
        for at in (*telling[:1], *telling[-1:], *between):
            if verb := verbs.get(at):
                words = self.words[at + 1 :] if at == telling[0] else self.words
                return verb, [word for word in words if self.verbs.get(word.text) != verb]
        return "", self.words

    def says_something(self, word: Word) -> bool:
        """Is it neither a filler nor a mere sign? A `?` counts: whoever asks gives no order."""
        return word.text == HIDDEN or (word.text not in self.fillers and word.text.isalnum())

    def require_nothing_more(self, words: Iterable[Word]) -> None:
        """Raise Unreadable if any of these words says something."""
        for word in words:
            if self.says_something(word):
                raise self.unreadable("{word!r} means nothing here", word, word=word.text)

    def unreadable(
        self,
        pattern: str,
        /,
        part: Word | tuple[int, int] | None = None,
        advice: Sentence | None = None,
        **values: Any,
    ) -> Unreadable:
        """A refusal of this order: what is wrong, with which part of it (a word, shown with its
        accents, or a span), and a way out (None: examples of moves)."""
        span = part.span if isinstance(part, Word) else part
        if span and "word" in values:
            values["word"] = self.text[slice(*span)].lower()
        advice = advice or say("Moves look like this: {examples}", examples=self.examples)
        return Unreadable(self.text, pattern, span, advice, **values)


def complete(word: str, vocabulary: Iterable[str]) -> str | None:
    """The entry that is the word, or the only one that begins with it, in any case; else None."""
    fits = []
    for entry in vocabulary:
        folded = fold(entry)
        if folded == word:
            return entry
        if folded.startswith(word):
            fits.append(entry)
    return fits[0] if len(fits) == 1 else None


@lru_cache(maxsize=16384)  # each word of an unreadable line is compared with all there are
def near(word: str, other: str) -> bool:
    """May one of these words be the other with a slip of the finger: a letter too many, missing
    or wrong, or two swapped? Long words may have two slips."""
    longest = max(len(word), len(other))
    most = 1 if longest < _LONG else 2
    if abs(len(word) - len(other)) > most or longest < _SHORT:
        return False
    if len({*word} ^ {*other}) > 2 * most:  # each slip leaves at most two letters unpaired
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        earlier, before, row = before, row, [i]
        for j, their in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != their))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == their:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return False
    return row[-1] <= most


def nearest(word: str, vocabulary: Iterable[str]) -> Sentence | None:
    """A sentence that offers what may have been meant; None if nothing is near."""
    close = [entry for entry in vocabulary if near(word, fold(entry))][:_MOST_NEAR]
    return say("Did you mean {near:any}?", near=close) if close else None
