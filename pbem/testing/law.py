"""What a law is: it looks at the matches of one variant and yields what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import NamedTuple

from pbem.testing.findings import Finding
from pbem.testing.random_matches import Played, PlayedPly

OfAll = Callable[[Sequence[Played], int], Iterator[Finding]]
OfMatch = Callable[[Played, int], Iterator[Finding]]
OfPly = Callable[[Played, PlayedPly], Iterator[Finding]]


class Law(NamedTuple):
    """A law, the function of a game to look at first if it is broken, and in how many matches of a
    variant and plies of a match pytest checks it (0: in all)."""

    name: str
    holds: OfAll
    subject: str
    matches: int
    plies: int


class Laws(list[Law]):
    """A list that decorators enter functions into, each with the function of a game it is about:
    `@laws.of_plies("check", matches=2)`."""

    def of_all(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[OfAll], OfAll]:
        """Enters a law about all matches together."""

        def entered(holds: OfAll) -> OfAll:
            self.append(Law(holds.__name__, holds, subject, matches, plies))
            return holds

        return entered

    def of_matches(
        self, subject: str, *, matches: int = 0, plies: int = 0
    ) -> Callable[[OfMatch], OfAll]:
        """Enters a law about each match by itself."""

        def entered(holds: OfMatch) -> OfAll:
            @wraps(holds)
            def of_all(played: Sequence[Played], plies: int) -> Iterator[Finding]:
                for match in played:
                    yield from holds(match, plies)

            return self.of_all(subject, matches=matches, plies=plies)(of_all)

        return entered

    def of_plies(
        self, subject: str, *, matches: int = 0, plies: int = 0
    ) -> Callable[[OfPly], OfAll]:
        """Enters a law about each ply by itself."""

        def entered(holds: OfPly) -> OfAll:
            @wraps(holds)
            def of_match(match: Played, plies: int) -> Iterator[Finding]:
                for ply in match.some(plies):
                    yield from holds(match, ply)

            return self.of_matches(subject, matches=matches, plies=plies)(of_match)

        return entered
