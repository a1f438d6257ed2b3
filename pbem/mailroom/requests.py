"""What the desk does about what a mail asks for: one row a verb.

Who wrote the mail has been settled before. A row gives what its sender is told; the mails to the
others follow from the log. To add a verb, name it in `intake.requests` and put a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core import NotNow, Seat, Unreadable, Usage
from pbem.desk import announce, press
from pbem.desk.address import Address
from pbem.desk.announce import State
from pbem.desk.answer import Answer, Verdict
from pbem.desk.append import Now
from pbem.desk.bench import Circumstances
from pbem.desk.file import Desk
from pbem.desk.submit import submit
from pbem.intake import Request, Submission
from pbem.intake.requests import (
    AWAY,
    BACK,
    BOARD,
    HELP,
    MODERATOR,
    RESIGN,
    SAY,
    STATUS,
    TAKEBACK,
    TIMED,
)
from pbem.log.match import Match
from pbem.mailroom import news, overview, primer
from pbem.mailroom.envelope import Envelope
from pbem.matches.matches import Matches
from pbem.report import compose
from pbem.report.escape import paragraph
from pbem.sentence import Sentence, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A mail that asks for something, in a match whose player wrote it.

    `message` is the mail without its order, `seat` whose it is, `all_matches` gives the paths of
    all matches of its sender and the seats there.
    """

    path: str
    message: Submission
    seat: Seat
    envelope: Envelope
    matches: Matches
    clock: Now
    wait: float
    all_matches: Callable[[], Mapping[str, Sequence[Seat]]]

    @property
    def here(self) -> Circumstances:
        return Circumstances(self.clock, compose.rehearse, self.wait)

    @property
    def now(self) -> Match:
        """The match as it stands, to be looked at."""
        return self.matches.look(self.path)

    @property
    def desk(self) -> Desk:
        """Its desk file."""
        return self.matches.open(self.path)[1]

    @property
    def own(self) -> Match:
        """The match as the sender's seat knows it."""
        return self.matches.seen_by(self.now, self.seat)


class Upshot(NamedTuple):
    """What came of a request: what its sender is told, to which address the letter of their seat
    goes again, and why a person must look at it, if one must. `verdict` says more than `asked`
    where the log has changed."""

    told: Sentence | None
    board: Address | None = None
    aside: Sentence | None = None
    verdict: str = "asked"


LOGGED: Final = ("said", "resigned", "vacated", "absent", "present")
"""The verdicts on what stands in the log now: its sender is told the news with it."""

Row = Callable[[Asked, Request], Upshot | Answer]
"""Acts on a request. An Answer turns the whole mail away. Raises Problem."""


def upshots(asked: Asked) -> list[Upshot] | Answer:
    """What comes of each thing a mail asks for, in order; what it says to all is one. Only absences
    can be several."""
    found: list[Upshot] = []
    wanted = {
        (r.verb, r.said if r.verb in TIMED else ""): r for r in reversed(asked.message.requests)
    }
    for request in wanted.values():
        upshot = ROWS[request.verb](asked, request)
        if isinstance(upshot, Answer):
            return upshot
        found.insert(0, upshot)
    return found


# ------------------------------------------------------------------------------- the rows


def _help(asked: Asked, request: Request) -> Upshot:
    return Upshot(primer.lesson(asked.own, asked.seat))


def _board(asked: Asked, request: Request) -> Upshot:
    on_file = news.person_at(asked.now, asked.desk, asked.seat)
    if on_file is None:
        return Upshot(
            say("Your moderator has no address of yours on file, so no letter can be sent.")
        )
    if on_file.address == asked.envelope.sender:
        return Upshot(None, on_file.address)
    return Upshot(
        say("Your letter goes to the address your moderator has on file for you."), on_file.address
    )


def _status(asked: Asked, request: Request) -> Upshot:
    return Upshot(overview.overview(asked.all_matches(), asked.matches))


def _takeback(asked: Asked, request: Request) -> Upshot:
    ply = request.position[0] if request.position else None
    if ply is None:
        why = say("takeback: {seat:seat} asks to take back a move", seat=asked.seat)
        told = say(
            "Your wish to take back a move was passed on to the moderator, who decides. Until then "
            "the match stands as it is."
        )
    else:
        why = say("takeback: {seat:seat} asks to go back to #{ply}", seat=asked.seat, ply=ply)
        told = say(
            "Your wish to go back to #{ply} was passed on to the moderator, who decides. Until "
            "then the match stands as it is.",
            ply=ply,
        )
    return Upshot(told, aside=why, verdict="passed-on")


