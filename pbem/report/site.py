"""A web site of matches for everybody to see, as plain files: an index, and for each match a page,
a feed and a card for links.

What was found out about a log is kept in the user's cache, so that only what has changed is made
again; and a file that would read as before is not written.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pbem.core import Game, Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import cache, data, languages, store, yamlio
from pbem.files.languages import ENGLISH, speaking
from pbem.files.processors import spread
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.pictures import png, preview, svg
from pbem.problem import CannotMake, Problem, Usage
from pbem.report import compose, feeds, pages, render, sealed
from pbem.report.escape import paragraph
from pbem.sentence import Sentence, say, spoken

INDEX: Final = "index.html"
FEED: Final = "feed.xml"

_OPENING: Final = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:'
)
"""How our pages have always begun: a file that begins otherwise is somebody else's."""
_CARD: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", *preview.SIZE)
_FILM: Final = b"GIF89a" + struct.pack("<HH", *preview.FILM)
"""How each card for links begins, and each film."""
_MANY: Final = 20
"""Fewer new pages are not worth a second process."""


class Row(NamedTuple):
    """A match in the index.

    `file` is its page and `feed` its feed; `files` has the time and size of each file written about
    it; `told` is when the newest entry of the feed was made, `since` when the latest move was, ""
    before the first; `waits` is whom it waits for, as `pages.waits_for` gives them; `winners` is
    None while the match goes on.
    """

    match: str
    file: str
    title: str
    players: Sequence[str]
    ply: int
    since: str
    waits: Sequence[Sequence[str]]
    winners: Sequence[str] | None
    scores: Mapping[str, str]
    checked: str
    files: Mapping[str, Sequence[int]]
    board: str
    feed: str
    told: str
    game: str


class Unread(NamedTuple):
    """A match whose log cannot be read; `file` is its page from before, "" if there is none."""

    match: str
    file: str


class Score(NamedTuple):
    """A player's results: finished matches, and how many of them were won or shared."""

    player: str
    played: int
    won: int
    shared: int


class SiteWritten(NamedTuple):
    """What came of it: the matches that have a page, the files that were written, and what went
    wrong."""

    matches: tuple[Row, ...]
    files: tuple[str, ...]
    problems: tuple[Problem, ...]


class Seats(NamedTuple):
    """Where the pages of single seats are ("" if there are none), where the orders go that are
    clicked together there, and the languages that people have asked for; `house` is the language of
    the site, and of whatever has none of its own."""

    base: str = ""
    to: str = ""
    languages: tuple[tuple[Address, str], ...] = ()
    house: str = ENGLISH

    def posted(self, match: Replay) -> str:
        """The language of a match's page for everybody: that of its posts, else the site's."""
        return match.log.languages[0] if match.log.header.language else self.house

    def language(self, match: Replay, seat: Seat, desk: Desk) -> str:
        """The language of a seat's page: that of its letters."""
        person = desk.written_to.get(seat, Address(""))
        chosen = dict(self.languages).get(person, desk.languages.get(seat))
        return chosen or self.posted(match)


NONE: Final = Seats()
NO_OTHERS: Final[Mapping[str, Sentence]] = MappingProxyType({})


class _Page(NamedTuple):
    """A match whose page is in place: the digest it is remembered by, the files written, and what
    kept its seats' pages from being written, if anything did."""

    key: str
    row: Row
    files: Sequence[str] = ()
    trouble: Problem | None = None


