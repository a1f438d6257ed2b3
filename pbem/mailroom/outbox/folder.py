"""Where letters go: a folder of mails, each with a slip that says to whom.

The folder has two parts: `public` for reports, `private` (mode 0700, its files 0600) for what only
one seat may read. A file's name is the letter's, so no letter is there twice. Its slip,
`NAME.json`, is written first and tells a mail server where to send it: no header is read again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Final

from pbem.desk import address
from pbem.desk.address import Address
from pbem.files import modes, store
from pbem.mailroom.outbox.message import OutgoingMail
from pbem.matches.index import FOLDER
from pbem.problem import BadFile, CannotMake, NoFile, Problem, Usage

OWN: Final = "outbox"
"""The mailroom's own outbox, beside its daybook: what a server is to send."""

PUBLIC, PRIVATE, SENT, FAILED = "public", "private", "sent", "failed"
MAIL, SLIP, REASON = ".eml", ".json", ".txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """To whom a mail goes, what it is about, which notice it tells, and how far its delivery has
    come.

    `first` is when it was first put off, `next` when it may be tried again, `told` what the server
    said, `tries` how often it has put the mail off, and `broken` how often the connection broke.
    """

    to: Address
    match: str = ""
    notice: str = ""
    tries: int = 0
    broken: int = 0
    first: str = ""
    next: str = ""
    told: str = ""


PARTS: Final = tuple(
    os.path.join(place, part) for place in ("", SENT, FAILED) for part in (PUBLIC, PRIVATE)
)
"""The parts of an outbox: what is to be sent, what was sent, what has failed."""
_UNSENT: Final = PARTS[:2]


def holds(folder: str, name: str) -> bool:
    """Is there a mail of this name in an outbox, which need not exist?"""
    return any(os.path.exists(os.path.join(folder, part, f"{name}{MAIL}")) for part in PARTS)


def _names(folder: str, parts: Sequence[str], ending: str) -> Iterator[str]:
    """The files of these parts with this ending, which is cut off, sorted by name; parts that do
    not exist have none."""
    for part in parts:
        place = os.path.join(folder, part)
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            if name.endswith(ending):
                yield os.path.join(part, name.removesuffix(ending))


class Outbox:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        store.make_folder(os.path.join(folder, PUBLIC))
        private = os.path.join(folder, PRIVATE)
        store.make_folder(private, modes.PRIVATE)
        with store.may_fail(CannotMake, "cannot be made: {strerror}", private):
            if os.stat(private).st_mode & 0o077:
                os.chmod(private, modes.PRIVATE)

    def put(self, mail: OutgoingMail, data: bytes) -> None:
        """Write a letter, unless it is there already or has been sent from here. Raises Problem,
        code 73."""
        name = os.path.join(PRIVATE if mail.private else PUBLIC, mail.name)
        if self.holds(mail.name):
            return
        self.keep(name, Slip(to=mail.to, match=mail.match, notice=mail.notice))
        self._write(name, MAIL, data, 0o600 if mail.private else 0o644)

    def holds(self, name: str) -> bool:
        return holds(self.folder, name)

    def waiting(self) -> list[str]:
        """The mails that have not been sent, in the order of their names."""
        return list(_names(self.folder, _UNSENT, MAIL))

    def read(self, name: str) -> bytes:
        """A mail that waits. Raises Problem."""
        return store.read(self.path(name, MAIL))

    def slip(self, name: str) -> Slip:
        """The slip of a mail. Raises Problem where there is none."""
        return _slip(self.path(name, SLIP))

    def keep(self, name: str, slip: Slip) -> None:
        self._write(name, SLIP, json.dumps(asdict(slip)).encode(), 0o600)

    def move(self, name: str, part: str, why: str = "") -> None:
        """Put a mail away to `sent`, or to `failed` with a reason. Raises Problem."""
        to, place = os.path.join(part, name), self.path(name, MAIL)
        with store.may_fail(CannotMake, "cannot be moved to {part}: {strerror}", place, part=part):
            modes.make_folders(os.path.dirname(self.path(to, MAIL)), modes.PRIVATE)
            if why:
                self._write(to, REASON, f"{why}\n".encode(errors="replace"), 0o600)
            for ending in (MAIL, SLIP):
                if os.path.exists(self.path(name, ending)):  # it may have failed for want of one
                    os.replace(self.path(name, ending), self.path(to, ending))

    def tidy(self) -> None:
        """Move the slips of mails that were put away just before a crash."""
        for name in list(_names(self.folder, _UNSENT, SLIP)):
            for done in (SENT, FAILED):
                if os.path.exists(self.path(os.path.join(done, name), MAIL)):
                    self.move(name, done)

    def path(self, name: str, ending: str) -> str:
        return os.path.join(self.folder, name + ending)

    def _write(self, name: str, ending: str, data: bytes, mode: int) -> None:
        # Not fsynced: a power cut may take it, and then the mail it answers is read once more.
        # But there must never be half a file under this name.
        path = self.path(name, ending)
        folder, file_name = os.path.split(path)
        temporary = os.path.join(folder, f".{file_name}.tmp")
        with store.may_fail(CannotMake, "cannot be written: {strerror}", path):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            try:
                with open(store.opened(temporary, flags, mode), "wb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except OSError:
                with suppress(OSError):  # a full disk leaves half a file
                    os.unlink(temporary)
                raise


def undelivered(matches: str) -> Counter[str]:
    """How many letters could not be sent yet, or ever, by match; those about none under "".

    Only the mailroom's own outbox is looked at: from another one it sends nothing.
    """
    found: Counter[str] = Counter()
    own = os.path.join(matches, FOLDER, OWN)
    for name in _names(own, [part for part in PARTS if not part.startswith(SENT)], MAIL):
        try:
            slip = _slip(os.path.join(own, name + SLIP))
        except Problem:
            found[""] += 1  # it has failed, or will as soon as its turn comes
        else:
            found[slip.match] += bool(name.startswith(FAILED) or slip.tries or slip.broken)
    return +found


def _slip(path: str) -> Slip:
    try:
        with open(path, "rb") as file:
            values = json.loads(file.read())
        return Slip(**{**values, "to": address.read(values["to"])})
    except OSError as error:
        raise NoFile(
            "cannot be read, so nobody knows to whom the mail beside it goes: {strerror}",
            path,
            strerror=error.strerror,
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError, Usage) as error:
        raise BadFile("does not say to whom the mail beside it goes", path) from error
