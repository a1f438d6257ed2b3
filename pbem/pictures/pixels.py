"""What is done to pixels: PNGs in few colours, and many of them as one film. Needs Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from pbem.problem import Usage

COLOURS: Final = 48
_MOMENT, _END = 900, 3000
"""How many milliseconds a ply is shown, and the last one."""


def painter() -> Any:
    """Pillow's module of images. Raises Usage where it is not installed."""
    try:
        from PIL import Image
    except ImportError as error:
        raise Usage(
            "pictures of pixels need the package pillow: install pbem[png]; or take --format svg"
        ) from error
    return Image


def reduced(png: bytes) -> bytes:
    """The same picture with a palette: a third as large, and as sharp."""
    written = io.BytesIO()
    _with_palette(png).save(written, "PNG")
    return written.getvalue()


def film(pngs: Sequence[bytes], format: str) -> bytes:
    """These pictures one after the other, for ever, as gif or webp."""
    written = io.BytesIO()
    if format == "gif":
        first, *others = (_with_palette(png) for png in pngs)
    else:
        first, *others = (painter().open(io.BytesIO(png)).convert("RGB") for png in pngs)
    shown = [*[_MOMENT] * len(others), _END]
    # Pillow merges a frame that looks like the one before into it, and adds up their times.
    first.save(
        written,
        format.upper(),
        save_all=True,
        append_images=others,
        duration=shown,
        loop=0,
        **({"disposal": 1} if format == "gif" else {"quality": 80, "minimize_size": False}),
    )
    return written.getvalue()


def _with_palette(png: bytes) -> Any:
    image = painter()
    opened = image.open(io.BytesIO(png)).convert("RGB")
    return opened.quantize(COLOURS, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE)
