"""Kanaloa, by Günter Cornett (Bambus 2001): islands, fish and five gods, for two to four."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.rules.kanaloa_bambus.board import DATA, NAMES
from pbem.rules.kanaloa_bambus.check import check
from pbem.rules.kanaloa_bambus.decisions import KINDS, OUT_OF_TURN, candidates, chances, pending
from pbem.rules.kanaloa_bambus.effects import effects, outcome
from pbem.rules.kanaloa_bambus.events import EVENTS
from pbem.rules.kanaloa_bambus.evolve import evolve
from pbem.rules.kanaloa_bambus.moves import MOVES
from pbem.rules.kanaloa_bambus.notation import NEEDLESS, WORDS, notate, parse
from pbem.rules.kanaloa_bambus.start import agreed, start
from pbem.rules.kanaloa_bambus.view import SCHEMA, position, view

if TYPE_CHECKING:
    from pbem.shapes import Scene

NAME = "kanaloa-bambus"
TITLE = "Kanaloa (Bambus)"
SEATS = ()
PLAYERS = (2, 4)
PRIVATE: tuple[str, ...] = ()
OPEN_INFORMATION = True
CHECK_DECIDES = True  # a hand of 38 offerings allows for 750,000 sacrifices
IN_PLAY = ("eruptions", "free_neutral", "reachable")

__all__ = [
    "CHECK_DECIDES",
    "DATA",
    "EVENTS",
    "IN_PLAY",
    "KINDS",
    "MOVES",
    "NAME",
    "NAMES",
    "NEEDLESS",
    "OPEN_INFORMATION",
    "OUT_OF_TURN",
    "PLAYERS",
    "PRIVATE",
    "SCHEMA",
    "SEATS",
    "TITLE",
    "WORDS",
    "agreed",
    "candidates",
    "chances",
    "check",
    "draw",
    "draw_narrow",
    "effects",
    "evolve",
    "notate",
    "outcome",
    "parse",
    "pending",
    "position",
    "scene",
    "start",
    "view",
]


def draw(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw`; programs need no picture, so they need not load it."""
    from pbem.rules.kanaloa_bambus.picture import draw

    return draw(view)


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw_narrow`."""
    from pbem.rules.kanaloa_bambus.picture import draw_narrow

    return draw_narrow(view)


def scene(view: Mapping[str, Any]) -> Scene:
    """See `pbem.core.Game.scene`; few commands draw, so the others need not load it."""
    from pbem.rules.kanaloa_bambus.shapes import scene

    return scene(view)
