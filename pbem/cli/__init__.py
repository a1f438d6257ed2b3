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
from typing import Any  # noqa: E402

from pbem.cli.commands import application  # noqa: E402
from pbem.cli.output import abandon, complain, fail, flush, mistake  # noqa: E402
from pbem.core import Refused  # noqa: E402
from pbem.problem import Problem  # noqa: E402


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
        fail(mistake(error))
    except SystemExit as end:
        os._exit(int(end.code or 0))
