"""Boats on the route: who leads, what is trump, where a boat sails to, who is lapped.

A seat is its number. Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.core import BadFile
from pbem.files import data
from pbem.rules.kanaloa_piatnik.cards import (
    COLOURS,
    FEWEST_OCEAN_CARDS,
    OCEAN_CARDS,
    Colour,
    Ocean,
    Route,
    shorter,
)
from pbem.rules.kanaloa_piatnik.facts import DATA, Sea

# ------------------------------------------------------------------------- the ocean cards


def ocean(board: Mapping[str, Any] | None) -> Mapping[str, Ocean]:
    """The twelve ocean cards of a board file, or our own, by name. Raises Problem if they make no
    set."""
    return _own() if board is None else _read(board)


@cache
def _own() -> Mapping[str, Ocean]:
    return _read(data.game_file(DATA, "board"))


def _read(board: Mapping[str, Any]) -> Mapping[str, Ocean]:
    """Twelve cards, two colours on each, one start field [P-1…P-3]."""
    listing = board.get("ocean")
    if board.get("game") != "kanaloa-piatnik" or not isinstance(listing, list):
        raise BadFile("a board for this game has `game: kanaloa-piatnik` and a list `ocean`")
    listed = list(map(_read_card, listing))
    cards = {c.card: c for c in listed}
    if len(cards) != OCEAN_CARDS or len(listed) != OCEAN_CARDS:
        raise BadFile(
            "there are {ocean_cards} different ocean cards, not {cards} [P-1]",
            ocean_cards=OCEAN_CARDS,
            cards=len(cards),
        )
    starts = [c.card for c in listed if any(c.start)]
    if len(starts) != 1:
        raise BadFile("one ocean card has the start field, not {starts} [P-3]", starts=len(starts))
    return cards


def _read_card(about: Any) -> Ocean:
    if not isinstance(about, dict) or not {"card"} <= {*about} <= _KEYS:
        raise BadFile(
            "an ocean card has {keys:all}; this is {about!r}", keys=sorted(_KEYS), about=about
        )
    card, fields = about["card"], about.get("fields", [])
    if not isinstance(card, str) or not _NAMED.fullmatch(card):
        raise BadFile("ocean cards are called like M01, not {card!r}", card=card)
    if not _two_colours(fields):
        raise BadFile(
            "{card} needs two different colours of {colours:all} [P-2]", card=card, colours=COLOURS
        )
    dolphins, start = about.get("dolphins", []), about.get("start")
    if not isinstance(dolphins, list):
        raise BadFile(
            "the dolphins of {card} are a list of colours, not {dolphins!r}",
            card=card,
            dolphins=dolphins,
        )
    for colour in (*dolphins, *([start] if start else ())):
        if colour not in fields:
            raise BadFile(
                "{card} has no {colour} field, only {fields:all} [P-2]",
                card=card,
                colour=colour,
                fields=fields,
            )
    first, second = fields
    return Ocean(
        card,
        (first, second),
        (first in dolphins, second in dolphins),
        (first == start, second == start),
    )


_KEYS = {"card", "fields", "dolphins", "start"}
_NAMED = re.compile(r"(?!M[1-9]$)[A-Z]{1,3}[0-9]{1,3}")  # `remove M5` is read as M05


def _two_colours(fields: Any) -> bool:
    return (
        isinstance(fields, list)
        and len(fields) == 2
        and fields[0] != fields[1]
        and all(colour in COLOURS for colour in fields)
    )


def start_card(cards: Mapping[str, Ocean]) -> str:
    """The card with the start field."""
    return next(name for name, card in cards.items() if any(card.start))


def free_cards(sea: Sea) -> list[str]:
    """The ocean cards that may be removed now: no boat on either field [P-38], never down to
    fewer than three [P-22]."""
    cards = sea.route.called
    if len(cards) <= FEWEST_OCEAN_CARDS:
        return []
    taken = {boat % (2 * len(cards)) // 2 for boat in sea.boats}
    return [card for n, card in enumerate(cards) if n not in taken]


def without(sea: Sea, card: str) -> Sea:
    """The sea after an ocean card left it: the gap is closed, each boat keeps its field, its
    order and its laps [P-A29]."""
    route = sea.route
    length, field = len(route.colours), 2 * route.called.index(card)
    boats = tuple(
        boat - 2 * (boat // length) - (2 if boat % length > field else 0) for boat in sea.boats
    )
    return Sea(shorter(route, card), boats, (*sea.removed, card))


# -------------------------------------------------------------------------------- the race


def leader(sea: Sea) -> int | None:
    """Who leads; None while boats share the lead on the start field [P-A18, P-A20]."""
    first = max(sea.boats, default=0)
    return sea.boats.index(first) if sea.boats.count(first) == 1 else None


def last(sea: Sea) -> list[int]:
    """Whose boats have sailed least."""
    least = min(sea.boats, default=0)
    return [seat for seat, boat in enumerate(sea.boats) if boat == least]


def trump(sea: Sea) -> Colour:
    """The colour under the leading boat [P-19]."""
    colours = sea.route.colours
    return colours[max(sea.boats) % len(colours)]


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
    """Whom the boat has sailed past a lap ahead: the last of the others, or nobody [P-A19]."""
    boats, length = sea.boats, len(sea.route.colours)
    if boats[seat] <= length:
        return None
    others = boats[:seat] + boats[seat + 1 :]
    least = min(others)
    if boats[seat] <= least + length:
        return None
    behind = others.index(least)
    return behind if behind < seat else behind + 1


def start_field(route: Route) -> int:
    """The index of the start field."""
    return route.start.index(True)
