"""One trick: what has to be followed, and who takes it.

Rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from functools import cache

from pbem.rules.kanaloa_piatnik import board
from pbem.rules.kanaloa_piatnik.cards import SUIT
from pbem.rules.kanaloa_piatnik.state import Rules


def led(rules: Rules, table: tuple[board.Card, ...]) -> board.Colour | None:
    """The colour that decides, that of the first Tiki [P-24, P-A6].

    There is none if a Kanaloa was led, unless by option the first Tiki sets one [P-A5].
    """
    if table and table[0] == board.KANALOA and not rules.kanaloa_follows:
        return None
    return next((board.COLOUR[card] for card in table if card in board.COLOUR), None)


def to_follow(rules: Rules, table: tuple[board.Card, ...]) -> board.Colour | None:
    """The colour that those who hold it must play [P-27]."""
    if not table or (table[0] == board.OCTOPUS and not rules.octopus_follows):
        return None
    return board.COLOUR.get(table[0]) or led(rules, table)


def barred(hand: int, colour: board.Colour | None) -> int:
    """The cards that this hand may not play because it has to follow a colour [P-27, P-28].

    Kanaloa and octopus are never among them [P-32, P-35].
    """
    return _OTHERS[colour] if colour and hand & SUIT[colour] else 0


_OTHERS = {c: sum(SUIT[other] for other in board.COLOURS if other != c) for c in board.COLOURS}


def winner(table: tuple[board.Card, ...], trump: board.Colour) -> int:
    """The place in the trick of the card that takes it."""
    if board.KANALOA in table:
        return len(table) - 1 - table[::-1].index(board.KANALOA)  # the last one [P-34]
    colour = next(board.COLOUR[card] for card in table if card in board.COLOUR)
    strength = _strength(colour, trump)
    best = [strength[card] for card in table]
    return best.index(max(best))


@cache
def _strength(led: board.Colour, trump: board.Colour) -> dict[board.Card, int]:
    """How high each card ranks: trumps above the led colour above nothing [P-24, P-31, P-A4]."""
    rank = {card: board.VALUE[card] for card in board.TIKIS if board.COLOUR[card] == led}
    trumps = {card: board.VALUE[card] + 100 for card in board.TIKIS if board.COLOUR[card] == trump}
    return {**dict.fromkeys((*board.TIKIS, board.OCTOPUS), 0), **rank, **trumps}
