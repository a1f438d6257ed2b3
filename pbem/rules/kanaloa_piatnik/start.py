"""How a match of Kanaloa (Piatnik) begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core import Setup
from pbem.problem import Usage
from pbem.rules.kanaloa_piatnik import board
from pbem.rules.kanaloa_piatnik.board import OCEAN_CARDS, Ocean, left_out
from pbem.rules.kanaloa_piatnik.route import laid, start_field
from pbem.rules.kanaloa_piatnik.state import Rules, Sea, Stage, State, Tally


def start(setup: Setup) -> State:
    """Boats on the start field of a given route, or a route that chance has yet to lay."""
    rules = _rules(setup)
    nothing = (0,) * len(rules.seats)
    tally = Tally(1, rules.starter, rules.starter, nothing, (None,) * len(rules.seats))
    if rules.route is None:
        asked: Stage = "drop" if left_out(len(rules.seats)) else "lay"
        return State(rules, tally, Sea(), asked, rules.seats[rules.starter], nothing)
    route = laid(rules.route)
    removed = tuple(card for card in rules.ocean if card not in route.called)
    sea = Sea(route, (start_field(route),) * len(rules.seats), removed)
    return State(rules, tally, sea, "deal", rules.seats[rules.starter], nothing)


def agreed(s: State, setup: Setup) -> State:
    """See `pbem.core.Game.agreed`."""
    return s._replace(rules=_rules(setup))


def _rules(setup: Setup) -> Rules:
    """The rules a set-up settles. Raises Problem for impossible ocean cards or routes."""
    o = setup.options
    cards = board.ocean(setup.board)
    return Rules(
        seats=setup.seats,
        ocean=cards,
        starter=setup.seats.index(o["starter"]) if o["starter"] else 0,
        route=None if o["route"] is None else _given(o["route"], cards, len(setup.seats)),
        kanaloa_follows=o["kanaloa_lead"] == "first_tiki",
        octopus_follows=o["octopus_lead"] == "first_tiki",
        dolphin_asks=o["dolphin"] == "optional",
        may_decline_move=o["may_decline_move"],
        announce=o["announce"],
        announce_open=o["announce_order"] == "open",
        announce_failure=o["announce_failure"],
        announce_before_removal=o["announce_before_removal"],
    )


def _given(route: Sequence[str], ocean: Mapping[str, Ocean], players: int) -> tuple[Ocean, ...]:
    """The route that the option gives: each card once, the start card among them [P-8, P-9]."""
    cards = tuple(board.read_laid(text, ocean) for text in route)
    needed = OCEAN_CARDS - left_out(players)
    named = {c.card for c in cards}
    if len(cards) != needed or len(named) != needed:
        raise Usage(
            "{players} players sail on {needed} different ocean cards, this route has "
            "{found} [P-8]",
            players=players,
            needed=needed,
            found=len(named),
        )
    if board.start_card(ocean) not in named:
        raise Usage(
            "the route needs {card}, the card with the start field [P-9]",
            card=board.start_card(ocean),
        )
    return cards
