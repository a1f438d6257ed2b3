"""The game of docs/new-game.md, brought by a package of its own as any other could be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import dealt, pbem
from outside import brought

import pbem as house
from pbem.core import CHANCE, HIDDEN
from pbem.desk import begin
from pbem.desk.seats import Player
from pbem.play import games
from pbem.report import compose
from pbem.testing import laws

HERE = Path(__file__).parent / "example_game"
SEATS = ("ana", "ben", "cara")

with brought(HERE):
    test_it_obeys_the_laws = laws("nerve")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


def test_it_has_little_more_than_a_hundred_lines_of_code() -> None:
    source = (HERE / "nerve" / "__init__.py").read_text()
    assert sum(1 for line in source.splitlines() if line.strip()) < 110


def test_it_is_found_by_its_entry_point() -> None:
    assert games.names() == sorted([*games.OWN, "nerve"])
    assert games.game("nerve").TITLE == "Nerve"
    assert "nerve: Nerve" in pbem("games").out


def test_it_is_played_through_the_table() -> None:
    table = house.Table.start("nerve", SEATS)
    for card in "385":
        assert table.pending[0].kind == "deal"
        table = table.play(CHANCE, f"deal {card}")
    assert table.seen_by("ben").view()["hands"] == {"ana": ["?"], "ben": ["8"], "cara": ["?"]}
    table = table.play("ana", "stay").play("ben", "FOLD").play("cara", "stay")
    assert table.outcome == {
        "winners": ["cara"],
        "why": "N-4",
        "scores": {"ana": -1, "ben": 0, "cara": 3},
    }
    assert table.events[-1] == {"shown": {"seat": "cara", "card": "5"}}


def test_whoever_is_left_may_not_fold() -> None:
    table = house.Table.start("nerve", ("ana", "ben")).play(CHANCE, "deal 1").play(CHANCE, "deal 2")
    table = table.play("ana", "fold")
    assert table.legal("ben") == ("stay",)
    with pytest.raises(house.Violation, match=r"All others have folded, so ben stays \[N-3\]"):
        table.play("ben", "fold")


def test_a_match_is_posted_in_the_words_of_its_own_phrase_book(tmp_path: Path) -> None:
    room = dealt(tmp_path, "nerve", SEATS)
    answer = room.says("ana", "stay")
    told = len(answer.before.log.entries)
    post = compose.text(compose.public(answer.after, told), "text")
    assert "Ana stays." in post
    assert "Ben: do you stay or fold? Without an answer: stay." in post
    letter = compose.text(compose.letter(answer.after, "ben", told), "text")
    own = answer.after.state.hands["ben"]
    assert f"ben       {own}" in letter.replace("  ?", "")
    assert own not in "".join(line for line in post.splitlines() if line.startswith("ben "))


def test_the_command_line_plays_it_to_the_end(tmp_path: Path) -> None:
    log = tmp_path / "nerve-1.pbem.yaml"
    seats = [part for seat in SEATS for part in ("--seat", f"{seat}={seat.title()}")]
    assert pbem("new", "nerve", *seats, "--dir", tmp_path).code == 0
    for seat in SEATS[:2]:
        assert pbem("submit", log, "--from", seat, stdin="fold").code == 0
    refused = pbem("submit", log, "--from", "cara", stdin="fold")
    assert refused.code == 1
    told = " ".join(refused.out.split())
    assert "The rule N-3: The last player may not fold if all others have. (Nerve, as" in told
    assert "Cara wins [N-4]." in pbem("submit", log, "--from", "cara", stdin="stay").out
    assert "6: Cara held" in pbem("log", log).out
    assert pbem("verify", log).code == 0, "a spectator cannot work out what was shown"
    verified = pbem("verify", log, "--key", tmp_path / "nerve-1.desk.yaml")
    assert "6 plies, 6 judged again, 3 draws recomputed\n" in verified.out


def test_a_card_in_hand_is_nobody_elses_business(tmp_path: Path) -> None:
    opened, _ = begin.begin(
        begin.Terms(
            "nerve", {seat: Player(seat) for seat in SEATS}, name="n", folder=str(tmp_path)
        ),
        secret=bytes(32),
        clock=lambda: "2026-04-03T09:00:00Z",
    )
    for seat in (None, *SEATS):
        known = opened.seen_by(seat).state.hands
        assert [who for who, card in known.items() if card != HIDDEN] == [seat] * (seat is not None)


def test_random_matches_end(tmp_path: Path) -> None:
    rng = random.Random(1)
    table = house.Table.start("nerve", SEATS)
    while table.pending:
        seat = table.pending[0].seat
        table = table.play(seat, rng.choice(table.legal(seat)))
    assert table.outcome is not None
