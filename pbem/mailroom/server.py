"""A mail server as the command line names it, `SCHEME://USER@HOST[:PORT]/FOLDER`, and its password:
from the environment, a command, or a file nobody else can read."""

from __future__ import annotations

import os
import stat
import sys
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from pbem.problem import Denied, NoFile, Usage

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


def password(kind: str, place: str) -> str:
    """The password for IMAP or SMTP. Raises Problem, Denied if none is given.

    In this order: the variable `PBEM_IMAP_PASSWORD`; the first line that the command in
    `PBEM_IMAP_PASSWORD_COMMAND` prints; the first line of the file (mode 0600) that
    `PBEM_IMAP_PASSWORD_FILE` names. Never from the command line, which others can see.
    """
    name = f"PBEM_{kind}_PASSWORD"
    if given := os.environ.get(name):
        return given
    if command := os.environ.get(f"{name}_COMMAND"):
        return _first_line(_printed(command, f"{name}_COMMAND"), f"{name}_COMMAND")
    if path := os.environ.get(f"{name}_FILE"):
        return _first_line(_private(path), path)
    raise Denied(
        "no password: set PBEM_{kind}_PASSWORD, PBEM_{kind}_PASSWORD_COMMAND or "
        "PBEM_{kind}_PASSWORD_FILE",
        place,
        kind=kind,
    )


def _printed(command: str, name: str) -> str:
    import shlex
    import subprocess

    try:
        words = shlex.split(command)
        done = subprocess.run(words, stdout=subprocess.PIPE, timeout=60, check=True, text=True)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError) as error:
        # The exception names the command, never what it printed.
        raise Denied(
            "the command in {name} failed: {name__}", name=name, name__=type(error).__name__
        ) from error
    return done.stdout


def _private(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if sys.platform != "win32" and stat.S_IMODE(status.st_mode) & 0o077:
                raise Denied("others can read this password: chmod 600", path)
            return file.read(10_000)
    except (OSError, UnicodeDecodeError) as error:
        raise NoFile("the password cannot be read: {error}", path, error=error) from error


def _first_line(text: str, place: str) -> str:
    line = text.partition("\n")[0].rstrip("\r")
    if not line:
        raise Denied("there is no password", place)
    return line
