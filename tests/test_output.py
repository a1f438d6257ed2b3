"""Output that cannot be written: before the log is, nothing has happened; after it, the log stands
and the exit code says so."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, Room, mail, pbem
from long import many

from pbem.files import store
from pbem.problem import CannotWrite
from pbem.report import compose

FULL = "exec >/dev/full"
GONE = '[ "$!" ] && wait $! || sleep 0.2'  # bash before 4.4 cannot wait for that process
CLOSED_PIPE = f"exec > >(exec true); {GONE}"
PAIRS = [
    *((FULL, [], ""), (FULL, ["--json"], "1"), (CLOSED_PIPE, [], "1")),
    *((CLOSED_PIPE, ["--json"], ""), (FULL, [], "1"), (FULL, ["--json"], "")),
    *((CLOSED_PIPE, [], ""), (CLOSED_PIPE, ["--json"], "1")),
]
"""Outputs, kinds of text, and whether it is buffered: the first four have every pair of these."""
NO_STDOUT = "exec >&-"
NOBODY = f"exec > >(exec true) 2>&1; {GONE}"


def run(
    before: str, *arguments: object, stdin: bytes = b"", unbuffered: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """A command after what a shell has done to its output."""
    command = [sys.executable, "-m", "pbem", *map(str, arguments)]
    return subprocess.run(
        ["bash", "-c", f'{before}; exec "$@"', "bash", *command],
        input=stdin,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": unbuffered},
        timeout=60,
        check=False,
    )


def new(folder: Path) -> list[object]:
    seats = ["--seat", "white=Ana", "--seat", "black=Ben"]
    return ["new", "kahuna", *seats, "--match", "n", "--dir", folder]


@pytest.mark.posix
@pytest.mark.parametrize(("before", "more", "unbuffered"), PAIRS[: many(4, 8)])
def test_a_move_is_played_although_nothing_can_be_printed(
    room: Room, before: str, more: list[str], unbuffered: str
) -> None:
    old = room.log.read_bytes()
    order = mail("DUDA-BARI")
    done = run(before, "submit", room.log, *more, stdin=order, unbuffered=unbuffered)
    told = done.stderr.decode().splitlines()
    assert (done.returncode, all(line.startswith("pbem: ") for line in told)) == (76, True), told
    assert f"`pbem show {room.log}` prints the post" in told[-1]
    assert room.log.read_bytes() != old
    with room.unchanged():
        assert pbem("submit", room.log, stdin=mail("DUDA-BARI")).code == 0
        assert "BARI-DUDA" in pbem("show", room.log).out


@pytest.mark.posix
@pytest.mark.parametrize("before", [FULL, CLOSED_PIPE])
def test_a_match_begins_and_keeps_its_keys_although_nothing_can_be_printed(
    tmp_path: Path, before: str
) -> None:
    done = run(before, *new(tmp_path))
    assert done.returncode == 76, done.stderr
    assert b"all keys are kept in the desk file" in done.stderr
    log, desk = tmp_path / "n.pbem.yaml", tmp_path / "n.desk.yaml"
    assert pbem("verify", log, "--key", desk).code == 0
    assert pbem("show", log, "--as", "white").code == 0


@pytest.mark.posix
@pytest.mark.parametrize("before", [FULL, CLOSED_PIPE])
def test_a_ruling_stands_although_nothing_can_be_printed(room: Room, before: str) -> None:
    ruling = ("substitute", "--seat", "white", "--player", "Zoe", "--reason", "ill")
    assert run(before, "rule", room.log, *ruling).returncode == 76
    assert room.read().players["white"] == "Zoe"


@pytest.mark.posix
def test_a_new_key_stands_although_nothing_can_be_printed(room: Room) -> None:
    assert run(FULL, "seat", room.log, "--seat", "white", "--new-key").returncode == 76
    assert room.read().log.epochs["white"] == 1


@pytest.mark.posix
def test_nobody_listening_at_all_changes_neither_the_move_nor_the_exit_code(room: Room) -> None:
    assert run(NOBODY, "submit", room.log, stdin=mail("DUDA-BARI")).returncode == 76
    assert [ply.move for ply, _ in room.read().plies][-1] == "DUDA-BARI"


@pytest.mark.posix
def test_without_an_output_nothing_is_begun(room: Room, tmp_path: Path) -> None:
    with room.unchanged():
        done = run(NO_STDOUT, "submit", room.log, stdin=mail("DUDA-BARI"))
        assert (done.returncode, b"nothing was done" in done.stderr) == (74, True)
        assert run(NO_STDOUT, "rule", room.log, "note", "--text", "hello").returncode == 74
    assert run(NO_STDOUT, *new(tmp_path)).returncode == 74
    assert not (tmp_path / "n.desk.yaml").exists()


@pytest.mark.posix
def test_a_place_that_cannot_be_written_to_is_found_before_the_log_is(
    room: Room, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    for place in (
        ["--post", tmp_path / "missing" / "post.txt"],
        ["--post", tmp_path],
        ["--letters", tmp_path / "file"],
        ["--letters", tmp_path / "file" / "below"],
    ):
        before = room.files()
        done = pbem("submit", room.log, *place, stdin=mail("DUDA-BARI"))
        assert done.code == 73, done.printed
        assert room.files() == before
        assert pbem(*new(tmp_path / "n"), "--letters", tmp_path / "file").code == 73
    with room.unchanged():
        assert room.read().position.ply == 9
    assert not (tmp_path / "n").exists()


def test_a_disk_that_is_full_once_the_log_is_written_costs_no_move(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = store.replace

    def full(path: str, data: bytes, mode: int | None = None) -> None:
        if path.endswith(".txt"):
            raise CannotWrite("{why}", path, why=os.strerror(errno.ENOSPC))
        replace(path, data, mode)

    monkeypatch.setattr(store, "replace", full)
    for number, place in enumerate((["--post", tmp_path / "p.txt"], ["--letters", tmp_path / "l"])):
        move = ("DUDA-BARI", "draw")[number]
        done = pbem("submit", room.log, *place, stdin=mail(move, identity=f"<{number}@e>"))
        assert (done.code, "No space left" in done.err) == (76, True), done.printed
        assert move in [ply.move for ply, _ in room.read().plies][-2:]


def test_a_log_that_may_not_survive_a_power_cut_stands_all_the_same(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure(folder: str, path: str) -> None:
        raise CannotWrite("may not survive a power cut", path)

    monkeypatch.setattr(store, "_sync_folder", unsure)
    done = pbem("submit", room.log, stdin=mail("DUDA-BARI"))
    assert (done.code, "stands in the log" in done.err) == (76, True), done.printed
    assert [ply.move for ply, _ in room.read().plies][-1] == "DUDA-BARI"


def test_a_disk_that_is_full_before_the_log_is_written_leaves_it_as_it_was(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with room.unchanged(), monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        done = pbem("submit", room.log, stdin=mail("DUDA-BARI"))
    assert (done.code, "the file is as it was" in done.err) == (74, True), done.printed


def test_a_mistake_in_what_is_written_about_a_move_costs_no_move(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(*_: Any) -> str:
        raise KeyError("bridge")

    monkeypatch.setattr(compose, "text", mistaken)
    done = pbem("submit", room.log, "--json", stdin=mail("DUDA-BARI"))
    assert (done.code, done.json["code"]) == (76, 76)
    assert "please report it: KeyError at " in done.err
    assert [ply.move for ply, _ in room.read().plies][-1] == "DUDA-BARI"


@pytest.mark.posix
def test_looking_at_a_match_without_room_to_print_it_is_said(room: Room) -> None:
    done = run(FULL, "show", room.log)
    assert (done.returncode, done.stderr.count(b"\n")) == (74, 1)


def test_an_address_that_plays_two_seats_is_noted(tmp_path: Path) -> None:
    seats = ["--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ann <{ANA}>"]
    for match, more in (("a", []), ("b", ["--json"])):
        done = pbem("new", "kahuna", *seats, "--dir", tmp_path, "--match", match, *more)
        assert done.code == 0
        assert f"{ANA} plays white and black" in done.printed


@pytest.mark.parametrize("file", ["m.pbem.yaml", "m.desk.yaml", "other.yaml"])
def test_nothing_takes_the_place_of_a_match(room: Room, file: str) -> None:
    place = room.log.with_name(file)
    if file == "other.yaml":
        place.write_bytes(room.log.read_bytes())
    before = place.read_bytes()
    for command in (
        ["page", room.log, "-o", place],
        ["show", room.log, "-o", place],
        ["show", room.log, "--format", "svg", "-o", place],
        ["letter", room.log, "--seat", "white", "--out", place],
        ["submit", room.log, "--from", "white", "--post", place],
        ["submit", room.log, "--from", "white", "--reply", place],
        ["status", room.log.parent, "--ics", place],
    ):
        with room.unchanged():
            done = pbem(*command, stdin="draw")
        assert (done.code, f"{place}: is a file of a match" in done.err) == (2, True), command
        assert place.read_bytes() == before
