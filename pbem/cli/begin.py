"""Beginning a match, and who sits at it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

# No postponed annotations in these files: typer would compile each of them at every start.
import typer

from pbem.cli import asked, common, complete
from pbem.cli.answered import Readers
from pbem.cli.common import LETTER
from pbem.cli.output import Output, after_commit, make_ready, noted
from pbem.desk.address import read as address_of
from pbem.desk.file import read_both
from pbem.files import store
from pbem.files.timestamp import now
from pbem.log import seal
from pbem.log.entropy import gathering
from pbem.matches.index import club_of, match_name
from pbem.play.options import pairs
from pbem.problem import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk
    from pbem.log.match import Replay
    from pbem.mailroom.preferences import Preferences


_HANDLES: Final = (
    "names stand in the log for good, and a log is for everybody: let players choose a handle"
)


@common.app.command(
    cls=asked.Begins,
    epilog='Examples: pbem new kahuna --seat white="Ana <ana@example.org>" --seat black=Ben · '
    "pbem new kahuna --seat white=Ana --seat black=Ben --turn 3 --zone Europe/Berlin --closed sun",
)
def new(
    ctx: typer.Context,
    game: common.GameName,
    letters: Annotated[
        str | None, common.takes("DIR", "Write the letters there, not to stdout.")
    ] = None,
    format: common.Format = "text",
    like: Annotated[
        str | None,
        common.takes("LOG", "As this match: all that is not said, but for where it begins."),
    ] = None,
    told: common.Told = False,
) -> Output:
    """Begin a match: deal, and print the post and the letters."""
    from pbem.desk import begin
    from pbem.mailroom.daybook import NOTHING, all_know_by_hand
    from pbem.report import compose

    terms = asked.terms(ctx, game)
    if like and not asked.given(ctx)["seat"]:
        _require_no_club(complete.find_log(like))
    opened, desk = begin.begin(terms, secret=seal.new_secret(), clock=now)
    folder, dialect = terms.folder, "" if format == "text" else format
    desk = replace(desk, dialect=dialect, letters=_inside(folder, letters))
    opening = partial(compose.opening, opened, desk.contact)
    post = compose.posted(
        lambda: compose.public(opened, 0, compose.proof(opened), opening=opening()),
        format,
        opened.log.languages,
    )
    people = [seat for seat in opened.setup.seats if not desk.has_bot(opened, seat)]
    written = {seat: _letter(opened, desk, seat, format) for seat in people}
    # Nothing goes to the disk until everything that has to be posted has been written.
    make_ready(letters=letters)
    store.make_folder(folder)
    if not os.path.exists(opened.log.path):
        desk = all_know_by_hand(opened, desk, len(opened.log.entries) if told else NOTHING)
    begin.write(opened, desk, compose.rehearse)
    with after_commit(opened.log.path):
        common.put_schemas(folder)
        files = common.write_letters(letters, opened, written) if letters else {}
    notes = [*(str(note) for note in _shared(desk)), _HANDLES]
    plain = {"ok": True, "match": opened.name, "log": opened.log.path, "desk": desk.path}
    plain |= {"post": post, "letters": files or written, "notes": notes, **common.standing(opened)}
    if letters:
        where = say("letters are in {letters}; send each to its seat alone", letters=letters)
        lines: list[object] = [post, *map(noted, notes), noted(where)]
    else:
        texts = (say(LETTER, seat=seat, text=text) for seat, text in written.items())
        lines = [post, *map(noted, notes), *texts]
    return Output(plain, lines, entered=opened.log.path)


def _require_no_club(log: str) -> None:
    """Raise Usage for a match of a club, which asks its players before it seats them again."""
    folder, match = os.path.dirname(log) or ".", match_name(log)
    if not club_of(folder):
        return
    from pbem.club.clublog import ClubLog

    if match in ClubLog.read(folder).club.begun:
        raise Usage(
            "{match} is a match of a club: `pbem club says {folder:typed} HANDLE rematch "
            "--match {match:typed}` asks its players for another; with --seat a match begins apart "
            "from the club",
            match=match,
            folder=folder,
        )


def _letter(match: "Replay", desk: "Desk", seat: str, format: str) -> str:
    """The first letter to a seat, with its key."""
    from pbem.report import compose

    readers = Readers(desk)
    made = partial(compose.letter, match, seat, 0, key=True, desk=readers.desk)
    return readers.letter(match, seat, made, format)


def _inside(folder: str, letters: str | None) -> str:
    """Where letters go, as the desk file keeps it: seen from the folder of the match, and only if
    it is in there, for the folder may be moved."""
    if not letters or not store.is_within(folder, letters):
        return ""
    place = os.path.relpath(os.path.realpath(letters), os.path.realpath(folder))
    return "" if place == "." else place.replace(os.sep, "/")


def _shared(desk: "Desk") -> Iterator[Sentence]:
    """A note on each address that several seats share: a slip, or one person who plays two."""
    known = sorted({each for theirs in desk.addresses.values() for each in theirs})
    for address in known:
        seats = [seat for seat, theirs in desk.addresses.items() if address in theirs]
        if len(seats) > 1:
            yield say("{address} plays {seats:all}", address=address, seats=seats)


@common.app.command(cls=asked.SetsUp, epilog="Example: pbem position kahuna > table.yaml")
def position(
    ctx: typer.Context,
    game: common.GameName,
    seat: Annotated[
        list[str] | None,
        common.takes("SEAT", "A seat, in order of play; repeat for each.", "--seat"),
    ] = None,
) -> None:
    """Print a form of a position, to begin a match from."""
    from pbem.desk.form import form

    seats = [*pairs("--seat", (f"{each}=" for each in seat or ()), "white")]
    table = asked.terms(ctx, game)
    print(form(game, seats, table.ruleset, table.options, table.board), end="")


@common.app.command(epilog="Example: pbem words")
def words(
    text: Annotated[str | None, typer.Argument(help="Words of your own; made up if none.")] = None,
) -> None:
    """Make words for the draws, and the lines to send."""
    chosen = " ".join(text.split()) if text else gathering.new_words()
    if not gathering.is_words(chosen):
        raise Usage("words for the draws are {says}", says=gathering.A_WORDS.says)
    print(f"words {gathering.promise(chosen)}")
    print(f"words: {chosen}")


@common.app.command(
    cls=asked.OfSeat,
    epilog="Examples: pbem seat kahuna-7 --seat white --address ana@new.example · "
    "pbem seat kahuna-7 --observer forum@example.org",
)
def seat(
    ctx: typer.Context,
    log: common.LogFile,
    seat: Annotated[
        str | None, common.takes("SEAT", "Which seat.", autocompletion=complete.seats)
    ] = None,
    address: Annotated[
        list[str] | None, common.takes("ADDRESS", "Their mails come from here; repeat for several.")
    ] = None,
    author: Annotated[
        list[str] | None, common.takes("NAME", "Their account in the forum; repeat for several.")
    ] = None,
    observer: Annotated[
        list[str] | None,
        common.takes("ADDRESS", "Gets the public reports by mail; repeat for several."),
    ] = None,
    no_observer: Annotated[
        bool, common.flag("--no-observer", "Nobody but the players gets mails.")
    ] = False,
    new_key: Annotated[
        bool, common.flag("--new-key", "Seat them anew: the old key opens nothing to come.")
    ] = False,
) -> Output:
    """Show or change who writes for a seat, or gets reports."""
    from pbem.desk import give, seats

    chosen = {name: value for name, value in asked.given(ctx).items() if value is not None}
    if seat is None:
        if address or author or new_key or chosen:
            raise Usage("say which seat: --seat")
        return _observers(log, [] if no_observer else observer)
    if observer or no_observer:
        raise Usage("observers have no seat: leave out --seat")
    before = seats.change(log, seat)[1].addresses.get(seat, ()) if address else ()
    kept_here = {name: chosen.get(name) for name in ("zone", "pictures", "language")}
    match, desk = seats.change(log, seat, address or (), author or (), **kept_here)
    wants = _preferred(log, before, desk.addresses.get(seat, ()), chosen)
    if new_key:
        done = give.new_key(log, seat, common.here())
        match, desk = done.match, done.desk
    plain = _seated(match, Readers(desk).desk or desk, seat, wants)
    told = [*_told(plain)]
    if address:
        told = [*map(noted, _shared(desk)), *told]
    return Output(plain, told, entered=log if new_key else "")


def _seated(match: "Replay", desk: "Desk", seat: str, wants: "Preferences") -> dict[str, Any]:
    """Who writes for a seat, and how they are written to."""
    return {
        "ok": True,
        "match": match.name,
        "seat": seat,
        "player": match.players[seat],
        "addresses": list(desk.addresses.get(seat, ())),
        "authors": list(desk.authors.get(seat, ())),
        "zone": desk.zones.get(seat) or None,
        "pictures": desk.pictures.get(seat, True),
        "mails": wants.mails,
        "text_only": wants.text,
        "posts": wants.posts or "whole",
        "webhook": wants.webhook.host if wants.webhook else None,
        "language": desk.languages.get(seat) or None,
    }


def _told(of: dict[str, Any]) -> Iterator[object]:
    """The same for people, who are told of each option what is not as usual."""
    yield f"{of['seat']}: {of['player']}"
    yield from (f"  address {each}" for each in of["addresses"])
    yield from (f"  account {each}" for each in of["authors"])
    usual = {"pictures": True, "mails": "each", "text_only": False, "posts": "whole"}
    for name in ("zone", "language", *usual, "webhook"):
        if (value := of[name]) != usual.get(name):
            shown = {True: "yes", False: "no"}.get(value, value)
            yield f"  {name.replace('_', '-')} {shown}"


def _preferred(
    log: str, before: Sequence[str], addresses: Sequence[str], chosen: Mapping[str, str | bool]
) -> "Preferences":
    """Note how a person wants to be written to in all matches of the folder; what was set at an
    address they had before moves to their new one. Gives the preferences that hold then."""
    from pbem.mailroom import daybook, preferences

    folder = os.path.dirname(log) or "."
    if not addresses:
        if set(chosen) - {"zone", "pictures", "language"}:
            raise Usage("nobody is written to at this seat: it has no address")
        return preferences.Preferences()
    person = address_of(addresses[0])
    if before and before[0] != person:
        preferences.follow(log, address_of(before[0]), person)
    if not chosen:
        return preferences.Preferences.of(daybook.book_of(folder), person)
    settings = [
        preferences.setting(setting, value)
        for setting, option in preferences.OPTIONS.items()
        if (value := chosen.get(option.name)) is not None
    ]
    return preferences.note(folder, person, settings)


def _observers(log: str, given: list[str] | None) -> Output:
    """Who gets a match's public reports; a list `given` replaces them from now on."""
    from pbem.desk import seats

    match, desk = read_both(log) if given is None else seats.observe(log, given)
    plain = {"ok": True, "match": match.name, "observers": list(desk.observers)}
    told = [f"observer {theirs}" for theirs in desk.observers]
    return Output(plain, told or ["nobody but the players gets mails"])
