"""What the pages of seats cost, over what the public page of the same match costs, in the same run.

Run with the python of a venv in which the wheel is installed:
    .venv/bin/python benchmarks/sealed.py [GAME ...] [--matches N] [--moments N]
All figures are of the processor's time, of pages of random matches at moments of which none is the
last: where somebody is to move. A seat that is not asked has no turn on its page.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pbem.desk.begin import Terms
from pbem.log.match import Replay
from pbem.report import pages, sealed
from pbem.testing.simulate import simulate

PBEM = str(Path(sys.executable).with_name("pbem"))
GAMES = ("kahuna", "kanaloa-bambus", "kanaloa-piatnik")
LINK = ("--link", "https://club.example/", "--to", "desk@club.example")


class Moment(NamedTuple):
    """What a public page cost, those of the seats, and where that was."""

    public: float
    seats: list[float]
    where: str

    @property
    def worst(self) -> float:
        """The dearest seat's page over the public one."""
        return max(self.seats) / self.public


def main() -> None:
    """Print how the pages of seats compare, written by themselves and as a site."""
    asks = argparse.ArgumentParser()
    asks.add_argument("games", nargs="*", default=GAMES)
    asks.add_argument("--matches", type=int, default=3)
    asks.add_argument("--moments", type=int, default=6)
    told = asks.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for game in told.games:
            measure(game, told.matches, told.moments)


def measure(game: str, matches: int, moments: int) -> None:
    """Print a game's ratios: of a command, of a match, of the dearest moment, and of a site."""
    found: list[list[Moment]] = []
    commands: list[tuple[float, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        logs.mkdir()
        for seed in range(1, matches + 1):
            now, desk = simulate(Terms(game, name=f"{game}-{seed}"), seed)
            last = now.position.ply
            of_match = []
            for nth in range(moments):
                whole = Replay.of(
                    now.log.until(last * (2 * nth + 1) // (2 * moments)), desk.keyring
                )
                of_match.append(moment(whole, desk, f"seed {seed}, ply {whole.position.ply}"))
                log = logs / f"{game}-{seed}-{nth}.pbem.yaml"
                log.write_text(
                    "\n- ply: ".join(now.log.text.split("\n- ply: ")[: len(whole.log.entries) + 1])
                )
                log.with_name(log.name.replace(".pbem.", ".desk.")).write_text(desk.text())
                commands.append((command(log, whole), of_match[-1].where))
            found.append(of_match)
        # What is in place is not made again: each run has a folder of its own.
        new = (f"{folder}/web-{n}" for n in range(6))
        made = best(lambda: pbem("site", str(logs), "-o", next(new)))
        linked = best(lambda: pbem("site", str(logs), "-o", next(new), *LINK))
    each = [whole for of_match in found for whole in of_match]
    of_seats = [
        sum(sum(m.seats) for m in o) / len(o[0].seats) / sum(m.public for m in o) for o in found
    ]
    dearest, slowest = max(each, key=lambda one: one.worst), max(commands)
    print(
        f"{game}: times the public page\n"
        f"  pbem page --sealed: {sum(ratio for ratio, _ in commands) / len(commands):.2f}, "
        f"at most {slowest[0]:.2f} ({slowest[1]})\n"
        f"  a seat's page within a run: {sum(of_seats) / len(of_seats):.2f} over a match, "
        f"at most {max(of_seats):.2f}; at the worst moment {dearest.worst:.1f} "
        f"({dearest.where}: {max(dearest.seats) * 1e3:.0f} ms)\n"
        f"  pbem site --link: {linked / made:.2f} of a site without links",
        flush=True,
    )


def moment(whole: Replay, desk: object, where: str) -> Moment:
    """The cost of each page of a match as it stands."""
    public = Replay.of(whole.log)

    def facts() -> dict[str, object]:
        return pages.facts(public, checked="")

    about = facts()

    def of(seat: str) -> Callable[[], object]:
        return lambda: pages.html(
            "match", **{**about, "seat": seat}, sealed=sealed.shut(whole, desk, seat, "")
        )

    once = best(lambda: pages.html("match", **facts()))
    return Moment(once, [best(of(seat)) for seat in whole.setup.seats], where)


def command(log: Path, whole: Replay) -> float:
    """`pbem page --sealed` for a seat that is asked over `pbem page`."""
    seat = next((seat for seat in whole.setup.seats if seat in whole.asked), whole.setup.seats[0])
    out = str(log.with_suffix(".html"))
    public = best(lambda: pbem("page", str(log), "-o", out))
    return best(lambda: pbem("page", str(log), "--seat", seat, "--sealed", "-o", out)) / public


def pbem(*args: str) -> None:
    """A command that must succeed."""
    subprocess.run([PBEM, *args], stdout=subprocess.DEVNULL, check=True)


def spent() -> float:
    """The processor's time so far, of this process and of those it has waited for."""
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(sum(resource.getrusage(each)[:2]) for each in whose)


def best(action: Callable[[], object], times: int = 3) -> float:
    """The least time of several, in seconds."""

    def one() -> float:
        start = spent()
        action()
        return spent() - start

    return min(one() for _ in range(times))


if __name__ == "__main__":
    main()
