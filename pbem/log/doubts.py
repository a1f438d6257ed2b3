"""What a log without problems proves, and what it leaves open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from pbem.core import CHANCE
from pbem.log.entries import Ply
from pbem.log.entropy import gathering
from pbem.log.entropy.contributions import PassOver, Promise
from pbem.log.format import Log
from pbem.log.ruling import called
from pbem.log.rulings import Default, Ruled
from pbem.log.seal import MODERATOR, Keyring
from pbem.log.timing import Late
from pbem.sentence import Sentence, say

FUTURE: Final = "future"
UNPROVEN: Final = "unproven"
CHOSEN: Final = "chosen"
BEFORE_TIME: Final = "before-time"
DRAWN_OTHERWISE: Final = "drawn-otherwise"
MISSING: Final = "missing"
GRAVE: Final = frozenset({CHOSEN, BEFORE_TIME, MISSING})
"""The doubts about a log that no honest desk of this version leaves behind; of a club, that it
cannot be worked out again, as logs of its matches are not here."""


class LogDoubt(NamedTuple):
    """What a log without problems leaves open, said aloud: a `word` for programs, a sentence."""

    word: str
    sentence: Sentence


_OF_TIME_OVER: Final = frozenset(map(called, (PassOver, Late, Default)))
"""The rulings that say that somebody's time is over."""


def notices(log: Log, keys: Keyring, *, draws: bool = True) -> Iterator[Sentence]:
    """What a log without problems proves, what only a person can check, and what nobody can;
    without draws there is little to prove."""
    if log.header.position:
        yield from gathering.begun_from(log.header.position)
    if not draws or log.header.dealer != gathering.SEALED:
        return
    yield from gathering.proven(log.header.dealer, log.so_far().gathered)
    if keys.secret is None:
        yield say("No draw was checked: that takes the secret, which is revealed at the end.")


def of(log: Log, hasty: Collection[str], now: str, *, draws: bool = True) -> Iterator[LogDoubt]:
    """What everybody should know before they trust a log without problems: that times lie after
    `now`, or were set right after these `hasty` rulings; and what whoever knows the secret could
    choose."""
    so_far = log.so_far()
    for sentence in _in_the_future(log.in_time(), now):
        yield LogDoubt(FUTURE, sentence)
    if hasty:
        yield LogDoubt(
            BEFORE_TIME,
            say(
                "BEFORE ITS TIME: {kinds:all}, by the times that the moderator has set right "
                "since.",
                kinds=tuple(dict.fromkeys(hasty)),
            ),
        )
    if not draws:
        return
    if log.header.dealer != gathering.SEALED:
        [unproven] = gathering.proven(log.header.dealer, so_far.gathered)
        yield LogDoubt(UNPROVEN, unproven)
        return
    for sentence in _chosen_by_hand(log):
        yield LogDoubt(CHOSEN, sentence)
    if acts := tuple(_bearing_on_draws(log)):
        yield LogDoubt(
            DRAWN_OTHERWISE,
            say(
                "DRAWN OTHERWISE: chance draws by the number of the ply, and the moderator changed "
                "what stands before later draws: {acts:all}. Whoever knows the secret could work "
                "out beforehand which cards that would bring.",
                acts=acts,
            ),
        )


def _chosen_by_hand(log: Log) -> Iterator[Sentence]:
    """What goes into the draws and nobody but the moderator is known to have chosen."""
    so_far = log.so_far()
    for person, text in so_far.texts:
        yield say(
            "CHOSEN BY HAND: the draws after it depend on this text, entered for {person} when "
            "whoever knows the secret could try out any number of texts first: {text!r}",
            person=person,
            text=text,
        )
    typed = {
        entry.ruling.seat
        for entry in log.entries
        if isinstance(entry, Ruled) and isinstance(entry.ruling, Promise) and entry.by == MODERATOR
    }
    words = so_far.gathered.words
    if words and typed.issuperset(words):
        yield say(
            "CHOSEN BY HAND: the moderator typed in the hash of all words that go into the draws. "
            "That nobody chose a card is proven only to whoever finds their own words among them: "
            "{words:all}.",
            words=tuple(words.values()),
        )


def _bearing_on_draws(log: Log) -> Iterator[Sentence]:
    """The acts of the moderator on which later draws depend, each with the ply before it."""
    last = max((ply.nth for ply in log.plies if ply.seat == CHANCE), default=-1)
    number = 0
    for entry in log.entries[: last + 1]:
        if isinstance(entry, Ply):
            number = entry.number
        elif entry.ruling.bears_on_draws:
            yield say("{ruling} after #{ply}", ruling=entry.kind, ply=number)


def _in_the_future(log: Log, now: str) -> Iterator[Sentence]:
    """What is dated after now: the clock that wrote it was wrong, or this machine's is."""
    ahead = [entry for entry in log.entries if entry.at > now]
    if log.header.created > now:
        yield say(
            "IN THE FUTURE: this match was begun after now, {now}: {at}.",
            now=now,
            at=log.header.created,
        )
    elif ahead:
        yield say(
            "IN THE FUTURE: {n} [entry is|entries are] dated after now, [{now}|{now}; the first]: "
            "{at}.",
            n=len(ahead),
            now=now,
            at=ahead[0].at,
        )
    kinds = [e.kind for e in ahead if isinstance(e, Ruled) and e.kind in _OF_TIME_OVER]
    if kinds:
        yield say(
            "IN THE FUTURE: {kinds:all}, though nobody's time is over before it has come.",
            kinds=tuple(dict.fromkeys(kinds)),
        )
