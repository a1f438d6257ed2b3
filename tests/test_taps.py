"""What a board says of a question and of the moves that answer it, over random matches of all
games: what is asked about is marked, and each shape stands for its own moves and no others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from long import many

from pbem.core import NOBODY, Decision, Seat
from pbem.pictures import board
from pbem.play import games
from pbem.play.judge import legal_moves
from pbem.rules.kahuna import moves as of_kahuna
from pbem.rules.kanaloa_bambus import moves as of_bambus
from pbem.rules.kanaloa_piatnik import moves as of_piatnik
from pbem.shapes import Scene, Shape, middle
from pbem.testing.random_matches import play_out, variants

OWN = pytest.mark.parametrize("name", games.OWN)

COLOURS = ("green", "blue", "red", "turquoise", "kane")
"""Seats that are called as cards and tiles are."""

Moment = tuple[Any, tuple[Decision, ...], Scene]


@cache
def moments(name: str) -> list[Moment]:
    """States of random matches in which a seat is asked, each kind of question often enough, with
    what is asked and what the board shows."""
    game, found, seen = games.game(name), [], dict[Any, int]()
    for nth, variant in enumerate(variants(name)):
        if not game.SEATS:
            chosen = {k: v for k, v in variant.options.items() if v not in variant.seats}
            seats = COLOURS[: len(variant.seats)]
            variant = variant._replace(seats=seats, options=chosen)
        for seed in range(many(2, 6)):
            for ply in play_out(game, 100 * seed + nth, variant).plies:
                asked = tuple(each for each in game.pending(ply.state) if each.awaited)
                kind = asked[0].kind, len(variant.seats), bool(asked[0].during)
                if asked[0].seat in NOBODY or seen.get(kind, 0) > 5 + many(0, 20):
                    continue
                seen[kind] = seen.get(kind, 0) + 1
                view = board.ended(game.view(ply.state), None, asked)
                found.append((ply.state, asked, board.scene(game, view)))
    return found


# ------------------------------------------------------------------------------- the question


def things(value: Any) -> Iterator[str]:
    """What a value of a question's `about` may be called in ids."""
    for each in [value] if isinstance(value, str) else value:
        yield each.replace(" ", "-")


@OWN
def test_all_that_a_question_is_about_is_marked_and_only_the_rows_of_the_asked_are_filled(
    name: str,
) -> None:
    marked = 0
    for state, asked, scene in moments(name):
        ids = {shape.id for shape in scene.shapes}
        about = {each for one in asked for value in one.about.values() for each in things(value)}
        named = {
            shape.id
            for shape in scene.shapes
            if shape.id.partition("-")[2] in about and shape.form not in ("text", "lines")
        }
        assert {each for each in ids if each.startswith("asked-")} == {f"asked-{x}" for x in named}
        marked += len(named)
        filled = {shape.id for shape in scene.shapes if shape.look == "turn"}
        rows = {f"turn-{each.seat}" for each in asked}
        # In a trick the place of whoever is to play is filled as well.
        assert rows <= filled <= rows | {f"place-{each.seat}" for each in asked}
        waiting = {shape.id for shape in scene.shapes if shape.look == "waits"}
        turn = games.game(name).view(state)["turn"]
        assert waiting == {f"turn-{turn}" for turn in [turn] if turn} - filled
    assert marked or name != "kanaloa-bambus"


