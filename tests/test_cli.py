"""The command line from end to end: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from unittest.mock import patch

import pytest
from commands import (
    ANA,
    BEN,
    DOCUMENTED,
    SECRET,
    Done,
    Room,
    apart,
    dealt,
    finished,
    mail,
    pbem,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem import log as logs
from pbem import match, seal, store, yamlio

COMMANDS = "new submit check show moves log verify reveal rule simulate demo schema games".split()
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


@pytest.fixture
def played(room: Room) -> Room:
    """A match in which each seat has had a turn."""
    room.says("white", "DUDA-BARI; draw")
    room.says("black", "GOLA-COCO; take DUDA")
    return room


def test_a_match_from_new_to_reveal(tmp_path: Path) -> None:
    done = pbem(
        "new", "kahuna", "--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>",
        "--match", "first", "--dir", tmp_path, "--letters", tmp_path / "letters",
    )  # fmt: skip
    assert done.code == 0
    assert "Ana: to move." in done.out
    room = Room(tmp_path / "first.pbem.yaml")
    assert room.log.read_text().startswith("# yaml-language-server: $schema=")
    number, mark = room.read().position
    legal = pbem("moves", room.log, "--as", "white", "--json").json["moves"]["white"]
    order = next(move for move in legal if re.fullmatch(r"[A-Z]{4}-[A-Z]{4}", move))
    letter = room.write("1.eml", mail(f"{order}\ndraw", subject=f"Re: [first #{number} {mark}]"))
    assert pbem("check", room.log, letter, "--key", room.desk).out.startswith("legal\n")
    accepted = pbem("submit", room.log, letter)
    assert accepted.code == 0
    assert "Ben: to move." in accepted.out
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
        "submit", room.log, "--from", "white", "--post", folder / "post.txt",
        "--letters", folder / "out", stdin="draw",
    )  # fmt: skip
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


def test_show_at_a_ply_is_what_show_said_then(room: Room) -> None:
    then = pbem("show", room.log, "--json").json
    room.says("white", "DUDA-BARI; draw")
    later = pbem("show", room.log, "--json", "--at", 9).json
    assert later["view"] == then["view"]


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
    named = r"is dealt (?:\w{4}, ){2}\w{4}\."
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


def test_schemas_are_listed_and_printed() -> None:
    names = pbem("schema").out.split()
    assert {"log", "desk", "move", "board", "view-kahuna"} <= set(names)
    for name in names:
        assert json.loads(pbem("schema", name).out)["$schema"].startswith("http")


def test_games_lists_rulesets_and_options() -> None:
    told = pbem("games").out
    for word in ("thames-kosmos (default)", "rio-grande", "kosmos-1998", "arabana", "-o variant1"):
        assert word in told
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
        "new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben", "--dir", tmp_path,
        "--dealer", dealer, "--json", *options,
    )  # fmt: skip
    assert done.code == 0
    path = done.json["log"]
    shown = pbem("show", path, "--json").json
    told = json.dumps([shown["ruleset"], shown["options"]])
    assert all(part in told for part in kept), told
    assert pbem("verify", path, "--key", done.json["desk"]).code == 0


# --------------------------------------------------------------------------- for programs


def test_what_programs_are_told(played: Room, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    over = tmp_path / "more" / "s.pbem.yaml"
    log, key = played.log, played.desk
    as_json: list[tuple[int, Callable[[], Done]]] = [
        (0, lambda: pbem("new", "kahuna", "--seat", "white=A", "--seat", "black=B", "--dir",
                         tmp_path / "more", "--json")),
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
    ]  # fmt: skip
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
    for part in ("WHAT YOU WROTE", "WHAT I UNDERSTOOD", "WHY NOT", "[K-51]", "The rule K-51:",
                 "Thames & Kosmos 2014", "WHAT YOU COULD DO INSTEAD", "DUDA-ALOA"):  # fmt: skip
        assert part in done.out
    assert "refused: " in done.err


# ------------------------------------------------------------------------------ bad input


def attachment_only() -> bytes:
    message = EmailMessage()
    message["From"], message["Message-ID"] = ANA, "<1@example.org>"
    message.add_attachment(b"draw", maintype="application", subtype="pdf", filename="move.pdf")
    return message.as_bytes()


BROKEN_MIME = (
    b"From: ana@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    b"--y\nContent-Type: text/plain\n\ndraw\n"
)
ENORMOUS = mail("draw\n" + "x" * 79 + "\n") + b"filler and more\n" * 700_000

MESSAGES = [
    # file name, content, exit code, what is told
    ("m.eml", mail(" \n"), 65, "no text"),
    ("m.eml", b"", 65, "m.eml"),
    ("m.eml", attachment_only(), 65, "move.pdf"),
    ("m.eml", BROKEN_MIME, 65, "m.eml"),
    ("m.eml", ENORMOUS, 65, "m.eml"),
    ("m.eml", mail("Thanks for the letter!\n"), 1, "no island"),
    ("m.eml", mail("[move]\ndraw\n"), 65, "m.eml:1: the fence opened here is not closed"),
    ("m.eml", mail("draw", subject="Re: [other #9 5989]"), 1, "this is about other"),
    ("m.eml", mail("draw").replace(b"Ana <ana@example.org>", b"a@b.example, c@d.example"), 65,
     "several senders"),
    ("m.txt", b"\xff\xfe\x00", 65, "m.txt"),
    ("m.txt", b"", 65, "holds no text"),
    ("m.txt", b"draw\0", 65, "m.txt:1: holds NUL"),
    ("m.txt", b"DUDA-ATLANTIS", 1, "'atlantis' is no island"),
    ("m.txt", b"x" * 300, 1, "at most 200 characters"),
    ("m.yaml", b"moves: [draw\n", 65, "m.yaml:2:1: not YAML"),
    ("m.yaml", b"seat: white\nseat: black\nmoves: [draw]\n", 65, "m.yaml:2:1: 'seat' stands here"),
    ("m.yaml", b"moves: [&a draw, *a]\n", 65, "m.yaml:1:9: anchor &a"),
    ("m.yaml", b"moves: draw\n", 65, "m.yaml:1:1: moves: 'draw' is not of type 'array'"),
    ("m.yaml", b"moves:\n- draw\n- 2.5\n", 65, "m.yaml:3:3: 2.5 is not a whole number"),
    ("m.yaml", b"moves: []\n", 65, "m.yaml:1:1"),
    ("m.yaml", b"seat: red\nmoves: [draw]\n", 2, "no seat 'red'"),
    ("m.yaml", b"mooves: [draw]\n", 65, "m.yaml:1:1"),
    ("m.yaml", b"- draw\n", 65, "m.yaml:1:1"),
    ("m.yaml", b"", 65, "m.yaml"),
]  # fmt: skip


@pytest.mark.parametrize("command", ["submit", "check"])
@pytest.mark.parametrize(
    ("name", "content", "code", "told"), MESSAGES, ids=[f"{m[0]}: {m[3]}" for m in MESSAGES]
)
def test_a_bad_message_is_refused_with_its_place(
    room: Room, command: str, name: str, content: bytes, code: int, told: str
) -> None:
    file = room.write(name, content)
    from_ = ["--from", "white"] if name != "m.eml" and b"seat" not in content else []
    with room.unchanged():
        done = pbem(command, room.log, file, *from_)
    assert done.code == code, done.printed[-300:]
    assert told in " ".join(done.printed.split()), done.printed[-300:]
    assert "Traceback" not in done.printed


def test_an_unknown_charset_is_read_as_well_as_can_be(room: Room) -> None:
    done = pbem("submit", room.log, "-", stdin=mail("draw").replace(b"utf-8", b"x-klingon"))
    assert done.code == 0


def _header(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def _future(text: str) -> str:
    return text.replace("pbem-log/1", "pbem-log/2")


LOGS = [
    # what is done to the log's text, what is told (after the file's name)
    (_header("log:\n", "log: [\n"), r":\d+:\d+: not YAML"),
    (_header("game: kahuna\n", "game: kahuna\ngame: kahuna\n"), r":5:1: 'game' stands here a sec"),
    (_header("ruleset: thames-kosmos", "ruleset: *r"), r":5:10: alias \*r"),
    (_header("ruleset: thames-kosmos", "ruleset: &r thames-kosmos"), r":5:10: anchor &r"),
    (_header("match: m", "match: 7"), r":3:1: match is 7; expected a name"),
    (_header("ply: 3", 'ply: "3"'), r":\d+:\d+: ply is '3'; expected a whole number"),
    (_header("ply: 3", "ply: 4"), r":\d+:\d+: ply 4 follows ply 2"),
    (_header("seat: chance", "seat: red"), r":\d+:\d+: 'red' is not one of white, black"),
    (_header("- dealt: {", "- dreamt: {"), r":\d+:\d+: the chain breaks at ply 1"),
    (_header("move: deal ?", "move: deal BARI"), r":\d+:\d+: the chain breaks at ply 1"),
    (_header("whole: sealed:0:", "whole: sealed:0:A"), r":\d+:\d+: the chain breaks at ply 1"),
    (_header("chain: sha256:", "chain: sha256:00"), r":\d+:\d+: chain is 'sha256:00"),
    (_future, r":2:1: 'pbem-log/2': written by a newer pbem; update yours"),
    (lambda text: text[: text.rindex("  chain")], r":\d+: the last entry is not complete"),
    (lambda text: "", r": the file is empty"),
    (lambda text: "\x07" + text, r":1:1: control character U\+0007"),
    (_header("format: pbem-log/1", "format: other"), r":2:1: 'other': not a match log"),
    (_header("game: kahuna", "game: chess"), r""),
    (_header("ruleset: thames-kosmos", "ruleset: mine"), r""),
    (lambda text: "just words\n", r":1:1: not a match log"),
]


@pytest.mark.parametrize(("edit", "told"), LOGS, ids=[told for _, told in LOGS])
def test_a_bad_log_is_refused_by_every_command_with_its_line(
    room: Room, edit: Callable[[str], str], told: str
) -> None:
    text = room.log.read_text()
    room.log.write_text(edit(text))
    assert room.log.read_text() != text
    for command in (["show"], ["moves"], ["log"], ["verify"], ["check"], ["submit", "-"],
                    ["rule", "note", "--text", "x"], ["reveal"]):  # fmt: skip
        name, *rest = command
        with room.unchanged():
            done = pbem(name, room.log, *rest, *(["--from", "white"] if rest == ["-"] else []),
                        stdin="draw")  # fmt: skip
        assert done.code == 65, (command, done.printed)
        assert re.search(re.escape(str(room.log)) + told, done.printed), (command, done.printed)
        assert "Traceback" not in done.printed


def rechained(room: Room, edit: Callable[[str], str]) -> None:
    """Edit a log and chain it anew, as a forger would who knows the format."""
    text = edit(room.log.read_text())
    data = yamlio.parse(text, "")
    entries = data.pop("log") or []
    data.pop("format")
    source = logs.parse(logs.header_text(logs.Header(**data)), str(room.log))
    chain, body = source.header.chain, source.text
    for entry in entries:
        entry.pop("chain")
        more, chain = logs.entry_text(chain, entry)
        body += more
    room.log.write_text(body)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (_header("- dealt: {", "- dreamt: {"), r":\d+:\d+: ply 1: unknown: 'dreamt'; did you mean"),
        (_header("game: kahuna", "game: chess"), r":4:1: there is no game 'chess', only kahuna"),
        (_header("ruleset: thames-kosmos", "ruleset: thames"), r":.*has no ruleset 'thames'.*mean"),
        (_header("seats:", "options: {variant9: true}\nseats:"), r".* has no option 'variant9'"),
        (_header("{to: display, card: DUDA}", "{to: display, card: ATLANTIS}"),
         r":\d+:\d+: ply \d: dealt.card is 'ATLANTIS'; expected an island"),
        (_header("{to: display, card: DUDA}", "{to: display}"), r":\d+:\d+: .*missing field: card"),
        (_header("{to: display, card: DUDA}", "{to: display, card: DUDA, x: 1}"),
         r":\d+:\d+: .*unknown field 'x'"),
    ],
)  # fmt: skip
def test_a_whole_log_that_tells_nonsense_is_refused_with_its_line(
    room: Room, edit: Callable[[str], str], told: str
) -> None:
    rechained(room, edit)
    for command in ("show", "verify", "submit"):
        from_ = ["--from", "white"] if command == "submit" else []
        done = pbem(command, room.log, *from_, stdin="draw")
        assert done.code == 65
        assert re.search(re.escape(str(room.log)) + told, done.printed), done.printed


DESKS = [
    (lambda text: None, 66, "restore it from a copy"),
    (lambda text: "", 65, "empty"),
    (lambda text: text.replace("match: m\n", "match: other\n"), 77, "for match 'other'"),
    (lambda text: text.replace("0001020", "1111111"), 77, "not the secret the header commits to"),
    (lambda text: text.replace("desk/1", "desk/2"), 65, "desk.yaml:3:1: format"),
    (lambda text: text.replace("secret", "sekret"), 65, "desk.yaml:3:1"),
    (lambda text: text + "held: []\n", 65, "desk.yaml:8:1: 'held' stands here a second time"),
    (lambda text: text.replace("[]", "[{seat: white}]"), 65, "desk.yaml:7"),
]


@pytest.mark.parametrize(("edit", "code", "told"), DESKS, ids=[told for *_, told in DESKS])
def test_a_bad_desk_file_is_refused_with_its_line(
    room: Room, edit: Callable[[str], str | None], code: int, told: str
) -> None:
    new = edit(room.desk.read_text())
    room.desk.unlink() if new is None else room.desk.write_text(new)
    before = room.log.read_bytes()
    for command in (["submit"], ["rule", "note", "--text", "x"]):
        from_ = ["--from", "white"] if command == ["submit"] else []
        done = pbem(command[0], room.log, *command[1:], *from_, stdin="draw")
        assert done.code == code, done.printed
        assert told in done.printed
        assert SECRET.hex()[8:] not in done.printed
    assert room.log.read_bytes() == before


def test_keys_that_are_none_or_of_another_match_are_refused(room: Room, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    other = dealt(tmp_path / "more", name="other").key_file("white")
    torn = room.write("torn.key", room.key_file("white").read_text()[:-20])
    for command in ("show", "moves", "log", "check", "verify"):
        assert pbem(command, room.log, "--key", other, stdin="draw").code in (65, 77), command
        done = pbem(command, room.log, "--key", torn, stdin="draw")
        assert done.code == 65
        assert "torn.key:1: not a key" in done.err
        assert torn.read_text()[20:60] not in done.printed
        assert pbem(command, room.log, "--key", tmp_path / "none", stdin="draw").code == 66
    assert pbem("show", room.log, "--key", room.key_file("white"), "--as", "black").code in (0, 77)


def test_without_the_desk_file_a_seat_s_key_shows_that_seat_alone(room: Room) -> None:
    key = room.key_file("white")
    room.desk.unlink()
    assert pbem("show", room.log, "--key", key).code == 0
    assert pbem("show", room.log, "--key", key, "--as", "white").code == 0
    assert pbem("show", room.log, "--key", key, "--as", "black").code == 66
    assert pbem("show", room.log, "--as", "black").code == 66


NEW = ["new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben"]
USAGE = [
    (["new", "chess", *NEW[2:]], "there is no game 'chess', only kahuna"),
    ([*NEW, "--ruleset", "thames"], "did you mean thames-kosmos?"),
    ([*NEW, "-o", "variant=true"], "did you mean variant"),
    ([*NEW, "-o", "variant1"], "lacks its value"),
    ([*NEW, "-o", "variant1=perhaps"], "true or false"),
    ([*NEW, "-o", "handicap=white:9"], "a number from 1 to 3"),
    ([*NEW, "-o", "starter=red"], "one of white, black"),
    ([*NEW, "--match", "../m"], "cannot be called"),
    ([*NEW, "--dealer", "loaded"], "sealed or asked"),
    ([*NEW, "--format", "word"], "text, markdown, phpbb, bgg"),
    (NEW[:4], "for 2 players, not 1"),
    ([*NEW, "--seat", "red=Cleo"], "for 2 players, not 3"),
    ([*NEW[:4], "--seat", "red=Ben"], "no seat 'red'"),
    ([*NEW[:4], "--seat", "black"], "lacks its value"),
    ([*NEW[:4], "--seat", "black="], "is no player"),
    ([*NEW[:4], "--seat", "black=<b@>"], "is no player"),
    ([*NEW[:4], "--seat", "black=" + "B" * 600], "is no player"),
    (["new"], "Missing argument"),
    (["hop"], "No such command"),
    (["show"], "Missing argument"),
    (["show", "LOG", "--at", "x"], "is not a valid int"),
    (["show", "LOG", "--at", "99"], "no ply 99"),
    (["show", "LOG", "--at", "-1"], "no ply -1"),
    (["show", "LOG", "--as", "red"], "no seat 'red'"),
    (["show", "LOG", "--format", "pdf"], "--format is one of"),
    (["submit", "LOG", "--from", "red"], "no seat 'red'"),
    (["check", "LOG", "--from", "red"], "no seat 'red'"),
    (["rule", "LOG", "bribe", "--reason", "x"], "there is no ruling 'bribe'"),
    (["rule", "LOG", "takeback", "--reason", "x"], "needs --to"),
    (["rule", "LOG", "takeback", "--to", "99", "--reason", "x"], "no ply after #99"),
    (["rule", "LOG", "resign", "--seat", "white"], "needs a --reason"),
    (["rule", "LOG", "resign", "--seat", "red", "--reason", "x"], "no seat 'red'"),
    (["rule", "LOG", "end", "--winner", "red", "--reason", "x"], "no seat 'red'"),
    (["rule", "LOG", "default", "--seat", "white", "--reason", "x"], "--move"),
    (["schema", "poem"], "there is no schema 'poem'"),
    (["schema", "../pyproject"], "there is no schema"),
    (["simulate", "kahuna", "--out", "x.yaml"], "must end with .pbem.yaml"),
    (["simulate", "kahuna", "--players", "2"], "no seat"),
]


@pytest.mark.parametrize(("arguments", "told"), USAGE, ids=[told for _, told in USAGE])
def test_wrong_usage_is_refused_and_writes_nothing(
    room: Room, arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.log.parent)
    before = room.files()
    done = pbem(*(room.log if each == "LOG" else each for each in arguments), stdin="draw")
    assert done.code == 2, done.printed
    assert told in done.err
    assert {k: v for k, v in room.files().items() if not k.startswith(".")} == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["show", "none.pbem.yaml"], 66),
        (["submit", "none.pbem.yaml", "--from", "white"], 66),
        (["submit", "LOG", "none.eml"], 66),
        (["submit", "LOG", "."], 66),
        (["check", "LOG", "none.eml"], 66),
        (["submit", "nowhere/m.pbem.yaml"], 73),
        ([*NEW, "--dir", "nowhere"], 73),
        ([*NEW, "--match", "m"], 73),
        ([*NEW, "--letters", "m.pbem.yaml"], 73),
        (["simulate", "kahuna", "--out", "nowhere/s.pbem.yaml"], 73),
    ],
)
def test_a_file_that_cannot_be_read_or_written_is_named(
    room: Room, arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.log.parent)
    done = pbem(*(room.log if each == "LOG" else each for each in arguments), stdin="draw")
    assert done.code == code, done.printed
    assert re.match(r"pbem: \S+: .+", done.err)


def test_verify_goes_through_all_logs_and_names_each_line(room: Room, tmp_path: Path) -> None:
    good = tmp_path / "s.pbem.yaml"
    pbem("simulate", "kahuna", "--out", good)
    rechained(room, _header("{to: display, card: DUDA}", "{to: display, card: BARI}"))
    done = pbem("verify", good, room.log, tmp_path / "none")
    assert done.code == 65
    assert f"{good}: ok" in done.out
    assert re.search(rf"{re.escape(str(room.log))}:\d+:\d+: ply [789] ", done.out)
    assert f"{tmp_path / 'none'}: cannot be read" in done.out
    told = pbem("verify", good, room.log, "--json")
    assert told.code == 65
    assert [bool(each["problems"]) for each in told.json["logs"]] == [False, True]
    assert told.json["logs"][1]["problems"][0]["line"] > 1


def test_a_full_disk_leaves_everything_as_it_was(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "_write_all", full)
    with room.unchanged():
        done = pbem("submit", room.log, "--from", "white", stdin="draw")
    assert done.code == 74
    assert "No space left" in done.err


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


# ----------------------------------------------------------------------------------- fuzz

few = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
WORDS = st.sampled_from(
    "BARI DUDA-BARI KAHU-COCO take draw pass discard free x + ; : # #9 5989 [move] [/move] > JOJO "
    "ELAI+HUNA ? deal handicap done -- --- ```move ``` \0 \u202e Ä 999999999999 white".split()
)


@given(words=st.lists(WORDS | st.text(max_size=5), max_size=12), sep=st.sampled_from(" \n;"))
@few
def test_no_order_makes_it_stumble(room: Room, words: list[str], sep: str) -> None:
    text = sep.join(words).encode("utf-8", "replace")
    before = room.files()
    done = pbem("check", room.log, "--key", room.desk, stdin=text)
    assert done.code in DOCUMENTED
    assert room.files() == before
    told = pbem("check", room.log, "--json", stdin=text)
    assert told.json.get("code", 0) == told.code


def _mutated(data: st.DataObject, source: bytes) -> bytes:
    """The source with a few stretches cut, doubled, moved or overwritten."""
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        end = min(len(source), start + data.draw(st.integers(0, 60)))
        piece = data.draw(
            st.sampled_from([b"", source[start:end] * 2, b"\n", b"- ", b": ", b"\xff", b'"', b"{"])
            | st.binary(max_size=6)
        )
        source = source[:start] + piece + source[end:]
    return source


@given(data=st.data())
@few
def test_no_log_makes_it_stumble(room: Room, data: st.DataObject) -> None:
    good = room.log.read_bytes()
    bad = room.log.parent / "bad.pbem.yaml"
    bad.write_bytes(_mutated(data, good))
    for command in (["show"], ["verify", "--json"], ["log"]):
        done = pbem(*command, bad)
        assert done.code in DOCUMENTED
        assert done.code in (0, 65), done.printed


@given(data=st.data())
@few
def test_a_log_chained_anew_around_any_change_does_not_make_it_stumble(
    room: Room, data: st.DataObject
) -> None:
    source = logs.read(str(room.log))
    plain = yamlio.parse(source.text, "")["log"]
    at = data.draw(st.integers(0, len(plain) - 1))
    word = st.sampled_from(
        ["white", "black", "display", "BARI", "?", "chance", "", 3, None, True, -1, [], {}]
    )
    target = plain[at]
    if data.draw(st.booleans()):
        [fields] = target["events"][0].values()
        fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(word)
    else:
        target[data.draw(st.sampled_from(["seat", "move", "events", "whole"]))] = data.draw(word)
    text, chain = logs.header_text(source.header), source.header.chain
    for entry in plain:
        entry.pop("chain")
        more, chain = logs.entry_text(chain, entry)
        text += more
    bad = room.log.parent / "m2.pbem.yaml"
    bad.write_text(text)
    for command in (["show"], ["verify"], ["moves"], ["log"]):
        assert pbem(*command, bad, "--key", room.desk).code in (0, 65)
        assert pbem(*command, bad).code in (0, 65)


MAILS = sorted((Path(__file__).parent / "mail").glob("*.eml"))


@given(data=st.data())
@few
def test_no_mail_makes_it_stumble(room: Room, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([mail("draw"), *(path.read_bytes() for path in MAILS)]))
    before = room.files()
    done = pbem("check", room.log, "-", stdin=_mutated(data, source))
    assert done.code in DOCUMENTED
    assert room.files() == before
    assert match.read(str(room.log)).position == (9, "5989")
    assert seal.commit(SECRET) == match.read(str(room.log)).log.header.commit
