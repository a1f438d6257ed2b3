"""The matches of a folder: each file is read once, and nothing is remembered that was not read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import ANA, Room, dealt, mail, pbem
from mailbag import maildir

from pbem.desk.file import Desk
from pbem.files import yamlio
from pbem.matches import status
from pbem.matches.index import logs_in
from pbem.matches.matches import Matches
from pbem.problem import Denied

COUNTED = """
import sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and isinstance(args[0], str) and "r" in
                 (args[1] or "r") and opened.append(args[0]))
from pbem.cli import main
try:
    main()
finally:
    ends = (".pbem.yaml", ".desk.yaml")
    print([sum(path.endswith(end) for path in opened) for end in ends], file=sys.stderr)
"""
"""A command, and how often it has opened logs and desk files to read them."""

OF_AN_APPEND = 2
"""Before it writes an append looks whether the log is what it was, and reads back what it wrote."""


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("draw", "accepted"),
        ("resign", "asked"),
        ("[move]\ndraw\nnext: draw or pass\n[/move]", "accepted"),
    ],
)
def test_a_run_that_handles_a_mail_reads_the_log_four_times_at_most_and_the_desk_file_three(
    said: str, verdict: str, tmp_path: Path
) -> None:
    """Also one after which something else waits, which the desk file keeps."""
    home = tmp_path / "matches"
    home.mkdir()
    room = dealt(home)
    box, outbox = maildir(tmp_path / "Maildir"), tmp_path / "outbox"
    run = ["desk", "run", "--mail", box, "--matches", home, "--outbox", outbox, "--json"]
    assert pbem(*run).code == 0
    room.desk.write_text(f"{room.desk.read_text()}daybook: true\n")  # else this is noted once
    (box / "new" / "1780000000.M1P1.host").write_bytes(mail(said, sender=ANA))
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *map(str, run)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[0])["verdict"] == verdict
    logs, desks = json.loads(done.stderr.splitlines()[-1])
    played = room.read().position.ply > 9
    assert played == (verdict == "accepted")
    assert logs - OF_AN_APPEND * played <= 4
    assert desks <= 3


def test_an_address_that_changes_while_its_file_is_being_read_is_not_written_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes between its being read and its being looked at again."""
    matches, path = Matches(str(room.log.parent)), str(room.log)
    really, changed = yamlio.read_text, []

    def read_text(name: str) -> str:
        text = really(name)
        if name == str(room.desk) and not changed:
            changed.append(name)
            assert (
                pbem("seat", room.log, "--seat", "white", "--address", "new@example.org").code == 0
            )
        return text

    monkeypatch.setattr(yamlio, "read_text", read_text)
    assert matches.open(path)[1].addresses["white"] == (ANA,)
    assert matches.open(path)[1].addresses["white"] == ("new@example.org",)
    assert matches.read(path)[1].addresses["white"] == ("new@example.org",)
    assert Desk.read(path).addresses["white"] == ("new@example.org",)


def test_a_file_that_has_not_changed_is_not_read_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, path = Matches(str(room.log.parent)), str(room.log)
    now, desk = matches.open(path)
    with monkeypatch.context() as patch:
        patch.setattr(yamlio, "read_text", lambda name: pytest.fail(f"{name} was read again"))
        assert matches.open(path) == (now, desk)
    room.says("white", "draw")
    assert matches.look(path).position.ply > now.position.ply


def test_whoever_is_going_to_write_reads_what_stands_there_even_if_it_seems_unchanged(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.matches.matches.state", lambda path: [1])
    matches, path = Matches(str(room.log.parent)), str(room.log)
    before, _ = matches.open(path)
    assert pbem("seat", room.log, "--seat", "white", "--address", "new@example.org").code == 0
    room.says("white", "draw")
    assert matches.look(path) == before
    now, desk = matches.read(path)
    assert now.position == room.read().position != before.position
    assert desk.addresses["white"] == ("new@example.org",)


def test_what_was_to_be_written_and_was_not_is_not_remembered(room: Room) -> None:
    matches, path, text = Matches(str(room.log.parent)), str(room.log), room.log.read_bytes()
    room.says("white", "draw")
    later = room.read()
    room.log.write_bytes(text)
    now = matches.look(path)
    matches.keep(later)  # the disk was full
    assert matches.look(path).position == now.position != later.position


def test_a_match_whose_desk_file_has_another_secret_is_opened_with_that_or_not_at_all(
    room: Room,
) -> None:
    matches, path = Matches(str(room.log.parent)), str(room.log)
    now, desk = matches.open(path)
    right = room.desk.read_text()
    room.desk.write_text(right.replace(desk.secret.hex(), "ab" * 32))
    with pytest.raises(Denied):
        matches.open(path)
    room.desk.write_text(right)
    assert matches.open(path)[0].position == now.position


def test_the_list_of_matches_shows_what_another_process_wrote(room: Room) -> None:
    matches = Matches(str(room.log.parent))
    before = matches.look(str(room.log)).position
    room.says("white", "draw")
    [shown] = matches.overview({}, {}, lambda *_: False).matches
    assert shown.summary
    assert shown.summary.ply == room.read().position.ply > before.ply


def test_whether_a_match_has_a_clock_is_found_out_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 60_000_000_000)
    folder = str(room.log.parent)
    assert Matches(folder).timetables() == {}
    with monkeypatch.context() as patch:
        patch.setattr(status, "has_clock", lambda path: pytest.fail(f"{path} was read again"))
        assert Matches(folder).timetables() == {}
    assert pbem("rule", room.log, "clock", "--turn", 5, "--zone", "UTC").code == 0
    assert list(Matches(folder).timetables()) == [str(room.log)]


def test_a_folder_is_listed_once_a_second(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    really, listed = os.listdir, []
    monkeypatch.setattr(os, "listdir", lambda folder: listed.append(folder) or really(folder))
    matches = Matches(str(room.log.parent))
    for _ in range(2):
        matches.refresh()
        assert (matches.timetables(), list(matches.stamps())) == ({}, ["m"])
    assert len(listed) == 1
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 2_000_000_000)
    matches.refresh()
    assert len(listed) == 2


def test_who_has_just_left_a_match_plays_in_none(room: Room) -> None:
    matches = Matches(str(room.log.parent))
    assert matches.of(ANA) == {str(room.log): ("white",)}
    assert pbem("seat", room.log, "--seat", "white", "--address", "new@example.org").code == 0
    assert matches.of(ANA) == {}


@pytest.mark.posix
def test_a_log_that_leads_nowhere_keeps_nobody_from_being_told_of_the_others(
    tmp_path: Path,
) -> None:
    dealt(tmp_path)
    (tmp_path / "gone.pbem.yaml").symlink_to(tmp_path / "nowhere")
    assert list(Matches(str(tmp_path)).stamps()) == ["m"]
    assert len(logs_in(str(tmp_path))) == 2
