"""Who could have chosen what: no ruling brings another card unless `verify` says so aloud."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import SECRET, Room, dealt, pbem

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.seats import Player
from pbem.files import store
from pbem.files.timestamp import now
from pbem.log import sealing
from pbem.log.doubts import BEFORE_TIME, CHOSEN, DRAWN_OTHERWISE
from pbem.log.entries import entry_text
from pbem.log.rulings import GIVEN, RULINGS

START = "2026-11-21T03:40:00Z"
CLOCK = {"turn": 3, "zone": "UTC", "grace": 1, "silence": "draw"}
SEATS = "entropy: seats"
VALUE = "entropy: public:Lotto of Sat 28 Nov 2026"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets what time it is."""

    def stop(time: str) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(begin._time(time).timestamp())))

    stop(START)
    return stop


def hashed(words: str) -> str:
    return f"sha256:{hashlib.sha256(words.encode()).hexdigest()}"


def typed(seat: str, text: str) -> str:
    return f"words --seat {seat} --text '{text}'"


ANAS, BENS, OTHERS = "ana had a little lamb", "its fleece was white", "and as white as snow"
PROMISED = [typed("white", hashed(ANAS)), typed("black", hashed(BENS))]
LATER = "at 2026-12-20T00:00:00Z"


class Case(NamedTuple):
    """Ways of giving a ruling, each a list of acts, after what comes first; in a match begun with
    these settings. Every way is compared with every other, and with the match as it was."""

    ways: Sequence[Sequence[str]]
    first: Sequence[str] = ()
    begun: str = ""
    moves_draws: bool = False


CASES = {
    "takeback": Case(
        [["takeback --to 12 --revealed"], ["takeback --to 11 --revealed"]], moves_draws=True
    ),
    "restore": Case([["takeback --to 12 --revealed", "restore"]], moves_draws=True),
    "default": Case(
        [[f"default --seat white --move {move}"] for move in ("draw", "pass", "'take DUDA'")],
        moves_draws=True,
    ),
    "entropy": Case([[f"! entropy --seat black --text 'luck {n}'"] for n in range(4)]),
    "promise": Case(
        [
            [
                PROMISED[0],
                typed("black", hashed(words)),
                typed("white", ANAS),
                typed("black", words),
            ]
            for words in (BENS, OTHERS)
        ],
        begun=SEATS,
        moves_draws=True,
    ),
    "words": Case(
        [
            [typed("white", ANAS), typed("black", BENS)],
            [typed("black", BENS), typed("white", ANAS)],
            [typed("white", ANAS), f"! {typed('black', OTHERS)}", typed("black", BENS)],
        ],
        PROMISED,
        begun=SEATS,
    ),
    "pass-over": Case(
        [["pass-over --seat black"], [typed("black", BENS)]],
        [*PROMISED, typed("white", ANAS), LATER],
        begun=SEATS,
        moves_draws=True,
    ),
    "value": Case(
        [["entropy --text '3 8 15'"], ["entropy --text '4 8 15'"]], begun=VALUE, moves_draws=True
    ),
    "substitute": Case(
        [
            [f"substitute --seat {seat} --player 'Zoe <zoe@example.org>' --author {name}"]
            for seat in ("white", "black")
            for name in ("zoe", "z")
        ]
    ),
    "resign": Case([[f"resign --seat {seat}", "reopen"] for seat in ("white", "black")]),
    "end": Case([["end", "reopen"], ["end --winner white", "reopen"]]),
    "reopen": Case([["reopen"]], ["end"]),
    "note": Case([["note --text luck"], ["note --text luck", "note --text 'more luck'"]]),
    "rename": Case([["rename --seat white --name Z"], ["rename --seat black --name B --epoch 0"]]),
    "press": Case([["say white: to Ben: luck"], ["say white: to Ben: more luck"]]),
    "vacate": Case(
        [
            [f"resign --seat {seat}", f"substitute --seat {seat} --player Zoe"]
            for seat in ("white", "black")
        ],
        begun="three",
    ),
    "option": Case(
        [
            [f"option --option {option} --agreed white --agreed black"]
            for option in ("must_draw=true", "discard=free", "token_limit=10")
        ]
    ),
    "late": Case([["due"]], [LATER], begun="clock"),
    "extend": Case([["extend --by 1"], ["extend --seat white --by 3"]], begun="clock"),
    "pause": Case([["pause", "resume"], ["pause"]], begun="clock"),
    "resume": Case([["resume"]], ["pause"], begun="clock"),
    "away": Case(
        [[f"away --seat white --from 2026-12-{day} --to 2026-12-31"] for day in (24, 27)],
        begun="clock",
    ),
    "back": Case(
        [["back --seat white --from 2026-12-26"], ["back --seat white"]],
        ["away --seat white --from 2026-11-20 --to 2026-12-31"],
        begun="clock",
    ),
    "clock": Case([["clock --turn 5"], ["clock --turn 1 --yes"]], begun="clock"),
    "redate": Case([["redate"]], ["note --text early", "at 2026-11-20T00:00:00Z"]),
    "reveal": Case([]),
}
"""For each kind of ruling that the next draw stands before: the ways of giving it."""


