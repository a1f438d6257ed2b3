"""Every match of a folder at a glance: who is awaited, since when, and what needs a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, NOBODY, Seat
from pbem.desk.address import Address
from pbem.desk.file import Desk, desk_path
from pbem.files import yamlio
from pbem.files.languages import ENGLISH
from pbem.files.processors import spread
from pbem.log import deadlines, seal, turns
from pbem.log.format import Log, dated_ahead
from pbem.log.match import Replay
from pbem.log.seal import MODERATOR
from pbem.log.timetable import (
    DESK,
    LAPSED,
    LATE,
    OVERDRAWN,
    OWED,
    PAUSED,
    SOON,
    Deadline,
    Timetable,
)
from pbem.matches.index import match_name
from pbem.problem import BadFile, Problem
from pbem.sentence import say

AWAY: Final = "away"
MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {LAPSED: LAPSED, LATE: LATE, OWED: LATE, PAUSED: PAUSED, OVERDRAWN: "spare", SOON: SOON}
)
"""How each state is marked, the worst first. AWAY takes the place of "spare", SOON and no mark."""


_MANY: Final = 40
"""Fewer new logs are not worth a second process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What anybody can read of a match: plain values, so that they can be kept.

    `awaited` are seats, `vacant` those of them that nobody holds, `since` when they came to be
    awaited, `last` the last move and who made it, `at` when the last entry was made, `ended` how
    the match ended, "" while it goes on; `languages` are those it is posted in, `times` is its
    timetable, None without a clock.
    """

    match: str
    game: str
    players: Mapping[Seat, str]
    ply: int
    fingerprint: str
    chain: str
    commit: str
    awaited: Sequence[Seat]
    since: str
    last: str
    at: str
    ended: str
    languages: Sequence[str] = (ENGLISH,)
    vacant: Sequence[Seat] = ()
    times: Timetable | None = None

    def mark(self, at: str) -> str:
        """The mark of the clock at a moment: the worst among the seats that are asked; "" if there
        is none."""
        times = self.times
        if times is None or self.ended or times.trouble:
            return ""
        states = {times.state(each, at) for each in times.deadlines}
        away = set(times.away_at(at)).intersection(self.awaited)
        marks = (mark for state, mark in MARKS.items() if state in states)
        worst = next(marks, "")
        return AWAY if away and worst not in (LAPSED, LATE, PAUSED) else worst

    @staticmethod
    def of(match: Replay) -> Summary:
        """The summary of a match, as a spectator may know it."""
        ply, fingerprint = match.position
        plies = [shown for shown, _ in match.plies if shown.seat not in NOBODY]
        outcome, awaited = match.outcome, match.awaited
        ended = ""
        if outcome is not None:
            ended = str(
                say("{winners:all} won [{why}]", winners=outcome.winners, why=outcome.why)
                if outcome.winners
                else say("nobody won [{why}]", why=outcome.why)
            )
        elif not awaited:  # who is to send words for the draws, else a card is to be drawn
            awaited = (match.gathering.missing if match.gathering else ()) or (CHANCE,)
        running = turns.of(match)
        timed = outcome is None and match.log.clock
        return Summary(
            match=match.name,
            game=match.game.NAME,
            players=match.players,
            ply=ply,
            fingerprint=fingerprint,
            chain=match.log.chain,
            commit=match.log.header.commit,
            awaited=awaited,
            since=running.since,
            last=f"{plies[-1].seat} {plies[-1].move}" if plies else "",
            at=match.log.moment(""),
            ended=ended,
            languages=match.log.languages,
            vacant=tuple(seat for seat in match.awaited if seat in match.vacant),
            times=deadlines.of(match, running) if timed else None,
        )

    def plain(self) -> list[Any]:
        """As the index keeps it: its values, the last two of which are `vacant` and `times`."""
        values = (getattr(self, name) for name in self.__slots__[:-1])
        return [*values, self.times and self.times.plain()]

    @staticmethod
    def kept(plain: list[Any]) -> Summary:
        """The summary, from what the index kept."""
        *values, times = plain
        named = zip(Summary.__slots__, (*values, times and Timetable.kept(times)), strict=True)
        return Summary(**dict(named))


class Known(NamedTuple):
    """What the index keeps of a desk file: the match it belongs to, the commitment to its secret,
    the addresses of its seats, how many moves are `held` for each seat while the log ends in a
    certain chain, whether it names webhooks, and by which `names` who plays a seat may write.
    Nothing that opens a log, and no move."""

    match: str
    commit: str
    addresses: Mapping[Seat, Sequence[Address]]
    held: Sequence[tuple[Seat, str, int]]
    webhooks: bool
    names: Mapping[Seat, Sequence[str]] = MappingProxyType({})

    @staticmethod
    def of(desk: Desk) -> Known:
        """What the index is to keep of a desk file."""
        # Only the rest of each order: plans are for nobody but their owner to see.
        held = [
            (plan.seat, each.after, len(plan.moves))
            for each in desk.waits
            for plan in each.plans
            if not plan.number
        ]
        commit = seal.commit(desk.secret)
        names = {seat: desk.names_of(seat) for seat in desk.addresses}
        return Known(desk.match, commit, desk.addresses, held, bool(desk.webhooks), names)


IsStuck = Callable[[str, Timetable, Deadline, str], bool]
"""Does the desk wait for the moderator, in this match, about this deadline, at this moment?"""

HasWritten = Callable[[str, Sequence[str], str], str]
"""What became of what was written about a match under these names: it WAITS for a person's
answer, or came to nothing since a moment; "" if there is nothing like that."""
WAITS: Final = "waits"


class Status(NamedTuple):
    """A match on the moderator's screen. Without a `summary`, its log could not be read.

    `held` counts the moves that are left of orders, by seat; `unanswered` the mails that lie aside
    or wait; `undelivered` the answers that could not be sent, or not yet; `stuck` says whether the
    desk waits for the moderator before it does anything about a seat; `wrote` are the seats that
    wait for an answer, or are asked and have written something, with what became of that: see
    HasWritten.
    """

    path: str
    summary: Summary | None
    held: Mapping[Seat, int]
    unanswered: int
    undelivered: int
    problems: tuple[str, ...]
    stuck: IsStuck
    wrote: Mapping[Seat, str] = MappingProxyType({})

    def wrong(self, at: str) -> tuple[str, ...]:
        """Its problems at a moment; that its last entry lies in the future is one."""
        last = self.summary.at if self.summary and not self.summary.ended else ""
        return (
            (*self.problems, str(dated_ahead(self.path, last, at))) if last > at else self.problems
        )

    def waits_for(self, at: str) -> dict[Seat, str]:
        """Whom the match waits for at a moment, by each seat that is asked: see Timetable. That is
        also the moderator if nobody holds the seat, or the desk waits for their word."""
        times = self.summary.times if self.summary else None
        found = dict.fromkeys(self.summary.vacant if self.summary else (), MODERATOR)
        if times is None:
            return found
        for each in times.deadlines:
            found[each.seat] = whom = times.waits_for(each, at)
            if whom == DESK and self.stuck(self.name, times, each, at):
                found[each.seat] = MODERATOR
        return found

    def for_moderator(self, at: str, *, by_hand: bool = False) -> tuple[Seat, ...]:
        """The seats for which the moderator must decide at a moment, or act `by_hand` where no desk
        does, unless the clock is paused."""
        if self.summary is None or self.summary.ended:
            return ()
        times, whom = self.summary.times, self.waits_for(at)
        theirs = (MODERATOR, DESK) if by_hand else (MODERATOR,)
        deadlines = times.deadlines if times else ()
        paused = {d.seat for d in deadlines if times and times.state(d, at) == PAUSED}
        return tuple(seat for seat in whom if whom[seat] in theirs and seat not in paused)

    @property
    def name(self) -> str:
        """The name of the match, from its file's name."""
        return match_name(self.path)


