"""What time it is: the one place that asks."""

from __future__ import annotations

import os
import time


def now() -> str:
    """The time as logs write it, UTC. SOURCE_DATE_EPOCH, if set, stops the clock there."""
    stopped = os.environ.get("SOURCE_DATE_EPOCH")
    return stamp(int(stopped) if stopped else None)


def stamp(seconds: float | None) -> str:
    """Seconds since 1970, as logs write a time."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
