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
