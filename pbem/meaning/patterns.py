"""Reading an order as its writer meant it: each line as one move, or as several.

A game reads a move in its notation. What else a line says, in words that no game knows, is sorted
out here: "then draw", "I'd like to take KAHU, please", "lale-kahu, draw", "rob Ana pele4".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from pbem import intake
from pbem.core import HIDDEN, SEAT, Move, Pattern, Seat, Unreadable
from pbem.intake.caveats import long_caveats
from pbem.intake.courtesy import courtesy
from pbem.intake.phrasing import hangs, pieces, plainer, spelt
from pbem.intake.submission import spoken
from pbem.log.match import Replay
from pbem.rules.reading import fold
from pbem.sentence import say

_LONGEST: Final = 400
"""The longest line that is looked through; no sentence with a move in it is longer."""
# "i.e.", "z.B."; "Go!"
_NO_CODE: Final = re.compile(r"(?<!\w)[a-zß-ÿ]\.\s?[^\W\d_]\.|\A[^\W\d_][a-zß-ÿ]\s?!+\Z")
# "BARIからDUDA": a name in letters ends where signs of another kind begin. Few texts ask for it.
_BETWEEN_SCRIPTS: Final = (
    r"(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[A-Za-z0-9])"
)
_QUOTES: Final = (
    "\"'\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a\u201b\u2039\u203a\u300c\u300d"
)
_SENTENCE: Final = re.compile(r"(?<=[.!])\s+")


def patterns(match: Replay, text: str) -> list[Pattern]:
    """The moves a line says. Raises Unreadable with what the game finds wrong with all of it."""
    if _NO_CODE.search(text):
        raise Unreadable(text, "There is no move here")
    try:
        return [_move(match, text)]
    except Unreadable as error:
        for other in _otherwise(match, text) if len(text) <= _LONGEST else ():
            try:
                return [_plain_move(match, piece) for piece in other]
            except Unreadable:
                continue
        raise error


def notated(match: Replay, text: str) -> Pattern | None:
    """The move that a text is, just as its game writes it, but for case, blanks and the marks of a
    quotation around it; else None."""
    text = " ".join(text.split()).strip(_QUOTES)
    try:
        pattern = match.game.parse(text)
    except Unreadable:
        return None
    if (
        pattern.others
        or HIDDEN in text
        or spoken([match.game.notate(pattern.move)]) != spoken([text])
    ):
        return None
    return pattern


def says(match: Replay, line: intake.Line) -> list[Pattern]:
    """The moves a line says, even if it only asks about them; [] if it says none."""
    try:
        return patterns(match, line.text.rstrip(" ?!"))
    except Unreadable:
        return []


def _otherwise(match: Replay, text: str) -> Iterator[list[str]]:
    """Other ways to read a line: without its closing, with seats for players' names, and split
    where one move may end and the next begin; none if it says "next move" or the like."""
    if long_caveats(text):
        return
    shorter = _without_closing(match, text)
    for said in dict.fromkeys((shorter, seated(match, shorter), spelt(shorter))):
        yield [said]
        yield from pieces(said)


def _without_closing(match: Replay, text: str) -> str:
    """A line without the sentences that close it: "Red 7. Good luck!". One that could be a move
    stays: "lg" is a line of a map."""
    *before, last = _SENTENCE.split(text)
    if not before or courtesy(last) != "closing":
        return text
    try:
        match.game.parse(last)
    except Unreadable:
        return _without_closing(match, " ".join(before))
    return text


def _plain_move(match: Replay, text: str) -> Pattern:
    """The move that a piece of a line says, if need be leaving out words that say nothing."""
    try:
        return _move(match, text)
    except Unreadable:
        less = plainer(text)
        if less == text:
            raise
    return _move(match, less)


def _move(match: Replay, text: str) -> Pattern:
    """The move a text says. Raises Unreadable."""
    if hangs(text):
        raise Unreadable(text, "There is no move here")
    pattern = match.game.parse(text)
    seats = _seats(match)
    move, *others = (_seat_for_name(each, seats) for each in pattern.readings)
    pattern = pattern._replace(move=move, others=tuple(others))
    if match.keyring.secret is not None:
        _require_names(pattern)
    return pattern


def _seat_for_name(move: Move, seats: Mapping[str, Seat]) -> Move:
    """A move with seats for players' names where a seat belongs: an island may have such a name."""
    said = {slot.name: getattr(move, slot.name) for slot in move.FIELDS}
    named = {
        slot.name: seats.get(said[slot.name].casefold()) for slot in move.FIELDS if slot.of is SEAT
    }
    return type(move)(**said | {name: seat for name, seat in named.items() if seat})


def _require_names(pattern: Pattern) -> None:
    """Raises Unreadable for a move that plays something hidden: whoever can open everything must
    name it. What the text leaves open, the position settles."""
    said = [slot.name for slot in pattern.move.FIELDS if slot.name not in pattern.blanks]
    if HIDDEN in (getattr(pattern.move, name) for name in said):
        raise Unreadable(
            pattern.said,
            "{hidden} stands for something nobody has named",
            advice=say("Name it"),
            hidden=HIDDEN,
        )


def _seats(match: Replay) -> dict[str, Seat]:
    """Each player's seat by name, and by first name if nobody else has the same."""
    seats = {name.casefold(): seat for seat, name in match.players.items() if name}
    firsts = Counter(name.split()[0] for name in seats)
    alone = {name.split()[0]: seat for name, seat in seats.items() if firsts[name.split()[0]] == 1}
    named = {**alone, **seats}
    return {name: seat for name, seat in named.items() if name not in match.setup.seats}


def called(match: Replay, seat: Seat) -> str:
    """The word for who plays a seat: the seat itself unless that is a word of the game as well,
    such as a colour of its cards; else the player's first name; folded."""
    words: frozenset[str] = getattr(match.game, "WORDS", frozenset())
    name = match.players.get(seat, "").split()[:1]
    return fold(name[0] if name and fold(seat) in words else seat)


def seated(match: Replay, text: str) -> str:
    """A line with seats in place of players' names, but for those that are words of the game,
    things as moves write them in place of theirs, and a blank between two scripts."""
    text = text if text.isascii() else re.sub(_BETWEEN_SCRIPTS, " ", text)
    things: dict[str, str] = getattr(match.game, "NAMES", {})
    named = {
        name: seat for name, seat in _seats(match).items() if called(match, seat) == fold(seat)
    }
    seats = {name.casefold(): thing for name, thing in things.items()} | named
    if not seats:
        return text
    said = "|".join(re.escape(name) for name in sorted(seats, key=len, reverse=True))
    return re.sub(
        rf"(?<!\w)(?:{said})(?!\w)",
        lambda name: seats.get(name[0].casefold(), name[0]),
        text,
        flags=re.I,
    )
