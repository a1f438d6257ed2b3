"""A whole match of random legal moves: for tests, demonstrations and load."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

from pbem.core import NOBODY, Seat
from pbem.desk import address
from pbem.desk.append import Now, append_ply, faulty, play_chance
from pbem.desk.begin import Terms, begin
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.log.match import Replay
from pbem.play import games
from pbem.play import judge as play

MOST_PLIES = 5000


def begun(terms: Terms, seed: int, seats: tuple[Seat, ...], clock: Now) -> tuple[Replay, Desk]:
    """A match in memory that has just begun, and its desk file; the seats are called like their
    players. The same seed gives the same match."""
    players = {
        seat: Player(seat.capitalize(), tuple(filter(None, [address.found(f"{seat}@example.org")])))
        for seat in seats
    }
    secret = hashlib.sha256(f"pbem simulate {seed}".encode()).digest()
    terms = replace(terms, players=players, name=terms.name or "simulation")
    return begin(terms, secret=secret, clock=clock)


def simulate(terms: Terms, seed: int, seats: tuple[Seat, ...] = ()) -> tuple[Replay, Desk]:
    """The finished match, and its desk file, in memory, played by these `seats`, else by all that
    the game has. The same seed gives the same match.

    Raises Faulty for a game that does not end."""
    game = games.game(terms.game)
    places = seats or game.SEATS or tuple(f"seat{n + 1}" for n in range(game.PLAYERS[1]))
    minutes = iter(range(10**9))

    def clock() -> str:
        hour, minute = divmod(next(minutes), 60)
        day, hour = divmod(hour, 24)
        return f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:{minute:02}:00Z"

    match, desk = begun(terms, seed, places, clock)
    chooser = random.Random(seed)
    while match.pending:
        if match.position.ply >= MOST_PLIES:
            raise faulty(
                match,
                "{package} is at fault: the match does not end within {most} plies",
                most=MOST_PLIES,
            )
        seat = next(d.seat for d in match.pending if d.awaited and d.seat not in NOBODY)
        move = chooser.choice(play.legal_moves(game, match.state, seat))
        step = play.judge(game, match.state, seat, move)
        match = append_ply(match, desk, step, clock, "")
        match = play_chance(match, desk, clock)
    return match, desk
