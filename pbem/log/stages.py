"""What may follow what in a log, and what its entries add up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from pbem.core import NOBODY, Seat
from pbem.log.entropy.gathering import PROMISES, VALUE, WORDS, Gathering
from pbem.log.ruling import ENDED, PLAY, REVEALED, SILENCE, Objection, Ruling, Stage, called
from pbem.log.seal import MODERATOR
from pbem.log.timing import Redate, Timing
from pbem.sentence import say

PLY: Final = "ply"

_UNTIMELY: Final[Mapping[Stage, str]] = {
    PLAY: "{what} cannot stand here: the match goes on",
    PROMISES: "{what} cannot stand here: first each seat promises words for the draws",
    WORDS: "{what} cannot stand here: first each seat sends the words it promised",
    VALUE: "{what} cannot stand here: the public value for the draws is not known yet",
    SILENCE: "{what} cannot stand here: after a default comes the move played for {seat:seat}",
    ENDED: "{what} cannot stand here: a ruling has ended the match",
    REVEALED: "{what} cannot stand here: the secret of the match has been revealed",
}


class Head(Protocol):
    """What matters here of a log's header."""

    @property
    def seats(self) -> Mapping[Seat, str]: ...
    @property
    def commit(self) -> str: ...
    @property
    def created(self) -> str: ...
    @property
    def entropy(self) -> Mapping[str, str] | None: ...
    @property
    def clock(self) -> Mapping[str, Any] | None: ...


class SoFar:
    """What the entries of a log add up to, and what is wrong with the next one.

    `objection` holds for every log that is read. `untimely` is what the program keeps to when it
    writes, and what an audit asks for: what follows what, who may give it, and when.
    """

    def __init__(self, header: Head) -> None:
        self.header = header
        self.last = 0
        self.live: list[int] = []
        self.taken: list[tuple[list[int], Stage]] = []
        """For each takeback since a seat last moved: the plies that stood before it, and the stage.
        """
        self.epochs: dict[Seat, int] = dict.fromkeys(header.seats, 0)
        self.at = header.created
        self.names: dict[Seat, str] = dict(header.seats)
        self.texts: list[tuple[str, str]] = []
        """What has been added to the draws, each with the name of who sat there then."""
        self.gathered = Gathering(header.entropy, header.seats)
        self.timing = Timing(header.clock)
        self.silent: Seat = ""
        self.vacant: set[Seat] = set()
        self.led_to: Stage = PLAY

    @property
    def stage(self) -> Stage:
        """How far the match has come."""
        return (self.led_to == PLAY and self.gathered.stage) or self.led_to

    @property
    def entropy(self) -> list[str]:
        """The texts that go into the draws, in order."""
        return [*self.gathered.texts, *(text for _, text in self.texts)]

    def objection_to_ply(self, number: int, seat: Seat) -> Objection | None:
        """What is wrong with this as the next ply, if anything is."""
        if number != self.last + 1:
            return say(
                "ply {number} follows ply {last}; plies count on by one",
                number=number,
                last=self.last,
            ), "ply"
        if seat not in NOBODY:
            return self._stranger(seat, "seat", *NOBODY)
        return None

    def objection(self, ruling: Ruling, by: Seat, at: str) -> Objection | None:
        """What is wrong with this as the next ruling, if anything is."""
        if by != MODERATOR and (wrong := self._stranger(by, "by", MODERATOR)):
            return wrong
        named = getattr(ruling, "seat", None)
        for seat in (*_several(ruling), *([named] if named is not None else [])):
            if wrong := self._stranger(seat, "ruling"):
                return wrong
        return ruling.objection(self, at)

    def _stranger(self, seat: Seat, key: str, *others: str) -> Objection | None:
        if seat in self.header.seats:
            return None
        return say(
            "{seat!r} is not one of {known}",
            seat=seat,
            known=", ".join((*self.header.seats, *others)),
        ), key

    def untimely(self, what: Ruling | Seat, at: str, by: Seat = MODERATOR) -> Objection | None:
        """Why a ruling, or a ply of a seat, cannot stand here now, if it cannot."""
        name = called(type(what)) if isinstance(what, Ruling) else PLY
        if self.stage not in (what.stages if isinstance(what, Ruling) else (PLAY, SILENCE)):
            key = "ruling" if isinstance(what, Ruling) else PLY
            return say(_UNTIMELY[self.stage], what=name, seat=self.silent), key
        if self.stage == SILENCE and what != self.silent:
            return say(
                "a move played for {seat:seat} comes next, not one of {other:seat}",
                seat=self.silent,
                other=what,
            ), "seat"
        if isinstance(what, Ruling) and by != MODERATOR:
            if not what.from_seat:
                return say("only the moderator gives this ruling, not {by:seat}", by=by), "by"
            if getattr(what, "seat", by) != by:
                return say(
                    "{by:seat} cannot speak for {seat:seat}", by=by, seat=getattr(what, "seat", "")
                ), "by"
            if wrong := what.beyond(self, by):
                return wrong
        if isinstance(what, Ruling):
            seats = _several(what)
            if twice := next((seat for seat in seats if seats.count(seat) > 1), None):
                return say("{seat:seat} is named twice", seat=twice), "ruling"
        if at < self.at and not isinstance(what, Redate):
            return say("{at} is before {before}; time runs back", at=at, before=self.at), "at"
        return None

    def add_ply(self, number: int, at: str, seat: Seat) -> None:
        """One more ply."""
        self.last, self.at, self.led_to = number, at, PLAY
        self.live.append(number)
        if seat not in NOBODY:
            self.taken.clear()

    def add(self, ruling: Ruling, at: str) -> None:
        """One more ruling."""
        ruling.counts(self)
        self.at, self.led_to = at, ruling.leads_to or self.led_to


def _several(ruling: Ruling) -> tuple[Seat, ...]:
    """The seats a ruling lists."""
    return (*getattr(ruling, "winners", ()), *getattr(ruling, "seats", ()))
