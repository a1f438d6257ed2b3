"""Kanaloa (Piatnik): who holds which of two cards that are still in hand cannot be told."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import SECRET, Room, clock, pbem, scripted

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.append import append_ply
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.log.match import Replay
from pbem.play import judge as play
from pbem.report import compose

SEATS = ("ana", "ben", "cara")
ROUTE = [f"M{n:02}" for n in (1, 2, 4, 3, 5, 6, 8, 7, 9, 10)]
DEALT = 3 * 8
TRICKS = 3

Plies = list[tuple[str, str]]


def course(seed: int) -> tuple[list[str], Plies]:
    """The cards dealt, and what the seats do until some tricks have been taken."""
    rng = random.Random(seed)
    deck = [
        *(f"{c} {n}" for c in ("blue", "red", "green", "turquoise") for n in range(1, 13)),
        *["kanaloa"] * 3,
        *["octopus"] * 2,
    ]
    rng.shuffle(deck)
    cards = deck[:DEALT]
    now, _ = begun(Path("nowhere"), cards)
    plies: Plies = []
    while sum(now.game.view(now.state)["tricks"].values()) < TRICKS:
        seat = now.awaited[0]
        move = rng.choice(play.legal_moves(now.game, now.state, seat))
        plies.append((seat, now.game.notate(move)))
        now = moved(now, *plies[-1])
    return cards, plies


def begun(folder: Path, cards: list[str]) -> tuple[Replay, Desk]:
    """A match with these cards dealt, eight to each seat in turn."""
    players = {seat: Player(seat.capitalize()) for seat in SEATS}
    return begin.begin(
        begin.Terms(
            "kanaloa-piatnik",
            players,
            name="m",
            folder=str(folder),
            options={"route": ROUTE},
            dealer="scripted",
        ),
        secret=SECRET,
        clock=clock,
        dealer=scripted(cards),
    )


def moved(now: Replay, seat: str, text: str) -> Replay:
    """The match one ply on."""
    move = play.resolve(now.game, now.state, seat, now.game.parse(text))
    step = play.judge(now.game, now.state, seat, move)
    table = Desk("", "m", SECRET)
    return append_ply(now, table, step, clock, "")


def swaps(cards: list[str], plies: Plies) -> Iterator[list[str]]:
    """The same deal with two cards of one colour, neither of them played yet, changed over."""
    played = {text for seat, text in plies if seat != CHANCE}
    for a, b in itertools.combinations(range(DEALT), 2):
        one, other = cards[a], cards[b]
        alike = one.split()[0] == other.split()[0] and one != other
        if a // 8 != b // 8 and alike and not {one, other} & played:
            swapped = list(cards)
            swapped[a], swapped[b] = other, one
            yield swapped


@pytest.mark.parametrize("seed", range(6))
def test_a_swap_of_hidden_cards_changes_seals_and_chains_only(seed: int, tmp_path: Path) -> None:
    cards, plies = course(seed)
    other = next(swaps(cards, plies))
    texts, shown = [], []
    for name, deal in (("a", cards), ("b", other)):
        (tmp_path / name).mkdir()
        now, table = begun(tmp_path / name, deal)
        for seat, text in plies:
            now = moved(now, seat, text)
        begin.write(now, table)
        room = Room(Path(now.log.path))
        assert pbem("verify", room.log, "--key", room.desk).code == 0
        texts.append(room.log.read_text())
        shown.append(
            [
                compose.text(compose.public(now, 0), "text"),
                *(pbem(command, room.log).printed for command in ("show", "moves", "log")),
                json.dumps(pbem("show", room.log, "--json").json),
                pbem("show", room.log, "--format", "svg").out,
            ]
        )
    assert shown[0] == shown[1]
    assert texts[0] != texts[1]
    secrets = re.compile(r"(sealed:0:|sha256:)[\w-]+")
    assert secrets.sub(r"\1", texts[0]) == secrets.sub(r"\1", texts[1])
    assert [len(line) for line in texts[0].splitlines()] == [
        len(line) for line in texts[1].splitlines()
    ]
