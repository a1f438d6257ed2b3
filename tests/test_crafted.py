"""Messages made to be slow: each of `benchmarks/reading.py` is read, short, in a moment.

How long the whole ones take is measured there; what is not linear shows in a tenth of them, too.
"""

from __future__ import annotations

import runpy
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from long import within

from pbem import intake
from pbem.problem import Problem

READING: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parent.parent / "benchmarks" / "reading.py")
)
PATIENCE = 3.0
"""Seconds; the slowest takes a hundredth of that, and what is quadratic minutes."""


@pytest.mark.parametrize("name", READING["TEXTS"])
def test_no_message_takes_long_to_be_read(name: str) -> None:
    body = READING["TEXTS"][name]
    with within(PATIENCE), suppress(Problem):
        intake.read(body[: len(body) // 10], "x", "text")
