"""Kanaloa, by Günter Burkhardt (Piatnik 2020): a trick-taking race for three to five."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.rules.kanaloa_piatnik.board import DATA
from pbem.rules.kanaloa_piatnik.check import check
from pbem.rules.kanaloa_piatnik.decisions import (
    KINDS,
    OUT_OF_TURN,
    candidates,
    chances,
    forced,
    parts,
    pending,
    unseen,
)
from pbem.rules.kanaloa_piatnik.effects import effects, outcome
from pbem.rules.kanaloa_piatnik.events import EVENTS, OPENS
from pbem.rules.kanaloa_piatnik.evolve import evolve
from pbem.rules.kanaloa_piatnik.moves import MOVES
from pbem.rules.kanaloa_piatnik.notation import WORDS, notate, parse
from pbem.rules.kanaloa_piatnik.start import agreed, start
from pbem.rules.kanaloa_piatnik.view import SCHEMA, position, view

if TYPE_CHECKING:
    from pbem.shapes import Scene

NAME = "kanaloa-piatnik"
TITLE = "Kanaloa (Piatnik)"
SEATS: tuple[str, ...] = ()
PLAYERS = (3, 5)
PRIVATE = ("hands",)
IN_PLAY = ("may_decline_move",)

__all__ = [
    "DATA",
    "EVENTS",
    "IN_PLAY",
    "KINDS",
    "MOVES",
    "NAME",
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
    "forced",
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
    from pbem.rules.kanaloa_piatnik.picture import draw

    return draw(view)


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """See `pbem.core.Game.draw_narrow`."""
    from pbem.rules.kanaloa_piatnik.picture import draw_narrow

    return draw_narrow(view)


def scene(view: Mapping[str, Any]) -> Scene:
    """See `pbem.core.Game.scene`; few commands draw, so the others need not load it."""
    from pbem.rules.kanaloa_piatnik.shapes import scene

    return scene(view)