BEGUN: dict[str, dict[str, bytes]] = {}
"""The files of matches that have been begun, by their settings."""


def match(folder: Path, settings: str) -> Room:
    """A match with hidden draws ahead."""
    if settings not in BEGUN:
        BEGUN[settings] = begun(folder, settings).files()
    for name, content in BEGUN[settings].items():
        store.replace(str(folder / name), content, 0o600)
    return Room(folder / "m.pbem.yaml")


def begun(folder: Path, settings: str) -> Room:
    if settings == "three":
        return dealt(folder, "kanaloa-bambus", ("white", "black", "red"))
    players = {"white": Player("Ana", ("ana@example.org",)), "black": Player("Ben", ())}
    entropy = settings.partition("entropy: ")[2] or None
    opened, table = begin.begin(
        begin.Terms(
            "kahuna",
            players,
            name="m",
            folder=str(folder),
            options={"starter": "white"},
            press="private",
            entropy=entropy,
            clock=CLOCK if settings == "clock" else {},
        ),
        secret=SECRET,
        clock=now,
    )
    begin.write(opened, table)
    room = Room(Path(opened.log.path))
    for seat in () if entropy else ("white", "black"):
        assert room.says(seat, "draw").verdict == "accepted"
    return room


def act(room: Room, clock: Any, said: str) -> None:
    """One thing that whoever holds the desk can do; what begins with `!` is refused."""
    verb, _, rest = said.partition(" ")
    if verb == "at":
        clock(rest)
    elif verb == "say":
        seat, _, words = rest.partition(": ")
        assert room.says(seat, words).verdict == "accepted"
    elif verb == "due":
        assert pbem("due", room.log.parent, "--enter").code == 0
    else:
        refused, said = verb == "!", said.removeprefix("! ")
        reason = ("--reason", "x") if GIVEN[said.split()[0]].owes_reason else ()
        done = pbem("rule", room.log, *shlex.split(said), *reason)
        assert (done.code != 0) == refused, (said, done.printed)


def next_draws(room: Room) -> tuple[str, ...]:
    """What chance draws once those whose turn it is draw a card."""
    before = room.read().log.last
    for _ in range(2):
        for seat in room.read().awaited[:1]:
            moves = pbem("moves", room.log, "--json", "--key", room.desk).json["moves"][seat]
            assert room.says(seat, "draw" if "draw" in moves else min(moves)).verdict == "accepted"
    now = room.read()
    whole = (sealing.whole_move(ply, now.keyring, now.log) for ply, _ in now.plies)
    return tuple(
        str(each)
        for each, (ply, _) in zip(whole, now.plies, strict=True)
        if ply.seat == CHANCE and ply.number > before
    )


def aloud(room: Room) -> bool:
    """Does `verify` say that somebody could have chosen, or what to compare?"""
    [log] = pbem("verify", room.log, "--key", room.desk, "--json").json["logs"]
    assert log["problems"] == []
    compared = any("compare it with what was published" in each for each in log["notices"])
    return compared or not {CHOSEN, DRAWN_OTHERWISE, BEFORE_TIME}.isdisjoint(log["doubts"])


def test_each_ruling_and_each_of_its_options_is_tried() -> None:
    assert set(CASES) == set(RULINGS)
    for name, kind in GIVEN.items():
        acts = " ".join(each for way in CASES[name].ways for each in way) + " --seat --yes"
        for option in kind.options or ():
            assert name == "clock" or f"--{option.name}" in acts, (name, option.name)


