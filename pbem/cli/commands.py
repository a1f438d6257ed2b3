"""Which commands a command line calls for: start-up time is what a moderator feels."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from importlib import import_module

from typer import Typer
from typer.models import CommandInfo

from pbem.cli.common import app

_ROOMS = {
    "begin": ("new", "position", "seat", "words"),
    "move": ("submit", "check", "sign"),
    "look": ("show", "post", "letter", "moves", "log"),
    "rule": ("verify", "reveal", "rule"),
    "status": ("status", "due"),
    "club": ("club",),
    "event": ("event",),
    "aside": ("aside",),
    "mail": ("desk", "forget", "plans", "withdraw"),
    "moving": ("backup", "restore"),
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
