"""Matches played at random, in every variant of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from pbem.core import NOBODY, Decision, Game, Move, Record, Seat, Setup, mask, slots
from pbem.play import games, options, patience
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.sentence import say

MOST_PLIES: Final = 10_000
"""How many plies a match may last; a game that lasts longer has a MOST_PLIES of its own."""
MOST_SPREAD = 10_000
"""How many plies spread all over a match are looked at, at most."""
EACH_LOOKED_AT = 1
"""At how many plies once it is looked whether one changes the state it is played in."""
_PATIENT: Final = 0.75
"""How often an awaited seat moves next, if others may amend what they said."""
_NAMES: Final = ("ana", "ben", "cara", "dan", "eva", "finn", "gil", "hana")


class Stuck(Exception):
    """A match cannot go on: which function of the game is at fault, and why."""

    def __init__(self, function: str, pattern: str, /, **values: Any) -> None:
        super().__init__(function, pattern)
        self.function, self.sentence = function, say(pattern, **values)

    def __str__(self) -> str:
        return str(self.sentence)


class Variant(NamedTuple):
    """A way to play a game: an edition, options, and who sits down."""

    ruleset: str
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]

    def __hash__(self) -> int:
        return hash((self.ruleset, self.seats))  # the options are a mapping, which has none


class PlayedPly(NamedTuple):
    """A state, what was played in it, and the how manieth ply that was, from 0."""

    state: Any
    seat: Seat
    step: Step
    nth: int

    @property
    def kinds(self) -> tuple[type[Record], ...]:
        """The kind of move together with its kinds of consequences."""
        return (type(self.step.move), *map(type, self.step.events))


@dataclass(frozen=True, eq=False)
class Played:
    """A match played to its end."""

    game: Game[Any]
    setup: Setup
    seed: int
    plies: tuple[PlayedPly, ...]
    end: Any
    again: str
    _known: dict[Seat | None, list[Any]] = field(default_factory=dict, repr=False)

    @property
    def readers(self) -> tuple[Seat | None, ...]:
        """None, for a spectator, and each seat, who may know different things; in a game without
        secrets None alone, for all know the same."""
        kinds = (*self.game.MOVES, *self.game.EVENTS)
        secret = any(slot.secret for kind in kinds for slot in slots(kind))
        return (None, *self.setup.seats) if secret else (None,)

    def chosen(self, most: int) -> frozenset[int]:
        """Which plies to look at: `most` from all over the match, and up to as many again that are
        the first in which a kind of move has just these kinds of consequences; for 0, all."""
        spread = min(most, MOST_SPREAD)
        found = set(range(0, len(self.plies), -(-len(self.plies) // spread) if most else 1))
        return frozenset((*found, *islice(self.first_of_kind.values(), most)))

    @cached_property
    def first_of_kind(self) -> dict[Any, int]:
        """The first ply for each of the `kinds` there are."""
        first = {ply.kinds: ply.nth for ply in reversed(self.plies)}
        return dict(sorted(first.items(), key=lambda each: each[1]))

    def some(self, most: int) -> tuple[PlayedPly, ...]:
        """The plies that are `chosen`."""
        return tuple(self.plies[nth] for nth in sorted(self.chosen(most)))

    def again_at(self, ply: PlayedPly) -> str:
        """The Python that plays as far as a ply again."""
        return f"{self.again}.plies[{ply.nth}]"

    def known_to(self, reader: Seat | None, most: int = 0) -> Iterator[tuple[Any, PlayedPly]]:
        """What a reader of the log knows before each ply that is `chosen`, with that ply."""
        if reader not in self._known:
            self._known[reader] = [*self._as_known_to(reader)]
        chosen = sorted(self.chosen(most))
        yield from ((self._known[reader][nth], self.plies[nth]) for nth in chosen)

    def _as_known_to(self, reader: Seat | None) -> Iterator[Any]:
        known = self.game.start(self.setup)
        for ply in self.plies:
            yield known
            events = [mask(e, reader, ply.seat, self.setup.seats) for e in ply.step.events]
            known = play.advance(self.game, known, events)

    def __str__(self) -> str:
        seats = len(self.setup.seats)
        return f"match {self.seed} of {self.setup.ruleset} for {seats}"


def variants(game: str | Game[Any]) -> list[Variant]:
    """Every ruleset for every number of seats, and a few mixtures of options."""
    rules = games.game(game) if isinstance(game, str) else game
    declared = options.declared(rules)
    fewest, most = rules.PLAYERS
    found = []
    for count in range(fewest, most + 1):
        called = (*_NAMES, *(f"p{n}" for n in range(len(_NAMES), count)))
        seats = rules.SEATS[:count] or called[:count]
        found += [Variant(ruleset, {}, seats) for ruleset in declared["rulesets"]]
        for mixture in range(count - fewest, 6, 1 + most - fewest):
            if mixed := _mixed(declared.get("options", {}), seats, mixture):
                found.append(Variant(declared["default"], mixed, seats))
    return found


def _mixed(declared: Mapping[str, Any], seats: Sequence[Seat], seed: int) -> dict[str, Any]:
    """Some value for every option whose values are known."""
    rng = random.Random(seed)
    values: dict[str, Any] = {}
    for name, about in declared.items():
        match about["kind"]:
            case "flag":
                values[name] = rng.random() < 0.5
            case "word":
                values[name] = rng.choice(about["words"])
            case "seat":
                values[name] = rng.choice(seats)
            case "seat_numbers":
                values[name] = {rng.choice(seats): rng.randint(about["least"], about["most"])}
    return values


def again(game: str | Game[Any], seed: int, variant: Variant | None = None) -> str:
    """The Python that plays a match out again."""
    name = game if isinstance(game, str) else game.NAME
    return f'play_out("{name}", {seed}{f", {variant!r}" if variant else ""})'


@patience.many_calls()
def play_out(game: str | Game[Any], seed: int, variant: Variant | None = None) -> Played:
    """A random match. The same seed gives the same match; even seeds seek out rare moves. If nobody
    says which variant, the seeds go through all there are."""
    rules = games.game(game) if isinstance(game, str) else game
    if (chosen := variant) is None:
        ways = variants(rules)
        chosen = ways[seed % len(ways)]
    setup = options.setup(rules, chosen.seats, chosen.ruleset, chosen.options)
    rng = random.Random(seed)
    state = rules.start(setup)
    plies: list[PlayedPly] = []
    longest = getattr(rules, "MOST_PLIES", MOST_PLIES)
    while pending := rules.pending(state):
        if len(plies) >= longest:
            raise Stuck(
                "evolve",
                "the match does not end within {most} plies; a game that lasts longer says its "
                "MOST_PLIES",
                most=longest,
            )
        looked = len(plies) % EACH_LOOKED_AT == 0 and repr(state)
        seat = _next_to_move(rng, pending, setup)
        moves = play.legal_moves(rules, state, seat)
        if not moves:
            asked = in_words(rules, pending)
            raise Stuck("candidates", "{asked}, and no candidate is legal", asked=asked)
        rare = seat not in NOBODY and seed % 2 == 0
        step = play.judge(rules, state, seat, _rare(rng, moves) if rare else rng.choice(moves))
        plies.append(PlayedPly(state, seat, step, len(plies)))
        after = play.advance(rules, state, step.events)
        if looked and repr(state) != looked:
            says = "{move!r} changes the state it is played in; a state is a value: give a new one"
            raise Stuck("evolve", says, move=rules.notate(step.move))
        state = after
    return Played(rules, setup, seed, tuple(plies), state, again(rules, seed, variant))


def _next_to_move(rng: random.Random, pending: Sequence[Decision], setup: Setup) -> Seat:
    awaited = [decision for decision in pending if decision.awaited]
    if not awaited:
        kinds = [decision.kind for decision in pending]
        raise Stuck("pending", "{kinds:all} may be answered, and nobody is awaited", kinds=kinds)
    # Now and then somebody amends what they said; more often, it would take too long.
    waits = len(awaited) < len(pending) and rng.random() < _PATIENT
    seat = rng.choice(awaited if waits else pending).seat
    if seat not in (known := (*setup.seats, *NOBODY)):
        raise Stuck("pending", "{seat!r} is asked; expected {known:any}", seat=seat, known=known)
    return seat


def in_words(game: Game[Any], pending: Sequence[Decision]) -> str:
    """Decisions as the author of a game reads them: `ben: keep (Keep or Swap), else keep`."""
    return "; ".join(
        f"{each.seat}: {each.kind} ({' or '.join(kind.__name__ for kind in each.accepts)})"
        + (f" {dict(each.about)}" if each.about else "")
        + (f", else {game.notate(each.default)}" if each.default is not None else "")
        + ("" if each.awaited else ", not awaited")
        for each in pending
    )


def _rare(rng: random.Random, moves: Sequence[Move]) -> Move:
    """Chooses a kind of move first, then a move: rare kinds are played as often as others."""
    kind = rng.choice(list(dict.fromkeys(map(type, moves))))
    return rng.choice([move for move in moves if type(move) is kind])
