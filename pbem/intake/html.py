"""HTML mail as lines of text, quoted parts marked with `>` as in plain mail.

Cuts at the angle brackets instead of using the standard library's parser, which takes minutes
for a megabyte of brackets that are never closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Final

from pbem.intake import looks
from pbem.intake.submission import MOST_LINES, SIGNATURE, SIGNATURE_ENDS
from pbem.problem import BadFile

_MOST_TAGS: Final = 50_000
_BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5"
    " h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul".split()
)
_DROPPED: Final = frozenset({"script", "style", "title", "template"})
_NESTED: Final = frozenset("div blockquote section pre table td p".split())
_STRUCK: Final = frozenset({"s", "strike", "del"})
_UNSEEN: Final = frozenset(
    "noscript textarea iframe noframes noembed object applet video audio canvas select datalist"
    " progress meter svg math rp".split()
)
_FOLDED: Final = frozenset({"details", "dialog"})  # shown only if they are open
_EMPTY: Final = frozenset("area base br col hr img input link meta wbr".split())
_UNNESTED: Final = frozenset({"p", "li", "td", "th", "tr"})  # each new one closes the one before
_CLOSED_BY: Final = {"td": ("p", "td"), "tr": ("p", "td")}  # what is still open ends there

# Containers of an original that is not in a blockquote. Gmail's div.gmail_quote is not among
# them: answers written between Gmail's quotes stand in it.
_QUOTED: Final = re.compile(
    r"yahoo_quoted|isreplycontent|isforwardcontent|zmail_extra|front-blockquote"
)
# Everything after these is the original: they stand in front of it, not around it.
_QUOTED_FROM: Final = re.compile(
    r"divrplyfwdmsg|appendonsend|mail-editor-reference-message|ms-outlook-mobile-reference-message"
)
# Containers of a signature, as Gmail, Outlook and Thunderbird name them.
_SIGNED: Final = re.compile(
    r"(?<![\w-])(?:x_)*(?:gmail_signature|signature|ms-outlook-mobile-signature|moz-signature)(?![\w-])"
)
# The line that Outlook draws above an original.
_TOP_LINE: Final = re.compile(
    r"border-top:\s?solid\s?(?:windowtext|#[0-9a-f]{6})\s?1(?:\.0)?pt", re.I
)
_PAPER: Final = re.compile(
    r"(?:background(?:-color)?\s?:|bgcolor\s?=)\s?[\"']?(?!#fff|white|transparent|none|inherit)",
    re.I,
)
_TAG: Final = re.compile(r"(/?)([A-Za-z][A-Za-z0-9]{0,20})(?![A-Za-z0-9])")
_COMMENT_END: Final = re.compile(r"\A-?>|--!?>")  # `<!-->` is a whole comment
# A tag up to its ">", what stands in quotation marks in it included; a script as a whole.
_HEAD: Final = re.compile(
    r"<(?:script|style)\b(?:[^<]++|<(?!/(?:script|style)\b))*+"
    r"|</?[a-z](?:[^=<>]++|=\s{0,9}+(?:\"[^\"]*+\"|'[^']*+')?+)*+",
    re.I,
)
_QUOTING: Final = re.compile(r"=\s{0,9}(?:\"[^\"<>]*[<>]|'[^'<>]*[<>])")
_WORD: Final = re.compile(r"[\w-]+")
_SPACE: Final = re.compile(r"\s+")
_DEEPEST: Final = 5  # quote marks written


def to_text(html: str, path: str = "") -> str:
    """The lines of an HTML mail; what is struck out or hidden stands between [s] and [/s].

    Raises Problem for a page with too many tags or lines.
    """
    html = _whole(_without_comments(html))
    first, *pieces = html.split("<")
    if len(pieces) > _MOST_TAGS:
        raise BadFile(
            "the mail's HTML has {tags:,} tags; at most {most:,} are read: send it as plain text",
            path,
            tags=len(pieces),
            most=_MOST_TAGS,
        )
    page = _Reading(html, path, dark=_PAPER.search(html) is not None)
    page.text(first)
    for piece in pieces:
        tag = _TAG.match(piece)
        head, closed, text = piece.partition(">")
        if tag and closed:
            page.tag(tag[2].lower(), head, closes=bool(tag[1]))
            page.text(text)
        elif closed and piece[0] in "!?/":
            page.text(text)
        else:
            page.text(f"<{piece}")
    page.end_line()
    return "\n".join(page.lines)


def _without_comments(html: str) -> str:
    first, *pieces = html.split("<!--")
    ends = [(piece, _COMMENT_END.search(piece)) for piece in pieces]
    return first + "".join(piece[end.end() :] for piece, end in ends if end)


def _whole(html: str) -> str:
    """The same with the brackets within tags escaped: one in quotation marks does not end a tag."""

    def written(head: re.Match[str]) -> str:
        said = head[0][1:]
        if said[:6].lower().startswith(("script", "style")):
            return head[0]
        return "<" + said.replace("<", "&lt;").replace(">", "&gt;")

    return _HEAD.sub(written, html) if _QUOTING.search(html) else html


class _Reading:
    """The lines so far, and what is open."""

    def __init__(self, html: str, path: str, *, dark: bool) -> None:
        self._path = path
        self._sheets = looks.of_sheets(html, dark=dark)
        self._dark = dark
        self.lines: list[str] = []
        self._words: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        self._count = dict.fromkeys(_NESTED, 0)
        self._depth = 0
        self._signed = 0  # how many containers of signatures are open
        self._label = ""  # what shows that one begins or ends, written above the next line
        self._dropping = ""
        self._gone = ""  # the element that is struck out or hidden,
        self._struck = 0  # and how many of its name are open

    def tag(self, name: str, head: str, *, closes: bool) -> None:
        """Take in an opening or a closing tag; `head` is what stands in it."""
        look, names = (looks.Appearance(), ()) if closes else looks.of_tag(head)
        hidden = look.hidden or (look.pale and not self._dark)
        if not closes and not hidden:
            hidden = self._is_hidden(name, head, names)
        self._strike(name, head, hidden=hidden, closes=closes)
        lined = look.lined or not self._sheets.lined.isdisjoint(names)
        self._shape(name, head, " ".join(names), lined=lined, closes=closes)

    def _strike(self, name: str, head: str, *, hidden: bool, closes: bool) -> None:
        """Keep track of the element that is struck out or hidden."""
        if name in _EMPTY or head.endswith("/"):
            return
        if self._struck and (closes or name in _UNNESTED) and name == self._gone:
            self._struck -= 1
        if not closes and self._struck:
            self._struck += name == self._gone
        elif not closes and hidden:
            self._gone, self._struck = name, 1

    def _is_hidden(self, name: str, head: str, names: Iterable[str]) -> bool:
        if name in _STRUCK or name in _UNSEEN:
            return True
        if name in _FOLDED:
            return not re.search(r"\sopen(?=\s|=|$)", head, re.I)
        kinds = self._sheets.kinds
        return not self._sheets.names.isdisjoint(names) or (
            bool(kinds) and not kinds.isdisjoint((name, *_WORD.findall(head.lower())))
        )

    def _shape(self, name: str, head: str, names: str, *, lined: bool, closes: bool) -> None:
        if self._dropping:
            if closes and name == self._dropping:
                self._dropping = ""
        elif name in _DROPPED:
            self._dropping = "" if closes else name
        elif name == "br":
            self.new_line()
        elif name in ("td", "th"):
            self._words.append(" ")
            if name == "td":
                self._enter(name, head, names, lined=lined) if not closes else self._leave(name)
        elif name in _BLOCKS:
            self.end_line()
            if closes:
                self._leave(name)
            else:
                self._enter(name, head, names, lined=lined)

    def text(self, text: str) -> None:
        if self._dropping:
            return
        text = unescape(text)
        if not self._count["pre"]:
            self._write(_SPACE.sub(" ", text))
            return
        first, *rest = text.split("\n")
        self._write(first)
        for line in rest:
            self.new_line()
            self._write(line)

    def _write(self, text: str) -> None:
        self._words.append(f"[s]{text}[/s]" if self._struck and text.strip() else text)

    def end_line(self) -> None:
        """Finish the line, if there is anything in it."""
        if any(word and not word.isspace() for word in self._words):
            self.new_line()
        self._words.clear()

    def new_line(self) -> None:
        """Finish the line, empty or not. Raises Problem if there are too many."""
        if len(self.lines) >= MOST_LINES:
            raise BadFile(
                "at most {most:,} lines of a mail are read; send the order in a mail of its own",
                self._path,
                most=MOST_LINES,
            )
        text = "".join(self._words)
        if not self._count["pre"]:
            text = _SPACE.sub(" ", text).strip()
        if self._label and text and not self._depth:
            self.lines.append(self._label)
            self._label = ""
        self.lines.append("> " * min(self._depth, _DEEPEST) + text)
        self._words.clear()

    def _enter(self, name: str, head: str, names: str, *, lined: bool) -> None:
        if self._open and self._open[-1][0] in _CLOSED_BY.get(name, ("p",)):
            self._leave(self._open[-1][0])
        if _QUOTED_FROM.search(names) or (name == "div" and _TOP_LINE.search(head)):
            self._quote()
        if name in _NESTED:
            quotes = name == "blockquote" or lined or bool(_QUOTED.search(names))
            signs = not self._depth and bool(_SIGNED.search(names)) and any(self.lines)
            self._open.append((name, quotes, signs))
            self._count[name] += 1
            if quotes:
                self._quote()
            if signs:
                self._sign(1)

    def _quote(self) -> None:
        self.end_line()
        self.lines.append("")  # or the line above and the quote would look like one text
        self._depth += 1

    def _sign(self, more: int) -> None:
        self.end_line()
        self._signed += more
        self._label = SIGNATURE if self._signed else SIGNATURE_ENDS

    def _leave(self, name: str) -> None:
        """Close the innermost block of that name, and whatever was left open in it."""
        if not self._count.get(name):
            return
        closed = ""
        while closed != name:
            closed, quotes, signs = self._open.pop()
            self._count[closed] -= 1
            if signs:
                self._sign(-1)
            if quotes:
                self.end_line()
                self._depth -= 1
                self.lines.append("")
