"""Whoever looks at a match that goes on can say for whom it waits, and until when.

Random matches of all games with clocks: moves, cards that a person types, interruptions, notices,
what silence brings, pauses, absences, days given, takebacks, other players, words for the draws.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from commands import SECRET

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.answer import Verdict
from pbem.desk.append import append_ply, play_chance
from pbem.desk.seats import Player
from pbem.log import clock, deadlines
from pbem.log.entropy.gathering import VALUE, promise
from pbem.log.match import Replay
from pbem.log.timetable import DESK, LAPSED, MODERATOR, OWED, PAUSED, SEAT
from pbem.mailroom import agenda
from pbem.play import judge as play
from pbem.problem import Problem

BEGUN = "2026-09-21T10:00:00Z"
MATCHES: list[tuple[str, tuple[str, ...], dict[str, Any], dict[str, Any]]] = [
    # the game, its seats, its options, and how the match is begun
    ("kahuna", ("white", "black"), {}, {}),
    ("kahuna", ("white", "black"), {"discard": "free"}, {"dealer": "asked"}),
    ("kahuna", ("white", "black"), {}, {"entropy": "seats", "until": "2026-09-25T10:00:00Z"}),
    ("kahuna", ("white", "black"), {}, {"entropy": "public:Lotto"}),
    ("kanaloa-bambus", ("red", "green", "blue"), {}, {}),
    (
        "kanaloa-piatnik",
        ("red", "green", "blue"),
        {"announce": True, "announce_order": "simultaneous"},
        {},
    ),
]
SILENCES = {
    "kahuna": ("ask", "default", "draw or pass", "take BARI"),
    "kanaloa-bambus": ("ask", "default", "pass or allow"),
    "kanaloa-piatnik": ("ask", "default", "no announce or kanaloa"),
}


class Played:
    """A random match, entry by entry, and what time it is."""

    def __init__(self, folder: Path, which: int, seed: int) -> None:
        game, seats, chosen, how = MATCHES[which]
        self.dice = random.Random(1000 * which + seed)
        self.now = datetime.fromisoformat(BEGUN)
        settings = {
            "zone": "Europe/Berlin",
            "turn": self.dice.randint(1, 3),
            "bank": self.dice.randint(0, 2),
            "closed": self.dice.choice([[], ["sat", "sun"]]),
            "silence": self.dice.choice(SILENCES[game]),
            "plans": self.dice.choice(["at_once", "at_tick"]),
        }
        players = {seat: Player(name) for seat, name in zip(seats, ("A", "B", "C"), strict=False)}
        self.match, self.desk = begin.begin(
            begin.Terms(
                game, players, name="m", folder=str(folder), options=chosen, clock=settings, **how
            ),
            secret=SECRET,
            clock=self,
        )

    def __call__(self) -> str:
        return clock.written(self.now)

    def states(self, steps: int) -> Iterator[Replay]:
        """The match as it stands at first, and after each of so many acts."""
        yield self.match
        for _ in range(steps):
            self.now += timedelta(hours=self.dice.choice([1, 5, 20, 50]))
            try:
                self.act()
            except Problem:
                continue  # it cannot be ruled as the match stands
            yield self.match
            if self.match.outcome is not None:
                return

    def act(self) -> None:
        match, dice = self.match, self.dice
        owed = agenda.owed(match, self())
        if match.gathering and dice.random() < 0.7:
            self.send()
        elif owed and dice.random() < 0.6:
            self.enter(owed[0])
        elif match.pending and not match.gathering and dice.random() < 0.6:
            decision = dice.choice(match.pending)
            moves = play.legal_moves(match.game, match.state, decision.seat)
            self.play(decision.seat, dice.choice(sorted(moves, key=match.game.notate)))
        else:
            self.rule(
                dice.choice(
                    [
                        "pause",
                        "resume",
                        "extend",
                        "away",
                        "back",
                        "substitute",
                        "takeback",
                        "clock",
                        "note",
                        "end",
                        "reopen",
                        "resign",
                    ]
                )
            )

    def play(self, seat: str, move: Any) -> None:
        step = play.judge(self.match.game, self.match.state, seat, move)
        longer = append_ply(self.match, self.desk, step, self, "")
        self.match = play_chance(longer, self.desk, self)

    def enter(self, owed: agenda.Action) -> None:
        """What a run of the desk would write."""
        if owed.verdict == Verdict.LATE:
            self.extend("late", seat=owed.seat)
        elif owed.verdict == Verdict.SILENCE:
            self.extend("default", seat=owed.seat, reason="silent")
            game, state = self.match.game, self.match.state
            self.play(owed.seat, play.resolve(game, state, owed.seat, game.parse(owed.move)))

    def send(self) -> None:
        gathered = self.match.gathering
        assert gathered
        if gathered.stage == VALUE:
            self.extend("value", text="Lotto 3 7 9")
        elif self() > gathered.due:
            self.extend("pass-over", seat=gathered.missing[0], reason="silent")
        else:
            seat = self.dice.choice(gathered.missing)
            said = f"{seat} has a little lamb"
            known = {"hash": promise(said)} if gathered.stage == "promises" else {"text": said}
            self.extend("promise" if "hash" in known else "words", by=seat, seat=seat, **known)
        self.match = play_chance(self.match, self.desk, self)

    def rule(self, kind: str) -> None:
        seat, day = self.dice.choice(tuple(self.match.setup.seats)), self.now.date()
        until = day + timedelta(days=self.dice.randint(0, 9))
        plies = [ply.number for ply, _ in self.match.plies]
        epoch = self.match.log.so_far().epochs[seat] + 1
        fields: dict[str, dict[str, Any]] = {
            "extend": {"seats": [seat], "days": 2},
            "away": {"seat": seat, "first": day.isoformat(), "last": until.isoformat()},
            "back": {"seat": seat, "first": day.isoformat()},
            "substitute": {"seat": seat, "name": "Z", "epoch": epoch},
            "takeback": {"strikes": plies[-1:]},
            "clock": {"settings": {**(self.match.log.header.clock or {}), "turn": 2}},
            "note": {"text": "x"},
            "end": {"winners": []},
            "resign": {"seat": seat},
        }
        often = kind not in ("end", "resign") or self.dice.random() < 0.3
        if often:
            self.extend(kind, **fields.get(kind, {}))
            self.match = play_chance(self.match, self.desk, self)

    def extend(self, kind: str, **fields: Any) -> None:
        at = self.match.log.moment(self())
        entry = {"ruling": kind, "by": "moderator", **fields, "at": at}
        so_far = self.match.log.so_far()
        longer = self.match.log.extend(entry)
        if wrong := so_far.objection_if_new(longer.entries[-1]):
            raise Problem("{wrong}", wrong=wrong[0])
        self.match = Replay.of(longer, self.match.keyring)


def somebody_is_awaited(match: Replay) -> bool:
    """A seat is asked, or is to send words; or the moderator is to type a card or a value."""
    if gathering := match.gathering:
        return bool(gathering.missing) or gathering.stage == VALUE
    typed = match.log.header.dealer == "asked" and any(d.seat == CHANCE for d in match.pending)
    return bool(match.awaited) or typed


@pytest.mark.parametrize("which", range(len(MATCHES)), ids=[each[0] for each in MATCHES])
def test_no_match_that_goes_on_is_without_somebody_awaited_and_a_next_moment(
    tmp_path: Path, which: int
) -> None:
    met = set[str]()
    for seed in range(6):
        for match in Played(tmp_path, which, seed).states(40):
            if match.outcome is not None:
                break
            assert somebody_is_awaited(match)
            for known in (match, match.seen_by(None)):
                times = deadlines.of(known)
                assert times
                assert times.trouble is None
                gathering = match.gathering
                asked = gathering.missing if gathering else match.awaited
                assert {each.seat for each in times.deadlines} == set(asked)
                for later in (0, 1, 30, 100, 400):
                    at = clock.written(
                        datetime.fromisoformat(match.log.moment(BEGUN)) + timedelta(hours=later)
                    )
                    met |= {*whom_it_waits_for(times, at)}
    assert met == {SEAT, DESK, MODERATOR}


def whom_it_waits_for(times: Any, at: str) -> Iterator[str]:
    """For whom, as to each seat that is asked; the law holds for each."""
    nexts = []
    for each in times.deadlines:
        state, waits_for = times.state(each, at), times.waits_for(each, at)
        moves_on = "" if times.paused and not each.words else each.next(at)
        # A seat has time until a moment that is known; else somebody else has to act.
        assert (waits_for == SEAT) == bool(moves_on), (each, at)
        assert (state in (OWED, LAPSED, PAUSED)) == (waits_for != SEAT)
        assert waits_for in (SEAT, DESK, MODERATOR)
        if moves_on:
            nexts.append(moves_on)
            just_after = clock.written(datetime.fromisoformat(moves_on) + timedelta(seconds=1))
            assert times.state(each, just_after) != state, "by time alone it is another then"
        yield waits_for
    if nexts:
        assert times.next(at) <= min(nexts)
