"""The pages of events and of people on the site of a club, and the feed of its events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pbem.club import reliability, showing
from pbem.club.clublog import ClubLog, after, begun
from pbem.club.event_acts import EventAnnounced, EventDrawn, EventEnded, RatingsPublished
from pbem.club.fold import Club, Handle
from pbem.club.formats.counting import gained
from pbem.club.ratings import NEW, Rating, Ratings
from pbem.club.results import Standings
from pbem.club.tenures import MatchRecord
from pbem.desk.file import LOG_SUFFIX
from pbem.play import games
from pbem.report import feeds, sealed
from pbem.sentence import Counted, Sentence, say

FEED: Final = "club.xml"
"""The feed of the events, in the folder of the site."""
_WIDE, _HIGH = 600, 160


class Cell(NamedTuple):
    """What came of a match for somebody: points where two play, else a place; None as yet."""

    match: str
    others: Sequence[Handle]
    value: Fraction | None
    adjudicated: bool


event_file, person_file = "event-{}.html".format, "person-{}.html".format
"""The page of an event, and of somebody: a handle could be a file's name."""
FILES: Final[Mapping[str, Any]] = {
    "event_file": event_file,
    "person_file": person_file,
    "match_file": lambda match: sealed.public_file(f"{match}{LOG_SUFFIX}"),
}
"""Where the pages lie that others lead to, for templates."""


def of_event(stand: Standings, club: Club) -> dict[str, Any]:
    """What the page of an event is made of: how everybody stands, and what came of each match,
    against whom or, at larger tables, in which round; and what still runs."""
    event, two = stand.event, stand.event.terms.players == 2
    cells = defaultdict[tuple[Handle, Any], list[Cell]](list)
    for table in event.tables:
        match, result = event.matches.get(table.number, ""), stand.result(table)
        for who in table.people if match else ():
            others = [each for each in table.people if each != who]
            value = None
            if result and who in result.places:
                value = gained(result, who) if two else result.places[who]
            cell = Cell(match, others, value, value is not None and not stand.is_over(table))
            cells[who, others[0] if two else table.round].append(cell)
    running = (event.matches.get(each.number) for each in stand.to_come if event.runs)
    return {
        "event": event,
        "state": showing.state(stand).text(),
        "divisions": [*map(showing.rows, stand.divisions())],
        "cells": cells,
        "two": two,
        "going": [club.begun[match] for match in running if match],
    }


def of_person(
    club: Club,
    records: Mapping[str, MatchRecord],
    rated: Sequence[tuple[RatingsPublished, Ratings]],
    handle: Handle,
    at: str,
) -> dict[str, Any]:
    """What the page of somebody is made of, at a moment."""
    return {
        "handle": handle,
        "known": reliability.of(records.values(), handle, at),
        "events": [e.name for e in club.events.values() if handle in (*e.people, *e.field)],
        "matches": [
            (begun, records.get(match), games.game(begun.terms.game).TITLE)
            for match, begun in [*club.begun.items()][::-1]
            if handle in begun.everybody
        ],
        "curves": [
            (games.game(act.game).TITLE, showing.fitting(act).text(), rank, curve, _drawn(curve))
            for act, known in rated
            for rank, who, curve in known.ranked()
            if who == handle
        ],
    }


def _drawn(curve: Sequence[Rating]) -> dict[str, Any]:
    """A rating as a curve from the newcomer's on, with its range: the points of a picture, and
    between what and what they run."""
    lows, line, highs = (
        [each.mu + side * 2 * each.sigma for each in (NEW, *curve)] for side in (-1, 0, 1)
    )
    least, most = min(lows), max(highs)

    def points(values: Sequence[float]) -> list[str]:
        down = (f"{(most - value) * _HIGH / (most - least):.0f}" for value in values)
        return [f"{n * _WIDE / len(curve):.0f},{y}" for n, y in enumerate(down)]

    area = " ".join([*points(highs), *points(lows)[::-1]])
    drawn = {"area": area, "line": " ".join(points(line))}
    return {**drawn, "least": round(least), "most": round(most)}


def feed(log: ClubLog, title: str, page: str) -> str:
    """The feed of a club's events; each entry leads to the event on a `page`."""
    club, entries = begun(log.header), list[feeds.FeedEntry]()
    for nth, entry in enumerate(log.entries):
        club = after(club, entry)
        for name, told in _news(club, entry.act):
            id = feeds.urn(log.header.chain, str(nth))
            entries.append(feeds.FeedEntry(id, told.text(), "", entry.at, f"event-{name}", ()))
    at = entries[-1].at if entries else log.header.created
    latest = entries[::-1][: feeds.MOST]
    return feeds.written(feeds.urn(log.header.chain, "feed"), title, FEED, page, at, entries=latest)


def _news(club: Club, act: object) -> Iterator[tuple[str, Sentence]]:
    match act:
        case EventAnnounced(event=name):
            terms = club.events[name].text()
            yield name, say("{event} is announced: {terms}", event=name, terms=terms)
        case EventDrawn(event=name):
            tables = len(club.events[name].tables)
            yield name, say(_DRAWN, event=name, n=tables)
        case EventEnded(event=name, order=order) if order:
            yield name, say("{event} has ended; first is {people:all}", event=name, people=order[0])


_DRAWN: Final = Counted("{event} is drawn, with {n} match", "{event} is drawn, with {n} matches")