def _moderator(asked: Asked, request: Request) -> Upshot:
    return Upshot(
        say("Your mail was passed on to the moderator. You'll hear from them, not from the desk."),
        aside=say("to moderator: {seat:seat} writes to you", seat=asked.seat),
        verdict="passed-on",
    )


def _say(asked: Asked, request: Request) -> Upshot | Answer:
    answer = submit(
        asked.path,
        asked.message,
        seat=None,
        clock=asked.clock,
        wait=asked.wait,
        opened=asked.matches.read,
    )
    if answer.verdict not in (Verdict.ACCEPTED, Verdict.DUPLICATE):
        return answer
    asked.matches.keep(answer.after)
    told = say(
        'You said: "{text}". It goes to all with the next report, under your name, and changes '
        "nothing else.",
        text=paragraph(press.said(asked.message)),
    )
    return Upshot(told, verdict="said")


def _resign(asked: Asked, request: Request) -> Upshot | Answer:
    found = announce.resign(asked.path, asked.message, request, asked.here)
    if isinstance(found, Answer):
        return found
    now, position = found.now, found.now.position
    ask = say(
        "[move]\nmatch: {match}\nresign {position}\n[/move]", match=now.name, position=position
    )
    asked.matches.keep(now)
    match found.state:
        case State.RESIGNED:
            return Upshot(say("You have resigned, and the match is over."), verdict="resigned")
        case State.VACATED:
            return Upshot(
                say(
                    "You have resigned. The match goes on without you, and the moderator decides "
                    "who plays for your seat."
                ),
                aside=say(
                    "resigned: the seat {seat} is vacant; `pbem rule LOG substitute` seats "
                    "somebody, `default` plays for it, `end` ends the match",
                    seat=found.seat,
                ),
                verdict="vacated",
            )
        case State.OVER:
            return Upshot(say("The match is over, so there is nothing to resign."))
        case State.OUTDATED:
            return Upshot(
                say(
                    "You have not resigned: the match has gone on since, or that was never its "
                    "position. If you still want to give up, send this back:\n\n{ask}",
                    ask=ask,
                )
            )
    if len(now.setup.seats) < 3:
        return Upshot(
            say(
                "You have not resigned yet. If you do, the match {match} ends and your opponent "
                "wins. To give up, send this back:\n\n{ask}",
                match=now.name,
                ask=ask,
            )
        )
    return Upshot(
        say(
            "You have not resigned yet. If you do, you leave your seat in the match {match}, and "
            "the others play on. To give up, send this back:\n\n{ask}",
            match=now.name,
            ask=ask,
        )
    )


def _announce(asked: Asked, request: Request) -> Upshot | Answer:
    if asked.now.log.header.clock is None:
        return Upshot(
            say(
                "This match has no clock: nobody can be late in it. Your mail was passed on to the "
                "moderator."
            ),
            aside=say("for you: {seat:seat} is away or back, and has no clock", seat=asked.seat),
            verdict="passed-on",
        )
    try:
        found = announce.announce(asked.path, asked.message, request, asked.here)
    except (NotNow, Usage) as problem:
        return Upshot(say("Nothing was entered: {problem}.", problem=problem.sentence))
    except Unreadable as refusal:
        return Upshot(say("Nothing was entered: {refusal}.", refusal=refusal))
    if isinstance(found, Answer):
        return found
    asked.matches.keep(found.now)
    told = found.sentence(asked.desk.zones.get(found.seat, ""))
    return Upshot(told, verdict="absent" if found.last else "present")


ROWS: Final[Mapping[str, Row]] = {
    HELP: _help,
    BOARD: _board,
    STATUS: _status,
    SAY: _say,
    TAKEBACK: _takeback,
    MODERATOR: _moderator,
    RESIGN: _resign,
    AWAY: _announce,
    BACK: _announce,
}
"""How each verb is acted on."""


def together(found: Sequence[Upshot]) -> Sentence | None:
    """All that the sender is told, a paragraph each."""
    told = list(_paragraphs(found))
    if not told:
        return None
    return say("{told:paragraphs}", told=told)


def _paragraphs(found: Sequence[Upshot]) -> Iterator[Sentence]:
    seen: list[Sentence] = []
    for upshot in found:
        if upshot.told is not None and upshot.told not in seen:
            seen.append(upshot.told)
            yield upshot.told


def without_press(message: Submission) -> Submission:
    """The same message without what it says to all, which its order takes along."""
    return message.less(requests=[each for each in message.requests if each.verb == SAY])
