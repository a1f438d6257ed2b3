"""Three more sound games, of kinds that nothing else here is: the check accuses none of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Room, dealt, pbem
from outside import brought

from pbem.core import Move, record
from pbem.desk.answer import Answer
from pbem.play import games
from pbem.testing import laws
from pbem.testing.laws_of_knowledge import _disagrees

HERE = Path(__file__).parent / "sound_games"

with brought(HERE):
    test_stones_taken_in_turn_obey_the_laws = laws("cairn")
    test_an_open_auction_obeys_the_laws = laws("lots")
    test_hidden_hands_of_one_team_obey_the_laws = laws("lanterns")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


# ----------------------------------------------------------------------- what rides on a move


@pytest.fixture
def cairn(tmp_path: Path) -> Room:
    return dealt(tmp_path, "cairn")


def played(answer: Answer) -> list[str]:
    assert answer.verdict == "accepted", answer.message
    return [answer.before.game.notate(step.move) for step in answer.steps]


@pytest.mark.parametrize(
    "text",
    ["a2, offer draw", "offer draw; a2", "a2\noffer draw", "a2; offer draw", "offer draw\na2"],
)
def test_an_offer_rides_on_a_move(cairn: Room, text: str) -> None:
    assert played(cairn.says("white", text)) == ["offer draw", "a2"]
    assert cairn.waiting() == {}
    assert played(cairn.says("black", "accept draw")) == ["accept draw"]


def test_a_plan_takes_its_offer_along(cairn: Room) -> None:
    assert cairn.says("black", "[move]\nif white plays a2: b2; offer draw\n[/move]").code == 0
    assert played(cairn.says("white", "a2")) == ["a2"]
    assert [ply.move for ply, _ in cairn.read().plies] == ["a2", "offer draw", "b2"]


def test_without_riders_an_offer_behind_its_move_is_refused_with_it(
    cairn: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(games.game("cairn")._module, "RIDERS")  # type: ignore[attr-defined]
    with cairn.unchanged():
        answer = cairn.says("white", "a2, offer draw")
    assert answer.verdict == "refused"
    assert "offer draw; a2" in answer.message
    done = pbem("submit", cairn.log, "--from", "white", stdin="a2, offer draw")
    assert (done.code, "offer draw; a2" in done.printed) == (1, True)
    assert played(cairn.says("white", "offer draw; a2")) == ["offer draw", "a2"]


def test_of_a_move_too_many_nobody_knows_which_is_meant(cairn: Room) -> None:
    answer = cairn.says("white", "a1; a2")
    assert (answer.verdict, answer.steps[1:]) == ("refused", ())
    assert "stands behind it" in answer.message


# ------------------------------------------------------------------------- bids that cross


def test_a_bid_that_was_sent_before_another_came_still_counts(tmp_path: Path) -> None:
    lots = dealt(tmp_path, "lots", ("ana", "ben", "cleo"))
    post = str(lots.read().position)
    assert played(lots.says("ana", f"[move] {post}\nbid 2\n[/move]")) == ["bid 2"]
    assert lots.says("ben", f"[move] {post}\nbid 1\n[/move]").verdict == "refused"
    assert played(lots.says("ben", f"[move] {post}\nbid 3\n[/move]")) == ["bid 3"]
    assert played(lots.says("ana", "bid 4")) == ["bid 4"], "who has bid may raise"
    assert played(lots.says("cleo", f"[move] {post}\npass\n[/move]")) == ["pass"]
    assert lots.read().state.points == {"ana": 3, "ben": 0, "cleo": 0}


@pytest.mark.parametrize(
    ("game", "seats", "key", "draws"),
    [
        ("cairn", ("white", "black"), "sign what you send", False),
        ("lots", ("ana", "ben"), "sign what you send", False),
        ("lanterns", ("ana", "ben"), "unlocks your hidden cards", True),
        ("kahuna", ("white", "black"), "unlocks your hidden cards", True),
        ("kanaloa-bambus", ("red", "green"), "sign what you send", True),
    ],
)
def test_an_opening_speaks_of_draws_and_hidden_cards_where_there_are_any(
    tmp_path: Path, game: str, seats: tuple[str, str], key: str, draws: bool
) -> None:
    named = [part for seat in seats for part in ("--seat", f"{seat}={seat.title()}")]
    done = pbem("new", game, *named, "--match", "m", "--dir", tmp_path, "--letters", tmp_path)
    assert done.code == 0, done.printed
    [letter] = [file for file in tmp_path.glob("*.txt") if seats[0] in file.name]
    assert key in " ".join(letter.read_text().split())
    opening = done.out.replace("offer draw", "")
    assert ("To check the match by" in opening) is draws
    assert ("You trust the moderator for the deal" in opening) is draws
    checked = pbem("verify", tmp_path / "m.pbem.yaml").out
    assert ("draws recomputed" in checked, "No draw was checked" in checked) == (draws, draws)


@record
class Heads(Move):
    pass


@record
class Tails(Move):
    pass


@pytest.mark.parametrize(
    ("more", "draws"), [((), False), ((Heads,), False), ((Heads, Tails), True)]
)
def test_one_move_without_a_field_is_no_draw_and_two_may_be(
    monkeypatch: pytest.MonkeyPatch, more: tuple[type[Move], ...], draws: bool
) -> None:
    lots: Any = games.game("lots")
    monkeypatch.setattr(lots._module, "MOVES", (*lots.MOVES, *more))
    assert games.draws(lots) is draws


def test_whether_a_seat_is_waited_for_is_no_part_of_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben is waited for again once he is outbid: what he wrote before that still answers."""
    lots: Any = games.game("lots")
    asks = lots._module.pending

    def pending(state: Any) -> Any:
        return tuple(
            each._replace(awaited=each.awaited or state.bids[each.seat] < max(state.bids.values()))
            for each in asks(state)
        )

    room = dealt(tmp_path, "lots", ("ana", "ben", "cleo"))
    assert played(room.says("ben", "bid 1")) == ["bid 1"]
    post = str(room.read().position)
    monkeypatch.setattr(lots._module, "pending", pending)
    games.game("lots").__dict__.pop("pending", None)
    assert played(room.says("ana", "bid 2")) == ["bid 2"]
    assert "ben" in room.read().awaited
    assert played(room.says("ben", f"[move] {post}\nbid 3\n[/move]")) == ["bid 3"]


@pytest.mark.parametrize(
    ("known", "agrees"),
    [
        ([["?", "?"], ["?", "?"]], True),
        (["?", "?"], True),
        ([["ox", "north"], ["?", "?"]], True),
        ([["ox", "south"], ["?", "?"]], False),
        ([["?", "?"]], False),
    ],
)
def test_what_a_seat_has_may_be_of_several_parts(known: list[Any], *, agrees: bool) -> None:
    sent = {"orders": {"ana": [["ox", "north"], ["mule", "east"]]}}
    differs = _disagrees({"orders": {"ana": known}}, sent, None, ("orders",))
    assert (differs is None) == agrees