def write(
    logs: Iterable[str],
    web: str,
    title: str = "",
    seats: Seats = NONE,
    beside: Mapping[str, Sentence] = NO_OTHERS,
) -> SiteWritten:
    """Bring a site up to date, all but its cards; with a page for each seat, if `seats` says where
    those are. Its index links what else there is `beside` it, by the names of the files. Raises
    Problem if nothing can or should be written there."""
    store.make_folder(web)
    if any(name.endswith(SUFFIX) for name in os.listdir(web)):
        raise Usage("desk files stand here, which nobody else may see; name another folder", web)
    for name in (INDEX, FEED):
        _require_ours(web, name)
    memory = _Memory(web, seats)
    found = {path: memory.page(path) for path in logs}
    new = [path for path, page in found.items() if page is None]
    named = {_name(path): path for path in found}
    found |= dict(zip(new, spread(partial(_make, web, seats, named), new, _MANY), strict=True))
    done = [page for page in found.values() if isinstance(page, _Page)]
    memory.keep(page for page in done if page.trouble is None)
    files = [file for page in done for file in page.files]
    problems = {path: page for path, page in found.items() if isinstance(page, Problem)}
    # A file that stands in the way of our page says nothing about the log.
    unread = [
        _unread(path, web)
        for path, problem in problems.items()
        if not isinstance(problem, CannotMake)
    ]
    rows = [page.row for page in done]
    games = {row.game for row in rows}
    files += put_guides(web, seats.house, games, new=bool(new))
    with speaking(seats.house):
        title = title or say("Matches").text()
        files += put(web, INDEX, _index(rows, unread, title, beside))
        files += put(web, FEED, _feed(web, rows, title))
    troubles = [*problems.values(), *(page.trouble for page in done if page.trouble)]
    return SiteWritten(tuple(rows), tuple(files), tuple(troubles))


def _make(web: str, seats: Seats, named: Mapping[str, str], path: str) -> _Page | Problem:
    try:
        text = yamlio.read_text(path)
        return _made(web, seats, named, path, text)
    except Problem as problem:
        return problem


def _made(web: str, seats: Seats, named: Mapping[str, str], path: str, text: str) -> _Page:
    """Write the page and feed of a match in its language, and the pages of seats in theirs."""
    match = Replay.of(Log.parse(text, path, remember=False))
    file, posted = sealed.public_file(path), seats.posted(match)
    own: Mapping[Seat, tuple[str, str, Any]] = {}
    trouble = None
    try:
        own = _sealed(web, match, seats, named)
    except Problem as problem:  # what everybody may see does not wait for it
        trouble = problem
    of_seats = {seat: name for seat, (name, _, _) in own.items()}
    feed = _beside(path, ".xml")
    card = _beside(path, ".png") if _paints() else ""
    gif = _beside(path, ".gif") if card and match.outcome else ""
    about: dict[str, dict[str, Any]] = {}

    def facts(language: str) -> dict[str, Any]:
        if language not in about:
            about[language] = pages.facts(
                match,
                checked=pages.checked(match),
                home=INDEX,
                feed=feed,
                card=card and f"{seats.base}{quote(card)}",
                gif=gif,
                seats=of_seats,
                guide=sealed.rules_file(match.game.NAME, language) if seats.base else "",
            )
        return about[language]

    with speaking(posted):
        made = {file: pages.html("match", **facts(posted))}
        made[feed] = told = feeds.of_match(match, facts(posted)["items"], feed, file)
    for seat, (name, language, shut) in own.items():
        with speaking(language):
            made[name] = pages.html("match", **{**facts(language), "seat": seat}, sealed=shut)
    for language in about.keys() - {ENGLISH}:
        for name, which in _guides(language, [match.game.NAME]).items():
            made[name] = _guide(*which)
    key = _key(seats, path, text)
    written = [each for name, text in made.items() for each in put(web, name, text)]
    stamps = {name: _stamp(web, name) for name in made}
    with speaking(seats.house):
        row = _about(match, file, stamps, feed, feeds.updated(told))
    return _Page(key, row, written, trouble)


def cards(
    logs: Iterable[str], web: str, most: int | None = None, seats: Seats = NONE
) -> Iterator[str | Problem]:
    """Paint the cards that are out of date, at most `most` of them; gives the files that were
    written, and what stood in the way of others.

    This takes longer than all else written about a match: do it last if somebody is waiting.
    """
    if not _paints():
        return
    old = [path for path in logs if _outdated(web, path)][:most]
    for made in spread(partial(_card, web, seats), old, _MANY):
        yield from made


def _outdated(web: str, path: str) -> bool:
    """Does a match have a page, and no card of the same age?"""
    page, card = (
        _stamp(web, name)[:1] for name in (sealed.public_file(path), _beside(path, ".png"))
    )
    return bool(page) and page != card


def _beside(path: str, ending: str) -> str:
    """The name of another file of a match: .xml its feed, .png its card, .gif its film."""
    return sealed.public_file(path).removesuffix(".html") + ending


