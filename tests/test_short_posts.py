"""Posts are as long as what they tell: a row a player, a deal in a line or two."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import pbem
from long import many

from pbem.core import CHANCE, Unreadable
from pbem.desk.begin import Terms
from pbem.desk.file import Desk
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.log.timetable import Deadline, Timetable
from pbem.play import games
from pbem.play import judge as play
from pbem.report import compose, render
from pbem.report.facts import Brief
from pbem.report.templates import environment
from pbem.testing.simulate import simulate

MOST_LINES = 62
SEATS = {
    "kanaloa-bambus": ("red", "yellow", "green", "blue"),
    "kanaloa-piatnik": ("ana", "ben", "cara"),
    "kahuna": ("white", "black"),
}
NAMES = dict(zip(SEATS["kanaloa-bambus"], ("Ana", "Ben", "Cara", "Dan"), strict=True))


@cache
def played(game: str) -> tuple[Replay, Desk]:
    chosen = {"setup": "basic"} if game == "kanaloa-bambus" else {}
    return simulate(Terms(game, options=chosen), 3, SEATS[game])


def opening(game: str) -> str:
    """The first post of a match."""
    match, _ = played(game)
    first = next(p for p, _ in match.plies if p.seat != CHANCE)
    began = Replay.of(match.log.until(first.number - 1))
    return render.report(compose.public(began, 0, opening=compose.opening(began)), "text")


def posts(game: str) -> list[str]:
    """What is posted after each ply, with what was drawn for it."""
    match, _ = played(game)
    plies = [e for e in match.log.entries if isinstance(e, Ply)]
    turns = [n for n, ply in enumerate(plies) if ply.seat != CHANCE]
    found = []
    for n, after in zip(turns[:-1:9], turns[1::9], strict=False):
        now = Replay.of(match.log.until(plies[after - 1].number))
        report = compose.public(now, plies[n].nth)
        seats = {seat: NAMES.get(seat, name) for seat, name in report.seats.items()}
        found.append(render.report(report._replace(seats=seats), "text"))
    return found


def test_an_ordinary_post_of_bambus_for_four_fits_a_page() -> None:
    assert max(post.count("\n") for post in posts("kanaloa-bambus")) <= MOST_LINES


LATE = "{}, by Thu 26 Nov 2026, 20:00 CET (UTC+1); then 5 days to spare and 2 days of grace."
LONG_NAMES = ("Anastasia W", "Benedikta X", "Casimira Yo", "Dominikus Z")
A_LONG_POST = 2031
"""In this match one post has 63 lines if only its paragraphs stand close."""


@pytest.mark.parametrize("seed", [*range(many(1, 12)), A_LONG_POST])
def test_a_post_of_bambus_for_four_fits_a_page_with_a_clock_and_a_volcano(seed: int) -> None:
    chosen = {"setup": "basic"} if seed == A_LONG_POST else {}
    match, _ = simulate(Terms("kanaloa-bambus", options=chosen), seed, SEATS["kanaloa-bambus"])
    called = dict(zip(SEATS["kanaloa-bambus"], LONG_NAMES, strict=True))
    plies = [e for e in match.log.entries if isinstance(e, Ply)]
    turns = [n for n, ply in enumerate(plies) if ply.seat != CHANCE]
    closer = 0
    for n, after in [*pairwise(turns)][:: many(6, 1)]:
        now = Replay.of(match.log.until(plies[after - 1].number))
        told = compose.public(now, plies[n].nth)
        posted = told._replace(
            seats=called, until=tuple(LATE.format(called[each.seat]) for each in told.awaited)
        )
        written = render.report(posted, "text")
        assert written.count("\n") <= MOST_LINES
        closer += "WHAT HAPPENED\n\n" not in written
    assert closer


def test_no_move_is_broken_between_two_lines() -> None:
    match, _ = simulate(Terms("kanaloa-bambus"), 1, SEATS["kanaloa-bambus"])
    plies = [ply for ply, _ in match.plies if ply.seat != CHANCE]
    for first, last in zip(plies[::6], plies[5::6], strict=False):
        now = Replay.of(match.log.until(last.number))
        moves = {ply.move for ply in plies if first.nth <= ply.nth <= last.nth}
        for told in (short(now, first.nth), render.report(compose.public(now, first.nth), "text")):
            flat = " ".join(told.split())
            assert [move for move in moves if move in flat and move not in told] == []


def test_a_post_that_is_no_page_whatever_is_left_out_tells_all() -> None:
    match, _ = played("kahuna")
    told = render.report(compose.public(match, 0), "text")
    assert "WHAT HAPPENED\n\n" in told
    for ply, _ in match.plies[-3:]:
        assert f"\n{ply.number} " in told or f"-{ply.number} " in told


def test_whose_turn_it_is_is_said_once() -> None:
    for post in posts("kahuna"):
        assert len(re.findall(r"It's \w+'s turn\.", post)) <= 1


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
    for kind in rules.KINDS:
        if kind == "turn":  # the opening post says how its many moves are written
            continue
        form = getattr(book, f"{kind.replace('-', '_')}_form")
        assert form({"kind": kind, "example": "X"}).strip(), kind


def test_a_post_says_in_words_what_can_be_written() -> None:
    match, _ = played("kanaloa-bambus")
    pawn = next(p for p, _ in match.plies if p.move.startswith("pawn"))
    now = Replay.of(match.log.until(pawn.number - 1))
    [asked] = compose.public(now, 0).awaited
    assert play.legal_texts(now.game, now.state, asked.seat).texts.count(asked.example)
    told = f"must place a pawn now. For example: {asked.example}."
    assert told in render.report(compose.public(now, 0), "text")


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
    report = compose.public(Replay.of(match.log.until(first.number - 1)), 0)
    boxes = re.findall(r"\[code\](.*?)\[/code\]", render.report(report, "phpbb"), re.S)
    shown = [line.rstrip() for line in report.picture]
    ends = [n for n, line in enumerate(shown) if not line]
    board = shown[: ends[-1]] if ends and ends[-1] > 1 else shown
    assert sum("\n".join(board).strip("\n") in box for box in boxes) == 1
    assert not any(box != box.strip("\n") for box in boxes)


def test_what_the_draws_prove_is_the_last_word_of_the_first_post() -> None:
    match, _ = played("kahuna")
    began = Replay.of(match.log.until(9))
    said = compose.public(began, 0, compose.proof(began), opening=compose.opening(began))
    last = render.report(said, "text").rstrip().split("\n\n")[-1]
    assert last.startswith("Note: You trust the moderator for the deal: that it is ")


# ------------------------------------------------------------------------------- short posts

MOST_SHORT = 15


def short(now: Replay, known: int, dialect: str = "text") -> str:
    return render.report(compose.public(now, known, brief=Brief(PAGE)), dialect)


PAGE = "https://club.example/match_a-b.html"


@pytest.mark.parametrize("plies", [1, 4, 12, 60])
@pytest.mark.parametrize("game", SEATS)
def test_a_short_post_has_fifteen_lines_and_each_move_of_the_last_turns(
    game: str, plies: int
) -> None:
    match, _ = played(game)
    written = [e for e in match.log.entries if isinstance(e, Ply)]
    step = many(30, 7)
    for first, last in zip(
        range(0, len(written), step), range(plies, len(written), step), strict=False
    ):
        if written[last].seat == CHANCE:
            continue
        now = Replay.of(match.log.until(written[last - 1].number))
        told = short(now, written[first].nth)
        assert told.count("\n") <= MOST_SHORT, told
        assert f"#{now.position.ply} {now.position.fingerprint}" in told
        assert re.search(r"^\[move\] #\d+ \w+\n\.\.\.\n\[/move\]$", told, re.M)
        flat = " ".join(told.split())
        for ply in written[first:last]:
            if ply.seat != CHANCE and plies <= 4:
                assert ply.move in flat
        if plies <= 4:
            assert match.players[now.awaited[0]].casefold() in flat.casefold()


@pytest.mark.parametrize("dialect", ["text", "markdown", "phpbb", "bgg", "html"])
def test_a_short_post_names_its_page_unbroken_in_every_dialect(dialect: str) -> None:
    match, _ = played("kahuna")
    assert f"The board: {PAGE}" in short(match, len(match.log.entries) - 3, dialect)


def test_who_has_the_same_time_is_told_of_together_and_who_was_just_named_not_again() -> None:
    def until(*seats: str) -> list[str]:
        due = "2026-11-25T19:00:00Z"
        times = Timetable(
            due,
            "UTC",
            deadlines=tuple(Deadline(s, 3, "", "", due, due, "", "", 0, 2) for s in seats),
        )
        return [str(each) for each in times.sentences(brief=True)]

    when = "Wed 25 Nov 2026, 19:00 (UTC); then 2 days of grace."
    assert until("Ana") == [f"By {when}"]
    assert until("Ana", "Ben", "Cara") == [f"Ana, Ben and Cara, by {when}"]


@pytest.mark.parametrize(
    ("command", "stdin", "told"),
    [
        (("submit", "LOG", "--from", "white"), "draw", "Ana: draw"),
        (("rule", "LOG", "note", "--text", "Well played, " * 200), "", "notes: Well played, Well"),
        (("post", "LOG", "--since", 0), "", "Next to move"),
    ],
)
@pytest.mark.parametrize("usual", [(), ("--short",)])
def test_a_match_has_its_usual_post_and_the_other_is_one_word_away(
    tmp_path: Path, usual: tuple[str, ...], command: tuple[object, ...], stdin: str, told: str
) -> None:
    def printed(name: str, *more: str) -> str:
        opened = ("--seat", "white=Ana", "--seat", "black=Ben", *CLOCK, "--page", PAGE)
        begun = pbem("new", "kahuna", "--match", name, *opened, *usual, "--dir", tmp_path)
        assert "Where the match stands".upper() in begun.out
        done = pbem(*(tmp_path / name if c == "LOG" else c for c in command), *more, stdin=stdin)
        assert done.code == 0, done.printed
        return done.out

    whole, few = printed("a", "--whole"), printed("b", "--short")
    assert few.count("\n") <= MOST_SHORT < whole.count("\n")
    assert "20:00" in few
    assert PAGE in few
    assert len(printed("c").splitlines()) == len((few if usual else whole).splitlines())
    if command[0] != "post":
        assert told in few


CLOCK = ("--turn", "3", "--zone", "Europe/Berlin")


@pytest.mark.parametrize("page", ["club.example", "https://a b", "https://a[/c]", "javascript:x"])
def test_a_page_is_an_address(tmp_path: Path, page: str) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    done = pbem("new", "kahuna", *seats, "--page", page, "--dir", tmp_path)
    assert done.code == 2
    assert "--page" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("more", [(), ("--since", 0)])
def test_a_long_ruling_after_many_turns_leaves_room_for_whose_turn_it_is_and_the_fence(
    tmp_path: Path, more: tuple[object, ...]
) -> None:
    long = "of the very long family name on the far"
    seats = ("--seat", f"white=Ana {long}", "--seat", f"black=Ben {long}")
    pbem("new", "kahuna", "--match", "m", *seats, *CLOCK, "--page", PAGE, "--dir", tmp_path)
    for seat in ("white", "black", "white"):
        pbem("submit", tmp_path / "m", "--from", seat, stdin="draw")
    pbem("rule", tmp_path / "m", "note", "--text", "Well played, " * 200)
    told = pbem("post", tmp_path / "m", "--short", *more).out
    assert told.count("\n") <= MOST_SHORT, told
    assert "notes: Well played, Well" in told
    assert "20:00" in told
    assert re.search(r"^\[move\] #\d+ \w+\n\.\.\.\n\[/move\]$", told, re.M)


def test_the_end_of_a_match_and_its_secret_are_told_in_a_few_lines(tmp_path: Path) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    pbem("new", "kahuna", "--match", "m", *seats, "--short", "--dir", tmp_path)
    pbem("rule", tmp_path / "m", "resign", "--seat", "white", "--reason", "no time")
    told = pbem("reveal", tmp_path / "m").out
    assert "Ben wins by resignation." in told
    assert "The secret of the match is revealed" in told
    assert "[move]" not in told
    assert told.count("\n") <= MOST_SHORT
    assert "MATCH STANDS" in pbem("post", tmp_path / "m", "--whole").out


def test_a_ruling_is_never_told_in_a_post_without_empty_lines(tmp_path: Path) -> None:
    match, _ = simulate(Terms("kanaloa-bambus"), A_LONG_POST, SEATS["kanaloa-bambus"])
    told = compose.public(match, len(match.log.entries) - 1)._replace(result=None)
    ruled = told._replace(news=("Dora takes the seat yellow.", *told.news))
    assert "\n\nWHERE THE MATCH STANDS" in render.report(ruled, "text")
