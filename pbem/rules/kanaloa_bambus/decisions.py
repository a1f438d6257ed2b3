"""Who must choose now in Kanaloa (Bambus)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pbem.core import CHANCE, Decision, Move, Seat
from pbem.rules.kanaloa_bambus.choices import (
    Allow,
    Call,
    Deal,
    Decline,
    Flip,
    Forbid,
    Free,
    Give,
    Land,
    LayFish,
    LayNeutral,
    PlacePawn,
    PlaceVolcano,
    Reverse,
    Rob,
    Sacrifice,
    Sail,
    Second,
    Swap,
    Take,
    Withdraw,
)
from pbem.rules.kanaloa_bambus.state import State, to_act
from pbem.rules.kanaloa_bambus.tiles import KANALOA, KU

OUT_OF_TURN = "B-23"

_ACCEPTS: Final[dict[str, tuple[type[Move], ...]]] = {
    "deal": (Deal,),
    "neutral": (LayNeutral,),
    "fish": (LayFish,),
    "pawn": (PlacePawn,),
    "withdraw": (Withdraw,),
    "landing": (Land,),
    "turn": (Swap, Sail, Sacrifice, Free, Call),
    "rob": (Rob, Decline),
    "take": (Take,),
    "give": (Give,),
    "turn-end": (Flip, Reverse, Second, Decline),
    "veto": (Forbid, Allow),
    "volcano": (PlaceVolcano,),
}
_SILENCE: Final[dict[str, Move]] = {"rob": Decline(), "turn-end": Decline(), "veto": Allow()}
"""What silence means where something may be left undone [B-A27]."""


def pending(s: State) -> tuple[Decision, ...]:
    """One decision at a time: chance's, the player's whose turn it is, or one that interrupts it.

    Ku on another's turn and Kanaloa's protection interrupt.
    """
    act = to_act(s)
    if not act:
        return ()
    seats = s.world.seats
    if act == "deal":
        return _decision(CHANCE, act, None, "to", s.owed[0])
    mover = seats[s.turn]
    if act == "rob":
        island = s.world.chart.islands[s.arrived]
        return _decision(seats[s.gods[KU]], act, mover, "at", island)
    if act == "veto" and s.announced:
        return _decision(seats[s.guards[KANALOA]], act, mover, *s.announced[::-1])
    if act in ("take", "give"):
        return _decision(mover, act, mover, "at", s.world.chart.islands[s.arrived])
    return _decision(mover, act, mover)


@lru_cache(maxsize=10_000)
def _decision(
    seat: Seat, act: str, mover: Seat | None, key: str = "", value: str = ""
) -> tuple[Decision, ...]:
    return (
        Decision(
            seat,
            act,
            _ACCEPTS[act],
            about={key: value} if key else {},
            default=_SILENCE.get(act),
            during=mover if mover != seat else None,
        ),
    )
