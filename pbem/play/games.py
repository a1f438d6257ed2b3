"""The list of games: the house's own, and those that installed packages bring."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem.core import Faulty, Game, Usage

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN = {
    "kahuna": "pbem.rules.kahuna",
    "kanaloa-bambus": "pbem.rules.kanaloa_bambus",
    "kanaloa-piatnik": "pbem.rules.kanaloa_piatnik",
}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises Usage if there is none, Faulty if it cannot be loaded."""
    if name in OWN:
        own: Any = import_module(OWN[name])
        return own  # type: ignore[no-any-return]
    from pbem.play.guest import brought

    entry = brought().get(name)
    if entry is None:
        if near := _near(name):
            raise Usage("there is no game {name!r}; did you mean {near:any}?", name=name, near=near)
        raise Usage("there is no game {name!r}, only {names:all}", name=name, names=names())
    return _loaded(entry)


def _near(name: str) -> list[str]:
    """The games somebody may have meant: `Kahuna`, `kahna`, `kanaloa`, `piatnik`."""
    from difflib import get_close_matches

    said, known = name.lower(), names()
    part = [each for each in known if len(said) > 2 and said in each]
    return part or get_close_matches(said, known, n=3, cutoff=0.75)


def names() -> list[str]:
    """Every game there is, those that cannot be loaded included."""
    from pbem.play.guest import brought

    return sorted({*OWN, *brought()})


def _loaded(entry: EntryPoint) -> Game[Any]:
    from pbem.play import patience
    from pbem.play.guest import Guest, package_of

    package = package_of(entry.name)
    try:
        with patience.hurried:
            module = entry.load()
    except patience.Overdue as error:
        raise Faulty(
            "cannot be loaded within {error!s} ({package})",
            entry.name,
            error=error,
            package=package,
        ) from error
    except (Exception, SystemExit) as error:  # it may do anything while it is imported
        raise Faulty(
            "cannot be loaded: {error!s} ({package})", entry.name, error=error, package=package
        ) from error
    guest: Any = Guest(module, package)
    if entry.name != guest.NAME:
        raise guest.fault(
            "{package} is at fault: its entry point calls the game {entry!r}, its NAME is {name!r}",
            entry=entry.name,
            name=guest.NAME,
        )
    return guest  # type: ignore[no-any-return]
