"""What a message asks for besides moves, for the moderator: what was asked, and the command that
grants or answers it; and of what is asked in words of its own, the commands that may grant it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from pbem.core import CHANCE, Seat, Unreadable
from pbem.desk.answer import Verdict
from pbem.desk.authorship import Writer
from pbem.desk.reading import Reading, about
from pbem.intake import Request, Submission, asking
from pbem.intake.absence import absence, dates, weekdays
from pbem.intake.verbs import AWAY, BACK, MAILS, MODERATOR, RESIGN, TAKEBACK, VERBS
from pbem.intake.words import tokens
from pbem.log import deadlines, seal
from pbem.log.clock import day_of, written
from pbem.log.match import Replay
from pbem.log.rulings import Ruled
from pbem.mailroom import preferences
from pbem.problem import Usage
from pbem.report import compose
from pbem.sentence import say

QUESTION: Final = "question"
_NOTE: Final = "rule {log} note --text {answer}"
_OFFERED: Final = 7
"""How many days more are offered to whoever names none; they are left from now, too."""


class Wish(NamedTuple):
    """What somebody asks for, in their own words, and the line to type for it. If it is not
    `granted`, that line only answers, for all to read; `others` are the lines that may grant what
    its words ask for: see `fitting`."""

    verb: str
    asks: str
    text: str
    command: str
    granted: bool
    others: tuple[str, ...] = ()

    @property
    def is_for_a_person(self) -> bool:
        """Is it more than to be shown or sent something?"""
        return self.verb not in VERBS or VERBS[self.verb].goes in ("log", "person")


def wishes(
    match: Replay, seat: Seat, message: Submission, verdict: str, log: str, at: str
) -> list[Wish]:
    """What a message of a seat asks for, on which this was the verdict, at the time `at`, in a
    match whose log goes by this name. If it was refused, only what it says to the moderator
    counts, or to any person."""
    if seat == CHANCE:
        return []
    refused, verb = bool(Verdict(verdict).code), MODERATOR
    requests = [
        each
        for each in message.requests
        if not each.row.is_press  # that is in the log by now
        and (each.verb == MODERATOR or not refused)
    ]
    if requests or not (refused or verdict == Verdict.PASSED_ON):
        return [_wish(match, seat, each, log, at) for each in requests]
    if refused:
        reading = Reading.of(match, message, Writer((seat,)))
        said = reading.says() if reading.is_plea else ""
    else:
        asked = (each.text for each in message.ignored if each.why == QUESTION)
        new = [each.text for each in (*message.orders, *message.outside)]
        said = " ".join(new or asked)
        verb = TAKEBACK if about(message) == TAKEBACK else MODERATOR if new else QUESTION
    row = MODERATOR if verb == QUESTION else verb
    wish = _wish(match, seat, Request(row, 0, said), log, at)
    return [wish._replace(verb=verb)] if said else []


def _wish(match: Replay, seat: Seat, request: Request, log: str, at: str) -> Wish:
    row, said = request.row, request.text or request.said
    more = _MORE[request.verb](match, seat, request, at) if request.verb in _MORE else {}
    granted = bool(row.grants) and more is not None
    names = compose.names(match)
    values = {
        "{log}": log,
        "{seat}": seat,
        "{game}": match.game.NAME,
        "{text}": request.text,
        "{reason}": _asked_for(match, seat),
        **(more or {}),
    }
    command = _typed(row.grants, values) if granted else noting(match, seat, log)
    others = () if granted else fitting(match, seat, said, log, at)
    return Wish(request.verb, row.asks(seat).text(names), said, command, granted, others)


def fitting(match: Replay, seat: Seat, said: str, log: str, at: str) -> tuple[str, ...]:
    """The lines to type that may grant what a seat says in words of its own, the likeliest
    first. Days that are named are wished for, and an address is a new one, or that of somebody who
    is to play instead."""
    asked, over, names = seat in match.asked, match.outcome is not None, compose.names(match)
    named = {each for each in names if {*tokens(names[each])} <= {*tokens(said)}}
    late = [each for each in match.asked if each not in (CHANCE, seat) and each in (named or names)]
    address = found[0] if (found := _ADDRESS.search(said)) else ""
    verb, left = asking.mentioned(said), seat in match.vacant
    going = verb == AWAY or (verb == RESIGN and not left)
    days, span = _wished_for(said, match.log.moment(at)[:10], going=verb == AWAY)
    wanted = (*asking.wanted(said), *(verb,) * going)[:: -1 if verb == RESIGN else 1]
    wanted = wanted or ("moved", "deputy")[:: -1 if days else 1] * bool(address)
    wanted = wanted or (AWAY, TIME)[:: -1 if "?" in said else 1] * bool(days)
    forms = dict.fromkeys(
        _AWAY if form == EXTEND and not asked else form
        for each in wanted
        for form in _FITS[each]
        if each in _OF_ANY_MATCH or not over
    )
    idle = {"" if late else _NUDGE, *(() if match.log.clock else (EXTEND, _AWAY, _PAUSE))}
    awaited = [names[each] for each in late]
    values = {
        "{reason}": _asked_for(match, seat),
        "{turn}": say("{who:all}: your turn", who=awaited).text(),
    }
    if address:
        values |= {"{address}": address, "{who}": f"NAME <{address}>"}
    values |= span
    fits = (form for form in forms if form not in idle)
    return typed(fits, match, seat, log, at, values, days)


def _wished_for(said: str, today: str, *, going: bool) -> tuple[int, dict[str, str]]:
    """How many days more a seat wishes for in words of its own, 0 for none, and the first and the
    last of them, so far as it says which. Who is `going` without a day or a number of days may go
    at any time."""
    days, now = asking.days(said), date.fromisoformat(today)
    named: Sequence[date] = weekdays(said, today)
    if found := dates(said, today):
        named = [date.fromisoformat(each) for each in found]
    if not named:
        return days, dict(_ANY_DAYS) if going and not days else {}
    first, last = named[0], named[1] if named[1:] else None
    if days and not last:
        last = first + timedelta(days - 1)
    span = {"{first}": str(first), "{last}": str(last or _ANY_DAYS["{last}"])}
    until = last is not None and first <= now
    return days or ((last - now).days if last and until else 1), span


def granted_since(match: Replay, seat: Seat, at: str) -> frozenset[str]:
    """The kinds of rulings of the moderator since a moment that give a seat what people ask for."""
    return frozenset(
        entry.kind
        for entry in match.log.entries
        if isinstance(entry, Ruled)
        and entry.at > at
        and entry.by == seal.MODERATOR
        and entry.kind in _GRANTS
        and seat in (*getattr(entry.ruling, "seats", ()), getattr(entry.ruling, "seat", seat))
    )


def typed(
    forms: Iterable[str], match: Replay, seat: Seat, log: str, at: str, more: Values, days: int = 0
) -> tuple[str, ...]:
    """Lines to type about a seat, from such forms, with so many days where one gives time."""
    clock = match.log.clock is not None
    time = _time(match, seat, days or _OFFERED, match.log.moment(at)) if clock else {}
    blanks = {"{who}": "NAME <ADDRESS>", "{address}": "ADDRESS"}
    values = {"{log}": log, "{seat}": seat, **blanks, **time, **more}
    return tuple(_typed(form, values) for form in forms)


def noting(match: Replay, seat: Seat, log: str) -> str:
    """The line to type that answers a seat in the log, for all to read."""
    answer = say("To {name}: ...", name=compose.names(match)[seat]).text()
    return _typed(_NOTE, {"{log}": log, "{answer}": answer})


def _asked_for(match: Replay, seat: Seat) -> str:
    return say("{name} asked for it", name=compose.names(match)[seat]).text()


def _typed(form: str, values: Values) -> str:
    """A line to type, from its words and what stands in place of each name in braces."""
    line = ["pbem"]
    for word in form.split():
        value = values.get(word, word)
        line += [value] if isinstance(value, str) else value
    return shlex.join(line)


def _time(match: Replay, seat: Seat, days: int, at: str) -> dict[str, str]:
    """What gives a seat so many days from now, whether it is asked or not."""
    first = day_of(at, match.log.so_far().timing.clock.zone)
    soon = written(datetime.fromisoformat(at) + timedelta(days=days))
    return {
        "{days}": str(max(days, deadlines.days_past(match, seat, soon))),
        "{first}": first.isoformat(),
        "{last}": (first + timedelta(days=days - 1)).isoformat(),
    }


TIME, HALT = "time", "halt"
EXTEND: Final = "rule {log} extend --seat {seat} --by {days}"
DEFAULT: Final = "rule {log} default --seat {seat} --move {move} --reason {reason}"
SUBSTITUTE: Final = "rule {log} substitute --seat {seat} --player {who} --reason {reason}"
END: Final = "rule {log} end --reason {reason}"
MOVED: Final = "seat {log} --seat {seat} --address {address}"
_PAUSE: Final = "rule {log} pause"
_AWAY: Final = "rule {log} away --seat {seat} --from {first} --to {last}"
_ANY_DAYS: Final = {"{first}": "FIRST", "{last}": "LAST"}
_NUDGE: Final = "rule {log} note --text {turn}"
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_FITS: Final[Mapping[str, tuple[str, ...]]] = {
    "deputy": (SUBSTITUTE,),
    TIME: (EXTEND, _PAUSE, SUBSTITUTE),
    AWAY: (_AWAY, _PAUSE),
    RESIGN: (VERBS[RESIGN].grants, SUBSTITUTE),
    HALT: (_PAUSE,),
    "close": (_PAUSE, SUBSTITUTE, END),
    "nudge": (_NUDGE,),
    "again": ("new --like {log}",),
    "doubt": ("log {log} --times",),
    "moved": (MOVED,),
}
"""What may grant what is asked for in words of a field of `words/requests.txt`."""
_GRANTS: Final = {"takeback"} | {
    form.split()[2] for forms in _FITS.values() for form in forms if form.startswith("rule ")
} - {"note"}
_OF_ANY_MATCH: Final = ("again", "doubt")
"""What may still be granted when a match is over."""


# ------------------------------------------------------- what some commands need besides

Values = Mapping[str, str | tuple[str, ...]]
"""What stands in a command in place of each name in braces: a word, or any number of them."""


def _takeback(match: Replay, seat: Seat, request: Request, at: str) -> Values | None:
    """Back to the ply that is named or, if none is, to where the seat's last turn began."""
    turn, to = match.last_turn(seat), request.position[0] if request.position else None
    if to is None and turn:
        to = max((ply.number for ply, _ in match.plies if ply.nth < turn[0][0].nth), default=0)
    struck = [] if to is None else [ply for ply, _ in match.since(to)]
    revealed = any(ply.seat == CHANCE for ply in struck)
    return {"{to}": str(to), "{revealed}": ("--revealed",) * revealed} if struck else None


def _resign(match: Replay, seat: Seat, request: Request, at: str) -> Values | None:
    return None if match.outcome is not None or seat in match.vacant else {}


def _days(match: Replay, seat: Seat, request: Request, at: str) -> Values | None:
    timing = match.log.so_far().timing
    if timing.settings is None:
        return None
    try:
        found = absence(request.said, day_of(match.log.moment(at), timing.clock.zone).isoformat())
    except Unreadable:
        return None
    return {"{first}": found.first, "{last}": found.last} if found else None


def _setting(match: Replay, seat: Seat, request: Request, at: str) -> Values | None:
    try:
        return {"{setting}": preferences.option(preferences.read(request.said))}
    except Usage:
        return None


_MORE: Final[Mapping[str, Callable[[Replay, Seat, Request, str], Values | None]]] = {
    TAKEBACK: _takeback,
    RESIGN: _resign,
    AWAY: _days,
    BACK: _days,
    MAILS: _setting,
}
"""What the commands of these verbs need besides; None if they would grant nothing."""
