"""Which match a mail is for: by the token it carries, else by who sent it."""

from __future__ import annotations

import os
from typing import NamedTuple

from pbem.core import NoFile, Problem, Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.matches.folder import logs_in, stamp
from pbem.matches.shelf import Shelf


class _Page(NamedTuple):
    """A desk file as the address book knows it: what it holds, or why it cannot be read."""

    stamp: object
    desk: Desk | None
    problem: Problem | None


class AddressBook:
    """The addresses of all matches of a folder, read again when their desk files change."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._pages: dict[str, _Page] = {}

    def refresh(self) -> None:
        """Look at the folder again. Raises Problem if there is none."""
        pages = {}
        for path in logs_in(self.folder):
            page = self._pages.get(path)
            now = stamp(desk_path(path))
            # One that could not be read is tried again: its permissions are not in its stamp.
            if page is None or page.desk is None or page.stamp != now:
                page = _read(path, now)
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

    def seats(self, path: str, sender: Address) -> tuple[Seat, ...]:
        """The seats that may be played from this address. Raises Problem if the desk file cannot
        be read."""
        page = self._pages[path]
        if page.desk is None:
            problem = page.problem
            assert problem is not None
            raise problem.at(problem.path, problem.line, problem.column)
        return tuple(seat for seat, theirs in page.desk.addresses.items() if sender in theirs)

    def of(self, sender: Address) -> dict[str, tuple[Seat, ...]]:
        """The matches this address plays in, as far as their desk files can be read, and its
        seats there."""
        readable = (path for path, page in self._pages.items() if page.desk is not None)
        found = {path: self.seats(path, sender) for path in readable}
        return {path: seats for path, seats in found.items() if seats}

    def require_all(self) -> None:
        """Raises Problem unless every desk file can be read: a player whose address stands in
        one of the others must not be taken for a stranger."""
        for page in self._pages.values():
            if page.problem is not None:
                raise NoFile(
                    "{problem}; mails of unknown senders, and those that name no match, wait "
                    "until it can be read",
                    page.problem.path,
                    problem=page.problem.sentence,
                )


def _read(path: str, now: object) -> _Page:
    try:
        return _Page(now, Desk.read(path), None)
    except Problem as problem:
        return _Page(now, None, problem)


def route(sender: Address, name: str | None, book: AddressBook, shelf: Shelf) -> tuple[str, ...]:
    """The logs a mail may be meant for: none if its sender is a stranger, several if the mail
    does not say which. `name` is the match it names.

    Raises Problem where that depends on a file that cannot be read.
    """
    path = book.named(name) if name is not None else None
    if path is not None and book.seats(path, sender):
        return (path,)
    if path is None:
        book.require_all()
    if name is not None:
        return ()
    theirs = tuple(book.of(sender))
    if len(theirs) > 1:
        return tuple(path for path in theirs if _is_on(path, shelf)) or theirs
    return theirs


def _is_on(path: str, shelf: Shelf) -> bool:
    """Is the match still being played? One that cannot be read may be."""
    try:
        return shelf.look(path).outcome is None
    except Problem:
        return True
