"""Beginning a match."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.common import (
    Board,
    Format,
    Json,
    app,
    check_format,
    letter_folder,
    pair,
    print_json,
    read_board,
    standing,
    write_letters,
)
from pbem.core import Usage


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
    json: Json = False,
) -> None:
    """Begin a match: write its log and its desk file, deal, print the post and the letters."""
    from pbem.desk import begin
    from pbem.files.clock import now
    from pbem.log import seal
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
    )
    told = [ply.number for ply, _ in opened.plies]
    post = compose.text(compose.public(opened, told, opening=True), format)
    written = {
        name: compose.text(compose.letter(opened, name, told, key=True), format)
        for name in opened.setup.seats
    }
    # Nothing is on the disk before everything that has to be posted could be written.
    if letters:
        letter_folder(letters)
    begin.write(opened, desk)
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
                **standing(opened),
            }
        )
        return
    print(post, end="")
    if letters:
        print(f"pbem: letters are in {letters}; send each to its seat alone", file=sys.stderr)
        return
    for name, text in written.items():
        print(f"\n======== letter to {name}: for nobody else ========\n\n{text}", end="")


def _authors(given: list[str]) -> dict[str, tuple[str, ...]]:
    """`--author SEAT=NAME`, as often as a seat has accounts. Raises Problem."""
    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        seat, name = pair(text, "--author", "white=ana_w")
        if not name or len(name) > 200 or not name.isprintable():
            raise Usage("--author {text!r} names no forum account", text=text[:60])
        found[seat] = (*found.get(seat, ()), name)
    return found
