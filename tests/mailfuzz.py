"""The desk as a process: mutated mails through a Maildir, its answers through an SMTP server.

python tests/mailfuzz.py [--minutes 30 | --seeds 2] [--seed 1] [--mails 2000]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from commands import ANA, BEN, apart, dealt, finished, mail
from mailbag import START, maildir
from strange import mutated, require_sound, seeds

OWN = "desk@games.example"
EVERY = 10
"""Of so many mails one is as it should be: it must be handled like any other day."""


class Server:
    """An SMTP server that takes everything and remembers it."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[str], bytes]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 taken"


@contextmanager
def served() -> Iterator[tuple[Server, str]]:
    """Such a server on loopback, and its URL."""
    from aiosmtpd.controller import Controller

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server()
    controller = Controller(server, "127.0.0.1", port)
    controller.start()
    try:
        yield server, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


def batch(folder: Path, seed: int, mails: int, server: Server, url: str) -> Counter[str]:
    """Let the desk work through so many mails; fails unless it does so as it should. Gives the
    verdicts."""
    rng = random.Random(seed)
    (folder / "matches").mkdir()
    dealt(folder / "matches")
    dealt(folder / "matches", name="club")
    box, sources = maildir(folder / "Maildir") / "new", seeds()
    for number in range(mails):
        raw = mutated(rng, rng.choice(sources), rng.choice(sources))
        if rng.random() < 0.5:
            raw = raw.replace(b"My move", b"[m] My move")
        if number % EVERY == EVERY - 1:
            sender, identity = rng.choice((ANA, BEN)), f"<good{number}@e>"
            raw = mail(f"nonsense {number}", sender=sender, identity=identity, subject="[m #9]")
        (box / f"{START + number}.M{number}P1.host").write_bytes(raw)
    server.taken.clear()
    process = apart(
        *("desk", "run", "--mail", folder / "Maildir", "--matches", folder / "matches"),
        *("--smtp", url, "--address", OWN, "--refusals", mails),
        *("--once", "--json", "--no-pictures"),
    )
    done = finished(process, 600)
    assert done.code == 0, done.printed
    assert done.err == ""
    told = [json.loads(line) for line in done.out.splitlines()]
    assert len(told) == mails
    verdicts = Counter(each["verdict"] for each in told)
    for each in told[EVERY - 1 :: EVERY]:
        # A mutated mail of the same player may have been played: then the good one is stale.
        assert each["verdict"] in ("refused", "sender", "stale"), each
        assert each["answers"], each
    assert not os.listdir(box)
    home = folder / "matches" / ".mailroom"
    kept = (home / "daybook.jsonl").read_text()
    assert "itself made a mistake" not in kept, kept
    assert verdicts["failed"] == verdicts["waits"] == 0
    # Where a mutated mail was played or said something, the others hear of it.
    news = len(list((home / "outbox" / "sent").rglob("*.news.eml")))
    assert len(server.taken) == sum(len(each["answers"]) for each in told) + news
    for sender, recipients, raw in server.taken:
        [to] = recipients
        assert sender == OWN
        require_sound(raw, to, OWN)
    assert len(list((home / "outbox" / "sent").rglob("*.eml"))) == len(server.taken)
    assert not list(home.glob("outbox/p*/*"))
    return verdicts


def main() -> None:
    """One seed after the other, so many of them or until the time is up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mails", type=int, default=2000)
    wanted = parser.parse_args()
    end, seed, counted = time.monotonic() + 60 * wanted.minutes, wanted.seed, Counter[str]()
    with served() as (server, url):
        while seed < wanted.seed + wanted.seeds if wanted.seeds else time.monotonic() < end:
            with tempfile.TemporaryDirectory() as folder:
                counted += batch(Path(folder), seed, wanted.mails, server, url)
            told = ", ".join(f"{count} {verdict}" for verdict, count in counted.most_common())
            print(f"seed {seed}: {counted.total()} mails so far: {told}", flush=True)
            seed += 1


if __name__ == "__main__":
    main()
