"""Ten thousand mails over fifty matches: how many a second, in how much memory, what one costs
beside `python -c pass`, and whether the logs are the same after twenty kills.

python benchmarks/mailroom.py [--mails 10000] [--matches 50] [--kills 20] [--pictures]

Or, for folders of several sizes, what one mail and `pbem status` cost in each, run in turn:

python benchmarks/mailroom.py --matches 50,500,5000
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from mailbag import fill

RUN = (
    "import sys; sys.argv[0] = 'pbem'\nfrom pbem.cli import main\n"
    "try:\n    main()\nfinally:\n    import resource\n"
    "    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
    "    print(f'memory {most} MiB', file=sys.stderr)"
)


def started(place: Path, *more: str) -> subprocess.Popen[bytes]:
    """The desk at work."""
    arguments = [
        "desk",
        "run",
        "--mail",
        place / "Maildir",
        "--matches",
        place / "matches",
        "--outbox",
        place / "outbox",
        "--once",
        "--json",
        *more,
    ]
    with open(place / "out", "ab") as out, open(place / "err", "ab") as err:
        return subprocess.Popen(
            [sys.executable, "-c", RUN, *map(str, arguments)],
            stdout=out,
            stderr=err,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"},
        )


def spent(process: subprocess.Popen[bytes]) -> float | None:
    """The processor's time of a process; None if it fails."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if process.returncode == 0 else None


def contents(place: Path) -> dict[str, str]:
    """What the logs and the answers hold."""
    files = [*place.glob("matches/*.yaml"), *place.glob("outbox/*/*.eml")]
    return {
        str(file.relative_to(place)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


ROUNDS = 9


def growth(sizes: list[int]) -> None:
    """What one process for one mail costs, and `pbem status`, in folders of several sizes."""
    with tempfile.TemporaryDirectory() as folder:
        places = {size: Path(folder) / str(size) for size in sizes}
        for size, place in places.items():
            place.mkdir()
            fill(place, size, size + 2 * ROUNDS + 2)
            (place / "Maildir" / "new").rename(place / "later")
            (place / "Maildir" / "new").mkdir()
            start = time.perf_counter()
            seconds_of_status(place)
            print(f"{size} matches: `pbem status` takes {time.perf_counter() - start:.1f} s cold")
        for named in (True, False):
            costs: dict[int, list[float]] = {size: [] for size in sizes}
            for nth in range(ROUNDS + 1):
                for size, place in places.items():
                    cost = one_mail(place, named=named)
                    if nth:  # the first fills what is kept
                        costs[size].append(cost)
            mail = "a mail that names its match" if named else "a mail that names none"
            compare(mail, costs, "required 2 of 5000")
        costs = {size: [] for size in sizes}
        for _ in range(ROUNDS):
            for size, place in places.items():
                costs[size].append(seconds_of_status(place))
        compare("`pbem status`", costs, "required 2 s of 5000")


def compare(what: str, costs: dict[int, list[float]], bar: str) -> None:
    """A line about each size: seconds, and how many times the smallest."""
    least = next(iter(costs.values()))
    for size, found in costs.items():
        times = statistics.median(a / b for a, b in zip(found, least, strict=True))
        took = statistics.median(found)
        print(f"{what}, {size} matches: {took:.2f} s, {times:.2f} x the first ({bar})")


def one_mail(place: Path, *, named: bool) -> float:
    """How long the desk takes for the next mail, from start to exit."""
    name = sorted(os.listdir(place / "later"))[0]
    raw = (place / "later" / name).read_bytes()
    (place / "later" / name).unlink()
    if not named:
        raw = re.sub(rb"(?m)^Subject: .*$", b"Subject: my move", raw)
    (place / "Maildir" / "new" / name).write_bytes(raw)
    start = time.perf_counter()
    cost = spent(started(place))
    assert cost is not None, (place / "err").read_text()
    return time.perf_counter() - start


def seconds_of_status(place: Path) -> float:
    """How long `pbem status` takes, from start to exit."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "pbem", "status", str(place / "matches")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Fill a mailbox, run, kill, compare."""
    parser = argparse.ArgumentParser()
    for name, count in (("mails", 10_000), ("kills", 20)):
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--matches", default="50")
    parser.add_argument("--pictures", action="store_true")
    wanted = parser.parse_args()
    painted = ["--pictures" if wanted.pictures else "--no-pictures"]
    sizes = [int(size) for size in wanted.matches.split(",")]
    if len(sizes) > 1:
        growth(sizes)
        return
    [wanted.matches] = sizes
    with tempfile.TemporaryDirectory() as folder:
        once, killed, half = (Path(folder) / name for name in ("once", "killed", "half"))
        once.mkdir()
        fill(once, wanted.matches, wanted.mails)
        shutil.copytree(once, killed)
        shutil.copytree(once, half)
        for name in sorted(os.listdir(half / "Maildir" / "new"))[wanted.mails // 10 :]:
            (half / "Maildir" / "new" / name).unlink()
        started(half, *painted).wait()
        print(f"a tenth of the mails: {(half / 'err').read_text().strip()}")

        start = time.perf_counter()
        cost = spent(started(once, *painted))
        took = time.perf_counter() - start
        assert cost is not None, (once / "err").read_text()
        nothing = [sys.executable, "-c", "pass"]
        empty = statistics.median(spent(subprocess.Popen(nothing)) or 0.0 for _ in range(9))
        told = (once / "out").read_text().split('"verdict": "')[1:]
        verdicts = Counter(line.split('"')[0] for line in told)
        print(
            f"{wanted.mails} mails over {wanted.matches} matches in {took:.0f} s: "
            f"{wanted.mails / took:.0f} a second (required 50); "
            f"{(once / 'err').read_text().strip()}"
        )
        print(
            f"a mail costs {cost / wanted.mails / empty:.2f} x `python -c pass` of the processor's "
            "time (required 1.5)"
        )
        print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))

        rng = random.Random(3)
        for _ in range(wanted.kills):
            process = started(killed, *painted)
            time.sleep(rng.uniform(0.2, 1.6 * took / max(wanted.kills, 1)))
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert started(killed, *painted).wait() == 0, (killed / "err").read_text()
        same = contents(killed) == contents(once)
        print(
            f"killed {wanted.kills} times, then finished: logs, desk files and all "
            f"{len(contents(once))} files {'are the same' if same else 'DIFFER'}"
        )
        sys.exit(not same)


if __name__ == "__main__":
    main()
