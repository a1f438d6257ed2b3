"""Reading words as people write them: case, accents, prefixes, near misses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from pbem.core import Unreadable
from pbem.sentence import Sentence, say

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST = 200


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
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def words(text: str) -> list[Word]:
    """The words and signs of an order. Raises Unreadable if it is no order at all."""
    if len(text) > _LONGEST:
        raise Unreadable(
            text[:_LONGEST],
            "a move has at most {longest} characters, this has {text}",
            longest=_LONGEST,
            text=len(text),
        )
    found = [Word(fold(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    if not found:
        raise Unreadable(text, "there is no move here")
    return found


def complete(word: str, vocabulary: Iterable[str]) -> str | None:
    """The one entry (in any case) that is the word or begins with it; None if none or several."""
    fits = []
    for entry in vocabulary:
        folded = fold(entry)
        if folded == word:
            return entry
        if folded.startswith(word):
            fits.append(entry)
    return fits[0] if len(fits) == 1 else None


def nearest(word: str, vocabulary: Iterable[str]) -> Sentence | None:
    """A sentence that offers what may have been meant; None if nothing is near."""
    from difflib import get_close_matches

    known = {fold(entry): entry for entry in vocabulary}
    close = get_close_matches(word, known, n=3, cutoff=0.6)
    return say("Did you mean {near:any}?", near=[known[c] for c in close]) if close else None