def test_an_interrupt_shows_who_answers_and_what_is_at_stake() -> None:
    kinds = dict[str, int]()
    for _, [one, *_], scene in moments("kanaloa-bambus"):
        if not one.during:
            continue
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
        shapes = {shape.id: shape for shape in scene.shapes}
        stands = {seat: str(shapes[f"standing-{seat}"].label) for seat in (one.seat, one.during)}
        assert "answers now" in stands[one.seat]
        assert "on turn" in stands[one.during]
        if one.kind == "veto":
            [way] = one.about.values()
            assert f"asked-fish-{way}" in shapes
            before, after = shapes[f"fish-{way}"], shapes["would-turn"]
            assert "would" in after.look  # dashed, but as large as the fish itself
            assert len(after.place) == len(before.place) == 3
            # Whole, and an arrow to there: upon no island, no other fish, and no question mark.
            at, others = after.place[:2], [*scene.shapes[: scene.shapes.index(after)]]
            isles = [middle(each) for each in others if each.id.startswith("island-")]
            assert min(math.hypot((at[0] - x) / 64, (at[1] - y) / 55) for x, y in isles) > 1.15
            fish = [each.place[:2] for each in others if each.look.startswith("fish")]
            sign = shapes[f"sign-of-{before.id}"].place[:2]
            assert min(math.dist(at, each) for each in (*fish, sign)) > 32
            x, y, _ = shapes["turning"].place
            assert 26 < math.dist(at, (x, y)) < 44 < math.dist(at, before.place[:2])
            turned = (after.place[2] - before.place[2]) % 360 == 180
            assert turned == ("reverse" in one.about)
            assert (after.look.split()[1] != before.look.split()[1]) == ("flip" in one.about)
        else:
            assert {f"asked-offering-{each}" for each in things(one.about["tiles"])} <= {*shapes}
            scores = [each.place for id, each in shapes.items() if id.startswith("score-")]
            signs = [each.place for id, each in shapes.items() if id.startswith("sign-of-off")]
            for (x, y, *_), sign in product(scores, signs):
                assert math.dist((x, y - 8), sign[:2]) > 30
    assert kinds.keys() == {"rob", "veto"}


def test_the_field_to_which_a_dolphin_would_carry_a_boat_is_marked() -> None:
    for state, [one, *_], scene in moments("kanaloa-piatnik"):
        if one.kind != "dolphin":
            continue
        fields = [each.id for each in scene.shapes if each.id.startswith("field-")]
        boat = games.game("kanaloa-piatnik").view(state)["boats"][one.seat]
        marked = [id for id in fields if f"asked-{id}" in {each.id for each in scene.shapes}]
        assert marked == [fields[(boat + 1) % len(fields)]]
        shapes = {each.id: each.place for each in scene.shapes}
        (_, _, far, _, turn, near), ring = shapes[marked[0]], shapes[f"asked-{marked[0]}"]
        bands = [place for id, place in shapes.items() if id.startswith("band-")]
        # Within the field: it hides no letter of a colour.
        assert max(place[2] for place in bands) <= near < ring[5] - 7
        assert (ring[2] < far, ring[4] < turn) == (True, True)


def test_what_a_row_says_lies_within_its_frame_and_temples_within_their_table() -> None:
    for _, _, scene in moments("kanaloa-bambus"):
        shapes = {each.id: each.place for each in scene.shapes}
        for id, place in shapes.items():
            if id.startswith("turn-"):
                (_, top, _, high), seat = place, id.removeprefix("turn-")
                for said in (shapes[f"name-{seat}"], shapes[f"score-{seat}"]):
                    assert top + 23 <= said[1] <= top + high  # letters are 17 high
                _, y, radius = shapes[f"seat-{seat}"]
                assert top + 3 <= y - radius
                tiles = [id for id in shapes if id.startswith(f"offering-{seat}-")]
                assert all(sum(shapes[tile][1::2]) <= top + high for tile in tiles)
        temples = [place for id, place in shapes.items() if id.startswith("temple-")]
        assert all(x + 19 <= max(shapes["rules"][::2]) for x, *_ in temples)


@OWN
def test_what_is_entered_is_said_not_to_be_sent_and_whoever_comes_after_it_is_only_next(
    name: str,
) -> None:
    game = games.game(name)
    for state, asked, before in moments(name):
        seats = {each.seat for each in asked}
        others = [each.id[5:] for each in before.shapes if each.id.startswith("seat-")]
        own = next((each for each in others if each not in seats), None)
        if own is None:
            continue
        view = {**board.ended(game.view(state), None, asked), "entered": own}
        shapes = {shape.id: shape for shape in board.scene(game, view).shapes}
        rows = {id: shape.look for id, shape in shapes.items() if id.startswith("turn-")}
        assert rows.pop(f"turn-{own}") == "turn"
        assert {rows[f"turn-{seat}"] for seat in seats} == {"waits"}
        said = " ".join(str(s.label) for s in shapes.values() if s.form == "text")
        assert "not sent" in said
        assert "next" in said
        assert "to move" not in said


