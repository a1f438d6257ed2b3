"""The documents say what the program does."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import typer.main
from commands import pbem
from jinja2 import Environment

from pbem.cli import load
from pbem.cli.common import app
from pbem.desk.answer import Verdict
from pbem.desk.judging import AT_THE_TABLE
from pbem.files import data, yamlio
from pbem.mailroom.decide import QUESTIONS
from pbem.play import games, guest, options
from pbem.sentence import Counted, forms

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

PAGE_OF_BGG = (ROOT / "docs" / "boardgamegeek.md").read_text(encoding="utf-8")

every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def cells(page: Path, heads: tuple[str, ...]) -> list[list[str]]:
    """The rows of the table that has these heads."""
    text = page.read_text(encoding="utf-8")
    table = text.split(f"| {' | '.join(heads)} |\n")[1].split("\n\n")[0]
    rows = [row.strip("| ") for row in table.splitlines()[1:]]
    return [[cell.strip() for cell in row.split(" | ")] for row in rows]


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_command_is_explained() -> None:
    load()
    told = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert len(commands) >= 13
    for name in commands:
        assert re.search(rf"`(?:pbem )?{name}\b|pbem {name}\b", told), name


def told_of(page: Path) -> list[tuple[str, str]]:
    """The commands of a page's consoles, and what they print; `...` is whatever stands there."""
    return [
        found
        for block in blocks(page, "console")
        for found in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    ]


def shim(at: Path) -> None:
    """This very pbem as a command of its own."""
    at.parent.mkdir(parents=True)
    at.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
    at.chmod(0o755)


def runs_as_told(page: Path, folder: Path, path: str) -> int:
    """Run the commands of a page's consoles in turn; how many there are."""
    surroundings = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    told = told_of(page)
    for command, expected in told:
        done = subprocess.run(
            command, shell=True, cwd=folder, env=surroundings, capture_output=True, text=True
        )
        pattern = re.escape(expected).replace(r"\.\.\.", "(?s:.*)")
        assert re.fullmatch(pattern, done.stdout), f"{command}\n{done.stdout}{done.stderr}"
    return len(told)


def test_the_console_shows_what_the_handbook_says(tmp_path: Path) -> None:
    shim(tmp_path / "bin" / "pbem")
    folder = tmp_path / "match"
    folder.mkdir()
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    assert runs_as_told(ROOT / "docs" / "handbook.md", folder, path) >= 3


def test_a_player_checks_a_move_as_their_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    handbook, page = (ROOT / "docs" / f"{name}.md" for name in ("handbook", "checking"))
    begin, *_ = re.findall(r"^\$ pbem (new .*)", handbook.read_text(), re.M)
    assert pbem(*shlex.split(begin)).code == 0
    [checked] = [b for b in blocks(page, "sh") if b.startswith("echo")]
    said, command = re.fullmatch(r'echo "(.*)" \| pbem (.*)\n', checked).groups()  # type: ignore[union-attr]
    done = pbem(*shlex.split(command), stdin=said)
    assert done.code in (0, 1), done.printed
    assert pbem(*shlex.split(command), stdin="draw").out.startswith("legal\n")


def commands_of(page: Path) -> Iterator[list[str]]:
    """The words of every call of pbem in a page's blocks for a shell, cron or systemd."""
    for language in ("sh", "crontab", "ini", "bat", "powershell"):
        text = "".join(blocks(page, language)).replace("\\\n", " ").replace("\\", "/")
        for line in text.splitlines():
            signs = shlex.shlex(line, posix=True, punctuation_chars="|>&;")
            signs.whitespace_split = True
            for _, run in groupby(signs, lambda word: set(word) <= set("|>&;")):
                words = list(run)
                for nth, word in enumerate(words):
                    if re.split("[/=]", word)[-1] == "pbem" and words[nth + 1 :]:
                        yield words[nth + 1 :]


@every_page
def test_the_commands_of_a_page_are_taken(page: Path) -> None:
    """Their words alone: nothing is run."""
    load()
    for words in commands_of(page):
        command: Any = typer.main.get_command(app)
        while words and (inner := getattr(command, "commands", {}).get(words[0])):
            command, words = inner, words[1:]
        if words != ["--help"]:
            command.make_context("pbem", words)


README = ROOT / "README.md"


