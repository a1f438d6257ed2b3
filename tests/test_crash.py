"""Killed at any instant, or two at once: the log is the old one or the new one, none is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from commands import BEN, Room, beside, clock, dealt, mail, pbem
from kills import bytes_of, killed_at, kills, remains

from pbem.desk import begin
from pbem.desk.file import read_both
from pbem.desk.seats import Player
from pbem.files import store
from pbem.play import games
from pbem.problem import CannotMake

pytestmark = pytest.mark.posix


def again(kept: Path, folder: Path) -> None:
    """Put a folder back as it was."""
    shutil.rmtree(folder)
    shutil.copytree(kept, folder)


def survives(room: Room, run: Callable[[], object]) -> int:
    """Kill `run` at each instant and repeat it: the files are the old ones or the new ones, and
    in the end those of an undisturbed run. Gives the number of instants."""
    folder, kept = room.log.parent, room.log.parent.with_name("kept")
    shutil.copytree(folder, kept)
    old = room.log.read_bytes()
    run()
    new, new_desk = room.log.read_bytes(), room.desk.read_bytes()
    assert new != old
    numbers = []
    for number in kills(run, lambda: again(kept, folder), folder):
        assert room.log.read_bytes() in (old, new), number
        run()
        assert room.log.read_bytes() == new, number
        assert room.desk.read_bytes() == new_desk, number
        assert [name for name in room.files() if name.endswith(".tmp")] == []
        numbers.append(number)
    return len(numbers)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with room for copies of it beside it."""
    folder = tmp_path / "match"
    folder.mkdir()
    return folder


def test_between_two_instants_a_kill_leaves_what_it_leaves_at_the_first(place: Path) -> None:
    room = dealt(place)
    letter = room.write("m.eml", mail("DUDA-BARI\ndraw"))
    kept = place.with_name("kept")
    shutil.copytree(place, kept)

    def run() -> object:
        return pbem("submit", room.log, letter)

    def restore() -> None:
        again(kept, place)

    run()
    first = {number: bytes_of(place) for number in remains(run, restore, place, each=1)}
    assert {number: bytes_of(place) for number in kills(run, restore, place)} == first
    restore()
    number = 0
    while killed_at(number, run):
        assert bytes_of(place) == first[max(each for each in first if each <= number)], number
        restore()
        number += 1
    assert number > 20


def test_a_submission_killed_at_any_instant_and_sent_again(place: Path) -> None:
    room = dealt(place)
    letter = room.write("m.eml", mail("DUDA-BARI\ndraw"))
    assert survives(room, lambda: pbem("submit", room.log, letter)) >= 6


def test_a_submission_that_also_changes_what_is_held(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both files change: what is held before counts until the log has followed."""
    monkeypatch.setitem(games.OWN, "toy", "toy")
    room = dealt(place, "toy", ("ann", "bob"))
    first = room.write("1.eml", mail("build 1\nbuild 3\nbuild 5"))
    assert survives(room, lambda: pbem("submit", room.log, first)) >= 9


def test_an_interrupt_that_sets_held_moves_going(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    room = dealt(place, "toy", ("ann", "bob"))
    room.mails(mail("build 1\nbuild 3\nbuild 5"))
    second = room.write("2.eml", mail("allow", sender=BEN, identity="<2@example.org>"))
    assert survives(room, lambda: pbem("submit", room.log, second)) >= 9


def test_of_two_who_begin_one_match_at_once_the_second_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begins(name: str) -> None:
        players = {"white": Player(name), "black": Player("B")}
        new = begin.Terms("kahuna", players, name="n", folder=str(place))
        begin.write(*begin.begin(new, secret=name.encode() * 32, clock=clock))

    put, second = store.replace, list[Future[None]]()

    def slowly(path: str, data: bytes, mode: int | None = None) -> None:
        if not second:
            second.append(others.submit(begins, "C"))
            with suppress(TimeoutError):
                second[0].result(0.3)
        put(path, data, mode)

    monkeypatch.setattr(store, "replace", slowly)
    with ThreadPoolExecutor() as others:
        begins("A")
        with pytest.raises(CannotMake, match="is there already"):
            second[0].result()
    now, _ = read_both(str(place / "n.pbem.yaml"))
    assert now.players["white"] == "A"


def test_a_beginning_killed_at_any_instant_leaves_a_whole_match_or_says_what_is_there(
    place: Path,
) -> None:
    def begin() -> int:
        return pbem(
            "new",
            "kahuna",
            "--seat",
            "white=A",
            "--seat",
            "black=B",
            "--match",
            "n",
            "--dir",
            place,
        ).code

    def empty() -> None:
        for file in place.iterdir():
            file.unlink()

    assert begin() == 0
    numbers = []
    log, table = place / "n.pbem.yaml", place / "n.desk.yaml"
    for number in kills(begin, empty, place):
        if log.exists():
            assert pbem("verify", log, "--key", table).code == 0
        if table.exists():
            assert begin() == 73
        numbers.append(number)
    assert len(numbers) >= 9


# ---------------------------------------------------------------------------- two at once


def test_while_another_writes_one_is_told_busy_and_changes_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0)
    with store.lock(str(room.log)), room.unchanged():
        for command in (["submit", "--from", "white"], ["submit", "--from", "white", "--json"]):
            done = pbem(command[0], room.log, *command[1:], stdin="draw")
            assert done.code == 75
            assert "try again" in done.err
        assert pbem("show", room.log).code == 0
        assert pbem("check", room.log, stdin="draw").code == 0


def test_the_same_mail_from_many_sides_is_played_once(room: Room) -> None:
    letter = room.write("m.eml", mail("DUDA-BARI\ndraw"))
    with beside(*[("submit", room.log, letter)] * 4) as done:
        pass
    assert [each.code for each in done] == [0] * 4
    assert sorted("We already have" in each.err for each in done) == [False, True, True, True]
    assert [p.move for p, _ in room.read().plies if p.seat == "white"] == ["DUDA-BARI", "draw"]


def test_of_different_mails_at_once_none_is_lost(room: Room) -> None:
    moves = ["DUDA-BARI", "KAHU-COCO", "LALE-IFFI"]
    letters = [
        room.write(f"{move}.eml", mail(move, identity=f"<{move}@example.org>")) for move in moves
    ]
    with beside(*(("submit", room.log, letter) for letter in letters)) as done:
        pass
    assert [each.code for each in done] == [0, 0, 0], [each.err for each in done]
    assert sorted(p.move for p, _ in room.read().plies if p.seat == "white") == moves
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def test_a_change_by_hand_during_a_submission_is_not_overwritten(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = store.append

    def meddling(path: str, before: str, text: str) -> None:
        room.log.write_text(room.log.read_text() + "# a comment\n")
        append(path, before, text)

    monkeypatch.setattr(store, "append", meddling)
    done = pbem("submit", room.log, "--from", "white", stdin="draw")
    assert done.code == 75
    assert room.log.read_text().endswith("# a comment\n")
    monkeypatch.undo()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    assert pbem("submit", room.log, "--from", "white", stdin="draw").code == 0
