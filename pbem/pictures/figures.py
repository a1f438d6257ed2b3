"""What a figure looks like: drawn once, upright or heading right, with its label at 0, 0.

Each is a file in `art/` that any drawing program opens.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree

from pbem.pictures.element import Element, read

ISLANDS: Final = {
    **{"aloa": (-26, -15), "bari": (-2, -17), "coco": (26, -15), "duda": (-15, -7)},
    **{"elai": (-3, -5), "faaa": (10, -9), "gola": (19, -2), "huna": (-25, 4)},
    **{"iffi": (-6, 5), "jojo": (8, 2), "kahu": (26, 11), "lale": (-3, 15)},
}
"""The islands of Kahuna on a card."""

_ART: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "art")


def _drawn(name: str) -> Element:
    inside = read(ElementTree.parse(os.path.join(_ART, f"{name}.svg")).getroot()).inside
    [alone] = inside if len(inside) == 1 else [Element("g", {}, inside)]
    return alone if isinstance(alone, Element) else Element("g")


def _spotted(x: int, y: int) -> Element:
    spot = Element("use", {"href": "#spot", "x": x, "y": y})
    return Element("g", {}, (Element("use", {"href": "#chart"}), spot))


FIGURES: Final[Mapping[str, Element]] = {
    **{name[:-4]: _drawn(name[:-4]) for name in sorted(os.listdir(_ART)) if name.endswith(".svg")},
    **{island: _spotted(*at) for island, at in ISLANDS.items()},
}
"""By name. A shape of the form `figure` names its figure in the first word of its look; on other
forms lie the figures that their look names."""
PLATES: Final = ("tile", "slip")
"""Boxes of one size that are used often: their look begins with the name."""
