"""Beginning a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.common import (
    Board,
    Format,
    Json,
    app,
    check_format,
    pair,
    print_json,
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
    game: Annotated[str, typer.Argument(help="The game; `pbem games` lists them.")],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=PLAYER")],
    ruleset: Annotated[str | None, typer.Option(help="Which edition.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE")] = None,
    match: Annotated[str | None, typer.Option(help="Its name.")] = None,
    dir: Annotated[str, typer.Option(help="The folder for its files.")] = ".",
    dealer: Annotated[
        str, typer.Option(help="sealed: drawn here; asked: you type what real cards show.")
    ] = "sealed",
    letters: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write the letters there, not to stdout.")
    ] = None,
    format: Format = "text",
    board: Board = None,
    policy: Annotated[
        str, typer.Option(help="What proves who wrote a move: from, authenticated or signed.")
    ] = "from",
    server: Annotated[
        str | None, typer.Option(help="authenticated: the mail server whose findings are believed.")
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option("--author", metavar="SEAT=NAME", help="Whose forum account a seat's is."),
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
    json: Json = False,
) -> None:
    """Begin a match: write its log and its desk file, deal, print the post and the letters."""
    from pbem.desk import begin
    from pbem.files.clock import now
    from pbem.log import gathering, seal
    from pbem.report import compose

    check_format(format)
    make_ready(letters=letters)
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
    )
    begin.write(opened, desk)
    with after_commit(opened.log.path):
        told = [ply.number for ply, _ in opened.plies]
        proven = gathering.proven(dealer, opened.log.so_far().gathered)
        notes = [sentence.text(opened.players) for sentence in proven]
        shared = [str(note) for note in _shared(desk)]
        post = compose.text(compose.public(opened, told, notes, opening=True), format)
        written = {
            name: compose.text(compose.letter(opened, name, told, key=True), format)
            for name in opened.setup.seats
        }
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
            complain(f"pbem: {line}")
        if letters:
            complain(f"pbem: letters are in {letters}; send each to its seat alone")
            return
        for name, text in written.items():
            print(f"\n======== letter to {name}: for nobody else ========\n\n{text}", end="")


def _shared(desk: Desk) -> Iterator[Sentence]:
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
    """Make words that go into the draws, and the two lines to send: first their hash, then they."""
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
