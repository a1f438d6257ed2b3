"""A club by mail, in small: see `club.py`, which plays the whole one."""

from __future__ import annotations

from pathlib import Path

import pytest
from club import played
from club_check import wrong

pytestmark = pytest.mark.posix


def test_after_weeks_of_mail_everybody_knows_what_concerns_them_and_nothing_else(
    tmp_path: Path,
) -> None:
    club = played(tmp_path, 4, matches=3, people=5, rounds=6, kills=2)
    assert list(wrong(club)) == []
    # What else happens in so short a time is chance: the whole club counts it.
    assert club.seen
