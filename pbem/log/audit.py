"""Everything that can be checked about a log with the keys at hand; a problem is a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbem.core import CHANCE, HIDDEN, Denied, Event, Problem, Refused, mask, owners
from pbem.files import yamlio
from pbem.files.data import schema_text
from pbem.log import chance, seal, sealing
from pbem.log.format import Log, Ply
from pbem.log.match import Match
from pbem.log.rulings import Ruled, Takeback
from pbem.log.seal import Keyring
from pbem.play import codec
from pbem.play import judge as play


@dataclass(frozen=True, slots=True)
class Findings:
    """What an audit found. `judged` and `drawn` count the plies that could be judged again and
    the draws that could be recomputed; `plies` all plies."""

    problems: tuple[Problem, ...]
    plies: int = 0
    judged: int = 0
    drawn: int = 0


def audit(path: str, keyring: Keyring | None = None) -> Findings:
    """Schema, chain, replay, judging again, seals, draws. Raises Problem only if the file cannot
    be read at all or the keys are of another match."""
    text = yamlio.read_text(path)
    try:
        source = Log.parse(text, path)
    except Problem as problem:
        return Findings((problem,))
    problems = list(yamlio.validate(yamlio.parse(text, path), schema_text("log"), text, path))
    try:
        known = Match.of(source, keyring)
    except Problem as problem:
        if isinstance(problem, Denied):
            raise
        return Findings((*problems, problem))
    judge = _Judge(known)
    problems += judge.problems()
    return Findings(tuple(problems), judge.plies, judge.judged, judge.drawn)


class _Judge:
    """Plays a log again, ply by ply, struck ones included."""

    def __init__(self, known: Match) -> None:
        self.known = known
        self.plies = self.judged = self.drawn = 0

    @property
    def log(self) -> Log:
        return self.known.log

    def problems(self) -> Iterator[Problem]:
        game, keys = self.known.game, self.known.keyring
        states: dict[int, Any] = {0: game.start(self.known.setup)}
        standing = [0]
        for entry in self.log.entries:
            if isinstance(entry, Ruled):
                if isinstance(entry.ruling, Takeback):
                    del standing[-len(entry.ruling.strikes) :]
                continue
            self.plies += 1
            [(_, events)] = sealing.open_events(self.log, game, keys, [entry])
            state = states[standing[-1]]
            yield from self.seals(entry, events)
            try:
                whole = sealing.whole_move(entry, keys, self.log)
            except Problem as problem:
                yield problem
            else:
                yield from self.judge(entry, whole, events, state)
                yield from self.draw(entry, whole, state)
            standing.append(entry.number)
            try:
                states[entry.number] = play.advance(game, state, events)
            except (LookupError, ValueError, TypeError) as error:
                yield self.at(
                    entry, "ply {ply} does not fit the position it follows ({error})", error=error
                )
                return

    def at(self, entry: Ply, pattern: str, /, **values: Any) -> Problem:
        """A problem with a ply; `pattern` names it {ply}."""
        return self.log.problem(pattern, "log", entry.nth, ply=entry.number, **values)

    def judge(
        self, entry: Ply, whole: str | None, events: tuple[Event, ...], state: Any
    ) -> Iterator[Problem]:
        """Would the move be taken today, with the same consequences?"""
        game = self.known.game
        if whole is None or HIDDEN in whole.split():
            return
        self.judged += 1
        try:
            move = play.resolve(game, state, entry.seat, game.parse(whole))
            step = play.judge(game, state, entry.seat, move)
        except Refused as refusal:
            yield self.at(
                entry,
                "ply {ply} ({whole}) would be refused: {refusal}",
                whole=whole,
                refusal=refusal,
            )
            return
        seats = self.known.setup.seats
        shown = game.notate(mask(move, None, entry.seat, seats))
        if entry.move != shown:
            yield self.at(
                entry,
                "ply {ply} is written {written!r}, but the move is {shown!r}",
                written=entry.move,
                shown=shown,
            )
        if not _agree(step.events, events):
            now = "; ".join(_told(event) for event in step.events)
            then = "; ".join(_told(event) for event in events)
            yield self.at(
                entry,
                "ply {ply} would have other consequences: {now}, not {then}",
                now=now,
                then=then,
            )

    def seals(self, entry: Ply, events: tuple[Event, ...]) -> Iterator[Problem]:
        """Is sealed what only one seat may know, and nothing else? That it opens was checked
        when it was opened."""
        seats = self.known.setup.seats
        for index, event in enumerate(events):
            secret = owners(event, entry.seat, seats)
            [(word, fields)] = entry.events[index].items()
            for name, value in fields.items():
                if name in secret and not seal.is_sealed(value):
                    yield self.at(
                        entry,
                        "ply {ply} shows {event}.{field} openly; it should be sealed",
                        event=word,
                        field=name,
                    )
                if name not in secret and seal.is_sealed(value):
                    yield self.at(
                        entry,
                        "ply {ply} seals {event}.{field}; it should stand openly",
                        event=word,
                        field=name,
                    )

    def draw(self, entry: Ply, whole: str | None, state: Any) -> Iterator[Problem]:
        """Did chance draw what the secret says?"""
        game, keys = self.known.game, self.known.keyring
        if entry.seat != CHANCE or keys.secret is None or self.log.header.dealer != "sealed":
            return
        moves = play.legal_moves(game, state, CHANCE)
        weights = [(game.notate(move), game.chances(state, move)) for move in moves]
        if not weights:
            return  # already told by `judge`
        self.drawn += 1
        dealer = chance.Sealed(keys.secret, self.known.name)
        due = dealer(entry.number, self.log.entropy(entry.number), weights)
        if whole != due:
            yield self.at(
                entry, "ply {ply} drew {whole!r}; the secret draws {due!r}", whole=whole, due=due
            )


def _agree(again: tuple[Event, ...], logged: tuple[Event, ...]) -> bool:
    """The same facts, as far as the logged ones could be opened?"""
    return len(again) == len(logged) and all(
        type(a) is type(b)
        and all(y in (x, HIDDEN) for x, y in zip(_values(a), _values(b), strict=True))
        for a, b in zip(again, logged, strict=True)
    )


def _values(event: Event) -> list[Any]:
    [fields] = codec.to_plain(event).values()
    return list(fields.values())


def _told(event: Event) -> str:
    [(word, fields)] = codec.to_plain(event).items()
    return f"{word} {' '.join(map(str, fields.values()))}"
