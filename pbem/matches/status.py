"""Every match of a folder at a glance: who is awaited, since when, and what needs a person."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, BadFile, Problem, Seat
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.files import cache, yamlio
from pbem.log import seal
from pbem.log.format import Log, Ply
from pbem.log.match import Match
from pbem.matches.folder import logs_in
from pbem.sentence import Counted, say

NONE: Final[Mapping[str, int]] = MappingProxyType({})
_MANY: Final = 40
"""Fewer new logs are not worth a second process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
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

    @staticmethod
    def of(now: Match) -> Summary:
        """The summary of a match, as a spectator may know it."""
        ply, fingerprint = now.position
        plies = [told for told, _ in now.plies if told.seat != CHANCE]
        outcome, awaited = now.outcome, now.awaited
        ended = ""
        if outcome is not None:
            ended = str(
                say("{winners:all} won [{why}]", winners=outcome.winners, why=outcome.why)
                if outcome.winners
                else say("nobody won [{why}]", why=outcome.why)
            )
        elif not awaited:
            awaited = (CHANCE,)
        return Summary(
            match=now.name,
            game=now.game.NAME,
            players=now.players,
            ply=ply,
            fingerprint=fingerprint,
            chain=now.log.chain,
            commit=now.log.header.commit,
            awaited=awaited,
            since=_since(now.log, awaited),
            last=f"{plies[-1].seat} {plies[-1].move}" if plies else "",
            ended=ended,
        )

    def plain(self) -> dict[str, Any]:
        """As it is kept."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {**values, "players": dict(self.players), "awaited": list(self.awaited)}

    @staticmethod
    def kept(values: Any) -> Summary | None:
        """As it was kept; None if that is not what `plain` gave."""
        try:
            summary = Summary(**{**values, "awaited": tuple(values["awaited"])})
        except (TypeError, KeyError):
            return None
        texts = (getattr(summary, name) for name in _TEXTS)
        whole = all(isinstance(text, str) for text in (*texts, *summary.awaited))
        plain = isinstance(summary.players, dict) and isinstance(summary.ply, int)
        return summary if whole and plain and all(map(_is_text, summary.players.items())) else None


_TEXTS: Final = ("match", "game", "fingerprint", "chain", "commit", "since", "last", "ended")


def _is_text(pair: tuple[Any, Any]) -> bool:
    return isinstance(pair[0], str) and isinstance(pair[1], str)


class Status(NamedTuple):
    """A match on the moderator's screen. Without `summary` its log cannot be read.

    `held` counts the moves that are left of orders, by seat; `unanswered` the mails that lie aside
    or wait;
    `undelivered` the answers that could not be sent, or only later.
    """

    path: str
    summary: Summary | None
    held: Mapping[Seat, int]
    unanswered: int
    undelivered: int
    problems: tuple[str, ...]

    @property
    def name(self) -> str:
        """The match by its file's name."""
        return os.path.basename(self.path).removesuffix(LOG_SUFFIX)


class Overview(NamedTuple):
    """All matches of a folder, and the mails and answers that belong to none of them."""

    matches: tuple[Status, ...]
    astray: int
    undelivered: int


def at(
    folder: str, unanswered: Mapping[str, int], undelivered: Mapping[str, int] = NONE
) -> Overview:
    """Look at all matches of a folder. A match that cannot be read is shown as a problem.

    `unanswered` counts the mails that need a person, `undelivered` the answers that could not be
    sent, by match. Raises Problem if there is no such folder.
    """
    paths = logs_in(folder)
    with _Memory(folder) as memory:
        memory.prepare(paths)
        found = tuple(_status(path, unanswered, undelivered, memory) for path in paths)
    known = {each.name for each in found}
    astray, unsent = (
        sum(count for name, count in counts.items() if name not in known)
        for counts in (unanswered, undelivered)
    )
    return Overview(found, astray, unsent)


