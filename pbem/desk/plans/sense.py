"""A plan as a match understands it: which question it answers, whose move it waits for, what it
plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.core import Decision, Move, Pattern, Seat, Unreadable
from pbem.desk import meaning
from pbem.desk.plans import patterns
from pbem.intake.plan import Draft
from pbem.log.match import Match
from pbem.play.judge import Choice
from pbem.sentence import Sentence, say


class ReadPlan(NamedTuple):
    """A plan as a match understands it: how it is written, and what it plays."""

    draft: Draft
    choice: Choice
    awaits: Pattern | None = None

    @property
    def begins(self) -> set[type[Move]]:
        """The classes of move with which its orders begin."""
        return {type(order[0].move) for order in self.choice.orders}

    def answers(self, decision: Decision) -> bool:
        """Is this the question that a standing answer is for?"""
        kind, *about = self.draft.about.split()
        known = {str(value).casefold() for value in decision.about.values()}
        known.add(decision.during or "")
        return kind == decision.kind and all(word.casefold() in known for word in about)

    def waits_for(self, now: Match, seat: Seat, move: str) -> bool:
        """Is this move of a seat, as everybody reads it, the one that is waited for?"""
        if self.draft.who not in ("", seat):
            return False
        if self.awaits is None:
            return patterns.is_like(move, self.draft.pattern)
        try:
            return self.awaits.fits(now.game.parse(move).move)
        except Unreadable:
            return False

    def may_wait_for(self, now: Match, kinds: Iterable[type[Move]]) -> bool:
        """Can the move that is waited for be of one of these classes?"""
        if self.awaits is not None:
            return type(self.awaits.move) in kinds
        return any(patterns.may_fit(now, kind, self.draft.pattern) for kind in kinds)


def kinds_of(now: Match) -> Mapping[str, tuple[type[Move], ...]]:
    """What a game asks, and what answers it; {} where it does not say."""
    return getattr(now.game, "KINDS", {})


def written(now: Match, pattern: Pattern) -> str:
    """A move as it is written: what was left open stays open."""
    if pattern.is_open:
        return " ".join(meaning.seated(now, pattern.said).split())
    return now.game.notate(pattern.move)


def nearest(word: str, known: Iterable[str]) -> Sentence | None:
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), [*known], n=3, cutoff=0.6)
    return say("Did you mean {words:any}?", words=close) if close else None
