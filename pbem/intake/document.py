"""A message while it is taken apart: its lines, each with a label that says why it is not new.

One pass after the other takes something off the page or labels what it knows; what the message says
is picked by labels in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pbem.intake.submission import MOST_LINES, Ignored, Line, Request
from pbem.problem import BadFile

NEW: Final = ("", "doubt")
"""The labels of lines that are not known to be old."""


class Fence(NamedTuple):
    """What stands between an opening, in line `line`, and its closing."""

    line: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Document:
    """A message, from the file at `path`.

    lines     those that are left, without what was taken off the page
    labels    for each, why it is not new; "" if it is
    ignored   what was taken off, and why
    requests  what was taken off because it asks the desk for something
    fences    the blocks that were taken off
    first     the number of the first line that is new; 0 if none is
    """

    path: str
    lines: Sequence[Line]
    labels: Sequence[str]
    ignored: tuple[Ignored, ...] = ()
    requests: tuple[Request, ...] = ()
    fences: tuple[Fence, ...] = ()
    first: int = 0

    @staticmethod
    def of(text: str, path: str) -> Document:
        """A text in which nothing is labelled yet. Raises Problem for too many lines."""
        lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
        if lines[1:] and not lines[-1].text:  # behind the last line break is no line
            lines.pop()
        if len(lines) > MOST_LINES:
            raise BadFile(
                "{source:,} lines long; at most {most:,} are read: send the order in a message of "
                "its own",
                path,
                source=len(lines),
                most=MOST_LINES,
            )
        return Document(path, lines, [""] * len(lines))

    def pick(self, *labels: str) -> list[Line]:
        """The lines with one of these labels; the new ones if none is named."""
        wanted = labels or NEW
        return [
            line for line, label in zip(self.lines, self.labels, strict=True) if label in wanted
        ]

    def labelled(self, labels: Sequence[str]) -> Document:
        """The same with other labels."""
        return replace(self, labels=labels)

    def without(
        self, lines: Sequence[Line], ignored: Iterable[Ignored] = (), **taken: Any
    ) -> Document:
        """The same with what is left of each line, when something was taken off the page."""
        return replace(self, lines=lines, ignored=(*self.ignored, *ignored), **taken)
