"""The strict reader, on the parser events of PyYAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from pbem.files.yamlio import LARGEST, Path, line_and_column
from pbem.problem import BadFile, Problem

DEEPEST: Final = 64

_WORDS: Final = {"true": True, "false": False, "null": None, "": None}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")

# These are compiled when they are first used: hardly any file needs them.
_FLOAT: Final = (
    r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_DATE: Final = r"(?s:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?)"
CONTROL_OR_RETURN: Final = f"{CONTROL.pattern}|\r"


def parse(text: str, path: str) -> Any:
    """See `pbem.files.yamlio.parse`."""
    return _Reader(text, path).document()


def places(text: str, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """See `pbem.files.yamlio.places`."""
    wanted = list(paths)
    if not wanted:
        return {}
    prefixes = {path[:n] for path in wanted for n in range(len(path) + 1)}
    found = {at: where for at, where in _marked(text) if at in prefixes}
    return {
        path: found[max((path[:n] for n in range(len(path) + 1) if path[:n] in found), key=len)]
        for path in wanted
    }


class _Reader:
    """Builds values from parser events. Marks are looked at only when something is wrong."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        if len(text) > LARGEST:
            raise BadFile(
                "is larger than {largest} MiB; is it the right file?", path, largest=LARGEST >> 20
            )
        text = text.removeprefix("\ufeff")
        if bad := CONTROL.search(text):
            raise BadFile(
                "control character U+{ord:04X}; remove it",
                path,
                *line_and_column(text[: bad.start()]),
                ord=ord(bad[0]),
            )
        self.next = _events(text)

    def document(self) -> Any:
        try:
            self.next()
            event = self.next()
            if isinstance(event, StreamEndEvent):
                raise BadFile("the file is empty", self.path)
            value = self.node(self.next(), 0)
            event = self.next()
            if event.explicit:
                raise self.refusal(event, "'...' ends the document; remove that line")
            event = self.next()
            if not isinstance(event, StreamEndEvent):
                raise self.refusal(event, "a second document starts here; a file holds one")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
            told = ", ".join(part for part in (error.context, error.problem) if part)
            raise BadFile("not YAML: {told}", self.path, line, column, told=told) from error
        except yaml.YAMLError as error:
            raise BadFile("not YAML: {error}", self.path, error=error) from error
        return value

    def node(self, event: Any, depth: int) -> Any:
        kind = type(event)
        if kind is ScalarEvent:
            return self.scalar(event)
        if kind is AliasEvent:
            raise self.refusal(event, "alias *{anchor}; write the value out", anchor=event.anchor)
        if event.tag is not None or event.anchor is not None:
            raise self.tagged(event)
        if depth == DEEPEST:
            raise self.refusal(event, "nested more than {deepest} deep", deepest=DEEPEST)
        if kind is SequenceStartEvent:
            items = []
            while type(event := self.next()) is not SequenceEndEvent:
                items.append(self.node(event, depth + 1))
            return items
        found: dict[str, Any] = {}
        while type(event := self.next()) is not MappingEndEvent:
            key = self.node(event, depth + 1)
            if type(key) is not str:
                raise self.refusal(
                    event, "{key!r} is not text, so it cannot be a key; quote it", key=key
                )
            if key in found:
                raise self.refusal(event, "{key!r} stands here a second time; keep one", key=key)
            found[key] = self.node(self.next(), depth + 1)
        return found

    def scalar(self, event: Any) -> Any:
        value: str = event.value
        if event.tag is not None or event.anchor is not None:
            raise self.tagged(event)
        if not event.implicit[0]:
            if not value.isprintable() and (bad := re.search(CONTROL_OR_RETURN, value)):
                raise self.refusal(
                    event, "control character U+{ord:04X}; remove it", ord=ord(bad[0])
                )
            return value
        if value in _WORDS:
            return _WORDS[value]
        if value[0] in "-+.0123456789":
            return self.number_like(event, value)
        return value

    def number_like(self, event: Any, value: str) -> int | str:
        if _NUMBER.fullmatch(value):
            if len(value.lstrip("-")) > 15:
                raise self.refusal(
                    event, "{value}… is too long for a number; quote it", value=value[:15]
                )
            return int(value)
        if re.fullmatch(_FLOAT, value):
            raise self.refusal(
                event, '{value} is not a whole number; if it is text, "{value}"', value=value
            )
        if re.fullmatch(_DATE, value):
            raise self.refusal(
                event, '{value} is a date to some readers; quote it: "{value}"', value=value
            )
        return value

    def tagged(self, event: Any) -> Problem:
        if event.tag is not None:
            return self.refusal(
                event, "tag {tag}; remove it, plain values are enough", tag=event.tag
            )
        return self.refusal(
            event, "anchor &{anchor}; remove it, plain values are enough", anchor=event.anchor
        )

    def refusal(self, event: Any, pattern: str, /, **values: Any) -> Problem:
        mark = event.start_mark
        return BadFile(pattern, self.path, mark.line + 1, mark.column + 1, **values)


def _events(text: str) -> Callable[[], Any]:
    """A function that gives the next parser event."""
    loader = yaml.CSafeLoader(text) if yaml.__with_libyaml__ else yaml.SafeLoader(text)
    get: Callable[[], Any] = loader.get_event
    return get


def _marked(text: str) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Every path of a readable text and where it starts: at its key, or at its list item."""
    advance = _events(text.removeprefix("\ufeff"))

    def at(event: Any) -> tuple[int, int]:
        return event.start_mark.line + 1, event.start_mark.column + 1

    def walk(event: Any, path: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
        if type(event) is MappingStartEvent:
            while type(key := advance()) is not MappingEndEvent:
                yield (*path, key.value), at(key)
                yield from walk(advance(), (*path, key.value))
        elif type(event) is SequenceStartEvent:
            index = 0
            while type(item := advance()) is not SequenceEndEvent:
                yield (*path, index), at(item)
                yield from walk(item, (*path, index))
                index += 1

    while type(advance()) is not DocumentStartEvent:
        pass
    root = advance()
    yield (), at(root)
    yield from walk(root, ())
