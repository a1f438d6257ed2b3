"""Plans in matches that differ in hidden cards only: nobody else's bytes tell one from the other,
and to ask the desk about a plan is to ask it about what one knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem, scripted
from postroom import Post
from test_canary import FIRST, WHITE_DIFFERS, everything_public
from test_plans import SEATS, fenced, plies

from pbem.desk import append
from pbem.play import judge as play

COURSE: list[tuple[str, list[str], str]] = [
    # who writes, what, and what comes of it; white's hand is another in the second world
    (ANA, ["DUDA-BARI; draw"], "accepted"),
    # White holds KAHU and LALE in one world, COCO and ELAI in the other: ALOA in neither.
    (ANA, ["always turn: ALOA-HUNA or draw until end", "if Ben plays take *: pass"], "waiting"),
    (BEN, ["next: take HUNA or draw", "always turn: pass until #90"], "accepted"),
    (BEN, ["if Ana plays KAHU-COCO: pass"], "waiting"),
    (BEN, ["plans"], "waiting"),
    (ANA, ["withdraw"], "withdrawn"),
    (BEN, ["always turn: GOLA-COCO or pass until #11"], "refused"),
    (BEN, ["if Ana plays discard COCO: pass"], "refused"),
    (BEN, ["withdraw 9"], "refused"),
]
ASKED = [
    # What black may ask of what white holds: as an order, as a plan, and as alternatives.
    ["next: pass"],
    ["if white plays KAHU-COCO: pass"],
    ["if white plays discard *: draw or pass"],
    ["if white plays take ELAI: pass"],
    ["KAHU-COCO or ALOA-BARI or pass"],
    ["ALOA-BARI or draw", "next: KAHU-COCO or LALE-IFFI or draw"],
    ["always turn: ELAI-FAAA or IFFI-LALE or draw"],
]


def world(folder: Path, cards: list[str]) -> tuple[dict[str, bytes], list[list[str]], Room]:
    """All mails that are not for white, what is shown after some of them, and the match."""
    folder.mkdir()
    post = Post(folder)
    dealer = scripted(cards)
    shown: list[list[str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "dealer_of", lambda now, table: dealer)
        room = dealt(post.matches, dealer=dealer, dealer_name="scripted", discard="free")
        for number, (sender, lines, verdict) in enumerate(COURSE):
            post.comes(mail(fenced(*lines), sender=sender, identity=f"<{number}@e>"))
            assert post.run() == [verdict], lines
            if number not in (2, len(COURSE) - 1):
                continue
            shown.append([_anonymous(each) for each in everything_public(room)])
            shown[-1] += [pbem(c, room.log, "--as", "black").out for c in ("show", "log", "moves")]
            shown[-1].append(pbem("plans", room.log, "--seat", "black").out)
            shown[-1] += [_anonymous(pbem(c, post.matches).printed) for c in ("status", "due")]
            for lines in ASKED if number > 2 else ():
                for key in (["--key", room.key_file("black")], []):
                    order = room.write("order.txt", fenced(*lines))
                    asked = ("check", room.log, order, "--from", "black", *key)
                    shown[-1] += [
                        _anonymous(pbem(*asked, *form).printed) for form in ([], ["--json"])
                    ]
    others = {k: m.as_bytes() for k, m in post.answers().items() if m["To"] != ANA}
    assert len(others) > 6
    return others, shown, room


def _anonymous(text: str) -> str:
    return re.sub(r"/\S*/world-[ab]/", "", text)


def test_no_plan_and_no_question_about_one_tells_worlds_apart(tmp_path: Path) -> None:
    mails, shown, room = world(tmp_path / "world-a", FIRST)
    others, seen, other = world(tmp_path / "world-b", WHITE_DIFFERS)
    hands = [each.read().game.view(each.read().state)["hands"] for each in (room, other)]
    assert hands[0]["white"] != hands[1]["white"]
    assert hands[0]["black"] == hands[1]["black"]
    assert shown == seen
    assert mails == others
    for line, its_twin in zip(
        room.log.read_text().splitlines(), other.log.read_text().splitlines(), strict=True
    ):
        assert len(line) == len(its_twin)


# ------------------------------------------------------------------- asked at the same time


def table(folder: Path, red: str, *others: str) -> tuple[Post, Room]:
    """A match in which all are asked at once whether they announce, and have standing answers."""
    folder.mkdir()
    post = Post(folder)
    chosen = {"announce": True, "announce_order": "simultaneous"}
    room = dealt(post.matches, "kanaloa-piatnik", SEATS["kanaloa-piatnik"], **chosen)
    post.run()
    senders = (ANA, BEN, "cleo@example.org")
    for number, (sender, answer) in enumerate(zip(senders, (red, *others), strict=False)):
        plan = fenced(f"always announce: {answer} until end")
        post.comes(mail(plan, sender=sender, identity=f"<{number}@e>"))
    return post, room


def test_all_who_are_asked_at_once_are_answered_for_in_one_run_and_in_the_order_of_the_table(
    tmp_path: Path,
) -> None:
    post, room = table(tmp_path / "a", "no announce", "no announce", "no announce")
    assert post.run() == ["accepted"] * 3
    assert [seat for seat, _ in plies(room)] == ["red", "green", "blue"]
    while len(announced := _announced(room)) == 3:
        now = room.read()
        [seat] = now.awaited
        move = min(map(now.game.notate, play.legal_moves(now.game, now.state, seat)))
        assert room.says(seat, f"#{now.position.ply} {move}").verdict == "accepted"
    first, second, third = announced[3:]
    assert third == first + 2 == second + 1, "the move that ended the trick brings all answers"
    assert [plies(room)[number][0] for number in announced[3:]] == ["red", "green", "blue"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def _announced(room: Room) -> list[int]:
    return [number for number, (_, move) in enumerate(plies(room)) if move == "announce ?"]


def test_how_a_plan_answers_shows_nowhere_until_all_have_answered(tmp_path: Path) -> None:
    seen = []
    for name, red in (("world-a", "announce"), ("world-b", "no announce")):
        post, room = table(tmp_path / name, red, "no announce")
        assert post.run() == ["accepted"] * 2
        assert room.read().awaited == ("blue",)
        mails = {k: m.as_bytes() for k, m in post.answers().items() if m["To"] != ANA}
        log = re.sub(r"sealed:0:[\w-]+|(?<=chain: )\S+|hmac:\S+", "", room.log.read_text())
        lengths = [len(line) for line in room.log.read_text().splitlines()]
        seen.append((mails, log, lengths, [_anonymous(each) for each in everything_public(room)]))
    assert seen[0] == seen[1]
