"""A match of each game in a forum, by a moderator's script: one command and one paste a post, and a
letter where one is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import pbem

from pbem.desk.file import read_keys
from pbem.log.match import Replay
from pbem.play import judge as play

MOST_POSTS = 14
TABLES = {
    "kahuna": (("white=Ana", "black=Ben"), ()),
    "kanaloa-bambus": (("red=Ana", "yellow=Ben", "green=Cara", "blue=Dan"), ("-o", "setup=basic")),
    "kanaloa-piatnik": (("ana=Ana", "ben=Ben", "cara=Cara"), ()),
}


class Thread:
    """What was pasted into a thread, and who was sent what."""

    def __init__(self, folder: Path, game: str) -> None:
        seats, options = TABLES[game]
        self.log, self.letters = folder / "m.pbem.yaml", folder / "letters"
        players = [part for each in seats for part in ("--seat", each)]
        names = [each.split("=") for each in seats]
        authors = [p for seat, name in names for p in ("--author", f"{seat}={name.lower()}_w")]
        clock = ("--turn", "3", "--zone", "Europe/Berlin")
        begun = pbem(
            *("new", game, "--match", "m", "--dir", folder, "--short", *clock),
            *(*players, *authors, *options, "--format", "phpbb", "--letters", self.letters),
        )
        assert begun.code == 0, begun.printed
        self.posts = [begun.out]
        self.sent = {seat: 1 for seat, _ in names}

    def now(self, seat: str | None = None) -> Replay:
        desk = str(self.log).replace(".pbem.", ".desk.")
        known = Replay.read(str(self.log), read_keys(desk))
        return known.seen_by(seat) if seat else known

    def hand_in(self, seat: str, move: str) -> str:
        """A player answers the last post; the moderator hands that in and pastes what comes."""
        before = self.now(seat)
        account = f"{before.players[seat].lower()}_w"
        fence = re.findall(r"\[move\] (#\d+ · \w+|#\d+ \w+)", self.posts[-1])[-1]
        post = f"[quote=cleo]{self.posts[-1]}[/quote]\nMy turn!\n[move] {fence}\n{move}\n[/move]"
        number = ("--post-number", len(self.posts))
        done = pbem(
            *("submit", self.log, "--author", account, *number, "--format", "phpbb"),
            *("--letters", self.letters),
            stdin=post,
        )
        assert done.code == 0, (move, done.printed)
        self.posts.append(done.out)
        for each in self.sent:
            told = f"-{each}.txt" in done.err
            assert told == self.sees_more(each, len(before.log.entries)), done.err
            self.sent[each] += told
        assert ("nothing is new" in done.err) == (done.err.count(".txt") < len(self.sent))
        return done.err

    def sees_more(self, seat: str, known: int) -> bool:
        """Has chance shown this seat something that nobody else has seen?"""
        both = zip(self.now(seat).plies, self.now().seen_by(None).plies, strict=True)
        return any(
            own != public and ply.nth >= known and ply.seat == "chance"
            for (ply, own), (_, public) in both
        )


@pytest.mark.parametrize("game", TABLES)
def test_a_match_in_a_forum_takes_one_command_and_one_paste_a_post(
    tmp_path: Path, game: str
) -> None:
    thread = Thread(tmp_path, game)
    for nth in range(MOST_POSTS):
        now = thread.now()
        seat = now.awaited[0]
        moves = play.legal_texts(now.game, now.state, seat).texts
        drawn = [move for move in moves if move == "draw"]
        thread.hand_in(seat, drawn[0] if drawn and nth % 3 else moves[nth % len(moves)])
        post = thread.posts[-1]
        assert post.count("\n") <= 15, post
        assert "20:00 CE" in post
        assert f"#{thread.now().position.ply} " in post
        for each in thread.now().awaited:
            assert thread.now().players[each] in post
    files = len(list(thread.letters.iterdir()))
    assert files == sum(thread.sent.values())
    assert (files > len(thread.sent)) == (game == "kahuna")
    assert pbem("verify", thread.log).code == 0
    whole = pbem("post", thread.log, "--whole", "--format", "text").out
    assert "MATCH STANDS" in whole
