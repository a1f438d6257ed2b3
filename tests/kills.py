"""A command killed at any instant at which the disk holds something new."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from long import many

Held = frozenset[tuple[str, int, int, int, bytes | bool]]
CALLS = "open write fsync replace rename chmod close unlink ftruncate mkdir rmdir link".split()


def kills(
    run: Callable[[], object], restore: Callable[[], object], *folders: Path, each: int = 1
) -> Iterator[int]:
    """Kill `run` at each instant that leaves something new in the folders, which are restored
    before. Gives the number of each instant once that has happened. Of instants between which
    nothing there changes it is the first: a kill at the others leaves the same files, and all that
    the next run can know of it is files. Of many instants `each` second or third may do.

    `run` has been run before, so that caches hold what it puts there."""
    for number in [*_instants(run, restore, folders).values()][::each]:
        restore()
        if not killed_at(number, run):
            return  # it is done: now and then there is less to write than when it was watched
        yield number


def remains(
    run: Callable[[], object], restore: Callable[[], object], *folders: Path, each: int = many(3, 1)
) -> Iterator[int]:
    """What `kills` leaves in the folders, put there without killing anybody: in half the time. (The
    index then knows none of the files.) But in a usual run it is every third of the instants
    between which anything has changed that is ever read again, as a temporary file is not: of some
    files that are written it is the one before they are there, of others the one after that."""
    found = dict[object, tuple[Held, int]]()
    for held, number in _instants(run, restore, folders).items():
        found.setdefault(held if each == 1 else _read_again(held), (held, number))
    for held, number in [*found.values()][::each]:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        _put_back(held)
        yield number


def _instants(
    run: Callable[[], object], restore: Callable[[], object], folders: tuple[Path, ...]
) -> dict[Held, int]:
    """What the folders hold in the course of a run, and the number of the first such instant."""
    restore()
    numbers, found = count(), dict[Held, int]()
    _watched(run, lambda: found.setdefault(_held(folders), next(numbers)))
    return found


def killed_at(number: int, run: Callable[[], object]) -> bool:
    """Run in a child that dies at the numbered instant; was it that far?"""
    child = os.fork()
    if child:
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])
    try:
        numbers = count()
        _watched(run, lambda: next(numbers) < number or os.kill(os.getpid(), signal.SIGKILL))
    finally:
        os._exit(0)


def _watched(run: Callable[[], object], instant: Callable[[], object]) -> None:
    """Run, with a look before and after each call into the file system and half-way in a write."""

    def watched(call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            instant()
            if name == "write":
                file, data = arguments
                half = call(file, data[: len(data) // 2])
                instant()
                result = half + call(file, data[half:])
            else:
                result = call(*arguments, **named)
            instant()
            return result

        return called

    with ExitStack() as stack:
        for name in CALLS:
            stack.enter_context(patch.object(os, name, watched(getattr(os, name), name)))
        run()


def _read_again(held: Held) -> frozenset[tuple[str, int, bytes | bool]]:
    return frozenset(
        (path, mode, not path.endswith(".tmp") and data) for path, mode, _, _, data in held
    )


def _held(folders: tuple[Path, ...]) -> Held:
    """All that folders hold: each file as it is, with what a look at it without reading tells."""
    found = set()
    ahead = [str(folder) for folder in folders if folder.exists()]
    while ahead:  # a thousand looks are taken of a run: pathlib would take most of its time
        about, data = os.lstat(path := ahead.pop()), False
        if stat.S_ISDIR(about.st_mode):
            with os.scandir(path) as entries:
                ahead += [entry.path for entry in entries]
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                data = file.read()
        found.add((path, about.st_mode, about.st_ino, about.st_mtime_ns, data))
    return frozenset(found)


def bytes_of(folder: Path) -> list[tuple[str, bytes]]:
    """What the files of a folder hold but for what two runs never share: the names of temporary
    files, and the times and inodes of others that the account and the index note."""
    files = [
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("index.")
    ]
    return sorted((path.suffix, re.sub(rb'"stamp": \d+', b"", path.read_bytes())) for path in files)


def _put_back(held: Held) -> None:
    for path, mode, _, _, data in sorted(held):
        if isinstance(data, bytes):
            Path(path).write_bytes(data)
        else:
            os.makedirs(path)
        os.chmod(path, mode)
    for path, _, _, when, _ in sorted(held, reverse=True):  # a folder after what is put into it
        os.utime(path, ns=(when, when))
