"""What a message asks for besides moves, for the moderator: what was asked, and the command that
grants or answers it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core import CHANCE, Seat, Unreadable
from pbem.intake import asking
from pbem.problem import Usage
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer
    from pbem.intake import Request
    from pbem.log.match import Match

QUESTION: Final = "question"
OTHER: Final = "other"


class Grant(NamedTuple):
    """What somebody asks for, in their own words, and what to type for it after `pbem`."""

    verb: str
    asks: str
    text: str
    words: tuple[str, ...]

    @property
    def grants(self) -> bool:
        """Does the command grant it? A note only answers, for all to read."""
        return self.words[:2] != ("rule", "note")

    def command(self, log: str) -> str:
        """The line to type, for a log by this name."""
        first, *rest = self.words
        where = [] if first == "rules" else [log]
        return shlex.join(["pbem", first, *where, *rest])


def wishes(answer: Answer, at: str) -> list[Grant]:
    """What a message by a known writer asks for, at the time `at`; [] for nothing. If it was
    refused, only what it says to the moderator counts."""
    said, seat, now = answer.said, answer.seat, answer.after
    if said is None or seat is None or seat == CHANCE or not answer.writer:
        return []
    from pbem.desk.answer import Verdict
    from pbem.desk.reading import about
    from pbem.intake import Request
    from pbem.report import compose

    names = compose.names(now)
    found = [
        Grant(
            each.verb,
            say(_ASKS[each.verb if each.verb in _ASKS else OTHER], seat=seat).text(names),
            each.text or each.said,
            _GRANTS.get(each.verb, _note)(now, seat, each, at),
        )
        for each in said.requests
        if each.verb not in (asking.SAY, asking.LETTER)  # these are in the log by now
        and (not answer.code or each.verb == asking.MODERATOR)
    ]
    if found or answer.verdict != Verdict.PASSED_ON:
        return found
    verb, lines = about(said), (*said.orders, *said.outside)
    if said.orders or verb == asking.TAKEBACK:
        line, text = lines[0], " ".join(each.text for each in lines)
        # Nothing undoes a resignation, and prose gives no dates and no settings.
        verb = verb if verb in (asking.TAKEBACK, asking.HELP) else asking.MODERATOR
        grant = _GRANTS.get(verb, _note)(now, seat, Request(verb, *line), at)
        return [Grant(verb, say(_ASKS[verb], seat=seat).text(names), text, grant)]
    asked = " ".join(each.text for each in said.ignored if each.why == QUESTION)
    who = say(_ASKS[asking.MODERATOR], seat=seat).text(names)
    return [Grant(QUESTION, who, asked, _note(now, seat))] if asked else []


Typed = tuple[str, ...]


def _note(now: Match, seat: Seat, *_: object) -> Typed:
    """An answer for all to read."""
    return ("rule", "note", "--text", say("To {name}: ...", name=_name(now, seat)).text())


def _name(now: Match, seat: Seat) -> str:
    from pbem.report import compose

    return compose.names(now)[seat]


def _takeback(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    """Back to the ply that is named or, if none is, to where the seat's last turn began."""
    turn, to = now.last_turn(seat), request.position[0] if request.position else None
    if to is None and turn:
        to = max((ply.number for ply, _ in now.plies if ply.nth < turn[0][0].nth), default=0)
    struck = [] if to is None else [ply for ply, _ in now.since(to)]
    if not struck:
        return _note(now, seat)
    revealed = ["--revealed"] * any(ply.seat == CHANCE for ply in struck)
    reason = say("{name} asked for it", name=_name(now, seat)).text()
    return ("rule", "takeback", "--to", str(to), *revealed, "--reason", reason)


def _resign(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    if now.outcome is not None or seat in now.vacant:
        return _note(now, seat)
    reason = say("{name} asked for it", name=_name(now, seat)).text()
    return ("rule", "resign", "--seat", seat, "--reason", reason)


def _absent(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    timing = now.log.so_far().timing
    if timing.settings is None:
        return _note(now, seat)
    from pbem.intake.absence import absence
    from pbem.log.clock import day_of

    try:
        said = absence(request.said, day_of(now.log.moment(at), timing.clock.zone).isoformat())
    except Unreadable:
        return _note(now, seat)
    assert said is not None
    if said.last:
        return ("rule", "away", "--seat", seat, "--from", said.first, "--to", said.last)
    return ("rule", "back", "--seat", seat, "--from", said.first)


def _letter(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    return ("letter", "--seat", seat)


def _post(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    return ("post", "--whole")


def _rules(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    return ("rules", now.game.NAME, request.text)


def _setting(now: Match, seat: Seat, request: Request, at: str) -> Typed:
    from pbem.mailroom import preferences

    try:
        name, value = preferences.read(request.said)
    except Usage:
        return _note(now, seat)
    if name in (asking.TEXT_ONLY, asking.PICTURES):
        option = name if name == asking.PICTURES else "text-only"
        return (
            "seat",
            "--seat",
            seat,
            f"--{option}" if value == preferences.ON else f"--no-{option}",
        )
    if name == asking.MAILS and value not in (preferences.EACH, preferences.ONCE):
        value = f"daily {value}"
    return ("seat", "--seat", seat, f"--{name}", value)


_ASKS: Final = {
    asking.MODERATOR: "{seat:seat} writes to you",
    asking.TAKEBACK: "{seat:seat} asks to take back a move",
    asking.RESIGN: "{seat:seat} wants to resign",
    asking.AWAY: "{seat:seat} is away",
    asking.BACK: "{seat:seat} is back",
    asking.HELP: "{seat:seat} asks how to write a move; the letter tells it",
    asking.BOARD: "{seat:seat} asks for the letter again",
    asking.STATUS: "{seat:seat} asks how the match stands",
    asking.RULES: "{seat:seat} asks for a rule",
    asking.MAILS: "{seat:seat} sets how they want to be written to",
    OTHER: "{seat:seat} asks for what the desk gives by mail",
}
_GRANTS: Final[Mapping[str, Callable[[Match, Seat, Request, str], Typed]]] = {
    asking.TAKEBACK: _takeback,
    asking.RESIGN: _resign,
    asking.AWAY: _absent,
    asking.BACK: _absent,
    asking.HELP: _letter,
    asking.BOARD: _letter,
    asking.STATUS: _post,
    asking.RULES: _rules,
    asking.MAILS: _setting,
}
"""What grants a wish; any other is answered by a note for all to read."""
