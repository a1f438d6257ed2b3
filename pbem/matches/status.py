"""Every match of a folder at a glance: who is awaited, since when, and what needs a person."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Problem, Seat
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.files import cache, yamlio
from pbem.log import seal
from pbem.log.format import Log, Ply
from pbem.log.match import Match
from pbem.matches.folder import logs_in

_MANY: Final = 40
"""Fewer new logs are not worth a second process."""


class Standing(NamedTuple):
    """What anybody can read of a match: plain values, so that they can be kept.

    `awaited` are seats, `since` when they came to be awaited, `last` what was moved last and by
    whom, `ended` how the match ended, "" while it goes on.
    """

    match: str
    game: str
    players: Mapping[Seat, str]
    ply: int
    fingerprint: str
    chain: str
    commit: str
    awaited: tuple[Seat, ...]
    since: str
    last: str
    ended: str


class Glance(NamedTuple):
    """A match on the moderator's screen. Without `standing` its log cannot be read.

    `held` counts the moves that wait, by seat; `unanswered` the mails that lie aside or wait.
    """

    path: str
    standing: Standing | None
    held: Mapping[Seat, int]
    unanswered: int
    problems: tuple[str, ...]

    @property
    def name(self) -> str:
        """The match by its file's name."""
        return os.path.basename(self.path).removesuffix(LOG_SUFFIX)


class Screen(NamedTuple):
    """All matches of a folder, and the mails that belong to none of them."""

    matches: tuple[Glance, ...]
    astray: int


def at(folder: str, mails: Mapping[str, int]) -> Screen:
    """Look at all matches of a folder. A match that cannot be read is shown as a problem.

    `mails` counts those that need a person, by match. Raises Problem if there is no such folder.
    """
    paths = logs_in(folder)
    with _Memory(folder) as memory:
        memory.prepare(paths)
        found = tuple(_glance(path, mails, memory) for path in paths)
    known = {each.name for each in found}
    return Screen(found, sum(count for name, count in mails.items() if name not in known))


def _glance(path: str, mails: Mapping[str, int], memory: _Memory) -> Glance:
    standing: Standing | None = None
    held: dict[Seat, int] = {}
    problems: list[str] = []
    try:
        standing = memory.standing(path)
    except Problem as problem:
        problems.append(str(problem))
    try:
        desk = Desk.read(path)
        if standing and seal.commit(desk.secret) != standing.commit:
            problems.append(f"{desk.path}: holds the secret of another match")
        for each in desk.held:
            if standing and each.after == standing.chain:
                held[each.seat] = held.get(each.seat, 0) + len(each.moves)
    except Problem as problem:
        problems.append(str(problem))
    name = os.path.basename(path).removesuffix(LOG_SUFFIX)
    return Glance(path, standing, held, mails.get(name, 0), tuple(problems))


def standing_of(now: Match) -> Standing:
    """What stands on the screen of a match, as a spectator may know it."""
    ply, fingerprint = now.position
    plies = [told for told, _ in now.plies if told.seat != CHANCE]
    outcome, awaited = now.outcome, now.awaited
    ended = ""
    if outcome is not None:
        winners = " and ".join(outcome.winners)
        ended = f"{winners or 'nobody'} won [{outcome.why}]"
    elif not awaited:
        awaited = (CHANCE,)
    return Standing(
        now.name,
        now.game.NAME,
        now.players,
        ply,
        fingerprint,
        now.log.chain,
        now.log.header.commit,
        awaited,
        _since(now.log, awaited),
        f"{plies[-1].seat} {plies[-1].move}" if plies else "",
        ended,
    )


def _since(written: Log, awaited: tuple[Seat, ...]) -> str:
    """When those who are awaited came to be: at the last act of anybody else."""
    for entry in reversed(written.entries):
        if isinstance(entry, Ply):
            counts = entry.seat not in awaited and entry.seat != CHANCE
        else:
            counts = entry.kind not in ("note", "entropy")
        if counts:
            return str(entry.at)
    return written.header.created


