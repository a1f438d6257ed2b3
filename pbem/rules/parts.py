"""Parts of a board, each made only once: in many positions, those that look the same are the very
same objects, and whoever draws these positions can tell."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from pbem.shapes import Shape

Shapes = tuple[Shape, ...]
MANY: Final = 4096
"""How many parts of a kind are kept: most of those that the turns of a match bring up."""


def part(
    make: Callable[..., Iterable[Shape]], view: Mapping[str, Any], reads: str, *more: Hashable
) -> Shapes:
    """The shapes that `make` makes of `more` and of a view with only the keys it `reads`."""
    shown = {key: view[key] for key in reads.split() if key in view}
    return _made(make, marshal.dumps(shown, 0), more)


@lru_cache(MANY)
def _made(make: Callable[..., Iterable[Shape]], shown: bytes, more: tuple[Hashable, ...]) -> Shapes:
    return tuple(make(marshal.loads(shown), *more))
