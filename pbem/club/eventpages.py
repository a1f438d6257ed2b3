"""The pages of events and of people on the site of a club, and the feed of its events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.club import reliability, results, showing
from pbem.club.clublog import ClubLog, after, begun
from pbem.club.event import ClubEvent
from pbem.club.event_acts import EventAnnounced, EventDrawn, EventEnded, RatingsPublished
from pbem.club.fold import Club, Handle
from pbem.club.ratings import Rating, Ratings
from pbem.club.results import Records
from pbem.club.showing import Shown
from pbem.club.tenures import MatchRecord
from pbem.desk.file import LOG_SUFFIX
from pbem.play import games
from pbem.report import feeds, sealed
from pbem.sentence import Sentence, say

FEED: Final = "club.xml"
"""The feed of the events, in the folder of the site."""
_WIDE, _HIGH = 600, 160


class Cell(NamedTuple):
    """What came of a match for somebody, the page of the match, and the same to be read aloud."""

    text: str
    file: str
    label: str


def event_file(name: str) -> str:
    """The page of an event."""
    return f"event-{name}.html"


def person_file(handle: Handle) -> str:
    """The page of somebody: a handle has nothing in it that a file's name could not have."""
    return f"person-{handle}.html"


def match_file(match: str) -> str:
    """The page of a match for everybody."""
    return sealed.public_file(f"{match}{LOG_SUFFIX}")


# --------------------------------------------------------------------------------- events


def of_event(event: ClubEvent, records: Records) -> dict[str, Any]:
    """What the page of an event is made of, by the records that it is counted from."""
    shown = Shown.of(event, records)
    cells, two = _cells(event, records), event.terms.players == 2
    divisions = []
    for stand in shown.divisions():
        people = [each.handle for each in stand]
        columns: Sequence[Any] = people if two else [*range(1, event.rounds + 1)]
        columns = columns if event.drawn else ()
        heads, *rows = shown.rows(stand)
        met = [[cells.get((who, each), ()) for each in columns] for who in people]
        divisions.append((heads[2:], [*zip(rows, met, strict=True)], columns))
    return {
        "event": event,
        "head": shown.head.text(),
        "divisions": divisions,
        "two": two,
        "running": [
            (match, match_file(match), table.people)
            for table in event.tables
            if (match := event.matches.get(table.number)) and table not in shown.over
        ],
        "waiting": [who for who in event.people if who not in event.players],
        "adjudicated": any(each.text.endswith("*") for row in cells.values() for each in row),
    }


def _cells(event: ClubEvent, records: Records) -> Mapping[tuple[Handle, Any], list[Cell]]:
    """What came of each match for everybody there: against whom or, at larger tables, in which
    round. Points are shown for two, places for more; what was adjudicated has a star."""
    found, two = defaultdict[tuple[Handle, Any], list[Cell]](list), event.terms.players == 2
    for table in event.tables:
        match = event.matches.get(table.number, "")
        result = results.result_of(event, records, table, event.ended)
        star = "" if results.record_of(event, records, table, event.ended) else "*"
        for who in table.people if match else ():
            others = [each for each in table.people if each != who]
            place = result.places.get(who) if result else None
            told: Sentence | str = (
                say("still runs")
                if place is None
                else (say("{n} points", n=2 * (2 - place)) if two else say("place {n}", n=place))
            )
            text = "…" if place is None else f"{2 * (2 - place) if two else place}{star}"
            label = say("{who} against {others:all}: {told}", who=who, others=others, told=told)
            found[who, others[0] if two else table.round].append(
                Cell(text, match_file(match), label.text())
            )
    return found


# --------------------------------------------------------------------------------- people


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
        "events": [
            (name, event_file(name))
            for name, event in club.events.items()
            if handle in (*event.people, *event.field)
        ],
        "matches": [
            {
                "match": match,
                "file": match_file(match),
                "game": games.game(begun.terms.game).TITLE,
                "event": begun.event,
                "others": [each for each in begun.people if each != handle],
                "result": _result(records.get(match), handle, begun.people).text(),
            }
            for match, begun in [*club.begun.items()][::-1]
            if handle in begun.everybody
        ],
        "curves": [
            {
                "game": games.game(act.game).TITLE,
                "rank": rank,
                "count": len(curve),
                "range": curve[-1].range,
                "fitting": showing.fitting(act).text(),
                **_drawn(curve),
            }
            for act, known in rated
            for rank, who, curve in known.ranked()
            if who == handle
        ],
    }


def _result(record: MatchRecord | None, handle: Handle, holders: Sequence[Handle]) -> Sentence:
    if handle not in holders:
        return say("left the seat")
    if record is None or not record.over:
        return say("still runs")
    if handle not in record.winners:
        return say("lost") if record.winners else say("drawn")
    return say("won") if len(record.winners) == 1 else say("shared the win")


def _drawn(curve: Sequence[Rating]) -> dict[str, Any]:
    """A rating as a curve from the newcomer's on, with its range: the paths of a picture, and
    between what and what they run."""
    points = [Rating("", 25, 25 / 3), *curve]
    lows, highs = ([each.mu + side * 2 * each.sigma for each in points] for side in (-1, 1))
    least, most = min(lows), max(highs)

    def path(values: Sequence[float], start: int = 0, step: int = 1) -> str:
        at = (
            f"{(start + step * n) * _WIDE / (len(points) - 1):.0f} "
            f"{(most - value) * _HIGH / (most - least):.0f}"
            for n, value in enumerate(values)
        )
        return "L".join(at)

    area = f"M{path(highs)}L{path(lows[::-1], len(points) - 1, -1)}Z"
    return {
        "area": area,
        "line": f"M{path([each.mu for each in points])}",
        "least": round(least),
        "most": round(most),
    }


# ----------------------------------------------------------------------------------- feed


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
            terms = club.events[name].terms.text()
            yield name, say("{event} is announced: {terms}", event=name, terms=terms)
        case EventDrawn(event=name):
            tables = len(club.events[name].tables)
            yield name, say("{event} is drawn, with {n} matches", event=name, n=tables)
        case EventEnded(event=name, order=order) if order:
            yield name, say("{event} has ended; first is {people:all}", event=name, people=order[0])
