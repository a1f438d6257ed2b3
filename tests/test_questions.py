"""An order is for the question its writer could have seen: small stories of who sends what, when it
comes, and what is played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import commands
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import Post, text
from test_desk import signed
from test_plans import fenced
from test_time import Hour

from pbem.core import CHANCE, Decision
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.intake import forum
from pbem.log import questions
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.rulings import Default, Note, Restore, Ruled, Substitute, Takeback
from pbem.play import games

CLEO = "cleo@example.org"
SENDERS = {"Ana": ANA, "Ben": BEN, "Cleo": CLEO}


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


def moment(day: int, time: str) -> str:
    return f"2026-09-{20 + day}T{time}:00Z"


def plies(room: Room) -> list[str]:
    return [f"{p.seat} {p.move}" for p, _ in room.read().plies if p.seat != CHANCE]


# ------------------------------------------------------------------------------- the stories

STORIES: dict[str, tuple[list[str], list[str], list[str]]] = {
    # who sends what when, runs of the desk, rulings; the verdicts; what is played. `Ana:` is a mail
    # of hers without a position, `Ana re:` answers the post of that moment, `Ana #:` names its
    # number alone, `Ana bare:` has no Message-ID; `white:` is typed in by the moderator.
    "an order of the sixth is not played on the ninth, after a default": (
        [
            *("2 10:00 Ana: take FAAA", "3 10:00 rule default --seat white --move draw"),
            *("3 11:00 black: draw", "4 10:00 run"),
        ],
        ["stale"],
        ["white draw", "black draw"],
    ),
    "a correction that a plan has overtaken is not the next turn": (
        ["2 09:00 black: next: draw", "2 11:00 Ana: draw", "2 11:05 Ana: take FAAA", "2 12:00 run"],
        ["accepted", "stale"],
        ["white draw", "black draw"],
    ),
    "nor is one that answers the post": (
        ["2 09:00 black: next: draw", "2 11:00 Ana: draw", "2 11:05 Ana re: pass", "2 12:00 run"],
        ["accepted", "stale"],
        ["white draw", "black draw"],
    ),
    "half a turn and the other half": (
        ["2 11:00 Ana: DUDA-BARI", "2 11:05 Ana: draw", "2 12:00 run"],
        ["accepted", "accepted"],
        ["white DUDA-BARI", "white draw"],
    ),
    "half a turn and the other half, in answer to one post": (
        ["2 11:00 Ana re: DUDA-BARI", "2 11:05 Ana re: draw", "2 12:00 run"],
        ["accepted", "stale"],
        ["white DUDA-BARI"],
    ),
    "an order that lay there for days while nothing happened": (
        ["2 11:00 Ana: draw", "6 12:00 run"],
        ["accepted"],
        ["white draw"],
    ),
    "an order that came between the question and the run": (
        ["2 10:00 white: draw", "2 11:00 Ben: draw", "2 12:00 run"],
        ["accepted"],
        ["white draw", "black draw"],
    ),
    "an order from before its question": (
        ["2 10:00 Ben: draw", "2 11:00 white: draw", "2 12:00 run"],
        ["stale"],
        ["white draw"],
    ),
    "the same as a plan": (
        ["2 10:00 Ben: next: draw", "2 11:00 white: draw", "2 12:00 run"],
        ["accepted"],
        ["white draw", "black draw"],
    ),
    "an order, and a plan for the turn after it": (
        ["2 11:00 Ana: draw", "2 11:05 Ana: next: draw", "2 12:00 run", "2 12:01 black: pass"],
        ["accepted", "waiting"],
        ["white draw", "black pass", "white draw"],
    ),
    "a plan from before what was played for its silent sender": (
        [
            *("2 10:00 Ana: next: take FAAA", "3 10:00 rule default --seat white --move draw"),
            *("3 11:00 black: draw", "4 10:00 run"),
        ],
        ["stale"],
        ["white draw", "black draw"],
    ),
    "an order from before a takeback": (
        [
            *("2 10:00 white: DUDA-BARI", "2 10:30 Ana: draw", "2 11:00 rule takeback --to 9"),
            "2 12:00 run",
        ],
        ["stale"],
        [],
    ),
    "an order by number from before a takeback": (
        [
            *("2 10:00 white: DUDA-BARI", "2 10:30 Ana #: draw", "2 11:00 rule takeback --to 9"),
            "2 12:00 run",
        ],
        ["stale"],
        [],
    ),
    "a plan from before a takeback": (
        [
            *(
                "2 10:00 white: DUDA-BARI",
                "2 10:30 Ana: next: draw",
                "2 11:00 rule takeback --to 9",
            ),
            "2 12:00 run",
        ],
        ["stale"],
        [],
    ),
    "an order from after a takeback": (
        [
            *("2 10:00 white: DUDA-BARI", "2 11:00 rule takeback --to 9", "2 11:01 Ana: DUDA-BARI"),
            "2 12:00 run",
        ],
        ["accepted"],
        ["white DUDA-BARI"],
    ),
    "a note changes no question": (
        ["2 10:00 Ana: draw", "2 11:00 rule note --text hello", "2 12:00 run"],
        ["accepted"],
        ["white draw"],
    ),
    "there, back, and there again": (
        [
            *("2 10:00 Ana: draw", "2 11:00 run", "2 12:00 black: draw", "3 10:00 Ana: pass"),
            *("3 11:00 run", "3 12:00 black: draw", "4 10:00 Ana: draw", "4 11:00 run"),
        ],
        ["accepted", "accepted", "accepted"],
        ["white draw", "black draw", "white pass", "black draw", "white draw"],
    ),
    "the same words twice in a turn": (
        ["2 10:00 Ana: DUDA-BARI", "2 10:01 Ana: DUDA-BARI", "2 11:00 run"],
        ["accepted", "duplicate"],
        ["white DUDA-BARI"],
    ),
    "the same words twice, and the turn is over": (
        ["2 10:00 Ana: draw", "2 10:01 Ana: draw", "2 11:00 run"],
        ["accepted", "duplicate"],
        ["white draw"],
    ),
    "the same words twice without an id, and a plan has answered": (
        [
            *("2 09:00 black: next: draw", "2 10:00 Ana bare: draw", "2 10:01 Ana bare: draw"),
            *("2 11:00 run", "3 10:00 Ana bare: draw", "3 11:00 run"),
        ],
        ["accepted", "seen", "accepted"],
        ["white draw", "black draw", "white draw"],
    ),
    "the same words twice, and a plan has answered": (
        ["2 09:00 black: next: draw", "2 10:00 Ana: draw", "2 10:01 Ana: draw", "2 11:00 run"],
        ["accepted", "stale"],
        ["white draw", "black draw"],
    ),
}


class Club:
    """A match, a mailbox and a clock, and what happens line by line."""

    def __init__(self, post: Post, room: Room, hour: Hour) -> None:
        self.post, self.room, self.hour = post, room, hour
        self.verdicts: list[str] = []
        self.first = room.read().position

    def happens(self, steps: Sequence[str]) -> None:
        for nth, step in enumerate(steps):
            day, time, what = step.split(" ", 2)
            self.hour.set(moment(int(day), time))
            who, said, order = what.partition(": ")
            if what == "run":
                self.verdicts += self.post.run()
            elif not said:
                kind, *rest = what.split()[1:]
                done = pbem("rule", self.room.log, kind, *rest, "--reason", "agreed")
                assert done.code == 0, done.printed
            elif who.split()[0] in SENDERS:
                self.comes(nth, who, order)
            else:
                answer = self.room.says(who, fenced(order))
                assert answer.code == 0, answer.message

    def comes(self, nth: int, who: str, order: str) -> None:
        name, _, how = who.partition(" ")
        now = self.room.read()
        named = {
            "": "My move",
            "bare": "My move",
            "re": f"Re: [m {now.position}]",
            "first": f"Re: [m {self.first}]",
            "#": f"#{now.position.ply}",
        }
        identity = None if how == "bare" else f"<{nth}@x>"
        raw = mail(fenced(order), sender=SENDERS[name], identity=identity, subject=named[how])
        raw = f"X-Nth: {nth}\n".encode() + raw
        at = datetime.fromisoformat(self.hour.moment).timestamp()
        self.post.comes(raw, at=at)


@pytest.mark.parametrize("name", STORIES)
def test_an_order_is_for_the_question_its_writer_could_have_seen(
    post: Post, hour: Hour, name: str
) -> None:
    steps, verdicts, played = STORIES[name]
    club = Club(post, dealt(post.matches), hour)
    club.happens(steps)
    assert (club.verdicts, plies(club.room)) == (verdicts, played)


def test_a_stale_mail_is_told_what_happened_since_it_came_and_how_to_send_it_again(
    post: Post, hour: Hour
) -> None:
    club = Club(post, dealt(post.matches), hour)
    club.happens(STORIES["a correction that a plan has overtaken is not the next turn"][0])
    told = next(said for said in map(text, post.to(ANA)) if "wasn't accepted" in said)
    told = " ".join(told.split())
    assert "This was written on 2026-09-22 11:05 UTC, before you were asked" in told
    assert "10-11 Ana: draw" in told
    assert "Ben: draw" in told
    assert f"[move] {club.room.read().position}" in told


# ----------------------------------------------------------------- by hand, and from a forum


def dated(order: str, *headers: str, sender: str = ANA, identity: str = "<1@x>") -> bytes:
    """A mail with these headers on top."""
    top = "".join(f"{each}\n" for each in headers).encode()
    return top + mail(order, sender=sender, identity=identity)


EARLY, LATER = "Tue, 22 Sep 2026 10:00:00 +0000", "Thu, 24 Sep 2026 10:00:00 +0000"
TAKEN_IN = "Received: from a by b; "


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [
        ([], "accepted"),
        ([f"Date: {EARLY}"], "stale"),
        ([f"Date: {LATER}"], "accepted"),
        (["Date: Thu, 28 May 2037 10:00:00 +0200"], "accepted"),
        (["Date: when the sun shines"], "accepted"),
        (["Date: Thu, 1 Jan 1970 00:00:00 +0000"], "accepted"),
        ([f"Date: {LATER}", TAKEN_IN + EARLY], "stale"),
        ([TAKEN_IN + EARLY], "stale"),
        ([TAKEN_IN + LATER, TAKEN_IN + EARLY, f"Date: {LATER}"], "accepted"),
    ],
)
@pytest.mark.parametrize("seat", [None, "white"])
def test_a_mail_handed_in_is_no_younger_than_it_says(
    tmp_path: Path, hour: Hour, headers: list[str], verdict: str, seat: str | None
) -> None:
    room = dealt(tmp_path)
    for day, who, said in ((1, "white", "draw"), (3, "black", "draw")):
        hour.set(moment(day, "12:00"))
        room.says(who, said)
    hour.set(moment(5, "12:00"))
    raw = dated("take FAAA", *headers)
    checked = room.write("m.eml", raw)
    told = pbem("check", room.log, checked, "--key", room.desk, "--json").json["verdict"]
    assert (told == "stale") == (verdict == "stale")
    assert room.mails(raw, seat).verdict == verdict
    if verdict == "stale":
        named = dated(f"{room.read().position}\ntake FAAA", *headers, identity="<2@x>")
        assert room.mails(named, seat).verdict == "accepted"


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        ("[quote=ana post_id=12 time={} user_id=2]", "stale"),
        ("[quote author=ana link=topic=1.msg12#msg12 date={}]", "stale"),
        ("[quote='ana' pid='12' dateline='{}']", "stale"),
        ("[quote=ana post_id=12 user_id=2]", "accepted"),
    ],
)
def test_a_post_is_no_younger_than_the_forum_says(
    tmp_path: Path, hour: Hour, head: str, verdict: str
) -> None:
    room = dealt(tmp_path)
    room.desk.write_text(f"{room.desk.read_text()}authors:\n  white: [ana]\n")
    for day, who, said in ((1, "white", "draw"), (3, "black", "draw")):
        hour.set(moment(day, "12:00"))
        room.says(who, said)
    hour.set(moment(5, "12:00"))
    asked = int(datetime.fromisoformat(moment(3, "12:00")).timestamp())
    for second, outcome in ((asked - 60, verdict), (asked, "accepted")):
        quote = f"{head.format(second)}take FAAA[/quote]"
        said = forum.read(quote.encode(), "post.txt", author="ana", quoted=True)
        answer = submit(str(room.log), said, commands.at(clock))
        assert answer.verdict == outcome
        if outcome == "accepted":
            return


# ------------------------------------------------------------------------- several plies each


@pytest.fixture
def phases(post: Post, hour: Hour, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A match in which ann, bob and cy build at once, as much as they like, until all are done."""
    monkeypatch.setitem(games.OWN, "toy", "phases")
    return dealt(post.matches, "toy", ("ann", "bob", "cy"))


