"""What a seat may do, position by position, and the words for it. What is legal, as far as the seat
can know, settles what was meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Move, Seat
from pbem.intake.caveats import tells_others
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.mentions import MODIFIERS, Vocabulary, in_canonical
from pbem.meaning.patterns import called
from pbem.play import judge

LONGEST_BLOCK: Final = 10
"""How many mentions one move takes, at most."""
UNSAID: Final = frozenset({"build", "play"})
"""The verbs of a move that is written without one."""

MOST_MOVES: Final = 2_000
"""How many legal moves of a position are looked through; if there are more, none are."""

_MOST_STATES: Final = 120  # positions that are looked at


class Wording(NamedTuple):
    """A move as it can be said: its verbs, and its things in their order."""

    text: str
    verbs: frozenset[str]
    things: tuple[str, ...]
    move: Move | None = None

    @staticmethod
    def of(text: str, move: Move | None = None) -> Wording:
        """The wording of a move, from the text that a game writes for it."""
        return Wording(text, *in_canonical(text), move)

    @property
    def accepted(self) -> frozenset[str]:
        """The verbs it may be said with."""
        return (self.verbs - MODIFIERS or UNSAID) | self.verbs

    def goes_to(self, said: Collection[str]) -> bool:
        """Is it a voyage of which only the end is said?"""
        return "move" in self.verbs and [*said] == [*self.things[-1:]]


def as_known(match: Replay, seat: Seat) -> Replay:
    """The match as far as a seat knows it; as it is unless the moderator's keys are at hand, and
    to whoever types what real cards showed."""
    known = match.keyring.secret is None or seat == CHANCE
    return match if known else match.seen_by(seat)


class Fitting:
    """What a seat may do in a match, position by position, as far as the seat knows it, and how
    that can be said. Of more than so many positions it knows nothing."""

    def __init__(self, match: Replay, seat: Seat) -> None:
        self.match, self.seat = as_known(match, seat), seat
        self._worded: dict[int, tuple[Any, dict[frozenset[str], list[Wording]]]] = {}
        self._after: dict[tuple[int, str], tuple[Any, Any]] = {}
        named = [each.things for each in chain(*self.worded(self.match.state).values())]
        self.vocabulary = Vocabulary(self.match, seat, named)
        others = {called(match, each) for each in match.setup.seats if each != seat}
        self._others = others.difference(*named)

    def worded(self, state: Any) -> dict[frozenset[str], list[Wording]]:
        """What the seat may do in a state, by the things it is done with."""
        kept = self._worded.get(id(state))
        if kept is None:
            game, found = self.match.game, dict[frozenset[str], list[Wording]]()
            if len(self._worded) == _MOST_STATES:
                return found
            legal = list(islice(judge.each_legal(game, state, self.seat), MOST_MOVES + 1))
            for move in legal if len(legal) <= MOST_MOVES else ():
                each = Wording.of(game.notate(move), move)
                found.setdefault(frozenset(each.things), []).append(each)
            kept = self._worded[id(state)] = (state, found)
        return kept[1]

    def is_others(self, clause: str) -> bool:
        """Does a clause, with seats for players' names, tell what somebody else does: "you take
        DUDA", "and then black draws"?"""
        words = [word for word in tokens(clause) if (word,) not in phrases("courtesies", "then")]
        return tells_others(clause) or not self._others.isdisjoint(words[:1])

    def after(self, state: Any, wording: Wording) -> Any:
        """The state after this legal move."""
        kept = self._after.get((id(state), wording.text))
        if kept is None:
            game = self.match.game
            assert wording.move is not None
            step = judge.judge(game, state, self.seat, wording.move)
            kept = state, judge.advance(game, state, step.events)
            self._after[id(state), wording.text] = kept
        return kept[1]

    def texts(self, state: Any) -> dict[str, Wording]:
        """The same, by the text of each move."""
        return {each.text: each for each in chain(*self.worded(state).values())}

    def playable(self, order: Sequence[str]) -> bool:
        """Can an order, move by move as a game writes it, be played as far as the seat knows?"""
        game = self.match.game
        patterns = [game.parse(text) for text in order]
        verdict = judge.adjudicate(game, self.match.state, self.seat, patterns)
        return isinstance(verdict, judge.Accepted)

    def naming(
        self, state: Any, all_of: Collection[str], among: Collection[str]
    ) -> Iterator[Wording]:
        """The legal moves that name all of these things, and none that are not `among` those."""
        for named, wordings in self.worded(state).items():
            if named.issuperset(all_of) and named.issubset(among):
                yield from wordings
