"""Every sentence pbem can write, found in the syntax trees: in Python, in templates, in the rules.

A sentence is a pattern that a speaker is called with (`say`, `Violation`, `Usage` …): a literal, or
a name that stands for one, or one of several. What the walk cannot resolve, a test refuses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import jinja2
import yaml

from pbem.report.templates import said_in
from pbem.sentence import forms
from pbem.testing.sayings import said_by

ROOT: Final = Path(__file__).parents[1]
MODULES: Final = sorted((ROOT / "pbem").rglob("*.py"))
TEMPLATES: Final = sorted((ROOT / "templates").rglob("*.j2"))


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


@cache
def within(tree: ast.AST) -> tuple[ast.AST, ...]:
    """A node of a syntax tree, and all that stands in it."""
    return tuple(ast.walk(tree))


@cache
def speakers(tree: ast.Module) -> dict[str, Speaker]:
    """Every function of a module that is given a `pattern` and hands it on."""
    found = {}
    for node in within(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            given = node.args
            names = [each.arg for each in given.posonlyargs if each.arg != "self"]
            others = (each.arg for each in (*given.args, *given.kwonlyargs))
            if "pattern" in names:
                reserved = frozenset((*names, *others))
                found[node.name] = Speaker(names.index("pattern"), reserved, added(node))
    return found


def _hands_on_the_pattern(call: ast.Call) -> bool:
    patterns = (isinstance(each, ast.Name) and each.id == "pattern" for each in call.args)
    return any(each.arg is None for each in call.keywords) or any(patterns)


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
        if isinstance(node, ast.Call) and _hands_on_the_pattern(node)
        for keyword in node.keywords
        if keyword.arg is not None
    }
    return frozenset(set_later | handed_on)


class _Trees(dict[Path, ast.Module]):
    def __missing__(self, path: Path) -> ast.Module:
        tree = self[path] = ast.parse(path.read_text(encoding="utf-8"))
        return tree


TREES: Final = _Trees()
"""The syntax tree of each module, from when it is first wanted."""
EVERYWHERE: Final = {
    **SAID,
    **speakers(TREES[ROOT / "pbem" / "sentence.py"]),
    **speakers(TREES[ROOT / "pbem" / "files" / "store.py"]),
    "problem": speakers(TREES[ROOT / "pbem" / "log" / "format.py"])["problem"],
    **speakers(TREES[ROOT / "pbem" / "rules" / "kanaloa_bambus" / "lookup.py"]),
}


def imported(tree: ast.Module) -> dict[str, Speaker]:
    """The speakers of the modules of a game that a module imports, or imports from."""
    found = {}
    for node in within(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem.rules"):
            folder = ROOT.joinpath(*str(node.module).split("."))
            for path in (folder.with_suffix(".py"), *(folder / f"{n.name}.py" for n in node.names)):
                found.update(speakers(TREES[path]) if path in MODULES else {})
    return found


class Call(NamedTuple):
    """A call that says something, the speaker it calls, the functions it stands in and, where it is
    what a class `says`, the fields of that, which are its values."""

    node: ast.Call
    name: str
    speaker: Speaker
    around: tuple[ast.AST, ...]
    fields: frozenset[str] = frozenset()

    @property
    def pattern(self) -> ast.expr | None:
        """The pattern it is called with; None where it hands on what it was given itself."""
        given = self.node.args[: self.speaker.at + 1]
        if len(given) <= self.speaker.at or isinstance(given[-1], ast.Starred):
            return None
        # A method of the same name that speaks of something else takes no text.
        other = isinstance(given[-1], ast.Constant) and not isinstance(given[-1].value, str)
        return None if other else given[-1]


@cache
def calls(tree: ast.Module) -> tuple[Call, ...]:
    """Every call in a module that says something."""
    known = EVERYWHERE | imported(tree) | speakers(tree)

    of_class: dict[ast.AST, frozenset[str]] = {}

    def walk(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Call]:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in known:
                yield Call(node, name, known[name], around, of_class.get(node, frozenset()))
        if isinstance(node, ast.FunctionDef):
            around = (*around, node)
        if isinstance(node, ast.ClassDef):
            declared = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
            fields = frozenset(each.id for each in declared if isinstance(each, ast.Name))
            of_class.update(dict.fromkeys(assigned(node, "says"), fields))
        for child in ast.iter_child_nodes(node):
            yield from walk(child, around)

    return tuple(walk(tree, (tree,)))


def assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a name is set to in a function or a module."""
    for node in within(scope):
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
            return [*filter(None, in_forms(text))] or [text]
        case ast.IfExp(body=one, orelse=other):
            return both([literals(one, around), literals(other, around)])
        case ast.Dict(values=values) | ast.Tuple(elts=values):
            return both([literals(value, around) for value in values])
        case ast.Subscript(value=ast.Name() as table):
            return literals(table, around)
        case ast.Name(id=name):
            values = values_of(name, around)
            return both([literals(value, around) for value in values]) if values else None
    return None


