"""Until when a plan lasts: to the end of a round or a trick, to a position, to a date."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core import Usage
from pbem.log.match import Match

PARTS = ("round", "trick")
"""The parts of a match with which a plan may end."""


def parts_of(now: Match) -> Mapping[str, int]:
    """The number of the round and of the trick, where the game has such."""
    parts = getattr(now.game, "parts", None)
    return parts(now.state) if parts else {}


def part_at(now: Match, until: str) -> str:
    """The part of the match in which it is now and with which a plan ends; "" for no such end."""
    parts = parts_of(now)
    if until == "trick" and until in parts:
        return f"{parts.get('round', 0)}.{parts[until]}"
    return str(parts[until]) if until in parts else ""


def is_past(now: Match, until: str, begun: str, at: str) -> bool:
    """Is this past at a moment? `begun` is the part of the match in which the plan was sent."""
    if until in PARTS:
        return part_at(now, until) != begun
    if until.startswith("#"):
        return now.position.ply >= int(until[1:])
    return until[:1].isdigit() and until < date_of(now, at)


def date_of(now: Match, at: str) -> str:
    """The date at a moment: in the zone of the match, in UTC where it has none or nobody knows
    it."""
    settings = now.log.so_far().timing.settings
    if not (settings and at):
        return at[:10]
    from pbem.log.clock import day_of

    try:
        return day_of(at, settings.zone).isoformat()
    except Usage:
        return at[:10]
