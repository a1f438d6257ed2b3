"""A mail server as the command line names it: `SCHEME://USER@HOST[:PORT]/FOLDER`."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from pbem.core import Denied, Usage
from pbem.mailroom.passwords import password

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
PATIENCE: Final = 60.0
"""How many seconds a server may take to answer."""


class Server(NamedTuple):
    """Where a server is, who logs in there, and which folder is meant."""

    scheme: str
    host: str
    port: int | None
    user: str | None
    folder: str

    @staticmethod
    def read(url: str, kind: str) -> Server:
        """The server a URL names; `kind`, IMAP or SMTP, says whose password it takes. Raises
        Usage."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise Usage("{url!r} has no usable host and port", url=url) from error
        if parts.password is not None:
            raise Usage(
                "a password does not belong on the command line: put it into "
                "PBEM_{kind}_PASSWORD, or see PBEM_{kind}_PASSWORD_COMMAND and _FILE",
                kind=kind,
            )
        user = unquote(parts.username) if parts.username else None
        return Server(
            parts.scheme, parts.hostname or "", port, user, unquote(parts.path.lstrip("/"))
        )

    @property
    def local(self) -> bool:
        """Is it on this machine, so that nothing need be encrypted?"""
        return self.host in LOOPBACK


def required_password(kind: str, place: str) -> str:
    """The password for IMAP or SMTP. Raises Denied if none is given."""
    secret = password(kind)
    if secret is None:
        raise Denied(
            "no password: set PBEM_{kind}_PASSWORD, PBEM_{kind}_PASSWORD_COMMAND or "
            "PBEM_{kind}_PASSWORD_FILE",
            place,
            kind=kind,
        )
    return secret
