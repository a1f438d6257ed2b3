"""Kanaloa, by Günter Cornett (Bambus 2001): islands, fish and five gods, for two to four."""

from __future__ import annotations

from pbem.rules.kanaloa_bambus.board import DATA, NAMES
from pbem.rules.kanaloa_bambus.check import check
from pbem.rules.kanaloa_bambus.decisions import KINDS, OUT_OF_TURN, candidates, chances, pending
from pbem.rules.kanaloa_bambus.effects import effects, outcome, standing
from pbem.rules.kanaloa_bambus.events import EVENTS
from pbem.rules.kanaloa_bambus.evolve import evolve
from pbem.rules.kanaloa_bambus.moves import MOVES
from pbem.rules.kanaloa_bambus.notation import NEEDLESS, WORDS, notate, parse
from pbem.rules.kanaloa_bambus.start import agreed, start
from pbem.rules.kanaloa_bambus.view import SCHEMA, position, view
from pbem.views import pictured

NAME = "kanaloa-bambus"
TITLE = "Kanaloa (Bambus)"
SEATS = ()
PLAYERS = (2, 4)
WAITS = ("neutral", "fish", "pawn", "turn", "landing", "give", "take", "volcano", "withdraw")
PRIVATE: tuple[str, ...] = ()
OPEN_INFORMATION = True
CHECK_DECIDES = True  # a hand of 38 offerings allows for 750,000 sacrifices
IN_PLAY = ("eruptions", "free_neutral", "reachable")

draw, draw_narrow, scene = pictured(__name__)
