"""A line that says when its writer is away, read on 22 November 2026."""

from __future__ import annotations

import pytest

from pbem.core import Unreadable
from pbem.intake.absence import AwayDates, absence

TODAY = "2026-11-22"
WINTER = AwayDates("2026-12-20", "2027-01-05")

LINES = [
    ("away 2026-12-20 to 2027-01-05", WINTER),
    ("Away from 20 December to 5 January.", WINTER),
    ("away Dec 20 - Jan 5", WINTER),
    ("I'm away 20th of Dec until 5th of January 2027", WINTER),
    ("away December 20th, 2026 to January 5th", WINTER),
    ("abwesend vom 20.12. bis 5.1.", WINTER),
    ("Abwesend vom 20. Dezember bis zum 5. Januar", WINTER),
    ("weg 20.12.2026 \u2013 05.01.2027", WINTER),
    ("away from 3 to 10 January", AwayDates("2027-01-03", "2027-01-10")),
    ("abwesend vom 3. bis 10. Januar", AwayDates("2027-01-03", "2027-01-10")),
    ("absente du 1er au 5 décembre", AwayDates("2026-12-01", "2026-12-05")),
    ("Absente du 1er décembre au 5 janvier.", AwayDates("2026-12-01", "2027-01-05")),
    ("je suis absent du 3 au 7 janvier", AwayDates("2027-01-03", "2027-01-07")),
    ("Je serai absente le 3 janvier", AwayDates("2027-01-03", "2027-01-03")),
    ("vom 3. bis 7. Januar abwesend", AwayDates("2027-01-03", "2027-01-07")),
    ("Ich bin vom 20.12. bis 5.1. weg!", WINTER),
    ("bis 5. Januar abwesend", AwayDates(TODAY, "2027-01-05")),
    ("nieobecny od 3 do 7 stycznia", AwayDates("2027-01-03", "2027-01-07")),
    ("od 3 do 7 stycznia nieobecna", AwayDates("2027-01-03", "2027-01-07")),
    ("január 3-tól 7-ig távol", AwayDates("2027-01-03", "2027-01-07")),
    ("távol január 3-tól február 7-ig", AwayDates("2027-01-03", "2027-02-07")),
    ("away January 3 to 7", AwayDates("2027-01-03", "2027-01-07")),
    ("away January 3rd, 2027 - 7", AwayDates("2027-01-03", "2027-01-07")),
    ("weg 20.12. bis 27.", AwayDates("2026-12-20", "2026-12-27")),
    ("away 2027-01-03 to 07", AwayDates("2027-01-03", "2027-01-07")),
    ("away until 5 Jan", AwayDates(TODAY, "2027-01-05")),
    ("weg bis 5. Januar", AwayDates(TODAY, "2027-01-05")),
    ("weg bis 5. März", AwayDates(TODAY, "2027-03-05")),
    ("away until 22 November", AwayDates(TODAY, TODAY)),
    ("away until 31 January", AwayDates(TODAY, "2027-01-31")),
    ("away until 5 Jan 2028", AwayDates(TODAY, "2028-01-05")),
    ("away 29 Feb", AwayDates("2028-02-29", "2028-02-29")),
    ("away from 1 Nov to 30 Nov", AwayDates("2026-11-01", "2026-11-30")),
    ("back", AwayDates(TODAY)),
    ("Zurück!", AwayDates(TODAY)),
    ("back from 3 Jan on", AwayDates("2027-01-03")),
    ("zurück ab 3.1.", AwayDates("2027-01-03")),
    ("wieder da", AwayDates(TODAY)),
    ("draw", None),
    ("take BARI", None),
    ("backgammon tonight?", None),
    ("I go back to the island", None),
    ("weggeworfen", None),
]


@pytest.mark.parametrize(("line", "meant"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_read(line: str, meant: AwayDates | None) -> None:
    assert absence(line, TODAY) == meant


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("away", "Say from when to when"),
        ("away for a while", "Say from when to when"),
        ("away 3 to 7", "no such date as 07"),
        ("away January 7 to 3", "before it begins"),
        ("take 2 cards away", "Say from when to when"),
        ("away 31 to 3 March", "before it begins"),
        ("away 31 to 3 February", "no such date as 2027-02-31"),
        ("away until 31 Feb", "no such date as 31 feb"),
        ("away 2026-13-01 to 2026-13-02", "no such date"),
        ("away 12 Foo to 13 Foo", "no such date"),
        ("away 2027-01-05 to 2026-12-20", "can't end on 2026-12-20, before it begins"),
        ("away until 30 Feb 9999", "no such date"),
    ],
)
def test_an_absence_without_dates_there_are_is_told(line: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        absence(line, TODAY)


def test_the_end_of_the_calendar_is_no_trap() -> None:
    with pytest.raises(Unreadable, match="no such date"):
        absence("away until 5 Jan", "9999-12-31")
