"""The structure of a mail, parts within parts, taken apart within bounds.

The bounds hold while the standard library works, not only afterwards: ten thousand parts are
counted, not read.
"""

from __future__ import annotations

import re
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from functools import lru_cache
from typing import Any, Final, cast

from pbem.intake.rawmail import MOST_HEADERS, RawMail
from pbem.intake.text import readable
from pbem.problem import BadFile

MOST_LINES: Final = 500_000
MOST_PARTS: Final = 100
DEEPEST: Final = 10
"""How deep parts may lie in parts."""

LONGEST_HEADER: Final = 8192
"""The longest that is taken apart, in bytes: the standard library needs quadratic time for some."""

MOST_TAKEN_APART: Final = 65_536
"""The most bytes of headers taken apart, all together."""

_TAKEN_APART: Final = re.compile(
    rb"\n(From|Subject|Content-[a-z-]{1,40}):[^\n]*(?:\n[ \t][^\n]*)*", re.I
)


_KINDS: Final = HeaderRegistry()


class _Remembered(HeaderRegistry):
    """Takes no header apart that it remembers: mail after mail has the same From, part after part
    the same Content-Type."""

    def __call__(self, name: str, value: Any) -> Any:
        kept = len(value) <= LONGEST_HEADER
        return (_taken_apart if kept else _taken_apart.__wrapped__)(name, value)


@lru_cache(maxsize=256)
def _taken_apart(name: str, value: str) -> Any:
    return _KINDS(name, readable(value))


_POLICY: Final = default.clone(header_factory=_Remembered())


class _Bounds:
    """What a mail has had so far, and how much of it is allowed."""

    def __init__(self, path: str) -> None:
        self.path, self.parts, self.headers = path, 0, 0

    def require(self, within: bool, pattern: str, most: int) -> None:
        """Raises BadFile unless this is within a bound."""
        if not within:
            raise BadFile(pattern, self.path, most=most)


class _Part(EmailMessage):
    """A part that counts itself, and takes each header apart only once."""

    def __init__(self, bounds: _Bounds) -> None:
        super().__init__(_POLICY)
        self.bounds, self.depth = bounds, 0
        self._parsed: dict[str, Any] = {}
        bounds.parts += 1
        # Besides its parts there are the mail itself, and one that the library tries out first.
        bounds.require(
            bounds.parts <= MOST_PARTS + 2,
            "at most {most:,} parts of a mail are read; send the order in a mail of its own",
            MOST_PARTS,
        )

    def set_raw(self, name: str, value: str) -> None:
        """Keep a header that has been read, and count it."""
        self.bounds.headers += 1
        self.bounds.require(
            self.bounds.headers <= MOST_HEADERS,
            "at most {most:,} headers of a mail are read; send the order in a mail of its own",
            MOST_HEADERS,
        )
        super().set_raw(name, value)

    def attach(self, payload: Any) -> None:
        """Take in a part that begins inside this one."""
        payload.depth = self.depth + 1
        self.bounds.require(
            payload.depth <= DEEPEST,
            "parts of a mail are read at most {most:,} deep; send the order in a mail of its own",
            DEEPEST,
        )
        super().attach(payload)

    def get(self, name: str, failobj: Any = None) -> Any:
        """A header taken apart."""
        if name not in self._parsed:
            self._parsed[name] = super().get(name)
        found = self._parsed[name]
        return failobj if found is None else found


def parts(mail: RawMail, path: str) -> EmailMessage:
    """The parts of a mail. Raises Problem if there are too many, or they lie too deep, or headers
    are too long; also raises whatever the standard library trips over."""
    bounds, source = _Bounds(path), mail.plain
    bounds.require(
        source.count(b"\n") <= MOST_LINES,
        "at most {most:,} lines of a mail are read; send the order in a mail of its own",
        MOST_LINES,
    )
    taken_apart = 0
    for header in _TAKEN_APART.finditer(b"\n" + source):
        size = len(header[0]) - 1  # the line end is that of the line above
        taken_apart += size
        if size > LONGEST_HEADER:
            raise BadFile(
                "a header {name} is {size:,} bytes long; at most {most:,} are read",
                path,
                source.count(b"\n", 0, header.start()) + 1,
                name=header[1].decode("ascii"),
                size=size,
                most=LONGEST_HEADER,
            )
    bounds.require(
        taken_apart <= MOST_TAKEN_APART,
        "at most {most:,} bytes of headers about the parts of a mail are read; send the order in "
        "a mail of its own",
        MOST_TAKEN_APART,
    )

    def part(policy: Any) -> _Part:
        return _Part(bounds)

    parser: BytesParser[Any] = BytesParser(cast(Any, part), policy=_POLICY)
    return cast(EmailMessage, parser.parsebytes(source))
