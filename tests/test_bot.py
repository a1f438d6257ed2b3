"""What a seat cannot know, dealt anew, and the bot, which thinks about that; that it fits all the
seat knows is a law that every game is held to."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from outside import brought

import pbem
from pbem.core import CHANCE, NUMBER, Decision, Move, Outcome, Seat, Setup, fact, record
from pbem.play import games
from pbem.play.bot import Bot
from pbem.play.unknown import Knowledge


def played(table: pbem.Table, bots: dict[Seat, int], rng: random.Random) -> pbem.Table:
    """The end of a match in which these seats are played by bots with so many playouts, and the
    others at random."""
    while seat := table.asked:
        if seat == CHANCE:
            table = table.draw(rng)
        elif seat in bots:
            table = table.play(seat, table.bot(seat, rng, bots[seat]))
        else:
            table = table.play(seat, rng.choice(table.moves(seat)))
    return table


def test_a_table_dealt_anew_goes_on_and_is_kept_as_json() -> None:
    rng = random.Random(5)
    table = pbem.Table.start("kahuna")
    while table.pending[0].seat == CHANCE:
        table = table.draw(rng)
    hands = {tuple(table.resample("white", rng).view()["hands"]["black"]) for _ in range(30)}
    assert len(hands) > 20
    assert len({table.key("white")} | {table.resample("white", rng).key("white")}) == 1

    anew = table.resample("white", rng)
    again = pickle.loads(pickle.dumps(anew))
    assert again == anew != table
    assert again.key("white") == anew.key("white")
    end = played(again, {}, rng)
    assert end.outcome
    assert end.key("white").startswith(table.key("white").partition('"reader"')[0][:-4])
    assert pbem.Table.from_json(table.key("white")) == table.seen_by("white")


def test_a_hand_that_did_not_follow_suit_is_not_dealt_that_suit_again() -> None:
    """Ben has played red to a blue lead: whatever else he holds, it is no blue Tiki [P-27]."""
    route = ["M01", "M02", *(f"M{n:02}" for n in range(3, 11))]
    table = pbem.Table.start("kanaloa-piatnik", ("a", "b", "c"), options={"route": route})
    colours = {"a": "blue", "b": "red", "c": "green"}
    while (asks := table.pending[0]).seat == CHANCE:
        nth = len(table.view()["hands"][asks.about["to"]]) + 1
        table = table.play(CHANCE, f"deal {colours[asks.about['to']]} {nth}")
    table = table.play("a", "blue 1").play("b", "red 1")

    rng, held = random.Random(1), set[str]()
    for _ in range(12):
        held.update(table.resample("c", rng).view()["hands"]["b"])
    assert len(held) > 12
    assert not {card for card in held if card.startswith("blue")}


def test_a_face_up_card_stays_where_it_was_taken_and_what_was_put_away_stays_away() -> None:
    view = {"hands": {"white": ["ALOA", "ALOA"], "black": ["BARI"]}, "display": ["COCO"], "deck": 9}
    table = pbem.Table.at("kahuna", view, options={"discard": "free"})
    table = table.play("white", "discard ALOA").play("white", "take COCO")
    table = table.play(CHANCE, "deal DUDA")

    rng = random.Random(2)
    for _ in range(20):
        white, black = table.resample("white", rng), table.resample("black", rng)
        assert "COCO" in black.view()["hands"]["white"]
        assert white.view()["hands"]["white"] == ["ALOA", "COCO"]
        assert "ALOA" not in white.view()["hands"]["black"]


def test_moves_have_numbers_and_are_played_without_text() -> None:
    rng, table = random.Random(7), pbem.Table.start("kahuna")
    numbers = dict[str, int]()
    for _ in range(90):
        seat = table.asked
        indexed = table.indexed(seat)
        assert {*indexed.values()} == {*table.moves(seat)}
        assert len(indexed) == table.count(seat)
        for number, move in indexed.items():
            text = table._game.notate(move)
            assert 0 <= number < pbem.Table.ACTIONS
            assert numbers.setdefault(text, number) == number
        text = rng.choice(table.legal(seat))
        moves = {table._game.notate(move): move for move in table.moves(seat)}
        after = table.play(seat, moves[text])
        assert after == table.play(seat, text)
        assert after.events == table.play(seat, text).events
        table = after
    with pytest.raises(pbem.Violation):
        table.play("white" if table.asked == "black" else "black", moves[text])
    assert pbem.Table.start("kahuna").perft(2) == 144 == 12 * pbem.Table.start("kahuna").perft(1)
    start = pbem.Table.start("kahuna")
    assert start.draw(random.Random(1)) == start.draw(random.Random(1)) != start


@pytest.mark.parametrize("game", [*games.OWN])
def test_the_bot_plays_alike_whatever_it_cannot_see(game: str) -> None:
    """Two matches that differ only in what others hold; its numbers are the same."""
    rng, seats = random.Random(4), ("white", "black") if game == "kahuna" else ("a", "b", "c")
    table = pbem.Table.start(game, seats)
    looked = 0
    while looked < 4:
        seat = table.asked
        if seat == CHANCE:
            table = table.draw(rng)
            continue
        if table.count(seat) > 1:
            other = table.resample(seat, rng)
            moves = {each.bot(seat, random.Random(looked), 8) for each in (table, other)}
            assert len(moves) == 1
            assert moves <= {*table.moves(seat)}
            looked += 1
        table = table.play(seat, rng.choice(table.moves(seat)))


def test_what_the_house_carries_out_is_played_as_draws_are() -> None:
    with brought(Path(__file__).parent / "orders_game"):
        table = pbem.Table.start("skerries", ("ana", "ben"))
        table = table.play("ana", "a1-a2").play("ana", "done")
        assert table.asked == "ben"
        with pytest.raises(pbem.Problem, match="nothing is to be drawn"):
            table.draw()
        table = table.play("ben", "done")
        assert table.asked == "house"
        assert table.draw().asked == "ana"


@record
class Pick(Move):
    """One of nine, of which the eighth wins."""

    nth: int = fact(NUMBER)


class Picking:
    """A game of one move."""

    MOVES, EVENTS, PRIVATE = (Pick,), (), ()

    pending = staticmethod(lambda s: () if s else (Decision("ana", "pick", (Pick,)),))
    candidates = staticmethod(lambda s, decision: [Pick(nth) for nth in range(1, 10)])
    check = staticmethod(lambda s, seat, move: True)
    effects = staticmethod(lambda s, seat, move: (move.nth,))
    evolve = staticmethod(lambda s, event: event)

    @staticmethod
    def outcome(s: int) -> Outcome | None:
        return Outcome(("ana" if s == 8 else "ben",), "", {"ana": 0, "ben": 0}) if s else None


def test_of_what_was_tried_equally_often_the_bot_plays_what_was_worth_most() -> None:
    """Nine playouts try each of nine moves once; the older way of thinking took the first."""
    game: Any = Picking
    known = Knowledge(game, Setup(("ana", "ben"), "", {}), "ana", 0, [], 0)
    picked = {way: Bot(9, way).move(known, random.Random(1).randrange) for way in (1, 2)}
    assert picked == {1: Pick(1), 2: Pick(8)}


def test_the_bot_beats_a_player_who_plays_at_random() -> None:
    for seed, seat in enumerate(("white", "black")):
        end = played(pbem.Table.start("kahuna"), {seat: 4}, random.Random(seed))
        assert end.outcome
        assert end.outcome["winners"] == [seat]
