"""What the mails that were made to break a desk cost it, beside `python -c pass`: the processor's
time from opening a mail to having its answers written.

python benchmarks/strange.py
"""

from __future__ import annotations

import base64
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from commands import ANA, dealt
from strange import IN_UTF_8, PARTS, RUNS, STRANGE, ana, endless

from pbem.desk import address
from pbem.desk.bench import Circumstances
from pbem.files.timestamp import now as clock
from pbem.mailroom.inbox.sources import Item
from pbem.mailroom.outbox.folder import Outbox
from pbem.mailroom.run import Mailroom
from pbem.report import compose

MOST = 1.0
"""How many seconds a mail may cost."""

ATTACHMENT = (
    b"--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=a\n"
    b"Content-Transfer-Encoding: base64\n\n"
)
AT_THE_BOUNDS = {
    "24 MB attached": ana(PARTS, ATTACHMENT + (b"A" * 76 + b"\n") * 312_000),
    "490,000 lines attached": ana(PARTS, ATTACHMENT + b"\n" * 490_000),
    "a From of 900 commas": b"From: " + b"a@b," * 225 + ANA.encode() + b"\n\ndraw\n",
    "a Content-Type of 8 kB": ana(b"Content-Type: text/plain" + b"; a=b" * 1600 + b"\n"),
    "100 parts with 600 bytes of headers each": ana(
        PARTS, (b"--b\nContent-Type: text/plain" + b"; a=b" * 100 + b"\n\nx\n") * 100
    ),
    "2 MB of words": ana(b"", b"words and words\n" * 120_000),
    "12 parts of marks": ana(
        PARTS, (b"--b\n" + IN_UTF_8 + b"\n" + endless(RUNS["marks in turn"]).encode() + b"\n") * 12
    ),
    "1.9 MB said to be Punycode": ana(
        b'Content-Type: text/plain; charset="punycode-"\n', b"a-" * 950_000
    ),
    "1.4 MB of line ends between <pre> and </pre>": ana(
        b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n",
        base64.encodebytes(b"<pre>" + b"\n" * 1_400_000),
    ),
    **{f"1.9 MB of {name}": ana(IN_UTF_8, endless(run).encode()) for name, run in RUNS.items()},
}
"""Mails that keep within every bound."""


def spent(command: list[str]) -> float:
    """The processor's time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print what each costs; exit 1 if one costs too much."""
    start = statistics.median(spent([sys.executable, "-c", "pass"]) for _ in range(9))
    mails = {name: raw for name, (raw, _) in STRANGE.items()} | AT_THE_BOUNDS
    found = []
    with tempfile.TemporaryDirectory() as folder:
        matches = Path(folder) / "matches"
        matches.mkdir()
        dealt(matches)
        outbox = Outbox(str(Path(folder) / "outbox"))
        here = Circumstances(clock, compose.rehearse)
        own = address.read("desk@games.example")
        room = Mailroom(str(matches), outbox, own, here, refusals=10_000)
        room.handle(Item("first", ana(b"", b"warming up"), 0.0), clock())
        for name, raw in mails.items():
            before = time.process_time()
            handled = room.handle(Item(name, raw, 0.0), clock())
            found.append((time.process_time() - before, name, len(raw), handled.verdict))
    for seconds, name, size, verdict in sorted(found, reverse=True):
        print(f"{seconds:7.3f} s {seconds / start:7.1f} x {size:>12,} bytes  {verdict:10} {name}")
    dearest = max(found)[0]
    print(f"the dearest of {len(found)} mails costs {dearest:.2f} s (at most {MOST})")
    sys.exit(dearest > MOST)


if __name__ == "__main__":
    main()