def in_forms(pattern: str) -> tuple[str, str]:
    """A pattern, and that for any number but one; "" where no number matters."""
    found = forms(pattern)
    return (found, "") if isinstance(found, str) else found


def values_of(name: str, around: tuple[ast.AST, ...]) -> list[ast.expr]:
    """What a name is set to where it is read: in its function, else in its module."""
    scopes = (list(assigned(scope, name)) for scope in reversed(around))
    return next(filter(None, scopes), IMPORTED.get(name, []))


def both(found: list[list[str] | None]) -> list[str] | None:
    return None if None in found else [text for each in found for text in each or ()]


def hands_on(call: Call) -> bool:
    """Is it a speaker's own body, saying what it was told to say?"""
    functions = [each.args for each in call.around if isinstance(each, ast.FunctionDef)]
    told = {each.arg for given in functions for each in (*given.posonlyargs, *given.args)}
    return isinstance(call.pattern, ast.Name) and call.pattern.id == "pattern" and "pattern" in told


# ----------------------------------------------------------------------------- in templates

PARSER: Final = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)


# ------------------------------------------------------------------------------- all of them


class Message(NamedTuple):
    """A sentence to translate: where it stands, its pattern, and that for any number but one."""

    file: str
    one: str
    many: str = ""


@cache
def messages() -> tuple[Message, ...]:
    """Every sentence, in the order of files."""
    return tuple(_messages())


def _messages() -> Iterator[Message]:
    for path in MODULES:
        yield from in_python(path)
    for path in TEMPLATES:
        yield from in_template(path)
    for path in sorted((ROOT / "templates").rglob("*.js")):
        yield from (Message(_file(path), said) for said in in_script(path.read_text("utf-8")))
    for path in sorted((ROOT / "games").rglob("*.yaml")):
        yield from in_data(path)


def in_python(path: Path) -> Iterator[Message]:
    """The sentences of a module."""
    file = _file(path)
    for call in calls(TREES[path]):
        if call.pattern is not None and not hands_on(call):
            for one, many in pairs(call.pattern, call.around):
                yield Message(file, one, many)
    for node in within(TREES[path]):
        match node:
            # A table of rules and why: `Violation(*table[kind])`.
            case ast.Tuple(elts=[ast.Constant(value=str(rule)), ast.Constant(value=str(why)), *_]):
                if re.fullmatch(r"[A-Z]-A?\d+[a-z]?", rule):
                    yield Message(file, why)


def pairs(given: ast.expr, around: tuple[ast.AST, ...]) -> Iterator[tuple[str, str]]:
    """The patterns an expression may stand for, each with that for any other number."""
    match given:
        case ast.IfExp(body=one, orelse=other):
            yield from pairs(one, around)
            yield from pairs(other, around)
        case ast.Dict(values=values) | ast.Tuple(elts=values):
            for value in values:
                yield from pairs(value, around)
        case ast.Subscript(value=ast.Name() as table):
            yield from pairs(table, around)
        case ast.Name(id=name):
            for value in values_of(name, around):
                yield from pairs(value, around)
        case ast.Constant(value=str(text)):
            yield in_forms(text)


def in_template(path: Path) -> Iterator[Message]:
    """The sentences of a template."""
    file, tree = _file(path), PARSER.parse(path.read_text(encoding="utf-8"))
    yield from (Message(file, *each) for each in said_in(tree))


def in_script(script: str) -> list[str]:
    """The sentences of a page's script, which may hold no quotation mark."""
    return re.findall(r"\bsay\(\"([^\"]+)\"", script)


def in_data(path: Path) -> Iterator[Message]:
    """What a game's rules and editions say."""
    if path.name in ("rules.yaml", "rulesets.yaml", "board.yaml"):
        found = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        yield from (Message(_file(path), each) for each in said_by(found))


def _file(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
