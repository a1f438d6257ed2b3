"""What each seat is asked, and since which entry: a match gone through once.

A question stays the same until somebody else has to speak because of it. While others who were
asked at the same time answer, while a seat answers in several plies, while a card is drawn for it,
what it was asked stands. Once another's ply changes it, or a ply of its own asks others anew, or a
move is played for its silence, or plies are taken back, it is a new question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from pbem import core
from pbem.log.match import Replay
from pbem.log.rulings import Default, Ruled, Takeback
from pbem.log.timing import Late
from pbem.log.turns import decisions

Pending = Mapping[core.Seat, tuple[core.Decision, ...]]


class Question(NamedTuple):
    """A question to a seat: after how many entries it was put, and whether to others, too."""

    since: int
    shared: bool = False


def of(match: Replay) -> dict[core.Seat, Question]:
    """What each seat is asked, or else was asked last."""
    standing = {ply.nth for ply, _ in match.plies}
    following = map(_by_seat, decisions(match))
    asked = next(following)
    found = dict.fromkeys(asked, Question(0, len(asked) > 1))
    before, mover = asked, ""
    counting = {entry.nth for entry in match.log.counting()}
    for count, entry in enumerate(match.log.entries, 1):
        if isinstance(entry, Ruled):
            if entry.nth not in counting:
                continue
            if isinstance(entry.ruling, Takeback):
                found |= dict.fromkeys(asked, Question(count, len(asked) > 1))
                before, mover = {}, ""
            elif (seat := concerned(entry)) in found:
                found[seat] = found[seat]._replace(since=count)
        elif entry.nth in standing:
            if entry.seat != core.CHANCE:
                before, mover = asked, entry.seat
            asked = next(following)
            if asked.keys() != {core.CHANCE}:  # else nobody knows yet what it leads to
                new = Question(count, len(asked) > 1)
                found |= dict.fromkeys(_anew(before, asked, mover), new)
            elif entry.seat != core.CHANCE:
                found[core.CHANCE] = Question(count)
    return found


def _anew(before: Pending, asked: Pending, mover: core.Seat) -> set[core.Seat]:
    """The seats that are asked something else than they were before the mover's ply."""
    others = {seat for seat in asked if seat != mover and asked[seat] != before.get(seat)}
    return {*others, mover} if others and mover in asked else others


def concerned(entry: Ruled) -> core.Seat:
    """The seat whose question a ruling answers, or puts to somebody else; "" for none."""
    seat: core.Seat = getattr(entry.ruling, "seat", "")
    return seat if entry.ruling.moves_position else ""


def _by_seat(pending: Iterable[core.Decision]) -> Pending:
    """The decisions of each seat, `awaited` or not: the choice is the same either way."""
    asked = (each._replace(awaited=True) for each in pending)
    ordered = sorted(asked, key=lambda each: each.seat)
    return {seat: tuple(found) for seat, found in groupby(ordered, lambda each: each.seat)}


# -------------------------------------------------------------------------- sealed answers


def news_for_one(match: Replay, since: int = 0) -> Mapping[int, core.Seat]:
    """The entries from `since` on that are news for one seat alone, and for which: its answer
    stays sealed, and all others are asked what they were asked before; or it is told that its
    answer is missing."""
    if not any(slot.secret for kind in match.game.MOVES for slot in core.slots(kind)):
        return {}
    standing = {ply.nth: events for ply, events in match.plies}
    # What was taken back is no more news than it was before.
    ruled_on = (entry for entry in match.log.entries if isinstance(entry, Ruled))
    taken = (entry.nth for entry in ruled_on if isinstance(entry.ruling, Takeback))
    found = dict[int, core.Seat]()
    if last := max(taken, default=0):
        found |= news_for_one(Replay.of(match.log.first(last), match.keyring))
    following = decisions(match)
    asked, ruled = next(following), dict[core.Seat, int]()
    for nth, entry in enumerate(match.log.entries):
        if isinstance(entry, Ruled):
            if isinstance(entry.ruling, Late) and _sealed(match.game, asked, entry.ruling.seat):
                found[nth] = entry.ruling.seat
            if isinstance(entry.ruling, Default):
                ruled = {entry.ruling.seat: nth}
        elif nth in standing:
            before, asked, seat = asked, next(following), entry.seat
            both, seats = (before, asked), match.setup.seats
            if stays_sealed(match.game, seats, both, seat, entry.move, standing[nth]):
                found |= {nth: seat, **dict.fromkeys(ruled.values(), seat)}
            ruled = {}
    return {nth: seat for nth, seat in found.items() if nth >= since}


def stays_sealed(
    game: core.Game[Any],
    seats: Iterable[core.Seat],
    asked: tuple[Iterable[core.Decision], Iterable[core.Decision]],
    seat: core.Seat,
    text: str,
    events: Iterable[core.Event],
) -> bool:
    """Is a ply news for its seat alone? `text` and `events` are what everybody sees of it, and
    `asked` who was asked what before it and after."""
    others, left = ([each for each in some if each.seat != seat] for some in asked)
    return (
        others == left
        and any(each.awaited and each.seat not in core.NOBODY for each in asked[1])
        and text in _sealed(game, asked[0], seat)
        and all(_says_only(seat, each, seats) for each in events)
    )


def _sealed(game: core.Game[Any], asked: Iterable[core.Decision], seat: core.Seat) -> set[str]:
    """What everybody sees of those answers of a seat that stay sealed, if others answer, too."""
    asked = tuple(asked)
    kinds = {kind for each in asked if each.seat == seat for kind in each.accepts}
    owner = {kind: {each.secret for each in core.slots(kind)} for kind in kinds}
    shut = [  # each field is sealed, or says for whom another one is
        kind
        for kind in kinds
        if all(each.secret or each.name in owner[kind] for each in core.slots(kind))
    ]
    if not any(map(core.slots, shut)) or all(each.seat == seat for each in asked):
        return set()
    sealed = ([core.HIDDEN if slot.secret else seat for slot in core.slots(kind)] for kind in shut)
    return {game.notate(kind(*values)) for kind, values in zip(shut, sealed, strict=True)}


def _says_only(seat: core.Seat, event: core.Event, seats: Iterable[core.Seat]) -> bool:
    """Does an event tell others nothing but that it is about this seat?"""
    shut = core.owners(event, seat, seats)
    return all(
        shut.get(slot.name) == seat or getattr(event, slot.name) == seat
        for slot in core.slots(type(event))
    )


# -------------------------------------------------------------------- what is opened later


def sealed_kinds(match: Replay) -> set[type[core.Move]]:
    """The classes of move that stay wholly sealed until they are opened with those of others."""
    shut = {
        kind
        for kind in match.game.MOVES
        if core.slots(kind) and all(slot.secret == core.MOVER for slot in core.slots(kind))
    }
    if not shut:
        return shut
    return {
        kind
        for asked in decisions(match)
        for kind in shut
        if len({each.seat for each in asked if kind in each.accepts}) > 1
    }
