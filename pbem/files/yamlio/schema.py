"""Does plain data obey a JSON schema? A yes or a no, without the reasons.

The library that words them takes longer to load than most commands take to run, and longer to look
at a log than it takes to read one. So it is asked only where the answer is no, or where a schema
uses a word that is not known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Final

Check = Callable[[Any], bool]


def obeys(data: Any, schema: str) -> bool:
    """Do JSON values certainly obey a JSON schema (its text, draft-07)?"""
    check = _whole(schema)
    return check is not None and check(data)


@cache
def _whole(schema: str) -> Check | None:
    """The check of a schema; None if it uses a word that is not known here."""
    whole = json.loads(schema)
    try:
        return _Schema(whole.get("definitions", {})).check(whole)
    except LookupError:
        return None


class _Schema:
    """Makes a check for each part of a schema; for a definition once, as it may refer to itself."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self.definitions = {f"#/definitions/{name}": each for name, each in definitions.items()}
        self.made: dict[str, Check] = {}

    def check(self, part: Any) -> Check:
        """Raises LookupError for a word that is not known here."""
        if isinstance(part, bool):
            return lambda data: part
        if "$ref" in part:
            return self.named(part["$ref"])
        demands = []
        for word, wants in part.items():
            if word not in _ONLY_SAID:
                kind, make = _WORDS[word]
                demands.append((kind, make(self.check, wants, part)))

        def check(data: Any) -> bool:
            for kind, obeyed in demands:
                if isinstance(data, kind) and not obeyed(data):
                    return False
            return True

        return check

    def named(self, name: str) -> Check:
        if name not in self.made:
            self.made[name] = lambda data: self.made[name](data)
            self.made[name] = self.check(self.definitions[name])
        return self.made[name]


def _type(_: Any, wants: str | list[str], part: Any) -> Check:
    kinds = tuple(_TYPES[each] for each in ([wants] if isinstance(wants, str) else wants))
    if bool in kinds:
        return lambda data: isinstance(data, kinds)
    return lambda data: isinstance(data, kinds) and not isinstance(data, bool)


def _if(check: Callable[[Any], Check], wants: Any, part: Mapping[str, Any]) -> Check:
    asked = check(wants)
    then, other = check(part.get("then", True)), check(part.get("else", True))
    return lambda data: then(data) if asked(data) else other(data)


def _some(right: Callable[[int, int], bool]) -> Callable[..., Check]:
    """A word that wants some of its parts obeyed, as many as is `right`."""

    def some(check: Callable[[Any], Check], wants: list[Any], part: Any) -> Check:
        checks = [check(each) for each in wants]
        return lambda data: right(sum(each(data) for each in checks), len(checks))

    return some


def _not(check: Callable[[Any], Check], wants: Any, part: Any) -> Check:
    refused = check(wants)
    return lambda data: not refused(data)


def _pattern(_: Any, wants: str, part: Any) -> Check:
    search = re.compile(wants).search
    return lambda data: search(data) is not None


def _each(check: Callable[[Any], Check], wants: Any, part: Any) -> Check:
    """Every item of a list, or every key of a mapping."""
    one = check(wants)
    return lambda data: all(map(one, data))


def _properties(check: Callable[[Any], Check], wants: Mapping[str, Any], part: Any) -> Check:
    known = {key: check(each) for key, each in wants.items()}
    return lambda data: all(known[key](each) for key, each in data.items() if key in known)


def _others(check: Callable[[Any], Check], wants: Any, part: Mapping[str, Any]) -> Check:
    one, known = check(wants), part.get("properties", {})
    return lambda data: all(one(each) for key, each in data.items() if key not in known)


def _dependencies(_: Any, wants: Mapping[str, list[str]], part: Any) -> Check:
    return lambda data: all(key in data for each in data.keys() & wants for key in wants[each])


def _same(one: Any, other: Any) -> bool:
    """Are they the same JSON value? 1 is not true."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _once(items: list[Any]) -> bool:
    return not any(_same(each, other) for nth, each in enumerate(items) for other in items[:nth])


_ONLY_SAID: Final = frozenset(
    {"$schema", "$id", "title", "description", "format", "readOnly", "definitions", "then", "else"}
)
_TYPES: Final[Mapping[str, type]] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "string": str,
    "array": list,
    "object": dict,
}
_WORDS: Final[Mapping[str, tuple[type | UnionType, Callable[..., Check]]]] = {
    "type": (object, _type),
    "const": (object, lambda check, wants, part: lambda data: _same(data, wants)),
    "enum": (object, lambda check, wants, part: lambda data: any(_same(data, w) for w in wants)),
    "not": (object, _not),
    "if": (object, _if),
    "allOf": (object, _some(lambda obeyed, of: obeyed == of)),
    "anyOf": (object, _some(lambda obeyed, of: obeyed > 0)),
    "oneOf": (object, _some(lambda obeyed, of: obeyed == 1)),
    "pattern": (str, _pattern),
    "minLength": (str, lambda check, wants, part: lambda data: len(data) >= wants),
    "maxLength": (str, lambda check, wants, part: lambda data: len(data) <= wants),
    "minimum": (int | float, lambda check, wants, part: lambda data: data >= wants),
    "maximum": (int | float, lambda check, wants, part: lambda data: data <= wants),
    "minItems": (list, lambda check, wants, part: lambda data: len(data) >= wants),
    "maxItems": (list, lambda check, wants, part: lambda data: len(data) <= wants),
    "uniqueItems": (list, lambda check, wants, part: lambda data: not wants or _once(data)),
    "items": (list, _each),
    "minProperties": (dict, lambda check, wants, part: lambda data: len(data) >= wants),
    "maxProperties": (dict, lambda check, wants, part: lambda data: len(data) <= wants),
    "required": (dict, lambda check, wants, part: lambda data: all(key in data for key in wants)),
    "propertyNames": (dict, _each),
    "properties": (dict, _properties),
    "additionalProperties": (dict, _others),
    "dependencies": (dict, _dependencies),
}
