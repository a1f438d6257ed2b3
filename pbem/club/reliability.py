"""How far people can be counted on: two fractions over a year (C-20 to C-25), and how much they may
take on (C-30)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from pbem.club.acts import later
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.tenures import MatchRecord, Tenure, TurnTaken
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


@dataclass(frozen=True)
class Members:
    """What the logs of a club and of its matches tell of its members at a moment."""

    club: Club
    records: Mapping[str, MatchRecord]
    at: str

    @cached_property
    def turns(self) -> Mapping[Handle, list[TurnTaken]]:
        """The turns of everybody."""
        found = defaultdict[Handle, list[TurnTaken]](list)
        for each in self.records.values():
            for turn in each.turns:
                found[turn.handle].append(turn)
        return {**found}

    @cached_property
    def tenures(self) -> Mapping[Handle, list[Tenure]]:
        """The tenures of everybody."""
        found = defaultdict[Handle, list[Tenure]](list)
        for each in self.records.values():
            for tenure in each.tenures:
                found[tenure.handle].append(tenure)
        return {**found}

    def reliability(self, handle: Handle) -> Reliability:
        """How far somebody could be counted on in the year before."""
        first = later(self.at, days=-YEAR)
        turns = [each for each in self.turns.get(handle, ()) if each.at >= first]
        in_time = sum(not each.missed for each in turns)
        missed = sum(1 for _ in incidents(each.at for each in turns if each.missed))
        held = [e for e in self.tenures.get(handle, ()) if (e.until or self.at) >= first]
        kept = sum(each.kept for each in held)
        return Reliability((in_time, in_time + missed), (kept, len(held)))

    def turns_in_time(self, handle: Handle) -> int:
        """How many turns somebody has ever played in time."""
        return sum(not each.missed for each in self.turns.get(handle, ()))

    def limit(self, handle: Handle, own: int | None) -> int:
        """How many seats and waits somebody may have at once; `own` is what they asked for."""
        if self.turns_in_time(handle) < PROVEN:
            return min(NEWCOMER, NEWCOMER if own is None else own)
        return USUAL if own is None else own

    def heard(self, handle: Handle) -> str:
        """When somebody last did something in the club or in one of its matches."""
        acted = (each.acted.get(handle, "") for each in self.records.values())
        return max(self.club.acted.get(handle, ""), *acted, "")

    def playing(self, handle: Handle) -> list[str]:
        """In which matches that go on somebody has a seat."""
        return [
            match
            for match, begun in self.club.begun.items()
            for seat in begun.tenures
            if begun.holder(seat) == handle and (record := self.records.get(match))
            if not (record.over or seat in record.left)
        ]

    def burden(self, handle: Handle) -> int:
        """How many seats and waits somebody has: matches that go on, lines, tables to begin."""
        lines = sum(each.handle == handle and each.terms != POOL for each in self.club.waits)
        tables = sum(handle in each.seated for each in self.club.tables.values())
        return len(self.playing(handle)) + lines + tables

    def out_of_season(self, event: ClubEvent) -> list[Handle]:
        """Who is in an event and not in its next season, as they can enter none (E-42)."""
        return [who for who in event.people if event.season and self.barred(who)]

    def barred(self, handle: Handle) -> bool:
        """Can somebody enter no event (E-5)? A seat in an event is lost by silence if a substitute
        was sought for it and they have done nothing in that match since."""
        lost = [
            each.at
            for each in self.club.silences
            if each.left == handle
            and (record := self.records.get(each.match))
            and record.acted.get(handle, "") < each.at
        ]
        if not lost:
            return False
        finished = sum(
            each.over and each.ended > max(lost)
            for each in self.records.values()
            if any(t.handle == handle and t.kept for t in each.tenures)
        )
        return finished <= len(lost) or self.at < later(max(lost), days=BARRED_DAYS)


def incidents(missed: Iterable[str]) -> Iterator[str]:
    """When each incident began: a miss, with all that follow within 72 hours of it."""
    until = ""
    for at in sorted(missed):
        if at >= until:
            yield at
            until = later(at, hours=ONE_INCIDENT)
