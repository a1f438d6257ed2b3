"""The ruling that all have agreed to change an option from here on."""

from __future__ import annotations

from typing import Any

from pbem.core import NAME, SEAT, Domain, Game, Seat, Setup, fact, record
from pbem.log.ruling import PLAY, Asks, Objection, Ruling, Totals, list_of
from pbem.play import options
from pbem.problem import Usage
from pbem.sentence import Sentence, say


def _is_value(value: Any) -> bool:
    return value is None or isinstance(value, str | int | dict | list | tuple)


@record
class Option(Ruling):
    """An option has another value from here on, as all have agreed."""

    option: str = fact(NAME)
    value: Any = fact(Domain("a value of the option", _is_value))
    seats: tuple[Seat, ...] = fact(list_of("a list of seats", SEAT.accepts))

    bears_on_draws = True
    stages = (PLAY,)
    options = (
        Asks("option", "KEY=VALUE", "The option, and what it is from now on.", needed=True),
        Asks("agreed", "SEAT", "Who has agreed: everybody must.", many=True, field="seats"),
    )
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        missing = [
            seat
            for seat in so_far.header.seats
            if seat not in self.seats and seat not in so_far.vacant
        ]
        if not missing:
            return None
        return say(
            "an option changes only if all agree; {missing:seats} did not, as far as this says",
            missing=missing,
        ), "seats"

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "{seats:seats} agree: from here on the option {option} is {value}.",
            seats=self.seats,
            option=self.option,
            value=options.typed(list(self.value) if isinstance(self.value, tuple) else self.value),
        )


def changed(game: Game[Any], setup: Setup, name: str, value: Any) -> Setup:
    """The set-up with another value of an option. Raises Usage if the option cannot change during
    a match, or has no such value."""
    can = getattr(game, "IN_PLAY", ())
    if name not in can:
        raise (
            Usage(
                "in {title} the option {name!r:.60} cannot change during a match, only {can:any}",
                title=game.TITLE,
                name=name,
                can=can,
            )
            if can
            else Usage("in {title} no option can change during a match", title=game.TITLE)
        )
    value = list(value) if isinstance(value, tuple) else value
    chosen = {**setup.options, name: value}
    return options.setup(game, setup.seats, setup.ruleset, chosen, setup.board)
