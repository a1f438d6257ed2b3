"""A card game as an author outside would pack it: hidden hands, a display, an option, cases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import pbem
from outside import brought

from pbem.testing import casebook, laws

HERE = Path(__file__).parent / "card_game"

with brought(HERE):
    test_it_obeys_the_laws = laws("pearls")
    test_its_casebook = casebook(str(HERE / "pearls" / "cases.yaml"))


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(HERE):
        yield


def test_the_check_finds_nothing() -> None:
    done = pbem("games", "--check", "pearls")
    assert (done.code, done.out) == (0, "pearls: every promise is kept\n")


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
