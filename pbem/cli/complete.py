"""Names completed: the log that is meant, and what the Tab key offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import typer

from pbem.files import store
from pbem.problem import Problem


class FoundLog(str):
    """Where a log is, and how it was typed."""

    __slots__ = ("typed",)
    typed: str


def find_log(path: str) -> FoundLog:
    """The log somebody means: `kahuna-7` is short for `kahuna-7.pbem.yaml`."""
    found = FoundLog(store.log_of(path))
    found.typed = path
    return found


def games(incomplete: str) -> list[str]:
    from pbem.play import games

    return [name for name in games.names() if name.startswith(incomplete)]


def rulesets(context: typer.Context, incomplete: str) -> list[str]:
    """The editions of the game named earlier on the line."""
    return [name for name in _about(context).get("rulesets", {}) if name.startswith(incomplete)]


def options(context: typer.Context, incomplete: str) -> list[str]:
    """`variant1=` and, after the equals sign, the values it can have."""
    return [
        said for said in _options(_about(context).get("options", {})) if said.startswith(incomplete)
    ]


def _options(declared: dict[str, Any]) -> Iterator[str]:
    for name, about in declared.items():
        values = {"flag": ["true", "false"], "word": about.get("words", [])}
        yield from (f"{name}={value}" for value in values.get(about["kind"], [""]))


def players(context: typer.Context, incomplete: str) -> list[str]:
    """`white=`: the seats of the game named earlier on the line, if the game names them."""
    from pbem.play import games

    try:
        named = games.game(_argument(context)).SEATS
    except Problem:
        return []
    return [f"{seat}=" for seat in named if f"{seat}=".startswith(incomplete)]


def seats(context: typer.Context, incomplete: str) -> list[str]:
    """The seats of the match whose log is named earlier on the line."""
    from pbem.log.format import Log

    try:
        names = Log.read(find_log(_argument(context))).names
    except Problem:
        return []
    return [seat for seat in names if seat.startswith(incomplete)]


def logs(incomplete: str) -> list[str]:
    """The logs in the folder somebody is typing, and the folders in it."""
    from glob import escape, glob

    begun = f"{escape(incomplete)}*"
    logs = (path for path in glob(begun) if path.endswith(".pbem.yaml"))
    return sorted([*glob(f"{begun}/"), *logs])


def offers(takes: str) -> Callable[..., list[str]] | None:
    """What the Tab key offers for an option, by what it takes."""
    known: dict[str, Callable[..., list[str]]] = {
        "SEAT": seats,
        "SEAT=PLAYER": players,
        "EDITION": rulesets,
        "KEY=VALUE": options,
    }
    return known.get(takes)


def _about(context: typer.Context) -> dict[str, Any]:
    """The rulesets and options of the game named earlier on the line; {} if none is."""
    from pbem.files import data
    from pbem.play import games

    try:
        return dict(data.game_file(games.game(_argument(context)).DATA, "rulesets"))
    except Problem:
        return {}


def _argument(context: typer.Context) -> str:
    """The game or log that a command line names first; "" if there is none yet."""
    return next(iter(context.args), "")