def _status(
    path: str, unanswered: Mapping[str, int], undelivered: Mapping[str, int], memory: _Memory
) -> Status:
    summary: Summary | None = None
    held: dict[Seat, int] = {}
    problems: list[str] = []
    try:
        summary = memory.summary(path)
    except Problem as problem:
        problems.append(str(problem))
    try:
        desk = Desk.read(path)
        if summary and seal.commit(desk.secret) != summary.commit:
            problems.append(str(BadFile("holds the secret of another match", desk.path)))
        rests = (each for each in desk.waits if summary and each.after == summary.chain)
        for plan in (plan for each in rests for plan in each.plans if not plan.number):
            held[plan.seat] = held.get(plan.seat, 0) + len(plan.moves)
    except Problem as problem:
        problems.append(str(problem))
    name = os.path.basename(path).removesuffix(LOG_SUFFIX)
    return Status(
        path=path,
        summary=summary,
        held=held,
        unanswered=unanswered.get(name, 0),
        undelivered=undelivered.get(name, 0),
        problems=tuple(problems),
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

    _FILE: Final = "summaries"

    def __init__(self, folder: str) -> None:
        where = cache.folder(self._FILE)
        name = hashlib.sha256(os.path.abspath(folder).encode(errors="surrogatepass")).hexdigest()
        self.path = os.path.join(where, f"{name}.json") if where else None
        self.known: dict[str, Summary] = {}
        self.used: dict[str, Summary] = {}
        self.written: set[str] = set()

    def __enter__(self) -> _Memory:
        read: Any = {}
        if self.path:
            read = cache.load(self.path) or {}
        for key, values in read.items() if isinstance(read, dict) else ():
            if summary := Summary.kept(values):
                self.known[key] = summary
        self.written = set(self.known)
        return self

    def prepare(self, paths: list[str]) -> None:
        """Find out about many new logs with all processors there are."""
        unknown = [path for path in paths if _key(path) not in self.known]
        if len(unknown) < _MANY or (os.cpu_count() or 1) < 2:
            return
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor() as pool:
            for key, summary in filter(None, pool.map(_find_out, unknown, chunksize=8)):
                self.known[key] = summary

    def summary(self, path: str) -> Summary:
        """The summary of the match in a log. Raises Problem."""
        text = yamlio.read_text(path)
        key = _hash(text)
        if key not in self.known:
            self.known[key] = _summary(text, path)
        self.used[key] = self.known[key]
        return self.used[key]

    def __exit__(self, *_: object) -> None:
        if not self.path or self.used.keys() == self.written:
            return
        cache.save(self.path, {key: each.plain() for key, each in self.used.items()})


def _key(path: str) -> str:
    try:
        return _hash(yamlio.read_text(path))
    except Problem:
        return ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _summary(text: str, path: str) -> Summary:
    # What is parsed need not be remembered: what comes of it is.
    return Summary.of(Match.of(Log.parse(text, path, remember=False)))


def _find_out(path: str) -> tuple[str, Summary] | None:
    """What is remembered of a log; None where it has a problem, to be told when it is its turn."""
    try:
        text = yamlio.read_text(path)
        return _hash(text), _summary(text, path)
    except Problem:
        return None


def plain(overview: Overview) -> dict[str, Any]:
    """The overview for programs."""
    return {
        "matches": [_plain(each) for each in overview.matches],
        "astray": overview.astray,
        "undelivered": overview.undelivered,
    }


def _plain(each: Status) -> dict[str, Any]:
    now = each.summary
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
        "undelivered": each.undelivered,
        "problems": list(each.problems),
    }


_HEADINGS: Final = "{:20} {:10} {:24} {:16} held mails  last move".format(
    "match", "last ply", "next to move", "since"
)


def lines(overview: Overview) -> Iterator[str]:
    """The overview for people: a line each, those who wait the longest first."""
    going = [each for each in overview.matches if each.summary and not each.summary.ended]
    going.sort(key=lambda each: each.summary.since if each.summary else "")
    others = [each for each in overview.matches if each not in going]
    yield _HEADINGS
    for each in (*going, *others):
        yield _line(each)
        for problem in each.problems:
            yield _printable(str(say("    problem: {problem}", problem=problem)))
        if each.undelivered:
            yield str(say(_UNDELIVERED, n=each.undelivered))
    if overview.astray:
        yield str(say(_ASTRAY, n=overview.astray))
    if overview.undelivered:
        yield str(say(_UNDELIVERED_ASTRAY, n=overview.undelivered))


_UNDELIVERED: Final = Counted(
    "    {n} answer could not be delivered; see .mailroom/outbox",
    "    {n} answers could not be delivered; see .mailroom/outbox",
)
_ASTRAY: Final = Counted("{n} mail of no match waits for you", "{n} mails of no match wait for you")
_UNDELIVERED_ASTRAY: Final = Counted(
    "{n} answer about no match could not be delivered; see .mailroom/outbox",
    "{n} answers about no match could not be delivered; see .mailroom/outbox",
)


def _line(each: Status) -> str:
    now = each.summary
    held, mails = sum(each.held.values()) or "", each.unanswered or ""
    if now is None:
        return _printable(f"{each.name:20} {'?':10} {'cannot be read':41} {held:>4} {mails:>5}")
    awaited = ", ".join(_called(seat, now) for seat in now.awaited)
    who = str(say("over: {ended}", ended=now.ended)) if now.ended else awaited
    place = f"#{now.ply} {now.fingerprint}"
    since = now.since[:16].replace("T", " ")
    return _printable(
        f"{each.name:20} {place:10} {who:24} {since:16} {held:>4} {mails:>5}  {now.last}"
    ).rstrip()


def _called(seat: Seat, now: Summary) -> str:
    name = now.players.get(seat, seat)
    return seat if name.casefold() == seat.casefold() else f"{name[:30]} ({seat})"


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in line)
