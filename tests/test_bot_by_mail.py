"""A seat that is the bot's: in a mailbox, at the command line, and computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import BEN, Room, mail, pbem
from postroom import Post

from pbem.log.entries import Ply
from pbem.play import judge


def begun(folder: Path, game: str = "kahuna", **seats: str) -> Room:
    """A match of these players; there is a letter for each that is a person."""
    typed = [word for seat, who in seats.items() for word in ("--seat", f"{seat}={who}")]
    done = pbem("new", game, *typed, "--dir", folder, "--json")
    assert done.code == 0, done.printed
    people = [seat for seat, who in seats.items() if "<" in who or "bot" not in who.lower()]
    assert [*done.json["letters"]] == people
    return Room(Path(done.json["log"]))


def played(room: Room, seat: str) -> list[str]:
    """The moves of a seat."""
    return [
        each.move for each in room.read().log.entries if isinstance(each, Ply) and each.seat == seat
    ]


def legal(room: Room) -> list[Any]:
    """What whoever is asked may do."""
    match = room.read()
    return judge.legal_moves(match.game, match.state, match.awaited[0])


@pytest.mark.parametrize(("typed", "called"), [("bot 3", "bot/2 3"), ("bot/1 3", "bot/1 3")])
def test_the_bot_plays_as_soon_as_it_is_asked_and_the_answer_to_a_mail_tells_it(
    tmp_path: Path, typed: str, called: str
) -> None:
    post = Post(tmp_path)
    room = begun(post.matches, white=typed, black=f"Ben <{BEN}>")
    first = played(room, "white")
    assert room.read().awaited == ("black",)
    assert first

    post.comes(mail("draw", sender=BEN))
    assert post.run() == ["accepted"]
    assert room.read().awaited == ("black",)
    assert len(played(room, "white")) > len(first)
    told = post.only(BEN)
    assert called in told
    assert not [name for name in post.answers() if "white" in name]
    assert post.run() == []

    done = pbem("verify", room.log, "--key", room.desk, "--bot")
    assert done.code == 0, done.printed
    assert pbem("verify", room.log, "--bot").code == 65


def test_nobody_is_the_bot_by_being_called_so(tmp_path: Path) -> None:
    room = begun(tmp_path, white="bot/1 3 <white@example.org>", black="Ben")
    room.says("white", "draw")
    assert room.read().awaited == ("black",)
    assert played(room, "white") == ["draw"]
    done = pbem("verify", room.log, "--key", room.desk, "--bot")
    assert done.code == 65
    assert "ply 10: here the bot of white plays" in done.out


@pytest.mark.parametrize(
    ("typed", "called"), [("Bot", "bot/2 200"), ("BOT 3", "bot/2 3"), ("Bot/1 3", "bot/1 3")]
)
def test_the_bot_is_called_so_in_capitals_too(tmp_path: Path, typed: str, called: str) -> None:
    assert begun(tmp_path, white=typed, black="Ben").read().players["white"] == called


@pytest.mark.parametrize("called", ["bot -5", "bot 100000", "bot 0", "bot/3"])
def test_a_bot_that_there_is_not_is_nobody(tmp_path: Path, called: str) -> None:
    done = pbem(
        "new", "kahuna", "--seat", f"white={called}", "--seat", "black=Ben", "--dir", tmp_path
    )
    assert (done.code, f"bot 1000, not '{called}'" in done.err) == (2, True), done
    assert [*tmp_path.iterdir()] == []


def test_a_vacant_seat_may_become_the_bots(tmp_path: Path) -> None:
    room = begun(tmp_path, "kanaloa-piatnik", a="Ana", b="Ben", c="bot 2")
    assert room.read().awaited == ("a",)
    assert pbem("rule", room.log, "resign", "--seat", "a", "--reason", "ill").code == 0
    seated = ("substitute", "--seat", "a", "--player", "bot 2", "--reason", "all agree")
    done = pbem("rule", room.log, *seated)
    assert done.code == 0, done.printed
    assert room.read().awaited == ("b",)
    assert played(room, "a")

    room.says("b", room.read().game.notate(next(iter(legal(room)))))
    assert played(room, "c")
