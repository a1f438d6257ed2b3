"""SVG as PNG: the same bytes on every machine, for it uses no fonts of the system."""

from __future__ import annotations

import importlib.util
import os
import struct
from functools import cache
from typing import Any, Final

from pbem.core import normal
from pbem.pictures import pixels
from pbem.problem import Usage
from pbem.sentence import Names

_FONTS: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fonts")


def painter() -> Any:
    """What turns SVG into PNG. Raises Usage where resvg-py or Pillow is not installed."""
    pixels.painter()
    try:
        import resvg_py
    except ImportError as error:
        raise Usage(
            "PNG pictures need the package resvg-py: install pbem[png]; or take --format svg"
        ) from error
    return resvg_py.svg_to_bytes


def png(svg: str, width: int = 1080) -> bytes:
    """The picture, `width` pixels wide, in few colours. Raises Usage where resvg-py or Pillow is
    not installed."""
    return pixels.reduced(painted(svg, width))


def painted(svg: str, width: int) -> bytes:
    """The picture in all its colours. Raises Usage where resvg-py is not installed."""
    family = "Source Serif Pro" if _package() else "DejaVu Sans"
    return bytes(
        painter()(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_dirs=[_FONTS, *_package()],
            font_family=family,
            serif_family=family,
            monospace_family="DejaVu Sans Mono",
        )
    )


@cache
def _package() -> tuple[str, ...]:
    """The folders with the files of the typeface; none if its package is not installed."""
    found = importlib.util.find_spec("font_source_serif_pro")
    places = found.submodule_search_locations if found else None
    return tuple(os.path.join(place, "files") for place in places or ())


def legible(names: Names) -> Names:
    """The names as the fonts can write them: where they lack a letter of one, the seat's name, and
    where they lack that too, its number."""
    return {
        seat: next(
            called
            for called in (normal("NFC", name), seat, str(number))
            if _letters().issuperset(called)
        )
        for number, (seat, name) in enumerate(names.items(), 1)
    }


@cache
def _letters() -> frozenset[str]:
    """The letters that the font for names has, by its table `cmap`, which has format 4. See the
    OpenType specification."""
    with open(os.path.join(_FONTS, "DejaVuSans-Bold.ttf"), "rb") as file:
        font = file.read()
    tables = struct.iter_unpack(">4s4xII", font[12 : 12 + 16 * _short(font, 4)])
    [cmap] = [begin for tag, begin, _ in tables if tag == b"cmap"]
    [first] = struct.unpack_from(">I", font, cmap + 8)
    at, size = cmap + first, _short(font, cmap + first + 6)
    runs = f">{size // 2}H"
    ends = struct.unpack_from(runs, font, at + 14)
    starts = struct.unpack_from(runs, font, at + 16 + size)
    return frozenset(
        chr(code) for start, end in zip(starts, ends, strict=True) for code in range(start, end + 1)
    )


def _short(font: bytes, at: int) -> int:
    return int.from_bytes(font[at : at + 2])
