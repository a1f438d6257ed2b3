"""What goes wrong other than a move: where, what is there, and a way out."""

from __future__ import annotations

from copy import copy
from os.path import basename
from typing import Any, Self

from pbem.sentence import NO_NAMES, Names, say


class Problem(Exception):
    """Something other than a move is wrong: where, what is there, and a way out.

    Its kinds, each with an exit code of the command line:

    * Usage: a request that makes no sense
    * NotNow: a ruling or a command that the match does not allow now
    * BadFile: a file, mail or key that is not as it should be
    * NoFile: a file that cannot be read
    * CannotMake, CannotWrite: a file or folder that cannot be made, or cannot be written in full
    * NotTold: the log was written, but something after that failed
    * Busy: somebody else is writing, or a server cannot be reached now
    * Denied: the wrong sender, or the wrong key
    * Faulty: a package that brings a game does not keep to the seam
    """

    def __init__(
        self, pattern: str, /, path: str = "", line: int = 0, column: int = 0, **values: Any
    ) -> None:
        super().__init__(pattern)
        self.sentence = say(pattern, **values)
        self.path, self.line, self.column = path, line, column

    @property
    def message(self) -> str:
        """What is wrong, in a sentence with the actual values."""
        return self.sentence.text()

    def text(self, names: Names = NO_NAMES) -> str:
        """What is wrong and where, with these names for seats."""
        place = ":".join([self.path, *(str(n) for n in (self.line, self.column) if n)])
        said = self.sentence.text(names)
        return f"{place}: {said}" if self.path else said

    def __str__(self) -> str:
        return self.text()

    def at(self, path: str, line: int = 0, column: int = 0) -> Self:
        """The same problem at another place."""
        moved = copy(self)
        moved.path, moved.line, moved.column = path, line, column
        return moved


class Usage(Problem):
    """A request that makes no sense: an unknown option, game or seat."""


class NotNow(Problem):
    """A ruling, or a command, that cannot be given as the match stands."""


class BadFile(Problem):
    """A log, mail or key file that is not as it should be."""


class EmptyMail(BadFile):
    """A mail in which nothing stands, but maybe in its subject."""


class NoFile(Problem):
    """A file that is not there or cannot be read."""


class CannotMake(Problem):
    """A file or folder that cannot be made."""


class CannotWrite(Problem):
    """A file that could not be written in full."""


class NotTold(Problem):
    """The log was written, but something after that failed: it says what to print again."""


class Busy(Problem):
    """Somebody else is writing, or a server cannot be reached: try again."""


class Denied(Problem):
    """The wrong sender, or the wrong key."""


class Faulty(Problem):
    """A package that brings a game does not keep to the seam: its author has to mend it."""


class Mistake(Problem):
    """A mistake of the program's own."""


def problem_of(error: Exception, path: str = "") -> Problem:
    """An error as a Problem. A mistake of the program's own says which, and where, but not what
    the program was working on: that may be a hand."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, OSError):
        return CannotWrite("{error}", path, error=error.strerror or error)
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[-3:]
    return Mistake(
        "pbem itself made a mistake, please report it: {kind} at {places:all}",
        kind=type(error).__name__,
        places=[f"{basename(frame.filename)}:{frame.lineno}" for frame in frames],
    )