def _unfilmed(web: str, path: str) -> bool:
    """Is there no film of a match since its log was written? Making one takes seconds."""
    film = os.path.join(web, _beside(path, ".gif"))
    return not os.path.exists(film) or os.path.getmtime(film) < os.path.getmtime(path)


def _card(web: str, seats: Seats, path: str) -> list[str | Problem]:
    name = _beside(path, ".png")
    [since, _] = _stamp(web, sealed.public_file(path))
    try:
        _require_ours(web, name)
        match = Replay.of(Log.parse(yamlio.read_text(path), path, remember=False))
        with speaking(seats.posted(match)):
            made = put(web, name, preview.card(match, **pages.card_words(match)))
            if match.outcome and _unfilmed(web, path):
                made += put(web, _beside(path, ".gif"), preview.film(match))
        os.utime(os.path.join(web, name), ns=(since, since))
    except CannotMake as problem:
        return [problem]
    except Problem:
        return []  # the log cannot be read: that was told with its page
    return [*made]


@lru_cache
def _paints() -> bool:
    """Is everything installed that makes a PNG?"""
    try:
        png.painter()
    except Usage:
        return False
    return True


def put_guides(web: str, house: str, games: Iterable[str], *, new: bool = False) -> list[str]:
    """Write the rules of games and how to play, in English and the language of the house; what is
    there already only if it is `new`. Gives the files that were written. Raises CannotMake."""
    guides = _guides(ENGLISH, games) | _guides(house, games)
    wanted = {f: each for f, each in guides.items() if new or not os.path.exists(f"{web}/{f}")}
    return [path for f, each in wanted.items() for path in put(web, f, _guide(*each))]


