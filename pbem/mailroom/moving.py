"""A folder of matches on its way from one place to another: whether all came along, and all of it
in one archive."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from pbem.files import yamlio
from pbem.log.format import Log
from pbem.mailroom.daybook import FILE, Book
from pbem.matches.index import FOLDER
from pbem.matches.matches import Matches
from pbem.problem import NoFile, Problem
from pbem.sentence import Counted


def require_daybook(matches: Matches, book: Book) -> None:
    """Raise NoFile if desk files in a folder say that a daybook knows their matches, and this one
    does not: it was left behind, and with it who has been told what."""
    lost = [match for match in matches.stamps() if _is_lost(match, matches, book)]
    if lost:
        path = os.path.join(matches.folder, FOLDER, FILE)
        raise NoFile(_LEFT_BEHIND, path, n=len(lost), match=lost[0], folder=FOLDER)


def _is_lost(match: str, matches: Matches, book: Book) -> bool:
    """Is a match one of which a daybook knows, but not this one?"""
    if book.knows(match):
        return False
    path = matches.log(match)
    with suppress(Problem):  # whoever needs the file will say what is wrong with it
        if matches.desk(path).daybook:
            log = Log.parse(yamlio.read_text(path), path, remember=False)
            return book.renamed(match, log, matches.folder) is None
    return False


_LEFT_BEHIND: Final = Counted(
    "knows nothing of {match}, though its desk file says that it should: {folder} holds who has "
    "been told what, and how players want their mails. Bring it along from where the match was, or "
    "from a backup. If it is lost, --anew goes on without: everybody counts as told all so far",
    "knows nothing of {n} matches, such as {match}, though their desk files say that it should: "
    "{folder} holds who has been told what, and how players want their mails. Bring it along from "
    "where the matches were, or from a backup. If it is lost, --anew goes on without: everybody "
    "counts as told all so far",
)
