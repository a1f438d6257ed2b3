"""The same work on many things, shared among all processors if it is worth it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def spread(work: Callable[[T], R], things: Sequence[T], many: int) -> Iterator[R]:
    """What `work` gives for each thing, in their order. Fewer than `many` are not worth a second
    process; else `work`, the things and the results are pickled to pass between processes."""
    processors = os.cpu_count() or 1
    if len(things) < many or processors < 2:
        yield from map(work, things)
        return
    from concurrent.futures import ProcessPoolExecutor

    at_once = max(1, min(8, len(things) // (4 * processors)))
    with ProcessPoolExecutor() as pool:
        yield from pool.map(work, things, chunksize=at_once)
