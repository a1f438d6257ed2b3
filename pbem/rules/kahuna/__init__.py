"""Kahuna, by Günter Cornett (Kosmos 1998): two seats, twelve islands, twenty-seven lines."""

from __future__ import annotations

from pbem.rules.kahuna.board import DATA, SEATS
from pbem.rules.kahuna.check import check
from pbem.rules.kahuna.decisions import KINDS, candidates, chances, named, parts, pending, unseen
from pbem.rules.kahuna.effects import effects, outcome, standing
from pbem.rules.kahuna.events import EVENTS, OPENS
from pbem.rules.kahuna.evolve import evolve
from pbem.rules.kahuna.moves import MOVES
from pbem.rules.kahuna.notation import NEEDLESS, WORDS, notate, parse
from pbem.rules.kahuna.start import agreed, start
from pbem.rules.kahuna.view import SCHEMA, position, view
from pbem.views import pictured

NAME = "kahuna"
TITLE = "Kahuna"
PLAYERS = (2, 2)
OUT_OF_TURN = "K-5"
WAITS = ("turn",)
PRIVATE = ("hands",)
IN_PLAY = ("discard", "must_draw", "token_limit")

draw, draw_narrow, scene = pictured(__name__)
