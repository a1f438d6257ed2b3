"""Whose the gods cards and protection cards are after a sacrifice."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.state import NOBODY, State
from pbem.rules.kanaloa_bambus.tiles import GODS, KANE


class _Cards:
    """The cards while one sacrifice moves them; `passed` tells every move with its reason."""

    def __init__(self, s: State, heights: list[tuple[int, ...]]) -> None:
        self.s, self.heights = s, heights
        self.gods, self.guards = list(s.gods), list(s.guards)
        self.passed: list[events.CardPassed] = []

    def height(self, seat: int, god: int) -> int:
        return self.heights[seat][god] if seat != NOBODY else 0

    def barred(self, seat: int, god: int) -> bool:
        """More sacrificed to Kane than to the god? [B-48]"""
        return self.heights[seat][god] < self.heights[seat][KANE]

    def others(self, god: int, out: Iterable[int], *, with_barred: bool = False) -> list[int]:
        """Who counts beside those in `out`."""
        seats = range(len(self.heights))
        return [q for q in seats if q not in out and (with_barred or not self.barred(q, god))]

    def leader(self, god: int, *out: int, with_barred: bool = False) -> int:
        """Who alone has sacrificed most, if he may hold the card [B-50, B-A22]."""
        seats = self.others(god, out, with_barred=with_barred)
        best = max((self.heights[q][god] for q in seats), default=0)
        leaders = [q for q in seats if self.heights[q][god] == best]
        alone = best > 0 and len(leaders) == 1 and not self.barred(leaders[0], god)
        return leaders[0] if alone else NOBODY

    def give(self, card: str, god: int, to: int, height: int, other: int, why: str) -> None:
        """The card goes to a seat, or beside the map."""
        whose = self.gods if card == "gods" else self.guards
        if whose[god] == to:
            return
        names = {NOBODY: None} | dict(enumerate(self.s.world.seats))
        event = events.CardPassed(GODS[god], card, names[to], names[whose[god]], height, other, why)
        self.passed.append(event)
        whose[god] = to


def after(s: State, seat: int, god: int, heights: list[tuple[int, ...]]) -> list[events.CardPassed]:
    """What happens to the cards once a seat has sacrificed; `heights` are the temples now."""
    cards = _Cards(s, heights)
    vacant = {g for g in range(len(GODS)) if s.gods[g] == NOBODY}
    if god == KANE:
        for g in range(len(GODS)):
            if cards.barred(seat, g):
                _lose(cards, seat, g)
    elif not cards.barred(seat, god):
        _win(cards, seat, god)
    for g in range(len(GODS)):
        _fill(cards, g, strict=g in vacant)
    return cards.passed


def _win(cards: _Cards, seat: int, god: int) -> None:
    """A sacrifice to a god wins his gods card or his protection card [B-45, B-46, B-47, B-51]."""
    holder, guard = cards.gods[god], cards.guards[god]
    if holder == seat:
        return
    mine, theirs = cards.height(seat, god), cards.height(holder, god)
    protected = cards.s.world.protected
    rivals = cards.others(god, (seat,), with_barred=cards.s.world.rules.capped_block)
    next_best = max((cards.heights[q][god] for q in rivals), default=0)
    if mine > theirs and mine > next_best:
        cards.give("gods", god, seat, mine, next_best, "B-45")
        if protected and holder != NOBODY:
            cards.give("protection", god, holder, theirs, mine, "B-46")
    elif protected and holder != NOBODY and mine <= theirs:
        if guard == NOBODY:
            if cards.leader(god, holder) == seat:
                rest = cards.others(god, (seat, holder))
                next_best = max((cards.heights[q][god] for q in rest), default=0)
                why = "B-51" if mine == theirs else "B-47"
                cards.give("protection", god, seat, mine, next_best, why)
        elif guard != seat and mine > cards.height(guard, god):
            cards.give("protection", god, seat, mine, cards.height(guard, god), "B-47")


def _lose(cards: _Cards, seat: int, god: int) -> None:
    """A temple of Kane higher than the god's costs his card [B-49]."""
    kane, height, guard = cards.height(seat, KANE), cards.height(seat, god), cards.guards[god]
    if cards.gods[god] == seat:
        if not cards.s.world.protected:
            cards.give("gods", god, cards.leader(god, seat), kane, height, "B-A21")
            return
        cards.give("gods", god, guard, kane, height, "B-49")
        third = cards.leader(god, guard) if guard != NOBODY else NOBODY
        why = "B-50" if third == NOBODY else "B-A22"
        cards.give("protection", god, third, cards.height(third, god), 0, why)
    elif guard == seat:
        third = cards.leader(god, cards.gods[god])
        cards.give("protection", god, third, kane, height, "B-49")


def _fill(cards: _Cards, god: int, *, strict: bool) -> None:
    """A card beside the map goes to whoever leads alone [B-A25]; strict: as for winning it."""
    if cards.gods[god] == NOBODY:
        with_barred = strict and cards.s.world.rules.capped_block
        to = cards.leader(god, with_barred=with_barred)
        if to != NOBODY:
            cards.give("gods", god, to, cards.height(to, god), 0, "B-A25")
    holder = cards.gods[god]
    if cards.s.world.protected and holder != NOBODY and cards.guards[god] == NOBODY:
        to = cards.leader(god, holder)
        if to != NOBODY:
            cards.give("protection", god, to, cards.height(to, god), 0, "B-A25")
