"""The front doors for programs: a match in its files, and a table on its own."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Room, dealt, mail, pbem

import pbem as house
from pbem.files.data import schema_names, schema_text
from pbem.files.yamlio import misfits
from pbem.report.escape import DIALECTS

GAMES = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": tuple("abcd"),
    "kanaloa-piatnik": ("a", "b", "c"),
}


def opened(room: Room) -> house.Match:
    return house.Match.open(room.log)


def test_the_house_lists_what_there_is() -> None:
    assert dir(house) == sorted(house.__all__)
    assert {"Match", "Table", "Refused", "NoMove", "Problem"} <= set(dir(house))
    for name in dir(house):
        assert getattr(house, name) is not None
    with pytest.raises(AttributeError):
        _ = house.Nothing  # type: ignore[attr-defined]


def test_it_says_that_it_is_typed_and_nothing_is_imported_before_it_is_asked_for() -> None:
    assert (Path(house.__file__).parent / "py.typed").exists()
    code = "import sys, pbem; dir(pbem); print([m for m in sys.modules if m.startswith('pbem.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pbem.version']"


def test_a_match_is_opened_judged_and_played_as_by_the_command_line(room: Room) -> None:
    match = opened(room)
    order = match.table.legal("white")[0]
    with room.unchanged():
        assert match.judge(order, seat="white") == (order,)
        said = pbem("check", room.log, "--from", "white", "--json", stdin=order).json
        assert said["understood"] == [order]
    before = match.ply

    assert match.append(order, seat="white") is match
    assert match.ply > before
    shown = pbem("show", room.log, "--json").json
    assert (match.name, match.ply, match.fingerprint, list(match.awaited)) == (
        *(shown[key] for key in ("match", "ply", "fingerprint")),
        [each["seat"] for each in shown["pending"]],
    )
    assert match.table.seen_by(None).view() == shown["view"]
    assert match.ply == house.Match.open(str(room.log)).ply


def test_a_match_is_opened_by_its_name_as_on_the_command_line(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.log.parent)
    match = house.Match.open("m")
    before = match.ply
    assert match.append("draw", seat="white").ply > before
    assert house.Match.open(room.log.parent / "m").ply == match.ply
    with pytest.raises(house.Problem, match="n: cannot be read"):
        house.Match.open("n")


@pytest.mark.parametrize("format", DIALECTS)
def test_a_match_renders_what_is_posted(room: Room, format: str) -> None:
    match = opened(room)
    match.append(match.table.legal("white")[0], seat="white")
    assert match.render(format) == pbem("post", room.log, "--format", format).out
    assert str(match) == match.render()


def test_a_form_that_is_none_is_a_problem(room: Room) -> None:
    with pytest.raises(house.Problem, match=r"format is one of text, .*, not 'pdf'"):
        opened(room).render("pdf")


@pytest.mark.parametrize(
    ("said", "kind", "rule"),
    [
        ("aloa-coco", house.Violation, "K-2"),
        ("xyzzy-plugh", house.Unreadable, None),
        ("> draw", house.NoMove, None),
        ("", house.NoMove, None),
        (" \n", house.NoMove, None),
        ("[move] #2 abcd\ndraw\n[/move]", house.Refused, None),
    ],
)
def test_what_is_refused_is_raised_and_nothing_is_written(
    room: Room, said: str, kind: type[house.Refused], rule: str | None
) -> None:
    match = opened(room)
    with room.unchanged():
        for act in (match.judge, match.append):
            with pytest.raises(house.Refused) as refused:
                act(said, seat="white")
            assert type(refused.value) is kind
            assert getattr(refused.value, "rule", None) == rule
            assert str(refused.value) == refused.value.message or rule


def test_a_mail_says_itself_whose_it_is_and_is_played_once(room: Room) -> None:
    match = opened(room)
    written = mail("draw\n")
    assert match.judge(written.decode()) == ("draw",)
    match.append(written)
    with room.unchanged(), pytest.raises(house.Refused, match="already have this message"):
        match.append(written)


def test_who_holds_no_desk_file_knows_what_their_key_opens(room: Room, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    log = shutil.copy(room.log, away)
    spectator, white = house.Match.open(log), house.Match.open(log, key=room.key_file("white"))
    hands = opened(room).table.view()["hands"]
    assert spectator.table.view()["hands"] == {"white": ["?"] * 3, "black": ["?"] * 3}
    assert white.table.view()["hands"] == {"white": hands["white"], "black": ["?"] * 3}
    assert opened(room).table.seen_by("white").view() == white.table.view()
    assert spectator.render() == opened(room).render()
    with pytest.raises(house.Problem, match="desk file"):
        spectator.append("draw", seat="white")
    with pytest.raises(house.Problem):
        house.Match.open(away / "nothing.pbem.yaml")


@pytest.mark.parametrize("game", GAMES)
def test_a_table_prints_its_board_and_its_name_is_short(game: str) -> None:
    table, chosen = house.Table.start(game, GAMES[game] or None), random.Random(7)
    plies = 0
    while table.pending and plies < 60:
        assert 8 <= len(str(table).splitlines()) <= 60
        assert len(repr(table)) <= 200
        seat = table.pending[0].seat
        move = chosen.choice(table.legal(seat, most=20)) if seat != "chance" else ""
        table = table.play(seat, move) if move else table.draw()
        plies += 1
    assert f"after {plies} moves" in repr(table)
    assert str(table).splitlines()[-1].endswith(" to move")
    assert any(line.startswith(f"{table.view()['turn']}; ") for line in str(table).splitlines())


def test_the_name_of_a_table_is_short_whatever_its_seats_are_called() -> None:
    seats = tuple(letter * 20 for letter in "abcde")
    assert len(repr(house.Table.start("kanaloa-piatnik", seats))) <= 200


def test_a_table_that_is_over_says_who_has_won() -> None:
    table = house.Table.start("kahuna")
    chosen = random.Random(5)
    while table.pending:
        seat = table.pending[0].seat
        chance = seat == "chance"
        table = table.draw() if chance else table.play(seat, chosen.choice(table.legal(seat)))
    assert table.outcome is not None
    assert str(table).splitlines()[-1].endswith(f" won [{table.outcome['why']}]")
    with pytest.raises(house.Problem, match=r"nothing is to be drawn: .* won"):
        table.draw()


def test_chance_draws_as_often_as_the_rules_make_it_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.Table.start("kahuna")
    table = table.play("chance", table.legal("chance")[0])
    assert sorted(set(table.chances.values())) == [1, 2], "one of its cards is dealt already"
    random.seed(3)
    once = table.draw()
    random.seed(3)
    assert table.draw().view() == once.view()

    asked = []

    def last(ways: list[object], weights: list[int]) -> list[object]:
        asked.append((len(ways), weights))
        return ways[-1:]

    monkeypatch.setattr(random, "choices", last)
    table.draw()
    assert asked == [(len(table.chances), [*table.chances.values()])]


@pytest.mark.parametrize(
    ("said", "error", "rule"),
    [
        ("aloa-coco", "violation", "K-2"),
        ("> draw", "no-move", None),
        ("hello", "no-move", None),
        ("Nice weather here today.", "no-move", None),
        ("Hi all,\n\ngood game so far!\n\nAna", "no-move", None),
        ("xyzzy-plugh", "unreadable", None),
        ("", "no-move", None),
    ],
)
@pytest.mark.parametrize("command", ["check", "submit"])
def test_a_refusal_for_programs_has_the_answer_and_the_kind_of_error(
    room: Room, command: str, said: str, error: str, rule: str | None
) -> None:
    with room.unchanged():
        told = pbem(command, room.log, "--from", "white", "--json", stdin=said)
        shown = pbem(command, room.log, "--from", "white", stdin=said)
    assert (told.code, told.json["error"], told.json.get("rule")) == (1, error, rule)
    assert told.json["answer"] in shown.out
    assert told.json["message"] in " ".join(told.json["answer"].split()) or rule


@pytest.mark.parametrize("said", ["hello", "takeback", "to moderator: may I?"])
def test_a_program_that_judges_what_holds_no_move_is_told_so(room: Room, said: str) -> None:
    with room.unchanged(), pytest.raises(house.NoMove):
        opened(room).judge(said, seat="white")


def test_what_goes_to_a_file_is_not_shown(room: Room, tmp_path: Path) -> None:
    reply = tmp_path / "answer.txt"
    told = pbem("submit", room.log, "--from", "white", "--json", "--reply", reply, stdin="> draw")
    assert told.json["reply"] == str(reply)
    assert "answer" not in told.json


def test_the_status_of_a_folder_obeys_its_schema(tmp_path: Path) -> None:
    assert "status" in schema_names()
    assert pbem("schema", "status").out == schema_text("status")
    players = ("--seat", "white=Ana", "--seat", "black=Ben <ben@example.org>")
    dealt(tmp_path, name="plain")
    pbem("new", "kahuna", *players, "--turn", "3", "--dir", tmp_path, "--match", "timed")
    (tmp_path / "broken.pbem.yaml").write_text("no log\n")
    pbem("simulate", "kahuna", "--out", tmp_path / "over.pbem.yaml")
    for more in ((), ("--late",)):
        told = pbem("status", tmp_path, "--json", *more).json
        assert not list(misfits(told, schema_text("status")))
    (tmp_path / "broken.pbem.yaml").unlink()
    outbox = tmp_path / "outbox"
    ran = pbem(
        "desk",
        "run",
        "--mail",
        "-",
        "--matches",
        tmp_path,
        "--outbox",
        outbox,
        stdin=mail("who are you?"),
    )
    assert ran.code == 0, ran.printed
    told = pbem("status", tmp_path, "--json").json
    assert sum(told["aside"]["kinds"].values()) == 1
    assert not list(misfits(told, schema_text("status")))
