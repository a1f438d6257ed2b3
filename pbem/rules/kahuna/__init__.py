"""Kahuna, by Günter Cornett (Kosmos 1998): two seats, twelve islands, twenty-seven lines."""

from pbem.rules.kahuna.board import DATA, SEATS
from pbem.rules.kahuna.check import check
from pbem.rules.kahuna.decisions import candidates, chances, pending
from pbem.rules.kahuna.effects import effects, outcome
from pbem.rules.kahuna.events import EVENTS
from pbem.rules.kahuna.evolve import evolve
from pbem.rules.kahuna.moves import MOVES
from pbem.rules.kahuna.notation import notate, parse
from pbem.rules.kahuna.picture import draw
from pbem.rules.kahuna.scene import scene
from pbem.rules.kahuna.start import start
from pbem.rules.kahuna.view import position, view

NAME = "kahuna"
TITLE = "Kahuna"
PLAYERS = (2, 2)
OUT_OF_TURN = "K-5"
PRIVATE = ("hands",)

__all__ = [
    "DATA",
    "EVENTS",
    "MOVES",
    "NAME",
    "OUT_OF_TURN",
    "PLAYERS",
    "PRIVATE",
    "SEATS",
    "TITLE",
    "candidates",
    "chances",
    "check",
    "draw",
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
