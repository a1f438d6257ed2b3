"""What is typed is taken as it was meant, or refused with a hint: nothing of it is dropped."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import mail, pbem, pbem_application
from postroom import Post

from pbem.core import SEAT, fact, record
from pbem.desk.file import Desk
from pbem.files import data, yamlio
from pbem.log import rulings
from pbem.log.format import Log
from pbem.log.ruling import DAYS, Asks, Ruling
from pbem.play import games
from pbem.sentence import Sentence, say


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
    assert told[:2] == ["The match begins.", "#10 Ana [b]: draw"]
    assert "(taken back)" in told[2] or "(taken back)" in told[3]
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
            assert f"--{option.name} {option.takes}".rstrip() in told, "no option is broken"
        assert ("--reason TEXT" in rows[kind]) == ruling.owes_reason, kind
        assert rows[kind].partition(" --")[0].partition(" [")[0].endswith("."), kind
    assert "The header" not in told


@record
class Handicap(Ruling):
    """A ruling of some later version."""

    seat: str = fact(SEAT)
    days_off: int = fact(DAYS)

    options = (
        Asks("seat", "SEAT", "Whose.", needed=True),
        Asks("days-off", "DAYS", "How many days.", needed=True),
    )

    def sentence(self, by: str) -> Sentence:
        return say("{seat:seat} has {n} days off.", seat=self.seat, n=self.days_off)


def test_an_option_of_a_ruling_may_be_two_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(tmp_path, "--dir", str(tmp_path))
    for rows in (rulings.GIVEN, rulings.RULINGS):
        monkeypatch.setitem(rows, "handicap", Handicap)  # type: ignore[arg-type]
    log = tmp_path / "k1"
    assert "--days-off DAYS" in pbem("rule", log, "handicap", "--help").out
    assert pbem("rule", log, "note", "--text", "Hello").code == 0
    line = ("rule", log, "handicap", "--seat", "white", "--reason", "agreed")
    done = pbem(*line)
    assert (done.code, "needs --days-off" in done.err) == (2, True), done
    done = pbem(*line, "--days-off", "x")
    assert (done.code, "--days-off 'x' is no number" in done.err) == (2, True), done
    done = pbem(*line, "--days-off", 3)
    assert (done.code, "Ana has 3 days off." in done.out) == (0, True), done


# -------------------------------------------------------------------- defaults live with the match


def begun(folder: Path, *more: str) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben", "--author", "white=ana_w")
    done = pbem("new", "kahuna", *seats, "--match", "k1", "--format", "bgg", *more)
    assert done.code == 0, done.printed


def test_a_turn_costs_one_short_command_and_one_paste(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    begun(tmp_path, "--letters", "letters", "--contact", "GeekMail to cleo_mod")
    shutil.copytree(tmp_path, tmp_path / "moved")
    for folder in (tmp_path / "moved", tmp_path):  # what the desk file says moves with it
        monkeypatch.chdir(folder)
        (folder / "p12.txt").write_text("draw")
        line = "pbem submit k1 p12.txt --author ana_w"
        assert len(line) <= 40
        done = pbem(*line.split()[1:])
        assert done.code == 0, done.printed
        assert done.out.startswith("[b]")
        assert "letters/k1-0011-white.txt" in done.err.replace("./", "")
        assert (folder / "letters" / "k1-0011-white.txt").read_text().startswith("[b]")
        assert pbem("post", "k1").out.startswith("[b]")
        assert pbem("letter", "k1", "--seat", "white").out.startswith("[b]")
        assert pbem("rule", "k1", "note", "--text", "Hello").out.startswith("[b]")
        assert not pbem("post", "k1", "--format", "text").out.startswith("[b]")
        assert not pbem("post", "k1", "--width", 40).out.startswith("[b]")
        assert not pbem("show", "k1").out.startswith("[b]")
        assert not pbem("post", "k1", "--json").json["post"].startswith("[b]")


def test_letters_outside_the_folder_are_not_remembered_nor_taken_from_a_desk_file(
    tmp_path: Path,
) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    begun(tmp_path, "--dir", str(home), "--letters", str(out))
    desk = home / "k1.desk.yaml"
    assert "letters:" not in desk.read_text()
    for place in ("/tmp/x", "../out", "a/../../out", "~/x", "c:x"):
        desk.write_text(re.sub(r"^letters:.*\n", "", desk.read_text(), flags=re.M))
        desk.write_text(f"{desk.read_text()}letters: {place}\n")
        done = pbem("submit", home / "k1", "--from", "white", stdin="draw")
        assert (done.code, "letters" in done.err) == (65, True), (place, done)


def test_a_match_begins_like_another_but_for_who_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    clock = ("--turn", "3", "--zone", "Europe/Berlin", "--closed", "sun,2026-12-24", "--bank", "5")
    more = ("--ruleset", "rio-grande", "-o", "starter=black", "--press", "grey", "--short")
    begun(tmp_path, *clock, *more, "--letters", "letters", "--contact", "cleo")
    line = ("new", "--like", "k1", "--match", "k2", "--seat", "white=Cara", "--seat", "black=Dan")
    done = pbem(*line)
    assert done.code == 0, done.printed
    first, second = (Log.read(f"{name}.pbem.yaml").header for name in ("k1", "k2"))
    same = {"match": "", "commit": "", "created": "", "seats": {}}
    assert first._replace(**same) == second._replace(**same)
    one, two = (Desk.read(f"{name}.pbem.yaml") for name in ("k1", "k2"))
    for kept in ("dialect", "letters", "contact", "short", "policy"):
        assert getattr(one, kept) == getattr(two, kept) != None  # noqa: E711
    assert done.out.startswith("[b]")
    assert pbem(*line[:3], "--match", "k3", *line[5:], "--turn", 5, "--format", "text").code == 0
    third = Log.read("k3.pbem.yaml").header
    assert third.clock == {**first.clock, "turn": 5}
    assert pbem(*line[:3], *line[5:], "--dir", "other", "--match", "k4").code == 0
    written = {file.name.rpartition("-")[2] for file in Path("other/letters").iterdir()}
    assert written == {"black.txt", "white.txt"}


def test_a_match_like_another_has_its_players_unless_others_are_named(tmp_path: Path) -> None:
    """And with them where they are written to, their accounts and their languages."""
    place = ("--dir", tmp_path)
    seats = ("--seat", "white=Ana <ana@example.org>", "--seat", "black=Ben")
    own = ("--author", "black=ben_k", "--speaks", "white=de")
    assert pbem("new", "kahuna", *seats, *own, *place, "--match", "k1").code == 0
    comes = ("--seat", "black", "--player", "Cem <cem@example.org>", "--reason", "moved away")
    assert pbem("rule", tmp_path / "k1", "substitute", *comes).code == 0
    assert pbem("new", "--like", tmp_path / "k1", *place, "--match", "k2").code == 0
    desk = Desk.read(f"{tmp_path}/k2.pbem.yaml")
    assert Log.read(f"{tmp_path}/k2.pbem.yaml").names == {"white": "Ana", "black": "Cem"}
    assert desk.addresses == {"white": ("ana@example.org",), "black": ("cem@example.org",)}
    assert desk.languages == {"white": "de"}
    others = ("--seat", "white=Cara", "--seat", "black=Dan")
    assert pbem("new", "--like", tmp_path / "k1", *others, *place, "--match", "k3").code == 0
    desk = Desk.read(f"{tmp_path}/k3.pbem.yaml")
    assert not any(desk.addresses.values())
    assert (desk.languages, desk.authors) == ({}, {})


@pytest.mark.parametrize("before", [(), ("--letters", "elsewhere")])
def test_the_line_that_grants_a_rematch_prints_no_hand_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: tuple[str, ...]
) -> None:
    """Wherever the letters of the match before went: who types it may play."""
    matches = tmp_path / "matches"
    matches.mkdir()
    monkeypatch.chdir(tmp_path)
    begun(matches, "--dir", "matches", *before)
    done = pbem("new", "--like", "matches/k1", "--match", "k2")
    assert done.code == 0, done.printed
    assert not re.search("pbem-key/1|Your hand|You hold", done.printed)
    assert {file.name.rpartition("-")[2] for file in (matches / "letters").iterdir()} == {
        "black.txt",
        "white.txt",
    }


@pytest.mark.parametrize(
    "terms",
    [
        "--dealer asked",
        "--forced",
        "--press private",
        "--language de,en",
        "--policy authenticated --server mx.example.org",
        "--entropy seats",
    ],
)
def test_each_term_of_a_match_is_that_of_the_one_it_is_like(terms: str, tmp_path: Path) -> None:
    where = ("--dir", tmp_path)
    begun(tmp_path, *terms.split(), *map(str, where))
    seats = ("--seat", "white=Cara", "--seat", "black=Dan")
    done = pbem("new", "--like", tmp_path / "k1", "--match", "k2", *seats, *where)
    assert done.code == 0, done.printed
    logs = [str(tmp_path / f"{name}.pbem.yaml") for name in ("k1", "k2")]
    one, two = (
        (header.dealer, header.forced, header.press, header.language, bool(header.entropy))
        for header in (Log.read(log).header for log in logs)
    )
    usual = ("sealed", None, None, None, False)
    assert one == two
    assert (one == usual) == terms.startswith("--policy")
    first, second = map(Desk.read, logs)
    assert (first.policy, first.server) == (second.policy, second.server)
    assert (first.policy == "authenticated") == terms.startswith("--policy")


def test_whoever_speaks_another_language_is_refused_in_it(tmp_path: Path) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben", "--speaks", "black=de")
    assert pbem("new", "kahuna", *seats, "--match", "k1", "--dir", tmp_path).code == 0
    for seat, told in (("white", "WHAT YOU WROTE"), ("black", "WAS DU GESCHRIEBEN HAST")):
        done = pbem("submit", tmp_path / "k1", "--from", seat, stdin="BARI-ZZZ")
        assert (done.code, told in done.out) == (1, True), done.printed


def test_a_language_is_spoken_at_a_seat_that_there_is(tmp_path: Path) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    done = pbem("new", "kahuna", *seats, "--speaks", "red=de", "--dir", tmp_path)
    assert (done.code, "--speaks red: there is no such seat" in done.err) == (2, True), done


def test_a_match_like_one_on_a_board_of_its_own_is_on_that_board(tmp_path: Path) -> None:
    """The form of a position shows that board, too."""
    own = dict(data.game_file(games.game("kanaloa-piatnik").DATA, "board"))
    own["ocean"] = [{**each, "card": f"M{n}"} for n, each in enumerate(own["ocean"], 71)]
    file = tmp_path / "own.yaml"
    file.write_text(yamlio.emit(own))
    place, who = ("--dir", tmp_path), ("--seat", "a=Ana", "--seat", "b=Ben", "--seat", "c=Cleo")
    first = pbem("new", "kanaloa-piatnik", *who, *place, "--match", "k1", "--board", file)
    assert first.code == 0, first.printed
    second = pbem("new", *who[:5], "c=Dan", *place, "--like", tmp_path / "k1", "--match", "k2")
    assert second.code == 0, second.printed
    one, two = (Log.read(str(tmp_path / f"k{n}.pbem.yaml")).header for n in (1, 2))
    assert one.board == two.board == own
    assert "card: M7" in pbem("position", "kanaloa-piatnik", "--board", file).out
    assert "card: M7" not in pbem("position", "kanaloa-piatnik").out


def test_programs_are_told_where_the_letters_of_a_new_match_are(tmp_path: Path) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    done = pbem("new", "kahuna", *seats, "--dir", tmp_path, "--letters", tmp_path / "l", "--json")
    assert done.code == 0, done.printed
    assert {seat: Path(file).parent.name for seat, file in done.json["letters"].items()} == {
        "white": "l",
        "black": "l",
    }
    assert not any("letters" in note for note in done.json["notes"])
    assert done.err == ""
