"""How often the bot beats players who play at random, and how long it thinks.

    .venv/bin/python benchmarks/bot.py [--matches 200] [--jobs 1] [GAME …]

Of two players it is to win at least nine tenths; of more, twice its share of first places. Matches
are played with all numbers of players in turn, the bot on each seat in turn, and with far fewer
playouts than usual, so that they end this week; a tie for the first place counts as part of one.
Then the slowest move of a few matches with as many playouts as usual: at most ten seconds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pbem
from pbem.play import games

PLAYOUTS = {"kahuna": 8, "kanaloa-bambus": 30, "kanaloa-piatnik": 40}
"""How many playouts are enough here, by game."""


def seats_of(game: str, nth: int) -> tuple[str, ...]:
    """Who plays the n-th match: as many as the game allows, in turn."""
    rules = games.game(game)
    fewest, most = rules.PLAYERS
    players = fewest + nth % (most - fewest + 1)
    return rules.SEATS[:players] or tuple(f"seat{n}" for n in range(1, players + 1))


def won(game: str, nth: int) -> tuple[int, float]:
    """How many played the n-th match, and how much of the first place the bot has."""
    seats, rng = seats_of(game, nth), random.Random(nth)
    bot = seats[nth // 3 % len(seats)]
    table = pbem.Table.start(game, seats)
    while seat := table.asked:
        if seat == "chance":
            table = table.draw(rng)
        elif seat == bot:
            table = table.play(seat, table.bot(seat, rng, PLAYOUTS[game]))
        else:
            table = table.play(seat, rng.choice(table.moves(seat)))
    winners = (table.outcome or {})["winners"]
    return len(seats), (bot in winners) / max(1, len(winners))


def slowest(game: str, nth: int) -> float:
    """The most seconds of processor time that a move took, of some of a random match."""
    seats, rng, most = seats_of(game, nth), random.Random(nth), 0.0
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
    asked.add_argument("--jobs", type=int, default=1)
    given = asked.parse_args()
    for game in given.games:
        parts = defaultdict[int, list[float]](list)
        with ProcessPoolExecutor(given.jobs) as pool:
            for players, part in pool.map(partial(won, game), range(given.matches)):
                parts[players].append(part)
        for players, each in sorted(parts.items()):
            share, need = sum(each) / len(each), 0.9 if players == 2 else 2 / players
            print(
                f"{game:16} {players} players: first in {sum(each):5.1f} of {len(each)} matches "
                f"({share:.0%}, wanted {need:.0%}), {PLAYOUTS[game]} playouts a move",
                flush=True,
            )
        longest = max(slowest(game, nth) for nth in range(3))
        print(f"{game:16} slowest move, as many playouts as usual: {longest:.1f} s", flush=True)


if __name__ == "__main__":
    main()
