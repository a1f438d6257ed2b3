"""The answer to a message that changed nothing: what it tells, and what could be done instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.core import Ambiguous, NoMove, Refused, Seat, Unreadable, Violation
from pbem.desk.current import last_at, written_by
from pbem.intake.asking import nearly
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.meaning.stray_moves import shown
from pbem.play import judge as play
from pbem.report import compose
from pbem.report.facts import Refusal, Report
from pbem.report.rulebook import sources
from pbem.sentence import Names, Sentence, in_turn, say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer, Trouble

MOST_INSTEAD: Final = 24
"""How many legal moves a refusal lists; if there are more, only some of them."""
_EXAMPLES: Final = 12
_PASSED_ON: Final = "Your mail was passed on to the moderator. {why}"


def rejection(answer: Answer, *, asked: str = "") -> Report:
    """The answer to a message that changed nothing, for its sender alone. If nobody knows who that
    is, it says nothing about the match. `asked` is what came of the message's other requests."""
    if answer.stranger:
        return Report(refusal=Refusal(reason=answer.message))
    shown = answer.before.seen_by(reader(answer))
    news = compose.since(shown, known_to_writer(answer))
    own = (answer.seat,) if answer.seat else None
    made = compose.report(shown, news, asked=asked, answers=own)
    return made._replace(refusal=refused(answer))


def reader(answer: Answer) -> Seat | None:
    """The seat whose cards the answer may show, as it goes to an address of that seat alone; None
    for nobody's."""
    match, seat = answer.before, answer.seat
    return seat if seat in match.setup.seats and match.keyring.secret is not None else None


def known_to_writer(answer: Answer) -> int:
    """How many entries of the log the writer of a stale message has seen; of any other, all."""
    log = answer.before.log
    if answer.verdict != "stale":
        return len(log.entries)
    seen = [_seen(log, *named) for named in answer.submission.positions]
    if not seen and (written := written_by(log, answer.submission)):
        seen = [sum(entry.at <= written for entry in log.entries)]
    return min(seen, default=len(log.entries))


def _seen(log: Log, ply: int | None, fingerprint: str | None) -> int:
    """How many entries somebody who names a position has seen; by its number, if it never was."""
    count = last_at(log, ply, fingerprint)
    if count is None:
        later = (e.nth for e in log.entries if isinstance(e, Ply) and e.number > (ply or 0))
        return next(later, len(log.entries)) if ply else len(log.entries)
    while count and log.first(count - 1).position == log.first(count).position:
        count -= 1  # entries that only tell something may be new to them
    return count


def refused(answer: Answer) -> Refusal:
    """Why a message changed nothing, and what could be played instead."""
    match, said = answer.before, answer.submission
    reason = answer.reason
    rule = reason.rule if isinstance(reason, Violation) else None
    known = compose.rule(match, rule)
    instead = play.Moves((), True)
    theirs = match
    # What an ambiguous text could mean stands in the reason.
    ambiguous = isinstance(reason, Ambiguous) or answer.by_number
    wishes = answer.troubles and all(nearly(trouble.text) for trouble in answer.troubles)
    if answer.seat and answer.verdict == "refused" and not (ambiguous or wishes):
        theirs = match.seen_by(own) if (own := reader(answer)) else match
        instead = compose.legal(theirs, answer.seat)
    listed = _listed(instead.texts)
    called = compose.names(match)
    to_a_person = answer.passed_on or answer.verdict == "passed-on"
    unheard = [each for each in said.ignored if not (to_a_person and each.why == "question")]
    choices = _choices(answer)
    understood = (
        answer.proposal[0]
        if answer.proposal and not answer.by_number
        else tuple(match.game.notate(step.move) for step in answer.steps)
    )
    return Refusal(
        said=compose.wrote(said),
        understood=understood,
        reason=say(_PASSED_ON, why=_why(answer, called)).text()
        if answer.passed_on
        else _why(answer, called),
        rule=rule,
        rule_says=known.get("says"),
        source=sources(match.game, known),
        unreadable=tuple(
            (t.line, compose.shortened(t.text), *_wrong(answer, t.error, theirs))
            for t in answer.troubles
            if isinstance(t.error, Unreadable)
            and not (choices or answer.proposal or (wishes and len(answer.troubles) == 1))
            and not _is_told(answer.why or (reason.sentence if reason else None), t)
        ),
        choices=choices,
        numbered=answer.by_number,
        instead=listed,
        ignored=() if said.only_old else tuple(compose.ignored(unheard)),
        more=len(instead.texts) - len(listed),
        uncounted=not instead.complete,
        again=answer.again,
        early=answer.early,
        complete=answer.seat != ""
        and bool(understood)
        and play.ends_turn(match.game, match.state, answer.seat, understood),
        no_move=bool(wishes or answer.troubles or choices or answer.proposal)
        or isinstance(reason, NoMove)
        or answer.verdict == "passed-on",
    )