class Overview(NamedTuple):
    """All matches of a folder, and the mails and answers that belong to none of them."""

    matches: tuple[Status, ...]
    astray: int
    undelivered: int


def status_of(
    path: str,
    facts: list[Any] | Problem,
    known: Known | Problem,
    unanswered: Mapping[str, int],
    undelivered: Mapping[str, int],
    stuck: IsStuck,
    has_written: HasWritten,
) -> Status:
    """A match, by what the index knows of its log and desk file, and the counts of all matches."""
    problems = [str(each) for each in (facts, known) if isinstance(each, Problem)]
    summary = None if isinstance(facts, Problem) else Summary.kept(facts)
    if summary and summary.times and summary.times.trouble and not summary.ended:
        problems.append(str(say("no deadline is judged: {why}", why=summary.times.trouble)))
    held: dict[Seat, int] = {}
    if summary and not isinstance(known, Problem):
        if known.commit != summary.commit:
            where = desk_path(path)
            problems.append(str(BadFile("holds the secret of another match", where)))
        for seat, after, moves in known.held:
            if after == summary.chain:
                held[seat] = held.get(seat, 0) + moves
    name, wrote = match_name(path), dict[Seat, str]()
    if summary and not summary.ended and not isinstance(known, Problem):
        for seat, names in (known.names or known.addresses).items():
            what = has_written(name, names, summary.since)
            if what == WAITS or (what and seat in summary.awaited):
                wrote[seat] = what
    return Status(
        path=path,
        summary=summary,
        held=held,
        unanswered=unanswered.get(name, 0),
        undelivered=undelivered.get(name, 0),
        problems=tuple(problems),
        stuck=stuck,
        wrote=wrote,
    )


