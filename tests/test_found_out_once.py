"""What must be known about a mail is found out once, however many questions rest on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import dealt
from postroom import Post

from pbem.desk import authorship, bench, lines, reading


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each thing is found out."""
    counted = Counter[str]()

    def counts(place: Any, name: str, what: str) -> None:
        found_out: Callable[..., Any] = getattr(place, name)

        def counting(*given: Any, **more: Any) -> Any:
            counted[what] += 1
            return found_out(*given, **more)

        monkeypatch.setattr(place, name, counting)

    counts(authorship, "writer", "who wrote it")
    counts(reading, "waiting_now", "what waits")
    counts(bench, "waiting_now", "what waits")
    counts(lines, "read", "what its lines say")
    counts(reading, "weighed", "what it may mean")
    return counted


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("draw", "accepted"),
        ("I draw from the pile", "accepted"),
        ("I think I would like to play something else", "passed-on"),
    ],
)
def test_in_a_run_with_one_mail(
    tmp_path: Path, calls: Counter[str], text: str, verdict: str
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    seat = room.read().awaited[0]
    sender = {"white": "ana", "black": "ben"}[seat]
    post.comes(f"From: {sender}@example.org\nSubject: m\n\n{text}\n".encode())
    assert post.run() == [verdict]
    assert calls["who wrote it"] == calls["what waits"] == calls["what its lines say"] == 1
    assert calls["what it may mean"] <= 1
