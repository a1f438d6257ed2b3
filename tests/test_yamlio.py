"""The strict YAML reader, and the writer whose text it reads back."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from long import many

from pbem.files import yamlio
from pbem.files.yamlio import strict
from pbem.problem import NoFile, Problem

pytestmark = pytest.mark.usefixtures("parser")


@pytest.fixture(params=["libyaml", "pure"], scope="module")
def parser(request):
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "pure":
            patch.setattr(yaml, "__with_libyaml__", False)
        yield


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b", {"a": "b"}),
        ("a: 12", {"a": 12}),
        ("a: -3", {"a": -3}),
        ("a: true\nb: false\nc: null\nd:", {"a": True, "b": False, "c": None, "d": None}),
        ("a: 'true'", {"a": "true"}),
        ("a: ''", {"a": ""}),
        ("a: no", {"a": "no"}),
        ("a: Yes", {"a": "Yes"}),
        ("a: on", {"a": "on"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 012", {"a": "012"}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 0x1f", {"a": "0x1f"}),
        ("a: ~", {"a": "~"}),
        ('a: "1.5"', {"a": "1.5"}),
        ('a: "2026-01-02"', {"a": "2026-01-02"}),
        ("a: deal ?", {"a": "deal ?"}),
        ("- - 1\n  - x\n- {y: [z]}", [[1, "x"], {"y": ["z"]}]),
        ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        ("# only\n---\nx", "x"),
        ("\ufeffa: 1", {"a": 1}),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
    ],
)
def test_only_whole_numbers_and_three_words_are_not_text(text, value):
    read = yamlio.parse(text, "x.yaml")
    assert read == value
    assert json.dumps(read) == json.dumps(value)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: 1\nb: 2\na: 3", "3:1", "'a' stands here a second time"),
        ("a: &x 1", "1:4", "anchor &x"),
        ("a: &x {}", "1:4", "anchor &x"),
        ("a: 1\nb: *x", "2:4", "alias *x"),
        ("a: !!str 1", "1:4", "tag tag:yaml.org,2002:str"),
        ("a: ! 1", "1:4", "tag !"),
        ("a: !!map {}", "1:4", "tag"),
        ("1: a", "1:1", "1 is not text"),
        ("true: a", "1:1", "True is not text"),
        ("? [a]\n: b", "1:3", "['a'] is not text"),
        ("a: 1\n---\nb: 2", "2:1", "a second document"),
        ("a: 1\n...\n", "2:1", "'...' ends the document"),
        ("a: 1.5", "1:4", 'if it is text, "1.5"'),
        ("a: 1e4", "1:4", 'if it is text, "1e4"'),
        ("a: .5", "1:4", "not a whole number"),
        ("a: 5.", "1:4", "not a whole number"),
        ("a: -.inf", "1:4", "not a whole number"),
        ("a: 2026-01-02", "1:4", 'quote it: "2026-01-02"'),
        ("a: 2026-01-02T10:00:00Z", "1:4", "a date to some readers"),
        ("a: 2026-01-02 10:00:00", "1:4", "a date to some readers"),
        ("a: " + "7" * 64, "1:4", "too long for a number"),
        ("a: b\x07c", "1:5", "control character U+0007"),
        ('x: 1\na: "b\\x07c"', "2:4", "control character U+0007"),
        ('a: "b\\rc"', "1:4", "control character U+000D"),
        ("a: 'b", "1", "not YAML"),
        ("a: [1, 2", "", "not YAML"),
        ("a: b: c", "1", "not YAML"),
        ("\ta: 1", "1", "not YAML"),
        ("", "", "the file is empty"),
        ("# nothing\n", "", "the file is empty"),
        ("[" * 70 + "]" * 70, "1:65", "nested more than 64 deep"),
    ],
)
def test_what_could_be_misread_is_refused_at_its_place(text, place, message):
    with pytest.raises(Problem) as caught:
        yamlio.parse(text, "x.yaml")
    problem = caught.value
    assert message in problem.message
    assert str(problem).startswith(f"x.yaml:{place}")


def test_an_unclosed_quote_is_refused_and_names_its_file_and_line():
    with pytest.raises(Problem, match=r"^x\.yaml:3:"):
        yamlio.parse("a: 1\nb: 'two\n", "x.yaml")


def test_a_text_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(strict, "LARGEST", 10)
    with pytest.raises(Problem, match="larger than"):
        yamlio.parse("a: 34567890", "x.yaml")


def test_a_byte_that_is_not_utf8_is_refused_at_its_place(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_bytes(b"a: 1\nb: caf\xe9\n")
    with pytest.raises(Problem, match=r"x\.yaml:2:7: byte 0xe9 is not UTF-8"):
        yamlio.read(str(file))


def test_a_missing_file_is_reported_as_no_input(tmp_path):
    with pytest.raises(Problem, match="cannot be read: No such file") as caught:
        yamlio.read(str(tmp_path / "x.yaml"))
    assert isinstance(caught.value, NoFile)


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ((), (1, 1)),
        (("log",), (2, 1)),
        (("log", 1), (4, 3)),
        (("log", 1, "events", 1, "built"), (5, 26)),
        (("log", 1, "events", 1, "built", "line"), (5, 34)),
        (("log", 1, "missing", 7), (4, 3)),
    ],
)
def test_a_value_is_found_where_it_starts(path, where):
    text = "game: x\nlog:\n- ply: 1\n- ply: 2\n  events: [{spent: {}}, {built: {line: A}}]\n"
    assert yamlio.place(text, path) == where


def test_a_log_entry_is_written_the_way_a_person_would():
    entry = {
        "ply": 1,
        "seat": "chance",
        "move": "deal ?",
        "events": [
            {"dealt": {"to": "white", "card": "sealed:0:AAAA"}},
            {"passed": {}},
            {"swapped": {"tiles": ["A:kane5", "no"], "by": "black"}},
        ],
        "strikes": [14, 15],
        "at": "2026-11-21T03:40:00Z",
    }
    assert yamlio.emit([entry]) == (
        "- ply: 1\n"
        "  seat: chance\n"
        "  move: deal ?\n"
        "  events:\n"
        '  - dealt: {to: white, card: "sealed:0:AAAA"}\n'
        "  - passed: {}\n"
        '  - swapped: {tiles: ["A:kane5", "no"], by: black}\n'
        "  strikes: [14, 15]\n"
        '  at: "2026-11-21T03:40:00Z"\n'
    )


_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff")
    | st.sampled_from("\n\t -:#,[]{}\"'\\?!&*|>%@`~0e.")
) | st.sampled_from(["true", "No", "null", "~", "", "1", "-", "---", "2026-01-02", "1e4", "<<"])
_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=many(70, 200))
@given(st.dictionaries(_TEXT, _PLAIN, max_size=4) | st.lists(_PLAIN, max_size=4))
def test_what_is_written_reads_back_equal(item):
    text = yamlio.emit(item)
    assert yamlio.parse(text, "x.yaml") == item


@settings(max_examples=many(50, 100))
@given(st.lists(st.dictionaries(_TEXT, _PLAIN, min_size=1, max_size=3), max_size=3))
def test_entries_glued_to_a_list_read_as_its_next_items(items):
    text = "log:\n" + "".join(yamlio.emit([item]) for item in items)
    assert yamlio.parse(text, "x.yaml") == {"log": items or None}


def test_other_readers_understand_what_is_written():
    item = {"a": "no", "b": "12:30", "c": "1e4", "d": "x: y", "e": ["2026-01-02", "012", "~"]}
    assert yaml.safe_load(yamlio.emit(item)) == item


@settings(max_examples=many(70, 200))
@given(st.text() | st.text("ab:-#[]{}\"'\\\n \t?!&*|>%@`~0e."))
def test_no_text_gives_anything_but_a_value_or_a_problem(text):
    with contextlib.suppress(Problem):
        value = yamlio.parse(text, "x.yaml")
        assert yamlio.parse(json.dumps(value), "x.json") == value


def test_a_control_character_is_not_written():
    with pytest.raises(Problem, match=r"U\+0007"):
        yamlio.emit({"reason": "ding\x07"})


def test_a_schema_error_names_the_line_and_the_field():
    schema = json.dumps(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"seats": {"additionalProperties": {"type": "string"}}},
            "required": ["game"],
        }
    )
    text = "seats:\n  white: Ana\n  black: 7\n"
    problems = yamlio.validate(yamlio.parse(text, "x.yaml"), schema, text, "x.yaml")
    assert [str(problem) for problem in problems] == [
        "x.yaml:1:1: 'game' is a required property",
        "x.yaml:3:3: seats.black: 7 is not of type 'string'",
    ]


def test_a_schema_may_refer_to_its_parts_and_a_part_to_itself():
    tree = {
        "required": ["name"],
        "properties": {
            "name": {"$ref": "#/definitions/name"},
            "under": {"items": {"$ref": "#/definitions/tree"}},
            "$ref": {"type": "boolean"},
        },
    }
    definitions = {"tree": tree, "name": {"type": "string", "maxLength": 3}}
    schema = json.dumps({"$ref": "#/definitions/tree", "definitions": definitions})
    leaf = {"name": "long", "$ref": "#/definitions/name"}
    assert yamlio.misfits({"name": 1, "under": [{"name": "a", "under": [leaf, {}]}]}, schema) == [
        ("name", "1 is not of type 'string'"),
        ("under[0].under[0].name", "'long' is too long"),
        ("under[0].under[0].$ref", "'#/definitions/name' is not of type 'boolean'"),
        ("under[0].under[1]", "'name' is a required property"),
    ]


def test_reading_does_not_load_the_schema_library():
    code = "import sys, pbem.files.yamlio; print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
