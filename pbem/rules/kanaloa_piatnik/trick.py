"""One trick: what has to be followed, and who takes it.

Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from functools import cache

from pbem.rules.kanaloa_piatnik.board import (
    COLOUR,
    COLOURS,
    KANALOA,
    OCTOPUS,
    TIKIS,
    VALUE,
    Card,
    Colour,
)
from pbem.rules.kanaloa_piatnik.cards import SUIT
from pbem.rules.kanaloa_piatnik.state import Rules


def led(rules: Rules, table: tuple[Card, ...]) -> Colour | None:
    """The colour that decides, that of the first Tiki [P-24, P-A6].

    There is none if a Kanaloa was led, unless by option the first Tiki sets one [P-A5].
    """
    if table and table[0] == KANALOA and not rules.kanaloa_follows:
        return None
    return next((COLOUR[card] for card in table if card in COLOUR), None)


def to_follow(rules: Rules, table: tuple[Card, ...]) -> Colour | None:
    """The colour that those who hold it must play [P-27]."""
    if not table or (table[0] == OCTOPUS and not rules.octopus_follows):
        return None
    return COLOUR.get(table[0]) or led(rules, table)


def barred(hand: int, colour: Colour | None) -> int:
    """The cards that this hand may not play because it has to follow a colour [P-27, P-28].

    Kanaloa and octopus are never among them [P-32, P-35].
    """
    return _OTHERS[colour] if colour and hand & SUIT[colour] else 0


_OTHERS = {c: sum(SUIT[other] for other in COLOURS if other != c) for c in COLOURS}


def winner(table: tuple[Card, ...], trump: Colour) -> int:
    """The place in the trick of the card that takes it."""
    if KANALOA in table:
        return len(table) - 1 - table[::-1].index(KANALOA)  # the last one [P-34]
    colour = next(COLOUR[card] for card in table if card in COLOUR)
    strength = _strength(colour, trump)
    best = [strength[card] for card in table]
    return best.index(max(best))


@cache
def _strength(led: Colour, trump: Colour) -> dict[Card, int]:
    """How high each card ranks: trumps above the led colour above nothing [P-24, P-31, P-A4]."""
    rank = {card: VALUE[card] for card in TIKIS if COLOUR[card] == led}
    trumps = {card: VALUE[card] + 100 for card in TIKIS if COLOUR[card] == trump}
    return {**dict.fromkeys((*TIKIS, OCTOPUS), 0), **rank, **trumps}
