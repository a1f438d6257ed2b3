"""What time it is: the one place that asks."""

from __future__ import annotations

import os
import time
from typing import Final

from pbem.problem import Usage

_END: Final = 253_402_300_800  # the year 10000, which no log can write


def now() -> str:
    """The time as logs write it, UTC. SOURCE_DATE_EPOCH, if set, stops the clock there. Raises
    Usage for one that cannot be written."""
    stopped = os.environ.get("SOURCE_DATE_EPOCH")
    if not stopped:
        return stamp(time.time())
    if stopped.isascii() and stopped.isdecimal() and len(stopped) < 20 and int(stopped) < _END:
        return stamp(int(stopped))
    raise Usage(
        "SOURCE_DATE_EPOCH is {said!r:.60}, but it stops the clock at seconds since 1970: a whole "
        "number, like 1790000000, before the year 10000",
        said=stopped,
    )


def stamp(seconds: float | None) -> str:
    """Seconds since 1970, as logs write a time."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
