"""What it costs to verify many finished matches, as a ratio to one pass of PyYAML's C loader over
the same files, divided by the processors there are.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/verify.py [MATCHES]
"""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import yaml

from pbem.desk.begin import Terms
from pbem.testing.simulate import simulate

MATCHES = 1000
RUNS = 5
BUDGET = 2.5
PBEM = str(pathlib.Path(sys.executable).with_name("pbem"))


def loading(paths: list[str]) -> float:
    """Seconds that PyYAML's C loader takes to read these files."""
    start = time.perf_counter()
    for path in paths:
        with open(path, "rb") as file:
            yaml.load(file, Loader=yaml.CSafeLoader)
    return time.perf_counter() - start


def verifying(paths: list[str]) -> float:
    """Seconds from the start of `pbem verify` to its exit."""
    start = time.perf_counter()
    subprocess.run([PBEM, "verify", *paths], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print the median of the ratios of neighbouring runs."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{seed}.pbem.yaml" for seed in range(matches)]
        for seed, path in enumerate(paths):
            pathlib.Path(path).write_text(
                simulate(Terms("kahuna"), seed)[0].log.text, encoding="utf-8"
            )
        verifying(paths[:1])  # fills caches of compiled files
        found = statistics.median(verifying(paths) / (loading(paths) / cores) for _ in range(RUNS))
    print(
        f"verify of {matches} matches: {found:.2f} x one pass of PyYAML's C loader, divided by "
        f"{cores} processors   (budget {BUDGET})"
    )


if __name__ == "__main__":
    main()
