"""A player whose name must go is shown by another, in what was told and will be."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import BEN, Room, dealt, pbem
from postroom import Post, text

NEW = "Player 1"


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


def shown(post: Post, room: Room, web: Path) -> str:
    """All that readers are shown of a match, from its first ply."""
    site = pbem("site", post.matches, "-o", web)
    assert site.code == 0, site.printed
    pages = "".join(file.read_text() for file in web.rglob("*.html"))
    posts = "".join(
        pbem("post", room.log, "--since", "0", "--format", each).out for each in ("text", "phpbb")
    )
    assert posts
    return posts + pages


def test_posts_pages_and_the_site_show_the_new_name_alone(
    post: Post, room: Room, tmp_path: Path
) -> None:
    room.says("white", "draw")
    assert "Ana" in shown(post, room, tmp_path / "before")
    position = room.read().position
    done = pbem("rule", room.log, "rename", "--seat", "white", "--name", NEW)
    assert done.code == 0, done.printed
    assert "Ana" not in done.out
    told = shown(post, room, tmp_path / "after")
    assert NEW in told
    assert "Ana" not in told
    assert room.read().position == position
    assert "Ana" in room.log.read_text()  # the chained header keeps it, and the docs say so
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    post.run()
    pbem("rule", room.log, "note", "--text", "hello")
    room.says("black", "draw")
    post.run()
    assert all("Ana" not in text(mail) for mail in post.to(BEN, "news"))


def test_a_player_who_has_left_is_renamed_by_epoch(post: Post, room: Room, tmp_path: Path) -> None:
    room.says("white", "draw")
    pbem("rule", room.log, "substitute", "--seat", "white", "--player", "Cara", "--reason", "x")
    pbem("rule", room.log, "rename", "--seat", "white", "--name", NEW, "--epoch", "0")
    told = shown(post, room, tmp_path / "web")
    assert "Ana" not in told
    assert "Cara" in told
    assert room.read().players["white"] == "Cara"
    pbem("rule", room.log, "rename", "--seat", "white", "--name", "Player 3")
    told = shown(post, room, tmp_path / "web")
    assert "Cara" not in told
    assert "Player 3" in told
    refused = pbem("rule", room.log, "rename", "--seat", "white", "--name", "x", "--epoch", "2")
    assert refused.code != 0
    assert "epoch 2" in refused.err


def test_a_name_may_go_when_all_is_over(room: Room) -> None:
    pbem("rule", room.log, "end", "--reason", "late")
    assert pbem("reveal", room.log).code == 0
    done = pbem("rule", room.log, "rename", "--seat", "black", "--name", "Nobody")
    assert done.code == 0, done.printed
    assert "Ben" not in done.out
    assert pbem("verify", room.log, "--key", room.desk).code == 0
