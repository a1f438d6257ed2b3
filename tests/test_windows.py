"""What can be said of Windows elsewhere: nothing asks for what only POSIX has, and no file is
opened in a way in which Windows changes the ends of its lines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import dealt, mail, pbem
from postroom import Post, plies

from pbem.mailroom.inbox import sources

WITHOUT_POSIX = """
import importlib, os, pkgutil, signal, sys
for module in ("fcntl", "grp", "pwd", "resource", "syslog", "termios"):
    sys.modules[module] = None
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "setitimer", "ITIMER_REAL"):
    delattr(signal, name)
for name in ("O_NONBLOCK", "chown", "fchmod", "fork", "geteuid", "getuid", "mkfifo"):
    delattr(os, name)
import pbem
for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
    # What few have is imported by nobody else.
    if not module.name.endswith(("__main__", ".openspiel", ".pettingzoo")):
        importlib.import_module(module.name)
"""


@pytest.mark.posix
def test_every_module_is_imported_where_nothing_of_posix_is() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_POSIX], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.posix
def test_every_file_is_opened_as_the_bytes_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary, text, real = 0x40000000, set[str](), os.open

    def opened(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        if not flags & binary and path.startswith(str(tmp_path)) and not os.path.isdir(path):
            text.add(os.path.basename(path))
        return real(path, flags & ~binary, mode, **more)

    post = Post(tmp_path)
    room = dealt(post.matches)
    monkeypatch.setattr(os, "O_BINARY", binary, raising=False)
    monkeypatch.setattr(os, "open", opened)
    post.comes(mail("draw"))
    assert post.run() == ["accepted"]
    assert pbem("submit", room.log, "--from", "black", stdin="draw").code == 0
    assert plies(room) == ["draw", "draw"]
    assert text == set()


def test_on_windows_no_name_of_a_mail_has_a_colon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_FLAGS", "!2,")
    for part in ("new", "cur"):
        (tmp_path / part).mkdir()
    (tmp_path / "new" / "1790000000.M1.host").write_bytes(mail("draw"))
    (tmp_path / "cur" / "1790000000.M2.host!2,F").write_bytes(mail("draw"))
    box = sources.Maildir(str(tmp_path))
    for item in box:
        box.done(item)
    away = (tmp_path / sources.DONE / "cur").iterdir()
    assert sorted(each.name for each in away) == [
        "1790000000.M1.host!2,S",
        "1790000000.M2.host!2,FS",
    ]


@pytest.mark.parametrize("command", ["show", "post", "log", "letter", "check", "status", "aside"])
def test_a_console_that_cannot_show_a_letter_stops_nothing(tmp_path: Path, command: str) -> None:
    players = ("--seat", "white=Łukasz 漢字", "--seat", "black=Ben “☃”")
    assert pbem("new", "kahuna", "--match", "m", *players, "--dir", tmp_path).code == 0
    about = str(tmp_path) if command in ("status", "aside") else str(tmp_path / "m")
    more = {"letter": ["--seat", "white"], "check": ["-", "--from", "white"]}.get(command, [])
    done = subprocess.run(
        [sys.executable, "-m", "pbem", command, about, *more],
        input="aloa-coco ☃".encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert done.returncode == (1 if command == "check" else 0), done.stderr
    assert b"Traceback" not in done.stderr
    if command != "aside":
        assert "Łukasz" in done.stdout.decode("unicode-escape" if command != "show" else "utf-8")


@pytest.mark.parametrize("name", ["con", "AUX", "NUL.pbem", "com1", "Lpt9.2026", "prn.", "con.x.y"])
@pytest.mark.parametrize("more", [(), ("--position", "table.yaml")], ids=["new", "from a position"])
def test_no_match_is_begun_under_a_name_that_windows_keeps_for_a_device(
    tmp_path: Path, name: str, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.yaml").write_text("hands: {white: [BARI]}\n")
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    done = pbem("new", "kahuna", *seats, *more, "--match", name)
    assert done.code == 2
    assert f"a match cannot be called '{name}': on Windows that is a device" in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["table.yaml"]


@pytest.mark.parametrize("name", ["con-1", "aux2", "com10", "console", "x.con"])
def test_a_name_that_only_begins_like_a_device_is_as_good_as_any(tmp_path: Path, name: str) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    assert pbem("new", "kahuna", *seats, "--match", name, "--dir", tmp_path).code == 0
