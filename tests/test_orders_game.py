"""A game of secret simultaneous orders, brought by a package of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Room, dealt, mail, pbem
from outside import brought

from pbem.play import games
from pbem.testing import casebook, laws

HERE = Path(__file__).parent / "orders_game"

with brought(HERE):
    test_it_obeys_the_laws = laws("skerries")
    test_its_casebook = casebook(str(HERE / "skerries" / "cases.yaml"))


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


@pytest.fixture
def three(tmp_path: Path) -> Room:
    return dealt(tmp_path, "skerries", ("ana", "ben", "cleo"))


def test_every_reader_verifies_a_match_as_far_as_they_can_see(tmp_path: Path) -> None:
    log = tmp_path / "s.pbem.yaml"
    assert pbem("simulate", "skerries", "--seed", 1, "--players", 3, "--out", log).code == 0
    room = Room(log)
    for seat in (None, *room.read().setup.seats):
        keys = () if seat is None else ("--key", room.key_file(seat))
        done = pbem("verify", log, *keys)
        assert done.code == 0, done.out
    assert pbem("verify", log, "--key", room.desk).code == 0


def pending(room: Room) -> dict[str, tuple[str, bool]]:
    shown = pbem("show", room.log, "--json").json["pending"]
    return {each["seat"]: (each["kind"], each["awaited"]) for each in shown}


def test_all_order_at_once_and_amend_until_the_last_is_done(three: Room) -> None:
    assert three.says("ana", "b1-c1; a2 backs b2; done").verdict == "accepted"
    assert pending(three) == {
        "ana": ("amend", False),
        "ben": ("orders", True),
        "cleo": ("orders", True),
    }
    assert three.says("ana", "b1-b2").verdict == "accepted", "an answer can be amended"
    post = pbem("show", three.log).out
    next_up = post[post.index("NEXT TO MOVE") :]
    assert "Ana" not in next_up
    [status] = pbem("status", three.log.parent, "--json").json["matches"]
    assert status["awaited"] == ["ben", "cleo"]
    assert three.says("ben", "done").verdict == "accepted"
    assert three.says("cleo", "done").verdict == "accepted"
    log = pbem("log", three.log).out
    assert "Ana's boat at b1 is to sail to b2." in log
    assert "Ana sails from b1 to b2." in log
    assert "b1 is to sail to c1" not in log
    assert pbem("verify", three.log).code == 0
    assert pbem("verify", three.log, "--key", three.desk).code == 0


def test_whoever_has_answered_is_not_played_for(three: Room) -> None:
    three.says("ana", "done")
    done = pbem("rule", three.log, "default", "--seat", "ana", "--reason", "silent")
    assert done.code == 1
    assert "ana has nothing to decide now; next to move: ben and cleo" in done.err


def test_whoever_has_answered_is_never_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    seats = [part for seat in ("ana", "ben") for part in ("--seat", f"{seat}={seat.title()}")]
    done = pbem(
        "new", "skerries", *seats, "--turn", 2, "--zone", "UTC", "--match", "s", "--dir", tmp_path
    )
    assert done.code == 0, done.err
    room = Room(tmp_path / "s.pbem.yaml")
    room.says("ana", "done")
    clock = pbem("show", room.log, "--json").json["clock"]
    assert list(clock["due"]) == ["ben"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790900000")
    assert pbem("due", tmp_path, "--enter").code == 0
    assert pbem("show", room.log, "--json").json["clock"]["late"] == ["ben"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def test_what_the_house_carries_out_is_no_chance(three: Room) -> None:
    three.says("ana", "b1-c1; done")
    three.says("ben", "done")
    three.says("cleo", "done")
    assert [ply.seat for ply, _ in three.read().plies][-1] == "house"
    rule = ("rule", three.log, "takeback", "--to", 2, "--reason", "misread")
    done = pbem(*rule)
    assert done.code == 0, done.err
    assert "chance" not in done.printed
    assert "drawn" not in done.printed
    assert pbem("verify", three.log, "--key", three.desk).code == 0


def test_nobody_is_told_who_ordered_what_before_all_is_opened(three: Room) -> None:
    three.says("ana", "b1-c1; a2 backs b2")
    for seat in (None, "ben", "cleo", "ana"):
        key = () if seat is None else ("--key", three.key_file(seat))
        out = "".join(pbem(command, three.log, *key).out for command in ("show", "log"))
        assert ("b1-c1" in out and "a2 backs b2" in out) is (seat == "ana")
        assert ("boat at b1" in out) is (seat == "ana")
    assert "b1-c1" not in three.log.read_text()


@pytest.mark.parametrize("seat", ["house", "chance"])
def test_no_player_sits_where_nobody_does(tmp_path: Path, seat: str) -> None:
    seats = ("--seat", f"{seat}=Ana", "--seat", "ben=Ben")
    done = pbem("new", "skerries", *seats, "--dir", tmp_path)
    assert done.code == 2
    assert "cannot be a seat" in done.err


# ------------------------------------------------------------------------------ line by line

BY_LINES = """Hi all, here we go:

