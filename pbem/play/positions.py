"""A position that somebody gives: a view, or the keys of one that matter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from pbem.core import HIDDEN, Game, Seat, Setup
from pbem.files import yamlio
from pbem.play import games
from pbem.problem import BadFile, Usage

Draw = Callable[[tuple[str, ...], list[tuple[str, int]]], str]
"""Draws one of some cards, each with the number of its copies; the words tell the draws of one
position apart."""


def placed(game: Game[Any], setup: Setup, view: Mapping[str, Any]) -> Any:
    """The state that looks like this. Raises Problem if it is no position of the game, or says
    something else of what follows from the rest."""
    state = kept(game, setup, view)
    keys = getattr(game, "SCHEMA", {}).get("properties", {})
    due = game.view(state)
    for key, given in view.items():
        if keys.get(key, {}).get("readOnly") and given != due.get(key):
            raise BadFile(
                "in this position {key} is {derived!r}, not {given!r}",
                key=key,
                derived=due.get(key),
                given=given,
            )
    return state


def kept(game: Game[Any], setup: Setup, view: Mapping[str, Any]) -> Any:
    """The same of a view in a log: what followed from the rest when it was written may follow
    otherwise by now. Raises Problem."""
    _require_view(game, setup, view)
    try:
        return game.position(setup, view)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Usage(
            "this is no position of {title}: {error!r}", title=game.TITLE, error=error
        ) from error


def complete(
    game: Game[Any], setup: Setup, given: Mapping[str, Any], draw: Draw
) -> tuple[dict[str, Any], dict[str, dict[Seat, int]]]:
    """The whole view of a position somebody gives, with a card drawn for each unknown one, and how
    many were drawn in each thing a seat holds: they stand last in it. Raises Problem if it is no
    position of the game, or the match is over in it."""
    state = placed(game, setup, given)
    if not game.pending(state):
        raise Usage("this position is one of a match that is over; nothing can follow it")
    view = deepcopy(game.view(state))
    drawn: dict[str, dict[Seat, int]] = {}
    for key, seat, cards in _held(game, view):
        known = [card for card in cards if card != HIDDEN]
        if unknown := len(cards) - len(known):
            drawn.setdefault(key, {})[seat] = unknown
            cards[:] = [*known, *[HIDDEN] * unknown]
    for key, by_seat in drawn.items():
        for seat, unknown in by_seat.items():
            _filled(game, setup, view, (key, seat, unknown), draw)
    for key, value in view.items():
        if HIDDEN in leaves(value):
            raise Usage("{key} must be known in this position: nothing is drawn for it", key=key)
    return view, drawn


def _filled(
    game: Game[Any], setup: Setup, view: dict[str, Any], what: tuple[str, Seat, int], draw: Draw
) -> None:
    """Draw what nobody knows of what a seat holds, from what remains."""
    key, seat, unknown = what
    remain = getattr(game, "unseen", None)
    if remain is None:
        raise Usage(
            "name every card of {seat:seat} under {key}: {title} cannot draw what is unknown",
            seat=seat,
            key=key,
            title=game.TITLE,
        )
    cards = view[key][seat]
    for nth in range(len(cards) - unknown, len(cards)):
        left = remain(game.position(setup, view))
        cards[nth] = draw((key, seat, str(nth)), sorted((c, n) for c, n in left.items() if n > 0))


def unknown_again(
    view: Mapping[str, Any], drawn: Mapping[str, Mapping[Seat, int]]
) -> dict[str, Any]:
    """The view as it was given: without what was drawn."""
    found = deepcopy(dict(view))
    for key, by_seat in drawn.items():
        for seat, unknown in by_seat.items():
            cards = found[key][seat]
            cards[len(cards) - unknown :] = [HIDDEN] * unknown
    return found


def _held(game: Game[Any], view: Mapping[str, Any]) -> Iterator[tuple[str, Seat, list[Any]]]:
    """The lists among what each seat holds, with their keys."""
    for key in private(game, view):
        for seat, cards in view.get(key, {}).items():
            if isinstance(cards, list):
                yield key, seat, cards


def leaves(value: Any) -> Iterator[Any]:
    """The single values in a value of several parts."""
    if isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from leaves(each)
    else:
        yield value


def private(game: Game[Any], view: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of this view that hold, for each seat, what only that seat may know."""
    tell = getattr(game, "private", None)
    keys: tuple[str, ...] = tell(view) if tell else game.PRIVATE
    return keys


def concealed(
    game: Game[Any], view: Mapping[str, Any], conceal: Callable[[str, Seat, Any], Any]
) -> dict[str, Any]:
    """The view with each thing that only one seat may know replaced by what `conceal` makes of its
    place, seat and value. Whether there are any, and how many, everybody may know."""

    def held(key: str, seat: Seat, value: Any) -> Any:
        if isinstance(value, list):
            return [conceal(f"{key}.{seat}.{nth}", seat, each) for nth, each in enumerate(value)]
        return value if value is None else conceal(f"{key}.{seat}", seat, value)

    shut = {
        key: {seat: held(key, seat, value) for seat, value in view[key].items()}
        for key in private(game, view)
        if key in view
    }
    return {**view, **shut}


def _require_view(rules: Game[Any], setup: Setup, view: Mapping[str, Any]) -> None:
    """Is this a view, or some keys of one, with no seat but those of the table? Raises Usage."""
    if not isinstance(view, Mapping):
        raise Usage("a view is a mapping, like {{'hands': …}}, not {view!r:.60}", view=view)
    schema = (games.view_schema(rules) or "").replace(
        '"format": "seat"', f'"enum": {json.dumps([*setup.seats, None])}'
    )
    for where, said in yamlio.misfits(dict(view), schema, parts=True) if schema else ():
        raise Usage(
            "this is no view of {title}: {where}: {said}",
            title=rules.TITLE,
            where=where or "view",
            said=said,
        )
