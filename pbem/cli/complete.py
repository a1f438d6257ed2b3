"""Names completed: the log that is meant, and what the Tab key offers, of which typer leaves out
what goes on otherwise than what is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
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


def games() -> Iterable[str]:
    """All games."""
    from pbem.play import games

    return games.names()


def rulesets(context: typer.Context) -> Iterator[str]:
    """The editions of the game named earlier on the line."""
    yield from _about(context).get("rulesets", ())


def options(context: typer.Context) -> Iterator[str]:
    """`variant1=` and, after the equals sign, the values it can have."""
    for name, about in _about(context).get("options", {}).items():
        values = {"flag": ["true", "false"], "word": about.get("words", [])}
        yield from (f"{name}={value}" for value in values.get(about["kind"], [""]))


def players(context: typer.Context) -> Iterator[str]:
    """`white=`: the seats of the game named earlier on the line, if the game names them."""
    from pbem.play import games

    with suppress(Problem):
        yield from (f"{seat}=" for seat in games.game(_argument(context)).SEATS)


def seats(context: typer.Context) -> Iterator[str]:
    """The seats of the match whose log is named earlier on the line."""
    from pbem.log.format import Log

    with suppress(Problem):
        yield from Log.read(find_log(_argument(context))).names


def logs(incomplete: str) -> Iterator[str]:
    """The logs in the folder somebody is typing, and the folders in it."""
    from glob import escape, glob

    begun = f"{escape(incomplete)}*"
    yield from sorted(glob(f"{begun}/"))
    yield from sorted(path for path in glob(begun) if path.endswith(".pbem.yaml"))


def offers(takes: str) -> Callable[..., Iterable[str]] | None:
    """What the Tab key offers for an option, by what it takes."""
    known: dict[str, Callable[..., Iterable[str]]] = {
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

    with suppress(Problem):
        return dict(data.game_file(games.game(_argument(context)).DATA, "rulesets"))
    return {}


def _argument(context: typer.Context) -> str:
    """The game or log that a command line names first; "" if there is none yet."""
    return next(iter(context.args), "")
