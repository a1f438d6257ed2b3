"""What the moderator decides: appended to the log with a reason, never a deletion.

Each function appends a ruling to the log at `path`, once what is new could be rehearsed. It returns
the match before and after it. All raise Problem: NotNow where the ruling cannot be given as the
match stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.core import CHANCE, HIDDEN, NotNow, Seat, Usage
from pbem.desk import gather
from pbem.desk.address import Address
from pbem.desk.append import Now, Rehearse
from pbem.desk.bench import Ruled
from pbem.desk.bench import bench as on_bench
from pbem.desk.plans import Plan
from pbem.log.draws import Entropy, PassOver, Value
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.log.rulings import (
    Default,
    End,
    Note,
    Reopen,
    Resign,
    Reveal,
    Substitute,
    Takeback,
    Vacate,
)
from pbem.play import judge as play
from pbem.sentence import say

MOST_KNOWN: Final = 6
"""So many of the draws that are taken back are named."""


def takeback(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    to: int,
    reason: str,
    revealed: bool = False,
    wait: float = 10.0,
) -> Ruled:
    """Strike every ply after `to`, and draw anew what is owed then.

    What chance has revealed since is struck only if `revealed` says so.
    """
    with on_bench(path, Takeback, clock, wait, rehearse) as bench:
        struck = bench.now.since(to)
        if to < 0 or not struck:
            raise Usage(
                "there is no ply after #{to} to take back; the last that stands is #{last}",
                path,
                to=to,
                last=max((ply.number for ply, _ in bench.now.plies), default=0),
            )
        seen = [ply for ply, _ in struck if ply.seat == CHANCE]
        if seen and not revealed:
            raise NotNow(
                "this takes back what chance revealed in {plies}; somebody knows it now. To "
                "take it back all the same, add --revealed",
                path,
                plies=", ".join(f"#{ply.number}" for ply in seen),
            )
        told = reason
        if known := [ply for ply in seen if HIDDEN not in ply.move.split()]:
            told = say(
                "{reason} (known by then: {cards:all})"
                if len(known) <= MOST_KNOWN
                else "{reason} (known by then: {n} draws, the latest of them {cards:all})",
                reason=reason,
                cards=[f"#{ply.number} {ply.move}" for ply in known[-MOST_KNOWN:]],
                n=len(known),
            ).text()
        bench.enter(Takeback(tuple(ply.number for ply, _ in struck)), told)
        bench.put_aside(
            [plan for plan in bench.waiting if not plan.number or _later(bench.now, plan, to)],
            say("The moderator took back the plies after #{to}, and it was sent later", to=to),
        )
        bench.draw()
    return bench.before, bench.now


def _later(now: Match, plan: Plan, to: int) -> bool:
    """Was a plan sent after this ply?"""
    number = 0
    for entry in now.log.entries:
        if isinstance(entry, Ply):
            number = entry.number
        if entry.chain == plan.given:
            return number > to
    return False


def default(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    seat: Seat,
    reason: str,
    move: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Play for a silent seat: the move given, or what its silence means by the rules."""
    with on_bench(path, Default, clock, wait, rehearse) as bench:
        now = bench.now
        now.require_seat(seat)
        asked = [decision for decision in now.pending if decision.seat == seat]
        if not asked:
            raise NotNow(
                "{seat:seat} has nothing to decide now; next to move: {next:seats}"
                if now.awaited
                else "{seat:seat} has nothing to decide now, nor has anybody else",
                path,
                seat=seat,
                next=now.awaited,
            )
        if move:
            chosen = play.resolve(now.game, now.state, seat, now.game.parse(move))
        elif asked[0].default is not None:
            chosen = asked[0].default
        else:
            raise Usage(
                "no rule says what {seat:seat}'s silence means here; say it with --move",
                path,
                seat=seat,
            )
        step = play.judge(now.game, now.state, seat, chosen)
        if not step.sure:
            raise Usage("{move!r} leaves open what is played; name it", path, move=move)
        bench.play_for(seat, step, reason)
    return bench.before, bench.now