def _listed(legal: Sequence[str]) -> tuple[str, ...]:
    """The legal moves that are shown: all, or examples, with those that name nothing: `pass`."""
    if len(legal) <= MOST_INSTEAD:
        return tuple(legal)
    bare = [each for each in legal if each.isalpha()][:_EXAMPLES]
    return (*[each for each in legal if each not in bare][: _EXAMPLES - len(bare)], *bare)


def _choices(answer: Answer) -> tuple[str, ...]:
    """The orders or moves that a text may mean, where they are several."""
    if answer.by_number:
        return tuple(str(in_turn(order)) for order in answer.proposal)
    reason = answer.reason
    return reason.choices if isinstance(reason, Ambiguous) and not reason.more else ()


def _is_told(why: Sentence | None, trouble: Trouble) -> bool:
    """Does the reason quote this line already, or the word that is wrong with it?"""
    values = why.values if why else {}
    word = values.get("line") == trouble.line and "word" in values
    return word or values.get("text") == shown(trouble.text)


def _wrong(answer: Answer, error: Unreadable, theirs: Replay) -> tuple[str, str]:
    """What is wrong with a line, and a way out; nothing that is said about the whole message."""
    called = compose.names(answer.before)
    if error.sentence.values.get("why") == (answer.why or ""):
        return "", ""
    hint = _hint(error, theirs, answer.seat)
    return error.text(called), hint.text(called) if hint else ""


def _hint(error: Unreadable, theirs: Replay, seat: Seat | None) -> Sentence | None:
    """A way out of a line that cannot be read; similar words are offered only if legal now."""
    advice = error.advice
    if advice is None:
        return None
    near = advice.values.get("near")
    if near is None:
        return compose.looks(theirs, seat, advice)
    fit = [word for word in near if _leads_on(theirs, seat, word)]
    return advice._replace(values={**advice.values, "near": fit}) if fit else None


def _leads_on(theirs: Replay, seat: Seat | None, word: str) -> bool:
    """Is this a move that is legal now, or a word of one?"""
    if seat is None or seat not in theirs.awaited:
        return False
    if any(word in re.split(r"[^\w]+", text) for text in compose.legal(theirs, seat).texts):
        return True
    try:
        play.resolve(theirs.game, theirs.state, seat, theirs.game.parse(word))
    except Ambiguous:
        return True
    except Refused:
        return False
    return True


def _why(answer: Answer, called: Names) -> str:
    """Why nothing was played, with these names for seats; the rule is told separately."""
    reason: Refused | None = answer.reason
    if _choices(answer) and not answer.proposal and isinstance(reason, Ambiguous):
        pattern = "{said!r} could mean one of these. Write the one you mean."
        return say(pattern, said=reason.said).text(called)
    if answer.why is not None:
        return answer.why.text(called)
    told = reason.sentence.text(called) if reason else ""
    move = answer.move.rstrip(" .,!")
    if told and move.casefold() not in told.casefold():
        return say("{move}: {told}", move=move, told=told).text(called)
    return told
