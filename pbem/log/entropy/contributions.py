"""The rulings about what goes into the draws besides the secret."""

from __future__ import annotations

import re
from typing import Final

from pbem.core import SEAT, Seat, defined, fact, record
from pbem.log.entropy import gathering
from pbem.log.entropy.gathering import PROMISES, VALUE, WORDS
from pbem.log.ruling import HASH, LINE, PLAY, TEXT, Asks, Objection, Ruling, Totals
from pbem.problem import Usage
from pbem.sentence import say


@record
class Entropy(Ruling):
    """The public value for the draws. Earlier versions added a player's text with it, too."""

    seat: Seat = fact(SEAT)
    text: str = fact(TEXT)

    says = say("{seat:seat} adds to the draws that follow: {text!r}")
    moves_position = False
    from_seat = True
    stages = ()
    earlier = (PLAY,)
    options = (
        Asks("text", "TEXT", "The public value.", needed=True),
        Asks("seat", "SEAT", "No longer taken: players' words come before the first card."),
    )
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if so_far.header.entropy is None:
            return None
        return say("what goes into the draws of this match was settled before the first"), "ruling"

    def counts(self, so_far: Totals) -> None:
        so_far.texts.append((so_far.names[self.seat], self.text))


@record
class Promise(Ruling):
    """The hash of words that a seat will send for the draws."""

    seat: Seat = fact(SEAT)
    hash: str = fact(HASH)

    says = say("{seat:seat} promises words: {hash}")
    from_seat = True
    stages = (PROMISES,)

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        gathered = so_far.gathered
        if self.seat in gathered.promises:
            return say("{seat:seat} has sent a hash already", seat=self.seat), "seat"
        if self.seat in gathered.passed_over:
            return say("{seat:seat} has been passed over", seat=self.seat), "seat"
        if self.hash in gathered.promises.values():
            return say("another seat has sent this very hash"), "hash"
        return None

    def counts(self, so_far: Totals) -> None:
        so_far.gathered.promises[self.seat] = self.hash
        so_far.gathered.persons[self.seat] = so_far.names[self.seat]


@record
class Words(Ruling):
    """The words a seat has promised: they go into every draw."""

    seat: Seat = fact(SEAT)
    text: str = fact(gathering.A_WORDS)

    says = say("The words of {seat:seat} are: {text}")
    from_seat = True
    stages = (WORDS,)
    options = (
        Asks("seat", "SEAT", "Whose words they are.", needed=True),
        Asks("text", "TEXT", "The words, or the hash that promises them.", needed=True),
    )
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        gathered = so_far.gathered
        if self.seat in gathered.words:
            return say("{seat:seat} has sent their words already", seat=self.seat), "seat"
        if gathering.promise(self.text) != gathered.promises.get(self.seat):
            return say("these are not the words {seat:seat} promised", seat=self.seat), "text"
        return None

    def counts(self, so_far: Totals) -> None:
        so_far.gathered.words[self.seat] = self.text


@record
class PassOver(Ruling):
    """A seat sent nothing for the draws in time; the draws begin without it."""

    seat: Seat = fact(SEAT)

    says = say("{seat:seat} is passed over: no words in time.")
    bears_on_draws = True
    stages = (PROMISES, WORDS)
    options = (Asks("seat", "SEAT", "Who has sent nothing.", needed=True),)

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        gathered = so_far.gathered
        if self.seat not in gathered.missing:
            return say("{seat:seat} is not to send anything now", seat=self.seat), "seat"
        if at <= gathered.due:
            return say("{seat:seat} has time until {due}", seat=self.seat, due=gathered.due), "at"
        return None

    def counts(self, so_far: Totals) -> None:
        so_far.gathered.passed_over.append(self.seat)
        so_far.gathered.persons.setdefault(self.seat, so_far.names[self.seat])


@record
class Value(Ruling):
    """The public value that the header named: it goes into every draw."""

    text: str = fact(LINE)

    says = say("The public value for the draws is: {text}")
    stages = (VALUE,)

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if so_far.gathered.plan.get("from") != "public":
            return say("the header of this match names no public value"), "ruling"
        if not gathering.numbers(self.text):
            return say("{text!r} holds no number", text=self.text), "text"
        return None

    def counts(self, so_far: Totals) -> None:
        so_far.gathered.value = self.text


OF_DRAWS: Final[tuple[type[Ruling], ...]] = defined(Ruling, globals())
"""Every kind of ruling about the draws."""


def sent(seat: Seat, text: str) -> Ruling:
    """The promise or the words that a seat's text holds. Raises Usage if it is neither."""
    text = " ".join(text.split())
    if found := re.fullmatch(r"sha256:\s*([0-9a-fA-F]{64})", text):
        return Promise(seat, f"sha256:{found[1].lower()}")
    if gathering.is_words(text):
        return Words(seat, text)
    raise Usage(
        "neither the hash of words, like sha256:9f86…, nor words: 16 to 200 letters, digits and "
        "signs of ASCII"
    )
