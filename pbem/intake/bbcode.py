"""Forum markup: takes out what is quoted or struck out, and the tags that only change looks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pbem.intake.document import Document
from pbem.intake.quotes import is_marked
from pbem.intake.submission import Ignored, Line
from pbem.problem import BadFile

# No bracket in an argument, and no backtracking into it: a line of a million brackets is read in
# one pass.
_ARGUMENT: Final = r'(?:[=:\s](?:"[^"\n]{0,120}"|[^\[\]"\n]{1,120}+){0,8}+)?+'
TAG: Final = re.compile(
    r"\[(?=[/cdmqs])"  # a quick look: what begins no tag is soon passed
    rf"(/?)(quote|q|code|c|move|strike|del|s)(?::\w{{1,16}}|{_ARGUMENT})\]"
    r"|<(?=[/bds])(/?)(blockquote|strike|del|s)(?:\s[^<>\n]{0,200}+)?>",
    re.I,
)
_MOST_TAGS: Final = 20_000
QUOTES: Final = ("quote", "q", "blockquote")
_STRUCK: Final = ("s", "strike", "del")
_LOOKS: Final = re.compile(
    r"\[/?(?:b|i|u|c|o|code|icode|tt|mono|pre|size|colou?r|bgcolor|font|center|left|right"
    r"|justify|indent|spoiler|hide|heading|list|\*|li|url|email)(?:=[^\[\]\n]{0,120}+)?\]",
    re.I,
)
# From one mark to the next in a paragraph; neither stands alone on its line.
_TILDES: Final = re.compile(r"(?<!~)~~(?![^\S\n]*\n)((?:[^~\n]|\n(?!\s*\n|~))++)~~(?!~)")

_COMMENT: Final = re.compile(r"<!--(.*?)-->", re.S)


class _Tag(NamedTuple):
    """A tag that says what the text in it is: quoted, struck out, or no markup at all."""

    name: str
    closes: bool
    start: int
    end: int
    text: str


def plain(text: str) -> str:
    """A line without the tags that only change looks; quote tags stay, so that they are seen."""
    return _LOOKS.sub("", text)


def unquote(page: Document) -> Document:
    """The page without what stands in [quote], [q] or <blockquote>, is struck out or is a comment.

    Nothing in [code], [c] or [move] is a quote. Raises Problem for a quote that is never closed,
    or closed without having been opened.
    """
    lines, comments = _without(page.lines, _COMMENT, "-->")
    lines, struck = _without(lines, _TILDES, "~~")
    ignored = [*struck, *comments]
    found, kept = _tags(lines, page.path), list[Line]()
    # Where each tag is closed for the last time: one that opens after that is no markup.
    closes = ((line, tag) for line, tags in zip(lines, found, strict=True) for tag in tags)
    closings = {tag.name: (line.number, tag.start) for line, tag in closes if tag.closes}
    marks = _Marks(page.path, closings)
    for line, tags in zip(lines, found, strict=True):
        if is_marked(line.text):
            kept.append(line)
            continue
        texts = marks.parted(line, tags)
        kept.append(Line(line.number, " ".join(texts[""])))
        for why in ("quote", "struck out"):
            if text := " ".join(texts[why]).strip():
                ignored.append(Ignored(why, line.number, text))
    if marks.opened:
        raise BadFile(
            "a [quote] is opened here and never closed, so it cannot be told where the new text"
            " begins: close it with [/quote]",
            page.path,
            marks.opened[-1],
        )
    return page.without(kept, ignored)


@dataclass
class _Marks:
    """What is quoted or struck out as one line after the other goes by: in which lines quotes were
    `opened`, the tag that has `struck` out what follows, and the `opaque` one in which nothing is
    markup. `closings` are where each tag is closed for the last time."""

    path: str
    closings: Mapping[str, tuple[int, int]]
    opened: list[int] = field(default_factory=list)
    struck: str = ""
    opaque: str = ""

    @property
    def _why(self) -> str:
        return "quote" if self.opened else "struck out" if self.struck else ""

    def parted(self, line: Line, tags: Iterable[_Tag]) -> dict[str, list[str]]:
        """The texts of a line between its tags, by why they are left out."""
        texts: dict[str, list[str]] = {"": [], "quote": [], "struck out": []}
        at = 0
        for tag in tags:
            why = self._why
            if self._is_markup(line, tag):
                texts[why].append(line.text[at : tag.start])
                at = tag.end
        texts[self._why].append(line.text[at:])
        return texts

    def _is_markup(self, line: Line, tag: _Tag) -> bool:
        """Does a tag part what is new from what is not? Raises Problem if nobody can tell."""
        closed = (line.number, tag.start) < self.closings.get(tag.name, (0, 0))
        if tag.name in _STRUCK:
            fits = self.struck == tag.name if tag.closes else closed and not self.struck
            if fits and not self.opened:
                self.struck = "" if tag.closes else tag.name
            return fits and not self.opened
        if self.struck:
            return False
        if self.opaque:
            self._in_opaque(line, tag)
            return False
        if tag.name not in QUOTES:
            if closed and not tag.closes and not (self.opened and tag.name == "move"):
                self.opaque = tag.name
            return False
        if not tag.closes:
            self.opened.append(line.number)
        elif self.opened:
            self.opened.pop()
        else:
            raise BadFile(
                "{tag} closes a quote that was not opened, so it cannot be told what is quoted: "
                "take the quoted text out, or put the order in [move]…[/move] in a message of its "
                "own",
                self.path,
                line.number,
                tag.start + 1,
                tag=tag.text,
            )
        return True

    def _in_opaque(self, line: Line, tag: _Tag) -> None:
        if tag.name != self.opaque:
            return
        if not tag.closes:
            raise BadFile(
                "[{name}] is opened again before it was closed: close it with [/{name}]",
                self.path,
                line.number,
                tag.start + 1,
                name=tag.name,
            )
        self.opaque = ""


def _tags(lines: Sequence[Line], path: str) -> list[list[_Tag]]:
    """The tags of each line that is not marked as quoted. Raises Problem for too many."""
    found, count = list[list[_Tag]](), 0
    for line in lines:
        found.append([])
        for tag in () if is_marked(line.text) else TAG.finditer(line.text):
            name = (tag[2] or tag[4]).lower()
            found[-1].append(_Tag(name, bool(tag[1] or tag[3]), tag.start(), tag.end(), tag[0]))
            count += 1
            if count > _MOST_TAGS:
                raise BadFile(
                    "more than {most:,} tags: send the order in a message of its own",
                    path,
                    line.number,
                    most=_MOST_TAGS,
                )
    return found


def _without(
    lines: Sequence[Line], mark: re.Pattern[str], end: str
) -> tuple[list[Line], list[Ignored]]:
    """The lines without what a mark takes off the page, which may go over several of them, and that
    as struck out. Nothing is searched behind the last `end`: that would be done for each mark."""
    text = "\n".join("" if is_marked(line.text) else line.text for line in lines)
    kept, gone, at = list[str](), list[str](), 0
    for found in mark.finditer(text, 0, text.rfind(end) + len(end)):
        before = text[at : found.start()]
        kept += before, "\n" * found[1].count("\n")
        gone += "\n" * before.count("\n"), found[1], " "
        at = found.end()
    left = "".join((*kept, text[at:])).split("\n")
    struck = zip(lines, "".join(gone).split("\n"), strict=False)
    return (
        [
            line if is_marked(line.text) else Line(line.number, said)
            for line, said in zip(lines, left, strict=True)
        ],
        [Ignored("struck out", line.number, said.strip()) for line, said in struck if said.strip()],
    )
