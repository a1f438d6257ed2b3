"""Cards in places: hands and piles in which some cards may be HIDDEN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pbem.core import HIDDEN

Zone = tuple[str, ...]
T = TypeVar("T")


def without(zone: Zone, card: str) -> Zone:
    """The zone after one card has left it.

    A card not among the known ones was one of the hidden. When a HIDDEN card leaves, it could
    have been any of them: what is left is all HIDDEN. Raises ValueError if it cannot have been
    there.
    """
    if card == HIDDEN and zone:
        return (HIDDEN,) * (len(zone) - 1)
    gone = card if card in zone else HIDDEN
    try:
        at = zone.index(gone)
    except ValueError:
        raise ValueError(f"no {card} among {', '.join(zone) or 'no cards'}") from None
    return zone[:at] + zone[at + 1 :]


def added(zone: Zone, card: str) -> Zone:
    """The zone with one more card, sorted: whichever came first, the position is the same."""
    return tuple(sorted((*zone, card)))


def put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The row with a new value in one place."""
    return (*row[:at], value, *row[at + 1 :])


def missing(zone: Zone, cards: Iterable[str]) -> list[str]:
    """Which of these cards are not among the known ones of the zone, copy by copy."""
    left, lacking = list(zone), []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            lacking.append(card)
    return lacking


def with_ids(cards: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Cards and their names in ids: `BARI`, and a second one `BARI-2`."""
    seen: dict[str, int] = {}
    for card in cards:
        seen[card] = times = seen.get(card, 0) + 1
        name = "hidden" if card == HIDDEN else card.replace(" ", "-")
        yield card, name if times == 1 else f"{name}-{times}"
