"""What a text says against the rules: the rule tells its writer more than "I can't read it"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import Pattern, Unreadable, Violation
from pbem.meaning.fitting import LONGEST_BLOCK, UNSAID, Fitting
from pbem.meaning.hints import MoveTexts
from pbem.meaning.mentions import Mention
from pbem.play import judge as play
from pbem.rules.reading import fold

_MOST: Final = 6  # mentions of one move that breaks a rule
_PARTED: Final = 2  # how many of these may begin a new clause


class Offence(NamedTuple):
    """An order in a text that the rules forbid: the moves before the first that breaks a rule, that
    move as it can be written, and what it breaks."""

    played: MoveTexts
    said: str
    reason: Violation


def broken(
    legal: Fitting, state: Any, mentions: Sequence[Mention], clause: int, *, bare: bool
) -> tuple[str, Violation] | None:
    """The move that mentions name and the rules forbid in a state, and what it breaks: all of them
    or as many of the first as end where something is parted, or with their `clause`; "" for what is
    done to somebody to whom it cannot be done. `bare` mentions are all that their clause says, and
    need no verb. None if they name no such move."""
    for size in range(min(len(mentions), LONGEST_BLOCK), 0, -1):
        if size in (len(mentions), clause) or mentions[size].parted:
            for whole, reason in _broken(legal, state, mentions[:size], bare=bare):
                return whole, reason
    return None


def _broken(
    legal: Fitting, state: Any, mentions: Sequence[Mention], *, bare: bool
) -> Iterator[tuple[str, Violation]]:
    """The same, move by move. What could be played with other words is no offence, nor is what
    leaves a thing open: "Ben's bridge away with two HUNA". A move that is whole comes first."""
    game = legal.match.game
    named = frozenset(each.thing for each in mentions if each.thing)
    counted = any(each.counted for each in mentions)
    if sum(each.parted for each in mentions[1:]) > _PARTED:
        return
    if named in legal.worded(state) and not counted:
        return
    verbs = [each.verbs for each in mentions if each.verbs]
    fuller = (some for more, some in legal.worded(state).items() if more > named)
    if verbs and any(all(v & each.verbs for v in verbs) for each in chain(*fuller)):
        return
    absent, read = list(_done_to_the_absent(legal, state, mentions)), dict[str, Pattern]()
    for text in dict.fromkeys((*_written_out(mentions, bare=bare), *absent)):
        with suppress(Unreadable):
            read[text] = game.parse(text)
    tried = {text: play.adjudicate(game, state, legal.seat, [read[text]]) for text in read}
    if any(isinstance(verdict, play.Accepted) for verdict in tried.values()):
        return  # "Bridge from K to C" is no free bridge
    for text in sorted(read, key=lambda text: read[text].is_open):  # "nehme kane5" robs nobody
        verdict = tried[text]
        if isinstance(verdict, play.Rejected) and isinstance(verdict.reason, Violation):
            whole = text if read[text].is_open else game.notate(read[text].move)
            yield "" if absent else whole, verdict.reason


def _done_to_the_absent(legal: Fitting, state: Any, mentions: Sequence[Mention]) -> Iterator[str]:
    """The legal moves with the verb that is mentioned, as if done to the player who is mentioned,
    whom no legal move names."""
    verbs = frozenset[str]().union(*(each.verbs for each in mentions))
    seats = "|".join(fold(each) for each in legal.match.setup.seats)
    for absent in (each.thing for each in mentions if each.thing in legal.vocabulary.absent):
        for wording in chain(*legal.worded(state).values()):
            if wording.verbs & verbs:
                yield re.sub(rf"\b(?:{seats})\b", absent, wording.text)


def _written_out(mentions: Sequence[Mention], *, bare: bool) -> Iterator[str]:
    """The ways to write mentions down as games read a move."""
    named = [each.verbs for each in mentions if each.verbs]
    acts = [each for each in named if not each <= UNSAID] or named
    verbs = frozenset[str]().union(*acts).intersection(*acts)
    if len(mentions) > _MOST or not (verbs or bare or any(each.glued for each in mentions)):
        return
    unsaid = [""] if not named or verbs & UNSAID else []
    for some in mentions, [each for each in mentions if not each.little]:
        things = [each.thing for each in some if each.thing]
        if len({*things}) == 1 < len(things):
            continue  # "my two Golas" are cards
        ways = [" ".join(things), re.sub(r" (?=\d)", "", " ".join(things)), "-".join(things)]
        cards, line = things[: -_PARTED or None] or things, things[-_PARTED:]
        ways.append(f"{'-'.join(things[:2])} with {' and '.join(things[2:])}")
        for verb in (*sorted(verbs), *unsaid) if things else ():
            if verb and len(line) == _PARTED:  # the cards may go unsaid that it takes
                yield f"{'+'.join(cards)} {verb} {'-'.join(line)}"
                yield f"{'+'.join(things[2:])} {verb} {'-'.join(things[:2])}"  # "with my Kahu"
            yield from (f"{verb} {text}".strip() for text in ways)
