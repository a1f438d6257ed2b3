"""What is kept in the user's cache: only there, only his, and never taken for something else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from commands import Room, pbem

from pbem.files import cache, data, yamlio
from pbem.report import templates


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


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_others_can_move_away_is_not_used(home: Path, mode: int) -> None:
    base = home / "pbem"
    assert cache.folder("parsed") is not None
    base.chmod(mode)
    assert cache.folder("parsed") is None
    base.chmod(mode | 0o1000)  # as /tmp is: others may add to it, and change nothing
    assert cache.folder("parsed") is not None


def test_a_link_through_a_folder_of_others_is_not_followed(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = tmp_path_factory.mktemp("open")
    (open_to_all / "mine").mkdir(mode=0o700)
    (home / "link").symlink_to(open_to_all / "mine")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "link"))
    assert cache.folder("parsed") is not None
    open_to_all.chmod(0o777)
    assert cache.folder("parsed") is None


DAMAGED = ["", "{", "{}", "[]", "null", "0", '"x"', "[1, 2]", '{"a": 2}', "\udcff", "[" * 100_000]


@pytest.mark.parametrize("damaged", DAMAGED, ids=lambda text: repr(text[:9]))
def test_a_damaged_file_is_made_again(home: Path, damaged: str) -> None:
    cache.cached("parsed", "a: 1\n", lambda: {"a": 1})
    [file] = home.rglob("*.json")
    whole = file.read_text()
    for wrong in (damaged, whole.partition("\n")[0] + "\n" + damaged, whole[:-1]):
        file.write_text(wrong, errors="surrogateescape")
        assert cache.cached("parsed", "a: 1\n", lambda: {"a": 1}) == {"a": 1}
        assert file.read_text() == whole


def test_what_another_text_of_the_same_sum_was_is_not_this_one_s(home: Path) -> None:
    cache.cached("parsed", "a: 1\n", lambda: "made")
    [file] = home.rglob("*.json")
    cache.save(str(file), ["b: 2\n", "another's"])
    assert cache.cached("parsed", "a: 1\n", lambda: "made again") == "made again"


def test_a_value_of_another_shape_is_made_again(home: Path) -> None:
    for wrong in (None, [], {}, "x", 1, {"b": 1}):
        cache.cached("parsed", "a: 1\n", lambda wrong=wrong: wrong)
        assert cache.cached("parsed", "a: 1\n", lambda: {"a": 1}, lambda found: found["a"]) == 1
        for file in home.rglob("*.json"):
            file.unlink()


@pytest.mark.parametrize("damaged", DAMAGED, ids=lambda text: repr(text[:9]))
def test_whatever_lies_in_the_cache_every_command_says_the_same(
    home: Path, room: Room, damaged: str
) -> None:
    commands = (["show", room.log], ["check", room.log])
    data.game_file.cache_clear()
    wanted = [pbem(*command, stdin="draw") for command in commands]
    files = list(home.rglob("*.json"))
    assert {file.parent.name.partition("-")[0] for file in files} == {"entries", "parsed"}
    data.game_file.cache_clear()
    for file in files:
        file.write_text(damaged, errors="surrogateescape")
    assert [pbem(*command, stdin="draw") for command in commands] == wanted


def test_a_cache_deleted_meanwhile_stops_nothing(home: Path, room: Room) -> None:
    templates.environment.cache_clear()
    assert pbem("show", room.log).code == 0
    assert list(home.rglob("*.cache")) != []
    shutil.rmtree(home / "pbem")
    assert pbem("check", room.log, stdin="draw").code == 0
    assert pbem("show", room.log, "--format", "bgg").code == 0


def test_only_the_newest_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(30):
        cache.cached("parsed", f"a: {number}\n", lambda: 1)
    assert 3 <= len(list(home.rglob("*.json"))) <= 3 + 20
    assert cache.cached("parsed", "a: 29\n", lambda: 2) == 1  # the newest


def test_a_long_text_is_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 3)
    assert cache.cached("parsed", "a: 1\n", lambda: "made") == "made"
    assert list(home.rglob("*.json")) == []


def test_a_desk_file_is_never_kept(home: Path) -> None:
    from pbem.desk.file import Desk

    Desk.parse(Desk("x", "m", b"\1" * 32).text(), "x")
    assert list(home.rglob("*.json")) == []
