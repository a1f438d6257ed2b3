"""Which rule matters for a move that is not what its player is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core import Move, Violation
from pbem.rules.kanaloa_bambus import moves, powers
from pbem.rules.kanaloa_bambus.state import State
from pbem.rules.kanaloa_bambus.tiles import KU

Why = tuple[str, str]
"""A rule, and what it says here."""

_FIRST: Final[Mapping[str, Why]] = {
    "deal": ("B-37", "First a tile must be drawn"),
    "neutral": ("B-100", "First you must lay a neutral fish"),
    "fish": ("B-13", "First you must lay a fish"),
    "pawn": ("B-19", "First you must place your first pawn"),
    "withdraw": ("B-83", "You have two pawns and no card of Lono: first you must withdraw one"),
    "landing": ("B-31", "Your pawn on the Dolphin must land before you can do anything else"),
    "rob": ("B-62", "First you must rob or pass: the robbery comes before the offering is taken"),
    "give": ("B-33", "In the turn in which you land you only give an offering to the Dolphin"),
    "veto": ("B-58", "First you must forbid or allow turning the fish"),
    "volcano": ("B-69", "First you must place the volcano"),
}
"""What must be done before anything else."""

_DONE: Final = ("B-24", "You have already moved or sacrificed in this turn")
_TURNED: Final = ("B-54", "You turn a fish only after your move or sacrifice")
_VETO: Final = ("B-58", "Nobody wants to turn a fish that you could forbid")
_OTHERWISE: Final[Mapping[type[Move], Why]] = {
    moves.Deal: ("B-37", "No tile is drawn now"),
    moves.LayNeutral: ("B-100", "The neutral fish are laid before the first turn"),
    moves.LayFish: ("B-13", "All fish are laid before the first turn"),
    moves.PlacePawn: ("B-21", "Only the first pawn is placed like this, before the first turn"),
    moves.Withdraw: ("B-83", "You withdraw a pawn only if you have two and no card of Lono"),
    moves.Swap: ("B-78", "You swap offerings only before you move or sacrifice"),
    moves.Sail: _DONE,
    moves.Sacrifice: _DONE,
    moves.Free: _DONE,
    moves.Call: _DONE,
    moves.Land: ("B-31", "None of your pawns is on the Dolphin"),
    moves.Rob: ("B-64", "You rob a player only at the moment you meet"),
    moves.Take: ("B-36", "You take an offering only when your pawn has just arrived"),
    moves.Give: ("B-32", "You give an offering to the Dolphin only when you land"),
    moves.Flip: _TURNED,
    moves.Reverse: _TURNED,
    moves.Forbid: _VETO,
    moves.Allow: _VETO,
    moves.Second: ("B-79", "You place your second pawn only at the end of your turn"),
    moves.PlaceVolcano: ("B-66", "No volcano is erupting"),
    moves.Decline: ("B-24", "You cannot pass: move a pawn or sacrifice"),
}
"""When each move may be played."""

_THERE: Final[Mapping[tuple[str, type[Move]], Why]] = {
    ("pawn", moves.Second): ("B-21", "Your second pawn does not come into play in this phase"),
    ("give", moves.Take): ("B-32", "Where you land you take nothing: give one to the Dolphin"),
    ("give", moves.Decline): ("B-32", "You must give one of the offerings to the Dolphin"),
    ("take", moves.Rob): ("B-64", "The moment for a robbery is over: take an offering"),
    ("take", moves.Decline): ("B-36", "You must take one of the offerings"),
}
"""The moves that break a rule of their own when this is asked."""


def refuse(s: State, kind: str, move: Move) -> None:
    """Say what is asked instead, or when the move may be played. Always raises Violation."""
    if s.ended:
        raise Violation(s.ended.why, "The match is over")
    if kind == "take" and isinstance(move, moves.Rob) and not s.met:
        powers.action(s, KU, "B-60")
        powers.rob(s, move)
    why = _THERE.get((kind, type(move))) or _FIRST.get(kind) or _OTHERWISE[type(move)]
    raise Violation(*why)
