"""A file is the old one or the new one, whatever happens in between."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from pbem.files import store
from pbem.problem import Busy, CannotMake, CannotWrite, NoFile, Problem

OLD, NEW = "old line\n", "new line\n"


@pytest.fixture
def log(tmp_path):
    file = tmp_path / "m.pbem.yaml"
    file.write_text(OLD)
    return file


def others(file):
    """What lies beside the file, its lock apart."""
    return sorted(p.name for p in file.parent.iterdir() if p != file and p.suffix != ".lock")


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_text_is_added_at_the_end(log):
    with store.lock(str(log)) as swept:
        store.append(str(log), OLD, NEW)
    assert log.read_text() == OLD + NEW
    assert swept == ()
    assert others(log) == []


def test_line_ends_and_letters_are_kept_as_they_are(log):
    log.write_bytes("a\r\nZoë\n".encode())
    store.append(str(log), "a\r\nZoë\n", "ö\r\n")
    assert log.read_bytes() == "a\r\nZoë\nö\r\n".encode()


def test_a_file_that_changed_since_it_was_read_is_left_alone(log):
    log.write_text("somebody else's\n")
    with pytest.raises(Problem, match="has changed since it was read") as caught:
        store.append(str(log), OLD, NEW)
    assert isinstance(caught.value, Busy)
    assert log.read_text() == "somebody else's\n"


def test_a_file_that_is_gone_is_reported(tmp_path):
    with pytest.raises(Problem, match="cannot be read") as caught:
        store.append(str(tmp_path / "x"), OLD, NEW)
    assert isinstance(caught.value, NoFile)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("existing", "mode", "expected"),
    [(None, 0o600, 0o600), (None, None, 0o644), (0o640, None, 0o640), (0o644, 0o600, 0o600)],
)
def test_a_file_gets_the_mode_asked_for_or_keeps_its_own(tmp_path, existing, mode, expected):
    file = tmp_path / "x.desk.yaml"
    if existing is not None:
        file.write_text(OLD)
        file.chmod(existing)
    before = os.umask(0o022)
    try:
        store.replace(str(file), NEW.encode(), mode)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == expected
    assert file.read_text() == NEW


@pytest.mark.posix
def test_a_link_stays_a_link(log, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(log)
    store.replace(str(link), NEW.encode())
    assert link.is_symlink()
    assert log.read_text() == NEW


@pytest.mark.posix
def test_no_file_takes_the_place_of_a_pipe_or_a_device(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    store.require_place(str(pipe))
    store.replace(str(pipe), NEW.encode(), 0o600)
    assert os.read(reader, 100) == NEW.encode()
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["link", "folder/../m.pbem.yaml", "elsewhere/m.pbem.yaml"])
def test_a_file_has_one_lock_whatever_it_is_called(log, tmp_path, name):
    (tmp_path / "link").symlink_to(log)
    (tmp_path / "folder").mkdir()
    (tmp_path / "elsewhere").symlink_to(tmp_path)
    other = str(tmp_path / name)
    for first, second in ((str(log), other), (other, str(log))):
        with store.lock(first), pytest.raises(Busy), store.lock(second, wait=0):
            raise AssertionError("two hold the lock")
    left = tmp_path / f".{log.name}.{'0' * 16}.tmp"
    left.write_text("half")
    with store.lock(other) as swept:
        assert swept == (left.name,)
    locks = [file for file in tmp_path.iterdir() if file.suffix == ".lock"]
    assert locks == [tmp_path / f".{log.name}.lock"]


@pytest.mark.posix
def test_a_place_for_a_file_is_found_wanting_before_it_is_needed(tmp_path):
    store.require_place(str(tmp_path / "x"))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text(OLD)
    store.require_place(str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == OLD
    for place in (tmp_path, tmp_path / "none" / "x", tmp_path / "file" / "x"):
        with pytest.raises(CannotMake):
            store.require_place(str(place))


# ------------------------------------------------------------------------ things going wrong


KILLED = """
    import os, signal, sys
    from pbem.files import store
    path, hook, when, nth = sys.argv[1:]
    real, calls = getattr(os, hook), 0
    def die():
        os.kill(os.getpid(), signal.SIGKILL)
    def patched(*args, **kwargs):
        global calls
        calls += 1
        if calls != int(nth):
            return real(*args, **kwargs)
        if when == "before":
            die()
        if when == "half":
            real(args[0], bytes(args[1])[:3])
            die()
        real(*args, **kwargs)
        die()
    with store.lock(path):
        setattr(os, hook, patched)
        store.append(path, "old line\\n", "new line\\n")
