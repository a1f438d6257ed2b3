"""The form of a position to begin a match from: printed, and read when it is filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, NOBODY, Game, Seat, Setup
from pbem.files import yamlio
from pbem.files.data import game_file, schema_text
from pbem.log.chance import Dealer, seeded
from pbem.play import games, options, positions
from pbem.play import judge as play
from pbem.problem import BadFile, Problem


class Given(NamedTuple):
    """A position from a file: a view or a part of one, and, as far as the file says, the edition of
    the match it comes from and those of its options that are not as usual."""

    path: str
    view: Mapping[str, Any]
    ruleset: str | None
    options: Mapping[str, Any]

    def begun(
        self, game: Game[Any], setup: Setup, dealer: Dealer
    ) -> tuple[dict[str, Any], dict[str, dict[Seat, int]]]:
        """The whole view, and how much of it was drawn: see `positions.complete`. Raises Problem
        with the file's path."""
        try:
            return positions.complete(
                game, setup, self.view, lambda words, weights: dealer(0, words, weights)
            )
        except Problem as problem:
            raise problem if problem.path else problem.at(self.path) from None


def read(path: str, game_name: str, seats: Sequence[Seat], ruleset: str | None = None) -> Given:
    """The position in a file, which holds all that `pbem show --format json` prints, or the view
    alone. Raises Problem if it is neither."""
    game, data = games.game(game_name), yamlio.read(path)
    if not isinstance(data, dict) or not data:
        raise BadFile("is no position: it holds no names and values", path)
    if data.get("game", game.NAME) != game.NAME:
        raise BadFile(
            "is a position of {other!r:.40}, not of {game}",
            path,
            other=data["game"],
            game=game.NAME,
        )
    if not isinstance(data.get("view"), dict):
        return Given(path, data, ruleset, {})
    told = {key: value for key, value in data.items() if value is not None}
    for key, said in yamlio.misfits(told, schema_text("show"), parts=True):
        raise BadFile("{key}: {said}", path, key=key or "position", said=said)
    why = told.get("outcome", {}).get("why")
    if why and any(rule["id"] == why for rule in game_file(game.DATA, "rules")):
        raise BadFile("is a position of a match that is over; nothing can follow it", path)
    edition = ruleset or told.get("ruleset")
    usual = options.setup(game, seats, edition).options
    differ = {
        name: value
        for name, value in told.get("options", {}).items()
        if usual.get(name, ...) != value
    }
    return Given(path, data["view"], edition, differ)


def form(
    game_name: str,
    seats: Sequence[Seat] = (),
    ruleset: str | None = None,
    chosen: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
) -> str:
    """A position to fill in, with what each part of it means; it shows a fresh match at its first
    choice. Raises Problem for an unknown game, seat, ruleset or option."""
    game = games.game(game_name)
    usual = game.SEATS or tuple(f"seat{n}" for n in range(1, game.PLAYERS[0] + 1))
    setup = options.setup(game, tuple(seats) or usual, ruleset, chosen, board)
    return "".join(f"{line}\n" for line in _form(game, setup))


def _form(game: Game[Any], setup: Setup) -> Iterator[str]:
    yield from _said(_HEAD.format(game=game.NAME, seat=setup.seats[0]), "")
    yield from _entry("game", game.NAME)
    yield from _entry("ruleset", setup.ruleset)
    declared = options.declared(game).get("options", {})
    if setup.options:
        yield "options:"
    for name, value in setup.options.items():
        yield from _said(declared[name]["says"], "  ")
        yield from _entry(name, value, "  ")
    yield "view:"
    about = json.loads(games.view_schema(game) or "{}").get("properties", {})
    for key, value in _sample(game, setup).items():
        described = about.get(key, {})
        if key != "game" and not described.get("readOnly"):
            yield from _said(described.get("description", ""), "  ")
            yield from _entry(key, value, "  ")


_HEAD: Final = (
    "A position of {game} to begin a match from: fill in what lies on your table, then "
    "`pbem new {game} --position FILE --seat {seat}=NAME …`. What you leave out is as in a fresh "
    'match. "?" is a card you do not know: one is drawn from what remains. What a player holds is '
    "sealed for that player; everything else is public."
)
_WIDTH: Final = 78


def _said(text: str, margin: str) -> Iterator[str]:
    return (f"{margin}# {line}" for line in wrap(" ".join(text.split()), _WIDTH - len(margin)))


def _entry(key: str, value: Any, margin: str = "") -> Iterator[str]:
    return (f"{margin}{line}" for line in yamlio.emit({key: value}).splitlines())


def _sample(game: Game[Any], setup: Setup) -> dict[str, Any]:
    """What everybody sees of a fresh match once somebody must choose."""
    state, dealer, ply = game.start(setup), seeded(1), 0
    while {decision.seat for decision in game.pending(state)} <= {*NOBODY}:
        seat = game.pending(state)[0].seat
        moves = play.legal_moves(game, state, seat)
        texts = {game.notate(move): move for move in moves}
        chances = [(t, game.chances(state, m) if seat == CHANCE else 1) for t, m in texts.items()]
        ply += 1
        step = play.judge(game, state, seat, texts[dealer(ply, (), chances)])
        state = play.advance(game, state, step.events)
    view: dict[str, Any] = json.loads(json.dumps(game.view(state)))
    return positions.concealed(game, view, lambda *_: HIDDEN)
