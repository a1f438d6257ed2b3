"""The list of games: the house's own, and those that installed packages bring."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pbem.core import Game, Usage

OWN = {
    "kahuna": "pbem.rules.kahuna",
    "kanaloa-bambus": "pbem.rules.kanaloa_bambus",
    "kanaloa-piatnik": "pbem.rules.kanaloa_piatnik",
}
GROUP = "pbem.games"
"""The entry point group in which a package names the module of a game it brings."""


def game(name: str) -> Game[Any]:
    """The game of that name. Raises Usage if there is none."""
    module = OWN.get(name) or _brought().get(name)
    if module is None:
        if near := _near(name):
            raise Usage("there is no game {name!r}; did you mean {near:any}?", name=name, near=near)
        raise Usage("there is no game {name!r}, only {names:all}", name=name, names=names())
    found: Any = import_module(module)
    return found  # type: ignore[no-any-return]


def _near(name: str) -> list[str]:
    """The games somebody may have meant: `Kahuna`, `kahna`, `kanaloa`."""
    from difflib import get_close_matches

    said, known = name.lower(), names()
    begun = [each for each in known if said and each.startswith(said)]
    return begun or get_close_matches(said, known, n=3, cutoff=0.75)


def names() -> list[str]:
    """Every game there is."""
    return sorted({*OWN, *_brought()})


def _brought() -> dict[str, str]:
    from importlib.metadata import entry_points  # a tenth of a start: only when it is needed

    return {entry.name: entry.value for entry in entry_points(group=GROUP)}
