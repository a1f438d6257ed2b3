"""Beginning a match, and who sits at it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

# No postponed annotations in these files: typer would compile each of them at every start.
import typer

from pbem.cli import complete
from pbem.cli.common import (
    LETTER,
    Board,
    Format,
    GameName,
    Json,
    LogFile,
    Options,
    Ruleset,
    SeatName,
    app,
    check_format,
    make_folder,
    pair,
    print_json,
    put_schemas,
    read_board,
    standing,
    write_letters,
)
from pbem.cli.output import after_commit, complain, make_ready
from pbem.core import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk


@app.command(
    epilog='Example: pbem new kahuna --seat white="Ana <ana@example.org>" --seat black=Ben'
)
def new(
    game: GameName,
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="SEAT=PLAYER",
            help="A player and their seat, in order of play.",
            autocompletion=complete.players,
        ),
    ],
    ruleset: Ruleset = None,
    option: Options = None,
    match: Annotated[
        str | None, typer.Option(metavar="NAME", help="What to call the match.")
    ] = None,
    dir: Annotated[
        str, typer.Option(metavar="DIR", help="Where its files go; made if need be.")
    ] = ".",
    dealer: Annotated[
        str, typer.Option(metavar="WHO", help="sealed: pbem; asked: you, with real cards.")
    ] = "sealed",
    letters: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write the letters there, not to stdout.")
    ] = None,
    format: Format = "text",
    board: Board = None,
    policy: Annotated[
        str, typer.Option(metavar="PROOF", help="What a move needs: from, authenticated or signed.")
    ] = "from",
    server: Annotated[
        str | None, typer.Option(metavar="HOST", help="authenticated: the mail server to believe.")
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option("--author", metavar="SEAT=NAME", help="A player's account in the forum."),
    ] = None,
    entropy: Annotated[
        str | None,
        typer.Option(
            metavar="seats|public:NAME",
            help="What goes into every draw besides the secret: words of each player, or a "
            "public value nobody can know yet. Cards are dealt once it is there.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="--entropy seats: how long hashes are awaited."),
    ] = None,
    forced: Annotated[
        bool, typer.Option("--forced", help="Play by itself what everybody sees to be forced.")
    ] = False,
    contact: Annotated[
        str, typer.Option(metavar="TEXT", help="How players reach you, for the opening post.")
    ] = "",
    json: Json = False,
) -> None:
    """Begin a match: deal, and print the post and the letters."""
    from pbem.desk import begin
    from pbem.files.clock import now
    from pbem.log import gathering, seal
    from pbem.report import compose

    check_format(format)
    if dealer not in ("sealed", "asked"):
        raise Usage("--dealer is sealed or asked, not {dealer!r}", dealer=dealer)
    players = {
        name: begin.Player.read(player)
        for name, player in (pair(text, "--seat", "white=Ana") for text in seat)
    }
    chosen = dict(pair(text, "--option", "variant1=true") for text in option or [])
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
        forced=forced,
    )
    told = [ply.number for ply, _ in opened.plies]
    proven = gathering.proven(dealer, opened.log.so_far().gathered)
    notes = [sentence.text(opened.players) for sentence in proven]
    shared = [str(note) for note in _shared(desk)]
    opening = compose.opening(opened, contact)
    post = compose.text(compose.public(opened, told, notes, opening=opening), format)
    written = {
        name: compose.text(compose.letter(opened, name, told, key=True), format)
        for name in opened.setup.seats
    }
    # Nothing is on the disk before everything that has to be posted could be written.
    make_ready(letters=letters)
    make_folder(dir)
    begin.write(opened, desk)
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


def _shared(desk: "Desk") -> Iterator[Sentence]:
    """A note on each address that several seats are played from: a slip, or one person's two."""
    known = sorted({each for theirs in desk.addresses.values() for each in theirs})
    for address in known:
        seats = [seat for seat, theirs in desk.addresses.items() if address in theirs]
        if len(seats) > 1:
            yield say("{address} plays {seats:all}", address=address, seats=seats)


@app.command(epilog="Example: pbem words")
def words(
    text: Annotated[str | None, typer.Argument(help="Words of your own; made up if none.")] = None,
) -> None:
    """Make words for the draws, and the lines to send."""
    from pbem.log import gathering

    chosen = " ".join(text.split()) if text else gathering.new_words()
    if not gathering.is_words(chosen):
        raise Usage("words for the draws are {says}", says=gathering.A_WORDS.says)
    print(f"words {gathering.promise(chosen)}")
    print(f"words: {chosen}")


def _authors(given: list[str]) -> dict[str, tuple[str, ...]]:
    """`--author SEAT=NAME`, as often as a seat has accounts. Raises Problem."""
    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        seat, name = pair(text, "--author", "white=ana_w")
        if not name or len(name) > 200 or not name.isprintable():
            raise Usage("--author {text!r} names no forum account", text=text[:60])
        found[seat] = (*found.get(seat, ()), name)
    return found


@app.command(epilog="Example: pbem seat kahuna-7 --seat white --address ana@new.example")
def seat(
    log: LogFile,
    seat: SeatName,
    address: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Their mails come from here; repeat for several."),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Their account in the forum; repeat for several."),
    ] = None,
    letter: Annotated[
        bool, typer.Option("--letter", help="Print their letter again, with their key.")
    ] = False,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Show or change who may write for a seat."""
    from pbem.desk import seats
    from pbem.report import compose

    check_format(format)
    now, desk = seats.change(log, seat, address or (), author or ())
    addresses, authors = desk.addresses.get(seat, ()), desk.authors.get(seat, ())
    told = [ply.number for ply, _ in now.last_turn()]
    waits = desk.waiting(now.log)
    report = compose.letter(now, seat, told, key=True, waits=waits)
    text = compose.text(report, format) if letter else ""
    if json:
        data = {"ok": True, "match": now.name, "seat": seat, "player": now.players[seat]}
        known = {"addresses": list(addresses), "authors": list(authors)}
        print_json({**data, **known, **({"letter": text} if letter else {})})
        return
    if letter:
        print(text, end="")
        return
    print(f"{seat}: {now.players[seat]}")
    for theirs in addresses:
        print(f"  address {theirs}")
    for account in authors:
        print(f"  account {account}")
