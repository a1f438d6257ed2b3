"""The list of games: the house's own, and those that installed packages bring."""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem.core import Game, slots
from pbem.files import data, languages
from pbem.problem import Faulty, Usage

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


def of_log(name: str, package: str | None, version: str | None) -> Game[Any]:
    """The game of a log that was begun with this version of a package; None for the house's own.

    Raises Usage if the package is not installed, is older than the log, or no longer reads logs of
    that version; and whatever `game` raises.
    """
    if package is None or version is None:
        return game(name)
    from pbem.play.guest import distribution

    here = distribution(name)
    if not here or _project(here[0]) != _project(package):
        raise Usage(
            "{game} is played here with {package} {version}, which is not installed; "
            "`pip install '{package}>={version}'` brings it",
            game=name,
            package=package,
            version=version,
        )
    if _release(version) > _release(here[1]):
        raise Usage(
            "this match was begun with {package} {version}, and {here} is installed; "
            "`pip install --upgrade '{package}>={version}'` brings one that reads it",
            package=package,
            version=version,
            here=here[1],
        )
    found = game(name)
    since = getattr(found, "READS_FROM", None)
    if since is not None and _release(version) < _release(since):
        raise Usage(
            "this match was begun with {package} {version}, and {here} reads only those from "
            "{since} on; `pip install '{package}=={version}'` brings the one that reads it",
            package=package,
            version=version,
            here=here[1],
            since=since,
        )
    return found


def brings(name: str) -> dict[str, str]:
    """What a log's header says about the package that brings a game; {} for the house's own."""
    if name in OWN:
        return {}
    from pbem.play.guest import distribution

    return dict(zip(("package", "version"), distribution(name), strict=False))


def draws(found: Game[Any]) -> bool:
    """Does a game have chance, as far as it says? Not if KINDS lists every class of move as an
    answer, save one without fields: that is a step of the house, in which nothing is drawn."""
    answers = {kind for kinds in getattr(found, "KINDS", {}).values() for kind in kinds}
    others = [kind for kind in found.MOVES if kind not in answers]
    return len(others) > 1 or any(map(slots, others))


def hides(found: Game[Any]) -> bool:
    """Does a game have hidden information?"""
    return any(slot.secret for kind in (*found.MOVES, *found.EVENTS) for slot in slots(kind))


def view_schema(found: Game[Any]) -> str | None:
    """The text of the JSON schema of a game's view: it follows from what the game has declared, or
    lies in its `schemas/`; None where there is none."""
    if getattr(found, "SCHEMA", None) is None:
        return data.view_schema(found.DATA, found.NAME)
    hashable: Any = found
    return _written(hashable)


@lru_cache(maxsize=8)
def _written(found: Any) -> str:
    """The schema that a game has declared: the same text for every view that is held to it."""
    about = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:pbem:schema:view-{found.NAME}:1",
        "title": "A position of " + found.TITLE,
    }
    return f"{json.dumps({**about, **found.SCHEMA}, ensure_ascii=False, indent=2)}\n"


def _project(package: str) -> str:
    """A package's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at the end: 1.10 comes after 1.9, and 1.0 is 1."""
    found = re.match(r"v?(?:\d+!)?(\d+(?:\.\d+)*)", version.strip())
    numbers = [int(number) for number in found[1].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


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
    from pbem.play.guest import Guest, package_of, raised_at

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
        says = "cannot be loaded: {error!s} ({package})"
        path, line = raised_at(
            error, lambda file: f"{os.sep}{entry.module.partition('.')[0]}" in file
        )
        raise Faulty(says, path or entry.name, line, error=error, package=package) from error
    guest: Any = Guest(module, package)
    if entry.name != guest.NAME:
        raise guest.fault(
            "{package} is at fault: its entry point calls the game {entry!r}, its NAME is {name!r}",
            entry=entry.name,
            name=guest.NAME,
        )
    languages.beside(guest.NAME, guest.DATA)
    return guest  # type: ignore[no-any-return]
