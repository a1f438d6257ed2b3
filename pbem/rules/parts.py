"""Parts of a board that look as they did in another position: they are made once, so that whoever
draws many positions finds them to be the same."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from pbem.shapes import Shape

Shapes = tuple[Shape, ...]
MANY: Final = 4096
"""So many of a kind are kept: most of what the turns of a match come to."""


def part(
    make: Callable[..., Iterable[Shape]], view: Mapping[str, Any], reads: str, *more: Hashable
) -> Shapes:
    """What `make` makes of the keys of a view that it `reads`, and of no others, and of `more`."""
    shown = {key: view[key] for key in reads.split() if key in view}
    return _made(make, marshal.dumps(shown, 0), more)


@lru_cache(MANY)
def _made(make: Callable[..., Iterable[Shape]], shown: bytes, more: tuple[Hashable, ...]) -> Shapes:
    return tuple(make(marshal.loads(shown), *more))
