"""The rulebooks and casebooks of all games: games/*/{RULES.md,rules,board,rulesets,cases,example}.

Adding a case takes no Python: every case of every cases.yaml and example.yaml is played here.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import pbem
from pbem.core import Decision, Move
from pbem.files import data, yamlio
from pbem.play import games

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(path.parent for path in (ROOT / "games").glob("*/rules.yaml"))
GAMES = [folder.name.replace("_", "-") for folder in FOLDERS]

CASE_KEYS = {
    "id",
    "title",
    "rules",
    "ruling",
    "ruleset",
    "options",
    "seats",
    "position",
    "steps",
    "view",
    "pending",
    "outcome",
}
STEP_KEYS = {"events", "legal", "refused", "see", "view", "note"}
OUTSIDE_THE_RULES = {"Unreadable", "Ambiguous"}
"""What `refused` may say where the text is wrong and not the move."""


def book(game: str, name: str) -> Any:
    """A data file of a game."""
    return yamlio.read(str(Path(data.game_folder(game)) / f"{name}.yaml"))


def rules_of(game: str) -> dict[str, dict[str, Any]]:
    """The rules of a game by their ids."""
    return {rule["id"]: rule for rule in book(game, "rules")}


def cases_of(game: str) -> list[dict[str, Any]]:
    """The casebook of a game and its annotated example."""
    folder = Path(data.game_folder(game))
    names = [name for name in ("cases", "example") if (folder / f"{name}.yaml").exists()]
    return [case for name in names for case in book(game, name)]


CASES = [pytest.param(g, case, id=f"{g}-{case['id']}") for g in GAMES for case in cases_of(g)]
each_game = pytest.mark.parametrize("game", GAMES)


# ------------------------------------------------------------------------- playing the cases


@pytest.mark.parametrize(("game", "case"), CASES)
def test_a_case_comes_out_as_the_casebook_says(game: str, case: dict[str, Any]) -> None:
    table = set_up(game, case)
    for number, step in enumerate(case["steps"], 1):
        table = played(table, step, f"step {number} of {case['id']}")
    shown = table.view()
    for key, value in case.get("view", {}).items():
        assert shown.get(key) == value, key
    for key, value in case.get("pending", {}).items():
        assert [told(game, decision, key) for decision in table.pending] == [value]
    if "outcome" in case:
        assert table.outcome == case["outcome"]


def told(game: str, decision: Decision, key: str) -> Any:
    """What a decision says under this key; its default is a move, told as it is written."""
    value = getattr(decision, key)
    return games.game(game).notate(value) if isinstance(value, Move) else value


def set_up(game: str, case: dict[str, Any]) -> pbem.Table:
    """The table at the start of a case."""
    seats = tuple(case["seats"]) if "seats" in case else None
    ruleset, options = case.get("ruleset"), case.get("options")
    if "position" in case:
        return pbem.Table.at(game, case["position"], seats, ruleset, options)
    return pbem.Table.start(game, seats, ruleset, options)


def played(table: pbem.Table, step: dict[str, Any], where: str) -> pbem.Table:
    """The table after one step, which may only look or ask."""
    if "see" in step:
        seat = None if step["see"] == "spectator" else step["see"]
        assert_part_of(step["view"], table.seen_by(seat).view(), f"{where}, {step['see']}")
        return table
    ((seat, text),) = ((key, value) for key, value in step.items() if key not in STEP_KEYS)
    if "refused" in step:
        assert refusal(table, seat, text) == step["refused"], where
        assert text not in table.legal(seat), where
        return table
    assert text in table.legal(seat), f"{where}: {text} is not among {table.legal(seat)}"
    after = table.play(seat, text)
    if "legal" in step:
        return table
    if "events" in step:
        assert [kind for event in after.events for kind in event] == step["events"], where
    return after


def refusal(table: pbem.Table, seat: str, text: str) -> str:
    """The rule a move breaks, or what is wrong with its text, or "" if it is legal."""
    try:
        table.play(seat, text)
    except pbem.Violation as violation:
        return violation.rule
    except (pbem.Unreadable, pbem.Ambiguous) as trouble:
        return type(trouble).__name__
    return ""


def assert_part_of(part: Any, whole: Any, where: str) -> None:
    """Mappings may leave keys out; everything else is equal."""
    if not isinstance(part, dict):
        assert part == whole, where
        return
    for key, value in part.items():
        assert_part_of(value, whole.get(key), f"{where}: {key}")


# --------------------------------------------------------------------- rules, cases and sources


@each_game
def test_every_rule_has_one_id_a_sentence_and_a_source_or_a_question_it_settles(game: str) -> None:
    rules = book(game, "rules")
    assert len(rules) == len(rules_of(game)), "an id stands twice"
    for rule in rules:
        assert rule["says"].endswith("."), rule["id"]
        assert rule.get("from") or rule.get("settles"), rule["id"]
        for source in rule.get("from", []):
            assert "edition" in source, rule["id"]
            assert "section" in source or "page" in source, rule["id"]
        assert rule.get("enforced", "engine") in ("engine", "setup", "information"), rule["id"]


@each_game
def test_every_rule_is_at_work_in_a_case(game: str) -> None:
    exercised = {rule for case in cases_of(game) for rule in case["rules"]}
    assert sorted(set(rules_of(game)) - exercised) == []


@each_game
def test_every_id_a_case_or_an_option_names_is_a_rule(game: str) -> None:
    rulesets = book(game, "rulesets")
    named = [option["rule"] for option in rulesets.get("options", {}).values()]
    for case in cases_of(game):
        named += case["rules"]
        named += [case["ruling"]] if "ruling" in case else []
        refusals = [step["refused"] for step in case["steps"] if "refused" in step]
        named += [rule for rule in refusals if rule not in OUTSIDE_THE_RULES]
    assert sorted(set(named) - set(rules_of(game))) == []


@each_game
def test_a_ruling_a_case_rests_on_is_listed_among_its_rules(game: str) -> None:
    for case in cases_of(game):
        assert case.get("ruling") in (None, *case["rules"]), case["id"]


@each_game
def test_every_option_a_rule_or_a_case_names_exists(game: str) -> None:
    rulesets = book(game, "rulesets")
    options = set(rulesets.get("options", {}))
    named = {rule["option"] for rule in book(game, "rules") if "option" in rule}
    for case in cases_of(game):
        named |= set(case.get("options", {}))
        assert case.get("ruleset", rulesets["default"]) in rulesets["rulesets"], case["id"]
    for ruleset in rulesets["rulesets"].values():
        named |= set(ruleset.get("options", {}))
    assert sorted(named - options) == []
    assert rulesets["default"] in rulesets["rulesets"]


@each_game
def test_the_engine_cites_only_rules_there_are(game: str) -> None:
    cited = {rule for _, rule in citations(game, engine_text(game))}
    assert cited, "the engine cites no rule at all"
    assert sorted(cited - set(rules_of(game))) == []


@each_game
def test_every_rule_the_engine_refuses_by_is_refused_in_a_case(game: str) -> None:
    raised = set(re.findall(r'Violation\(\s*"([A-Z]+-[A-Z]?\d+)"', engine_text(game)))
    refused = {step.get("refused") for case in cases_of(game) for step in case["steps"]}
    assert sorted(raised - refused) == []


@each_game
def test_the_rules_in_prose_and_the_rules_as_data_name_the_same_ids(game: str) -> None:
    prose = (Path(data.game_folder(game)) / "RULES.md").read_text(encoding="utf-8")
    assert {rule for _, rule in citations(game, prose)} == set(rules_of(game))


def engine_text(game: str) -> str:
    """The source code of a game."""
    folder = ROOT / "pbem" / "rules" / game.replace("-", "_")
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))


def citations(game: str, text: str) -> list[tuple[int, str]]:
    """Where a text names rules of a game."""
    prefixes = {rule.split("-")[0] for rule in rules_of(game)}
    pattern = rf"\b(?:{'|'.join(sorted(prefixes))})-[A-Z]?\d+\b"
    return [(found.start(), found.group()) for found in re.finditer(pattern, text)]


@each_game
def test_cases_are_numbered_once_and_written_as_the_others(game: str) -> None:
    cases = cases_of(game)
    assert [i for i, n in Counter(case["id"] for case in cases).items() if n > 1] == []
    for case in cases:
        assert {"id", "title", "rules", "steps"} <= set(case) <= CASE_KEYS, case["id"]
        for step in case["steps"]:
            seats = set(step) - STEP_KEYS
            assert len(seats) == (0 if "see" in step else 1), (case["id"], step)


def test_the_editions_rules_are_taken_from_are_rulesets_of_kahuna() -> None:
    editions = {s["edition"] for rule in book("kahuna", "rules") for s in rule.get("from", [])}
    assert sorted(editions - set(book("kahuna", "rulesets")["rulesets"])) == []


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
