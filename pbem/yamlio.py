"""YAML, strictly: strings, whole numbers, true, false, null, lists and mappings.

Everything a person might write without meaning it (an unquoted date, a duplicate key, an
alias) is refused with its place instead of being guessed at. Written text reads back equal.
"""

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

from pbem.core import Problem

LARGEST: Final = 64 * 1024 * 1024
DEEPEST: Final = 64
WIDTH: Final = 100

Path = tuple[str | int, ...]
"""Where a value stands: ("log", 3, "events", 0)."""

_WORDS: Final = {"true": True, "false": False, "null": None, "": None}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?", re.DOTALL)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_CONTROL_OR_RETURN = re.compile(f"{_CONTROL.pattern}|\r")


# --------------------------------------------------------------------------------- reading


def parse(text: str, path: str) -> Any:
    """The value a YAML text stands for. `path` names it in errors. Raises Problem."""
    return _Reader(text, path).document()


def read(path: str) -> Any:
    """The value of a YAML file. Raises Problem."""
    return parse(read_text(path), path)


def read_text(path: str) -> str:
    """The text of a file exactly as it stands, line ends included. Raises Problem."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Problem(f"cannot be read: {error.strerror}", path, code=66) from error
    if len(data) > LARGEST:
        raise Problem(f"is larger than {LARGEST >> 20} MiB; is it the right file?", path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _line_and_column(data[: error.start].decode("utf-8"))
        raise Problem(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8",
            path, line, column,
        ) from error  # fmt: skip


def place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the value at `path`, or of what encloses it if it is absent."""
    return places(text, [path])[path]


def places(text: str, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """`place` for many paths in one pass over the text, which must be readable."""
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
            raise Problem(f"is larger than {LARGEST >> 20} MiB; is it the right file?", path)
        text = text.removeprefix("\ufeff")
        if bad := _CONTROL.search(text):
            raise Problem(
                f"control character U+{ord(bad[0]):04X}; remove it",
                path, *_line_and_column(text[: bad.start()]),
            )  # fmt: skip
        self.next = _events(text)

    def document(self) -> Any:
        try:
            self.next()
            event = self.next()
            if isinstance(event, StreamEndEvent):
                raise Problem("the file is empty", self.path)
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
            raise Problem(f"not YAML: {told}", self.path, line, column) from error
        except yaml.YAMLError as error:
            raise Problem(f"not YAML: {error}", self.path) from error
        return value

    def node(self, event: Any, depth: int) -> Any:
        kind = type(event)
        if kind is ScalarEvent:
            return self.scalar(event)
        if kind is AliasEvent:
            raise self.refusal(event, f"alias *{event.anchor}; write the value out")
        if event.tag is not None or event.anchor is not None:
            raise self.tagged(event)
        if depth == DEEPEST:
            raise self.refusal(event, f"nested more than {DEEPEST} deep")
        if kind is SequenceStartEvent:
            items = []
            while type(event := self.next()) is not SequenceEndEvent:
                items.append(self.node(event, depth + 1))
            return items
        found: dict[str, Any] = {}
        while type(event := self.next()) is not MappingEndEvent:
            key = self.node(event, depth + 1)
            if type(key) is not str:
                raise self.refusal(event, f"{key!r} is not text, so it cannot be a key; quote it")
            if key in found:
                raise self.refusal(event, f"{key!r} stands here a second time; keep one")
            found[key] = self.node(self.next(), depth + 1)
        return found

    def scalar(self, event: Any) -> Any:
        value: str = event.value
        if event.tag is not None or event.anchor is not None:
            raise self.tagged(event)
        if not event.implicit[0]:
            if not value.isprintable() and (bad := _CONTROL_OR_RETURN.search(value)):
                raise self.refusal(event, f"control character U+{ord(bad[0]):04X}; remove it")
            return value
        if value in _WORDS:
            return _WORDS[value]
        if value[0] in "-+.0123456789":
            return self.number_like(event, value)
        return value

    def number_like(self, event: Any, value: str) -> int | str:
        if _NUMBER.fullmatch(value):
            if len(value.lstrip("-")) > 15:
                raise self.refusal(event, f"{value[:15]}… is too long for a number; quote it")
            return int(value)
        if _FLOAT.fullmatch(value):
            raise self.refusal(event, f'{value} is not a whole number; if it is text, "{value}"')
        if _DATE.fullmatch(value):
            raise self.refusal(event, f'{value} is a date to some readers; quote it: "{value}"')
        return value

    def tagged(self, event: Any) -> Problem:
        what = f"tag {event.tag}" if event.tag is not None else f"anchor &{event.anchor}"
        return self.refusal(event, f"{what}; remove it, plain values are enough")

    def refusal(self, event: Any, message: str) -> Problem:
        mark = event.start_mark
        return Problem(message, self.path, mark.line + 1, mark.column + 1)


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


def _line_and_column(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


# --------------------------------------------------------------------------------- writing

_PLAIN = re.compile(r"[^\W\d][\w ./+()'%=-]*(?<! )")
_PLAIN_WITH_COLONS = re.compile(r"(?:[^\W\d][\w./+?()'%=-]*)(?:(?::(?! )| )[\w./+?()'%=-]+)*")
_WORDS_ELSEWHERE: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def emit(item: dict[str, Any] | list[Any]) -> str:
    """A mapping or a list as block YAML, one value a line, short records in braces.

    Takes what `parse` gives (and tuples, as lists). Raises Problem for a control character,
    TypeError for a value that is not plain.
    """
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
    """A record: single values and lists of them."""
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
    """Quoted wherever this reader, or a laxer one, could take it for something else."""
    plain = _PLAIN if in_braces else _PLAIN_WITH_COLONS
    if plain.fullmatch(text) and text.lower() not in _WORDS_ELSEWHERE:
        return text
    if bad := _CONTROL_OR_RETURN.search(text):
        raise Problem(f"{text!r} holds the control character U+{ord(bad[0]):04X}; remove it")
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


# -------------------------------------------------------------------------------- checking


def validate(data: Any, schema: str, text: str, path: str) -> list[Problem]:
    """What a JSON schema (its text, draft-07) finds wrong with the data parsed from `text`."""
    import json

    from jsonschema import Draft7Validator

    errors = list(Draft7Validator(json.loads(schema)).iter_errors(data))
    where = places(text, [tuple(error.absolute_path) for error in errors])
    problems = []
    for error in errors:
        at = tuple(error.absolute_path)
        said = error.message if len(error.message) < 200 else f"{error.message[:197]}…"
        named = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in at).lstrip(".")
        problems.append(Problem(f"{named}: {said}" if named else said, path, *where[at]))
    return sorted(problems, key=lambda problem: (problem.line, problem.column, problem.message))
