"""Beginning a match, and who sits at it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

# No postponed annotations in these files: typer would compile each of them at every start.
import typer

from pbem.cli import asked, complete
from pbem.cli.common import (
    LETTER,
    Format,
    GameName,
    Json,
    LogFile,
    Told,
    app,
    check_format,
    flag,
    print_json,
    put_schemas,
    standing,
    takes,
    write_letters,
)
from pbem.cli.output import after_commit, complain, make_ready
from pbem.cli.readers import Readers
from pbem.problem import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk
    from pbem.log.match import Match
    from pbem.mailroom.preferences import Preferences


_HANDLES: Final = (
    "names stand in the log for good, and a log is for everybody: let players choose a handle"
)


@app.command(
    cls=asked.Begins,
    epilog='Examples: pbem new kahuna --seat white="Ana <ana@example.org>" --seat black=Ben · '
    "pbem new kahuna --seat white=Ana --seat black=Ben --turn 3 --zone Europe/Berlin --closed sun",
)
def new(
    ctx: typer.Context,
    game: GameName,
    letters: Annotated[str | None, takes("DIR", "Write the letters there, not to stdout.")] = None,
    format: Format = "text",
    like: Annotated[
        str | None,
        takes("LOG", "As this match: all that is not said, but for who plays and where it begins."),
    ] = None,
    told: Told = False,
    json: Json = False,
) -> None:
    """Begin a match: deal, and print the post and the letters."""
    from pbem.desk import begin
    from pbem.files import store
    from pbem.files.timestamp import now
    from pbem.log import seal
    from pbem.mailroom.daybook import NOTHING, all_know_by_hand
    from pbem.report import compose

    check_format(format)
    terms = asked.terms(ctx, game)
    opened, desk = begin.begin(terms, secret=seal.new_secret(), clock=now)
    folder, dialect = terms.folder, "" if format == "text" else format
    desk = replace(desk, dialect=dialect, letters=_inside(folder, letters))
    opening = partial(compose.opening, opened, desk.contact)
    post = compose.posted(
        lambda: compose.public(opened, 0, compose.proof(opened), opening=opening()),
        format,
        opened.log.languages,
    )
    written = {seat: _letter(opened, desk, seat, 0, format) for seat in opened.setup.seats}
    # Nothing goes to the disk until everything that has to be posted has been written.
    make_ready(letters=letters)
    store.make_folder(folder)
    if not os.path.exists(opened.log.path):
        desk = all_know_by_hand(opened, desk, len(opened.log.entries) if told else NOTHING)
    begin.write(opened, desk, compose.rehearse)
    notes = [*(str(note) for note in _shared(desk)), _HANDLES]
    with after_commit(opened.log.path):
        put_schemas(folder)
        files = write_letters(letters, opened, written) if letters else {}
        if json:
            data = {"ok": True, "match": opened.name, "log": opened.log.path, "desk": desk.path}
            data |= {"post": post, "letters": files or written, "notes": notes}
            print_json({**data, **standing(opened)})
            return
        print(post, end="")
        for note in notes:
            complain(say("pbem: {line}", line=note))
        if letters:
            complain(
                say("pbem: letters are in {letters}; send each to its seat alone", letters=letters)
            )
        for seat, text in () if letters else written.items():
            print(say(LETTER, seat=seat, text=text), end="")


def _letter(now: "Match", desk: "Desk", seat: str, known: int, format: str) -> str:
    """The letter to a seat with its key, and what it does not know yet."""
    from pbem.report import compose

    readers = Readers(desk)
    made = partial(compose.letter, now, seat, known, key=True, desk=readers.desk)
    return readers.letter(now, seat, made, format)


def _inside(folder: str, letters: str | None) -> str:
    """Where letters go, as the desk file keeps it: seen from the folder of the match, and only if
    it is in there, for the folder may be moved."""
    from pbem.files import store

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


@app.command(cls=asked.SetsUp, epilog="Example: pbem position kahuna > table.yaml")
def position(
    ctx: typer.Context,
    game: GameName,
    seat: Annotated[
        list[str] | None, takes("SEAT", "A seat, in order of play; repeat for each.", "--seat")
    ] = None,
) -> None:
    """Print a form of a position, to begin a match from."""
    from pbem.desk.begin import pairs
    from pbem.desk.form import form

    seats = [*pairs("--seat", (f"{each}=" for each in seat or ()), "white")]
    table = asked.terms(ctx, game)
    print(form(game, seats, table.ruleset, table.options, table.board), end="")


@app.command(epilog="Example: pbem words")
def words(
    text: Annotated[str | None, typer.Argument(help="Words of your own; made up if none.")] = None,
) -> None:
    """Make words for the draws, and the lines to send."""
    from pbem.log.entropy import gathering

    chosen = " ".join(text.split()) if text else gathering.new_words()
    if not gathering.is_words(chosen):
        raise Usage("words for the draws are {says}", says=gathering.A_WORDS.says)
    print(f"words {gathering.promise(chosen)}")
    print(f"words: {chosen}")


@app.command(
    epilog="Examples: pbem seat kahuna-7 --seat white --address ana@new.example · "
    "pbem seat kahuna-7 --observer forum@example.org"
)
def seat(
    log: LogFile,
    seat: Annotated[str | None, takes("SEAT", "Which seat.", autocompletion=complete.seats)] = None,
    address: Annotated[
        list[str] | None, takes("ADDRESS", "Their mails come from here; repeat for several.")
    ] = None,
    author: Annotated[
        list[str] | None, takes("NAME", "Their account in the forum; repeat for several.")
    ] = None,
    zone: Annotated[
        str | None, takes("ZONE", "Their letters tell deadlines in it; '': the match's.")
    ] = None,
    pictures: Annotated[
        bool | None,
        flag("--pictures/--no-pictures", "Whether their mails bring the board as a picture."),
    ] = None,
    mails: Annotated[
        str | None, takes("WHEN", "Their mails: each, once, or 'daily 18:00'.")
    ] = None,
    text_only: Annotated[
        bool | None, flag("--text-only/--no-text-only", "Whether their mails are text alone.")
    ] = None,
    posts: Annotated[
        str | None, takes("FORM", "short: the board when it is their turn; whole.")
    ] = None,
    webhook: Annotated[
        str | None, takes("URL [FIELD]", "Where it is posted that it is their turn; none: nowhere.")
    ] = None,
    language: Annotated[
        str | None, takes("LANGUAGE", "Of their mails, like de; '': that of each match.")
    ] = None,
    observer: Annotated[
        list[str] | None, takes("ADDRESS", "Gets the public reports by mail; repeat for several.")
    ] = None,
    no_observer: Annotated[
        bool, flag("--no-observer", "Nobody but the players gets mails.")
    ] = False,
    letter: Annotated[bool, flag("--letter", "Print their letter again, with their key.")] = False,
    new_key: Annotated[
        bool, flag("--new-key", "Seat them anew: the old key opens nothing to come.")
    ] = False,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Show or change who writes for a seat, or gets reports."""
    from pbem.desk import give, seats
    from pbem.desk.bench import Circumstances
    from pbem.files.timestamp import now as clock
    from pbem.report import compose

    check_format(format)
    if seat is None:
        wants = (zone, pictures, mails, text_only, posts, language, webhook)
        if address or author or letter or new_key or any(each is not None for each in wants):
            raise Usage("say which seat: --seat")
        _observers(log, [] if no_observer else observer, json)
        return
    if observer or no_observer:
        raise Usage("observers have no seat: leave out --seat")
    before = seats.change(log, seat)[1].addresses.get(seat, ()) if address else ()
    now, desk = seats.change(
        log, seat, address or (), author or (), zone, pictures=pictures, language=language
    )
    addresses, authors = desk.addresses.get(seat, ()), desk.authors.get(seat, ())
    wanted = {
        "mails": mails,
        "text": text_only,
        "pictures": pictures,
        "zone": zone,
        "posts": posts,
        "language": language,
        "webhook": webhook,
    }
    said = _preferred(log, before, addresses, {k: v for k, v in wanted.items() if v is not None})
    speaks = said.language or desk.languages.get(seat, "")
    if new_key:
        done = give.new_key(log, seat, Circumstances(clock, compose.rehearse))
        now, desk = done.now, done.desk
    told, readers = compose.known_before_last_turn(now), Readers(desk)
    desk = readers.desk or desk
    text, theirs = "", desk.zones.get(seat, "")
    if letter:
        text = readers.letter(
            now, seat, partial(compose.letter, now, seat, told, key=True, desk=desk), format
        )
    if json:
        data = {"ok": True, "match": now.name, "seat": seat, "player": now.players[seat]}
        known = {
            "addresses": list(addresses),
            "authors": list(authors),
            "zone": theirs or None,
            "pictures": desk.pictures.get(seat, True),
            "mails": said.mails,
            "text_only": said.text,
            "posts": said.posts or "whole",
            "webhook": said.webhook.host if said.webhook else None,
            "language": speaks or None,
        }
        print_json({**data, **known, **({"letter": text} if letter else {})})
        return
    if address:
        for note in _shared(desk):
            complain(say("pbem: {line}", line=note))
    if letter:
        print(text, end="")
        return
    print(f"{seat}: {now.players[seat]}")
    for known_by in addresses:
        print(f"  address {known_by}")
    for account in authors:
        print(f"  account {account}")
    if theirs:
        print(say("  zone {zone}", zone=theirs))
    if speaks:
        print(say("  language {language}", language=speaks))
    if not desk.pictures.get(seat, True):
        print(say("  mails without pictures"))
    if said.mails != "each":
        print(say("  mails {when}", when=said.mails))
    if said.text:
        print(say("  mails are text only"))
    if said.webhook:
        print(say("  webhook at {host}", host=said.webhook.host))
    if said.posts == "short":
        print(say("  mails bring the board when it is their turn"))


