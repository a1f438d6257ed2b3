"""Looking at a match."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from pbem.cli import common
from pbem.cli.answered import Readers
from pbem.cli.output import File, Output
from pbem.cli.pictures import FORMS, film, picture, written
from pbem.desk.file import Desk, desk_path
from pbem.files import languages
from pbem.log import sealing
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.play import judge as play
from pbem.problem import NoFile, Usage
from pbem.report.facts import NARROW, WIDTH
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.log.seal import Keyring
    from pbem.report.facts import Report


def seen(log: str, as_: str | None, key: str | None, at: int | None = None) -> "Replay":
    """The match as this seat, or whoever has this key, may know it; by default, as a spectator."""
    keyring, written = common.keys(key), Log.read(log)
    if as_ is not None:
        if keyring.secret is None and as_ not in keyring.seats:
            keyring = _desk_keys(written, as_)
        keyring = sealing.keys_of(written, sealing.accept_keys(written, keyring), as_)
    return Replay.of(written, keyring, at)


def _desk_keys(log: "Log", seat: str) -> "Keyring":
    """The moderator's keys, for somebody without the seat's own. Raises Problem."""
    log.require_seat(seat)
    path = desk_path(log.path)
    if not os.path.exists(path):
        raise NoFile(
            "is not here: only the desk file or the key of {seat}, given with --key, shows what "
            "{seat} knows",
            path,
            seat=seat,
        )
    return Desk.read(log.path).keyring


Since = Annotated[
    int | None, common.takes("PLY", "Tell and mark what came after this move; else the last turn.")
]
Link = Annotated[str, common.takes("BASE", "Where the site is on the web: links to its page.")]
Width = Annotated[
    int | None, common.takes("N", "Columns of a text: 40 for phones.", min=NARROW, max=WIDTH)
]


def check_width(width: int | None, format: str) -> None:
    """Raise Usage unless this is a format with columns."""
    if width is not None and format != "text":
        raise Usage("--width is for --format text; {format} breaks its lines itself", format=format)


@common.app.command(
    epilog="Example: pbem show kahuna-7.pbem.yaml --as white --at 20 --format markdown"
)
def show(
    log: common.LogFile,
    as_: common.As = None,
    key: common.KeyFile = None,
    at: Annotated[int | None, common.takes("N", "As it was after this move.")] = None,
    since: Since = None,
    from_: Annotated[
        int | None, common.takes("N", "A film begins after this move.", "--from")
    ] = None,
    to: Annotated[int | None, common.takes("N", "A film ends after this move.")] = None,
    format: Annotated[
        str,
        common.takes_format(
            "{dialects}; json; the board: svg, png, gif, webp, card.", "json", *FORMS
        ),
    ] = "text",
    theme: Annotated[
        str, common.takes("THEME", "A picture in light, dark or contrast colours, or ink.")
    ] = "light",
    size: Annotated[
        int | None, common.takes("PX", "The width of a picture in pixels.", min=120, max=4000)
    ] = None,
    width: Width = None,
    output: Annotated[str | None, common.takes("FILE", "Write there, not to stdout.", "-o")] = None,
    language: common.Language = None,
    json: common.Json = False,
) -> Output:
    """Show where the match stands, as a spectator may know it."""
    format = "json" if json else format
    check_width(width, format)
    if output and format == "json":
        raise Usage("-o is for reports and pictures; redirect the output of JSON")
    match = seen(log, as_, key, at)
    if format == "json":
        from pbem.report import summary

        return Output(summary.plain(match), told=None)
    if format in ("gif", "webp"):
        last = match.position.ply if to is None else to
        data = film(match, from_ or 0, last, format, theme, size)
    else:
        with languages.speaking(spoken(language, match)):
            board = partial(picture, match, theme=theme, size=size, since=since)
            drawn = format in FORMS
            data = board(format) if drawn else _report(match, since, format, width, board).encode()
    return written(data, output, private=bool(as_ or key or "PBEM_KEY" in os.environ))


def _report(
    match: "Replay",
    since: int | None,
    format: str,
    width: int | None,
    board: Callable[[str], bytes],
) -> str:
    """Where the match stands, and what is new; in HTML with a picture of the board."""
    from pbem.report import compose

    report = compose.report(match, compose.since(match, _known(match, since)))
    if format != "html":
        return compose.text(report, format, width)
    from pbem.report import html

    return html.page(report, board=board("svg").decode())


@common.app.command(
    cls=common.OfMatch, epilog="Example: pbem post kahuna-7.pbem.yaml --since 17 --format bgg"
)
def post(
    log: common.LogFile,
    since: Since = None,
    format: common.Format = "text",
    width: Width = None,
    short: common.Short = None,
    link: Link = "",
    language: common.Language = None,
) -> Output:
    """Print the public report of what is new, to be posted."""
    from pbem.report import compose

    check_width(width, format)
    match, asked = Replay.read(log), languages.several(language) if language else ()

    def pages() -> Iterator[tuple[str, str]]:
        if link:
            from pbem.report import sealed

            yield sealed.public(sealed.base(link), match)

    desk = _desk(log) if short or (short is None and common.desk_says(log, b"short")) else None
    text = compose.post(
        match, desk, format, since=since, width=width, short=short, pages=pages, languages=asked
    )
    return Output({"ok": True, **common.standing(match), "post": text}, [text])


@common.app.command(
    cls=common.OfMatch,
    epilog="Example: pbem letter kahuna-7.pbem.yaml --seat white --key --out white.txt",
)
def letter(
    log: common.LogFile,
    seat: common.SeatName,
    key: Annotated[bool, common.flag("--key", "With their key in it.")] = False,
    since: Since = None,
    format: common.Format = "text",
    width: Width = None,
    out: Annotated[
        str | None, common.takes("FILE", "Write it there, for you alone to read.")
    ] = None,
    link: Link = "",
    language: common.Language = None,
) -> Output:
    """Print a seat's letter as of now."""
    from pbem.report import compose

    check_width(width, format)
    match = seen(log, seat, None)
    desk = _desk(log)
    readers = Readers(desk)

    def made() -> "Report":
        report = compose.letter(match, seat, _known(match, since), key=key, desk=readers.desk)
        if link:
            from pbem.report import sealed

            report = report._replace(pages=tuple(sealed.boards(sealed.base(link), [(match, seat)])))
        return report

    theirs = languages.checked(language) if language else ""
    text = readers.letter(match, seat, made, format, width, language=theirs)
    data = {"ok": True, **common.standing(match), "seat": seat}
    if out:
        return Output({**data, "out": out}, files=[File(out, text.encode(), 0o600)])
    return Output({**data, "letter": text}, [text])


