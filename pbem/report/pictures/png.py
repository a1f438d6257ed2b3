"""SVG as PNG: the same bytes on every machine, for fonts of its own are all it uses."""

from __future__ import annotations

import os
from typing import Any, Final

from pbem.core import Usage

_FONTS: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fonts")


def painter() -> Any:
    """What turns SVG into PNG. Raises Usage where resvg-py is not installed."""
    try:
        import resvg_py
    except ImportError as error:
        raise Usage(
            "PNG pictures need the package resvg-py: install pbem[png]; or take --format svg"
        ) from error
    return resvg_py.svg_to_bytes


def png(svg: str, width: int = 1080) -> bytes:
    """The picture, so many pixels wide. Raises Usage where resvg-py is not installed."""
    return bytes(
        painter()(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_dirs=[_FONTS],
            sans_serif_family="DejaVu Sans",
        )
    )
