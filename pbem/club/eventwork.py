"""What people can ask for in an event, each a function here; and whether what an event's entries
say can be worked out again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from pbem.club import event_acts, ratings, reliability, terms
from pbem.club.acts import ClubAct
from pbem.club.clublog import ClubLog
from pbem.club.clubwork import ClubAtWork, as_at
from pbem.club.errands import drawn
from pbem.club.event import ClubEvent
from pbem.club.fold import Club, Handle
from pbem.club.formats import FORMATS
from pbem.club.reliability import out_of_season
from pbem.club.results import Records, Standings
from pbem.club.terms import ANY, POOL
from pbem.core import slots
from pbem.files import yamlio
from pbem.log.chance import Sealed
from pbem.play import games
from pbem.problem import BadFile, NotNow, Problem, Usage
from pbem.sentence import Sentence, say


def meant(club: Club, name: str) -> ClubEvent | None:
    """The event somebody means: by its name or, after that, its format as well (spring league)."""
    words = re.findall(r"[^\W_]+", name.casefold())
    for each in club.events.values():
        own = re.findall(r"[^\W_]+", each.name.casefold())
        if words in (own, [*own, each.format]):
            return each
    return None


def is_named(event: ClubEvent, text: str) -> bool:
    """Does a text name an event?"""
    words, own = (" ".join(re.findall(r"[^\W_]+", each.casefold())) for each in (text, event.name))
    return f" {own} " in f" {words} "


def called(club: Club, name: str) -> ClubEvent:
    """The event somebody means. Raises Usage if there is none of this name."""
    if event := meant(club, name):
        return event
    raise Usage("{event} is no event of this club", event=name)


def _entered(work: ClubAtWork, act: event_acts.EventAct | event_acts.EventAnnounced) -> ClubEvent:
    work.enter(act)
    return work.club.events[act.event]


def announce(
    work: ClubAtWork,
    name: str,
    line: str,
    format: str,
    size: int,
    rounds: int,
    days: int | None,
    seeding: str | None,
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
    return _entered(
        work, event_acts.EventAnnounced(name, wanted.plain(), format, rounds, lasts, seeding)
    )


def draw(work: ClubAtWork, name: str) -> ClubEvent:
    """Draw the schedule of an event. Raises NotNow if there are too few people."""
    event, view = called(work.club, name), work.view()
    for who in () if event.runs else out_of_season(work.club, view.records, event, view.at):
        event = leave(work, event.name, who)
    size, people = event.terms.players, len(event.people)
    if people % size and size > 2 and games.game(event.terms.game).PLAYERS[0] > size - 1:
        raise NotNow(
            "{game} has no tables of less than {size}, and {n} people cannot do without",
            game=event.terms.game,
            size=size,
            n=people,
        )
    return _entered(work, drawn(work.view(), event))


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
    return _entered(work, event_acts.EventEntered(event.name, handle))


def leave(work: ClubAtWork, name: str, handle: Handle) -> ClubEvent:
    """Take somebody out of an event."""
    return _entered(work, event_acts.EventLeft(called(work.club, name).name, handle))


def end(work: ClubAtWork, name: str) -> ClubEvent:
    """End an event as it stands (E-30)."""
    event, view = called(work.club, name), work.view()
    order = Standings(event, view.records, view.at).order() if event.runs else ()
    return _entered(work, event_acts.EventEnded(event.name, view.at, order))


def differs(
    log: ClubLog, before: Club, act: ClubAct, secret: bytes | None, known: Records
) -> Iterator[Problem | Sentence]:
    """What in an entry about an event or about ratings does not follow; and what cannot be told."""

    def then(matches: Collection[str], until: str) -> Records | None:
        here = {*matches} <= known.keys()
        return as_at(os.path.dirname(log.path), known, matches, until) if here else None

    for due in _followed(before, act, secret, then):
        if isinstance(due, Sentence):
            yield due
            continue
        for key in (slot.name for slot in slots(type(act))):
            if getattr(due, key, None) != getattr(act, key):
                where = yamlio.place(log.text, ("log", before.entries, key))
                of = getattr(act, "event", None) or getattr(act, "game", "")
                yield BadFile(
                    "the {key} of {event} is another", log.path, *where, key=key, event=of
                )


def _followed(
    before: Club,
    act: ClubAct,
    secret: bytes | None,
    then: Callable[[Collection[str], str], Records | None],
) -> Iterator[ClubAct | Sentence | None]:
    """The entry that follows in place of one about an event or ratings, None if there is none; and
    what cannot be told. Of matches `then` gives the records of a moment, None if a log is not here:
    what follows from it is believed, as a seed is without the secret, and ratings without
    openskill."""
    match act:
        case event_acts.EventDrawn(event=name, seed=lot, seeded=seeded, until=until):
            if secret is None:
                yield say(
                    "The seed of {event} can be checked once the secret is opened", event=name
                )
            else:
                lot = event_acts.seed(Sealed(secret, before.name), before, name)
            event, known = before.events[name], then(before.begun, until) if until else None
            if known is not None:
                seeded = ratings.seeded(before, event, known, until or "")
                if seeded is None:
                    yield say(_NOT_RATED, of=name)
            yield event_acts.drawing(event, lot, seeded or act.seeded, until)
        case event_acts.EventEnded(event=name, until=until) if before.events[name].runs:
            if (known := then(before.events[name].matches.values(), until)) is not None:
                order = Standings(before.events[name], known, until).order()
                yield event_acts.EventEnded(name, until, order)
        case event_acts.RatingsPublished(game=name, until=until):
            if not ratings.can_rate():
                yield say(_NOT_RATED, of=name)
            elif (known := then(before.begun, until)) is not None:
                yield ratings.fitted(known.values(), name, until)


_NOT_RATED: Final = "The ratings of {of} can be checked where openskill is installed"
