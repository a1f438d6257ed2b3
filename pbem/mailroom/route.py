"""Which match a mail is for: by the token it carries, else by who sent it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

from pbem.core import Problem, Seat
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.intake import Submission
from pbem.matches.folder import logs_in, stamp
from pbem.matches.shelf import Shelf

UNKNOWN = (
    "This address is not in the address book of the match your mail is about, so nothing was done "
    "with it. If you play here, write from the address your moderator knows, keep the part of the "
    "subject in square brackets, or ask your moderator to add this address."
)
"""To strangers: the same whether there is such a match or not."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where a mail goes: the log's path and the seats its sender holds there; or why nowhere."""

    path: str = ""
    seats: tuple[Seat, ...] = ()
    refusal: str = ""


class _Page(NamedTuple):
    """A desk file as the address book knows it."""

    stamp: object
    desk: Desk | None


class AddressBook:
    """The addresses of all matches of a folder, read again when their desk files change."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._pages: dict[str, _Page] = {}

    def logs(self) -> list[str]:
        """The logs of the folder. Raises Problem."""
        return logs_in(self.folder)

    def refresh(self) -> None:
        """Look at the folder again. Raises Problem if there is none.

        A desk file that cannot be read is left out here: its match says so when a mail names it.
        """
        pages = {}
        for path in self.logs():
            page = self._pages.get(path)
            now = stamp(desk_path(path))
            if page is None or page.stamp != now or now is None:
                page = _Page(now, _read(path))
            pages[path] = page
        self._pages = pages

    def named(self, name: str) -> str | None:
        """The log of the match of that name."""
        for path in self._pages:
            if os.path.basename(path).removesuffix(LOG_SUFFIX) == name:
                return path
        for path, page in self._pages.items():
            if page.desk is not None and page.desk.match.casefold() == name.casefold():
                return path
        return None

    def seats(self, path: str, sender: str) -> tuple[Seat, ...]:
        """The seats that may be played from this address."""
        desk = self._pages[path].desk
        if desk is None:
            return ()
        known = desk.addresses.items()
        return tuple(seat for seat, theirs in known if sender in (each.lower() for each in theirs))

    def readable(self, path: str) -> bool:
        """Could the desk file of this log be read?"""
        return self._pages[path].desk is not None

    def of(self, sender: str) -> dict[str, tuple[Seat, ...]]:
        """The matches this address plays in, and its seats there."""
        found = {path: self.seats(path, sender) for path in self._pages}
        return {path: seats for path, seats in found.items() if seats}


def _read(path: str) -> Desk | None:
    try:
        return Desk.read(path)
    except Problem:
        return None


def route(
    sender: str, said: Submission | None, named: str | None, book: AddressBook, shelf: Shelf
) -> Route:
    """Where a mail goes. `named` is the match its subject names, where the text is unreadable.

    Raises Problem for a match whose files are broken.
    """
    name = (said.match if said else None) or named
    if name is not None:
        path = book.named(name)
        if path is not None and not book.readable(path):
            Desk.read(path)  # raises what is wrong with it
        seats = book.seats(path, sender) if path else ()
        return Route(path, seats) if path and seats else Route(refusal=UNKNOWN)
    theirs = book.of(sender)
    if len(theirs) > 1:
        running = {path: seats for path, seats in theirs.items() if _is_on(path, shelf)}
        theirs = running or theirs
    if len(theirs) == 1:
        [(path, seats)] = theirs.items()
        return Route(path, seats)
    if not theirs:
        return Route(refusal=UNKNOWN)
    tokens = ", ".join(f"[{_name(path)} #{shelf.position(path)}]" for path in theirs)
    return Route(
        refusal="You play in several matches, and your mail does not say which one it is "
        "for. Nothing was played. Put one of these into the subject and send it again: "
        f"{tokens}"
    )


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(LOG_SUFFIX)


def _is_on(path: str, shelf: Shelf) -> bool:
    """Is the match still being played? One that cannot be read may be."""
    try:
        return shelf.look(path).outcome is None
    except Problem:
        return True
