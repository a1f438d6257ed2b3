"""Every sentence a person may read is one whole pattern with named blanks, never glued together.

The syntax trees are walked: what is said of a move, a message, a file is a literal pattern (or one
of several), each blank has its value and each value its blank. Templates are held to the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from jinja2 import nodes

from languages.patterns import (
    JUDGED,
    MODULES,
    PARSER,
    PROBLEMS,
    ROOT,
    TEMPLATES,
    TREES,
    calls,
    hands_on,
    literals,
)
from pbem.report.templates import constants
from pbem.sentence import blanks

NOT_YET: Final[frozenset[str]] = frozenset()
"""Files whose sentences are still glued together. Empty it, never add to it."""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def held(paths: list[Path]) -> list[Path]:
    return [path for path in paths if named(path) not in NOT_YET]


POSSESSED: Final = frozenset(
    (
        "{seat}'s turn",
        "{seat:seat}'s turn",
        "{awaited:seats}'s turn",
        "{others:seats}'s turn",
        "not {seat:seat}'s",
        "{seat}'s bridge",
        "{god}'s gods",
        "{god}'s protection",
    )
)
"""Possessives that stand in English sentences of old, which every translation has put in its own
way. Never add to them: write "the key of {seat}"."""


def hanging(pattern: str) -> Iterator[str]:
    """The possessives that hang on a blank of a pattern."""
    for found in re.finditer(r"(?:not )?\{[\w:]+\}'s\b(?: \w+)?", pattern):
        if found[0] not in POSSESSED:
            yield f"a possessive hangs on a blank: {found[0]}"


# ------------------------------------------------------------------------------- in Python


def objections(path: Path) -> Iterator[str]:
    """What is wrong with the sentences of a module."""
    for call in calls(TREES[path]):
        where = f"{named(path)}:{call.node.lineno}: {call.name}"
        if call.pattern is None or hands_on(call):
            continue
        if isinstance(call.pattern, ast.IfExp):
            yield f"{where}: one of two patterns: say one sentence or the other"
            continue
        patterns = literals(call.pattern, call.around)
        if patterns == [""]:
            yield f"{where}: says nothing, which catalogues answer with their header"
        if patterns is None:
            yield f"{where}: the pattern is no literal: {ast.unparse(call.pattern)}"
            continue
        yield from (f"{where}: {each}" for pattern in patterns for each in hanging(pattern))
        for keyword in call.node.keywords:
            if isinstance(keyword.value, ast.JoinedStr):
                yield f"{where}: {keyword.arg} is glued together"
        if call.name in JUDGED:
            for pattern in patterns:
                if not re.match(r"[A-Z{'\"]", pattern) or pattern.endswith("."):
                    yield f"{where}: no capital, or a full stop: {pattern}"
        if any(keyword.arg is None for keyword in call.node.keywords):
            continue
        given = {str(keyword.arg) for keyword in call.node.keywords} - call.speaker.reserved
        wanted = {blank for pattern in patterns for blank in blanks(pattern)}
        if unused := given - wanted - {"n"}:
            yield f"{where}: no blank for {sorted(unused)}"
        if missing := wanted - given - call.speaker.added - call.fields:
            yield f"{where}: no value for {sorted(missing)}"


PROSE = re.compile(r"[a-z]{2,},? [a-z]{2,}")
PROGRAMMERS = {"ValueError", "TypeError", "AssertionError", "AttributeError", "encode"}


def strung(path: Path) -> Iterator[str]:
    """Where a module strings words together in an f-string, but for its programmers."""

    def walk(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in PROGRAMMERS:
                return
        if isinstance(node, ast.JoinedStr):
            words = [part.value for part in node.values if isinstance(part, ast.Constant)]
            marked_up = any("<" in str(text) for text in words)
            if not marked_up and any(PROSE.search(str(text)) for text in words):
                yield f"{named(path)}:{node.lineno}: {ast.unparse(node)}"
        for child in ast.iter_child_nodes(node):
            yield from walk(child)

    return walk(TREES[path])


def is_drawn(path: Path) -> bool:
    """The files that write shapes, SVG and style sheets: their f-strings hold no sentences."""
    return path.parent.name == "pictures" or path.name in ("shapes.py", "pages.py")


def test_no_module_strings_words_together() -> None:
    assert [each for path in held(MODULES) if not is_drawn(path) for each in strung(path)] == []


def test_what_a_module_says_is_whole_patterns_with_their_values() -> None:
    assert [each for path in held(MODULES) for each in objections(path)] == []


def test_the_walk_finds_what_it_is_to_find() -> None:
    found = [call.name for path in MODULES for call in calls(TREES[path])]
    assert {*JUDGED, *PROBLEMS[1:], "say", "problem", "refusal"} <= set(found)
    assert len(found) > 300


@pytest.mark.parametrize(
    ("code", "objection"),
    [
        ('Usage(f"no {x}")', "no literal"),
        ('Usage("no " + x)', "no literal"),
        ('Usage("no %s" % x)', "no literal"),
        ('Usage("no {}".format(x))', "no literal"),
        ("Usage(text)", "no literal"),
        ('text = "no {x}" + y\nUsage(text, x=x)', "no literal"),
        ('Usage("no {x}", x=f"{a} and {b}s")', "x is glued together"),
        ('Usage("no {x}")', "no value for ['x']"),
        ('Usage("no", x=x)', "no blank for ['x']"),
        ('say("{n} [{a}|{b}]", n=n, a=a)', "no value for ['b']"),
        ('Violation("K-1", "no line")', "no capital"),
        ('Violation("K-1", "No line.")', "full stop"),
        ('Violation("K-1", "{line:seat} is no line", line=line)', ""),
        ('Usage("no {x}" if y else "not {x}", "m.yaml", line=3, x=x)', "one of two patterns"),
        ('say("")', "says nothing"),
        ('say("{seat}\'s key", seat=seat)', "a possessive hangs on a blank: {seat}'s key"),
        ("say(\"not '{seat}', it says\", seat=seat)", ""),
        ("say(\"{seat:seat}'s turn, not {other}'s\", seat=1, other=2)", "blank: not {other}'s"),
        ('TABLE = {"a": "no {x}", "b": "not {x!r}"}\nUsage(TABLE[kind], x=x)', ""),
        ('say("{n} [move|moves]", n=n)', ""),
        ('class A:\n    seat: str\n    says = say("{seat} has {n}")', "no value for ['n']"),
        ('class A:\n    seat: str\n    says = say("{seat} goes")', ""),
    ],
)
def test_what_is_refused_in_python(code: str, objection: str) -> None:
    path = ROOT / "pbem" / "sample.py"
    TREES[path] = ast.parse(code)
    try:
        found = "\n".join(objections(path))
    finally:
        del TREES[path]
    assert objection in found if objection else not found


# ----------------------------------------------------------------------------- in templates

WORDS = re.compile(r"[A-Za-z]{2}|'s\b")


def glued(source: str) -> Iterator[str]:
    """What is glued together in a template, or lacks a value."""
    tree = PARSER.parse(source)
    for concat in tree.find_all(nodes.Concat):
        for part in concat.nodes:
            said = str(part.value) if isinstance(part, nodes.Const) else ""
            if WORDS.search(said) and not said.endswith(".j2"):
                yield f"{concat.lineno}: {said!r} is glued to something"
    for output in tree.find_all(nodes.Output):
        texts = [part.data for part in output.nodes if isinstance(part, nodes.TemplateData)]
        if len(texts) < len(output.nodes):
            yield from (f"{output.lineno}: {text!r}" for text in texts if WORDS.search(text))
    for call in tree.find_all(nodes.Call):
        name = getattr(call.node, "name", "")
        if name not in ("say", "counted"):
            continue
        given = call.args[:1] if name == "say" else call.args[1:3]
        if any(isinstance(part, nodes.Name) and part.name == "pattern" for part in given):
            continue  # a macro that hands on what it was given
        patterns = [text for part in given for text in constants(part)]
        if not all(constants(part) for part in given):
            yield f"{call.lineno}: {name} takes literal patterns"
            continue
        yield from (f"{call.lineno}: {each}" for text in patterns for each in hanging(text))
        values = {keyword.key for keyword in call.kwargs}
        wanted = {blank for pattern in patterns for blank in blanks(pattern)}
        if values ^ wanted - ({"n"} if name == "counted" else set()):
            yield f"{call.lineno}: {patterns[0]!r} has {sorted(values)}"


def is_markup(path: Path) -> bool:
    """A dialect's macros and the pages of the web write tags and tables."""
    return path.parent.name in ("dialects", "web")


