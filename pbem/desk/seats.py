"""Who sits on a seat, may write for it or follows a match, and what mails bring: changed in the
desk file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.core import Seat, Usage
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.file import Desk, desk_path, read_both
from pbem.files import languages, store, yamlio
from pbem.log.match import Match

_LONGEST: Final = 200
_PLAYER: Final = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>\s]+@[^<>\s]+)>")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, and the addresses their mails come from."""

    name: str
    addresses: tuple[Address, ...] = ()

    @staticmethod
    def read(text: str) -> Player:
        """`Ana <ana@example.org>`, `ana@example.org` or just `Ana`. Raises Problem (code 2)."""
        text = " ".join(text.split())
        fits = 0 < len(text) <= _LONGEST and text.isprintable()
        if fits and (found := _PLAYER.fullmatch(text)):
            return Player(
                found["name"].strip('" ') or found["address"].partition("@")[0],
                (address.read(found["address"]),),
            )
        if not fits or "<" in text or ">" in text:
            raise Usage("{text!r} is no player; write NAME or 'NAME <ADDRESS>'", text=text[:60])
        if "@" in text and " " not in text:
            return Player(text.partition("@")[0], (address.read(text),))
        return Player(text)


def change(
    path: str,
    seat: Seat,
    addresses: Sequence[str] = (),
    authors: Sequence[str] = (),
    zone: str | None = None,
    *,
    pictures: bool | None = None,
    language: str | None = None,
) -> tuple[Match, Desk]:
    """Give a seat other addresses, other accounts, another time zone or another language for its
    letters ("": the match's), or mails with or without pictures; what is left out stays as it is.

    The log does not change, and neither do the comments of the desk file. Raises Problem.
    """
    known = tuple(address.read(text) for text in addresses)
    for author in authors:
        if not 0 < len(author) <= 200 or not author.isprintable():
            raise Usage("{text!r} is no name of a forum account", text=author[:60])
    if zone:
        from pbem.log import clock

        clock.zone(zone)

    def changed(now: Match, desk: Desk) -> Desk:
        now.require_seat(seat)
        if known:
            desk = replace(desk, addresses={**desk.addresses, seat: known})
        if authors:
            desk = replace(desk, authors={**desk.authors, seat: tuple(authors)})
        if zone is not None:
            others = {each: name for each, name in desk.zones.items() if each != seat}
            desk = replace(desk, zones={**others, **({seat: zone} if zone else {})})
        if pictures is not None:
            desk = replace(desk, pictures={**desk.pictures, seat: pictures})
        if language is not None:
            others = {each: theirs for each, theirs in desk.languages.items() if each != seat}
            own = {seat: languages.meant(language)} if language else {}
            desk = replace(desk, languages={**others, **own})
        return desk

    return rewritten(path, changed)


def observe(path: str, observers: Sequence[str]) -> tuple[Match, Desk]:
    """Let these addresses, and no others, have the public reports of a match. Raises Problem."""
    known = tuple(map(address.read, observers))
    return rewritten(path, lambda _, desk: replace(desk, observers=known))


def rewritten(
    path: str, change: Callable[[Match, Desk], Desk], wait: float = 10.0
) -> tuple[Match, Desk]:
    """Change a desk file where need be; its comments stay. Raises Problem."""
    with store.lock(path, wait, desk_path(path)):
        now, desk = read_both(path)
        changed = change(now, desk)
        if changed != desk:
            text = changed.text(over=yamlio.read_text(desk.path))
            store.replace(desk.path, text.encode(), 0o600)
        return now, changed
