"""Events of a club: who meets whom, and how they stand."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import complete
from pbem.cli.club import Handle, at_work, told
from pbem.cli.common import Commands, Folder, app, takes
from pbem.cli.output import Output
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from pbem.club.event import ClubEvent, EventTable
    from pbem.club.results import EventStanding

EventName = Annotated[str, typer.Argument(metavar="EVENT", help="Which event.")]

event_app = Commands(
    no_args_is_help=True, rich_markup_mode=None, help="Events of a club: pools, leagues, tables."
)
app.add_typer(event_app, name="event")


@event_app.callback()
def event() -> None:
    """An event: people enter, a schedule is drawn, matches are played, places are counted."""


@event_app.command(
    "new",
    epilog="Examples: pbem event new spring --dir matches --game kahuna --format pool · "
    "pbem event new cup --dir matches --game 'kanaloa-piatnik, 5 days' --format tables --table 4 "
    "--rounds 5",
)
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call the event.")],
    game: Annotated[
        str, takes("GAME", "By what: 'kahuna variant1, 5 days'.", autocompletion=complete.games)
    ],
    format: Annotated[str, takes("FORMAT", "pool, league, tables or ladder.", "--format")],
    dir: Annotated[str, takes("DIR", "The folder of the club.")] = ".",
    table: Annotated[int | None, takes("N", "How many sit at a table.", "--table")] = None,
    rounds: Annotated[
        int | None, takes("N", "How often all meet, or how many tables each has.", "--rounds")
    ] = None,
    days: Annotated[
        int | None, takes("N", "It or its season ends so many days after the draw.", "--days")
    ] = None,
) -> Output:
    """Announce an event, for which people can then be entered."""
    from pbem.club import eventwork

    tables = format == "tables"
    size, often = table or (4 if tables else 2), rounds or (3 if tables else 1)
    with at_work(dir) as work:
        made = eventwork.announce(work, name, game, format, size, often, days)
    done = say("{event} is announced: {terms}", event=name, terms=made.terms.text())
    return told(done, event=name, terms=made.terms.plain(), format=format, rounds=made.rounds)


@event_app.command("enter", epilog="Example: pbem event enter matches spring Kate")
def enter(dir: Folder, event: EventName, handle: Handle) -> Output:
    """Enter somebody for an event that is not drawn yet, or for its next season."""
    from pbem.club import eventwork

    with at_work(dir) as work:
        handle = work.who(handle)
        entered = eventwork.enter(work, event, handle)
    name, n = entered.name, len(entered.people)
    done = say("{handle} is in {event}, one of {n}", handle=handle, event=name, n=n)
    return told(done, event=name, handle=handle, people=n)


@event_app.command("leave", epilog="Example: pbem event leave matches spring Kate")
def leave(dir: Folder, event: EventName, handle: Handle) -> Output:
    """Take somebody out of an event; after the draw, they withdraw."""
    from pbem.club import eventwork
    from pbem.club.event_acts import EventLeft

    with at_work(dir) as work:
        name, handle = eventwork.called(work.club, event).name, work.who(handle)
        work.enter(EventLeft(name, handle))
    return told(say("{handle} has left {event}", handle=handle, event=name), event=name)


@event_app.command("draw", epilog="Example: pbem event draw matches spring")
def draw(dir: Folder, event: EventName) -> Output:
    """Draw who meets whom; `pbem club due` then begins the matches."""
    from pbem.club import eventwork

    with at_work(dir) as work:
        drawn = eventwork.draw(work, event)
    n, people = len(drawn.tables), len(drawn.people)
    done = say(
        "{event} is drawn: {n} matches of {people} people", event=drawn.name, n=n, people=people
    )
    return told(done, event=drawn.name, tables=n)


@event_app.command("standings", epilog="Example: pbem event standings matches spring")
def standings(dir: Folder, event: EventName) -> Output:
    """Show how an event stands, and all its tables."""
    from pbem.club import eventwork, results
    from pbem.club.clublog import ClubLog
    from pbem.club.clubwork import as_of, records
    from pbem.matches.matches import Matches

    club = ClubLog.read(dir).club
    asked = eventwork.called(club, event)
    known = as_of(dir, records(Matches(dir, indexed=os.access(dir, os.W_OK)), club), asked)
    stand, over = results.standings(asked, known, asked.ended), results.over(asked, known)
    plain = {
        "event": asked.name,
        **asked.terms.plain(),
        "format": asked.format,
        "season": asked.season,
        "ended": asked.ended or None,
        "tables": [
            {
                "table": each.number,
                "round": each.round,
                "division": each.division,
                "people": list(each.people),
                "match": asked.matches.get(each.number),
                "over": each in over,
            }
            for each in asked.tables
        ],
        "standings": [_plain(each) for each in stand],
    }
    return Output(plain, _lines(asked, stand, over))


def _plain(stands: "EventStanding") -> dict[str, object]:
    figures = {name: str(value) for name, value in stands.figures.items()}
    withdrew = {"withdrew": stands.rank is None, "struck": stands.struck}
    known = {"rank": stands.rank, "handle": stands.handle, "played": stands.played}
    known["division"] = stands.division
    return {**known, **figures, **withdrew}


def _lines(
    event: "ClubEvent", stand: "list[EventStanding]", over: "list[EventTable]"
) -> Iterator[str]:
    """The same for people: a line for the event, for each of its people, and for each table."""
    head = {"event": event.name, "format": event.format, "terms": event.terms.text()}
    sums = {"over": len(over), "all": len(event.tables)}
    yield printable(
        say("{event}: {format}, {terms}; {over} of {all} tables are over", **head, **sums)
    )
    figures = list(stand[0].figures) if stand else []
    rows = [["", "", "played", *(each.replace("_", "-") for each in figures)]]
    for each in stand:
        rank = f"{each.rank}." if each.rank else "-"
        shown = (str(each.figures.get(name, "-")) for name in figures)
        rows.append([rank, each.handle, str(each.played), *shown])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows if stand else ():
        cells = zip(row, widths, strict=True)
        shown = (c.ljust(w) if n == 1 else c.rjust(w) for n, (c, w) in enumerate(cells))
        yield "  ".join(shown).rstrip()
    for table in event.tables:
        match = event.matches.get(table.number) or say("not begun")
        at = {"n": table.round, "match": match, "people": table.people}
        done = say("round {n}, {match}: {people:all}; over", **at)
        yield printable(done if table in over else say("round {n}, {match}: {people:all}", **at))


@event_app.command("end", epilog="Example: pbem event end matches spring")
def end(dir: Folder, event: EventName) -> Output:
    """End an event: what is over now counts, and nothing later."""
    from pbem.club import eventwork

    with at_work(dir) as work:
        ended = eventwork.end(work, event)
    return told(say("{event} has ended", event=ended.name), event=ended.name)
