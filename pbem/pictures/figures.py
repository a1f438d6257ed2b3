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
    **{"aloa": (-29, -20), "bari": (-2, -22), "coco": (29, -20), "duda": (-17, -9)},
    **{"elai": (-3, -6), "faaa": (11, -11), "gola": (22, -2), "huna": (-28, 6)},
    **{"iffi": (-7, 8), "jojo": (9, 4), "kahu": (29, 15), "lale": (-3, 21)},
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
