"""The folder of matches, and its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.desk.file import LOG_SUFFIX, SUFFIX
from pbem.files import store

FOLDER: Final = ".mailroom"
"""Where the mailroom keeps its papers, beside the matches."""


def files_in(folder: str, suffix: str) -> Iterator[os.DirEntry[str]]:
    """The files of a folder whose names end like this, but for hidden ones. Raises Problem."""
    with store.readable(folder), os.scandir(folder) as found:
        for entry in found:
            if (name := entry.name).endswith(suffix) and name[0] != ".":
                yield entry


def logs_in(folder: str) -> list[str]:
    """The logs of a folder, sorted. Raises Problem."""
    return sorted(entry.path for entry in files_in(folder, LOG_SUFFIX))


def state(status: os.stat_result) -> tuple[int, ...]:
    """What is another once a file has changed, even if its time was set back, as `touch -r`, rsync
    and copies do."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def stamp(state: Sequence[int]) -> int:
    """A number that is another one once a file has changed: its time and its size."""
    return state[1] << 32 | state[0]


def match_name(path: str) -> str:
    """The match of a log or desk file, by its file's name."""
    return os.path.basename(path).removesuffix(LOG_SUFFIX).removesuffix(SUFFIX)
