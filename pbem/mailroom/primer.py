"""How the moves of a game are written, for whoever asks, or may have meant to send one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core import Seat, Unreadable
from pbem.log.match import Replay
from pbem.report import compose
from pbem.sentence import Sentence, say


def _example(own: Replay, seat: Seat) -> str:
    """A move that is legal for this seat now, as far as it knows; "" where there is none."""
    return next(iter(compose.legal(own, seat).texts), "") if seat in own.awaited else ""


def how(own: Replay, seat: Seat) -> Sentence:
    """How a move is written, in a sentence; or, to somebody who has left, that they have; or that
    the match is over."""
    if seat in own.vacant:
        return say(
            "You have left this match. Nothing more about it is sent to you, but for answers to "
            "what you write."
        )
    if own.outcome is not None:
        return say("{told}.", told=say("The match is over"))
    if move := _example(own, seat):
        return say(
            "If you meant a move, write it between [move] and [/move], one a line, like {move}. "
            "The one word board brings your letter again.",
            move=move,
        )
    return say(
        "If you meant a move, it isn't your turn now. The one word help brings how moves are "
        "written, and board your letter again."
    )


def _looks(own: Replay, seat: Seat) -> Sentence:
    """What moves of this game look like, in its own words."""
    try:
        own.game.parse(_NONSENSE)
    except Unreadable as error:
        if error.advice is not None:
            return say("{advice}.", advice=compose.looks(own, seat, error.advice))
    return say("Your letter lists the moves you can make; write them as they stand there.")


_NONSENSE: Final = "qzxqzx"


def fence(match: Replay, *moves: str) -> Sentence:
    """A fence to copy, with the position of the match."""
    return say(
        "[move] {position}\n{moves}\n[/move]", position=match.position, moves="\n".join(moves)
    )


def block(match: Replay) -> Sentence:
    """A subject and a fence to copy, for moves that are still to be written."""
    return say(
        "Copy this and put your moves in place of the dots, one a line:\n\n"
        "Subject: [{match} {position}]\n\n{fence}",
        match=match.name,
        position=match.position,
        fence=fence(match, "..."),
    )


def lesson(own: Replay, seat: Seat, asks: Sequence[Sentence]) -> Sentence:
    """How to write to the desk, what a line by itself can ask for, and a move that is legal now."""
    move = _example(own, seat)
    if move:
        match = say(
            "This is legal for you now; copy it and put your move in its place:\n\n{fence}",
            fence=fence(own, move),
        )
    else:
        match = say("It isn't your turn, so there is no move of yours to show.")
    return say(
        "Write your moves between [move] and [/move], one a line; chat goes outside.\n"
        "{looks}\n{now}\n\n"
        "A line by itself can also say: {asks:all}.",
        looks=_looks(own, seat),
        now=match,
        asks=asks,
    )
