"""What an event can be played in: for each format, who meets whom when, and what counts.

A format is one file here, its `FORMAT`. Whoever has the people, the seed and the algorithm can work
a schedule out again: only whole numbers go into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from pbem.club.formats.kind import Format

_FILES: Final = {
    each.name: import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)
}
FORMATS: Final[Mapping[str, Format]] = {
    name: file.FORMAT for name, file in _FILES.items() if hasattr(file, "FORMAT")
}
"""Every format, by its name."""
