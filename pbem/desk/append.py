"""Appending plies and draws to a match, and saving both its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from pbem.core import CHANCE, HOUSE, Event
from pbem.desk.current import same_question
from pbem.desk.file import Desk
from pbem.files import store
from pbem.log import chance, sealing
from pbem.log.entries import Ply
from pbem.log.entropy.gathering import SEALED
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.problem import CannotWrite, Faulty, NotTold, Problem, Usage

Now = Callable[[], str]
"""Tells the time, in the form that logs use."""

Rehearse = Callable[[Replay, int], None]
"""Composes what will be told to those who know this many entries of the log, without sending it.
If it raises, no file changes: a log must not grow by something that cannot be told."""

MOST_DRAWS: Final = 1000
"""How often chance may draw before somebody must choose; a game that wants more may never stop."""


def append_ply(match: Replay, desk: Desk, step: Step, clock: Now, source: str) -> Replay:
    """The match with one more ply in its log."""
    entry = sealing.ply_entry(
        match.log,
        match.game,
        desk.keyring,
        step.seat,
        step.move,
        step.events,
        at=match.log.moment(clock()),
        source=source,
    )
    longer = match.log.extend(entry)
    ply = longer.entries[-1]
    assert isinstance(ply, Ply)
    events = _read_back(match, desk, longer, ply, step)
    state = play.advance(match.game, match.state, events)
    return match._replace(log=longer, state=state, plies=(*match.plies, (ply, events)))


def _read_back(match: Replay, desk: Desk, longer: Log, ply: Ply, step: Step) -> tuple[Event, ...]:
    """The events as the log gives them back: nothing unreadable may go into it. Raises Faulty."""
    try:
        [(_, events)] = sealing.open_events(longer, match.game, desk.keyring, [ply])
    except Problem as problem:
        raise faulty(
            match,
            "{package} is at fault: its events cannot be read back: {why}",
            why=problem.sentence,
        ) from problem
    if events != step.events:
        raise faulty(
            match,
            "{package} is at fault: {events} would be read back as {again}",
            events=step.events,
            again=events,
        )
    return events


def faulty(match: Replay, pattern: str, /, **values: Any) -> Faulty:
    """The Faulty that blames the package which brings the game of a match."""
    from pbem.play.guest import package_of

    game = match.game
    return Faulty(pattern, game.DATA, package=package_of(game.NAME), **values)


def dealer_of(match: Replay, desk: Desk) -> chance.Dealer | None:
    """Who draws in this match; None if the moderator types in what real cards show, or while what
    goes into the draws is still being gathered."""
    if match.log.header.dealer == SEALED and not match.gathering:
        return chance.Sealed(desk.secret, match.name)
    return None


def play_chance(
    match: Replay, desk: Desk, clock: Now, dealer: chance.Dealer | None = None
) -> Replay:
    """The match after everything that nobody chooses has been played: the draws that are owed, and
    what the house carries out."""
    dealer = dealer or dealer_of(match, desk)
    game, first = match.game, match.log.last
    while True:
        seats = {decision.seat for decision in match.pending if not match.gathering}
        if HOUSE in seats:
            moves = play.legal_moves(game, match.state, HOUSE)
            if len(moves) != 1:
                raise faulty(
                    match,
                    "{package} is at fault: the house has {n} moves, and it chooses nothing",
                    n=len(moves),
                )
            step = play.judge(game, match.state, HOUSE, moves[0])
        elif dealer and CHANCE in seats:
            moves = play.legal_moves(game, match.state, CHANCE)
            weights = [(game.notate(move), game.chances(match.state, move)) for move in moves]
            number = match.log.last + 1
            text = dealer(number, match.log.entropy(number), weights)
            move = next(move for move in moves if game.notate(move) == text)
            step = play.judge(game, match.state, CHANCE, move)
        else:
            return match
        match = append_ply(match, desk, step, clock, "")
        if match.log.last - first > MOST_DRAWS:
            raise faulty(
                match,
                "{package} is at fault: chance has drawn {n} times and is to draw again",
                n=MOST_DRAWS,
            )


def save(before: Replay, match: Replay, was: Desk, desk: Desk, rehearse: Rehearse) -> None:
    """Write the longer log and, if it has changed, the desk file; call it under `store.lock`.

    Everything added to a log passes through here, after a rehearsal has shown that it can be told.
    What is saved counts from the moment the log is replaced: any Problem but NotTold leaves the
    match as it was. The desk file is written first and holds what waited before as well as what
    waits now; the end of the log tells which counts, so a crash in between changes nothing.
    """
    written, longer = before.log, match.log
    if longer.chain != written.chain:
        rehearse(match, len(written.entries))
    desk = with_waits(before, match, was, desk)
    if desk != was:
        text = desk.text()
        try:
            Desk.parse(text, desk.path)
        except Problem as problem:  # a file that nobody can read again would stop the match
            raise Usage(
                "what waits cannot be kept: {problem}", problem=problem.sentence
            ) from problem
        store.replace(desk.path, text.encode(), 0o600)
    if longer.chain == written.chain:
        return
    try:
        store.append(written.path, written.text, longer.text[len(written.text) :])
    except CannotWrite as problem:
        if not store.holds(longer.path, longer.text):
            raise
        raise NotTold(
            "this stands in the log, although something failed ({problem}). Do not send it again: "
            "`pbem show {log:typed}` prints the post",
            problem=problem,
            log=longer.path,
        ) from problem


def with_waits(before: Replay, match: Replay, was: Desk, desk: Desk) -> Desk:
    """The desk file to keep beside a log that has grown: with what waits now, and with what waited
    before, which counts until the log has been replaced."""
    earlier = (each for each in was.waits if each.after == before.log.chain != match.log.chain)
    kept = [*earlier]
    for each in desk.waits:
        # What we asked a seat lapses once it is asked something else.
        asked = (p for p in each.kept if p.yes and not same_question(match, p.given, p.seat))
        each = each.without(*asked)._replace(after=match.log.chain)
        kept += [] if each.empty else [each]
    return replace(desk, waits=tuple(kept))
