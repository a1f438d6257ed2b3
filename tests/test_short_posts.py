"""Posts are as long as what they tell: a row a player, a deal in a line or two."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from pbem.core import CHANCE, Unreadable
from pbem.desk.file import Desk
from pbem.desk.simulate import simulate
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.play import games
from pbem.report import compose, render
from pbem.report.templates import environment

MOST_LINES = 62
SEATS = {
    "kanaloa-bambus": ("red", "yellow", "green", "blue"),
    "kanaloa-piatnik": ("ana", "ben", "cara"),
    "kahuna": ("white", "black"),
}
NAMES = dict(zip(SEATS["kanaloa-bambus"], ("Ana", "Ben", "Cara", "Dan"), strict=True))


@cache
def played(game: str) -> tuple[Match, Desk]:
    chosen = {"setup": "basic"} if game == "kanaloa-bambus" else None
    return simulate(game, 3, seats=SEATS[game], chosen=chosen)


def opening(game: str) -> str:
    """The first post of a match."""
    match, _ = played(game)
    first = next(p for p, _ in match.plies if p.seat != CHANCE)
    began = Match.of(match.log.until(first.number - 1))
    return render.report(compose.public(began, 0, opening=compose.opening(began)), "text")


def posts(game: str) -> list[str]:
    """What is posted after each ply, with what was drawn for it."""
    match, _ = played(game)
    plies = [e for e in match.log.entries if isinstance(e, Ply)]
    turns = [n for n, ply in enumerate(plies) if ply.seat != CHANCE]
    found = []
    for n, after in zip(turns[:-1:9], turns[1::9], strict=False):
        now = Match.of(match.log.until(plies[after - 1].number))
        report = compose.public(now, plies[n].nth)
        seats = {seat: NAMES.get(seat, name) for seat, name in report.seats.items()}
        found.append(render.report(report._replace(seats=seats), "text"))
    return found


def test_an_ordinary_post_of_bambus_for_four_fits_a_page() -> None:
    lengths = sorted(post.count("\n") for post in posts("kanaloa-bambus"))
    assert lengths[len(lengths) * 9 // 10] <= MOST_LINES
    assert lengths[-1] <= MOST_LINES + 6  # a volcano, or a turn with many consequences


def test_each_player_of_bambus_has_one_row_with_what_they_have() -> None:
    match, _ = played("kanaloa-bambus")
    for post in posts("kanaloa-bambus"):
        rows = re.findall(r"^(Ana|Ben|Cara|Dan) \((\w+)\)(.*(?:\n .*)*)", post, re.M)
        assert [name for name, *_ in rows] == [*NAMES.values()]
        for _, _, row in rows:
            assert not re.search(r"(Kane|Kanaloa|Ku|Pele|Lono) 0", row)
    *_, last = posts("kanaloa-bambus")
    temples = match.game.view(match.state)["temples"]
    assert any(f"{god.capitalize()} {n}" in last for t in temples.values() for god, n in t.items())


@pytest.mark.parametrize(
    ("game", "named"),
    [
        ("kanaloa-bambus", ("gods cards", "Pele ", "Lono ", "Ku ", "Kanaloa ")),
        ("kanaloa-piatnik", ("left out", "trump is blue", "is dealt 8 cards")),
        ("kahuna", ("turned face up", "is dealt")),
    ],
)
def test_setting_up_is_told_in_a_few_lines(game: str, named: tuple[str, ...]) -> None:
    [told] = re.findall(r"^1-\d+ Chance\n((?:  .*\n)+)", opening(game), re.M)
    assert told.count("\n") <= 6
    for each in named:
        assert each in " ".join(told.split())


def test_the_legend_and_how_to_answer_are_told_in_the_first_post_and_not_again() -> None:
    first, later = opening("kanaloa-bambus"), posts("kanaloa-bambus")
    for words in ("arrows show the way", "To answer, copy this"):
        assert words in first
        assert not any(words in post for post in later)
    assert all(re.search(r"^\[move\] #\d+ \w+\n\.\.\.\n\[/move\]$", post, re.M) for post in later)


@pytest.mark.parametrize("game", SEATS)
def test_every_question_to_a_player_says_how_it_is_answered(game: str) -> None:
    rules = games.game(game)
    shown: dict[str, Any] = {"name": lambda seat: seat}
    book = environment("").get_template(f"{game}/questions.j2").make_module(shown)
    for kind, moves in rules.KINDS.items():
        if kind == "turn":  # the opening post says how its many moves are written
            continue
        form = getattr(book, f"{kind.replace('-', '_')}_form")({"kind": kind}).strip()
        named = re.split(r", or |, | or |: ", form.removeprefix("Write ").rstrip("."))
        read = []
        for said in named:
            try:
                read.append(type(rules.parse(said).move))
            except Unreadable:
                continue
        assert read, form
        assert {*read} <= {*moves}, form


def test_a_post_says_in_words_what_can_be_written() -> None:
    match, _ = played("kanaloa-bambus")
    pawn = next(p for p, _ in match.plies if p.move.startswith("pawn"))
    now = Match.of(match.log.until(pawn.number - 1))
    assert "must place a pawn now. Write pawn A." in render.report(compose.public(now, 0), "text")


@pytest.mark.parametrize(
    ("game", "said", "told"),
    [
        ("kanaloa-bambus", "W-Q, blue", "'W-Q, blue' is no move of Kanaloa"),
        ("kanaloa-bambus", "dance", "'dance' is no move of Kanaloa"),
        ("kahuna", "x", "Name the two islands of a line"),
        ("kahuna", "build", "Name the two islands of a line"),
    ],
)
def test_a_refusal_shows_what_was_written(game: str, said: str, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        games.game(game).parse(said)
    assert refused.value.message == told


@pytest.mark.parametrize("game", SEATS)
def test_phpbb_shows_the_whole_board_in_one_box_and_its_legend_in_another(game: str) -> None:
    match, _ = played(game)
    first = next(p for p, _ in match.plies if p.seat != CHANCE)
    report = compose.public(Match.of(match.log.until(first.number - 1)), 0)
    boxes = re.findall(r"\[code\](.*?)\[/code\]", render.report(report, "phpbb"), re.S)
    shown = [line.rstrip() for line in report.picture]
    ends = [n for n, line in enumerate(shown) if not line]
    board = shown[: ends[-1]] if ends and ends[-1] > 1 else shown
    assert sum("\n".join(board).strip("\n") in box for box in boxes) == 1
    assert not any(box != box.strip("\n") for box in boxes)


def test_what_the_draws_prove_is_the_last_word_of_the_first_post() -> None:
    match, _ = played("kahuna")
    began = Match.of(match.log.until(9))
    said = compose.public(began, 0, compose.proof(began), opening=compose.opening(began))
    last = render.report(said, "text").rstrip().split("\n\n")[-1]
    assert last.startswith("Note: You trust the moderator for the deal; how to do without: ")