PHASES: dict[str, tuple[list[str], list[str], list[str]]] = {
    "all answer one post, the first in three plies": (
        [
            *("2 10:00 Ana re: build 1; build 2; done", "2 10:01 Ben re: build 3; done"),
            *("2 10:02 Cleo re: done", "2 11:00 run"),
        ],
        ["accepted"] * 3,
        ["ann build 1", "ann build 2", "ann done", "bob build 3", "bob done", "cy done"],
    ),
    "one answers it in several mails": (
        [
            *("2 10:00 Ana re: build 1", "2 10:01 Ben re: build 3; build 4", "2 10:02 run"),
            *("2 10:03 Ana first: build 2", "2 10:04 Ben first: done", "2 10:05 Ana first: done"),
            "2 11:00 run",
        ],
        ["accepted"] * 5,
        ["ann build 1", "bob build 3", "bob build 4", "ann build 2", "bob done", "ann done"],
    ),
    "a mail without a position is for the phase in which it came": (
        [
            *("2 10:00 Ana: done", "2 10:01 Ben: build 1", "2 10:02 Cleo: done", "2 11:00 run"),
            *("2 12:00 Ben: done", "2 12:01 Ben: build 2", "2 13:00 run"),
        ],
        ["accepted", "accepted", "accepted", "accepted", "stale"],
        ["ann done", "bob build 1", "cy done", "bob done"],
    ),
    "a post of the phase before is answered no more": (
        [
            *("2 10:00 ann: done", "2 11:00 bob: done", "2 12:00 cy: done"),
            *("2 13:00 Ana first: build 1", "2 14:00 run"),
        ],
        ["stale"],
        ["ann done", "bob done", "cy done"],
    ),
    "the same word in a second phase is an order": (
        [
            *("2 10:00 Ana: done", "2 10:01 Ben: done", "2 10:02 Cleo: done", "2 11:00 run"),
            *("2 12:00 Cleo: done", "2 12:01 Ana: done", "2 12:02 Ben: done", "2 13:00 run"),
        ],
        ["accepted"] * 6,
        [f"{seat} done" for seat in ("ann", "bob", "cy", "cy", "ann", "bob")],
    ),
    "and twice in one it is not": (
        ["2 10:00 Ana: done", "2 10:01 Ana: done", "2 11:00 run"],
        ["accepted", "duplicate"],
        ["ann done"],
    ),
    "what goes back to an earlier word is an order, and here against a rule": (
        [*("2 10:00 Ana: build 1", "2 10:01 Ana: build 2", "2 10:02 Ana: build 1"), "2 11:00 run"],
        ["accepted", "accepted", "refused"],
        ["ann build 1", "ann build 2"],
    ),
}


