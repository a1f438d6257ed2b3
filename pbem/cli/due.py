"""Deadlines, for those who work without a mailbox."""

from typing import TYPE_CHECKING, Annotated

from pbem.cli.common import Folder, app, check_format, flag, takes
from pbem.cli.output import File, Output, make_ready
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    found, ticked, entered = Agenda.at(dir, moment), list[str](), 0
    if enter:
        ticks = (each.path for each in found.matches if each.tick)
        ticked = [path for path in ticks if agenda.play_plans(path, here)]
        found = Agenda.at(dir, moment) if ticked else found
        owed = [(judged.path, each) for judged in found.matches for each in judged.owed]
        notices = [(path, each) for path, each in owed if each.verdict == Verdict.LATE]
        entered = sum(bool(agenda.enter(path, each, here, moment)) for path, each in notices)
        found = Agenda.at(dir, moment) if entered else found
    files = []
    if ics:
        from pbem.matches.listing import calendar

        events = ((judged.match, judged.players, judged.times) for judged in found.matches)
        files.append(File(ics, calendar(events)))
    planned = [match_name(path) for path in ticked]
    plain = {**found.plain(), "entered": entered, "planned": planned}
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
            match, desk = read_both(judged.path)
            written = dialect or desk.dialect or "text"
            yield compose.told(match, reminders, written, desk).rstrip("\n")
