"""Mails that a person must look at, and why: a folder of mails with a reason beside each.

`aside` holds copies of mails that are for a person; `tray` lists them and puts them away.
`waiting` holds the reasons why mails still lie in their mailbox; these vanish by themselves.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Final

from pbem.core import CannotMake
from pbem.files import store
from pbem.matches.folder import FOLDER

ASIDE: Final = "aside"
WAITING: Final = "waiting"


class Shelved:
    """The two folders inside a mailroom's own."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def put(self, mail_id: str, match: str, mail: bytes, why: str) -> None:
        """Keep a copy of a mail, and the reason. Raises Problem."""
        self._write(ASIDE, f"{match}.{mail_id}.eml", mail)
        self._write(ASIDE, f"{match}.{mail_id}.txt", f"{why}\n".encode(errors="replace"))

    def waits(self, mail_id: str, match: str, why: str) -> None:
        """Say why a mail stays in its mailbox. Raises Problem."""
        self.no_longer_waits(mail_id)
        self._write(WAITING, f"{match}.{mail_id}.txt", f"{why}\n".encode(errors="replace"))

    def no_longer_waits(self, mail_id: str) -> None:
        """Forget why a mail had to wait."""
        for name in _names(os.path.join(self.folder, WAITING)):
            if name.endswith(f".{mail_id}.txt"):
                os.unlink(os.path.join(self.folder, WAITING, name))

    def _write(self, part: str, name: str, data: bytes) -> None:
        folder = os.path.join(self.folder, part)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise CannotMake(
                "cannot be made: {strerror}", folder, strerror=error.strerror
            ) from error
        store.replace(os.path.join(folder, name), data, 0o600)


def unanswered(matches: str) -> Counter[str]:
    """How many mails lie aside or wait, by match; those without one under ""."""
    folder = os.path.join(matches, FOLDER)
    names = (*_names(os.path.join(folder, ASIDE)), *_names(os.path.join(folder, WAITING)))
    return Counter(name.rsplit(".", 2)[0] for name in names if name.endswith(".txt"))


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
