"""What a seat cannot know of a position, drawn anew so that it fits all that the seat does know.

What is hidden is one of two things: cards that were dealt, of which `unseen` says how many there
are; and choices made in secret, which are made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, Event, Game, Move, Seat, Setup, Violation, mask
from pbem.play import games
from pbem.play.judge import advance, each_legal
from pbem.play.positions import leaves
from pbem.problem import Usage

Below = Callable[[int], int]
"""Gives a number from 0 to n - 1, all equally likely: `random.Random().randrange`, say."""

PLAYOUTS: Final = 200
"""How many matches a bot plays in thought for one move, if nobody says."""

WAY: Final = 2
"""The way of thinking of a bot that is seated today (`pbem.play.bot`)."""

MOST_TRIES: Final = 1000
"""How many plies are drawn anew, at most, if the last draws fit nothing."""


class _Unfit(BaseException):
    """What was drawn so far does not fit the rest. Not an Exception: it may cross a stranger's
    code, which might catch it."""


def drawn(ways: Mapping[Any, int], below: Below) -> Any:
    """One of some things, each as likely as the number of its ways."""
    total = sum(ways.values())
    if not total:
        raise _Unfit
    left = below(total)
    for each, number in ways.items():
        left -= number
        if left < 0:
            return each
    raise AssertionError("below(n) is less than n")


class Knowledge(NamedTuple):
    """A match as one seat knows it: its `first` state, the plies since, each a seat and its events
    with HIDDEN in them, and the `state` to which they have led."""

    game: Game[Any]
    setup: Setup
    seat: Seat
    first: Any
    plies: Sequence[tuple[Seat, tuple[Event, ...]]]
    state: Any

    def sampler(self) -> Callable[[Below], Any]:
        """What draws full states, each of which this one may be in truth. Raises Usage where
        nothing fits: the game does not say what may be hidden."""
        game, at = self.game, len(self.plies)
        if not games.hides(game):
            return lambda below: self.state
        states = [self.first]
        for _, events in self.plies:
            states.append(advance(game, states[-1], events))
        states[-1] = self.state  # an option may have changed since
        while at and not _hides_only_cards(game, states[at]):
            at -= 1
        barred = self._barred(states[: at + 1])

        def sample(below: Below) -> Any:
            since = self.plies[at:]
            for _ in range(1 + MOST_TRIES // (1 + len(since))):
                try:
                    state = self._completed(states[at], barred, below)
                    for seat, events in since:
                        state = advance(game, state, self._again(state, seat, events, below))
                    return state
                except _Unfit:
                    continue
            raise self._unsaid

        return sample

    def _again(
        self, state: Any, seat: Seat, events: tuple[Event, ...], below: Below
    ) -> tuple[Event, ...]:
        """What a seat may in truth have done when this one saw these events."""
        chances = self.game.chances if seat == CHANCE else lambda state, move: 1
        ways = {told: chances(state, move) for move, told in self._alike(state, seat, events)}
        told: tuple[Event, ...] = drawn(ways, below)
        return told

    def _alike(
        self, state: Any, seat: Seat, events: tuple[Event, ...]
    ) -> Iterator[tuple[Move, tuple[Event, ...]]]:
        """The moves after which this seat would have seen these events, and what each brings."""
        for move in each_legal(self.game, state, seat):
            told = tuple(self.game.effects(state, seat, move))
            if tuple(mask(each, self.seat, seat, self.setup.seats) for each in told) == events:
                yield move, told

    def _completed(self, state: Any, barred: Mapping[Seat, set[str]], below: Below) -> Any:
        """The state with a card that is not barred for each hidden one. Raises _Unfit; Usage if
        there is always one more."""
        left = self._left(state)

        def choose() -> str:
            card: str = drawn({each: n for each, n in left.items() if each not in shut}, below)
            left[card] -= 1
            return card

        for seat in sorted(self.setup.seats, key=lambda each: -len(barred.get(each, ()))):
            shut = barred.get(seat, set[str]())
            for _ in range(MOST_TRIES):
                named = self._named(state, seat, choose)
                if named is None:
                    break
                state = named
            else:
                raise self._unsaid
        return state

    @property
    def _unsaid(self) -> Usage:
        return Usage("{title} does not say what may be hidden", title=self.game.TITLE)

    def _named(self, state: Any, seat: Seat, choose: Callable[[], str]) -> Any | None:
        """The state with one hidden card of a seat named; None if there is none."""
        game = self.game
        own = getattr(game, "named", None)
        if own is not None:
            return own(state, seat, choose)
        view = game.view(state)
        for key, by_seat in _hands(game, view):
            if HIDDEN in (cards := [*by_seat.get(seat, ())]):
                cards[cards.index(HIDDEN)] = choose()
                return game.position(self.setup, {**view, key: {**by_seat, seat: cards}})
        return None

    def _left(self, state: Any) -> dict[str, int]:
        """How many of each card may be hidden, as far as the game says."""
        unseen = self.game.unseen(state) if hasattr(self.game, "unseen") else {}
        return {card: number for card, number in unseen.items() if number > 0}

    def _barred(self, states: Sequence[Any]) -> dict[Seat, set[str]]:
        """What cannot be among the hidden cards of each seat, or a move it made since it got the
        last of them would have been illegal: it did not follow suit, say."""
        barred = {seat: set[str]() for seat in self.setup.seats}

        @cache
        def hidden(nth: int) -> Counter[Seat]:
            found = Counter[Seat]()
            for _, by_seat in _hands(self.game, self.game.view(states[nth])):
                found.update({seat: cards.count(HIDDEN) for seat, cards in by_seat.items()})
            return found

        left = self._left(states[-1])
        for seat, shut in barred.items():
            last = len(states) - 1
            while last and 0 < hidden(last)[seat] <= hidden(last - 1)[seat]:
                last -= 1
                mover, events = self.plies[last]
                if mover == seat:
                    shut.update(self._unplayable(states[last], seat, events, {*left} - shut))
        return barred

    def _unplayable(
        self, state: Any, seat: Seat, events: tuple[Event, ...], left: set[str]
    ) -> Iterator[str]:
        """The cards, of those left, with which no move of a seat brings these events."""
        moves = [move for move, _ in self._alike(state, seat, events)]
        for card in sorted(left & {*self._left(state)}) if moves else ():
            holding = self._named(state, seat, partial(str, card))
            if not any(_passes(self.game, holding, seat, move) for move in moves):
                yield card


def _passes(game: Game[Any], state: Any, seat: Seat, move: Move) -> bool:
    try:
        game.check(state, seat, move)
    except Violation:
        return False
    return True


def _hands(game: Game[Any], view: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[Seat, Any]]]:
    """The keys of a view that hold a list of cards for each seat, and the lists."""
    for key in game.PRIVATE:
        by_seat = view.get(key, {})
        if all(isinstance(cards, list) for cards in by_seat.values()):
            yield key, by_seat


def _hides_only_cards(game: Game[Any], state: Any) -> bool:
    """Is all that is hidden in a state a card in a hand, of which the game says what it may be?"""
    view = game.view(state)
    cards = dict(_hands(game, view)) if hasattr(game, "unseen") else {}
    return HIDDEN not in leaves([each for key, each in view.items() if key not in cards])
