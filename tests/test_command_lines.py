"""What is typed is taken as it was meant, or refused with a hint: nothing of it is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import mail, pbem, pbem_application
from postroom import Post

from pbem.log import rulings


def commands(under: Any, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command of the tree, and each kind of ruling, with its options."""
    for name, command in under.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *words, name)
        elif name != "rule":
            yield (*words, name), command.get_params(typer.Context(command))
        else:
            for kind in rulings.GIVEN:
                line = typer.Context(command)
                line.meta["pbem.kind"] = rulings.GIVEN[kind]
                yield (*words, name, "LOG", kind), command.get_params(line)


COMMANDS = tuple(commands(pbem_application()))


def test_an_option_given_twice_is_a_list_or_refused() -> None:
    tried = 0
    for words, options in COMMANDS:
        for option in options:
            if option.param_type_name != "option" or option.multiple:
                continue
            if not option.is_flag:
                twice = [option.opts[-1], "1", option.opts[0], "2"]
            elif option.secondary_opts:
                twice = [option.opts[0], option.secondary_opts[0]]
            else:
                continue  # said twice it says the same
            done = pbem(*words, *twice)
            assert (done.code, "is given twice" in done.err) == (2, True), (words, twice, done)
            tried += 1
    assert tried > 150


@pytest.mark.parametrize(
    ("line", "twice"),
    [
        ("new kahuna --seat white=Ana --seat white=Ben", "--seat white"),
        ("new kahuna --seat white=A --seat black=B -o variant1=true -o variant1=false", "variant1"),
        ("new kahuna --seat white=A --seat black=B --speaks white=de --speaks white=fr", "white"),
        ("simulate kahuna -o variant1=true -o variant1=false", "--option variant1"),
        ("position kahuna -o variant1=true -o variant1=false", "--option variant1"),
        ("position kanaloa-bambus --seat a --seat b --seat a", "--seat a"),
    ],
)
def test_a_name_that_can_have_one_value_is_not_given_two(
    line: str, twice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = pbem(*line.split())
    assert (done.code, "is given twice" in done.err, twice in done.err) == (2, True, True), done
    assert not list(tmp_path.iterdir())


def test_a_ruling_typed_as_a_command_is_told_how_it_is_given() -> None:
    for kind in rulings.GIVEN.keys() - pbem_application().commands:
        done = pbem(kind, "k1", "--seat", "white")
        assert done.code == 2
        assert f"`pbem rule LOG {kind}`" in done.err


def test_several_mails_are_put_away_at_once_or_none_is(tmp_path: Path) -> None:
    post = Post(tmp_path)
    for number in range(3):
        post.comes(mail("Who is Ana?", identity=f"<m{number}@e>", sender="eve@example.org"))
    post.run()
    waiting = {each["number"] for each in pbem("aside", post.matches, "--json").json["aside"]}
    assert len(waiting) == 3
    first, second, third = sorted(waiting)
    wrong = pbem("aside", post.matches, "--done", first, "--done", 99)
    assert (wrong.code, "99" in wrong.err) == (2, True)
    done = pbem("aside", post.matches, "--done", first, "--done", third)
    assert (done.code, done.out) == (0, f"{first} is put away\n{third} is put away\n")
    left = pbem("aside", post.matches, "--json").json["aside"]
    assert [each["number"] for each in left] == [second]


def test_a_match_is_told_by_the_clock_for_a_thread_and_to_those_who_may_read_it(
    tmp_path: Path,
) -> None:
    log = tmp_path / "k1.pbem.yaml"
    seats = ("--seat", "white=Ana [b]", "--seat", "black=Ben")
    pbem("new", "kahuna", *seats, "--press", "private", "--match", "k1", "--dir", tmp_path)
    pbem("submit", log, "--from", "white", stdin="draw")
    pbem("submit", log, "--from", "black", stdin="to Ana: psst\n\n[move]\ndraw\n[/move]")
    pbem("rule", log, "takeback", "--to", 10, "--revealed", "--reason", "agreed")
    done = pbem("log", log, "--times")
    assert done.code == 0, done.printed
    lines = done.out.splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ ", line) for line in lines), lines
    told = [line[21:] for line in lines]
    assert told[0] == "#10 Ana [b]: draw"
    assert "(taken back)" in told[1] or "(taken back)" in told[2]
    assert "psst" not in done.out
    assert "psst" in pbem("log", log, "--times", "--as", "white").out
    posted = pbem("log", log, "--times", "--format", "bgg").out
    assert "[b]" not in posted
    assert posted.startswith("[c]")


def test_the_help_of_rulings_says_in_whole_sentences_what_each_is_and_takes() -> None:
    told = pbem("rule", "--help").out.partition("Arguments:")[0]
    rows = {
        row.split()[0]: " ".join(row.split()) for row in re.split(r"^  (?=\w)", told, flags=re.M)
    }
    for kind, ruling in rulings.GIVEN.items():
        for option in ruling.options or ():
            assert f"--{option.name} {option.takes}".rstrip() in rows[kind], kind
        assert rows[kind].partition(" --")[0].partition(" [")[0].endswith("."), kind
    assert "The header" not in told
