"""Pictures of the board, as files or on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.cli.output import File, Output
from pbem.problem import Usage

if TYPE_CHECKING:
    from pbem.log.match import Replay

FORMS: Final = ("svg", "png", "gif", "webp", "card")


def picture(
    match: Replay,
    format: str,
    theme: str = "light",
    size: int | None = None,
    since: int | None = None,
) -> bytes:
    """The board as this reader knows it, as svg or png; what changed since a ply is marked. The
    format `card` is a png of the map with names, points and words beside it. Raises Usage."""
    from pbem.pictures import board
    from pbem.pictures.png import legible, png
    from pbem.pictures.preview import card

    _require(theme)
    if format == "svg":
        return board.picture(match, theme=theme, size=size, since=since).encode()
    if format == "card":
        from pbem.report.pages import card_words

        words = card_words(match) if since is None else {}
        return card(match, theme, since, **words)
    names = legible(match.players)
    painted = board.picture(match, names=names, theme=theme, since=since)
    return png(painted, *(() if size is None else (size,)))


def film(
    match: Replay, first: int, last: int, format: str, theme: str = "light", size: int | None = None
) -> bytes:
    """The board after each of these plies, one after the other, as gif or webp. Raises Usage."""
    from pbem.log.match import Replay
    from pbem.pictures import board
    from pbem.pictures.pixels import film
    from pbem.pictures.png import legible, painted

    _require(theme)
    plies = [ply.number for ply, _ in match.plies if first <= ply.number <= last]
    plies = [0, *plies] if first == 0 else plies
    if not plies:
        raise Usage("there is no move from {first} to {last}", first=first, last=last)
    frames = []
    for nth, ply in enumerate(plies):
        then = Replay.of(match.log, match.keyring, at=ply)
        names, since = legible(then.players), plies[nth - 1] if nth else ply
        shown = board.picture(then, names=names, theme=theme, since=since)
        frames.append(painted(shown, size or 540))
    return film(frames, format)


def _require(theme: str) -> None:
    from pbem.pictures.palette import THEMES

    if theme not in THEMES:
        raise Usage("--theme is {themes:any}, not {theme!r}", themes=THEMES, theme=theme)


def picture_format(path: str) -> str:
    """The format that the name of a picture's file asks for: svg or png. Raises Usage, also if no
    PNG can be made."""
    ending = path.rpartition(".")[2].lower()
    if ending not in ("svg", "png"):
        raise Usage("a picture's name ends in .svg or .png; {name!r} does not", name=path)
    if ending == "png":
        from pbem.pictures.png import painter

        painter()
    return ending


def written(data: bytes, path: str | None, *, private: bool = False) -> Output:
    """What goes into a file, for one reader alone if it is `private`; else to stdout."""
    if path:
        return Output(files=[File(path, data, 0o600 if private else None)])
    return Output(told=[data])
