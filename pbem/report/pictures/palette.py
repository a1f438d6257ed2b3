"""What each look is painted with, in a light and a dark theme.

The colours of players and suits are Okabe and Ito's, which colour-blind people can tell apart;
none of them stands without an outline, a pattern or a letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FONT: Final = "'DejaVu Sans', Verdana, sans-serif"

_INK, _PAPER = "#1b2630", "#fbfaf6"

THEMES: Final = {
    "light": {
        "sea": "#cfe3ec",
        "shallow": "#e3f0f4",
        "sand": "#f3e6c8",
        "shore": "#a98d5d",
        "ink": _INK,
        "faint": "#52646f",
        "panel": _PAPER,
        "rule": "#c9c4b6",
        "free": "#8fb0bf",
        "mark": "#d55e00",
        "back": "#3d6b80",
        "onback": "#ffffff",
    },
    "dark": {
        "sea": "#16303d",
        "shallow": "#1f4252",
        "sand": "#d9c79d",
        "shore": "#7d6a45",
        "ink": "#eef2f3",
        "faint": "#a9bac2",
        "panel": "#0f1c24",
        "rule": "#324650",
        "free": "#4b7183",
        "mark": "#ff9d4d",
        "back": "#56809a",
        "onback": "#ffffff",
    },
}


def style(theme: str) -> str:
    """The style sheet of a theme. Raises KeyError for an unknown one."""
    return sheet(THEMES[theme])


def sheet(c: Mapping[str, str]) -> str:
    """The style sheet in these colours."""
    return " ".join(
        line.strip()
        for line in f"""
        text {{ font-family: {FONT}; font-size: 24px; fill: {c["ink"]}; text-anchor: middle }}
        .text text {{ text-anchor: start }}
        .mono text {{ font-family: 'DejaVu Sans Mono', monospace; white-space: pre }}
        .note {{ font-size: 20px }}
        .faint text {{ fill: {c["faint"]}; font-size: 22px }}
        .strong text {{ font-weight: bold }}
        .sea {{ fill: {c["sea"]} }} .panel {{ fill: {c["panel"]} }}
        .shallow {{ fill: {c["shallow"]} }}
        .island {{ fill: {c["sand"]}; stroke: {c["shore"]}; stroke-width: 2 }}
        .island text {{ fill: {_INK}; stroke: none; font-weight: bold }}
        .way .core {{ stroke: {c["free"]}; stroke-width: 3; stroke-dasharray: 2 9;
            stroke-linecap: round }}
        .bridge .casing {{ stroke: {_INK}; stroke-width: 15; stroke-linecap: round }}
        .bridge .core {{ stroke-width: 10; stroke-linecap: round }}
        .bridge.white .core {{ stroke: #ffffff }}
        .bridge.black .core {{ stroke: {_INK} }}
        .bridge.black .casing {{ stroke: #ffffff }}
        .bridge.black .stripe {{ stroke: #ffffff; stroke-width: 2; stroke-dasharray: 3 9 }}
        .stone {{ stroke: {_INK}; stroke-width: 3 }} .stone text {{ stroke: none; font-weight: bold;
            font-size: 22px }}
        .stone.white {{ fill: #ffffff }} .stone.white text {{ fill: {_INK} }}
        .stone.black {{ fill: {_INK}; stroke: #ffffff }} .stone.black text {{ fill: #ffffff }}
        .card {{ fill: #ffffff; stroke: {_INK}; stroke-width: 2 }}
        .card text {{ fill: {_INK}; stroke: none; font-size: 23px }}
        .card.back {{ fill: {c["back"]}; stroke: {c["onback"]} }}
        .card.back text {{ fill: {c["onback"]} }}
        .turn circle {{ stroke: {c["mark"]}; stroke-width: 6 }}
        .new .halo {{ stroke: {c["mark"]}; stroke-width: 6; fill: none; stroke-linecap: round }}
        .rule .core {{ stroke: {c["rule"]}; stroke-width: 2 }}
        """.strip().splitlines()
    )
