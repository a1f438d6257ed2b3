"""Which of several a text chooses without naming it: the highest, both, the second of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.intake.words import lexicon, tokens
from pbem.meaning.fitting import Wording
from pbem.meaning.hints import MoveTexts, things_of

_PLACES: Final = {"first": 0, "second": 1, "third": 2, "last": -1}


def wants_all(text: str) -> bool:
    """Does a text want all there is: "both", "everything"?"""
    return _said(text, "all") != set()


def by_size(text: str, orders: Sequence[MoveTexts]) -> Sequence[MoveTexts]:
    """Of several orders those with the highest or the lowest numbers, "my highest red", or the one
    that holds all the others do, "both", as a text wants them; all of them if it does not say."""
    said = _said(text, "highest", "lowest", "all")
    if said == {"all"}:
        every = frozenset[str]().union(*map(things_of, orders))
        return [order for order in orders if things_of(order) >= every] or orders
    numbers = {order: number for order in orders if (number := _number(order))}
    if len(said) != 1 or not numbers:
        return orders
    best = (min if "lowest" in said else max)(numbers.values())
    return [order for order in numbers if numbers[order] == best]


def by_place(text: str, orders: Sequence[MoveTexts]) -> Sequence[MoveTexts]:
    """Of several orders, as they were listed, the one whose place a text tells, "the second one";
    all of them if it does not."""
    said = _said(text, *_PLACES)
    at = _PLACES[said.pop()] if len(said) == 1 else len(orders)
    return [orders[at]] if at < len(orders) else orders


def _said(text: str, *fields: str) -> set[str]:
    return {kind for *_, kind in lexicon("choices", *fields).spans(tokens(text)) if kind}


def _number(order: MoveTexts) -> int:
    """The sum of the numbers of the cards and tiles of an order."""
    things = (thing for text in order for thing in Wording.of(text).things)
    return sum(int(each) for each in things if each.isdigit())
