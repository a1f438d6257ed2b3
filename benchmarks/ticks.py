"""What the clock of many running matches costs a run of the desk, as ratios to one pass of PyYAML's
C loader over the same logs: once all logs are new, and once nothing has changed since.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/ticks.py [MATCHES]
"""

from __future__ import annotations

import pathlib
import statistics
import sys
import tempfile
import time
from typing import Any, Final

import yaml

from pbem.desk.begin import Terms
from pbem.desk.bench import Circumstances
from pbem.mailroom import daybook
from pbem.mailroom.timekeeper import Timekeeper
from pbem.matches.matches import Matches
from pbem.testing.simulate import simulate

MATCHES = 1000
KINDS: Final = 20
RUNS = 5
BUDGETS: Final = {"first": 1.5, "next": 0.1}
CLOCK: Final = {"turn": 3, "zone": "Europe/Berlin", "bank": 5, "closed": ["sat", "sun"]}


def loading(folder: pathlib.Path) -> float:
    """Seconds that PyYAML's C loader takes to read these logs."""
    start = time.perf_counter()
    for path in folder.glob("*.pbem.yaml"):
        yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    return time.perf_counter() - start


def keeping(folder: pathlib.Path, at: str) -> float:
    """Seconds in which a run keeps the clock; nothing is written but the index and the daybook."""
    start = time.perf_counter()
    matches, book = Matches(str(folder)), daybook.book_of(str(folder), lambda name: False)
    here = Circumstances(lambda: at, lambda *_: None, shelf=matches)
    found = list(Timekeeper(matches, book, here, lambda *_: None).keep(at, False, {}))
    assert not found, found
    return time.perf_counter() - start


def running(seed: int) -> tuple[str, str]:
    """The first half of a match, as a log, and when its last entry was made."""
    log = simulate(Terms("kahuna", clock=CLOCK), seed)[0].log
    cuts = [at for at in range(len(log.text)) if log.text.startswith("\n- ", at)]
    count = len(cuts) // 2
    return log.text[: cuts[count] + 1], log.entries[count - 1].at


def main() -> None:
    """Print the medians of the ratios of neighbouring runs."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    kinds = [running(seed) for seed in range(KINDS)]
    at = max(last for _, last in kinds)
    found: dict[str, Any] = {"first": [], "next": []}
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            for nth in range(matches):
                text = kinds[nth % KINDS][0]
                (folder / f"m{nth}.pbem.yaml").write_text(text, encoding="utf-8")
            for which in found:
                time.sleep(3)  # files that have just changed are read again
                found[which].append(keeping(folder, at) / loading(folder))
    for which, ratios in found.items():
        print(
            f"the {which} tick of {matches} matches: {statistics.median(ratios):.3f} x one pass of "
            f"PyYAML's C loader   (budget {BUDGETS[which]})"
        )


if __name__ == "__main__":
    main()
