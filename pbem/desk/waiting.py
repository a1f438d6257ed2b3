"""Moves that wait: the rest of an order, until its seat is asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pbem.core import Seat, Usage
from pbem.desk.append import Clock, append_ply, play_chance
from pbem.desk.file import Desk, Held, desk_path, read_both
from pbem.files import store
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.play import judge as play


def play_waiting(
    now: Match, before: Log, desk: Desk, left: Held, clock: Clock
) -> tuple[Match, tuple[Held, ...], tuple[tuple[Seat, str, str], ...]]:
    """Play what is held for a seat that is asked again, after one has spoken who has `left`
    moves to come.

    Gives the match, what is still held because others interrupt that seat's turn, and what is
    not played, whose that is and why.
    """
    held, dropped = list[Held](), list[tuple[Seat, str, str]]()
    for each in (*(h for h in desk.waiting(before) if h.seat != left.seat), left):
        now, moves, why = _play_held(now, desk, each, clock)
        if moves and not why and _interrupted(now, each.seat):
            held.append(replace(each, moves=moves))
            continue
        awaited = " and ".join(now.awaited) or "nobody"
        over = f"the turn of {each.seat} is over; awaited is {awaited}"
        dropped += (
            not_played(each.seat, moves, why)
            if why
            else ((each.seat, text, over) for text in moves)
        )
    return now, tuple(held), tuple(dropped)


def not_played(seat: Seat, texts: Iterable[str], why: str) -> tuple[tuple[Seat, str, str], ...]:
    """Moves that are not played: the first was refused, the others rest on it."""
    return tuple((seat, text, "it comes after that" if n else why) for n, text in enumerate(texts))


def _play_held(
    now: Match, desk: Desk, held: Held, clock: Clock
) -> tuple[Match, tuple[str, ...], str]:
    """Play moves one by one while their seat is asked: the match, what is left of them, and
    why the first of these was refused, if it was."""
    moves = held.moves
    while moves and held.seat in now.awaited:
        pattern = now.game.parse(moves[0])
        verdict = play.adjudicate(now.game, now.state, held.seat, [pattern])
        if isinstance(verdict, play.Rejected):
            return now, moves, str(verdict.reason)
        for step in verdict.steps:
            now = append_ply(now, desk, step, clock, "")
        now, moves = play_chance(now, desk, clock), moves[1:]
    return now, moves, ""


def _interrupted(now: Match, seat: Seat) -> bool:
    pending = now.pending
    return bool(pending) and all(decision.during == seat for decision in pending)


def withdraw(
    path: str,
    seat: Seat,
    *,
    wait: float = 10.0,
    opened: Callable[[str], tuple[Match, Desk]] = read_both,
) -> tuple[Match, tuple[str, ...]]:
    """Take back what is held for a seat: the match, and the moves that wait no more.

    Raises Problem, code 2 for a seat that is none.
    """
    with store.lock(path, wait, desk_path(path)):
        now, desk = opened(path)
        if seat not in now.setup.seats:
            seats = ", ".join(now.setup.seats)
            raise Usage(
                "{name} has no seat {seat!r}, only {seats}", name=now.name, seat=seat, seats=seats
            )
        held = desk.waiting(now.log)
        moves = tuple(move for each in held if each.seat == seat for move in each.moves)
        if moves:
            kept = replace(desk, held=tuple(each for each in held if each.seat != seat))
            store.replace(desk.path, kept.text().encode(), 0o600)
        return now, moves