def _guides(language: str, games: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What there is to read in a language besides matches, {file: (language, game)}: the rules of a
    game or, where that is "", how to play. Only what exists in that language is listed."""
    found = {}
    for name in ("", *sorted(games)):
        own, english = (
            sealed.rules_file(name, each) if name else sealed.players_file(each)
            for each in (language, ENGLISH)
        )
        if own != english or language == ENGLISH:
            found[own] = language, name
    return found


def _guide(language: str, name: str) -> str:
    from pbem.play.games import game

    with speaking(language):
        return rules_page(game(name), INDEX) if name else players_page(INDEX)


def _sealed(
    web: str, match: Replay, seats: Seats, named: Mapping[str, str]
) -> dict[Seat, tuple[str, str, Any]]:
    """For each seat the file of its page, its language and its sealed part; {} where seats have no
    pages, or there is no desk file to seal them with. Raises Problem."""
    path = match.log.path
    if not _seals(seats, path):
        return {}
    files = {seat: sealed.file_of(path, seat) for seat in match.setup.seats}
    for seat, file in files.items():
        _require_ours(web, file)
        if other := _claimed(path, file, named):
            raise CannotMake(
                "would be the page of {seat} in {log} and one of {other} as well; the name of one "
                "of these logs must change",
                os.path.join(web, file),
                seat=seat,
                log=os.path.basename(path),
                other=os.path.basename(other),
            )
    desk = Desk.read(path)
    whole = Replay.of(match.log, desk.keyring)
    found = dict[Seat, tuple[str, str, Any]]()
    for seat, file in files.items():
        language = seats.language(match, seat, desk)
        with speaking(language):
            found[seat] = file, language, sealed.shut(whole, desk, seat, seats.to)
    return found


def _seals(seats: Seats, path: str) -> bool:
    return bool(seats.base) and os.path.exists(desk_path(path))


def _claimed(path: str, file: str, named: Mapping[str, str]) -> str:
    """The log that already uses this file name for another page, "" if there is none."""
    name = file.removesuffix(".html")
    others = [named.get(name[: dash.start()], "") for dash in re.finditer("-", name)]
    for other in {*others} - {path, ""}:
        with suppress(Problem):  # a log that cannot be read has no pages
            if file in {sealed.file_of(other, seat) for seat in Log.read(other).header.seats}:
                return other
    log = named.get(name.partition("-")[2], "")
    return log if log not in ("", path) and sealed.public_file(log) == file else ""


def _about(
    match: Replay, file: str, stamps: Mapping[str, Sequence[int]], feed: str, told: str
) -> Row:
    """What the index tells of a match, in the language of the site."""
    moves = [entry for entry in match.log.entries if isinstance(entry, Ply)]
    result = pages.result(match)
    return Row(
        match.name,
        file,
        match.game.TITLE,
        list(render.names(match.players).values()),
        match.position.ply,
        moves[-1].at if moves else "",
        pages.waits_for(match),
        result["winners"] if result else None,
        pages.scores(match),
        pages.checked(match),
        stamps,
        pages.small(match),
        feed,
        told,
        match.game.NAME,
    )


def _unread(path: str, web: str) -> Unread:
    file = sealed.public_file(path)
    there = os.path.exists(os.path.join(web, file))
    return Unread(paragraph(_name(path)), file if there else "")


def _index(
    rows: Sequence[Row], unread: Sequence[Unread], title: str, beside: Mapping[str, Sentence]
) -> str:
    going, ended = under_way(rows), over(rows)
    return pages.html(
        "index",
        title=title,
        feed=FEED,
        going=going,
        players={
            player: sum(player == who for row in going for who, *_ in row.waits)
            for player in sorted({player for row in going for player in row.players})
        },
        unread=unread,
        over=ended,
        scores=_scores(ended),
        **boards(),
        guide=sealed.players_file(spoken()),
        beside=beside,
        rules={sealed.rules_file(row.game, spoken()): row.title for row in rows},
    )


def boards() -> dict[str, Any]:
    """How many matches of a list are shown with their boards, and what these are drawn with."""
    return {"most": 40, "figures": svg.figures()}


def under_way(rows: Iterable[Row]) -> list[Row]:
    """Those that go on; what waits longest stands above: the first deadline, else the last move."""

    def urgency(row: Row) -> tuple[object, ...]:
        due = min((due for _, due, *_ in row.waits if due), default="")
        return not due, due or row.since, len(row.match), row.match

    return sorted((row for row in rows if row.winners is None), key=urgency)


def over(rows: Iterable[Row]) -> list[Row]:
    """Those that are over, the latest first."""
    ended = sorted((row for row in rows if row.winners is not None), key=lambda row: row.since)
    return ended[::-1]


def _feed(web: str, rows: Sequence[Row], title: str) -> str:
    """The feed of all matches, made from the latest feeds: all its entries are in one of these."""
    latest = sorted(rows, key=lambda row: (row.told, row.file))[-feeds.MOST :]
    found = [yamlio.read_text(os.path.join(web, row.feed)) for row in latest]
    return feeds.of_all(found, title, FEED, INDEX)


def _scores(over: Iterable[Row]) -> list[Score]:
    """Results by player, whoever has won most first."""
    results: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in over:
        assert row.winners is not None
        for player in row.players:
            won = player in row.winners
            alone = won and len(row.winners) == 1
            counts = results[player]
            counts[0] += 1
            counts[1] += alone
            counts[2] += won and not alone
    scores = [Score(player, *counts) for player, counts in results.items()]
    return sorted(scores, key=lambda score: (-score.won, -score.shared, score.played, score.player))


def put(web: str, name: str, text: str | bytes) -> list[str]:
    """Write a file of the site, unless it reads so already; gives the files that were written.
    Raises CannotMake if that is somebody else's."""
    path, data = os.path.join(web, name), text.encode() if isinstance(text, str) else text
    with suppress(FileNotFoundError), open(path, "rb") as file:
        if file.read() == data:
            return []
    _require_ours(web, name)
    store.replace(path, data, 0o644)
    return [path]


def _require_ours(web: str, name: str) -> None:
    """Raise CannotMake if a file of this name is there and is not ours."""
    path = os.path.join(web, name)
    openings = {".xml": feeds.OPENING.encode(), ".png": _CARD, ".gif": _FILM}
    ours = openings.get(name[-4:], _OPENING.encode())
    with suppress(FileNotFoundError), open(path, "rb") as file:
        head = re.sub(rb'lang="[a-z]+"', b'lang="en"', file.read(len(ours) + 1))[: len(ours)]
        if head not in (b"", ours):
            raise CannotMake(
                "is there already and no page of a site of matches; move it away, or name "
                "another folder",
                path,
            )


def _digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def _stamp(web: str, name: str) -> list[int]:
    """The time and size of a file, which change when it does; [] if there is none."""
    try:
        status = os.stat(os.path.join(web, name))
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_size]


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(LOG_SUFFIX)


