"""What may follow what in a log, and what its entries add up to."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Final

from pbem.core import NOBODY, Seat
from pbem.log.entries import Entry, Header, Ply
from pbem.log.entropy.gathering import PROMISES, VALUE, WORDS
from pbem.log.ruling import ENDED, PLAY, REVEALED, SILENCE, Objection, Ruling, Stage, Totals, called
from pbem.log.seal import MODERATOR
from pbem.log.timing import NO_CLOCK, Redate, Timing
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


class SoFar(Totals):
    """What the entries of a log add up to, and what is wrong with the next one.

    `objection` is for every log that is read. `objection_if_new` has what the program keeps to
    when it writes, and an audit asks for: what may follow what, who may give it, and when. An audit
    lets pass what `earlier` versions wrote.
    """

    def __init__(self, header: Header) -> None:
        super().__init__(header)
        self.timing = Timing().set_to(header.clock) if header.clock else Timing()

    @property
    def stage(self) -> Stage:
        """How far the match has come."""
        return (self.led_to == PLAY and self.gathered.stage) or self.led_to

    @property
    def entropy(self) -> list[str]:
        """The texts that go into the draws, in order."""
        return [*self.gathered.texts, *(text for _, text in self.texts)]

    def objection(self, entry: Entry) -> Objection | None:
        """What is wrong with this as the next entry, if anything is."""
        if isinstance(entry, Ply):
            if entry.number != self.last + 1:
                return say(
                    "ply {number} follows ply {last}; plies count on by one",
                    number=entry.number,
                    last=self.last,
                ), PLY
            return None if entry.seat in NOBODY else self._stranger(entry.seat, "seat", *NOBODY)
        if entry.by != MODERATOR and (wrong := self._stranger(entry.by, "by", MODERATOR)):
            return wrong
        ruling = entry.ruling
        named = getattr(ruling, "seat", None)
        for seat in (*_several(ruling), *([named] if named is not None else [])):
            if wrong := self._stranger(seat, "ruling"):
                return wrong
        if ruling.needs_clock and self.timing.settings is None:
            return NO_CLOCK, "ruling"
        return ruling.objection(self, entry.at)

    def _stranger(self, seat: Seat, key: str, *others: str) -> Objection | None:
        if seat in self.header.seats:
            return None
        return say(
            "{seat!r} is not one of {known}",
            seat=seat,
            known=", ".join((*self.header.seats, *others)),
        ), key

    def objection_if_new(self, entry: Entry, *, earlier: bool = False) -> Objection | None:
        """Why an entry cannot stand here now, if it cannot."""
        ruling = None if isinstance(entry, Ply) else entry.ruling
        stages = ruling.stages if ruling else (PLAY, SILENCE)
        if earlier and ruling:
            stages += ruling.earlier
        if self.stage not in stages:
            key = "ruling" if ruling else PLY
            what = called(type(ruling)) if ruling else PLY
            return say(_UNTIMELY[self.stage], what=what, seat=self.silent), key
        if isinstance(entry, Ply):
            if self.stage == SILENCE and entry.seat != self.silent:
                return say(
                    "a move played for {seat:seat} comes next, not one of {other:seat}",
                    seat=self.silent,
                    other=entry.seat,
                ), "seat"
        else:
            by, seats = entry.by, _several(entry.ruling)
            if by != MODERATOR:
                if not entry.ruling.from_seat:
                    return say("only the moderator gives this ruling, not {by:seat}", by=by), "by"
                if (seat := getattr(ruling, "seat", by)) != by:
                    return say("{by:seat} cannot speak for {seat:seat}", by=by, seat=seat), "by"
                if wrong := entry.ruling.objection_from(self, by):
                    return wrong
            if twice := next((seat for seat in seats if seats.count(seat) > 1), None):
                return say("{seat:seat} is named twice", seat=twice), "ruling"
        if entry.at < self.at and not isinstance(ruling, Redate):
            return say("{at} is before {before}; time runs back", at=entry.at, before=self.at), "at"
        return None

    def add(self, entry: Entry) -> None:
        self.at = entry.at
        if isinstance(entry, Ply):
            self.last, self.led_to = entry.number, PLAY
            self.live.append(entry.number)
            if entry.seat not in NOBODY:
                self.taken.clear()
        else:
            entry.ruling.counts(self)
            self.led_to = entry.ruling.leads_to or self.led_to

    def after(self, ply: Ply) -> SoFar:
        """What the entries and this ply add up to; `self` stays as it is."""
        longer = copy(self)
        longer.live, longer.taken = [*self.live], [*self.taken]
        longer.add(ply)
        return longer


def _several(ruling: Ruling) -> tuple[Seat, ...]:
    """The seats a ruling lists."""
    return (*getattr(ruling, "winners", ()), *getattr(ruling, "seats", ()))
