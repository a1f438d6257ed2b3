"""How long a club has nothing to do: until a mail comes, a file changes from which that follows, or
a moment is there that may bring something. Till then a run need not read the club at all."""

from __future__ import annotations

import os
from typing import Final
from zlib import crc32

from pbem.desk.file import LOG_SUFFIX, desk_path
from pbem.mailroom.daybook import HOUSE, Book, Keeps
from pbem.mailroom.tray import ASIDE
from pbem.matches.index import CLUB, FOLDER, Look, state
from pbem.matches.matches import Matches

RESTS: Final = "club rests"
"""Under this name the daybook keeps what the files were, and until when the club rests."""


def rests(matches: Matches, book: Book, upto: str) -> bool:
    """Is nothing to be done in the club of these matches at a moment? Raises Problem."""
    matches.stamps()  # looks at the folder, unless that has just been done
    files, _, until = str(book.of().get(RESTS, "")).partition(" ")
    return upto < until and files == _sum(_files(matches), book)


def note_rest(matches: Matches, book: Book, until: str) -> None:
    """Note in a daybook that nothing is to be done until a moment, if all stays as it was when the
    folder was last looked at; unless a file may have changed since, unnoticed."""
    files = _files(matches)
    if all(files.lasting("", name) for name in files.states[""]):
        book.add(Keeps(HOUSE, RESTS, f"{_sum(files, book)} {until}"))


def _files(matches: Matches) -> Look:
    """The state of the logs, of the club's files, and of the folder with what lies aside."""
    look, log = matches.index.look(), os.path.join(matches.folder, CLUB)
    paths = log, desk_path(log), os.path.join(matches.folder, FOLDER, ASIDE)
    own = {path: found for path in paths if (found := state(path))}
    return Look(look.seen, {"": {**look.states[LOG_SUFFIX], **own}})


def _sum(files: Look, book: Book) -> str:
    return f"{crc32(repr((files.states, book.came)).encode()):08x}"
