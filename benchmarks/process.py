"""How long a command takes from start to exit, as a ratio to `python -c "import typer"`.

That import is the start-up cost no command can avoid, and it is measured in the same run.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/process.py [GAME ...]
Each figure is the median of the ratios of neighbouring runs, so that a busy machine cancels out.
"""

from __future__ import annotations

import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

RUNS = 21
PYTHON = sys.executable
PBEM = str(pathlib.Path(PYTHON).with_name("pbem"))
PEER = [PYTHON, "-c", "import typer"]
BUDGET = {
    "--help": 1.4,
    "show --format json": 1.5,
    "show": 2.3,
    "post": 2.4,
    "check": 2.8,
    "check beside a desk": 3,
    "check --key DESK": 3,
    "letter": 3,
    "submit": 3.5,
    "verify": 4,
    "show --format svg": 2.3,
}


def seconds(command: list[str], text: bytes = b"") -> float:
    """One run of a command that must succeed."""
    start = time.perf_counter()
    subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def ratio(
    command: list[str], text: bytes = b"", ready: Callable[[], object] = lambda: None
) -> float:
    """The median of command / peer, run in turn, each time after `ready`."""
    found = []
    for _ in range(RUNS + 1):
        ready()
        found.append(seconds(command, text) / seconds(PEER))
    return statistics.median(found[1:])  # the first fills caches of compiled files and templates


def peak_memory(command: list[str]) -> float:
    """The most memory, in MB, that a command used."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(command[0], command)
    usage: resource.struct_rusage = os.wait4(pid, 0)[2]
    return usage.ru_maxrss / 1024


def main() -> None:
    """Print a table for each game named, or for Kahuna."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for game in sys.argv[1:] or ["kahuna"]:
        print(game)
        measure(game)


def measure(game: str) -> None:
    """Print command, ratio and budget for a finished match; a message, a post and a letter are in
    the middle of it: at a player's home, or where the desk file lies beside the log."""
    with tempfile.TemporaryDirectory() as folder:
        log, desk = f"{folder}/bench.pbem.yaml", f"{folder}/bench.desk.yaml"
        seconds([PBEM, "simulate", game, "--seed", "7", "--out", log])
        home, running = f"{folder}/home.pbem.yaml", f"{folder}/half.pbem.yaml"
        half_of(log, home)

        def ready() -> None:
            shutil.copy(home, running)
            shutil.copy(desk, f"{folder}/half.desk.yaml")

        ready()
        seat, move = legal_move(running, desk)
        order = ["--from", seat]
        cases = {
            "--help": ([PBEM, "--help"], b""),
            "show --format json": ([PBEM, "show", log, "--format", "json"], b""),
            "show": ([PBEM, "show", log], b""),
            "post": ([PBEM, "post", running], b""),
            "check": ([PBEM, "check", home, *order], move),
            "check beside a desk": ([PBEM, "check", running, *order], move),
            "check --key DESK": ([PBEM, "check", running, *order, "--key", desk], move),
            "letter": ([PBEM, "letter", running, "--seat", seat], b""),
            "submit": ([PBEM, "submit", running, *order], move),
            "verify": ([PBEM, "verify", log, "--key", desk], b""),
        }
        board = f"{folder}/board.svg"
        cases["show --format svg"] = [PBEM, "show", home, "--format", "svg", "-o", board], b""
        for name, (command, text) in cases.items():
            found = ratio(command, text, ready)
            print(f"{name:20} {found:5.2f} x import typer   (budget {BUDGET[name]})")
        if find_spec("resvg_py"):
            print(f"{'that SVG as PNG':20} {painting(board):5.2f} x resvg alone   (budget 1.3)")
        print(f"{'memory of show':20} {peak_memory([PBEM, 'show', log]):5.1f} MB   (budget 60)")


def painting(board: str) -> float:
    """What a PNG of this SVG costs the processor, over what resvg alone does."""
    from pbem.pictures import png

    svg = pathlib.Path(board).read_text()
    alone, whole = (
        min(timeit.repeat(partial(paint, svg, 1080), timer=time.process_time, number=1, repeat=9))
        for paint in (png.painted, png.png)
    )
    return whole / alone


def half_of(log: str, to: str) -> None:
    """The first half of a log, with a player to move."""
    text = pathlib.Path(log).read_text()
    entries = text.split("\n- ply: ")
    count = len(entries) // 2
    while "\n  seat: chance" in entries[count + 1]:
        count += 1
    pathlib.Path(to).write_text("\n- ply: ".join(entries[: count + 1]) + "\n")


def legal_move(log: str, desk: str) -> tuple[str, bytes]:
    """Who is to move there, and a legal move."""
    asked = [PBEM, "moves", log, "--key", desk]
    listed = subprocess.run(asked, capture_output=True, check=True, text=True)
    seat, move, *_ = listed.stdout.splitlines()
    return seat.partition(":")[0], move.strip().encode()


if __name__ == "__main__":
    main()
