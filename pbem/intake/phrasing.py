"""How people put a move into words that no game needs to know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pbem.intake.caveats import caveat
from pbem.intake.words import deeds, phrases, tokens

_WORD: Final = re.compile(r"[^\W_]+(?:['][^\W_]+)*")
_GRIN: Final = re.compile(r"(?<=\s)[:=][DPp]$")
_COMMA: Final = re.compile(r"\s*[,;](?!\d)\s*|\.\s+|\s+[&/+]\s+|(?<=\w)\s+-+\s+(?=\w)")
_SPELT: Final = re.compile(r"(?<!\w)[A-Z](?: [A-Z]){2,20}(?!\w)")
_DASH: Final = re.compile(r"\s(?:dash|hyphen|minus)\s", re.I)
_STOP: Final = re.compile(r"\s(?:period|full stop)(?=\s|$)", re.I)
_LONGEST_PHRASE: Final = 6  # words
_PARTS: Final = 12


def plainer(text: str) -> str:
    """A line without the "then", "please" or "I'd like to" before or after the move, and
    without a smiley at its end that could also name an island."""
    known = phrases("courtesies", "polite", "then")
    trimmed = _GRIN.sub("", text).strip().rstrip(" .!,")
    while (shorter := _without_first(trimmed, known)) != trimmed:
        trimmed = shorter
    while (shorter := _without_last(trimmed, known)) != trimmed:
        trimmed = shorter
    return trimmed or text


def spelt(text: str) -> str:
    """A line as it was dictated: "K A H U dash L A L E" is KAHU-LALE, "draw period" is "draw."."""
    joined = _SPELT.sub(lambda word: word[0].replace(" ", ""), text)
    return _STOP.sub(".", _DASH.sub("-", joined))


def pieces(text: str) -> Iterator[list[str]]:
    """The ways to split a line that may say several moves: at the commas, at "then" and "and"."""
    for mark in (_COMMA, _joint(), _either()):
        parted = [piece.strip() for piece in mark.split(text) if piece and piece.strip(" .!,")]
        if 1 < len(parted) <= _PARTS:
            yield parted


def begins_later(text: str) -> str:
    """The word at the head of an order that may mean "later" as well as "then": "después"; "" if
    there is none, or if another "then" follows."""
    polite, known = phrases("courtesies", "polite"), phrases("courtesies", "then")
    said = [word for word in tokens(text) if (word,) not in polite]
    if not said or [(word,) in known for word in said] != [True] + [False] * (len(said) - 1):
        return ""
    return caveat(said[0])


def hangs(text: str) -> bool:
    """Does a text end with a word that joins one thing to another, but may also mean "later":
    "nach"? Not if it belongs to a verb: "ziehe vom Stapel nach"."""
    said = tokens(text)
    done = phrases("verbs", *deeds())
    joins = said[-1:] in phrases("verbs", "between") and caveat(text.split()[-1]) != ""
    return joins and all(said[-size:] not in done for size in range(1, _LONGEST_PHRASE))


def _without_first(text: str, known: frozenset[tuple[str, ...]]) -> str:
    words = list(_WORD.finditer(text))[: _LONGEST_PHRASE + 1]
    for count in range(min(_LONGEST_PHRASE, len(words) - 1), 0, -1):
        said, rest = text[: words[count - 1].end()], text[words[count].start() :]
        # "A-E" and "E A" name something; "I take", "e pesco" begin with a word.
        letter = len(said) == 1 and (text[1:2] != " " or len(words[count][0]) == 1)
        if tokens(said) in known and not letter:
            return rest
    return text


def _without_last(text: str, known: frozenset[tuple[str, ...]]) -> str:
    words = list(_WORD.finditer(text))[-_LONGEST_PHRASE - 1 :]
    for count in range(min(_LONGEST_PHRASE, len(words) - 1), 0, -1):
        said = text[words[-count].start() :]
        # A lone letter names something; after a move, "después" means later.
        if len(said) > 1 and tokens(said) in known and not caveat(said):
            return text[: words[-count - 1].end()]
    return text


@cache
def _joint() -> re.Pattern[str]:
    """What joins two moves: "then", "and", also after a comma."""
    said = sorted({" ".join(phrase) for phrase in phrases("courtesies", "then")}, key=len)
    either = "|".join(re.escape(phrase) for phrase in reversed(said))
    return re.compile(rf"\s*[,;.]?\s+(?:{either})\s+", re.I)


@cache
def _either() -> re.Pattern[str]:
    return re.compile(f"{_joint().pattern}|{_COMMA.pattern}", re.I)
