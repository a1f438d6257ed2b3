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
from typing import Any, Final, NoReturn  # noqa: E402

from pbem.cli.commands import application  # noqa: E402
from pbem.cli.common import print_json, shown  # noqa: E402
from pbem.cli.output import abandon, complain, flush, mistake  # noqa: E402
from pbem.core import Refused  # noqa: E402
from pbem.problem import (  # noqa: E402
    BadFile,
    Busy,
    CannotMake,
    CannotWrite,
    Denied,
    Faulty,
    NoFile,
    NotNow,
    NotTold,
    Problem,
    Usage,
)


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
    except Problem as problem:
        _fail(problem, exit_code(problem))
    except Refused as refused:
        _fail(refused, 1)
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
        _fail(mistake(error), _CODES[Problem])
    except SystemExit as end:
        os._exit(int(end.code or 0))


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
    NotTold: 76,
    Denied: 77,
}


def exit_code(problem: Problem) -> int:
    """The code a command ends with; 70 is a mistake of the program's own, or of a package that
    brings a game."""
    return _CODES[type(problem)]


def _fail(error: Exception, code: int) -> NoReturn:
    complain(f"pbem: {error}")
    if "--json" in sys.argv:
        try:
            print_json({"ok": False, "code": code, **shown(error)})
            flush()
        except OSError:  # standard error has said it
            abandon(sys.stdout)
    sys.exit(code)
