"""The laws and casebooks as pytest cases: the house's own tests, and those of any package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final

from pbem.files import yamlio
from pbem.play import games
from pbem.play.patience import many_calls
from pbem.problem import Usage
from pbem.testing import laws_of_form
from pbem.testing.cases import play_case
from pbem.testing.checking import PLAYED
from pbem.testing.findings import Finding, attempt
from pbem.testing.law import Law
from pbem.testing.random_matches import Played, Variant, play_out, variants

SEEDS: Final = 12
"""How many matches of each variant are played."""


def laws(name: str, over: Iterable[Variant] | None = None) -> Any:
    """A test for pytest: every law, over every variant of a game or those given.

    `test_the_laws = laws("nerve")` is all there is to write.
    """
    import pytest

    form = [
        pytest.param(partial(_form, name, law), id=f"{name}-{law.__name__}")
        for law in laws_of_form.LAWS
    ]
    of_play = [
        pytest.param(
            partial(_play, name, variant, law), id=f"{name}-{variant.ruleset}-{n}-{law.name}"
        )
        for n, variant in enumerate(over or variants(name))
        for law in PLAYED
    ]

    @pytest.mark.parametrize("look", form + of_play)
    def test(look: Callable[[], Iterator[Finding]]) -> None:
        none_of(look())

    return test


def casebook(path: str) -> Any:
    """A test for pytest: every case of a `cases.yaml`, for the game in whose DATA it lies."""
    import pytest

    path = os.path.abspath(path)
    name = _game_of(path)
    cases = [pytest.param(case, id=f"{name}-{case['id']}") for case in yamlio.read(path)]

    @pytest.mark.parametrize("case", cases)
    def test(case: dict[str, Any]) -> None:
        none_of(play_case(games.game(name), case))

    return test


def none_of(findings: Iterator[Finding]) -> None:
    """Fail with the first findings, if there are any."""
    with many_calls():
        found = list(islice(findings, 5))
    if found:
        raise AssertionError("\n".join(map(str, found)))


def _form(name: str, law: laws_of_form.Holds) -> Iterator[Finding]:
    return attempt(games.game(name), "DATA", partial(law, games.game(name)))


def _play(name: str, variant: Variant, law: Law) -> Iterator[Finding]:
    matches = _matches(name, variant)
    return law.holds(matches[: law.matches or None], law.plies)


@lru_cache(maxsize=4)
def _matches(name: str, variant: Variant) -> list[Played]:
    return [play_out(name, seed, variant) for seed in range(SEEDS)]


def _game_of(path: str) -> str:
    for name in games.names():
        if os.path.dirname(path) == os.path.abspath(games.game(name).DATA):
            return name
    raise Usage("no game has its DATA in this folder", path)
