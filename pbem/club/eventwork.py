"""What people can ask for in an event, each a function here; and whether what an event's entries
say can be worked out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.club import results, terms
from pbem.club.acts import ClubAct
from pbem.club.clublog import ClubLog
from pbem.club.clubwork import ClubAtWork
from pbem.club.event import ClubEvent
from pbem.club.event_acts import EventAnnounced, EventDrawn, EventEnded, too_few
from pbem.club.fold import Club
from pbem.club.formats import FORMATS
from pbem.club.results import Records
from pbem.files import yamlio
from pbem.log.chance import Dealer, Sealed
from pbem.play import games
from pbem.problem import BadFile, NotNow, Problem, Usage


def called(club: Club, name: str) -> ClubEvent:
    """The event somebody means. Raises Usage if there is none of this name."""
    for each in club.events.values():
        if each.name.casefold() == name.casefold():
            return each
    raise Usage("{event} is no event of this club", event=name)


def announce(
    work: ClubAtWork, name: str, line: str, format: str, size: int, rounds: int, days: int | None
) -> ClubEvent:
    """Announce an event of the game that a line names, at tables of this size. Raises Problem."""
    if format not in FORMATS:
        raise Usage(
            "a format is one of {formats:all}, not {format!r}", formats=[*FORMATS], format=format
        )
    wanted = terms.read(f"{line}, {size}", work.club.settings)
    work.enter(EventAnnounced(name, wanted.plain(), format, rounds, days))
    return work.club.events[name]


def draw(work: ClubAtWork, name: str) -> ClubEvent:
    """Draw the schedule of an event. Raises NotNow if there are too few people."""
    event, form = called(work.club, name), FORMATS[called(work.club, name).format]
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
    drawn_from = seed(work.desk.lots, work.club, event.name)
    rounds = form.schedule(event.people, size, event.rounds, drawn_from)
    plain = tuple([[*table] for table in each] for each in rounds)
    work.enter(EventDrawn(event.name, drawn_from, form.algorithm, plain))
    return work.club.events[event.name]


def seed(dealer: Dealer, club: Club, event: str) -> str:
    """The seed that the next entry draws an event's schedule from: a draw for each digit (E-3)."""
    digits = [(each, 1) for each in "0123456789abcdef"]
    drawn = (dealer(club.entries + 1, ("schedule", event, str(n)), digits) for n in range(16))
    return "".join(drawn)


def end(work: ClubAtWork, name: str) -> ClubEvent:
    """End an event as it stands (E-30)."""
    event, view = called(work.club, name), work.view()
    work.enter(EventEnded(event.name, view.at, results.order(event, view.records, view.at)))
    return work.club.events[event.name]


# ------------------------------------------------------------------------ worked out again


def differs(
    log: ClubLog, before: Club, act: ClubAct, secret: bytes | None, records: Callable[[], Records]
) -> Iterator[Problem]:
    """What in an entry about an event does not follow: its seed, its schedule, its order. Without
    the secret the seed is believed; an order is, if a log that it follows from is not here."""

    def wrong(key: str) -> BadFile:
        where = yamlio.place(log.text, ("log", before.entries, key))
        return BadFile(
            "the {key} of {event} is another", log.path, *where, key=key, event=event.name
        )

    if isinstance(act, EventDrawn):
        event = before.events[act.event]
        if secret is not None and seed(Sealed(secret, before.name), before, event.name) != act.seed:
            yield wrong("seed")
        form = FORMATS[event.format]
        if act.algorithm != form.algorithm:
            yield wrong("algorithm")
        made = form.schedule(event.people, event.terms.players, event.rounds, act.seed)
        if made != [*act.schedule]:
            yield wrong("schedule")
    if isinstance(act, EventEnded):
        event = before.events[act.event]
        known = records()
        here = {*event.matches.values()} <= known.keys()
        if here and results.order(event, known, act.until) != tuple(map(tuple, act.order)):
            yield wrong("order")
