"""Kahuna, by Günter Cornett (Kosmos 1998): two seats, twelve islands, twenty-seven lines."""

from pbem.rules.kahuna.course import effects, evolve, outcome
from pbem.rules.kahuna.facts import DATA, EVENTS, MOVES, SEATS
from pbem.rules.kahuna.notation import notate, parse
from pbem.rules.kahuna.picture import draw
from pbem.rules.kahuna.rules import OUT_OF_TURN, candidates, chances, check, pending, start
from pbem.rules.kahuna.view import position, view

NAME = "kahuna"
TITLE = "Kahuna"
PLAYERS = (2, 2)
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
    "start",
    "view",
]