@pytest.mark.parametrize("name", PHASES)
def test_a_question_stands_however_many_plies_and_mails_answer_it(
    post: Post, hour: Hour, phases: Room, name: str
) -> None:
    steps, verdicts, played = PHASES[name]
    club = Club(post, phases, hour)
    club.happens(steps)
    assert (club.verdicts, plies(phases)) == (verdicts, played)


def test_a_code_that_was_used_opens_nothing_though_its_question_stands(phases: Room) -> None:
    post = str(phases.read().position)
    first, second = (signed(phases, "ann", post, f"build {n}") for n in (1, 2))
    theirs = signed(phases, "bob", post, "build 3")
    for text_, verdict in (
        (first, "accepted"),
        (f"Copied from the forum:\n{first}", "stale"),
        (second, "stale"),
        (theirs, "accepted"),
    ):
        assert phases.says(None, text_).verdict == verdict
    now = str(phases.read().position)
    assert phases.says(None, signed(phases, "ann", now, "build 2")).verdict == "accepted"


# ---------------------------------------------------------------------------- the definition


Asks = dict[str, str]
"""The seats that are asked, and what."""


def match(asked: Sequence[Asks], entries: Sequence[Any]) -> Replay:
    """A match in which these are asked at first and after each ply that stands; a ply is its seat,
    one that was struck begins with a minus."""
    hash_, plies, made = "sha256:" + "0" * 64, [], []
    for nth, each in enumerate(entries):
        if isinstance(each, str):
            ply = Ply(nth, each.lstrip("-"), "", "", (), "", "", hash_, hash_, nth)
            made.append(ply)
            plies += [] if each.startswith("-") else [(ply, ("next",))]
        else:
            made.append(Ruled(each, "moderator", "", "", hash_, hash_, nth))
    game = SimpleNamespace(
        start=lambda setup: 0,
        evolve=lambda state, event: state + 1,
        pending=lambda state: tuple(Decision(s, kind, ()) for s, kind in asked[state].items()),
    )
    log = SimpleNamespace(entries=made)
    log.counting = partial(Log.counting, cast(Log, log))
    return cast(Replay, SimpleNamespace(game=game, setup=None, first=0, plies=plies, log=log))


