"""How a match of Kahuna is set up."""

from __future__ import annotations

from pbem.core import Setup
from pbem.problem import Usage
from pbem.rules.kahuna.board import CARDS, DISPLAY, SEAT, SEATS
from pbem.rules.kahuna.state import Rules, State


def rules_of(setup: Setup) -> Rules:
    """The rules a set-up settles. Raises Problem for a board that is not the printed one."""
    if setup.board is not None:
        raise Usage("Kahuna is played on its own board only; leave out --board")
    o = setup.options
    limit = o["token_limit"]
    return Rules(
        starter=SEAT[o["starter"] or setup.seats[0]],
        discard=o["discard"],
        must_draw=o["must_draw"],
        variant1=o["variant1"],
        variant2=o["variant2"],
        token_limit=None if limit == "none" else int(limit),
        premature_at_round_start=o["premature_at_round_start"],
        premature_for=o["premature_for"],
    )


def start(setup: Setup) -> State:
    """An empty board; nine cards are owed, the starter's first [K-3]."""
    rules = rules_of(setup)
    first, second = SEATS[rules.starter], SEATS[1 - rules.starter]
    granted = setup.options["handicap"]
    return State(
        rules,
        turn=rules.starter,
        handicap=(granted.get("white", 0), granted.get("black", 0)),
        owed=(first,) * 3 + (second,) * 3 + (DISPLAY,) * 3,
        deck=CARDS,
    )


def agreed(s: State, setup: Setup) -> State:
    """See `pbem.core.Game.agreed`."""
    return s._replace(rules=rules_of(setup))
