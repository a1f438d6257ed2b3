"""Which legal moves some mentions can mean: those with just these things, in any word order, and
with a verb that fits or none. What is legal, as far as the seat can know, settles what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Move, Seat
from pbem.intake.caveats import tells_others
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.mentions import MODIFIERS, Mention, Vocabulary, in_canonical
from pbem.meaning.patterns import called
from pbem.play import judge

LONGEST_BLOCK: Final = 10
"""How many mentions one move takes, at most."""
UNSAID: Final = frozenset({"build", "play"})
"""The verbs of a move that is written without one."""

MOST_STEPS: Final = 2_000
"""How many steps a search takes, at most."""
MOST_MOVES: Final = 2_000
"""How many legal moves of a position are looked through; if there are more, none are."""

_MOST_STATES: Final = 40  # positions that are looked at
_MOST_LITTLE: Final = 3


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
    that can be said. `left` is how many more steps a search may take; it falls to 0 when too many
    positions have been asked for. `among` says that a move stands among others: then a voyage may
    be said without its start."""

    def __init__(self, match: Replay, seat: Seat) -> None:
        self.now, self.seat = as_known(match, seat), seat
        self.left, self.among = MOST_STEPS, False
        self._worded: dict[int, tuple[Any, dict[frozenset[str], list[Wording]]]] = {}
        named = [each.things for each in chain(*self.worded(self.now.state).values())]
        self.vocabulary = Vocabulary(self.now, seat, named)
        others = {called(match, each) for each in match.setup.seats if each != seat}
        self._others = others.difference(*named)

    def worded(self, state: Any) -> dict[frozenset[str], list[Wording]]:
        """What the seat may do in a state, by the things it is done with."""
        kept = self._worded.get(id(state))
        if kept is None:
            game, found = self.now.game, dict[frozenset[str], list[Wording]]()
            if len(self._worded) == _MOST_STATES:
                self.left = 0
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
        game = self.now.game
        assert wording.move is not None
        step = judge.judge(game, state, self.seat, wording.move)
        return judge.advance(game, state, step.events)

    def following(self, state: Any, text: str) -> Any | None:
        """The state after a move as a game writes it; None if it cannot be played, or if others
        must speak before this seat goes on."""
        verdict = judge.adjudicate(self.now.game, state, self.seat, [self.now.game.parse(text)])
        return verdict.state if isinstance(verdict, judge.Accepted) else None

    def playable(self, order: Sequence[str]) -> bool:
        """Can an order, move by move as a game writes it, be played as far as the seat knows?"""
        game = self.now.game
        patterns = [game.parse(text) for text in order]
        verdict = judge.adjudicate(game, self.now.state, self.seat, patterns)
        return isinstance(verdict, judge.Accepted)

    def naming(
        self, state: Any, all_of: Collection[str], among: Collection[str]
    ) -> Iterator[Wording]:
        """The legal moves that name all of these things, and none that are not `among` those."""
        for named, wordings in self.worded(state).items():
            if named.issuperset(all_of) and named.issubset(among):
                yield from wordings

    def fitting(self, state: Any, said: Sequence[Mention]) -> list[tuple[Wording, int]]:
        """The legal moves that mentions can mean with the least strain, and how much that is: the
        same number for each."""
        found: list[tuple[Wording, int]] = []
        named = {each.thing for each in said if each.thing and not each.little}
        little = sorted({each.thing for each in said if each.little} - named)[:_MOST_LITTLE]
        for some in chain(*(combinations(little, size) for size in range(len(little) + 1))):
            meant = named.union(some)
            ignored = sum(len(each) == 1 and each.isalpha() for each in little if each not in some)
            block = [each for each in said if not each.thing or each.thing in meant]
            for wording in self._named(state, meant, any(m.counted for m in block)):
                strain = _strain(block, wording)
                if strain is not None:
                    found.append((wording, strain + ignored))
        least = min((strain for _, strain in found), default=0)
        return [(wording, strain) for wording, strain in found if strain == least]

    def _named(self, state: Any, meant: set[str], counted: bool) -> Iterator[Wording]:
        """The moves with just these things. If it is said how many, their values may be left out;
        among other moves, the start of a voyage may be."""
        exact = [] if counted else self.worded(state).get(frozenset(meant), [])
        goes = self.among and len(meant) == 1 and self.vocabulary.letters
        if exact or not (counted or goes):
            yield from exact
            return
        for things, some in self.worded(state).items():
            values = counted and all(each.isdigit() for each in things - meant)
            if things >= meant:
                yield from (each for each in some if values or (goes and each.goes_to(meant)))


def _strain(said: Sequence[Mention], wording: Wording) -> int | None:
    """How far mentions are from naming a move as it is written; None if they cannot mean it."""
    things = [each.thing for each in said if each.thing]
    verbs = [each.verbs for each in said if each.verbs and not each.little]
    fitting = [each for each in verbs if each & wording.accepted]
    joined = fitting and not (things or wording.things or any(each.parted for each in said[1:]))
    if len(fitting) < len(verbs) and ({"no"} in verbs or not joined):
        return None  # joined: "take the top card"
    if "no" in wording.verbs and sum("no" not in each for each in verbs) > 1:
        return None  # "I announce no trick" is no "no announcement"
    needed = wording.verbs & MODIFIERS if wording.things else wording.verbs
    if any(not any(verb in each for each in verbs) for verb in needed):
        return None
    if wording.goes_to(things):
        return len(verbs) - len(fitting) if fitting else None
    counted, meant = Counter(things), Counter(wording.things)
    if any(each.counted and counted[each.thing] > meant[each.thing] for each in said):
        return None
    again, left_out = counted - meant, meant - counted
    if again.keys() == {*wording.things[:1]}:  # the card, named once more: "with my KAHU"
        return again.total() + 2 * left_out.total()
    turned = "x" not in wording.verbs and things[: len(wording.things)] != list(wording.things)
    return 2 * (again + left_out).total() + turned + len(verbs) - len(fitting)
