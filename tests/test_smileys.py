"""A smiley is no part of a move, though it may hold what parts moves."""

from __future__ import annotations

import pytest

from pbem import intake
from pbem.intake.courtesy import without_smileys


@pytest.mark.parametrize(
    "smiley", [";-)", ";)", ":)", ":-(", ":-/", ";-P", ";D", ";^)", "=)", ":-))", ";-) ;-)"]
)
def test_a_smiley_parts_no_line(smiley: str) -> None:
    for text in (f"COCO-GOLA, draw {smiley}", f"[move]\nCOCO-GOLA, draw {smiley}\n[/move]"):
        said = intake.read(text.encode(), "move.txt", "text")
        assert [line.text for line in said.orders] == ["COCO-GOLA, draw"]


@pytest.mark.parametrize("text", ["Rot 2;)", "Rot 2;-)", "Rot 2:-)"])
def test_a_smiley_may_cling_to_the_last_word(text: str) -> None:
    assert without_smileys(text) == "Rot 2"


@pytest.mark.parametrize(
    "text",
    [
        "A;B",
        "KAHU;COCO",
        "A-E;P",
        "land :O",
        "land :P",
        "red :3",
        "KAHU;-COCO",
        "Cards:(KAHU)",
        "if ANA plays X:(A or B)",
        "sacrifice pele: (kane2)",
        "A;",
        "x: /A/",
    ],
)
def test_what_names_something_is_no_smiley(text: str) -> None:
    assert without_smileys(text) == text
