"""The index of a folder: worth what its files say, and never more."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ANA, SECRET, Done, dealt, pbem
from hypothesis import given, settings
from hypothesis import strategies as st
from long import many
from mailbag import fill

from pbem.desk.file import LOG_SUFFIX
from pbem.desk.file import SUFFIX as DESK_SUFFIX
from pbem.files import cache
from pbem.log.timetable import Deadline, Timetable
from pbem.matches import index
from pbem.matches.index import Index
from pbem.matches.matches import Matches
from pbem.matches.status import Known, Summary
from pbem.problem import BadFile, NoFile, Problem

SUFFIX = LOG_SUFFIX
INDEX = f"{index.FILE}{SUFFIX}.json"
LONG_AGO = 1_700_000_000


class Reader:
    """Finds out what stands in a file, and which files it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, paths: object) -> list[object]:
        assert isinstance(paths, list)
        self.asked += [os.path.basename(path) for path in paths]
        return [self._look(path) for path in paths]

    def _look(self, path: str) -> object:
        text = Path(path).read_text()
        return BadFile("is none", path) if text == "bad" else {"text": text}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "matches"
    found.mkdir()
    for name in ("a", "b", "c"):
        (found / f"{name}{SUFFIX}").write_text(name)
    (found / f".hidden{SUFFIX}").write_text("hidden")
    (found / "other").write_text("other")
    return found


def later(monkeypatch: pytest.MonkeyPatch, seconds: float = 60) -> None:
    """From now on the clock says that it is later than the files are old."""
    now = index.time.time_ns()
    monkeypatch.setattr(index.time, "time_ns", lambda: now + int(seconds * 1e9))


def look(folder: Path, kept_in: Path | None = None) -> tuple[dict[str, object], list[str], Index]:
    """What a new process finds, and which files it opened for it."""
    reader, known = Reader(), Index(str(folder), str(kept_in or folder / ".mailroom"))
    return known.facts(SUFFIX, reader), sorted(reader.asked), known


ALL = {name: {"text": name} for name in "abc"}


def test_what_was_found_out_is_kept_until_a_file_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch)
    assert look(folder)[:2] == (ALL, [f"a{SUFFIX}", f"b{SUFFIX}", f"c{SUFFIX}"])
    assert look(folder)[:2] == (ALL, [])
    (folder / f"b{SUFFIX}").write_text("new")
    (folder / f"c{SUFFIX}").unlink()
    (folder / f"d{SUFFIX}").write_text("d")
    later(monkeypatch)
    now = {"a": {"text": "a"}, "b": {"text": "new"}, "d": {"text": "d"}}
    assert look(folder)[:2] == (now, [f"b{SUFFIX}", f"d{SUFFIX}"])
    assert look(folder)[:2] == (now, [])


def test_a_file_of_the_same_size_and_time_is_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / f"a{SUFFIX}"
    os.utime(file, (LONG_AGO, LONG_AGO))
    later(monkeypatch)
    look(folder)
    file.write_text("x")  # written in place and set back, as `touch -r` does
    os.utime(file, (LONG_AGO, LONG_AGO))
    later(monkeypatch)
    assert look(folder)[:2] == (ALL | {"a": {"text": "x"}}, [f"a{SUFFIX}"])
    (folder / "copy").write_text("y")  # moved over it, as rsync does
    os.utime(folder / "copy", (LONG_AGO, LONG_AGO))
    (folder / "copy").rename(file)
    assert look(folder)[0]["a"] == {"text": "y"}


def test_a_file_touched_a_moment_ago_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert look(folder)[1] == look(folder)[1] == [f"a{SUFFIX}", f"b{SUFFIX}", f"c{SUFFIX}"]
    # So is one that was when it was looked at, however long all of them took to be read.
    Index(str(folder), str(folder / ".mailroom")).facts(
        SUFFIX, lambda paths: later(monkeypatch) or Reader()(paths)
    )
    assert look(folder)[1] == [f"a{SUFFIX}", f"b{SUFFIX}", f"c{SUFFIX}"]


def test_nothing_is_kept_of_a_file_that_is_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / f"d{SUFFIX}").write_text("eve@example.org")
    later(monkeypatch)
    look(folder)
    kept = folder / ".mailroom" / INDEX
    assert "eve@example.org" in kept.read_text()
    (folder / f"d{SUFFIX}").unlink()
    assert look(folder)[:2] == (ALL, [])
    assert "eve@example.org" not in kept.read_text()


def test_what_cannot_be_read_is_told_and_tried_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / f"b{SUFFIX}").write_text("bad")
    later(monkeypatch)
    for _ in range(2):
        found, _, _ = look(folder)
        assert isinstance(found["b"], Problem)
    assert look(folder)[1] == [f"b{SUFFIX}"]
    with pytest.raises(NoFile):
        look(folder / "gone")


def test_only_its_owner_may_read_it(folder: Path) -> None:
    look(folder)
    kept = folder / ".mailroom" / INDEX
    kept.chmod(0o644)
    look(folder)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    assert os.listdir(kept.parent) == [INDEX]


def other_version(kept: Path) -> None:
    cache.save(str(kept), ["0.0.1 1", cache.load(str(kept))[1]])


