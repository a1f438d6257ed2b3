"""Which question each seat is asked, and since which entry: a match gone through once.

A question is the same as long as nobody else has to speak because of it. Others who are asked at
the same time answer theirs, a seat that answers in several plies goes on, a card is drawn for it:
what it was asked stands. Once another's ply changes it, or a ply of its own asks others anew, or a
move is played for its silence, or plies are taken back, it is another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from pbem.core import CHANCE, Decision, Seat
from pbem.log.match import Match
from pbem.log.rulings import Ruled, Takeback
from pbem.log.turns import decisions

Asked = Mapping[Seat, tuple[Decision, ...]]


class Question(NamedTuple):
    """What a seat is asked: since how many entries, and whether others were asked with it."""

    since: int
    shared: bool = False


def put(now: Match) -> dict[Seat, Question]:
    """What each seat is asked, or else was asked last."""
    standing = {ply.nth for ply, _ in now.plies}
    course = map(_by_seat, decisions(now))
    asked = next(course)
    found = dict.fromkeys(asked, Question(0, len(asked) > 1))
    before, mover = asked, ""
    counting = {entry.nth for entry in now.log.counting()}
    for count, entry in enumerate(now.log.entries, 1):
        if isinstance(entry, Ruled):
            if entry.nth not in counting:
                continue
            if isinstance(entry.ruling, Takeback):
                found |= dict.fromkeys(asked, Question(count, len(asked) > 1))
                before, mover = {}, ""
            elif (seat := concerned(entry)) in found:
                found[seat] = found[seat]._replace(since=count)
        elif entry.nth in standing:
            if entry.seat != CHANCE:
                before, mover = asked, entry.seat
            asked = next(course)
            if asked.keys() != {CHANCE}:  # else what it leads to is not known yet
                new = Question(count, len(asked) > 1)
                found |= dict.fromkeys(_anew(before, asked, mover), new)
            elif entry.seat != CHANCE:
                found[CHANCE] = Question(count)
    return found


def _anew(before: Asked, asked: Asked, mover: Seat) -> set[Seat]:
    """The seats that are asked something else than before the mover's ply."""
    others = {seat for seat in asked if seat != mover and asked[seat] != before.get(seat)}
    return {*others, mover} if others and mover in asked else others


def concerned(entry: Ruled) -> Seat:
    """The seat whose question a ruling answers, or puts to somebody else; "" for none."""
    seat: Seat = getattr(entry.ruling, "seat", "")
    return seat if entry.ruling.moves_position else ""


def _by_seat(pending: Iterable[Decision]) -> Asked:
    ordered = sorted(pending, key=lambda each: each.seat)
    return {seat: tuple(found) for seat, found in groupby(ordered, lambda each: each.seat)}
