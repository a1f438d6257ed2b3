"""Passwords of mail servers: from the environment, a command, or a file nobody else can read."""

from __future__ import annotations

import os
import stat
import sys

from pbem.core import Denied, NoFile


def password(server: str) -> str | None:
    """The password for IMAP or SMTP, or None if none is given. Raises Problem.

    In this order: the variable `PBEM_IMAP_PASSWORD`; the first line that the command in
    `PBEM_IMAP_PASSWORD_COMMAND` prints; the first line of the file (mode 0600) that
    `PBEM_IMAP_PASSWORD_FILE` names. Never from the command line, which others can see.
    """
    name = f"PBEM_{server}_PASSWORD"
    if given := os.environ.get(name):
        return given
    if command := os.environ.get(f"{name}_COMMAND"):
        return _first_line(_printed(command, f"{name}_COMMAND"), f"{name}_COMMAND")
    if path := os.environ.get(f"{name}_FILE"):
        return _first_line(_private(path), path)
    return None


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
