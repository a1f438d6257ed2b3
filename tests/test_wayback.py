"""Random matches in which all is taken back and restored, clocks are set and options changed, and
from whose positions others begin. WAYBACK=100 plays a hundred of each game instead of two."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from commands import SECRET, Room, at, dealt, pbem
from long import many
from postroom import Post, text
from test_position import SEATS, apart_from_hands, played_on

from pbem.core import HIDDEN
from pbem.desk import begin, give
from pbem.desk.bench import Bench
from pbem.desk.form import Given
from pbem.desk.seats import Player
from pbem.files.timestamp import now as clock
from pbem.log import audit
from pbem.log.match import Replay
from pbem.log.rulings import Option, Restore, Takeback
from pbem.log.timing import Clock
from pbem.play import options
from pbem.report import compose, summary

MATCHES = int(os.environ.get("WAYBACK", many(1, 2)))
PEOPLE = ("ana@example.org", "ben@example.org", "cleo@example.org")


class Walk:
    """A random match, and what has been entered in it, each thing with a word of its own."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.rng = random.Random(f"{game} {seed}")
        self.post = Post(folder)
        self.room = dealt(self.post.matches, game, SEATS[game])
        for seat in SEATS[game]:  # to paint takes longer than all the rest
            pbem("seat", self.room.log, "--seat", seat, "--no-pictures")
        self.post.run()
        self.words: list[str] = []

    def give(self, kind: Any, **asked: Any) -> Bench:
        self.words.append(f"word{len(self.words)}end")
        return give.give(str(self.room.log), kind, at(clock), asked, reason=self.words[-1])

    def standing(self) -> list[Any]:
        """Where the match stands for everybody; but for how long somebody has time."""
        now = self.room.read()
        readers = [now, *(now.seen_by(seat) for seat in (None, *now.setup.seats))]
        found = [json.loads(json.dumps(summary.plain(each))) for each in readers]
        return [{key: each[key] for key in each if key != "clock"} for each in found]

    def back(self) -> int:
        """A ply to go back to, not far from the end."""
        numbers = [0, *(ply.number for ply, _ in self.room.read().plies)]
        return self.rng.choice(numbers[-12:-1])

    def takeback(self) -> None:
        self.give(Takeback, to=self.back(), revealed=True)

    def restore(self) -> None:
        was = self.standing()
        depth = self.rng.choice((1, 1, 2))
        for _ in range(depth):
            self.takeback()
            if self.rng.random() < 0.3:
                self.post.run()
        for _ in range(depth):
            self.give(Restore)
        assert self.standing() == was

    def clock(self) -> None:
        self.give(Clock, turn=self.rng.randint(3, 9), zone="Europe/Berlin", yes=True)

    def option(self) -> None:
        now = self.room.read()
        name = self.rng.choice(now.game.IN_PLAY)  # type: ignore[attr-defined]
        about = options.declared(now.game)["options"][name]
        values = [options.typed(each) for each in about.get("words", [True, False])]
        value = self.rng.choice([v for v in values if v != options.typed(now.setup.options[name])])
        self.give(Option, option=f"{name}={value}", agreed=now.setup.seats)

    def elsewhere(self) -> None:
        """Another match begins from how this one stands, and goes on for a while."""
        now = self.room.read(self.rng.choice(("moderator", None)))
        shown = json.loads(json.dumps(summary.plain(now)))
        folder = (
            self.post.matches.parent / f"elsewhere-{len(list(self.post.matches.parent.iterdir()))}"
        )
        folder.mkdir()
        opened, desk = begin.begin(
            begin.Terms(
                now.game.NAME,
                {seat: Player(seat, ()) for seat in now.setup.seats},
                name="m",
                folder=str(folder),
                options=shown["options"],
                position=Given("x", shown["view"], None, {}),
            ),
            secret=SECRET,
            clock=clock,
        )
        first = now.game.view(opened.first)
        assert apart_from_hands(first) == apart_from_hands(shown["view"])
        assert HIDDEN not in json.dumps(first)
        begin.write(opened, desk, compose.rehearse)
        room = Room(Path(opened.log.path))
        played_on(room, self.rng, 5)
        whole(room)

    def moves(self) -> None:
        played_on(self.room, self.rng, self.rng.randint(1, 8))

    def run(self) -> None:
        self.post.run()


def whole(room: Room) -> None:
    """The log verifies, with the key and without, and replays for everybody."""
    now = room.read()
    for keys in (now.keyring, None):
        assert not audit.audit(str(room.log), keys).problems
    for seat in (None, *now.setup.seats):
        Replay.read(str(room.log), now.seen_by(seat).keyring)


DOING = ("moves", "moves", "moves", "restore", "restore", "takeback", "clock", "option", "run")


@pytest.mark.parametrize("seed", range(MATCHES))
@pytest.mark.parametrize("game", SEATS)
def test_whatever_is_taken_back_restored_or_changed_the_log_verifies_and_all_are_told_once(
    game: str, seed: int, tmp_path: Path
) -> None:
    walk = Walk(tmp_path, game, seed)
    for _ in range(14):
        if walk.room.read().outcome is not None:
            break
        getattr(walk, walk.rng.choice(DOING))()
    if walk.room.read().outcome is None:
        walk.elsewhere()
    walk.run()
    whole(walk.room)
    for person in PEOPLE[: len(SEATS[game])]:
        told = " ".join(text(mail) for mail in walk.post.to(person))
        once = re.findall(r"word\d+end", told)
        assert sorted(once) == sorted(walk.words), person
