"""How an event stands: a pure function of the club's log and the logs of its matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from pbem.club.event import ClubEvent, EventTable, Handle
from pbem.club.event_acts import EventEnded
from pbem.club.formats.counting import Figures, Season, TableResult, ranked
from pbem.club.tenures import MatchRecord
from pbem.play import games

Records = Mapping[str, MatchRecord]


class EventStanding(NamedTuple):
    """How somebody stands: their rank in their division, None once they have withdrawn; how many of
    their tables are over; what counts, in fractions, or nothing if all their results are struck."""

    rank: int | None
    handle: Handle
    played: int
    figures: Figures


class Standings(NamedTuple):
    """How an event stands by the records of its matches: by what was over before a moment or, if
    `until` is "", by what is over."""

    event: ClubEvent
    records: Records
    until: str

    def record(self, table: EventTable) -> MatchRecord | None:
        """The record of a table's match, over or not."""
        return self.records.get(self.event.matches.get(table.number, ""))

    def is_over(self, table: EventTable) -> bool:
        """Was its match over?"""
        record = self.record(table)
        return bool(record and record.over and (not self.until or record.ended < self.until))

    @property
    def over(self) -> list[EventTable]:
        """The tables whose matches were over."""
        return [each for each in self.event.tables if self.is_over(each)]

    def can_begin(self, table: EventTable) -> bool:
        """Has a table no match, and enough people left for one (E-24)?"""
        least, _ = games.game(self.event.terms.game).PLAYERS
        return table.number not in self.event.matches and len(self.event.left(table)) >= least

    @property
    def to_come(self) -> list[EventTable]:
        """The tables whose matches are to begin, or are not over and can still count."""
        begun, gone = self.event.matches, self.struck()
        runs = {n for n in begun if (table := self.event.table(n)) and not self.is_over(table)}
        return [
            each
            for each in self.event.tables
            if self.can_begin(each) or (each.number in runs and len({*each.people} - gone) > 1)
        ]

    def due(self) -> Iterator[EventTable]:
        """The tables whose matches can begin: all or, round by round, each of which everybody is
        done with the rounds before (E-12)."""
        busy = set[Handle]()
        for table in self.to_come:
            left = self.event.left(table)
            waits = not self.event.form.at_once and not busy.isdisjoint(left)
            if self.can_begin(table) and not waits:
                yield table
            busy.update(left)

    def struck(self) -> set[Handle]:
        """Who withdrew before half of their tables were over (E-23)."""
        tables = self.event.tables
        return {
            who
            for who, at in self.event.withdrew.items()
            if 2 * sum(who in each.people for each in self._replace(until=at).over)
            < sum(who in each.people for each in tables)
        }

    def result(self, table: EventTable, gone: Collection[Handle] = ()) -> TableResult | None:
        """What counts of a table, without those whose results are struck; None if nothing does.
        Where an event with a last day has ended, what still ran then is adjudicated (E-31)."""
        record, is_over = self.record(table), self.is_over(table)
        counts = record and (is_over or (self.until and self.event.days))
        if not (record and counts) or len({*began(record).values()}.difference(gone)) < 2:
            return None
        return placed(record, gone, self.event.terms.players, "" if is_over else self.until)

    def divisions(self) -> list[list[EventStanding]]:
        """How everybody stands, division by division, whoever has withdrawn last (E-20 to E-23)."""
        event, gone = self.event, self.struck()
        found = (self.result(each, gone) for each in event.tables)
        at = Counter(who for each in event.tables for who in each.people)
        counted = {who: at[who] for who in event.players if who not in gone}
        season = Season(counted, [each for each in found if each], event.terms.players)
        figures = event.form.counts(season)
        over = [record for each in self.over if (record := self.record(each))]
        played = Counter(who for each in over for who in began(each).values())

        def division(here: list[Handle]) -> list[EventStanding]:
            stay = {who: figures[who] for who in here if who not in event.withdrew}
            left = sorted({*here} & event.withdrew.keys())
            ranks = [*((rank, who) for rank, equal in ranked(stay) for who in equal)]
            return [
                EventStanding(rank, who, played[who], figures.get(who, {}))
                for rank, who in (*ranks, *((None, who) for who in left))
            ]

        return [division(each) for each in event.divisions(event.players) if each]

    def order(self) -> tuple[list[Handle], ...]:
        """Who stands where, those who share a rank together; without those who withdrew."""
        return tuple(
            [each.handle for each in equal]
            for here in self.divisions()
            for rank, equal in groupby(here, key=lambda each: each.rank)
            if rank is not None
        )

    def end(self) -> EventEnded:
        """The entry with which the event or its season ends so; in no order before a draw."""
        order = self.order() if self.event.runs else ()
        return EventEnded(self.event.name, self.until, order)


def began(record: MatchRecord) -> dict[str, Handle]:
    """Who sat where when a match began, in the order of its seats, which is that of the latest."""
    return dict(reversed({each.seat: each.handle for each in reversed(record.tenures)}.items()))


def placed(
    record: MatchRecord, gone: Collection[Handle], size: int, running: str = ""
) -> TableResult:
    """What counts of a match: winners before all others, those by score; if it was `running` at a
    moment, whoever had missed fewer turns by then (E-31); equals share their places. Whoever did
    not keep the seat is last (E-22); whoever is struck was never there (E-23); the places of a
    smaller table are spread over those of a full one (E-21)."""
    sat = began(record)
    last = {each.seat: each for each in record.tenures if not running or each.since < running}
    scores = {seat: Fraction(0 if running else record.scores.get(seat, "0")) for seat in sat}
    won = () if running else record.winners
    made = {
        seat: (last[seat].handle in won, scores[seat] if won else -_missed(record, who, running))
        for seat, who in sat.items()
        if who not in gone
    }
    here = [scores[seat] for seat in made]
    mean, least = sum(here, Fraction()) / len(here), min(here)
    places, relative = dict[Handle, Fraction](), dict[Handle, Fraction]()
    for seat, mine in made.items():
        one = last[seat]
        kept = one.handle == sat[seat] and (one.kept or (running and one.until >= running))
        better = sum(other > mine for other in made.values())
        equal = sum(other == mine for other in made.values())
        place = better + Fraction(equal + 1, 2) if kept else Fraction(len(made))
        places[sat[seat]] = 1 + (place - 1) * (size - 1) / (len(made) - 1)
        relative[sat[seat]] = (scores[seat] if kept else least) - mean
    return TableResult(places, relative)


def _missed(record: MatchRecord, who: Handle, until: str) -> Fraction:
    """How many turns somebody had missed in a match by a moment; none if that is ""."""
    return Fraction(sum(t.handle == who and t.missed and t.at < until for t in record.turns))
