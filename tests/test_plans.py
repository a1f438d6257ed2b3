"""What waits: its language, when it is played, who is told, and what nobody can see of it."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from commands import BEN, SECRET, Room, dealt, mail, pbem, scripted
from hypothesis import given, settings
from hypothesis import strategies as st
from kills import remains
from postroom import Post, text
from test_crash import again

from pbem import intake
from pbem.core import Refused, Unreadable
from pbem.desk import append
from pbem.desk.file import Desk
from pbem.desk.plans import parse
from pbem.desk.plans.model import Plan, Waiting
from pbem.desk.plans.run import waiting_now
from pbem.intake import plan
from pbem.log import seal
from pbem.play import games
from pbem.play import judge as play
from pbem.problem import Usage

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "plans.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```plan (\S+) (\S+)\n(.*?)^```", PAGE, re.M | re.S)
SEATS = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": ("red", "green", "blue"),
    "kanaloa-piatnik": ("red", "green", "blue"),
    "toy": ("ann", "bob", "cy"),
}
TODAY = "2026-09-21T14:13:20Z"
# Three cards to white, three to black, three face up; then what is drawn.
CARDS = ["DUDA", "KAHU", "LALE", "ALOA", "GOLA", "IFFI", "FAAA", "HUNA", "JOJO"]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    return dealt(tmp_path, "toy", SEATS["toy"])


def fenced(*lines: str) -> str:
    return "\n".join(["[move]", *lines, "[/move]"])


def plies(room: Room) -> list[tuple[str, str]]:
    return [(ply.seat, ply.move) for ply, _ in room.read().plies if ply.seat != "chance"]


def waiting(room: Room, seat: str) -> list[str]:
    found = waiting_now(room.read(), Desk.read(str(room.log))).plans
    return [each.text for each in found if each.seat == seat and not each.over]


def told(room: Room, seat: str) -> list[tuple[int, str]]:
    """The plans of a seat that are over or were skipped, and why."""
    found = waiting_now(room.read(), Desk.read(str(room.log))).plans
    return [(each.number, each.why) for each in found if each.seat == seat and each.why]


def understood(room: Room, seat: str, line: str) -> str:
    return parse.filed(room.read(), seat, line, TODAY).text


# ---------------------------------------------------------------------------- the language


@pytest.mark.parametrize(("game", "seat", "lines"), EXAMPLES)
def test_every_example_of_the_page_is_taken(
    tmp_path: Path, game: str, seat: str, lines: str
) -> None:
    dealer = scripted([*CARDS, *"KAHU COCO BARI".split()])
    given = {"dealer": dealer, "dealer_name": "scripted"} if game == "kahuna" else {}
    room = dealt(tmp_path, game, SEATS[game], **given)
    for line in lines.splitlines():
        if plan.is_plan(line):
            once = understood(room, seat, line)
            assert understood(room, seat, once) == once
    answer = room.says(seat, fenced(*lines.splitlines()))
    assert answer.code == 0, answer.message
    assert answer.verdict == ("accepted" if answer.played or answer.steps else "waiting")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("NEXT:  draw |pass", "next: draw or pass"),
        ("nächster Zug: ziehe ODER passe", "next: draw or pass"),
        ("if anyone plays  TAKE * : Draw", "if anyone plays TAKE *: draw"),
        ("wenn Ben spielt nimm Jojo: passe", "if black plays take JOJO: pass"),
        ("when ben plays bari-duda: ab; draw", "if black plays BARI-DUDA: ALOA-BARI; draw"),
        ("always tu: draw", "always turn: draw until round"),
        ("immer turn: draw bis Ende", "always turn: draw until end"),
        ("always turn: draw until #40", "always turn: draw until #40"),
        ("next: draw until 2099-01-01", "next: draw until 2099-01-01"),
    ],
)
def test_a_plan_is_written_in_one_way(room: Room, said: str, written: str) -> None:
    assert understood(room, "white", said) == written
    assert understood(room, "white", written) == written


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("always rob: draw", "Nobody is asked for 'rob' in Kahuna"),
        ("always turns: draw", "Did you mean turn?"),
        ("allways turn: draw", "Did you mean always?"),
        ("always turn nonsense: draw", "No turn is ever about 'nonsense'"),
        ("always turn #3: draw", "No turn is ever about '#3'"),
        ("always turn blac: draw", "Did you mean black?"),
        ("always turn: draw; pass", "A standing answer is one move; this is 2"),
        ("always handicap: draw", "'draw' never answers handicap"),
        ("next: draw else pass", "A plan has no 'else'"),
        ("next: if Ben plays draw: pass", "not another plan"),
        ("next: next: draw", "not another plan"),
        ("next: deal BARI", "Chance plays 'deal BARI', not you"),
        ("next: hop", "'hop' is neither an island nor a move of Kahuna"),
        ("if Ana plays draw: pass", "not for your own"),
        ("if Eve plays draw: pass", "'Eve' plays no seat of this match"),
        ("if Ben plays take JOJO or draw: pass", "waits for one move, not for several. Write a"),
        ("withdraw 1, 2", "takes nothing back. Write `withdraw` to take back all"),
        ("if Ben plays draw", "lacks"),
        ("if Ben plays discard COCO: pass", "You never see 'COCO' of 'discard COCO'"),
        ("if Ben plays deal BARI: pass", "Chance plays 'deal BARI', not a player"),
        ("if Ben plays hop *: pass", "No move is ever written like 'hop *'"),
        ("if Ben plays take KANE *: pass", "No move is ever written like"),
        ("always turn: draw until #3", "#3 is past; the match is at #9"),
        ("always turn: draw until 2020-02-02", "2020-02-02 is past"),
        ("always turn: draw until 2026-02-30", "Nothing ends at '2026-02-30'"),
        ("always turn: draw until trick", "Kahuna has no such part: trick"),
        ("always turn: draw until later", "Nothing ends at 'later'"),
        (f"next: draw{' or draw' * 600}", "at most 4000 characters"),
    ],
)
def test_what_can_never_be_read_or_played_is_refused_in_a_sentence(
    room: Room, line: str, why: str
) -> None:
    with room.unchanged():
        done = pbem("submit", room.log, "--from", "white", stdin=fenced("always turn: draw", line))
        assert done.code == 1
        assert why in " ".join(done.out.split())


def test_an_abbreviation_that_fits_two_questions_is_asked_about(tmp_path: Path) -> None:
    room = dealt(tmp_path, "kanaloa-bambus", SEATS["kanaloa-bambus"])
    with pytest.raises(Refused, match="could mean turn or turn-end"):
        parse.filed(room.read(), "red", "always tur: pass", TODAY)


def test_a_colon_in_a_move_is_no_end_of_the_condition(tmp_path: Path) -> None:
    room = dealt(tmp_path, "kanaloa-bambus", SEATS["kanaloa-bambus"])
    line = "if Ben plays sacrifice pele: pele4 kane2: take kane5"
    written = "if green plays sacrifice pele: kane2 pele4: take kane5"
    assert understood(room, "red", line) == written


def test_a_seat_has_at_most_two_hundred_plans(room: Room) -> None:
    lines = [f"always turn: draw until #{n}" for n in range(1000, 1190)]
    assert room.says("black", fenced(*lines)).code == 0
    with room.unchanged():
        more = [f"always turn: draw until #{n}" for n in range(2000, 2020)]
        answer = room.says("black", fenced(*more))
        assert "210 plans would wait for you; at most 200 do" in answer.message


def test_a_plan_outside_a_fence_is_asked_about_and_one_in_quoted_text_is_not_there(
    room: Room,
) -> None:
    with room.unchanged():
        done = pbem("submit", room.log, "--from", "white", stdin="draw\nalways turn: draw")
        assert done.code == 1
        assert "plans are read inside a fence only" in " ".join(done.out.split())
        for text in ("next: draw", "danach: draw\n\nThanks!", "next: build 1 or draw"):
            for seat in ("white", "black"):
                done = pbem("submit", room.log, "--from", seat, stdin=text)
                assert done.code == 1, text
                assert "as plans are written" in " ".join(done.out.split())
    room.mails(mail("draw\n\nOn Monday Ben wrote:\n> [move]\n> always turn: pass\n> [/move]\n"))
    assert waiting(room, "white") == []


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            "next: if always Ana Ben anyone plays take * : ; or | until #40 round BARI draw"
            " turn ? else withdraw 2026-12-24 ((( é \t".split(" ")
        ),
        max_size=12,
    ).map(" ".join)
    | st.text(max_size=80)
)
def test_whatever_is_written_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    room = Room(_kahuna(tmp_path_factory))
    try:
        once = understood(room, "white", line)
    except Refused:
        return
    assert understood(room, "white", once) == once
    assert list(plan.read(once))


_KEPT: dict[str, Path] = {}


def _kahuna(factory: pytest.TempPathFactory) -> Path:
    if "log" not in _KEPT:
        _KEPT["log"] = dealt(factory.mktemp("fuzz")).log
    return _KEPT["log"]


def test_a_line_that_is_no_plan_lacks_something() -> None:
    with pytest.raises(Unreadable, match="lacks a part"):
        list(plan.read("draw"))


# ---------------------------------------------------------------------------- alternatives


def test_the_first_alternative_that_can_be_played_as_a_whole_is_played(room: Room) -> None:
    room.says(
        "white", "BARI-DUDA; draw or DUDA-BARI; hop or pass" if False else "BARI-COCO or pass"
    )
    assert plies(room) == [("white", "pass")]


def test_where_no_alternative_can_be_played_all_reasons_are_given(room: Room) -> None:
    with room.unchanged():
        answer = room.says("white", "BARI-COCO or GOLA-COCO")
        assert answer.code == 1
        assert answer.message.startswith("None of these can be played: ")


def test_an_alternative_that_could_mean_several_moves_is_not_passed_over(toy: Room) -> None:
    room = dealt(toy.log.parent, "kanaloa-bambus", SEATS["kanaloa-bambus"], name="b")
    seat = room.read().awaited[0]
    with room.unchanged():
        answer = room.says(seat, "fish A-E or fish A-B white")
        assert "'fish A-E' could mean fish A-E colour or fish A-E white" in answer.message


def test_a_check_says_what_would_wait_and_changes_nothing(room: Room) -> None:
    with room.unchanged():
        done = pbem("check", room.log, "--from", "white", stdin=fenced("draw", "next: pass"))
        assert done.code == 0, done.printed
        assert "would wait: next: pass" in done.out
        only = pbem("check", room.log, "--from", "black", stdin=fenced("next: pass"))
        assert only.out.splitlines()[1:] == ["would wait: next: pass"]


def test_a_check_does_not_say_which_alternative_rests_on_hidden_cards(room: Room) -> None:
    said = fenced("GOLA-COCO or ALOA-COCO")
    done = pbem("check", room.log, "--from", "white", stdin=said)
    assert done.code == 0, done.printed
    assert "GOLA" not in done.out
    assert "as far as you can know" in done.out
    assert pbem("check", room.log, "--from", "white", "--json", stdin=said).json["understood"] == []


# ---------------------------------------------------------------------- when it is played


def test_interrupts_are_answered_in_the_run_that_asks_them(toy: Room) -> None:
    for seat in ("cy", "bob"):
        assert toy.says(seat, fenced("always veto: allow until end")).verdict == "waiting"
    answer = toy.says("ann", "build 1; build 2; done")
    assert plies(toy) == [
        ("ann", "build 1"),
        ("bob", "allow"),
        ("cy", "allow"),
        ("ann", "build 2"),
        ("bob", "allow"),
        ("cy", "allow"),
        ("ann", "done"),
    ]
    assert answer.held == ()
    assert waiting(toy, "bob") == ["always veto: allow until end"]


@pytest.mark.parametrize(("whose", "answered"), [("ann", True), ("bob", False)])
def test_a_standing_answer_may_be_for_the_turn_of_one_player(
    toy: Room, whose: str, *, answered: bool
) -> None:
    toy.says("cy", fenced(f"always veto {whose}: allow"))
    toy.says("ann", "build 1")
    toy.says("bob", "allow")
    assert (("cy", "allow") in plies(toy)) == answered


def test_what_was_played_before_a_condition_was_sent_does_not_end_it(room: Room) -> None:
    room.says("white", "draw")
    room.says("black", fenced("if white plays take *: pass"))
    assert waiting(room, "black") == ["if white plays take *: pass"]


def test_a_plan_that_can_be_played_when_it_comes_is_played_at_once(toy: Room) -> None:
    answer = toy.says("ann", fenced("next: done"))
    assert answer.verdict == "accepted"
    assert [each.plan.number for each in answer.played] == [1]
    assert plies(toy) == [("ann", "done")]
    assert waiting(toy, "ann") == []


def test_of_the_plans_of_a_seat_once_comes_before_always_and_the_newest_first(toy: Room) -> None:
    toy.says("bob", fenced("next: build 5", "always turn: done", "always turn: build 6"))
    toy.says("ann", "done")
    assert plies(toy)[1:] == [("bob", "build 5")]
    toy.says("ann", "allow")
    toy.says("cy", "allow")
    assert plies(toy)[-1] == ("bob", "build 6")


def test_a_condition_is_over_once_something_else_has_been_played_instead(toy: Room) -> None:
    toy.says("bob", fenced("if ann plays build 7: veto", "if ann plays build 3: veto"))
    toy.says("ann", "build 3")
    assert plies(toy)[-1] == ("bob", "veto")
    assert waiting(toy, "bob") == ["if ann plays build 7: veto"]
    toy.says("ann", "build 5")
    assert told(toy, "bob") == [(1, "Ana played build 5 instead")]


def test_what_cannot_be_played_is_over_and_a_standing_answer_stays(toy: Room) -> None:
    toy.says("bob", fenced("next: build 1", "always turn: build 1 until end"))
    toy.says("cy", fenced("always veto: allow"))
    toy.says("ann", "build 1")
    toy.says("bob", "allow")
    answer = toy.says("ann", "done")
    assert [(each.seat, each.text) for each in answer.not_played] == [
        ("bob", "next: build 1"),
        ("bob", "always turn: build 1 until end"),
    ]
    assert waiting(toy, "bob") == ["always turn: build 1 until end"]
    again = toy.says("bob", fenced("next: build 4"))
    assert plies(toy)[-2:] == [("ann", "done"), ("bob", "build 4")]
    assert again.not_played == ()  # it has been told once


def test_a_newer_order_for_the_next_turn_takes_the_place_of_the_older(toy: Room) -> None:
    toy.says("bob", fenced("next: build 1", "next: allow"))
    answer = toy.says("bob", fenced("next: build 2"))
    assert [each.text for each in answer.not_played] == ["next: build 1"]
    assert waiting(toy, "bob") == ["next: allow", "next: build 2"]


def test_an_order_for_the_next_turn_is_not_used_up_by_another_phase_of_the_same_moves(
    toy: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    module: Any = games.game("toy")
    asks, turn = module.pending, (module.Build, module.Done)

    def pending(state: Any) -> Any:
        kind = "dusk" if len(state.built) % 2 else "turn"
        return tuple(d._replace(kind=kind) if d.kind == "turn" else d for d in asks(state))

    kinds = {"turn": turn, "dusk": turn, "veto": (module.Reply,)}
    monkeypatch.setattr(module, "KINDS", kinds, raising=False)
    monkeypatch.setattr(module, "pending", pending)
    toy.says("bob", fenced("always veto: allow"))
    toy.says("cy", fenced("always veto: allow"))
    toy.says("ann", fenced("build 1", "next: build 4"))
    assert plies(toy)[-1] == ("cy", "allow"), "ann is asked what to build at dusk"
    assert waiting(toy, "ann") == ["next: build 4"]
    toy.says("ann", fenced("next: build 6"))
    built = [each for each in plies(toy) if each[0] == "ann"]
    assert built == [("ann", f"build {n}") for n in (1, 6, 4)]


@pytest.mark.parametrize(
    ("ruling", "left"),
    [
        (("note", "--text", "hello"), ["next: done"]),
        (("takeback", "--to", "0"), []),
        (("takeback", "--to", "1"), ["next: done"]),
        (("substitute", "--seat", "cy", "--player", "Cleo"), []),
        (("resign", "--seat", "bob"), ["next: done"]),
    ],
    ids=lambda value: "-".join(value[:3:2]) if value and isinstance(value, tuple) else "",
)
def test_rulings_put_plans_aside_and_say_so(
    toy: Room, ruling: tuple[str, ...], left: object
) -> None:
    toy.says("ann", "build 1")
    toy.says("cy", fenced("next: done"))
    toy.says("bob", "allow")
    assert pbem("rule", toy.log, *ruling, "--reason", "agreed").code == 0
    assert waiting(toy, "cy") == left
    assert bool(told(toy, "cy")) == (not left)


def test_nobody_reads_what_their_predecessor_has_planned(toy: Room, tmp_path: Path) -> None:
    toy.says("ann", "build 1")
    toy.says("cy", fenced("next: done"))
    who = ("--seat", "cy", "--player", "Dan <dan@example.org>", "--letters", tmp_path / "letters")
    assert pbem("rule", toy.log, "substitute", *who, "--reason", "agreed").code == 0
    for letter in (tmp_path / "letters").iterdir():
        assert "next: done" not in letter.read_text()
    assert "next: done" not in pbem("plans", toy.log, "--seat", "cy").out
    assert waiting_now(toy.read(), Desk.read(str(toy.log))).plans == ()


def test_a_plan_ends_with_what_it_was_to_last_until(
    toy: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.says("cy", fenced("always veto: allow until #3", "next: done until 2026-09-22"))
    toy.says("ann", "build 1")
    toy.says("bob", "allow")
    assert plies(toy)[-1] == ("cy", "allow")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + 2 * 86400))
    toy.says("ann", "done")
    assert [why for _, why in told(toy, "cy")] == [
        "It was to last until #3",
        "It was to last until 2026-09-22",
    ]


@pytest.mark.parametrize(
    ("zone", "moment", "past"),
    [
        # Auckland is 12 hours ahead in September, Honolulu 10 behind.
        ("Pacific/Auckland", "2026-09-22T11:59:00Z", False),
        ("Pacific/Auckland", "2026-09-22T12:01:00Z", True),
        ("Pacific/Honolulu", "2026-09-23T09:59:00Z", False),
        ("Pacific/Honolulu", "2026-09-23T10:01:00Z", True),
        ("", "2026-09-22T23:59:00Z", False),
        ("", "2026-09-23T00:01:00Z", True),
    ],
)
def test_the_last_day_of_a_plan_ends_with_that_day_in_the_zone_of_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str, moment: str, past: bool
) -> None:
    timed: list[str] = ["--turn", "9", "--zone", zone] if zone else []
    seats = ("--seat", "white=Ana", "--seat", "black=Ben", "-o", "starter=white")
    assert pbem("new", "kahuna", *seats, *timed, "--match", "m", "--dir", tmp_path).code == 0
    room = Room(tmp_path / "m.pbem.yaml")
    early = fenced("next: draw until 2026-09-22")
    assert room.says("black", early).verdict == "waiting"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(moment).timestamp())))
    late = room.says("black", fenced("if white plays pass: pass until 2026-09-22"))
    assert (late.verdict == "refused") == past
    room.says("white", "draw")
    assert plies(room) == [("white", "draw"), *([] if past else [("black", "draw")])]


def test_plans_are_listed_and_taken_back_one_by_one_or_all(toy: Room) -> None:
    toy.says("cy", fenced("always veto: allow", "next: done"))
    listed = pbem("plans", toy.log, "--seat", "cy").out.splitlines()
    assert listed == ["1: always veto: allow until end", "2: next: done"]
    assert pbem("withdraw", toy.log, "--seat", "cy", 1).out == (
        "withdrawn: always veto: allow until end\n"
    )
    with toy.unchanged():
        assert toy.says("cy", "withdraw 9").code == 1
        assert toy.says("cy", "plans").verdict == "waiting"
    assert toy.says("cy", "withdraw").verdict == "withdrawn"
    assert pbem("plans", toy.log, "--seat", "cy", "--json").json["plans"] == []
    toy.says("cy", fenced("always veto: allow"))
    assert pbem("plans", toy.log, "--seat", "cy").out.startswith("3: ")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("withdraw", []),
        ("Withdraw all.", []),
        ("withdraw everything", []),
        ("zurückziehen alles", []),
        ("withdraw no. 1", ["next: done"]),
        ("withdraw #2", ["always veto: allow until end"]),
        ("withdraw 1\nwithdraw 2", []),
    ],
)
def test_plans_are_taken_back_as_people_would_say_it(toy: Room, said: str, left: object) -> None:
    toy.says("cy", fenced("always veto: allow", "next: done"))
    assert toy.says("cy", fenced(said)).verdict == "withdrawn"
    assert waiting(toy, "cy") == left


@pytest.mark.parametrize("said", ["withdraw", "Withdraw all.", "ziehe zurück", "withdraw\nplans"])
def test_below_moves_in_a_fence_it_may_be_those_that_are_taken_back(toy: Room, said: str) -> None:
    seat = toy.read().awaited[0]
    [move, *_] = play.legal_texts(toy.read().game, toy.read().state, seat).texts
    with toy.unchanged():
        assert "send the one you mean" in str(toy.says(seat, fenced(move, said)).message)
    assert toy.says(seat, fenced("withdraw", move)).verdict == "accepted"


def test_a_check_may_ask_for_the_list_and_take_back(toy: Room) -> None:
    for lines in (["plans"], ["withdraw"], ["plans", "next: done"]):
        done = pbem("check", toy.log, "--from", "cy", stdin=fenced(*lines))
        assert (done.code, done.out.splitlines()[0]) == (0, "legal")


def test_the_same_mail_brings_its_plans_once(toy: Room) -> None:
    raw = mail(fenced("always veto: allow"), sender=f"Ben <{BEN}>")
    assert toy.mails(raw).verdict == "waiting"
    pbem("withdraw", toy.log, "--seat", "bob")
    with toy.unchanged():
        assert toy.mails(raw).verdict == "duplicate"


def test_any_number_of_alternatives_that_cannot_be_played_can_be_told(tmp_path: Path) -> None:
    dealer = scripted(CARDS)
    room = dealt(tmp_path, dealer=dealer, dealer_name="scripted")
    answer = room.says("white", " or ".join(["ALOA-BARI", "take BARI"] * 140))
    assert answer.code == 1
    assert answer.message.count("ALOA") == 1  # a reason is told once
    assert answer.message.startswith("None of these can be played: ")


def test_nobody_s_plan_keeps_another_from_moving(tmp_path: Path) -> None:
    """The most that a seat can have waiting, none of which can be played."""
    dealer = scripted(CARDS)
    room = dealt(tmp_path, dealer=dealer, dealer_name="scripted")
    each = " or ".join(["DUDA-BARI", "take BARI"] * 25)
    assert room.says("black", fenced(f"next: {each} or draw")).code == 1  # one too many
    for numbers in range(100, 200), range(200, 300):
        plans = (f"if white plays *: {each} until #{n}" for n in numbers)
        assert room.says("black", fenced(*plans)).verdict == "waiting"
    assert room.says("white", "pass").verdict == "accepted"
    assert len(told(room, "black")) == 200


def test_no_plan_makes_the_desk_file_unreadable(tmp_path: Path) -> None:
    room = dealt(tmp_path)
    each = "; ".join(["hi"] * 12)  # nine letters each, once written in full
    with room.unchanged():
        answer = room.says("black", fenced(f"next: {' or '.join([each] * 50)}"))
    assert "Written in full a plan has at most 4000 characters" in str(answer.reason)
    read, desk = room.read(), Desk.read(str(room.log))
    kept = replace(desk, waits=(Waiting(read.log.chain, (Plan("black", (("x" * 6000,),), 1),)),))
    with room.unchanged(), pytest.raises(Usage, match="what waits cannot be kept"):
        append.save(read, read, desk, kept, lambda *_: None)


# ---------------------------------------------------------------------------- the laws


def stripped(room: Room) -> str:
    """The log without what may differ: times, and the digits of the hashes of messages."""
    shown = re.sub(r"(?<=at: |in: )\S+", "", room.log.read_text())
    return re.sub(r"(?<=source: )\S+", lambda m: re.sub("[0-9a-f]", "0", m[0]), shown)


def test_a_match_with_plans_has_the_log_of_the_same_moves_by_hand(
    toy: Room, tmp_path: Path
) -> None:
    toy.says("bob", fenced("always veto: allow", "next: build 4; done"))
    toy.says("cy", fenced("if anyone plays build 2: veto", "always veto: allow"))
    toy.says("ann", "build 1; build 2; done")
    hand = tmp_path / "hand"
    hand.mkdir()
    other = dealt(hand, "toy", SEATS["toy"])
    for n, (seat, move) in enumerate(plies(toy)):
        assert other.says(seat, f"#{n} {move}").verdict == "accepted"
    assert len(plies(toy)) >= 8
    assert stripped(toy) == stripped(other)
    assert pbem("verify", toy.log, "--key", toy.desk).code == 0


def test_withdrawing_before_it_is_played_is_never_having_sent_it(toy: Room, tmp_path: Path) -> None:
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    other = dealt(other_folder, "toy", SEATS["toy"])
    toy.says("bob", fenced("always veto: veto", "next: done"))
    toy.says("bob", "withdraw")
    for each in (toy, other):
        each.says("ann", "build 1; build 2")
        each.says("bob", "allow")
    assert toy.log.read_bytes() == other.log.read_bytes()


def test_nobody_else_can_tell_that_plans_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    rooms, seen = [], []
    for name in ("with", "less"):
        (tmp_path / name).mkdir()
        rooms.append(dealt(tmp_path / name, "toy", SEATS["toy"]))
    planning_room, _ = rooms
    planning_room.says("cy", fenced("if anyone plays build 9: veto", "next: build 8"))
    planning_room.says("bob", fenced("next: build 7", "always turn: done"))
    for room in rooms:
        done = pbem("submit", room.log, "--from", "ann", "--json", stdin="build 1")
        runs = [["show"], ["log"], ["moves"], ["verify", "--json"], ["show", "--as", "ann"]]
        shown = [pbem(name, room.log, *more).printed for name, *more in runs]
        shown += [done.json["post"], done.json["letters"]["ann"], done.err, room.log.read_text()]
        shown.append(pbem("status", room.log.parent).printed)
        shown.append(pbem("submit", room.log, "--from", "ann", stdin="build 1").out)
        seen.append([text.replace(str(room.log.parent), "") for text in shown])
    assert seen[0] == seen[1]


def test_killed_at_any_instant_a_plan_is_played_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    folder, kept = tmp_path / "match", tmp_path / "kept"
    folder.mkdir()
    room = dealt(folder, "toy", SEATS["toy"])
    room.says("bob", fenced("next: done", "always veto: allow"))
    letter = room.write("m.eml", mail(fenced("build 1", "next: build 2", "always veto: allow")))
    shutil.copytree(folder, kept)

    def run() -> object:
        return pbem("submit", room.log, letter)

    run()
    log, desk = room.log.read_bytes(), room.desk.read_bytes()
    numbers = []
    for number in remains(run, lambda: again(kept, folder), folder, each=1):
        run()
        assert room.log.read_bytes() == log, number
        assert room.desk.read_bytes() == desk, number
        numbers.append(number)
    assert len(numbers) >= 9


def test_an_old_copy_of_the_desk_file_plays_nothing_twice(toy: Room) -> None:
    toy.says("bob", fenced("if ann plays build 1: veto", "always veto: allow"))
    copy = toy.desk.read_bytes()
    toy.says("ann", "build 1")
    assert plies(toy)[-1] == ("bob", "veto")
    toy.desk.write_bytes(copy)
    assert waiting_now(toy.read(), Desk.read(str(toy.log))).plans[0].text == (
        "always veto: allow until end"
    )
    toy.says("ann", "build 5")
    assert plies(toy)[-1] == ("bob", "allow")


# ---------------------------------------------------------------------- mails and letters


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


def test_a_mail_with_plans_is_answered_to_its_sender_alone(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    room = dealt(post.matches, "toy", SEATS["toy"], name="toy")
    post.comes(mail(fenced("always veto: allow", "next: done"), sender=BEN, identity="<1@e>"))
    post.comes(mail(fenced("always veto: veto"), sender=BEN, identity="<2@e>"))
    assert post.run() == ["waiting", "waiting"]
    assert {str(message["To"]) for message in post.answers().values()} == {BEN}
    first, second = sorted((text(each) for each in post.to(BEN, "answer")), key=len)
    assert "Your plans wait." in first
    assert "no. 3: always veto: veto until end" in second
    post.comes(mail("withdraw 3", sender=BEN, identity="<3@e>"))
    post.comes(mail("build 1", identity="<4@e>"))
    assert post.run() == ["withdrawn", "accepted"]
    assert plies(room) == [("ann", "build 1"), ("bob", "allow")]
    for message in post.answers().values():
        if message["To"] != BEN:
            assert "always" not in text(message)


def test_a_letter_offers_the_answer_that_was_given_three_times(toy: Room) -> None:
    for number in (1, 2, 3):
        toy.says("ann", f"build {number}")
        toy.says("bob", "allow")
        toy.says("cy", "allow" if number != 2 else "veto")
        if number == 2:
            break
    toy.says("ann", "build 5")
    toy.says("bob", "allow")
    toy.says("cy", "allow")
    done = pbem("submit", toy.log, "--from", "ann", "--json", stdin="build 7")
    offer = "always veto: allow"
    assert offer in done.json["letters"]["bob"]
    assert offer not in done.json["letters"]["cy"] + done.json["letters"]["ann"] + done.json["post"]


def test_a_letter_lists_what_waits_and_nobody_else_s_does(toy: Room) -> None:
    toy.says("bob", fenced("always veto: allow"))
    done = pbem("submit", toy.log, "--from", "ann", "--json", stdin="build 7")
    listed = {seat: "always veto" in letter for seat, letter in done.json["letters"].items()}
    assert listed == {"ann": False, "bob": True, "cy": False}


# ---------------------------------------------------------------------------- what is forced


def test_the_last_card_of_all_hands_is_played_by_itself_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal, "new_secret", lambda: SECRET)  # a deal in which a hand must follow
    log = tmp_path / "p.pbem.yaml"
    assert (
        pbem(
            *("new", "kanaloa-piatnik", "--match", "p", "--dir", tmp_path, "--forced"),
            *("--seat", "red=Ana", "--seat", "green=Ben", "--seat", "blue=Cleo"),
        ).code
        == 0
    )
    room = Room(log)
    assert "format: pbem-log/2\n" in log.read_text()
    alone, asked = 0, 0
    while room.read().game.view(room.read().state)["round"] == 1:
        now = room.read()
        seat = now.awaited[0]
        moves = play.legal_texts(now.game, now.state, seat).texts
        if now.pending[0].kind == "card":
            hand = now.game.view(now.state)["hands"][seat]
            assert len(hand) > 1
            alone += len(moves) == 1
        asked += 1
        assert room.says(seat, f"#{now.position.ply} {moves[0]}").verdict == "accepted"
    assert alone, "a hand that allows one card only is asked all the same"
    assert pbem("verify", log, "--key", room.desk).code == 0


def test_the_mails_of_a_round_of_piatnik_are_spared() -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import plans as benchmark
    finally:
        sys.path.pop(0)
    game = benchmark.GAMES[1]
    acts = [act for act in benchmark.recorded(game) if act.round == 1]
    without, *others = benchmark.measured(game, acts)
    assert without >= others[0] > others[1] > others[2] > 0
    assert others[2] <= benchmark.MOST * without
    players, desk = benchmark.really(game, acts, len(benchmark.WAYS))
    assert players == others[2], "the mailroom takes as many as the desk"
    assert desk == 4 * (players + 1), "the opening, and for each mail one to each player"


def test_a_plan_may_be_written_in_a_move_file(toy: Room) -> None:
    said = intake.read(b'moves: ["always veto: allow", "next: build 4; done"]\n', "m.yaml")
    assert [line.text for line in said.orders] == ["always veto: allow", "next: build 4; done"]


def test_another_seat_gets_the_same_mails_whether_plans_wait_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    sent = []
    for name in ("with", "less"):
        (tmp_path / name).mkdir()
        post = Post(tmp_path / name)
        dealt(post.matches, "toy", SEATS["toy"], name="toy")
        post.count = 0 if name == "with" else 1
        if name == "with":
            lines = fenced("if ann plays build 8: veto", "next: build 7")
            post.comes(mail(lines, sender=BEN, identity="<0@e>"))
        post.comes(mail("build 1", identity="<1@e>"))
        assert post.run()[-1] == "accepted"
        others = {
            path: bytes(message)
            for path, message in post.answers().items()
            if message["To"] != BEN or "public" in path
        }
        sent.append(others)
    assert sent[0] == sent[1]
    assert len(sent[0]) == 2


def test_two_hundred_plans_are_gone_through_in_no_time(room: Room) -> None:
    takes = [f"if white plays take {card} *: draw until #{n}" for n, card in enumerate(CARDS, 900)]
    stands = [f"always turn: take ALOA until #{n}" for n in range(2000, 2190)]
    room.says("black", fenced(*takes, *stands))
    answer = room.says("white", "draw")
    assert len(answer.not_played) == len(takes) + len(stands)
    assert answer.played == ()


def test_at_most_fifty_plans_are_played_in_a_run_and_that_is_said(
    toy: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.desk.plans.run.MOST_IN_A_RUN", 3)
    for seat in ("ann", "bob", "cy"):
        toy.says(seat, fenced("always veto: allow"))
    answer = toy.says("ann", "build 1; build 2; build 3; done")
    assert answer.more
    assert len(answer.played) == 3
    assert toy.says("bob", "allow").played


@pytest.mark.parametrize("plan", ["next: draw", "always turn: draw", "if white plays draw: draw"])
def test_what_is_left_of_an_order_ends_with_its_turn_also_if_a_plan_of_others_brings_the_next(
    room: Room, plan: str
) -> None:
    room.says("black", fenced(plan))
    answer = room.says("white", "draw; draw")
    assert plies(room) == [("white", "draw"), ("black", "draw")]
    left = [(each.seat, each.text, str(each.why)) for each in answer.not_played]
    assert left == [("white", "draw", "The turn of white is over")]
