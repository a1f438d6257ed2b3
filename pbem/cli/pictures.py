"""Pictures of the board, as files or on stdout."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pbem.cli.output import put
from pbem.core import Usage

if TYPE_CHECKING:
    from pbem.log.match import Match

_NARROWEST, _WIDEST = 120, 4000


def picture(
    now: Match, format: str, theme: str = "light", size: int | None = None, since: int | None = None
) -> bytes:
    """The board as this reader knows it, as svg or png; what changed since a ply is marked. Raises
    Usage."""
    from pbem.report.pictures import board
    from pbem.report.pictures.palette import THEMES

    if theme not in THEMES:
        raise Usage("--theme is {themes:any}, not {theme!r}", themes=THEMES, theme=theme)
    if size is not None and not _NARROWEST <= size <= _WIDEST:
        raise Usage(
            "--size is a number of pixels from {least} to {most}, not {size}",
            least=_NARROWEST,
            most=_WIDEST,
            size=size,
        )
    if format == "svg":
        return board.picture(now, theme=theme, size=size, since=since).encode()
    from pbem.report.pictures.png import legible, png

    painted = board.picture(now, names=legible(now.players), theme=theme, since=since)
    return png(painted, *(() if size is None else (size,)))


def public_picture(now: Match, format: str) -> bytes:
    """The board as a spectator sees it."""
    return picture(now.seen_by(None), format)


def picture_format(path: str) -> str:
    """What the name of a picture's file says: svg or png. Raises Usage, also where no PNG can be
    made."""
    ending = path.rpartition(".")[2].lower()
    if ending not in ("svg", "png"):
        raise Usage("a picture's name ends in .svg or .png; {name!r} does not", name=path)
    if ending == "png":
        from pbem.report.pictures.png import painter

        painter()
    return ending


def write(data: bytes, path: str | None, private: bool = False) -> None:
    """Write to a file, else to stdout. Raises Usage rather than send a PNG to a terminal."""

    if path:
        put(path, data, 0o600 if private else None)
        return
    if sys.stdout.isatty() and data.startswith(b"\x89PNG"):
        raise Usage("a terminal cannot show PNG; add -o FILE, or redirect the output")
    sys.stdout.buffer.write(data)
