"""What a seat cannot know of a position, drawn anew so that it fits all that the seat does know.

What is hidden is one of two things: cards that were dealt, of which `unseen` says how many there
are; and choices made in secret, which are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, Event, Game, Move, Seat, Setup, Violation, mask
from pbem.play.judge import advance, each_legal
from pbem.problem import Usage

Below = Callable[[int], int]
"""Gives a number from 0 to n - 1, all equally likely: `random.Random().randrange`, say."""

Hands = dict[tuple[str, Seat], Sequence[str]]
"""The lists of a view that hold, for each seat, what only that seat may know, by key and seat."""

PLAYOUTS: Final = 200
"""How many matches a bot plays in thought for one move, if nobody says."""

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
        if not _holds_hidden(game.view(self.state)) and not hasattr(game, "completed"):
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
                    state = _completed(game, self.setup, states[at], barred, below)
                    for seat, events in since:
                        state = advance(game, state, self._again(state, seat, events, below))
                    return state
                except _Unfit:
                    continue
            raise Usage("{title} does not say what may be hidden", title=game.TITLE)

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

    def _barred(self, states: Sequence[Any]) -> dict[Seat, set[str]]:
        """What cannot be among the hidden cards of each seat, or a move it made since it got the
        last of them would have been illegal: it did not follow suit, say."""
        barred = dict[Seat, set[str]]()
        left = self._left(states[-1])
        for place, cards in _hands(self.game, states[-1]).items():
            count, seat = cards.count(HIDDEN), place[1]
            for nth in range(len(states) - 2, -1, -1):
                before = _hands(self.game, states[nth]).get(place, ()).count(HIDDEN)
                if not 0 < count <= before:
                    break
                count = before
                mover, events = self.plies[nth]
                if mover == seat:
                    shut = barred.setdefault(seat, set())
                    shut.update(self._unplayable(states[nth], place, events, left - shut))
        return barred

    def _unplayable(
        self, state: Any, place: tuple[str, Seat], events: tuple[Event, ...], left: set[str]
    ) -> Iterator[str]:
        """The cards, of those left, with which no move of a seat brings these events."""
        game, (key, seat) = self.game, place
        moves = [move for move, _ in self._alike(state, seat, events)]
        view = game.view(state)
        hand = [*view[key][seat]]
        hand.remove(HIDDEN)
        for card in sorted(left & self._left(state)) if moves else ():
            held = {**view, key: {**view[key], seat: [*hand, card]}}
            holding = game.position(self.setup, held)
            if not any(_passes(game, holding, seat, move) for move in moves):
                yield card

    def _left(self, state: Any) -> set[str]:
        """The cards that may be among the hidden ones, as far as the game says."""
        unseen = self.game.unseen(state) if hasattr(self.game, "unseen") else {}
        return {card for card, number in unseen.items() if number > 0}


def _passes(game: Game[Any], state: Any, seat: Seat, move: Move) -> bool:
    try:
        game.check(state, seat, move)
    except Violation:
        return False
    return True


def _completed(
    game: Game[Any], setup: Setup, state: Any, barred: Mapping[Seat, set[str]], below: Below
) -> Any:
    """The state with a card that is not barred for each hidden one. Raises _Unfit."""

    def draw(seat: Seat, left: Mapping[str, int]) -> str:
        shut = barred.get(seat, ())
        ways = {card: n for card, n in left.items() if n > 0 and card not in shut}
        card: str = drawn(ways, below)
        return card

    own = getattr(game, "completed", None)
    if own is not None:
        return own(state, draw)
    hands = {place: cards for place, cards in _hands(game, state).items() if HIDDEN in cards}
    if not hands:
        return state
    left, view = dict(game.unseen(state)), dict(game.view(state))
    for key, seat in sorted(hands, key=lambda place: -len(barred.get(place[1], ()))):
        cards = [*hands[key, seat]]
        for nth, card in enumerate(cards):
            if card == HIDDEN:
                cards[nth] = draw(seat, left)
                left[cards[nth]] -= 1
        view[key] = {**view[key], seat: cards}
    return game.position(setup, view)


def _hands(game: Game[Any], state: Any) -> Hands:
    view = game.view(state)
    return {
        (key, seat): cards
        for key in game.PRIVATE
        for seat, cards in view.get(key, {}).items()
        if isinstance(cards, list)
    }


def _hides_only_cards(game: Game[Any], state: Any) -> bool:
    """Is all that is hidden in a state a card in a hand, of which the game says what it may be?"""
    if hasattr(game, "completed"):
        return True
    view = game.view(state)
    if hasattr(game, "unseen"):
        view = {key: value for key, value in view.items() if key not in game.PRIVATE}
    return not _holds_hidden(view)


def _holds_hidden(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_hidden, value.values()))
    return any(map(_holds_hidden, value)) if isinstance(value, list) else value == HIDDEN
