"""What a message asks for besides moves, for the moderator: what was asked, and the command that
grants or answers it; and of what is asked in words of its own, the commands that may grant it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from pbem.core import CHANCE, Seat, Unreadable
from pbem.desk.answer import Verdict
from pbem.desk.authorship import Writer
from pbem.desk.reading import Reading
from pbem.intake import Request, Submission, asking
from pbem.intake.absence import absence, dates, weekdays
from pbem.intake.caveats import is_caveat, of_a_move, retracts
from pbem.intake.verbs import AWAY, BACK, MAILS, MODERATOR, RESIGN, TAKEBACK, VERBS
from pbem.intake.words import tokens
from pbem.log import deadlines, seal
from pbem.log.clock import day_of, written, zone
from pbem.log.entries import Entry, Ply
from pbem.log.match import Replay
from pbem.log.ruling import Ruling
from pbem.log.rulings import Default, Ruled
from pbem.mailroom import preferences
from pbem.problem import Usage
from pbem.report import compose, rulebook
from pbem.sentence import Sentence, say

QUESTION: Final = "question"
_NOTE: Final = "rule {log} note --text {answer}"
_OFFERED: Final = 7
"""How many days more are offered to whoever names none; they are left from now, too."""
_A_YEAR: Final = timedelta(365)  # no day beyond it is counted one by one


class Occasion(NamedTuple):
    """When a seat wrote: the `match` as it stood then, whose `log` goes by this name, the time `at`
    which that was, and what has been entered `since`, up to the day `today`; the `sender` is the
    address they wrote from, if it was a mail."""

    match: Replay
    seat: Seat
    log: str
    at: str
    since: tuple[Entry, ...] = ()
    today: str = ""
    sender: str = ""

    @staticmethod
    def of(match: Replay, seat: Seat, log: str, at: str, today: str, entries: int) -> Occasion:
        """That of a match which had so many entries then. Raises Problem."""
        then, since = match.log.first(entries), match.log.entries[entries:]
        before = Replay.of(then, match.keyring) if since else match
        return Occasion(before, seat, log, at, since, today)

    def granted(self, said: str) -> frozenset[str]:
        """The kinds of rulings of the moderator since that give the seat what it asks for: those
        about the seat, and of those about the match what these words ask for."""
        wanted = (*asking.wanted(said), *([_RETURNING] if asking.returns(said) else []))
        kinds = frozenset(_ruled(form) for each in wanted for form in _FITS[each])
        kinds |= {"takeback"} if retracts(said) else set()
        return frozenset(
            entry.kind
            for entry in self.since
            if isinstance(entry, Ruled) and entry.by == seal.MODERATOR and entry.kind in _GRANTS
            if (self.seat in seats if (seats := _named(entry.ruling)) else entry.kind in kinds)
        )

    def overtaken(self, asked: str = "") -> Sentence | None:
        """Why what was asked for then is granted no more, if it is not: what goes back to a turn or
        hurries somebody, once anybody has moved; all else but what reaches beyond that turn, once
        the writer has gone on themselves."""
        players = compose.names(self.match)
        moved = dict.fromkeys(each.seat for each in self.since if isinstance(each, Ply))
        whose = self.match.setup.seats if asked in (TAKEBACK, "nudge") else (self.seat,)
        seats = [each for each in moved if each in whose and asked not in _OUTLASTS]
        rulings = (entry.ruling for entry in self.since if isinstance(entry, Ruled))
        silent = {ruling.seat for ruling in rulings if isinstance(ruling, Default)}
        pattern = _PLAYED_SINCE if silent.issuperset(seats) else _MOVED_SINCE
        return say(pattern, n=len(seats), who=[players[s] for s in seats]) if seats else None


def _named(ruling: Ruling) -> tuple[Seat, ...]:
    """The seats that a ruling names; () if it is about the match."""
    named = (*getattr(ruling, "seats", ()), getattr(ruling, "seat", ""))
    return tuple(filter(None, named))


def _ruled(form: str) -> str:
    """The kind of ruling that a line to type enters for its writer; "" for any other line."""
    return form.split()[2] if form.startswith("rule ") and "{late}" not in form else ""


class Wish(NamedTuple):
    """What somebody asks for, in their own words, and the line to type for it. If it is not
    `granted`, that line only answers, for all to read; `others` are the lines that may grant what
    its words ask for, unless that is `overtaken`: see `fitting`. `rules` may answer a question."""

    verb: str
    asks: str
    text: str
    command: str
    granted: bool
    others: tuple[str, ...] = ()
    overtaken: Sentence | None = None
    rules: tuple[str, ...] = ()

    @property
    def is_for_a_person(self) -> bool:
        """Is it more than to be shown or sent something?"""
        return self.verb not in VERBS or VERBS[self.verb].goes in ("log", "person")


def wishes(then: Occasion, message: Submission, verdict: str) -> list[Wish]:
    """What a message asks for on which this was the verdict. If it was refused, only what it says
    to the moderator counts, or to any person."""
    match, seat = then.match, then.seat
    if seat == CHANCE:
        return []
    refused, verb, rules = bool(Verdict(verdict).code), MODERATOR, tuple[str, ...]()
    requests = [
        each
        for each in message.requests
        if not each.row.is_press  # that is in the log by now
        and (each.verb == MODERATOR or not refused)
    ]
    if requests or not (refused or verdict == Verdict.PASSED_ON):
        return [_wish(then, each) for each in requests]
    reading = Reading.of(match, message, Writer((seat,)))
    if refused:
        said = reading.says() if reading.is_plea else ""
    else:
        said = " ".join(line.text for line in reading.unread)
        verb = MODERATOR if message.orders or message.outside else QUESTION
        verb = TAKEBACK if speaks_of(reading) == TAKEBACK else verb
        rules = tuple(each.text() for each in answering(reading))
    row = MODERATOR if verb == QUESTION else verb
    wish = _wish(then, Request(row, 0, said))
    return [wish._replace(verb=verb, rules=rules)] if said else []


def answering(reading: Reading) -> Sequence[Sentence]:
    """The rules that a question in a message may be about; () if there is none, or it asks a person
    for something else, or pleads: "May we stop the match?", "Can you cancel my last card?"."""
    asked = rulebook.question(reading.message)
    said = " ".join(line.text for line in reading.unread)
    of_a_person = _undoes(reading) or not {"doubt"}.issuperset(asking.wanted(said))
    return rulebook.answering(reading.match, asked) if asked and not of_a_person else ()


def speaks_of(reading: Reading) -> str:
    """The verb that a message is about in words of its own, though it say no more than what to do
    with an order: "ignore my last mail"; "" for none."""
    return reading.about or (TAKEBACK if _undoes(reading) else "")


def has_played(reading: Reading) -> bool:
    """Is there a move in the match that the writer of a message has played?"""
    return any(ply.seat in reading.writer.seats for ply, _ in reading.match.plies)


def _undoes(reading: Reading) -> bool:
    """Does a message take back what its writer has played: does it say so of an order, or of moves
    ("ignore my last mail")? "Get someone else in" does not, nor does "I wait for your move"."""
    return has_played(reading) and any(
        retracts(line.text)
        and not asking.wanted(line.text)
        and (is_caveat(line.text) or of_a_move(line.text) or reading.names_things([line]))
        for line in reading.unread
    )


def _wish(then: Occasion, request: Request) -> Wish:
    match, seat, row, said = then.match, then.seat, request.row, request.text or request.said
    over = then.overtaken(request.verb) if row.goes in ("log", "person") else None
    more = _MORE[request.verb](then, request) if request.verb in _MORE else {}
    granted = bool(row.grants) and more is not None and over is None
    names = compose.names(match)
    values = {
        "{log}": then.log,
        "{seat}": seat,
        "{game}": match.game.NAME,
        "{text}": request.text,
        "{reason}": _asked_for(match, seat),
        **(more or {}),
    }
    command = to_type(row.grants, values) if granted else noting(match, seat, then.log)
    others, gone = ((), None) if granted else fitting(then, said)
    asks = row.asks(seat).text(names)
    return Wish(request.verb, asks, said, command, granted, others, gone or over)


def fitting(then: Occasion, said: str) -> tuple[tuple[str, ...], Sentence | None]:
    """The lines to type that may grant what a seat says in words of its own, the likeliest first,
    and why others are offered no more. Days that are named are wished for, and an address is a new
    one, or that of somebody who is to play instead."""
    match, seat = then.match, then.seat
    asked, over, names = seat in match.asked, match.outcome is not None, compose.names(match)
    named = {each for each in names if {*tokens(names[each])} <= {*tokens(said)}}
    late = [each for each in match.asked if each not in (CHANCE, seat) and each in (named or names)]
    address = found[0] if (found := ADDRESS.search(said)) else ""
    verb = asking.mentioned(said)
    going = verb if verb == AWAY or (verb == RESIGN and seat not in match.vacant) else ""
    days, times = _wished_for(then, said, going=verb == AWAY)
    wanted = _wanted(said, going, days=days, complains=not named.isdisjoint(late))
    gone = {each: why for each in wanted if (why := then.overtaken(each))}
    forms = dict.fromkeys(
        _AWAY if form == EXTEND and not asked else form
        for each in wanted
        for form in (_FITS[each][0], *(it.replace("{reason}", "REASON") for it in _FITS[each][1:]))
        if each not in gone and (each in _OF_ANY_MATCH or not over) and (each != "nudge" or late)
    )
    idle = _idle(then)
    values: dict[str, str | tuple[str, ...]] = {
        "{reason}": _asked_for(match, seat),
        "{offer}": say("{name} offers a draw", name=names[seat]).text(),
    }
    if late:
        turn = say("{who:all}: your turn", who=[names[each] for each in late])
        more = time_for(match, late[0], then.at).get("{days}", "")
        values |= {"{turn}": turn.text(), "{late}": late[0], "{more}": more}
    if address:
        known = [then.sender] if "@" in then.sender else []  # else it is a forum's account
        both = several(address, *known)
        values |= {"{address}": both, "{who}": f"{called(address, said)} <{address}>"}
    values |= times
    if _AWAY in forms and times.get("{last}", then.today) < then.today:
        gone[AWAY], idle = say(_DAYS_OVER), {*idle, _AWAY}
    fits = [form for form in forms if form not in idle]
    if match.log.clock is None and not (over or idle.isdisjoint(forms)):
        values["{hurry}"] = say("No hurry: this match has no deadlines").text()
        fits = [_NO_HURRY, *fits]
    return typed(fits, match, seat, then.log, values), next(iter(gone.values()), None)


def _idle(then: Occasion) -> set[str]:
    """The lines about time that would change nothing as the clock stands, if there is one."""
    match, forms = then.match, {EXTEND, _AWAY, _PAUSE, _RESUME, _BACK, _FOR_THE_LATE}
    if not match.log.clock:
        return forms
    timing, at = match.log.so_far().timing, match.log.moment(then.at)
    today = day_of(at, timing.clock.zone).toordinal()
    away = max(timing.days(then.seat), default=0) >= today
    return {_PAUSE if timing.paused else _RESUME} | (set() if away else {_BACK})


def _wanted(said: str, going: str, *, days: bool, complains: bool) -> tuple[str, ...]:
    """What a text asks for, the likeliest first. If it asks for nothing in so many words, it may
    say that its writer is `going`, or name `days` or an address; or it `complains` of who is on
    turn: it names them, and how long they take, or asks about them."""
    asked = asking.wanted(said)
    if asking.returns(said) and not (days or going):
        return (_RETURNING, *(each for each in asked if each != GRIEF))
    if going:
        return (going, *asked) if going == RESIGN else (*asked, going)
    if asked:
        return asked
    if complains and (days or "?" in said):
        return ("nudge",)
    if ADDRESS.search(said):
        return ("deputy",)
    if days:
        return (TIME, AWAY) if "?" in said else (AWAY, TIME)
    return ()


def several(*addresses: str) -> tuple[str, ...]:
    """What stands in a command for some addresses of a seat, of which the first gets its mails."""
    first, *others = addresses
    return (first, *(word for each in others for word in ("--address", each)))


def called(address: str, said: str) -> str:
    """The name that a text tells of whoever has an address: the part of that is called so."""
    words = re.findall(r"[^\W\d_]{3,}", said.replace(address, ""))
    local = address.partition("@")[0].casefold()
    return next((it for it in words if it[0].isupper() and it.casefold() in local), "NAME")


def _wished_for(then: Occasion, said: str, *, going: bool) -> tuple[bool, dict[str, str]]:
    """Whether a seat names days in words of its own, and what stands for them in a command: how
    many more it wishes for, and which. A day until which it asks is the last of them, whatever else
    is counted, and one on which it plays the first that is none of them; who is `going` without a
    day or a number of days may go at any time."""
    match, seat = then.match, then.seat
    days, at = asking.days(said), match.log.moment(then.at)
    now = date.fromisoformat(at[:10])
    named = weekdays(said, at[:10])
    if found := dates(said, at[:10]):
        named = tuple(date.fromisoformat(each) for each in found)
    named = tuple(each for each in named if each - now < _A_YEAR)
    more = time_for(match, seat, at, days or (1 if named else _OFFERED))
    more["{pace}"] = str(days)
    if not named:
        return days > 0, more | (_ANY_DAYS if going and not days else {})
    first, last = named[0], named[1] if named[1:] else None
    comes = not last and asking.comes(said)
    until = last or first
    if comes and not days:
        first, last = now, first - timedelta(1)
    elif days and not last:
        until = last = first + timedelta(days - 1)
    if match.log.clock and not (days and comes):
        there = zone(match.log.so_far().timing.clock.zone)
        begins = written(datetime.combine(until, time.min, there).astimezone(UTC))
        more["{days}"] = str(deadlines.days_past(match, seat, begins, 1))
    return True, more | {"{first}": str(first), "{last}": str(last or _ANY_DAYS["{last}"])}


def typed(
    forms: Iterable[str], match: Replay, seat: Seat, log: str, more: Values
) -> tuple[str, ...]:
    """Lines to type about a seat, from such forms, with what stands in each blank besides."""
    blanks = {"{who}": "NAME <ADDRESS>", "{address}": "ADDRESS"}
    values = {"{log}": log, "{seat}": seat, **blanks, **more}
    return tuple(to_type(form, values) for form in forms)


def noting(match: Replay, seat: Seat, log: str) -> str:
    """The line to type that answers a seat in the log, for all to read."""
    answer = say("To {name}: ...", name=compose.names(match)[seat]).text()
    return to_type(_NOTE, {"{log}": log, "{answer}": answer})


def _asked_for(match: Replay, seat: Seat) -> str:
    return say("{name} asked for it", name=compose.names(match)[seat]).text()


def to_type(form: str, values: Values) -> str:
    """A line to type, from its words and what stands in place of each name in braces."""
    line = ["pbem"]
    for word in form.split():
        value = values.get(word, word)
        line += [value] if isinstance(value, str) else value
    return shlex.join(line)


def time_for(match: Replay, seat: Seat, at: str, days: int = _OFFERED) -> dict[str, str]:
    """What stands in a command that gives a seat so many days from a time on, whether it is asked
    or not; nothing where there is no clock."""
    if match.log.clock is None:
        return {}
    at = match.log.moment(at)
    first = day_of(at, match.log.so_far().timing.clock.zone)
    soon = written(datetime.fromisoformat(at) + timedelta(days=days))
    return {
        "{days}": str(max(days, deadlines.days_past(match, seat, soon))),
        "{first}": first.isoformat(),
        "{today}": first.isoformat(),
        "{last}": (first + timedelta(days=days - 1)).isoformat(),
    }


TIME, GRIEF, HALT, PACE = "time", "grief", "halt", "pace"
_RETURNING: Final = "returning"
EXTEND: Final = "rule {log} extend --seat {seat} --by {days}"
DEFAULT: Final = "rule {log} default --seat {seat} --move {move} --reason {reason}"
SUBSTITUTE: Final = "rule {log} substitute --seat {seat} --player {who} --reason {reason}"
END: Final = "rule {log} end --reason {reason}"
REOPEN: Final = "rule {log} reopen --reason REASON"
MOVED: Final = "seat {log} --seat {seat} --address {address}"
_PAUSE: Final = "rule {log} pause"
_RESUME: Final = "rule {log} resume"
_BACK: Final = "rule {log} back --seat {seat} --from {today}"
_AWAY: Final = "rule {log} away --seat {seat} --from {first} --to {last}"
_ANY_DAYS: Final = {"{first}": "FIRST", "{last}": "LAST"}
_NO_HURRY: Final = "rule {log} note --text {hurry}"
_NUDGE: Final = "rule {log} note --text {turn}"
_FOR_THE_LATE: Final = "rule {log} extend --seat {late} --by {more}"
ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_FITS: Final[Mapping[str, tuple[str, ...]]] = {
    "deputy": (SUBSTITUTE,),
    TIME: (EXTEND, _PAUSE, SUBSTITUTE),
    GRIEF: (EXTEND, _PAUSE, SUBSTITUTE),
    _RETURNING: (_RESUME, _BACK),
    AWAY: (_AWAY, _PAUSE),
    RESIGN: (VERBS[RESIGN].grants, SUBSTITUTE),
    HALT: (_PAUSE,),
    "draw": ("rule {log} note --text {offer}", END),
    "close": (_PAUSE, SUBSTITUTE, END),
    "nudge": (
        _NUDGE,
        _FOR_THE_LATE,
        "rule {log} default --seat {late} --move MOVE --reason {reason}",
        "rule {log} substitute --seat {late} --player {who} --reason {reason}",
    ),
    PACE: ("rule {log} clock --turn {pace}",),
    "again": ("new --like {log}",),
    "doubt": ("log {log} --times",),
    "moved": (MOVED,),
}
"""What may grant what is asked for in words of a field of `words/requests.txt`: first what is asked
for, then what may do instead, for which the moderator gives the reason."""
_GRANTS: Final = {"takeback"} | {_ruled(form) for forms in _FITS.values() for form in forms} - {
    "note",
    "",
}
_OF_ANY_MATCH: Final = ("again", "doubt")
"""What may still be granted when a match is over."""
_OUTLASTS: Final = (*_OF_ANY_MATCH, AWAY, BACK, MODERATOR, RESIGN, "deputy", "moved", PACE)
"""What may still be granted once its writer has gone on."""
_MOVED_SINCE: Final = "{who:all} [has|have] moved since"
_PLAYED_SINCE: Final = "a move was played for {who:all} since"
_DAYS_OVER: Final = "these days are over"


# ------------------------------------------------------- what some commands need besides

Values = Mapping[str, str | tuple[str, ...]]
"""What stands in a command in place of each name in braces: a word, or any number of them."""


def _takeback(then: Occasion, request: Request) -> Values | None:
    """Back to the ply that is named or, if none is, to where the seat's last turn began."""
    match, turn = then.match, then.match.last_turn(then.seat)
    to = request.position[0] if request.position else None
    if to is None and turn:
        to = max((ply.number for ply, _ in match.plies if ply.nth < turn[0][0].nth), default=0)
    struck = [] if to is None else [ply for ply, _ in match.since(to)]
    revealed = any(ply.seat == CHANCE for ply in struck)
    return {"{to}": str(to), "{revealed}": ("--revealed",) * revealed} if struck else None


def _resign(then: Occasion, request: Request) -> Values | None:
    return None if then.match.outcome is not None or then.seat in then.match.vacant else {}


def _days(then: Occasion, request: Request) -> Values | None:
    log = then.match.log
    timing = log.so_far().timing
    if timing.settings is None:
        return None
    try:
        found = absence(request.said, day_of(log.moment(then.at), timing.clock.zone).isoformat())
    except Unreadable:
        return None
    return {"{first}": found.first, "{last}": found.last} if found else None


def _setting(then: Occasion, request: Request) -> Values | None:
    try:
        return {"{setting}": preferences.option(preferences.read(request.said))}
    except Usage:
        return None


_MORE: Final[Mapping[str, Callable[[Occasion, Request], Values | None]]] = {
    TAKEBACK: _takeback,
    RESIGN: _resign,
    AWAY: _days,
    BACK: _days,
    MAILS: _setting,
}
"""What the commands of these verbs need besides; None if they would grant nothing."""
