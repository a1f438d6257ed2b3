"""What somebody seems to want of a club in words of their own: which event, for the question at the
door and before it is drawn; and the lines to type that grant it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress

from pbem import intake
from pbem.club.clublog import ClubLog, log_path
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.private import ClubDesk
from pbem.desk.address import Address
from pbem.intake import Submission, clubbing, rawmail
from pbem.intake.text import decoded
from pbem.mailroom.inbox import headers
from pbem.problem import Problem


def meant(club: Club, handle: Handle, said: Submission, subject: str) -> ClubEvent | None:
    """The one open event that a message speaks of and that its writer is not in; None if it speaks
    of none, or of several, or says no."""
    if clubbing.declines(said):
        return None
    words = clubbing.plain_words(said, subject)
    unentered = [e for e in club.events.values() if e.is_open and handle not in e.people]
    named = [each for each in unentered if each.is_named(words)]
    found = named or (unentered if clubbing.speaks_of_an_event(words) else [])
    return found[0] if len(found) == 1 else None


def wished(folder: str, said: Submission, sender: str) -> tuple[Handle, str]:
    """Who wrote a message, "" for somebody whom the club of a folder does not know, and the event
    that it speaks of and that they are not in; "" if there is none. Raises Problem."""
    handle = _writer(folder, sender)
    event = meant(ClubLog.read(folder).club, handle, said, said.title)
    return handle, event.name if event else ""


def joining(folder: str, raw: bytes, sender: str) -> Iterator[str]:
    """The line to type that takes in a stranger who wrote a mail, if that is a wish to join: it
    names a game of the club, or its writer. Raises Problem."""
    said = Submission()
    with suppress(Problem):  # of an empty mail there is the subject
        said = intake.read(raw, "the mail", "mail")
    text = clubbing.plain_words(said, decoded(headers.read(rawmail.read(raw)).subject))
    game = clubbing.game_named(text, ClubLog.read(folder).club.settings.get("games", ()))
    asked = {each.verb: each.about for each in clubbing.wishes(said, named=True)}
    if not _writer(folder, sender) and (game or {clubbing.CALLED, "join"} & asked.keys()):
        line = ("--line", game) if game else ()
        who = asked.get(clubbing.CALLED, "HANDLE")
        yield shlex.join(("pbem", "club", "join", folder, who, "--address", sender, *line))


def seating(folder: str, sender: str) -> Iterator[str]:
    """The line to type that gives somebody the empty seat that they were asked about last, if one
    is still sought for it. Raises Problem."""
    who = _writer(folder, sender)
    sought = ClubLog.read(folder).still_sought(who) if who else None
    if sought:
        place = ("--match", sought.match, "--seat", sought.seat)
        yield shlex.join(("pbem", "club", "seat", folder, who, *place))


def _writer(folder: str, sender: str) -> Handle:
    return ClubDesk.read(log_path(folder)).who(Address(sender)) or ""
