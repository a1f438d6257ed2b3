"""A text changed here and there, so that it reads as other data and keeps its comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.files.yamlio.strict import parse, places
from pbem.files.yamlio.writing import emit

_ABSENT: Final = object()


def amend(text: str, data: Mapping[str, Any]) -> str:
    """See `pbem.files.yamlio.amend`."""
    old = parse(text, "")
    lines = text.splitlines()
    for key in reversed(old):  # from below, so that the lines above stay where they are
        value, new = old[key], data.get(key, _ABSENT)
        if value == new:
            continue
        start, stop = _block(text, lines, (key,))
        alike = isinstance(value, dict) and isinstance(new, dict) and value.keys() & new.keys()
        if alike and stop - start > 1:
            _amend_entries(text, lines, key, value, new)
        else:
            lines[start:stop] = [] if new is _ABSENT else emit({key: new}).splitlines()
    for key in data.keys() - old.keys():
        lines += emit({key: data[key]}).splitlines()
    return "\n".join(lines) + "\n"


def _amend_entries(
    text: str, lines: list[str], key: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    """The same one level down: each entry of a mapping on lines of its own."""
    end = max(_block(text, lines, (key, name))[1] for name in old)
    added = {name: value for name, value in new.items() if name not in old}
    lines[end:end] = _indented(added)
    for name in reversed([*old]):
        value = new.get(name, _ABSENT)
        if value != old[name]:
            start, stop = _block(text, lines, (key, name))
            lines[start:stop] = [] if value is _ABSENT else _indented({name: value})


def _indented(data: dict[str, Any]) -> list[str]:
    return [f"  {line}" for line in emit(data).splitlines()] if data else []


def _block(text: str, lines: list[str], path: tuple[str, ...]) -> tuple[int, int]:
    """The lines of an entry in the text as read, from its key to the last that is no comment."""
    start, column = places(text, [path])[path]
    stop = start
    while stop < len(lines) and _belongs(lines[stop], column):
        stop += 1
    while not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    return start - 1, stop


def _belongs(line: str, column: int) -> bool:
    """Is this line part of the entry above whose key stands in that column?"""
    indent = len(line) - len(line.lstrip())
    return (
        not line.strip()
        or line.lstrip().startswith("#")
        or indent >= column
        or (indent == column - 1 and line.lstrip().startswith("- "))
    )