A, B, AB = {"a": "turn"}, {"b": "turn"}, {"a": "turn", "b": "turn"}
DRAW, VETO = {CHANCE: "deal"}, {"b": "veto"}
COURSES: dict[str, tuple[list[Asks], list[Any], dict[str, int]]] = {
    # who is asked what, the entries; after how many entries each was put its question
    "the first question": ([A], [], {"a": 0}),
    "turns": ([A, B, A], ["a", "b"], {"a": 2, "b": 1}),
    "a turn of several plies": ([A, A, A], ["a", "a"], {"a": 0}),
    "with other questions in it": ([A, {"a": "card"}, A], ["a", "a"], {"a": 0}),
    "a card is drawn in it": ([A, DRAW, A], ["a", CHANCE], {"a": 0, CHANCE: 1}),
    "a card is drawn between two": ([A, DRAW, B], ["a", CHANCE], {"a": 0, "b": 2, CHANCE: 1}),
    "cards are drawn at first": ([DRAW, DRAW, A], [CHANCE, CHANCE], {"a": 2, CHANCE: 0}),
    "somebody interrupts": ([A, VETO, A], ["a", "b"], {"a": 2, "b": 1}),
    "both at once, each in several plies": ([AB, AB, AB, B], ["b", "a", "a"], {"a": 0, "b": 0}),
    "both at once, and a card for one": (
        [AB, DRAW, AB],
        ["b", CHANCE],
        {"a": 0, "b": 0, CHANCE: 1},
    ),
    "both at once, and then again": ([AB, B, AB], ["a", "b"], {"a": 2, "b": 2}),
    "another's ply changes what is asked": (
        [AB, {"a": "card", "b": "turn"}],
        ["b"],
        {"a": 1, "b": 1},
    ),
    "what silence brought": ([A, A], [Default("a"), "a"], {"a": 1}),
    "what another's silence brought": ([AB, A], [Default("b"), "b"], {"a": 0, "b": 1}),
    "somebody else sits down": ([AB], [Substitute("b", "Z", 1)], {"a": 0, "b": 1}),
    "a note": ([A], [Note("hello")], {"a": 0}),
    "a takeback": ([A, B, A, B], ["a", "-b", Takeback((1,)), "b", "a"], {"a": 4, "b": 5}),
    "a takeback in a turn": ([A, A], ["a", "-a", Takeback((1,))], {"a": 3}),
    "a takeback that draws anew": (
        [DRAW, A],
        ["-chance", "-a", Takeback((0, 1)), CHANCE],
        {"a": 4, CHANCE: 3},
    ),
    "a takeback that is restored": (
        [DRAW, A, B],
        [CHANCE, "a", Takeback((1,)), Restore((1,), ())],
        {"a": 1, "b": 2, CHANCE: 0},
    ),
}


@pytest.mark.parametrize("name", COURSES)
def test_since_when_each_seat_is_asked_what_it_is_asked(name: str) -> None:
    asked, entries, put = COURSES[name]
    found = questions.of(match(asked, entries))
    assert {seat: question.since for seat, question in found.items()} == put
    assert {seat for seat, question in found.items() if question.shared} == (
        {"a", "b"} if AB in asked else set()
    )
