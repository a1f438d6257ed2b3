"""What a line of a mail asks of a club: a verb, and what it is about. Read only where there is one:
in a match, these lines mean something else or nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from pbem.intake.asking import agreement
from pbem.intake.submission import Line, Submission
from pbem.intake.verbs import NO, YES
from pbem.intake.words import by_language, phrases, tokens

CALLED: Final = "called"

_WITH: Final = ("join", "leave", "host", "limit", "avoid", "heed", "standings", CALLED)
_ALONE: Final = ("leave", "limit", "tables", "standings", "rematch", "me", "forget", "stand", "sit")
_LONGEST: Final = 200
_NAME: Final = re.compile(r"[^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}")


class ClubWish(NamedTuple):
    """What a line asks for: a field of `words/club.txt`, YES or NO; and the rest of the line."""

    verb: str
    about: str = ""


def wishes(message: Submission) -> tuple[ClubWish, ...]:
    """What a message asks of a club, line by line; () if any new line of it is about anything else,
    but for a last one that can only be its writer's name."""
    if message.fenced or message.requests or not message.orders:
        return ()
    *others, last = map(_wish, message.orders)
    signed = bool(others) and last is None and _NAME.fullmatch(message.orders[-1].text)
    found = (*others, *(() if signed else (last,)))
    return tuple(each for each in found if each) if all(found) else ()


def _wish(line: Line) -> ClubWish | None:
    text = line.text
    if len(text) > _LONGEST:
        return None
    said, verbs = tokens(text), _verbs()
    if (verb := verbs.get(said)) in _ALONE:
        return ClubWish(str(verb))
    for count in range(min(len(said) - 1, _most()), 0, -1):
        verb = verbs.get(said[:count])
        if verb in _WITH and (rest := _after(text, said[:count])):
            return ClubWish(str(verb), rest)
    meant = agreement([line])
    return ClubWish(meant) if meant in (YES, NO) else None


def language(message: Submission) -> str:
    """The only language in which all lines are that ask something of a club; "" if there are
    several, and for English, in which everybody is told how to ask."""
    spoken = [each for each in map(_languages, message.orders) if each]
    common = frozenset.intersection(*spoken) if spoken else frozenset()
    return next(iter(common)) if len(common) == 1 and common != {"en"} else ""


def _languages(line: Line) -> frozenset[str]:
    said = tokens(line.text)
    begins = {said[:count] for count in range(1, _most() + 1)}
    return frozenset(name for name, known in by_language("club").items() if begins & known)


def _after(text: str, words: tuple[str, ...]) -> str:
    """What follows these words in a text; "" if it does not begin with them as they stand."""
    parts = text.split(None, len(words))
    if tokens(" ".join(parts[: len(words)])) != words or len(parts) <= len(words):
        return ""
    return parts[-1].strip(" .!")


@cache
def _verbs() -> dict[tuple[str, ...], str]:
    fields = {*_WITH, *_ALONE}
    return {phrase: field for field in fields for phrase in phrases("club", field)}


@cache
def _most() -> int:
    return max(len(phrase) for each in by_language("club").values() for phrase in each)
