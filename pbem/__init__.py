"""A play-by-forum and play-by-e-mail move adjudicator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.version import __version__

if TYPE_CHECKING:
    from pbem.core import Ambiguous, NoMove, Refused, Unreadable, Violation
    from pbem.match import Match
    from pbem.problem import Problem
    from pbem.table import Table

__all__ = [
    "Ambiguous",
    "Match",
    "NoMove",
    "Problem",
    "Refused",
    "Table",
    "Unreadable",
    "Violation",
    "__version__",
]

_ROOMS = {"Match": "match", "Problem": "problem", "Table": "table"}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # Lazily, so that `pbem --help` does not pay for the rules engines.
    if name not in __all__:
        raise AttributeError(f"module 'pbem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"pbem.{_ROOMS.get(name, 'core')}"), name)
