"""How long the house waits for a stranger's code: no game or template may stop it for ever.

The time is measured by the process's alarm clock, which only the main thread of a POSIX system has;
elsewhere nobody is hurried. One operation of Python's own, such as a power of huge numbers, is not
interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pbem.sentence import say

LONGEST: Final = 10.0
"""So many seconds a stranger's code may take: in one call, and in all calls of one judgement."""

_AGAIN: Final = 0.05
"""Code that catches everything is told again after so many seconds."""


class Overdue(BaseException):
    """A stranger's code has had its time. No Exception: that code might go on after one."""

    def __str__(self) -> str:
        return str(say("{seconds:g} seconds", seconds=LONGEST))


class _Patience:
    """What is left for the judgement that is being made; None outside any."""

    left: float | None = None


_patience = _Patience()


@contextmanager
def one_judgement() -> Iterator[None]:
    """All calls of a stranger's code made in here share the time of one."""
    outer = _patience.left
    if outer is None:
        _patience.left = LONGEST
    try:
        yield
    finally:
        _patience.left = outer


@contextmanager
def hurried() -> Iterator[None]:
    """A stranger's code runs in here. Raises Overdue where it is when its time is up."""
    import signal  # a house game asks for none of this
    import threading

    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    given = LONGEST if _patience.left is None else max(_patience.left, _AGAIN)
    others, again = signal.setitimer(signal.ITIMER_REAL, given, _AGAIN)
    try:
        yield
    finally:
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if others:  # somebody else's alarm was set: it still rings
            signal.setitimer(signal.ITIMER_REAL, max(others - (given - left), _AGAIN), again)
        if _patience.left is not None:
            _patience.left = left


def _ring(number: int, frame: Any) -> None:
    raise Overdue
