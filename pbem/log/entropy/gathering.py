"""Words that go into every draw, so that nobody who knows the secret can choose the cards.

The protocol, its limits and vectors are in docs/sealing-and-drawing.md. Before the first draw
either each seat promises words by their hash and then sends them, or a public value that nobody
could know when the header named it is entered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.core import Domain, Seat
from pbem.log import seal
from pbem.sentence import Sentence, say

SEALED: Final = "sealed"
"""The dealer whose draws follow from the secret: no other can prove a card."""

PROMISES: Final = "promises"
WORDS: Final = "words"
VALUE: Final = "value"
STAGES: Final = (PROMISES, WORDS, VALUE)
"""How far the gathering has come: what is still to be sent."""

_WORDS: Final = r"(?=.{16,200}\Z)(?!sha256:)[!-~]+( [!-~]+)*"


def is_words(value: Any) -> bool:
    """Can these be a player's words, written in the one way there is?"""
    return isinstance(value, str) and bool(re.fullmatch(_WORDS, value))


A_WORDS: Final = Domain(
    "16 to 200 letters, digits and signs of ASCII, with single blanks", is_words
)


def promise(words: str) -> str:
    """The hash that binds a player to words before anybody knows them."""
    return seal.sha256(words.encode())


def new_words() -> str:
    """Words nobody can guess: 25 random letters, 117 bits."""
    import secrets
    from string import ascii_lowercase

    groups = ("".join(secrets.choice(ascii_lowercase) for _ in range(5)) for _ in range(5))
    return " ".join(groups)


def numbers(text: str) -> str:
    """The part of a public value that goes into the draws: its whole numbers in ascending order,
    so that nothing depends on how it is written."""
    return " ".join(map(str, sorted(map(int, re.findall("[0-9]+", text)))))


class Gathering:
    """What has been gathered so far for the draws of a match.

    `plan` is the header's `entropy`, None where nothing is gathered.
    """

    def __init__(self, plan: Mapping[str, str] | None, seats: Mapping[Seat, str]) -> None:
        self.plan, self.seats = plan or {}, tuple(seats)
        self.promises: dict[Seat, str] = {}
        self.words: dict[Seat, str] = {}
        self.passed_over: list[Seat] = []
        self.persons: dict[Seat, str] = {}
        """Who made each promise, or sat there when a seat without one was passed over: they know
        what they chose, whoever sits there later."""
        self.value = ""

    @property
    def stage(self) -> str:
        """What is still to be sent; "" when all is there."""
        match self.plan.get("from"):
            case "public":
                return "" if self.value else VALUE
            case "seats":
                if any(seat not in self.promises for seat in self._invited):
                    return PROMISES
                if any(seat not in self.words for seat in self._invited):
                    return WORDS
        return ""

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that have not sent what is due now."""
        sent = {PROMISES: self.promises, WORDS: self.words}.get(self.stage)
        return () if sent is None else tuple(seat for seat in self._invited if seat not in sent)

    @property
    def due(self) -> str:
        """The last moment at which a seat can send what is due now."""
        return self.plan[self.stage]

    @property
    def texts(self) -> list[str]:
        """What goes into every draw: in the order of the seats, so that nobody gains by the order
        in which words are entered."""
        if self.value:
            return [numbers(self.value)]
        return [self.words[seat] for seat in self.seats if seat in self.words]

    @property
    def _invited(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat not in self.passed_over)


# ---------------------------------------------------------------------------------- in words

_UNPROVEN: Final = {
    "asked": "NO DRAW IS PROVEN: the moderator types in what real cards show (dealer: asked).",
    "scripted": "NO DRAW IS PROVEN: the cards were given beforehand (dealer: scripted).",
}


def begun_from(position: Mapping[str, Any]) -> Iterator[Sentence]:
    """What to say about a position that a match begins from."""
    yield say(
        "This match begins from a position that was set up: nothing is proven of how it came "
        "about. What follows from there on is proven as in any other match."
    )
    if drawn := sum(sum(by_seat.values()) for by_seat in position.get("drawn", {}).values()):
        yield say(
            "{n} [card|cards] of this position [was|were] not known, and [was|were] drawn from "
            "what remained.",
            n=drawn,
        )


def proven(dealer: str, gathered: Gathering) -> Iterator[Sentence]:
    """What is proven of the draws of a match, and what is not."""
    if dealer != SEALED:
        yield say(_UNPROVEN[dealer])
        return
    persons = gathered.persons
    senders = tuple(persons[seat] for seat in gathered.seats if seat in gathered.words)
    if gathered.plan.get("from") == "public":
        yield say(
            "All draws depend on a public value, named before it could be known: {value}.",
            value=gathered.plan["value"],
        )
        if gathered.value:
            yield say(
                "It was entered as {text!r}; compare it with what was published.",
                text=gathered.value,
            )
    elif gathered.stage:
        yield say(
            "All draws will depend on words of the players, which nobody can know beforehand; as "
            "long as one of them is honest, nobody can choose a card."
        )
    elif senders:
        yield say(
            "All draws depend on words of {persons:all}; if one of them is honest, nobody chose "
            "a card.",
            persons=tuple(dict.fromkeys(senders)),
        )
    else:
        yield say(
            "You trust the moderator for the deal: that it is the first one tried is not proven. "
            "How to do without: docs/sealing-and-drawing.md."
        )
    for seat in gathered.passed_over:
        pattern = "{person} sent nothing in time and was passed over."
        if seat in gathered.promises:
            pattern = (
                "{person} promised words, they were not sent in time, and {seat} was passed over: "
                "whoever knew them and the secret could choose between two ways to deal."
            )
        yield say(pattern, person=persons[seat], seat=seat)


def invitation(gathered: Gathering) -> Sentence | None:
    """What is still to be sent before the first card is drawn, and by whom."""
    match gathered.stage:
        case "promises":
            return say(
                "Before the first card is drawn, each player promises words of their own by "
                "sending their hash, until {due}. Still to come: {missing:seats}.",
                due=gathered.due,
                missing=gathered.missing,
            )
        case "words":
            return say(
                "All hashes are in. Now each player sends the words, until {due}. Still to come: "
                "{missing:seats}.",
                due=gathered.due,
                missing=gathered.missing,
            )
        case "value":
            return say(
                "The first card is drawn once this public value is known: {value}.",
                value=gathered.plan["value"],
            )
    return None


HOW: Final = say(
    "Choose words that nobody can guess and keep them: `pbem words` makes some, or write 16 to "
    "200 letters with single blanks of your own. First send one line with their hash, like "
    "`words sha256:…`; without pbem, printf %s 'YOUR WORDS' | sha256sum tells it. Once all "
    "hashes are in, send the line `words: YOUR WORDS`."
)
"""What a letter tells its seat about sending words."""
