"""The folder of matches."""

from __future__ import annotations

import os
from typing import Final

from pbem.core import NoFile
from pbem.desk.file import LOG_SUFFIX, SUFFIX

FOLDER: Final = ".mailroom"
"""Where the mailroom keeps its papers, beside the matches."""


def logs_in(folder: str) -> list[str]:
    """The logs of a folder, sorted. Raises Problem."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(LOG_SUFFIX))
    except OSError as error:
        raise NoFile("cannot be read: {strerror}", folder, strerror=error.strerror) from error
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]


def stamps(folder: str) -> dict[str, int]:
    """The logs of a folder and the stamp of each. Raises Problem."""
    try:
        with os.scandir(folder) as entries:
            return {
                entry.path: stamp(entry.stat())
                for entry in entries
                if entry.name.endswith(LOG_SUFFIX) and not entry.name.startswith(".")
            }
    except OSError as error:
        raise NoFile("cannot be read: {strerror}", folder, strerror=error.strerror) from error


def stamp(status: os.stat_result) -> int:
    """A number that is another one once a file has changed: its time and its size."""
    return status.st_mtime_ns << 32 | status.st_size


def match_name(path: str) -> str:
    """The match of a log or desk file, by its file's name."""
    return os.path.basename(path).removesuffix(LOG_SUFFIX).removesuffix(SUFFIX)
