"""Tells new lines from quoted ones, in mails and posts.

Conservative on purpose: what is quoted beyond doubt is left out, and what is not is either new
or, where the two cannot be told apart, refused. An order that went missing and an old one that
was played again are both worse than a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.core import BadFile
from pbem.intake.submission import Line
from pbem.intake.words import pieces

NEW: Final = ("", "doubt")
"""The marks of lines that are not known to be old."""

_LOOK: Final = 300  # characters of a line that are looked at

_VERB: Final = re.compile(rf"(?<!\w)(?:{pieces('wrote')})(?!\w)|写道|于", re.I)
_DATE: Final = re.compile(r"(?<!\d)(?:(?:19|20)\d\d(?!\d)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4})")
_LEAD: Final = re.compile(
    rf"(?:-+ )?(?:{pieces('lead')})\s+(?:[^\W\d]+[.,]*\s+){{0,3}}\d", re.I
)  # "On Mon, Apr 2"
_ADDRESS: Final = re.compile(r"[<(\[]?[\w.+-]{1,64}@[\w-]{1,64}\.")
_BAR: Final = re.compile(r"\s*(?:[|¦]|\w{1,12}>)")  # "| old", "Ana> old"

_RULER: Final = re.compile(r"[-_=*\s]{3,}$")
_FORWARD: Final = re.compile(
    rf"[-_*\s]{{2,}}(?:[^-_*][^_*]{{0,40}}?)?(?<!\w)(?:{pieces('message')})(?!\w)[^_*]{{0,30}}[-_*]{{2,}}\s*$"
    rf"|[*\s]*(?:{pieces('forwarded')})\s*:?[*\s]*$",
    re.I,
)
_ROLES: Final = ("sender", "date", "to", "copy", "subject")
_LABEL: Final = re.compile(
    r"\s*[*_]{0,2}(?:"
    + "|".join(f"(?P<{role}>{pieces(role)})" for role in _ROLES)
    + r")[*_]{0,2}\s?:",
    re.I,
)
_HEADER_REACH: Final = 9  # lines in which three of the labels must stand
_FULL: Final = 64  # columns from which on a line counts as broken by a mail program


def quoted(lines: Sequence[Line], *, markdown: bool) -> list[str]:
    """For each line, why it is not new: quote, attribution, forwarded, or "" where it is new.

    `markdown`: a line right below a quoted one belongs to it, as forums show it. A new line of
    which that may or may not be true is marked "doubt".
    """
    why = ["quote" if is_marked(line.text) else "" for line in lines]
    shown = [""] * len(lines)  # as a Markdown forum shows it
    if markdown and any(">" in line.text for line in lines):
        from pbem.intake import markdown as parser

        shown = parser.quoted([line.text for line in lines])
        why = ["quote" if "quote" in both else "" for both in zip(why, shown, strict=True)]
    follower = _followers(lines)
    bars = False
    i = 0
    while i < len(lines):
        if bars and not why[i] and _BAR.match(lines[i].text):
            why[i] = "quote"
        if why[i] or not lines[i].text.strip():
            i += 1
            continue
        if _FORWARD.match(lines[i].text[:_LOOK]) or _is_header_block(lines, i):
            _cut(lines, why, i, "forwarded")
            break
        size = _attribution(lines, why, i, follower)
        if not size:
            why[i] = _tail(lines, why, i, markdown) or shown[i]
            i += 1
            continue
        why[i : i + size] = ["attribution"] * size
        i += size
        j = follower[i - 1]
        if j == len(lines) or why[j]:
            continue
        bars = bool(_BAR.match(lines[j].text))
        if not bars:  # an original without any marks: nothing tells where it ends
            _cut(lines, why, j, "quote")
            break
    return why


def is_marked(text: str) -> bool:
    """Does the line carry the quote mark of mails and Markdown?"""
    return text.lstrip().startswith(">")


def refuse_doubt(lines: Sequence[Line], why: Sequence[str], path: str) -> None:
    """Raises Problem at the first line that may be a quote's last line or the sender's own."""
    for line, reason in zip(lines, why, strict=True):
        if reason == "doubt":
            raise BadFile(
                "{text!r} stands right below a quoted line and may belong to it: leave an "
                "empty line above it, or put the order between [move] and [/move]",
                path,
                line.number,
                text=line.text.strip()[:60],
            )


def _followers(lines: Sequence[Line]) -> list[int]:
    """For each line, the next one that is not empty."""
    found = [len(lines)] * len(lines)
    for i in range(len(lines) - 2, -1, -1):
        found[i] = i + 1 if lines[i + 1].text.strip() else found[i + 1]
    return found


def _cut(lines: Sequence[Line], why: list[str], start: int, reason: str) -> None:
    """Everything from `start` on is old, and so are the rulers above it."""
    why[start:] = [reason] * (len(lines) - start)
    i = start - 1
    while i >= 0 and not why[i] and _RULER.match(lines[i].text[:_LOOK] or "   "):
        why[i] = reason
        i -= 1


def _is_header_block(lines: Sequence[Line], i: int) -> bool:
    """Do three different labels of a mail's header stand here, the sender or date first?

    Two are not enough: `From: b2` and `To: c3` is an order.
    """
    first = _LABEL.match(lines[i].text[:_LOOK])
    if not first or first.lastgroup in ("to", "copy"):
        return False
    roles: set[str | None] = set()
    for line in lines[i : i + _HEADER_REACH]:
        if not line.text.strip():
            return False
        label = _LABEL.match(line.text[:_LOOK])
        if not label:  # a long list of recipients goes on
            continue
        if label.lastgroup in roles:
            return False
        roles.add(label.lastgroup)
        if len(roles) == 3:
            return True
    return False


def _attribution(lines: Sequence[Line], why: Sequence[str], i: int, follower: Sequence[int]) -> int:
    """How many lines from here on say who wrote the text below; 0 where none does."""
    text = lines[i].text[:_LOOK].strip()
    j = follower[i]
    if text.endswith(":") and j < len(lines) and why[j] == "quote":
        return 1  # in any language
    dated = bool(_LEAD.match(text))
    if not (dated or _DATE.search(text) or _ADDRESS.search(text)):
        return 0
    for size, line in enumerate(_paragraph(lines, why, i), 1):
        if size > 1:
            text = f"{text} {line.text[:_LOOK].strip()}"
        if text.endswith(":"):
            known = (dated or _DATE.search(text)) and (_VERB.search(text) or _ADDRESS.search(text))
            return size if known else 0
    return 0


def _paragraph(lines: Sequence[Line], why: Sequence[str], i: int) -> Iterator[Line]:
    """The next lines, at most four, up to an empty or a quoted one."""
    for j in range(i, min(i + 4, len(lines))):
        if why[j] or not lines[j].text.strip():
            return
        yield lines[j]


def _tail(lines: Sequence[Line], why: Sequence[str], i: int, markdown: bool) -> str:
    """Is this the end of the quoted line above, broken off by a program that wraps lines?"""
    above, text = lines[i - 1].text if i else "", lines[i].text.strip()
    if not is_marked(above) or not above.strip("> \t"):
        return ""
    broken = len(above) + 1 + len(text.split(maxsplit=1)[0]) > _FULL
    if broken and i + 1 < len(lines) and is_marked(lines[i + 1].text):
        return "quote"
    alone = i + 1 == len(lines) or not lines[i + 1].text.strip()
    return "doubt" if markdown or (broken and alone) else ""