"""


@pytest.mark.posix
@pytest.mark.parametrize(
    ("hook", "when", "nth", "expected"),
    [
        ("open", "before", 1, OLD),
        ("open", "after", 1, OLD),
        ("write", "before", 1, OLD),
        ("write", "half", 1, OLD),
        ("write", "after", 1, OLD),
        ("fsync", "before", 1, OLD),
        ("fsync", "after", 1, OLD),
        ("replace", "before", 1, OLD),
        ("replace", "after", 1, OLD + NEW),
        ("fsync", "before", 2, OLD + NEW),
        ("fsync", "after", 2, OLD + NEW),
    ],
)
def test_a_process_killed_at_any_step_leaves_the_old_file_or_the_new(
    log, hook, when, nth, expected
):
    done = run(KILLED, log, hook, when, nth)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert log.read_text() == expected
    left = others(log)
    with store.lock(str(log), wait=0) as swept:
        assert list(swept) == left
        assert others(log) == []
        store.append(str(log), expected, "after\n")
    assert log.read_text() == expected + "after\n"


def failing(monkeypatch, hook, code, nth=1, before=None):
    real, calls = getattr(os, hook), []

    def fail(*args, **kwargs):
        calls.append(args)
        if len(calls) != nth:
            return real(*args, **kwargs)
        if before:
            before(real, *args)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, hook, fail)


@pytest.mark.parametrize(
    ("hook", "error", "before"),
    [
        ("write", errno.ENOSPC, None),
        ("write", errno.ENOSPC, lambda real, handle, data: real(handle, bytes(data)[:3])),
        ("write", errno.EIO, None),
        ("fsync", errno.EIO, None),
        ("fsync", errno.ENOSPC, None),
        ("replace", errno.EIO, None),
    ],
)
def test_a_full_or_broken_disk_leaves_the_old_file_and_no_rubbish(
    log, monkeypatch, hook, error, before
):
    with store.lock(str(log)):
        failing(monkeypatch, hook, error, before=before)
        with pytest.raises(Problem, match="the file is as it was: ") as caught:
            store.append(str(log), OLD, NEW)
    assert isinstance(caught.value, CannotWrite)
    assert os.strerror(error) in caught.value.message
    assert log.read_text() == OLD
    assert others(log) == []


def test_a_short_write_is_carried_on(log, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:4]))
    store.append(str(log), OLD, NEW)
    assert log.read_text() == OLD + NEW


@pytest.mark.posix
def test_a_rename_that_may_not_last_is_said_to_be_so(log, monkeypatch):
    failing(monkeypatch, "fsync", errno.EIO, nth=2)
    with pytest.raises(Problem, match="was written, but may not survive") as caught:
        store.append(str(log), OLD, NEW)
    assert isinstance(caught.value, CannotWrite)
    assert log.read_text() == OLD + NEW


def test_a_disk_that_lies_is_found_out(log, monkeypatch):
    monkeypatch.setattr(store, "replace", lambda path, data: None)
    with pytest.raises(Problem, match="does not hold what was written") as caught:
        store.append(str(log), OLD, NEW)
    assert isinstance(caught.value, CannotWrite)


def test_where_no_file_can_be_made_the_code_is_73(tmp_path):
    nowhere = str(tmp_path / "none" / "x.yaml")
    with pytest.raises(Problem, match="cannot be written: No such file") as caught:
        store.replace(nowhere, b"x")
    assert isinstance(caught.value, CannotMake)


def test_a_file_that_is_not_there_is_not_locked_and_leaves_no_lock_behind(tmp_path):
    with (
        pytest.raises(Problem, match="no such file") as caught,
        store.lock(str(tmp_path / "x.yaml")),
    ):
        pass
    assert isinstance(caught.value, NoFile)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.posix
def test_where_locks_are_not_supported_the_code_is_73(log, monkeypatch):
    import fcntl

    def unsupported(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", unsupported)
    with pytest.raises(Problem, match="cannot be locked") as caught, store.lock(str(log)):
        pass
    assert isinstance(caught.value, CannotMake)


def test_only_the_files_own_leftovers_are_swept(log):
    mine = log.parent / f".{log.name}.0123456789abcdef.tmp"
    foreign = [log.parent / f".other.yaml.{'0' * 16}.tmp", log.parent / f".{log.name}.mine.tmp"]
    for file in (mine, *foreign):
        file.write_text("x")
    with store.lock(str(log)) as swept:
        assert swept == (mine.name,)
    assert others(log) == sorted(file.name for file in foreign)


# ------------------------------------------------------------------------------ two at once


def test_a_second_writer_waits_and_then_gives_up(log):
    with store.lock(str(log)):
        done = run(
            """
            import sys
            from pbem.files import store
            from pbem.core import Problem
            try:
                with store.lock(sys.argv[1], wait=0.1):
                    print("locked")
            except Problem as problem:
                print(type(problem).__name__, problem.message)
            """,
            log,
        )
    assert done.stdout.startswith("Busy somebody else has been writing it for 0.1 seconds")


def test_a_lock_is_free_again_after_an_error(log):
    with pytest.raises(ZeroDivisionError), store.lock(str(log)):
        raise ZeroDivisionError
    with store.lock(str(log), wait=0):
        pass


def test_nothing_is_lost_when_many_append_at_once(log):
    code = """
        import sys
        from pbem.files import store
        path, name = sys.argv[1:]
        for turn in range(10):
            with store.lock(path, wait=30):
                before = open(path, encoding="utf-8", newline="").read()
                store.append(path, before, f"{name} {turn}\\n")
    """
    writers = [
        subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), str(log), name])
        for name in ("a", "b", "c")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    lines = log.read_text().splitlines()[1:]
    assert sorted(lines) == sorted(f"{name} {turn}" for name in "abc" for turn in range(10))
    assert [[x for x in lines if x[0] == n] for n in "abc"] == [
        [f"{n} {turn}" for turn in range(10)] for n in "abc"
    ]


def test_nothing_is_lost_without_the_lock_either(log):
    """Whoever skips the lock is told that the file has changed."""
    store.append(str(log), OLD, "first\n")
    with pytest.raises(Problem, match="try again"):
        store.append(str(log), OLD, "second\n")
    assert log.read_text() == OLD + "first\n"