def _preferred(
    log: str, before: Sequence[str], addresses: Sequence[str], chosen: Mapping[str, str | bool]
) -> "Preferences":
    """Note how a person wants to be written to in all matches of the folder; what was set at an
    address they had before moves to their new one. Gives the preferences that hold then."""
    from pbem.desk.address import read as address_of
    from pbem.mailroom import daybook, preferences

    folder = os.path.dirname(log) or "."
    if not addresses:
        if set(chosen) - {"zone", "pictures", "language"}:
            raise Usage("nobody is written to at this seat: it has no address")
        return preferences.Preferences()
    person = address_of(addresses[0])
    if before and before[0] != person:
        preferences.follow(folder, address_of(before[0]), person)
        daybook.tell_anew(log, address_of(before[0]), person)
    if not chosen:
        return preferences.Preferences.of(daybook.book_of(folder), person)
    settings = [
        preferences.setting(name, value if isinstance(value, str) else "yes" if value else "no")
        for name, value in chosen.items()
    ]
    return preferences.note(folder, person, settings)


def _observers(log: str, given: list[str] | None, json: bool) -> None:
    """Show who gets a match's public reports; a list `given` replaces them from now on."""
    from pbem.desk import seats
    from pbem.desk.file import read_both

    now, desk = read_both(log) if given is None else seats.observe(log, given)
    if json:
        print_json({"ok": True, "match": now.name, "observers": list(desk.observers)})
        return
    for theirs in desk.observers:
        print(f"observer {theirs}")
    if not desk.observers:
        print("nobody but the players gets mails")
