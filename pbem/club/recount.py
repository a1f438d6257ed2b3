"""Everything that can be checked about a club: its log, its lots, and what its matches say."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple

from pbem.club import ratings
from pbem.club.acts import ClubAct, MatchBegun
from pbem.club.clublog import ClubLog
from pbem.club.clubwork import as_at
from pbem.club.errands import by_lot, one_seat_on
from pbem.club.event_acts import EventDrawn, EventEnded, RatingsPublished, drawing, seed
from pbem.club.fold import Begun, Club
from pbem.club.private import ClubDesk
from pbem.club.reliability import Members
from pbem.club.results import Records, Standings
from pbem.club.tenures import MatchRecord
from pbem.core import slots
from pbem.desk.file import LOG_SUFFIX, desk_path
from pbem.files import cache, yamlio
from pbem.files.data import schema_text
from pbem.log import seal
from pbem.log.chance import Sealed
from pbem.log.doubts import MISSING
from pbem.log.match import Replay
from pbem.problem import BadFile, Problem
from pbem.sentence import Sentence, say


class Recount(NamedTuple):
    """What a check of a club found; `lots` counts the draws that were made again; `doubts` are
    words for programs."""

    problems: tuple[Problem, ...]
    entries: int = 0
    lots: int = 0
    notices: tuple[Sentence, ...] = ()
    doubts: tuple[str, ...] = ()


def recount(path: str) -> Recount:
    """Check a club's log against its schema, its chain, its rules, its lots and the logs of its
    matches beside it; with its private file, the lots since the secret was last opened as well.
    Raises Problem only if the log cannot be read at all."""
    text = yamlio.read_text(path)
    with cache.unused():
        try:
            log = ClubLog.parse(text, path)
            secret = _secret(log)
        except Problem as problem:
            return Recount((problem,))
        data = yamlio.parse(text, path)
        problems = yamlio.validate(data, schema_text("club"), text, path)
        records, untrue, missing = _read(log)
        notices = [
            say(_LOST, match=each.match, event=each.event)
            if each.event
            else say(_AWAY, match=each.match)
            for each in missing
        ]
        drawn = shut = 0
        for before, entry, _ in log.steps():
            lots = _lots(log, before.entries + 1, secret)
            for each in _differs(log, before, entry.act, lots, records):
                if isinstance(each, Sentence):
                    notices.append(each)
                else:
                    problems.append(each)
            seats = isinstance(entry.act, MatchBegun) and not entry.act.event
            drawn += bool(lots) and (seats or isinstance(entry.act, EventDrawn))
            shut += seats and lots is None
        if shut:
            notices.append(say(_SHUT, n=shut))
    doubts = (MISSING,) if any(each.event for each in missing) else ()
    return Recount((*problems, *untrue), len(log.entries), drawn, tuple(notices), doubts)


def _secret(log: ClubLog) -> bytes | None:
    """The secret of the lots since it was last opened, if it is here. Raises Problem if it is
    another."""
    if not os.path.exists(desk_path(log.path)):
        return None
    desk = ClubDesk.read(log.path)
    if seal.commit(desk.secret) != log.club.commit:
        raise BadFile("its secret is not the one that the log commits to", desk.path)
    return desk.secret


def _lots(log: ClubLog, number: int, secret: bytes | None) -> Sealed | None:
    """What the lots of an entry were drawn by, if its secret is here or opened."""
    opened = (bytes.fromhex(text) for until, text in log.club.opened if number < until)
    known = next(opened, secret)
    return Sealed(known, log.header.club) if known else None


def _differs(
    log: ClubLog, before: Club, act: ClubAct, lots: Sealed | None, known: Records
) -> Iterator[Problem | Sentence]:
    """What in an entry does not follow from what stands before it; and what cannot be told."""

    def then(matches: Collection[str], until: str) -> Records | None:
        here = {*matches} <= known.keys()
        return as_at(os.path.dirname(log.path), known, matches, until) if here else None

    for due in _followed(before, act, lots, then):
        if isinstance(due, Sentence):
            yield due
            continue
        for key in (slot.name for slot in slots(type(act))):
            if getattr(due, key, None) != getattr(act, key):
                where = yamlio.place(log.text, ("log", before.entries, key))
                names = (getattr(act, name, None) for name in ("match", "event", "game"))
                yield BadFile(_OTHER, log.path, *where, key=key, of=next(filter(None, names)))


def _followed(
    before: Club,
    act: ClubAct,
    lots: Sealed | None,
    then: Callable[[Collection[str], str], Records | None],
) -> Iterator[ClubAct | Sentence | None]:
    """The entry that follows in place of one that is worked out, None if there is none; and what
    cannot be told. Of matches `then` gives the records of a moment, None if a log is not here: what
    follows from it is believed, as lots are without the secret, and ratings without openskill."""
    match act:
        case MatchBegun(event="", seats=seats):
            due = one_seat_on(before, before.tables.get(act.table), seats, seats.values())
            if due is None and lots:
                due = by_lot(lots, before, act.match, seats, seats.values())
            yield MatchBegun(act.match, act.terms, due or seats, act.table, "")
        case EventDrawn(event=name, seed=lot, seeded=seeded, until=until):
            if lots:
                lot = seed(lots, before, name)
            else:
                yield say(_NO_SEED, event=name)
            event, known = before.events[name], then(before.begun, until) if until else None
            if known is not None:
                seeded = ratings.seeded(Members(before, known, until), event)
                if seeded is None:
                    yield say(_NOT_RATED, of=name)
            yield drawing(event, lot, seeded or act.seeded, until)
        case EventEnded(event=name, until=until) if before.events[name].runs:
            event = before.events[name]
            if (known := then(event.matches.values(), until)) is not None:
                yield Standings(event, known, until).end()
        case RatingsPublished(game=name, until=until):
            if not ratings.can_rate():
                yield say(_NOT_RATED, of=name)
            elif (known := then(before.begun, until)) is not None:
                yield ratings.fitted(known.values(), name, until)


_OTHER: Final = "the {key} of {of}: another follows from what stands before it"
_NO_SEED: Final = "The seed of {event} can be checked once the secret is opened"
_AWAY: Final = "{match} has begun, and its log is not here"
_LOST: Final = (
    "A LOG IS MISSING: {match} of {event} has begun, and its log is not here; what follows from it "
    "is believed"
)
_NOT_RATED: Final = "The ratings of {of} can be checked where openskill is installed"


def _read(log: ClubLog) -> tuple[dict[str, MatchRecord], list[Problem], list[Begun]]:
    """The records of the club's matches whose logs are here and whole; what is wrong with the
    others, or with which event they are of and who has sat where; and which are not here."""
    found, problems, missing = dict[str, MatchRecord](), list[Problem](), list[Begun]()
    for match, begun in log.club.begun.items():
        path = os.path.join(os.path.dirname(log.path), match + LOG_SUFFIX)
        if not os.path.exists(path):
            missing.append(begun)
            continue
        try:
            replay = Replay.read(path)
            found[match] = MatchRecord.of(replay)
            problems += _told_otherwise(path, begun, found[match], replay.log.header.event)
        except Problem as problem:
            problems.append(problem)
    return found, problems, missing


def _told_otherwise(
    path: str, begun: Begun, record: MatchRecord, event: str | None
) -> Iterator[Problem]:
    """Where the log of a match says something else of its event, or of who has sat where. Earlier
    versions named no event there."""
    if event not in (None, begun.event):
        where = yamlio.place(yamlio.read_text(path), ("event",))
        yield BadFile(_OF, path, *where, event=event, other=begun.event or "-")
    for seat, ours in begun.tenures.items():
        theirs = tuple(each.handle for each in record.tenures if each.seat == seat)
        if theirs[: len(ours)] != ours[: len(theirs)]:
            yield BadFile(_SAT, path, seat=seat, theirs=theirs, ours=ours)


_OF: Final = "the event is {event} here, and {other} as the club has it"
_SAT: Final = "{seat} was held by {theirs:all} here, and by {ours:all} as the club has it"
_SHUT: Final = (
    "The lots of {n} [match|matches] can be checked once the secret of the club is opened"
)
