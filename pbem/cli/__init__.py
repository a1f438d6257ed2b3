"""The command line: reads arguments, calls the house, prints, exits. Nothing else.

Every command imports what it needs when it runs: start-up time is what a moderator feels.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from pbem.cli import begin, house, look, move, rule
from pbem.cli.common import app, print_json, told
from pbem.core import Problem, Refused

__all__ = ["begin", "house", "look", "main", "move", "rule"]


def main() -> None:
    """The entry point: problems become one line and an exit code, never a traceback."""
    # Output may hold any name; a terminal that cannot show a letter must not stop the work.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except Problem as problem:
        _fail(problem, problem.code)
    except Refused as refused:
        _fail(refused, 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(74)


def _fail(error: Exception, code: int) -> NoReturn:
    if "--json" in sys.argv:
        print_json({"ok": False, "code": code, **told(error)})
    print(f"pbem: {error}", file=sys.stderr)
    sys.exit(code)
