"""Who must be told what, given how many entries of a log they know.

The desk that mails asks whether anything is new for somebody; a moderator who posts by hand asks
what is new for one alone, since the post tells the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pbem.core import CHANCE, Event, Seat
from pbem.log import private_press, questions, sealing
from pbem.log.entries import Entry, Ply
from pbem.log.match import Replay
from pbem.log.private_press import PressText
from pbem.log.rulings import Default, Press, Ruled, Substitute, Vacate
from pbem.report import waiting
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk

_DRAWN: Final = "[a card was|{n} cards were] drawn"


@dataclass(frozen=True)
class Untold:
    """What is new in a match for somebody who plays these seats, or none, and was `told` so many
    entries; a number below 0 says that they have not even seen the opening."""

    match: Replay
    seats: tuple[Seat, ...]
    told: int

    @cached_property
    def known(self) -> int:
        """How many entries they know. Whoever takes a seat begins anew, even if they have been
        written to before: they know nothing of the time in between, and perhaps nothing about this
        seat."""
        comes = self.seats and taken(self._new).issuperset(self.seats)
        return -1 if comes else self.told

    def __bool__(self) -> bool:
        """Is anything to be told: more than others' sealed answers, which are told once they are
        opened, and what others wrote to each other? Nothing is, once they have left and know it."""
        return self._tells and not self.left

    @property
    def left(self) -> bool:
        """Have they given up all their seats, and been told so?"""
        gone = bool(self.seats) and self.match.vacant.issuperset(self.seats)
        return gone and not rulings(self._new, Vacate, about=self.seats)

    @property
    def sealed(self) -> bool:
        """Is all that is new sealed for others, and some of it to be opened? No letter is."""
        return not self._tells and len(rulings(self._new, Press)) < len(self._new)

    @property
    def alone(self) -> Sentence | None:
        """What nobody else may see of it; None for nothing."""
        if self.known < 0:
            return say("{name} is new at the table", name=self.match.players[self.seats[0]])
        theirs, post = self.match.seen_by(*self.seats), self.match.seen_by(None)
        pairs = zip(theirs.plies, post.plies, strict=True)
        own = [mine for mine, all_see in pairs if mine[0].nth >= self.told and mine != all_see]
        if drawn := sum(ply.seat == CHANCE for ply, _ in own):
            return say(_DRAWN, n=drawn)
        if any(words and words.by not in self.seats for words in map(self._opened, self._new)):
            return say("somebody wrote to them")
        if all(ply.seat in self.seats and _foreseen(theirs, ply, then) for ply, then in own):
            return None
        return say("something happened that only they can see")

    @property
    def _new(self) -> tuple[Entry, ...]:
        return self.match.log.entries[max(self.told, 0) :]

    @cached_property
    def _tells(self) -> bool:
        if self.known < 0:
            return True
        for_one = questions.news_for_one(self.match, self.known)
        return any(
            self._opened(entry)
            or (not rulings([entry], Press) and for_one.get(entry.nth) in (None, *self.seats))
            for entry in self._new
        )

    def _opened(self, entry: Entry) -> PressText | None:
        """The letter in an entry, if it is one and they may read it."""
        if not (isinstance(entry, Ruled) and isinstance(entry.ruling, Press) and self.seats):
            return None
        log, seats = self.match.log, self.seats
        return private_press.opened(log, sealing.keys_of(log, self.match.keyring, *seats), entry)


def rulings(
    entries: Iterable[Entry], *kinds: type[Any], about: Collection[Seat] | None = None
) -> list[Any]:
    """The rulings of these kinds among entries; only those `about` one of these seats, if given."""
    ruled = (entry.ruling for entry in entries if isinstance(entry, Ruled))
    return [r for r in ruled if isinstance(r, kinds) and (about is None or r.seat in about)]


def taken(entries: Iterable[Entry]) -> frozenset[Seat]:
    """The seats that somebody has taken over in these entries."""
    return frozenset(each.seat for each in rulings(entries, Substitute))


def alone(
    before: Replay, after: Replay, desks: Sequence[Desk], unplayed: Collection[Seat] = ()
) -> dict[Seat, Sentence]:
    """The seats that need a letter beside the post, and why; `desks` are the desk file before and
    after, `unplayed` the seats of whose order something is not played."""
    from pbem.desk.plans.run import waiting_now

    then, now = (
        waiting_now(match, desk).plans for match, desk in zip((before, after), desks, strict=True)
    )
    found = {}
    for seat in after.setup.seats:
        if why := Untold(after, (seat,), len(before.log.entries)).alone:
            found[seat] = why
        elif waiting.shown(then, seat) != waiting.shown(now, seat):
            found[seat] = say("what waits for them has changed")
        elif seat in unplayed:
            found[seat] = say("not all that was sent is played")
    return found


def _foreseen(theirs: Replay, ply: Ply, events: tuple[Event, ...]) -> bool:
    """Did its seat choose this itself, knowing what would follow?"""
    before = theirs.log.first(ply.nth)
    move = sealing.whole_move(ply, theirs.keyring, theirs.log)
    if move is None or rulings(before.entries[-1:], Default):
        return False
    game, state = theirs.game, Replay.of(before, theirs.keyring).state
    return events == tuple(game.effects(state, ply.seat, game.parse(move).move))
