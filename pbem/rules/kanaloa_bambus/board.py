"""What is printed, and what may stand in the fields of a move or an event of Kanaloa (Bambus).

A match may be played on a map other than this project's own, so a domain accepts whatever could be
there; its `values` are those of the project's own map and tiles.
"""

from __future__ import annotations

from typing import Any, Final

from pbem.core import SEAT, Domain, one_of
from pbem.files import data
from pbem.rules.kanaloa_bambus.tiles import GODS, TEMPLES, TILES, VOLCANO

DATA: Final = data.game_folder("kanaloa-bambus")
DOLPHIN: Final = "dolphin"
SIDES: Final = ("colour", "white")

_BOARD: Final = data.game_file(DATA, "board")
_OFFERINGS: Final = data.game_file(DATA, "tiles")["offerings"]
NAMES: Final[dict[str, str]] = {island["name"]: island["id"] for island in _BOARD["islands"]}
"""What the islands of this project's own map are called: {"Ahi": "A"}."""
_ISLANDS: Final = tuple(NAMES.values())
_WAYS: Final = tuple(way for there in _BOARD["currents"] for way in (there, there[::-1]))
_KINDS: Final = tuple(entry["tile"] for entry in _OFFERINGS)


def _is_island(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"


def _is_way(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    tail, _, head = value.partition("-")
    return _is_island(tail) and _is_island(head) and tail != head


def _is_site(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 12 and all(map(_is_island, value))


def _is_tile(value: Any) -> bool:
    return isinstance(value, str) and value in TILES


def _is_drawn(value: Any) -> bool:
    return _is_tile(value) or value == VOLCANO or (isinstance(value, str) and value in GODS)


ISLAND: Final = Domain("an island's letter", _is_island, 3, _ISLANDS)
PLACE: Final = Domain(
    "an island's letter or dolphin",
    lambda v: v == DOLPHIN or _is_island(v),
    9,
    (*_ISLANDS, DOLPHIN),
)
OWED: Final = Domain(
    "an island's letter or a seat", lambda v: _is_island(v) or SEAT.accepts(v), 42, _ISLANDS
)
WAY: Final = Domain("a current from tail to head, like A-E", _is_way, 5, (*_WAYS, "A-W"))
SITE: Final = Domain(
    "an island or a sea space, like K or AEH", _is_site, 14, (*_ISLANDS, *_BOARD["sea_spaces"])
)
SIDE: Final = one_of("white or colour", SIDES)
GOD: Final = one_of("one of the four gods", GODS)
TEMPLE: Final = one_of("a god", TEMPLES)
TILE: Final = Domain("an offering, like kane5 or ku/pele2", _is_tile, 15, _KINDS)
DRAWN: Final = Domain(
    "an offering, volcano or a gods card", _is_drawn, 15, (*_KINDS, VOLCANO, *GODS)
)
HOW: Final = one_of("flip or reverse", ("flip", "reverse"))
CARD: Final = one_of("gods card or protection card", ("gods", "protection"))
RULE: Final = Domain("a rule id", lambda v: isinstance(v, str) and v.startswith("B-"), 8)
