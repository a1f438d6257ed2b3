"""Moves whose texts look like something else: whatever a game writes just so is a move."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Done, pbem
from outside import brought

from pbem import core
from pbem.testing import check

EXAMPLE = Path(__file__).parent / "example_game"
SEATS = ("--seat", "ana=Ana Novak", "--seat", "ben=Ben", "--match", "n", "--dir")
LOOK_ALIKE = (
    *("13/7 8/7", "24/18/13", "555-1234"),  # telephone numbers
    *("K♠", "A♥ 10♦", "_a1_", ":) a1", "8) b2"),  # signs and smileys
    *("1. e4", "- a1", "[x] a1", "a1; b2", "a1|b2", "a1 or b2"),  # lists
    *("~a1", "Ana: 3", "wait", "no", "later"),  # what is struck out, headed, taken back
)
"""Each is the one text of the same move, in a game of its own."""


def play_with(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stays in the example game writes this."""
    import nerve  # type: ignore[import-not-found]

    read, written = nerve.parse, nerve.notate
    stays = nerve.Choose(True)

    def parse(said: str) -> core.Pattern:
        if said.casefold() == text.casefold():
            return core.Pattern(said, stays)
        if said.casefold() in ("stay", "fold deck"):
            raise core.Unreadable(said, "{said!r} is no move", said=said)
        return read(said)

    monkeypatch.setattr(nerve, "parse", parse)
    monkeypatch.setattr(nerve, "notate", lambda move: text if move == stays else written(move))


def sent(folder: Path, said: str) -> Done:
    return pbem("check", folder / "n.pbem.yaml", "--from", "ana", stdin=said)


def test_what_a_game_writes_just_so_is_a_move_before_it_is_anything_else(tmp_path: Path) -> None:
    lost = {}
    with brought(EXAMPLE):
        assert pbem("new", "nerve", *SEATS, tmp_path).code == 0
        for text in LOOK_ALIKE:
            with pytest.MonkeyPatch.context() as patch:
                play_with(text, patch)
                for door in ("{}", "Hi Ben,\n\n{}\n\nCheers,\nAna", "[move]\n{}\n[/move]"):
                    done = sent(tmp_path, door.format(text))
                    if done.code or f"ana: {text}" not in done.out:
                        lost[text, door] = done.out + done.err
    assert lost == {}


@pytest.mark.parametrize(
    "said",
    [
        "Hello!\n\n-- \n13/7 8/7",
        "Hello!\n\nBest regards,\nAna\n13/7 8/7",
        "Hello!\n\nBest regards\n13/7 8/7",
        "On 21 Sep 2026, Ben <ben@example.org> wrote:\n> 13/7 8/7\n",
        "[move]\n...\n[/move]\n13/7 8/7",
        "[s]13/7 8/7[/s]",
        "13/7 8/7 or so",
        "Ring me: 13/7 8/7",
    ],
)
def test_a_number_in_a_signature_a_quote_or_a_sentence_is_not_played(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with brought(EXAMPLE):
        assert pbem("new", "nerve", *SEATS, tmp_path).code == 0
        play_with("13/7 8/7", monkeypatch)
        assert sent(tmp_path, said).code == 1


def test_a_word_that_takes_back_is_asked_about_beside_a_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with brought(EXAMPLE):
        assert pbem("new", "nerve", *SEATS, tmp_path).code == 0
        play_with("wait", monkeypatch)
        assert sent(tmp_path, "fold\n\nwait").code == 1


@pytest.mark.parametrize("text", ["cheers", "resign", "> a1", "seat: 3", "#3 red"])
def test_a_text_that_means_something_else_in_a_mail_is_found_before_a_match(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with brought(EXAMPLE):
        play_with(text, monkeypatch)
        found = [str(each) for each in check("nerve", 1)]
    assert any("is not played when somebody sends" in each for each in found), found
