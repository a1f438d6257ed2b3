"""A private key that somebody shows to others: said at once, to its owner and to the moderator, and
a new one makes the old one worth no more than it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import Post, text

from pbem.core import HIDDEN
from pbem.log.format import Log
from pbem.log.match import Replay


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    made = dealt(post.matches)
    post.run()
    return made


def key_of(room: Room, seat: str) -> str:
    """The newest key of a seat as its letter has it."""
    return room.key(seat).write().splitlines()[-1]


def flat(found: str) -> str:
    return " ".join(found.split())


TOLD = "shows the private key of Ana to others"
WAYS = {
    "as it stands": lambda key: key,
    "quoted and wrapped": lambda key: "\n".join(
        f"> {key[n : n + 50]}" for n in range(0, len(key), 50)
    ),
    "in capitals": lambda key: key.upper(),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("move", ["draw", "ALOA-ALOA"])
def test_a_post_that_shows_a_key_is_answered_so_and_the_moderator_told(
    room: Room, way: str, move: str
) -> None:
    pbem("seat", room.log, "--seat", "white", "--author", "ana")
    told = WAYS[way](key_of(room, "white"))
    for shown in (f"{move}\n", f"[quote]\n{told}\n[/quote]\n\n[move]\n{move}\n[/move]\n"):
        done = pbem("submit", room.log, "-", "--author", "ana", stdin=shown.encode())
        leaked = shown != f"{move}\n"
        assert (TOLD in flat(done.out)) == leaked, done.printed
        assert (f"pbem seat {room.log} --seat white --new-key" in flat(done.err)) == leaked
        pbem("rule", room.log, "takeback", "--to", 9, "--reason", "again", "--revealed")


@pytest.mark.parametrize(
    ("cc", "to_others"), [("", False), ("Cc: Ben <ben@example.org>, cleo@example.org\n", True)]
)
@pytest.mark.parametrize("said", ["draw", "ALOA-ALOA", "status"])
def test_a_mail_to_all_that_shows_a_key_is_answered_so(
    post: Post, room: Room, said: str, cc: str, to_others: bool
) -> None:
    whole = f"{said}\n\n> {key_of(room, 'white')}\n"
    post.comes(cc.encode() + mail(whole))
    old = set(post.answers())
    [verdict] = post.run()
    assert verdict == {"draw": "accepted", "ALOA-ALOA": "refused", "status": "asked"}[said]
    [told] = [m for name, m in post.answers().items() if name not in old and m["To"] == ANA]
    assert (TOLD in flat(text(told))) == to_others
    assert [("--new-key" in why) for why in post.aside()] == [True] * to_others
    assert all("--new-key" not in text(each) for each in post.to(BEN))


def test_the_copy_to_the_moderator_says_that_a_mail_shows_a_key(post: Post, room: Room) -> None:
    whole = f"draw\n\n> {key_of(room, 'white')}\n"
    post.comes(b"Cc: Ben <ben@example.org>\n" + mail(whole))
    assert post.run("--moderator", "mod@example.org") == ["accepted"]
    told = flat(post.only("mod@example.org"))
    assert "accepted for you: the private key of white stands where others can read it" in told
    assert key_of(room, "white") not in told


@pytest.mark.parametrize("beside", ["", "draw\n", "withdraw\n"])
def test_what_is_said_to_all_never_holds_a_key(post: Post, room: Room, beside: str) -> None:
    key = key_of(room, "white")
    post.comes(mail(f"{beside}say: this came to me, {key}\n"))
    with room.unchanged():
        assert post.run() == ["refused"]
    assert key.split()[-1] not in room.log.read_text()
    assert any("So it was not passed on" in flat(text(each)) for each in post.to(ANA))


def test_a_new_key_opens_all_and_the_old_one_only_what_it_could_open(
    post: Post, room: Room
) -> None:
    old = room.key("white")
    done = pbem("seat", room.log, "--seat", "white", "--new-key")
    assert done.code == 0, done.printed
    assert room.read().players["white"] == "Ana"
    room.says("white", "draw")
    log = Log.read(str(room.log))

    def known(keys: object) -> list[bool]:
        plies = Replay.of(log, keys).plies  # type: ignore[arg-type]
        own = [str(e) for ply, events in plies for e in events if getattr(e, "to", "") == "white"]
        return [HIDDEN not in each and "HIDDEN" not in each for each in own]

    assert all(known(room.key("white")))
    assert known(old)[:-1] == [True] * len(known(old)[:-1])
    assert known(old)[-1] is False
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    post.run()
    letter = next(text(each) for each in post.to(ANA) if "pbem-key" in text(each))
    assert re.search(r"pbem-key\S* m white 1", flat(letter))
    shown = f"[move]\ndraw\n[/move]\n{old.write()}"
    pbem("seat", room.log, "--seat", "white", "--author", "ana")
    done = pbem("submit", room.log, "-", "--author", "ana", stdin=shown.encode())
    assert TOLD not in flat(done.out), "who has replaced it need not be told again"
