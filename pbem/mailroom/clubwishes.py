"""What somebody seems to want of a club in words of their own, as the line that asks for it: for
the question at the door, for what is drawn over nobody's head, and for what a founder types to
grant it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

from pbem import intake
from pbem.club.clublog import ClubLog, log_path
from pbem.club.event import Handle
from pbem.club.fold import Club
from pbem.club.private import ClubDesk
from pbem.desk.address import Address
from pbem.intake import Submission, asking, clubbing, rawmail
from pbem.intake.clubbing import CALLED, ClubWish
from pbem.intake.text import decoded
from pbem.intake.verbs import RESIGN
from pbem.mailroom.granting import ADDRESS, to_type
from pbem.mailroom.inbox import headers
from pbem.problem import Problem

_GRANTS: Final = {
    "join": "event enter {folder} {about} {who}",
    "leave": "event leave {folder} {about} {who}",
    "avoid": "club says {folder} {who} {line}",
    "moved": "club join {folder} {who} --address {about}",
    "out": "club leave {folder} {who}",
    "data": "forget {about} {folder}",
    "again": "club says {folder} {who} rematch --match {about}",
}
"""What is typed to grant what a member wants."""


def of_event(
    club: Club, handle: Handle, said: Submission, subject: str, match: str = ""
) -> ClubWish | None:
    """The wish to enter or to leave the one event that a message speaks of; None if it speaks of
    none, or of several, or says no. Whoever is in it and speaks of leaving wants to leave it; in a
    message about a match that may be what is to be left, unless the event has its full name."""
    if clubbing.declines(said):
        return None
    words = clubbing.plain_words(said, "" if match else subject)
    lines = [each.text for each in (*said.orders, *said.outside)]
    gives_up = any(asking.mentioned(each) == RESIGN for each in lines)
    leaves = gives_up or any(clubbing.speaks("leave", each) for each in lines)
    events = [
        each
        for each in club.events.values()
        if (leaves and not each.closed if handle in each.people else each.is_open and not gives_up)
    ]
    named = [each for each in events if each.is_named(words, fully=bool(match))]
    found = named or (events if not match and clubbing.speaks("event", words) else [])
    if len(found) != 1:
        return None
    return ClubWish("leave" if handle in found[0].people else "join", found[0].name)


def avoided(club: Club, clauses: Iterable[str]) -> ClubWish | None:
    """The wish never to sit at a table with a member, of somebody who asks for a place and says
    "but not with Tom"."""
    name, wanted = clubbing.companion(clauses)
    other = None if wanted else club.called(name)
    return ClubWish("avoid", other) if other else None


def wished(
    folder: str, said: Submission, sender: str, match: str = ""
) -> tuple[Handle, ClubWish | None]:
    """Who wrote a message about a match or none, "" for somebody whom the club of a folder does not
    know, and what of an event they seem to want. Raises Problem."""
    handle = member(folder, sender)
    club = ClubLog.read(folder).club
    return handle, of_event(club, handle, said, said.title, match) if handle else None


def granting(folder: str, said: Submission, sender: str, match: str) -> Iterator[str]:
    """The lines to type that grant what a member wants in words of their own, in a message about a
    match or none. Raises Problem."""
    who, wish = wished(folder, said, sender, match)
    club, lines = ClubLog.read(folder).club, [e.text for e in (*said.orders, *said.outside)]
    text, wanted = clubbing.plain_words(said, ""), {*chain(*map(asking.wanted, lines))}
    address = ADDRESS.search(text) if "moved" in wanted else None
    found = [wish, avoided(club, lines), ClubWish("moved", address[0]) if address else None]
    found += [ClubWish("again", match)] if "again" in wanted and match in club.begun else []
    gone = [ClubWish("out"), ClubWish("data", sender)] if clubbing.speaks("data", text) else []
    for verb, about in filter(None, [*found, *gone] if who else ()):
        blanks = {"{folder}": folder, "{who}": who, "{about}": about, "{line}": f"{verb} {about}"}
        yield to_type(_GRANTS[verb], blanks)


def joining(folder: str, raw: bytes, sender: str) -> Iterator[str]:
    """The line to type that takes in a stranger who wrote a mail, if that is a wish to join: it
    names a game of the club, or its writer; or that gives whoever has joined since a place in the
    line of that game. Raises Problem."""
    said = Submission()
    with suppress(Problem):  # of an empty mail there is the subject
        said = intake.read(raw, "the mail", "mail")
    text = clubbing.plain_words(said, decoded(headers.read(rawmail.read(raw)).subject))
    game = clubbing.game_named(text, ClubLog.read(folder).club.settings.get("games", ()))
    asked = {each.verb: each.about for each in clubbing.wishes(said, named=True)}
    line, who = ("--line", game) if game else (), member(folder, sender)
    if who and game:
        yield shlex.join(("pbem", "club", "join", folder, who, *line))
    elif not who and (game or {CALLED, "join"} & asked.keys()):
        who = asked.get(CALLED, "HANDLE")
        yield shlex.join(("pbem", "club", "join", folder, who, "--address", sender, *line))


def seating(folder: str, sender: str) -> Iterator[str]:
    """The line to type that gives somebody the empty seat that they were asked about last, if one
    is still sought for it. Raises Problem."""
    who = member(folder, sender)
    sought = ClubLog.read(folder).still_sought(who) if who else None
    if sought:
        place = ("--match", sought.match, "--seat", sought.seat)
        yield shlex.join(("pbem", "club", "seat", folder, who, *place))


def member(folder: str, sender: str) -> Handle:
    """Whose address it is in the club of a folder; "" if nobody's. Raises Problem."""
    return ClubDesk.read(log_path(folder)).who(Address(sender)) or ""
