"""All matches of a folder at a glance."""

import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

from pbem.cli import complete
from pbem.cli.common import Folder, Json, app, flag, print_json, takes
from pbem.cli.output import make_ready, put, tell_trouble
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from pbem.mailroom.tray import AsideTally


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
    json: Json = False,
) -> None:
    """Show all matches of a folder, and what needs you."""
    from datetime import datetime
    from functools import partial

    from pbem.files import timestamp
    from pbem.mailroom import agenda, daybook, tray
    from pbem.mailroom.outbox.folder import OWN, holds, undelivered
    from pbem.matches import listing, status
    from pbem.matches.index import FOLDER
    from pbem.matches.listing import Wanted
    from pbem.matches.matches import Matches

    if ics:
        make_ready(ics)
    matches = Matches(dir)
    outbox = os.path.join(dir, FOLDER, OWN)
    book = daybook.book_of(dir, lambda name: holds(outbox, name))
    found = matches.overview(
        tray.unanswered(dir, book),
        undelivered(dir),
        agenda.waits_for_moderator(book),
        partial(agenda.wrote, book),
    )
    tell_trouble(matches.index)
    at = timestamp.now()
    now = datetime.fromisoformat(at)
    # A program can leave out finished matches by itself.
    wanted = Wanted(game, seat, player, waiting, late, over=all or json)
    shown = listing.chosen(found, wanted, now)
    if ics:
        timed = (each.summary for each in shown.matches if each.summary and each.summary.times)
        events = ((each.match, each.players, each.times) for each in timed if each.times)
        put(ics, listing.calendar(events))
    tally = _tally(dir)
    if json:
        counted = {"aside": tally._asdict()} if tally else {}
        print_json({**status.plain(shown, at), **counted})
    else:
        for sentence in tally.sentences(dir) if tally else ():
            print(printable(sentence))
        for fails in book.waiting.values():
            if fails.what.startswith(daybook.WEBHOOK):
                print(say("{match}: {why}", match=fails.match, why=fails.why))
        if (last := book.last) > at:
            print(say(_CLOCK_BACK, last=last, at=at))
        elif any(each.waits_for(at) for each in found.matches) and not agenda.believed(at, last):
            print(agenda.waits_for_yes(at, last))
        finished = listing.chosen(found, wanted._replace(over=True), now)
        unlisted = len(finished.matches) - len(shown.matches)
        width = get_terminal_size((listing.LEAST, 24)).columns
        for line in listing.lines(shown, now, width=width, unlisted=unlisted):
            print(line)
    if late and shown.matches:
        sys.exit(1)


def _tally(dir: str) -> "AsideTally | None":
    """What lies aside, counted; None where no mailroom has ever worked. Raises Problem."""
    from pbem.matches.index import FOLDER

    if not os.path.isdir(os.path.join(dir, FOLDER)):
        return None
    from pbem.mailroom import tray

    return tray.tally(dir)


_CLOCK_BACK = (
    "the clock has gone back: the desk last ran at {last}, and it is only {at} now; "
    "until then no deadline is judged, unless you say `pbem desk run --yes`"
)
