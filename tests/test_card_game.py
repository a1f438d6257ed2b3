"""A card game as an author outside would pack it: hidden hands, a display, an option, cases."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import dealt, pbem
from long import many
from outside import brought

from pbem.testing import casebook, checking, laws

HERE = Path(__file__).parent / "card_game"

with brought(HERE):
    test_it_obeys_the_laws = laws("pearls")
    test_its_casebook = casebook(str(HERE / "pearls" / "cases.yaml"))


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


def test_the_check_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    if many(1, 2) == 1:  # the laws are looked at above
        monkeypatch.setattr(checking, "PLAYED", ())
        monkeypatch.setattr(checking, "MATCHES", 9)
    done = pbem("games", "--check", "pearls")
    assert done.code == 0, done.out
    assert done.out.endswith("\nNo rule without a case\npearls: every promise is kept\n")
    for function in ("pending", "candidates", "check", "effects", "evolve", "view", "draw"):
        assert re.search(rf"^  {function} … \d+\.\d s$", done.out, re.MULTILINE)


def test_an_option_is_chosen_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "p.pbem.yaml"
    done = pbem("simulate", "pearls", "--players", 3, "-o", "twins=true", "--out", log)
    assert done.code == 0, done.err
    assert "won [PE-6]" in done.out
    assert pbem("verify", log, "--key", tmp_path / "p.desk.yaml").code == 0


def test_a_hand_is_told_to_nobody_else(tmp_path: Path) -> None:
    seats = [part for seat in ("ana", "ben") for part in ("--seat", f"{seat}={seat.title()}")]
    done = pbem("new", "pearls", *seats, "--dir", tmp_path, "--json").json
    assert "Ana is dealt 3 cards." in done["post"]
    assert "Ben is dealt 3 cards." in done["letters"]["ana"]
    assert "Ana is dealt 3 cards." not in done["letters"]["ana"]


def test_no_command_but_the_check_imports_the_laws(tmp_path: Path) -> None:
    log = tmp_path / "p.pbem.yaml"
    assert pbem("simulate", "kahuna", "--out", log).code == 0
    for arguments in (["games"], ["show", str(log)], ["status", str(tmp_path)]):
        code = (
            "import atexit, sys; from pbem.cli import main; "
            f"sys.argv = {['pbem', *arguments]!r}; "
            "atexit.register(lambda: print('pbem.testing' in sys.modules)); main()"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.endswith("False\n"), done.stderr


# ------------------------------------------------------------------------------------- plans


@pytest.fixture(params=["with KINDS", "without"])
def kinds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the game says which questions there are; without, it only asks them."""
    import pearls  # type: ignore[import-not-found]

    if request.param == "with KINDS":
        answers = {"gain": (pearls.Take, pearls.Draw), "lay": (pearls.Lay,)}
        monkeypatch.setattr(pearls, "KINDS", answers, raising=False)
    return request.param == "with KINDS"


def fenced(*lines: str) -> str:
    return "\n".join(["[move]", *lines, "[/move]"])


def test_its_questions_have_standing_answers_whether_it_lists_them_or_not(
    tmp_path: Path, kinds: bool
) -> None:
    room = dealt(tmp_path, "pearls", ("ana", "ben"))
    cards = " or ".join(f"lay {n}" for n in range(1, 11))
    plans = ("always gain: take 11 or draw", f"always lay: {cards}")
    with room.unchanged():
        assert room.says("ben", fenced(*plans)).code == 1, "there is no pearl 11"
    plans = ("always gain: draw", f"always lay: {cards}", "if ana plays take *: take 10 or draw")
    assert room.says("ben", fenced(*plans)).verdict == "waiting"
    listed = pbem("plans", room.log, "--seat", "ben").out
    assert "1: always gain: draw until end" in listed, "a game without rounds ends it"
    room.says("ana", fenced("draw", "next: draw", f"always lay: {cards}"))
    now = room.read()
    assert now.outcome is not None or now.awaited == ("ana",)
    played = [ply.seat for ply, _ in now.plies if ply.seat == "ben"]
    assert len(played) >= 4, "each of Ben's turns is a gain and a lay"
    assert pbem("verify", room.log, "--key", room.desk).code == 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("always gains: draw", "Did you mean gain?"),
        ("always gain: lay 3", "'lay 3' never answers gain"),
    ],
)
def test_a_question_that_never_comes_is_refused_where_the_game_lists_them(
    tmp_path: Path, kinds: bool, line: str, why: str
) -> None:
    room = dealt(tmp_path, "pearls", ("ana", "ben"))
    done = pbem("submit", room.log, "--from", "ben", stdin=fenced(line))
    assert done.code == kinds, done.printed
    assert (why in " ".join(done.out.split())) == kinds
    room.says("ana", "draw")
    assert room.read().awaited == ("ana",), "nothing that does not fit is played"