def test_the_readme_is_short() -> None:
    prose = re.sub(r"^```.*?^```", "", README.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert len(prose.split()) <= 900


def test_the_post_and_the_refusal_of_the_readme_are_real(tmp_path: Path) -> None:
    """What the commands there print, in the folder that the demonstration leaves behind."""
    shim(tmp_path / ".venv" / "bin" / "pbem")
    assert pbem("demo", "--dir", tmp_path / "demo").code == 0
    assert runs_as_told(README, tmp_path, os.environ["PATH"]) == 2
    (_, post), (_, refusal) = told_of(README)
    assert len(post.splitlines()) < 17
    assert "\n[move] #" in post
    assert "\n...\n[/move]" in post
    assert post.count("...") == 1, "nothing is left out of it"
    assert "[K-2]\n" in refusal


def test_the_readme_sets_up_in_one_line_and_tests_what_is_tested_here() -> None:
    demo, tests = blocks(README, "sh")
    for command in (demo, tests):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert command.count("\n") == 1
    assert demo.endswith(" && .venv/bin/pbem demo\n")
    tested = tests.strip().rpartition(" && .venv/bin/")[2]
    run = (ROOT / ".ci" / "run").read_text().splitlines()
    assert tested.replace("python", '"$bin/python"', 1) in run
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {".venv/", "/demo/", ".pytest_cache/", "__pycache__/"} <= set(ignored)


def test_the_match_on_boardgamegeek_goes_as_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command of the walk-through in turn, with a move of this very match in the post."""
    monkeypatch.chdir(tmp_path)
    told = "".join(blocks(ROOT / "docs" / "boardgamegeek.md", "sh")).replace("\\\n", " ")
    commands = [shlex.split(line.partition(" >")[0])[1:] for line in told.splitlines()]
    assert [command[0] for command in commands] == ["new", "submit", "reveal", "verify"]
    begin, submit, reveal, verify = commands

    opened = pbem(*begin)
    assert "(c)" not in opened.out
    assert opened.code == 0
    number, mark = re.findall(r"#(\d+) · ([0-9a-f]{4})", opened.out)[0]
    post = f"Good luck!\n[move] #{number} {mark}\ndraw\n[/move]\n"
    (tmp_path / "12.txt").write_text(post)
    accepted = pbem(*submit)
    assert accepted.code == 0, accepted.printed
    assert "[b]Next to move[/b]" in accepted.out
    assert pbem(*submit).err.strip().startswith("pbem: ")
    assert "Send only letters/spring-3-0011-white.txt: a card was drawn." in accepted.err
    assert len(list((tmp_path / "letters").iterdir())) == 3
    for line in re.findall(r"`pbem ((?:show|check|post) spring-3[^`]*)`", PAGE_OF_BGG):
        assert pbem(*shlex.split(line)).code in (0, 1), line
    assert pbem("rule", "spring-3", "resign", "--seat", "white", "--reason", "late").code == 0
    assert pbem(*reveal).code == 0
    assert pbem(*verify).code == 0


def test_the_hook_verifies_logs() -> None:
    [hook] = yamlio.read(str(ROOT / ".pre-commit-hooks.yaml"))
    assert hook["entry"].split() == ["pbem", "verify"]
    assert re.search(hook["files"], "matches/spring-3.pbem.yaml")
    assert not re.search(hook["files"], "matches/spring-3.desk.yaml")


def test_wording_gives_twenty_pairs_and_the_good_ones_are_what_pbem_says() -> None:
    pairs = cells(ROOT / "docs" / "wording.md", ("not", "but"))
    assert len(pairs) == 20
    said = list(patterns())
    for _, good in pairs:
        assert any(each.fullmatch(good) for each in said), good


def patterns() -> Iterator[re.Pattern[str]]:
    """All that can be said, as expressions: what stands in blanks may be anything."""
    texts = set[str]()
    for path in (ROOT / "pbem").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    for path in (ROOT / "templates").rglob("*.j2"):
        tokens = Environment().lex(path.read_text(encoding="utf-8"))
        texts |= {text[1:-1] for _, kind, text in tokens if kind == "string"}
    for said in map(forms, [*texts]):
        texts |= {*said} if isinstance(said, Counted) else set()
    for text in texts:
        words = re.split(r"\{[^{}]*\}", text)
        if len(re.findall(r"\w+", " ".join(words))) > 1:
            yield re.compile(".+".join(map(re.escape, words)), re.IGNORECASE)


def test_the_python_for_programs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pbem("new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben")
    with_files, without, *more = blocks(ROOT / "docs" / "programs.md", "python")
    exec(compile(with_files, "programs.md", "exec"), {})
    assert "[b]Next to move[/b]" in capsys.readouterr().out
    exec(compile(without, "programs.md", "exec"), {})
    assert " won [" in capsys.readouterr().out
    for each in more:
        exec(compile(each, "programs.md", "exec"), {})


def test_the_picture_of_a_program_is_painted() -> None:
    [snippet] = blocks(ROOT / "docs" / "pictures.md", "python")
    made: dict[str, str] = {}
    exec(compile(snippet, "pictures.md", "exec"), made)
    assert made["svg"].startswith("<svg ")
    assert 'width="480"' in made["svg"]


NOTATION = ROOT / "docs" / "notation.md"


def test_what_is_said_to_be_read_is_read_like_that() -> None:
    game = games.game("kahuna")
    for said, meant in cells(NOTATION, ("you write", "it means")):
        [canonical] = re.findall(r"`([^`]+)`", meant)
        texts = re.findall(r"`([^`]+)`", said)
        assert texts
        for text in texts:
            assert game.notate(game.parse(text).move) == canonical, text


def test_the_canonical_texts_are_canonical() -> None:
    game = games.game("kahuna")
    kinds = set()
    for text, _, _ in cells(NOTATION, ("canonical", "what it does", "rule")):
        move = game.parse(text.strip("`")).move
        assert game.notate(move) == text.strip("`")
        kinds.add(type(move))
    assert kinds == set(game.MOVES)


@pytest.mark.parametrize("name", sorted(games.OWN))
def test_every_option_is_described(name: str) -> None:
    page = NOTATION if name == "kahuna" else ROOT / "docs" / f"notation-{name}.md"
    told = page.read_text(encoding="utf-8")
    declared = data.game_file(games.game(name).DATA, "rulesets")["options"]
    for option, about in declared.items():
        assert f"`{option}" in told, option
        assert about["rule"] in told, f"{option}: {about['rule']}"


def test_every_key_of_the_view_is_described() -> None:
    import json

    keys = json.loads(games.view_schema(games.game("kahuna")) or "")["properties"]
    assert {key.strip("`") for key, _ in cells(NOTATION, ("key", "value"))} == set(keys)


NEW_GAME = ROOT / "docs" / "new-game.md"


def test_every_kind_of_option_is_described() -> None:
    heads = ("kind of option", "besides", "on the command line", "in `setup.options`")
    assert {row[0].strip("`") for row in cells(NEW_GAME, heads)} == set(options.KINDS)


def test_every_key_of_a_rule_is_described() -> None:
    told = {row[0].strip("`") for row in cells(NEW_GAME, ("key of a rule", "value"))}
    used = {
        key
        for name in games.OWN
        for rule in data.game_file(games.game(name).DATA, "rules")
        for key in rule
    }
    assert told == used


def test_every_function_of_a_game_is_described() -> None:
    told = {
        function
        for row in cells(NEW_GAME, ("function", "says"))
        for function in re.findall(r"`(\w+)\(", row[0])
    }
    assert told == {*guest.CONTRACTS, *guest.MAY}


def test_the_examples_of_names_in_templates_are_templates() -> None:
    rows = cells(NEW_GAME, ("name in a template", "what it is", "example"))
    assert len(rows) >= 10
    for row in rows:
        Environment().parse(" | ".join(row[2:]).strip("`"))


def test_every_verdict_is_described_and_no_other() -> None:
    table = (
        (ROOT / "docs" / "mailroom.md")
        .read_text(encoding="utf-8")
        .partition("## The words of `--json`")[2]
    )
    rows = re.findall(r"^\| (`[^|]+`) \|", table.partition("\n## ")[0], re.MULTILINE)
    assert sorted(re.findall(r"`([^`]+)`", " ".join(rows)), key=str) == sorted(Verdict)


def test_every_question_a_mail_is_asked_has_a_row_in_its_place() -> None:
    page = (ROOT / "docs" / "mailroom.md").read_text(encoding="utf-8")
    tables = page[page.index("| at the door | |") : page.index("## All matches at a glance")]
    rows = [row for row in tables.splitlines() if row.startswith("| `")]
    told = [name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    asked = [each.__name__ for each in (*QUESTIONS, *AT_THE_TABLE)]
    silent = {"waits_behind", "reconsiders"}  # they answer nothing
    assert told == list(dict.fromkeys(name for name in asked if name not in silent))


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        (path.name, each.name)
        for path in (ROOT / "pbem").rglob("*.py")
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.FunctionDef) and (each.end_lineno or 0) - each.lineno >= 60
    ]
    assert long == []


def test_the_picture_of_the_house_names_every_module() -> None:
    drawn = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("```")[1]
    named = Counter(re.findall(r"\w+", drawn))
    rules = ROOT / "pbem" / "rules"
    for module in (ROOT / "pbem").rglob("*.py"):
        room = module.parent
        if module.stem.startswith("__") or room == ROOT / "pbem" / "files" / "yamlio":
            continue
        if room.parent != rules and module.stem != "version":
            assert named[module.stem] > 0, module
            named[module.stem] -= 1  # a room of its own for each of the same name


def test_no_two_modules_share_a_name() -> None:
    """But for a command, called like what it runs, and the files of each game."""
    shared = {
        "html": "read by intake, written by report",
        "match": "in its files, for programs; as a log says it",
        "run": "of the mailroom, of the plans",
    }
    rooms = [path for path in (ROOT / "pbem").iterdir() if path.name not in ("cli", "rules")]
    modules = [path for room in rooms for path in (room.rglob("*.py") if room.is_dir() else [room])]
    names = Counter(path.stem for path in modules if path.suffix == ".py")
    del names["__init__"]
    assert {name for name, count in names.items() if count > 1} == set(shared)


def test_no_two_types_share_a_name() -> None:
    names = Counter[str]()
    for path in (ROOT / "pbem").rglob("*.py"):
        if ROOT / "pbem" / "rules" in path.parents or path.parts[-2] == "cli":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names[node.name] += 1
            elif isinstance(node, ast.Assign) and not _makes_a_variable(node.value):
                names.update(each.id for each in node.targets if isinstance(each, ast.Name))
    types = {name for name in names if re.fullmatch("[A-Z][a-z]\\w*", name)}
    assert {name for name in types if names[name] > 1} == set()


def _makes_a_variable(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "TypeVar"
