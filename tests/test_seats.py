"""Addresses and accounts are changed by a command, and what a moderator noted beside them stays."""

from __future__ import annotations

import random
from typing import Any

import pytest
from commands import Room, pbem

from pbem.desk.file import Desk
from pbem.files import yamlio

NOTED = """\
# Mine.
match: m   # the second
addresses:
  # Ana travels in May.
  white: [ana@example.org]

  # Ben, since March:
  black:
  - ben@example.org
  - b@example.net   # at work
# What waits.
held:
- seat: white
  # not yet
  moves: [draw]
policy: from
# The end.
"""


def test_text_that_stays_the_same_is_not_touched() -> None:
    assert yamlio.amend(NOTED, yamlio.parse(NOTED, "")) == NOTED


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        ({"policy": "signed"}, "policy: from\n", "policy: signed\n"),
        ({"server": "mx"}, "# The end.\n", "# The end.\nserver: mx\n"),
        (
            {"addresses": {"white": ["a@x"], "black": ["ben@example.org", "b@example.net"]}},
            "  white: [ana@example.org]\n",
            '  white: ["a@x"]\n',
        ),
        (
            {"addresses": {"white": ["ana@example.org"], "black": ["b@y"]}},
            "  black:\n  - ben@example.org\n  - b@example.net   # at work\n",
            '  black: ["b@y"]\n',
        ),
        (
            {"addresses": {"white": ["ana@example.org"]}},
            "  black:\n  - ben@example.org\n  - b@example.net   # at work\n",
            "",
        ),
        ({"held": []}, "held:\n- seat: white\n  # not yet\n  moves: [draw]\n", "held: []\n"),
    ],
)
def test_one_entry_changes_and_the_rest_stays(change: dict[str, Any], old: str, new: str) -> None:
    assert old in NOTED
    assert yamlio.amend(NOTED, {**yamlio.parse(NOTED, ""), **change}) == NOTED.replace(old, new)


def some(rng: random.Random, depth: int) -> Any:
    """A plain value, such as files of ours hold."""
    kinds = [None, True, 7, "a word", "12", "x: y # z", "", "two\nlines"]
    if depth == 0 or rng.random() < 0.4:
        return rng.choice(kinds)
    if rng.random() < 0.4:
        return [some(rng, depth - 1) for _ in range(rng.randrange(3))]
    return {rng.choice("abcdef"): some(rng, depth - 1) for _ in range(rng.randrange(4))}


def mapping(rng: random.Random) -> dict[str, Any]:
    return {key: some(rng, 3) for key in rng.sample("pqrst", rng.randrange(1, 6))}


def test_whatever_is_amended_reads_as_what_was_meant() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        old, new = mapping(rng), mapping(rng)
        lines = yamlio.emit(old).splitlines()
        plain = [n for n, line in enumerate(lines) if not line.startswith((" ", "-"))]
        for n in reversed(plain):
            lines.insert(n, "# a comment")
        text = "\n".join(lines) + "\n"

        amended = yamlio.amend(text, new)
        assert yamlio.parse(amended, "") == new, seed
        assert amended.count("# a comment") >= len(plain), seed


# ---------------------------------------------------------------------------- the command


def test_an_address_is_changed_and_comments_survive(room: Room) -> None:
    text = room.desk.read_text()
    room.desk.write_text(text.replace("addresses:", "# Ana is away in May.\naddresses:"))
    before = room.log.read_bytes()
    done = pbem("seat", room.log, "--seat", "white", "--address", "Ana@New.example")

    assert (done.code, done.out) == (0, "white: Ana\n  address ana@new.example\n")
    assert "\n# Ana is away in May.\n" in room.desk.read_text()
    assert Desk.read(str(room.log)).addresses == {
        "white": ("ana@new.example",),
        "black": ("ben@example.org",),
    }
    assert room.log.read_bytes() == before
    assert room.desk.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("comes", ["Cara <cara@example.org>", "Anna <ana@example.org>"])
def test_how_letters_are_wanted_goes_with_whoever_leaves(room: Room, comes: str) -> None:
    wanted = ("--zone", "Asia/Tokyo", "--no-pictures", "--language", "hu")
    for seat in ("white", "black"):
        pbem("seat", room.log, "--seat", seat, *wanted)
    who = ("--seat", "white", "--player", comes)
    assert pbem("rule", room.log, "substitute", *who, "--reason", "no time").code == 0
    desk = Desk.read(str(room.log))
    gone = "white 1" if comes.startswith("Cara") else "white"  # it comes back with its player
    assert desk.zones.keys() == desk.languages.keys() == desk.pictures.keys() == {gone, "black"}


def test_accounts_are_changed_and_addresses_stay(room: Room) -> None:
    done = pbem(
        "seat", room.log, "--seat", "black", "--author", "ben_b", "--author", "bb", "--json"
    )

    assert done.json["authors"] == ["ben_b", "bb"]
    assert done.json["addresses"] == ["ben@example.org"]
    assert Desk.read(str(room.log)).authors == {"black": ("ben_b", "bb")}


def test_comments_survive_whatever_a_move_changes(room: Room) -> None:
    room.desk.write_text(room.desk.read_text() + "# Ben pays the coffee.\n")
    pbem("seat", room.log, "--seat", "black", "--author", "ben_b")
    room.says("white", "draw")

    assert room.desk.read_text().endswith("authors: {black: [ben_b]}\n")
    assert "# Ben pays the coffee.\n" in room.desk.read_text()


def test_a_lost_key_is_sent_again(room: Room) -> None:
    written = pbem("letter", room.log, "--seat", "white", "--key").out

    assert room.key("white").write().strip() in written
    assert "FOR ANA ALONE" in written


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--seat", "red"], "no seat 'red'"),
        (["--seat", "white", "--address", "Ana"], "'Ana' is no mail address"),
        (["--seat", "white", "--author", "a\tb"], "is no name of a forum account"),
    ],
)
def test_what_cannot_be_is_refused(room: Room, arguments: list[str], told: str) -> None:
    with room.unchanged():
        done = pbem("seat", room.log, *arguments)
    assert done.code == 2
    assert told in done.err
