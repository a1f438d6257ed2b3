"""A match as one reader knows it: its log, opened with that reader's keys, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from pbem.core import NOBODY, Decision, Event, Game, Outcome, Position, Seat, Setup
from pbem.log import sealing
from pbem.log.entries import Ply
from pbem.log.entropy.gathering import Gathering
from pbem.log.format import Log
from pbem.log.rulings import End, Option, Resign, Ruled
from pbem.log.seal import Keyring
from pbem.play import games, judge, options, positions
from pbem.problem import Faulty, Problem, Usage

OpenPly = tuple[Ply, tuple[Event, ...]]
"""A ply and its events, as far as they could be opened."""


class Replay(NamedTuple):
    """One reader's knowledge of a match at one moment.

    `plies` are those that stand; `first` is the state before them, `state` what they lead to;
    `past` says that more has happened since; `shown` remembers, if it is there, what other readers
    have been shown of the match, by their keys.
    """

    log: Log
    game: Game[Any]
    setup: Setup
    keyring: Keyring
    plies: tuple[OpenPly, ...]
    first: Any
    state: Any
    past: bool = False
    shown: dict[Keyring, Replay] | None = None

    @property
    def name(self) -> str:
        return self.log.header.match

    @property
    def players(self) -> dict[Seat, str]:
        return self.log.names

    @property
    def position(self) -> Position:
        return self.log.position

    @property
    def ending(self) -> Ruled | None:
        return self.log.ending

    @property
    def reader(self) -> Seat | None:
        """The seat whose own keys are at hand, or the first of those; None for a spectator and
        for the moderator."""
        return next(iter(self.keyring.seats), None)

    @property
    def vacant(self) -> frozenset[Seat]:
        """The seats that have been given up while the match goes on."""
        return frozenset(self.log.so_far().vacant)

    @property
    def gathering(self) -> Gathering | None:
        """What has been gathered for the draws while some of it is missing; else None."""
        if self.log.header.entropy is None:
            return None
        gathered = self.log.so_far().gathered
        return gathered if gathered.stage else None

    @property
    def pending(self) -> tuple[Decision, ...]:
        """Who must choose now; () when the match is over."""
        return () if self.ending else self.game.pending(self.state)

    @property
    def awaiting(self) -> tuple[Decision, ...]:
        """What the match waits for, of what there is to choose."""
        return tuple(decision for decision in self.pending if decision.awaited)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules or by a ruling."""
        if self.ending and isinstance(self.ending.ruling, Resign | End):
            return self.ending.ruling.outcome(self.setup.seats)
        return self.game.outcome(self.state)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose move the match waits for."""
        return _seats(self.awaiting)

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that may choose now, including those that nobody waits for."""
        return _seats(self.pending)

    @staticmethod
    def read(path: str, keyring: Keyring | None = None, at: int | None = None) -> Replay:
        """The match in a log file, as it stood after ply `at` or at its end. Raises Problem."""
        return Replay.of(Log.read(path), keyring, at)

    @staticmethod
    def of(source: Log, keyring: Keyring | None = None, at: int | None = None) -> Replay:
        """The match that a log tells, as far as these keys open it. Raises Problem.

        With `at` it is the match as it stood after that ply, whatever happened later.
        """
        header = source.header
        keys = sealing.accept_keys(source, keyring or Keyring.none())
        try:
            game = games.of_log(header.game, header.package, header.version)
            setup = begun = options.setup(
                game, tuple(header.seats), header.ruleset, header.options, header.board
            )
        except Faulty:  # the log is not to blame
            raise
        except Problem as problem:
            raise source.problem("{problem}", "game", problem=problem.sentence) from problem
        told_to = source if at is None else source.until(at)
        plies = sealing.open_events(told_to, game, keys)
        first = _first(source, game, setup, keys)
        state = replay(told_to, game, first, plies)
        for change in told_to.rulings(Option):
            setup = changed(game, setup, change.option, change.value)
        if setup.options != begun.options:
            state = game.agreed(state, setup)
        past = len(told_to.entries) < len(source.entries)
        return Replay(told_to, game, setup, keys, plies, first, state, past)

    def seen_by(self, seat: Seat | None, *also: Seat) -> Replay:
        """The match as another reader knows it (None: a spectator), who may `also` play others.

        Raises Denied unless the keys at hand are the moderator's or the seat's own, and Usage where
        the match has no such seat.
        """
        own = Keyring.none()
        if seat is not None:
            own = sealing.keys_of(self.log, self.keyring, seat, *also)
        if own is self.keyring:
            return self
        before = self.shown.get(own) if self.shown else None
        known = (before and before.onward(self.log)) or Replay.of(self.log, own)
        if self.shown is not None:
            self.shown[own] = known
        return known._replace(past=self.past)

    def onward(self, longer: Log) -> Replay | None:
        """What this reader knows once the log has grown by plies; None if it is another log, or has
        grown by anything else: then it must be read from its beginning."""
        count = len(self.log.entries)
        if count > len(longer.entries):
            return None
        added = longer.entries[count:]
        before = longer.entries[count - 1].chain if count else longer.header.chain
        if before != self.log.chain:
            return None
        new = [entry for entry in added if isinstance(entry, Ply)]
        if len(new) < len(added):
            return None
        plies = sealing.open_events(longer, self.game, self.keyring, new)
        state = replay(longer, self.game, self.state, plies)
        return self._replace(log=longer, plies=(*self.plies, *plies), state=state)

    def require_seat(self, seat: Seat) -> Seat:
        """The seat, if the match has it. Raises Usage."""
        return self.log.require_seat(seat)

    def since(self, ply: int) -> tuple[OpenPly, ...]:
        """The plies that stand and come after this number."""
        return tuple(each for each in self.plies if each[0].number > ply)

    def last_turn(self, seat: Seat | None = None) -> tuple[OpenPly, ...]:
        """The plies of the seat that moved last, with what chance added; or those of the last turn
        of this seat, up to its last ply."""
        own = [nth for nth, (ply, _) in enumerate(self.plies, 1) if ply.seat == seat]
        plies = self.plies if seat is None else self.plies[: max(own, default=0)]
        movers = [ply.seat for ply, _ in plies if ply.seat not in NOBODY]
        if not movers:
            return plies
        start = len(plies)
        while start and plies[start - 1][0].seat in (*NOBODY, movers[-1]):
            start -= 1
        while start < len(plies) and plies[start][0].seat in NOBODY:
            start += 1
        return plies[start:]


