"""The fence a player may put around an order, so that nothing else can be taken for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pbem.intake.document import NEW, Document, Fence
from pbem.intake.submission import Line
from pbem.intake.text import FULL
from pbem.problem import BadFile

_TAG: Final = re.compile(r"\[(/?)move\]", re.I)
_OPENING: Final = re.compile(
    r"\s*(?:-+\s*move(?:\s+(?P<dashes>#[^-]{1,80}))?\s*-*|(?:`{3,}|~{3,})\s*move\b(?P<ticks>.*))$",
    re.I,
)
_CLOSING: Final = {
    "---": re.compile(r"\s*-+\s*(?:(?:end|/move)\s*-*\s*)?$", re.I),
    "```": re.compile(r"\s*(?:`{3,}|~{3,})\s*$"),
}


def closing(text: str, above: str) -> str:
    """What will close the fence that is open below this line, "" if none is; `above` the same of
    the line above it."""
    for mark, said in _pieces(text, above):
        above = {"opens": said, "closes": ""}.get(mark, above)
    return above


def rejoined(text: str) -> str:
    """The text with a line that ends with a blank, and has no room for the next word, joined to the
    next: broken as in format=flowed, which a list on the way may no longer say. Not in a fence."""
    joined, above, fenced = list[str](), "", ""
    for line in text.split("\n"):
        goes_on = above.endswith(" ") and above[:1] != ">" and line[:1].strip() not in ("", ">")
        below = closing(line, fenced)
        if goes_on and not (fenced or below) and len(above) + len(line.split()[0]) > FULL:
            joined[-1] += line
        else:
            joined.append(line)
        above, fenced = line, below
    return "\n".join(joined)


def take(page: Document) -> Document:
    """The page without what stands in fences in its new lines, and these fences.

    Raises Problem for a fence that is opened and not closed, or closed and not opened.
    """
    fences: list[Fence] = []
    outside: list[Line] = []
    closing, start = "", 0
    inside: list[Line] = []
    for line, label in zip(page.lines, page.labels, strict=True):
        if label not in NEW:
            outside.append(line)
            continue
        rest: list[str] = []
        for mark, text in _pieces(line.text, closing):
            if mark == "text" and not closing:
                rest.append(text)
            elif mark == "text":
                inside.append(Line(line.number, text))
            elif mark == "opens" and closing:
                raise BadFile(
                    "the fence opened here is not closed before another begins in line {number}: "
                    "close it with {closing}",
                    page.path,
                    start,
                    number=line.number,
                    closing=closing,
                )
            elif mark == "opens":
                closing, start, inside = text, line.number, []
            elif text == closing:
                fences.append(Fence(start, tuple(inside)))
                closing = ""
            else:
                raise BadFile(
                    "{text} closes a fence that the new text does not open: put [move] in front of "
                    "the order",
                    page.path,
                    line.number,
                    text=text,
                )
        outside.append(Line(line.number, " ".join(rest)))
    if closing:
        raise BadFile(
            "please add a line {closing} below your moves: the block that opens here is not closed",
            page.path,
            start,
            closing=closing,
        )
    return page.without(outside, fences=tuple(fences))


def _pieces(text: str, closing: str) -> Iterator[tuple[str, str]]:
    """Cut a line at its marks: ("text", …), ("opens", what will close it), ("closes", …)."""
    if closing in _CLOSING and _CLOSING[closing].match(text):
        yield "closes", closing
        return
    opening = _OPENING.match(text)
    if opening:
        yield "opens", "---" if opening["ticks"] is None else "```"
        yield "text", opening["dashes"] or opening["ticks"] or ""
        return
    at = 0
    for tag in _TAG.finditer(text):
        yield "text", text[at : tag.start()]
        yield ("closes" if tag[1] else "opens"), "[/move]"
        at = tag.end()
    yield "text", text[at:]