def spoken(language: str | None, match: "Replay") -> str:
    """The language asked for, or the first in which the match is posted. Raises Usage."""
    return languages.checked(language) if language else match.log.languages[0]


def _desk(log: str) -> "Desk | None":
    """The desk file; a player has none."""
    return Desk.read(log) if os.access(desk_path(log), os.R_OK) else None


def _known(match: "Replay", since: int | None) -> int:
    """How many entries are known to somebody told up to a ply or, by default, all but the last
    turn. Raises Usage."""
    from pbem.report import compose

    return compose.known_before_last_turn(match) if since is None else compose.known(match, since)


@common.app.command(epilog="Example: pbem moves kahuna-7.pbem.yaml --as white")
def moves(log: common.LogFile, as_: common.As = None, key: common.KeyFile = None) -> Output:
    """List the legal moves of whoever is next to move."""
    match = seen(log, as_, key)
    found = {
        seat: play.legal_texts(match.game, match.state, seat).texts
        for seat in dict.fromkeys(decision.seat for decision in match.pending)
    }
    told: list[object] = []
    for seat, texts in found.items():
        told += [say(_MOVES, seat=seat, n=len(texts)), *(f"  {text}" for text in texts)]
    return Output({**common.standing(match), "moves": found}, told or ["the match is over"])


_MOVES: Final = "{seat}: {n} [move|moves]"


@common.app.command(
    "log", epilog="Examples: pbem log kahuna-7 · pbem log kahuna-7 --times --format bgg"
)
def log_(
    log: common.LogFile,
    as_: common.As = None,
    key: common.KeyFile = None,
    times: Annotated[
        bool, common.flag("--times", "When each move and ruling was entered, in UTC.")
    ] = False,
    format: common.Format = "text",
    language: common.Language = None,
) -> Output:
    """Tell the whole match in words, rulings included."""
    from pbem.report import chronicle

    match = seen(log, as_, key)
    with languages.speaking(spoken(language, match)):
        lines = [*chronicle.timed(match)] if times else chronicle.lines(match)
    return Output({**common.standing(match), "lines": lines}, chronicle.listed(lines, format))
