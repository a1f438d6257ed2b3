"""The titles of the mails about a match: written here, and known again, in each language, in the
subject of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from pbem.core import CHANCE, Seat
from pbem.files import languages
from pbem.intake.words import tokens
from pbem.log.match import Replay
from pbem.sentence import Sentence, listed, say

ENDS: Final = {
    "drawn": "the match is drawn",
    "won": "{winners:seats} won",
    "dealt": "cards must be dealt first",
    "sought": "a substitute is sought for {seats:seats}",
    "vacant": "the moderator decides for {seats:seats}",
    "moves": "{seats:seats} to move",
}
TITLES: Final[Mapping[str, str]] = {
    "refused": "Not played; {next_up}",
    "idle": "Nothing was played; {next_up}",
    "plans": "Your plans wait; {next_up}",
    "accepted": "Your order was accepted; {next_up}",
    "seated": "You have taken a seat; {next_up}",
    "begins": "The match begins; {next_up}",
    "late": "You are late; {next_up}",
    "alone": "For {seat} alone; {next_up}",
    "answer": "An answer to your mail; {next_up}",
    "again": "Read before; {next_up}",
    "farewell": "Thank you for playing",
    "unread": "Your mail was not understood",
    "over": "{n} [turn is|turns are] over",
    "soon": "{n} [turn ends|turns end] soon",
    "digest": "News of {n} [match|matches]; {up}",
}
_WAITING: Final[Mapping[str, str]] = {
    "some": "{n} [match waits|matches wait] for you",
    "none": "none waits for you",
}
# What fills a blank where titles are known again: no words of any.
_NAME, _END, _UP = "0name", "0end", "0up"
_MANY: Final = (1, 2, 5)  # a number for each form that a language has


def title(of: str, **values: Any) -> Sentence:
    """A title that the desk writes, "refused"; its values fill its blanks."""
    return say(TITLES[of], **values)


def next_up(match: Replay) -> Sentence:
    """Who moves next, or how the match ended: the end of a title."""
    outcome = match.outcome
    if outcome is not None:
        return _end("won" if outcome.winners else "drawn", outcome.winners)
    if not match.awaited and any(decision.seat == CHANCE for decision in match.pending):
        return _end("dealt")
    present = [seat for seat in match.awaited if seat not in match.vacant]
    if match.awaited and not present:
        sought = match.log.so_far().timing.seeks
        return _end("sought" if sought else "vacant", match.awaited)
    return _end("moves", present)


def _end(of: str, seats: Collection[Seat] = ()) -> Sentence:
    return say(ENDS[of], seats=seats, winners=seats)


def waiting(n: int) -> Sentence:
    """How many matches wait for somebody: the end of the title of a digest."""
    return say(_WAITING["some" if n else "none"], n=n)


def rests(match: Replay, subject: str) -> Iterator[str]:
    """What a subject says behind a title of the desk: its words, for each language in which it
    begins with one."""
    words = " ".join(tokens(subject))
    names = tokens(" ".join((*match.setup.seats, *match.players.values())))
    for language in languages.known():
        of_it, joints = _known(language)
        name = f"(?:{'|'.join((*names, *joints))})"
        known = of_it.replace(_NAME, f"{name}(?: {name})*").replace(" ", " ?")  # folding loses some
        if found := re.match(known, words):
            yield words[found.end() :].strip()


@cache
def _known(language: str) -> tuple[str, frozenset[str]]:
    """The titles of a language as one regular expression of words, and what joins two names."""
    with languages.speaking(language):
        ends = _alike(_end(of, [_NAME]) for of in ENDS)
        waits = _alike(waiting(n) for n in (0, *_MANY))
        blanks = {"seat": _NAME, "next_up": _END, "up": _UP}
        titles = _alike(title(of, n=n, **blanks) for of in TITLES for n in _MANY)
        joints = frozenset(tokens(listed([_NAME] * 3))) - {_NAME}
    known = titles.replace(_END, ends).replace(_UP, waits)
    return re.sub(r"\b[125]\b", r"\\d+", f"(?:{known}|{ends})(?!\\S)"), joints


def _alike(said: Iterable[Sentence]) -> str:
    """Sentences as alternatives of a regular expression of words."""
    return f"(?:{'|'.join(sorted({' '.join(tokens(each.text())) for each in said}))})"
