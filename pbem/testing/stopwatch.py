"""How long the functions of a game take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from statistics import median
from time import perf_counter
from typing import Any, Final

from pbem.play.guest import CONTRACTS, MAY
from pbem.testing.findings import Finding, of
from pbem.testing.random_matches import Stuck

SLOW: Final = 0.2
"""How many seconds the median call of a function may take: people wait for hundreds of calls."""
FEW: Final = 3
"""With fewer calls than this, nothing is said."""
PATIENCE: Final = 5.0
"""A function that has taken this many seconds in all is judged at once, not only at the end."""
_SAID: Final = "half the calls of {name} take {seconds:.2f} s and more; expected less than {slow} s"


class Stopwatch:
    """Times each call of a game's functions from now on; `took` has the seconds of all calls.

    A function that is plainly slow raises Stuck in the middle of a match, and `slow` is set.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.took: dict[str, list[float]] = {}
        self.slow = False
        for name in (*CONTRACTS, *MAY):
            if hasattr(game, name):
                self.took[name] = []
                vars(game)[name] = self._timed(name, getattr(game, name))

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        took, total, look = self.took[name], 0.0, PATIENCE

        @wraps(function)
        def timed(*given: Any) -> Any:
            nonlocal total, look
            start = perf_counter()
            try:
                return function(*given)
            finally:
                took.append(perf_counter() - start)
                total += took[-1]
                if total > look and len(took) >= FEW:
                    look *= 2
                    if (usual := median(took)) > SLOW:
                        self.slow = True
                        raise Stuck(name, _SAID, name=name, seconds=usual, slow=SLOW)

        return timed

    def findings(self) -> Iterator[Finding]:
        """The functions that are slow."""
        for name, took in self.took.items():
            if len(took) >= FEW and (usual := median(took)) > SLOW:
                yield of(self.game, name, _SAID, name=name, seconds=usual, slow=SLOW)

    @property
    def seconds(self) -> dict[str, float]:
        """How long the calls of each function took in all."""
        return {name: sum(took) for name, took in self.took.items()}
