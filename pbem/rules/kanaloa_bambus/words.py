"""What may stand in the fields of a move or an event of Kanaloa (Bambus)."""

from __future__ import annotations

from typing import Final

from pbem import data
from pbem.core import Domain, one_of
from pbem.rules.kanaloa_bambus.tiles import GODS, TEMPLES, TILES, VOLCANO

DATA: Final = data.game_folder("kanaloa-bambus")
DOLPHIN: Final = "dolphin"
SIDES: Final = ("colour", "white")


def _is_island(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"


def _is_way(value: object) -> bool:
    if not isinstance(value, str):
        return False
    tail, _, head = value.partition("-")
    return _is_island(tail) and _is_island(head) and tail != head


def _is_site(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 12 and all(map(_is_island, value))


ISLAND: Final = Domain("an island's letter", _is_island, 3)
PLACE: Final = Domain("an island's letter or dolphin", lambda v: v == DOLPHIN or _is_island(v), 9)
WAY: Final = Domain("a current from tail to head, like A-E", _is_way, 5)
SITE: Final = Domain("an island or a sea space, like K or AEH", _is_site, 14)
SIDE: Final = one_of("white or colour", SIDES)
GODS_NAME: Final = one_of("one of the four gods", GODS)
TEMPLE: Final = one_of("a god", TEMPLES)
TILE: Final = one_of("an offering", TILES)
DRAWN: Final = one_of("an offering, volcano or a gods card", (*TILES, VOLCANO, *GODS))
HOW: Final = one_of("flip or reverse", ("flip", "reverse"))
CARD: Final = one_of("gods card or protection card", ("gods", "protection"))
RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("B-"), 8)
