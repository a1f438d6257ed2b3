"""A folder on an IMAP server, through imap-tools (the extra `pbem[imap]`)."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from pbem.core import Busy, Denied, Usage
from pbem.mailroom.passwords import password
from pbem.mailroom.sources import Item

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

DONE: Final = "pbem-done"
HERE: Final = ("localhost", "127.0.0.1", "::1")
_PATIENCE: Final = 60.0


class ImapFolder:
    """`imaps://USER@HOST[:PORT]/FOLDER`; handled mails are moved to the folder `pbem-done`.

    `imap://` is for a server on this machine; elsewhere it goes on to TLS before the password.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise Usage("{url!r} has no usable port", url=url) from error
        if parts.password is not None:
            raise Usage(
                "a password does not belong on the command line: put it into "
                "PBEM_IMAP_PASSWORD, or see PBEM_IMAP_PASSWORD_COMMAND and _FILE"
            )
        if not parts.hostname or not parts.username:
            raise Usage("{url!r} lacks a user or a host; write imaps://USER@HOST/FOLDER", url=url)
        self.host, self.port, self.secure = parts.hostname, port, parts.scheme == "imaps"
        self.user = unquote(parts.username)
        self.folder = unquote(parts.path.lstrip("/")) or "INBOX"
        self.place = f"imap:{self.host}/{self.folder}"
        self._box: BaseMailBox | None = None

    def _open(self) -> BaseMailBox:
        if self._box is not None:
            return self._box
        try:
            from imap_tools import MailBox, MailBoxStartTls, MailBoxUnencrypted
        except ImportError as error:
            raise Usage("reading IMAP takes imap-tools: pip install 'pbem[imap]'") from error
        secret = password("IMAP")
        if secret is None:
            raise Denied(
                "no password: set PBEM_IMAP_PASSWORD, PBEM_IMAP_PASSWORD_COMMAND or "
                "PBEM_IMAP_PASSWORD_FILE",
                self.place,
            )
        kind: Any = MailBoxStartTls
        more: dict[str, Any] = {"timeout": _PATIENCE}
        if self.port:
            more["port"] = self.port
        if self.secure or self.host not in HERE:
            more["ssl_context"] = ssl.create_default_context()
            kind = MailBox if self.secure else MailBoxStartTls
        else:
            kind = MailBoxUnencrypted
        box: BaseMailBox = self._ask("connect", lambda: kind(self.host, **more))
        self._box = box
        self._ask("log in", lambda: box.login(self.user, secret, self.folder))
        return box

    def _ask(self, what: str, call: Any) -> Any:
        from imaplib import IMAP4

        from imap_tools.errors import ImapToolsError

        try:
            return call()
        except (OSError, IMAP4.error, ImapToolsError) as error:
            self._drop()  # the next attempt logs in anew
            told = str(error).replace("\n", " ")[:200]
            raise Busy(
                "cannot {what}: {told}; try again later", self.place, what=what, told=told
            ) from error

    def _drop(self) -> None:
        if self._box is not None:
            self._box.client.shutdown()
            self._box = None

    def close(self) -> None:
        """Log out."""
        if self._box is not None:
            box = self._box
            self._ask("log out", box.logout)
            self._box = None

    def _numbers(self) -> list[str]:
        box = self._open()
        # An unsolicited update is what tells a long session of new mails.
        self._ask("look for mails", lambda: box.folder.set(self.folder))
        return list(self._ask("list the mails", lambda: box.uids("UNDELETED")))

    def __len__(self) -> int:
        return len(self._numbers())

    def __iter__(self) -> Iterator[Item]:
        box = self._open()
        arrivals: list[tuple[float, int]] = []
        numbers = self._numbers()
        if numbers:
            parts = ",".join(numbers)
            answer = self._ask(
                "list the mails", lambda: box.client.uid("fetch", parts, "(UID INTERNALDATE)")
            )
            arrivals = sorted(filter(None, map(_arrived, answer[1])))
        for arrival, number in arrivals:
            fetched = self._ask(
                "fetch a mail",
                lambda number=number: box.client.uid("fetch", str(number), "(BODY.PEEK[])"),
            )
            mails = [part[1] for part in fetched[1] if isinstance(part, tuple)]
            if mails:  # else somebody has moved it meanwhile
                yield Item(str(number), mails[0], arrival)

    def done(self, item: Item) -> None:
        """Move a mail to the folder of handled ones, flagged as seen."""
        box = self._open()

        def move() -> None:
            if not box.folder.exists(DONE):
                box.folder.create(DONE)
            box.flag(item.identity, "\\Seen", True)
            box.move(item.identity, DONE)

        self._ask(f"move mail {item.identity}", move)


def _arrived(line: Any) -> tuple[float, int] | None:
    """Arrival and UID from a line of a FETCH answer."""
    import re
    import time
    from imaplib import Internaldate2tuple

    if not isinstance(line, bytes):
        return None
    number = re.search(rb"UID (\d+)", line)
    at = Internaldate2tuple(line)
    return (time.mktime(at), int(number[1])) if number and at else None
