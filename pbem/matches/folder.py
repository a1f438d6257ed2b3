"""The folder of matches."""

from __future__ import annotations

import os

from pbem.core import NoFile
from pbem.desk.file import LOG_SUFFIX


def logs_in(folder: str) -> list[str]:
    """The logs of a folder, sorted. Raises Problem."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(LOG_SUFFIX))
    except OSError as error:
        raise NoFile("cannot be read: {strerror}", folder, strerror=error.strerror) from error
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]


def stamp(path: str) -> tuple[int, int, int] | None:
    """What changes when a file does; None where there is none. The desk replaces files whole."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
