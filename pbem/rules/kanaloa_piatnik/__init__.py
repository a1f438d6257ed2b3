"""Kanaloa, by Günter Burkhardt (Piatnik 2020): a trick-taking race for three to five."""

from pbem.rules.kanaloa_piatnik.changes import evolve
from pbem.rules.kanaloa_piatnik.course import effects, outcome
from pbem.rules.kanaloa_piatnik.facts import DATA, EVENTS, MOVES
from pbem.rules.kanaloa_piatnik.notation import notate, parse
from pbem.rules.kanaloa_piatnik.picture import draw
from pbem.rules.kanaloa_piatnik.position import position
from pbem.rules.kanaloa_piatnik.rules import OUT_OF_TURN, candidates, chances, check, pending, start
from pbem.rules.kanaloa_piatnik.view import view

NAME = "kanaloa-piatnik"
TITLE = "Kanaloa (Piatnik)"
SEATS: tuple[str, ...] = ()
PLAYERS = (3, 5)
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
