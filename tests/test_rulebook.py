"""The rulebooks and casebooks of all games: games/*/{RULES.md,rules,board,rulesets,cases,example}.

Adding a case takes no Python: every case of every cases.yaml and example.yaml is played here. What
every rules.yaml, rulesets.yaml and casebook is held to stands in pbem/testing/laws_of_form.py and
is asked for in test_laws.py.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pbem.files import data, yamlio
from pbem.play import games
from pbem.report import rulebook
from pbem.testing import casebook

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(path.parent for path in (ROOT / "games").glob("*/rules.yaml"))
GAMES = [folder.name.replace("_", "-") for folder in FOLDERS]


def book(game: str, name: str) -> Any:
    """A data file of a game."""
    return yamlio.read(str(Path(data.game_folder(game)) / f"{name}.yaml"))


def rules_of(game: str) -> dict[str, dict[str, Any]]:
    """The rules of a game by their ids."""
    return {rule["id"]: rule for rule in book(game, "rules")}


test_the_casebook_of_kahuna = casebook(str(ROOT / "games/kahuna/cases.yaml"))
test_the_casebook_of_kanaloa_by_bambus = casebook(str(ROOT / "games/kanaloa_bambus/cases.yaml"))
test_the_casebook_of_kanaloa_by_piatnik = casebook(str(ROOT / "games/kanaloa_piatnik/cases.yaml"))
test_the_example_of_kahuna = casebook(str(ROOT / "games/kahuna/example.yaml"))
test_the_example_of_kanaloa_by_bambus = casebook(str(ROOT / "games/kanaloa_bambus/example.yaml"))
test_the_example_of_kanaloa_by_piatnik = casebook(str(ROOT / "games/kanaloa_piatnik/example.yaml"))

each_game = pytest.mark.parametrize("game", GAMES)


# --------------------------------------------------------------------- rules, cases and sources


@each_game
def test_the_rules_in_prose_and_the_rules_as_data_name_the_same_ids(game: str) -> None:
    prose = (Path(data.game_folder(game)) / "RULES.md").read_text(encoding="utf-8")
    assert {rule for _, rule in citations(game, prose)} == set(rules_of(game))


def citations(game: str, text: str) -> list[tuple[int, str]]:
    """Where a text names rules of a game."""
    prefixes = {rule.split("-")[0] for rule in rules_of(game)}
    pattern = rf"\b(?:{'|'.join(sorted(prefixes))})-[A-Z]?\d+\b"
    return [(found.start(), found.group()) for found in re.finditer(pattern, text)]


def test_the_editions_rules_are_taken_from_are_rulesets_of_kahuna() -> None:
    editions = {s["edition"] for rule in book("kahuna", "rules") for s in rule.get("from", [])}
    assert sorted(editions - set(book("kahuna", "rulesets")["rulesets"])) == []


@pytest.mark.parametrize(
    ("game", "question", "rule"),
    [
        ("kahuna", "Can I still build on DUDA-BARI if Ben controls Bari?", "K-43"),
        ("kahuna", "what does k-9 say?", "K-9"),
        ("kahuna", "May I discard with five cards in hand?", "K-15"),
        ("kanaloa-bambus", "May Ku rob the holder of a protection card?", "B-65"),
        ("kanaloa-bambus", "Does the Dolphin take an offering when I land?", "B-32"),
        ("kanaloa-piatnik", "Do I have to follow when a Kanaloa was led?", "P-A5"),
        ("kanaloa-piatnik", "Which boat laps the last boat?", "P-43"),
        ("kahuna", "When is an island mine?", "K-17"),
        ("kahuna", "What happens if it's a tie?", "K-39"),
        ("kahuna", "Who begins?", "K-4"),
        ("kahuna", "What happens if the pile is empty?", "K-30"),
        ("kanaloa-bambus", "May two fish lie on the same current?", "B-14"),
        ("kanaloa-bambus", "How does the game end?", "B-88"),
        ("kanaloa-piatnik", "Do I have to follow suit if I have a Kanaloa?", "P-27"),
        ("kanaloa-piatnik", "May I play Kanaloa instead of following?", "P-32"),
        ("kanaloa-piatnik", "What does the octopus do?", "P-35"),
        ("kahuna", "How are you? Was the holiday nice?", None),
        ("kahuna", "Wie viele Karten darf ich auf der Hand haben?", "K-7"),
        ("kahuna", "Darf ich zwei Hunas abgeben, um die Brücke des Gegners wegzunehmen?", "K-22"),
        ("kahuna", "Est-ce que je peux retirer le pont Elai-Huna avec deux Huna ?", "K-21"),
        ("kanaloa-bambus", "Wann darf ich mit Ku rauben?", "B-A27"),
        ("kanaloa-bambus", "Darf der Vulkan auf eine Insel mit Figuren?", "B-69"),
        ("kanaloa-piatnik", "Muss ich Farbe bedienen, wenn ich einen Kanaloa habe?", "P-32"),
        ("kanaloa-piatnik", "Dois-je fournir la couleur si j'ai un Kanaloa ?", "P-32"),
        ("kanaloa-piatnik", "Muszáj színt adnom, ha van Kanaloám?", "P-27"),
        ("kanaloa-piatnik", "Czy muszę dołożyć do koloru, jeśli mam Kanaloę?", "P-27"),
        ("kahuna", "Wie viele Karten gibt es?", None),
        ("kahuna", "Wie geht es dir? War der Urlaub schön?", None),
        ("kahuna", "", None),
    ],
)
def test_a_question_finds_the_rule_that_answers_it(
    game: str, question: str, rule: str | None
) -> None:
    found = [each.id for each in rulebook.matching(rulebook.rules(games.game(game)), question)[:5]]
    assert (rule in found) if rule else found == []


# --------------------------------------------------------------------------- the board of Kahuna


@each_game
def test_a_board_obeys_its_schema(game: str) -> None:
    path = Path(data.game_folder(game)) / "board.yaml"
    text = path.read_text(encoding="utf-8")
    board = yamlio.parse(text, str(path))
    own = f"board-{game}"  # a game whose board is not one of islands and lines has a schema for it
    schema = data.schema_text(own if own in data.schema_names() else "board")
    assert yamlio.validate(board, schema, text, str(path)) == []


LINES = ("ab ad ah bc bd be bf cf cg ck de dh ef eh ei ej fg fj gj gk hi hl ij ik il jk kl").split()
DEGREES = {
    "ALOA": 3,
    "BARI": 5,
    "COCO": 4,
    "DUDA": 4,
    "ELAI": 6,
    "FAAA": 5,
    "GOLA": 4,
    "HUNA": 5,
    "IFFI": 5,
    "JOJO": 5,
    "KAHU": 5,
    "LALE": 3,
}
KAHUNA = book("kahuna", "board")
ENDS = {line["code"]: tuple(line["line"].split("-")) for line in KAHUNA["lines"]}


def test_kahuna_has_the_twenty_seven_lines_of_the_printed_board() -> None:
    assert [line["code"] for line in KAHUNA["lines"]] == LINES


def test_a_code_is_the_initials_of_a_lines_two_ends_in_alphabetical_order() -> None:
    for code, (one, other) in ENDS.items():
        assert one < other
        assert code == (one[0] + other[0]).lower()


def test_as_many_lines_leave_each_island_as_its_card_has_strokes() -> None:
    assert Counter(island for ends in ENDS.values() for island in ends) == DEGREES
    assert [island["name"] for island in KAHUNA["islands"]] == sorted(DEGREES)


@pytest.mark.parametrize("picture", ["ascii", "svg"])
def test_no_line_crosses_another_or_runs_through_an_island(picture: str) -> None:
    at = {island["name"]: island[picture] for island in KAHUNA["islands"]}
    for one, other in combinations(ENDS.values(), 2):
        if not set(one) & set(other):
            assert not crossing([at[i] for i in one], [at[i] for i in other]), (one, other)
    for ends in ENDS.values():
        for island in set(at) - set(ends):
            assert turn(at[ends[0]], at[ends[1]], at[island]) != 0, (ends, island)


def turn(a: list[int], b: list[int], c: list[int]) -> int:
    """Positive, negative, or 0 where three points lie on one straight line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crossing(one: list[list[int]], other: list[list[int]]) -> bool:
    """Do two segments without a common end cross?"""
    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def test_the_pictures_fit_their_frames() -> None:
    left, top, width, height = KAHUNA["svg_box"]
    half = len("[ALOA 3]") // 2
    assert KAHUNA["columns"] <= 72
    for island in KAHUNA["islands"]:
        (column, row), (x, y) = island["ascii"], island["svg"]
        assert half <= column <= KAHUNA["columns"] - half
        assert 0 <= row < KAHUNA["rows"]
        assert left < x < left + width
        assert top < y < top + height


def test_on_the_text_picture_no_code_covers_another_or_an_island() -> None:
    at = {island["name"]: island["ascii"] for island in KAHUNA["islands"]}
    taken = Counter(
        (column + n, row) for column, row in at.values() for n in range(-4, len("[ALOA 3]") - 4)
    )
    for one, other in ENDS.values():
        (x1, y1), (x2, y2) = at[one], at[other]
        taken.update(((x1 + x2) // 2 + n, (y1 + y2) // 2) for n in (0, 1))
    assert [place for place, times in taken.items() if times > 1] == []
