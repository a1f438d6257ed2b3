"""Which source of mails `--mail` names."""

from __future__ import annotations

import os
import sys
from urllib.parse import urlsplit

from pbem.files import store
from pbem.mailroom.inbox.sources import FROM_LINE, Letterbox, Maildir, Mbox, Single
from pbem.problem import NoFile


def letterbox(source: str | None) -> Letterbox:
    """The source that `--mail` names, if it names one. Raises Problem.

    `-` is stdin; `imaps://USER@HOST/FOLDER` an IMAP folder; else a Maildir, an mbox or one mail,
    told apart by looking, or named outright: `maildir:PATH`, `mbox:PATH`, `file:PATH`.
    """
    if source is None:
        return Letterbox()
    if source == "-":
        return Single("<stdin>", sys.stdin.buffer)
    if urlsplit(source).scheme in ("imap", "imaps"):
        from pbem.mailroom.inbox.imap import ImapFolder  # for those who have one

        return ImapFolder(source)
    kind, colon, path = source.partition(":")
    if not colon or kind not in ("maildir", "mbox", "file"):
        kind, path = _kind(source), source
    if kind == "maildir":
        return Maildir(path)
    return Mbox(path) if kind == "mbox" else Single(path)


def _kind(path: str) -> str:
    if os.path.isdir(path):
        if all(os.path.isdir(os.path.join(path, part)) for part in ("cur", "new")):
            return "maildir"
        raise NoFile("is a folder but no Maildir: it holds no cur and new", path)
    with store.readable(path), open(path, "rb") as file:
        return "mbox" if FROM_LINE.match(file.readline(1000)) else "file"
