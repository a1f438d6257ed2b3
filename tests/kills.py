"""A command killed at any instant at which the disk holds something new."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

CALLS = "open write fsync replace rename chmod close unlink ftruncate mkdir rmdir link".split()


def kills(
    run: Callable[[], object], restore: Callable[[], object], *folders: Path
) -> Iterator[int]:
    """Kill `run` at each instant that leaves something new in the folders, which are restored
    before. Gives the number of each instant once that has happened. Of instants between which
    nothing there changes it is the first: a kill at the others leaves the same files, and all that
    the next run can know of it is files.

    `run` has been run before, so that caches hold what it puts there."""
    restore()
    numbers, found = count(), dict[frozenset[object], int]()
    _watched(run, lambda: found.setdefault(_held(folders), next(numbers)))
    for number in found.values():
        restore()
        assert killed_at(number, run)
        yield number


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


def _held(folders: tuple[Path, ...]) -> frozenset[object]:
    """All that folders hold: each file as it is, with what a look at it without reading tells."""
    return frozenset(
        (path, about.st_mode, about.st_ino, about.st_mtime_ns, path.is_file() and path.read_bytes())
        for folder in folders
        for path in folder.rglob("*")
        for about in [path.lstat()]
    )
