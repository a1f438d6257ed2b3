"""Atom feeds of a site: what happened in a match, an entry per move, and the latest of all matches.

Made from logs alone: the same logs give the same feeds, and an entry keeps its id for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from pbem.core import NOBODY
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.report import render
from pbem.report.escape import paragraph
from pbem.report.pages import Moment, mark
from pbem.sentence import say

OPENING: Final = (
    '<?xml version="1.0" encoding="utf-8"?>\n<!-- a feed of a site of matches -->\n'
    '<feed xmlns="http://www.w3.org/2005/Atom">'
)
"""How our feeds begin: a file that begins otherwise is somebody else's."""
MOST: Final = 50
"""How many entries a feed has at most, the latest first."""
_LONGEST: Final = 120
"""How many characters of a ruling stand in a title."""
_ENTRY: Final = re.compile(r"<entry>.*?</entry>\n", re.DOTALL)
_UPDATED: Final = re.compile(r"<updated>(.*?)</updated>")
_BEFORE_ALL: Final = "1970-01-01T00:00:00Z"


class FeedEntry(NamedTuple):
    """What a feed tells of one move, with what chance added, or of a ruling, which has no `author`;
    `place` is where it stands on the page of its match, or on a `page` of its own."""

    id: str
    title: str
    author: str
    at: str
    place: str
    lines: Sequence[str]
    page: str = ""


def of_match(match: Replay, moments: Sequence[Moment], file: str, page: str) -> str:
    """The feed of a match as everybody knows it, made from the moments its page tells; `file` is
    its own name, `page` its page."""
    entries = list(_entries(match, moments))[::-1][:MOST]
    title = f"{match.game.TITLE} - {match.name}"
    return written(_id(match.log, "feed"), title, file, page, entries[0].at, entries=entries)


def of_all(feeds: Iterable[str], title: str, file: str, page: str) -> str:
    """The feed of all matches, made from theirs."""
    found = (entry for feed in feeds for entry in reversed(_ENTRY.findall(feed)))
    entries = sorted(found, key=updated)[::-1][:MOST]
    text = "".join(entries)
    return written(urn("all matches", title), title, file, page, updated(text), made=text)


def updated(text: str) -> str:
    """When the latest thing in a feed or an entry was entered in its log."""
    found = _UPDATED.search(text)
    return found[1] if found else _BEFORE_ALL


def written(
    id: str,
    title: str,
    file: str,
    page: str,
    at: str,
    *,
    entries: Sequence[FeedEntry] = (),
    made: str = "",
) -> str:
    """A feed of entries, or of entries already `made`; `id` and `at` are the feed's own."""
    return render.html(
        "web/feed.xml.j2",
        opening=OPENING,
        id=id,
        title=paragraph(title),
        file=file,
        page=page,
        at=at,
        entries=entries,
        written=made,
    )


def _entries(match: Replay, moments: Sequence[Moment]) -> Iterator[FeedEntry]:
    """What has happened, oldest first. What nobody chose belongs to the move before it."""
    log = match.log
    entries = {mark(each): each for each in log.entries}
    begun = say("{match}: the match begins", match=match.name).text()
    last = FeedEntry(_id(log, -1), begun, "", log.header.created, "ply-0", ())
    for moment in moments[1:]:
        place, entry = moment.marks[0], entries[moment.marks[0]]
        at = entries[moment.marks[-1]].at
        if isinstance(entry, Ply) and entry.seat in NOBODY:
            last = last._replace(at=at, lines=(*last.lines, *moment.lines))
            continue
        yield last
        if isinstance(entry, Ply):
            named = {"ply": entry.number, "who": moment.who, "move": moment.move}
            title = say("{match} #{ply}: {who} {move}", match=match.name, **named).text()
        else:
            [text] = moment.lines
            short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
            title = say("{match}: {ruling}", match=match.name, ruling=short).text()
        last = FeedEntry(_id(log, entry.nth), title, moment.who, at, place, moment.lines)
    yield last


def _id(log: Log, what: int | str) -> str:
    """The id of something in a log, made from the mark of its header and the place: a chain also
    covers what is sealed, and has no business on a page."""
    return urn(log.header.public_chain, str(what))


def urn(*of: str) -> str:
    """An id for a feed or an entry that is the same for ever."""
    return uuid5(NAMESPACE_URL, " ".join(of)).urn
