"""What is kept in the user's cache: only there, only his, and never taken for something else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.files import cache, yamlio


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_a_text_is_parsed_once(home: Path) -> None:
    assert yamlio.parse("a: [1, null, true, x]\n", "x", remember=True) == {
        "a": [1, None, True, "x"]
    }
    assert cache.cached("parsed", "a: [1, null, true, x]\n", lambda: "made again") == {
        "a": [1, None, True, "x"]
    }
    assert cache.cached("parsed", "a: [2]\n", lambda: "made") == "made"


def test_the_order_of_keys_is_kept(home: Path) -> None:
    for _ in range(2):
        assert list(yamlio.parse("b: 1\na: 2\n", "x", remember=True)) == ["b", "a"]


def test_what_is_not_asked_to_be_remembered_is_not(home: Path) -> None:
    yamlio.parse("secret: abc\n", "x")
    assert list(home.rglob("*.json")) == []


def test_the_folder_is_the_users_alone(home: Path) -> None:
    folder = cache.folder("parsed")
    assert folder is not None
    assert os.stat(folder).st_mode & 0o777 == 0o700


def test_a_folder_others_can_write_to_is_not_used(home: Path) -> None:
    folder = cache.folder("parsed")
    assert folder is not None
    os.chmod(folder, 0o777)
    assert cache.folder("parsed") is None
    assert cache.cached("parsed", "a: 1\n", lambda: "made") == "made"


def test_a_damaged_file_is_made_again(home: Path) -> None:
    cache.cached("parsed", "a: 1\n", lambda: {"a": 1})
    [file] = home.rglob("*.json")
    file.write_text("{")
    assert cache.cached("parsed", "a: 1\n", lambda: {"a": 1}) == {"a": 1}
    assert file.read_text() == '{"a": 1}'


def test_only_the_newest_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(6):
        cache.cached("parsed", f"a: {number}\n", lambda: 1)
    assert len(list(home.rglob("*.json"))) == 3


def test_a_long_text_is_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 3)
    assert cache.cached("parsed", "a: 1\n", lambda: "made") == "made"
    assert list(home.rglob("*.json")) == []


def test_a_desk_file_is_never_kept(home: Path) -> None:
    from pbem.desk.file import Desk

    Desk.parse(Desk("x", "m", b"\1" * 32).text(), "x")
    assert list(home.rglob("*.json")) == []
