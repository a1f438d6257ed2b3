"""Kahuna, by Günter Cornett (Kosmos 1998): two seats, twelve islands, twenty-seven lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.rules.kahuna.board import DATA, SEATS
from pbem.rules.kahuna.check import check
from pbem.rules.kahuna.decisions import KINDS, candidates, chances, parts, pending, unseen
from pbem.rules.kahuna.effects import effects, outcome
from pbem.rules.kahuna.events import EVENTS, OPENS
from pbem.rules.kahuna.evolve import evolve
from pbem.rules.kahuna.moves import MOVES
from pbem.rules.kahuna.notation import NEEDLESS, WORDS, notate, parse
from pbem.rules.kahuna.start import agreed, start
from pbem.rules.kahuna.view import SCHEMA, position, view

if TYPE_CHECKING:
    from pbem.shapes import Scene

NAME = "kahuna"
TITLE = "Kahuna"
PLAYERS = (2, 2)
OUT_OF_TURN = "K-5"
PRIVATE = ("hands",)
IN_PLAY = ("discard", "must_draw", "token_limit")

__all__ = [
    "DATA",
    "EVENTS",
    "IN_PLAY",
    "KINDS",
    "MOVES",
    "NAME",
    "NEEDLESS",
    "OPENS",
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
    "parts",
    "pending",
    "position",
    "scene",
    "start",
    "unseen",
    "view",
]


def draw(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw`; programs need no picture, so they need not load it."""
    from pbem.rules.kahuna.picture import draw

    return draw(view)


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw_narrow`."""
    from pbem.rules.kahuna.picture import draw_narrow

    return draw_narrow(view)


def scene(view: Mapping[str, Any]) -> Scene:
    """See `pbem.core.Game.scene`; few commands draw, so the others need not load it."""
    from pbem.rules.kahuna.shapes import scene

    return scene(view)
