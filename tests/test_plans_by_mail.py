"""Plans through the real mailroom: killed at any instant, taken back, and seen by nobody."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import test_crash
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import Post, text
from test_crash import killed_at
from test_mailroom_crash import contents, left
from test_plans import SEATS, fenced

from pbem.play import games

CLEO = "cleo@example.org"


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    (tmp_path / "place").mkdir()
    return Post(tmp_path / "place")


def toy(post: Post) -> Room:
    return dealt(post.matches, "toy", SEATS["toy"])


MAILS = {
    "an order that others' plans answer": [mail("build 1")],
    "a plan that is played at once": [
        mail(fenced("next: build 1; build 3", "always veto: allow until end"))
    ],
    "plans that wait, and an order that meets them": [
        mail(fenced("next: build 9"), sender=BEN, identity="<7@e>"),
        mail(fenced("build 9", "next: done")),
    ],
    "a plan that takes the place of another": [
        mail(fenced("next: build 8", "next: allow"), sender=BEN, identity="<7@e>")
    ],
}


@pytest.mark.parametrize("name", MAILS)
def test_killed_at_any_instant_everybody_gets_the_same_mails_once(
    post: Post, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_crash, "CALLS", (*test_crash.CALLS, "rename", "ftruncate", "mkdir"))
    room = toy(post)
    room.says("bob", fenced("next: build 1", "always veto: allow", "if ann plays build 3: veto"))
    room.says("cy", fenced("if anyone plays build 3: veto", "always veto: allow"))
    post.run()
    for raw in MAILS[name]:
        post.comes(raw)
    place, kept = post.matches.parent, post.matches.parent.with_name("kept")
    shutil.copytree(place, kept)
    post.run()
    wanted = contents(place)
    number = 0
    while True:
        shutil.rmtree(place)
        shutil.copytree(kept, place)
        if not killed_at(number, post.run):
            break
        post.run()
        found = contents(place)
        assert found.keys() == wanted.keys(), number
        for file in wanted:
            assert found[file] == wanted[file], (number, file)
        assert left(place) == [], number
        number += 1
    assert number > 30


def test_a_mail_that_takes_a_plan_back_is_no_mistake_when_it_is_read_again(post: Post) -> None:
    room = toy(post)
    room.says("bob", fenced("next: build 1", "always veto: allow"))
    raw = mail("withdraw 1", sender=BEN)
    room.mails(raw)  # the log of a crash: its answer was never written
    post.comes(raw)
    assert post.run() == ["withdrawn"]
    assert "We already have this mail. This still waits: always veto: allow" in post.only(BEN)
