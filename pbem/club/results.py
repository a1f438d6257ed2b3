"""How an event stands: a pure function of the club's log and the logs of its matches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from pbem.club.event import ClubEvent, EventTable
from pbem.club.fold import Handle
from pbem.club.formats.counting import Figures, Season, TableResult, ranked
from pbem.club.tenures import MatchRecord
from pbem.play import games


class EventStanding(NamedTuple):
    """How somebody stands: their rank in their division, None once they have withdrawn; how many of
    their tables are over; what counts, in fractions; are all their results `struck`?"""

    rank: int | None
    handle: Handle
    played: int
    figures: Figures
    struck: bool = False
    division: int = 1


Records = Mapping[str, MatchRecord]


def record_of(
    event: ClubEvent, records: Records, table: EventTable, until: str
) -> MatchRecord | None:
    """The record of a table's match, if it was over before a moment; "": if it is over."""
    record = records.get(event.matches.get(table.number, ""))
    return record if record and record.over and (not until or record.ended < until) else None


def can_begin(event: ClubEvent, table: EventTable) -> bool:
    """Are enough people left for the game at a table that has not begun (E-24)?"""
    return len(event.left(table)) >= games.game(event.terms.game).PLAYERS[0]


def is_over(event: ClubEvent, records: Records, table: EventTable, until: str) -> bool:
    """Does a table need nothing more: is its match over, or will there be none?"""
    if table.number in event.matches:
        return record_of(event, records, table, until) is not None
    return not can_begin(event, table)


def over(event: ClubEvent, records: Records) -> list[EventTable]:
    """The tables whose matches are over, or were before the event ended."""
    return [each for each in event.tables if record_of(event, records, each, event.ended)]


def due(event: ClubEvent, records: Records, until: str) -> Iterator[EventTable]:
    """The tables whose matches can begin: all or, round by round, each of which everybody is done
    with the rounds before (E-12)."""
    busy = set[Handle]()
    for table in event.tables if event.runs else ():
        left = event.left(table)
        waits = not event.form.at_once and not busy.isdisjoint(left)
        if table.number not in event.matches and can_begin(event, table) and not waits:
            yield table
        if not is_over(event, records, table, until):
            busy.update(left)


def struck(event: ClubEvent, records: Records) -> set[Handle]:
    """Who withdrew before half of their tables were over (E-23)."""
    found = set[Handle]()
    for who, at in event.withdrew.items():
        theirs = [each for each in event.tables if who in each.people]
        played = sum(record_of(event, records, each, at) is not None for each in theirs)
        found.update([who] if 2 * played < len(theirs) else [])
    return found


def standings(event: ClubEvent, records: Records, until: str) -> list[EventStanding]:
    """How everybody stands by what was over before a moment, division by division, the first first
    (E-20 to E-23)."""
    gone = struck(event, records)
    unplayed = {who: 0 for who in event.players if who not in gone}
    results, played = list[TableResult](), dict.fromkeys(event.players, 0)
    for table in event.tables:
        if record := record_of(event, records, table, until):
            played |= {who: played[who] + 1 for who in began(record).values()}
        result = result_of(event, records, table, until, gone)
        results += [result] if result else []
        done = result.places if result else ()
        unplayed |= {w: unplayed[w] + 1 for w in table.people if w in unplayed and w not in done}
    figures = event.form.counts(Season(unplayed, results, event.terms.players))
    found = list[EventStanding]()
    for nth, here in enumerate(event.divisions(event.players), 1):
        stay = {who: figures[who] for who in here if who in figures and who not in event.withdrew}
        found += [
            EventStanding(rank, who, played[who], stay[who], division=nth)
            for rank, equal in ranked(stay)
            for who in equal
        ]
        found += [
            EventStanding(None, who, played[who], figures.get(who, {}), who in gone, nth)
            for who in sorted({*here} & event.withdrew.keys())
        ]
    return found


def order(event: ClubEvent, records: Records, until: str) -> tuple[list[Handle], ...]:
    """Who stands where, those who share a rank together; without those who withdrew."""
    ranks = dict[tuple[int, int], list[Handle]]()
    for each in standings(event, records, until) if event.drawn else ():
        if each.rank is not None:
            ranks.setdefault((each.division, each.rank), []).append(each.handle)
    return tuple(ranks.values())


def result_of(
    event: ClubEvent, records: Records, table: EventTable, until: str, gone: Collection[Handle] = ()
) -> TableResult | None:
    """What counts of a table, without those whose results are struck; None if nothing does. Where a
    season has ended, what still ran then is adjudicated (E-31)."""
    record = records.get(event.matches.get(table.number, ""))
    is_over = record_of(event, records, table, until) is not None
    if record is None or not (is_over or (until and event.form.season)):
        return None
    return placed(record, gone, event.terms.players, "" if is_over else until)


def began(record: MatchRecord) -> dict[str, Handle]:
    """Who sat where when a match began, in the order of its seats, which is that of the latest."""
    return dict(reversed({each.seat: each.handle for each in reversed(record.tenures)}.items()))


def placed(
    record: MatchRecord, gone: Collection[Handle], size: int, running: str = ""
) -> TableResult | None:
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
    if len(made) < 2:
        return None
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
