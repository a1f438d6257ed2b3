"""The club of a folder: people sign up, matches begin, empty seats are filled."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import complete
from pbem.cli.common import Commands, Folder, app, flag, here, put_schemas, takes
from pbem.cli.output import Output
from pbem.problem import Problem, Usage
from pbem.sentence import Sentence, printable, say

if TYPE_CHECKING:
    from pbem.club.acts import HouseSettings
    from pbem.club.clubwork import ClubAtWork
    from pbem.club.errands import Errand

Handle = Annotated[str, typer.Argument(metavar="HANDLE", help="Who, as the club calls them.")]
Line = Annotated[
    str | None, takes("TERMS", "A line: 'kahuna', 'kanaloa-piatnik 4, 3 days', any, substitute.")
]
MatchName = Annotated[str, takes("NAME", "Which match.", "--match")]
Reason = Annotated[str, takes("TEXT", "Why; it stands in the log.", "--reason")]

club_app = Commands(
    no_args_is_help=True, rich_markup_mode=None, help="A club: who waits for what, and who plays."
)
app.add_typer(club_app, name="club")


def at_work(folder: str, *, dry: bool = False) -> "AbstractContextManager[ClubAtWork]":
    from pbem.club import clubwork

    return clubwork.at_work(folder, here(imagined=dry))


@contextmanager
def as_member(folder: str, handle: str) -> "Iterator[tuple[ClubAtWork, str]]":
    """The club of a folder at work, and whom a handle means there. Raises Problem."""
    with at_work(folder) as work:
        yield work, work.who(handle)


def told(done: Sentence, **data: object) -> Output:
    return Output({"ok": True, **data}, [printable(done)])


@club_app.command("new", epilog="Example: pbem club new rivendell --dir matches --game kahuna")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call the club.")],
    dir: Annotated[str, takes("DIR", "The folder of its matches; made if need be.")] = ".",
    game: Annotated[
        list[str] | None,
        takes("GAME", "What it plays; all games if none.", "--game", autocompletion=complete.games),
    ] = None,
    turn: Annotated[int, takes("DAYS", "Days for a turn, if nobody says otherwise.")] = 3,
    zone: Annotated[str, takes("ZONE", "Days are counted in it.")] = "UTC",
    press: Annotated[
        str, takes("WHO", "What players may say: none, public, private or grey.")
    ] = "public",
    policy: Annotated[
        str, takes("PROOF", "What a move needs: from, authenticated or signed.")
    ] = "from",
    server: Annotated[
        str | None, takes("HOST", "authenticated: the mail server to believe.")
    ] = None,
    contact: Annotated[str, takes("TEXT", "How players reach you.")] = "",
) -> Output:
    """Found a club: a public log and a private file beside its matches."""
    from pbem.club.clubwork import found
    from pbem.desk.authorship import POLICIES
    from pbem.desk.begin import require_server
    from pbem.files import store

    settings = _settings(game or [], turn, zone, press)
    if policy not in POLICIES:
        raise Usage("--policy is one of {known:all}, not {policy!r}", known=POLICIES, policy=policy)
    require_server(server, policy)
    store.make_folder(dir)
    path = found(dir, name, settings, here(), policy=policy, server=server, contact=contact)
    put_schemas(dir, "club", "club-desk")
    done = say("{path}: the club {name} is founded", path=path, name=name)
    return told(done, club=name, log=path)


def _settings(games: Iterable[str], turn: int, zone: str, press: str) -> "HouseSettings":
    from pbem.club.acts import HouseSettings
    from pbem.log import clock
    from pbem.play.games import game, names

    clock.zone(zone)
    played = tuple(dict.fromkeys(game(each).NAME for each in games or names()))
    return HouseSettings(played, turn, zone, press)


@club_app.command("settings", epilog="Example: pbem club settings matches --turn 5")
def settings(
    dir: Folder = ".",
    game: Annotated[list[str] | None, takes("GAME", "What it plays from now on.", "--game")] = None,
    turn: Annotated[int | None, takes("DAYS", "Days for a turn.")] = None,
    zone: Annotated[str | None, takes("ZONE", "Days are counted in it.")] = None,
    press: Annotated[str | None, takes("WHO", "What players may say.")] = None,
) -> Output:
    """Change how matches are begun from now on."""
    with at_work(dir) as work:
        given = {"games": game, "turn": turn, "zone": zone, "press": press}
        changes = {name: value for name, value in given.items() if value is not None}
        work.enter(_settings(**{**work.club.settings, **changes}))
        data = dict(work.club.settings)
    return told(say("from now on matches are begun like this"), settings=data)


@club_app.command(
    "join", epilog="Example: pbem club join matches Kate --address kate@example.org --line kahuna"
)
def join(
    dir: Folder,
    handle: Handle,
    address: Annotated[str, takes("ADDRESS", "Where their mails come from.")] = "",
    line: Line = None,
    table: Annotated[int | None, takes("N", "A free place at this table.")] = None,
) -> Output:
    """Take somebody in, and give them a place in a line or at a table; or write to them at another
    address from now on, in all their matches."""
    with at_work(dir) as work:
        handle = work.join(handle, address)
        if address:
            _moved(work, handle)
        place = work.wait(handle, line) if line is not None else None
        if table is not None:
            work.sit_down(handle, table)
    done = say("{handle} is a member", handle=handle)
    if place:
        done = say("{handle} waits for {line}: place {n}", handle=handle, line=line, n=place)
    elif table is not None:
        done = say("{handle} sits at table {n}", handle=handle, n=table)
    return told(done, handle=handle, place=place)


def _moved(work: "ClubAtWork", handle: str) -> None:
    """Let somebody have their mails at the same addresses in all their matches that go on."""
    from pbem.desk import seats
    from pbem.desk.file import Desk
    from pbem.mailroom import preferences

    addresses = work.desk.member(handle).addresses
    for match in work.view().playing(handle):
        log, tenures = work.matches.log(match), work.club.begun[match].tenures
        for seat in (each for each, had in tenures.items() if had[-1] == handle):
            before = Desk.read(log).addresses.get(seat, ())
            seats.change(log, seat, addresses)
            if before and before[0] != addresses[0]:
                preferences.follow(log, before[0], addresses[0])


@club_app.command("leave", epilog="Example: pbem club leave matches Kate --line kahuna")
def leave(dir: Folder, handle: Handle, line: Line = None) -> Output:
    """Take somebody off a game's lines and tables, or off all."""
    with as_member(dir, handle) as (work, handle):
        work.leave(handle, line or "")
    return told(say("{handle} waits no longer", handle=handle), handle=handle)


