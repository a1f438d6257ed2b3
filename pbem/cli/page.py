"""Pages: a match to step through, and a site of matches."""

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.common import As, KeyFile, Language, LogFile, SiteLanguage, app, flag, standing, takes
from pbem.cli.look import seen, spoken
from pbem.cli.output import Beside, File, Output, shown
from pbem.desk.file import read_both
from pbem.files import languages, timestamp
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.matches.index import logs_in
from pbem.problem import Problem, Usage
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.matches.matches import Matches
    from pbem.report.site import Seats, SiteWritten


@app.command(epilog="Example: pbem page kahuna-7.pbem.yaml --key white.key -o kahuna-7.html")
def page(
    log: LogFile,
    out: Annotated[str, takes("FILE", "The page.", "--out", "-o")],
    as_: As = None,
    key: KeyFile = None,
    to: Annotated[str, takes("ADDRESS", "Where an order is sent by the link.")] = "",
    card: Annotated[str, takes("ADDRESS", "The picture for links: see show --format card.")] = "",
    seat: Annotated[str | None, takes("SEAT", "Whose page it is, if it is --sealed.")] = None,
    sealed: Annotated[
        bool, flag("--sealed", "What SEAT knows is sealed in it; prints what opens it.")
    ] = False,
    language: Language = None,
) -> Output:
    """Write a match as one page to step through."""
    from pbem.report import pages

    linked = {"card": card} if card else {}
    if sealed or seat:
        if not (sealed and seat) or as_ or key:
            raise Usage("a page that may lie anywhere takes --sealed --seat SEAT, and no key")
        return _sealed(log, out, seat, to, linked, language)
    match = seen(log, as_, key)
    own = next((seat for seat in match.asked if seat in match.keyring.seats), None)
    private = match.keyring != Keyring.none() and not pages.revealed(match)
    with languages.speaking(spoken(language, match)):
        text = pages.page(match, seat=own, to=to, checked=pages.checked(match), **linked)
    file = File(out, text.encode(), 0o600 if private else None)
    return Output({"ok": True, "page": out, **standing(match)}, files=[file])


def _sealed(
    log: str, out: str, seat: str, to: str, linked: dict[str, str], language: str | None
) -> Output:
    """The page of a seat, sealed, and what opens it. Raises Problem."""
    from pbem.report import compose, pages, sealed

    match, desk = read_both(log)
    match.require_seat(seat)
    public = Replay.of(match.log)
    theirs = languages.checked(language) if language else compose.language(match, seat, desk)
    with languages.speaking(theirs):
        about = pages.facts(public, checked=pages.checked(public), reader=seat, **linked)
        shut = sealed.shut(match, desk, seat, to or os.environ.get("PBEM_ADDRESS", ""))
        text = pages.html("match", **{**about, "seat": seat}, sealed=shut)
    opens = sealed.fragment(match, seat)
    plain = {"ok": True, "page": out, "seat": seat, "opens": opens, **standing(match)}
    return Output(plain, [opens], files=[File(out, text.encode())])


@app.command(epilog="Example: pbem site matches -o /var/www/matches --title 'Our matches'")
def site(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder of matches.")],
    out: Annotated[str, takes("WEB", "The folder of the site.", "--out", "-o")],
    title: Annotated[str, takes("TEXT", "What the site is called; else Matches.")] = "",
    link: Annotated[
        str, takes("BASE", "Where WEB is on the web: each seat gets its own, sealed page.")
    ] = "",
    to: Annotated[
        str, takes("ADDRESS", "Where the orders of these go.", envvar="PBEM_ADDRESS")
    ] = "",
    language: SiteLanguage = None,
) -> Output:
    """Write a web site of a folder's matches."""
    from pbem.mailroom.daybook import book_of
    from pbem.mailroom.preferences import languages_of
    from pbem.matches.matches import Matches
    from pbem.report import sealed, site

    house, theirs = languages.checked(language or languages.ENGLISH), languages_of(book_of(folder))
    seats = site.Seats(sealed.base(link) if link else "", to, theirs, house)
    done = kept(Matches(folder, indexed=False), out, title, seats, timestamp.now(), anew=True)
    made = [*done.files, *done.problems, *site.cards(logs_in(folder), out, seats=seats)]
    problems = [each for each in made if isinstance(each, Problem)]
    files = [each for each in made if isinstance(each, str)]
    troubles = [shown(problem) for problem in problems]
    return Output(
        {"ok": not problems, "files": files, "problems": troubles},
        [*map(Beside, problems), say(_WRITTEN, out=out, n=len(done.matches), files=len(files))],
        code=65 if problems else 0,
    )


def kept(
    matches: "Matches", web: str, title: str, seats: "Seats", at: str, *, anew: bool = False
) -> "SiteWritten":
    """Bring the site of a folder's matches up to date, but for its cards; and the pages of its
    club, if it has one, once anything has changed there, or `anew`. Raises Problem."""
    from pbem.club import page as club
    from pbem.report import site

    beside = club.linked(matches.folder)
    done = site.write(logs_in(matches.folder), web, title, seats, beside)
    if not beside or not (anew or done.files or club.is_old(matches.folder, web)):
        return done
    more = club.written(matches, done.matches, web, seats.to, seats.house, at)
    return done._replace(files=(*done.files, *more))


_WRITTEN: Final = "{out}: [one match|{n} matches], {files} files written"
