"""Who seems to want to enter an event, in words of their own: a mail is asked at the door, and what
lies aside is found again before the event is drawn."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from pbem import intake
from pbem.club.clublog import ClubLog, log_path
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.private import ClubDesk
from pbem.desk.address import Address
from pbem.intake import Submission, clubbing, rawmail
from pbem.intake.text import decoded
from pbem.mailroom import tray
from pbem.mailroom.inbox import headers
from pbem.mailroom.tray import LaidAside
from pbem.problem import NotNow, Problem


class EventWish(NamedTuple):
    """A mail that lies aside and speaks of an event that its writer is not in; their handle, ""
    for somebody whom the club does not know."""

    mail: LaidAside
    handle: Handle
    event: str


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


def wishes(folder: str, *numbers: int) -> Iterator[EventWish]:
    """The wishes for events that lie aside in a folder with a club, of all mails or of those with
    these numbers. Raises Problem."""
    path = log_path(folder)
    club, desk = ClubLog.read(folder).club, ClubDesk.read(path)
    for mail in tray.entries(folder):
        if numbers and mail.number not in numbers:
            continue
        handle = desk.who(Address(mail.sender)) or ""
        try:
            said = mail.message
            event = meant(club, handle, said, said.title)
        except Problem:
            continue
        if event:
            yield EventWish(mail, handle, event.name)


def joining(folder: str, mail: LaidAside) -> Iterator[str]:
    """The line to type that takes in a stranger whose mail lies aside, if that is a wish to join:
    it names a game of the club, or its writer. Raises Problem."""
    club, raw, said = ClubLog.read(folder).club, mail.read(), Submission()
    with suppress(Problem):  # of an empty mail there is the subject
        said = intake.read(raw, mail.path, "mail")
    subject = headers.read(rawmail.read(raw)).subject
    text = clubbing.plain_words(said, decoded(subject))
    game = clubbing.game_named(text, club.settings.get("games", ()))
    asked = {each.verb: each.about for each in clubbing.wishes(said, named=True)}
    known = ClubDesk.read(log_path(folder)).who(Address(mail.sender))
    if not known and (game or {clubbing.CALLED, "join"} & asked.keys()):
        line = ("--line", game) if game else ()
        who = asked.get(clubbing.CALLED, "HANDLE")
        yield shlex.join(("pbem", "club", "join", folder, who, "--address", mail.sender, *line))


def seating(folder: str, mail: LaidAside) -> Iterator[str]:
    """The line to type that gives whoever wrote a mail the empty seat that they were asked about
    last, if somebody is still sought for it. Raises Problem."""
    who = ClubDesk.read(log_path(folder)).who(Address(mail.sender))
    sought = ClubLog.read(folder).still_sought(who) if who else None
    if who and sought:
        place = ("--match", sought.match, "--seat", sought.seat)
        yield shlex.join(("pbem", "club", "seat", folder, who, *place))


def require_none(folder: str, event: ClubEvent) -> None:
    """Raises NotNow if mails lie aside that may be wishes to enter an event that is to be drawn."""
    lying = [each.mail.number for each in wishes(folder) if each.event == event.name]
    if lying:
        n = len(event.people)
        raise NotNow(_LYING, event=event.name, n=n, mails=lying, folder=folder)


def put_away(folder: str, event: str, handle: Handle) -> None:
    """Put away the wishes of somebody who is being entered for an event. Raises Problem."""
    for each in wishes(folder):
        if (each.event, each.handle) == (event, handle):
            tray.put_away(each.mail)


_LYING: Final = (
    "{event} is not drawn (people so far: {n}), as mails that may be about it lie aside: "
    "{mails:all}. Read them (`pbem aside {folder:typed} N`), enter their writers (`pbem event "
    "enter`) or put them away (`pbem aside {folder:typed} --done N`), and draw again"
)
