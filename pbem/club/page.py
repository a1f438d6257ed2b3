"""The page of a club on its site: who waits, what is open, what is played, how far people can be
counted on, and a mail to begin with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from pbem.club import eventpages, ratings, reliability, showing
from pbem.club.clublog import ClubLog, log_path
from pbem.club.clubwork import as_of, records
from pbem.club.event_acts import RatingsPublished
from pbem.club.fold import Club
from pbem.club.ratings import Ratings
from pbem.club.results import Standings
from pbem.club.tenures import MatchRecord
from pbem.club.terms import ANY, POOL, TableTerms
from pbem.files.languages import speaking
from pbem.matches.index import club_of
from pbem.matches.matches import Matches
from pbem.play import games
from pbem.report import pages, sealed, site
from pbem.sentence import Sentence, say, spoken

FILE: Final = "club.html"
"""The page, in the folder of the site."""


def linked(folder: str) -> Mapping[str, Sentence]:
    """The page of the club whose matches these are, for the index of their site; {} without one.
    Raises Problem."""
    if not club_of(folder):
        return {}
    return {FILE: say("The club {name}", name=ClubLog.read(folder).club.name)}


def written(matches: Matches, web: str, to: str, house: str, at: str) -> list[str]:
    """Bring the page up to date at a moment, in the language of the `house`, with mails `to` the
    desk; gives the files that were written. Raises Problem."""
    log = ClubLog.read(matches.folder)
    with speaking(house):
        made = dict(_pages(log, matches, to, at))
        files = site.put_guides(web, house, [game.NAME for game in _games(log.club)])
        return files + [path for name, text in made.items() for path in site.put(web, name, text)]


def _pages(log: ClubLog, matches: Matches, to: str, at: str) -> Iterator[tuple[str, str]]:
    """The pages of the club, of its events and its people, and the feed; each with its name."""
    club, here = log.club, dict[str, Any](home=site.INDEX, club=FILE, **eventpages.FILES)
    known = records(matches, club)
    rated = [*ratings.published(club, known)]
    stand = {name: as_of(matches.folder, known, each) for name, each in club.events.items()}
    yield FILE, _html(club, stand, known, rated, to, at)
    for event in club.events.values():
        facts = eventpages.of_event(stand[event.name], club)
        link = _mail(to, f"enter {event.name}") if event.is_open else ""
        page = pages.html("event", **here, title=event.name, enter=link, **facts)
        yield eventpages.event_file(event.name), page
    for handle in club.joined:
        facts = eventpages.of_person(club, known, rated, handle, at)
        yield eventpages.person_file(handle), pages.html("person", **here, title=handle, **facts)
    yield eventpages.FEED, eventpages.feed(log, say("The club {name}", name=club.name).text(), FILE)


def is_old(folder: str, web: str) -> bool:
    """Has the club's log grown since the page was made?"""
    page = os.path.join(web, FILE)
    return not os.path.exists(page) or os.path.getmtime(page) < os.path.getmtime(log_path(folder))


def _html(
    club: Club,
    stand: Mapping[str, Standings],
    known: Mapping[str, MatchRecord],
    rated: Sequence[tuple[RatingsPublished, Ratings]],
    to: str,
    at: str,
) -> str:
    going = [match for match in club.begun if not (match in known and known[match].over)]
    return pages.html(
        "club",
        title=say("The club {name}", name=club.name).text(),
        home=site.INDEX,
        **eventpages.FILES,
        desk=to,
        guide=sealed.players_file(spoken()),
        joins=[
            (f"join {game.NAME}", game.TITLE, sealed.rules_file(game.NAME, spoken()))
            for game in _games(club)
        ],
        mail=lambda line: _mail(to, line),
        lines=[(_called(terms), line, _join(to, terms)) for terms, line in club.lines().items()],
        tables=[
            (each.number, each.terms.text(), each.seated, club.free(each), _join(to, each.terms))
            for each in club.tables
        ],
        seeking=[
            (each.match, each.seat, each.left, club.begun[each.match].terms.text())
            for each in club.vacancies
        ],
        going=[club.begun[match] for match in going],
        feed=eventpages.FEED,
        events=[(each.event, showing.state(each).text()) for each in [*stand.values()][::-1]],
        rated=[
            (games.game(act.game).TITLE, showing.fitting(act).text(), each.ranked())
            for act, each in rated
        ],
        people=[(each, reliability.of(known.values(), each, at)) for each in club.joined],
    )


def _games(club: Club) -> list[Any]:
    named = club.settings.get("games") or games.OWN
    return [games.game(name) for name in named]


def _called(terms: TableTerms) -> str:
    """What a line waits for."""
    if terms == POOL:
        return say("a seat that becomes empty").text()
    return say("any table").text() if terms == ANY else terms.text()


def _join(to: str, terms: TableTerms) -> str:
    return _mail(to, f"join {terms.text()}")


def _mail(to: str, line: str) -> str:
    """The address that opens a mail with one line; "" where nobody knows the desk's address."""
    return f"mailto:{quote(to, safe='@')}?subject={quote(line)}&body={quote(line)}" if to else ""
