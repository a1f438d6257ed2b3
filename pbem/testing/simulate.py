"""A whole match of random legal moves: for tests, demonstrations and load."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any

from pbem.core import NOBODY, Seat
from pbem.desk import address, begin
from pbem.desk.append import append_ply, faulty, play_chance
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.log.match import Match
from pbem.play import games
from pbem.play import judge as play

MOST_PLIES = 5000


def simulate(
    game_name: str,
    seed: int,
    *,
    name: str = "simulation",
    folder: str = ".",
    seats: tuple[Seat, ...] | None = None,
    ruleset: str | None = None,
    chosen: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
) -> tuple[Match, Desk]:
    """The finished match, and its desk file, in memory. The same seed gives the same match.

    Raises Faulty for a game that does not end."""
    game = games.game(game_name)
    places = seats or game.SEATS or tuple(f"seat{n + 1}" for n in range(game.PLAYERS[1]))
    players = {
        seat: Player(seat.capitalize(), tuple(filter(None, [address.found(f"{seat}@example.org")])))
        for seat in places
    }
    minutes = iter(range(10**9))

    def clock() -> str:
        hour, minute = divmod(next(minutes), 60)
        day, hour = divmod(hour, 24)
        return f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:{minute:02}:00Z"

    secret = hashlib.sha256(f"pbem simulate {seed}".encode()).digest()
    now, desk = begin.begin(
        game_name,
        players,
        name=name,
        folder=folder,
        secret=secret,
        clock=clock,
        ruleset=ruleset,
        chosen=chosen,
        board=board,
    )
    chooser = random.Random(seed)
    while now.pending:
        if now.position.ply >= MOST_PLIES:
            raise faulty(
                now,
                "{package} is at fault: the match does not end within {most} plies",
                most=MOST_PLIES,
            )
        seat = next(d.seat for d in now.pending if d.awaited and d.seat not in NOBODY)
        move = chooser.choice(play.legal_moves(game, now.state, seat))
        step = play.judge(game, now.state, seat, move)
        now = append_ply(now, desk, step, clock, "")
        now = play_chance(now, desk, clock)
    return now, desk
