"""The map of Kanaloa (Bambus) in ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def draw(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw`."""
    return [str(view["game"])]