def test_templates_speak_in_whole_sentences() -> None:
    whole = [path for path in held(TEMPLATES) if not is_markup(path)]
    found = {named(path): list(glued(path.read_text(encoding="utf-8"))) for path in whole}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("source", "objection"),
    [
        ("{{ name(seat) }}'s turn", "'s turn"),
        ('{{ cards }} {{ "is" if n == 1 else "are" }} face up.', "face up"),
        ('{{ name(seat) ~ " wins" }}', "' wins' is glued"),
        ('{{ say("{seat} wins " ~ x) }}', "literal patterns"),
        ('{{ say("{seat} wins.") }}', "'{seat} wins.' has []"),
        ('{{ say("{seat} wins.", seat=name(e.seat), x=1) }}', "has ['seat', 'x']"),
        ('{{ counted(n, "{n} card", "{n} of {x}") }}', "has []"),
        ('{{ say("{seat} wins {n}.", seat=name(e.seat), n=2) }}', ""),
        ('{{ say("{seat}\'s pawn wins.", seat=name(e.seat)) }}', "hangs on a blank: {seat}'s pawn"),
        ('{{ counted(n, "A card.", "{n} cards.") }}', ""),
        ("{% if x %}A card.{% else %}Two cards.{% endif %}", ""),
        ('{{ say("{a} wins." if x else "{a} loses.", a=a) }}', ""),
        ('{{ say({"red": "{a} wins.", "blue": "{a} loses."}[x], a=a) }}', ""),
        ('{{ say("{a} wins." if x else y, a=a) }}', "literal patterns"),
    ],
)
def test_what_is_refused_in_a_template(source: str, objection: str) -> None:
    found = "\n".join(glued(source))
    assert objection in found if objection else not found


def test_files_that_are_whole_leave_the_list() -> None:
    """A file of NOT_YET that has nothing wrong with it any more is to be held from now on."""
    for name in NOT_YET:
        path = ROOT / name
        if not path.exists():
            found = []
        elif path.suffix == ".py":
            found = [*objections(path), *strung(path)]
        else:
            found = list(glued(path.read_text(encoding="utf-8")))
        assert found, f"{name} is whole, or gone: take it from NOT_YET"