# ------------------------------------------------------------------------- what stands for what


def tapped(state: Any, seat: Seat, move: Any, shape: Shape) -> bool:
    """Is a move made with this shape? By the fields of the move, not by its text."""
    kind, *rest = shape.id.split("-")
    own = rest[:1] == [seat]
    match move:
        case of_kahuna.Place(line, card):
            return on_line(shape, line) or (kind == "hand" and own and rest[1] == card)
        case of_kahuna.Remove(line, cards):
            return on_line(shape, line) or (kind == "hand" and own and rest[1] in cards)
        case of_kahuna.Free(line) | of_kahuna.Handicap(line):
            return on_line(shape, line)
        case of_kahuna.Discard(card):
            return kind == "hand" and own and rest[1] == card
        case of_kahuna.Take(card):
            return kind == "display" and shape.label == card
        case of_kahuna.Draw():
            return shape.id == "pile-draw"
        case of_bambus.LayFish(fish) | of_bambus.LayNeutral(fish):
            return kind == "current" and set(rest) == set(fish.split("-"))
        case of_bambus.Sail(tail, head):
            return shape.id in (f"fish-{tail}-{head}", f"island-{head}") or pawn(shape, seat, tail)
        case of_bambus.PlacePawn(island) | of_bambus.Second(island):
            return shape.id == f"island-{island}"
        case of_bambus.Land(island):
            return shape.id == f"island-{island}" or pawn(shape, seat, "dolphin")
        case of_bambus.Withdraw(place) | of_bambus.Call(place):
            return shape.id == f"island-{place}" or pawn(shape, seat, place)
        case of_bambus.Swap(first, tile, second, other):
            return kind == "tile" and tuple(rest[:2]) in ((first, tile), (second, other))
        case of_bambus.Take(tile) | of_bambus.Give(tile):
            return kind == "tile" and rest[:2] == [state.world.chart.islands[state.arrived], tile]
        case of_bambus.Sacrifice(_, tiles):
            return kind == "offering" and own and rest[1] in tiles
        case of_bambus.Rob(victim, tile):
            return kind == "offering" and rest[:2] == [victim, tile]
        case of_bambus.Free(fish) | of_bambus.Flip(fish) | of_bambus.Reverse(fish):
            return shape.id == f"fish-{fish}"
        case of_bambus.PlaceVolcano(site):
            return shape.id in (f"site-{site}", f"island-{site}")
        case of_piatnik.Play(card):
            return f"hand-{seat}-{card.replace(' ', '-')}" in (shape.id, shape.id[:-2])
        case of_piatnik.Remove(card):
            return shape.id == f"card-{card}"
    return False


def on_line(shape: Shape, line: str) -> bool:
    return shape.id == f"line-{line}" or shape.id in {f"island-{end}" for end in line.split("-")}


def pawn(shape: Shape, seat: Seat, place: str) -> bool:
    return shape.id.startswith(f"pawn-{seat}-{place}-")


@OWN
def test_each_shape_stands_for_the_moves_made_with_it_and_for_no_others(name: str) -> None:
    game, told = games.game(name), set[str]()
    for state, asked, scene in moments(name):
        shapes = [shape for shape in scene.shapes if shape.form not in ("text", "lines")]
        for decision in asked:
            legal = legal_moves(game, state, decision.seat)
            for move in legal[:: 1 + len(legal) // many(25, 200)]:
                text = game.notate(move)
                stand = {s.id for s in shapes if s.stands_for(text, decision.seat)}
                assert stand == {s.id for s in shapes if tapped(state, decision.seat, move, s)}, (
                    text
                )
                told.add(text.split()[0])
    assert len(told) > 5
