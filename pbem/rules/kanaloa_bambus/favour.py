"""Who holds the gods cards and protection cards after a sacrifice."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules.kanaloa_bambus import events
from pbem.rules.kanaloa_bambus.state import NOBODY, State
from pbem.rules.kanaloa_bambus.tiles import GODS, KANE


class _Cards:
    """The cards as one sacrifice moves them; `passed` lists the moves, each with its reason."""

    def __init__(self, s: State, heights: list[tuple[int, ...]]) -> None:
        self.s, self.heights = s, heights
        self.gods, self.guards = list(s.gods), list(s.guards)
        self.passed: list[events.CardPassed] = []

    def height(self, seat: int, god: int) -> int:
        return self.heights[seat][god] if seat != NOBODY else 0

    def barred(self, seat: int, god: int) -> bool:
        """Has this seat sacrificed more to Kane than to the god? [B-48]"""
        return self.heights[seat][god] < self.heights[seat][KANE]

    def others(self, god: int, out: Iterable[int], *, with_barred: bool = False) -> list[int]:
        """The seats that count, apart from those in `out`."""
        seats = range(len(self.heights))
        return [q for q in seats if q not in out and (with_barred or not self.barred(q, god))]

    def best(self, god: int, *out: int, with_barred: bool = False) -> int:
        """The highest temple of the god among those who count."""
        seats = self.others(god, out, with_barred=with_barred)
        return max((self.heights[q][god] for q in seats), default=0)

    def leader(self, god: int, *out: int, with_barred: bool = False) -> int:
        """The seat that alone has sacrificed most, if it may hold the card [B-50, B-A22]."""
        seats = self.others(god, out, with_barred=with_barred)
        best = self.best(god, *out, with_barred=with_barred)
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
        _fill(cards, g, as_won=g in vacant)
    return cards.passed


def _win(cards: _Cards, seat: int, god: int) -> None:
    """Give out what a sacrifice to a god wins [B-45, B-46, B-47, B-51, B-A62]."""
    holder, guard = cards.gods[god], cards.guards[god]
    if holder == seat:
        return
    rules, protected = cards.s.world.rules, cards.s.world.protected
    mine, theirs = cards.height(seat, god), cards.height(holder, god)
    blocked = rules.capped_block and (holder != NOBODY or rules.capped_vacant)
    next_best = cards.best(god, seat, with_barred=blocked)
    if mine > theirs and mine > next_best:
        cards.give("gods", god, seat, mine, next_best, "B-45")
        if protected and holder != NOBODY:
            cards.give("protection", god, holder, theirs, mine, "B-46")
    elif rules.level_takes and guard == seat and mine == theirs and mine >= next_best:
        cards.give("gods", god, seat, mine, theirs, "B-A62")
        cards.give("protection", god, holder, theirs, mine, "B-46")
    elif protected and holder != NOBODY and mine <= theirs:
        if guard == NOBODY:
            if cards.leader(god, holder) == seat:
                next_best = cards.best(god, seat, holder)
                why = "B-51" if mine == theirs else "B-47"
                cards.give("protection", god, seat, mine, next_best, why)
        elif guard != seat and mine > cards.height(guard, god):
            cards.give("protection", god, seat, mine, cards.height(guard, god), "B-47")


def _lose(cards: _Cards, seat: int, god: int) -> None:
    """Take the card from a player whose temple of Kane is higher than their temple of the god.

    The protected player gets the gods card, and whoever is third most the protection card [B-49];
    otherwise nobody does [B-50, B-A21].
    """
    kane, height, guard = cards.height(seat, KANE), cards.height(seat, god), cards.guards[god]
    if cards.gods[god] == seat:
        if not cards.s.world.protected:
            cards.give("gods", god, cards.leader(god, seat), kane, height, "B-A21")
            return
        third = cards.leader(god, guard) if guard != NOBODY else NOBODY
        cards.give("gods", god, guard, kane, height, "B-50" if guard == NOBODY else "B-49")
        height_of_third = cards.height(third, god)
        cards.give("protection", god, third, height_of_third, 0, _third_or_nobody(third))
    elif guard == seat:
        third = cards.leader(god, cards.gods[god])
        cards.give("protection", god, third, kane, height, _third_or_nobody(third))


def _third_or_nobody(third: int) -> str:
    return "B-50" if third == NOBODY else "B-49"


def _fill(cards: _Cards, god: int, *, as_won: bool) -> None:
    """Give a card beside the map to whoever leads alone [B-A25].

    One that lay there before the sacrifice is won like any other [B-A63].
    """
    rules = cards.s.world.rules
    if cards.gods[god] == NOBODY:
        with_barred = as_won and rules.capped_block and rules.capped_vacant
        to = cards.leader(god, with_barred=with_barred)
        if to != NOBODY:
            cards.give("gods", god, to, cards.height(to, god), 0, "B-A25")
    holder = cards.gods[god]
    if cards.s.world.protected and holder != NOBODY and cards.guards[god] == NOBODY:
        to = cards.leader(god, holder)
        if to != NOBODY:
            cards.give("protection", god, to, cards.height(to, god), 0, "B-A25")
