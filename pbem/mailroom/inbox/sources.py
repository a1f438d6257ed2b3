"""Where mails come from: each source lists its mails by arrival and can put one away.

Nothing is deleted. A Maildir's handled mails are moved to its folder `.pbem-done`; a file, an mbox
and stdin are only read: that their mails were handled stands in the daybook.

A mail that cannot be fetched is an item too, with its trouble: it must not hide the next one.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from pbem.files import modes, store
from pbem.intake.rawmail import LARGEST
from pbem.mailroom.inbox.headers import id_of
from pbem.problem import BadFile, CannotMake, NoFile, Problem

DONE: Final = ".pbem-done"
_DELIVERED: Final = re.compile(r"(\d{9,11})\.(?:[^.]*?M(\d{1,6}))?")
_FLAGS: Final = "!2," if sys.platform == "win32" else ":2,"
"""What precedes the flags in the name of a mail; no name may have a colon on Windows."""
_HEAD: Final = 64 * 1024
"""How many bytes are kept of a mail that is too large."""

FROM_LINE: Final = re.compile(rb"From [^\n]*\d\d:\d\d[^\n]*\n\Z")


@dataclass(frozen=True, slots=True)
class Item:
    """A mail as it arrived: `identity` is what its source calls it, `arrival` in seconds.

    With `trouble` it could not be fetched, and `mail` is what there is of it.
    """

    identity: str
    mail: bytes
    arrival: float
    trouble: Problem | None = None

    @property
    def whole(self) -> bytes:
        """All that is known of it."""
        return (
            self.mail
            if self.trouble is None
            else self.identity.encode(errors="replace") + self.mail
        )

    @property
    def digest(self) -> str:
        return id_of(self.whole)


class Letterbox:
    """A source of mails; this one has none: the desk only keeps the clock and tells what is new.

    A `mailbox` is one that holds all there is to read: at its end, nobody's answer can be missing.
    """

    mailbox: bool = False

    def __len__(self) -> int:
        """How many mails there are, as far as that is known."""
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Item]:
        """The mails, the first to arrive first. Raises Problem."""
        return iter(())

    def done(self, item: Item) -> None:
        """Put away a mail that needs no more work. Raises Problem."""
        return  # a file stays as it is: the daybook knows what has been done

    def close(self) -> None:
        return  # nothing is left open


def too_large(path: str) -> Problem:
    """What is said of a mail that is not fetched."""
    return BadFile("is larger than {largest} MiB, so it is not read", path, largest=LARGEST >> 20)


def _item(identity: str, file: BinaryIO, path: str, arrival: float) -> Item:
    mail = file.read(LARGEST + 1)
    if len(mail) > LARGEST:
        return Item(identity, mail[:_HEAD], arrival, too_large(path))
    return Item(identity, mail, arrival)


class Single(Letterbox):
    """One mail: a file, or what a mail filter hands over on stdin."""

    def __init__(self, path: str, stream: BinaryIO | None = None) -> None:
        self.path, self.stream = path, stream

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Item]:
        if self.stream is not None:
            item = _item(self.path, self.stream, self.path, time.time())
            if item.mail.strip():
                yield item
            return
        with store.readable(self.path), open(self.path, "rb") as file:
            item = _item(self.path, file, self.path, os.fstat(file.fileno()).st_mtime)
        yield item


class Maildir(Letterbox):
    """A Maildir: what is in `new` and `cur`. Handled mails go to its folder `.pbem-done`."""

    mailbox = True

    def __init__(self, path: str) -> None:
        self.path = path

    def _names(self) -> list[tuple[float, str]]:
        found = []
        for part in ("new", "cur"):
            place = os.path.join(self.path, part)
            with store.readable(place), os.scandir(place) as entries:
                found += [
                    (_arrival(entry), f"{part}/{entry.name}")
                    for entry in entries
                    if not entry.name.startswith(".")
                ]
        return sorted(found)

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[Item]:
        for arrival, name in self._names():
            path = os.path.join(self.path, name)
            try:
                with store.readable(path), _opened(path) as file:
                    item = _item(name, file, path, arrival)
            except NoFile as problem:
                if not os.path.lexists(path):
                    continue  # somebody else has put it away meanwhile, or a reader has flagged it
                item = Item(name, b"", arrival, problem)
            yield item

    def done(self, item: Item) -> None:
        """Move a mail, flagged as seen, to the folder of handled ones."""
        folder = os.path.join(self.path, DONE)
        name = item.identity.partition("/")[2]
        base, _, flags = name.partition(_FLAGS)
        to = os.path.join(folder, "cur", f"{base}{_FLAGS}{''.join(sorted({*flags, 'S'}))}")
        with store.may_fail(
            CannotMake, "cannot be moved to {folder}: {strerror}", item.identity, folder=folder
        ):
            if not os.path.isdir(os.path.join(folder, "cur")):
                for part in ("tmp", "new", "cur"):
                    modes.make_folders(os.path.join(folder, part), modes.PRIVATE)
                mark = os.path.join(folder, "maildirfolder")
                os.close(store.opened(mark, os.O_WRONLY | os.O_CREAT))
            with suppress(FileNotFoundError):  # another process was faster: the mail is away
                os.rename(os.path.join(self.path, item.identity), to)


def _opened(path: str) -> BinaryIO:
    """A file, open for reading. Raises OSError, and does not wait, if it is a pipe, say."""
    handle = store.opened(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no file")
    return open(handle, "rb")


def _arrival(entry: os.DirEntry[str]) -> float:
    """When a mail was delivered: its name says so, else the file's time."""
    named = _DELIVERED.match(entry.name)
    if named:
        return int(named[1]) + int(named[2] or 0) / 1e6
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0


class Mbox(Letterbox):
    """An mbox file, in its own order. It is only read, so that no delivery can be lost."""

    mailbox = True

    def __init__(self, path: str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Item]:
        with store.readable(self.path), open(self.path, "rb") as file:
            arrival = os.fstat(file.fileno()).st_mtime
            for number, (mail, whole) in enumerate(_split(file), 1):
                place = f"{self.path}:{number}"
                if whole:
                    yield Item(place, mail, arrival)
                else:
                    yield Item(place, mail[:_HEAD], arrival, too_large(place))


def _split(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The mails of an mbox, and whether each is whole; quoted From lines are restored (mboxrd)."""
    lines: list[bytes] = []
    size, empty, begun = 0, True, False
    while line := file.readline(LARGEST):
        if empty and FROM_LINE.match(line):
            if begun:
                yield b"".join(lines), size <= LARGEST
            lines, size, empty, begun = [], 0, False, True
            continue
        empty = line in (b"\n", b"\r\n")
        if size + len(line) <= LARGEST:
            lines.append(line[1:] if re.match(rb">+From ", line) else line)
        size += len(line)
    if begun:
        yield b"".join(lines), size <= LARGEST
