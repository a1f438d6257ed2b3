"""Many matches and a Maildir of mails for them: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from commands import mail

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.append import append_ply, play_chance
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.log.match import Replay
from pbem.play import judge as play

CLOCK = "2026-09-21T14:13:20Z"
START = 1_780_000_000


def clock() -> str:
    return CLOCK


def maildir(folder: Path) -> Path:
    """An empty Maildir."""
    for part in ("new", "cur", "tmp"):
        (folder / part).mkdir(parents=True)
    return folder


def fill(folder: Path, matches: int, mails: int, seed: int = 1) -> tuple[Path, Path]:
    """A folder of matches and a Maildir; mails of all kinds in the order in which they came."""
    rng = random.Random(seed)
    home, box = folder / "matches", maildir(folder / "Maildir")
    home.mkdir()
    streams = [_mails(home, f"kahuna-{n:02}", random.Random(rng.random())) for n in range(matches)]
    for number in range(mails):
        raw = next(streams[number % matches])
        (box / "new" / f"{START + number}.M{number}P1.host").write_bytes(raw)
    return home, box


def _mails(home: Path, name: str, rng: random.Random) -> Iterator[bytes]:
    """Mails for one match: a move each, and among them what a desk gets besides."""
    addresses = {"white": f"white@{name}.example", "black": f"black@{name}.example"}
    players = {seat: Player(seat.title(), (address,)) for seat, address in addresses.items()}
    now, table = begin.begin(
        begin.Terms("kahuna", players, name=name, folder=str(home)),
        secret=rng.randbytes(32),
        clock=clock,
    )
    begin.write(now, table)
    count = 0
    while True:
        count += 1
        seat = now.awaited[0] if now.awaited else "white"
        other = "black" if seat == "white" else "white"
        ply, fingerprint = now.position
        subject = f"Re: [{name} #{ply} {fingerprint}] your turn"
        identity = f"<{name}.{count}@example>"
        text = "pass"
        kind = rng.random() if now.awaited else 0.9
        if kind < 0.8:
            now, text = _moved(now, table, rng)
            last = mail(text, sender=addresses[seat], identity=identity, subject=subject)
            yield last
        elif kind < 0.84 and count > 1:
            yield last  # delivered twice
        elif kind < 0.90:
            yield mail(
                "I think I shall build somewhere",
                sender=addresses[seat],
                identity=identity,
                subject=subject,
            )
        elif kind < 0.94:
            yield mail("draw", sender=addresses[other], identity=identity, subject=subject)
        elif kind < 0.97:
            yield mail("draw", sender="eve@elsewhere.example", identity=identity, subject=subject)
        else:
            away = mail("I am away", sender=addresses[seat], identity=identity, subject="Away")
            yield b"Auto-Submitted: auto-replied\n" + away


def _moved(now: Replay, table: Desk, rng: random.Random) -> tuple[Replay, str]:
    seat = now.awaited[0]
    move = rng.choice(play.legal_moves(now.game, now.state, seat))
    step = play.judge(now.game, now.state, seat, move)
    now = play_chance(append_ply(now, table, step, clock, "hmac:-"), table, clock)
    assert seat != CHANCE
    return now, now.game.notate(move)
