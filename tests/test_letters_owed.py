"""Only those get a letter for whose eyes alone something is new, and the moderator is told who."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Done, dealt, pbem

SEATS = {
    "kahuna": ("white=Ana", "black=Ben"),
    "kanaloa-bambus": ("red=Ana", "blue=Ben"),
    "kanaloa-piatnik": ("ana=Ana", "ben=Ben", "cara=Cara"),
}


class Table:
    """A match on the disk with a folder of letters."""

    def __init__(self, folder: Path, game: str, *more: object) -> None:
        self.log, self.letters = folder / "m.pbem.yaml", folder / "letters"
        seats = [part for seat in SEATS[game] for part in ("--seat", seat)]
        self.done = self.call("new", game, "--match", "m", *seats, *more, "--dir", folder)
        assert self.done.code == 0, self.done.printed

    def call(self, command: str, *arguments: object, stdin: str = "") -> Done:
        self.old = self.files()
        return pbem(command, *arguments, "--letters", self.letters, stdin=stdin)

    def files(self) -> set[str]:
        return {file.name for file in self.letters.glob("*")}

    @property
    def written(self) -> list[str]:
        """Whom the last command has written a letter to."""
        return sorted(file.split("-")[-1].split(".")[0] for file in self.files() - self.old)

    def submit(self, seat: str, text: str, *more: object) -> Done:
        done = self.call("submit", self.log, "--from", seat, *more, stdin=text)
        assert done.code == 0, done.printed
        return done

    def rule(self, *words: object) -> Done:
        done = self.call("rule", self.log, *words)
        assert done.code == 0, done.printed
        return done

    @property
    def face_up(self) -> str:
        return str(pbem("show", self.log, "--format", "json").json["view"]["display"][0])


@pytest.fixture
def kahuna(tmp_path: Path) -> Table:
    return Table(tmp_path, "kahuna")


def test_who_draws_gets_a_letter_and_nobody_else(kahuna: Table) -> None:
    done = kahuna.submit("white", "draw")
    assert kahuna.written == ["white"]
    letter = kahuna.letters / "m-0011-white.txt"
    told = f"Send only {letter}: a card was drawn. For the others nothing is new."
    assert done.err == f"pbem: {told}\n"
    assert "Your move was accepted." in letter.read_text()


def test_where_nothing_is_new_for_one_alone_no_letter_is_written(kahuna: Table) -> None:
    done = kahuna.submit("white", f"take {kahuna.face_up}")
    assert (kahuna.written, "nothing is new" in done.err) == ([], True)
    done = kahuna.submit("black", "draw", "--all-letters")
    assert kahuna.written == ["black", "white"]
    assert "Send only" in done.err


@pytest.fixture
def full(kahuna: Table) -> Table:
    """White has five cards, and may put one away."""
    for seat in ("white", "black", "white", "black"):
        kahuna.submit(seat, "draw")
    return kahuna


def in_hand(table: Table) -> str:
    known = pbem("show", table.log, "--as", "white", "--format", "json").json
    return str(known["view"]["hands"]["white"][0])


def test_who_puts_a_card_away_face_down_knows_it_already(full: Table) -> None:
    done = full.submit("white", f"discard {in_hand(full)}")
    assert (full.written, "nothing is new" in done.err) == ([], True)


def test_a_card_put_away_for_a_silent_seat_is_news_for_it(full: Table) -> None:
    move = f"discard {in_hand(full)}"
    full.rule("default", "--seat", "white", "--move", move, "--reason", "silent")
    assert full.written == ["white"]


def test_what_waits_is_for_its_sender(kahuna: Table) -> None:
    done = kahuna.submit("white", f"[move]\ntake {kahuna.face_up}\nif Ben plays *: draw\n[/move]")
    assert kahuna.written == ["white"]
    assert "what waits for them has changed" in done.err
    kahuna.submit("black", "pass")
    assert kahuna.written == ["white"]  # whose plan has drawn a card


def test_whose_order_is_not_all_played_gets_a_letter_that_says_so(kahuna: Table) -> None:
    done = kahuna.submit("white", f"take {kahuna.face_up}; take {kahuna.face_up}")
    assert kahuna.written == ["white"]
    assert "not all that was sent is played" in done.err


def test_programs_are_told_who_gets_a_letter_and_why(kahuna: Table) -> None:
    told = kahuna.submit("white", "draw", "--json").json
    assert told["owed"] == {"white": "a card was drawn"}
    assert [*told["letters"]] == ["white"]


def test_a_substitute_alone_gets_a_letter_that_tells_a_newcomer_all(tmp_path: Path) -> None:
    table = Table(tmp_path, "kahuna", "--contact", "GeekMail to cleo_mod")
    table.submit("white", "draw")
    moved = "--reason", "Ben has no time"
    done = table.rule("substitute", "--seat", "black", "--player", "Cara <c@example.org>", *moved)
    assert table.written == ["black"]
    assert "Cara is new at the table. For the others nothing is new." in done.err
    letter = (table.letters / "m-0011-black.epoch1.txt").read_text()
    for told in (
        "HOW THIS MATCH IS PLAYED",
        "Edition   ",
        "Write one move a line.",
        "GeekMail to cleo_mod",
        "pbem-key/1 m black 1 ",
        "1-9 Chance",
        "10-11 Ana: draw",
        "Cara takes the seat black.",
        "for the deal",
    ):
        assert told in letter, told


@pytest.mark.parametrize(
    ("words", "owed"),
    [
        (("note", "--text", "Well played!"), []),
        (("default", "--seat", "white", "--move", "draw", "--reason", "silent"), ["white"]),
        (("default", "--seat", "white", "--move", "pass", "--reason", "silent"), []),
        (("resign", "--seat", "white", "--reason", "no time"), []),
    ],
)
def test_a_ruling_owes_a_letter_to_whoever_draws_by_it(
    kahuna: Table, words: tuple[object, ...], owed: list[str]
) -> None:
    kahuna.rule(*words)
    assert kahuna.written == owed


def test_all_letters_are_for_a_folder(kahuna: Table, tmp_path: Path) -> None:
    (tmp_path / "lone").mkdir()
    lone = dealt(tmp_path / "lone")
    done = pbem("submit", lone.log, "--from", "white", "--all-letters", stdin="draw")
    assert (done.code, "--letters DIR" in done.err) == (2, True)
    done = pbem("submit", kahuna.log, "--from", "white", "--all-letters", stdin="draw")
    assert (done.code, "m-0011-black.txt" in kahuna.files()) == (0, True)  # the match knows where


def test_no_letter_is_written_over_another_whoever_and_whatever_it_is_for(kahuna: Table) -> None:
    kahuna.rule("default", "--seat", "white", "--move", "draw", "--reason", "late")
    ana = kahuna.letters / "m-0011-white.txt"
    before = ana.read_text()
    cara = kahuna.rule("substitute", "--seat", "white", "--player", "Cara", "--reason", "Ana left")
    assert ana.read_text() == before
    assert "pbem-key/1 m white 1" in (kahuna.letters / "m-0011-white.epoch1.txt").read_text()
    assert "m-0011-white.epoch1.txt" in cara.err
    for said in ("hop", "jump"):
        done = kahuna.call("submit", kahuna.log, "--from", "white", stdin=said)
        assert done.code == 1
    answers = [f"m-0011-white.epoch1-answer{n}.txt" for n in ("", "-2")]
    assert ["jump" in (kahuna.letters / name).read_text() for name in answers] == [False, True]
    again = kahuna.call("submit", kahuna.log, "--from", "white", stdin="jump")
    assert (again.code, kahuna.files()) == (1, kahuna.old)
