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
    """Does a move, as everybody reads it, fit a pattern in which each `*`, or several, stands for
    something? Upper case counts for nothing.

    Each word is looked for once, from the left, so that no pattern takes long.
    """
    said, *others = map(re.escape, re.split(r"\*+", _plain(pattern)))
    if others:
        *others, last = others
        said += "".join(f"(?>.+?{part})" for part in others) + f".+{last}"
    return re.fullmatch(said, _plain(move), re.DOTALL) is not None


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


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())
