"""Who sits on a seat; and changes to the desk file: who may write for a seat, who follows a match,
and how letters come."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.core import Seat
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.file import Desk, desk_path, read_both
from pbem.files import languages, store
from pbem.log import bots
from pbem.log.match import Replay
from pbem.problem import Usage

_LONGEST: Final = 200
_PLAYER: Final = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>\s]+@[^<>\s]+)>")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, and the addresses their mails come from."""

    name: str
    addresses: tuple[Address, ...] = ()

    @staticmethod
    def read(text: str) -> Player:
        """`Ana <ana@example.org>`, `ana@example.org` or just `Ana`; `bot` or, with more thought,
        `bot 1000` is the bot. Raises Problem (code 2)."""
        text = " ".join(text.split())
        if bot := bots.named(text):
            return Player(bot)
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


def account(name: str) -> str:
    """The name of a forum account, as somebody typed it. Raises Usage."""
    if not 0 < len(name) <= _LONGEST or not name.isprintable():
        raise Usage("{text!r} is no name of a forum account", text=name[:60])
    return name


def change(
    path: str,
    seat: Seat,
    addresses: Sequence[str] = (),
    authors: Sequence[str] = (),
    zone: str | None = None,
    *,
    pictures: bool | None = None,
    language: str | None = None,
) -> tuple[Replay, Desk]:
    """Give a seat other addresses, other accounts, another time zone or another language for its
    letters ("": the match's), or mails with or without pictures; what is left out stays as it is.

    The log does not change, and neither do the comments of the desk file. Raises Problem.
    """
    known = tuple(address.read(text) for text in addresses)
    accounts = tuple(map(account, authors))
    if zone:
        from pbem.log import clock

        clock.zone(zone)

    def changed(match: Replay, desk: Desk) -> Desk:
        match.require_seat(seat)
        wanted = {
            "addresses": known or None,
            "authors": accounts or None,
            "zones": zone,
            "pictures": pictures,
            "languages": language and languages.meant(language),
        }
        changes = dict[str, Any]()
        for what, own in wanted.items():
            if own is not None:
                theirs = {**getattr(desk, what), seat: own}
                changes[what] = {each: value for each, value in theirs.items() if value != ""}
        return replace(desk, **changes)

    return rewritten(path, changed)


def observe(path: str, observers: Sequence[str]) -> tuple[Replay, Desk]:
    """Let these addresses, and no others, have the public reports of a match. Raises Problem."""
    known = tuple(map(address.read, observers))
    return rewritten(path, lambda _, desk: replace(desk, observers=known))


def rewritten(path: str, change: Callable[[Replay, Desk], Desk]) -> tuple[Replay, Desk]:
    """Change a desk file, which keeps its comments, and write it if it differs. Raises Problem."""
    with store.lock(path, desk_path(path)):
        match, desk = read_both(path)
        changed = change(match, desk)
        if changed != desk:
            store.replace(desk.path, changed.text().encode(), 0o600)
        return match, changed
