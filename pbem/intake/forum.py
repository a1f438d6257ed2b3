"""A forum post handed in: whose it is, which post it is, and what is new in it.

The text is what the forum keeps (BBCode or Markdown), pasted or saved. Author and number are
given by whoever hands it in, or stand in the lines `Author:` and `Post:` above the post, or in
the head of the quote that the forum's Quote button makes of a whole post.
"""

from __future__ import annotations

import re
import time
from typing import Final

from pbem.intake import bbcode
from pbem.intake.order import interpret
from pbem.intake.submission import Submission
from pbem.intake.text import clean, of_file
from pbem.problem import BadFile, Problem, Usage

_HEADER: Final = re.compile(r"\s*((?:(?:author|post)[ ]?:[^\n]{1,600}\n){1,2})(?=\s*\n)", re.I)
_SAID: Final = re.compile(r"\s*([^\n>]{1,400}):[ ]*(?=\n)")  # the line above a Markdown quote
_SAID_BY: Final = re.compile(r"@?(?P<author>[\w.-]{1,60})\s+\[?said\b|/post/(?P<post>\d{1,12})")
_MARK: Final = re.compile(r"^[ ]{0,3}>[ ]?", re.M)
_NUMBER: Final = re.compile(
    r"(?:post_id\s*=\s*|pid\s*=\s*|\bpost\s*:\s*|[.#]msg)[\"']?(\d{1,12})|;(\d{1,12})\s*$", re.I
)
_NAMED: Final = re.compile(
    r"[ ]author\s*=\s*(?P<smf>.+?)(?=\s+(?:link|date)\s*=|$)"
    r"|[ ]?=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|(?P<bare>.+?)(?=\s+\w{1,12}\s*=|;\d+\s*$|$))",
    re.I,
)
_SECOND: Final = re.compile(r"\b(?:time|date|dateline)\s*=\s*[\"']?(\d{9,10})\b", re.I)
_LONGEST_HEAD: Final = 600
_DETAIL: Final = re.compile(r",\s*(?:post|topic|member|username|full)\s*:.*$", re.I)


def looks_like_post(text: str) -> bool:
    """Do both lines, `Author:` and `Post:`, stand above it?"""
    head = _HEADER.match(text)
    return head is not None and len(_fields(head[1])) == 2


def read(
    source: bytes,
    name: str,
    *,
    author: str | None = None,
    post: str | None = None,
    quoted: bool = False,
) -> Submission:
    """Read a post.

    `author` and `post` (a number or an address) are the word of whoever hands it in. `quoted`:
    the whole text is a quote, as the forum's Quote button makes it of a post. Raises Problem if
    it cannot be read, or names another author or post than the ones given.
    """
    said, text = _headed(of_file(source, name))
    if quoted:
        found, text = _unwrapped(text, name)
        said = {**found, **said}
    for what, given in (("author", author), ("post", post)):
        if given is not None and (not given.strip() or len(given) > 500 or not given.isprintable()):
            raise Usage("the {what} given is no {what} of a forum post", what=what)
        claim = said.get(what)
        if given and claim and _same(given) != _same(claim):
            raise Usage(
                "the post says of itself {what} {claim!r}, not {given!r}",
                name,
                what=what,
                claim=claim[:80],
                given=given,
            )
    whose, which = author or said.get("author"), post or said.get("post")
    if quoted and whose is None:
        raise Usage("the quote does not say whose post it is: say --author NAME", name)
    return interpret(text, name, markdown=True)._replace(
        kind="post",
        author=" ".join(whose.split()) if whose else None,
        author_told=author is not None,
        message_id=f"post {_same(which)}" if which else None,
        written=(said["time"],) if "time" in said else (),
    )


def _same(text: str) -> str:
    """A name or number as it is compared."""
    return clean(text).strip().lstrip("#").strip().casefold()


def _headed(text: str) -> tuple[dict[str, str], str]:
    """What the lines above a post say, and the text with these lines empty."""
    head = _HEADER.match(text)
    if not head:
        return {}, text
    return _fields(head[1]), "\n" * text.count("\n", 0, head.end()) + text[head.end() :]


def _fields(lines: str) -> dict[str, str]:
    parted = (line.partition(":") for line in lines.splitlines())
    return {name.strip().lower(): value.strip() for name, _, value in parted if value.strip()}


def _unwrapped(text: str, path: str) -> tuple[dict[str, str], str]:
    """What the head of a quote says, and the text with the quote's own marks taken away.

    Raises Problem unless the quote is all there is.
    """
    opening = bbcode.TAG.match(text, len(text) - len(text.lstrip()))
    if opening and (opening[2] or "").lower() in bbcode.QUOTES and not opening[1]:
        end = _end(text, path)
        blank = "\n" * text.count("\n", 0, opening.start())
        return head(opening[0]), blank + text[opening.end() : end]
    said = _SAID.match(text)
    rest = text[said.end() :] if said else text
    if any(line.strip() and not _MARK.match(line) for line in rest.split("\n")):
        raise _not_whole(path, 1)
    found = [by.groupdict() for by in _SAID_BY.finditer(said[1])] if said else []
    about = {name: value for each in found for name, value in each.items() if value}
    return about, "\n" * text.count("\n", 0, len(text) - len(rest)) + _MARK.sub("", rest)


def _end(text: str, path: str) -> int:
    """Where the closing tag of the quote around the whole text begins."""
    depth = 0
    for tag in bbcode.TAG.finditer(text):
        if (tag[2] or tag[4]).lower() not in bbcode.QUOTES:
            continue
        depth += -1 if tag[1] or tag[3] else 1
        if not depth:
            if text[tag.end() :].strip():
                raise _not_whole(path, text.count("\n", 0, tag.end()) + 1)
            return tag.start()
    raise _not_whole(path, text.count("\n") + 1)


def _not_whole(path: str, line: int) -> Problem:
    return BadFile(
        "with --quoted the whole text must be one quote, as the forum's Quote button"
        " makes it of a post: nothing before or behind it",
        path,
        line,
    )


def head(tag: str) -> dict[str, str]:
    """Author, post and time that an opening quote tag names, in any of the forums' ways of writing
    it."""
    about = re.sub(r"^\[\w+(?::\w+(?==))?|\]$", "", tag)[:_LONGEST_HEAD]
    found = {}
    if named := _NAMED.match(about):
        name = _DETAIL.sub("", next(value for value in named.groups() if value is not None))
        found["author"] = name.strip(" \"'")
    if number := _NUMBER.search(about):
        found["post"] = number[1] or number[2]
    if second := _SECOND.search(about):
        found["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(second[1])))
    return {what: value for what, value in found.items() if value}
