"""A match as one reader knows it: its log, opened with his keys, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pbem.core import CHANCE, Decision, Denied, Event, Game, Outcome, Problem, Seat, Setup, Usage
from pbem.log import sealing as log
from pbem.log.seal import Keyring
from pbem.log.sealing import Log, Ply, Ruling
from pbem.play import games, options
from pbem.play import judge as play

Told = tuple[Ply, tuple[Event, ...]]
"""A ply and its events, as far as they could be opened."""


@dataclass(frozen=True, slots=True)
class Match:
    """One reader's knowledge of a match at one moment.

    `plies` are those that stand; `state` is what they lead to.
    """

    log: Log
    game: Game[Any]
    setup: Setup
    keyring: Keyring
    plies: tuple[Told, ...]
    state: Any

    @property
    def name(self) -> str:
        """The match's own name."""
        return self.log.header.match

    @property
    def players(self) -> dict[Seat, str]:
        """Who sits where now."""
        return log.names(self.log)

    @property
    def position(self) -> tuple[int, str]:
        """The last ply's number and the position fingerprint."""
        return log.position(self.log)

    @property
    def ending(self) -> Ruling | None:
        """The ruling that ended the match, if one did."""
        for entry in reversed(self.log.entries):
            if isinstance(entry, Ruling) and entry.kind in ("resign", "end", "takeback"):
                # Taking plies back takes back an ending before it, too.
                return None if entry.kind == "takeback" else entry
        return None

    @property
    def pending(self) -> tuple[Decision, ...]:
        """Who must choose now; () when the match is over."""
        return () if self.ending else self.game.pending(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules or by a ruling."""
        ending = self.ending
        if ending is None:
            return self.game.outcome(self.state)
        if ending.kind == "end":
            return Outcome(tuple(ending.data["winners"]), "ruling", {})
        others = tuple(seat for seat in self.setup.seats if seat != ending.data["seat"])
        return Outcome(others, "resignation", {})

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that are asked for a move now, chance left out."""
        seats = (decision.seat for decision in self.pending if decision.seat != CHANCE)
        return tuple(dict.fromkeys(seats))


def read(path: str, keyring: Keyring | None = None, at: int | None = None) -> Match:
    """The match in a log file, after ply `at` or at its end. Raises Problem."""
    return of(log.read(path), keyring, at)


def of(source: Log, keyring: Keyring | None = None, at: int | None = None) -> Match:
    """The match a log tells, as far as these keys open it. Raises Problem."""
    header = source.header
    keys = log.admit(source, keyring or Keyring.none())
    try:
        game = games.game(header.game)
        setup = options.setup(
            game, tuple(header.seats), header.ruleset, header.options, header.board
        )
    except Problem as problem:
        raise source.problem("{problem}", "game", problem=problem.sentence) from problem
    standing = log.live(source)
    if at is not None:
        numbers = [entry.number for entry in source.entries if isinstance(entry, Ply)]
        if at != 0 and at not in numbers:
            raise Usage(
                "{match} has no ply {at}, only 1 to {numbers}",
                match=header.match,
                at=at,
                numbers=len(numbers),
            )
        standing = tuple(ply for ply in standing if ply.number <= at)
    told = log.open_events(source, game, keys, standing)
    state = replay(source, game, game.start(setup), told)
    return Match(source, game, setup, keys, told, state)


def replay(source: Log, game: Game[Any], state: Any, told: Iterable[Told]) -> Any:
    """The state these plies lead to. Raises Problem, placed, for a fact that cannot be one."""
    for ply, events in told:
        try:
            state = play.advance(game, state, events)
        except (LookupError, ValueError, TypeError) as error:
            raise source.problem(
                "ply {number} does not fit the position it follows ({error}); restore the log "
                "from a copy",
                *("log", ply.nth),
                number=ply.number,
                error=error,
            ) from error
    return state


def seen_by(match: Match, seat: Seat | None) -> Match:
    """The match as another reader knows it (None: a spectator).

    Raises Problem (code 77) unless the keys at hand are the moderator's or the seat's own, and
    (code 2) for a seat that is none.
    """
    if seat is None:
        return of(match.log)
    if seat not in match.setup.seats:
        seats = ", ".join(match.setup.seats)
        raise Usage(
            "{name} has no seat {seat!r}, only {seats}", name=match.name, seat=seat, seats=seats
        )
    if match.keyring.secret is None:
        if seat in match.keyring.seats:
            return match
        raise Denied(
            "only the moderator's key or {seat:seat}'s own shows what {seat:seat} knows", seat=seat
        )
    return of(match.log, match.keyring.for_seat(seat, log.epochs(match.log)[seat]))


def onward(known: Match, longer: Log) -> Match | None:
    """What this reader knows once the log has grown by plies; None if it is not the same log, or
    holds more than new plies: then it is read from its beginning."""
    count = len(known.log.entries)
    added = longer.entries[count:]
    before = longer.entries[count - 1].chain if count else longer.header.chain
    if count > len(longer.entries) or before != known.log.chain:
        return None
    plies = [entry for entry in added if isinstance(entry, Ply)]
    if len(plies) < len(added):
        return None
    told = log.open_events(longer, known.game, known.keyring, plies)
    state = replay(longer, known.game, known.state, told)
    return replace(known, log=longer, plies=(*known.plies, *told), state=state)


def since(match: Match, ply: int) -> tuple[Told, ...]:
    """The plies after a number."""
    return tuple(told for told in match.plies if told[0].number > ply)


def last_turn(match: Match) -> tuple[Told, ...]:
    """The plies of the seat that moved last, with what chance added."""
    players = [ply.seat for ply, _ in match.plies if ply.seat != CHANCE]
    if not players:
        return match.plies
    changed: Callable[[Seat], bool] = lambda seat: seat not in (CHANCE, players[-1])  # noqa: E731
    start = len(match.plies)
    while start and not changed(match.plies[start - 1][0].seat):
        start -= 1
    while start < len(match.plies) and match.plies[start][0].seat == CHANCE:
        start += 1
    return match.plies[start:]
