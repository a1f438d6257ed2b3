"""The command line: reads arguments, calls the house, prints, exits. Nothing else.

Every command imports what it needs when it runs: start-up time is what a moderator feels.
"""

from __future__ import annotations

import gc

# A command makes little garbage and lives for a tenth of a second, most of which is importing.
gc.set_threshold(100_000, 50, 50)

import os  # noqa: E402
import sys  # noqa: E402
from importlib import import_module  # noqa: E402
from typing import Final, NoReturn  # noqa: E402

from pbem.cli.common import app, print_json, told  # noqa: E402
from pbem.core import (  # noqa: E402
    BadFile,
    Busy,
    CannotMake,
    CannotWrite,
    Denied,
    Faulty,
    NoFile,
    NotNow,
    Problem,
    Refused,
    Usage,
)

_ROOMS = {
    "begin": ("new",),
    "move": ("submit", "check", "sign"),
    "look": ("show", "moves", "log"),
    "rule": ("verify", "reveal", "rule"),
    "mail": ("desk", "status", "withdraw"),
    "house": ("simulate", "demo", "schema", "games"),
}


def main() -> None:
    """The entry point: problems become one line and an exit code, never a traceback."""
    # Output may hold any name; a terminal that cannot show a letter must not stop the work.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    load(*sys.argv[1:2])
    try:
        app()
    except Problem as problem:
        _fail(problem, exit_code(problem))
    except Refused as refused:
        _fail(refused, 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(74)


def load(command: str = "") -> None:
    """Make a command known to the application, with its room; all of them if it is none."""
    wanted = [room for room, commands in _ROOMS.items() if command in commands]
    for room in wanted or _ROOMS:
        import_module(f"pbem.cli.{room}")


_CODES: Final = {
    NotNow: 1,
    Usage: 2,
    BadFile: 65,
    NoFile: 66,
    Problem: 70,
    Faulty: 70,
    CannotMake: 73,
    CannotWrite: 74,
    Busy: 75,
    Denied: 77,
}


def exit_code(problem: Problem) -> int:
    """The code a command ends with; 70 is a mistake of the program's own, or of a package that
    brings a game."""
    return _CODES[type(problem)]


def _fail(error: Exception, code: int) -> NoReturn:
    if "--json" in sys.argv:
        print_json({"ok": False, "code": code, **told(error)})
    print(f"pbem: {error}", file=sys.stderr)
    sys.exit(code)
