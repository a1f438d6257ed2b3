"""What a law is: it looks at the matches of one variant and yields what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbem.testing.findings import Finding
from pbem.testing.random_matches import Played

Holds = Callable[[Sequence[Played], int], Iterator[Finding]]


class Law(NamedTuple):
    """A law, which function of a game is looked at first where it is broken, and in how many
    matches of a variant and plies of a match pytest looks (0: in all)."""

    name: str
    holds: Holds
    subject: str
    matches: int
    plies: int


class Laws(list[Law]):
    """A list that functions are entered into: `@laws.enter("check", matches=2)`."""

    def enter(self, subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[Holds], Holds]:
        def entered(holds: Holds) -> Holds:
            self.append(Law(holds.__name__, holds, subject, matches, plies))
            return holds

        return entered
