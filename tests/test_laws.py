"""The laws every game obeys, over matches played at random."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pbem.core import (
    CHANCE,
    HIDDEN,
    SEAT,
    Game,
    Move,
    Problem,
    Refused,
    Seat,
    Setup,
    mask,
    slots,
    word,
)
from pbem.files import data, yamlio
from pbem.play import codec, games, options
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.report import render
from pbem.report.render import Awaited

SEEDS = range(12)
MOST_OF_A_KIND = 2000


def variants() -> Iterator[tuple[str, str, dict[str, Any], tuple[Seat, ...]]]:
    """Every ruleset of every game for every number of seats, and a few mixtures of options."""
    for name in games.OWN:
        game = games.game(name)
        declared = data.game_file(game.DATA, "rulesets")
        fewest, most = game.PLAYERS
        for count in range(fewest, most + 1):
            seats = game.SEATS or tuple("ana ben cara dan eva".split()[:count])
            for ruleset in declared["rulesets"]:
                yield name, ruleset, {}, seats
            for mixture in range(count - fewest, 6, 1 + most - fewest):
                yield name, declared["default"], mixed(declared["options"], seats, mixture), seats


def mixed(declared: dict[str, Any], seats: tuple[Seat, ...], seed: int) -> dict[str, Any]:
    """Some value for every option whose values are known."""
    rng = random.Random(seed)
    values: dict[str, Any] = {}
    for name, about in declared.items():
        match about["kind"]:
            case "flag":
                values[name] = rng.random() < 0.5
            case "word":
                values[name] = rng.choice(about["words"])
            case "seat":
                values[name] = rng.choice(seats)
            case "seat_numbers":
                values[name] = {rng.choice(seats): rng.randint(about["least"], about["most"])}
    return values


VARIANTS = list(variants())
IDS = [f"{name}-{ruleset}-{len(seats)}-{n}" for n, (name, ruleset, _, seats) in enumerate(VARIANTS)]


def choose(rng: random.Random, game: Game[Any], moves: list[Move]) -> Move:
    """A random player that makes rare things happen: first a kind of move, then a move."""
    kinds = list(dict.fromkeys(type(move) for move in moves))
    kind = rng.choice(kinds)
    return rng.choice([move for move in moves if type(move) is kind])


def playout(game: Game[Any], setup: Setup, seed: int) -> Iterator[tuple[Any, Seat, Step]]:
    """(state, seat, step) for every ply of a random match."""
    rng = random.Random(seed)
    state = game.start(setup)
    for _ in range(3000):
        pending = game.pending(state)
        if not pending:
            return
        seat = rng.choice(pending).seat
        pick = rng.choice if seat == CHANCE or seed % 2 else lambda moves: choose(rng, game, moves)
        move = pick(play.legal_moves(game, state, seat))
        step = play.judge(game, state, seat, move)
        yield state, seat, step
        state = play.advance(game, state, step.events)
    raise AssertionError("the match does not end")


@cache
def matches(index: int) -> list[tuple[Game[Any], Setup, list[tuple[Any, Seat, Step]]]]:
    """The random matches of one variant."""
    name, ruleset, chosen, seats = VARIANTS[index]
    game = games.game(name)
    setup = options.setup(game, seats, ruleset, chosen)
    return [(game, setup, list(playout(game, setup, seed))) for seed in SEEDS]


every_variant = pytest.mark.parametrize("index", range(len(VARIANTS)), ids=IDS)


@every_variant
def test_a_match_ends_and_says_how(index: int) -> None:
    for game, setup, plies in matches(index):
        state, _, step = plies[-1]
        final = play.advance(game, state, step.events)
        outcome = game.outcome(final)
        assert outcome is not None
        assert set(outcome.winners) <= set(setup.seats)
        assert set(outcome.scores) == set(setup.seats)
        assert all(game.outcome(state) is None for state, _, _ in plies)


@every_variant
def test_every_decision_has_a_legal_move_and_asks_for_kinds_it_gets(index: int) -> None:
    for game, _, plies in matches(index):
        for state, _, _ in plies:
            for decision in game.pending(state):
                legal = play.legal_moves(game, state, decision.seat)
                assert any(type(move) in decision.accepts for move in legal)
                if decision.default is not None:
                    play.judge(game, state, decision.seat, decision.default)


@every_variant
def test_every_decision_is_asked_in_a_sentence_of_the_phrase_book(index: int) -> None:
    for game, setup, plies in matches(index)[:4]:
        names = {seat: f"<{seat}>" for seat in setup.seats}
        folder = game.DATA if os.path.isdir(os.path.join(game.DATA, "templates")) else ""
        asked = dict.fromkeys(
            (each.seat, each.kind, tuple(each.about.items()), each.during)
            for state, _, _ in plies
            for each in game.pending(state)
        )
        for seat, kind, about, during in asked:
            awaited = Awaited(seat, kind, dict(about), None, during)
            [question] = render.questions(game.NAME, [awaited], names, folder=folder)
            assert re.fullmatch(r".{8,}[.?]", question)
            assert seat == CHANCE or f"<{seat}>" in question or "you" in question, question


@every_variant
def test_the_notation_of_a_legal_move_is_read_back_as_that_move(index: int) -> None:
    for game, _, plies in matches(index)[:4]:
        for state, seat, _ in plies[:: max(1, len(plies) // 100)]:
            for move in play.legal_moves(game, state, seat):
                pattern = game.parse(game.notate(move))
                assert pattern.fits(move)
                assert play.resolve(game, state, seat, pattern) == move
                assert game.parse(game.notate(move).upper()).fits(move)


@every_variant
def test_what_is_logged_is_read_back_as_what_happened(index: int) -> None:
    for game, setup, plies in matches(index)[:4]:
        for _, seat, step in plies:
            for event in step.events:
                plain = codec.to_plain(event, seat, setup.seats)
                assert codec.from_plain(game.EVENTS, json.loads(json.dumps(plain))) == event


@every_variant
def test_a_state_is_what_its_events_make_of_the_start(index: int) -> None:
    for game, setup, plies in matches(index):
        events = [event for _, _, step in plies for event in step.events]
        state, _, step = plies[-1]
        assert play.advance(game, game.start(setup), events) == play.advance(
            game, state, step.events
        )


@every_variant
def test_a_view_obeys_its_schema_and_sets_the_position_up_again(index: int) -> None:
    for game, setup, plies in matches(index)[:4]:
        shape = f"view-{game.NAME}"
        assert shape in data.schema_names() or game.NAME not in games.OWN
        for state, _, _ in plies[:: max(1, len(plies) // 25)]:
            view = game.view(state)
            assert json.loads(json.dumps(view)) == view
            text = json.dumps(view)
            if shape in data.schema_names():
                assert yamlio.validate(view, data.schema_text(shape), text, "view") == []
            assert game.view(game.position(setup, view)) == view


@every_variant
def test_a_position_from_a_view_allows_the_same_moves(index: int) -> None:
    for game, setup, plies in matches(index)[:4]:
        for state, seat, _ in plies[:: max(1, len(plies) // 25)]:
            if seat == CHANCE:
                continue
            again = game.position(setup, game.view(state))
            now, then = (play.legal_moves(game, s, seat) for s in (again, state))
            assert set(now) == set(then)


def redacted(
    game: Game[Any], setup: Setup, plies: list[tuple[Any, Seat, Step]], viewer: Seat | None
) -> Iterator[tuple[Any, Any, Seat, Step]]:
    """(full state, what the viewer knows of it, seat, step) for every ply."""
    known = game.start(setup)
    for state, seat, step in plies:
        yield state, known, seat, step
        events = [mask(event, viewer, seat, setup.seats) for event in step.events]
        known = play.advance(game, known, events)


@every_variant
def test_a_redacted_log_replays_to_what_its_reader_may_know(index: int) -> None:
    for game, setup, plies in matches(index)[:4]:
        asked = [game.pending(state) for state, _, _ in plies]
        views = [game.view(state) for state, _, _ in plies]
        for viewer in (None, *setup.seats):
            known_states = (known for _, known, _, _ in redacted(game, setup, plies, viewer))
            for known, pending, view in zip(known_states, asked, views, strict=True):
                assert game.pending(known) == pending
                assert_agrees(game.view(known), view, viewer)


def assert_agrees(known: Any, full: Any, viewer: Seat | None) -> None:
    """The same, but for what other seats hold or have chosen: that may be unknown."""
    true = full.get("hands", {})
    hands = known.get("hands", {})
    assert {**known, **others_unknown(known, full, viewer), "hands": true} == {
        **full,
        "hands": true,
    }
    for seat, cards in hands.items():
        assert len(cards) == len(true[seat])
        if seat == viewer:
            assert cards == true[seat]
        left = list(true[seat])
        for card in cards:
            if card != HIDDEN:
                left.remove(card)


def others_unknown(known: Any, full: Any, viewer: Seat | None) -> dict[str, Any]:
    """What goes by seat, with the HIDDEN values of seats other than the viewer filled in."""
    return {
        key: {s: full[key][s] if v == HIDDEN and s != viewer else v for s, v in values.items()}
        for key, values in known.items()
        if isinstance(values, dict)
    }


@every_variant
def test_who_knows_less_never_refuses_what_is_legal_nor_is_surer(index: int) -> None:
    for game, setup, plies in matches(index)[:2]:
        for viewer in (None, *setup.seats):
            for state, known, seat, _ in redacted(game, setup, plies, viewer):
                for move in play.legal_moves(game, state, seat):
                    sure = game.check(known, seat, move)  # raises if it refuses
                    assert game.check(state, seat, move) or not sure
                for move in play.legal_moves(game, known, seat):
                    if game.check(known, seat, move):
                        game.check(state, seat, move)


@every_variant
def test_what_chance_may_bring_is_counted(index: int) -> None:
    for game, _, plies in matches(index)[:2]:
        for state, seat, _ in plies:
            if seat == CHANCE:
                moves = play.legal_moves(game, state, CHANCE)
                assert all(game.chances(state, move) > 0 for move in moves)


@every_variant
def test_a_question_that_still_stands_after_another_seat_s_answer_has_the_same_answers(
    index: int,
) -> None:
    """So whoever answers the post in which all were asked is not too late."""
    for game, _, plies in matches(index):
        for state, mover, step in plies:
            asked = [d for d in game.pending(state) if d.seat not in (mover, CHANCE)]
            after = play.advance(game, state, step.events)
            for decision in asked if mover != CHANCE else ():
                if [d for d in game.pending(after) if d.seat == decision.seat] == [decision]:
                    legal = play.legal_moves(game, state, decision.seat)
                    assert play.legal_moves(game, after, decision.seat) == legal


def test_in_some_games_several_are_asked_at_once() -> None:
    assert any(
        len({decision.seat for decision in game.pending(state)}) > 1
        for index in range(len(VARIANTS))
        for game, _, plies in matches(index)
        for state, _, _ in plies
    )


@every_variant
def test_the_candidates_are_complete(index: int) -> None:
    """Brute force: no move that can be written at all is legal but not a candidate."""
    for game, setup, plies in matches(index)[:4]:
        universe = every_move(game, setup.seats)
        for state, seat, _ in plies[:: max(1, len(plies) // 50)]:
            legal = set(play.legal_moves(game, state, seat))
            for move in universe:
                try:
                    play.judge(game, state, seat, move)
                except Refused:
                    assert move not in legal
                else:
                    assert move in legal, game.notate(move)


@cache
def every_move(game: Game[Any], seats: tuple[Seat, ...]) -> tuple[Move, ...]:
    """Every move that can be written down, from the values its fields may take.

    A kind with a field that cannot be listed, or with too many combinations, is left to the tests
    of its own game.
    """
    moves: list[Move] = []
    for kind in game.MOVES:
        values = [seats if slot.of is SEAT else slot.of.values for slot in slots(kind)]
        if math.prod(map(len, values)) <= MOST_OF_A_KIND:
            moves += itertools.starmap(kind, itertools.product(*values))
    assert len({type(move) for move in moves}) > len(game.MOVES) // 2
    return tuple(moves)


def test_every_word_for_a_move_or_an_event_is_used_once() -> None:
    for name in games.OWN:
        game = games.game(name)
        for kinds in (game.MOVES, game.EVENTS):
            words = [word(kind) for kind in kinds]
            assert len(set(words)) == len(words)
            assert all(slot.of for kind in kinds for slot in slots(kind))


def test_a_wrong_option_is_refused_with_what_there_is() -> None:
    for name in games.OWN:
        game = games.game(name)
        seats = game.SEATS or tuple("ana ben cara".split())
        with pytest.raises(Problem, match="has no option 'nonsense', only"):
            options.setup(game, seats, None, {"nonsense": True})
        with pytest.raises(Problem, match="has no ruleset 'nonsense', only"):
            options.setup(game, seats, "nonsense")
