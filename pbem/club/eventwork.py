"""What people can ask for in an event, each a function here; and whether what an event's entries
say can be worked out again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from pbem.club import ratings, reliability, results, terms
from pbem.club.acts import ClubAct
from pbem.club.clublog import ClubLog
from pbem.club.clubwork import ClubAtWork, as_of, records
from pbem.club.event import ClubEvent
from pbem.club.event_acts import (
    EventAnnounced,
    EventDrawn,
    EventEnded,
    EventEntered,
    EventLeft,
    RatingsPublished,
    drawing,
    seed,
    too_few,
)
from pbem.club.fold import Club, Handle
from pbem.club.formats import FORMATS
from pbem.club.reliability import out_of_season
from pbem.club.results import Records
from pbem.club.showing import Shown
from pbem.club.terms import ANY, POOL
from pbem.files import yamlio
from pbem.log.chance import Sealed
from pbem.matches.matches import Matches
from pbem.play import games
from pbem.problem import BadFile, NotNow, Problem, Usage


def meant(club: Club, name: str) -> ClubEvent | None:
    """The event somebody means: by its name or, after that, its format as well (spring league)."""
    words = re.findall(r"[^\W_]+", name.casefold())
    for each in club.events.values():
        own = re.findall(r"[^\W_]+", each.name.casefold())
        if words in (own, [*own, each.format]):
            return each
    return None


def called(club: Club, name: str) -> ClubEvent:
    """The event somebody means. Raises Usage if there is none of this name."""
    if event := meant(club, name):
        return event
    raise Usage("{event} is no event of this club", event=name)


def shown(folder: str, name: str) -> Shown:
    """How an event of a folder's club stands. Raises Problem."""
    club = ClubLog.read(folder).club
    event, matches = called(club, name), Matches(folder, indexed=os.access(folder, os.W_OK))
    return Shown.of(event, as_of(folder, records(matches, club), event))


def announce(
    work: ClubAtWork, name: str, line: str, format: str, size: int, rounds: int, days: int | None
) -> ClubEvent:
    """Announce an event of the game that a line names, at tables of this size. Raises Problem."""
    if format not in FORMATS:
        raise Usage(
            "a format is one of {formats:all}, not {format!r}", formats=[*FORMATS], format=format
        )
    if name.casefold() in (ANY.game, POOL.game, *games.names()):
        raise Usage("{event} is what people wait for; call the event otherwise", event=name)
    wanted = terms.read(f"{line}, {size}", work.club.settings)
    lasts = FORMATS[format].season if days is None else days
    work.enter(EventAnnounced(name, wanted.plain(), format, rounds, lasts))
    return work.club.events[name]


def draw(work: ClubAtWork, name: str) -> ClubEvent:
    """Draw the schedule of an event. Raises NotNow if there are too few people."""
    event, view = called(work.club, name), work.view()
    for who in () if event.runs else out_of_season(work.club, view.records, event, view.at):
        event = leave(work, event.name, who)
    size, people = event.terms.players, len(event.people)
    if wrong := too_few(event):
        raise NotNow("{objection}", objection=wrong[0])
    if people % size and size > 2 and games.game(event.terms.game).PLAYERS[0] > size - 1:
        raise NotNow(
            "{game} has no tables of less than {size}, and {n} people cannot do without",
            game=event.terms.game,
            size=size,
            n=people,
        )
    work.enter(drawing(event, seed(work.desk.lots, work.club, event.name)))
    return work.club.events[event.name]


def enter(work: ClubAtWork, name: str, handle: Handle) -> ClubEvent:
    """Enter somebody for an event. Raises NotNow if they are barred (E-5)."""
    event, view = called(work.club, name), work.view()
    if reliability.barred(work.club, view.records, handle, view.at):
        raise NotNow(
            "{handle} has lost by silence in an event, and can enter another once more matches are "
            "finished than were lost, and {days} days after the last [E-5]",
            handle=handle,
            days=reliability.BARRED_DAYS,
        )
    work.enter(EventEntered(event.name, handle))
    return work.club.events[event.name]


def leave(work: ClubAtWork, name: str, handle: Handle) -> ClubEvent:
    """Take somebody out of an event."""
    work.enter(EventLeft(called(work.club, name).name, handle))
    return called(work.club, name)


def end(work: ClubAtWork, name: str) -> ClubEvent:
    """End an event as it stands (E-30)."""
    event, view = called(work.club, name), work.view()
    order = results.order(event, view.records, view.at) if event.runs else ()
    work.enter(EventEnded(event.name, view.at, order))
    return work.club.events[event.name]


# ------------------------------------------------------------------------ worked out again


def differs(
    log: ClubLog, before: Club, act: ClubAct, secret: bytes | None, kept: Callable[[], Records]
) -> Iterator[Problem]:
    """What in an entry about an event does not follow: its seed, its schedule, its order; what in
    one about ratings. Without the secret the seed is believed; the rest is, if a log that it
    follows from is not here, or openskill."""

    def wrong(key: str, of: str) -> BadFile:
        where = yamlio.place(log.text, ("log", before.entries, key))
        return BadFile("the {key} of {event} is another", log.path, *where, key=key, event=of)

    match act:
        case EventDrawn(event=name, seed=given):
            event = before.events[name]
            if secret is not None and seed(Sealed(secret, before.name), before, name) != given:
                yield wrong("seed", name)
            made = drawing(event, given)
            if act.algorithm != made.algorithm:
                yield wrong("algorithm", name)
            if [*act.schedule] != [*made.schedule]:
                yield wrong("schedule", name)
        case EventEnded(event=name, until=until) if before.events[name].runs:
            event, folder = before.events[name]._replace(ended=until), os.path.dirname(log.path)
            if {*event.matches.values()} <= kept().keys():
                order = results.order(event, as_of(folder, kept(), event), until)
                if order != tuple(map(tuple, act.order)):
                    yield wrong("order", name)
        case RatingsPublished(game=game, until=until) if ratings.can_rate():
            due = before.begun.keys() <= kept().keys()
            if due and ratings.fitted(kept().values(), game, until) != act:
                yield wrong("beta", game)
