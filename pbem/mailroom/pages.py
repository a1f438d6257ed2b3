"""The HTML of a mail: the report as a page, with the board as a picture inside it."""

from __future__ import annotations

import math
import re
from email.message import EmailMessage
from functools import lru_cache
from importlib.util import find_spec
from typing import Final

from pbem.log.match import Match
from pbem.report import html
from pbem.report.pictures import board
from pbem.report.pictures.png import png
from pbem.report.render import Report

_PIXELS: Final = 330_000
"""So large is a picture, about: with it a mail stays below 150 kB."""
_CID: Final = "board"


def add_page(message: EmailMessage, report: Report, now: Match | None, *, to: str) -> None:
    """Give a mail with a text its HTML. `now` is the match as its reader knows it, whose board is
    painted; without it, or without resvg-py, the map stays in ASCII. Moves go `to` an address."""
    if now is None or find_spec("resvg_py") is None:
        page = html.page(report, to=to)
        message.add_alternative(page, subtype="html", cte="quoted-printable")
        return
    svg = board.picture(now)
    width = _width(svg)
    says = f"{report.title} - {report.match} - {now.position}"
    page = html.page(report, board=html.image(_CID, says, width), to=to)
    message.add_alternative(page, subtype="html", cte="quoted-printable")
    *_, shown = message.iter_parts()
    assert isinstance(shown, EmailMessage)
    shown.add_related(
        _painted(svg, width),
        "image",
        "png",
        cid=f"<{_CID}>",
        disposition="inline",
        filename=f"{now.name}-{now.position.ply:04}.png",
    )
    shown.set_boundary(f"=_{now.name}-{now.position.ply}-{now.position.fingerprint}"[:70])


@lru_cache(maxsize=16)
def _painted(svg: str, width: int) -> bytes:
    """A report goes to everybody, so its picture is painted once."""
    return png(svg, width)


def _width(svg: str) -> int:
    """How wide a picture may be, for the shape it has."""
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert box
    wide, high = map(int, box.groups())
    return min(wide, math.isqrt(_PIXELS * wide // high))
