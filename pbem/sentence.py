"""Sentences as data: a whole pattern with named blanks, and what goes into them.

A sentence becomes text when it is written: only then is it known who reads it, what the players
are called and, one day, in which language. So patterns are never glued together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

Names = Mapping[str, str]
"""What each seat is called."""

NO_NAMES: Final[Names] = MappingProxyType({})
"""Seats are called what they are."""


class Counted(NamedTuple):
    """The two patterns of a sentence with a number, its value `n`: for one, and for any other."""

    one: str
    many: str


class Sentence(NamedTuple):
    """A pattern and its values.

    A blank is `{line}`, or says what its value is: `{owner:seat}` is a seat, written as its
    player's name, `{others:seats}` several; `{cards:all}` is written "A, B and C", `{cards:any}`
    "A, B or C". A value may be a sentence itself; `{matches:lines}` are many, one below the other,
    and `{answers:paragraphs}` have an empty line in between.
    """

    pattern: str | Counted
    values: Mapping[str, Any] = MappingProxyType({})

    def text(self, names: Names = NO_NAMES) -> str:
        """The sentence in words, with these names for seats."""
        pattern = self.pattern
        if isinstance(pattern, Counted):
            pattern = pattern.one if self.values["n"] == 1 else pattern.many
        if "{" not in pattern:
            return pattern
        return str(_writer()(names).vformat(pattern, (), self.values))

    def __str__(self) -> str:
        return self.text()


def say(pattern: str | Counted, /, **values: Any) -> Sentence:
    """A sentence of this pattern with these values."""
    return Sentence(pattern, values)


def listed(words: Iterable[object], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    *first, end = [str(word) for word in words] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


@cache
def _writer() -> Any:
    import string  # only when something is written

    class Writer(string.Formatter):
        def __init__(self, names: Names) -> None:
            self.names = names

        def format_field(self, value: Any, spec: str) -> str:
            names = self.names
            match spec:
                case "seat":
                    return str(names.get(value, value))
                case "seats":
                    return listed(names.get(seat, seat) for seat in value)
                case "all":
                    return listed(value)
                case "any":
                    return listed(value, "or")
                case "lines" | "paragraphs":
                    between = "\n" if spec == "lines" else "\n\n"
                    return between.join(each.text(names) for each in value)
            # A sentence, or a refusal that holds one.
            return str(value.text(names)) if hasattr(value, "text") else format(value, spec)

    return Writer
