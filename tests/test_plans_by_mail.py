"""Plans through the real mailroom: killed at any instant, taken back, and seen by nobody."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from kills import remains
from long import many, within
from postroom import Post, plies, text
from test_mailroom_crash import again, contents, left
from test_plans import SEATS, fenced, waiting

from pbem.desk.plans import triggers
from pbem.log.match import Replay
from pbem.log.rulings import Note, Ruled
from pbem.play import games
from pbem.play import judge as play

CLEO = "cleo@example.org"


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    (tmp_path / "place").mkdir()
    return Post(tmp_path / "place")


def toy(post: Post) -> Room:
    return dealt(post.matches, "toy", SEATS["toy"])


MAILS = {
    "an order that others' plans answer": [mail("build 1")],
    "a plan that is played at once, without a Message-ID": [
        mail(fenced("next: build 1; build 3", "always veto: allow until end"), identity=None)
    ],
    "plans that wait, without a Message-ID, and an order that meets them": [
        mail(fenced("next: build 9"), sender=BEN, identity=None),
        mail(fenced("build 9", "next: done")),
    ],
    "a plan that takes the place of another": [
        mail(fenced("next: build 8", "next: allow"), sender=BEN, identity="<7@e>")
    ],
}


@pytest.mark.parametrize("name", MAILS)
def test_killed_at_any_instant_everybody_gets_the_same_mails_once(post: Post, name: str) -> None:
    room = toy(post)
    room.says("bob", fenced("next: build 1", "always veto: allow", "if ann plays build 3: veto"))
    room.says("cy", fenced("if anyone plays build 3: veto", "always veto: allow"))
    post.run()
    for raw in MAILS[name]:
        post.comes(raw)
    place, kept = post.matches.parent, post.matches.parent.with_name("kept")
    shutil.copytree(place, kept)
    post.run()
    wanted = contents(place)
    numbers = []
    for number in remains(post.run, lambda: again(kept, place), place):
        post.run()
        found = contents(place)
        assert found.keys() == wanted.keys(), number
        for file in wanted:
            assert found[file] == wanted[file], (number, file)
        assert left(place) == [], number
        numbers.append(number)
    assert len(numbers) > many(3, 10)


@pytest.mark.parametrize("identity", ["<1@e>", None])
def test_a_mail_that_takes_a_plan_back_is_no_mistake_when_it_is_read_again(
    post: Post, identity: str | None
) -> None:
    room = toy(post)
    room.says("bob", fenced("next: build 1", "always veto: allow"))
    raw = mail("withdraw 1", sender=BEN, identity=identity)
    room.mails(raw)  # the log of a crash: its answer was never written
    post.comes(raw)
    assert post.run() == ["withdrawn"]
    assert "This still waits: always veto: allow" in post.only(BEN)


def test_plans_without_an_id_are_known_by_their_words_until_anything_has_happened(
    post: Post,
) -> None:
    room = toy(post)
    raw = mail(fenced("always veto: allow until end"), sender=BEN, identity=None)
    back = mail("withdraw", sender=BEN, identity=None)
    for _ in range(2):  # to send and to take back is meant each time
        assert room.mails(raw).verdict == "waiting"
        with room.unchanged():
            answer = room.mails(raw)
            assert answer.verdict == "duplicate"
            assert "To send them again, add #0" in answer.message
        assert room.mails(back).verdict == "withdrawn"
        assert waiting(room, "bob") == []
        with room.unchanged():
            assert room.mails(back).verdict == "withdrawn"
    assert room.mails(raw).verdict == "waiting"
    room.says("ann", "build 1")
    assert plies(room) == ["build 1", "allow"]
    room.says("bob", "withdraw")
    assert room.mails(raw).verdict == "waiting"
    assert waiting(room, "bob") == ["always veto: allow until end"]


# ------------------------------------------------------------------------------- rulings


def test_what_a_plan_played_and_was_taken_back_is_not_played_again_at_once(post: Post) -> None:
    room = toy(post)
    room.says("bob", fenced("always veto: allow until end"))
    room.says("ann", "build 1")
    assert plies(room)[-1] == "allow"
    assert pbem("rule", room.log, "takeback", "--to", 1, "--reason", "asked").code == 0
    assert pbem("rule", room.log, "note", "--text", "think again").code == 0
    assert plies(room) == ["build 1"]
    room.says("bob", fenced("if ann plays build 9: veto"))
    assert plies(room) == ["build 1"]
    room.says("bob", fenced("next: veto"))  # sent after it, and meant
    assert plies(room) == ["build 1", "veto"]
    room.says("ann", "build 4")
    assert plies(room)[-2:] == ["build 4", "allow"]


def test_after_a_takeback_plans_of_others_wait_for_a_move_too(post: Post) -> None:
    room = toy(post)
    room.says("bob", fenced("always veto: allow until end"))
    room.says("cy", fenced("always veto: allow until end"))
    room.says("ann", "build 1; build 2")
    assert pbem("rule", room.log, "takeback", "--to", 0, "--reason", "asked").code == 0
    assert plies(room) == []
    assert waiting(room, "bob") == ["always veto: allow until end"]
    room.says("ann", "build 3")
    assert plies(room) == ["build 3", "allow", "allow"]


def test_two_seats_of_one_person_have_each_their_own_plans(post: Post) -> None:
    room = toy(post)
    text = room.desk.read_text()
    room.desk.write_text(text.replace("cleo@example.org", BEN))
    post.run()
    post.comes(mail("build 1"))
    post.comes(mail(fenced("always veto: allow"), sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted", "refused"]
    for number, seat in (("3", "bob"), ("4", "cy")):
        lines = fenced(f"seat: {seat}", "always veto: allow")
        post.comes(mail(lines, sender=BEN, identity=f"<{number}@e>"))
        assert post.run() == ["accepted"]
        assert plies(room)[-1] == "allow"
        assert waiting(room, seat) == ["always veto: allow until end"]
    assert plies(room) == ["build 1", "allow", "allow"]


def test_a_seat_that_is_played_for_ended_reopened_or_left_keeps_no_plan_it_should_not(
    post: Post,
) -> None:
    room = toy(post)
    room.says("bob", fenced("always veto: allow until end"))
    room.says("cy", fenced("next: done", "always veto: veto until end"))
    room.says("ann", "build 1")
    assert plies(room) == ["build 1", "allow", "veto"]
    assert (
        pbem(
            "rule", room.log, "default", "--seat", "ann", "--move", "build 5", "--reason", "silent"
        ).code
        == 0
    )
    assert plies(room)[-3:] == ["build 5", "allow", "veto"]
    for ruling in (["end"], ["reopen"]):
        assert pbem("rule", room.log, *ruling, "--reason", "agreed").code == 0
    assert waiting(room, "bob") == waiting(room, "cy") == []
    room.says("ann", "build 9")
    assert plies(room)[-1] == "build 9"


def test_a_substitute_is_told_nothing_of_the_plans_of_who_played_before(post: Post) -> None:
    room = toy(post)
    post.run()
    post.comes(mail(fenced("always veto: veto until end", "next: build 9"), sender=CLEO))
    assert post.run() == ["waiting"]
    zoe = ("--seat", "cy", "--player", "Zoe <zoe@example.org>", "--reason", "Cleo is away")
    assert pbem("rule", room.log, "substitute", *zoe).code == 0
    assert post.run() == []
    [letter] = [" ".join(text(each).split()) for each in post.to("zoe@example.org", "news")]
    assert "What was sent early for your seat before this is void" in letter
    assert "veto" not in letter
    room.says("ann", "build 1")
    room.says("bob", "allow")
    assert plies(room) == ["build 1", "allow"], "nothing of Cleo's is played"
    post.comes(mail(fenced("next: build 8"), sender="zoe@example.org", identity="<z@e>"))
    post.run()
    answer = " ".join(text(post.to("zoe@example.org", "answer")[0]).split())
    assert "no. 1: next: build 8" in answer, "how many Cleo sent cannot be counted"


def test_whoever_gives_up_by_mail_is_told_what_waits_no_longer(post: Post) -> None:
    room = toy(post)
    post.run()
    post.comes(mail(fenced("always veto: veto until end"), sender=BEN, identity="<1@e>"))
    post.comes(mail(fenced("next: build 8"), sender=CLEO, identity="<2@e>"))
    assert post.run() == ["waiting", "waiting"]
    post.comes(mail("resign", sender=BEN, identity="<3@e>"))
    post.comes(mail("resign", sender=BEN, identity="<4@e>"))
    assert post.run() == ["asked", "vacated"]
    told = [" ".join(text(each).split()) for each in post.to(BEN)]
    assert sum("veto until end (no longer: Ben has resigned)" in each for each in told) == 1
    room.says("ann", "build 1")
    assert plies(room) == ["build 1"]
    assert waiting(room, "cy") == ["next: build 8"]


def test_when_one_gives_up_by_mail_the_plans_of_the_other_end_with_the_match(post: Post) -> None:
    room = dealt(post.matches)
    post.run()
    post.comes(mail(fenced("if Ana plays draw: draw"), sender=BEN, identity="<1@e>"))
    assert post.run() == ["waiting"]
    post.comes(mail("resign", identity="<2@e>"))
    post.comes(mail("resign", identity="<3@e>"))
    assert post.run() == ["asked", "resigned"]
    assert waiting(room, "black") == []
    assert pbem("rule", room.log, "reopen", "--reason", "agreed").code == 0
    room.says("white", "draw")
    assert plies(room) == ["draw"], "what has ended stays ended"


# ------------------------------------------------------------------------------- secrecy


def seen(room: Room, others: list[str]) -> dict[str, str]:
    """All that anybody but the moderator and the owner of the plans can see of a match."""
    folder = room.log.parent
    page, site = folder / "page.html", folder / "site"
    runs: list[list[object]] = [[name, room.log] for name in ("show", "log", "moves", "verify")]
    runs += [["show", room.log, "--format", "json"], ["status", folder], ["due", folder]]
    runs += [
        ["status", folder, "--json"],
        ["page", room.log, "-o", page],
        ["site", folder, "-o", site],
    ]
    for seat in others:
        runs += [[name, room.log, "--as", seat] for name in ("show", "log", "moves")]
        runs += [["letter", room.log, "--seat", seat]]
    shown = {}
    for run in runs:
        done = pbem(*run)
        assert done.code == 0, done.printed
        shown[" ".join(map(str, run))] = done.printed
    for file in (page, room.log, *site.rglob("*.*")):
        shown[str(file)] = file.read_bytes().decode("latin-1")
    here = str(folder)
    return {key.replace(here, ""): each.replace(here, "") for key, each in shown.items()}


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_a_random_match_looks_the_same_with_plans_that_wait_or_end(
    tmp_path: Path, game: str
) -> None:
    with_plans, without = (
        dealt(tmp_path / name, game, SEATS[game])
        for name in ("with", "less")
        if (tmp_path / name).mkdir() is None
    )
    chooser, (owner, *others), sent = random.Random(7), SEATS[game], 0
    for step in range(30):
        now = with_plans.read()
        seat = now.awaited[0]
        texts = sorted(play.legal_texts(now.game, now.state, seat).texts)
        move = chooser.choice(texts)
        if seat != owner:
            instead = chooser.choice(texts)
            lines = [f"if {seat} plays {instead}: {move}", f"if anyone plays {instead}: {move}"]
            if instead != move and with_plans.says(owner, fenced(*lines)).verdict == "waiting":
                sent += 1
        for room in (with_plans, without):
            answer = room.says(seat, f"#{now.position.ply} {move}")
            assert (answer.verdict, answer.played) == ("accepted", ())
        if step % many(30, 10) == many(22, 9):
            assert seen(with_plans, others) == seen(without, others)
        if seat != owner and step % 3:
            with_plans.says(owner, "withdraw")
    assert sent >= 3


# ------------------------------------------------------------------------------- cost


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*", "draw", True),
        ("take *", "take bari", True),
        ("take *", "take ", False),
        ("* bari", "take bari", True),
        ("t*k*i", "take bari", True),
        ("t*e*e", "take", False),
        ("a*b*b", "acbb", False),
        ("a*b*b", "acbcb", True),
        ("***", "draw", True),
        ("*", "", False),
        ("a*" * 1900 + "b", "a" * 4000, False),
        ("* " * 1900 + "b", " a" * 2000, False),
        ("draw", "draw", True),
    ],
)
def test_no_pattern_takes_long(pattern: str, text: str, fits: bool) -> None:
    with within(1):
        assert triggers.is_like(text, pattern) is fits


def test_for_many_plans_the_match_is_gone_through_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = dealt(tmp_path)
    lines = [f"if white plays take JOJO *: draw until #{n}" for n in range(900, 960)]
    room.says("black", fenced(*lines))
    replays = []
    replayed = SimpleNamespace(of=lambda *a: replays.append(a) or Replay.of(*a))
    monkeypatch.setattr("pbem.desk.plans.run.Replay", replayed)
    assert len(room.says("white", "draw").not_played) == 60
    assert len(replays) == 1


# ------------------------------------------------------------------------ one person, two seats


@pytest.fixture
def double(post: Post) -> Room:
    """Ben plays bob and cy, and for both two plans wait; ann is to move."""
    room = toy(post)
    assert pbem("seat", room.log, "--seat", "cy", "--address", BEN).code == 0
    for seat in ("bob", "cy"):
        plan = fenced(f"seat: {seat}", "next: build 1", "always veto: allow")
        assert room.mails(mail(plan, sender=BEN, identity=f"<{seat}@e>")).verdict == "waiting"
    return room


@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("seat: bob\nwithdraw 1", {"bob": 1, "cy": 2}),
        ("seat: cy\nwithdraw 1", {"bob": 2, "cy": 1}),
        ("seat: cy\nwithdraw", {"bob": 2, "cy": 0}),
        ("withdraw 1", None),
        ("withdraw", None),
        ("seat: ann\nwithdraw 1", None),
    ],
)
@pytest.mark.parametrize("way", ["desk", "submit"])
def test_a_withdrawal_takes_back_the_plans_of_the_seat_it_names_or_asks(
    post: Post, double: Room, way: str, order: str, left: dict[str, int] | None
) -> None:
    raw = mail(fenced(order), sender=BEN, identity="<w@e>")
    before = double.desk.read_bytes()
    if way == "desk":
        post.comes(raw)
        [verdict] = post.run()
        [told] = [text(each) for each in post.to(BEN) if "withdraw" in text(each)][:1] or [""]
    else:
        answer = double.mails(raw)
        verdict, told = answer.verdict, answer.message
    if left is None:
        assert double.desk.read_bytes() == before
        assert verdict in ("refused", "sender")
        assert "ann" in order or "You play bob and cy" in " ".join(told.split())
    else:
        assert verdict == "withdrawn"
        assert {seat: len(waiting(double, seat)) for seat in ("bob", "cy")} == left


# ------------------------------------------------------------------------ what is said beside them


@pytest.mark.parametrize("planned", [True, False])
@pytest.mark.parametrize(
    ("lines", "verdict", "said"),
    [
        (("withdraw", "say: hello"), "withdrawn", True),
        (("say: hello", "withdraw 1"), "withdrawn", True),
        (("plans", "say: hello"), "waiting", True),
        (("[say]", "hello", "[/say]", "plans", "status"), "waiting", True),
        (("withdraw 7", "say: hello"), "refused", False),
    ],
)
def test_what_is_said_beside_plans_is_passed_on_or_said_not_to_be(
    post: Post, planned: bool, lines: tuple[str, ...], verdict: str, said: bool
) -> None:
    room = dealt(post.matches)
    post.run()
    if planned:
        post.comes(mail(fenced("if Ana plays draw: draw"), sender=BEN, identity="<0@e>"))
        post.run()
    elif "withdraw 1" in lines:
        verdict, said = "refused", False
    old = set(post.answers())
    post.comes(mail("\n".join(lines), sender=BEN, identity="<1@e>"))
    assert post.run() == [verdict]
    notes = [e.ruling for e in room.read().log.entries if isinstance(e, Ruled)]
    assert notes == [Note("hello")] * said
    [told] = [m for name, m in post.answers().items() if name not in old and m["To"] == BEN]
    answer = " ".join(text(told).split())
    assert ("Ben says: hello" in answer) == said
    assert ("What you say to others was not passed on" in answer) != said
    assert "Your move was accepted" not in answer
    assert ("say" in " ".join(text(m) for m in post.to(ANA))) >= said
    assert waiting(room, "black") == ["if white plays draw: draw"] * (
        planned and verdict != "withdrawn"
    )
    post.comes(mail("\n".join(lines), sender=BEN, identity="<1@e>"))
    with room.unchanged():
        assert post.run() == ["seen"]
