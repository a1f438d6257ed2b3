"""How long a run of the tests may take: `PBEM_LONG=1` looks at all the random matches; and how long
what they try may take."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONG = bool(os.environ.get("PBEM_LONG"))


def many(usual: int, long: int) -> int:
    """So many random matches, mails or examples; more of them in a long run."""
    return long if LONG else usual


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is done inside takes less of the processor's time: whatever else the machine does counts
    for nothing. So many seconds are ten times what it takes, or more; what grows with the square
    of its input takes minutes."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < seconds
