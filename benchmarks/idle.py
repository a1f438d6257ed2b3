"""What a run of the desk costs in which nothing is to be done, over the matches of a club and over
the same matches without one: the median of the processor time of whole processes, one after the
other. One match in ten goes on, the others are over.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/idle.py [MATCHES]
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from pbem.club import clubwork
from pbem.club.acts import Enlisted, HouseSettings, MatchBegun
from pbem.club.terms import read
from pbem.desk import give
from pbem.desk.bench import Circumstances
from pbem.log.rulings import Resign
from pbem.report import compose

MATCHES: Final = 1000
PEOPLE: Final = 40
RUNS: Final = 7
BUDGET: Final = 1.05
RUN: Final = 1_790_003_600
"""Moment of the runs: an hour after the matches began."""


def founded(folder: Path, matches: int) -> None:
    """A club that has begun so many matches."""
    here = Circumstances(lambda: "2026-09-21T14:13:20Z", compose.rehearse)
    clubwork.found(str(folder), "big", HouseSettings(("kahuna",), 3, "UTC", "public"), here)
    with clubwork.at_work(str(folder), here) as work:
        terms = read("kahuna", work.club.settings)
        people = [work.join(f"P{n}", f"p{n}@x.example") for n in range(PEOPLE)]
        for n in range(matches):
            one, other = people[n % PEOPLE], people[(n + 1) % PEOPLE]
            for each in (one, other):
                work.enter(Enlisted(each, terms))
            match = f"kahuna-{n + 1}"
            work.enter(MatchBegun(match, terms, {"white": one, "black": other}, 0, ""))
            clubwork._make(work, work.club.begun[match], lambda _, desk: desk)
            if n % 10:
                log = str(folder / f"{match}.pbem.yaml")
                give.give(log, Resign, here, {"seat": "white"}, reason="as agreed")


def costs(folder: Path) -> float:
    """Seconds of processor time of a run over a folder, without a mail."""
    run = ("desk", "run", "--mail", folder / "box", "--matches", folder / "matches")
    rest = ("--outbox", folder / "out", "--address", "desk@x.example", "--no-pictures")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "pbem", *map(str, (*run, *rest))], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print both medians and their ratio; fail if that is more than its budget."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    os.environ["SOURCE_DATE_EPOCH"] = str(RUN)
    with tempfile.TemporaryDirectory() as place:
        club, plain = Path(place) / "club", Path(place) / "plain"
        (club / "matches").mkdir(parents=True)
        founded(club / "matches", matches)
        for part in ("cur", "new", "tmp"):
            (club / "box" / part).mkdir(parents=True)
        shutil.copytree(club, plain)
        for own in (plain / "matches").glob("club.*"):
            own.unlink()
        found: dict[Path, list[float]] = {club: [], plain: []}
        for _ in range(2):  # what is new is read, then what has changed just now
            for folder in found:
                costs(folder)
            time.sleep(3)
        for _ in range(RUNS):
            for folder, seconds in found.items():
                seconds.append(costs(folder))
    one, other = (statistics.median(seconds) for seconds in found.values())
    print(f"an idle run over {matches} matches: {one:.3f} s in a club, {other:.3f} s without")
    print(f"{one / other:.2f} times as much   (budget {BUDGET})")
    sys.exit(one / other > BUDGET)


if __name__ == "__main__":
    main()