Ana:
b1-c1
a2 backs b9
d4 holds
a2 backs b2
done
"""


def test_the_legal_lines_of_a_message_count_and_the_others_are_quoted(three: Room) -> None:
    file = three.write("m.eml", mail(BY_LINES))
    checked = pbem("check", three.log, file, "--key", three.key_file("ana"))
    assert checked.code == 0
    assert "d4 holds (ana has no boat at d4 [SK-3])" in checked.out
    receipt = three.log.parent / "receipt.txt"
    done = pbem("submit", three.log, file, "--reply", receipt)
    assert done.code == 0, done.printed
    told = receipt.read_text()
    counts = told[told.index("WHAT I PLAYED") : told.index("WHAT I IGNORED")]
    assert counts.split("\n")[2:5] == ["b1-c1", "a2 backs b2", "done"]
    for bad in ("a2 backs b9: 'a2 backs b9' is no move", "d4 holds: Ana has no boat at d4"):
        assert bad in " ".join(told[told.index("WHAT I DID NOT PLAY") :].split())
    assert "d4 holds" not in done.out, "the others are not told"


@pytest.mark.parametrize(
    "text",
    [
        "b1-c1\nb1-b2 unless Ben comes to c1",
        "b1-c1\nno, wait: forget that",
        "a2 backs b9\nd4 holds",
    ],
)
def test_a_line_that_may_take_others_back_and_a_message_without_a_legal_one_refuse_it(
    three: Room, text: str
) -> None:
    log = three.log.read_text()
    assert three.mails(mail(f"[move]\n{text}\n[/move]")).verdict == "refused"
    assert three.log.read_text() == log, "what can be read of it may wait for a number, no more"


def test_elsewhere_one_bad_line_refuses_a_message(
    three: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(games.game("skerries")._module, "LINE_BY_LINE")  # type: ignore[attr-defined]
    with three.unchanged():
        assert three.mails(mail(BY_LINES)).verdict == "refused"


# ------------------------------------------------------------------------------------- words


@pytest.mark.parametrize("said", ["b1-c1", "a1 holds", "order *", "C4-B4"])
def test_no_plan_waits_for_what_is_sealed(three: Room, said: str) -> None:
    answer = three.says("ana", f"[move]\nif ben plays {said}: b1-c1\n[/move]")
    assert answer.verdict == "refused"
    [trouble] = answer.troubles
    assert "sealed" in trouble.error.text()
    assert not getattr(trouble.error, "advice", None), "no pattern is suggested"


ROUND = {"ana": "b1-c1; done", "ben": "d4-d3; d4-c4; done", "cleo": "done"}


def test_any_move_is_one_that_everybody_sees(three: Room) -> None:
    three.says("ana", "done")
    assert three.says("cleo", "[move]\nif ben plays *: done\n[/move]").code == 0
    three.says("ben", "d4-d3")
    assert [ply.seat for ply, _ in three.read().plies] == ["ana", "ben"]
    three.says("ben", "done")
    assert [ply.move for ply, _ in three.read().plies][2:] == ["done", "done", "carry out"]


def test_a_plan_for_what_nobody_can_write_names_no_internals(three: Room) -> None:
    answer = three.says("ana", "[move]\nif ben plays frobnicate: done\n[/move]")
    assert "begin like this" not in str(answer.troubles)


@pytest.mark.parametrize("key", [False, True])
def test_orders_without_chance_speak_of_no_draws_secrets_or_cards(
    tmp_path: Path, key: bool
) -> None:
    seats = ("--seat", "ana=Ana", "--seat", "ben=Ben")
    done = pbem("new", "skerries", *seats, "--match", "s", "--dir", tmp_path, "--letters", tmp_path)
    log = tmp_path / "s.pbem.yaml"
    checked = pbem("verify", log, *(("--key", tmp_path / "s.desk.yaml") if key else ()))
    assert checked.out.endswith("0 judged again\n")
    told = [done.out, checked.out, *(file.read_text() for file in tmp_path.glob("*.txt"))]
    for word in ("draw", "secret", "card"):
        assert word not in "".join(told).lower()
    assert "it unlocks your sealed moves in the log" in "".join(told)


def test_who_has_answered_is_offered_to_change_it(three: Room) -> None:
    three.says("ana", "b1-c1; done")
    receipt = three.log.parent / "receipt.txt"
    order = three.write("order", "a2 holds")
    assert pbem("submit", three.log, order, "--from", "ana", "--reply", receipt).code == 0
    told = receipt.read_text()
    assert "You have answered, and may still change that; nobody waits for you." in told
    assert "Choose one of these 19:" in told
    assert "[move] #3" in told, "with a fence to do so"
    page = three.log.parent / "m.html"
    assert pbem("page", three.log, "--key", three.key_file("ana"), "--out", page).code == 0
    assert '"order":null' not in page.read_text(), "and a turn to click together"
    assert pbem("page", three.log, "--out", page).code == 0
    assert '"order":null' in page.read_text()
