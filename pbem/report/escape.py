"""How each dialect makes text from outside safe: names, notes, what a player wrote.

Done once, over all the values of a report, before any template sees them. Prose and what stands
in a code block are escaped in different ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_FENCE = re.compile(r"\[(\s*/?\s*move)(\]?)|`(?=``)", re.IGNORECASE)
_EMOTICON = re.compile(r"[:;](?!\s|(?<=\d.)\d)|-(?=\))|@(?!\s)|www(?=\.)", re.IGNORECASE)
_BRACKETS = str.maketrans("[]", "()")
_CODE_TAG = re.compile(r"\[(?=\s*/?\s*code)", re.IGNORECASE)
_LESS = re.compile(r"<(?!\s)")
_PUNCTUATION = re.compile(r"[\\`*\[\]<>#|~&$^]|^[-+=]|\b_|_\b|(?<=_)_|_(?=_)")
_ORDINAL = re.compile(r"^(\d+)([.)])")
_REFERENCE = re.compile(r"#(?!\s)")


def _printable(text: str) -> str:
    # Controls, line separators, bidirectional overrides and zero-width characters alike. And no
    # name may hold a fence: a reply that quotes it would be read as an order.
    printable = text
    if not text.isprintable():
        printable = "".join(char if char.isprintable() else " " for char in text.expandtabs())
    return _FENCE.sub(lambda hit: f"({hit[1]}{hit[2] and ')'}" if hit[1] else "'", printable)


def paragraph(text: str) -> str:
    """The text on one line, without controls and invisible characters."""
    return " ".join(_printable(text).split())


def _apart(text: str) -> str:
    """Emoticons, mentions and addresses, each broken by a space; times stay whole."""
    return _EMOTICON.sub(lambda hit: f"{hit[0]} ", text)


def chat(text: str) -> str:
    """A name made safe for chat programs: it calls nobody, and is neither link nor markup."""
    return _apart(paragraph(text).translate(_CHAT))


_CHAT: Final = str.maketrans("<>[]`*~|", "()()'  /")


def _markdown(text: str) -> str:
    # A space, since GitHub links `\#17` and notifies `\@ana` all the same.
    # None may stand at the end, or `**Ana: **` is not bold.
    escaped = _PUNCTUATION.sub(r"\\\g<0>", _REFERENCE.sub("# ", _apart(text)).rstrip())
    return _ORDINAL.sub(r"\1\\\2", escaped)


def _phpbb(text: str) -> str:
    # Round brackets: no board gives them a meaning, while what a board makes of `&#91;` or of
    # a bracket with a space after it is anybody's guess.
    return _apart(text.translate(_BRACKETS))


def _bgg_code(text: str) -> str:
    # Another character, not one more: a space would shift the rest of the row.
    return _LESS.sub("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", _phpbb(text))


def _bgg(text: str) -> str:
    # BoardGameGeek drops the rest of a post after a `<` that a space does not follow, and reads
    # tags and emoticons in its [c] too.
    return _LESS.sub("< ", _phpbb(text))


def _html(text: str) -> str:
    import html  # its table of two thousand entities, for this dialect alone

    return html.escape(text)


_ESCAPES: Final[dict[str, tuple[Callable[[str], str], Callable[[str], str]]]] = {
    "text": (str, str),
    "markdown": (_markdown, str),
    "phpbb": (_phpbb, lambda text: _CODE_TAG.sub("(", text)),
    "bgg": (_bgg, _bgg_code),
    "html": (_html, _html),
}
"""How a dialect escapes prose, and what stands in a code block."""

DIALECTS: Final = tuple(_ESCAPES)

_CODE: Final = frozenset(
    {"picture", "said", "understood", "instead", "legal", "key", "commit", "contact"}
)
"""The fields of a report that templates put into code blocks, and nowhere else."""
_LINKS: Final = "pages"
"""The field with words and addresses of ours; what was put into these is percent-encoded."""
_OURS: Final = "asked"
"""The field with words of ours, and fences to copy. What was put into them is one printable line,
see `paragraph`; they are mailed and never posted."""


_ADDRESS: Final = "page"
"""The field with an address that the moderator gave: the desk file allows nothing in it that needs
escaping anywhere but in HTML."""


class _Told(dict[Any, Any]):
    """A mapping with escaped keys, whose values are found by the keys as they were, too: a template
    of a game asks for `view.must_draw`."""

    escaped: Mapping[Any, Any]

    def __missing__(self, key: Any) -> Any:
        return self[self.escaped[key]]


class Safe:
    """Makes any value safe for a post in a dialect. Raises ValueError for an unknown dialect."""

    def __init__(self, dialect: str) -> None:
        if dialect not in _ESCAPES:
            raise ValueError(f"no dialect {dialect!r}, only {', '.join(DIALECTS)}")
        self._prose, self._code = _ESCAPES[dialect]
        self._address = _html if dialect == "html" else str
        self._known: dict[str, str] = {}  # seats and cards are named again and again

    def value(self, value: Any, *, code: bool = False) -> Any:
        """The same value, made of plain mappings, lists and escaped strings."""
        match value:
            case str() if code:
                return "\n".join(self._code(_printable(line)) for line in value.splitlines())
            case str():
                if value not in self._known:
                    self._known[value] = self._prose(paragraph(value))
                return self._known[value]
            case int() | None:
                return value
            case tuple() if names := getattr(value, "_fields", ()):
                named = zip(names, value, strict=True)
                return {name: self._field(name, item) for name, item in named}
            case list() | tuple():
                return [self.value(item, code=code) for item in value]
            case Mapping():
                told = _Told((self.value(k), self.value(v, code=code)) for k, v in value.items())
                told.escaped = {k: self.value(k) for k in value}
                return told
        return value

    def _field(self, name: str, value: Any) -> Any:
        if name == _LINKS:
            opens = _html if self._code is _html else str
            return [(self.value(words), opens(address)) for words, address in value]
        if name == _OURS:
            return [self._code(text) for text in value]
        if name == _ADDRESS:
            return self._address(value)
        return self.value(value, code=name in _CODE)
