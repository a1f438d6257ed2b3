"""Where answers go: a folder of mails, and from there, if it is to be, an SMTP server.

The folder has two parts: `public` for reports, `private` (mode 0700, its files 0600) for what only
one seat may read. A file's name is the answer's, so an answer is never there twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from pbem.core import Busy, CannotMake, Denied, Usage
from pbem.files import store
from pbem.mailroom.answers import Post
from pbem.mailroom.passwords import password

if TYPE_CHECKING:
    import smtplib

PUBLIC, PRIVATE, SENT, FAILED = "public", "private", "sent", "failed"
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_PATIENCE: Final = 60.0


class Outbox:
    """A folder of answers."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        for part, mode in ((PUBLIC, 0o755), (PRIVATE, 0o700)):
            path = os.path.join(folder, part)
            try:
                os.makedirs(path, mode=mode, exist_ok=True)
                if part == PRIVATE and os.stat(path).st_mode & 0o077:
                    os.chmod(path, mode)
            except OSError as error:
                raise CannotMake(
                    "cannot be made: {strerror}", path, strerror=error.strerror
                ) from error

    def put(self, post: Post) -> bool:
        """Write an answer; False if it is there already, or has been sent from here.

        Raises Problem, code 73 or 74.
        """
        part = PRIVATE if post.private else PUBLIC
        name = f"{post.name}.eml"
        path = os.path.join(self.folder, part, name)
        gone = (os.path.join(self.folder, done, part, name) for done in (SENT, FAILED))
        if any(map(os.path.exists, (path, *gone))):
            return False
        # Not fsynced: a power cut may take it, and then the mail it answers is read once more.
        # What must not be is half a mail under its name.
        temporary = os.path.join(self.folder, part, f".{name}.tmp")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(temporary, flags, 0o600 if post.private else 0o644), "wb") as file:
                file.write(post.bytes())
            os.replace(temporary, path)
        except OSError as error:
            raise CannotMake(
                "cannot be written: {strerror}", path, strerror=error.strerror
            ) from error
        return True

    def waiting(self) -> list[str]:
        """The answers that have not been sent, in the order of their names."""
        return [
            os.path.join(part, name)
            for part in (PUBLIC, PRIVATE)
            for name in sorted(os.listdir(os.path.join(self.folder, part)))
            if name.endswith(".eml")
        ]


class Postman:
    """Sends what lies in an outbox to an SMTP server and moves it to the folder `sent`.

    `HOST`, `smtp://USER@HOST:587` (STARTTLS, unless the server is on this machine) or
    `smtps://USER@HOST`. Killed between the two, it sends one mail again under the same Message-ID.
    """

    def __init__(self, server: str) -> None:
        parts = urlsplit(server if "://" in server else f"smtp://{server}")
        try:
            port = parts.port
        except ValueError as error:
            raise Usage("{server!r} has no usable port", server=server) from error
        if parts.password is not None:
            raise Usage(
                "a password does not belong on the command line: put it into "
                "PBEM_SMTP_PASSWORD, or see PBEM_SMTP_PASSWORD_COMMAND and _FILE"
            )
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise Usage(
                "{server!r} is no SMTP server; write HOST, smtp://USER@HOST:587 or "
                "smtps://USER@HOST",
                server=server,
            )
        self.host, self.secure = parts.hostname, parts.scheme == "smtps"
        local = self.host in _HERE
        self.port = port or (465 if self.secure else 25 if local else 587)
        self.user = unquote(parts.username) if parts.username else None

    def deliver(self, outbox: Outbox) -> int:
        """Send what is waiting; gives how many were sent. Raises Problem (code 75): the rest
        stays, and is sent the next time."""
        import smtplib

        waiting = outbox.waiting()
        if not waiting:
            return 0
        sent = 0
        try:
            with self._connect() as server:
                for name in waiting:
                    self._send(server, outbox, name)
                    sent += 1
        except (OSError, smtplib.SMTPException) as error:
            told = str(error).replace("\n", " ")[:200]
            raise Busy(
                "{sent} of {waiting} answers sent, then: {told}; the others stay in the "
                "outbox, try again later",
                self.host,
                sent=sent,
                waiting=len(waiting),
                told=told,
            ) from error
        return sent

    def _connect(self) -> smtplib.SMTP:
        import smtplib
        import ssl

        if self.secure:
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, timeout=_PATIENCE, context=context
            )
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=_PATIENCE)
            if self.host not in _HERE:
                server.starttls(context=ssl.create_default_context())
        if self.user:
            secret = password("SMTP")
            if secret is None:
                raise Denied(
                    "no password: set PBEM_SMTP_PASSWORD, PBEM_SMTP_PASSWORD_COMMAND or "
                    "PBEM_SMTP_PASSWORD_FILE",
                    self.host,
                )
            server.login(self.user, secret)
        return server

    def _send(self, server: smtplib.SMTP, outbox: Outbox, name: str) -> None:
        import smtplib
        from email import policy
        from email.parser import BytesParser

        path = os.path.join(outbox.folder, name)
        with open(path, "rb") as file:
            data = file.read()
        headers = BytesParser(policy=policy.default).parsebytes(data, headersonly=True)
        to = [address.addr_spec for address in headers["To"].addresses]
        own = [address.addr_spec for address in headers["From"].addresses]
        try:
            server.sendmail(own[0], to, data)
        except smtplib.SMTPRecipientsRefused as refused:
            code, told = next(iter(refused.recipients.values()))
            if code < 500:
                raise
            why = f"{code} {told.decode(errors='replace')}\n"
            _move(outbox, name, FAILED)
            store.replace(os.path.join(outbox.folder, FAILED, f"{name}.txt"), why.encode(), 0o600)
            return
        _move(outbox, name, SENT)


def _move(outbox: Outbox, name: str, part: str) -> None:
    to = os.path.join(outbox.folder, part, name)
    os.makedirs(os.path.dirname(to), mode=0o700, exist_ok=True)
    os.replace(os.path.join(outbox.folder, name), to)


def put_all(outbox: Outbox, posts: Iterable[Post]) -> list[str]:
    """Write answers; gives the names of those there were to write."""
    names = []
    for post in posts:
        outbox.put(post)
        names.append(post.name)
    return names
