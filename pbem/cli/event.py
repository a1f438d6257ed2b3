"""Events of a club: who meets whom, and how they stand."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import complete
from pbem.cli.club import Handle, Reason, as_member, at_work, told
from pbem.cli.common import Commands, Folder, Language, app, takes, takes_format
from pbem.cli.output import Output
from pbem.files import languages
from pbem.problem import NotNow, Usage
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from pbem.club.event import ClubEvent

EventName = Annotated[str, typer.Argument(metavar="EVENT", help="Which event.")]

event_app = Commands(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Events of a club: pools, leagues, tables, ladders.",
)
app.add_typer(event_app, name="event")


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
    seeding: Annotated[
        str, takes("BY", "rating: newcomers to a league or a ladder stand by it.", "--seeding")
    ] = "",
) -> Output:
    """Announce an event, for which people can then be entered."""
    line = game if table is None else f"{game}, {table}"
    with at_work(dir) as work:
        made = work.announce(name, line, format, rounds, days, seeding)
    done = say("{event} is announced: {terms}", event=name, terms=made.words)
    return told(done, event=name, terms=made.terms.plain(), format=format, rounds=made.rounds)


@event_app.command("enter", epilog="Example: pbem event enter matches spring Kate")
def enter(dir: Folder, event: EventName, handle: Handle) -> Output:
    """Enter somebody for an event that is not drawn yet, or for its next season."""
    handle, entered = _done(dir, handle, "join", event)
    name, n = entered.name, len(entered.people)
    done = say("{handle} is in {event}, one of {n}", handle=handle, event=name, n=n)
    return told(done, event=name, handle=handle, people=n)


def _done(dir: str, handle: str, verb: str, event: str) -> "tuple[str, ClubEvent]":
    """Do what somebody would ask for by mail, and have the next run tell them; gives who that is,
    and the event then."""
    from pbem.club.clubwork import the_event
    from pbem.intake.clubbing import ClubWish
    from pbem.mailroom import clubgrants, daybook

    with as_member(dir, handle) as (work, handle):
        wish = ClubWish(verb, the_event(work.club, event).name)
        sentence = clubgrants.done(work, handle, wish, 0, "")
        letters = [*clubgrants.told_by_hand(work, handle, sentence)]
        then = work.club.events[wish.about]
    daybook.queue(dir, letters)
    return handle, then


@event_app.command("leave", epilog="Example: pbem event leave matches spring Kate")
def leave(dir: Folder, event: EventName, handle: Handle) -> Output:
    """Take somebody out of an event; after the draw, they withdraw."""
    handle, left = _done(dir, handle, "leave", event)
    name = left.name
    return told(say("{handle} has left {event}", handle=handle, event=name), event=name)


@event_app.command("draw", epilog="Example: pbem event draw matches spring")
def draw(dir: Folder, event: EventName) -> Output:
    """Draw who meets whom; `pbem club due` then begins the matches."""
    from pbem.club import clubwork
    from pbem.mailroom import tray

    with at_work(dir) as work:
        meant = clubwork.the_event(work.club, event)
        if lying := [mail.number for mail in tray.wishing(dir, meant.name)]:
            n = len(meant.people)
            raise NotNow(_LYING, event=meant.name, n=n, mails=lying, folder=dir)
        drawn = work.draw(event)
    n, people = len(drawn.tables), len(drawn.people)
    done = say(_DRAWN, event=drawn.name, n=n, people=people)
    return told(done, event=drawn.name, tables=n)


_LYING = (
    "{event} is not drawn (people so far: {n}), as mails that may be about it lie aside: "
    "{mails:all}. Read them (`pbem aside {folder:typed} N`), do what they ask for (`pbem event "
    "enter`, `pbem event leave`) or put them away (`pbem aside {folder:typed} --done N`), and draw "
    "again"
)
_DRAWN = "{event} is drawn: {n} [match|matches] of {people} people"


@event_app.command("undraw", epilog="Example: pbem event undraw matches spring --reason 'Ben'")
def undraw(dir: Folder, event: EventName, reason: Reason) -> Output:
    """Undo a draw while nobody has moved; its matches are over."""
    with at_work(dir) as work:
        name = work.undraw(event, reason).name
    done = say("{event} is not drawn any more: {reason}", event=name, reason=reason)
    return told(done, event=name)


@event_app.command(
    "standings",
    epilog="Examples: pbem event standings matches spring · "
    "pbem event standings matches spring --season 1 · "
    "pbem event standings matches spring --format bgg",
)
def standings(
    dir: Folder,
    event: EventName,
    format: Annotated[str | None, takes_format("A post: {dialects}.")] = None,
    season: Annotated[int | None, takes("N", "How that season ended.", "--season")] = None,
    language: Language = None,
) -> Output:
    """Show how an event stands, and what still runs; or as a short post."""
    from pbem.club import clubwork, showing

    with languages.speaking(languages.checked(language or languages.ENGLISH)):
        known = clubwork.read(dir)
        shown = clubwork.the_event(known.club, event)
        shown = shown if season is None else clubwork.in_season(shown, season)
        stand = clubwork.as_of(dir, known.records, shown)
        if format is not None:
            post = showing.post(stand, format)
            return Output({**showing.plain(stand), "post": post}, [post.rstrip("\n")])
        lines = [showing.head(stand), *showing.lines(stand), *showing.running(stand, known.club)]
        return Output(showing.plain(stand), [*map(printable, lines)])


@event_app.command("ratings", epilog="Example: pbem event ratings matches")
def ratings(dir: Folder) -> Output:
    """Show how strong people are by all matches of the club: its list of all times."""
    from pbem.club import clubwork, ratings, showing

    if not ratings.can_rate():
        raise Usage("ratings take openskill: pip install 'pbem[ratings]'")
    known = clubwork.read(dir)
    rated, games = [*ratings.published(known)], known.club.settings.get("games", ())
    lines = [line for each in rated for line in showing.rated(*each)]
    unrated = (each for each in games if each not in known.club.rated)
    lines += [printable(showing.unrated(each, known.records)) for each in unrated]
    return Output({"ratings": [showing.plain_ratings(*each) for each in rated]}, lines)


@event_app.command("end", epilog="Example: pbem event end matches spring")
def end(dir: Folder, event: EventName) -> Output:
    """End an event: what is over now counts, and nothing later."""
    with at_work(dir) as work:
        ended = work.end_event(event)
    return told(say("{event} has ended", event=ended.name), event=ended.name)
