"""What each look is painted with, in each theme.

The colours of players and suits are Okabe and Ito's, which colour-blind people can tell apart;
none of them stands without an outline, a pattern or a letter. Gold is for what has changed and
nothing else, beads for what can be clicked, a filled row for whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Final

FONT: Final = (
    "'Source Serif Pro', Charter, Cambria, Georgia, 'Liberation Serif', 'DejaVu Serif Condensed', "
    "serif"
)
"""Narrow ones first: the name of a card has the width of a card."""

_INK, _PAPER = "#1c1a17", "#fbf5e6"

HUES: Final = {
    "red": ("#d55e00", "#000000"),
    "yellow": ("#f0e442", "#000000"),
    "green": ("#009e73", "#000000"),
    "blue": ("#0072b2", "#ffffff"),
    "turquoise": ("#56b4e9", "#000000"),
    "orange": ("#e69f00", "#000000"),
    "purple": ("#cc79a7", "#000000"),
    "black": (_INK, "#ffffff"),
    "white": ("#ffffff", _INK),
    "grey": ("#9aa7af", "#000000"),
}
"""The colours of seats and suits, and of the letters on them."""

_LIGHT: Final = {
    "sea": "#1a7490",
    "swell": "#1f7a97",
    "reef": "#348da6",
    "shallow": "#74c6c8",
    "water": "#b3e0e2",
    "brine": "#8cc9cd",
    "sand": "#f1deae",
    "shore": "#8a6d3b",
    "high": "#b5cf7d",
    "land": "#82ad62",
    "low": "#5f9453",
    "peak": "#3f6f45",
    "pit": "#25432a",
    "onsea": "#ffffff",
    "ink": _INK,
    "faint": "#54493c",
    "panel": "#f6ecd9",
    "rule": "#d9c7a3",
    "free": "#e4f4f5",
    "mark": "#ffd23f",
    "edge": "#573500",
    "ask": "#ff9ec4",
    "go": "#00614a",
    "turn": "#f7dc9c",
    "card": _PAPER,
    "back": "#0f5773",
    "onback": "#ffffff",
    "ash": "#a89a90",
    "flame": "#ff7a1a",
    "plank": "#f7ead0",
    "pitch": _INK,
    "rope": "#4f3a1d",
    "seam": "#a5854f",
    "tar": "#85715f",
    "rock": "#5b4a42",
    "trident": "#0b5a8a",
    "spear": "#7d2c1d",
    "flames": "#c4400a",
    "sprout": "#2c7034",
    "sun": "#96650a",
}
_OWN: Final[Mapping[str, Mapping[str, str]]] = {
    "light": _LIGHT,
    "dark": {
        **_LIGHT,
        "sea": "#07202b",
        "swell": "#113442",
        "reef": "#14485a",
        "shallow": "#2b7580",
        "water": "#7fb9bf",
        "brine": "#6aa5ab",
        "sand": "#cbb787",
        "high": "#92ad66",
        "land": "#7c9d5c",
        "low": "#6b9259",
        "peak": "#32573a",
        "pit": "#1d3521",
        "ink": "#f3ead8",
        "faint": "#c2b59e",
        "panel": "#14191c",
        "rule": "#3c4347",
        "free": "#b9d4d8",
        "edge": "#3d2600",
        "go": "#54e0b2",
        "turn": "#4a3d1c",
        "card": "#efe6d0",
        "back": "#1d5a72",
    },
    "contrast": {
        **_LIGHT,
        "sea": "#001f2e",
        "swell": "#001f2e",
        "reef": "#004a66",
        "shallow": "#9fe3e3",
        "sand": "#fff0c4",
        "high": "#d3efa2",
        "land": "#d3efa2",
        "low": "#d3efa2",
        "peak": "#7fae68",
        "pit": "#3d6636",
        "ink": "#000000",
        "faint": "#000000",
        "panel": "#ffffff",
        "rule": "#000000",
        "free": "#ffffff",
        "go": "#004d3a",
        "turn": "#ffe9a3",
        "card": "#ffffff",
        "back": "#002638",
    },
    "ink": {
        **_LIGHT,
        "sea": "#ffffff",
        "swell": "#e2e2e2",
        "reef": "#dcdcdc",
        "shallow": "#a6a6a6",
        "water": "#ececec",
        "brine": "#8c8c8c",
        "sand": "#ffffff",
        "shore": "#000000",
        "high": "#f2f2f2",
        "land": "#ececec",
        "low": "#dedede",
        "peak": "#8c8c8c",
        "pit": "#6e6e6e",
        "onsea": "#000000",
        "ink": "#000000",
        "faint": "#333333",
        "panel": "#ffffff",
        "rule": "#8c8c8c",
        "free": "#555555",
        "mark": "#bdbdbd",
        "ask": "#ffffff",
        "edge": "#000000",
        "go": "#000000",
        "turn": "#e0e0e0",
        "card": "#ffffff",
        "back": "#6b6b6b",
        "ash": "#b0b0b0",
        "flame": "#4a4a4a",
        "plank": "#ffffff",
        "pitch": "#000000",
        "rope": "#000000",
        "seam": "#8c8c8c",
        "tar": "#a0a0a0",
        "rock": "#5a5a5a",
        "trident": "#000000",
        "spear": "#000000",
        "flames": "#000000",
        "sprout": "#000000",
        "sun": "#000000",
    },
}
_GREYS: Final = {
    "red": ("#7d7d7d", "#000000"),
    "yellow": ("#d9d9d9", "#000000"),
    "green": ("#a2a2a2", "#000000"),
    "blue": ("#4f4f4f", "#ffffff"),
    "turquoise": ("#c6c6c6", "#000000"),
    "orange": ("#b9b9b9", "#000000"),
    "purple": ("#8f8f8f", "#000000"),
    "black": ("#000000", "#ffffff"),
    "white": ("#ffffff", "#000000"),
    "grey": ("#c8c8c8", "#000000"),
}


def _all(own: Mapping[str, str], hues: Mapping[str, tuple[str, str]]) -> Mapping[str, str]:
    paints = {name: paint for name, (paint, _) in hues.items()}
    return {**own, **paints, **{f"on{name}": letters for name, (_, letters) in hues.items()}}


THEMES: Final = {
    theme: _all(own, _GREYS if theme == "ink" else HUES) for theme, own in _OWN.items()
}
"""Every colour of every theme; ink has only greys, for print."""


def style(theme: str, *drawn: Collection[str]) -> str:
    """The style rules of a theme that the things `drawn` need, each given by its looks: those whose
    every look one of them has. Raises KeyError for an unknown theme."""
    rules, seen = _rules(THEMES[theme]), {frozenset(looks) for looks in drawn}
    return _tight(rule for rule in rules if any(map(_looks(rule).issubset, seen)))


def sheet(colours: Mapping[str, str]) -> str:
    """The whole style sheet in these colours."""
    return _tight(_rules(colours))


def _tight(rules: Iterable[str]) -> str:
    return re.sub(r" *([:;{},]) +", r"\1", " ".join(rules))


def _looks(rule: str) -> frozenset[str]:
    return frozenset(re.findall(r"\.([a-z-]+)", rule.partition("{")[0]))


_SHEET: Final = Path(__file__).with_name("art") / "board.css"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)


def _rules(c: Mapping[str, str]) -> Iterator[str]:
    sheet = Template(_SHEET.read_text(encoding="utf-8")).substitute(c, font=FONT)
    yield from re.sub("\n +", " ", _COMMENT.sub("", sheet)).strip().splitlines()
    for name in HUES:
        paint, letters = c[name], c[f"on{name}"]
        yield f".full.{name} {{ fill: {paint}; color: {letters} }}"
        yield f".full.{name} text {{ fill: {letters}; stroke: {paint} }}"
        yield f".on.{name} text {{ fill: {letters} }}"
        yield f".sign.{name} {{ fill: {letters}; color: {letters} }}"
        yield f".wave.{name} {{ stroke: {letters} }}"
        yield f".pale.{name} {{ stroke: {paint} }}"


LOOKS: Final = frozenset(look for rule in _rules(THEMES["light"]) for look in _looks(rule))
"""All looks that have a style rule; any other look changes nothing."""
