"""Pages: a match to step through, and a site of matches."""

import os
import sys
from typing import Annotated

import typer

from pbem.cli.common import (
    As,
    Json,
    KeyFile,
    Language,
    LogFile,
    SiteLanguage,
    app,
    flag,
    print_json,
    shown,
    standing,
    takes,
)
from pbem.cli.look import seen, spoken
from pbem.cli.output import put
from pbem.files import languages
from pbem.problem import Usage
from pbem.sentence import Counted, say


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
    json: Json = False,
) -> None:
    """Write a match as one page to step through."""
    from pbem.log.seal import Keyring
    from pbem.report import pages

    if sealed or seat:
        if not (sealed and seat) or as_ or key:
            raise Usage("a page that may lie anywhere takes --sealed --seat SEAT, and no key")
        _sealed(log, out, seat, to, card, language, json)
        return
    now = seen(log, as_, key)
    own = next((seat for seat in now.asked if seat in now.keyring.seats), None)
    private = now.keyring != Keyring.none() and not pages.revealed(now)
    with languages.speaking(spoken(language, now)):
        text = pages.page(now, seat=own, to=to, checked=pages.checked(now), card=card or None)
    put(out, text.encode(), 0o600 if private else None)
    if json:
        print_json({"ok": True, "page": out, **standing(now)})


def _sealed(
    log: str, out: str, seat: str, to: str, card: str, language: str | None, json: bool
) -> None:
    """Write the page of a seat, sealed, and print what opens it. Raises Problem."""
    from pbem.desk.file import read_both
    from pbem.log.match import Match
    from pbem.report import compose, pages, sealed

    now, desk = read_both(log)
    now.require_seat(seat)
    public = Match.of(now.log)
    theirs = languages.checked(language) if language else compose.language(now, seat, desk)
    with languages.speaking(theirs):
        about = pages.facts(public, checked=pages.checked(public), card=card or None, reader=seat)
        shut = sealed.shut(now, desk, seat, to or os.environ.get("PBEM_ADDRESS", ""))
        text = pages.html("match", **{**about, "seat": seat}, sealed=shut)
    put(out, text.encode())
    opens = sealed.fragment(now, seat)
    if json:
        print_json({"ok": True, "page": out, "seat": seat, "opens": opens, **standing(now)})
    else:
        print(opens)


@app.command(epilog="Example: pbem site matches -o /var/www/matches --title 'Our matches'")
def site(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder of matches.")],
    out: Annotated[str, takes("WEB", "The folder of the site.", "--out", "-o")],
    title: Annotated[str, takes("TEXT", "What the site is called; else Matches.")] = "",
    link: Annotated[
        str, takes("BASE", "Where WEB is on the web: each seat gets its own, sealed page.")
    ] = "",
    to: Annotated[
        str | None, takes("ADDRESS", "Where their orders go; else to PBEM_ADDRESS.")
    ] = None,
    language: SiteLanguage = None,
    json: Json = False,
) -> None:
    """Write a web site of a folder's matches."""
    from pbem.matches.index import logs_in
    from pbem.report import sealed, site

    own = os.environ.get("PBEM_ADDRESS", "") if to is None else to
    house = languages.checked(language or languages.ENGLISH)
    seats = site.Seats(sealed.base(link) if link else "", own, house=house)
    logs = logs_in(folder)
    done = site.write(logs, out, title, seats)
    made = [*done.files, *done.problems, *site.cards(logs, out, seats=seats)]
    files = [each for each in made if isinstance(each, str)]
    problems = [each for each in made if not isinstance(each, str)]
    if json:
        told = [shown(problem) for problem in problems]
        print_json({"ok": not problems, "files": files, "problems": told})
    else:
        for problem in problems:
            print(problem, file=sys.stderr)
        counted = Counted(
            "{out}: one match, {files} files written", "{out}: {n} matches, {files} files written"
        )
        print(say(counted, out=out, n=done.matches, files=len(files)))
    if problems:
        sys.exit(65)
