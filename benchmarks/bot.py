"""How often the bot beats players who play at random, and how long it thinks.

    .venv/bin/python benchmarks/bot.py [--matches 200] [--players N] [--kept FILE] [GAME …]

Of two players it is to win at least nine tenths; of more, twice its share of first places. So many
matches are played with each number of players (of 67, the share of first places is known to six
points in a hundred), the bot on each seat in turn, and with far fewer playouts than usual, so that
they end this week; a tie for the first place counts as part of one. What is `--kept` in a file, a
line a match, is not played again. Then the slowest move of a few matches with as many playouts as
usual: at most ten seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pbem
from pbem.play import games
from pbem.play.unknown import WAY

PLAYOUTS = {"kahuna": 8, "kanaloa-bambus": 30, "kanaloa-piatnik": 20}
"""How many playouts are enough here, by game."""


def seats_of(game: str, players: int) -> tuple[str, ...]:
    """Who plays, where so many do."""
    return games.game(game).SEATS[:players] or tuple(f"seat{n}" for n in range(1, players + 1))


def won(game: str, players: int, nth: int) -> float:
    """How much of the first place the bot has in the n-th match of so many."""
    seats, rng = seats_of(game, players), random.Random(nth)
    bot = seats[nth % len(seats)]
    table = pbem.Table.start(game, seats)
    while seat := table.asked:
        if seat == "chance":
            table = table.draw(rng)
        elif seat == bot:
            table = table.play(seat, table.bot(seat, rng, PLAYOUTS[game]))
        else:
            table = table.play(seat, rng.choice(table.moves(seat)))
    return table.shares[bot]


def kept(file: Path, matches: int, jobs: int, game: str, players: int) -> list[float]:
    """How much of the first place the bot has in each match; those not in the file are played."""
    about = f"{game} {players} {WAY} {PLAYOUTS[game]} "
    lines = file.read_text().splitlines() if file.exists() else []
    parts = [float(line.removeprefix(about)) for line in lines if line.startswith(about)]
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(partial(won, game, players), range(len(parts), matches)):
            with file.open("a") as end:
                end.write(f"{about}{part}\n")
            parts.append(part)
    return parts[:matches]


def slowest(game: str, players: int) -> float:
    """The most seconds of processor time that a move took, of some of a random match."""
    seats, rng, most = seats_of(game, players), random.Random(players), 0.0
    table, ply = pbem.Table.start(game, seats), 0
    while seat := table.asked:
        if seat == "chance":
            table = table.draw(rng)
            continue
        ply += 1
        if ply % 20 == 10:
            start = time.process_time()
            table.bot(seat, random.Random(ply))
            most = max(most, time.process_time() - start)
        table = table.play(seat, rng.choice(table.moves(seat)))
    return most


def main() -> None:
    """Print what came of it."""
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*", default=list(PLAYOUTS))
    asked.add_argument("--matches", type=int, default=200)
    asked.add_argument("--players", type=int)
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--kept", type=Path, default=Path(os.devnull))
    given = asked.parse_args()
    for game in given.games:
        fewest, most = games.game(game).PLAYERS
        numbers = [n for n in range(fewest, most + 1) if given.players in (None, n)]
        for players in numbers:
            parts = kept(given.kept, given.matches, given.jobs, game, players)
            share, need = sum(parts) / len(parts), 0.9 if players == 2 else 2 / players
            print(
                f"{game:16} {players} players: first in {sum(parts):5.1f} of {len(parts)} matches "
                f"({share:.0%}, wanted {need:.0%}), {PLAYOUTS[game]} playouts a move",
                flush=True,
            )
        longest = max(slowest(game, players) for players in numbers)
        print(f"{game:16} slowest move, as many playouts as usual: {longest:.1f} s", flush=True)


if __name__ == "__main__":
    main()
