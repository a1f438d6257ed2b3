"""A player's row below the board, as far as it is the same in all games: colours, whose turn it is,
who won, and what somebody holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from pbem.core import HIDDEN, Seat
from pbem.rules.zones import with_ids
from pbem.sentence import Sentence, say
from pbem.shapes import Shape


@cache
def hues(seats: tuple[Seat, ...], colours: tuple[str, ...]) -> Mapping[Seat, str]:
    """A colour for each seat: the one it is named after, else the first that is left."""
    named = {seat.casefold(): seat for seat in reversed(seats)}
    own = {named[colour]: colour for colour in colours if colour in named}
    left = (colour for colour in colours if colour not in named)
    return {seat: own[seat] if seat in own else next(left) for seat in seats}


def number(view: Mapping[str, Any], seat: Seat | None) -> str:
    """The number of a seat, as in the ASCII picture; what is nobody's has none."""
    return "" if seat is None else str(view["seats"].index(seat) + 1)


def nearest(view: Mapping[str, Any], seats: Sequence[Seat]) -> Sequence[Seat]:
    """The seats in the order of their rows, from the board down: the reader of the picture comes
    last, nearest to themselves, after the others in order of play."""
    last = seats.index(view["reader"]) + 1 if view.get("reader") in seats else 0
    return (*seats[last:], *seats[:last])


def about(view: Mapping[str, Any], key: str) -> list[str]:
    """What the questions now asked are about, under this key."""
    return [value for each in view.get("questions", ()) for value in each["about"].get(key, ())]


def mark(view: Mapping[str, Any], seat: Seat) -> str:
    """Whether a seat is to `move`, to `answer` in another's turn, waits in its own `turn`, or
    nothing of that, as everybody while a card must be dealt. Where an order is `entered` that may
    still change, it is `unsent`, and whoever is asked after it is only `next`. In a view without a
    `turn`, whoever is asked is to move."""
    entered = view.get("entered")
    if entered == seat and not view.get("ended"):
        return "unsent"
    if view.get("ended") or not view.get("questions", True):
        return ""
    asked = seat in (each["seat"] for each in view.get("questions", ()))
    on_turn = view["turn"] == seat if "turn" in view else asked
    if "questions" in view and not asked:
        return "turn" if on_turn else ""
    if entered:
        return "next"
    return "move" if on_turn else "answer" if asked else ""


def player(
    view: Mapping[str, Any],
    seat: Seat,
    back: tuple[int, int, int, int],
    disc: Shape,
    name: tuple[int, ...],
    hand: Iterable[Shape],
) -> Iterator[Shape]:
    """A seat's row, with its disc, its `hand` and, so that no ghost hides it, above these its
    player's name. The view has its `mark`: the row of whoever is asked, or has not sent their
    order, is filled, that of whoever waits in their own turn or is next has a frame."""
    ended, mark = view.get("ended"), view["mark"]
    if mark:
        yield Shape(f"turn-{seat}", "box", back, "waits" if mark in ("turn", "next") else "turn")
    yield disc
    if ended and seat in ended["winners"]:
        x, y, radius = disc.place
        yield Shape(f"won-{seat}", "figure", (x, y - radius - 5, 0), "crown art-crown")
    yield from hand
    says = _result(seat, ended["winners"]) if ended else _marked(mark, seat)
    yield Shape(f"name-{seat}", "text", name, "strong", say("{seat:seat}", seat=seat), says=says)


def _marked(mark: str, seat: Seat) -> Sentence | None:
    if mark == "answer":
        return say("{seat:seat} answers now.", seat=seat)
    return say("It's the turn of {seat:seat}.", seat=seat) if mark not in ("", "unsent") else None


def _result(seat: Seat, winners: Sequence[Seat]) -> Sentence | None:
    if not winners:
        return say("The match is drawn for {seat:seat}.", seat=seat)
    return say("{seat:seat} wins the match.", seat=seat) if seat in winners else None


def standing(view: Mapping[str, Any], seat: Seat, so_far: Sentence | None) -> Sentence | str:
    """How a player stands, whether it is their turn or they are asked, and how the match ended for
    them."""
    how, ended = view["mark"], view.get("ended")
    if ended:
        how = "drawn" if not ended["winners"] else "wins" if seat in ended["winners"] else ""
    if not how:
        return so_far or ""
    return _STANDS[how][1](so_far) if so_far else _STANDS[how][0]


_STANDS: Final[Mapping[str, tuple[Sentence, Callable[[Sentence], Sentence]]]] = {
    "move": (say("to move"), lambda far: say("to move, {standing}", standing=far)),
    "answer": (say("answers now"), lambda far: say("answers now, {standing}", standing=far)),
    "turn": (say("on turn"), lambda far: say("on turn, {standing}", standing=far)),
    "unsent": (say("not sent"), lambda far: say("not sent, {standing}", standing=far)),
    "next": (say("next"), lambda far: say("next, {standing}", standing=far)),
    "wins": (say("wins"), lambda far: say("{standing}, wins", standing=far)),
    "drawn": (say("drawn"), lambda far: say("{standing}, drawn", standing=far)),
}


def holds(seat: Seat, card: str) -> Sentence:
    """What is said of a single card in a hand."""
    if card == HIDDEN:
        return say("{seat:seat} holds a hidden card.", seat=seat)
    return say("{seat:seat} holds {card}.", seat=seat, card=card)


def held(cards: Iterable[str]) -> list[str | Sentence]:
    """The cards of a hand for a sentence: those that are known, and how many are not."""
    hand = list(cards)
    known: list[str | Sentence] = [card for card in hand if card != HIDDEN]
    hidden = len(hand) - len(known)
    if hidden:
        known.append(say("{n} hidden [card|cards]", n=hidden))
    return known


def from_the_right(cards: Iterable[str], right: int, step: int) -> Iterator[tuple[str, str, int]]:
    """Cards, their names in ids, and where each begins: the last one ends at `right`, so the fewer
    there are, the more room is left for the player's name."""
    hand = list(with_ids(cards))
    for n, (card, name) in enumerate(hand):
        yield card, name, right - step * (len(hand) - n)
