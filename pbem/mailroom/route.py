"""Which match a mail is for: by the token it carries, else by who sent it."""

from __future__ import annotations

import math
import os
import time
from contextlib import suppress
from typing import Final

from pbem.core import NoFile, Problem, Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.files import yamlio
from pbem.matches import desks
from pbem.matches.folder import logs_in
from pbem.matches.index import Index
from pbem.matches.shelf import Shelf

FRESH: Final = 1.0
"""For how many seconds a look at the folder is good for mails that name no match."""


class AddressBook:
    """The addresses of all matches of a folder.

    The index says which desk files may hold an address; each is read before anything rests on it.
    """

    def __init__(self, folder: str, index: Index) -> None:
        self.folder, self.index = folder, index
        self._looked = -math.inf
        self._files: dict[str, str] = {}
        self._matches: dict[str, str] = {}
        self._addresses: dict[str, list[str]] = {}
        self._problems: list[Problem] = []
        self._read: dict[str, tuple[str, Desk]] = {}

    def refresh(self) -> None:
        """Look at the folder again, unless that has just been done. Raises Problem if there is
        none."""
        if time.monotonic() - self._looked > FRESH:
            self._look()

    def _look(self) -> None:
        logs = logs_in(self.folder)
        self._files = {os.path.basename(path).removesuffix(LOG_SUFFIX): path for path in logs}
        self._matches, self._addresses, self._problems = {}, {}, []
        for path, known in desks.of(logs, self.index).items():
            if isinstance(known, Problem):
                self._problems.append(known)
                continue
            self._matches.setdefault(known.match.casefold(), path)
            for address in {each for theirs in known.addresses.values() for each in theirs}:
                self._addresses.setdefault(address, []).append(path)
        self._looked = time.monotonic()

    def named(self, name: str) -> str | None:
        """The log of the match of that name."""
        path = self._named(name)
        if path is None or not os.path.exists(path):
            self._look()
            path = self._named(name)
        return path

    def _named(self, name: str) -> str | None:
        return self._files.get(name) or self._matches.get(name.casefold())

    def seats(self, path: str, sender: Address) -> tuple[Seat, ...]:
        """The seats that may be played from this address. Raises Problem if the desk file cannot
        be read."""
        desk = self._desk(path)
        return tuple(seat for seat, theirs in desk.addresses.items() if sender in theirs)

    def _desk(self, path: str) -> Desk:
        """A desk file as it stands now, parsed again where its text has changed."""
        try:
            text = yamlio.read_text(desk_path(path))
        except Problem:
            return Desk.read(path)  # which says what cannot be done without it
        kept = self._read.get(path)
        if kept is None or kept[0] != text:
            kept = self._read[path] = (text, Desk.parse(text, desk_path(path)))
        return kept[1]

    def of(self, sender: Address) -> dict[str, tuple[Seat, ...]]:
        """The matches this address plays in, as far as their desk files can be read, and its
        seats there."""
        found = self._of(sender)
        if not found:
            self._look()  # before anybody is taken for a stranger
            found = self._of(sender)
        return found

    def _of(self, sender: Address) -> dict[str, tuple[Seat, ...]]:
        found = {}
        for path in self._addresses.get(sender, ()):
            with suppress(Problem):
                found[path] = self.seats(path, sender)
        return {path: seats for path, seats in found.items() if seats}

    def require_all(self) -> None:
        """Raises Problem unless every desk file can be read: a player whose address stands in
        one of the others must not be taken for a stranger."""
        for problem in self._problems:
            raise NoFile(
                "{problem}; mails of unknown senders, and those that name no match, wait "
                "until it can be read",
                problem.path,
                problem=problem.sentence,
            )


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
