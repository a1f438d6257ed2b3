"""The race: who leads, what is trump, where a boat sails to, who is lapped, what can be removed.

A seat is its number. Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from pbem.rules.kanaloa_piatnik.board import FEWEST_OCEAN_CARDS, FIRST_TRUMP, Colour
from pbem.rules.kanaloa_piatnik.route import shorter
from pbem.rules.kanaloa_piatnik.state import Sea

# -------------------------------------------------------------------------------- the race


def leader(sea: Sea) -> int | None:
    """The seat that leads; None while all boats are on the start field [P-A18, P-A20]."""
    first = max(sea.boats, default=0)
    return sea.boats.index(first) if sea.boats.count(first) == 1 else None


def last(sea: Sea) -> list[int]:
    """The seats whose boats have sailed least."""
    least = min(sea.boats, default=0)
    return [seat for seat, boat in enumerate(sea.boats) if boat == least]


def trump(sea: Sea) -> Colour:
    """The colour under the leading boat [P-19]; blue while all are on the start field [P-30]."""
    boats, colours = sea.boats, sea.route.colours
    first = max(boats)
    return FIRST_TRUMP if boats.count(first) > 1 else colours[first % len(colours)]


def moved(sea: Sea, seat: int) -> Sea:
    """The sea after one step of a boat: occupied fields are skipped [P-16, P-17]."""
    boats = sea.boats
    length = len(sea.route.colours)
    others = boats[:seat] + boats[seat + 1 :]
    taken = [boat % length for boat in others]
    to = boats[seat] + 1
    while to % length in taken:
        to += 1
    return Sea(sea.route, (*boats[:seat], to, *boats[seat + 1 :]), sea.removed)


def dolphin_helps(sea: Sea, seat: int) -> bool:
    """Is the boat on a field with a dolphin, alone [P-41]?"""
    boat, dolphins = sea.boats[seat], sea.route.dolphins
    length = len(dolphins)
    if not dolphins[boat % length]:
        return False
    near = ((boat - 1) % length, (boat + 1) % length)
    return not any(other % length in near for other in sea.boats)


def lapped(sea: Sea, seat: int) -> int | None:
    """The last of the other seats, if this one's boat has lapped theirs [P-A19]."""
    boats, length = sea.boats, len(sea.route.colours)
    if boats[seat] <= length:
        return None
    others = boats[:seat] + boats[seat + 1 :]
    least = min(others)
    if boats[seat] <= least + length:
        return None
    behind = others.index(least)
    return behind if behind < seat else behind + 1


# ------------------------------------------------------------------------ a shorter route


def free_cards(sea: Sea) -> list[str]:
    """The ocean cards that may be removed now.

    No boat is on either of their fields [P-38], and three always stay [P-22, P-A10].
    """
    cards = sea.route.called
    if len(cards) <= FEWEST_OCEAN_CARDS:
        return []
    taken = {boat % (2 * len(cards)) // 2 for boat in sea.boats}
    return [card for n, card in enumerate(cards) if n not in taken]


def without(sea: Sea, card: str) -> Sea:
    """The sea without an ocean card, the gap closed.

    Each boat keeps its field, its order and its laps [P-A29].
    """
    route = sea.route
    length, field = len(route.colours), 2 * route.called.index(card)
    boats = tuple(
        boat - 2 * (boat // length) - (2 if boat % length > field else 0) for boat in sea.boats
    )
    return Sea(shorter(route, card), boats, (*sea.removed, card))
