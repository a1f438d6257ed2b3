"""What mail programs and people write around an order, language by language.

The words stand in the text files beside this one, whose heads say what each field is; a row in one
of them is all it takes to add a language.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, product
from typing import Final, NamedTuple

from pbem.core import normal

_FOLDER: Final = os.path.dirname(os.path.abspath(__file__))
_FIELD: Final = re.compile(r"(?<!\?P)<(\w+)>")  # not the name of a group
_SIGNS: Final = re.compile(r"[^\w'|]+|_")


def pieces(field: str, file: str = "programs") -> str:
    """One field of every language as alternatives of a regular expression, the longest first."""
    found = {piece for row in _rows(file, field) for piece in _split(row)}
    return "|".join(sorted(found, key=lambda piece: (-len(piece), piece)))


@cache
def expression(pattern: str, file: str = "programs") -> re.Pattern[str]:
    """A regular expression in which `<field>` is what `pieces` gives, compiled on first use."""
    said = _FIELD.sub(lambda field: f"(?:{pieces(field[1], file)})", pattern)
    return re.compile(said, re.IGNORECASE | re.DOTALL)


@cache
def beginnings(field: str) -> frozenset[str]:
    """The first two letters of all that `pieces` gives: a quick look before a long one."""
    return frozenset(piece[:2] for row in _rows("programs", field) for piece in _split(row))


@cache
def phrases(file: str, *names: str) -> frozenset[tuple[str, ...]]:
    """Some fields of every language as phrases, each the words that `tokens` would make of it."""
    return _phrases(row for name in names for row in _rows(file, name))


@cache
def by_language(file: str, *names: str) -> dict[str, frozenset[tuple[str, ...]]]:
    """The same for each language by itself; all fields if none is named."""
    rows: dict[str, list[str]] = {}
    for language, name, value in _file(file):
        rows.setdefault(language, []).extend([value] if name in (names or [name]) else [])
    return {language: _phrases(values) for language, values in rows.items()}


def _phrases(rows: Iterable[str]) -> frozenset[tuple[str, ...]]:
    said = _SIGNS.sub(" ", _folded("|".join(rows))).split("|")
    return frozenset(tuple(each.split()) for each in said)


class Lexicon(NamedTuple):
    """Phrases by what they mean, and for each first word the length of the longest, in words."""

    kinds: dict[tuple[str, ...], str]
    longest: dict[str, int]

    @classmethod
    def of(cls, kinds: dict[tuple[str, ...], str]) -> Lexicon:
        longest: dict[str, int] = {}
        for phrase in kinds:
            for word in phrase[:1]:
                longest[word] = max(len(phrase), longest.get(word, 0))
        return cls(kinds, longest)

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Where each known phrase of a text begins and ends, the longest that fits, and what it
        means; and each word in between, which means ""."""
        words, at = tuple(words), 0
        while at < len(words):
            ends = range(min(len(words), at + self.longest.get(words[at], 1)), at, -1)
            end = next((end for end in ends if words[at:end] in self.kinds), at + 1)
            yield at, end, self.kinds.get(words[at:end], "")
            at = end


@cache
def lexicon(file: str, *names: str) -> Lexicon:
    """Some fields of every language as phrases that mean their field; of several the last named."""
    return Lexicon.of({phrase: name for name in names for phrase in phrases(file, name)})


@cache
def fields(file: str) -> frozenset[str]:
    """The names of the fields of a file."""
    return frozenset(name for _, name, _ in _file(file))


@cache
def deeds() -> frozenset[str]:
    """The fields of the verbs that say what is done, or with what."""
    return fields("verbs") - {"between", "you", "yours", "told", "card", "ending", "apart"}


def begun(words: Sequence[str], known: Collection[tuple[str, ...]], most: int = 8) -> int:
    """How many words at the beginning of a text are one of these phrases: as many as fit."""
    sizes = range(min(most, len(words)), 0, -1)
    return next((size for size in sizes if tuple(words[:size]) in known), 0)


@lru_cache(maxsize=1024)  # each question about a line asks it
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared: without case, accents and punctuation."""
    return tuple(_SIGNS.sub(" ", _folded(text)).replace("|", " ").split())


def _folded(text: str) -> str:
    text = text.casefold()
    if text.isascii():
        return text
    return normal("NFKD", text).translate(_MARKS)


class _Marks(dict[int, int | None]):
    """What becomes of each character when marks are dropped, worked out when it is first met."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_MARKS: Final = _Marks()


def _rows(file: str, field: str) -> Iterator[str]:
    """What each language has for a field."""
    return (value for _, name, value in _file(file) if name == field)


@cache
def _file(name: str) -> tuple[tuple[str, str, str], ...]:
    """A file's fields, each with its language and its value, in order."""
    with open(os.path.join(_FOLDER, f"{name}.txt"), encoding="utf-8") as file:
        lines = [line.rstrip() for line in file if line.strip() and line[0] != "#"]
    rows: list[tuple[str, str, str]] = []
    language = ""
    for line in lines:
        if line[0] == "[":
            language = line.strip("[]")
        elif line[0] == " ":
            field, value = rows[-1][1:]
            rows[-1] = (language, field, f"{value} {line.strip()}")
        else:
            field, _, value = line.partition(":")
            rows.append((language, field, value.strip()))
    if name == "programs":  # of regular expressions
        return tuple(rows)
    return tuple((*row[:2], "|".join(chain(*map(_spelled, _split(row[2]))))) for row in rows)


def _spelled(phrase: str) -> Iterator[str]:
    """A phrase with alternatives as several: "tak(e|es)" is take and takes."""
    return map("".join, product(*(part.split("|") for part in re.split(r"[()]", phrase))))


def _split(alternatives: str) -> list[str]:
    """Split at the bars that are not in brackets."""
    found, depth = [""], 0
    for char in alternatives:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return [piece.strip() for piece in found if piece.strip()]
