"""The pages of a club on its site: who waits, what is open, what is played, how far people can be
counted on, and a mail to begin with; those of its events and people, and the feed of its events."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pbem.club import ratings, showing, standing
from pbem.club.clublog import ClubLog, log_path
from pbem.club.clubwork import as_of, records
from pbem.club.event import Handle
from pbem.club.event_acts import EventAnnounced, EventDrawn, EventEnded, RatingsPublished
from pbem.club.fold import Begun, Club
from pbem.club.formats.counting import gained
from pbem.club.ratings import NEW, Rating, Ratings
from pbem.club.reliability import Members
from pbem.club.results import Standings
from pbem.club.tenures import MatchRecord
from pbem.desk.file import LOG_SUFFIX
from pbem.files.languages import speaking
from pbem.matches.index import club_of
from pbem.matches.matches import Matches
from pbem.play import games
from pbem.report import feeds, pages, sealed, site
from pbem.sentence import Sentence, say, spoken

FILE: Final = "club.html"
"""The page, in the folder of the site."""
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


def match_file(match: str) -> str:
    """The page of a match for everybody."""
    return sealed.public_file(f"{match}{LOG_SUFFIX}")


FILES: Final[Mapping[str, Any]] = {
    "event_file": event_file,
    "person_file": person_file,
    "match_file": match_file,
}
"""Where the pages lie that others lead to, for templates."""


def linked(folder: str) -> Mapping[str, Sentence]:
    """The page of the club whose matches these are, for the index of their site; {} without one.
    Raises Problem."""
    if not club_of(folder):
        return {}
    return {FILE: say("The club {name}", name=ClubLog.read(folder).club.name)}


def written(
    matches: Matches, rows: Sequence[site.Row], web: str, to: str, house: str, at: str
) -> list[str]:
    """Bring the page up to date at a moment, in the language of the `house`, with mails `to` the
    desk and the `rows` of the index; gives the files that were written. Raises Problem."""
    log = ClubLog.read(matches.folder)
    with speaking(house):
        made = dict(_pages(log, matches, rows, to, at))
        files = site.put_guides(web, house, [game.NAME for game in _games(log.club)])
        return files + [path for name, text in made.items() for path in site.put(web, name, text)]


def _pages(
    log: ClubLog, matches: Matches, rows: Sequence[site.Row], to: str, at: str
) -> Iterator[tuple[str, str]]:
    """The pages of the club, of its events and its people, and the feed; each with its name."""
    club, here = log.club, dict[str, Any](home=site.INDEX, club=FILE, **FILES)
    known = Members(club, records(matches, club), at)
    rated, stands = [*ratings.published(known)], partial(as_of, matches.folder, known.records)
    stand = {name: stands(each) for name, each in club.events.items()}
    rows = [_for_whom(row, club.begun[row.match]) for row in rows if row.match in club.begun]
    going, over = site.under_way(rows), site.over(rows)
    title = say("The club {name}", name=club.name).text()
    # What can be entered first, then what runs, and the newest of each first.
    newest = [*stand.values()][::-1]
    shown = sorted(newest, key=lambda each: (not each.event.is_open, not each.event.runs))
    front: dict[str, Any] = {
        **{"title": title, "going": going, "feed": FEED},
        "events": [(each.event, showing.state(each)) for each in shown],
        "rated": [
            (games.game(act.game).TITLE, showing.fitting(act), each.ranked()) for act, each in rated
        ],
        "people": [(each, known.reliability(each)) for each in club.joined],
    }
    yield FILE, pages.html("club", **here, **site.boards(), **front, **_ways_in(club, to))

    def of_event(stand: Standings, **more: Any) -> str:
        event, facts = stand.event, {"enter": "", "seasons": {}, **more, **_of_event(stand)}
        for name, each in {"going": going, "over": over}.items():
            facts[name] = [row for row in each if row.match in event.matches.values()]
        called = say("{terms:dots}", terms=[say("{name}", name=event.name), event.form.title])
        return pages.html("event", **here, **site.boards(), title=called.text(), **facts)

    for event in club.events.values():
        files = {each.season: event_file(f"{event.name}.{each.season}") for each in event.past}
        for each in event.past:
            yield files[each.season], of_event(stands(each))
        link = _mail(to, f"enter {event.name}") if event.is_open else ""
        yield event_file(event.name), of_event(stand[event.name], enter=link, seasons=files)
    for handle in club.joined:
        facts = _of_person(known, rated, handle)
        yield person_file(handle), pages.html("person", **here, title=handle, **facts)
    yield FEED, _feed(log, title)


def _for_whom(row: site.Row, begun: Begun) -> site.Row:
    """The row of a match, saying for whom somebody sits there."""
    called = dict(zip(begun.people, map(str, begun.named()), strict=True))
    scores = {called.get(who, who): score for who, score in row.scores.items()}
    return row._replace(players=[called.get(who, who) for who in row.players], scores=scores)


def is_old(folder: str, web: str) -> bool:
    """Has the club's log grown since the page was made?"""
    page = os.path.join(web, FILE)
    return not os.path.exists(page) or os.path.getmtime(page) < os.path.getmtime(log_path(folder))