@club_app.command(
    "says",
    epilog="Examples: pbem club says matches Kate 'host kahuna variant1, 5 days: Ben' · "
    "pbem club says matches Kate 'limit 4' · pbem club says matches Kate yes",
)
def says(
    dir: Folder,
    handle: Handle,
    line: Annotated[str, typer.Argument(metavar="LINE", help="As members write it by mail.")],
    offer: Annotated[int, takes("N", "yes, no: to which offer, if there are several.")] = 0,
    match: Annotated[str, takes("NAME", "rematch: of which match.")] = "",
) -> Output:
    """Do what somebody asks for in a line, and say what they would be told."""
    from pbem.mailroom import clubgrants

    with as_member(dir, handle) as (work, handle):
        answers = [printable(each) for each in clubgrants.says(work, handle, line, offer, match)]
    return Output({"ok": True, "handle": handle, "told": answers}, answers)


@club_app.command(
    "seat", epilog="Example: pbem club seat matches Kate --match kahuna-1 --seat white"
)
def seat(
    dir: Folder,
    handle: Handle,
    match: MatchName,
    seat: Annotated[str, takes("SEAT", "Which seat.", "--seat")],
) -> Output:
    """Give somebody a seat in a match of the club."""
    with as_member(dir, handle) as (work, handle):
        work.seat(handle, match, seat)
        _, problems = _carry_out(work)
    done = say("{name} takes the seat {seat}.", name=handle, seat=seat)
    return told(done, handle=handle)._replace(troubles=problems)


