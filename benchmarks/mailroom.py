"""Ten thousand mails over fifty matches: how many a second, in how much memory, what one costs
beside `python -c pass`, and whether the logs are the same after twenty kills.

python benchmarks/mailroom.py [--mails 10000] [--matches 50] [--kills 20] [--pictures]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
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


def main() -> None:
    """Fill a mailbox, run, kill, compare."""
    parser = argparse.ArgumentParser()
    for name, count in (("mails", 10_000), ("matches", 50), ("kills", 20)):
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--pictures", action="store_true")
    wanted = parser.parse_args()
    painted = ["--pictures"] if wanted.pictures else []
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
