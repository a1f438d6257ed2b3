"""What a page on a public site holds for one seat alone, and the links that open it.

Such a page is the public one and a part that is sealed. All sealed parts have one size, and are
other ones after each entry of the log: neither their length nor whether they change tells anything.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterable
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pbem.core import Seat, Usage
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.log import seal
from pbem.log.match import Match
from pbem.report import pages, turn
from pbem.report.pictures import board, svg
from pbem.report.pictures.film import Film

_LEAST_ROOM: Final = 5_000
"""With so few characters for an order there is always room for the rest."""


class Link(NamedTuple):
    """The page of a seat, and its address with all that opens it."""

    seat: Seat
    address: str


def file_of(log: str, seat: Seat) -> str:
    """What the page of a seat is called, in a site and in links."""
    return f"{os.path.basename(log).removesuffix(LOG_SUFFIX)}-{seat}.html"


def base(address: str) -> str:
    """Where a site is on the web, as its links begin. Raises Usage for what is no such place."""
    scheme, there, rest = address.partition("://")
    if not there or scheme not in ("https", "http", "file") or any(c in rest for c in "#?\"'<> "):
        raise Usage(
            "--link is where the site is to be found, such as https://club.example/matches/, "
            "not {address!r}",
            address=address,
        )
    return address if address.endswith("/") else f"{address}/"


def fragment(now: Match, seat: Seat) -> str:
    """What opens the page of a seat, `#k=…`, to those who know the match as its moderator does."""
    return f"#k={seal.base64url(_link_key(now, seat))}"


def links(now: Match, base: str, seats: Iterable[Seat]) -> tuple[Link, ...]:
    """The links of these seats into a site; without one, none."""
    if not base:
        return ()
    log = now.log.path
    return tuple(
        Link(seat, f"{base}{quote(file_of(log, seat))}{fragment(now, seat)}") for seat in seats
    )


def _link_key(now: Match, seat: Seat) -> bytes:
    epoch = now.log.epochs[seat]
    key = now.keyring.opens(seat, epoch)
    assert key is not None, "only the moderator's keys make links"
    return seal.link_key(key, now.name, seat, epoch)


# ---------------------------------------------------------------------------- what is sealed


def shut(now: Match, desk: Desk, seat: Seat, to: str) -> dict[str, Any]:
    """The sealed part of a seat's page, for the page's script: what is public of it in plain. `now`
    is the match as its moderator knows it, `to` where orders are sent."""
    epoch, mark, key = now.log.epochs[seat], now.log.public_chain, _link_key(now, seat)
    sealed = seal.seal_page(
        key, _fitted(now, desk, seat, to), match=now.name, seat=seat, epoch=epoch, mark=mark
    )
    return {
        "match": now.name,
        "seat": seat,
        "epoch": epoch,
        "mark": mark,
        "position": str(now.position),
        "known": _known(now),
        "public": f"match-{os.path.basename(now.log.path).removesuffix(LOG_SUFFIX)}.html",
        "sealed": base64.b64encode(sealed).decode(),
    }


def _known(now: Match) -> dict[str, list[Any]]:
    """Names of all keys that open a page of this match, or have done so: whoever holds another
    one than it takes is told which it is. {name: [seat, epoch]}."""
    found: dict[str, list[Any]] = {}
    for seat, last in now.log.epochs.items():
        for epoch in range(last + 1):
            key = now.keyring.opens(seat, epoch)
            assert key is not None
            name = seal.derive(seal.link_key(key, now.name, seat, epoch), "name", 8)
            found[name.hex()] = [seat, epoch]
    return dict(sorted(found.items()))


def _fitted(now: Match, desk: Desk, seat: Seat, to: str) -> bytes:
    """What is told, compressed; of an order as much as there is room for."""
    room = turn.ROOM
    while True:
        text = json.dumps(
            _told(now, desk, seat, to, room), ensure_ascii=False, separators=(",", ":")
        )
        told = zlib.compress(text.encode(), 9)
        if seal.fits_page(told) or room < _LEAST_ROOM:
            return told
        room //= 2


def _told(now: Match, desk: Desk, seat: Seat, to: str, room: int) -> dict[str, Any]:
    """What the seat sees: the board as it knows it, what it is asked, the turn to be clicked."""
    theirs = now.seen_by(seat)
    scene, film = partial(pages.scene, theirs), Film(pages.called(theirs))
    shown = film.add(pages.scene(theirs, theirs.state, last=True))
    then = Match.of(theirs.log, theirs.keyring, at=board.last_but_one(theirs))
    before = film.add(scene(then.state))
    order = turn.order(theirs, seat, film, scene, to, room) if seat in theirs.awaited else None
    if order and _shares_address(desk, seat):
        order = order._replace(fence=order.fence.replace("\n", f"\nseat: {seat}\n", 1))
    return {
        "width": film.width,
        "height": film.height,
        "cels": [cel.drawn for cel in film.cels],
        "says": [cel.says for cel in film.cels],
        "figures": svg.figures(cel.shape for cel in film.cels),
        "shown": film.places(shown),
        "last": film.marks(before, shown),
        "asked": pages.asked(theirs),
        "order": order and order.plain(film),
        "signs": desk.policy == "signed",
    }


def _shares_address(desk: Desk, seat: Seat) -> bool:
    """Does somebody play another seat as well, so that an order must say which it is for?"""
    own = set(desk.addresses.get(seat, ()))
    return any(own & set(theirs) for other, theirs in desk.addresses.items() if other != seat)
