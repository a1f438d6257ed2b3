"""What is printed: the cards, the ocean cards, and what a field of a log may hold.

Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from pbem.core import NAME, Domain, one_of
from pbem.files import data, yamlio
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

    Raises Problem if the file does not obey its schema, or they are not a whole set.
    """
    if board is None:
        return _own()
    for key, said in yamlio.misfits(board, data.schema_text("board-kanaloa-piatnik")):
        raise BadFile("{key}: {said}", key=key or "board", said=said)
    return _read(board)


@cache
def _own() -> Mapping[str, Ocean]:
    return _read(data.game_file(DATA, "board"))


def _read(board: Mapping[str, Any]) -> Mapping[str, Ocean]:
    """Twelve cards, two colours on each, one start field [P-1…P-3]."""
    listed = list(map(_read_card, board["ocean"]))
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


def _read_card(about: Mapping[str, Any]) -> Ocean:
    card, (first, second) = about["card"], about["fields"]
    dolphins, start = about.get("dolphins", []), about.get("start")
    for colour in (*dolphins, *([start] if start else ())):
        if colour not in (first, second):
            raise BadFile(
                "{card} has no {colour} field, only {fields:all} [P-2]",
                card=card,
                colour=colour,
                fields=(first, second),
            )
    return Ocean(
        card,
        (first, second),
        (first in dolphins, second in dolphins),
        (first == start, second == start),
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
