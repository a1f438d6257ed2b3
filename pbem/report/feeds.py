"""Atom feeds of a site: what happened in a match, an entry per move, and the latest of all matches.

Made from logs alone: the same logs give the same feeds, and an entry keeps its id for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from pbem.core import NOBODY
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.report import compose, render
from pbem.report.escape import paragraph
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
    `place` is where it stands on the page of its match."""

    id: str
    title: str
    author: str
    at: str
    place: str
    lines: Sequence[str]


def of_match(now: Match, file: str, page: str) -> str:
    """The feed of a match as everybody knows it; `file` is its own name, `page` its page."""
    entries = list(_entries(now))[::-1][:MOST]
    title = f"{now.game.TITLE} - {now.name}"
    return _feed(_id(now.log, "feed"), title, file, page, entries[0].at, entries=entries)


def of_all(feeds: Iterable[str], title: str, file: str, page: str) -> str:
    """The feed of all matches, made from theirs."""
    found = (entry for feed in feeds for entry in reversed(_ENTRY.findall(feed)))
    entries = sorted(found, key=updated)[::-1][:MOST]
    written = "".join(entries)
    return _feed(_urn("all matches", title), title, file, page, updated(written), written=written)


def updated(text: str) -> str:
    """When the latest thing in a feed or an entry was entered in its log."""
    found = _UPDATED.search(text)
    return found[1] if found else _BEFORE_ALL


def _feed(
    id: str,
    title: str,
    file: str,
    page: str,
    at: str,
    *,
    entries: Sequence[FeedEntry] = (),
    written: str = "",
) -> str:
    """A feed of entries, or of entries already `written`."""
    return render.html(
        "web/feed.xml.j2",
        opening=OPENING,
        id=id,
        title=paragraph(title),
        file=file,
        page=page,
        at=at,
        entries=entries,
        written=written,
    )


def _entries(now: Match) -> Iterator[FeedEntry]:
    """What has happened, oldest first. What nobody chose belongs to the move before it."""
    log = now.log
    plies = {entry.number: entry for entry in log.entries if isinstance(entry, Ply)}
    rulings = (entry for entry in log.entries if not isinstance(entry, Ply))
    begun = say("{match}: the match begins", match=now.name).text()
    created = log.header.created
    last = FeedEntry(_id(log, -1), begun, "", created, "ply-0", ())
    turn: dict[str, Any]
    for turn in render.turns(
        now.game.NAME, compose.since(now, 0, whole=True), now.players, compose.templates_of(now)
    ):
        if "ruling" in turn:
            entry = next(rulings)
            yield last
            text = turn["ruling"]
            short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
            title = say("{match}: {ruling}", match=now.name, ruling=short).text()
            place = f"ruling-{entry.nth + 1}"
            last = FeedEntry(_id(log, entry.nth), title, "", entry.at, place, (text,))
            continue
        ply, at = plies[turn["first"]], plies[turn["last"]].at
        if turn["seat"] in NOBODY:
            last = last._replace(at=at, lines=(*last.lines, *turn["lines"]))
            continue
        yield last
        title = say(
            "{match} #{ply}: {who} {move}",
            match=now.name,
            ply=ply.number,
            who=turn["who"],
            move=turn["move"],
        ).text()
        place = f"ply-{ply.number}"
        last = FeedEntry(_id(log, ply.nth), title, turn["who"], at, place, turn["lines"])
    yield last


def _id(log: Log, what: int | str) -> str:
    """The id of something in a log, made from the mark of its header and the place: a chain also
    covers what is sealed, and has no business on a page."""
    return _urn(log.header.public_chain, str(what))


def _urn(*of: str) -> str:
    return uuid5(NAMESPACE_URL, " ".join(of)).urn
