"""YAML, strictly: strings, whole numbers, true, false, null, lists and mappings.

Everything a person might write without meaning it (an unquoted date, a duplicate key, an
alias) is refused with its place instead of being guessed at. Written text reads back equal.
The parser is imported when there is something to parse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from pbem.problem import BadFile, NoFile, Problem

LARGEST: Final = 64 * 1024 * 1024

Path = tuple[str | int, ...]
"""Where a value stands: ("log", 3, "events", 0)."""


def parse(text: str, path: str, *, remember: bool = False) -> Any:
    """The value a YAML text stands for. `path` names it in errors. Raises Problem.

    `remember` keeps the value in the user's cache, and takes it from there the next time: for
    public files that are read again and again.
    """
    if remember:
        from pbem.files import cache

        return cache.cached("parsed", text, lambda: parse(text, path))
    from pbem.files.yamlio import strict

    return strict.parse(text, path)


def read(path: str, *, remember: bool = False) -> Any:
    """The value of a YAML file. Raises Problem."""
    return parse(read_text(path), path, remember=remember)


def read_text(path: str) -> str:
    """The text of a file exactly as it stands, line ends included. Raises Problem."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise NoFile("cannot be read: {strerror}", path, strerror=error.strerror) from error
    if len(data) > LARGEST:
        raise BadFile(
            "is larger than {largest} MiB; is it the right file?", path, largest=LARGEST >> 20
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = line_and_column(data[: error.start].decode("utf-8"))
        raise BadFile(
            "byte 0x{data:02x} is not UTF-8; save the file as UTF-8",
            path,
            line,
            column,
            data=data[error.start],
        ) from error


def place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the value at `path`, or of what encloses it if it is absent."""
    return places(text, [path])[path]


def places(text: str, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """`place` for many paths in one pass over the text, which must be readable."""
    from pbem.files.yamlio import strict

    return strict.places(text, paths)


def line_and_column(before: str) -> tuple[int, int]:
    """The line and column of what follows this text, counted from 1."""
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def emit(item: dict[str, Any] | list[Any]) -> str:
    """A mapping or a list as block YAML, one value a line, short records in braces.

    Takes what `parse` gives (and tuples, as lists). Raises Problem for a control character,
    TypeError for a value that is not plain.
    """
    from pbem.files.yamlio import writing

    return writing.emit(item)


def amend(text: str, data: Mapping[str, Any]) -> str:
    """A readable text of a mapping, changed so that it reads as this data.

    Entries that stay the same keep their lines, and comments on lines of their own stay.
    """
    from pbem.files.yamlio import amending

    return amending.amend(text, data)


def misfits(data: Any, schema: str, *, parts: bool = False) -> list[tuple[str, str]]:
    """Where plain data do not obey a JSON schema (its text, draft-07), and why.

    With `parts`, keys may be left out.
    """
    return [
        (_named(error.absolute_path), _short(error.message))
        for error in _errors(data, schema)
        if not (parts and error.validator == "required")
    ]


def _errors(data: Any, schema: str) -> Iterator[Any]:
    """What the library finds wrong; it is asked only where something is amiss."""
    from pbem.files.yamlio.schema import obeys

    return iter(()) if obeys(data, schema) else _validator(schema).iter_errors(data)


@cache
def _validator(schema: str) -> Any:
    import json

    from jsonschema import Draft7Validator

    return Draft7Validator(json.loads(schema))


def _named(path: Iterable[str | int]) -> str:
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path).lstrip(".")


def _short(message: str) -> str:
    return message if len(message) < 200 else f"{message[:197]}…"


_PRIVATE: Final = "not as the schema wants it (what stands there is private and not shown)"


def validate(
    data: Any, schema: str, text: str, path: str, most: int = 20, *, private: Collection[str] = ()
) -> list[Problem]:
    """What a JSON schema (its text, draft-07) finds wrong with the data parsed from `text`: the
    first `most` problems. What stands under a `private` name at the top is not quoted."""
    from itertools import islice

    errors = list(islice(_errors(data, schema), most))
    where = places(text, [tuple(error.absolute_path) for error in errors])
    problems = []
    for error in errors:
        at = tuple(error.absolute_path)
        said, named = _short(error.message), _named(at)
        if at and at[0] in private:
            said = _PRIVATE
        pattern = "{key}: {said}" if named else "{said}"
        problems.append(BadFile(pattern, path, *where[at], key=named, said=said))
    return sorted(problems, key=lambda problem: (problem.line, problem.column, problem.message))