def substitute(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    seat: Seat,
    name: str,
    reason: str,
    addresses: Sequence[Address] = (),
    authors: Sequence[str] = (),
    wait: float = 10.0,
) -> Ruled:
    """Seat somebody else, who can read what the seat knew and writes from these addresses."""
    with on_bench(path, Substitute, clock, wait, rehearse) as bench:
        bench.now.require_seat(seat)
        known = bench.desk.addresses.get(seat, ())
        stays = name == bench.now.players[seat] or not {*known}.isdisjoint(addresses)
        bench.enter(Substitute(seat, name, bench.now.log.epochs[seat] + 1), reason)
        if stays:
            own = [plan for plan in bench.waiting if plan.seat == seat]
            bench.put_aside(own, say("Your seat has a new key"))
        else:  # nobody reads what another has planned
            bench.forget(seat)
        desk = bench.desk
        bench.desk = replace(
            desk,
            addresses={**desk.addresses, seat: tuple(addresses)},
            authors={**desk.authors, seat: tuple(authors)},
        )
    return bench.before, bench.now


def resign(
    path: str, clock: Now, rehearse: Rehearse, *, seat: Seat, reason: str, wait: float = 10.0
) -> Ruled:
    """A seat gives up: a match of two ends; in one of more players the seat is vacant."""
    with on_bench(path, Resign, clock, wait, rehearse) as bench:
        _still_on(bench.now, path)
        ruling = resigning(bench.now, bench.now.require_seat(seat))
        bench.enter(ruling, reason)
        bench.give_up(seat)
    return bench.before, bench.now


def resigning(now: Match, seat: Seat) -> Resign | Vacate:
    """What it comes to that a seat gives up: with two others or more at the table they play on."""
    return Resign(seat) if len(now.setup.seats) < 3 else Vacate(seat)


def end(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    winners: Sequence[Seat],
    reason: str,
    wait: float = 10.0,
) -> Ruled:
    """End the match, whatever the board says."""
    with on_bench(path, End, clock, wait, rehearse) as bench:
        _still_on(bench.now, path)
        bench.enter(End(tuple(map(bench.now.require_seat, winners))), reason)
    return bench.before, bench.now


def reopen(path: str, clock: Now, rehearse: Rehearse, *, reason: str, wait: float = 10.0) -> Ruled:
    """Take back a resignation or an end, and nothing else."""
    with on_bench(path, Reopen, clock, wait, rehearse) as bench:
        if not bench.now.ending:
            raise NotNow("no ruling has ended this match; there is nothing to reopen", path)
        bench.enter(Reopen(), reason)
        bench.draw()
    return bench.before, bench.now


def note(
    path: str, clock: Now, rehearse: Rehearse, *, text: str, reason: str = "", wait: float = 10.0
) -> Ruled:
    """Add a remark."""
    with on_bench(path, Note, clock, wait, rehearse) as bench:
        bench.enter(Note(text), reason)
    return bench.before, bench.now


def entropy(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    text: str,
    seat: Seat | None = None,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Add a player's text to every draw from now on or, for no seat, the public value that the
    header names; then draws begin."""
    ruling = Value(text) if seat is None else Entropy(seat, text)
    with on_bench(path, type(ruling), clock, wait, rehearse) as bench:
        if seat is None and not bench.now.gathering:
            raise Usage("this match waits for no public value; say whose text it is: --seat", path)
        bench.enter(ruling, reason)
        bench.draw()
    return bench.before, bench.now


def words(
    path: str,
    clock: Now,
    rehearse: Rehearse,
    *,
    seat: Seat,
    text: str,
    reason: str = "",
    wait: float = 10.0,
) -> Ruled:
    """Enter what a seat sends for the draws: the hash of its words, or the words."""
    ruling = gather.sent(seat, text)
    with on_bench(path, type(ruling), clock, wait, rehearse) as bench:
        bench.enter(ruling, reason)
        bench.draw()
    return bench.before, bench.now


def pass_over(
    path: str, clock: Now, rehearse: Rehearse, *, seat: Seat, reason: str, wait: float = 10.0
) -> Ruled:
    """Go on without the words of a seat that did not send them in time."""
    with on_bench(path, PassOver, clock, wait, rehearse) as bench:
        bench.enter(PassOver(bench.now.require_seat(seat)), reason)
        bench.draw()
    return bench.before, bench.now


def reveal(
    path: str, clock: Now, rehearse: Rehearse, *, reason: str = "", wait: float = 10.0
) -> Ruled:
    """Publish the secret of a finished match."""
    with on_bench(path, Reveal, clock, wait, rehearse) as bench:
        if bench.now.outcome is None:
            raise NotNow(
                "the match is not over: revealing its secret would show every hand; "
                "end it first (rule resign, rule end)",
                path,
            )
        bench.enter(Reveal(bench.desk.secret.hex()), reason)
    return bench.before, bench.now


def _still_on(now: Match, path: str) -> None:
    if now.outcome is not None:
        raise NotNow("the match is over already", path)
