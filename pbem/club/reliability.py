"""How far people can be counted on: two fractions over a year (C-20 to C-25), and how much they may
take on (C-30)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from pbem.club.acts import later
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.tenures import MatchRecord
from pbem.club.terms import POOL

YEAR: Final = 365
ONE_INCIDENT: Final = 72
"""Within so many hours, misses are one."""
NEWCOMER, USUAL, PROVEN = 2, 4, 20
"""How many seats and waits newcomers and others may have, and after how many turns in time."""
BARRED_DAYS: Final = 14
"""So many days at least nobody who has lost by silence in an event enters another."""


class Reliability(NamedTuple):
    """Two fractions, as numerator and denominator: turns in time of those due, seats kept of those
    taken."""

    in_time: tuple[int, int]
    kept: tuple[int, int]

    def reaches(self, asks: Iterable[str], *, newcomers: bool = True) -> bool:
        """Are both no less than these fractions, "" being none (C-18)? Where nothing was due yet,
        that is as good as all for `newcomers`, and else nothing."""
        return all(
            not asked or (Fraction(*had) >= Fraction(asked) if had[1] else newcomers)
            for had, asked in zip(self, asks, strict=True)
        )


def of(records: Iterable[MatchRecord], handle: Handle, at: str) -> Reliability:
    """How far somebody could be counted on in the year before a moment."""
    first, matches = later(at, days=-YEAR), tuple(records)
    turns = [t for each in matches for t in each.turns if t.handle == handle and t.at >= first]
    in_time = sum(not each.missed for each in turns)
    missed = sum(1 for _ in incidents(each.at for each in turns if each.missed))
    tenures = [
        tenure
        for each in matches
        for tenure in each.tenures
        if tenure.handle == handle and (tenure.until or at) >= first
    ]
    kept = sum(each.kept for each in tenures)
    return Reliability((in_time, in_time + missed), (kept, len(tenures)))


def incidents(missed: Iterable[str]) -> Iterator[str]:
    """When each incident began: a miss, with all that follow within 72 hours of it."""
    until = ""
    for at in sorted(missed):
        if at >= until:
            yield at
            until = later(at, hours=ONE_INCIDENT)


def turns_in_time(records: Iterable[MatchRecord], handle: Handle) -> int:
    """How many turns somebody has ever played in time."""
    return sum(t.handle == handle and not t.missed for each in records for t in each.turns)


def limit(records: Iterable[MatchRecord], handle: Handle, own: int | None) -> int:
    """How many seats and waits somebody may have at once; `own` is what they have asked for."""
    if turns_in_time(records, handle) < PROVEN:
        return min(NEWCOMER, NEWCOMER if own is None else own)
    return USUAL if own is None else own


def playing(club: Club, records: Mapping[str, MatchRecord], handle: Handle) -> list[str]:
    """In which matches that go on somebody has a seat."""
    return [
        match
        for match, begun in club.begun.items()
        for seat in begun.tenures
        if begun.holder(seat) == handle
        if match in records and not (records[match].over or seat in records[match].left)
    ]


def burden(club: Club, records: Mapping[str, MatchRecord], handle: Handle) -> int:
    """How many seats and waits somebody has: matches that go on, lines, tables to begin."""
    seats = len(playing(club, records, handle))
    lines = sum(each.handle == handle and each.terms != POOL for each in club.waits)
    return seats + lines + sum(handle in each.seated for each in club.tables.values())


def out_of_season(
    club: Club, records: Mapping[str, MatchRecord], event: ClubEvent, at: str
) -> list[Handle]:
    """Who is in an event and not in its next season, as they can enter none (E-42)."""
    return [who for who in event.people if event.season and barred(club, records, who, at)]


def barred(club: Club, records: Mapping[str, MatchRecord], handle: Handle, at: str) -> bool:
    """Can somebody enter no event (E-5)? A seat in an event is lost by silence if a substitute was
    sought for it and they have done nothing in that match since."""
    lost = [
        each.at
        for each in club.silences
        if each.left == handle
        and (record := records.get(each.match))
        and record.acted.get(handle, "") < each.at
    ]
    if not lost:
        return False
    finished = sum(
        each.over and each.ended > max(lost)
        for each in records.values()
        if any(t.handle == handle and t.kept for t in each.tenures)
    )
    return finished <= len(lost) or at < later(max(lost), days=BARRED_DAYS)
