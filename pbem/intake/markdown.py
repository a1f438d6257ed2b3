"""Which lines of a Markdown post stand in a quote, by the parser that forums use themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LONGEST: Final = 200_000  # characters; of a longer text only the marks are looked at
_MARKED: Final = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*>")


def quoted(lines: Sequence[str]) -> list[str]:
    """For each line: "quote" if it has the mark, even in a list; "doubt" if it has none but is
    shown as quoted all the same, as it goes on with the paragraph above; else ""."""
    found = ["quote" if _MARKED.match(line) else "" for line in lines]
    text = "\n".join(lines)
    if ">" not in text or len(text) > _LONGEST:
        return found
    for token in _parser().parse(text):
        if token.type == "blockquote_open" and token.map:
            for i in range(*token.map):
                if lines[i].strip():
                    found[i] = found[i] or "doubt"
    return found


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")
