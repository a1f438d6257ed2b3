"""Files that are either the old ones or the new ones, whatever happens in between."""

from __future__ import annotations

import errno
import itertools
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final

from pbem.files import modes
from pbem.problem import Busy, CannotMake, CannotWrite, NoFile, Problem

PATIENCE: Final = 10.0
"""How many seconds to wait while somebody else is writing."""
_POLL: Final = 0.02


def log_of(name: str) -> str:
    """The log somebody means: `kahuna-7` is short for `kahuna-7.pbem.yaml`."""
    whole = f"{name}.pbem.yaml"
    return whole if not os.path.isfile(name) and os.path.isfile(whole) else name


def is_within(folder: str, path: str) -> bool:
    """Does a path lead to this folder or into it, with links followed?"""
    root, place = os.path.realpath(folder), os.path.realpath(path)
    return os.path.join(place, "").startswith(os.path.join(root, ""))


@contextmanager
def may_fail(kind: type[Problem], pattern: str, path: str, /, **values: Any) -> Iterator[None]:
    """Turn what the system refuses within into a Problem of this kind: the pattern's words, with
    the system's own as `strerror`."""
    try:
        yield
    except OSError as error:
        raise kind(pattern, path, strerror=error.strerror, **values) from error


def readable(path: str) -> AbstractContextManager[None]:
    """Raise NoFile for what cannot be read within."""
    return may_fail(NoFile, "cannot be read: {strerror}", path)


def make_folder(folder: str, mode: int = modes.OPEN) -> None:
    """Make a folder, and those on the way to it, unless they are there. Raises CannotMake."""
    with may_fail(CannotMake, "cannot be made: {strerror}", folder):
        modes.make_folders(folder, mode)


@contextmanager
def lock(
    path: str, *others: str, new: bool = False, wait: float | None = None
) -> Iterator[tuple[str, ...]]:
    """Be the only one to write `path` and `others`, whichever links name them; waits up to `wait`
    seconds, or as long as usual. Gives the names of temporary files that a crash left behind, after
    removing them. Only a `new` file need not be there.

    Raises Problem, code 66 if there is no such file, 75 if somebody else stays busy, 73 if there
    can be no lock file.
    """
    if not (new or os.path.exists(path)):
        raise NoFile("cannot be read: no such file", path)
    folder, name = own = _split(path)
    if not os.path.isdir(folder):
        raise CannotMake("there is no folder {folder}", path, folder=folder)
    lock_path = os.path.join(folder, f".{name}.lock")
    with may_fail(CannotMake, "no lock file beside it: {strerror}", path):
        handle = opened(lock_path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0))
    try:
        with may_fail(CannotMake, "cannot be locked: {strerror}", path):
            _wait_for(handle, path, PATIENCE if wait is None else wait)
            swept = tuple(left for file in (own, *map(_split, others)) for left in _sweep(*file))
        yield swept
    finally:
        # The lock file stays: removing it would let two processes lock two files of that name.
        os.close(handle)


def opened(path: str, flags: int, mode: int = 0o600) -> int:
    """The handle of a file opened for bytes: without O_BINARY Windows would change line ends.
    Raises OSError."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), mode)


def replace(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a file as a whole: afterwards, even after a crash, it is the old one or the new.

    Without `mode` an existing file keeps its own and a new one gets the usual. A link is followed,
    and a device or a pipe is written to. Raises Problem, code 73 if no file can be created there,
    74 if writing fails.
    """
    target = os.path.realpath(path)
    if _is_stream(target):
        _stream(target, data)
        return
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.tmp")
    with may_fail(CannotMake, "cannot be written: {strerror}", path):
        if mode is None and os.path.exists(target):
            mode = os.stat(target).st_mode & 0o777
        usual = modes.READABLE if mode is None else 0o600
        handle = opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, usual)
    try:
        with may_fail(CannotWrite, "writing failed, the file is as it was: {strerror}", path):
            try:
                if mode is not None:
                    os.chmod(temporary, mode)
                _write_all(handle, data)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(temporary, target)
    finally:
        with suppress(OSError):  # after the rename there is none; else the next lock sweeps it
            os.unlink(temporary)
    _sync_folder(folder, path)


def add(path: str, data: bytes, mode: int) -> str:
    """Write a new file, and none that is there: one of that name with other content keeps it, and
    this one gets a number. Gives its path. Raises Problem like `replace`."""
    stem, ending = os.path.splitext(path)
    for number in itertools.count(2):
        with may_fail(CannotMake, "cannot be written: {strerror}", path):
            try:
                os.close(opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
            except FileExistsError:
                if not (os.path.isfile(path) and read(path) in (b"", data)):  # or a crash left it
                    path = f"{stem}-{number}{ending}"
                    continue
        replace(path, data, mode)
        break
    return path


def require_place(path: str) -> None:
    """Make sure that a file can be put at this path. Raises CannotMake."""
    target = os.path.realpath(path)
    if _is_stream(target):
        return
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.tmp")
    with may_fail(CannotMake, "cannot be written: {strerror}", path):
        if os.path.isdir(target):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        os.close(opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(temporary)


def _is_stream(target: str) -> bool:
    """Is this a device or a pipe, which no file may take the place of?"""
    return os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target))


def _stream(target: str, data: bytes) -> None:
    failing = may_fail(CannotWrite, "cannot be written to: {strerror}", target)
    with failing, open(target, "wb") as stream:
        stream.write(data)


def append(path: str, before: str, text: str) -> None:
    """Add text to a file that must still hold `before`. Call it under `lock`.

    Raises Problem, code 75 if the file has changed meanwhile, 73 or 74 like `replace`.
    """
    if read(path) != before.encode():
        raise Busy("has changed since it was read; nothing was written, try again", path)
    data = (before + text).encode()
    replace(path, data)
    if read(path) != data:
        raise CannotWrite(
            "does not hold what was written to it; check the disk and restore a copy", path
        )


def holds(path: str, text: str) -> bool:
    """Does a file hold exactly this text? Raises NoFile."""
    return read(path) == text.encode()


def _split(path: str) -> tuple[str, str]:
    """The folder and the name of the file itself, with links followed."""
    folder, name = os.path.split(os.path.realpath(path))
    return folder, name


def read(path: str) -> bytes:
    """The bytes of a file. Raises NoFile."""
    with readable(path), open(path, "rb") as file:
        return file.read()


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _sync_folder(folder: str, path: str) -> None:
    """Make the rename last. Windows has no way to do this, and needs none."""
    if sys.platform == "win32":
        return
    with may_fail(CannotWrite, "was written, but may not survive a power cut: {strerror}", path):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(folder: str, name: str) -> tuple[str, ...]:
    """Remove what a crash left behind; only the holder of the lock may."""
    start, end = f".{name}.", ".tmp"
    left = sorted(
        file
        for file in os.listdir(folder)
        if file.startswith(start) and file.endswith(end) and len(file) == len(start) + 16 + len(end)
    )
    for file in left:
        os.unlink(os.path.join(folder, file))
    return tuple(left)


def _wait_for(handle: int, path: str, wait: float) -> None:
    deadline = time.monotonic() + wait
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            raise Busy(
                "somebody else has been writing it for {wait:g} seconds; try again later",
                path,
                wait=wait,
            )
        time.sleep(_POLL)


def _try_lock(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
