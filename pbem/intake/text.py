"""From bytes to clean text: character sets, line ends, look-alike characters, format=flowed."""

from __future__ import annotations

import re
from typing import Final

from pbem.core import normal

_LINE_END: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_INVISIBLE: Final = (
    "\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # also bidi overrides
    "\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x90\x95\x98-\x9f\ufffe\uffff"  # no log can hold them
)
_NOTHING: Final = re.compile(f"[{_INVISIBLE}]")
_LOOKALIKES: Final = str.maketrans(
    # \x91-\x97 are Windows-1252 punctuation in mails that claim to be Latin-1.
    dict.fromkeys(
        "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
        "\u202f\u205f\u3000",
        " ",
    )
    | dict.fromkeys("\x96\x97\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\x91\x92\u2018\u2019\u201a\u201b\u2032\xb4", "'")
    | dict.fromkeys("\x93\x94\u201c\u201d\u201e\u201f\u2033\xab\xbb", '"')
    | {"\x85": "...", "\xd7": "x", "\u2026": "...", "\uff1a": ":", "\uff1b": ";", "\uff1e": ">"}
)
_ENTITIES: Final = (("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))

# Text encodings only in name: they can be made to run for ever, or read escapes.
_NO_CHARSETS: Final = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape"})


def decode(source: bytes, charset: str | None = None) -> str:
    """The text of some bytes, with every line end as one newline.

    Tries the byte-order mark, then `charset`, then UTF-8, then Latin-1, which fits anything.
    """
    for mark, name in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if source.startswith(mark):
            charset = name
    tried = (_decoded(source, each) for each in (charset or "utf-8", "utf-8"))
    text = next((text for text in tried if text is not None), None)
    return _LINE_END.sub("\n", source.decode("latin-1") if text is None else text)


def _decoded(source: bytes, charset: str) -> str | None:
    """The text, or None if the character set is unknown or does not fit."""
    if charset.lower().replace("-", "_") in _NO_CHARSETS:
        return None
    try:
        return source.decode(charset)
    except (LookupError, ValueError):
        return None


def clean(text: str) -> str:
    """The text as somebody would have typed it on a plain keyboard.

    Invisible characters vanish; dashes, quotation marks and spaces of every width become the
    ASCII ones; accents are composed, at most 30 on a letter; HTML's escapes are undone.
    """
    text = _NOTHING.sub("", text).translate(_LOOKALIKES)
    for entity, char in _ENTITIES:
        text = text.replace(entity, char)
    return normal("NFC", text.encode("utf-8", "replace").decode("utf-8"))


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Join the soft line breaks of format=flowed; quoted lines keep their depth (RFC 3676)."""
    joined: list[str] = []
    open_depth = -1
    parts: list[str] = []
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if depth != open_depth or content == "-- ":
            _close(joined, open_depth, parts)
            parts = []
        soft = content.endswith(" ") and content != "-- "
        parts.append(content[:-1] if soft and delete_space else content)
        open_depth = depth
        if not soft:
            _close(joined, depth, parts)
            parts, open_depth = [], -1
    _close(joined, open_depth, parts)
    return "\n".join(joined)


def _close(joined: list[str], depth: int, parts: list[str]) -> None:
    """Write a paragraph as one line, its quote marks in front."""
    if parts:
        marks = ">" * min(depth, 8)
        joined.append(f"{marks} {''.join(parts)}" if marks else "".join(parts))
