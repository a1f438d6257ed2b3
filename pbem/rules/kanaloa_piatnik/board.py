"""What is printed: the cards, the ocean cards, and what a field of a log may hold.

Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from pbem.core import NAME, Domain, one_of
from pbem.files import data
from pbem.problem import BadFile, Usage
from pbem.sentence import Sentence, say

DATA: Final = data.game_folder("kanaloa-piatnik")

Card = str
Colour = str

# ------------------------------------------------------------------------ the cards [P-1, P-5]

COLOURS: Final[tuple[Colour, ...]] = ("blue", "red", "green", "turquoise")
COLOUR_SAYS: Final[Mapping[Colour, Sentence]] = {
    "blue": say("blue"),
    "red": say("red"),
    "green": say("green"),
    "turquoise": say("turquoise"),
}
"""A colour in a sentence; in a card's name, which is a move, it stays as it is."""
FIRST_TRUMP: Final[Colour] = "blue"
HIGHEST: Final = 12
KANALOA: Final = "kanaloa"
OCTOPUS: Final = "octopus"
TIKIS: Final[tuple[Card, ...]] = tuple(f"{c} {n}" for c in COLOURS for n in range(1, HIGHEST + 1))
CARDS: Final[tuple[Card, ...]] = (*TIKIS, KANALOA, OCTOPUS)
COPIES: Final[dict[Card, int]] = {**dict.fromkeys(TIKIS, 1), KANALOA: 3, OCTOPUS: 2}
HAND: Final = 8
TRICKS: Final = 8
OCEAN_CARDS: Final = 12
FEWEST_OCEAN_CARDS: Final = 3
BONUS: Final = 3
"""The fields that a kept announcement is worth [P-46]."""

COLOUR: Final[dict[Card, Colour]] = {card: card.split()[0] for card in TIKIS}
VALUE: Final[dict[Card, int]] = {card: int(card.split()[1]) for card in TIKIS}


# ------------------------------------------------------------------- the ocean cards [P-2, P-3]


class Ocean(NamedTuple):
    """An ocean card as it lies: its two fields in sailing order."""

    card: str
    fields: tuple[Colour, Colour]
    dolphins: tuple[bool, bool] = (False, False)
    start: tuple[bool, bool] = (False, False)

    def turned(self) -> Ocean:
        """The card the other way round."""
        return Ocean(self.card, self.fields[::-1], self.dolphins[::-1], self.start[::-1])


def ocean(board: Mapping[str, Any] | None) -> Mapping[str, Ocean]:
    """The twelve ocean cards by name: those of a board file, or the project's own.

    Raises Problem if they are not a whole set.
    """
    return _own() if board is None else _read(board)


@cache
def _own() -> Mapping[str, Ocean]:
    return _read(data.game_file(DATA, "board"))


def _read(board: Mapping[str, Any]) -> Mapping[str, Ocean]:
    """Twelve cards, two colours on each, one start field [P-1…P-3]."""
    listing = board.get("ocean")
    if board.get("game") != "kanaloa-piatnik" or not isinstance(listing, list):
        raise BadFile("a board for this game has `game: kanaloa-piatnik` and a list `ocean`")
    if not isinstance(note := board.get("note", ""), str):
        raise BadFile("the `note` of a board is text, not {note!r}", note=note)
    listed = list(map(_read_card, listing))
    cards = {c.card: c for c in listed}
    if len(cards) != OCEAN_CARDS or len(listed) != OCEAN_CARDS:
        raise BadFile(
            "a set has {needed} different ocean cards, this one has {found} [P-1]",
            needed=OCEAN_CARDS,
            found=len(cards),
        )
    starts = [c.card for c in listed if any(c.start)]
    if len(starts) != 1:
        raise BadFile("a set has one start field, this one has {n} [P-3]", n=len(starts))
    return cards


def _read_card(about: Any) -> Ocean:
    if not isinstance(about, dict) or not {"card"} <= {*about} <= {*_KEYS}:
        raise BadFile(
            "an ocean card is described by {keys:all}, not by {about!r}", keys=_KEYS, about=about
        )
    card, fields = about["card"], about.get("fields", [])
    if not isinstance(card, str) or not _NAMED.fullmatch(card):
        raise BadFile("an ocean card has a name like M01, not {card!r}", card=card)
    if not _two_colours(fields):
        raise BadFile(
            "{card} needs two different colours out of {colours:all} [P-2]",
            card=card,
            colours=COLOURS,
        )
    dolphins, start = about.get("dolphins", []), about.get("start")
    if not isinstance(dolphins, list):
        raise BadFile(
            "`dolphins` of {card} is a list of colours, not {dolphins!r}",
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


_KEYS = ("card", "fields", "dolphins", "start")
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


def read_laid(text: str, ocean: Mapping[str, Ocean]) -> Ocean:
    """An ocean card as it lies, from `M04` or `M04 turned`. Raises Problem."""
    name, _, way = text.strip().partition(" ")
    card = ocean.get(name.upper())
    if card is None or way.strip() not in ("", "turned"):
        raise Usage(
            "there is no ocean card {text!r}; write one of {cards:all}, or {card} turned",
            text=text,
            cards=ocean,
            card=start_card(ocean),
        )
    return card.turned() if way else card


def left_out(players: int) -> int:
    """How many ocean cards are left out [P-8]."""
    return 5 - players


# ------------------------------------------------------------ what a field of a log may hold

ALL_SEATS: Final = "ALL"
"""Who may know an open announcement: no seat is called this, so it is hidden from nobody."""

A_CARD: Final = one_of("a card", CARDS)
A_COLOUR: Final = one_of("a colour", COLOURS)
AN_OFFER: Final = one_of("dolphin, move or bonus", ("dolphin", "move", "bonus"))
AN_OCCASION: Final = one_of("octopus or round", ("octopus", "round"))
A_RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("P-"), 8)
AN_OCEAN_CARD: Final = Domain(
    "an ocean card", NAME.accepts, 8, tuple(f"M{n:02}" for n in range(1, OCEAN_CARDS + 1))
)
"""Its values are those of the project's own board; a board file may have others."""
