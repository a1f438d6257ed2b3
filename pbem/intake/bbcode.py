"""Forum markup: takes out what stands in quote tags, and the tags that only change looks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.core import BadFile
from pbem.intake.quotes import is_marked
from pbem.intake.submission import Ignored, Line

# The bounds keep a line of a million brackets linear.
_ARGUMENT: Final = r'(?:[=:\s](?:"[^"\n]{0,120}"|[^\]"\n]){0,120})?'
TAG: Final = re.compile(
    rf"\[(/?)(quote|q|code|c|move)(?::\w{{1,16}}|{_ARGUMENT})\]"
    r"|<(/?)(blockquote)(?:\s[^<>\n]{0,200})?>",
    re.I,
)
QUOTES: Final = ("quote", "q", "blockquote")
_LOOKS: Final = re.compile(
    r"\[/?(?:b|i|u|s|c|o|code|icode|tt|mono|pre|size|colou?r|bgcolor|font|center|left|right"
    r"|justify|indent|spoiler|hide|heading|list|\*|li|url|email)(?:=[^\]\n]{0,120})?\]",
    re.I,
)


def plain(text: str) -> str:
    """A line without the tags that only change looks; quote tags stay and can be seen."""
    return _LOOKS.sub("", text)


def unquote(lines: Sequence[Line], path: str) -> tuple[list[Line], list[Ignored]]:
    """The lines without the contents of [quote], [q] and <blockquote>, and what was taken out.

    What stands in [code], [c] or [move] is not markup. Raises Problem for a quote that is
    never closed, or closed without having been opened.
    """
    kept: list[Line] = []
    ignored: list[Ignored] = []
    opened: list[int] = []
    opaque = ""
    closings = _last_closings(lines)
    for line in lines:
        if is_marked(line.text):
            kept.append(line)
            continue
        new: list[str] = []
        old: list[str] = []
        at = 0
        for tag in TAG.finditer(line.text):
            slash, name = tag[1] or tag[3], (tag[2] or tag[4]).lower()
            if opaque:
                if name == opaque and not slash:
                    raise BadFile(
                        "[{name}] is opened again before it was closed: close it with [/{name}]",
                        path,
                        line.number,
                        tag.start() + 1,
                        name=name,
                    )
                opaque = "" if name == opaque else opaque
                continue
            if name not in QUOTES:
                here = (line.number, tag.start())
                closed = here < closings.get(name, (0, 0))
                if closed and not slash and not (opened and name == "move"):
                    opaque = name
                continue
            (old if opened else new).append(line.text[at : tag.start()])
            at = tag.end()
            if not slash:
                opened.append(line.number)
            elif opened:
                opened.pop()
            else:
                raise BadFile(
                    "{tag} closes a quote that was not opened, so it cannot be told what is "
                    "quoted: take the quoted text out, or put the order in [move]…[/move] in a "
                    "message of its own",
                    path,
                    line.number,
                    tag.start() + 1,
                    tag=tag[0],
                )
        (old if opened else new).append(line.text[at:])
        kept.append(Line(line.number, " ".join(new)))
        quoted = " ".join(old).strip()
        if quoted:
            ignored.append(Ignored("quote", line.number, quoted))
    if opened:
        raise BadFile(
            "a [quote] is opened here and never closed, so it cannot be told where the new text"
            " begins: close it with [/quote]",
            path,
            opened[-1],
        )
    return kept, ignored


def _last_closings(lines: Sequence[Line]) -> dict[str, tuple[int, int]]:
    """Where each tag is closed for the last time: one that is not closed after is no markup."""
    return {
        (tag[2] or tag[4]).lower(): (line.number, tag.start())
        for line in lines
        if not is_marked(line.text)
        for tag in TAG.finditer(line.text)
        if tag[1] or tag[3]
    }
