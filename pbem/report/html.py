"""A report as a page of HTML: what mail programs show, with the board as a picture in it and each
first move as a link that opens an answer.

In a mail, the board is ASCII or, if the desk paints, a PNG that comes with the mail.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain, islice, zip_longest
from typing import Final, NamedTuple
from urllib.parse import quote

from pbem.report import render
from pbem.report.facts import NARROW, Report
from pbem.sentence import spoken

Paint = Callable[[str], bytes]
"""Turns the SVG of a board into a PNG; see `painter`."""

PICTURE: Final = 1080
"""How many pixels wide a board is in a mail. It is shown at half that width, to be sharp."""

MOST_LINKS: Final = 8
LONGEST_LINK: Final = 1_000
"""How long a mailto: link may be: mail programs cut off what is longer."""

_CODE: Final = re.compile(r"<pre.*?</pre>|(?<=[A-Z0-9])-(?=[A-Z0-9][^<>]*<)", re.DOTALL)
"""The hyphen of a code that is only shown, BARI-DUDA or K-27, at which no line shall break."""
_BODY: Final = (
    f"margin:0 auto;padding:12px;max-width:{PICTURE // 2}px;"
    "font-family:Verdana,'DejaVu Sans',sans-serif;font-size:15px;line-height:1.45"
)


class Alternative(NamedTuple):
    """A report in HTML, as a mail brings it; `picture` is the PNG that the page shows as `cid`."""

    page: str
    picture: bytes = b""
    cid: str = ""


def alternative(report: Report, to: str, paint: Paint | None = None) -> Alternative:
    """The report for readers that show HTML; moves go to the address `to`. With `paint` the board
    is a picture, and what differs from the report's `earlier` view is marked."""
    if paint is None or report.bare or not report.view:
        return Alternative(page(report, to=to))
    from pbem.pictures import board
    from pbem.pictures.png import legible
    from pbem.play import games

    game = games.game(report.game)
    names = render.names(report.seats)
    says = f"{report.title} - {report.match} - #{report.ply} {report.fingerprint}"
    view = board.ended(report.view, report.result, report.awaited)
    svg = board.paint(
        game,
        view,
        reader=report.letter.seat if report.letter else None,
        title=says,
        names=legible(names),
        before=report.earlier,
    )
    picture = paint(svg)
    cid = f"{sha256(picture).hexdigest()[:24]}@pbem"
    says = f"{says}. {board.summary(game, view, names)}"
    return Alternative(page(report, board=image(cid, says, PICTURE // 2), to=to), picture, cid)


def painter() -> Paint:
    """What paints boards for mails, each once. Raises Usage if resvg-py or Pillow is missing."""
    from functools import lru_cache

    from pbem.pictures import png

    png.painter()
    return lru_cache(maxsize=32)(lambda svg: png.png(svg, PICTURE))


def page(report: Report, *, board: str = "", to: str = "") -> str:
    """The report as a whole page.

    `board` is HTML in place of the ASCII map, which would be the one for phones; `to` is the
    address that moves go to.
    """
    shown = narrow(_varied(report._replace(picture=()) if board else report), NARROW)
    links = list(_links(shown, to))
    body = render.report(shown, "html", board=board, links=links)
    body = _CODE.sub(lambda found: "\u2011" if found[0] == "-" else found[0], body)
    return whole(body, f"{report.title} - {report.match}" if report.match else "pbem")


def narrow(report: Report, width: int) -> Report:
    """The report for this many columns: with the picture for phones, if it has a picture and its
    game has a form of it for them."""
    from pbem.play import games

    if not report.picture:
        return report._replace(width=width)
    game = games.game(report.game)
    draw = getattr(game, "draw_narrow", game.draw)
    return report._replace(width=width, picture=tuple(draw(report.view)))


def whole(body: str, title: str = "pbem") -> str:
    """A page as mails bring it, around what it says."""
    return (
        f'<!DOCTYPE html>\n<html lang="{spoken()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{html.escape(title)}</title>\n</head>\n"
        f'<body style="{_BODY}">\n{body}</body>\n</html>\n'
    )


def image(cid: str, says: str, width: int) -> str:
    """A picture that comes with the mail, as wide as the page, without the margins that text has;
    `says` is read where it is not shown."""
    return (
        f'<p style="margin:0 -12px 12px"><img src="cid:{html.escape(cid)}" width="{width}" '
        f'alt="{html.escape(says)}" style="width:100%;max-width:{width + 24}px;height:auto"></p>'
    )


def _varied(report: Report) -> Report:
    """The report with moves of each kind among the first of its letter, which are its links."""
    from pbem.play import games

    if report.letter is None:
        return report
    game, kinds = games.game(report.game), dict[type, list[str]]()
    for move in report.letter.legal:
        kinds.setdefault(type(game.parse(move).move), []).append(move)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    first = set(islice(filter(None, turns), MOST_LINKS))
    moves = chain.from_iterable(kinds.values())
    legal = sorted(moves, key=lambda move: move not in first)
    return report._replace(letter=report.letter._replace(legal=tuple(legal)))


def _links(report: Report, to: str) -> Iterator[tuple[str, str]]:
    """The first moves of a letter and their links, up to the first link that would be too long."""
    if report.letter is None:
        return
    position = f"#{report.ply} {report.fingerprint}"
    subject = quote(f"[{report.match} {position}]", safe="")
    for move in report.letter.legal[:MOST_LINKS]:
        fence = quote(f"[move] {position}\r\n{move}\r\n[/move]\r\n", safe="")
        link = f"mailto:{quote(to, safe='@')}?subject={subject}&body={fence}"
        if len(link) > LONGEST_LINK:
            return
        yield html.escape(move), html.escape(link)
