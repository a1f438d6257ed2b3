"""A folder on an IMAP server, through imap-tools (the extra `pbem[imap]`)."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pbem.intake.rawmail import LARGEST
from pbem.mailroom.inbox.sources import Item, Letterbox, too_large
from pbem.mailroom.server import PATIENCE, Server, password
from pbem.problem import BadFile, Busy, Usage

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

DONE: Final = "pbem-done"
_CANNOT_LIST: Final = "cannot list the mails: {told}; try again later"


class ImapFolder(Letterbox):
    """`imaps://USER@HOST[:PORT]/FOLDER`; handled mails are moved to the folder `pbem-done`.

    `imap://` is for a server on this machine; any other must switch to TLS before the password.
    """

    mailbox = True

    def __init__(self, url: str) -> None:
        server = Server.read(url, "IMAP")
        if not server.host or not server.user:
            raise Usage("{url!r} lacks a user or a host; write imaps://USER@HOST/FOLDER", url=url)
        self.server, self.user = server, server.user
        self.folder = server.folder or "INBOX"
        self.place = f"imap:{server.host}/{self.folder}"
        self._box: BaseMailBox | None = None

    def _open(self) -> BaseMailBox:
        if self._box is not None:
            return self._box
        try:
            from imap_tools import MailBox, MailBoxStartTls, MailBoxUnencrypted
        except ImportError as error:
            raise Usage("reading IMAP takes imap-tools: pip install 'pbem[imap]'") from error
        secret = password("IMAP", self.place)
        server = self.server
        kind: Any = MailBoxUnencrypted
        more: dict[str, Any] = {"timeout": PATIENCE}
        if server.port:
            more["port"] = server.port
        if server.scheme == "imaps" or not server.local:
            more["ssl_context"] = ssl.create_default_context()
            kind = MailBox if server.scheme == "imaps" else MailBoxStartTls
        box: BaseMailBox = self._ask(
            "cannot connect: {told}; try again later", lambda: kind(server.host, **more)
        )
        self._box = box
        self._ask(
            "cannot log in: {told}; try again later",
            lambda: box.login(self.user, secret, self.folder),
        )
        return box

    def _ask(self, pattern: str, call: Any, **values: Any) -> Any:
        """The server's answer. Raises Busy, in the words of the pattern, where there is none."""
        from imaplib import IMAP4

        from imap_tools.errors import ImapToolsError

        try:
            return call()
        except (OSError, IMAP4.error, ImapToolsError) as error:
            self._drop()  # the next attempt logs in anew
            raise Busy(pattern, self.place, told=_in_a_line(error), **values) from error

    def _drop(self) -> None:
        if self._box is not None:
            self._box.client.shutdown()
            self._box = None

    def close(self) -> None:
        """Log out."""
        if self._box is not None:
            box = self._box
            self._ask("cannot log out: {told}; try again later", box.logout)
            self._box = None

    def _numbers(self) -> list[str]:
        box = self._open()
        # Selecting the folder anew has the server tell a long session about new mails.
        self._ask(
            "cannot look for mails: {told}; try again later", lambda: box.folder.set(self.folder)
        )
        return list(self._ask(_CANNOT_LIST, lambda: box.uids("UNDELETED")))

    def __len__(self) -> int:
        return len(self._numbers())

    def __iter__(self) -> Iterator[Item]:
        box = self._open()
        if not (numbers := ",".join(self._numbers())):
            return
        answer = self._ask(
            _CANNOT_LIST, lambda: box.client.uid("fetch", numbers, "(UID INTERNALDATE RFC822.SIZE)")
        )
        for arrival, uid, size in sorted(filter(None, map(_listed, answer[1]))):
            if item := self._fetched(box, arrival, str(uid), size):
                yield item

    def _fetched(self, box: BaseMailBox, arrival: float, number: str, size: int) -> Item | None:
        """A mail; None if somebody has moved it meanwhile."""
        from imaplib import IMAP4

        place = f"{self.place}/{number}"
        if size > LARGEST:
            return Item(number, b"", arrival, too_large(place))
        try:
            status, parts = box.client.uid("fetch", number, "(BODY.PEEK[])")
        except (IMAP4.abort, OSError) as error:
            self._drop()
            raise Busy(
                "cannot fetch a mail: {told}; try again later", self.place, told=_in_a_line(error)
            ) from error
        except IMAP4.error as error:
            status, parts = "NO", [str(error).encode()]
        if status != "OK":
            answer = b" ".join(part for part in parts if isinstance(part, bytes))
            told = answer[:200].decode(errors="replace")
            why = BadFile("the server does not hand it out: {told}", place, told=told)
            return Item(number, b"", arrival, why)
        mails = [part[1] for part in parts if isinstance(part, tuple)]
        return Item(number, mails[0], arrival) if mails else None

    def done(self, item: Item) -> None:
        """Move a mail to the folder of handled ones, flagged as seen."""
        box = self._open()

        def move() -> None:
            if not box.folder.exists(DONE):
                box.folder.create(DONE)
            box.flag(item.identity, "\\Seen", True)
            box.move(item.identity, DONE)

        self._ask("cannot move mail {number}: {told}; try again later", move, number=item.identity)


def _listed(line: Any) -> tuple[float, int, int] | None:
    """Arrival, UID and size from a line of a FETCH answer."""
    import re
    import time
    from imaplib import Internaldate2tuple

    if not isinstance(line, bytes):
        return None
    number, size = re.search(rb"UID (\d+)", line), re.search(rb"RFC822\.SIZE (\d+)", line)
    at = Internaldate2tuple(line)
    if not number or not at:
        return None
    return time.mktime(at), int(number[1]), int(size[1]) if size else 0


def _in_a_line(error: Exception) -> str:
    return str(error).replace("\n", " ")[:200]
