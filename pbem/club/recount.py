"""Everything that can be checked about a club: its log, its lots, and what its matches say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.club.acts import MatchBegun
from pbem.club.clublog import ClubLog, after
from pbem.club.clublog import begun as begun_with
from pbem.club.errands import by_lot, one_seat_on
from pbem.club.event_acts import EventDrawn
from pbem.club.eventwork import differs
from pbem.club.fold import Begun, Club
from pbem.club.private import ClubDesk
from pbem.club.tenures import MatchRecord
from pbem.desk.file import LOG_SUFFIX, desk_path
from pbem.files import cache, yamlio
from pbem.files.data import schema_text
from pbem.log import seal
from pbem.log.chance import Sealed
from pbem.log.match import Replay
from pbem.problem import BadFile, Problem
from pbem.sentence import Counted, Sentence, say


class Recount(NamedTuple):
    """What a check of a club found; `lots` counts the draws that were made again."""

    problems: tuple[Problem, ...]
    entries: int = 0
    lots: int = 0
    notices: tuple[Sentence, ...] = ()


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
        records, untrue, notices = _read(log)
        drawn, shut, club = 0, 0, begun_with(log.header)
        for entry in log.entries:
            known = _known(log, club.entries + 1, secret)
            for each in differs(log, club, entry.act, known, records):
                if isinstance(each, Sentence):
                    notices.append(each)
                else:
                    problems.append(each)
            drawn += isinstance(entry.act, EventDrawn) and bool(known)
            if isinstance(entry.act, MatchBegun) and entry.act.event is None:
                problems += _drawn_otherwise(log, club, entry.act, known)
                drawn, shut = drawn + bool(known), shut + (known is None)
            club = after(club, entry)
        if shut:
            notices.append(say(_SHUT, n=shut))
    return Recount((*problems, *untrue), len(log.entries), drawn, tuple(notices))


def _secret(log: ClubLog) -> bytes | None:
    """The secret of the lots since it was last opened, if it is here. Raises Problem if it is
    another."""
    if not os.path.exists(desk_path(log.path)):
        return None
    desk = ClubDesk.read(log.path)
    if seal.commit(desk.secret) != log.club.commit:
        raise BadFile("its secret is not the one that the log commits to", desk.path)
    return desk.secret


def _known(log: ClubLog, number: int, secret: bytes | None) -> bytes | None:
    """The secret that the lots of an entry were drawn from."""
    opened = (text for until, text in log.club.opened if number < until)
    text = next(opened, None)
    return bytes.fromhex(text) if text else secret


def _drawn_otherwise(
    log: ClubLog, before: Club, act: MatchBegun, secret: bytes | None
) -> list[Problem]:
    """What is wrong with who sits where in a match that begins after this: by lot, or one seat on
    if it is played again."""
    table = before.table(act.table or 0)
    seats = dict(act.seats)
    due = one_seat_on(before, table.after if table else "", seats, seats.values())
    if due is None and secret is not None:
        due = by_lot(Sealed(secret, before.name), before, act.match, seats, seats.values())
    if due is None or due == seats:
        return []
    where = yamlio.place(log.text, ("log", before.entries, "seats"))
    return [BadFile("the lots seat {due} in {match}", log.path, *where, due=due, match=act.match)]


def _read(log: ClubLog) -> tuple[dict[str, MatchRecord], list[Problem], list[Sentence]]:
    """The records of the club's matches whose logs are here and whole; what is wrong with the
    others, or with who has sat where; and which are not here."""
    found, problems, missing = dict[str, MatchRecord](), list[Problem](), list[Sentence]()
    for match, begun in log.club.begun.items():
        path = os.path.join(os.path.dirname(log.path), match + LOG_SUFFIX)
        if not os.path.exists(path):
            missing.append(say("{match} has begun, and its log is not here", match=match))
            continue
        try:
            found[match] = MatchRecord.of(Replay.read(path))
            problems += _differs(path, begun, found[match])
        except Problem as problem:
            problems.append(problem)
    return found, problems, missing


def _differs(path: str, begun: Begun, record: MatchRecord) -> Iterator[Problem]:
    """Where the log of a match says something else of who has sat where."""
    for seat, ours in begun.tenures.items():
        theirs = tuple(each.handle for each in record.tenures if each.seat == seat)
        if theirs[: len(ours)] != ours[: len(theirs)]:
            yield BadFile(
                "{seat} was held by {theirs:all} here, and by {ours:all} as the club has it",
                path,
                seat=seat,
                theirs=theirs,
                ours=ours,
            )


_SHUT: Final = Counted(
    "The lots of {n} match can be checked once the secret of the club is opened",
    "The lots of {n} matches can be checked once the secret of the club is opened",
)
