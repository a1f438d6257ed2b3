"""Whatever the umask, nobody else can write what pbem makes, nor look into what is private."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import mail, pbem
from postroom import Post

pytestmark = pytest.mark.posix
SEATS = ("--seat", "white=Ana <ana@example.org>", "--seat", "black=Ben <ben@example.org>")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    before = os.umask(0)
    try:
        yield tmp_path / "home"
    finally:
        os.umask(before)


def test_nobody_else_can_write_what_pbem_makes(home: Path) -> None:
    matches, made, www = home / "club" / "matches", home / "made", home / "www" / "site"
    post = Post(home.parent)
    post.matches, post.outbox = matches, home / "out" / "box"
    new = ("new", "kahuna", *SEATS, "-o", "starter=white", "--match", "m", "--dir", matches)
    assert pbem(*new, "--turn", 3, "--zone", "UTC", "--letters", made / "letters").code == 0
    post.comes(mail("draw"))
    post.comes(mail("how do I win?", identity="<3@e>"))
    assert post.run("--site", str(www)) == ["accepted", "passed-on"]
    log = matches / "m.pbem.yaml"
    for command in (
        ("submit", log, "--from", "black", "--letters", made / "more" / "of"),
        ("aside", matches, "--done", 2),
        ("status", matches, "--ics", made / "due.ics"),
        ("simulate", "kahuna", "--seed", 7, "--out", made / "s.pbem.yaml"),
        ("demo", "--dir", home / "demo"),
        ("page", log, "--out", made / "m.html"),
        ("page", log, "--as", "white", "--out", made / "own.html"),
        ("show", log, "--format", "svg", "-o", made / "m.svg"),
        ("letter", log, "--seat", "white", "--key", "--out", made / "white.txt"),
        ("site", matches, "--out", home / "another" / "site"),
    ):
        assert pbem(*command, stdin=b"draw").code == 0, command
    found = {each: stat.S_IMODE(each.stat().st_mode) for each in home.rglob("*")}
    assert {str(each): oct(mode) for each, mode in found.items() if mode & 0o022} == {}
    own = matches / ".mailroom"
    private = (own, own / "aside", own / "done", post.outbox / "private", made / "letters")
    assert {oct(found[each]) for each in (*private, made / "more", made / "more" / "of")} == {
        "0o700"
    }
    assert oct(found[www]) == oct(found[www.parent]) == oct(found[matches]) == "0o755"
    assert (
        oct(found[log]) == oct(found[www / "index.html"]) == oct(found[made / "m.html"]) == "0o644"
    )
    assert all(not found[each] & 0o077 for each in (home / "cache").rglob("*"))
    boxed = (post.box / ".pbem-done").rglob("*")
    assert [
        str(each) for each in boxed if each.stat().st_mode & 0o022 and "host" not in each.name
    ] == []
