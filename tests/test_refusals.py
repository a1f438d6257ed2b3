"""Bad input of every kind is refused with its place and a way out, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import ANA, SECRET, Room, dealt, mail, pbem

from pbem.files import store, yamlio
from pbem.log.entries import Header, entry_text
from pbem.log.format import Log


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
    ("m.eml", mail(" \n"), 65, "your mail was empty"),
    ("m.eml", b"", 65, "m.eml"),
    ("m.eml", attachment_only(), 65, "move.pdf"),
    ("m.eml", BROKEN_MIME, 65, "m.eml"),
    ("m.eml", ENORMOUS, 65, "m.eml"),
    ("m.eml", mail("Thanks for the letter!\n"), 1, "I found no move in your message"),
    ("m.eml", mail("[move]\ndraw\n"), 65, "add a line [/move] below your moves"),
    ("m.eml", mail("draw", subject="Re: [other #9 5989]"), 1, "names the match other"),
    (
        "m.eml",
        mail("draw").replace(b"Ana <ana@example.org>", b"a@b.example, c@d.example"),
        65,
        "several senders",
    ),
    ("m.txt", b"\xff\xfe\x00", 65, "m.txt"),
    ("m.txt", b"draw\0", 65, "m.txt:1: holds NUL"),
    ("m.txt", b"XYZZY-ATLANTIS", 1, "is neither an island nor"),
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
]


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


@pytest.mark.parametrize(
    ("seat", "text", "told"),
    [
        (
            "white",
            "Hű, Ben, ez a COCO-GOLA fájt! Mindjárt jövök a lépésemmel.",
            "Your mail was passed on",
        ),
        (
            "black",
            "When it's my turn I'll play COCO-GOLA and then draw. Tell me!",
            "turn, not yours",
        ),
    ],
)
def test_the_first_line_says_where_a_mail_went_or_whose_turn_it_is(
    seat: str, text: str, told: str, room: Room
) -> None:
    done = pbem("submit", room.log, "-", "--from", seat, stdin=text)
    assert told in done.out.partition("Nothing was played")[0], done


def test_an_unknown_charset_is_read_as_well_as_can_be(room: Room) -> None:
    done = pbem("submit", room.log, "-", stdin=mail("draw").replace(b"utf-8", b"x-klingon"))
    assert done.code == 0


def _header(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def _future(text: str) -> str:
    return text.replace("pbem-log/1", "pbem-log/3")


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
    (_future, r":2:1: 'pbem-log/3': written by a newer pbem; update yours"),
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
    for command in (
        ["show"],
        ["moves"],
        ["log"],
        ["verify"],
        ["check"],
        ["submit", "-"],
        ["rule", "note", "--text", "x"],
        ["reveal"],
    ):
        name, *rest = command
        with room.unchanged():
            done = pbem(
                name, room.log, *rest, *(["--from", "white"] if rest == ["-"] else []), stdin="draw"
            )
        assert done.code == 65, (command, done.printed)
        assert re.search(re.escape(str(room.log)) + told, done.printed), (command, done.printed)
        assert "Traceback" not in done.printed


def rechained(room: Room, edit: Callable[[str], str]) -> None:
    """Edit a log and chain it anew, as a forger would who knows the format."""
    text = edit(room.log.read_text())
    data = yamlio.parse(text, "")
    entries = data.pop("log") or []
    data.pop("format")
    source = Log.parse(Header(**data).text(), str(room.log))
    chain, body = source.header.chain, source.text
    for entry in entries:
        entry.pop("chain")
        more, chain = entry_text(chain, entry)
        body += more
    room.log.write_text(body)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (_header("- dealt: {", "- dreamt: {"), r":\d+:\d+: ply 1: unknown: 'dreamt'; did you mean"),
        (_header("game: kahuna", "game: chess"), r":4:1: there is no game 'chess', only kahuna"),
        (_header("ruleset: thames-kosmos", "ruleset: thames"), r":.*has no ruleset 'thames'.*mean"),
        (_header("seats:", "options: {variant9: true}\nseats:"), r".* has no option 'variant9'"),
        (
            _header("{to: display, card: DUDA}", "{to: display, card: ATLANTIS}"),
            r":\d+:\d+: ply \d: dealt.card is 'ATLANTIS'; expected an island",
        ),
        (_header("{to: display, card: DUDA}", "{to: display}"), r":\d+:\d+: .*missing field: card"),
        (
            _header("{to: display, card: DUDA}", "{to: display, card: DUDA, x: 1}"),
            r":\d+:\d+: .*unknown field 'x'",
        ),
    ],
)
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
    ([*NEW, "-o", "variant1=perhaps"], "only true|false"),
    ([*NEW, "-o", "handicap=white:9"], "only SEAT:1|SEAT:2|SEAT:3"),
    ([*NEW, "-o", "starter=red"], "cannot be 'red', only white|black"),
    ([*NEW, "--match", "../m"], "cannot be called"),
    ([*NEW, "--dealer", "loaded"], "sealed or asked"),
    ([*NEW, "--format", "word"], "text, markdown, phpbb, bgg and html"),
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
        (["submit", "nowhere/m.pbem.yaml"], 66),
        ([*NEW, "--dir", "m.pbem.yaml/nowhere"], 73),
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


@pytest.mark.parametrize(
    ("setup", "kind", "shown"),
    [("fish", "fish", "fish E-A colour, fish E-A white"), ("basic", "pawn", "pawn A, pawn E")],
)
def test_hints_and_the_opening_post_show_the_moves_that_are_asked_for(
    setup: str, kind: str, shown: str, tmp_path: Path
) -> None:
    seats = [f"--seat={seat}={name}" for seat, name in zip("rgby", "ABCD", strict=True)]
    begun = pbem("new", "kanaloa-bambus", *seats, f"-osetup={setup}", f"--dir={tmp_path}")
    opening = begun.out.partition("WHAT HAPPENED")[0]
    assert f"{kind} A" in opening
    assert "move A-E" not in opening
    [log] = tmp_path.glob("*.pbem.yaml")
    [seat] = [each["seat"] for each in pbem("show", log, "--format", "json").json["pending"]]
    done = pbem("submit", log, "--from", seat, stdin="dance")
    assert done.code == 1
    looks = " ".join(done.printed.split()).partition("Moves look like this: ")[2]
    assert looks.startswith(shown)
    assert "move A-E" not in looks.partition("To try again")[0]
