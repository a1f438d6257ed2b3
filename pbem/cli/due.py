"""Deadlines, for those who work without a mailbox."""

from typing import TYPE_CHECKING, Annotated

from pbem.cli.common import Folder, app, check_format, flag, takes
from pbem.cli.output import File, Output, make_ready
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.desk.bench import Circumstances
    from pbem.mailroom.agenda import Agenda

_PLANNED = "{match}: what waited has been played; `pbem post {log:typed}` prints it"


@app.command(epilog="Examples: pbem due matches · pbem due matches --enter --ics deadlines.ics")
def due(
    dir: Folder = ".",
    enter: Annotated[
        bool, flag("--enter", "Write the notices that are owed, and what waits for a tick.")
    ] = False,
    ics: Annotated[str | None, takes("FILE", "Write all deadlines there as a calendar.")] = None,
    format: Annotated[
        str | None,
        takes("FORM", "text, markdown, phpbb, bgg or html; else as each match has it.", "--format"),
    ] = None,
) -> Output:
    """Print reminders and notices to post, and what silence brings."""
    from pbem.desk.answer import Verdict
    from pbem.desk.bench import Circumstances
    from pbem.files.timestamp import now
    from pbem.mailroom import agenda
    from pbem.mailroom.agenda import Agenda
    from pbem.matches.index import match_name
    from pbem.report import compose

    if format:
        check_format(format)
    if ics:
        make_ready(ics)
    moment, here = now(), Circumstances(now, compose.rehearse)
    found = Agenda.at(dir, moment)
    ticked = _played(found, here) if enter else []
    if ticked:
        found = Agenda.at(dir, moment)
    entered = [
        each
        for judged in (found.matches if enter else ())
        for each in judged.owed
        if each.verdict == Verdict.LATE and agenda.enter(judged.path, each, here, moment)
    ]
    if entered:
        found = Agenda.at(dir, moment)
    files = []
    if ics:
        from pbem.matches.listing import calendar

        events = ((judged.match, judged.players, judged.times) for judged in found.matches)
        files.append(File(ics, calendar(events)))
    planned = [match_name(log) for log in ticked]
    plain = {**found.plain(), "entered": len(entered), "planned": planned}
    return Output(plain, _told(found, ticked, format), found.problems, files)


def _told(found: "Agenda", ticked: list[str], format: str | None) -> "Iterator[str]":
    """What was played, who is late, and what to post about it."""
    from pbem.matches.index import match_name

    told = [say(_PLANNED, match=match_name(log), log=log).text() for log in ticked]
    told += [each.text(judged.players) for judged in found.matches for each in judged.sentences()]
    blocks = ["\n".join(map(printable, told)), *_posts(found, format)]
    yield "\n\n".join(filter(None, blocks)) or "nobody is to be reminded, and no notice is owed"


def _posts(found: "Agenda", dialect: str | None) -> "Iterator[str]":
    """A post for each match in which somebody is to be reminded, in this dialect or the match's
    own."""
    from pbem.desk.file import read_both
    from pbem.report import compose

    for judged in found.matches:
        if reminders := [each.posted for each in judged.reminders()]:
            now, desk = read_both(judged.path)
            written = dialect or desk.dialect or "text"
            yield compose.told(now, reminders, written, desk).rstrip("\n")


def _played(found: "Agenda", here: "Circumstances") -> list[str]:
    """Play what was put off until a tick that has passed; gives the logs where anything was."""
    from pbem.mailroom import agenda

    played = []
    for judged in found.matches:
        if judged.tick:
            change = agenda.play_plans(judged.path, here)
            if change.now.log != change.before.log:
                played.append(judged.path)
    return played
