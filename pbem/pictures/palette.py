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

HUES: Final = tuple("red yellow green blue turquoise orange purple black white grey".split())
"""The colours of seats and suits."""

_ART: Final = Path(__file__).with_name("art")


def _themes() -> Iterator[tuple[str, Mapping[str, str]]]:
    light: Mapping[str, str] = {}
    sheet = (_ART / "themes.css").read_text(encoding="utf-8")
    for theme, colours in re.findall(r"\.(\w+) \{(.*?)\}", sheet, re.DOTALL):
        own = {**light, **dict(re.findall(r"--(\w+): (#\w+);", colours))}
        light = light or own
        yield theme, own


THEMES: Final = dict(_themes())
"""Every colour of every theme."""


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


_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)


def _rules(c: Mapping[str, str]) -> Iterator[str]:
    sheet = Template((_ART / "board.css").read_text(encoding="utf-8")).substitute(c, font=FONT)
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
