"""The writer: blocks, short records in braces, quotes only where a reader needs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pbem.files.yamlio.strict import CONTROL_OR_RETURN
from pbem.problem import Usage

WIDTH: Final = 100

_PLAIN = re.compile(r"[^\W\d][\w ./+()'%=-]*(?<! )")
_PLAIN_WITH_COLONS = re.compile(r"(?:[^\W\d][\w./+?()'%=-]*)(?:(?::(?! )| )[\w./+?()'%=-]+)*")
_WORDS_ELSEWHERE: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def emit(item: dict[str, Any] | list[Any]) -> str:
    """See `pbem.files.yamlio.emit`."""
    return "".join(f"{line}\n" for line in _block(item, 0))


def _block(item: Any, indent: int) -> Iterator[str]:
    """The lines of a non-flow collection."""
    margin = " " * indent
    if isinstance(item, dict):
        if not item:
            yield f"{margin}{{}}"
        for key, value in item.items():
            yield from _entry(f"{margin}{_string(key, True)}:", value, indent)
    else:
        if not item:
            yield f"{margin}[]"
        for value in item:
            if isinstance(value, dict | list | tuple) and value:
                first, *rest = _block(value, indent + 2)
                yield f"{margin}- {first.lstrip(' ')}"
                yield from rest
            else:
                yield f"{margin}- {_flow(value)}"


def _entry(head: str, value: Any, indent: int) -> Iterator[str]:
    if not isinstance(value, dict | list | tuple):
        yield f"{head} {_string(value, False) if isinstance(value, str) else _flow(value)}"
        return
    if _is_short(value):
        line = f"{head} {_flow(value)}"
        if len(line) <= WIDTH or not value:
            yield line
            return
    yield head
    yield from _block(value, indent + 2 if isinstance(value, dict) else indent)


def _is_short(value: Any) -> bool:
    """Is this a record: nothing but single values and lists of them?"""
    members = value.values() if isinstance(value, dict) else value
    return not any(
        isinstance(v, dict) or (isinstance(v, list | tuple) and not all(map(_is_single, v)))
        for v in members
    )


def _is_single(value: Any) -> bool:
    return not isinstance(value, dict | list | tuple)


def _flow(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _string(value, True)
        case dict():
            pairs = (f"{_string(k, True)}: {_flow(v)}" for k, v in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list() | tuple():
            return f"[{', '.join(map(_flow, value))}]"
    raise TypeError(f"not a plain value: {value!r}")


def _string(text: str, in_braces: bool) -> str:
    """The text, quoted wherever this reader or a laxer one could take it for something else."""
    plain = _PLAIN if in_braces else _PLAIN_WITH_COLONS
    if plain.fullmatch(text) and text.lower() not in _WORDS_ELSEWHERE:
        return text
    if bad := re.search(CONTROL_OR_RETURN, text):
        raise Usage(
            "{text!r} holds the control character U+{ord:04X}; remove it",
            text=text[:60],
            ord=ord(bad[0]),
        )
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
