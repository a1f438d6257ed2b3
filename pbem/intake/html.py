"""HTML mail as lines of text, quoted parts marked with `>` as in plain mail."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5"
    " h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul".split()
)
_DROPPED: Final = frozenset({"script", "style", "title"})
_NESTED: Final = frozenset({"div", "blockquote", "section", "pre"})

# Containers of an original that is not in a blockquote. Gmail's div.gmail_quote is not among
# them: answers written between Gmail's quotes stand in it.
_QUOTED: Final = re.compile(r"yahoo_quoted|isreplycontent|isforwardcontent|zmail_extra|reply-intro")
# Everything after these is the original: they stand in front of it, not around it.
_QUOTED_FROM: Final = re.compile(
    r"divrplyfwdmsg|appendonsend|mail-editor-reference-message|ms-outlook-mobile-reference-message"
)
_SPACE: Final = re.compile(r"\s+")
_DEEPEST: Final = 5  # quote marks written; a bound, or nesting makes the text quadratic


def to_text(html: str) -> str:
    """The lines of an HTML mail. Raises AssertionError where the standard parser does."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_line()
    return "\n".join(reader.lines)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._words: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._count = dict.fromkeys(_NESTED, 0)
        self._depth = 0
        self._dropping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropping += 1
        elif tag == "br":
            self.new_line()
        elif tag in ("td", "th"):
            self._words.append(" ")
        elif tag in _BLOCKS:
            self.end_line()
            names = " ".join(v for k, v in attrs if k in ("id", "class") and v).lower()
            if _QUOTED_FROM.search(names):
                self._depth += 1
                self.new_line()
            if tag in _NESTED:
                self._enter(tag, tag == "blockquote" or bool(_QUOTED.search(names)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.new_line()
        elif tag in _BLOCKS:
            self.end_line()

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropping = max(0, self._dropping - 1)
        elif tag in _BLOCKS:
            self.end_line()
            if tag in _NESTED and self._count[tag]:
                self._leave(tag)

    def handle_data(self, data: str) -> None:
        if self._dropping:
            return
        if not self._count["pre"]:
            self._words.append(_SPACE.sub(" ", data))
            return
        first, *rest = data.split("\n")
        self._words.append(first)
        for line in rest:
            self.new_line()
            self._words.append(line)

    def end_line(self) -> None:
        """Finish the line, if there is anything in it."""
        if any(word and not word.isspace() for word in self._words):
            self.new_line()
        self._words.clear()

    def new_line(self) -> None:
        """Finish the line, empty or not."""
        text = "".join(self._words)
        if not self._count["pre"]:
            text = _SPACE.sub(" ", text).strip()
        self.lines.append("> " * min(self._depth, _DEEPEST) + text)
        self._words.clear()

    def _enter(self, tag: str, quotes: bool) -> None:
        self._open.append((tag, quotes))
        self._count[tag] += 1
        if quotes:
            self.lines.append("")  # or the line above and the quote would look like one text
            self._depth += 1

    def _leave(self, tag: str) -> None:
        """Close the innermost `tag`, and whatever was left open in it."""
        closed = ""
        while closed != tag:
            closed, quotes = self._open.pop()
            self._count[closed] -= 1
            if quotes:
                self._depth -= 1
                self.lines.append("")