class _Memory:
    """What was found out before about logs that read as they did then: public, by their text.

    Only what a spectator knows is kept, in the user's cache.
    """

    _FILE: Final = "standing"

    def __init__(self, folder: str) -> None:
        where = cache.folder(self._FILE)
        name = hashlib.sha256(os.path.abspath(folder).encode(errors="surrogatepass")).hexdigest()
        self.path = os.path.join(where, f"{name}.json") if where else None
        self.known: dict[str, list[Any]] = {}
        self.used: dict[str, list[Any]] = {}
        self.written: set[str] = set()

    def __enter__(self) -> _Memory:
        if self.path:
            self.known = cache.load(self.path) or {}
        self.written = set(self.known)
        return self

    def prepare(self, paths: list[str]) -> None:
        """Find out about many new logs with all processors there are."""
        unknown = [path for path in paths if _key(path) not in self.known]
        if len(unknown) < _MANY or (os.cpu_count() or 1) < 2:
            return
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor() as pool:
            for key, values in filter(None, pool.map(_find_out, unknown, chunksize=8)):
                self.known[key] = values

    def standing(self, path: str) -> Standing:
        """The standing of the match in a log. Raises Problem."""
        text = yamlio.read_text(path)
        key = _hash(text)
        if key not in self.known:
            self.known[key] = _values(text, path)
        self.used[key] = self.known[key]
        values = list(self.used[key])
        values[7] = tuple(values[7])
        return Standing(*values)

    def __exit__(self, *_: object) -> None:
        if not self.path or self.used.keys() == self.written:
            return
        cache.save(self.path, self.used)


def _key(path: str) -> str:
    try:
        return _hash(yamlio.read_text(path))
    except Problem:
        return ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _values(text: str, path: str) -> list[Any]:
    # What is parsed need not be remembered: what comes of it is.
    return list(standing_of(Match.of(Log.parse(text, path, remember=False))))


def _find_out(path: str) -> tuple[str, list[Any]] | None:
    """What is remembered of a log; None where it has a problem, to be told when it is its turn."""
    try:
        text = yamlio.read_text(path)
        return _hash(text), _values(text, path)
    except Problem:
        return None


def plain(screen: Screen) -> dict[str, Any]:
    """The screen for programs."""
    return {"matches": [_plain(each) for each in screen.matches], "astray": screen.astray}


def _plain(each: Glance) -> dict[str, Any]:
    now = each.standing
    told: dict[str, Any] = {"match": each.name, "log": each.path}
    if now:
        told |= {
            "game": now.game,
            "players": dict(now.players),
            "ply": now.ply,
            "fingerprint": now.fingerprint,
            "awaited": list(now.awaited) if not now.ended else [],
            "since": now.since,
            "last": now.last,
            "ended": now.ended or None,
        }
    return told | {
        "held": dict(each.held),
        "unanswered": each.unanswered,
        "problems": list(each.problems),
    }


def lines(screen: Screen) -> Iterator[str]:
    """The screen for people: a line each, those who wait the longest first."""
    going = [each for each in screen.matches if each.standing and not each.standing.ended]
    going.sort(key=lambda each: each.standing.since if each.standing else "")
    others = [each for each in screen.matches if each not in going]
    yield f"{'match':20} {'last ply':10} {'awaited':24} {'since':16} held mails  last move"
    for each in (*going, *others):
        yield _line(each)
        for problem in each.problems:
            yield _printable(f"    problem: {problem}")
    if screen.astray:
        yield f"{screen.astray} mails of no match wait for you"


def _line(each: Glance) -> str:
    now = each.standing
    held, mails = sum(each.held.values()) or "", each.unanswered or ""
    if now is None:
        return _printable(f"{each.name:20} {'?':10} {'cannot be read':41} {held:>4} {mails:>5}")
    awaited = ", ".join(_called(seat, now) for seat in now.awaited)
    who = f"over: {now.ended}" if now.ended else awaited
    place = f"#{now.ply} {now.fingerprint}"
    since = now.since[:16].replace("T", " ")
    return _printable(
        f"{each.name:20} {place:10} {who:24} {since:16} {held:>4} {mails:>5}  {now.last}"
    ).rstrip()


def _called(seat: Seat, now: Standing) -> str:
    name = now.players.get(seat, seat)
    return seat if name.casefold() == seat.casefold() else f"{name[:30]} ({seat})"


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in line)
