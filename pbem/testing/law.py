"""What a law is: it looks at the matches of one variant and yields what breaks it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from pbem.sentence import Sentence
from pbem.testing.findings import Finding, attempt, where
from pbem.testing.random_matches import Played

Wrong = Finding | Sentence
"""What breaks a law: where, and what; a sentence alone is about the law's subject."""

Finds = Callable[[Sequence[Played], int], Iterator[Finding]]
Judges = Callable[..., Iterator[Wrong]]
F = TypeVar("F", bound=Judges)
Sight = tuple[Any, str, Callable[[], Iterator[Wrong]]]
"""One look of a law at a game: how to look at it again, and what looks."""


class Law(NamedTuple):
    """A law, the function of a game to look at first if it is broken, and in how many matches of a
    variant and plies of a match pytest checks it (0: in all). What only many matches show is looked
    for in those of all variants `together`."""

    name: str
    holds: Finds
    subject: str
    matches: int
    plies: int
    together: bool = False


class Laws(list[Law]):
    """A list that a decorator enters functions into, each with the function of a game it is about:
    `@LAWS("check", matches=2)`. What is looked at each time follows from its parameters (LOOKS);
    what is found says how to look at it again."""

    def __call__(
        self, subject: str, *, matches: int = 0, plies: int = 0, together: bool = False
    ) -> Callable[[F], F]:
        def entered(holds: F) -> F:
            looks = LOOKS[tuple(inspect.signature(holds).parameters)]

            def placed(played: Sequence[Played], plies: int) -> Iterator[Finding]:
                for game, again, look in looks(holds, played, plies):
                    for wrong in attempt(game, subject, look, again):
                        found = wrong
                        if isinstance(found, Sentence):
                            found = Finding(where(game, subject), found)
                        law = found.law or holds.__name__
                        yield found._replace(again=found.again or again, law=law)

            self.append(Law(holds.__name__, placed, subject, matches, plies, together))
            return holds

        return entered


def _of_all(holds: Judges, played: Sequence[Played], plies: int) -> Iterator[Sight]:
    if played:
        yield played[0].game, "", partial(holds, played, plies)


def _of_matches(holds: Judges, played: Sequence[Played], plies: int) -> Iterator[Sight]:
    yield from ((match.game, match.again, partial(holds, match, plies)) for match in played)


def _of_plies(holds: Judges, played: Sequence[Played], plies: int) -> Iterator[Sight]:
    for match in played:
        for ply in match.some(plies):
            yield match.game, match.again_at(ply), partial(holds, match, ply)


def _of_readers(holds: Judges, played: Sequence[Played], plies: int) -> Iterator[Sight]:
    for match in played:
        for reader in match.readers:
            for known, ply in match.known_to(reader, plies):
                look = partial(holds, match, ply, known, reader)
                yield match.game, match.again_at(ply), look


LOOKS: Final[dict[tuple[str, ...], Callable[..., Iterator[Sight]]]] = {
    ("played", "plies"): _of_all,
    ("match", "plies"): _of_matches,
    ("match", "ply"): _of_plies,
    ("match", "ply", "known", "reader"): _of_readers,
}
"""What a law looks at, by what it takes: all matches together, each match, each ply, or each ply
for each reader, with the state that reader knows."""
