"""Deadlines, for those who work without a mailbox."""

from typing import Annotated

import typer

from pbem.cli.common import Json, app, print_json
from pbem.cli.output import complain, make_ready, put
from pbem.sentence import say

_PLANNED = "{match}: what waited has been played; `pbem post {match}` prints it"


@app.command(epilog="Examples: pbem due matches · pbem due matches --enter --ics deadlines.ics")
def due(
    dir: Annotated[str, typer.Argument(metavar="DIR", help="The folder of the logs.")] = ".",
    enter: Annotated[
        bool,
        typer.Option("--enter", help="Write the notices that are owed, and what waits for a tick."),
    ] = False,
    ics: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write all deadlines there as a calendar.")
    ] = None,
    json: Json = False,
) -> None:
    """Print reminders and notices to post, and what silence brings."""
    from pbem.desk import overdue
    from pbem.desk.bench import Circumstances
    from pbem.files.clock import now
    from pbem.matches import due
    from pbem.report import compose

    if ics:
        make_ready(ics)
    moment = now()
    found = due.at(dir, moment)
    here = Circumstances(now, compose.rehearse)
    ticked = due.play_plans(found, here) if enter else []
    if ticked:
        found = due.at(dir, moment)
    entered = [
        each
        for match in (found.matches if enter else ())
        for each in match.owed
        if each.kind == overdue.NOTICE and overdue.enter(match.path, each, here, moment)
    ]
    if entered:
        found = due.at(dir, moment)
    if ics:
        from pbem.matches import calendar

        events = ((each.match, each.players, each.times) for each in found.matches)
        put(ics, calendar.calendar(events))
    for problem in found.problems:
        complain(say("pbem: {problem}", problem=problem))
    if json:
        print_json({**due.plain(found, moment), "entered": len(entered), "planned": ticked})
        return
    told = [say(_PLANNED, match=match).text() for match in ticked]
    told += [
        sentence.text(match.players)
        for match in found.matches
        for sentence in match.sentences(moment)
    ]
    for line in told:
        print("".join(c if c.isprintable() else "?" for c in line))
    if not told:
        print("nobody is to be reminded, and no notice is owed")
