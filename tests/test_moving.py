"""Moving house is safe: what belongs to a folder of matches comes along, or its lack is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import ANA, BEN, Done, pbem
from postroom import Post

SEATS = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")


@pytest.fixture
def post(tmp_path: Path) -> Post:
    """A desk with a match that was begun as a moderator begins one, and a player who wants German."""
    post = Post(tmp_path)
    for name in ("k1", "k2"):
        begun = pbem("new", "kahuna", *SEATS, "--match", name, "--dir", post.matches)
        assert begun.code == 0, begun.printed
    pbem("seat", post.matches / "k1", "--seat", "black", "--language", "de")
    return post


def moved(post: Post, to: Path) -> Post:
    """Copy the logs and the desk files, as a star does, which leaves hidden folders behind."""
    to.mkdir()
    for file in post.matches.glob("*.yaml"):
        shutil.copy(file, to)
    post.matches = to
    return post


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("how", ["--once", "--dry"])
def test_a_run_without_the_daybook_its_matches_had_says_what_is_missing_and_does_nothing(
    post: Post, tmp_path: Path, told: bool, how: str
) -> None:
    if told:
        post.run()
        assert len(post.answers()) == 4
    sent = post.answers()
    moved(post, tmp_path / "moved")
    done = post.desk(how)
    assert done.code == 66
    for word in ("daybook.jsonl", "2 matches, such as k1", ".mailroom", "--anew"):
        assert word in done.err
    assert post.answers() == sent
    assert post.desk("--anew").code == 0
    assert post.desk(how).code == 0  # it was asked once, and has begun anew
    assert post.answers() == sent


def test_a_match_that_an_earlier_version_began_is_known_once_it_has_been_told_of(
    post: Post, tmp_path: Path
) -> None:
    for file in post.matches.glob("*.desk.yaml"):
        file.write_text(file.read_text().replace("daybook: true\n", ""))
    post.run()
    moved(post, tmp_path / "moved")
    assert post.desk().code == 66


def test_a_match_whose_files_were_renamed_or_came_with_their_daybook_goes_on(
    post: Post, tmp_path: Path
) -> None:
    post.run()
    for ending in (".pbem.yaml", ".desk.yaml"):
        (post.matches / f"k1{ending}").rename(post.matches / f"k9{ending}")
    shutil.copytree(post.matches, tmp_path / "moved")
    post.matches = tmp_path / "moved"
    sent = post.answers()
    assert post.desk().code == 0
    assert post.answers() == sent
