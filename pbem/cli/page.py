"""Pages: a match to step through, and a site of matches."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import As, KeyFile, LogFile, app
from pbem.cli.look import seen


@app.command(epilog="Example: pbem page kahuna-7.pbem.yaml --key white.key -o kahuna-7.html")
def page(
    log: LogFile,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The page.")],
    as_: As = None,
    key: KeyFile = None,
    to: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where an order is sent by the link.")
    ] = "",
) -> None:
    """Write a match as one page; with a seat's key, its turn can be clicked together there."""
    from pbem.files import store
    from pbem.report import pages

    now = seen(log, as_, key)
    own = next((seat for seat in now.awaited if seat in now.keyring.seats), None)
    private = now.keyring.secret is not None or bool(now.keyring.seats)
    store.replace(out, pages.page(now, seat=own, to=to).encode(), 0o600 if private else None)
