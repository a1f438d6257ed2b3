"""What is told quickly of a schema is what the library would say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import apart, dealt, finished

from pbem.files import yamlio
from pbem.files.data import schema_names, schema_text
from pbem.files.yamlio import schema as schemas
from pbem.files.yamlio.schema import obeys
from pbem.report.escape import DIALECTS

ARCHIVE = Path(__file__).parent / "archive"
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, "", "a", "ab", "a\nb", "1", [], [1], [1, 1], [True, 1]),
    *(["a", "b", "a"], [[1], [True]], {}, {"a": 1}, {"a": "x", "b": []}, {"b": None, "c": 1}),
    [{"a": 1}, {"a": 1}],
]
WORDS: dict[str, dict[str, Any]] = {
    "a type": {"type": "string"},
    "a whole number, which true is not": {"type": "integer"},
    "types": {"type": ["boolean", "null", "array"]},
    "a constant": {"const": 1},
    "a constant that is true": {"const": True},
    "a constant list": {"const": [1]},
    "a choice": {"enum": [1, "a", None, {"a": 1}]},
    "a pattern": {"pattern": "^a$"},
    "a shortest text": {"minLength": 1},
    "a longest text": {"maxLength": 1},
    "a least number": {"type": "integer", "minimum": 1},
    "a greatest number": {"type": "integer", "maximum": 1},
    "a shortest list": {"minItems": 1},
    "a longest list": {"maxItems": 1},
    "no item twice": {"uniqueItems": True},
    "any item twice": {"uniqueItems": False, "type": "array"},
    "items": {"items": {"type": "integer"}},
    "no items": {"items": False},
    "keys there must be": {"required": ["a"]},
    "keys there may be": {"properties": {"a": {"type": "integer"}}},
    "no other keys": {"properties": {"a": True}, "additionalProperties": False},
    "other keys": {"properties": {"a": True}, "additionalProperties": {"type": "null"}},
    "names of keys": {"propertyNames": {"enum": ["a"]}},
    "fewest keys": {"minProperties": 1},
    "most keys": {"maxProperties": 1},
    "keys that need others": {"dependencies": {"b": ["a"]}},
    "all": {"allOf": [{"type": "integer"}, {"minimum": 1}]},
    "any": {"anyOf": [{"type": "null"}, {"required": ["a"], "type": "object"}]},
    "one": {"oneOf": [{"type": "integer"}, {"enum": [1, "a"]}]},
    "not": {"not": {"type": "integer"}},
    "if": {
        "if": {"type": "object"},
        "then": {"required": ["a"]},
        "else": {"not": {"type": "array"}},
    },
    "a part by its name, whatever stands beside": {
        "$ref": "#/definitions/x",
        "type": "null",
        "definitions": {"x": {"type": "array", "items": {"$ref": "#/definitions/y"}}, "y": False},
    },
    "a part of itself": {
        "properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}},
        "definitions": {"x": {"type": ["array", "string"], "items": {"$ref": "#/definitions/x"}}},
    },
}


@pytest.mark.parametrize("schema", WORDS.values(), ids=WORDS)
def test_each_word_means_what_it_means_to_the_library(schema: dict[str, Any]) -> None:
    text = json.dumps(schema)
    said = [obeys(value, text) for value in VALUES]
    assert said == [not yamlio.misfits(value, text) for value in VALUES]
    assert set(said) == {True, False} or schema == WORDS["any item twice"]


def test_a_word_that_is_not_known_is_left_to_the_library() -> None:
    schema = json.dumps({"patternProperties": {"^a": {"type": "integer"}}})
    assert not obeys({"a": 1}, schema)
    assert yamlio.validate({"a": 1}, schema, "a: 1\n", "x") == []
    assert len(yamlio.validate({"a": "x"}, schema, "a: x\n", "x")) == 1


def documents(kind: str) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Documents, and what becomes of them: move files, desk files with everything that can stand in
    one, and logs with one entry each, of every kind there is."""
    if kind == "move":
        move = {"match": "m", "seat": "white", "position": "#1 abcd", "moves": ["a", "b"]}
        yield move, changed(move)
    for path in sorted(ARCHIVE.glob("*.desk.yaml")) if kind == "desk" else ():
        desk = yamlio.read(str(path))
        yield desk, changed(desk)
    known = set()
    for path in sorted(ARCHIVE.glob("*.pbem.yaml")) if kind == "log" else ():
        header = yamlio.read(str(path))
        entries = header.pop("log") or []
        for entry in entries:
            if (of := entry.get("ruling", tuple(entry))) not in known:
                known.add(of)
                yield {**header, "log": [entry]}, ({**header, "log": [e]} for e in changed(entry))
        if tuple(header) not in known:
            known.add(tuple(header))
            yield {**header, "log": []}, changed({**header, "log": []})


def changed(value: Any) -> Iterator[Any]:
    """A document with anything in it changed, left out or added, once each."""
    yield from (None, True, 0, -1, "", "x", "x\ny", [], {})
    if isinstance(value, list):
        yield from ([*value, "x"], [*value, *value[:1]])
        for nth, each in enumerate(value):
            yield [*value[:nth], *value[nth + 1 :]]
            yield from ([*value[:nth], other, *value[nth + 1 :]] for other in changed(each))
    if isinstance(value, dict):
        yield {**value, "x": "x"}
        for key, each in value.items():
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: other} for other in changed(each))


@pytest.mark.parametrize("kind", ["desk", "log", "move"])
def test_of_files_with_anything_changed_it_says_what_the_library_says(kind: str) -> None:
    schema, tried = schema_text(kind), set()
    for document, others in documents(kind):
        assert obeys(document, schema), document
        for other in others:
            written = json.dumps(other)
            if written not in tried:
                tried.add(written)
                assert obeys(other, schema) == (not yamlio.misfits(other, schema)), other
    assert len(tried) > 50


def test_the_house_uses_no_word_that_is_not_known() -> None:
    for name in schema_names():
        assert schemas._whole(schema_text(name)) is not None, name


@pytest.mark.parametrize("command", ["submit", "check", "check --key", "letter", "verify"])
def test_what_obeys_its_schema_needs_no_library_to_be_loaded(tmp_path: Path, command: str) -> None:
    room = dealt(tmp_path)
    asked = {
        "submit": ["submit", room.log, "--from", "white"],
        "check": ["check", room.log, "--from", "white"],
        "check --key": ["check", room.log, "--from", "white", "--key", room.desk],
        "letter": ["letter", room.log, "--seat", "white"],
        "verify": ["verify", room.log, "--key", room.desk],
    }[command]
    done = finished(apart(*asked, before="sys.modules['jsonschema'] = None", stdin=b"draw"))
    assert done.code == 0, done.err


@pytest.mark.parametrize("command", ["letter", "post", "show"])
def test_what_reads_no_message_loads_no_reader_of_messages(tmp_path: Path, command: str) -> None:
    room = dealt(tmp_path)
    seat = ["--seat", "white"] if command == "letter" else []
    before = "sys.modules['pbem.intake'] = None"
    done = finished(apart(command, room.log, *seat, before=before))
    assert done.code == 0, done.err


def test_a_desk_file_can_name_every_dialect_but_the_usual_one() -> None:
    named = json.loads(schema_text("desk"))["properties"]["dialect"]["enum"]
    assert tuple(named) == DIALECTS[1:]
