"""Reading, replaying and appending: what grows with the length of a log and what does not.

.venv/bin/python benchmarks/logs.py
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

from pbem.desk.begin import Terms
from pbem.files import store
from pbem.log.entries import entry_text
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.testing.simulate import simulate


def best(action: Callable[[], object], times: int = 5) -> float:
    """The shortest time of several, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def replaying() -> None:
    """Events a second from a read log to the final state: decoding and evolve."""
    finished, _ = simulate(Terms("kahuna"), 7)
    source = Log.parse(finished.log.text, "x")
    events = sum(len(events) for _, events in finished.plies)
    once = best(lambda: Replay.of(source))
    print(f"replay of {events} events: {events / once:,.0f} events/s (required 20,000)")


def appending() -> None:
    """An append to a long log against one pass of reading it."""
    finished, _ = simulate(Terms("kahuna"), 7)
    text = finished.log.text
    for plies in (100, 10_000):
        grown = notes(text, plies)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.pbem.yaml")
            store.replace(path, grown.text.encode())
            reading = best(lambda path=path: Log.read(path), 3)

            def append(path: str = path) -> None:
                with store.lock(path):
                    old = Log.read(path)
                    entry = {"ruling": "note", "by": "moderator", "text": "x", "at": desk_time()}
                    new = old.extend(entry)
                    store.append(path, old.text, new.text[len(old.text) :])

            whole = best(append, 3)
        print(
            f"{plies:6} entries: read {reading * 1e3:7.1f} ms, read and append "
            f"{whole * 1e3:7.1f} ms, apart from reading {(whole - reading) * 1e3:5.1f} ms"
        )


def desk_time() -> str:
    """A time as logs write it."""
    return "2026-01-01T00:00:00Z"


def notes(text: str, count: int) -> Log:
    """A log with so many entries: a match, then notes."""
    source = Log.parse(text, "x.pbem.yaml")
    chain, parts = source.chain, [text]
    for number in range(len(source.entries), count):
        entry = {"ruling": "note", "by": "moderator", "text": f"{number}", "at": desk_time()}
        part, chain = entry_text(chain, entry)
        parts.append(part)
    return Log.parse("".join(parts), "x.pbem.yaml")


if __name__ == "__main__":
    replaying()
    appending()
