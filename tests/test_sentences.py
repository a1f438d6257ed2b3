"""Every sentence a person may read is one whole pattern with named blanks, never glued together.

The syntax trees are walked: what is said of a move, a message, a file is a literal pattern (or one
of several), each blank has its value and each value its blank. Templates are held to the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

import jinja2
import pytest
from jinja2 import nodes

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "pbem").rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.j2"))

NOT_YET: Final[frozenset[str]] = frozenset()
"""Files whose sentences are still glued together. Empty it, never add to it."""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def held(paths: list[Path]) -> list[Path]:
    return [path for path in paths if named(path) not in NOT_YET]


# ------------------------------------------------------------------------------- in Python


class Speaker(NamedTuple):
    """Something that is called with a pattern: where it stands among the arguments, the names of
    those that are no values, and the values that it adds itself."""

    at: int
    reserved: frozenset[str]
    added: frozenset[str] = frozenset()


PLACED = frozenset({"path", "line", "column"})
PROBLEMS = "Problem Usage NotNow BadFile NoFile CannotMake CannotWrite Busy Denied".split()
SAID = {
    "Violation": Speaker(1, frozenset()),
    "Unreadable": Speaker(1, frozenset({"span", "advice"})),
    **dict.fromkeys(PROBLEMS, Speaker(0, PLACED)),
}
JUDGED = {"Violation", "Unreadable"}
"""What these say begins with a capital, or a blank, and ends without a full stop."""


def speakers(tree: ast.Module) -> dict[str, Speaker]:
    """Every function of a module that is given a `pattern` and hands it on."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            given = node.args
            names = [each.arg for each in given.posonlyargs if each.arg != "self"]
            others = (each.arg for each in (*given.args, *given.kwonlyargs))
            if "pattern" in names:
                reserved = frozenset((*names, *others))
                found[node.name] = Speaker(names.index("pattern"), reserved, added(node))
    return found


def added(function: ast.FunctionDef) -> frozenset[str]:
    """The values a speaker adds: `values["ply"] = …`, or `Problem(pattern, ply=…, **values)`."""
    set_later = {
        str(target.slice.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    }
    handed_on = {
        keyword.arg
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and any(each.arg is None for each in node.keywords)
        for keyword in node.keywords
        if keyword.arg is not None
    }
    return frozenset(set_later | handed_on)


TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
EVERYWHERE = {
    **SAID,
    **speakers(TREES[ROOT / "pbem" / "sentence.py"]),
    "problem": speakers(TREES[ROOT / "pbem" / "log" / "format.py"])["problem"],
}


class Call(NamedTuple):
    """A call that says something, the speaker it calls, and the functions it stands in."""

    node: ast.Call
    name: str
    speaker: Speaker
    around: tuple[ast.AST, ...]

    @property
    def pattern(self) -> ast.expr | None:
        """The pattern it is called with; None where it hands on what it was given itself."""
        given = self.node.args[: self.speaker.at + 1]
        if len(given) <= self.speaker.at or isinstance(given[-1], ast.Starred):
            return None
        # A method of the same name that speaks of something else takes no text.
        other = isinstance(given[-1], ast.Constant) and not isinstance(given[-1].value, str)
        return None if other else given[-1]


def calls(tree: ast.Module) -> Iterator[Call]:
    """Every call in a module that says something."""
    known = EVERYWHERE | speakers(tree)

    def walk(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Call]:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in known:
                yield Call(node, name, known[name], around)
        if isinstance(node, ast.FunctionDef):
            around = (*around, node)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, around)

    return walk(tree, (tree,))


def assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a name is set to in a function or a module."""
    for node in ast.walk(scope):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", getattr(node, "iter", None))
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.For) and value is not None:
            for target in targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield value


IMPORTED: Final = {"LETTER": list(assigned(TREES[ROOT / "pbem" / "cli" / "common.py"], "LETTER"))}
"""Patterns that several modules say."""


def literals(given: ast.expr, around: tuple[ast.AST, ...]) -> list[str] | None:
    """The patterns an expression may stand for; None if one of them is no literal."""
    match given:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return both([literals(one, around), literals(other, around)])
        case ast.Call(func=ast.Name(id="Counted"), args=[one, many], keywords=[]):
            return both([literals(one, around), literals(many, around)])
        case ast.Dict(values=values) | ast.Tuple(elts=values):
            return both([literals(value, around) for value in values])
        case ast.Subscript(value=ast.Name() as table):
            return literals(table, around)
        case ast.Name(id=name):
            scopes = (list(assigned(scope, name)) for scope in reversed(around))
            values = next(filter(None, scopes), IMPORTED.get(name, []))
            return both([literals(value, around) for value in values]) if values else None
    return None


def both(found: list[list[str] | None]) -> list[str] | None:
    return None if None in found else [text for each in found for text in each or ()]


def hands_on(call: Call) -> bool:
    """Is it a speaker's own body, saying what it was told to say?"""
    functions = [each.args for each in call.around if isinstance(each, ast.FunctionDef)]
    told = {each.arg for given in functions for each in (*given.posonlyargs, *given.args)}
    return isinstance(call.pattern, ast.Name) and call.pattern.id == "pattern" and "pattern" in told


def blanks(pattern: str) -> set[str]:
    fields = (field for _, field, _, _ in Formatter().parse(pattern))
    return {re.split(r"[.\[]", field)[0] for field in fields if field is not None}


def objections(path: Path) -> Iterator[str]:
    """What is wrong with the sentences of a module."""
    for call in calls(TREES[path]):
        where = f"{named(path)}:{call.node.lineno}: {call.name}"
        if call.pattern is None or hands_on(call):
            continue
        patterns = literals(call.pattern, call.around)
        if patterns is None:
            yield f"{where}: the pattern is no literal: {ast.unparse(call.pattern)}"
            continue
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
        if missing := wanted - given - call.speaker.added:
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


@pytest.mark.parametrize("path", [path for path in held(MODULES) if not is_drawn(path)], ids=named)
def test_no_module_strings_words_together(path: Path) -> None:
    assert list(strung(path)) == []


@pytest.mark.parametrize("path", held(MODULES), ids=named)
def test_what_a_module_says_is_whole_patterns_with_their_values(path: Path) -> None:
    assert list(objections(path)) == []


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
        ('say(Counted("{n} {a}", "{n} {b}"), n=n, a=a)', "no value for ['b']"),
        ('Violation("K-1", "no line")', "no capital"),
        ('Violation("K-1", "No line.")', "full stop"),
        ('Violation("K-1", "{line:seat} is no line", line=line)', ""),
        ('Usage("no {x}" if y else "not {x}", "m.yaml", line=3, x=x)', ""),
        ('TABLE = {"a": "no {x}", "b": "not {x!r}"}\nUsage(TABLE[kind], x=x)', ""),
        ('say(Counted("{n} move", "{n} moves"), n=n)', ""),
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
PARSER = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)


def constants(node: nodes.Node | None) -> list[str]:
    """The patterns an expression may stand for: a literal, one of two, one of a table."""
    match node:
        case nodes.Const(value=str(text)):
            return [text]
        case nodes.CondExpr(expr1=one, expr2=other):
            found = [constants(one), constants(other)]
        case nodes.Getitem(node=nodes.Dict(items=items)):
            found = [constants(pair.value) for pair in items]
        case _:
            return []
    return [text for each in found for text in each] if all(found) else []


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
        values = {keyword.key for keyword in call.kwargs}
        wanted = {blank for pattern in patterns for blank in blanks(pattern)}
        if values ^ wanted - ({"n"} if name == "counted" else set()):
            yield f"{call.lineno}: {patterns[0]!r} has {sorted(values)}"


def is_markup(path: Path) -> bool:
    """A dialect's macros and the pages of the web write tags and tables."""
    return path.parent.name in ("dialects", "web")


@pytest.mark.parametrize(
    "path", [path for path in held(TEMPLATES) if not is_markup(path)], ids=named
)
def test_templates_speak_in_whole_sentences(path: Path) -> None:
    assert list(glued(path.read_text(encoding="utf-8"))) == []


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