def _key(seats: Seats, path: str, text: str) -> str:
    # What people choose by mail is left out: a page changes only when its log does.
    where = (sealed.public_file(path), seats.base, seats.to, seats.house)
    made_of = (*where, _seals(seats, path), _paints(), text)
    return _digest(" ".join(map(str, made_of)))


class _Memory:
    """The rows of a site as they were made, by the digest of their log."""

    def __init__(self, web: str, seats: Seats) -> None:
        self._web, self._seats = web, seats
        # What pages are made of besides logs: when that changes, all are made again.
        where = cache.folder(f"site-{_digest(pages.material())[:16]}")
        name = _digest(os.path.abspath(web))
        self._path = os.path.join(where, f"{name}.json") if where else None
        self._rows: dict[str, list[Any]] = {}
        if self._path:
            # A missing or broken cache is the same as an empty one.
            self._rows = dict(cache.load(self._path) or {})

    def page(self, path: str) -> _Page | Problem | None:
        """The page of a log if all is in place as made, else None; Problem if it can't be read."""
        try:
            key = _key(self._seats, path, yamlio.read_text(path))
        except Problem as problem:
            return problem
        row = Row(*self._rows[key]) if key in self._rows else None
        in_place = row is not None and all(
            _stamp(self._web, name) == stamp for name, stamp in row.files.items()
        )
        return _Page(key, row) if row is not None and in_place else None

    def keep(self, done: Iterable[_Page]) -> None:
        """Remember these, and forget the rest."""
        rows = {page.key: list(page.row) for page in done}
        if self._path and rows != self._rows:
            with suppress(OSError):
                cache.save(self._path, rows)


# --------------------------------------------------------- what it says besides its matches


def players_page(home: str) -> str:
    """The page for everybody who plays, in the language spoken now; `home` is the index of the
    site."""
    told = languages.text(spoken(), "players.md")
    told = told or _read(os.path.join(data.ROOT, "docs", "players.md"))
    return pages.html("text", title=_title(told), body=_body(told), home=home)


def rules_page(game: Game[Any], home: str) -> str:
    """The rules of a game as a whole, in English, and rule by rule in the language spoken now, each
    under its id, which is its anchor. If that language is not English, rule by rule comes first."""
    told = _read(os.path.join(game.DATA, "RULES.md")) or f"# {game.TITLE}\n"
    known = compose.rules(game)
    rows = "".join(
        f'<dt id="{html.escape(id)}">{html.escape(id)}</dt><dd>{html.escape(says)}</dd>\n'
        for id, says in known.items()
    )

    def linked(found: re.Match[str]) -> str:
        ids = found[1].split(", ")
        if not known.keys() >= set(ids):
            return found[0]
        links = ", ".join(f'<a href="#{id}">{id}</a>' for id in ids)
        return f"[{links}]"

    body = pages.CITED.sub(linked, _body(told))
    each = f"<h2>{html.escape(say('Rule by rule').text())}</h2>\n<dl>\n{rows}</dl>\n"
    if spoken() == languages.ENGLISH:
        return pages.html("text", title=_title(told), body=body + each, home=home)
    title = say("The rules of {title}", title=game.TITLE).text()
    below = say("What follows, the rules as a whole, is in English.").text()
    body = f'<p>{html.escape(below)}</p>\n<div lang="en">\n{body}</div>\n'
    body = f"<h1>{html.escape(title)}</h1>\n{pages.CITED.sub(linked, each)}{body}"
    return pages.html("text", title=title, body=body, home=home)


def _read(path: str) -> str:
    """A text of ours or of a game, "" where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _title(text: str) -> str:
    return re.sub(r"^# ", "", text.partition("\n")[0])


def _body(text: str) -> str:
    """Markdown as HTML, without its links to files, which are not on the site."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = re.sub(r'<a href="(?!https?:|#)[^"]*">(.*?)</a>', r"\1", body)
    # What is wider than a phone can be scrolled by keyboard, too; an empty cell is no heading.
    body = re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', body)
    return re.sub(r"<th[^>]*></th>", "<td></td>", body)
