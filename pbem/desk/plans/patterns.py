"""Moves with blanks, as a condition waits for them: which texts fit, and can any?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pbem.core import Move, slots
from pbem.log.match import Match

ANY: Final = "*"
"""What stands for anything."""

_MOST_VALUES: Final = 200


def is_like(move: str, pattern: str) -> bool:
    """Does a move, as everybody reads it, fit a pattern? Upper case counts for nothing."""
    return _is_like(_plain(move), _plain(pattern))


def may_fit(now: Match, kind: type[Move], said: str) -> bool:
    """Can a move of this class be written like this? Each word must be one that it can hold."""
    written = [_plain(text).split() for text in samples(now, kind)]
    wanted = [word for word in _plain(said).split() if ANY not in word]
    if not all(slot.of.values or slot.of.accepts(now.setup.seats[0]) for slot in slots(kind)):
        wanted = wanted[:1]  # its values cannot be listed
    return bool(written) and all(any(word in text for text in written) for word in wanted)


def samples(now: Match, kind: type[Move]) -> Iterator[str]:
    """Moves of a class as everybody reads them, among them one for each value of each field."""
    probes: tuple[Any, ...] = (*now.setup.seats, 1, True, ())
    values = [
        slot.of.values[:_MOST_VALUES] or tuple(filter(slot.of.accepts, probes))
        for slot in slots(kind)
    ]
    if not all(values):
        return
    first = [each[0] for each in values]
    for at, each in enumerate(values or [(None,)]):
        for value in each:
            fields = [*first[:at], value, *first[at + 1 :]] if first else []
            try:
                yield now.game.notate(kind(*fields))
            except (LookupError, ValueError, TypeError):  # these values do not go together
                continue


def _is_like(text: str, pattern: str) -> bool:
    """Does a text fit a pattern in which each `*`, or several, stands for something?

    Word by word from the left, so that no pattern takes long.
    """
    first, *others = re.split(r"\*+", pattern)
    if not others:
        return text == first
    *others, last = others
    at = len(first)
    if not text.startswith(first):
        return False
    for part in others:
        found = text.find(part, at + 1)
        if found < 0:
            return False
        at = found + len(part)
    return text.endswith(last) and len(text) - len(last) > at


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())
