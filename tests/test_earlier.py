"""A mailroom that an earlier version was killed in is taken over: nobody is told a thing twice, and
nothing is forgotten.

`archive/mailroom` was left by pbem 98d20a4, killed when it had played a draw in `broken`, had
written its answer and had not noted the mail. In `plain` two notes of the moderator had been
entered since the players were told, one of them with `--told`.
"""

from __future__ import annotations

import os
import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from commands import ANA, BEN, pbem
from postroom import EVE, Post, noted, text

from pbem.mailroom import earlier

MODERATOR = ("--moderator", "mod@example.org")
LEFT = Path(__file__).parent / "archive" / "mailroom"
SOON = "2026-11-22T20:00:00Z"


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """The folder as it was left, an hour later."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(SOON).timestamp())))
    room = Post(tmp_path)
    shutil.copytree(LEFT, tmp_path, dirs_exist_ok=True)
    return room


def test_everybody_is_told_each_thing_once(post: Post) -> None:
    already = {path: path.read_bytes() for path in post.outbox.rglob("*.eml")}
    told = post.told(*MODERATOR)
    assert [(each["verdict"], each["match"]) for each in told] == [
        ("accepted", "broken"),
        ("refused", "plain"),
    ]
    assert {path: path.read_bytes() for path in already} == already
    new = {p.name: p for p in post.outbox.rglob("*.eml") if p not in already}
    assert sorted(name for name in new if not name.endswith("refusal.eml")) == [
        "broken.0009-0011.5897593a.black.news.eml",
        "plain.0013-0014.95ab9e53.black.news.eml",
        "plain.0013-0014.95ab9e53.observer-bf9ce96a.report.eml",
        "plain.0013-0014.95ab9e53.white.news.eml",
    ]
    for name, path in new.items():
        said = text(post.answers()[str(path.relative_to(post.outbox))])
        assert "Told by hand" not in said
        assert ("Nobody has been told of this" in said) == name.startswith("plain.0013")
    assert {m["To"] for m in post.to(ANA) + post.to(BEN) + post.to(EVE)} == {ANA, BEN, EVE}


def test_the_second_run_has_nothing_to_say(post: Post) -> None:
    post.run(*MODERATOR)
    after = post.answers().keys()
    assert (post.run(*MODERATOR), post.answers().keys()) == ([], after)


def test_what_lay_aside_keeps_its_number_and_its_reason(post: Post) -> None:
    before = pbem("aside", post.matches).out
    assert re.findall(r"(?m)^ +(\d+) ", before) == ["4", "2"]
    post.run(*MODERATOR)
    assert before in pbem("aside", post.matches).out


def test_what_waited_for_a_file_waits_no_longer(post: Post) -> None:
    assert _waiting(post, "broken") == ["2"]
    post.run(*MODERATOR)
    assert _waiting(post, "broken") == []


def _waiting(post: Post, match: str) -> list[str]:
    """How many mails of a match wait, as its row of the status says."""
    shown = pbem("status", post.matches).out
    return re.findall(rf"(?m)^{match} .*\)  +(\d+) ", shown)


def test_the_old_files_are_put_away_as_they_were(post: Post) -> None:
    post.run(*MODERATOR)
    own = post.matches / ".mailroom"
    for name in (earlier.JOURNAL, earlier.TOLD, earlier.RUNS, earlier.MODERATOR):
        kept = own / earlier.PUT_AWAY / name
        assert kept.read_bytes() == (LEFT / "matches" / ".mailroom" / name).read_bytes()
        assert not (own / name).exists()


@pytest.mark.parametrize("nth", range(6))
def test_whoever_is_killed_at_any_step_takes_over_the_same(
    nth: int, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nth replacement of a file does not come to pass, as if the power had failed there."""
    really, left = os.replace, nth

    def replace(*paths: str) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        really(*paths)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        post.desk(*MODERATOR)
    assert not left
    post.run(*MODERATOR)
    assert len([fact for fact in noted(post.matches) if fact["match"] == "broken"]) == 1
    assert len(noted(post.matches)) == 6
    assert len({name for name in post.answers() if ".news." in name}) == 10


def test_a_damaged_line_is_named_and_nothing_changes(post: Post) -> None:
    told = post.matches / ".mailroom" / earlier.TOLD
    told.write_text("nonsense\n" + told.read_text())
    before = {path: path.read_bytes() for path in post.outbox.rglob("*") if path.is_file()}
    done = post.desk(*MODERATOR)
    assert done.code != 0
    assert "'nonsense' is no line that an earlier version wrote" in done.err
    assert {path: path.read_bytes() for path in before} == before
    assert told.exists()
