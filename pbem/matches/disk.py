"""The folder of matches, and its files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from pbem.desk.file import LOG_SUFFIX, SUFFIX
from pbem.files import store

FOLDER: Final = ".mailroom"
"""Where the mailroom keeps its papers, beside the matches."""


def names_in(folder: str) -> list[str]:
    """The names of the files of a folder, sorted, but for hidden ones. Raises Problem."""
    with store.readable(folder):
        return sorted(name for name in os.listdir(folder) if name[0] != ".")


def logs_in(folder: str) -> list[str]:
    """The logs of a folder, sorted. Raises Problem."""
    return [os.path.join(folder, name) for name in names_in(folder) if name.endswith(LOG_SUFFIX)]


def state(path: str) -> list[int]:
    """What is another once a file has changed, even if its time was set back, as `touch -r`, rsync
    and copies do; [] where there is none: whoever opens it will say so."""
    try:
        status = os.stat(path)
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def stamp(state: Sequence[int]) -> int:
    """A number that is another one once a file has changed: its time and its size; 0 for none."""
    return state[1] << 32 | state[0] if state else 0


def match_name(path: str) -> str:
    """The match of a log or desk file, by its file's name."""
    return os.path.basename(path).removesuffix(LOG_SUFFIX).removesuffix(SUFFIX)
