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
    Board,
    Format,
    GameName,
    Json,
    LogFile,
    Options,
    Ruleset,
    Told,
    app,
    check_format,
    flag,
    pair,
    pairs,
    print_json,
    put_schemas,
    read_board,
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
    from pbem.mailroom.preferences import Preferences


_HANDLES: Final = (
    "names stand in the log for good, and a log is for everybody: let players choose a handle"
)


@app.command(
    cls=asked.WithClock,
    epilog='Examples: pbem new kahuna --seat white="Ana <ana@example.org>" --seat black=Ben · '
    "pbem new kahuna --seat white=Ana --seat black=Ben --turn 3 --zone Europe/Berlin --closed sun",
)
def new(
    ctx: typer.Context,
    game: GameName,
    seat: Annotated[
        list[str],
        takes(
            "SEAT=PLAYER",
            "A player, by a handle, and their seat, in order of play.",
            "--seat",
            autocompletion=complete.players,
        ),
    ],
    ruleset: Ruleset = None,
    option: Options = None,
    match: Annotated[str | None, takes("NAME", "What to call the match.")] = None,
    dir: Annotated[str, takes("DIR", "Where its files go; made if need be.")] = ".",
    dealer: Annotated[str, takes("WHO", "sealed: pbem; asked: you, with real cards.")] = "sealed",
    letters: Annotated[str | None, takes("DIR", "Write the letters there, not to stdout.")] = None,
    format: Format = "text",
    board: Board = None,
    policy: Annotated[
        str, takes("PROOF", "What a move needs: from, authenticated or signed.")
    ] = "from",
    server: Annotated[
        str | None, takes("HOST", "authenticated: the mail server to believe.")
    ] = None,
    author: Annotated[
        list[str] | None, takes("SEAT=NAME", "A player's account in the forum.", "--author")
    ] = None,
    entropy: Annotated[
        str | None,
        takes(
            "seats|public:NAME",
            "What goes into every draw besides the secret: words of each player, or a "
            "public value nobody can know yet. Cards are dealt once it is there.",
        ),
    ] = None,
    until: Annotated[
        str | None, takes("TIME", "--entropy seats: until when hashes may be sent.")
    ] = None,
    forced: Annotated[
        bool, flag("--forced", "Play by itself what everybody sees to be forced.")
    ] = False,
    press: Annotated[
        str,
        takes(
            "WHO",
            "What players may say: none, public (to all), private (to each other as well), "
            "grey (so that nobody knows who wrote it).",
        ),
    ] = "public",
    contact: Annotated[str, takes("TEXT", "How players reach you, for the opening post.")] = "",
    short: Annotated[
        bool, flag("--short", "Posts are short ones, unless you say --whole.")
    ] = False,
    page: Annotated[str, takes("URL", "Where the match is shown; short posts say so.")] = "",
    position: Annotated[
        str | None,
        takes(
            "FILE",
            "Begin from there: a form of `pbem position`, or what show --format json prints.",
        ),
    ] = None,
    language: Annotated[
        str | None, takes("LANGUAGE", "Of the posts, like de; de,en: one below the other.")
    ] = None,
    speaks: Annotated[
        list[str] | None, takes("SEAT=LANGUAGE", "Of one player's letters and page.", "--speaks")
    ] = None,
    like: Annotated[
        str | None,
        takes("LOG", "As this match: all that is not said, but for who plays and where it begins."),
    ] = None,
    told: Told = False,
    json: Json = False,
) -> None:
    """Begin a match: deal, and print the post and the letters."""
    from pbem.desk import begin
    from pbem.desk.seats import Player
    from pbem.files import store
    from pbem.files.timestamp import now
    from pbem.log import clock, seal
    from pbem.mailroom.daybook import NOTHING, all_know_by_hand
    from pbem.report import compose

    check_format(format)
    if dealer not in ("sealed", "asked"):
        raise Usage("--dealer is sealed or asked, not {dealer!r}", dealer=dealer)
    players = {n: Player.read(each) for n, each in pairs(seat, "--seat", "white=Ana").items()}
    chosen = pairs(option, "--option", "variant1=true")
    paced = clock.chosen(asked.given(ctx))
    if paced and "turn" not in paced:
        raise Usage("--{option} is for a match with deadlines; say --turn DAYS", option=min(paced))
    given = None
    if position is not None:
        from pbem.desk.begin import read_position

        given = read_position(position, game, tuple(players), ruleset)
        ruleset, chosen = given.ruleset, {**given.options, **chosen}
    opened, desk = begin.begin(
        game,
        players,
        name=match or begin.unused_name(game, dir),
        folder=dir,
        secret=seal.new_secret(),
        clock=now,
        ruleset=ruleset,
        chosen=chosen,
        board=read_board(board),
        dealer_name=dealer,
        policy=policy,
        server=server,
        authors=_authors(author or []),
        entropy=entropy,
        until=until,
        paced=paced,
        contact=contact,
        forced=forced,
        press=press,
        short=short,
        page=page,
        position=given,
        language=language,
        speaks=pairs(speaks, "--speaks", "white=de"),
    )
    desk = replace(desk, dialect="" if format == "text" else format, letters=_inside(dir, letters))
    shared = [*(str(note) for note in _shared(desk)), _HANDLES]
    post = compose.posted(
        lambda: compose.public(
            opened, 0, compose.proof(opened), opening=compose.opening(opened, contact)
        ),
        format,
        opened.log.languages,
    )
    readers = Readers(desk)
    written = {
        name: readers.letter(
            opened,
            name,
            partial(compose.letter, opened, name, 0, key=True, desk=readers.desk),
            format,
        )
        for name in opened.setup.seats
    }
    # Nothing goes to the disk until everything that has to be posted has been written.
    make_ready(letters=letters)
    store.make_folder(dir)
    if not os.path.exists(opened.log.path):
        desk = all_know_by_hand(opened, desk, len(opened.log.entries) if told else NOTHING)
    begin.write(opened, desk, compose.rehearse)
    with after_commit(opened.log.path):
        put_schemas(dir)
        files = write_letters(letters, opened, written) if letters else {}
        if json:
            print_json(
                {
                    "ok": True,
                    "match": opened.name,
                    "log": opened.log.path,
                    "desk": desk.path,
                    "post": post,
                    "letters": files or written,
                    "notes": shared,
                    **standing(opened),
                }
            )
            return
        print(post, end="")
        for line in shared:
            complain(say("pbem: {line}", line=line))
        if letters:
            complain(
                say("pbem: letters are in {letters}; send each to its seat alone", letters=letters)
            )
            return
        for name, text in written.items():
            print(say(LETTER, seat=name, text=text), end="")


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


@app.command(epilog="Example: pbem position kahuna > table.yaml")
def position(
    game: GameName,
    seat: Annotated[
        list[str] | None, takes("SEAT", "A seat, in order of play; repeat for each.", "--seat")
    ] = None,
    ruleset: Ruleset = None,
    option: Options = None,
) -> None:
    """Print a form of a position, to begin a match from."""
    from pbem.desk.begin import form

    seats = [*pairs((f"{each}=" for each in seat or ()), "--seat", "white")]
    chosen = pairs(option, "--option", "variant1=true")
    print(form(game, seats, ruleset, chosen), end="")


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


def _authors(given: list[str]) -> dict[str, tuple[str, ...]]:
    """The accounts of each seat, from `--author SEAT=NAME`, given once for each. Raises Problem."""
    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        seat, name = pair(text, "--author", "white=ana_w")
        if not name or len(name) > 200 or not name.isprintable():
            raise Usage("--author {text!r} names no forum account", text=text[:60])
        found[seat] = (*found.get(seat, ()), name)
    return found


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
