"""Moves that wait: the rest of an order, until its seat is asked again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.core import Refused, Seat
from pbem.desk.answer import NotPlayed
from pbem.desk.append import Now, append_ply, play_chance
from pbem.desk.file import Desk, Held
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.sentence import Sentence, say


def play_waiting(
    now: Match, before: Log, desk: Desk, left: Held, clock: Now
) -> tuple[Match, tuple[Held, ...], tuple[NotPlayed, ...]]:
    """Play what is held for a seat that is asked again, after one has spoken who has `left`
    moves to come.

    Gives the match, what is still held because others interrupt that seat's turn, and what is
    not played.
    """
    held, dropped = list[Held](), list[NotPlayed]()
    for each in (*(h for h in desk.waiting(before) if h.seat != left.seat), left):
        now, moves, refusal = _play_held(now, desk, each, clock)
        if refusal is not None:
            dropped += not_played(each.seat, moves, refusal)
        elif moves and _interrupted(now, each.seat):
            held.append(replace(each, moves=moves))
        else:
            why = _turn_over(now, each.seat)
            dropped += (NotPlayed(each.seat, text, why) for text in moves)
    return now, tuple(held), tuple(dropped)


def not_played(seat: Seat, texts: Iterable[str], why: Refused | Sentence) -> tuple[NotPlayed, ...]:
    """Moves that are not played: the first for this reason, the others because they rest on it."""
    first = why if isinstance(why, Sentence) else say("{refusal}", refusal=why)
    rest = say("It comes after that")
    return tuple(NotPlayed(seat, text, rest if n else first) for n, text in enumerate(texts))


def _turn_over(now: Match, seat: Seat) -> Sentence:
    if not now.awaited:
        return say("The turn of {seat:seat} is over", seat=seat)
    return say(
        "The turn of {seat:seat} is over; next to move: {awaited:seats}",
        seat=seat,
        awaited=now.awaited,
    )


def _play_held(
    now: Match, desk: Desk, held: Held, clock: Now
) -> tuple[Match, tuple[str, ...], Refused | None]:
    """Play moves one by one while their seat is asked: the match, what is left of them, and
    why the first of these was refused, if it was."""
    moves = held.moves
    while moves and held.seat in now.awaited:
        pattern = now.game.parse(moves[0])
        verdict = play.adjudicate(now.game, now.state, held.seat, [pattern])
        if isinstance(verdict, play.Rejected):
            return now, moves, verdict.reason
        for step in verdict.steps:
            now = append_ply(now, desk, step, clock, "")
        now, moves = play_chance(now, desk, clock), moves[1:]
    return now, moves, None


def _interrupted(now: Match, seat: Seat) -> bool:
    pending = now.pending
    return bool(pending) and all(decision.during == seat for decision in pending)