def find_out(paths: Sequence[str]) -> list[list[Any] | Problem]:
    """What anybody can read in these logs; all processors share the work if there are many."""
    return list(spread(_facts_in, paths, _MANY))


def has_clock(path: str) -> bool:
    """May this log have a clock? Looking for the word costs far less than reading the log."""
    try:
        with open(path, "rb") as file:
            text = file.read()
        return b"\n- ruling: clock\n" in text or b"clock" in text.partition(b"\nlog:")[0]
    except OSError:
        return True  # whoever reads it will say so


def _facts_in(path: str) -> list[Any] | Problem:
    try:
        # What was parsed need not be remembered: the index keeps what follows from it.
        return facts_of(Replay.of(Log.parse(yamlio.read_text(path), path, remember=False)))
    except Problem as problem:
        return problem


def facts_of(match: Replay) -> list[Any] | Problem:
    """What the index keeps of a match, as a spectator may know it."""
    try:
        summary = Summary.of(match)
        datetime.fromisoformat(summary.since)  # else nobody could say how long it has waited
    except Problem as problem:
        return problem
    except ValueError as error:
        return BadFile("holds a time that is none: {error}", match.log.path, error=error)
    return summary.plain()


def plain(overview: Overview, at: str) -> dict[str, Any]:
    """The overview for programs, at a moment."""
    return {
        "matches": [_plain(each, at) for each in overview.matches],
        "astray": overview.astray,
        "undelivered": overview.undelivered,
    }


_SHOWN: Final = ("game", "players", "ply", "fingerprint", "awaited", "since", "last", "ended")


def _plain(each: Status, at: str) -> dict[str, Any]:
    summary = each.summary
    shown: dict[str, Any] = {"match": each.name, "log": each.path}
    if summary:
        shown |= {
            **{name: getattr(summary, name) for name in _SHOWN},
            "awaited": list(summary.awaited) if not summary.ended else [],
            "ended": summary.ended or None,
        }
        if times := summary.times:
            states = {d.seat: times.state(d, at) for d in times.deadlines}
            shown["clock"] = {
                **times.shown(),
                "states": states,
                "waits_for": each.waits_for(at),
                "next": times.next(at) or None,
                "mark": summary.mark(at) or None,
            }
    return shown | {
        "held": dict(each.held),
        "wrote": list(each.wrote),
        "unanswered": each.unanswered,
        "undelivered": each.undelivered,
        "problems": list(each.wrong(at)),
    }
