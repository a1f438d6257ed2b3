"""How long the house waits for a stranger's code: no game or template may stop it for ever.

The time is measured by the process's alarm clock, which only the main thread of a POSIX system has;
elsewhere nobody is hurried. A single operation inside Python, such as a power of huge numbers, is
not interrupted.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pbem.sentence import say

LONGEST: Final = 10.0
"""How many seconds a stranger's code may take: in one call, or in all calls of one judgement."""

_TICK: Final = 0.05


class Overdue(BaseException):
    """A stranger's code has had its time. Not an Exception: that code might catch it and go on."""

    def __str__(self) -> str:
        return str(say("{seconds:g} seconds", seconds=LONGEST))


class _AlarmClock:
    """`with hurried:` raises Overdue in the stranger's code that runs there, once its time is up.

    A clock that is `kept` goes on ticking between calls: setting it takes longer than most of them.
    """

    def __init__(self) -> None:
        self.kept, self.shared = False, False
        self.spent = 0.0
        self._inside = 0
        self._thread = 0  # the one that signals reach
        self._before: tuple[Any, float, float, float] | None = None

    def __enter__(self) -> None:
        if self._before is None:
            self._set()
        if get_ident() != self._thread:
            return
        if not self._inside and not self.shared:
            self.spent = 0.0
        self._inside += 1

    def __exit__(self, *error: object) -> None:
        if get_ident() != self._thread:
            return
        self._inside -= 1
        if not self.kept and not self._inside:
            self.stop()

    def _set(self) -> None:
        import signal  # a house game needs none of this
        import threading
        import time

        main = threading.current_thread() is threading.main_thread()
        if main and hasattr(signal, "setitimer"):
            self._thread = get_ident()
            theirs = signal.signal(signal.SIGALRM, self._tick)
            self._before = theirs, *signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK), time.time()

    def stop(self) -> None:
        """Give the clock back: an alarm that somebody else has set still rings."""
        if self._before is None:
            return
        import signal
        import time

        theirs, left, again, since = self._before
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, theirs)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - time.time() + since, _TICK), again)
        self._before = None

    def _tick(self, number: int, frame: Any) -> None:
        if self._inside:
            self.spent += _TICK
            if self.spent >= LONGEST:
                raise Overdue


hurried: Final = _AlarmClock()


@contextmanager
def _kept(shared: bool) -> Iterator[None]:
    before = hurried.kept, hurried.shared, hurried.spent
    hurried.kept, hurried.shared, hurried.spent = True, shared, 0.0
    try:
        yield
    finally:
        hurried.kept, hurried.shared, hurried.spent = before
        if not hurried.kept:
            hurried.stop()


@contextmanager
def one_judgement() -> Iterator[None]:
    """All calls of a stranger's code made in here share the time of one."""
    with _kept(shared=True):
        yield


@contextmanager
def many_calls() -> Iterator[None]:
    """Many calls are made in here, each with a time of its own."""
    with _kept(shared=False):
        yield
