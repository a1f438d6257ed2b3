"""What is wrong with a game: where, and what would be right."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from pbem import views
from pbem.play import patience
from pbem.play.guest import place_of
from pbem.problem import Problem
from pbem.sentence import Sentence, say
from pbem.testing.random_matches import Stuck

F = TypeVar("F")
CRASH: Final = "crash"
"""The law that a game breaks which falls over."""


class Finding(NamedTuple):
    """One fault of a game: the file with its line or function, what is wrong there; where it came
    up in a match, the Python that plays it again; and the law it breaks, or CRASH."""

    place: str
    says: Sentence
    again: str = ""
    law: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.says}"


def at(place: str, pattern: str, /, **values: Any) -> Finding:
    """A finding at a place."""
    return Finding(place, say(pattern, **values))


def of(game: Any, name: str, pattern: str, /, **values: Any) -> Finding:
    """A finding in a function or at a constant of a game."""
    return at(where(game, name), pattern, **values)


def where(game: Any, name: str) -> str:
    """The place of a function of a game: `nerve/__init__.py:59, check`; of a constant, its file."""
    found = getattr(game, name, None)
    path, line = place_of(inspect.unwrap(found)) if callable(found) else ("", 0)
    if path == views.__file__:  # it follows from what the game declares
        path, line = "", 0
    path = path or str(getattr(game, "__file__", None) or game.NAME)
    return f"{short(path)}:{line}, {name}" if line else f"{short(path)}, {name}"


def short(path: str) -> str:
    """The last parts of a path: enough to know the file by."""
    return os.sep.join(path.split(os.sep)[-3:])


def attempt(
    game: Any, name: str, act: Callable[[], Iterator[F]], again: str = ""
) -> Iterator[F | Finding]:
    """What an act finds. If it falls over, that is a finding, too; a match that is Stuck while it
    is looked at `again` ends the whole law."""
    try:
        with patience.many_calls():
            yield from act()
    except Problem as problem:
        place = ":".join(str(part) for part in (short(problem.path), problem.line) if part)
        yield Finding(place or where(game, name), problem.sentence, law=CRASH)
    except Stuck as stuck:
        if again:
            raise
        yield Finding(where(game, stuck.function), stuck.sentence)
    except Exception as error:  # whatever a game does, its author is to read about it
        says = say("{kind}: {error!s}", kind=type(error).__name__, error=error)
        yield Finding(where(game, name), says, law=CRASH)