def _ways_in(club: Club, to: str) -> dict[str, Any]:
    """How people begin: the lines that they can send, and what there is to wait for."""
    return {
        "desk": to,
        "guide": sealed.players_file(spoken()),
        "joins": [
            (f"join {game.NAME}", game.TITLE, sealed.rules_file(game.NAME, spoken()))
            for game in _games(club)
        ],
        "mail": lambda line: _mail(to, line),
        "join": lambda terms: f"join {terms.text()}",
        "now": club,
        "places": lambda table: standing.places(club, table),
    }


def _games(club: Club) -> list[Any]:
    named = club.settings.get("games") or games.OWN
    return [games.game(name) for name in named]


def _mail(to: str, line: str) -> str:
    """The address that opens a mail with one line; "" where nobody knows the desk's address."""
    return f"mailto:{quote(to, safe='@')}?subject={quote(line)}&body={quote(line)}" if to else ""


def _of_event(stand: Standings) -> dict[str, Any]:
    """What the page of an event is made of: how everybody stands, and what came of each match,
    against whom or, at larger tables, in which round."""
    event, two = stand.event, stand.event.terms.players == 2
    cells, gone = defaultdict[tuple[Handle, Any], list[Cell]](list), stand.struck()
    running = {each.number for each in stand.to_come}
    for table in event.tables:
        match, result = event.matches.get(table.number, ""), stand.result(table, gone)
        for who in table.people if match and (result or table.number in running) else ():
            others = [each for each in table.people if each != who]
            value = None
            if result and who in result.places:
                value = gained(result, who) if two else result.places[who]
            cell = Cell(match, others, value, value is not None and not stand.is_over(table))
            cells[who, others[0] if two else table.round].append(cell)
    return {
        "event": event,
        "state": showing.state(stand),
        "divisions": [*map(showing.rows, stand.divisions())],
        "cells": cells,
        "two": two,
        "means": showing.MEANS.get(event.form.counts),
    }


def _of_person(
    known: Members, rated: Sequence[tuple[RatingsPublished, Ratings]], handle: Handle
) -> dict[str, Any]:
    """What the page of somebody is made of."""
    club, records = known.club, known.records
    matches = [
        (begun, games.game(begun.terms.game).TITLE, _result(begun, records.get(match), handle))
        for match, begun in [*club.begun.items()][::-1]
        if handle in begun.everybody
    ]
    counts = Counter(result.text() for *_, result in matches)
    totals = [say("{figure} {n}", figure=result, n=n) for result, n in counts.most_common()]
    return {
        "handle": handle,
        "known": known.reliability(handle),
        "events": [e.name for e in club.events.values() if handle in (*e.people, *e.field)],
        "matches": matches,
        "totals": say("{terms:dots}", terms=totals),
        "curves": [
            (games.game(act.game).TITLE, showing.fitting(act), rank, curve, _drawn(curve))
            for act, of_game in rated
            for rank, who, curve in of_game.ranked()
            if who == handle
        ],
    }


def _result(begun: Begun, record: MatchRecord | None, handle: Handle) -> Sentence:
    """What came of a match for somebody who has sat there."""
    if handle not in begun.people:
        return say("left the seat")
    if record is None or not record.over:
        return say("still runs")
    if handle not in record.winners:
        return say("lost") if record.winners else say("drawn")
    return say("shared the win") if record.winners[1:] else say("won")


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


def _feed(log: ClubLog, called: str) -> str:
    """The feed of a club's events; each entry leads to the page of its event."""
    entries = list[feeds.FeedEntry]()
    for nth, (_, entry, club) in enumerate(log.steps()):
        for name, title, lines in _news(club, entry.act):
            id = feeds.urn(log.header.chain, str(nth))
            told = feeds.FeedEntry(id, title.text(), "", entry.at, "", lines, event_file(name))
            entries.append(told)
    at = entries[-1].at if entries else log.header.created
    latest = entries[::-1][: feeds.MOST]
    return feeds.written(
        feeds.urn(log.header.chain, "feed"), called, FEED, FILE, at, entries=latest
    )


def _news(club: Club, act: object) -> Iterator[tuple[str, Sentence, Sequence[str]]]:
    """What a feed tells of an entry: the event, a title, and lines: how to enter, who plays, who
    stands where, each division by itself."""
    match act:
        case EventAnnounced(event=name):
            event = club.events[name]
            title = say("{event} is announced: {terms}", event=name, terms=event.words)
            yield name, title, [standing.to_enter(event).text()]
        case EventDrawn(event=name):
            event = club.events[name]
            people = [", ".join(each) for each in event.divisions(event.players)]
            yield name, say(_DRAWN, event=name, n=len(event.tables)), people
        case EventEnded(event=name, order=order) if order:
            first = say("{event} has ended; first is {people:all}", event=name, people=order[0])
            yield name, first, [", ".join(each) for each in order]


_DRAWN: Final = "{event} is drawn, with {n} [match|matches]"
