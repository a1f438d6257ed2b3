"""What a law is: it looks at the matches of one variant and yields what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import NamedTuple

from pbem.sentence import Sentence
from pbem.testing.findings import Finding, where
from pbem.testing.random_matches import Played, PlayedPly

Wrong = Finding | Sentence
"""What breaks a law: where, and what; a sentence alone is about the law's subject."""

Finds = Callable[[Sequence[Played], int], Iterator[Finding]]
OfAll = Callable[[Sequence[Played], int], Iterator[Wrong]]
OfMatch = Callable[[Played, int], Iterator[Wrong]]
OfPly = Callable[[Played, PlayedPly], Iterator[Wrong]]


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
    `@laws.of_plies("check", matches=2)`."""

    def of_all(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[OfAll], Finds]:
        """Enters a law about all matches together."""

        def entered(holds: OfAll) -> Finds:
            @wraps(holds)
            def placed(played: Sequence[Played], plies: int) -> Iterator[Finding]:
                for wrong in holds(played, plies):
                    place = where(played[0].game, subject)
                    yield wrong if isinstance(wrong, Finding) else Finding(place, wrong)

            self.append(Law(holds.__name__, placed, subject, matches, plies))
            return placed

        return entered

    def of_matches(
        self, subject: str, *, matches: int = 0, plies: int = 0
    ) -> Callable[[OfMatch], Finds]:
        """Enters a law about each match by itself."""

        def entered(holds: OfMatch) -> Finds:
            @wraps(holds)
            def of_all(played: Sequence[Played], plies: int) -> Iterator[Wrong]:
                for match in played:
                    yield from holds(match, plies)

            return self.of_all(subject, matches=matches, plies=plies)(of_all)

        return entered

    def of_plies(
        self, subject: str, *, matches: int = 0, plies: int = 0
    ) -> Callable[[OfPly], Finds]:
        """Enters a law about each ply by itself."""

        def entered(holds: OfPly) -> Finds:
            @wraps(holds)
            def of_match(match: Played, plies: int) -> Iterator[Wrong]:
                for ply in match.some(plies):
                    yield from holds(match, ply)

            return self.of_matches(subject, matches=matches, plies=plies)(of_match)

        return entered
