"""The writer's own name below everything else asks nothing; what may be more than a name does."""

from __future__ import annotations

import pytest
from test_people import Table, came_of, tables

__all__ = ["tables"]

SIGNED = [
    "COCO-GOLA\ndraw\n\nAna Kovács",
    "COCO-GOLA\ndraw\n\nDr. Ana Kovács\nSenior Analyst, Meridian Ltd",
    "COCO-GOLA\ndraw\n\nBest regards,\nAna Kovács\nSenior Analyst, Meridian Ltd",
    "Ich baue von Coco nach Gola und ziehe.\n\nMit freundlichen Grüßen\nAna Kovács",
]
MORE = [
    "COCO-GOLA\ndraw\n\nBen Kovács",
    "COCO-GOLA\ndraw\n\nAna Kovács\nDuda Bari",
    "COCO-GOLA\ndraw\n\nAna Iffi",
    "COCO-GOLA\ndraw\n\nAna Kovács\nNur Entwurf",
    "COCO-GOLA\ndraw\n\nAna Kovács\nAndere Partie",
    "COCO-GOLA\ndraw\n\nAna Kovács\nthis is for our second table",
    "COCO-GOLA\ndraw\n\nAna Kovács\nMatch 2",
    "COCO-GOLA\ndraw\n\nAna Pass",
    "COCO-GOLA\ndraw\n\nAna Kovács\n\nNever Again",
]


@pytest.mark.parametrize("text", SIGNED)
def test_the_writers_name_with_more_of_it_is_no_question(
    text: str, tables: dict[str, Table]
) -> None:
    assert _came(tables, text)[0] == ["COCO-GOLA", "draw"]


@pytest.mark.parametrize("text", MORE)
def test_what_may_be_more_than_a_name_is_asked_about(text: str, tables: dict[str, Table]) -> None:
    assert _came(tables, text)[0] == []


def _came(tables: dict[str, Table], text: str) -> tuple[list[str], list[list[str]]]:
    return came_of({"id": "signed", "seat": "white", "text": text}, tables["k-open"])
