"""What a game says, as its files have it: the sentences that a player may read."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pbem.files import data, yamlio
from pbem.report.rulebook import EACH
from pbem.report.templates import folder_of, parsed, said_in, unsaid_in
from pbem.testing.findings import short

_SPEAKERS: Final = {"Violation": 1, "Unreadable": 1, "say": 0}
"""Which of the arguments is the pattern."""
_DATA: Final = ("rules", "rulesets", "board")
SAYS: Final = ("says", "title", "note", "source", "settles")
"""Keys of a game's data whose text a player may read."""


def sources(game: Any) -> list[Path]:
    """The Python files of a game."""
    module = getattr(game, "_module", game)
    folders = [Path(folder) for folder in getattr(module, "__path__", ())]
    if not folders:
        return [Path(module.__file__)]
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def templates(game: Any) -> list[Path]:
    """The templates of a game."""
    folder = folder_of(game) or data.ROOT
    return sorted(Path(folder, "templates", game.NAME).glob("*.j2"))


def phrase_of(game: Any, book: str, name: str) -> str:
    """The place of a phrase: `templates/pearls/news.j2:4, drew`."""
    name = name.replace("-", "_")
    for path in (each for each in templates(game) if each.stem == book):
        for nth, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if f"macro {name}(" in line:
                return f"{short(str(path))}:{nth}, {name}"
    return f"{book}.j2, {name}"


def sayings(game: Any) -> dict[str, str]:
    """Every sentence of a game that a player may read, as far as it stands in one place: each
    pattern, and that for any other number, "" if there is none."""
    found = dict[str, str]()
    for *_, pattern in calls_that_say(game):
        found.update(_patterns(pattern))
    for path in templates(game):
        found.update(said_in(parsed(path.read_text(encoding="utf-8"))))
    for file in (os.path.join(game.DATA, f"{name}.yaml") for name in _DATA):
        said = said_by(yamlio.read(file)) if os.path.exists(file) else ()
        found.update((each, "") for each in said)
    return found


def calls_that_say(game: Any) -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Each call in a game's code that says something: its place, the call, and the pattern it is
    given."""
    for path in sources(game):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            if isinstance(call, ast.Call):
                name = getattr(call.func, "attr", getattr(call.func, "id", ""))
                at = _SPEAKERS.get(name, len(call.args))
                if at < len(call.args):
                    yield f"{short(str(path))}:{call.lineno}", call, call.args[at]


def _patterns(given: ast.expr) -> Iterator[tuple[str, str]]:
    """The patterns an expression stands for: a literal, one of two, two for a number."""
    match given:
        case ast.Constant(value=str(text)):
            yield text, ""
        case ast.IfExp(body=one, orelse=other):
            yield from (*_patterns(one), *_patterns(other))
        case ast.Call(args=[ast.Constant(value=str(one)), ast.Constant(value=str(many))]):
            yield one, many


def said_by(value: Any) -> Iterator[str]:
    """What a game's data says to players."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key in SAYS and isinstance(each, str):
                yield " ".join(each.split())
            elif key == "section" and value.get("edition") == EACH:
                yield each.partition(" (")[0]
            else:
                yield from said_by(each)
    elif isinstance(value, list):
        for each in value:
            yield from said_by(each)


def unsaid(game: Any) -> Iterator[tuple[str, str]]:
    """The words in a game's templates that nobody can translate, each with its place."""
    for path in templates(game):
        for words, line in unsaid_in(parsed(path.read_text(encoding="utf-8"))):
            yield f"{short(str(path))}:{line}", words
