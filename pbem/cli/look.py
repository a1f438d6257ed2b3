"""Looking at a match."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.common import (
    As,
    Json,
    KeyFile,
    LogFile,
    app,
    check_format,
    keys,
    print_json,
    standing,
)
from pbem.cli.pictures import picture, write
from pbem.core import Usage

if TYPE_CHECKING:
    from pbem.log.match import Match


def _seen(log: str, as_: str | None, key: str | None, at: int | None = None) -> Match:
    """The match as the reader asked for may know it: by default, as a spectator."""
    from pbem.log.match import Match

    if as_ is None:
        return Match.read(log, keys(key), at)
    from pbem.desk.file import Desk

    keyring = keys(key)
    if keyring.secret is None and as_ not in keyring.seats:
        keyring = Desk.read(log).keyring
    seen = Match.read(log, keyring).seen_by(as_)
    return Match.of(seen.log, seen.keyring, at)


@app.command(epilog="Example: pbem show kahuna-7.pbem.yaml --as white --at 20 --format markdown")
def show(
    log: LogFile,
    as_: As = None,
    key: KeyFile = None,
    at: Annotated[int | None, typer.Option(help="After this ply.")] = None,
    format: Annotated[
        str, typer.Option(help="text, markdown, phpbb, bgg, html or json; svg or png: the board.")
    ] = "text",
    theme: Annotated[str, typer.Option(help="A picture in light or dark colours.")] = "light",
    size: Annotated[
        int | None, typer.Option(metavar="PX", help="The width of a picture in pixels.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="Write there, not to stdout.")
    ] = None,
    json: Json = False,
) -> None:
    """Show where the match stands: what a spectator may know, unless told otherwise."""
    drawn = format in ("svg", "png") and not json
    if not (json or drawn or format == "json"):
        check_format(format)
    if output and (json or format == "json"):
        raise Usage("-o is for reports and pictures; redirect the output of JSON")
    now = _seen(log, as_, key, at)
    private = bool(as_ or key or "PBEM_KEY" in os.environ)
    if drawn:
        write(picture(now, format, theme, size), output, private=private)
        return
    if json or format == "json":
        from pbem.report import summary

        print_json(summary.plain(now))
        return
    from pbem.report import compose

    report = compose.report(now, now.last_turn())
    if format == "html":
        from pbem.report import html

        text = html.page(report, board=picture(now, "svg", theme, size).decode())
    else:
        text = compose.text(report, format)
    write(text.encode(), output, private=private)


@app.command(epilog="Example: pbem moves kahuna-7.pbem.yaml --as white")
def moves(log: LogFile, as_: As = None, key: KeyFile = None, json: Json = False) -> None:
    """List the legal moves of whoever is awaited, as far as the reader may know."""
    from pbem.play import judge as play

    now = _seen(log, as_, key)
    found = {}
    for seat in dict.fromkeys(decision.seat for decision in now.pending):
        legal = play.legal_moves(now.game, now.state, seat)
        found[seat] = list(dict.fromkeys(sorted(map(now.game.notate, legal))))
    if json:
        print_json({**standing(now), "moves": found})
        return
    for seat, texts in found.items():
        print(f"{seat}: {len(texts)} moves")
        for text in texts:
            print(f"  {text}")
    if not found:
        print("the match is over")


@app.command("log", epilog="Example: pbem log kahuna-7.pbem.yaml")
def log_(log: LogFile, as_: As = None, key: KeyFile = None, json: Json = False) -> None:
    """Tell the match in words, ply by ply, rulings and struck plies included."""
    from pbem.report import chronicle

    now = _seen(log, as_, key)
    lines = chronicle.lines(now)
    if json:
        print_json({**standing(now), "lines": lines})
        return
    for line in lines:
        print(line)
