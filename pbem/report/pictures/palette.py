"""What each look is painted with, in a light and a dark theme.

The colours of players and suits are Okabe and Ito's, which colour-blind people can tell apart;
none of them stands without an outline, a pattern or a letter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

FONT: Final = "'DejaVu Sans', Verdana, sans-serif"

_INK, _PAPER = "#1b2630", "#fbfaf6"

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
        "mark": "#b0127b",
        "back": "#3d6b80",
        "onback": "#ffffff",
        "ash": "#b9aaa0",
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
        "mark": "#ff8ad1",
        "back": "#47708a",
        "onback": "#ffffff",
        "ash": "#93857c",
    },
}

_PARTS: Final = frozenset(("casing", "core", "stripe", "halo", "glow", "rim", "note"))
"""What things are painted of, whatever they look like."""


def style(theme: str, looks: Collection[str]) -> str:
    """What these looks need of a theme's style sheet. Raises KeyError for an unknown theme."""
    known = _PARTS.union(looks)
    rules = _rules(THEMES[theme])
    used = (rule for rule in rules if known.issuperset(_looks(rule.partition("{")[0])))
    return re.sub(r" *([:;{}]) +", r"\1", " ".join(used))


def sheet(colours: Mapping[str, str]) -> str:
    """The whole style sheet in these colours."""
    return " ".join(_rules(colours))


def _looks(selector: str) -> list[str]:
    return re.findall(r"\.([a-z]+)", selector)


def _rules(c: Mapping[str, str]) -> Iterator[str]:
    yield from f"""
text {{ font-family: {FONT}; font-size: 24px; fill: {c["ink"]}; text-anchor: middle }}
.text text {{ text-anchor: start }}
.text.middle text {{ text-anchor: middle }}
.mono text {{ text-anchor: middle; font-size: 22px }}
.faint text {{ fill: {c["faint"]}; font-size: 22px }}
.strong text {{ font-weight: bold }}
.dark text {{ fill: {_INK} }}
.sea {{ fill: {c["sea"]} }}
.panel {{ fill: {c["panel"]} }}
.shallow {{ fill: {c["shallow"]} }}
.island {{ fill: {c["sand"]}; stroke: {c["shore"]}; stroke-width: 2 }}
.island text {{ fill: {_INK}; stroke: none; font-weight: bold }}
.isle {{ fill: {c["sand"]}; stroke: {c["shallow"]}; stroke-width: 14; paint-order: stroke }}
.isle.shut {{ fill: {c["ash"]}; stroke: #ff7a1a; stroke-width: 5; stroke-dasharray: 4 8 }}
.way {{ stroke: {c["free"]}; stroke-width: 3; stroke-dasharray: 2 9; stroke-linecap: round }}
.bridge .casing {{ stroke: {_INK}; stroke-width: 15; stroke-linecap: round }}
.bridge .core {{ stroke-width: 10; stroke-linecap: round }}
.bridge.white .core {{ stroke: #ffffff }}
.bridge.black .core {{ stroke: {_INK} }}
.bridge.black .casing {{ stroke: #ffffff }}
.bridge.black .stripe {{ stroke: #ffffff; stroke-width: 2; stroke-dasharray: 3 9 }}
.stone {{ stroke: {_INK}; stroke-width: 3 }}
.stone text {{ stroke: none; font-weight: bold; font-size: 22px }}
.stone.white {{ fill: #ffffff }}
.stone.white text {{ fill: {_INK} }}
.stone.black {{ fill: {_INK}; stroke: #ffffff }}
.stone.black text {{ fill: #ffffff }}
.full {{ stroke: {_INK}; stroke-width: 3; stroke-linejoin: round }}
.full text {{ stroke-width: 5; paint-order: stroke; font-weight: bold; font-size: 22px }}
.pale {{ fill: #ffffff; stroke-width: 5; stroke-linejoin: round }}
.pale .rim {{ stroke: {_INK}; stroke-width: 9 }}
.pale text {{ fill: {_INK}; stroke: #ffffff; paint-order: stroke }}
.pale text {{ font-weight: bold; font-size: 22px }}
.bar text {{ font-weight: normal }}
.bar text.note {{ font-weight: bold }}
.stunned {{ stroke-dasharray: 4 4 }}
.volcano {{ fill: #5b4a42; stroke: #ffffff; stroke-width: 2; stroke-linejoin: round }}
.sign {{ fill: {c["ink"]} }}
.wave {{ stroke-width: 4; stroke-linecap: round }}
.ocean {{ fill: {c["shallow"]}; stroke: {c["shallow"]}; stroke-width: 6; stroke-linejoin: round }}
.full.black {{ stroke: #ffffff }}
.on text {{ font-weight: bold; font-size: 22px }}
.card {{ fill: #ffffff; stroke: {_INK}; stroke-width: 2 }}
.card text {{ fill: {_INK}; stroke: none; font-size: 23px }}
.card.back {{ fill: {c["back"]}; stroke: {c["onback"]} }}
.card.back text {{ fill: {c["onback"]} }}
.chip {{ fill: #ffffff; stroke: {_INK}; stroke-width: 2 }}
.chip text {{ fill: {_INK}; stroke: none; font-weight: bold; font-size: 22px }}
text.note {{ font-size: 22px }}
.turn circle {{ stroke: {c["mark"]}; stroke-width: 6 }}
.new .halo {{ stroke: {c["mark"]}; stroke-width: 6; fill: none; stroke-linecap: round }}
.new rect.halo {{ stroke-width: 4 }}
.new .glow {{ stroke: {c["mark"]}; stroke-width: 14; stroke-linejoin: round }}
.pale.new .glow {{ stroke-width: 19 }}
.rule .core {{ stroke: {c["rule"]}; stroke-width: 2 }}
""".strip().splitlines()
    for name, (paint, letters) in HUES.items():
        yield f".full.{name} {{ fill: {paint} }}"
        yield f".full.{name} text {{ fill: {letters}; stroke: {paint} }}"
        yield f".on.{name} text {{ fill: {letters} }}"
        yield f".sign.{name} {{ fill: {letters} }}"
        yield f".wave.{name} {{ stroke: {letters} }}"
        yield f".pale.{name} {{ stroke: {paint} }}"