@pytest.mark.parametrize("kind", CASES)
def test_no_ruling_brings_another_card_unless_verify_says_so(
    tmp_path: Path, clock: Any, kind: str
) -> None:
    case, silent = CASES[kind], dict[tuple[str, ...], bool]()
    for nth, way in enumerate([[], *case.ways]):
        folder = tmp_path / str(nth)
        folder.mkdir()
        clock(START)
        room = match(folder, case.begun)
        for said in (*case.first, *way):
            act(room, clock, said)
        if draws := next_draws(room):
            silent[draws] = silent.get(draws, False) or not aloud(room)
    assert (len(silent) > 1) == case.moves_draws, silent
    assert sum(silent.values()) <= 1, silent


@pytest.mark.parametrize("also", ["note --text luck", "rename --seat black --name B"])
def test_in_whatever_order_rulings_come_the_next_card_is_the_same(
    tmp_path: Path, clock: Any, also: str
) -> None:
    drawn = set()
    acts = (also, "substitute --seat white --player Zoe", "end", "reopen")
    for nth, order in enumerate((acts, (acts[1], acts[0], *acts[2:]), (*acts[2:], *acts[:2]))):
        folder = tmp_path / str(nth)
        folder.mkdir()
        room = match(folder, "")
        for said in order:
            act(room, clock, said)
        drawn.add(next_draws(room))
    assert len(drawn) == 1


def test_a_text_for_the_draws_is_refused_with_the_way_there_is(tmp_path: Path, clock: Any) -> None:
    room = match(tmp_path, "")
    with room.unchanged():
        done = pbem("rule", room.log, "entropy", "--seat", "black", "--text", "luck 3")
        assert pbem("rule", room.log, "entropy", "--text", "3 8 15").code == 1
    assert done.code == 1
    assert "settled before the first card" in done.err
    assert "pbem new --entropy" in done.err


def test_a_log_that_holds_a_text_for_the_draws_goes_on_and_verify_says_so_aloud(
    tmp_path: Path, clock: Any
) -> None:
    """Earlier versions took any text, at any time."""
    room = match(tmp_path, "")
    log = room.read().log
    text = {"by": "moderator", "seat": "black", "text": "luck 3", "at": log.moment(START)}
    added, _ = entry_text(log.chain, {"ruling": "entropy", **text})
    room.log.write_text(log.text + added)
    assert next_draws(room)
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 3
    assert "CHOSEN BY HAND: the draws after it depend on this text, entered for Ben" in done.out
    told = pbem("verify", room.log, "--json").json
    assert told["ok"]
    assert told["logs"][0]["doubts"] == ["chosen"]
    pbem("rule", room.log, "end", "--reason", "x")
    assert pbem("reveal", room.log).code == 0
    assert pbem("page", room.log, "--out", tmp_path / "m.html").code == 0
    assert "CHOSEN BY HAND" in (tmp_path / "m.html").read_text()


def test_a_seat_passed_over_before_its_time_is_told_though_the_clock_is_set_right(
    tmp_path: Path, clock: Any
) -> None:
    room = match(tmp_path, SEATS)
    for said in (*PROMISED, typed("white", ANAS), LATER, "pass-over --seat black"):
        act(room, clock, said)
    clock("2026-11-22T00:00:00Z")
    act(room, clock, "redate")
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 3
    assert "BEFORE ITS TIME: pass-over" in done.out


def test_a_move_for_a_silent_seat_before_its_time_is_told_though_the_clock_is_set_right(
    tmp_path: Path, clock: Any
) -> None:
    room = match(tmp_path, "clock")
    for said in (LATER, "due", "at 2026-12-28T00:00:00Z", "default --seat white --move draw"):
        act(room, clock, said)
    assert "before-time" not in pbem("verify", room.log, "--json").json["logs"][0]["doubts"]
    clock("2026-11-22T00:00:00Z")
    act(room, clock, "redate")
    assert "BEFORE ITS TIME: default" in pbem("verify", room.log).out


def test_words_whose_hash_the_player_sent_are_taken_from_the_moderator_only_if_they_open_it(
    tmp_path: Path, clock: Any
) -> None:
    room = match(tmp_path, SEATS)
    for seat, words in (("white", ANAS), ("black", BENS)):
        assert room.says(seat, f"words {hashed(words)}").verdict == "accepted"
    act(room, clock, f"! {typed('black', OTHERS)}")
    for seat, words in (("white", ANAS), ("black", BENS)):
        act(room, clock, typed(seat, words))
    assert not aloud(room)