def _seats(decisions: Iterable[Decision]) -> tuple[Seat, ...]:
    """The seats that are to decide, as far as somebody sits there."""
    return tuple(dict.fromkeys(each.seat for each in decisions if each.seat not in NOBODY))


def _first(source: Log, game: Game[Any], setup: Setup, keys: Keyring) -> Any:
    """The state before the first ply. Raises Problem."""
    position = source.header.position
    if position is None:
        return game.start(setup)
    try:
        view = sealing.position_opened(source.header, game, keys, position["view"])
        return positions.kept(game, setup, view)
    except Faulty:
        raise
    except Problem as problem:
        raise source.problem("{problem}", "position", problem=problem.sentence) from problem


def replay(source: Log, game: Game[Any], state: Any, plies: Iterable[OpenPly]) -> Any:
    """The state these plies lead to. Raises Problem, with its place, for events that do not fit."""
    for ply, events in plies:
        try:
            state = judge.advance(game, state, events)
        except (LookupError, ValueError, TypeError) as error:
            raise source.problem(
                "ply {number} does not fit the position it follows ({error}); restore the log "
                "from a copy",
                *("log", ply.nth),
                number=ply.number,
                error=error,
            ) from error
    return state


def changed(game: Game[Any], setup: Setup, name: str, value: Any) -> Setup:
    """The set-up with another value of an option. Raises Usage if the option cannot change during
    a match, or has no such value."""
    can = getattr(game, "IN_PLAY", ())
    if name not in can:
        pattern = "in {title} no option can change during a match"
        if can:
            pattern = (
                "in {title} the option {name!r:.60} cannot change during a match, only {can:any}"
            )
        raise Usage(pattern, title=game.TITLE, name=name, can=can)
    value = list(value) if isinstance(value, tuple) else value
    chosen = {**setup.options, name: value}
    return options.setup(game, setup.seats, setup.ruleset, chosen, setup.board)
