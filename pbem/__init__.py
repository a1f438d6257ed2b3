"""A play-by-forum and play-by-e-mail move adjudicator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.version import __version__

if TYPE_CHECKING:
    from pbem.core import Ambiguous, Problem, Refused, Unreadable, Violation
    from pbem.table import Table

__all__ = ["Ambiguous", "Problem", "Refused", "Table", "Unreadable", "Violation", "__version__"]


def __getattr__(name: str) -> Any:
    # Lazily, so that `pbem --help` does not pay for the rules engines.
    if name == "Table":
        from pbem.table import Table

        return Table
    if name in __all__:
        from pbem import core

        return getattr(core, name)
    raise AttributeError(f"module 'pbem' has no attribute {name!r}")
