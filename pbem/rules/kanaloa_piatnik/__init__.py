"""Kanaloa, by Günter Burkhardt (Piatnik 2020): a trick-taking race for three to five."""

from __future__ import annotations

from pbem.rules.kanaloa_piatnik.board import DATA
from pbem.rules.kanaloa_piatnik.check import check
from pbem.rules.kanaloa_piatnik.decisions import (
    KINDS,
    OUT_OF_TURN,
    candidates,
    chances,
    forced,
    named,
    parts,
    pending,
    unseen,
)
from pbem.rules.kanaloa_piatnik.effects import effects, outcome, standing
from pbem.rules.kanaloa_piatnik.events import EVENTS, OPENS
from pbem.rules.kanaloa_piatnik.evolve import evolve
from pbem.rules.kanaloa_piatnik.moves import MOVES
from pbem.rules.kanaloa_piatnik.notation import NEEDLESS, WORDS, notate, parse
from pbem.rules.kanaloa_piatnik.start import agreed, start
from pbem.rules.kanaloa_piatnik.view import PRIVATE, SCHEMA, position, private, view
from pbem.views import pictured

NAME = "kanaloa-piatnik"
TITLE = "Kanaloa (Piatnik)"
SEATS: tuple[str, ...] = ()
PLAYERS = (3, 5)
WAITS = ("card", "remove")
IN_PLAY = ("may_decline_move",)

draw, draw_narrow, scene = pictured(__name__)