def other_facts(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes().replace(b'"text": "a"', b'"text": "b"'))


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "no index": (lambda kept: kept.write_bytes(b"no index at all"), ""),
    "no text": (lambda kept: kept.write_bytes(b"\xff\x00"), ""),
    "empty": (lambda kept: kept.write_bytes(b""), ""),
    "cut off": (lambda kept: kept.write_bytes(kept.read_bytes()[:100]), ""),
    "another version": (other_version, ""),
    "forged": (other_facts, ""),
    "removed": (lambda kept: kept.unlink(), ""),
    "a folder": (lambda kept: (kept.unlink(), kept.mkdir()), "cannot be kept"),
    "without a place": (
        lambda kept: (shutil.rmtree(kept.parent), kept.parent.write_text("")),
        "cannot be kept",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_index_that_is_wrong_is_made_again_or_done_without(
    folder: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch)
    look(folder)
    spoil, says = WRONG[what]
    spoil(folder / ".mailroom" / INDEX)
    found, asked, known = look(folder)
    assert (found, asked) == (ALL, [f"a{SUFFIX}", f"b{SUFFIX}", f"c{SUFFIX}"])
    assert says in str(known.trouble or "")
    assert bool(says) == bool(known.trouble)
    lasting = says == "cannot be kept"
    assert look(folder)[1] == (asked if lasting else [])
    reader = Reader()  # within one run it is remembered all the same
    known.facts(SUFFIX, reader)
    assert reader.asked == []


@settings(max_examples=many(10, 60))
@given(
    bytes_=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=40)
)
def test_no_byte_of_the_index_can_make_it_lie(
    bytes_: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("garbled")
    for name in "abc":
        (folder / f"{name}{SUFFIX}").write_text(name)
        os.utime(folder / f"{name}{SUFFIX}", (LONG_AGO, LONG_AGO))
    look(folder)
    kept = folder / ".mailroom" / INDEX
    garbled = bytearray(kept.read_bytes())
    for place, byte in bytes_:
        garbled[place % len(garbled)] = byte
    kept.write_bytes(garbled)
    assert look(folder)[0] == ALL
    assert look(folder)[0] == ALL


def test_names_that_are_no_text_are_kept_like_any(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = os.fsdecode(b"\xff\xfe")
    (folder / f"{name}{SUFFIX}").write_text("odd")
    later(monkeypatch)
    assert look(folder)[0][name] == {"text": "odd"}
    assert look(folder)[1] == []


# ------------------------------------------------------------------------------ of matches


def test_the_index_of_matches_holds_addresses_and_no_secret(tmp_path: Path) -> None:
    room = dealt(tmp_path)
    assert pbem("status", tmp_path).code == 0
    kept = b"".join(path.read_bytes() for path in indices(tmp_path))
    assert ANA.encode() in kept
    assert b"Ana" in kept
    assert SECRET not in kept
    assert SECRET.hex().encode() not in kept
    assert set(Known._fields) == {"match", "commit", "addresses", "held", "webhooks", "names"}
    assert Matches(str(tmp_path)).of(ANA) == {str(room.log): ("white",)}


def test_what_is_kept_has_a_number_of_its_own() -> None:
    """Whoever changes what is kept counts on: an index of before is then made again."""
    tuples = (Timetable, Deadline, Known)
    kept = (*Summary.__slots__, *(name for each in tuples for name in each._fields))
    assert (index.FORMAT, " ".join(kept)) == (
        11,
        "match game players ply fingerprint chain commit awaited since last at ended languages "
        "vacant times "
        "at zone silence paused deadlines away trouble fires "
        "seat ply since remind due late_from noticed lapse spare grace asks words "
        "match commit addresses held webhooks names",
    )


def digests(place: Path) -> dict[str, str]:
    """What logs, desk files and answers hold."""
    files = [*place.glob("matches/*.yaml"), *place.glob("outbox/*/*.eml")]
    return {
        str(file.relative_to(place)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def desk_run(place: Path) -> Done:
    return pbem(
        *("desk", "run", "--mail", place / "Maildir", "--matches", place / "matches"),
        *("--outbox", place / "outbox", "--once", "--json"),
    )


def indices(matches: Path) -> list[Path]:
    return [
        matches / ".mailroom" / f"{index.FILE}{suffix}.json" for suffix in (LOG_SUFFIX, DESK_SUFFIX)
    ]


def garble(kept: Path) -> None:
    text = kept.read_bytes()
    kept.write_bytes(bytes(byte ^ (nth % 97 == 96) for nth, byte in enumerate(text)))


def test_answers_and_logs_are_the_same_whatever_the_index_holds(tmp_path: Path) -> None:
    start = tmp_path / "start"
    start.mkdir()
    _, box = fill(start, 4, many(20, 60))
    mails = {mail.name: mail.read_bytes() for mail in sorted((box / "new").iterdir())}
    for nth, (name, text) in enumerate(mails.items()):
        (box / "new" / name).unlink()
        if nth % 3 == 0:  # some do not say which match they are for
            mails[name] = text.replace(b"Subject: Re: [", b"Subject: Re: ", 1)
    assert pbem("status", start / "matches").code == 0
    before = {kept.name: kept.read_bytes() for kept in indices(start / "matches")}
    ways: dict[str, Callable[[Path], object]] = {
        "whole": lambda kept: None,
        "none": lambda kept: kept.unlink(),
        "stale": lambda kept: kept.write_bytes(before[kept.name]),
        "garbled": garble,
        "of no use": lambda kept: (kept.unlink(), kept.mkdir()),
    }
    found = {}
    for way, spoil in ways.items():
        place = tmp_path / way
        shutil.copytree(start, place)
        for part in (list(mails)[: len(mails) // 2], list(mails)[len(mails) // 2 :]):
            for name in part:
                (place / "Maildir" / "new" / name).write_bytes(mails[name])
            done = desk_run(place)
            assert done.code == 0, done.printed
            for kept in filter(Path.exists, indices(place / "matches")):
                spoil(kept)
            spoil = ways["whole"]
        listed = pbem("status", place / "matches", "--json").json["matches"]
        found[way] = (digests(place), [match | {"log": ""} for match in listed])
    assert len(found["whole"][0]) > len(mails)
    for way in ways:
        assert found[way] == found["whole"], way
