"""The command line from end to end: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from commands import ANA, BEN, DOCUMENTED, Done, Room, apart, finished, mail, pbem

from pbem.files import yamlio
from pbem.version import __version__

COMMANDS = (
    "new seat submit check sign show moves log verify reveal rule status withdraw simulate demo "
    "schema games"
).split()
POSTS = ("text", "markdown", "phpbb", "bgg")

# ------------------------------------------------------------------------------ every command


def test_help_lists_the_commands_and_the_exit_codes() -> None:
    done = pbem("--help")
    assert done.code == 0
    assert all(re.search(rf"^  {command} ", done.out, re.M) for command in COMMANDS)
    assert all(str(code) in done.out for code in DOCUMENTED)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_gives_an_example_of_it(command: str) -> None:
    done = pbem(command, "--help")
    assert done.code == 0
    assert re.search(rf"Examples?: .*pbem {command}", " ".join(done.out.split()))


def test_a_command_speaks_to_programs_unless_what_it_prints_is_a_file_or_a_show() -> None:
    listed = re.findall(r"^  ([a-z]+)  ", pbem("--help").out.partition("Commands:")[2], re.M)
    told = {name: pbem(name, "--help").out for name in listed}
    silent = {name for name, out in told.items() if "--json" not in out and "Commands:" not in out}
    assert silent == {"position", "words", "demo", "schema"}


def test_no_summary_is_cut_off_on_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = pbem("--help").out

    assert "..." not in told.replace("[ARGS]...", "")
    assert max(map(len, told.splitlines())) <= 80


def test_the_version_is_told() -> None:
    assert pbem("--version").out == f"pbem {__version__}\n"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Kahuna", "did you mean kahuna?"),
        ("kahna", "did you mean kahuna?"),
        ("piatnik", "did you mean kanaloa-piatnik?"),
        ("kanaloa", "did you mean kanaloa-bambus or kanaloa-piatnik?"),
        ("bridge", "there is no game 'bridge', only kahuna, kanaloa-bambus and kanaloa-piatnik"),
    ],
)
def test_a_game_that_is_nearly_right_is_suggested(said: str, meant: str) -> None:
    done = pbem("simulate", said)
    assert done.code == 2
    assert meant in done.err


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (["--ruleset", "tames"], "did you mean thames-kosmos?"),
        (["--ruleset", "rio"], "did you mean rio-grande?"),
        (["-o", "limit=10"], "did you mean token_limit?"),
        (["--ruleset", "xx"], "only thames-kosmos, rio-grande, kosmos-1998 and arabana\n"),
    ],
)
def test_an_edition_or_option_that_is_nearly_right_is_suggested(
    tmp_path: Path, said: list[str], meant: str
) -> None:
    seats = ["--seat", "white=A", "--seat", "black=B", "--dir", tmp_path]
    done = pbem("new", "kahuna", *seats, *said)
    assert (done.code, meant in done.err) == (2, True), done.err


def test_a_log_is_found_by_the_name_of_its_match(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.log.parent)
    for command in (
        ["show"],
        ["moves"],
        ["log"],
        ["check", "--from", "white"],
        ["seat", "--seat", "white"],
        ["withdraw", "--seat", "white"],
        ["submit", "-", "--from", "white"],
        ["rule", "note", "--text", "x"],
        ["verify"],
    ):
        name, *rest = command
        assert pbem(name, "m", *rest, stdin="draw").code == 0, command
    assert pbem("verify", "m", "n").code == 65
    assert pbem("reveal", "m").code == 1
    assert pbem("show", "n").code == 66


def test_new_makes_its_folder_and_puts_the_schemas_beside_the_match(tmp_path: Path) -> None:
    folder = tmp_path / "all" / "matches"
    done = pbem("new", "kahuna", "--seat", "white=A", "--seat", "black=B", "--dir", folder)

    assert done.code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        ".kahuna-1.pbem.yaml.lock",
        "desk.schema.json",
        "kahuna-1.desk.yaml",
        "kahuna-1.pbem.yaml",
        "log.schema.json",
    ]
    for file in folder.glob("*.yaml"):
        [named] = re.findall(r"\$schema=\./(\S+)", file.read_text())
        assert (folder / named).is_file()
        assert json.loads((folder / named).read_text())["$schema"]


def test_what_cannot_begin_makes_no_folder(tmp_path: Path) -> None:
    assert pbem("new", "kahuna", "--seat", "white=A", "--dir", tmp_path / "x").code == 2
    assert not (tmp_path / "x").exists()


def test_the_opening_post_says_how_the_match_is_played(tmp_path: Path) -> None:
    players = ["--seat", "white=Ana", "--seat", "black=Ben", "--dir", tmp_path]
    chosen = ["--ruleset", "rio-grande", "-o", "handicap=white:2", "--contact", "Cleo, c@d.example"]
    post = pbem("new", "kahuna", *players, *chosen).out

    for part in (
        "Edition   Rio Grande\n",
        "Option    handicap = white:2: how many bridges a player may place after\n"
        "          the deal, before the first turn [K-47]\n",
        "spends the card you name first",
        "Questions go to the moderator:\n\nCleo, c@d.example\n",
    ):
        assert part in post


@pytest.mark.parametrize(
    ("game", "own"),
    [("kanaloa-bambus", "The map, the"), ("kanaloa-piatnik", "The printed ocean cards")],
)
def test_the_opening_post_says_what_is_not_the_printed_game_s(
    tmp_path: Path, game: str, own: str
) -> None:
    seats = [f"--seat={seat}={seat}" for seat in ("red", "blue", "green")]
    post = " ".join(pbem("new", game, *seats, "--dir", tmp_path).out.split())
    assert re.search(rf"{own}.* this project's own", post)


@pytest.fixture
def played(room: Room) -> Room:
    """A match in which each seat has had a turn."""
    room.says("white", "DUDA-BARI; draw")
    room.says("black", "GOLA-COCO; take DUDA")
    return room


def test_a_match_from_new_to_reveal(tmp_path: Path) -> None:
    done = pbem(
        "new",
        "kahuna",
        "--seat",
        f"white=Ana <{ANA}>",
        "--seat",
        f"black=Ben <{BEN}>",
        "--match",
        "first",
        "--dir",
        tmp_path,
        "--letters",
        tmp_path / "letters",
    )
    assert done.code == 0
    assert "It's Ana's turn." in done.out
    room = Room(tmp_path / "first.pbem.yaml")
    assert room.log.read_text().startswith("# yaml-language-server: $schema=")
    number, mark = room.read().position
    legal = pbem("moves", room.log, "--as", "white", "--json").json["moves"]["white"]
    order = next(move for move in legal if re.fullmatch(r"[A-Z]{4}-[A-Z]{4}", move))
    letter = room.write("1.eml", mail(f"{order}\ndraw", subject=f"Re: [first #{number} {mark}]"))
    assert pbem("check", room.log, letter, "--key", room.desk).out.startswith("legal\n")
    accepted = pbem("submit", room.log, letter)
    assert accepted.code == 0
    assert "It's Ben's turn." in accepted.out
    assert pbem("rule", room.log, "resign", "--seat", "black", "--reason", "late").code == 0
    assert pbem("reveal", room.log).code == 0
    assert "12 judged again, 10 draws recomputed" in pbem("verify", room.log).out
    assert pbem("verify", room.log).code == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.eml", mail("DUDA-BARI\ndraw")),
        ("m.yaml", "seat: white\nmoves:\n- duda-bari\n- draw\n"),
        ("m.yaml", 'match: m\nseat: white\nposition: "#9 5989"\nmoves: [DUDA-BARI; draw]\n'),
        ("m.txt", "duda-bari; draw\n"),
        ("m.txt", "\ufeffduda-bari\r\ndraw\r\n"),
        ("-", "duda-bari; draw"),
        ("-", mail("DUDA-BARI\ndraw")),
    ],
)
def test_a_move_comes_as_a_mail_a_file_a_text_or_on_stdin(
    room: Room, name: str, content: str | bytes
) -> None:
    data = content.encode() if isinstance(content, str) else content
    source = name if name == "-" else str(room.write(name, data))
    from_ = ["--from", "white"] if name == "m.txt" or data.startswith(b"duda") else []
    done = pbem("submit", room.log, source, *from_, stdin=data)
    assert done.code == 0, done.err
    assert "BARI-DUDA" in done.out
    assert room.read().awaited == ("black",)


def test_where_no_move_is_named_it_is_read_from_stdin(room: Room) -> None:
    assert pbem("submit", room.log, "--from", "white", stdin="draw").code == 0


def test_post_and_letters_go_where_they_are_told(room: Room) -> None:
    folder = room.log.parent
    done = pbem(
        "submit",
        room.log,
        "--from",
        "white",
        "--post",
        folder / "post.txt",
        "--letters",
        folder / "out",
        "--all-letters",
        stdin="draw",
    )
    assert (done.code, done.out) == (0, "")
    assert "Ana draws from the pile." in (folder / "post.txt").read_text()
    letters = {p.name: p for p in (folder / "out").iterdir()}
    assert sorted(letters) == ["m-0011-black.txt", "m-0011-white.txt"]
    assert "Ana is dealt a card." in letters["m-0011-black.txt"].read_text()
    assert "Ana is dealt a card." not in letters["m-0011-white.txt"].read_text()
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in letters.values())
    assert stat.S_IMODE((folder / "out").stat().st_mode) == 0o700


def test_letters_go_nowhere_before_the_log_is_touched(room: Room) -> None:
    taken = room.write("taken", "a file, no folder")
    with room.unchanged():
        done = pbem("submit", room.log, "--from", "white", "--letters", taken, stdin="draw")
    assert done.code == 73
    assert "taken" in done.err


@pytest.mark.parametrize("format", POSTS)
@pytest.mark.parametrize("reader", ["nobody", "seat", "key", "moderator"])
def test_show_in_every_format_for_every_reader(played: Room, format: str, reader: str) -> None:
    whose = {
        "nobody": [],
        "seat": ["--as", "white"],
        "key": ["--key", played.key_file("white")],
        "moderator": ["--key", played.desk],
    }[reader]
    done = pbem("show", played.log, "--format", format, *whose)
    assert done.code == 0
    assert "KAHU, LALE" in done.out or reader == "nobody"
    assert ("hidden card" in done.out) == (reader != "moderator")


def test_a_key_from_the_environment_is_as_good_as_a_file(played: Room) -> None:
    with_file = pbem("show", played.log, "--key", played.key_file("white"))
    for value in (played.key_file("white").read_text(), str(played.key_file("white"))):
        with patch.dict(os.environ, PBEM_KEY=value):
            assert pbem("show", played.log) == with_file


def test_show_as_json_obeys_the_schema_of_the_view(played: Room) -> None:
    schema = pbem("schema", "view-kahuna").out
    for whose in ([], ["--as", "black"], ["--key", played.desk], ["--at", 9], ["--at", 0]):
        shown = pbem("show", played.log, "--format", "json", *whose).json
        assert yamlio.validate(shown["view"], schema, json.dumps(shown["view"]), "view") == []


@pytest.mark.parametrize("whose", [[], ["--as", "white"]])
def test_show_at_a_ply_is_what_show_said_then(room: Room, whose: list[str]) -> None:
    then = pbem("show", room.log, "--json", *whose).json
    room.says("white", "DUDA-BARI; draw")
    later = pbem("show", room.log, "--json", "--at", 9, *whose).json
    assert (then.pop("past"), later.pop("past")) == (False, True)
    assert later == then


@pytest.mark.parametrize("format", POSTS)
@pytest.mark.parametrize("whose", [[], ["--as", "white"]])
def test_show_at_a_ply_is_history_and_cannot_be_answered(
    room: Room, format: str, whose: list[str]
) -> None:
    ply, mark = room.read().position
    room.says("white", "DUDA-BARI; draw")
    shown = pbem("show", room.log, "--at", ply, "--format", format, *whose).out

    assert re.search(rf"#{ply} (· )?{mark}", shown.splitlines()[0])
    assert "This is how the match stood after move no. 9. It has gone on since." in shown
    assert "It's Ana's turn." in shown
    assert room.read().awaited == ("black",)
    assert not re.search(r"\[/?move|```move|Subject:|To answer", shown)


def test_a_ruling_stands_under_what_happened(room: Room) -> None:
    ruled = pbem("rule", room.log, "resign", "--seat", "white", "--reason", "no time left").out
    for post in (ruled, pbem("show", room.log).out):
        happened = post.partition("WHAT HAPPENED\n\n")[2].partition("WHERE THE MATCH STANDS")[0]
        assert "resigns" in happened
        assert "no time left" in happened
        assert "THE RESULT\n\nBen wins by resignation.\n\nPlace 1   Ben\nPlace 2   Ana\n" in post


def test_a_letter_is_as_good_as_the_key_in_it(room: Room, tmp_path: Path) -> None:
    for format in POSTS:
        letter = pbem("letter", room.log, "--seat", "white", "--key", "--format", format).out
        file = room.write(f"letter.{format}", letter)
        quoted = room.write(
            f"quoted.{format}", "".join(f"> {line}\n" for line in letter.split("\n"))
        )
        for key in (file, quoted):
            assert pbem("show", room.log, "--key", key) == pbem("show", room.log, "--as", "white")


def test_what_a_seat_knows_needs_a_key_and_says_which(room: Room) -> None:
    room.desk.unlink()
    done = pbem("show", room.log, "--as", "white")
    assert done.code == 66
    assert "only the desk file or the key of white, given with --key, shows what white knows" in (
        done.err
    )


def test_one_move_is_one_move(tmp_path: Path) -> None:
    seats = [f"--seat={seat}={seat}" for seat in ("red", "blue", "green")]
    log = pbem("new", "kanaloa-bambus", *seats, "--dir", tmp_path, "--json").json["log"]
    for _ in range(200):
        moves = pbem("moves", log, "--json").json["moves"]
        seat, [first, *_] = next(iter(moves.items()))
        if len(moves[seat]) == 1:
            break
        pbem("submit", log, "--from", seat, stdin=first)
    assert pbem("moves", log).out == f"{seat}: 1 move\n  {first}\n"


def test_moves_lists_what_submit_would_take(room: Room) -> None:
    moves = pbem("moves", room.log, "--as", "white", "--json").json["moves"]["white"]
    assert "DUDA-BARI" in moves
    assert "take FAAA" in moves
    for move in moves:
        done = pbem("check", room.log, "--key", room.desk, stdin=move)
        assert (done.code, done.out.splitlines()[0]) == (0, "legal"), move


def test_moves_for_a_spectator_are_all_that_may_be_legal(room: Room) -> None:
    everyone = set(pbem("moves", room.log, "--json").json["moves"]["white"])
    own = set(pbem("moves", room.log, "--as", "white", "--json").json["moves"]["white"])
    assert own < everyone


def test_the_log_in_words_tells_each_reader_what_he_knows(played: Room) -> None:
    spectator = pbem("log", played.log).out
    assert "Ana is dealt 3 cards." in spectator
    assert "Ben takes DUDA from the display." in spectator
    named = r"is dealt \w{4}, \w{4} and \w{4}\."
    assert not re.search(named, spectator)
    assert re.findall(rf"\w+(?= {named})", pbem("log", played.log, "--as", "white").out) == ["Ana"]
    assert re.search(rf"Ben {named}", pbem("log", played.log, "--key", played.desk).out)


def test_simulations_are_the_same_for_the_same_number(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        out = tmp_path / name / "s.pbem.yaml"
        assert pbem("simulate", "kahuna", "--seed", 7, "--out", out).code == 0
    logs = [(tmp_path / name / "s.pbem.yaml").read_bytes() for name in ("a", "b")]
    assert logs[0] == logs[1]
    done = pbem("verify", tmp_path / "a" / "s.pbem.yaml", "--key", tmp_path / "a" / "s.desk.yaml")
    assert done.code == 0
    assert re.search(r"ok, (\d+) plies, \1 judged again", done.out)
    none = pbem("simulate", "kahuna", "--out", tmp_path / "c" / "s.pbem.yaml")
    assert (none.code, none.out) == (73, "")
    assert f"there is no folder {tmp_path.resolve() / 'c'}" in none.err


def test_schemas_are_listed_and_printed() -> None:
    names = pbem("schema").out.split()
    assert {"log", "desk", "move", "board", "view-kahuna"} <= set(names)
    for name in names:
        assert json.loads(pbem("schema", name).out)["$schema"].startswith("http")


def test_games_tells_what_the_default_edition_plays_and_others_set() -> None:
    kahuna = " ".join(pbem("games").out.partition("\n\n")[0].split())
    assert "(default: no_longer_has_any) [K-A12]" in kahuna
    assert "discard instead of playing cards, with any hand with discard=instead" in kahuna


def test_a_format_that_show_does_not_know_is_answered_with_all_it_does(room: Room) -> None:
    done = pbem("show", room.log, "--format", "xml")
    assert done.code == 2
    assert (
        "text, markdown, phpbb, bgg, html, json, svg, png, gif, webp and card, not 'xml'"
        in done.err
    )


def test_an_address_given_to_a_second_seat_is_noted(room: Room) -> None:
    done = pbem("seat", room.log, "--seat", "white", "--address", "ben@example.org")
    assert done.code == 0
    assert "pbem: ben@example.org plays white and black" in done.err


def test_one_ply_is_one_ply(tmp_path: Path) -> None:
    seats = ["--seat", "white=Ana", "--seat", "black=Ben", "--dir", tmp_path, "--match", "m"]
    assert pbem("new", "kahuna", *seats, "--dealer", "asked").code == 0
    log = tmp_path / "m.pbem.yaml"
    assert "ok, 0 plies, 0 judged again, 0 draws recomputed" in pbem("verify", log).out
    assert pbem("submit", log, "--from", "chance", stdin="deal ALOA").code == 0
    told = pbem("verify", log, "--key", tmp_path / "m.desk.yaml").out
    assert "ok, 1 ply, 1 judged again, 0 draws recomputed" in told


def test_games_lists_rulesets_and_options() -> None:
    told = pbem("games").out
    for word in (
        "thames-kosmos (default)",
        "rio-grande",
        "kosmos-1998",
        "arabana",
        "-o variant1=true|false",
        "-o discard=at_five|instead|free",
        "(default: at_five)",
        "kahuna: Kahuna\n  2 players\n  --seat white or black\n",
        "  2 to 4 players\n  --seat any names",
    ):
        assert word in told
    assert pbem("games", "--json").json["kanaloa-piatnik"]["players"] == [3, 5]
    assert pbem("games", "--json").json["kahuna"]["default"] == "thames-kosmos"


@pytest.mark.parametrize("dealer", ["sealed", "asked"])
@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--ruleset", "rio-grande"], ["rio-grande"]),
        (["-o", "variant1=true", "-o", "starter=black"], ['"variant1": true', '"black"']),
        (["-o", "discard=free", "-o", "handicap=white:2"], ['"free"', '{"white": 2}']),
    ],
)
def test_a_match_keeps_the_options_it_was_begun_with(
    tmp_path: Path, options: list[str], kept: list[str], dealer: str
) -> None:
    done = pbem(
        "new",
        "kahuna",
        "--seat",
        "white=Ana",
        "--seat",
        "black=Ben",
        "--dir",
        tmp_path,
        "--dealer",
        dealer,
        "--json",
        *options,
    )
    assert done.code == 0
    path = done.json["log"]
    shown = pbem("show", path, "--json").json
    told = json.dumps([shown["ruleset"], shown["options"]])
    assert all(part in told for part in kept), told
    assert pbem("verify", path, "--key", done.json["desk"]).code == 0


COMPLETED = [
    ("pbem new ka", "kahuna kanaloa-bambus kanaloa-piatnik"),
    ("pbem new kahuna --ruleset r", "rio-grande"),
    ("pbem new kahuna -o variant1=", "variant1=true variant1=false"),
    ("pbem new kahuna -o disc", "discard=at_five discard=instead discard=free"),
    ("pbem new kahuna --seat ", "white= black="),
    ("pbem show m", "m.pbem.yaml"),
    ("pbem show m --as ", "white black"),
    ("pbem submit m.pbem.yaml --from b", "black"),
    ("pbem rule m.pbem.yaml default --seat ", "white black"),
    ("pbem verify ", "m.pbem.yaml"),
    ("pbem wi", "withdraw"),
    ("pbem status --game kah", "kahuna"),
    ("pbem games --check kanaloa-p", "kanaloa-piatnik"),
    ("pbem new chess --ruleset ", ""),
    ("pbem show none --as ", ""),
]


@pytest.mark.parametrize(("typed", "offered"), COMPLETED)
def test_the_tab_key_completes(
    room: Room, monkeypatch: pytest.MonkeyPatch, typed: str, offered: str
) -> None:
    monkeypatch.chdir(room.log.parent)
    with patch.dict(
        os.environ,
        _PBEM_COMPLETE="complete_bash",
        COMP_WORDS=typed,
        COMP_CWORD=str(len(typed.split(" ")) - 1),
    ):
        done = finished(apart()) if typed == "pbem wi" else pbem()  # a shell starts a process
        assert done.out.split() == offered.split()


# --------------------------------------------------------------------------- for programs


def test_what_programs_are_told(played: Room, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    over = tmp_path / "more" / "s.pbem.yaml"
    log, key = played.log, played.desk
    as_json: list[tuple[int, Callable[[], Done]]] = [
        (
            0,
            lambda: pbem(
                "new",
                "kahuna",
                "--seat",
                "white=A",
                "--seat",
                "black=B",
                "--dir",
                tmp_path / "more",
                "--json",
            ),
        ),
        (2, lambda: pbem("new", "chess", "--seat", "white=A", "--seat", "black=B", "--json")),
        (0, lambda: pbem("check", log, "--json", "--key", key, stdin="draw")),
        (0, lambda: pbem("check", log, "--json", stdin="draw")),
        (1, lambda: pbem("check", log, "--json", stdin="hop")),
        (1, lambda: pbem("submit", log, "--json", "--from", "white", stdin="take BARI")),
        (0, lambda: pbem("submit", log, "--json", "--from", "white", stdin="draw")),
        (0, lambda: pbem("submit", log, "--json", "--from", "white", stdin="draw")),
        (77, lambda: pbem("submit", log, "--json", stdin=mail("draw", sender="e@example.org"))),
        (0, lambda: pbem("show", log, "--json")),
        (0, lambda: pbem("moves", log, "--json")),
        (0, lambda: pbem("log", log, "--json")),
        (0, lambda: pbem("verify", log, "--json")),
        (0, lambda: pbem("rule", log, "note", "--text", "hello", "--json")),
        (2, lambda: pbem("rule", log, "takeback", "--json")),
        (1, lambda: pbem("reveal", log, "--json")),
        (0, lambda: pbem("simulate", "kahuna", "--out", over, "--json")),
        (73, lambda: pbem("simulate", "kahuna", "--out", over, "--json")),
        (0, lambda: pbem("reveal", over, "--json")),
        (0, lambda: pbem("games", "--json")),
        (66, lambda: pbem("show", tmp_path / "none.pbem.yaml", "--json")),
    ]
    for number, (code, call) in enumerate(as_json):
        done = call()
        told = done.json
        assert done.code == code, (number, done)
        assert told.get("code", code) == code
        assert ("ok" not in told) or told["ok"] == (code == 0)


def test_programs_are_told_the_rule_and_what_was_understood(room: Room) -> None:
    told = pbem("submit", room.log, "--from", "white", "--json", stdin="DUDA-BARI; take HUNA").json
    assert (told["verdict"], told["rule"], told["error"]) == ("refused", "K-51", "violation")
    assert told["understood"] == ["DUDA-BARI"]
    assert told["said"] == ["DUDA-BARI", "take HUNA"]
    told = pbem("submit", room.log, "--from", "white", "--json", stdin="hop\nskip").json
    assert [each["line"] for each in told["unreadable"]] == [1, 2]


def test_a_person_is_told_the_rule_its_source_and_what_could_be_played(room: Room) -> None:
    done = pbem("submit", room.log, "--from", "white", stdin="DUDA-BARI; take HUNA")
    assert done.code == 1
    for part in (
        "WHAT YOU WROTE",
        "WHAT I UNDERSTOOD",
        "[K-51]",
        "Your move wasn't accepted.",
        "The rule K-51:",
        "Thames & Kosmos 2014",
        "WHAT YOU COULD PLAY INSTEAD",
        "DUDA-ALOA",
    ):
        assert part in done.out
    assert "refused: " in done.err


# --------------------------------------------------------------------- apart, as people run it


def test_a_few_commands_in_a_process_of_their_own(room: Room) -> None:
    key = room.key_file("white")
    submit = apart("submit", room.log, "--from", "white", stdin=b"draw")
    check = apart("check", room.log, "--key", key, stdin=b"take HUNA")
    show = apart("show", room.log.parent / "none.pbem.yaml")
    assert finished(submit).code == 0
    refused = finished(check)
    assert refused.code == 1
    assert "Traceback" not in refused.err
    assert finished(show).code == 66
    assert room.read().awaited == ("black",)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("kahuna k18", ["K-18: When you win", "Printed in Thames & Kosmos", "Cases: K08 (A new"]),
        ("kahuna K-A1", ["It settles: May you play some", "It depends on the option discard."]),
        ("kanaloa-bambus robbing", ["B-60: ", "B-62: ", "B-63: "]),
        ("kanaloa-bambus robs silence", ["silence"]),
        ("kanaloa-piatnik", ["P-1: ", "P-40: "]),
    ],
)
def test_rules_are_found_by_id_and_by_any_form_of_their_words(asked: str, told: list[str]) -> None:
    done = pbem("rules", *asked.split())
    assert done.code == 0, done.printed
    flat = " ".join(done.out.split())
    assert all(each in flat for each in told), flat
    assert all(len(line) <= 72 for line in done.out.splitlines())
    assert pbem("rules", *asked.split(), "--json").json[0]["says"] in flat


@pytest.mark.parametrize("asked", ["K-99", "B-1", "xyzzy", "?"])
def test_a_rule_that_is_not_there_is_named(asked: str) -> None:
    done = pbem("rules", "kahuna", asked)
    assert done.code == 2
    assert asked in done.err
