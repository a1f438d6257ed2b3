"""What a law is: it looks at the matches of one variant and yields what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

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
    variant and plies of a match pytest checks it (0: in all)."""

    name: str
    holds: Finds
    subject: str
    matches: int
    plies: int


class Laws(list[Law]):
    """A list that decorators enter functions into, each with the function of a game it is about:
    `@laws.of_plies("check", matches=2)`. What is found says how to look at it again."""

    def of_all(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[F], F]:
        """Enters a law about all matches together."""
        return self._entering(subject, matches, plies, _of_all)

    def of_matches(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[F], F]:
        """Enters a law about each match by itself."""
        return self._entering(subject, matches, plies, _of_matches)

    def of_plies(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[F], F]:
        """Enters a law about each ply by itself."""
        return self._entering(subject, matches, plies, _of_plies)

    def of_readers(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[F], F]:
        """Enters a law about each ply for each reader, with the state that reader knows."""
        return self._entering(subject, matches, plies, _of_readers)

    def _entering(
        self, subject: str, matches: int, plies: int, each: Callable[..., Iterator[Sight]]
    ) -> Callable[[F], F]:
        def entered(holds: F) -> F:
            def placed(played: Sequence[Played], plies: int) -> Iterator[Finding]:
                for game, again, look in each(holds, played, plies):
                    for wrong in attempt(game, subject, look, again):
                        finding = (
                            Finding(where(game, subject), wrong)
                            if isinstance(wrong, Sentence)
                            else wrong
                        )
                        law = finding.law or holds.__name__
                        yield finding._replace(again=finding.again or again, law=law)

            self.append(Law(holds.__name__, placed, subject, matches, plies))
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
