"""All matches of a folder at a glance, and their deadlines."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Final

from pbem.cli import complete
from pbem.cli.common import Folder, app, flag, here, takes, takes_format
from pbem.cli.output import Beside, File, Output, make_ready, trouble_of
from pbem.files import timestamp
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from pbem.mailroom.agenda import Agenda, Heard
    from pbem.mailroom.daybook import Book
    from pbem.matches.status import Overview
    from pbem.sentence import Sentence


@app.command(
    epilog="Examples: pbem status matches --game kahuna --waiting 7 · "
    "pbem status matches --late --ics deadlines.ics"
)
def status(
    dir: Folder = ".",
    all: Annotated[bool, flag("--all", "List finished matches too.")] = False,
    game: Annotated[
        str | None, takes("GAME", "Matches of this game.", autocompletion=complete.games)
    ] = None,
    seat: Annotated[str | None, takes("SEAT", "Matches that wait for this seat.")] = None,
    player: Annotated[str | None, takes("NAME", "Matches this player plays in.")] = None,
    waiting: Annotated[
        int | None, takes("DAYS", "Matches that have waited for at least so many days.")
    ] = None,
    late: Annotated[
        bool, flag("--late", "Where a deadline has passed; exit code 1 if there is one.")
    ] = False,
    ics: Annotated[
        str | None, takes("FILE", "Write the deadlines of these there as a calendar.")
    ] = None,
) -> Output:
    """Show all matches of a folder, and what needs you."""
    from datetime import datetime

    from pbem.mailroom import agenda, tray
    from pbem.mailroom.outbox.folder import undelivered
    from pbem.matches import listing, status
    from pbem.matches.listing import Wanted
    from pbem.matches.matches import Matches

    if ics:
        make_ready(ics)
    matches, book, tally, at = Matches(dir), _book(dir), tray.tally(dir), timestamp.now()
    asks = agenda.waits_for_moderator(book), agenda.has_written(book, dir)
    found = matches.overview(tray.unanswered(dir, book), undelivered(dir), *asks)
    moment = datetime.fromisoformat(at)
    wanted = Wanted(game, seat, player, waiting, late, over=True)
    whole = listing.chosen(found, wanted, moment)
    going = whole if all else listing.chosen(found, wanted._replace(over=False), moment)

    def told() -> Iterator[object]:
        yield from map(printable, (*tally.sentences(dir), *_waiting(dir, found, book, at)))
        width = get_terminal_size((listing.LEAST, 24)).columns
        unlisted = len(whole.matches) - len(going.matches)
        yield from listing.lines(going, moment, width=width, unlisted=unlisted)

    timed = [each.summary for each in going.matches if each.summary]
    events = ((each.match, each.players, each.times) for each in timed if each.times)
    return Output(
        # A program can leave out finished matches.
        lambda: status.plain(whole, at) | {"aside": tally._asdict()},
        told(),
        trouble_of(matches.index),
        [File(ics, listing.calendar(events))] if ics else (),
        code=1 if late and going.matches else 0,
    )


_SEATS: Final = "{n} [seat needs|seats need] you: `pbem due {folder:typed}`"


def _book(dir: str) -> "Book":
    from pbem.mailroom.daybook import book_of
    from pbem.mailroom.outbox.folder import OWN, holds
    from pbem.matches.index import FOLDER

    outbox = os.path.join(dir, FOLDER, OWN)
    return book_of(dir, lambda name: holds(outbox, name))


def _waiting(dir: str, found: "Overview", book: "Book", at: str) -> "Iterator[Sentence]":
    """What cannot be sent to webhooks or read, but for what stands with its match; why time is not
    kept, or how many seats need the moderator; and whom the club of the folder seeks."""
    from pbem.mailroom import agenda, daybook
    from pbem.matches.index import club_of

    for fails in book.waiting.values():
        if fails.what.startswith(daybook.WEBHOOK) or not fails.match:
            yield say("{match}: {why}", match=fails.match or "-", why=fails.why)
    why = agenda.why_not_kept(book, at, mailbox=True)
    if why and (book.last > at or any(each.waits_for(at) for each in found.matches)):
        yield why
    elif n := sum(len(each.for_moderator(at, by_hand=not book.last)) for each in found.matches):
        yield say(_SEATS, n=n, folder=dir)
    if club_of(dir):
        from pbem.cli.club import searches

        yield from searches(dir) or ()


# ------------------------------------------------------------------------------- deadlines

_PLANNED = "{match}: what waited has been played; `pbem post {log:typed}` prints it"


@app.command(epilog="Examples: pbem due matches · pbem due matches --enter")
def due(
    dir: Folder = ".",
    enter: Annotated[
        bool,
        flag(
            "--enter",
            "Write the notices that are owed, play what waits for a tick; and no post "
            "that is printed now is printed again.",
        ),
    ] = False,
    format: Annotated[str | None, takes_format("{dialects}; else as each match has it.")] = None,
) -> Output:
    """Print reminders and notices to post, and what silence brings."""
    from pbem.desk.answer import Verdict
    from pbem.mailroom import agenda, daybook
    from pbem.matches.index import match_name

    moment, book = timestamp.now(), _book(dir)
    heard = agenda.heard_by(book, by_hand=not book.last)
    look = partial(agenda.Agenda.at, dir, moment, heard, _replaced(dir, moment, heard, book))
    found, ticked, entered = look(), list[str](), 0
    if enter:
        ticks = (each.path for each in found.matches if each.tick)
        ticked = [path for path in ticks if agenda.play_plans(path, here())]
        found = look() if ticked else found
        owed = [(judged.path, each) for judged in found.matches for each in judged.owed]
        notices = [(path, each) for path, each in owed if each.verdict == Verdict.LATE]
        entered = sum(
            bool(agenda.enter(path, each, here(), moment, heard=heard)) for path, each in notices
        )
        found = look() if entered else found
    planned = [match_name(path) for path in ticked]
    plain = {**found.plain(), "entered": entered, "planned": planned}
    told: list[object] = [*map(printable, _needs(dir, found, ticked))]
    for match, post in _posts(found, book, format):
        told += [""] * bool(told) + [Beside(say(_POST, match=match)), post]
    keys = tuple(each.key for due in found.matches for each in due.reminders())
    if enter and keys and not book.last:
        daybook.Daybook(dir).note(daybook.Said(keys))
    return Output(plain, told or [_NOTHING], found.problems)


_NOTHING: Final = "nobody is to be reminded, and no notice is owed"
_POST: Final = "pbem: {match}: to be posted:\n"


def _needs(dir: str, found: "Agenda", ticked: list[str]) -> "Iterator[object]":
    """Which mails need the moderator, what was played, and what is to be done, each with the lines
    to type."""
    from pbem.mailroom import tray
    from pbem.matches.index import match_name

    yield from tray.tally(dir).sentences(dir)
    yield from (say(_PLANNED, match=match_name(log), log=log) for log in ticked)
    for need in found.needs(tray.writers(dir)):
        yield need.told
        yield from (f"  {line}" for line in need.typed)


def _replaced(dir: str, at: str, heard: "Heard", book: "Book") -> Callable[[str, str], bool]:
    """For which seats of which matches the club of a folder, if it has one, finds somebody."""
    from pbem.matches.index import club_of
    from pbem.matches.matches import Matches

    if not club_of(dir):
        return lambda match, seat: False
    from pbem.club.clublog import ClubLog
    from pbem.mailroom.clubnews import Silences

    silences, club = Silences(Matches(dir), heard, book), ClubLog.read(dir).club
    return lambda match, seat: silences.replaces(club, match, seat, at)


def _posts(found: "Agenda", book: "Book", dialect: str | None) -> "Iterator[tuple[str, str]]":
    """Each match in which somebody is to be reminded whom the desk has not mailed, nor a post that
    was entered has reminded, with a post in this dialect or the match's own."""
    from pbem.desk.file import read_both
    from pbem.log.timetable import LATE
    from pbem.report import compose

    for judged in found.matches:
        if not (reminders := [*judged.reminders()]):
            continue
        match, desk = read_both(judged.path)
        mailed = desk.addresses if book.last else {}
        posted = [
            each.posted
            for each in reminders
            if not (book.said(each.key) or (mailed.get(each.seat) and each.kind == LATE))
        ]
        if posted:
            times, written = judged.times.read_at(judged.at), dialect or desk.dialect or "text"
            yield judged.match, compose.told(match, posted, times, written, desk)
