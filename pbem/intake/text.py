"""From bytes to clean text: character sets, line ends, look-alike characters, format=flowed."""

from __future__ import annotations

import codecs
import re
from binascii import a2b_base64, a2b_qp
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from pbem.core import normal
from pbem.problem import BadFile

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
    | {"\uff3b": "[", "\uff3d": "]", "\uff0f": "/"}
)
_FENCE: Final = re.compile(r"\\?\[[ \t]{0,3}(/?)[ \t]{0,3}(move)[ \t]{0,3}\\?\]", re.I)
_ENTITIES: Final = (("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))

_OF_ONE_BYTE: Final = frozenset(
    "ascii iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8"
    " iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u"
    " cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 tis-620"
    " mac-roman mac-cyrillic".split()
)
_CODECS: Final = _OF_ONE_BYTE | frozenset(
    "utf-8 utf-16 utf-16-be utf-16-le gb2312 gbk gb18030 big5 big5hkscs euc_jp iso2022_jp"
    " shift_jis cp932 euc_kr cp949".split()
)
"""The encodings of the WHATWG standard, as Python calls them. No other decodes a text: some take
the square of its length, some read escapes."""
FULL: Final = 64
"""Columns: a line that long, with the next word, was broken by a mail program."""
MOST: Final = 2 * 1024 * 1024
"""The longest text that is read, in bytes."""
_CHARSET: Final = re.compile(r"[A-Za-z0-9_:()+ -]{1,40}")
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

_ENCODED: Final = r"=\?([^?*\s]++)(?:\*[^?\s]*+)?\?([bq])\?([^?]*+)\?="
_ENCODED_WORD: Final = re.compile(_ENCODED, re.I)
_ENCODED_WORDS: Final = re.compile(rf"{_ENCODED}(?:\s*+{_ENCODED})*+", re.I)
_NAMES_CHARSET: Final = re.compile(
    r"(=\?)([^?*\s]*+)(?=[^?\s]*+\?[bq]\?)"  # of an encoded word: RFC 2047
    r"|(\*[^=;\"]{0,40}=\s*+\"?)([^*='\";\s]*+)(?=')",  # of a parameter: RFC 2231
    re.I,
)


@lru_cache(maxsize=256)
def codec(charset: str) -> str | None:
    """The one of these encodings that a mail names; None if it names another, or none."""
    if not _CHARSET.fullmatch(charset):
        return None
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        return None
    return name if name in _CODECS else None


def of_file(source: bytes, path: str) -> str:
    """A file as clean text. Raises Problem if it is too long, or no text."""
    if len(source) > MOST:
        raise BadFile(
            "{source:,} bytes long; at most {most:,} are read", path, source=len(source), most=MOST
        )
    text = clean(decode(source))
    require_text(text, path)
    return text


def require_text(text: str, path: str) -> None:
    """Raises Problem at the first NUL in what should be a text."""
    if "\0" in text:
        raise BadFile(
            "holds NUL bytes, so it is no text: save it as UTF-8 text",
            path,
            text[: text.index("\0")].count("\n") + 1,
        )


def decode(source: bytes, charset: str = "") -> str:
    """The text of some bytes, with every line end as one newline.

    Tries the byte-order mark, then `charset`, then UTF-8, then Latin-1, which fits anything. What
    is UTF-8 by its bytes is not of a character set in which each letter is one.
    """
    given = codec(charset) or "utf-8"
    marked = (name for mark, name in _MARKS if source.startswith(mark))
    tried = ("utf-8", given) if given in _OF_ONE_BYTE else (given, "utf-8")
    for name in (*marked, *tried):
        with suppress(ValueError):
            return _LINE_END.sub("\n", source.decode(name))
    return _LINE_END.sub("\n", source.decode("latin-1"))


def decoded(header: str) -> str:
    """A header with its encoded words decoded (RFC 2047), as far as that can be done."""

    def text(words: re.Match[str]) -> str:
        found = _ENCODED_WORD.findall(words[0])
        try:
            parts = [(charset.lower(), _content(kind, word)) for charset, kind, word in found]
        except ValueError:
            return words[0]
        # A letter may begin in one word and end in the next.
        runs = groupby(parts, itemgetter(0))
        return "".join(decode(b"".join(part for _, part in run), name) for name, run in runs)

    return _ENCODED_WORDS.sub(text, header)


def _content(kind: str, word: str) -> bytes:
    source = word.encode("utf-8", "replace")
    if kind in "qQ":
        return a2b_qp(source, header=True)
    return a2b_base64(source + b"===")


def readable(header: str) -> str:
    """A header for the standard library, which decodes by whatever name stands there: it names only
    character sets that `decode` knows."""

    def named(found: re.Match[str]) -> str:
        before, name = (found[1], found[2]) if found[1] else (found[3], found[4])
        return f"{before}{codec(name) or 'utf-8'}"

    return _NAMES_CHARSET.sub(named, header)


def clean(text: str) -> str:
    """The text as somebody would have typed it on a plain keyboard.

    Invisible characters vanish; dashes, quotation marks and spaces of every width become the
    ASCII ones; accents are composed, at most 30 on a letter; HTML's escapes are undone, and those
    of Markdown in the marks around an order.
    """
    text = _NOTHING.sub("", text).translate(_LOOKALIKES)
    for entity, char in _ENTITIES:
        text = text.replace(entity, char)
    text = _FENCE.sub(r"[\1\2]", text)
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
