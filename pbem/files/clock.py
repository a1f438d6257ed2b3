"""What time it is: the one place that asks."""

from __future__ import annotations

import os
import time


def now() -> str:
    """The time as logs write it, UTC. SOURCE_DATE_EPOCH, if set, stops the clock there."""
    stopped = os.environ.get("SOURCE_DATE_EPOCH")
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(stopped) if stopped else None))
