"""The command line: reads arguments, calls the house, prints, exits. Nothing else.

Every command imports what it needs when it runs: start-up time is what a moderator feels.
"""

from __future__ import annotations

import atexit
import gc

from pbem.sentence import say

# A command makes little garbage and lives for a tenth of a second, most of it importing; looking
# through everything for garbage at its end took a quarter as long again.
gc.set_threshold(200_000, 50, 50)
atexit.register(gc.freeze)

import os  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from copy import copy  # noqa: E402
from importlib import import_module  # noqa: E402
from typing import Any  # noqa: E402

from typer import Typer  # noqa: E402
from typer.models import CommandInfo  # noqa: E402

from pbem.cli.common import app  # noqa: E402
from pbem.cli.output import abandon, complain, fail, flush  # noqa: E402
from pbem.core import Refused  # noqa: E402
from pbem.problem import Problem, problem_of  # noqa: E402

_ROOMS = {
    "begin": ("new", "position", "seat", "words"),
    "move": ("submit", "check", "sign"),
    "look": ("show", "post", "letter", "moves", "log"),
    "rule": ("verify", "reveal", "rule"),
    "status": ("status", "due"),
    "club": ("club",),
    "event": ("event",),
    "aside": ("aside",),
    "mail": ("desk", "forget", "plans", "withdraw", "backup", "restore"),
    "page": ("page", "site"),
    "house": ("simulate", "demo", "schema", "games", "rules"),
}


def load(command: str = "") -> None:
    """Load a command with the others in its file; all of them if there is no such command."""
    wanted = [room for room, commands in _ROOMS.items() if command in commands]
    for room in wanted or _ROOMS:
        import_module(f"pbem.cli.{room}")


def application(arguments: Sequence[str]) -> Typer:
    """The commands that a command line calls for: its own; all of them, by name and purpose, if it
    asks for help. Building the parameters of the others takes as long as reading a log."""
    command = arguments[0] if arguments else ""
    load(command)
    found = copy(app)
    if command == "--help":
        found.registered_commands = [_summary(each) for each in app.registered_commands]
    elif any(command in commands for commands in _ROOMS.values()):
        found.registered_commands = [
            each for each in app.registered_commands if _name(each) == command
        ]
    return found


def _name(command: CommandInfo) -> str:
    return command.name or (command.callback.__name__ if command.callback else "")


def _summary(command: CommandInfo) -> CommandInfo:
    """A command without its parameters."""
    found = copy(command)
    found.name = _name(command)
    found.help = command.help or (command.callback.__doc__ if command.callback else "")
    found.callback = _nothing
    return found


def _nothing() -> None:
    """What a summary does."""


def main() -> None:
    """The entry point: problems become one line and an exit code, never a traceback."""
    # Output may hold any name; a terminal that cannot show a letter must not stop the work.
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")
    try:
        try:
            application(sys.argv[1:])()
        finally:
            flush()
    except (Problem, Refused) as error:
        fail(error)
    except OSError as error:
        abandon(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            complain(say("pbem: the output cannot be written: {reason}", reason=error.strerror))
        sys.exit(74)
    except Exception:
        sys.excepthook = _tell_mistake  # typer has put its own there
        raise


def _tell_mistake(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Report what nobody foresaw: where, but not what was worked on, which may be a hand."""
    if not isinstance(error, Exception):
        sys.__excepthook__(kind, error, trace)
        return
    from traceback import format_tb

    complain("".join(format_tb(trace)).rstrip())
    try:
        fail(problem_of(error))
    except SystemExit as end:
        os._exit(int(end.code or 0))
