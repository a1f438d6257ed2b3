"""Where a command's output goes. Places are tried before a log is written; a failure afterwards has
an exit code of its own, for the log stands."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO

from pbem.problem import CannotWrite, NotTold, Problem, Usage
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.matches.index import Index


def make_ready(post: str | None = None, letters: str | None = None) -> None:
    """Make sure that there is somewhere to print, a place for a post and a folder for letters.

    Call it before a log is written: until then everything can still be as it was. Raises
    CannotMake, CannotWrite.
    """
    from pbem.files import modes, store

    if letters is not None:
        store.make_folder(letters, modes.PRIVATE)
        store.require_place(os.path.join(letters, "letter"))
    if post is not None:
        _require_no_match(post)
        store.require_place(post)
    if sys.stdout is None:
        raise CannotWrite("standard output is closed; nothing was done")


def put(path: str, data: bytes, mode: int | None = None) -> None:
    """Write what somebody asked for to a file of theirs. Raises Problem, also rather than overwrite
    a file of a match."""
    from pbem.files import store

    _require_no_match(path)
    store.replace(path, data, mode)


def _require_no_match(path: str) -> None:
    """Raise Usage if this is a log or a desk file."""
    if not os.path.isfile(path):  # reading a pipe would wait
        return
    try:
        with open(path, "rb") as file:
            head = file.read(200)
    except OSError:
        return  # writing will find that out
    if re.search(rb"^format: *[\"']?pbem-", head, re.MULTILINE):
        raise Usage("is a file of a match: write to another place", path)


class Private(NamedTuple):
    """Where to put what only one seat may read: into a file, or among the letters; else on the
    terminal."""

    reply: str | None = None
    letters: str | None = None

    @property
    def place(self) -> bool:
        """Is there a file for it, so that nothing private is shown?"""
        return bool(self.reply or self.letters)

    def put(self, name: str, text: str) -> str:
        """Write it to its file or, by this name, to the letters, where no other letter is written
        over; gives the path. Raises Problem."""
        from pbem.files import store

        if self.reply is None:
            return store.add(os.path.join(self.letters or "", name), text.encode(), 0o600)
        put(self.reply, text.encode(), 0o600)
        return self.reply


@contextmanager
def after_commit(log: str) -> Iterator[None]:
    """Raises NotTold for whatever fails inside: the log has been written already."""
    try:
        yield
        flush()
    except Exception as error:
        if isinstance(error, OSError):
            abandon(sys.stdout)
        told = error if isinstance(error, Problem | OSError) else mistake(error)
        raise NotTold(
            "this is done and stands in the log, but what belongs with it could not all be "
            "written ({error}). Do not send it again: `pbem show {log:typed}` prints the post, "
            "`pbem show {log:typed} --as SEAT` a letter; all keys are kept in the desk file",
            error=told,
            log=log,
        ) from error


def mistake(error: Exception) -> Problem:
    """A mistake in the program itself: which, and where. What it was working on is not told, for
    that may be a hand."""
    from pbem.mailroom.inbox.incoming import mistake

    return mistake(error)


def flush() -> None:
    """Write out what has been printed. Raises OSError."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon(stream: TextIO) -> None:
    """From now on print to nowhere: what is left in the buffer would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(text: object) -> None:
    """Print a line on standard error, if anybody reads it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def for_alone(seat: str | None) -> None:
    """Print the line above what only one seat may read, on the terminal."""
    complain(say("pbem: for {seat} alone, not to be posted:", seat=seat))


def tell_trouble(index: Index) -> None:
    """Say once why the index is not kept, if it is not: all it costs is time."""
    if index.trouble:
        print(f"pbem: {index.trouble}", file=sys.stderr)
        index.trouble = None