@club_app.command("exclude", epilog="Example: pbem club exclude matches Kate --reason 'two names'")
def exclude(dir: Folder, handle: Handle, reason: Reason) -> Output:
    """Exclude somebody from lines, tables and seats to come."""
    from pbem.club.acts import Excluded

    with as_member(dir, handle) as (work, handle):
        work.enter(Excluded(handle, reason))
    return told(say("{handle} is excluded: {reason}", handle=handle, reason=reason), handle=handle)


@club_app.command("readmit", epilog="Example: pbem club readmit matches Kate --reason 'cleared up'")
def readmit(dir: Folder, handle: Handle, reason: Reason) -> Output:
    """Take an exclusion back."""
    from pbem.club.acts import Readmitted

    with as_member(dir, handle) as (work, handle):
        work.enter(Readmitted(handle, reason))
    return told(say("{handle} is readmitted", handle=handle), handle=handle)


@club_app.command("reveal", epilog="Example: pbem club reveal matches")
def reveal(dir: Folder = ".") -> Output:
    """Open the secret of the lots so far, for all to check."""
    with at_work(dir) as work:
        work.open_secret()
        secret = work.club.opened[-1][1]
    return told(say("The secret of the lots so far: {secret}", secret=secret), secret=secret)


@club_app.command("status", epilog="Example: pbem club status matches")
def status(dir: Folder = ".") -> Output:
    """Show lines, tables, offers, and how far people can be counted on."""
    from pbem.club import clubwork, standing

    known = clubwork.read(dir)
    lines = map(printable, standing.sentences(known, searches(dir)))
    return Output(lambda: standing.plain(known), lines)


def searches(dir: str) -> "list[Sentence] | None":
    """What the founder is told of the seats that somebody is sought for; None where the private
    file is not, or cannot be read."""
    from pbem.club import standing

    try:
        with at_work(dir, dry=True) as work:
            return [*standing.searches(work.view())] if work.club.vacancies else []
    except Problem:
        return None


@club_app.command("due", epilog="Example: pbem club due matches --enter")
def due(
    dir: Folder = ".",
    enter: Annotated[bool, flag("--enter", "Do it; else only say what is due.")] = False,
) -> Output:
    """Show what is to be done: offers, matches to begin, seats."""
    from pbem.club import standing

    with at_work(dir, dry=not enter) as work:
        before = work.view()
        done, problems = _carry_out(work)
        sought = [*map(printable, standing.searches(work.view() if enter else before))]
        people = [*standing.for_people(work.view())]
    dues = [*(standing.done(each, still_due=not enter) for each in done), *people]
    lines = [*map(printable, dues)]
    plain = {"ok": not problems, "entered": enter, "due": lines}
    shown = (lines if lines or problems else [printable(say("Nothing is due."))]) + sought
    return Output(plain, shown, problems, code=65 if problems else 0)


def _carry_out(work: "ClubAtWork") -> "tuple[list[Errand], list[Problem]]":
    """Do what is due, as the desk does; gives it, and what could not be done."""
    from pbem.club.clubwork import tend
    from pbem.mailroom.agenda import heard_by
    from pbem.mailroom.clubnews import Silences
    from pbem.mailroom.daybook import NOTHING, all_know_by_hand, book_of

    book = book_of(work.folder)
    heard = heard_by(book, by_hand=not book.last)
    work.silent = Silences(work.matches, heard, book).lasts
    return tend(work, lambda opened, desk: all_know_by_hand(opened, desk, NOTHING))[:2]
